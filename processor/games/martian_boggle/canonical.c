/*
 * canonical.c - orders as they are sealed, archived and resolved: "MOVE e1 b2; SPELL PHIAL".
 *
 * The moves stand in the order in which they are made, at most two; SPELL last; PASS when
 * there is neither.
 */
#include <string.h>

#include "processor/games/martian_boggle/boggle.h"
#include "processor/games/order_text.h"

void boggle_write_orders(const struct boggle_orders *o, struct strbuf *canonical)
{
	const char *between = "";

	if (o->resign) {
		strbuf_adds(canonical, ORDER_RESIGN_TEXT);
		return;
	}
	for (unsigned i = 0; i < o->nmoves; i++) {
		strbuf_adds(canonical, between);
		strbuf_adds(canonical, "MOVE ");
		boggle_add_square(canonical, o->moves[i].from);
		strbuf_addc(canonical, ' ');
		boggle_add_square(canonical, o->moves[i].to);
		between = "; ";
	}
	if (o->word[0]) {
		strbuf_adds(canonical, between);
		strbuf_adds(canonical, "SPELL ");
		strbuf_adds(canonical, o->word);
	} else if (!o->nmoves) {
		strbuf_adds(canonical, "PASS");
	}
}

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

/* Loosely; the caller compares the bytes. */
static bool parse_clause(struct span clause, struct boggle_orders *out)
{
	struct span verb, a, b;

	if (!span_next_word(&clause, "", &verb))
		return false;
	if (span_eq_str(verb, "PASS"))
		return true;
	if (!span_next_word(&clause, "", &a))
		return false;
	if (span_eq_str(verb, "SPELL"))
		return boggle_parse_word(a, out->word);
	if (!span_eq_str(verb, "MOVE") || out->nmoves == 2 ||
	    !span_next_word(&clause, "", &b) ||
	    !boggle_parse_square(a, &out->moves[out->nmoves].from) ||
	    !boggle_parse_square(b, &out->moves[out->nmoves].to))
		return false;
	out->nmoves++;
	return true;
}

bool boggle_parse_orders(struct span canonical, struct boggle_orders *out)
{
	struct strbuf written = STRBUF_INIT;
	struct span rest = canonical;
	struct span clause;
	bool ok = true;

	memset(out, 0, sizeof *out);
	if (span_eq_str(canonical, ORDER_RESIGN_TEXT)) {
		out->resign = true;
		return true;
	}
	while (ok && order_next_canonical(&rest, &clause))
		ok = parse_clause(clause, out);
	boggle_write_orders(out, &written);
	ok = ok && span_eq(strbuf_span(&written), canonical);
	strbuf_release(&written);
	return ok;
}
