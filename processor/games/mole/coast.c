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
 */
#include "processor/games/mole/coast.h"

#include <stdbool.h>

#include "processor/games/mole/physics.h"

enum { A = MOLE_FRICTION, STRIDE_LEAST = 12, STEPS_BETWEEN = 24 };

/* Of a coin: parts of the speed without their signs, its floor, the loss in a tick, and the way. */
struct slide {
	int64_t u, w, s, qu, qw, du, dw;
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

/* One tick; false when the coin stands after it. */
static bool slow(struct slide *c)
{
	if (c->s <= A) {
		c->du += c->u / 2;
		c->dw += c->w / 2;
		c->u = c->w = 0;
		return false;
	}
	c->qu = settle_quotient(c->qu, c->u * A, c->s);
	c->qw = settle_quotient(c->qw, c->w * A, c->s);
	c->du += c->u - (c->qu + 1) / 2;
	c->dw += c->w - (c->qw + 1) / 2;
	c->u -= c->qu;
	c->w -= c->qw;
	c->s = settle_root(c->s - A, c->u * c->u + c->w * c->w);
	return c->u != 0 || c->w != 0;
}

/* Whether part `v` of a speed s loses q, for all speeds down to `least`. */
static bool loses(int64_t v, int64_t q, int64_t s, int64_t least)
{
	return v * A >= q * (s + 1) && v * A + s * A / (least - 1) + 1 <= (q + 1) * s;
}

/* Along an axis speed and floor are the same, and exactly A is lost. */
static bool is_straight(const struct slide *c)
{
	return (c->w == 0 && c->qu == A && c->qw == 0) ||
	       (c->u == 0 && c->qw == A && c->qu == 0);
}

/* Whether the loss of this tick and of one with the parts u, w and all between is the same. */
static bool same_loss(const struct slide *c, int64_t u, int64_t w)
{
	int64_t s;

	if (is_straight(c))
		return u + w > A + 1;
	if (u <= 0 || w <= 0)
		return false;
	s = mole_root(u * u + w * w);
	return s > A + 1 && loses(c->u, c->qu, c->s, s) && loses(u, c->qu, s, s) &&
	       loses(c->w, c->qw, c->s, s) && loses(w, c->qw, s, s);
}

/* n ticks with the same loss, if it is sure that it stays the same. */
static bool stride(struct slide *c, int64_t n)
{
	int64_t u = c->u - (n - 1) * c->qu, w = c->w - (n - 1) * c->qw;

	if (!same_loss(c, u, w))
		return false;
	c->du += n * (c->u - (c->qu + 1) / 2) - c->qu * (n * (n - 1) / 2);
	c->dw += n * (c->w - (c->qw + 1) / 2) - c->qw * (n * (n - 1) / 2);
	c->u = u - c->qu;
	c->w = w - c->qw;
	c->s = mole_root(c->u * c->u + c->w * c->w);
	return true;
}

/* As long a stride as there is, none: 0. */
static unsigned longest_stride(struct slide *c, unsigned most)
{
	int64_t n = c->s / A - 2;

	if (n < STRIDE_LEAST || !(is_straight(c) || (loses(c->u, c->qu, c->s, c->s) &&
	                                             loses(c->w, c->qw, c->s, c->s))))
		return 0;
	if (n > most)
		n = most;
	for (; n >= STRIDE_LEAST; n /= 4)
		if (stride(c, n))
			return (unsigned)n;
	return 0;
}

static unsigned slide(struct slide *c, unsigned most)
{
	unsigned n = 0;

	while (n < most) {
		n += longest_stride(c, most - n);
		for (unsigned i = 0; i < STEPS_BETWEEN && n < most; i++) {
			n++;
			if (!slow(c))
				return n;
		}
	}
	return n;
}

unsigned mole_coast(int64_t *x, int64_t *y, int64_t *vx, int64_t *vy, unsigned most)
{
	struct slide c = {.u = *vx < 0 ? -*vx : *vx, .w = *vy < 0 ? -*vy : *vy};
	unsigned n;

	c.s = mole_root(c.u * c.u + c.w * c.w);
	c.qu = c.s ? c.u * A / c.s : 0;
	c.qw = c.s ? c.w * A / c.s : 0;
	n = slide(&c, most);
	*x += *vx < 0 ? -c.du : c.du;
	*y += *vy < 0 ? -c.dw : c.dw;
	*vx = *vx < 0 ? -c.u : c.u;
	*vy = *vy < 0 ? -c.w : c.w;
	return n;
}
