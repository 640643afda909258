/*
 * mole_plain.c - the ticks of a flick, transcribed.
 */
#include "tests/support/mole_plain.h"

#include <string.h>

struct plain {
	bool on[4];
	int64_t px[4], py[4], vx[4], vy[4];
};

static int64_t q(int64_t p)
{
	return p / 4096;
}

static int64_t isq(int64_t n)
{
	int64_t root = 0;

	for (int64_t bit = (int64_t)1 << 31; bit; bit >>= 1)
		if ((root + bit) * (root + bit) <= n)
			root += bit;
	return root;
}

static int64_t absolute(int64_t n)
{
	return n < 0 ? -n : n;
}

static bool alive(const struct plain *c, int i)
{
	return c->on[i] && (c->vx[i] != 0 || c->vy[i] != 0);
}

static void slow_down(struct plain *c, int i)
{
	int64_t s = isq(c->vx[i] * c->vx[i] + c->vy[i] * c->vy[i]);
	int64_t nx = 0, ny = 0;

	if (s > 32768) {
		nx = c->vx[i] - c->vx[i] * 32768 / s;
		ny = c->vy[i] - c->vy[i] * 32768 / s;
	}
	c->px[i] += (c->vx[i] + nx) / 2;
	c->py[i] += (c->vy[i] + ny) / 2;
	c->vx[i] = nx;
	c->vy[i] = ny;
}

static enum mole_edge edge(const struct mole_board *board, const struct plain *c, int i)
{
	if (q(c->py[i]) > board->length)
		return EDGE_WIN;
	if (q(c->py[i]) < 0)
		return EDGE_REAR;
	if (q(c->px[i]) < 0)
		return EDGE_LEFT;
	if (q(c->px[i]) > board->width)
		return EDGE_RIGHT;
	if (c->py[i] < 0)
		return EDGE_REAR;
	if (c->px[i] < 0)
		return EDGE_LEFT;
	return EDGE_NONE;
}

static int64_t radius(int i)
{
	return i == 0 ? 12950000 : 10150000;
}

static void pair(struct plain *c, int i, int j, struct mole_run *run)
{
	int64_t dx = q(c->px[j] - c->px[i]), dy = q(c->py[j] - c->py[i]);
	int64_t reach = radius(i) + radius(j), mi = i == 0 ? 2 : 1, mj = 1;
	int64_t d, nx, ny, rv, jolt, a, b, o;

	if (absolute(dx) > reach || absolute(dy) > reach || dx * dx + dy * dy >= reach * reach)
		return;
	d = isq(dx * dx + dy * dy);
	if (d == 0)
		dx = d = 1;
	nx = dx * 65536 / d;
	ny = dy * 65536 / d;
	rv = ((c->vx[i] - c->vx[j]) * nx + (c->vy[i] - c->vy[j]) * ny) / 65536;
	if (rv > 0) {
		if (i == 0)
			run->toucher = (unsigned)j;
		jolt = rv * 180 / 100;
		a = jolt * mj / (mi + mj);
		b = jolt * mi / (mi + mj);
		c->vx[i] -= a * nx / 65536;
		c->vy[i] -= a * ny / 65536;
		c->vx[j] += b * nx / 65536;
		c->vy[j] += b * ny / 65536;
	}
	o = reach - d;
	c->px[i] -= nx * o / 16 * mj / (mi + mj);
	c->py[i] -= ny * o / 16 * mj / (mi + mj);
	c->px[j] += nx * o / 16 * mi / (mi + mj);
	c->py[j] += ny * o / 16 * mi / (mi + mj);
}

static void wall(struct plain *c, int i, const struct mole_wall *w)
{
	int64_t x = q(c->px[i]), y = q(c->py[i]);
	int64_t nearest = x < w->x1 ? w->x1 : x > w->x2 ? w->x2 : x;
	int64_t nearest_y = y < w->y1 ? w->y1 : y > w->y2 ? w->y2 : y;
	int64_t dx = x - nearest, dy = y - nearest_y, reach = radius(i) + w->h;
	int64_t d, nx, ny, vn, jolt;

	if (absolute(dx) > reach || absolute(dy) > reach || dx * dx + dy * dy >= reach * reach)
		return;
	d = isq(dx * dx + dy * dy);
	if (d == 0) {
		dy = -1;
		d = 1;
	}
	nx = dx * 65536 / d;
	ny = dy * 65536 / d;
	vn = (c->vx[i] * nx + c->vy[i] * ny) / 65536;
	if (vn < 0) {
		jolt = -vn * 160 / 100;
		c->vx[i] += jolt * nx / 65536;
		c->vy[i] += jolt * ny / 65536;
	}
	c->px[i] += nx * (reach - d) / 16;
	c->py[i] += ny * (reach - d) / 16;
}

static void move_all(const struct mole_board *board, struct plain *c)
{
	for (int i = 0; i < 4; i++) {
		if (!alive(c, i))
			continue;
		if (board->has_ramp && q(c->px[i]) >= board->ramp.x0 &&
		    q(c->px[i]) <= board->ramp.x1 && q(c->py[i]) >= board->ramp.y0 &&
		    q(c->py[i]) <= board->ramp.y1)
			c->vy[i] -= 16384;
		slow_down(c, i);
	}
}

static void remove_fallen(const struct mole_board *board, struct plain *c, unsigned tick,
                          struct mole_run *run)
{
	for (int i = 0; i < 4; i++) {
		if (!c->on[i] || edge(board, c, i) == EDGE_NONE)
			continue;
		run->fell[i] = edge(board, c, i);
		run->fell_at[i] = tick;
		c->on[i] = false;
		c->px[i] = c->py[i] = c->vx[i] = c->vy[i] = 0;
	}
}

static void meet_all(const struct mole_board *board, struct plain *c, struct mole_run *run)
{
	static const int pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

	for (int p = 0; p < 6; p++)
		if (c->on[pairs[p][0]] && c->on[pairs[p][1]])
			pair(c, pairs[p][0], pairs[p][1], run);
	for (int i = 0; i < 4; i++)
		for (size_t w = 0; c->on[i] && w < board->nwalls; w++)
			wall(c, i, &board->walls[w]);
}

static double energy(const struct plain *c)
{
	double sum = 0;

	for (int i = 0; i < 4; i++)
		sum += (i == 0 ? 2.0 : 1.0) * ((double)c->vx[i] * (double)c->vx[i] +
		                               (double)c->vy[i] * (double)c->vy[i]);
	return sum;
}

void mole_plain_slide(const struct mole_board *board, struct mole_coins *coins,
                      const struct mole_launch *launch, struct mole_run *run, double *growth)
{
	struct plain c;
	unsigned tick = 0;
	double most = 0;

	memset(run, 0, sizeof *run);
	memset(&c, 0, sizeof c);
	for (int i = 0; i < 4; i++) {
		c.on[i] = coins->coin[i].on;
		c.px[i] = coins->coin[i].x;
		c.py[i] = coins->coin[i].y;
	}
	c.vx[launch->coin] = launch->vx;
	c.vy[launch->coin] = launch->vy;
	do {
		double before = energy(&c);

		tick++;
		move_all(board, &c);
		remove_fallen(board, &c, tick, run);
		meet_all(board, &c, run);
		/* A millionth of a nm a tick more is nothing, however slow the coins. */
		if (energy(&c) - before > most * before + 1e6)
			most = (energy(&c) - before) / before;
	} while ((alive(&c, 0) || alive(&c, 1) || alive(&c, 2) || alive(&c, 3)) &&
	         tick < 200000);
	run->ticks = tick;
	if (growth)
		*growth = most;
	for (int i = 0; i < 4; i++)
		coins->coin[i] = (struct mole_coin){c.on[i], c.px[i], c.py[i]};
}

void mole_plain_coast(int64_t *x, int64_t *y, int64_t *vx, int64_t *vy, unsigned ticks)
{
	struct plain c = {.px = {*x}, .py = {*y}, .vx = {*vx}, .vy = {*vy}};

	for (unsigned t = 0; t < ticks; t++)
		slow_down(&c, 0);
	*x = c.px[0];
	*y = c.py[0];
	*vx = c.vx[0];
	*vy = c.vy[0];
}

int64_t mole_plain_loop(const struct mole_launch *launch, unsigned ticks)
{
	struct plain c;
	int64_t sum = 0;

	memset(&c, 0, sizeof c);
	for (int i = 0; i < 4; i++) {
		c.on[i] = true;
		c.vx[i] = launch->vx;
		c.vy[i] = launch->vy;
	}
	for (unsigned t = 0; t < ticks; t++)
		for (int i = 0; i < 4; i++)
			slow_down(&c, i);
	for (int i = 0; i < 4; i++)
		sum += c.px[i] + c.py[i];
	return sum;
}
