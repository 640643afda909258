/*
 * coast.c - free sliding without a division or a root in each tick.
 *
 * The rules give for one tick, with A the friction and s the floor of the speed:
 *
 *	N = V - V*A/s    P += (V+N)/2    V = N       (s <= A: N = 0)
 *
 * Division is toward zero, so signs can be put aside. What V loses in a tick, the floor
 * of V*A/s, is nearly the same as in the tick before, and s falls by nearly A: the old values are
 * put right by comparing products, which needs neither division nor root.
 *
 * Better still, while the loss (qx, qy) stays the same, V falls in a straight line and P
 * follows a sum of squares: many ticks in one step, stride(). Let L be the true speed, s <= L < s+1.
 * The loss is qx as long as
 *
 *	qx <= f and f + A/(s-1) <= qx + 1     with f = A*Vx/L,
 *
 * since Vx*A/s lies between f and f*L/(L-1) <= f + A/(L-1). Along a straight line in a quadrant
 * that misses the origin the direction of V turns one way, so f has its extremes at
 * the ends of the stride, and A/(s-1) is largest at its last tick. Both ends are tried, with s
 * and s+1 in place of L on the safe side. The same for y.
 *
 * What the floors drop turns V a little, until one f comes to a whole number m and stays
 * there: that loss goes to and fro between m-1 and m, stagger(). Which one it is needs no quotient:
 *
 *	Vx*A/s >= m  if and only if  s <= t, that is V*V < (t+1)^2,  with t = Vx*A/m,
 *
 * and t goes on by sums alone. That the other loss stays, and this one keeps to m-1 and m, is
 * tried at the three corners between which V moves.
 */
#include "processor/games/mole/coast.h"

#include <stdbool.h>

#include "processor/games/mole/physics.h"

enum { A = MOLE_FRICTION, STRIDE_LEAST = 12, STAGGER_LEAST = 16, STEPS_BETWEEN = 12 };

/* One part of a coin's motion, without its sign: speed, loss in a tick, way. */
struct part {
	int64_t v, q, way;
};

/* Of a coin: its parts, and the floor of its speed. */
struct slide {
	struct part x, y;
	int64_t s;
};

/* The root of n, near s. */
static int64_t settle_root(int64_t s, int64_t n)
{
	while (s * s > n)
		s--;
	while ((s + 1) * (s + 1) <= n)
		s++;
	return s;
}

/* The speed with these parts, about `guess`: one step of Newton's brings it next to the floor. */
static int64_t speed(int64_t guess, int64_t u, int64_t w)
{
	int64_t n = u * u + w * w;

	return settle_root((guess + n / guess) / 2, n);
}

/* The floor of n / s, near q. */
static int64_t settle_quotient(int64_t q, int64_t n, int64_t s)
{
	int64_t rest = n - q * s;

	for (; rest < 0; rest += s)
		q--;
	for (; rest >= s; rest -= s)
		q++;
	return q;
}

static void lose(struct part *p)
{
	p->way += p->v - (p->q + 1) / 2;
	p->v -= p->q;
}

/* One tick; false when the coin stands after it. */
static bool slow(struct slide *c)
{
	if (c->s <= A) {
		c->x.way += c->x.v / 2;
		c->y.way += c->y.v / 2;
		c->x.v = c->y.v = 0;
		return false;
	}
	c->x.q = settle_quotient(c->x.q, c->x.v * A, c->s);
	c->y.q = settle_quotient(c->y.q, c->y.v * A, c->s);
	lose(&c->x);
	lose(&c->y);
	c->s = settle_root(c->s - A, c->x.v * c->x.v + c->y.v * c->y.v);
	return c->x.v != 0 || c->y.v != 0;
}

/* --- the same loss ----------------------------------------------------- */

/* Whether part `v` of a speed s loses from q up to `most`, for all speeds down to `least`. */
static bool loses(int64_t v, int64_t q, int64_t most, int64_t s, int64_t least)
{
	return v * A >= q * (s + 1) && v * A + s * A / (least - 1) + 1 <= (most + 1) * s;
}

static bool loses_now(const struct part *p, int64_t s)
{
	return loses(p->v, p->q, p->q, s, s);
}

/* Along an axis speed and floor are the same, and exactly A is lost. */
static bool is_straight(const struct slide *c)
{
	return (c->y.v == 0 && c->x.q == A && c->y.q == 0) ||
	       (c->x.v == 0 && c->y.q == A && c->x.q == 0);
}

/* Whether the loss of this tick and of one with the parts u, w and all between is the same. */
static bool same_loss(const struct slide *c, int64_t guess, int64_t u, int64_t w)
{
	int64_t s;

	if (is_straight(c))
		return u + w > A + 1;
	if (u <= 0 || w <= 0)
		return false;
	s = speed(guess, u, w);
	return s > A + 1 && loses(c->x.v, c->x.q, c->x.q, c->s, s) &&
	       loses(u, c->x.q, c->x.q, s, s) && loses(c->y.v, c->y.q, c->y.q, c->s, s) &&
	       loses(w, c->y.q, c->y.q, s, s);
}

static void lose_often(struct part *p, int64_t n)
{
	p->way += n * (p->v - (p->q + 1) / 2) - p->q * (n * (n - 1) / 2);
	p->v -= n * p->q;
}

/* n ticks with the same loss, if it is sure that it stays the same. */
static bool stride(struct slide *c, int64_t n)
{
	int64_t guess = c->s - (n - 1) * A;

	if (!same_loss(c, guess, c->x.v - (n - 1) * c->x.q, c->y.v - (n - 1) * c->y.q))
		return false;
	lose_often(&c->x, n);
	lose_often(&c->y, n);
	c->s = speed(guess - A, c->x.v, c->y.v);
	return true;
}

/* As long a stride as there is, none: 0. */
static unsigned longest_stride(struct slide *c, unsigned most)
{
	int64_t n = c->s / A - 2;

	if (!is_straight(c) && !(loses_now(&c->x, c->s) && loses_now(&c->y, c->s)))
		return 0;
	if (n > most)
		n = most;
	for (; n >= STRIDE_LEAST; n /= 4)
		if (stride(c, n))
			return (unsigned)n;
	return 0;
}

/* --- a loss that goes to and fro --------------------------------------- */

/* p loses m-1 or m, q keeps its loss, for n ticks? */
static bool may_stagger(const struct slide *c, const struct part *p, const struct part *q,
                        int64_t m, int64_t n)
{
	int64_t guess = c->s - (n - 1) * A, w = q->v - (n - 1) * q->q;
	int64_t low = p->v - (n - 1) * m, high = low + n - 1;
	int64_t s[2];

	if (low <= 0 || w <= 0)
		return false;
	s[0] = speed(guess, low, w);
	s[1] = speed(guess, high, w);
	return s[0] > A + 1 && loses(q->v, q->q, q->q, c->s, s[0]) &&
	       loses(w, q->q, q->q, s[0], s[0]) && loses(w, q->q, q->q, s[1], s[0]) &&
	       loses(p->v, m - 1, m, c->s, s[0]) && loses(low, m - 1, m, s[0], s[0]) &&
	       loses(high, m - 1, m, s[1], s[0]);
}

/* The branch is foreseen nearly always, so it costs less than reckoning without one. */
static void stagger(struct slide *c, struct part *p, struct part *q, int64_t m, int64_t n)
{
	const int64_t more = A / m, rest = A % m;
	int64_t u = p->v, w = q->v, t = u * A / m, over = u * A % m, way = 0;

	for (int64_t i = 0; i < n; i++) {
		way += u;
		if (u * u + w * w < (t + 1) * (t + 1)) {
			way -= (m + 1) / 2;
			u -= m;
			t -= A;
		} else {
			way -= m / 2;
			u -= m - 1;
			t += more - A;
			over += rest;
			t += over >= m;
			over -= over >= m ? m : 0;
		}
		w -= q->q;
	}
	lose_often(q, n);
	p->v = u;
	p->way += way;
	c->s = speed(c->s - n * A, u, w);
	p->q = u * A / c->s;
}

/* The whole number next to p's f, if p is the part that staggers. */
static unsigned stagger_part(struct slide *c, struct part *p, struct part *q, unsigned most)
{
	int64_t rest = p->v * A - p->q * c->s;
	int64_t m = rest * 2 < c->s ? p->q : p->q + 1;
	int64_t n = c->s / A / 4;

	if (m < 2 || !loses_now(q, c->s))
		return 0;
	if (n > most)
		n = most;
	for (; n >= STAGGER_LEAST; n /= 4) {
		if (!may_stagger(c, p, q, m, n))
			continue;
		stagger(c, p, q, m, n);
		return (unsigned)n;
	}
	return 0;
}

static unsigned longest_stagger(struct slide *c, unsigned most)
{
	unsigned n = stagger_part(c, &c->x, &c->y, most);

	return n ? n : stagger_part(c, &c->y, &c->x, most);
}

/* ----------------------------------------------------------------------- */

/* 0: not now, or too slow for it. */
static unsigned many_ticks(struct slide *c, unsigned most)
{
	unsigned n = c->s > STRIDE_LEAST * A ? longest_stride(c, most) : 0;

	if (n == 0 && c->s > STAGGER_LEAST * A)
		n = longest_stagger(c, most);
	return n;
}

static unsigned slide(struct slide *c, unsigned most)
{
	unsigned n = 0, done;

	while (n < most) {
		while ((done = many_ticks(c, most - n)) > 0)
			n += done;
		for (unsigned i = 0; i < STEPS_BETWEEN && n < most; i++) {
			n++;
			if (!slow(c))
				return n;
		}
	}
	return n;
}

static struct part part_of(int64_t v, int64_t s)
{
	struct part p = {.v = v < 0 ? -v : v};

	p.q = s ? p.v * A / s : 0;
	return p;
}

static void go(int64_t *place, int64_t *v, const struct part *p)
{
	*place += *v < 0 ? -p->way : p->way;
	*v = *v < 0 ? -p->v : p->v;
}

unsigned mole_coast(int64_t *x, int64_t *y, int64_t *vx, int64_t *vy, unsigned most)
{
	struct slide c = {.s = mole_root(*vx * *vx + *vy * *vy)};
	unsigned n;

	c.x = part_of(*vx, c.s);
	c.y = part_of(*vy, c.s);
	n = slide(&c, most);
	go(x, vx, &c.x);
	go(y, vy, &c.y);
	return n;
}
