/*
 * cards.c - the eight kinds of card, and piles of them.
 */
#include "processor/games/mole_majority/majority.h"

#include "processor/base/err.h"

const struct mm_card_facts mm_cards[CARD_KINDS] = {
    [CARD_NONE] = {.name = "-", .title = "no card"},
    [CARD_N4] = {.name = "N4", .title = "Number 4", .in_deck = 2, .number = 4, .steps = 4},
    [CARD_N3] = {.name = "N3", .title = "Number 3", .in_deck = 4, .number = 3, .steps = 3},
    [CARD_N2] = {.name = "N2",
                 .title = "Number 2",
                 .in_deck = 3,
                 .number = 2,
                 .steps = 2,
                 .bonus = 1,
                 .stackable = true},
    [CARD_CH] = {.name = "CH", .title = "Cave-In or Home", .in_deck = 3, .steps = 2},
    [CARD_CV] = {.name = "CV", .title = "Convert", .in_deck = 2, .stackable = true},
    [CARD_GK1] = {.name = "GK1",
                  .title = "Groundskeeper +1",
                  .in_deck = 1,
                  .bonus = 1,
                  .stackable = true},
    [CARD_GK2] = {.name = "GK2",
                  .title = "Groundskeeper +2",
                  .in_deck = 1,
                  .bonus = 2,
                  .stackable = true},
    [CARD_GI] =
	{.name = "GI", .title = "Gopher It!", .in_deck = 2, .bonus = 1, .stackable = true},
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

/* Rule 22. The order recorded for the shuffle is that from the top of the new deck down. */
static void refill(struct game_state *s, unsigned seat, struct chance *chance)
{
	struct mm_seat *p = &s->seats[seat];
	unsigned order[MM_DECK];

	chance_shuffle(chance, order, p->discard.count, "deck of seat %u", seat);
	for (unsigned i = p->discard.count; i > 0; i--)
		mm_pile_put(&p->deck, p->discard.cards[order[i - 1]]);
	p->discard = (struct mm_pile){.count = 0};
	mm_note(s, EVENT_REFILL, 0, 0, 0);
}

void mm_draw(struct game_state *s, unsigned seat, unsigned n, struct chance *chance)
{
	struct mm_seat *p = &s->seats[seat];
	unsigned drawn = 0;

	while (drawn < n) {
		if (p->deck.count == 0 && p->discard.count > 0)
			refill(s, seat, chance);
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
