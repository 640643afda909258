/*
 * sample.c - orders a person might write: bots, previews, property tests.
 *
 * Level 0 flicks anything anywhere. From level 1 on a bot tries flicks in its head, that is
 * through the real physics with a steady finger, and takes the one that leaves it best off; a
 * higher level tries more of them. Coins are thought about one after the other, each from where
 * the flicks before it left the board.
 */
#include "processor/games/mole/mole.h"

#include <string.h>

#include "processor/base/chance.h"

enum { WON = 100000, SEED_SIDES = 1 << 30, FAR_MM = 60, PUSH = 36, ASLANT = 30, NEARLY = 40 };

/* Flicks tried for a coin. */
static const unsigned tries[2][4] = {
    [SIDE_MIGNETTES] = {1, 2, 3, 4},
    [SIDE_MOLE] = {1, 3, 7, 16},
};

struct bot {
	const struct game_state *s;
	struct mole_coins coins; /* as far as the flicks before have brought it */
	struct mole_coins start; /* with mignettes placed */
	struct mole_gad gad;
	unsigned level;
	uint64_t dice;
};

/* A number below n; the bot's own dice, thrown from one draw of the chance. */
static int64_t roll(struct bot *b, unsigned n)
{
	uint64_t x = b->dice += 0x9e3779b97f4a7c15u;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return (int64_t)((x ^ (x >> 31)) % n);
}

/* From -n to n. */
static int64_t spread(struct bot *b, unsigned n)
{
	return roll(b, 2 * n + 1) - n;
}

static struct mole_point mm_of(const struct mole_coins *coins, unsigned coin)
{
	struct mole_point p = {mole_nm(coins->coin[coin].x) / MOLE_MM,
	                       mole_nm(coins->coin[coin].y) / MOLE_MM};

	return p;
}

static unsigned mm(int64_t nm)
{
	return (unsigned)(nm / MOLE_MM);
}

/* --- flicks to try ----------------------------------------------------- */

/* Somewhere on the board, at a coin or a little beside it, or (the mole) over the line. */
static struct mole_point draw_point(struct bot *b, unsigned coin)
{
	const struct mole_board *board = &b->s->setup.board;
	struct mole_point at = mm_of(&b->coins, coin);
	unsigned other = (unsigned)roll(b, MOLE_COINS);
	int64_t way = roll(b, 8);

	if (b->level == 0 || way == 0)
		return (struct mole_point){roll(b, 1 + mm(board->width)),
		                           roll(b, 1 + mm(board->length))};
	if (coin == MOLE && way < 5)
		return (struct mole_point){at.x + spread(b, 60), at.y + 60 + roll(b, 90)};
	if (coin != MOLE && way < 6)
		other = MOLE;
	if (other == coin || !b->coins.coin[other].on)
		return (struct mole_point){at.x + spread(b, 60), at.y + spread(b, 60)};
	at = mm_of(&b->coins, other);
	return (struct mole_point){at.x + spread(b, 14), at.y + spread(b, 14)};
}

static bool is_legal(const struct bot *b, const struct mole_order *f)
{
	int64_t dx = f->to.x - mole_nm(b->start.coin[f->coin].x);
	int64_t dy = f->to.y - mole_nm(b->start.coin[f->coin].y);
	const int64_t reach = (int64_t)REACH_MM * MOLE_MM;

	return (dx || dy) && dx * dx + dy * dy <= reach * reach &&
	       (f->coin != MOLE || mole_gad_allows(&b->gad, dx, dy));
}

static bool draw_flick(struct bot *b, unsigned coin, struct mole_order *f)
{
	int64_t limit = b->s->setup.range[b->s->now.side];
	struct mole_point mm = draw_point(b, coin);

	memset(f, 0, sizeof *f);
	f->coin = coin;
	f->to = (struct mole_point){mm.x * MOLE_MM, mm.y * MOLE_MM};
	/* Full force or a part of it, in whole mm. */
	f->range = roll(b, 2) ? limit : (1 + roll(b, (unsigned)(limit / MOLE_MM))) * MOLE_MM;
	return is_legal(b, f);
}

/* --- what a position is worth ------------------------------------------ */

/*
 * How far a mignette could push the mole towards one side, in mm: a hit gives it 0.6 of its
 * speed, so 0.36 of the run it has left, and less of that the more it comes from elsewhere.
 */
static int64_t push_of(const struct mole_setup *setup, struct mole_point m, struct mole_point p,
                       bool to_left)
{
	int64_t dx = m.x - p.x, dy = m.y - p.y;
	int64_t d = mole_root(dx * dx + dy * dy) + 1;
	int64_t run = setup->range[SIDE_MIGNETTES] / MOLE_MM - d;
	int64_t along = 100 * (to_left ? -dx : dx) / d;

	if (along < ASLANT)
		along = ASLANT;
	return run > 0 ? run * PUSH * along / 10000 : 0;
}

/* How much further than its way to the nearer edge all mignettes together could push it. */
static int64_t danger(const struct mole_setup *setup, const struct mole_coins *coins,
                      struct mole_point m)
{
	int64_t left = -m.x, right = m.x - setup->board.width / MOLE_MM;

	if (mole_zone_touched(&setup->board, m.x * MOLE_MM, m.y * MOLE_MM, mole_radius(MOLE)))
		return 0;
	for (unsigned i = 1; i < MOLE_COINS; i++) {
		struct mole_point p = mm_of(coins, i);

		if (!coins->coin[i].on)
			continue;
		left += push_of(setup, m, p, true);
		right += push_of(setup, m, p, false);
	}
	left = left > right ? left : right;
	return left > -NEARLY ? left + NEARLY : 0;
}

/* To the mole's player, when the game goes on. */
static int64_t worth_of(const struct mole_setup *setup, const struct mole_coins *coins)
{
	struct mole_point m = mm_of(coins, MOLE);
	int64_t value = 3 * m.y - 12 * danger(setup, coins, m) -
	                200 * (int64_t)mole_alive(coins);

	if (setup->loup && m.y * MOLE_MM < setup->board.loup)
		value -= 200;
	for (unsigned i = 1; i < MOLE_COINS; i++) {
		struct mole_point p = mm_of(coins, i);
		int64_t aside = p.x < m.x ? m.x - p.x : p.x - m.x;

		/* A mignette in front of it is in its way. */
		if (coins->coin[i].on && p.y > m.y && aside < FAR_MM)
			value -= 2 * (FAR_MM - aside);
	}
	return value;
}

static int64_t value_of(const struct bot *b, const struct mole_played *p)
{
	int64_t sign = b->s->now.side == SIDE_MOLE ? 1 : -1;

	switch (mole_gain(p->end, b->s->now.side)) {
	case GAIN_MOLE:
		return sign * WON;
	case GAIN_MIGNETTES:
		return -sign * WON;
	case GAIN_TIE:
		return 0;
	case GAIN_NONE:
		break;
	}
	return sign * worth_of(&b->s->setup, &p->after);
}

/* --- choosing ---------------------------------------------------------- */

/* How it would be after these orders, from where the coins lie in its head. */
static int64_t imagine(const struct bot *b, const struct mole_orders *o,
                       struct mole_coins *then)
{
	struct mole_position from = {b->coins, b->s->now.side, b->s->now.first_go};
	struct mole_played p;

	mole_play(&b->s->setup, &from, o, NULL, NULL, NULL, &p);
	if (p.nflicks)
		*then = p.flicks[0].after;
	return value_of(b, &p);
}

static void add_flick(struct mole_orders *o, const struct mole_order *f)
{
	o->flicks[o->nflicks++] = *f;
}

/* Anything at all, and now and then nothing. */
static bool any_flick(struct bot *b, unsigned coin, bool may_stay, struct mole_orders *out)
{
	struct mole_order f;

	memset(out, 0, sizeof *out);
	if (may_stay && roll(b, 6) == 0)
		return false;
	for (unsigned i = 0; i < 40; i++) {
		if (!draw_flick(b, coin, &f))
			continue;
		add_flick(out, &f);
		out->taupiniere = coin == MOLE && roll(b, 9) == 0;
		return true;
	}
	return false;
}

/* The best of a few flicks, and of staying where that is allowed; with TAUPINIERE if it helps. Level 0: anything. */
static bool some_flick(struct bot *b, unsigned coin, bool may_stay, struct mole_orders *best)
{
	unsigned count = tries[b->s->now.side][b->level];
	struct mole_orders stay = {.nflicks = 0};
	struct mole_coins then = b->coins, now = b->coins;
	int64_t most = b->level && may_stay ? imagine(b, &stay, &now) : INT64_MIN;
	bool found = false;

	if (b->level == 0)
		return any_flick(b, coin, may_stay, best);
	for (unsigned i = 0; i < count && most < WON; i++) {
		struct mole_orders o = {.nflicks = 0};
		struct mole_order f;
		int64_t value;

		if (!draw_flick(b, coin, &f))
			continue;
		add_flick(&o, &f);
		o.taupiniere = coin == MOLE && i % 4 == 3;
		value = imagine(b, &o, &now);
		if (value <= most)
			continue;
		most = value;
		*best = o;
		then = now;
		found = true;
	}
	b->coins = then;
	return found;
}

/* A whole millimetre between two sides of the nichee, so far from both that a mignette fits. */
static int64_t draw_place(struct bot *b, int64_t low, int64_t high)
{
	unsigned first = mm(low + mole_radius(1)) + 1, last = mm(high - mole_radius(1));

	return (first + roll(b, last < first ? 1 : last - first + 1)) * MOLE_MM;
}

/* Mostly the usual places; else anywhere that is allowed. */
static void draw_places(struct bot *b, struct mole_orders *o)
{
	const struct mole_rect *n = &b->s->setup.board.nichee;
	struct mole_orders tried;
	struct mole_coins coins;

	if (!b->s->now.first_go || roll(b, 3))
		return;
	memset(&tried, 0, sizeof tried);
	coins = b->coins;
	for (unsigned i = 1; i < MOLE_COINS; i++) {
		tried.placed[i] = roll(b, 2) == 1;
		tried.place[i].x = draw_place(b, n->x0, n->x1);
		tried.place[i].y = draw_place(b, n->y0, n->y1);
	}
	mole_put(&coins, &tried);
	if (!mole_places_ok(&b->s->setup.board, &coins, NULL))
		return;
	memcpy(o->placed, tried.placed, sizeof o->placed);
	memcpy(o->place, tried.place, sizeof o->place);
	b->coins = coins;
}

/* Who goes first is drawn: an order that is always the same could be foreseen. */
static void order_mignettes(struct bot *b, struct mole_orders *o)
{
	unsigned first = (unsigned)roll(b, 3);

	draw_places(b, o);
	b->start = b->coins;
	for (unsigned i = 0; i < 3; i++) {
		unsigned coin = 1 + (first + i) % 3;
		struct mole_orders one;

		if (b->coins.coin[MOLE].on && b->coins.coin[coin].on &&
		    some_flick(b, coin, true, &one))
			add_flick(o, &one.flicks[0]);
	}
}

void mole_sample_orders(const struct game_state *s, unsigned seat, unsigned level,
                        const struct tables *tables, struct chance *chance,
                        struct strbuf *canonical)
{
	struct bot b = {.s = s,
	                .coins = s->now.coins,
	                .start = s->now.coins,
	                .gad = mole_gad(&s->now.coins),
	                .level = level < 3 ? level : 3};
	struct mole_orders o;

	(void)tables;
	memset(&o, 0, sizeof o);
	b.dice = chance_pick(chance, SEED_SIDES, "thoughts of seat %u", seat);
	if (s->now.side == SIDE_MOLE) {
		bool may_stay = b.gad.count == 0 || b.gad.stuck;

		if (!some_flick(&b, MOLE, may_stay, &o) && !may_stay)
			o.concede = true;
	} else
		order_mignettes(&b, &o);
	mole_write_orders(&o, &s->now, canonical);
}

/* --- what bots of the present version look at --------------------------- */

const struct bot_effort mole_efforts[BOT_LEVEL_EXAMPLE + 1] = {
    {.policy = 0},
    {.policy = 1},
    {.policy = 2},
    {1, "3", 8, 2, 60, false},
    {1, "3321", 16, 3, 300, false},
    {2, "3321", 32, 4, 1000, false},
    {2, "33321", 80, 4, 6000, true},
    {.policy = SAMPLE_LEVEL_BEST},
};

void mole_estimate(const struct game_state *s, int64_t worth[MAX_SEATS + 1])
{
	enum { POINT = 1200, HAS_MOLE = 600, MOST = 1500 };
	int64_t value = worth_of(&s->setup, &s->now.coins) / 2;

	for (unsigned seat = 1; seat <= SEATS; seat++)
		worth[seat] = POINT * (int64_t)s->seats[seat].points;
	if (value > MOST)
		value = MOST;
	worth[s->mole_seat] += HAS_MOLE + (value < -MOST ? -MOST : value);
}
