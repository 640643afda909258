/*
 * resolve.c - the set-up, a turn, the end.
 */
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/mole_majority/majority.h"

/* ---- The set-up ---- */

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

	for (unsigned i = 0; i < n; i++) {
		uint8_t seat = s->ring[i];
		const struct mm_orders *o = &lists[seat];
		unsigned hex = choose(s, o->bases, o->nbases, mm_default_bases, 6, base_fits);
		struct mm_hex *x = &s->hexes[hex];

		x->value = MM_SPACES;
		x->claim = seat;
		for (unsigned space = 0; space < MM_SPACES; space++)
			x->spaces[space] = seat;
		mm_note(s, EVENT_BASE, seat, hex, 0);
	}
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

void mm_begin_play(struct game_state *s, struct chance *chance)
{
	unsigned order[MM_HOMES], next = 0;

	chance_shuffle(chance, order, MM_HOMES, "home tokens");
	for (unsigned h = 0; h < MM_HEXES; h++)
		if (s->hexes[h].value && !s->hexes[h].claim)
			s->hexes[h].home = (uint8_t)(order[next++] / MM_OF_EACH_HOME + 1);
	s->nspare = (uint8_t)(MM_HOMES - next);
	for (unsigned i = 0; i < s->nspare; i++)
		s->spare[i] = (uint8_t)(order[MM_HOMES - 1 - i] / MM_OF_EACH_HOME + 1);
	s->first = s->ring[chance_pick(chance, s->nseats, "first player")];
	s->active = s->first;
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		unsigned n = s->setup.second_six && seat != s->first ? MM_HAND : MM_NEW_HAND;
		struct mm_seat *p = &s->seats[seat];

		for (unsigned i = 0; i < n; i++) {
			mm_pile_put(&p->hand, p->deck.cards[--p->deck.count]);
			p->deck.cards[p->deck.count] = CARD_NONE;
		}
		if (s->imagined)
			p->imagined = (uint8_t)n;
	}
	s->turn = 1;
	s->round = 1;
	mm_note(s, EVENT_FIRST, s->first, 0, 0);
}

static bool corrupt(struct strbuf *why, unsigned seat)
{
	strbuf_addf(why, "The orders of seat %u are not orders of this turn of Mole Majority.",
	            seat);
	return false;
}

static bool resolve_setup(struct game_state *s, const struct seat_orders *orders,
                          struct chance *chance, struct strbuf *why)
{
	struct mm_orders lists[MM_SEATS + 1];
	bool leaving[MM_SEATS + 1] = {false};

	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		leaving[seat] = orders[seat].origin == ORDER_RESIGNED;
		if (!leaving[seat] && !mm_parse_orders(s, orders[seat].canonical, &lists[seat]))
			return corrupt(why, seat);
		leaving[seat] = leaving[seat] || lists[seat].kind == ORDERS_RESIGN;
		if (!leaving[seat] && lists[seat].kind != ORDERS_SETUP)
			return corrupt(why, seat);
		if (leaving[seat])
			mm_default_lists(&lists[seat]);
	}
	mm_place_hexes(s, lists);
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		if (!leaving[seat])
			continue;
		s->seats[seat].standing = STANDING_LEAVING;
		mm_note(s, EVENT_LEAVING, seat, 0, 0);
	}
	mm_begin_play(s, chance);
	return true;
}

/* ---- A turn ---- */

static void throw_hand(struct game_state *s, unsigned seat)
{
	struct mm_seat *p = &s->seats[seat];

	mm_note(s, EVENT_DISCARD, p->hand.count, 0, 0);
	for (unsigned i = 0; i < p->hand.count; i++)
		mm_pile_put(&p->discard, p->hand.cards[i]);
	p->hand = (struct mm_pile){.count = 0};
}

static bool play_turn(struct game_state *s, struct span canonical, struct chance *chance)
{
	unsigned seat = s->active;
	struct mm_trouble t;
	struct mm_orders o;

	if (!mm_parse_orders(s, canonical, &o))
		return false;
	switch (o.kind) {
	case ORDERS_PASS:
	case ORDERS_RESIGN:
		mm_note(s, EVENT_PASS, 0, 0, 0);
		return true;
	case ORDERS_DISCARD:
		throw_hand(s, seat);
		mm_draw(s, seat, MM_NEW_HAND, chance);
		return true;
	case ORDERS_PLAY:
		if (!mm_carry_out(s, &o, &t))
			return false;
		mm_draw(s, seat, s->seats[seat].hand.count ? 1 : MM_NEW_HAND, chance);
		return true;
	case ORDERS_SETUP:
		break;
	}
	return false;
}

static void go_out(struct game_state *s, unsigned seat, enum mm_standing standing)
{
	struct mm_seat *p = &s->seats[seat];

	for (unsigned h = 0; h < MM_HEXES; h++)
		if (s->hexes[h].claim == seat)
			s->hexes[h].claim = 0;
	p->hand = p->deck = p->discard = (struct mm_pile){.count = 0};
	memset(p->homes, 0, sizeof p->homes);
	p->nhomes = 0;
	p->standing = standing;
	p->out = s->turn;
	mm_note(s, standing == STANDING_LEFT ? EVENT_LEFT : EVENT_BEATEN, seat, 0, 0);
}

static bool resolve_turn(struct game_state *s, const struct seat_orders *orders,
                         struct chance *chance, struct strbuf *why)
{
	unsigned active = s->active, at = 0;

	if (orders[active].origin == ORDER_RESIGNED ||
	    s->seats[active].standing == STANDING_LEAVING)
		mm_note(s, EVENT_PASS, 0, 0, 0);
	else if (!play_turn(s, orders[active].canonical, chance))
		return corrupt(why, active);

	/* Who is out: rules 21 and 30. */
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		bool leaves = s->seats[seat].standing == STANDING_LEAVING ||
		              orders[seat].origin == ORDER_RESIGNED ||
		              span_eq_str(orders[seat].canonical, ORDER_RESIGN_TEXT);

		if (!mm_is_in(s, seat))
			continue;
		if (leaves)
			go_out(s, seat, STANDING_LEFT);
		else if (mm_claims(s, seat) == 0)
			go_out(s, seat, STANDING_BEATEN);
	}

	/* A round ends when the turn comes to the first player's seat or passes it. */
	while (s->ring[at] != active)
		at++;
	s->last = active;
	s->active = mm_next_in(s, s->last);
	do {
		at = (at + 1) % s->nseats;
		s->round += s->ring[at] == s->first;
	} while (s->ring[at] != s->active);
	s->turn++;
	if (mm_ends(s))
		s->active = 0;
	return true;
}

bool mm_resolve(const struct game_state *now, const struct seat_orders *orders,
                struct chance *chance, struct game_state **next, struct strbuf *why)
{
	struct game_state s = *now;
	bool ok;

	if (mm_over(now)) {
		strbuf_adds(why, "The game is over.");
		return false;
	}
	s.nevents = 0;
	memset(s.events, 0, sizeof s.events);
	ok = s.turn == 0 ? resolve_setup(&s, orders, chance, why)
	                 : resolve_turn(&s, orders, chance, why);
	if (!ok)
		return false;
	*next = state_copy(&s, sizeof s);
	return true;
}

/* ---- The end ---- */

static unsigned moles_on_board(const struct game_state *s, unsigned seat)
{
	return MM_MOLES - mm_supply(s, seat);
}

static unsigned numbers_in_hand(const struct game_state *s, unsigned seat)
{
	const struct mm_pile *hand = &s->seats[seat].hand;
	unsigned sum = 0;

	for (unsigned i = 0; i < hand->count; i++)
		sum += mm_cards[hand->cards[i]].number;
	return sum;
}

static unsigned score(const struct game_state *s, unsigned seat)
{
	return mm_hex_points(s, seat) + mm_home_points(s, seat, mm_over(s));
}

/* >0 when a stands before b, 0 when they share the rank (rules 21 and 25). */
static int compare(const struct game_state *s, unsigned a, unsigned b)
{
	const unsigned of_a[] = {score(s, a), moles_on_board(s, a), numbers_in_hand(s, a)};
	const unsigned of_b[] = {score(s, b), moles_on_board(s, b), numbers_in_hand(s, b)};

	if (!mm_is_in(s, a))
		return (s->seats[a].out > s->seats[b].out) -
		       (s->seats[a].out < s->seats[b].out);
	for (unsigned i = 0; i < sizeof of_a / sizeof *of_a; i++)
		if (of_a[i] != of_b[i])
			return of_a[i] > of_b[i] ? 1 : -1;
	return 0;
}

void mm_result(const struct game_state *s, struct game_result *out)
{
	memset(out, 0, sizeof *out);
	out->over = mm_over(s);
	out->nseats = s->nseats;
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		out->scores[seat] = score(s, seat);
		if (!mm_is_in(s, seat))
			out->eliminated = seat_with(out->eliminated, seat);
	}
	result_rank(out, s, compare);
}
