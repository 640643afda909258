/*
 * deal.c - moles from the deck into the holes, and from the holes to those who whacked.
 */
#include "processor/games/mole_park/park.h"

/* The Mole Hill becomes the deck when a mole is wanted and the deck is empty, not before. */
static bool refill(struct game_state *s, struct chance *chance)
{
	unsigned order[PARK_MOLES];

	if (s->deck.count == 0 && s->hill.count > 0) {
		chance_shuffle(chance, order, s->hill.count, "Mole Hill into a new deck");
		for (unsigned i = 0; i < s->hill.count; i++)
			park_pile_put(&s->deck, s->hill.cards[order[i]]);
		s->hill.count = 0;
	}
	return s->deck.count > 0;
}

bool park_deal_pass(struct game_state *s, struct chance *chance, bool spare_full_holes)
{
	enum { FULL = 5 };

	for (unsigned hole = 0; hole < PARK_HOLES; hole++) {
		if (spare_full_holes && s->holes[hole].count >= FULL)
			continue;
		if (!refill(s, chance))
			return false;
		park_pile_put(&s->holes[hole], park_pile_take(&s->deck));
	}
	return true;
}

/* How many deal is a matter of who began, not of who is left. */
void park_deal_round(struct game_state *s, struct chance *chance)
{
	unsigned passes = s->nseats >= 6 ? 2 : 1;

	for (unsigned i = 0; i < passes; i++)
		if (!park_deal_pass(s, chance, s->nseats <= 3))
			return;
}

/*
 * Everybody gets as many, the remainder stays. A hole is a queue: its moles go round the
 * claimants one at a time, the oldest first, so what stays are the newest.
 */
void park_split(struct game_state *s, unsigned hole, const struct park_claimants *c)
{
	struct park_pile *moles = &s->holes[hole];
	unsigned share = c->count ? moles->count / c->count : 0;

	for (unsigned round = 0; round < share; round++)
		for (unsigned i = 0; i < c->count; i++) {
			struct park_seat *p = &s->seats[c->seats[i]];
			unsigned mole = park_pile_take(moles);

			park_pile_put(&p->hand, mole);
			if (!p->last.finalist)
				park_pile_put(&p->last.got, mole);
		}
	for (unsigned i = 0; i < c->count; i++)
		park_pile_sort(&s->setup, &s->seats[c->seats[i]].hand);
}
