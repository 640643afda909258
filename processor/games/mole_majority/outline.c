/*
 * outline.c - talk in a mail, and what looks like talk but was meant to be done.
 *
 * A turn is carried out as soon as it can be read, and nobody can take it back. So a line that
 * names hexes, or stands where a step would stand, is not passed over as a greeting is: it is
 * asked back. Erring that way costs one more mail.
 */
#include "processor/games/mole_majority/clause.h"

bool mm_is_talk(const struct order_language *l, const struct order_clause *c)
{
	bool names = c->verb == STEP_STEAL || c->verb == STEP_CONVERT;
	bool card = c->verb == VERB_PLAY || c->verb == VERB_STACK;
	size_t which = 0;

	if (c->verb < 0 || c->nargs == 0)
		return c->verb == ORDER_PROSE;
	/* Reports speak of the "home token of B2". */
	if (c->verb == STEP_HOME && (span_eq_nocase(c->args[0].text, "token") ||
	                             span_eq_nocase(c->args[0].text, "tokens")))
		return true;
	for (size_t i = 0; i < c->nargs; i++)
		if (mm_is_argument(c->args[i].text) ||
		    (names && order_name_length(l, c->args + i, c->nargs - i, &which)))
			return false;
	/* A number alone must stand first, and a card with a wrong name is no talk. */
	return !mm_is_count(c->args[0].text) && !(card && c->nargs <= 2);
}

static void add_clause(struct mm_outline *o, const struct order_clause *c, bool *open)
{
	bool card = c->verb == VERB_PLAY || c->verb == VERB_STACK;

	if (c->verb == VERB_PLAY && !o->plays) {
		o->plays = true;
		o->first = c->line;
	}
	o->builds = o->builds || c->verb == VERB_BASE || c->verb == VERB_TILES;
	if (o->plays)
		o->last = c->line;
	if (card)
		o->bare = o->bare || *open;
	*open = card;
}

void mm_outline_mail(const struct order_language *l, struct span text, struct mm_outline *out)
{
	struct order_reader reader;
	struct order_clause c;
	bool open = false;

	*out = (struct mm_outline){.plays = false};
	order_reader_start(&reader, l, text);
	while (order_next_clause(&reader, &c))
		if (!mm_is_talk(l, &c))
			add_clause(out, &c, &open);
	order_reader_release(&reader);
	out->bare = out->bare || open;
}

/* ---- One line ---- */

/* In a sentence a word has marks behind it. */
static struct span bare_word(const struct order_word *w)
{
	struct span word = w->text;

	while (word.len && span_find_char(SPAN_LIT(".,;:!?"), word.ptr[word.len - 1]) < 6)
		word.len--;
	return word;
}

static bool names_verb(struct span word)
{
	static const uint8_t verbs[] = {STEP_MOVE,   STEP_BREED, STEP_CONVERT, STEP_ROLL,
	                                STEP_CAVEIN, STEP_STEAL, VERB_STACK};

	for (size_t i = 0; i < sizeof verbs; i++)
		if (span_eq_nocase(word, mm_verbs[verbs[i]]))
			return true;
	return false;
}

/* Small words that steps are told with; "on" begins the lines of mail programs, too. */
static bool is_hint(struct span word, size_t at)
{
	static const char *const hints[] = {"to",   "into", "onto",    "then", "same",
	                                    "also", "too",  "another", "home", "new",
	                                    "one",  "rest", "them",    "all"};

	return (at > 0 && span_eq_nocase(word, "on")) ||
	       span_in_nocase(word, hints, sizeof hints / sizeof *hints);
}

/* What the words of a line speak of; the title of the game is no mole. */
struct content {
	unsigned places;
	bool card, verb, mole, count, count_first, home_first, hint;
};

static struct content look_at(const struct mm_talk *t)
{
	struct content has = {0};
	unsigned card;

	for (size_t i = 0; i < t->nwords; i++) {
		struct span word = bare_word(&t->words[i]);
		bool mole = span_eq_nocase(word, "mole") || span_eq_nocase(word, "moles");

		has.places += mm_names_place(word);
		has.card = has.card || mm_card_parse(word, &card);
		has.verb = has.verb || names_verb(word);
		has.mole = has.mole ||
		           (mole && !(i + 1 < t->nwords &&
		                      span_eq_nocase(bare_word(&t->words[i + 1]), "majority")));
		has.count = has.count || mm_is_count(word);
		has.count_first = has.count_first || (i == 0 && mm_is_count(word));
		has.home_first = has.home_first || (i == 0 && span_eq_nocase(word, "home"));
		has.hint = has.hint || is_hint(word, i);
	}
	return has;
}

/*
 * On the line right below the last order one sign is enough, and a weaker one if that order still
 * lacks its steps; "Sent from my phone" has none.
 */
static bool continues(const struct mm_talk *t)
{
	const struct content has = look_at(t);

	if (t->below_bare && (has.mole || has.count || has.hint))
		return true;
	return has.places || has.card || has.verb || has.count_first || has.home_first ||
	       (has.mole && has.count);
}

/*
 * Farther below stand greetings, what a phone adds ("Sent with A1") and the lines in which a mail
 * program says whom it quotes; these end with a colon. So one sign is not enough there.
 */
static bool tells_a_step(const struct mm_talk *t)
{
	enum { ENOUGH = 3 };
	const struct content has = look_at(t);
	unsigned signs = 2 * has.places + 2u * has.card + 2u * has.verb + has.mole + has.count +
	                 has.count_first + has.hint + (has.hint && t->below_bare);

	return signs >= ENOUGH && (!t->introduces || has.places > 1);
}

bool mm_is_meant(const struct mm_outline *o, const struct mm_talk *t)
{
	if (t->nwords == 0)
		return false;
	if (o->builds)
		return look_at(t).places > 0;
	if (!o->plays)
		return false;
	if (t->line < o->first)
		return o->bare && look_at(t).places > 0;
	if (t->line < o->last)
		return true;
	return t->line <= o->last + 1 ? continues(t) : tells_a_step(t);
}
