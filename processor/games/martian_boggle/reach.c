/*
 * reach.c - what the mover may know before they think: their letters, groups, squares in reach.
 *
 * It helps a person to find words and finds none for them; only the option hints says how many
 * there are, and that needs the list.
 */
#include <string.h>

#include "processor/games/martian_boggle/boggle.h"

void boggle_add_groups(const struct game_state *s, squares pieces, struct strbuf *out)
{
	unsigned sizes[BOGGLE_PIECES];
	unsigned n = boggle_groups(pieces, s->setup.diagonals, sizes);

	struct strbuf sum = STRBUF_INIT;

	for (unsigned i = 0; i < n; i++)
		strbuf_addf(&sum, i ? "+%u" : "%u", sizes[i]);
	if (n == 1)
		strbuf_adds(out, "one group");
	else
		strbuf_addf(out, "groups of %s", sum.ptr);
	strbuf_release(&sum);
}

/* " a4=R b4=A" */
static void add_squares(const struct game_state *s, squares set, struct strbuf *out)
{
	for (; set; set &= set - 1) {
		unsigned square = boggle_first(set);

		strbuf_addc(out, ' ');
		boggle_add_square(out, square);
		strbuf_addc(out, '=');
		strbuf_addc(out, s->board[square]);
	}
}

/* What comes into reach with so many steps and was not with fewer; false if nothing does. */
static bool find_ring(const struct game_state *s, unsigned from, unsigned fewer, unsigned steps,
                      struct strbuf *out)
{
	squares open = boggle_open(s);
	bool diagonals = s->setup.diagonals;
	squares near = boggle_reach(open, from, fewer, diagonals);
	squares new = boggle_reach(open, from, steps, diagonals) & ~near;

	strbuf_clear(out);
	add_squares(s, new, out);
	return new != 0;
}

static void tell_piece(const struct game_state *s, unsigned from, struct doc *out)
{
	unsigned x = s->roll[0], y = s->roll[1];
	unsigned smaller = x < y ? x : y, larger = x < y ? y : x;
	struct strbuf text = STRBUF_INIT, new = STRBUF_INIT;

	boggle_add_square(&text, from);
	strbuf_addf(&text, "=%c", s->board[from]);
	if (!boggle_reach(boggle_open(s), from, 1, s->setup.diagonals))
		strbuf_adds(&text, "; boxed in");
	if (find_ring(s, from, 0, smaller, &new))
		strbuf_addf(&text, "; with %u:%s", smaller, new.ptr);
	if (larger > smaller && find_ring(s, from, smaller, larger, &new))
		strbuf_addf(&text, "; with %u also:%s", larger, new.ptr);
	if (find_ring(s, from, larger, x + y, &new))
		strbuf_addf(&text, "; with both dice also:%s", new.ptr);
	doc_item(out, "%s.", text.ptr);
	strbuf_release(&text);
	strbuf_release(&new);
}

static void tell_hint(const struct game_state *s, struct doc *out)
{
	const struct table *list = boggle_list(s, out->tables);
	unsigned most = s->setup.hints;
	unsigned n;

	if (!most || !list)
		return;
	n = boggle_count_words(s, list->text, most);
	if (n == 0)
		doc_paragraph(out, "Hint: no word of the list can be reached with this roll.");
	else if (n == most)
		doc_paragraph(
		    out,
		    n == 1
			? "Hint: at least %u word of the list can be reached with this roll."
			: "Hint: at least %u words of the list can be reached with this roll.",
		    n);
	else
		doc_paragraph(out,
		              n == 1
		                  ? "Hint: %u word of the list can be reached with this roll."
		                  : "Hint: %u words of the list can be reached with this roll.",
		              n);
}

void boggle_show_reach(const struct game_state *s, unsigned seat, struct doc *out)
{
	squares pieces = s->seats[seat].pieces;

	doc_heading(out, "In reach with %u and %u", s->roll[0], s->roll[1]);
	doc_paragraph(
	    out,
	    "One piece may walk up to %u steps, or one up to %u and another up to %u. "
	    "As the pieces are now, that is:",
	    s->roll[0] + s->roll[1], s->roll[0], s->roll[1]);
	for (; pieces; pieces &= pieces - 1)
		tell_piece(s, boggle_first(pieces), out);
	tell_hint(s, out);
}
