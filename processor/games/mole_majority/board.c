/*
 * board.c - what the game is made of: the nineteen places of the board, in rows of 3, 4, 5, 4 and
 * 3, each shifted by half a hex against the next; and the eight kinds of card, and piles of them.
 */
#include "processor/base/err.h"
#include "processor/games/mole_majority/majority.h"

#define H(place) (1u << HEX_##place)

const char mm_hex_names[MM_HEXES][3] = {"A1", "A2", "A3", "B1", "B2", "B3", "B4",
                                        "C1", "C2", "C3", "C4", "C5", "D1", "D2",
                                        "D3", "D4", "E1", "E2", "E3"};

const uint32_t mm_beside[MM_HEXES] = {
    [HEX_A1] = H(A2) | H(B1) | H(B2),
    [HEX_A2] = H(A1) | H(A3) | H(B2) | H(B3),
    [HEX_A3] = H(A2) | H(B3) | H(B4),
    [HEX_B1] = H(A1) | H(B2) | H(C1) | H(C2),
    [HEX_B2] = H(A1) | H(A2) | H(B1) | H(B3) | H(C2) | H(C3),
    [HEX_B3] = H(A2) | H(A3) | H(B2) | H(B4) | H(C3) | H(C4),
    [HEX_B4] = H(A3) | H(B3) | H(C4) | H(C5),
    [HEX_C1] = H(B1) | H(C2) | H(D1),
    [HEX_C2] = H(B1) | H(B2) | H(C1) | H(C3) | H(D1) | H(D2),
    [HEX_C3] = H(B2) | H(B3) | H(C2) | H(C4) | H(D2) | H(D3),
    [HEX_C4] = H(B3) | H(B4) | H(C3) | H(C5) | H(D3) | H(D4),
    [HEX_C5] = H(B4) | H(C4) | H(D4),
    [HEX_D1] = H(C1) | H(C2) | H(D2) | H(E1),
    [HEX_D2] = H(C2) | H(C3) | H(D1) | H(D3) | H(E1) | H(E2),
    [HEX_D3] = H(C3) | H(C4) | H(D2) | H(D4) | H(E2) | H(E3),
    [HEX_D4] = H(C4) | H(C5) | H(D3) | H(E3),
    [HEX_E1] = H(D1) | H(D2) | H(E2),
    [HEX_E2] = H(D2) | H(D3) | H(E1) | H(E3),
    [HEX_E3] = H(D3) | H(D4) | H(E2),
};

const uint32_t mm_ring = H(B2) | H(B3) | H(C2) | H(C4) | H(D2) | H(D3);
const uint32_t mm_base_places = H(A2) | H(B1) | H(B4) | H(D1) | H(D4) | H(E2);

const uint8_t mm_default_bases[6] = {HEX_A2, HEX_E2, HEX_B1, HEX_D4, HEX_B4, HEX_D1};
const uint8_t mm_default_tiles[12] = {HEX_A1, HEX_E3, HEX_A3, HEX_E1, HEX_C1, HEX_C5,
                                      HEX_A2, HEX_B1, HEX_B4, HEX_D1, HEX_D4, HEX_E2};

bool mm_hex_parse(struct span word, unsigned *hex)
{
	if (word.len != 2)
		return false;
	for (unsigned h = 0; h < MM_HEXES; h++) {
		if ((word.ptr[0] & ~0x20) != mm_hex_names[h][0] ||
		    word.ptr[1] != mm_hex_names[h][1])
			continue;
		*hex = h;
		return true;
	}
	return false;
}

void mm_add_hexes(struct strbuf *out, uint32_t set)
{
	unsigned n = (unsigned)__builtin_popcount(set), done = 0;

	if (!n)
		strbuf_adds(out, "none");
	for (unsigned h = 0; h < MM_HEXES; h++) {
		if (!(set & mm_bit(h)))
			continue;
		strbuf_add_sep(out, done++, n, " and ");
		strbuf_add(out, mm_hex_names[h], 2);
	}
}

char mm_letter(unsigned seat)
{
	return (char)(seat ? 'A' + (int)seat - 1 : '-');
}

/* ---- Cards ---- */

const struct mm_card_facts mm_cards[CARD_KINDS] = {
    [CARD_NONE] = {.name = "-", .title = "no card"},
    [CARD_N4] = {.name = "N4", .title = "N4", .in_deck = 2, .number = 4, .steps = 4},
    [CARD_N3] = {.name = "N3", .title = "N3", .in_deck = 4, .number = 3, .steps = 3},
    [CARD_N2] = {.name = "N2",
                 .title = "N2",
                 .in_deck = 3,
                 .number = 2,
                 .steps = 2,
                 .bonus = 1,
                 .stackable = true},
    [CARD_CH] = {.name = "CH", .title = "CH (Cave-In or Home)", .in_deck = 3, .steps = 2},
    [CARD_CV] = {.name = "CV", .title = "CV (Convert)", .in_deck = 2, .stackable = true},
    [CARD_GK1] = {.name = "GK1",
                  .title = "GK1 (Groundskeeper +1)",
                  .in_deck = 1,
                  .bonus = 1,
                  .stackable = true},
    [CARD_GK2] = {.name = "GK2",
                  .title = "GK2 (Groundskeeper +2)",
                  .in_deck = 1,
                  .bonus = 2,
                  .stackable = true},
    [CARD_GI] =
	{.name = "GI", .title = "GI (Gopher It!)", .in_deck = 2, .bonus = 1, .stackable = true},
};

bool mm_card_parse(struct span word, unsigned *card)
{
	for (unsigned c = CARD_N4; c < CARD_KINDS; c++) {
		if (!span_eq_nocase(word, mm_cards[c].name))
			continue;
		*card = c;
		return true;
	}
	return false;
}

unsigned mm_pile_count(const struct mm_pile *p, unsigned card)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->count; i++)
		n += p->cards[i] == card;
	return n;
}

void mm_pile_put(struct mm_pile *p, unsigned card)
{
	ENSURE(p->count < MM_DECK);
	p->cards[p->count++] = (uint8_t)card;
}

bool mm_pile_take(struct mm_pile *p, unsigned card)
{
	unsigned at = p->count;

	while (at > 0 && p->cards[at - 1] != card)
		at--;
	if (at == 0)
		return false;
	for (; at < p->count; at++)
		p->cards[at - 1] = p->cards[at];
	p->cards[--p->count] = CARD_NONE;
	return true;
}

unsigned mm_pile_top(const struct mm_pile *p, unsigned depth)
{
	return depth < p->count ? p->cards[p->count - 1 - depth] : CARD_NONE;
}

void mm_note(struct game_state *s, enum mm_event_kind kind, unsigned a, unsigned b, unsigned c)
{
	ENSURE(s->nevents < MM_EVENTS);
	s->events[s->nevents++] = (struct mm_event){
	    .kind = (uint8_t)kind, .args = {(uint8_t)a, (uint8_t)b, (uint8_t)c}};
}

void mm_draw(struct game_state *s, unsigned seat, unsigned n, struct chance *chance)
{
	struct mm_seat *p = &s->seats[seat];
	unsigned drawn = 0;

	while (drawn < n) {
		/* Rule 22. The order recorded for the shuffle is that of the new deck from the top. */
		if (p->deck.count == 0 && p->discard.count > 0) {
			unsigned order[MM_DECK];

			chance_shuffle(chance, order, p->discard.count, "deck of seat %u",
			               seat);
			for (unsigned i = p->discard.count; i > 0; i--)
				mm_pile_put(&p->deck, p->discard.cards[order[i - 1]]);
			p->discard = (struct mm_pile){.count = 0};
			mm_note(s, EVENT_REFILL, 0, 0, 0);
		}
		if (p->deck.count == 0)
			break;
		mm_pile_put(&p->hand, p->deck.cards[--p->deck.count]);
		p->deck.cards[p->deck.count] = CARD_NONE;
		drawn++;
	}
	if (s->imagined)
		p->imagined = (uint8_t)drawn;
	mm_note(s, EVENT_DRAW, drawn, 0, 0);
}
