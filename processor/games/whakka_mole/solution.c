/*
 * solution.c - Whakka Mole for two, solved.
 *
 * Between two players who know no habits of each other all holes are alike, so that a turn is how many moles
 * each puts up: k of H holes are hit with k/H. From the end backwards each pair of totals is a matrix game
 * over these numbers; what it is worth is what the turns before it are played for. Only totals that can still
 * come are worked out, some thousands, in a few milliseconds.
 *
 * Turns in which both put up none change nothing, and may go on to the last turn, so they are worth what
 * the game would be worth if it ended now.
 */
#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/whakka_mole/whakka.h"

enum {
	WON = 1 << 20,
	MOST_TOTALS = 64, /* points to the target that are worked out */
	TURNS_LEFT = 20,  /* fewer may matter, which is not in it */
	COUNTS = WHAKKA_HOLES + 1,
	REPEATS = 8, /* for turns in which nothing happens */
	ROUNDS = 400 /* of regret matching, where a matrix is larger than two by two */
};

/* Numbers of moles that are not worse than another whatever the other does. */
struct live {
	unsigned n, at[COUNTS];
};

struct solver {
	const struct whakka_setup *setup;
	unsigned base[2], left[2]; /* totals now, and what is missing to the target */
	int32_t *value;            /* WON: for the first of the two, by what each has gained */
	int64_t m[COUNTS][COUNTS]; /* of the pair of totals at hand */
	struct live rows, cols;
	int64_t play[COUNTS]; /* how often the first of the two puts up so many */
};

bool whakka_has_solution(const struct game_state *s)
{
	unsigned least = WHAKKA_TARGET;

	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (whakka_plays(s, seat) && s->seats[seat].total < least)
			least = s->seats[seat].total;
	return seat_count(whakka_owes(s)) == 2 && s->setup.whackpts > 0 &&
	       !s->setup.tokens_stay && !s->setup.ties_by_whacks &&
	       s->setup.target - least <= MOST_TOTALS && s->turn + TURNS_LEFT <= s->setup.turns;
}

static int64_t value_at(const struct solver *v, unsigned a, unsigned b)
{
	unsigned mine = v->base[0] + a, other = v->base[1] + b;

	if (a >= v->left[0] || b >= v->left[1])
		return mine > other ? WON : mine < other ? 0 : WON / 2;
	return v->value[a * v->left[1] + b];
}

/* The first puts up k, the other j; each whacks one hole of the other's sheet. */
static int64_t outcome(const struct solver *v, unsigned a, unsigned b, unsigned k, unsigned j)
{
	const int64_t holes = v->setup->holes;
	const unsigned w = v->setup->whackpts;

	return ((holes - k) * (holes - j) * value_at(v, a + k, b + j) +
	        k * (holes - j) * value_at(v, a, b + j + w) +
	        (holes - k) * j * value_at(v, a + k + w, b) +
	        (int64_t)k * j * value_at(v, a + w, b + w)) /
	       (holes * holes);
}

static bool row_is_worse(const struct solver *v, unsigned row, unsigned than)
{
	for (unsigned c = 0; c < v->cols.n; c++)
		if (v->m[row][v->cols.at[c]] > v->m[than][v->cols.at[c]])
			return false;
	return true;
}

static bool col_is_worse(const struct solver *v, unsigned col, unsigned than)
{
	for (unsigned r = 0; r < v->rows.n; r++)
		if (v->m[v->rows.at[r]][col] < v->m[v->rows.at[r]][than])
			return false;
	return true;
}

typedef bool worse_fn(const struct solver *v, unsigned one, unsigned than);

static bool drop_worse(const struct solver *v, struct live *l, worse_fn *is_worse)
{
	for (unsigned i = 0; i < l->n; i++)
		for (unsigned k = 0; k < l->n; k++)
			if (i != k && is_worse(v, l->at[i], l->at[k])) {
				l->at[i] = l->at[--l->n];
				return true;
			}
	return false;
}

static void weigh(const int64_t *regret, unsigned n, int64_t *weight)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += regret[i];
	for (unsigned i = 0; i < n; i++)
		weight[i] = sum ? regret[i] * 65536 / sum : 65536 / n;
}

/* Regret matching, later rounds counting more; what the mean is worth against the mean. */
static int64_t match(struct solver *v)
{
	const struct live *r = &v->rows, *c = &v->cols;
	int64_t regret[2][COUNTS] = {{0}}, w[2][COUNTS], sum[2][COUNTS] = {{0}}, worth = 0;

	for (int64_t round = 1; round <= ROUNDS; round++) {
		int64_t got[2][COUNTS] = {{0}}, mean = 0;

		weigh(regret[0], r->n, w[0]);
		weigh(regret[1], c->n, w[1]);
		for (unsigned i = 0; i < r->n; i++)
			for (unsigned k = 0; k < c->n; k++) {
				int64_t x = v->m[r->at[i]][c->at[k]];

				got[0][i] += x * w[1][k] / 65536;
				got[1][k] += x * w[0][i] / 65536;
			}
		for (unsigned i = 0; i < r->n; i++)
			mean += got[0][i] * w[0][i] / 65536;
		for (unsigned i = 0; i < r->n; i++) {
			int64_t g = regret[0][i] + got[0][i] - mean;

			regret[0][i] = g > 0 ? g : 0;
			sum[0][i] += round * w[0][i];
		}
		for (unsigned k = 0; k < c->n; k++) {
			int64_t g = regret[1][k] + mean - got[1][k];

			regret[1][k] = g > 0 ? g : 0;
			sum[1][k] += round * w[1][k];
		}
	}
	weigh(sum[0], r->n, w[0]);
	weigh(sum[1], c->n, w[1]);
	for (unsigned i = 0; i < r->n; i++)
		for (unsigned k = 0; k < c->n; k++)
			worth += v->m[r->at[i]][c->at[k]] * w[0][i] / 65536 * w[1][k] / 65536;
	memset(v->play, 0, sizeof v->play);
	for (unsigned i = 0; i < r->n; i++)
		v->play[r->at[i]] = w[0][i];
	return worth;
}

/* What the matrix at hand is worth; leaves how the first of the two plays it in `play`. */
static int64_t solve(struct solver *v, unsigned most)
{
	v->rows.n = v->cols.n = most + 1;
	for (unsigned i = 0; i <= most; i++)
		v->rows.at[i] = v->cols.at[i] = i;
	while (drop_worse(v, &v->rows, row_is_worse) || drop_worse(v, &v->cols, col_is_worse)) {
	}
	if (v->rows.n == 1 || v->cols.n == 1) {
		memset(v->play, 0, sizeof v->play);
		v->play[v->rows.at[0]] = 1;
		return v->m[v->rows.at[0]][v->cols.at[0]];
	}
	return match(v);
}

static bool has_none(const struct live *l)
{
	for (unsigned i = 0; i < l->n; i++)
		if (l->at[i] == 0)
			return true;
	return false;
}

static void solve_totals(struct solver *v, unsigned a, unsigned b)
{
	unsigned most = v->setup->maxtokens, mine = v->base[0] + a, other = v->base[1] + b;
	int64_t worth = mine > other ? WON : mine < other ? 0 : WON / 2;

	for (unsigned k = 0; k <= most; k++)
		for (unsigned j = 0; j <= most; j++)
			if (k + j > 0)
				v->m[k][j] = outcome(v, a, b, k, j);
	for (unsigned i = 0; i < REPEATS; i++) {
		v->m[0][0] = worth;
		worth = solve(v, most);
		if (!has_none(&v->rows) || !has_none(&v->cols))
			break;
	}
	v->value[a * v->left[1] + b] = (int32_t)worth;
}

void whakka_solve(const struct game_state *s, unsigned seat, unsigned weights[WHAKKA_HOLES + 1])
{
	unsigned other = whakka_left_of(s, seat);
	struct solver v = {.setup = &s->setup,
	                   .base = {s->seats[seat].total, s->seats[other].total}};

	for (unsigned i = 0; i < 2; i++)
		v.left[i] = s->setup.target - v.base[i];
	v.value = xcalloc((size_t)v.left[0] * v.left[1], sizeof *v.value);
	for (unsigned a = v.left[0]; a-- > 0;)
		for (unsigned b = v.left[1]; b-- > 0;)
			solve_totals(&v, a, b);
	for (unsigned k = 0; k <= WHAKKA_HOLES; k++)
		weights[k] = (unsigned)v.play[k];
	free(v.value);
}
