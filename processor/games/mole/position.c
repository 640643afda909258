/*
 * position.c - how coins lie: the start of a round, who touches whom, who is to play.
 */
#include "processor/games/mole/mole.h"

#include <string.h>

void mole_start_round(const struct mole_board *board, struct mole_position *p)
{
	p->side = SIDE_MIGNETTES;
	p->first_go = true;
	for (unsigned i = 0; i < MOLE_COINS; i++)
		p->coins.coin[i] = (struct mole_coin){true, board->start[i].x * MOLE_SCALE,
		                                      board->start[i].y * MOLE_SCALE};
}

static bool leads(const struct game_state *s, unsigned seat)
{
	unsigned points = s->seats[seat].points;

	return points >= s->setup.target &&
	       points >= s->seats[mole_other(seat)].points + s->setup.lead;
}

bool mole_over(const struct game_state *s)
{
	return s->seats[1].left || s->seats[2].left || leads(s, 1) || leads(s, 2) ||
	       s->round > s->setup.rounds;
}

unsigned mole_seat_to_play(const struct game_state *s)
{
	return s->now.side == SIDE_MOLE ? s->mole_seat : mole_other(s->mole_seat);
}

struct seat_set mole_owes(const struct game_state *s)
{
	struct seat_set nobody = {0};

	return mole_over(s) ? nobody : seat_with(nobody, mole_seat_to_play(s));
}

unsigned mole_alive(const struct mole_coins *coins)
{
	return (unsigned)coins->coin[1].on + coins->coin[2].on + coins->coin[3].on;
}

void mole_put(struct mole_coins *coins, const struct mole_orders *o)
{
	for (unsigned i = 1; i < MOLE_COINS; i++) {
		if (!o->placed[i])
			continue;
		coins->coin[i].x = o->place[i].x * MOLE_SCALE;
		coins->coin[i].y = o->place[i].y * MOLE_SCALE;
	}
}

bool mole_places_ok(const struct mole_board *board, const struct mole_coins *coins,
                    struct strbuf *why)
{
	struct mole_point centres[MOLE_COINS];
	struct strbuf wrong = STRBUF_INIT;
	bool ok;

	for (unsigned i = 0; i < MOLE_COINS; i++)
		centres[i] =
		    (struct mole_point){mole_nm(coins->coin[i].x), mole_nm(coins->coin[i].y)};
	mole_places_judge(board, centres, &wrong);
	ok = wrong.len == 0;
	if (why)
		strbuf_adds(why, wrong.ptr);
	strbuf_release(&wrong);
	return ok;
}

/* --- Gad --------------------------------------------------------------- */

bool mole_gad_allows(const struct mole_gad *g, int64_t dx, int64_t dy)
{
	for (unsigned i = 1; i < MOLE_COINS; i++)
		if (g->touches[i] && dx * g->to[i].x + dy * g->to[i].y > 0)
			return false;
	return true;
}

/* Only directions square to a contact need be tried: if any leads away, one of them does. */
static bool find_way(struct mole_gad *g)
{
	for (unsigned i = 1; i < MOLE_COINS; i++) {
		struct mole_point m = g->to[i];

		if (!g->touches[i])
			continue;
		g->way = (struct mole_point){-m.y, m.x};
		if (mole_gad_allows(g, -m.y, m.x))
			return true;
		g->way = (struct mole_point){m.y, -m.x};
		if (mole_gad_allows(g, m.y, -m.x))
			return true;
	}
	return false;
}

struct mole_gad mole_gad(const struct mole_coins *coins)
{
	struct mole_gad g;

	memset(&g, 0, sizeof g);
	for (unsigned i = 1; i < MOLE_COINS; i++) {
		int64_t reach = mole_radius(MOLE) + mole_radius(i) + MOLE_GAP;

		if (!coins->coin[i].on)
			continue;
		g.to[i] = (struct mole_point){mole_nm(coins->coin[i].x - coins->coin[MOLE].x),
		                              mole_nm(coins->coin[i].y - coins->coin[MOLE].y)};
		g.touches[i] = g.to[i].x * g.to[i].x + g.to[i].y * g.to[i].y <= reach * reach;
		g.count += g.touches[i];
	}
	g.stuck = g.count > 0 && !find_way(&g);
	return g;
}
