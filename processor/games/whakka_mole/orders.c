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

enum verb { VERB_POPUP, VERB_WHACK, VERB_RESIGN, VERBS, KINDS = VERB_RESIGN };

static const char *const verbs[VERBS] = {"POPUP", "WHACK", ORDER_RESIGN_TEXT};

/* What the two orders, both a list of holes or NONE, say of themselves. */
static const struct row {
	const char *example, *takes, *needs, *missing;
} rows[KINDS] = {{"POPUP 3", "holes", "needs the holes, or NONE.",
                  "You named no hole to pop up in, so this stands as POPUP NONE."},
                 {"WHACK 3", "one hole", "needs a hole, or NONE.",
                  "You named no hole to whack, so this stands as WHACK NONE."}};

/* What one mail said so far. */
struct reading {
	const struct game_state *state;
	struct diags *diags;
	uint32_t holes[KINDS];
	unsigned line[VERBS]; /* of the command that counts, 0 = none so far */
};

static uint32_t hole_set(unsigned hole)
{
	return hole ? 1u << (hole - 1) : 0;
}

static unsigned lowest(uint32_t holes)
{
	return holes ? (unsigned)__builtin_ctz(holes) + 1 : 0;
}

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
	          rows[c->verb].example, "%s %s", verbs[c->verb], what);
}

/* "3-5", "1..9", "7-" */
static bool is_range(struct span word)
{
	bool open = span_find_char(word, '-') < word.len ||
	            span_find(word, SPAN_LIT("..")) < word.len;

	for (size_t i = 0; i < word.len; i++)
		open = open && strchr("0123456789-.", word.ptr[i]);
	return open;
}

/* Says why a word is no hole of a list. */
static void refuse_hole(struct reading *r, const struct order_clause *c,
                        const struct order_word *w)
{
	unsigned holes = r->state->setup.holes;
	unsigned n;

	if (is_none(w->text))
		refuse(r, c, w, "NONE stands alone, without holes.");
	else if (span_eq_str(w->text, ";"))
		refuse(r, c, w,
		       "takes holes with blanks or commas between them; a semicolon ends it.");
	else if (is_range(w->text) && c->verb == VERB_POPUP)
		refuse(r, c, w, "takes no range: each hole is written by itself.");
	else if (num_parse_word(w->text, 0, 1000, &n))
		diags_add(
		    r->diags, DIAG_ERROR, c->line, w->column, w->text, rows[c->verb].example,
		    "There is no hole %u: holes are numbered 1 to %u, so this %s does not "
		    "count.",
		    n, holes, verbs[c->verb]);
	else
		diags_add(r->diags, DIAG_ERROR, c->line, w->column, order_quote(w->text),
		          rows[c->verb].example,
		          "%s takes %s from 1 to %u, or NONE, but not \"%.*s\".",
		          verbs[c->verb], rows[c->verb].takes, holes,
		          SPAN_ARGS(order_quote(w->text)));
}

/* Behind the one hole of a WHACK, `hole`, stands a second one, or something else. */
static void refuse_rest(struct reading *r, const struct order_clause *c, unsigned hole,
                        const struct order_word *next)
{
	struct span rest =
	    span_slice(c->text, (size_t)(next->text.ptr - c->text.ptr), c->text.len);
	struct strbuf text = STRBUF_INIT;
	unsigned n;

	if (num_parse_word(next->text, 1, r->state->setup.holes, &n)) {
		strbuf_addf(&text, "takes one hole only, and you named %u and %u.", hole, n);
		refuse(r, c, next, text.ptr);
	} else {
		strbuf_addf(&text, "WHACK %u", hole);
		diags_add(r->diags, DIAG_ERROR, c->line, next->column, order_quote(rest),
		          text.ptr, "This was read as %s, but not \"%.*s\".", text.ptr,
		          SPAN_ARGS(order_quote(rest)));
	}
	strbuf_release(&text);
}

/* "hole 5" and "3 and 7" say no more than the numbers do. */
static bool is_filler(const struct order_clause *c, size_t i)
{
	struct span word = c->args[i].text;

	return i + 1 < c->nargs &&
	       (span_eq_nocase(word, "hole") || span_eq_nocase(word, "holes") ||
	        (i > 0 && span_eq_nocase(word, "and")));
}

/* The holes of a command; false when it was refused. */
static bool read_holes(struct reading *r, const struct order_clause *c, uint32_t *holes,
                       bool *repeated)
{
	unsigned hole = 0;

	*holes = 0;
	*repeated = false;
	if (c->nargs == 0)
		refuse(r, c, &c->head, rows[c->verb].needs);
	if (c->nargs == 1 && is_none(c->args[0].text))
		return true;
	for (size_t i = 0; i < c->nargs; i++) {
		if (is_filler(c, i))
			continue;
		if (c->verb == VERB_WHACK && hole) {
			refuse_rest(r, c, hole, &c->args[i]);
			return false;
		}
		if (!num_parse_word(c->args[i].text, 1, r->state->setup.holes, &hole)) {
			refuse_hole(r, c, &c->args[i]);
			return false;
		}
		*repeated = *repeated || (*holes & hole_set(hole));
		*holes |= hole_set(hole);
	}
	return c->nargs > 0;
}

static void read_command(struct reading *r, const struct order_clause *c)
{
	/* "popup 3, popup 5" is one list */
	bool goes_on = c->verb == VERB_POPUP && r->line[VERB_POPUP] == c->line, repeated;
	unsigned max = r->state->setup.maxtokens;
	uint32_t holes;

	if (!read_holes(r, c, &holes, &repeated))
		return;
	if (goes_on)
		holes |= r->holes[VERB_POPUP];
	int named = __builtin_popcount(holes);
	if ((unsigned)named > max) {
		diags_add(r->diags, DIAG_ERROR, c->line, c->head.column, order_quote(c->text),
		          rows[c->verb].example,
		          "POPUP may list at most %u %s in this game; this one %s %d and does "
		          "not count.",
		          max, max == 1 ? "hole" : "holes", goes_on ? "makes them" : "lists",
		          named);
		return;
	}
	if (!goes_on)
		order_note_replaced(c, verbs[c->verb], r->line[c->verb], r->diags);
	r->line[c->verb] = c->line;
	r->holes[c->verb] = holes;
	if (repeated)
		diags_add(r->diags, DIAG_WARNING, c->line, c->head.column, order_quote(c->text),
		          "", "A hole named twice counts once.");
}

static void read_clause(struct reading *r, struct order_clause *c)
{
	order_drop_and(c);
	if (c->verb == VERB_RESIGN && order_resigns(c, r->diags))
		r->line[VERB_RESIGN] = c->line;
	else if (c->verb == VERB_POPUP || c->verb == VERB_WHACK)
		read_command(r, c);
	else if (c->verb == ORDER_MISSPELT)
		order_tell_misspelt(c, rows[strcmp(c->meant, "WHACK") == 0].example, r->diags);
	else if (c->verb != VERB_RESIGN)
		order_ignore(c, r->diags);
}

/* The kinds that this mail does not name come from the set in force, or are NONE. */
static void complete(struct reading *r, const uint32_t *before)
{
	for (int v = 0; v < KINDS; v++) {
		struct strbuf text = STRBUF_INIT;

		if (!r->line[v] && before) {
			r->holes[v] = before[v];
			whakka_write_holes(before[v], &text);
			diags_add(r->diags, DIAG_NOTE, 0, 0, SPAN_EMPTY, "",
			          "%s stays as you ordered before: %s.", verbs[v], text.ptr);
		} else if (!r->line[v]) {
			diags_add(r->diags, DIAG_WARNING, 0, 0, SPAN_EMPTY, rows[v].example,
			          "%s", rows[v].missing);
		}
		strbuf_release(&text);
	}
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
	bool resign = r.line[VERB_RESIGN], named = r.line[VERB_POPUP] || r.line[VERB_WHACK];
	if (!resign && !seat_in(whakka_owes(s), seat)) {
		order_refuse_seat(whakka_plays(s, seat), diags);
		return false;
	}
	if (!resign && !named)
		return false;
	if (resign && named)
		order_warn_resigned(r.line[VERB_RESIGN], diags);
	else if (!resign)
		complete(&r,
		         had ? (uint32_t[]){in_force.popup, hole_set(in_force.whack)} : NULL);
	struct whakka_orders o = {resign, r.holes[VERB_POPUP], lowest(r.holes[VERB_WHACK])};
	strbuf_clear(canonical);
	whakka_write_orders(&o, canonical);
	return true;
}

void whakka_write_holes(uint32_t holes, struct strbuf *out)
{
	if (!holes)
		strbuf_adds(out, "NONE");
	for (uint32_t rest = holes; rest; rest &= rest - 1)
		strbuf_addf(out, rest == holes ? "%u" : " %u", lowest(rest));
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
	whakka_write_holes(hole_set(o->whack), canonical);
}

bool whakka_parse_orders(struct span canonical, unsigned nholes, struct whakka_orders *out)
{
	struct strbuf written = STRBUF_INIT;
	struct span rest = canonical, word;
	uint32_t holes[KINDS] = {0};
	int verb = VERB_POPUP;
	unsigned hole;
	bool ok;

	/* Loosely, since the bytes are compared. */
	while (span_next_word(&rest, ";", &word))
		if (num_parse_uint(word, 1, nholes, &hole))
			holes[verb] |= hole_set(hole);
		else if (span_eq_str(word, verbs[VERB_WHACK]))
			verb = VERB_WHACK;
	*out = (struct whakka_orders){span_eq_str(canonical, ORDER_RESIGN_TEXT),
	                              holes[VERB_POPUP], lowest(holes[VERB_WHACK])};
	whakka_write_orders(out, &written);
	ok = span_eq(strbuf_span(&written), canonical);
	strbuf_release(&written);
	return ok;
}
