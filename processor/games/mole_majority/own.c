/*
 * own.c - what one player alone sees: hand, home tokens, network.
 */
#include "processor/games/mole_majority/majority.h"

/* ---- The set-up ---- */

static void show_tiles(const struct game_state *s, unsigned viewer, struct doc *out)
{
	const struct mm_seat *p = &s->seats[viewer];
	struct strbuf text = STRBUF_INIT;

	for (unsigned i = 0; i < p->ntiles; i++) {
		strbuf_add_sep(&text, i, p->ntiles, " and ");
		strbuf_addf(&text, "%u", p->tiles[i]);
	}
	doc_paragraph(out,
	              "Yours to lay: your base, a hex of 6 that you claim with six moles, and "
	              "hexes of %s.",
	              text.ptr);
	doc_paragraph(
	    out,
	    "List the places you would like, the best first; where others were "
	    "quicker, the next one of your list counts. A base goes to A2, B1, B4, D1, D4 or "
	    "E2. The other hexes go to any free outer place that touches two hexes, one of "
	    "them of the ring round C3.");
	strbuf_release(&text);
}

/* ---- Cards and tokens ---- */

void mm_show_own(const struct game_state *s, unsigned viewer, struct doc *out)
{
	struct strbuf text = STRBUF_INIT;

	if (!mm_is_in(s, viewer) || mm_over(s))
		return;
	doc_in(out, DOC_OWN);
	if (s->turn == 0) {
		show_tiles(s, viewer, out);
		return;
	}
	const struct mm_seat *p = &s->seats[viewer];

	strbuf_clear(&text);
	for (unsigned i = 0; i < p->hand.count; i++) {
		strbuf_addc(&text, ' ');
		strbuf_adds(&text, i + p->imagined < p->hand.count
		                       ? mm_cards[p->hand.cards[i]].name
		                       : "?");
	}
	strbuf_adds(&text, p->nhomes ? "; home tokens:" : "");
	for (unsigned i = 0; i < p->nhomes; i++) {
		strbuf_addc(&text, ' ');
		if (p->homes[i].imagined)
			strbuf_addc(&text, '?');
		else
			state_add_uint(&text, p->homes[i].value);
	}
	doc_item(out, "Your hand, newest last:%s.", text.ptr);
	if (viewer == s->active && !s->seats[viewer].imagined)
		mm_show_targets(s, out);
	else {
		struct strbuf network = STRBUF_INIT, claims = STRBUF_INIT;

		mm_add_hexes(&network, mm_network(s, viewer, false));
		mm_add_hexes(&claims, mm_claims(s, viewer));
		doc_item(out, "Your tunnel network: %s. Of these you claim %s.", network.ptr,
		         claims.ptr);
		strbuf_release(&network);
		strbuf_release(&claims);
	}
	strbuf_release(&text);
}
