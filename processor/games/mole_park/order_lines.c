/*
 * order_lines.c - reading the lines of Mole Park orders, kind by kind.
 *
 * Each line is judged alone: a wrong one is refused and changes nothing, the last good one of
 * a kind counts.
 *
 * Trusts: the text is anybody's. Diagnostics speak of the text, of what is public, and of
 * whether the sender has a mole.
 */
#include <string.h>

#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/games/mole_park/park.h"
#include "processor/games/order_text.h"

enum verb {
	VERB_ROLL,
	VERB_CROWN,
	VERB_PRIZES,
	VERB_DISCARD,
	VERB_FAVOUR,
	VERB_FAVOR,
	VERB_STYLE,
	VERB_RESIGN,
	VERBS
};

static const char *const verbs[VERBS] = {"ROLL",   "CROWN", "PRIZES", "DISCARD",
                                         "FAVOUR", "FAVOR", "STYLE",  ORDER_RESIGN_TEXT};
static const char *const examples[VERBS] = {
    "ROLL PAN",    "CROWN NONE",  "PRIZES TOYS CANDY",    "DISCARD LOW",
    "FAVOUR NONE", "FAVOUR NONE", "STYLE The Old Digger", ORDER_RESIGN_TEXT};

enum { KINDS = 7 };

/* What one mail said so far. */
struct reading {
	const struct game_state *state;
	unsigned seat;
	bool judges; /* see park_read_lines */
	struct diags *diags;
	struct park_orders orders;
	unsigned line[KINDS];  /* of the line that counts, by kind, 0 = none so far */
	unsigned refused_line; /* the last line with a clause that was refused */
	unsigned refused_roll; /* the last line with a ROLL that was refused */
	bool repeats;          /* the clause in hand names something twice, and that was said */
	/* "ROLL PRIZE IF", which wants the next clause to be CROWN. */
	bool waits;
	enum park_die waiting_die;
	struct order_clause waiting;
	struct strbuf waiting_text;
};

/* --- words --------------------------------------------------------------- */

static bool is_one_of(struct span word, const char *const *list)
{
	for (; *list; list++)
		if (span_eq_nocase(word, *list))
			return true;
	return false;
}

static bool read_die(struct span word, enum park_die *die)
{
	for (*die = PARK_NO_DIE; *die < PARK_DICE_END; (*die)++)
		if (span_eq_nocase(word, park_die_keys[*die]))
			return true;
	return false;
}

static bool read_shop(struct span word, unsigned *shop)
{
	static const char *const others[PARK_SHOPS] = {"SWEETS", "TOY", "INFL",
	                                               "FUR",    "ACT", "KING"};

	for (*shop = 0; *shop < PARK_SHOPS; (*shop)++)
		if (span_eq_nocase(word, park_shops[*shop].key) ||
		    span_eq_nocase(word, others[*shop]))
			return true;
	return false;
}

static bool is_argument(struct span word)
{
	static const char *const others[] = {"IF", "ANY", "LOW", "HIGH", NULL};
	enum park_die die;
	unsigned n;

	return is_one_of(word, others) || read_die(word, &die) || read_shop(word, &n) ||
	       num_parse_word(word, 0, 1000, &n);
}

static size_t free_words(struct span word)
{
	return span_eq_nocase(word, verbs[VERB_STYLE]) ? (size_t)-1 : 0;
}

const struct order_language park_language = {
    .verbs = verbs,
    .nverbs = VERBS,
    .is_argument = is_argument,
    .free_words = free_words,
};

bool park_is_verb(struct span word)
{
	return span_in_nocase(word, verbs, VERBS);
}

/* --- saying what is wrong -------------------------------------------------- */

static void refuse(struct reading *r, const struct order_clause *c, const struct order_word *at,
                   const char *what)
{
	diags_add(r->diags, DIAG_ERROR, c->line, at->column, order_quote(at->text),
	          examples[c->verb], "%s %s", verbs[c->verb], what);
	r->refused_line = c->line;
}

/* Of a list that repeats itself one remark is enough. */
static void remark(struct reading *r, const struct order_clause *c, const char *what)
{
	r->repeats = true;
	diags_add(r->diags, DIAG_WARNING, c->line, c->head.column, order_quote(c->text), "",
	          "%s", what);
}

/* The kind's line now counts; says so when an earlier one of this mail is replaced. */
static void name_kind(struct reading *r, const struct order_clause *c, unsigned kind)
{
	unsigned *line = &r->line[__builtin_ctz(kind)];

	if (*line)
		diags_add(r->diags, DIAG_NOTE, c->line, c->head.column, order_quote(c->text),
		          "", "This replaces the %s of line %u.", verbs[c->verb], *line);
	*line = c->line;
	r->orders.named |= kind;
}

/* "ROLL PAN and CROWN IF ANY": the word that joins two orders belongs to neither. */
static void drop_joining_and(struct order_clause *c)
{
	if (c->nargs > 0 && !c->alone && span_eq_nocase(c->args[c->nargs - 1].text, "and"))
		c->nargs--;
}

/* Words that say no more than the others do: "the Frying Pan", "first Toys, then Candy". */
static bool is_filler(struct span word)
{
	static const char *const fillers[] = {
	    "the", "my",     "die",   "boxing", "frying", "bar",        "house",
	    "of",  "nation", "ready", "for",    "first",  "then",       "friends",
	    "and", "please", "stars", "star",   "mole's", "collection", NULL};

	return is_one_of(word, fillers);
}

/* The words of a clause without fillers; false when there are too many. */
static bool plain_words(const struct order_clause *c, struct order_word *words, size_t most,
                        size_t *n)
{
	*n = 0;
	for (size_t i = 0; i < c->nargs; i++) {
		if (is_filler(c->args[i].text))
			continue;
		if (*n == most)
			return false;
		words[(*n)++] = c->args[i];
	}
	return true;
}

/* Whether this is the one word of the clause that says something. */
static bool only_word(const struct order_clause *c, const char *expected)
{
	struct order_word word = {SPAN_EMPTY, 0};
	size_t n;

	return plain_words(c, &word, 1, &n) && n == 1 && span_eq_nocase(word.text, expected);
}

/* --- the kinds of line ------------------------------------------------------ */

static void start_waiting(struct reading *r, const struct order_clause *c, enum park_die die)
{
	r->waits = true;
	r->waiting_die = die;
	r->waiting = *c;
	strbuf_clear(&r->waiting_text);
	strbuf_add_span(&r->waiting_text, order_quote(c->text));
	r->waiting.text = strbuf_span(&r->waiting_text);
	r->waiting.head.text = r->waiting.text;
}

/* "roll pan, if crown roll prize" means the other die. */
static bool stands_apart(const struct order_clause *c, const struct order_word *word)
{
	const char *at = word->text.ptr;

	while (at > c->text.ptr && at[-1] == ' ')
		at--;
	return at > c->text.ptr && at[-1] == ',';
}

static void refuse_roll(struct reading *r, const struct order_clause *c,
                        const struct order_word *at, const char *what)
{
	refuse(r, c, at, what);
	r->refused_roll = c->line;
}

/*
 * The Prize die costs the hand, so a ROLL does not count behind one that was not understood:
 * "roll pan; if crown, roll prize".
 */
static void read_roll(struct reading *r, const struct order_clause *c)
{
	struct order_word words[2] = {{SPAN_EMPTY, 0}, {SPAN_EMPTY, 0}};
	enum park_die die;
	size_t n;

	if (r->refused_roll == c->line)
		refuse_roll(r, c, &c->head, "does not count behind a ROLL not understood.");
	else if (!plain_words(c, words, 2, &n) || n == 0)
		refuse_roll(r, c, &c->head, "takes one die: GLOVE, PAN, MALLET or PRIZE.");
	else if (!read_die(words[0].text, &die))
		refuse_roll(r, c, &words[0], "takes a die: GLOVE, PAN, MALLET or PRIZE.");
	else if (n == 2 && !span_eq_nocase(words[1].text, "IF"))
		refuse_roll(r, c, &words[1], "takes one die only, or a die and IF CROWN.");
	else if (n == 2 && stands_apart(c, &words[1]))
		refuse_roll(r, c, &words[1],
		            "takes IF CROWN right behind its die, without a comma.");
	else if (n == 2)
		start_waiting(r, c, die);
	else {
		name_kind(r, c, PARK_ROLL);
		r->orders.die = die;
	}
}

/* Nothing that fits follows "ROLL PRIZE IF". */
static void refuse_waiting(struct reading *r)
{
	diags_add(r->diags, DIAG_ERROR, r->waiting.line, r->waiting.head.column,
	          r->waiting.text, "ROLL PRIZE IF CROWN",
	          "ROLL <die> IF takes CROWN, no more.");
	r->refused_line = r->waiting.line;
	r->refused_roll = r->waiting.line;
	r->waits = false;
}

/* What becomes of "ROLL PRIZE IF" now that `c` follows. True if it took c. */
static bool end_waiting(struct reading *r, const struct order_clause *c)
{
	bool is_crown = c->line == r->waiting.line && c->verb == VERB_CROWN;

	if (!is_crown || c->nargs > 0) {
		refuse_waiting(r);
		return is_crown;
	}
	name_kind(r, &r->waiting, PARK_ROLL_IF);
	r->orders.die_if_crown = r->waiting_die;
	r->waits = false;
	return true;
}

/* "ANY", or a player who is still here and is not the sender. */
static bool read_condition(struct reading *r, const struct order_clause *c,
                           const struct order_word *words, size_t n)
{
	static const char *const anybody[] = {"ANY",      "ANYBODY", "ANYONE",
	                                      "SOMEBODY", "SOMEONE", NULL};
	unsigned seat = 0;

	if (n == 1 && is_one_of(words[0].text, anybody)) {
		r->orders.claim = PARK_CLAIM_IF_ANY;
	} else if (n == 0 || park_read_player(r->state, words, n, &seat) != n) {
		refuse(r, c, n ? &words[0] : &c->head, "IF takes ANY or the name of a player.");
		return false;
	} else if (seat == r->seat) {
		refuse(r, c, &words[0], "IF cannot wait for yourself.");
		return false;
	} else if (!park_plays(r->state, seat)) {
		refuse(r, c, &words[0], "IF cannot wait for a player who has left.");
		return false;
	} else {
		r->orders.claim = PARK_CLAIM_IF_SEAT;
		r->orders.claim_seat = seat;
	}
	return true;
}

/*
 * A bare CROWN is a bold step, so it does not count behind words that were not understood:
 * "roll the pan, not the crown".
 */
static void read_crown(struct reading *r, const struct order_clause *c)
{
	struct park_orders old = r->orders;
	bool none = only_word(c, "NONE");

	if (!none && r->refused_line == c->line && c->head.column > 1) {
		refuse(r, c, &c->head, "does not count behind words that were not understood.");
		return;
	}
	if (r->judges && !none && r->state->seats[r->seat].hand.count == 0) {
		refuse(r, c, &c->head,
		       "needs at least one mole in your hand, and you have none.");
		return;
	}
	r->orders.claim_seat = 0;
	r->orders.claim = none ? PARK_NO_CLAIM : PARK_CLAIM;
	if (c->nargs > 0 && !none && !span_eq_nocase(c->args[0].text, "IF")) {
		r->orders = old;
		refuse(r, c, &c->args[0],
		       "stands alone, or with NONE, IF ANY, or IF and a player.");
		return;
	}
	if (c->nargs > 0 && !none && !read_condition(r, c, c->args + 1, c->nargs - 1)) {
		r->orders = old;
		return;
	}
	name_kind(r, c, PARK_CLAIMS);
}

/* Adds one word to the list; false with the reason. */
static bool add_wish(struct reading *r, const struct order_clause *c,
                     const struct order_word *word, struct park_wishes *w)
{
	unsigned shop;

	if (w->nothing_else) {
		refuse(r, c, word, "takes NONE at the end of the list only.");
		return false;
	}
	if (span_eq_nocase(word->text, "NONE")) {
		w->nothing_else = true;
		return true;
	}
	if (!read_shop(word->text, &shop)) {
		refuse(r, c, word,
		       "takes shops, the dearest wish first: CANDY, TOYS, INFLATION, FURRY, "
		       "ACTION, KINGS; NONE at the end, or ANY alone.");
		return false;
	}
	if (!memchr(w->shops, (int)shop, w->count))
		w->shops[w->count++] = (unsigned char)shop;
	else if (!r->repeats)
		remark(r, c, "A shop named twice counts once.");
	return true;
}

static void read_prizes(struct reading *r, const struct order_clause *c)
{
	struct park_wishes w = {.count = 0};
	bool any = only_word(c, "ANY");

	if (c->nargs == 0) {
		refuse(r, c, &c->head, "needs shops, NONE or ANY.");
		return;
	}
	for (size_t i = 0; i < c->nargs && !any; i++)
		if (!is_filler(c->args[i].text) && !add_wish(r, c, &c->args[i], &w))
			return;
	if (!any && w.count == 0 && !w.nothing_else) {
		refuse(r, c, &c->head, "needs shops, NONE or ANY.");
		return;
	}
	name_kind(r, c, PARK_PRIZES_LINE);
	r->orders.wishes = w;
}

static void read_discard(struct reading *r, const struct order_clause *c)
{
	struct park_discard d = {.way = PARK_VALUES};
	unsigned stars = 0;

	if (only_word(c, "LOW"))
		d.way = PARK_LOW;
	else if (only_word(c, "HIGH"))
		d.way = PARK_HIGH;
	for (size_t i = 0; i < c->nargs && d.way == PARK_VALUES; i++) {
		if (is_filler(c->args[i].text))
			continue;
		if (!num_parse_word(c->args[i].text, 1, PARK_STARS, &stars) ||
		    d.count == PARK_DISCARDS) {
			refuse(r, c, &c->args[i],
			       "takes LOW, HIGH, or up to 16 values from 1 to 5.");
			return;
		}
		d.values[d.count++] = (unsigned char)stars;
	}
	if (d.way == PARK_VALUES && d.count == 0) {
		refuse(r, c, &c->head, "needs LOW, HIGH, or values from 1 to 5.");
		return;
	}
	name_kind(r, c, PARK_DISCARD_LINE);
	r->orders.discard = d;
}

/* From anybody else it is ignored, and all else in the mail counts (rules, case 24). */
static bool is_king(struct reading *r, const struct order_clause *c)
{
	if (r->seat == r->state->king)
		return true;
	diags_add(r->diags, DIAG_WARNING, c->line, c->head.column, order_quote(c->text), "",
	          "This was ignored: %s is read from King Mole only, and that is %s.",
	          verbs[c->verb], r->state->seats[r->state->king].name.text);
	if (c->nargs != 1)
		r->refused_line = c->line;
	return false;
}

static void add_favoured(struct reading *r, const struct order_clause *c, unsigned seat,
                         struct park_players *p)
{
	bool twice = memchr(p->seats, (int)seat, p->count) != NULL;

	if (seat != r->seat && !twice)
		p->seats[p->count++] = (unsigned char)seat;
	else if (!r->repeats)
		remark(r, c,
		       twice ? "A player named twice counts once."
		             : "The King comes last in any tie, so your own name does "
		               "not count.");
}

static void read_favour(struct reading *r, const struct order_clause *c)
{
	struct park_players p = {.count = 0};
	bool none = c->nargs == 1 && span_eq_nocase(c->args[0].text, "NONE");
	size_t used;

	if (!is_king(r, c))
		return;
	if (c->nargs == 0) {
		refuse(r, c, &c->head, "needs players, or NONE.");
		return;
	}
	for (size_t at = 0; at < c->nargs && !none; at += used) {
		unsigned seat = 0;

		used = park_read_player(r->state, c->args + at, c->nargs - at, &seat);
		if (used) {
			add_favoured(r, c, seat, &p);
		} else if (is_filler(c->args[at].text)) {
			used = 1;
		} else {
			refuse(r, c, &c->args[at], "takes names of players in this game.");
			return;
		}
	}
	name_kind(r, c, PARK_FAVOUR_LINE);
	r->orders.favour = p;
}

/* Takes all the rest of its line, so that no word of it is read as another order. */
static void read_style(struct reading *r, const struct order_clause *c)
{
	struct span text = SPAN_EMPTY;
	bool none;

	if (!is_king(r, c))
		return;
	if (c->nargs)
		text = span_slice(c->text, (size_t)(c->args[0].text.ptr - c->text.ptr),
		                  c->text.len);
	while (text.len && strchr("\"*`)", text.ptr[text.len - 1]))
		text.len--;
	none = span_eq_nocase(text, "NONE");
	if (text.ptr == NULL || (!none && !park_style_ok(text))) {
		refuse(r, c, &c->head,
		       "takes up to 30 letters, digits and blanks to the end of its line, "
		       "without words that begin an order.");
		return;
	}
	name_kind(r, c, PARK_STYLE_LINE);
	memset(&r->orders.style, 0, sizeof r->orders.style);
	if (!none)
		memcpy(r->orders.style.text, text.ptr, text.len);
}

static void read_resign(struct reading *r, const struct order_clause *c)
{
	if (order_resigns(c, r->diags))
		r->orders.resign = true;
	else
		r->refused_line = c->line;
}

static void explain_misspelt(struct reading *r, const struct order_clause *c)
{
	unsigned verb = 0;

	while (verb + 1 < VERBS && strcmp(verbs[verb], c->meant) != 0)
		verb++;
	order_tell_misspelt(c, examples[verb], r->diags);
	r->refused_line = c->line;
}

static void read_clause(struct reading *r, struct order_clause *c)
{
	static void (*const readers[VERBS])(struct reading *, const struct order_clause *) = {
	    [VERB_ROLL] = read_roll,     [VERB_CROWN] = read_crown,
	    [VERB_PRIZES] = read_prizes, [VERB_DISCARD] = read_discard,
	    [VERB_FAVOUR] = read_favour, [VERB_FAVOR] = read_favour,
	    [VERB_STYLE] = read_style,   [VERB_RESIGN] = read_resign,
	};

	r->repeats = false;
	if (c->verb != VERB_STYLE)
		drop_joining_and(c);
	if (r->waits && end_waiting(r, c))
		return;
	if (c->verb >= 0)
		readers[c->verb](r, c);
	else if (c->verb == ORDER_MISSPELT)
		explain_misspelt(r, c);
	else
		order_ignore(c, r->diags);
}

void park_read_lines(const struct game_state *s, unsigned seat, bool judges, struct span text,
                     struct park_orders *out, struct diags *diags)
{
	struct reading r = {.state = s, .seat = seat, .judges = judges, .diags = diags};
	struct order_language language = park_language;
	const char *names[PARK_SEATS];
	struct order_reader reader;
	struct order_clause clause;

	for (unsigned i = 1; i <= s->nseats; i++)
		names[i - 1] = s->seats[i].name.text;
	language.kept = names;
	language.nkept = s->nseats;
	strbuf_init(&r.waiting_text);
	order_reader_start(&reader, &language, text);
	while (order_next_clause(&reader, &clause)) {
		if (clause.verb == VERB_STYLE)
			order_take_line(&reader, &clause);
		read_clause(&r, &clause);
	}
	if (r.waits)
		refuse_waiting(&r);
	order_reader_release(&reader);
	strbuf_release(&r.waiting_text);
	*out = r.orders;
}
