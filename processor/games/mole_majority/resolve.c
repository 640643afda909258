/*
 * resolve.c - the set-up, a turn, the end.
 */
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/mole_majority/majority.h"

static bool corrupt(struct strbuf *why, unsigned seat)
{
	strbuf_addf(why, "The orders of seat %u are not orders of this turn of Mole Majority.",
	            seat);
	return false;
}

/* ---- The set-up ---- */

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

/* Rules 21 and 30. */
static void remove_players(struct game_state *s, const struct seat_orders *orders)
{
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
}

static unsigned place_in_ring(const struct game_state *s, unsigned seat)
{
	unsigned at = 0;

	while (s->ring[at] != seat)
		at++;
	return at;
}

/* A round ends when the turn comes to the first player's seat or passes it. */
static void pass_on(struct game_state *s)
{
	unsigned at = place_in_ring(s, s->active);

	s->last = s->active;
	s->active = mm_next_in(s, s->last);
	do {
		at = (at + 1) % s->nseats;
		s->round += s->ring[at] == s->first;
	} while (s->ring[at] != s->active);
	s->turn++;
	if (mm_ends(s))
		s->active = 0;
}

static bool resolve_turn(struct game_state *s, const struct seat_orders *orders,
                         struct chance *chance, struct strbuf *why)
{
	unsigned seat = s->active;

	if (orders[seat].origin == ORDER_RESIGNED ||
	    s->seats[seat].standing == STANDING_LEAVING)
		mm_note(s, EVENT_PASS, 0, 0, 0);
	else if (!play_turn(s, orders[seat].canonical, chance))
		return corrupt(why, seat);
	remove_players(s, orders);
	pass_on(s);
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
