/*
 * turn.c - a mail carried out: flick by flick, then who is dead, then the verdict.
 *
 * The verdict lists are those of the rules (molepost-rules(7), MOLE); the first that
 * applies ends the round.
 */
#include "processor/games/mole/mole.h"

#include <string.h>

#include "processor/base/chance.h"

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

/* r of the rules: how far it would run, never beyond the limit. */
static int64_t free_run(const struct play *p, const struct mole_order *f,
                        struct mole_point from)
{
	int64_t dx = f->to.x - from.x, dy = f->to.y - from.y;
	int64_t l = mole_root(dx * dx + dy * dy);
	int64_t limit = p->setup->range[p->from->side];
	int64_t r = f->range && !f->at_most ? f->range : l;

	if (f->at_most && f->range < r)
		r = f->range;
	return r < limit ? r : limit;
}

static bool all_dead_or_dying(const struct mole_board *board, const struct mole_coins *coins)
{
	for (unsigned i = 1; i < MOLE_COINS; i++)
		if (coins->coin[i].on && zone_around(board, coins, i) == ZONE_NONE)
			return false;
	return true;
}

/* The mole has fallen in this flick, for good. */
static void mole_fell(struct play *p, const struct mole_flick *f)
{
	p->out->fell = f->fallen;
	p->all_dead = all_dead_or_dying(&p->setup->board, &p->out->after);
	if (p->from->side == SIDE_MIGNETTES)
		p->out->cause = f->run.toucher ? f->run.toucher : f->order.coin;
}

static void launch_flick(struct play *p, struct mole_flick *f, unsigned nth, bool safe)
{
	struct mole_launch launch;
	struct mole_point from = centre(&p->out->after, f->order.coin);

	f->range = free_run(p, &f->order, from);
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
	if (f->annulled)
		p->out->after = f->before;
	else if (f->fallen != EDGE_NONE)
		mole_fell(p, f);
}

static void play_flick(struct play *p, const struct mole_order *order, unsigned nth)
{
	struct mole_flick *f = &p->out->flicks[p->out->nflicks++];
	bool safe = p->from->side == SIDE_MIGNETTES && mole_is_safe(p);

	f->order = *order;
	f->did = p->out->after.coin[order->coin].on ? DID_FLICK : DID_SKIP;
	f->before = p->out->after;
	if (f->did == DID_FLICK)
		launch_flick(p, f, nth, safe);
	f->after = p->out->after;
}

static void bury(const struct mole_board *board, struct mole_played *out)
{
	for (unsigned i = 1; i < MOLE_COINS; i++) {
		if (!out->after.coin[i].on)
			continue;
		out->died[i] = zone_around(board, &out->after, i);
		if (out->died[i] != ZONE_NONE)
			out->after.coin[i] = (struct mole_coin){.on = false};
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

static enum mole_end judge_crossing(const struct play *p)
{
	struct mole_point from = centre(&p->from->coins, MOLE);

	if (zone_around(&p->setup->board, &p->from->coins, MOLE) != ZONE_NONE)
		return END_FROM_ZONE;
	if (p->setup->loup && from.y < p->setup->board.loup)
		return END_FROM_LOUP;
	return p->out->kills ? END_KILL_CROSSING : END_CROSSED;
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
	if (out->fell == EDGE_WIN)
		return judge_crossing(p);
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
	for (unsigned i = 0; i < o->nflicks && out->fell != EDGE_WIN; i++)
		play_flick(&p, &o->flicks[i], i);
	bury(&setup->board, out);
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
