/*
 * canonical.c - the orders of Martian Boggle, declared; as they are sealed, archived and resolved:
 * "MOVE e1 b2; SPELL PHIAL".
 *
 * The moves stand in the order in which they are made, at most two; SPELL last; PASS when
 * there is neither.
 */
#include <string.h>

#include "processor/games/martian_boggle/reading.h"

const char *const boggle_verbs[VERBS] = {"MOVE", "SPELL", "PASS", "RESIGN"};

static const struct order_form rows[VERB_RESIGN] = {
    [VERB_MOVE] = {.form = "move [more]",
                   .takes = "MOVE takes two squares from a1 to e5: the one a piece leaves and "
                            "the one it goes to.",
                   .guide = {{"MOVE <from> <to>",
                              "one piece walks, as from e1 to b2; or just e1-b2"}}},
    [VERB_SPELL] = {.form = "word",
                    .takes = "SPELL takes one word of five letters from A to Z.",
                    .example = "",
                    .guide = {{"SPELL <word>", "the word under your pieces; ends the turn"}}},
    [VERB_PASS] = {.form = "",
                   .takes = "PASS stands alone.",
                   .example = "PASS",
                   .guide = {{"PASS", "neither move nor spell"}}},
};

bool boggle_parse_word(struct span text, char word[BOGGLE_LETTERS + 1])
{
	char capitals[BOGGLE_LETTERS + 1] = "";

	if (text.len != BOGGLE_LETTERS)
		return false;
	for (unsigned i = 0; i < BOGGLE_LETTERS; i++) {
		capitals[i] = (char)(text.ptr[i] & ~0x20);
		if (capitals[i] < 'A' || capitals[i] > 'Z')
			return false;
	}
	memcpy(word, capitals, sizeof capitals);
	return true;
}

bool boggle_parse_pair(struct span word, struct boggle_move *move)
{
	static const char *const between[] = {"", "-", "x", "->", "--"};
	size_t end = word.len;

	return end >= 4 && boggle_parse_square(span_slice(word, 0, 2), &move->from) &&
	       boggle_parse_square(span_slice(word, end - 2, end), &move->to) &&
	       span_in_nocase(span_slice(word, 2, end - 2), between,
	                      sizeof between / sizeof *between);
}

/* One more: in one word or in two. A third is counted, and not kept. */
static int take_move(const struct order_place *p)
{
	struct boggle_orders *o = p->order;
	struct boggle_move none, *m = o->nmoves < 2 ? &o->moves[o->nmoves] : &none;
	size_t to = 1;

	if (p->n == 0)
		return -1;
	if (!boggle_parse_pair(p->words->text, m)) {
		to += order_fillers(&boggle_forms, p->words + 1, p->n - 1);
		if (!boggle_parse_square(p->words->text, &m->from) || to >= p->n ||
		    !boggle_parse_square(p->words[to].text, &m->to))
			return -1;
		to++;
	}
	o->nmoves++;
	return (int)to;
}

static void write_move(const struct order_place *p)
{
	const struct boggle_move *m = p->order;

	boggle_add_square(p->out, m->from);
	strbuf_addc(p->out, ' ');
	boggle_add_square(p->out, m->to);
}

static int take_word(const struct order_place *p)
{
	struct boggle_orders *o = p->order;

	return p->n && boggle_parse_word(p->words->text, o->word) ? 1 : -1;
}

static void write_word(const struct order_place *p)
{
	const struct boggle_orders *o = p->order;

	strbuf_adds(p->out, o->word);
}

static const struct order_slot slots[] = {
    {"move", 0, take_move, write_move, NULL, NULL},
    {"more", 0, take_move, NULL, NULL, NULL},
    {"word", 0, take_word, write_word, NULL, NULL},
};

static const char *const fillers[] = {"to", "from", "and", "-", "->", ";"};

const struct order_forms boggle_forms = {boggle_verbs,
                                         rows,
                                         VERB_RESIGN,
                                         slots,
                                         sizeof slots / sizeof *slots,
                                         fillers,
                                         sizeof fillers / sizeof *fillers};

void boggle_write_orders(const struct boggle_orders *o, struct strbuf *canonical)
{
	if (o->resign) {
		strbuf_adds(canonical, ORDER_RESIGN_TEXT);
		return;
	}
	for (unsigned i = 0; i < o->nmoves; i++) {
		strbuf_adds(canonical, i ? "; " : "");
		order_form_write(&boggle_forms, VERB_MOVE, NULL, &o->moves[i], canonical);
	}
	strbuf_adds(canonical, o->nmoves && o->word[0] ? "; " : "");
	if (o->word[0] || !o->nmoves)
		order_form_write(&boggle_forms, o->word[0] ? VERB_SPELL : VERB_PASS, NULL, o,
		                 canonical);
}

bool boggle_parse_orders(struct span canonical, struct boggle_orders *out)
{
	struct order_word words[ORDER_FORM_WORDS];
	struct strbuf written = STRBUF_INIT;
	struct span rest = canonical;
	size_t verb, n;
	bool ok = true;

	memset(out, 0, sizeof *out);
	out->resign = span_eq_str(canonical, ORDER_RESIGN_TEXT);
	while (ok && !out->resign && order_form_next(&boggle_forms, &rest, &verb, words, &n))
		ok = verb < VERB_RESIGN &&
		     !order_form_take(&boggle_forms, verb, NULL, out, words, n) &&
		     out->nmoves <= 2;
	if (ok)
		boggle_write_orders(out, &written);
	ok = ok && span_eq(strbuf_span(&written), canonical);
	strbuf_release(&written);
	return ok;
}
