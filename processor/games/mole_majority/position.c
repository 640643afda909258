/*
 * position.c - questions about a position: who has what where, and where a step may go.
 *
 * Everything is worked out anew from the hexes, so that no count can disagree with the board.
 */
#include <string.h>

#include "processor/games/mole_majority/majority.h"

bool mm_is_in(const struct game_state *s, unsigned seat)
{
	return seat >= 1 && seat <= s->nseats && s->seats[seat].out == 0;
}

uint32_t mm_board(const struct game_state *s)
{
	uint32_t set = 0;

	for (unsigned h = 0; h < MM_HEXES; h++)
		if (s->hexes[h].value)
			set |= mm_bit(h);
	return set;
}

uint32_t mm_claims(const struct game_state *s, unsigned seat)
{
	uint32_t set = 0;

	for (unsigned h = 0; h < MM_HEXES; h++)
		if (s->hexes[h].claim == seat && s->hexes[h].value)
			set |= mm_bit(h);
	return set;
}

/* The top bit of each byte that is equal to `seat`: good players ask this all the time. */
static uint64_t equal_bytes(const struct mm_hex *x, unsigned seat)
{
	const uint64_t ones = 0x0101010101010101u, low = 0x7f * ones;
	uint64_t bytes, differ;

	memcpy(&bytes, x->spaces, sizeof bytes);
	differ = bytes ^ seat * ones;
	return ~(((differ & low) + low) | differ | low);
}

unsigned mm_moles_on(const struct mm_hex *x, unsigned seat)
{
	unsigned n = (unsigned)__builtin_popcountll(equal_bytes(x, seat));

	return seat ? n : n - (MM_SPACE_BYTES - x->value);
}

uint32_t mm_with_moles(const struct game_state *s, unsigned seat)
{
	uint32_t set = 0;

	for (unsigned h = 0; h < MM_HEXES; h++)
		if (mm_moles_on(&s->hexes[h], seat))
			set |= mm_bit(h);
	return set;
}

unsigned mm_supply(const struct game_state *s, unsigned seat)
{
	unsigned out = 0;

	for (unsigned h = 0; h < MM_HEXES; h++)
		out += mm_moles_on(&s->hexes[h], seat);
	return MM_MOLES - out;
}

unsigned mm_tokens_left(const struct game_state *s, unsigned seat)
{
	return MM_CLAIMS - (unsigned)__builtin_popcount(mm_claims(s, seat));
}

uint32_t mm_network(const struct game_state *s, unsigned seat, bool for_move)
{
	uint32_t moles = mm_with_moles(s, seat);
	uint32_t set = moles | mm_claims(s, seat);

	for (unsigned h = 0; h < MM_HEXES; h++)
		if (moles & mm_bit(h))
			set |= mm_beside[h] & (for_move ? ~s->cave[h] : ~0u);
	return set & mm_board(s);
}

/* Hexes at the end of an open route: all before the last hold their mole or their token. */
static uint32_t reach(const struct game_state *s, unsigned seat, unsigned from)
{
	uint32_t passable = mm_with_moles(s, seat) | mm_claims(s, seat);
	uint32_t seen = mm_bit(from), todo = mm_bit(from);

	while (todo) {
		unsigned h = (unsigned)__builtin_ctz(todo);
		uint32_t next = mm_beside[h] & ~s->cave[h] & ~seen;

		seen |= next;
		todo = (todo & (todo - 1)) | (next & passable);
	}
	return seen;
}

static uint32_t with_room(const struct game_state *s)
{
	return mm_with_moles(s, 0);
}

uint32_t mm_move_targets(const struct game_state *s, unsigned seat, unsigned from)
{
	uint32_t set = mm_network(s, seat, true) & with_room(s) & ~mm_bit(from);

	return s->setup.routes_free ? set : set & reach(s, seat, from);
}

uint32_t mm_move_sources(const struct game_state *s, unsigned seat)
{
	return mm_claims(s, seat) & mm_with_moles(s, seat);
}

uint32_t mm_breed_targets(const struct game_state *s, unsigned seat)
{
	return mm_supply(s, seat) ? mm_claims(s, seat) & with_room(s) : 0;
}

uint32_t mm_convert_targets(const struct game_state *s, unsigned seat)
{
	uint32_t others = 0;

	for (unsigned other = 1; other <= s->nseats; other++)
		if (other != seat)
			others |= mm_with_moles(s, other);
	return mm_supply(s, seat) ? mm_network(s, seat, false) & others : 0;
}

uint32_t mm_home_targets(const struct game_state *s, unsigned seat)
{
	uint32_t set = mm_claims(s, seat);

	for (unsigned h = 0; h < MM_HEXES; h++)
		if (!s->hexes[h].home)
			set &= ~mm_bit(h);
	return set;
}

uint32_t mm_cavein_borders(const struct game_state *s, unsigned hex)
{
	return mm_beside[hex] & ~s->cave[hex] & mm_board(s);
}

bool mm_can_steal_from(const struct game_state *s, unsigned seat, unsigned victim)
{
	return victim != seat && mm_is_in(s, victim) && s->seats[victim].discard.count > 0;
}

static unsigned place_in_ring(const struct game_state *s, unsigned seat)
{
	unsigned at = 0;

	while (at + 1 < s->nseats && s->ring[at] != seat)
		at++;
	return at;
}

unsigned mm_next_in(const struct game_state *s, unsigned seat)
{
	unsigned at = place_in_ring(s, seat);

	for (unsigned i = 1; i < s->nseats; i++) {
		unsigned next = s->ring[(at + i) % s->nseats];

		if (mm_is_in(s, next))
			return next;
	}
	return seat;
}

/* Players who are in and whose tokens are all on the board (rule 8). */
static bool tokens_are_out(const struct game_state *s)
{
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (mm_is_in(s, seat) && mm_tokens_left(s, seat) == 0)
			return true;
	return false;
}

static unsigned claimants(const struct game_state *s)
{
	unsigned n = 0;

	for (unsigned seat = 1; seat <= s->nseats; seat++)
		n += mm_claims(s, seat) != 0;
	return n;
}

unsigned mm_ends(const struct game_state *s)
{
	unsigned ends = 0;

	if (s->last == 0)
		return 0;
	if (tokens_are_out(s))
		ends |= END_TOKENS;
	if (s->setup.moles_out && mm_supply(s, s->last) == 0)
		ends |= END_MOLES;
	if (mm_claims(s, 0) == 0)
		ends |= END_FULL;
	if (claimants(s) < 2)
		ends |= END_ALONE;
	if (s->round > s->setup.rounds)
		ends |= END_CAP;
	return ends;
}

bool mm_over(const struct game_state *s)
{
	return s->turn > 0 && s->active == 0;
}

/* One who resigned in the set-up owes nothing: their only turn passes by itself. */
struct seat_set mm_owes(const struct game_state *s)
{
	struct seat_set set = {0};

	if (s->turn == 0) {
		for (unsigned seat = 1; seat <= s->nseats; seat++)
			set = seat_with(set, seat);
	} else if (s->active && s->seats[s->active].standing == STANDING_IN) {
		set = seat_with(set, s->active);
	}
	return set;
}

unsigned mm_hex_points(const struct game_state *s, unsigned seat)
{
	unsigned points = 0;

	for (unsigned h = 0; h < MM_HEXES; h++)
		if (s->hexes[h].claim == seat)
			points += s->hexes[h].value;
	return points;
}

unsigned mm_home_points(const struct game_state *s, unsigned seat, bool hidden_too)
{
	const struct mm_seat *p = &s->seats[seat];
	unsigned points = 0;

	for (unsigned i = 0; i < p->nhomes; i++)
		if (hidden_too || p->homes[i].open)
			points += p->homes[i].value;
	return points;
}
