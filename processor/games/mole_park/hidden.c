/*
 * hidden.c - a state drawn anew in all that a viewer cannot know.
 *
 * Nobody knows what lies in the deck and in the holes, and only their owners what is in
 * the hands: all these moles change places by one shuffle. So do the prizes still face
 * down in a shop. Lists that others have ordered are made up. What can be worked out from memory
 * (a mole that has been on the Mole Hill cannot be in a hand that has not changed since) is
 * not taken into account: the state keeps no memory of it.
 */
#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/mole_park/park.h"

/* Which mole takes the place of which; itself where nothing changes. */
struct exchange {
	unsigned char by[PARK_MOLES + 1];
	struct park_pile hidden;
};

static void hide(struct exchange *x, const struct park_pile *pile)
{
	struct park_pile copy = *pile;

	park_pile_move(&copy, &x->hidden);
}

static void draw_exchange(const struct game_state *s, unsigned viewer, struct chance *chance,
                          struct exchange *x)
{
	unsigned order[PARK_MOLES];

	x->hidden.count = 0;
	for (unsigned mole = 0; mole <= PARK_MOLES; mole++)
		x->by[mole] = (unsigned char)mole;
	hide(x, &s->deck);
	for (unsigned hole = 0; hole < PARK_HOLES; hole++)
		hide(x, &s->holes[hole]);
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (seat != viewer && !s->seats[seat].last.finalist)
			hide(x, &s->seats[seat].hand);
	chance_shuffle(chance, order, x->hidden.count, "moles out of sight");
	for (unsigned i = 0; i < x->hidden.count; i++)
		x->by[x->hidden.cards[i]] = x->hidden.cards[order[i]];
}

static void exchange_pile(const struct exchange *x, struct park_pile *pile)
{
	for (unsigned i = 0; i < pile->count; i++)
		pile->cards[i] = x->by[pile->cards[i]];
}

/* What somebody else got: moles of it that have been shown since are known. */
static void exchange_got(const struct exchange *x, struct park_deed *d)
{
	for (unsigned i = 0; i < d->got.count; i++) {
		unsigned mole = d->got.cards[i];

		if (!park_pile_has(&d->dropped, mole) && !park_pile_has(&d->shown, mole))
			d->got.cards[i] = x->by[mole];
	}
}

static void exchange_moles(struct game_state *s, unsigned viewer, const struct exchange *x)
{
	exchange_pile(x, &s->deck);
	for (unsigned hole = 0; hole < PARK_HOLES; hole++)
		exchange_pile(x, &s->holes[hole]);
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		struct park_seat *p = &s->seats[seat];

		if (seat == viewer || p->last.finalist)
			continue;
		exchange_pile(x, &p->hand);
		park_pile_sort(&s->setup, &p->hand);
		exchange_got(x, &p->last);
	}
}

static void shuffle_stock(struct game_state *s, unsigned shop, struct chance *chance)
{
	struct park_pile *stock = &s->shops[shop].stock;
	struct park_pile old = *stock;
	unsigned order[PARK_MOLES];

	if (old.count < 2)
		return;
	chance_shuffle(chance, order, old.count, "cards out of sight in %s",
	               park_shops[shop].key);
	for (unsigned i = 0; i < old.count; i++)
		stock->cards[i] = old.cards[order[i]];
}

static void imagine_lists(struct park_seat *p, unsigned seat, struct chance *chance)
{
	unsigned order[PARK_SHOPS];

	memset(&p->wishes, 0, sizeof p->wishes);
	memset(&p->discard, 0, sizeof p->discard);
	p->wishes.count = chance_pick(chance, PARK_SHOPS + 1, "wishes of seat %u", seat);
	chance_shuffle(chance, order, PARK_SHOPS, "shops wished for by seat %u", seat);
	for (unsigned i = 0; i < p->wishes.count; i++)
		p->wishes.shops[i] = (unsigned char)order[i];
	p->discard.way = chance_pick(chance, 4, "discards of seat %u", seat) ? PARK_LOW
	                                                                     : PARK_HIGH;
}

/* Whom the King favours is known only when he has just had to say it. */
static void imagine_favour(struct game_state *s, struct chance *chance)
{
	unsigned order[PARK_SEATS];

	if (park_favour_was_used(s))
		return;
	s->favour.count = 0;
	if (chance_pick(chance, 2, "favour at all") == 0)
		return;
	chance_shuffle(chance, order, s->nseats, "favour");
	for (unsigned i = 0; i < s->nseats; i++)
		if (order[i] + 1 != s->king)
			s->favour.seats[s->favour.count++] = (unsigned char)(order[i] + 1);
}

struct game_state *park_resample(const struct game_state *s, unsigned viewer,
                                 struct chance *chance)
{
	struct game_state *copy = xmalloc(sizeof *copy);
	struct exchange x;

	*copy = *s;
	draw_exchange(s, viewer, chance, &x);
	exchange_moles(copy, viewer, &x);
	for (unsigned shop = 0; shop < PARK_SHOPS; shop++)
		shuffle_stock(copy, shop, chance);
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (seat != viewer && park_plays(s, seat))
			imagine_lists(&copy->seats[seat], seat, chance);
	if (viewer != s->king)
		imagine_favour(copy, chance);
	return copy;
}
