/*
 * own.c - what one player alone sees: hand, home tokens, network, and what each card can do.
 */
#include "processor/games/mole_majority/majority.h"

/* ---- The set-up ---- */

static void show_tiles(const struct game_state *s, unsigned viewer, struct doc *out)
{
	const struct mm_seat *p = &s->seats[viewer];
	struct strbuf text = STRBUF_INIT;

	for (unsigned i = 0; i < p->ntiles; i++)
		strbuf_addf(&text, "%s%u",
		            i == 0               ? ""
		            : i + 1 == p->ntiles ? " and "
		                                 : ", ",
		            p->tiles[i]);
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

static void show_hand(const struct game_state *s, unsigned viewer, struct strbuf *text,
                      struct doc *out)
{
	const struct mm_seat *p = &s->seats[viewer];

	strbuf_clear(text);
	for (unsigned i = 0; i < p->hand.count; i++) {
		strbuf_addc(text, ' ');
		strbuf_adds(text, mm_cards[p->hand.cards[i]].name);
	}
	doc_paragraph(out, "Your hand, the newest card last:%s.", text->ptr);
	if (!p->nhomes)
		return;
	strbuf_clear(text);
	for (unsigned i = 0; i < p->nhomes; i++) {
		strbuf_addc(text, ' ');
		if (p->homes[i].imagined)
			strbuf_addc(text, '?');
		else
			state_add_uint(text, p->homes[i].value);
	}
	doc_paragraph(out, "Your home tokens, the newest last:%s.", text->ptr);
}

static void show_network(const struct game_state *s, unsigned viewer, struct strbuf *text,
                         struct doc *out)
{
	strbuf_clear(text);
	strbuf_adds(text, "Your tunnel network: ");
	mm_add_hexes(text, mm_network(s, viewer, false));
	strbuf_adds(text, ". Of these you claim ");
	mm_add_hexes(text, mm_claims(s, viewer));
	strbuf_addc(text, '.');
	doc_paragraph(out, "%s", text->ptr);
}

/* ---- What can be done now ---- */

/* "from B2 to C3 and C4; from D2 to ..." */
static void add_moves(const struct game_state *s, unsigned viewer, struct strbuf *text)
{
	uint32_t from = mm_move_sources(s, viewer);
	const char *between = "";

	for (; from; from &= from - 1) {
		unsigned h = (unsigned)__builtin_ctz(from);
		uint32_t to = mm_move_targets(s, viewer, h);

		if (!to)
			continue;
		strbuf_adds(text, between);
		strbuf_adds(text, "from ");
		strbuf_add(text, mm_hex_names[h], 2);
		strbuf_adds(text, " to ");
		mm_add_hexes(text, to);
		between = "; ";
	}
	if (!*between)
		strbuf_adds(text, "none");
}

/* " CONVERT C3.1, C3.4, D2.2" */
static void add_converts(const struct game_state *s, unsigned viewer, struct strbuf *text)
{
	uint32_t on = mm_convert_targets(s, viewer);
	const char *between = " CONVERT ";

	if (!on)
		strbuf_adds(text, " no mole of another is in your network");
	for (; on; on &= on - 1) {
		unsigned h = (unsigned)__builtin_ctz(on);

		for (unsigned i = 0; i < s->hexes[h].value; i++) {
			unsigned whose = s->hexes[h].spaces[i];

			if (whose == 0 || whose == viewer)
				continue;
			strbuf_adds(text, between);
			strbuf_add(text, mm_hex_names[h], 2);
			strbuf_addc(text, '.');
			strbuf_addc(text, (char)('1' + (int)i));
			between = ", ";
		}
	}
}

/* False when the card cannot be played now. */
static bool add_steals(const struct game_state *s, unsigned viewer, struct strbuf *text)
{
	bool any = false;

	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		const struct mm_pile *pile = &s->seats[seat].discard;

		if (!mm_can_steal_from(s, viewer, seat))
			continue;
		strbuf_adds(text, any ? "; from " : " STEAL from ");
		strbuf_adds(text, s->seats[seat].name.text);
		for (unsigned i = 0; i < MM_OPEN_DISCARDS && i < pile->count; i++) {
			strbuf_addc(text, ' ');
			strbuf_adds(text, mm_cards[mm_pile_top(pile, i)].name);
		}
		any = true;
	}
	if (!any)
		strbuf_adds(text, " nobody has discards");
	return any;
}

static bool add_rolls(const struct game_state *s, unsigned viewer, struct strbuf *text)
{
	static const uint8_t numbers[] = {CARD_N4, CARD_N3, CARD_N2};
	const struct mm_pile *hand = &s->seats[viewer].hand;
	uint32_t moles = 0;
	bool any = false;

	for (unsigned i = 0; i < sizeof numbers; i++) {
		if (!mm_pile_count(hand, numbers[i]))
			continue;
		strbuf_adds(text, any ? " or " : " WITH ");
		strbuf_adds(text, mm_cards[numbers[i]].name);
		any = true;
	}
	if (!any) {
		strbuf_adds(text, " needs a number card, and you hold none");
		return false;
	}
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		moles |= mm_with_moles(s, seat);
	strbuf_adds(text, ", ROLL from a mole on ");
	mm_add_hexes(text, moles);
	return true;
}

static void add_cave_or_home(const struct game_state *s, unsigned viewer, struct strbuf *text)
{
	uint32_t homes = mm_home_targets(s, viewer);

	strbuf_adds(text, " up to 2 steps; then ");
	if (homes) {
		strbuf_adds(text, "HOME on ");
		mm_add_hexes(text, homes);
	} else {
		strbuf_adds(text, "HOME, if a hex you claim by then has a token");
	}
	if (s->seats[viewer].caveins < 2) {
		strbuf_adds(text, " (you have no Cave-Ins left)");
		return;
	}
	strbuf_adds(text, ", or CAVEIN on two borders of ");
	mm_add_hexes(text, mm_claims(s, viewer));
}

/* One line: what the card can do as the action, and stacked. */
static void show_card(const struct game_state *s, unsigned viewer, unsigned card,
                      struct strbuf *text, struct doc *out)
{
	const struct mm_card_facts *facts = &mm_cards[card];
	bool playable = true;

	strbuf_clear(text);
	strbuf_adds(text, "With ");
	strbuf_adds(text, facts->name);
	strbuf_adds(text, " (");
	strbuf_adds(text, facts->title);
	strbuf_adds(text, "):");
	if (card == CARD_CV)
		add_converts(s, viewer, text);
	else if (card == CARD_GI)
		playable = add_steals(s, viewer, text);
	else if (card == CARD_GK1 || card == CARD_GK2)
		playable = add_rolls(s, viewer, text);
	else if (card == CARD_CH)
		add_cave_or_home(s, viewer, text);
	else
		strbuf_addf(text, " up to %u steps", facts->steps);
	if (!playable)
		strbuf_addf(text, "; stacked, BREED, up to %u", facts->bonus);
	else if (card != CARD_N2 && facts->bonus)
		strbuf_addf(text, "; then BREED, up to %u; stacked, only that", facts->bonus);
	else if (facts->bonus)
		strbuf_adds(text, ", then one BREED; stacked, only that");
	else if (facts->stackable)
		strbuf_adds(text, "; stacked, one MOVE, BREED, CONVERT or PLUS ROLL");
	strbuf_addc(text, '.');
	doc_item(out, "%s", text->ptr);
}

static void show_choices(const struct game_state *s, unsigned viewer, struct strbuf *text,
                         struct doc *out)
{
	const struct mm_pile *hand = &s->seats[viewer].hand;

	strbuf_clear(text);
	add_moves(s, viewer, text);
	doc_item(out, "Steps by MOVE: %s.", text->ptr);
	strbuf_clear(text);
	mm_add_hexes(text, mm_breed_targets(s, viewer));
	doc_item(out, "Room for BREED: %s.", text->ptr);
	for (unsigned card = CARD_N4; card < CARD_KINDS; card++)
		if (mm_pile_count(hand, card))
			show_card(s, viewer, card, text, out);
}

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
	show_hand(s, viewer, &text, out);
	show_network(s, viewer, &text, out);
	if (viewer == s->active)
		show_choices(s, viewer, &text, out);
	strbuf_release(&text);
}
