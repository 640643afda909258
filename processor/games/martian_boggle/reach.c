/*
 * reach.c - what the mover may know before they think: their groups, how far a piece may walk.
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

void boggle_show_reach(const struct game_state *s, struct doc *out)
{
	if (s->turn <= BOGGLE_SEATS)
		doc_paragraph(
		    out, "Walk one piece up to %u steps, or one up to %u and another up to %u.",
		    s->roll[0] + s->roll[1], s->roll[0], s->roll[1]);
	tell_hint(s, out);
}
