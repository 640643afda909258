/*
 * whack.c - declarations, dice, moles out of holes, prizes (steps 2 to 5 of a round).
 *
 * All go round the table from the King's left, the King last.
 */
#include "processor/base/err.h"
#include "processor/games/mole_park/park.h"

static bool answers(const struct game_state *s, const struct order_set *o)
{
	const struct order_value *claim = &o->rows[PARK_CLAIMS];

	if (claim->count)
		return s->seats[claim->items[0]].last.declared != PARK_SILENT;
	if (claim->alone != PARK_CLAIM_IF_ANY)
		return false;
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (s->seats[seat].last.declared != PARK_SILENT)
			return true;
	return false;
}

/* Nobody can try for the crown without a mole. */
static bool may_declare(const struct game_state *s, unsigned seat)
{
	return park_plays(s, seat) && s->seats[seat].hand.count > 0 &&
	       s->seats[seat].last.declared == PARK_SILENT;
}

void park_declare(struct game_state *s, const struct order_set *orders)
{
	bool more = true;

	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (may_declare(s, seat) && orders[seat].rows[PARK_CLAIMS].alone == PARK_CLAIM)
			s->seats[seat].last.declared = PARK_DECLARED;
	while (more) {
		more = false;
		for (unsigned seat = 1; seat <= s->nseats; seat++) {
			if (!may_declare(s, seat) || !answers(s, &orders[seat]))
				continue;
			s->seats[seat].last.declared = PARK_ANSWERED;
			more = true;
		}
	}
}

static void whack_hole(struct game_state *s, unsigned hole)
{
	unsigned seats[PARK_SEATS];
	unsigned n = park_round_table(s, seats);
	struct park_claimants c = {.count = 0};

	for (unsigned i = 0; i < n; i++) {
		const struct park_deed *d = &s->seats[seats[i]].last;

		if (d->die > PARK_NO_DIE && d->die < PARK_PRIZE_DIE && d->face == hole + 1)
			c.seats[c.count++] = (unsigned char)seats[i];
	}
	park_split(s, hole, &c);
}

static void roll(struct game_state *s, unsigned seat, struct chance *chance)
{
	struct park_deed *d = &s->seats[seat].last;

	if (d->die == PARK_NO_DIE)
		return;
	d->face = park_face(d->die, chance_die(chance, PARK_FACES, "%s of seat %u",
	                                       park_die_labels[d->die], seat));
	if (d->face != 0 || !park_has_steady(s, seat))
		return;
	d->again = true;
	d->face = park_face(d->die, chance_die(chance, PARK_FACES, "%s of seat %u again",
	                                       park_die_labels[d->die], seat));
}

void park_whack(struct game_state *s, struct chance *chance)
{
	unsigned seats[PARK_SEATS];
	unsigned n = park_round_table(s, seats);

	for (unsigned i = 0; i < n; i++)
		roll(s, seats[i], chance);
	for (unsigned hole = 0; hole < PARK_HOLES; hole++) {
		s->had[hole] = s->holes[hole].count;
		whack_hole(s, hole);
	}
}

/* The place in the hand of the mole to drop next; `at` counts through the list of values. */
static unsigned next_to_drop(const struct game_state *s, const struct park_seat *p,
                             unsigned *at)
{
	const struct order_value *d = &p->discard;

	while (*at < d->count) {
		unsigned stars = d->items[(*at)++];

		for (unsigned i = p->hand.count; i-- > 0;)
			if (park_mole_stars(&s->setup, p->hand.cards[i]) == stars)
				return i;
	}
	return d->alone == PARK_HIGH ? 0 : p->hand.count - 1;
}

static void drop_extras(struct game_state *s, struct park_seat *p, unsigned limit)
{
	unsigned at = 0;

	while (p->hand.count > limit) {
		unsigned place = next_to_drop(s, p, &at);
		unsigned mole = p->hand.cards[place];

		for (unsigned i = place; i + 1 < p->hand.count; i++)
			p->hand.cards[i] = p->hand.cards[i + 1];
		p->hand.count--;
		park_pile_put(&p->last.dropped, mole);
		park_pile_put(&s->hill, mole);
	}
}

void park_drop_extras(struct game_state *s)
{
	unsigned seats[PARK_SEATS];
	unsigned n = park_round_table(s, seats);

	for (unsigned i = 0; i < n; i++)
		drop_extras(s, &s->seats[seats[i]], park_hand_limit(s, seats[i]));
}

void park_show_moles(struct game_state *s, unsigned seat)
{
	struct park_seat *p = &s->seats[seat];
	struct park_pile copy = p->hand;

	p->last.total = park_pile_stars(&s->setup, &p->hand) + p->last.face +
	                park_prizes_worth(s, seat);
	p->last.shown = p->hand;
	p->hand.count = 0;
	park_pile_move(&copy, &s->hill);
}

/* Whether a chooses before b: the higher total, then the King's word. */
static bool chooses_before(const struct game_state *s, unsigned a, unsigned b)
{
	unsigned total_a = s->seats[a].last.total;
	unsigned total_b = s->seats[b].last.total;

	if (total_a != total_b)
		return total_a > total_b;
	return park_favour_place(s, a) < park_favour_place(s, b);
}

static unsigned chosen_shop(const struct game_state *s, const struct park_seat *p)
{
	for (unsigned i = 0; i < p->wishes.count; i++) {
		unsigned shop = p->wishes.items[i];

		if (shop == PARK_SHOPS) /* nothing else */
			return shop;
		if (s->shops[shop].up && park_shops[shop].price <= p->last.total)
			return shop;
	}
	return park_best_shop(s, p->last.total);
}

static void choose(struct game_state *s, unsigned seat, unsigned turn)
{
	struct park_seat *p = &s->seats[seat];
	unsigned shop = chosen_shop(s, p);

	p->last.pick = turn;
	if (shop == PARK_SHOPS)
		return;
	p->last.won = s->shops[shop].up;
	p->prizes[p->nprizes++] = (unsigned char)s->shops[shop].up;
	s->shops[shop].up = 0;
}

void park_win_prizes(struct game_state *s)
{
	unsigned line[PARK_SEATS];
	unsigned n = 0;

	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		const struct park_seat *p = &s->seats[seat];
		unsigned at;

		if (p->last.die != PARK_PRIZE_DIE || p->last.declared || p->hand.count == 0)
			continue;
		park_show_moles(s, seat);
		for (at = n++; at > 0 && chooses_before(s, seat, line[at - 1]); at--)
			line[at] = line[at - 1];
		line[at] = seat;
	}
	for (unsigned i = 0; i < n; i++)
		choose(s, line[i], i + 1);
}
