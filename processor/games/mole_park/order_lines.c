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

/* Of PARK_ROLL to PARK_STYLE_LINE. */
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

/* Words that say no more than the others do: "the Frying Pan", "first Toys, then Candy". */
static bool is_filler(struct span word)
{
	static const char *const fillers[] = {
	    "the", "my",     "die",   "boxing", "frying", "bar",        "house",
	    "of",  "nation", "ready", "for",    "first",  "then",       "friends",
	    "and", "please", "stars", "star",   "mole's", "collection", NULL};

	return is_one_of(word, fillers);
}

/* "ROLL PRIZE IF CROWN": behind IF it is no order to go for it. */
static bool takes_verb(const struct order_word *args, size_t n, int verb)
{
	while (n > 0 && is_filler(args[n - 1].text))
		n--;
	return verb == VERB_CROWN && n > 0 && span_eq_nocase(args[n - 1].text, "IF");
}

const struct order_language park_language = {
    .verbs = verbs,
    .nverbs = VERBS,
    .is_argument = is_argument,
    .free_words = free_words,
    .takes_verb = takes_verb,
};

bool park_is_verb(struct span word)
{
	return span_in_nocase(word, verbs, VERBS);
}

/* --- saying what is wrong -------------------------------------------------- */

/* 0, which names no kind. */
static unsigned refuse(struct reading *r, const struct order_clause *c,
                       const struct order_word *at, const char *what)
{
	diags_add(r->diags, DIAG_ERROR, c->line, at->column, order_quote(at->text),
	          examples[c->verb], "%s %s", verbs[c->verb], what);
	r->refused_line = c->line;
	return 0;
}

/* Of a list that repeats itself one remark is enough. */
static void remark(struct reading *r, const struct order_clause *c, const char *what)
{
	if (!r->repeats)
		diags_add(r->diags, DIAG_WARNING, c->line, c->head.column, order_quote(c->text),
		          "", "%s", what);
	r->repeats = true;
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

/* Takes a word or more of a list, from `at` on; else what is wrong with the first. */
typedef const char *take_fn(struct reading *r, const struct order_clause *c, size_t at,
                            size_t *used);

static bool read_list(struct reading *r, const struct order_clause *c, take_fn *take,
                      const char *needs)
{
	bool found = false;

	for (size_t at = 0, used = 1; at < c->nargs; at += used) {
		const char *wrong = take(r, c, at, &used);

		if (wrong && !is_filler(c->args[at].text))
			return refuse(r, c, &c->args[at], wrong);
		found = found || !wrong;
		used = wrong ? 1 : used;
	}
	return found || refuse(r, c, &c->head, needs);
}

/*
 * --- the kinds of line ------------------------------------------------------
 *
 * Each reader says which kind its line is of, 0 = it was refused; then what it put into the orders is
 * taken back.
 */

/* "roll pan, if crown roll prize" means the other die. */
static bool stands_apart(const struct order_clause *c, const struct order_word *word)
{
	const char *at = word->text.ptr;

	while (at > c->text.ptr && at[-1] == ' ')
		at--;
	return at > c->text.ptr && at[-1] == ',';
}

/*
 * The Prize die costs the hand, so a ROLL does not count behind one that was not understood:
 * "roll pan; if crown, roll prize".
 */
static unsigned read_roll(struct reading *r, const struct order_clause *c)
{
	struct order_word words[3] = {{SPAN_EMPTY, 0}, {SPAN_EMPTY, 0}, {SPAN_EMPTY, 0}};
	bool follows = r->refused_roll == c->line;
	enum park_die die;
	size_t n;
	bool fit = plain_words(c, words, 3, &n);

	r->refused_roll = c->line;
	if (follows)
		return refuse(r, c, &c->head, "does not count behind a ROLL not understood.");
	if (n == 0 || (!fit && !span_eq_nocase(words[1].text, "IF")))
		return refuse(r, c, &c->head, "takes one die: GLOVE, PAN, MALLET or PRIZE.");
	if (!read_die(words[0].text, &die))
		return refuse(r, c, &words[0], "takes a die: GLOVE, PAN, MALLET or PRIZE.");
	if (n > 1 && !span_eq_nocase(words[1].text, "IF"))
		return refuse(r, c, &words[1], "takes one die only, or a die and IF CROWN.");
	if (n > 1 && stands_apart(c, &words[1]))
		return refuse(r, c, &words[1],
		              "takes IF CROWN right behind its die, without a comma.");
	if (n == 2 || !fit || (n == 3 && !span_eq_nocase(words[2].text, verbs[VERB_CROWN]))) {
		diags_add(r->diags, DIAG_ERROR, c->line, c->head.column, order_quote(c->text),
		          "ROLL PRIZE IF CROWN", "ROLL <die> IF takes CROWN, no more.");
		r->refused_line = c->line;
		return 0;
	}
	r->refused_roll = 0;
	if (n == 3)
		r->orders.die_if_crown = die;
	else
		r->orders.die = die;
	return n == 3 ? PARK_ROLL_IF : PARK_ROLL;
}

/* "ANY", or a player who is still here and is not the sender. */
static unsigned read_condition(struct reading *r, const struct order_clause *c,
                               const struct order_word *words, size_t n)
{
	static const char *const anybody[] = {"ANY",      "ANYBODY", "ANYONE",
	                                      "SOMEBODY", "SOMEONE", NULL};
	unsigned seat = 0;

	r->orders.claim = PARK_CLAIM_IF_ANY;
	if (n == 1 && is_one_of(words[0].text, anybody))
		return PARK_CLAIMS;
	if (n == 0 || park_read_player(r->state, words, n, &seat) != n)
		return refuse(r, c, n ? &words[0] : &c->head,
		              "IF takes ANY or the name of a player.");
	if (seat == r->seat)
		return refuse(r, c, &words[0], "IF cannot wait for yourself.");
	if (!park_plays(r->state, seat))
		return refuse(r, c, &words[0], "IF cannot wait for a player who has left.");
	r->orders.claim = PARK_CLAIM_IF_SEAT;
	r->orders.claim_seat = seat;
	return PARK_CLAIMS;
}

/*
 * A bare CROWN is a bold step, so it does not count behind words that were not understood:
 * "roll the pan, not the crown".
 */
static unsigned read_crown(struct reading *r, const struct order_clause *c)
{
	bool none = only_word(c, "NONE");

	r->orders.claim_seat = 0;
	r->orders.claim = none ? PARK_NO_CLAIM : PARK_CLAIM;
	if (none)
		return PARK_CLAIMS;
	if (r->refused_line == c->line && c->head.column > 1)
		return refuse(r, c, &c->head,
		              "does not count behind words that were not understood.");
	if (r->judges && r->state->seats[r->seat].hand.count == 0)
		return refuse(r, c, &c->head,
		              "needs at least one mole in your hand, and you have none.");
	if (c->nargs == 0)
		return PARK_CLAIMS;
	if (!span_eq_nocase(c->args[0].text, "IF"))
		return refuse(r, c, &c->args[0],
		              "stands alone, or with NONE, IF ANY, or IF and a player.");
	return read_condition(r, c, c->args + 1, c->nargs - 1);
}

static const char *take_wish(struct reading *r, const struct order_clause *c, size_t at,
                             size_t *used)
{
	struct park_wishes *w = &r->orders.wishes;
	struct span word = c->args[at].text;
	bool none = span_eq_nocase(word, "NONE");
	unsigned shop;

	*used = 1;
	if (w->nothing_else)
		return "takes NONE at the end of the list only.";
	if (!none && !read_shop(word, &shop))
		return "takes shops, the dearest wish first: CANDY, TOYS, INFLATION, FURRY, "
		       "ACTION, KINGS; NONE at the end, or ANY alone.";
	if (none)
		w->nothing_else = true;
	else if (memchr(w->shops, (int)shop, w->count))
		remark(r, c, "A shop named twice counts once.");
	else
		w->shops[w->count++] = (unsigned char)shop;
	return NULL;
}

static unsigned read_prizes(struct reading *r, const struct order_clause *c)
{
	memset(&r->orders.wishes, 0, sizeof r->orders.wishes);
	return only_word(c, "ANY") || read_list(r, c, take_wish, "needs shops, NONE or ANY.")
	           ? PARK_PRIZES_LINE
	           : 0;
}

static const char *take_stars(struct reading *r, const struct order_clause *c, size_t at,
                              size_t *used)
{
	struct park_discard *d = &r->orders.discard;
	unsigned stars;

	*used = 1;
	if (!num_parse_word(c->args[at].text, 1, PARK_STARS, &stars) ||
	    d->count == PARK_DISCARDS)
		return "takes LOW, HIGH, or up to 16 values from 1 to 5.";
	d->values[d->count++] = (unsigned char)stars;
	return NULL;
}

static unsigned read_discard(struct reading *r, const struct order_clause *c)
{
	struct park_discard *d = &r->orders.discard;

	*d = (struct park_discard){.way = only_word(c, "LOW")    ? PARK_LOW
	                                  : only_word(c, "HIGH") ? PARK_HIGH
	                                                         : PARK_VALUES};
	return d->way != PARK_VALUES ||
	               read_list(r, c, take_stars, "needs LOW, HIGH, or values from 1 to 5.")
	           ? PARK_DISCARD_LINE
	           : 0;
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

static const char *take_favoured(struct reading *r, const struct order_clause *c, size_t at,
                                 size_t *used)
{
	struct park_players *p = &r->orders.favour;
	unsigned seat = 0;
	size_t words = park_read_player(r->state, c->args + at, c->nargs - at, &seat);

	if (!words)
		return "takes names of players in this game.";
	*used = words;
	if (memchr(p->seats, (int)seat, p->count))
		remark(r, c, "A player named twice counts once.");
	else if (seat == r->seat)
		remark(r, c,
		       "The King comes last in any tie, so your own name does not count.");
	else
		p->seats[p->count++] = (unsigned char)seat;
	return NULL;
}

static unsigned read_favour(struct reading *r, const struct order_clause *c)
{
	bool none = c->nargs == 1 && span_eq_nocase(c->args[0].text, "NONE");

	if (!is_king(r, c))
		return 0;
	r->orders.favour.count = 0;
	return none || read_list(r, c, take_favoured, "needs players, or NONE.")
	           ? PARK_FAVOUR_LINE
	           : 0;
}

/* Takes all the rest of its line, so that no word of it is read as another order. */
static unsigned read_style(struct reading *r, const struct order_clause *c)
{
	struct span text = SPAN_EMPTY;

	if (!is_king(r, c))
		return 0;
	if (c->nargs)
		text = span_slice(c->text, (size_t)(c->args[0].text.ptr - c->text.ptr),
		                  c->text.len);
	while (text.len && strchr("\"*`)", text.ptr[text.len - 1]))
		text.len--;
	memset(&r->orders.style, 0, sizeof r->orders.style);
	if (span_eq_nocase(text, "NONE"))
		return PARK_STYLE_LINE;
	if (text.ptr == NULL || !park_style_ok(text))
		return refuse(
		    r, c, &c->head,
		    "takes up to 30 letters, digits and blanks to the end of its line, "
		    "without words that begin an order.");
	memcpy(r->orders.style.text, text.ptr, text.len);
	return PARK_STYLE_LINE;
}

static void read_order(struct reading *r, const struct order_clause *c)
{
	static unsigned (*const readers[VERBS])(struct reading *,
	                                        const struct order_clause *) = {
	    [VERB_ROLL] = read_roll,     [VERB_CROWN] = read_crown,
	    [VERB_PRIZES] = read_prizes, [VERB_DISCARD] = read_discard,
	    [VERB_FAVOUR] = read_favour, [VERB_FAVOR] = read_favour,
	    [VERB_STYLE] = read_style,
	};
	struct park_orders before = r->orders;
	unsigned kind;

	r->repeats = false;
	kind = readers[c->verb](r, c);
	if (!kind) {
		r->orders = before;
		return;
	}
	unsigned *line = &r->line[__builtin_ctz(kind)];
	order_note_replaced(c, verbs[c->verb], *line, r->diags);
	*line = c->line;
	r->orders.named |= kind;
}

static void read_clause(struct reading *r, struct order_clause *c)
{
	unsigned verb = 0;

	if (c->verb != VERB_STYLE)
		order_drop_and(c);
	if (c->verb == VERB_RESIGN && order_resigns(c, r->diags)) {
		r->orders.resign = true;
	} else if (c->verb == VERB_RESIGN) {
		r->refused_line = c->line;
	} else if (c->verb >= 0) {
		read_order(r, c);
	} else if (c->verb == ORDER_MISSPELT) {
		while (verb + 1 < VERBS && strcmp(verbs[verb], c->meant) != 0)
			verb++;
		order_tell_misspelt(c, examples[verb], r->diags);
		r->refused_line = c->line;
	} else {
		order_ignore(c, r->diags);
	}
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
	order_reader_start(&reader, &language, text);
	while (order_next_clause(&reader, &clause)) {
		if (clause.verb == VERB_STYLE)
			order_take_line(&reader, &clause);
		read_clause(&r, &clause);
	}
	order_reader_release(&reader);
	*out = r.orders;
}
