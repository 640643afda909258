/*
 * orders.c - reading POPUP and WHACK.
 *
 * A mail replaces the kinds of command it names and keeps the other kind of
 * the set in force. Commands are judged each alone: a wrong one is refused and
 * changes nothing, a good one beside it counts. The last good one of each kind counts.
 *
 * Trusts: `text` is anybody's. Diagnostics speak only of the text and of the
 * options, which everybody knows.
 */
#include <string.h>

#include "processor/base/num.h"
#include "processor/games/order_text.h"
#include "processor/games/whakka_mole/whakka.h"

enum verb { VERB_POPUP, VERB_WHACK, VERB_RESIGN, VERBS };

static const char *const verbs[VERBS] = {"POPUP", "WHACK", "RESIGN"};
static const char *const examples[VERBS] = {"POPUP 3", "WHACK 3", "RESIGN"};

/* What one mail said so far. */
struct reading {
	const struct game_state *state;
	struct diags *diags;
	struct whakka_orders orders;
	unsigned line[VERBS]; /* of the command that counts, 0 = none so far */
};

static bool is_none(struct span word)
{
	return span_eq_nocase(word, "NONE");
}

static bool is_argument(struct span word)
{
	unsigned n;

	return is_none(word) || num_parse_word(word, 0, 1000, &n);
}

static const struct order_language language = {
    .verbs = verbs,
    .nverbs = VERBS,
    .is_argument = is_argument,
};

static void refuse(struct reading *r, const struct order_clause *c, const struct order_word *at,
                   const char *what)
{
	diags_add(r->diags, DIAG_ERROR, c->line, at->column, order_quote(at->text),
	          examples[c->verb], "%s %s", verbs[c->verb], what);
}

static bool is_range(struct span word)
{
	struct span dots = SPAN_LIT("..");
	size_t at = span_find_char(word, '-');
	size_t len = 1;
	unsigned n;

	if (at == word.len) {
		at = span_find(word, dots);
		len = 2;
	}
	if (at == word.len)
		return false;
	while (at + len < word.len && word.ptr[at + len] == '.')
		len++;
	return (at == 0 || num_parse_word(span_slice(word, 0, at), 0, 1000, &n)) &&
	       (at + len == word.len ||
	        num_parse_word(span_slice(word, at + len, word.len), 0, 1000, &n));
}

/* One hole of a list, or false with the reason. */
static bool read_hole(struct reading *r, const struct order_clause *c,
                      const struct order_word *w, unsigned *hole)
{
	unsigned holes = r->state->setup.holes;
	unsigned n;

	if (num_parse_word(w->text, 1, holes, hole))
		return true;
	if (is_none(w->text))
		refuse(r, c, w, "NONE stands alone, without holes.");
	else if (span_eq_str(w->text, ";"))
		refuse(r, c, w,
		       "takes holes with blanks or commas between them; a semicolon ends it.");
	else if (is_range(w->text) && c->verb == VERB_POPUP)
		refuse(r, c, w, "takes no range: each hole is written by itself.");
	else if (num_parse_word(w->text, 0, 1000, &n))
		diags_add(
		    r->diags, DIAG_ERROR, c->line, w->column, w->text, examples[c->verb],
		    "There is no hole %u: holes are numbered 1 to %u, so this %s does not "
		    "count.",
		    n, holes, verbs[c->verb]);
	else
		diags_add(r->diags, DIAG_ERROR, c->line, w->column, order_quote(w->text),
		          examples[c->verb],
		          c->verb == VERB_POPUP
		              ? "POPUP takes holes from 1 to %u, or NONE, but not \"%.*s\"."
		              : "WHACK takes one hole from 1 to %u, or NONE, but not \"%.*s\".",
		          holes, SPAN_ARGS(order_quote(w->text)));
	return false;
}

/* "hole 5" and "3 and 7" say no more than the numbers do. */
static bool is_filler(const struct order_clause *c, size_t i)
{
	struct span word = c->args[i].text;

	if (i + 1 == c->nargs)
		return false;
	return span_eq_nocase(word, "hole") || span_eq_nocase(word, "holes") ||
	       (i > 0 && span_eq_nocase(word, "and"));
}

/* "POPUP 3 and WHACK 5": the word that joins two commands belongs to neither. */
static void drop_joining_and(struct order_clause *c)
{
	if (c->nargs > 1 && !c->alone && span_eq_nocase(c->args[c->nargs - 1].text, "and"))
		c->nargs--;
}

static bool is_none_alone(const struct order_clause *c)
{
	return c->nargs == 1 && is_none(c->args[0].text);
}

/* Says so when an earlier command of this mail is replaced by this one. */
static void note_replaced(struct reading *r, const struct order_clause *c)
{
	if (r->line[c->verb])
		diags_add(r->diags, DIAG_NOTE, c->line, c->head.column, order_quote(c->text),
		          "", "This replaces the %s of line %u.", verbs[c->verb],
		          r->line[c->verb]);
	r->line[c->verb] = c->line;
}

/* More holes than a turn may name, in this command or in the list it goes on with. */
static void refuse_too_many(struct reading *r, const struct order_clause *c, int named,
                            bool goes_on)
{
	unsigned max = r->state->setup.maxtokens;

	diags_add(
	    r->diags, DIAG_ERROR, c->line, c->head.column, order_quote(c->text),
	    examples[VERB_POPUP],
	    "POPUP may list at most %u %s in this game; this one %s %d and does not count.",
	    max, max == 1 ? "hole" : "holes", goes_on ? "makes them" : "lists", named);
}

static void read_popup(struct reading *r, const struct order_clause *c)
{
	bool goes_on = r->line[VERB_POPUP] == c->line; /* "popup 3, popup 5" is one list */
	uint32_t holes = 0;
	unsigned hole;
	bool repeated = false;

	for (size_t i = 0; i < c->nargs && !is_none_alone(c); i++) {
		if (is_filler(c, i))
			continue;
		if (!read_hole(r, c, &c->args[i], &hole))
			return;
		repeated = repeated || ((holes >> (hole - 1)) & 1u);
		holes |= 1u << (hole - 1);
	}
	if (c->nargs == 0) {
		refuse(r, c, &c->head, "needs the holes, or NONE.");
		return;
	}
	if (goes_on)
		holes |= r->orders.popup;
	if ((unsigned)__builtin_popcount(holes) > r->state->setup.maxtokens) {
		refuse_too_many(r, c, __builtin_popcount(holes), goes_on);
		return;
	}
	if (!goes_on)
		note_replaced(r, c);
	r->orders.popup = holes;
	if (repeated)
		diags_add(r->diags, DIAG_WARNING, c->line, c->head.column, order_quote(c->text),
		          "", "A hole named twice counts once.");
}

/* Behind the one hole stands a second one, or something else. */
static void refuse_rest(struct reading *r, const struct order_clause *c, size_t hole)
{
	const struct order_word *next = &c->args[hole + 1], *last = &c->args[c->nargs - 1];
	struct span rest = span_slice(c->text, (size_t)(next->text.ptr - c->text.ptr),
	                              (size_t)(last->text.ptr + last->text.len - c->text.ptr));
	struct strbuf text = STRBUF_INIT;
	unsigned n;

	if (num_parse_word(next->text, 1, r->state->setup.holes, &n)) {
		strbuf_addf(&text, "takes one hole only, and you named %.*s and %.*s.",
		            SPAN_ARGS(c->args[hole].text), SPAN_ARGS(next->text));
		refuse(r, c, next, text.ptr);
	} else {
		strbuf_addf(&text, "WHACK %.*s", SPAN_ARGS(c->args[hole].text));
		diags_add(r->diags, DIAG_ERROR, c->line, next->column, order_quote(rest),
		          text.ptr, "This was read as WHACK %.*s, but not \"%.*s\".",
		          SPAN_ARGS(c->args[hole].text), SPAN_ARGS(order_quote(rest)));
	}
	strbuf_release(&text);
}

static void read_whack(struct reading *r, const struct order_clause *c)
{
	unsigned hole = 0;
	size_t first = 0;

	while (first < c->nargs && is_filler(c, first))
		first++;
	if (first == c->nargs) {
		refuse(r, c, &c->head, "needs a hole, or NONE.");
		return;
	}
	if (!is_none_alone(c) && !read_hole(r, c, &c->args[first], &hole))
		return;
	if (first + 1 < c->nargs) {
		refuse_rest(r, c, first);
		return;
	}
	note_replaced(r, c);
	r->orders.whack = hole;
}

static void read_resign(struct reading *r, const struct order_clause *c)
{
	if (!order_resigns(c, r->diags))
		return;
	r->orders.resign = true;
	r->line[VERB_RESIGN] = c->line;
}

static void read_clause(struct reading *r, struct order_clause *c)
{
	drop_joining_and(c);
	switch (c->verb) {
	case VERB_POPUP:
		read_popup(r, c);
		break;
	case VERB_WHACK:
		read_whack(r, c);
		break;
	case VERB_RESIGN:
		read_resign(r, c);
		break;
	case ORDER_MISSPELT:
		order_tell_misspelt(c, strcmp(c->meant, "WHACK") == 0 ? "WHACK 3" : "POPUP 3",
		                    r->diags);
		break;
	default:
		order_ignore(c, r->diags);
	}
}

/* The kinds that this mail does not name come from the set in force, or are NONE. */
static void complete(struct reading *r, const struct whakka_orders *before)
{
	struct strbuf text = STRBUF_INIT;

	if (!r->line[VERB_POPUP] && before) {
		r->orders.popup = before->popup;
		whakka_write_holes(before->popup, &text);
		diags_add(r->diags, DIAG_NOTE, 0, 0, SPAN_EMPTY, "",
		          "POPUP stays as you ordered before: %s.", text.ptr);
	} else if (!r->line[VERB_POPUP]) {
		diags_add(r->diags, DIAG_WARNING, 0, 0, SPAN_EMPTY, examples[VERB_POPUP],
		          "You named no hole to pop up in, so this stands as POPUP NONE.");
	}
	if (!r->line[VERB_WHACK] && before) {
		r->orders.whack = before->whack;
		strbuf_clear(&text);
		whakka_write_holes(before->whack ? 1u << (before->whack - 1) : 0, &text);
		diags_add(r->diags, DIAG_NOTE, 0, 0, SPAN_EMPTY, "",
		          "WHACK stays as you ordered before: %s.", text.ptr);
	} else if (!r->line[VERB_WHACK]) {
		diags_add(r->diags, DIAG_WARNING, 0, 0, SPAN_EMPTY, examples[VERB_WHACK],
		          "You named no hole to whack, so this stands as WHACK NONE.");
	}
	strbuf_release(&text);
}

static bool may_order(struct reading *r, unsigned seat)
{
	const char *why = NULL;

	if (r->orders.resign || seat_in(whakka_owes(r->state), seat))
		return true;
	why = whakka_plays(r->state, seat)
	          ? "The game is over; it takes no more orders."
	          : "You have left this game; it takes no orders from you.";
	diags_add(r->diags, DIAG_ERROR, 0, 0, SPAN_EMPTY, "", "%s", why);
	return false;
}

bool whakka_read_orders(const struct game_state *s, unsigned seat, struct span before,
                        const struct tables *tables, struct span text, struct strbuf *canonical,
                        struct diags *diags)
{
	struct reading r = {.state = s, .diags = diags};
	struct whakka_orders in_force;
	struct order_reader reader;
	struct order_clause clause;
	bool had = before.ptr && whakka_parse_orders(before, s->setup.holes, &in_force) &&
	           !in_force.resign;

	(void)tables;
	order_reader_start(&reader, &language, text);
	while (order_next_clause(&reader, &clause))
		read_clause(&r, &clause);
	order_reader_release(&reader);
	if (!may_order(&r, seat))
		return false;
	if (r.orders.resign && (r.line[VERB_POPUP] || r.line[VERB_WHACK]))
		diags_add(
		    diags, DIAG_WARNING, r.line[VERB_RESIGN], 0, SPAN_EMPTY, "",
		    "RESIGN takes you out of the game, so your other orders do not count.");
	else if (!r.orders.resign && !r.line[VERB_POPUP] && !r.line[VERB_WHACK])
		return false;
	else if (!r.orders.resign)
		complete(&r, had ? &in_force : NULL);
	strbuf_clear(canonical);
	whakka_write_orders(&r.orders, canonical);
	return true;
}

void whakka_write_holes(uint32_t holes, struct strbuf *out)
{
	const char *between = "";

	if (!holes)
		strbuf_adds(out, "NONE");
	for (unsigned h = 1; h <= WHAKKA_HOLES; h++) {
		if (!((holes >> (h - 1)) & 1u))
			continue;
		strbuf_adds(out, between);
		state_add_uint(out, h);
		between = " ";
	}
}

void whakka_write_orders(const struct whakka_orders *o, struct strbuf *canonical)
{
	if (o->resign) {
		strbuf_adds(canonical, ORDER_RESIGN_TEXT);
		return;
	}
	strbuf_adds(canonical, "POPUP ");
	whakka_write_holes(o->popup, canonical);
	strbuf_adds(canonical, "; WHACK ");
	whakka_write_holes(o->whack ? 1u << (o->whack - 1) : 0, canonical);
}

/* "POPUP 1 5" -> the set of holes; any order, since the caller compares the bytes. */
static bool parse_clause(struct span clause, const char *verb, unsigned nholes, uint32_t *holes)
{
	struct span word;
	unsigned hole;

	*holes = 0;
	if (!span_next_word(&clause, "", &word) || !span_eq_str(word, verb))
		return false;
	while (span_next_word(&clause, "", &word)) {
		if (span_eq_str(word, "NONE"))
			continue;
		if (!num_parse_uint(word, 1, nholes, &hole))
			return false;
		*holes |= 1u << (hole - 1);
	}
	return true;
}

bool whakka_parse_orders(struct span canonical, unsigned nholes, struct whakka_orders *out)
{
	struct strbuf written = STRBUF_INIT;
	struct span rest = canonical;
	struct span popup, whack;
	uint32_t hole;
	bool ok;

	memset(out, 0, sizeof *out);
	if (span_eq_str(canonical, ORDER_RESIGN_TEXT)) {
		out->resign = true;
		return true;
	}
	if (!order_next_canonical(&rest, &popup) || !order_next_canonical(&rest, &whack) ||
	    !parse_clause(popup, "POPUP", nholes, &out->popup) ||
	    !parse_clause(whack, "WHACK", nholes, &hole))
		return false;
	out->whack = hole ? (unsigned)__builtin_ctz(hole) + 1 : 0;
	whakka_write_orders(out, &written);
	ok = span_eq(strbuf_span(&written), canonical);
	strbuf_release(&written);
	return ok;
}
