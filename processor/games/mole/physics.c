/*
 * physics.c - the ticks of a flick.
 *
 * A tick in full is in tick_all(), step by step as the rules have it. Most ticks need
 * none of that: nothing is near anything, and the coins only slow down. How long that is sure
 * to last is worked out by quiet_ticks(); those ticks go through coast.c, which
 * gives the same bytes in a fraction of the time. A test holds both against a plain
 * transcription of the rules.
 */
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/mole/coast.h"
#include "processor/games/mole/physics.h"

enum { ONE = 65536, CLOSE_TICKS = 160, NEAR_NM = 4 };

static const unsigned pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

struct body {
	bool on;
	int64_t x, y, vx, vy;
};

struct sim {
	const struct mole_board *board;
	struct body body[MOLE_COINS];
	struct mole_run *run;
	unsigned tick;
};

static int64_t mass(unsigned coin)
{
	return coin == 0 ? 2 : 1;
}

static int64_t magnitude(int64_t n)
{
	return n < 0 ? -n : n;
}

int64_t mole_root(int64_t n)
{
	int64_t root, next;

	if (n < 2)
		return n < 0 ? 0 : n;
	/* From above Newton's steps only fall, and end at the floor. */
	next = (int64_t)1 << ((65 - __builtin_clzll((unsigned long long)n)) / 2);
	do {
		root = next;
		next = (root + n / root) / 2;
	} while (next < root);
	return root;
}

bool mole_aim(const struct mole_coins *coins, unsigned coin, int64_t tx, int64_t ty,
              int64_t run, struct mole_wobble wobble, struct mole_launch *out)
{
	int64_t dx = tx - mole_nm(coins->coin[coin].x);
	int64_t dy = ty - mole_nm(coins->coin[coin].y);
	int64_t l = mole_root(dx * dx + dy * dy);
	int64_t v0, ex, ey;

	if (l == 0)
		return false;
	run = run * (MOLE_WOBBLE_ONE + wobble.range) / MOLE_WOBBLE_ONE;
	ex = dx - dy * wobble.aside / MOLE_WOBBLE_ONE;
	ey = dy + dx * wobble.aside / MOLE_WOBBLE_ONE;
	l = mole_root(ex * ex + ey * ey);
	v0 = mole_root(16 * run * MOLE_SCALE * MOLE_SCALE);
	out->coin = coin;
	out->vx = ex * v0 / l;
	out->vy = ey * v0 / l;
	return true;
}

/* --- a tick in full ---------------------------------------------------- */

static bool moves(const struct body *b)
{
	return b->on && (b->vx != 0 || b->vy != 0);
}

static void slow_down(struct body *b)
{
	int64_t s = mole_root(b->vx * b->vx + b->vy * b->vy);
	int64_t nx = 0, ny = 0;

	if (s > MOLE_FRICTION) {
		nx = b->vx - b->vx * MOLE_FRICTION / s;
		ny = b->vy - b->vy * MOLE_FRICTION / s;
	}
	b->x += (b->vx + nx) / 2;
	b->y += (b->vy + ny) / 2;
	b->vx = nx;
	b->vy = ny;
}

static enum mole_edge edge_passed(const struct mole_board *board, const struct body *b)
{
	int64_t x = mole_nm(b->x), y = mole_nm(b->y);

	if (y > board->length)
		return EDGE_WIN;
	if (y < 0)
		return EDGE_REAR;
	if (x < 0)
		return EDGE_LEFT;
	if (x > board->width)
		return EDGE_RIGHT;
	if (b->y < 0)
		return EDGE_REAR;
	return b->x < 0 ? EDGE_LEFT : EDGE_NONE;
}

static void fall(struct sim *s, unsigned coin)
{
	struct body *b = &s->body[coin];
	enum mole_edge edge = edge_passed(s->board, b);

	if (edge == EDGE_NONE)
		return;
	memset(b, 0, sizeof *b);
	s->run->fell[coin] = edge;
	s->run->fell_at[coin] = s->tick;
}

static struct mole_contact *contact_of(struct mole_run *run, unsigned tick, unsigned a,
                                       unsigned b)
{
	for (size_t i = run->ncontacts; i > 0; i--) {
		struct mole_contact *c = &run->contacts[i - 1];

		if (c->a == a && c->b == b && tick - c->last <= CLOSE_TICKS)
			return c;
	}
	return NULL;
}

/* How two bodies moved against each other, and how much of that was straight at each other. */
struct speeds {
	int64_t vx, vy, square;
};

/* Body a met something whose centre (or, of a wall, nearest point) lies dx, dy from its own. */
static void note_contact(struct sim *s, unsigned a, unsigned b, int64_t dx, int64_t dy,
                         struct speeds v)
{
	struct mole_run *run = s->run;
	struct mole_contact *c = contact_of(run, s->tick, a, b);
	int64_t d = mole_root(dx * dx + dy * dy);

	if (a == 0 && b != MOLE_COINS)
		run->toucher = b;
	if (c) {
		c->last = s->tick;
		return;
	}
	if (run->ncontacts == MOLE_MOST_CONTACTS)
		return;
	c = &run->contacts[run->ncontacts++];
	*c = (struct mole_contact){.tick = s->tick,
	                           .a = a,
	                           .b = b,
	                           .ax = mole_nm(s->body[a].x),
	                           .ay = mole_nm(s->body[a].y),
	                           .last = s->tick,
	                           .glancing = v.square * v.square * 4 <
	                                       v.vx * v.vx + v.vy * v.vy};
	c->bx = c->ax + dx;
	c->by = c->ay + dy;
	c->x = c->ax + (d ? dx * mole_radius(a) / d : 0);
	c->y = c->ay + (d ? dy * mole_radius(a) / d : 0);
}

static bool within(int64_t dx, int64_t dy, int64_t reach)
{
	return magnitude(dx) <= reach && magnitude(dy) <= reach &&
	       dx * dx + dy * dy < reach * reach;
}

static void meet(struct sim *s, unsigned i, unsigned j)
{
	struct body *p = &s->body[i], *q = &s->body[j];
	int64_t dx = mole_nm(q->x - p->x), dy = mole_nm(q->y - p->y);
	int64_t reach = mole_radius(i) + mole_radius(j);
	int64_t mi = mass(i), mj = mass(j), both = mi + mj;
	int64_t d, nx, ny, rv, jolt, o;

	if (!within(dx, dy, reach))
		return;
	d = mole_root(dx * dx + dy * dy);
	if (d == 0)
		dx = d = 1;
	nx = dx * ONE / d;
	ny = dy * ONE / d;
	rv = ((p->vx - q->vx) * nx + (p->vy - q->vy) * ny) / ONE;
	if (rv > 0) {
		note_contact(s, i, j, dx, dy,
		             (struct speeds){p->vx - q->vx, p->vy - q->vy, rv});
		jolt = rv * (100 + MOLE_COIN_BOUNCE) / 100;
		p->vx -= jolt * mj / both * nx / ONE;
		p->vy -= jolt * mj / both * ny / ONE;
		q->vx += jolt * mi / both * nx / ONE;
		q->vy += jolt * mi / both * ny / ONE;
	}
	o = reach - d;
	p->x -= nx * o / 16 * mj / both;
	p->y -= ny * o / 16 * mj / both;
	q->x += nx * o / 16 * mi / both;
	q->y += ny * o / 16 * mi / both;
}

static int64_t clamp(int64_t n, int64_t low, int64_t high)
{
	if (n < low)
		return low;
	return n > high ? high : n;
}

static void bounce(struct sim *s, unsigned i, const struct mole_wall *w)
{
	struct body *b = &s->body[i];
	int64_t x = mole_nm(b->x), y = mole_nm(b->y);
	int64_t dx = x - clamp(x, w->x1, w->x2), dy = y - clamp(y, w->y1, w->y2);
	int64_t reach = mole_radius(i) + w->h;
	int64_t d, nx, ny, vn, jolt;

	if (!within(dx, dy, reach))
		return;
	d = mole_root(dx * dx + dy * dy);
	if (d == 0) {
		dy = -1;
		d = 1;
	}
	nx = dx * ONE / d;
	ny = dy * ONE / d;
	vn = (b->vx * nx + b->vy * ny) / ONE;
	if (vn < 0) {
		note_contact(s, i, MOLE_COINS, -dx, -dy, (struct speeds){b->vx, b->vy, vn});
		jolt = -vn * (100 + MOLE_WALL_BOUNCE) / 100;
		b->vx += jolt * nx / ONE;
		b->vy += jolt * ny / ONE;
	}
	b->x += nx * (reach - d) / 16;
	b->y += ny * (reach - d) / 16;
}

static void tick_all(struct sim *s)
{
	s->tick++;
	for (unsigned i = 0; i < MOLE_COINS; i++) {
		struct body *b = &s->body[i];

		if (!moves(b))
			continue;
		if (s->board->has_ramp &&
		    mole_rect_holds(&s->board->ramp, mole_nm(b->x), mole_nm(b->y)))
			b->vy -= MOLE_SLOPE;
		slow_down(b);
	}
	for (unsigned i = 0; i < MOLE_COINS; i++)
		if (s->body[i].on)
			fall(s, i);
	for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
		if (s->body[pairs[p][0]].on && s->body[pairs[p][1]].on)
			meet(s, pairs[p][0], pairs[p][1]);
	for (unsigned i = 0; i < MOLE_COINS; i++)
		for (size_t w = 0; s->body[i].on && w < s->board->nwalls; w++)
			bounce(s, i, &s->board->walls[w]);
}

/* --- how long nothing can happen --------------------------------------- */

/*
 * A coin only slows down while it meets nothing: in a tick it goes no further than its speed is
 * now, and neither part of its speed changes its sign. All distances below are taken
 * a little short.
 */

/* How many ticks a gap (nm) lasts when it closes by `speed` a tick at most. */
static int64_t lasts(int64_t gap, int64_t speed)
{
	if (gap <= NEAR_NM)
		return 0;
	return speed > 0 ? (gap - NEAR_NM) * MOLE_SCALE / speed : MOLE_MOST_TICKS;
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Along one axis: `to` is where the other lies, `closing` how fast it gets nearer. */
static int64_t apart_on_axis(int64_t to, int64_t v, int64_t reach)
{
	return lasts(magnitude(to) - reach, to < 0 ? -v : v);
}

/* Speeds towards higher numbers of i and towards lower ones of j, each if it has such. */
static int64_t closing(int64_t to, int64_t vi, int64_t vj)
{
	if (to < 0)
		return -(larger(-vi, 0) + larger(vj, 0));
	return larger(vi, 0) + larger(-vj, 0);
}

/* For two discs whose surrounding squares meet: as the crow flies. */
static int64_t apart_straight(int64_t dx, int64_t dy, int64_t speed, int64_t reach)
{
	int64_t d2 = dx * dx + dy * dy;

	if (d2 <= reach * reach)
		return 0;
	return lasts(mole_root(d2) - reach, speed);
}

static int64_t speed_sum(const struct body *b)
{
	return magnitude(b->vx) + magnitude(b->vy);
}

static int64_t pair_quiet(const struct sim *s, unsigned i, unsigned j)
{
	const struct body *p = &s->body[i], *q = &s->body[j];
	int64_t dx = mole_nm(q->x - p->x), dy = mole_nm(q->y - p->y);
	int64_t reach = mole_radius(i) + mole_radius(j);
	int64_t k;

	if (!moves(p) && !moves(q))
		return within(dx, dy, reach) ? 0 : MOLE_MOST_TICKS;
	k = larger(apart_on_axis(dx, closing(dx, p->vx, q->vx), reach),
	           apart_on_axis(dy, closing(dy, p->vy, q->vy), reach));
	if (k < 32)
		k = larger(k, apart_straight(dx, dy, speed_sum(p) + speed_sum(q), reach));
	return k;
}

static int64_t wall_quiet(const struct body *b, unsigned i, const struct mole_wall *w)
{
	int64_t x = mole_nm(b->x), y = mole_nm(b->y);
	int64_t dx = clamp(x, w->x1, w->x2) - x, dy = clamp(y, w->y1, w->y2) - y;
	int64_t reach = mole_radius(i) + w->h;
	int64_t k;

	if (!moves(b))
		return within(dx, dy, reach) ? 0 : MOLE_MOST_TICKS;
	k = larger(apart_on_axis(dx, closing(dx, b->vx, 0), reach),
	           apart_on_axis(dy, closing(dy, b->vy, 0), reach));
	return k < 32 ? larger(k, apart_straight(dx, dy, speed_sum(b), reach)) : k;
}

/* Until it may pass an edge; 0 when it has. */
static int64_t edge_quiet(const struct mole_board *board, const struct body *b)
{
	int64_t x = mole_nm(b->x), y = mole_nm(b->y);

	if (edge_passed(board, b) != EDGE_NONE)
		return 0;
	if (!moves(b))
		return MOLE_MOST_TICKS;
	return smaller(lasts(b->vx < 0 ? x : board->width - x, magnitude(b->vx)),
	               lasts(b->vy < 0 ? y : board->length - y, magnitude(b->vy)));
}

/* Until it may come onto the ramp; 0 while it is on it. */
static int64_t ramp_quiet(const struct mole_rect *ramp, const struct body *b)
{
	int64_t x = mole_nm(b->x), y = mole_nm(b->y);
	int64_t dx = clamp(x, ramp->x0, ramp->x1) - x;
	int64_t dy = clamp(y, ramp->y0, ramp->y1) - y;

	if (!moves(b))
		return MOLE_MOST_TICKS;
	return larger(apart_on_axis(dx, closing(dx, b->vx, 0), 0),
	              apart_on_axis(dy, closing(dy, b->vy, 0), 0));
}

static int64_t body_quiet(const struct sim *s, unsigned i)
{
	const struct body *b = &s->body[i];
	int64_t k = edge_quiet(s->board, b);

	if (s->board->has_ramp)
		k = smaller(k, ramp_quiet(&s->board->ramp, b));
	for (size_t w = 0; k > 0 && w < s->board->nwalls; w++)
		k = smaller(k, wall_quiet(b, i, &s->board->walls[w]));
	return k;
}

/* For so many ticks no coin meets, leaves or enters anything. */
static int64_t quiet_ticks(const struct sim *s)
{
	int64_t k = MOLE_MOST_TICKS;

	for (unsigned i = 0; k > 0 && i < MOLE_COINS; i++)
		if (s->body[i].on)
			k = smaller(k, body_quiet(s, i));
	for (size_t p = 0; k > 0 && p < sizeof pairs / sizeof *pairs; p++)
		if (s->body[pairs[p][0]].on && s->body[pairs[p][1]].on)
			k = smaller(k, pair_quiet(s, pairs[p][0], pairs[p][1]));
	return k;
}

/* --- a flick ----------------------------------------------------------- */

/* Up to k ticks in which nothing happens. */
static void coast_all(struct sim *s, unsigned k)
{
	unsigned most = 0;

	for (unsigned i = 0; i < MOLE_COINS; i++) {
		struct body *b = &s->body[i];
		unsigned n = moves(b) ? mole_coast(&b->x, &b->y, &b->vx, &b->vy, k) : 0;

		most = n > most ? n : most;
	}
	s->tick += most;
}

static bool any_moves(const struct sim *s)
{
	return moves(&s->body[0]) || moves(&s->body[1]) || moves(&s->body[2]) ||
	       moves(&s->body[3]);
}

static void copy_coins(const struct sim *s, struct mole_coins *coins)
{
	for (unsigned i = 0; i < MOLE_COINS; i++)
		coins->coin[i] = (struct mole_coin){s->body[i].on, s->body[i].x, s->body[i].y};
}

/* How many ticks may pass before somebody wants to look. */
static unsigned until_seen(const struct sim *s, const struct mole_watch *watch)
{
	unsigned left = MOLE_MOST_TICKS - s->tick;
	unsigned next;

	if (!watch)
		return left;
	next = watch->every - s->tick % watch->every;
	return next < left ? next : left;
}

static void step(struct sim *s, const struct mole_watch *watch, struct mole_coins *seen)
{
	int64_t quiet = quiet_ticks(s);
	unsigned most = until_seen(s, watch);

	if (quiet > 1 && any_moves(s))
		coast_all(s, (unsigned)smaller(quiet, most));
	else
		tick_all(s);
	if (watch && s->tick % watch->every == 0) {
		copy_coins(s, seen);
		watch->see(watch->ctx, s->tick, seen);
	}
}

void mole_slide(const struct mole_board *board, struct mole_coins *coins,
                const struct mole_launch *launch, const struct mole_watch *watch,
                struct mole_run *run)
{
	struct sim s = {.board = board, .run = run};

	memset(run, 0, sizeof *run);
	for (unsigned i = 0; i < MOLE_COINS; i++)
		s.body[i] = (struct body){
		    .on = coins->coin[i].on, .x = coins->coin[i].x, .y = coins->coin[i].y};
	ENSURE(s.body[launch->coin].on);
	s.body[launch->coin].vx = launch->vx;
	s.body[launch->coin].vy = launch->vy;
	do
		step(&s, watch, coins);
	while (any_moves(&s) && s.tick < MOLE_MOST_TICKS);
	run->ticks = s.tick;
	copy_coins(&s, coins);
}
