/*
 * table.c - questions about a state of Mole Park: who sits where, who may what, who wins.
 */
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/mole_park/park.h"

bool park_plays(const struct game_state *s, unsigned seat)
{
	return seat >= 1 && seat <= s->nseats && s->seats[seat].left == 0;
}

static bool park_played(const struct game_state *s, unsigned seat)
{
	unsigned left = s->seats[seat].left;

	return s->round > 1 && (left == 0 || left == s->round - 1);
}

unsigned park_players_left(const struct game_state *s)
{
	unsigned n = 0;

	for (unsigned seat = 1; seat <= s->nseats; seat++)
		n += park_plays(s, seat);
	return n;
}

bool park_over(const struct game_state *s)
{
	return s->winner != 0 || s->round > s->setup.rounds || park_players_left(s) < 2;
}

struct seat_set park_owes(const struct game_state *s)
{
	struct seat_set set = {0};

	for (unsigned seat = 1; seat <= s->nseats && !park_over(s); seat++)
		if (park_plays(s, seat))
			set = seat_with(set, seat);
	return set;
}

static unsigned place_in_ring(const struct game_state *s, unsigned seat)
{
	unsigned at = 0;

	while (s->ring[at] != seat)
		at++;
	return at;
}

unsigned park_left_of(const struct game_state *s, unsigned seat)
{
	unsigned at = place_in_ring(s, seat);

	for (unsigned i = 1; i <= s->nseats; i++) {
		unsigned next = s->ring[(at + i) % s->nseats];

		if (park_plays(s, next))
			return next;
	}
	return seat;
}

unsigned park_round_table(const struct game_state *s, unsigned seats[static PARK_SEATS])
{
	unsigned at = place_in_ring(s, s->king);
	unsigned n = 0;

	for (unsigned i = 1; i <= s->nseats; i++) {
		unsigned seat = s->ring[(at + i) % s->nseats];

		if (park_plays(s, seat) || park_played(s, seat))
			seats[n++] = seat;
	}
	return n;
}

unsigned park_hand_limit(const struct game_state *s, unsigned seat)
{
	const struct park_seat *p = &s->seats[seat];
	unsigned limit = PARK_HAND;

	for (unsigned i = 0; i < p->nprizes && limit < PARK_HAND_MOST; i++)
		limit += park_is_bag(&s->setup, p->prizes[i]);
	return limit;
}

bool park_has_steady(const struct game_state *s, unsigned seat)
{
	const struct park_seat *p = &s->seats[seat];

	for (unsigned i = 0; i < p->nprizes; i++)
		if (park_is_steady(&s->setup, p->prizes[i]))
			return true;
	return false;
}

unsigned park_prizes_worth(const struct game_state *s, unsigned seat)
{
	const struct park_seat *p = &s->seats[seat];
	unsigned stars = 0;

	for (unsigned i = 0; i < p->nprizes; i++)
		stars += park_prize_stars(&s->setup, p->prizes[i]);
	return stars;
}

/* A finalist's hand is sorted, best first. */
unsigned park_showdown_total(const struct game_state *s, unsigned seat)
{
	const struct park_seat *p = &s->seats[seat];
	unsigned stars = p->last.faces[PARK_PRIZE_DIE];

	for (unsigned i = 0; i < p->hand.count && i < PARK_HAND; i++)
		stars += park_mole_stars(&s->setup, p->hand.cards[i]);
	return stars;
}

unsigned park_favour_place(const struct game_state *s, unsigned seat)
{
	unsigned king_at = place_in_ring(s, s->king);
	unsigned at = place_in_ring(s, seat);

	for (unsigned i = 0; i < s->favour.count; i++)
		if (s->favour.items[i] == seat && seat != s->king)
			return i;
	/* The King is a whole round away from their own left. */
	return PARK_SEATS + (at + s->nseats - king_at - 1) % s->nseats;
}

unsigned park_best_shop(const struct game_state *s, unsigned total)
{
	unsigned best = PARK_SHOPS;
	unsigned best_stars = 0;

	for (unsigned shop = 0; shop < PARK_SHOPS && park_shops[shop].price <= total; shop++) {
		unsigned stars =
		    s->shops[shop].up ? park_prize_stars(&s->setup, s->shops[shop].up) : 0;

		if (stars && stars >= best_stars) {
			best = shop;
			best_stars = stars;
		}
	}
	return best;
}

/* >0 when a stands before b in the final ranking, 0 when they share it. */
static int compare(const struct game_state *s, unsigned a, unsigned b)
{
	const struct park_seat *p = &s->seats[a];
	const struct park_seat *q = &s->seats[b];
	unsigned stars[2] = {park_prizes_worth(s, a), park_prizes_worth(s, b)};

	if (p->left)
		return 0;
	if ((a == s->winner) != (b == s->winner))
		return a == s->winner ? 1 : -1;
	if (p->last.finalist != q->last.finalist)
		return p->last.finalist ? 1 : -1;
	if (p->last.finalist)
		return (int)park_showdown_total(s, a) - (int)park_showdown_total(s, b);
	if (stars[0] != stars[1])
		return stars[0] > stars[1] ? 1 : -1;
	return (int)p->nprizes - (int)q->nprizes;
}

/* The score is what a player's prizes are worth; a finalist's is their total in the Showdown. */
void park_result(const struct game_state *s, struct game_result *out)
{
	memset(out, 0, sizeof *out);
	out->over = park_over(s);
	out->nseats = s->nseats;
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		bool finalist = s->seats[seat].last.finalist;

		out->scores[seat] = finalist ? park_showdown_total(s, seat)
		                             : park_prizes_worth(s, seat);
		if (s->seats[seat].left)
			out->eliminated = seat_with(out->eliminated, seat);
	}
	result_rank(out, s, compare);
}

/* Two whose totals and whose right to choose were the same. */
static bool tied(const struct game_state *s, unsigned a, unsigned b)
{
	const struct park_deed *p = &s->seats[a].last;
	const struct park_deed *q = &s->seats[b].last;

	if (p->finalist && q->finalist && (a == s->winner || b == s->winner))
		return park_showdown_total(s, a) == park_showdown_total(s, b);
	return p->pick && q->pick && p->total == q->total;
}

bool park_favour_was_used(const struct game_state *s)
{
	for (unsigned a = 1; a <= s->nseats; a++)
		for (unsigned b = a + 1; b <= s->nseats; b++)
			if (tied(s, a, b))
				return true;
	return false;
}
