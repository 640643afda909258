/*
 * resolve.c - from one position to the next: a mail, the end of a round, the match.
 *
 * A mail is carried out flick by flick; then who is dead, then the verdict. The verdict lists are those
 * of the rules (molepost-rules(7), MOLE); the first that applies ends the round.
 */
#include <string.h>

#include "processor/base/chance.h"
#include "processor/base/err.h"
#include "processor/games/mole/mole.h"

/* ---- A mail ---- */

enum { FINGER_DRAWS = 8 };

/* What is needed beside the outcome. */
struct play {
	const struct mole_setup *setup;
	const struct mole_position *from;
	struct chance *chance;
	const struct mole_wobble *known;
	const struct mole_watch *watch;
	struct mole_played *out;
	bool
	    all_dead; /* the mole fell, and then no mignette was outside a zone: Yekini, maybe */
};

static struct mole_point centre(const struct mole_coins *coins, unsigned i)
{
	struct mole_point p = {mole_nm(coins->coin[i].x), mole_nm(coins->coin[i].y)};

	return p;
}

/* The circle or Rosserie a coin on the board lies in with its whole disc. */
static enum mole_zone zone_around(const struct mole_board *board,
                                  const struct mole_coins *coins, unsigned i)
{
	struct mole_point p = centre(coins, i);

	return mole_zone_around(board, p.x, p.y, mole_radius(i));
}

static bool mole_is_safe(const struct play *p)
{
	struct mole_point c = centre(&p->out->after, MOLE);

	return p->out->after.coin[MOLE].on &&
	       (p->from->first_go ||
	        mole_zone_touched(&p->setup->board, c.x, c.y, mole_radius(MOLE)));
}

/* Eight numbers u1..u8 from 0 to K; their sums are near the middle as a steady finger is. */
static struct mole_wobble draw_wobble(const struct play *p, unsigned nth)
{
	int64_t k = p->setup->dexterity, sums[2] = {0, 0};
	struct mole_wobble w = {0, 0};

	if (k == 0)
		return w;
	if (!p->chance)
		return p->known ? p->known[nth] : w;
	for (unsigned i = 0; i < FINGER_DRAWS; i++)
		sums[i / 4] += chance_pick(p->chance, p->setup->dexterity + 1, "flick %u, u%u",
		                           nth + 1, i + 1);
	w.aside = sums[0] - 2 * k;
	w.range = 3 * (sums[1] - 2 * k);
	return w;
}

static bool all_dead_or_dying(const struct mole_board *board, const struct mole_coins *coins)
{
	for (unsigned i = 1; i < MOLE_COINS; i++)
		if (coins->coin[i].on && zone_around(board, coins, i) == ZONE_NONE)
			return false;
	return true;
}

static void launch_flick(struct play *p, struct mole_flick *f, unsigned nth, bool safe)
{
	struct mole_launch launch;
	struct mole_point from = centre(&p->out->after, f->order.coin);
	/* r of the rules: how far it would run, never beyond the limit. */
	int64_t dx = f->order.to.x - from.x, dy = f->order.to.y - from.y;
	int64_t l = mole_root(dx * dx + dy * dy);
	int64_t limit = p->setup->range[p->from->side];
	int64_t r = f->order.range && !f->order.at_most ? f->order.range : l;

	if (f->order.at_most && f->order.range < r)
		r = f->order.range;
	f->range = r < limit ? r : limit;
	if (f->order.to.x == from.x && f->order.to.y == from.y) {
		f->did = DID_NOT_MOVE;
		return;
	}
	f->wobble = draw_wobble(p, nth);
	mole_aim(&p->out->after, f->order.coin, f->order.to.x, f->order.to.y, f->range,
	         f->wobble, &launch);
	mole_slide(&p->setup->board, &p->out->after, &launch, p->watch, &f->run);
	f->fallen = f->run.fell[MOLE];
	f->annulled = safe && f->fallen != EDGE_NONE;
	if (f->annulled) {
		p->out->after = f->before;
	} else if (f->fallen != EDGE_NONE) {
		/* The mole has fallen in this flick, for good. */
		p->out->fell = f->fallen;
		p->all_dead = all_dead_or_dying(&p->setup->board, &p->out->after);
		if (p->from->side == SIDE_MIGNETTES)
			p->out->cause = f->run.toucher ? f->run.toucher : f->order.coin;
	}
}

static enum mole_end judge_mignettes(const struct play *p)
{
	const struct mole_played *out = p->out;
	unsigned alive = mole_alive(&out->after);

	if (out->fell == EDGE_WIN)
		return END_KNOCKED_OVER;
	if (out->fell != EDGE_NONE && p->all_dead && alive == 0)
		return END_YEKINI;
	if (out->fell == EDGE_REAR)
		return END_KNOCKED_REAR;
	if (out->fell != EDGE_NONE)
		return out->after.coin[out->cause].on ? END_KNOCKED_OFF : END_CAUSE_DIED;
	return alive ? END_NONE : END_NO_MIGNETTE;
}

static enum mole_end judge_mole(const struct play *p, bool called)
{
	const struct mole_played *out = p->out;

	if (out->fell != EDGE_NONE && out->fell != EDGE_WIN)
		return END_FELL;
	if (called && out->kills != 2)
		return END_CALL_FAILED;
	if (!called && out->kills >= 2)
		return END_TWO_KILLS;
	if (out->fell == EDGE_WIN) {
		struct mole_point from = centre(&p->from->coins, MOLE);

		if (zone_around(&p->setup->board, &p->from->coins, MOLE) != ZONE_NONE)
			return END_FROM_ZONE;
		if (p->setup->loup && from.y < p->setup->board.loup)
			return END_FROM_LOUP;
		return p->out->kills ? END_KILL_CROSSING : END_CROSSED;
	}
	return mole_alive(&out->after) ? END_NONE : END_NO_MIGNETTE;
}

void mole_play(const struct mole_setup *setup, const struct mole_position *from,
               const struct mole_orders *o, struct chance *chance,
               const struct mole_wobble *known, const struct mole_watch *watch,
               struct mole_played *out)
{
	struct play p = {.setup = setup,
	                 .from = from,
	                 .chance = chance,
	                 .known = known,
	                 .watch = watch,
	                 .out = out};

	memset(out, 0, sizeof *out);
	out->start = from->coins;
	if (from->first_go)
		mole_put(&out->start, o);
	out->after = out->start;
	if (o->concede) {
		out->end = END_CONCEDED;
		return;
	}
	for (unsigned i = 0; i < o->nflicks && out->fell != EDGE_WIN; i++) {
		struct mole_flick *f = &out->flicks[out->nflicks++];
		bool safe = from->side == SIDE_MIGNETTES && mole_is_safe(&p);

		f->order = o->flicks[i];
		f->did = out->after.coin[o->flicks[i].coin].on ? DID_FLICK : DID_SKIP;
		f->before = out->after;
		if (f->did == DID_FLICK)
			launch_flick(&p, f, i, safe);
		f->after = out->after;
	}

	for (unsigned i = 1; i < MOLE_COINS; i++) {
		if (!out->after.coin[i].on)
			continue;
		out->died[i] = zone_around(&setup->board, &out->after, i);
		if (out->died[i] != ZONE_NONE)
			out->after.coin[i] = (struct mole_coin){.on = false};
	}
	out->kills = mole_alive(&from->coins) - mole_alive(&out->after);
	out->end = from->side == SIDE_MOLE ? judge_mole(&p, o->taupiniere)
	                                   : judge_mignettes(&p);
}

enum mole_gain mole_gain(enum mole_end end, enum mole_side side)
{
	switch (end) {
	case END_NONE:
		return GAIN_NONE;
	case END_YEKINI:
	case END_ENDLESS:
		return GAIN_TIE;
	case END_KNOCKED_OVER:
	case END_KNOCKED_REAR:
	case END_CAUSE_DIED:
	case END_NO_MIGNETTE:
	case END_CROSSED:
		return GAIN_MOLE;
	case END_CONCEDED:
		return side == SIDE_MOLE ? GAIN_MIGNETTES : GAIN_MOLE;
	case END_KNOCKED_OFF:
	case END_FELL:
	case END_CALL_FAILED:
	case END_TWO_KILLS:
	case END_FROM_ZONE:
	case END_FROM_LOUP:
	case END_KILL_CROSSING:
		break;
	}
	return GAIN_MIGNETTES;
}

/* ---- A round, and the match ---- */

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
		if (!(orders[i].origin == ORDER_RESIGNED ||
		      span_eq_str(orders[i].canonical, ORDER_RESIGN_TEXT)))
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
	if (!left) {
		struct mole_played p;
		enum mole_end end;

		mole_play(&s.setup, &s.now, &o, chance, NULL, NULL, &p);
		s.last.any = true;
		s.last.round = s.round;
		s.last.turn = s.turn;
		s.last.mole_seat = s.mole_seat;
		s.last.before = s.now;
		s.last.orders = o;
		for (unsigned i = 0; i < p.nflicks; i++)
			s.last.wobble[i] = p.flicks[i].wobble;
		end = mole_last_end(&s, &p);
		s.now.coins = p.after;
		if (end == END_NONE) {
			s.now.first_go = false;
			if (s.now.side == SIDE_MOLE)
				s.turn++;
			s.now.side = s.now.side == SIDE_MOLE ? SIDE_MIGNETTES : SIDE_MOLE;
		} else {
			/* Whoever wins gets or keeps the mole; a point is only to be had with it. */
			enum mole_gain gain = mole_gain(end, s.now.side);

			s.endless = end == END_ENDLESS ? s.endless + 1 : 0;
			if (gain == GAIN_MOLE)
				s.seats[s.mole_seat].points++;
			if (gain == GAIN_MIGNETTES || s.endless == MOLE_ENDLESS) {
				s.mole_seat = mole_other(s.mole_seat);
				s.endless = 0;
			}
			s.round++;
			s.turn = 1;
			mole_start_round(&s.setup.board, &s.now);
		}
	}
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
	if (p->end == END_NONE &&
	    (s->last.turn == MOLE_TURNS && s->last.before.side == SIDE_MOLE))
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
