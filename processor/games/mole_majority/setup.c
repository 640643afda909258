/*
 * setup.c - building the board from everybody's lists, and dealing.
 */
#include "processor/games/mole_majority/majority.h"

#include "processor/base/err.h"

void mm_default_lists(struct mm_orders *o)
{
	*o = (struct mm_orders){.kind = ORDERS_SETUP, .nbases = 6, .ntiles = 12};
	for (unsigned i = 0; i < 6; i++)
		o->bases[i] = mm_default_bases[i];
	for (unsigned i = 0; i < 12; i++)
		o->tiles[i] = mm_default_tiles[i];
}

static bool base_fits(const struct game_state *s, unsigned hex)
{
	return s->hexes[hex].value == 0;
}

/* Rule 5: two neighbours, one of them in the ring. */
static bool tile_fits(const struct game_state *s, unsigned hex)
{
	uint32_t beside = mm_beside[hex] & mm_board(s);

	return s->hexes[hex].value == 0 && (beside & mm_ring) && (beside & (beside - 1));
}

/* The first place of the list that fits, else of the default list. */
static unsigned choose(const struct game_state *s, const uint8_t *list, unsigned n,
                       const uint8_t *otherwise, unsigned most,
                       bool (*fits)(const struct game_state *, unsigned))
{
	for (unsigned i = 0; i < n; i++)
		if (fits(s, list[i]))
			return list[i];
	for (unsigned i = 0; i < most; i++)
		if (fits(s, otherwise[i]))
			return otherwise[i];
	BUG("there is always a place for a hex");
}

static void place_base(struct game_state *s, unsigned seat, const struct mm_orders *o)
{
	unsigned hex = choose(s, o->bases, o->nbases, mm_default_bases, 6, base_fits);
	struct mm_hex *x = &s->hexes[hex];

	x->value = MM_SPACES;
	x->claim = (uint8_t)seat;
	for (unsigned i = 0; i < MM_SPACES; i++)
		x->spaces[i] = (uint8_t)seat;
	mm_note(s, EVENT_BASE, seat, hex, 0);
}

static void place_tile(struct game_state *s, unsigned seat, unsigned nth,
                       const struct mm_orders *o)
{
	unsigned hex = choose(s, o->tiles, o->ntiles, mm_default_tiles, 12, tile_fits);

	s->hexes[hex].value = s->seats[seat].tiles[nth];
	mm_note(s, EVENT_TILE, seat, hex, s->hexes[hex].value);
}

void mm_place_hexes(struct game_state *s, const struct mm_orders *lists)
{
	unsigned n = s->nseats;

	for (unsigned i = 0; i < n; i++)
		place_base(s, s->ring[i], &lists[s->ring[i]]);
	for (unsigned i = 0; i < n; i++)
		place_tile(s, s->ring[i], 0, &lists[s->ring[i]]);
	for (unsigned i = n; i > 0; i--)
		place_tile(s, s->ring[i - 1], 1, &lists[s->ring[i - 1]]);
	if (s->setup.extra_fifth)
		place_tile(s, s->ring[1], 2, &lists[s->ring[1]]);
	for (unsigned seat = 1; seat <= n; seat++) {
		s->seats[seat].ntiles = 0;
		for (unsigned i = 0; i < MM_TILES; i++)
			s->seats[seat].tiles[i] = 0;
	}
}

static void place_homes(struct game_state *s, struct chance *chance)
{
	unsigned order[MM_HOMES], next = 0;

	chance_shuffle(chance, order, MM_HOMES, "home tokens");
	for (unsigned h = 0; h < MM_HEXES; h++)
		if (s->hexes[h].value && !s->hexes[h].claim)
			s->hexes[h].home = (uint8_t)(order[next++] / MM_OF_EACH_HOME + 1);
	s->nspare = (uint8_t)(MM_HOMES - next);
	for (unsigned i = 0; i < s->nspare; i++)
		s->spare[i] = (uint8_t)(order[MM_HOMES - 1 - i] / MM_OF_EACH_HOME + 1);
}

static void deal_hand(struct game_state *s, unsigned seat, unsigned n)
{
	struct mm_seat *p = &s->seats[seat];

	for (unsigned i = 0; i < n; i++) {
		mm_pile_put(&p->hand, p->deck.cards[--p->deck.count]);
		p->deck.cards[p->deck.count] = CARD_NONE;
	}
	if (s->imagined)
		p->imagined = (uint8_t)n;
}

void mm_begin_play(struct game_state *s, struct chance *chance)
{
	place_homes(s, chance);
	s->first = s->ring[chance_pick(chance, s->nseats, "first player")];
	s->active = s->first;
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		deal_hand(s, seat,
		          s->setup.second_six && seat != s->first ? MM_HAND : MM_NEW_HAND);
	s->turn = 1;
	s->round = 1;
	mm_note(s, EVENT_FIRST, s->first, 0, 0);
}
