/*
 * resolve.c - from one position to the next: a mail, the end of a round, the match.
 */
#include "processor/games/mole/mole.h"

#include <string.h>

#include "processor/base/err.h"

/* What a mail leaves of the state it was played in. */
static struct mole_last note_last(const struct game_state *now, const struct mole_orders *o,
                                  const struct mole_played *p)
{
	struct mole_last last;

	memset(&last, 0, sizeof last);
	last.any = true;
	last.round = now->round;
	last.turn = now->turn;
	last.mole_seat = now->mole_seat;
	last.before = now->now;
	last.orders = *o;
	for (unsigned i = 0; i < p->nflicks; i++)
		last.wobble[i] = p->flicks[i].wobble;
	return last;
}

/* The 25th turn of a round is its last. */
static bool runs_out(unsigned turn, enum mole_side side)
{
	return turn == MOLE_TURNS && side == SIDE_MOLE;
}

/* Whoever wins gets or keeps the mole; a point is only to be had with it. */
static void end_round(struct game_state *s, enum mole_end end)
{
	enum mole_gain gain = mole_gain(end, s->now.side);

	s->endless = end == END_ENDLESS ? s->endless + 1 : 0;
	if (gain == GAIN_MOLE)
		s->seats[s->mole_seat].points++;
	if (gain == GAIN_MIGNETTES || s->endless == MOLE_ENDLESS) {
		s->mole_seat = mole_other(s->mole_seat);
		s->endless = 0;
	}
	s->round++;
	s->turn = 1;
	mole_start_round(&s->setup.board, &s->now);
}

static void go_on(struct game_state *s)
{
	s->now.first_go = false;
	if (s->now.side == SIDE_MOLE)
		s->turn++;
	s->now.side = s->now.side == SIDE_MOLE ? SIDE_MIGNETTES : SIDE_MOLE;
}

static void play_mail(struct game_state *s, const struct mole_orders *o, struct chance *chance)
{
	struct mole_played p;
	enum mole_end end;

	mole_play(&s->setup, &s->now, o, chance, NULL, NULL, &p);
	s->last = note_last(s, o, &p);
	end = mole_last_end(s, &p);
	s->now.coins = p.after;
	if (end == END_NONE)
		go_on(s);
	else
		end_round(s, end);
}

static bool leaves(const struct seat_orders *o)
{
	return o->origin == ORDER_RESIGNED || span_eq_str(o->canonical, ORDER_RESIGN_TEXT);
}

bool mole_resolve(const struct game_state *now, const struct seat_orders *orders,
                  struct chance *chance, struct game_state **next, struct strbuf *why)
{
	struct game_state s = *now;
	unsigned seat = mole_seat_to_play(now);
	struct mole_orders o;
	bool left = false;

	if (mole_over(now)) {
		strbuf_adds(why, "The game is over.");
		return false;
	}
	memset(&s.last, 0, sizeof s.last);
	for (unsigned i = 1; i <= SEATS; i++) {
		if (!leaves(&orders[i]))
			continue;
		s.seats[i].left = now->phase;
		left = true;
	}
	if (!left &&
	    !mole_parse_orders(orders[seat].canonical, &now->setup.board, &now->now, &o)) {
		strbuf_addf(why, "The orders of seat %u are not orders of this position.",
		            seat);
		return false;
	}
	if (!left)
		play_mail(&s, &o, chance);
	s.phase++;
	*next = state_copy(&s, sizeof s);
	return true;
}

void mole_replay(const struct game_state *s, const struct mole_watch *watch,
                 struct mole_played *out)
{
	mole_play(&s->setup, &s->last.before, &s->last.orders, NULL, s->last.wobble, watch,
	          out);
}

enum mole_end mole_last_end(const struct game_state *s, const struct mole_played *p)
{
	if (p->end == END_NONE && runs_out(s->last.turn, s->last.before.side))
		return END_ENDLESS;
	return p->end;
}

void mole_result(const struct game_state *s, struct game_result *out)
{
	memset(out, 0, sizeof *out);
	out->over = mole_over(s);
	out->nseats = SEATS;
	for (unsigned seat = 1; seat <= SEATS; seat++) {
		out->scores[seat] = s->seats[seat].points;
		if (s->seats[seat].left)
			out->eliminated = seat_with(out->eliminated, seat);
	}
	result_rank(out, s, NULL);
}
