/*
 * state_check.c - what must hold between the lines of a state.
 *
 * Trusts: each line by itself is in order (state.c).
 */
#include <string.h>

#include "processor/games/mole_park/park.h"

/* Places of cards, counted: each must come to one. */
struct census {
	unsigned moles[PARK_MOLES + 1], prizes[PARK_PRIZES + 1];
};

static bool holds(bool fact, struct strbuf *why, const char *sentence)
{
	if (!fact && why->len == 0)
		strbuf_adds(why, sentence);
	return fact;
}

static void count_cards(unsigned *counts, const unsigned char *cards, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		counts[cards[i]]++;
}

static void count_all(const struct game_state *s, struct census *c)
{
	memset(c, 0, sizeof *c);
	count_cards(c->moles, s->deck.cards, s->deck.count);
	count_cards(c->moles, s->hill.cards, s->hill.count);
	for (unsigned hole = 0; hole < PARK_HOLES; hole++)
		count_cards(c->moles, s->holes[hole].cards, s->holes[hole].count);
	for (unsigned shop = 0; shop < PARK_SHOPS; shop++) {
		count_cards(c->prizes, s->shops[shop].stock.cards, s->shops[shop].stock.count);
		c->prizes[s->shops[shop].up]++;
	}
	count_cards(c->prizes, s->gone, s->ngone);
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		count_cards(c->moles, s->seats[seat].hand.cards, s->seats[seat].hand.count);
		count_cards(c->prizes, s->seats[seat].prizes, s->seats[seat].nprizes);
	}
}

static bool cards_hold(const struct game_state *s, struct strbuf *why)
{
	struct census c;

	count_all(s, &c);
	for (unsigned mole = 1; mole <= PARK_MOLES; mole++)
		if (!holds(c.moles[mole] == 1, why, "Each mole should be in one place."))
			return false;
	for (unsigned prize = 1; prize <= PARK_PRIZES; prize++)
		if (!holds(c.prizes[prize] == (park_prize_shop(prize) < PARK_SHOPS), why,
		           "Each prize should be in one place, and no crown."))
			return false;
	for (unsigned shop = 0; shop < PARK_SHOPS; shop++)
		if (!holds(s->shops[shop].up || s->shops[shop].stock.count == 0 || park_over(s),
		           why, "A shop with prizes should show one."))
			return false;
	return true;
}

/* A seat that did not play the round has no deed in it; nor one that left in it. */
static bool is_idle(const struct park_deed *d)
{
	static const struct park_deed nothing;

	return d->die == nothing.die && d->declared == nothing.declared && !d->got.count &&
	       !d->dropped.count && !d->shown.count && !d->total && !d->pick && !d->won &&
	       !d->finalist;
}

static bool deed_holds(const struct game_state *s, unsigned seat, struct strbuf *why)
{
	const struct park_seat *p = &s->seats[seat];
	const struct park_deed *d = &p->last;
	bool whacks = d->die > PARK_NO_DIE && d->die < PARK_PRIZE_DIE;
	bool prize_die = d->die == PARK_PRIZE_DIE;

	return holds(!d->got.count || (whacks && d->face), why,
	             "Moles come out of the hole that the die showed.") &&
	       holds(d->got.count <= s->had[whacks && d->face ? d->face - 1 : 0], why,
	             "Nobody gets more moles than the hole had.") &&
	       holds(!d->declared || (prize_die && d->total), why,
	             "Whoever goes for the crown shows their moles.") &&
	       holds(!d->total == !d->shown.count && (!d->total || prize_die), why,
	             "A total comes of moles shown and a Prize die.") &&
	       holds(!d->pick == !(d->total && !d->declared), why,
	             "Whoever shows moles for a prize has a turn to choose.") &&
	       holds(!d->won || (d->pick && p->nprizes && p->prizes[p->nprizes - 1] == d->won),
	             why, "A prize that was won is the newest of its owner.") &&
	       holds(!d->finalist || (d->declared && d->total >= PARK_CROWN && s->winner), why,
	             "Finalists have shown 40 stars.");
}

static bool seat_holds(const struct game_state *s, unsigned seat, struct strbuf *why)
{
	const struct park_seat *p = &s->seats[seat];
	bool first = s->round == 1;

	return holds(!p->left || (!p->hand.count && !p->nprizes && !p->wishes.count &&
	                          !p->discard.count && p->discard.alone == PARK_LOW),
	             why, "Who left leaves nothing behind.") &&
	       holds((!p->left && !first) || is_idle(&p->last), why,
	             "Who did not play the round did nothing in it.") &&
	       holds(p->last.finalist || p->hand.count <= park_hand_limit(s, seat), why,
	             "A hand holds more moles than it may.") &&
	       deed_holds(s, seat, why);
}

static bool crown_holds(const struct game_state *s, struct strbuf *why)
{
	const struct park_deed *d = &s->seats[s->winner].last;
	unsigned finalists = 0;

	for (unsigned seat = 1; seat <= s->nseats; seat++)
		finalists += s->seats[seat].last.finalist;
	return holds(!s->winner || (d->declared && d->total >= PARK_CROWN), why,
	             "The crown goes to one who has shown 40 stars.") &&
	       holds(finalists == 0 || (finalists > 1 && d->finalist), why,
	             "The crown goes to a finalist.");
}

static bool picks_hold(const struct game_state *s, struct strbuf *why)
{
	bool seen[PARK_SEATS + 1] = {false};
	unsigned n = 0, last = 0;

	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		unsigned pick = s->seats[seat].last.pick;

		if (pick == 0)
			continue;
		if (!holds(!seen[pick], why, "Two cannot choose at once."))
			return false;
		seen[pick] = true;
		n++;
		last = pick > last ? pick : last;
	}
	return holds(n == last, why, "Prizes are chosen one after another.");
}

bool park_state_holds(const struct game_state *s, struct strbuf *why)
{
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (!seat_holds(s, seat, why))
			return false;
	return cards_hold(s, why) && picks_hold(s, why) && crown_holds(s, why) &&
	       holds(park_plays(s, s->king) || park_players_left(s) == 0, why,
	             "King Mole should be one who plays.");
}
