/*
 * test_mole_physics.c - sliding coins: the fast way against the plain one, and what must
 * hold for any flick.
 *
 * SEED=n and FLICKS=n in the environment choose the random flicks.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/num.h"
#include "processor/games/mole/coast.h"
#include "processor/games/mole/physics.h"
#include "tests/support/boards.h"
#include "tests/support/chosen.h"
#include "tests/support/mole_plain.h"
#include "tests/support/play.h"

SUITE_OF_KIND(mole_physics, "mole");

enum { STEP = 10000, TOLERANCE = 5000 };

static unsigned env_number(const char *name, unsigned otherwise)
{
	const char *text = env_get(name);
	unsigned n = otherwise;

	cr_assert(!text || num_parse_uint(span_of(text), 0, 100000000, &n), "%s is no number",
	          name);
	return n;
}

/* One flick, drawn. */
struct shot {
	struct mole_board board;
	struct mole_coins coins;
	struct mole_launch launch;
};

static int64_t draw(uint64_t *dice, unsigned n)
{
	return play_draw(dice, n);
}

/* Anywhere on the board; half of the mignettes near the mole, so that much happens. */
static void put_coin(uint64_t *dice, const struct mole_board *board, struct mole_coins *coins,
                     unsigned i)
{
	struct mole_coin *c = &coins->coin[i], *m = &coins->coin[0];

	c->on = true;
	c->x = draw(dice, (unsigned)(board->width / STEP)) * STEP * MOLE_SCALE +
	       draw(dice, STEP * 400);
	c->y = draw(dice, (unsigned)(board->length / STEP)) * STEP * MOLE_SCALE +
	       draw(dice, STEP * 400);
	if (i > 0 && play_draw(dice, 2) && m->y > 60000000LL * MOLE_SCALE &&
	    m->x > 60000000LL * MOLE_SCALE) {
		c->x = m->x - draw(dice, 6000) * STEP * MOLE_SCALE;
		c->y = m->y - draw(dice, 6000) * STEP * MOLE_SCALE;
	}
}

static bool draw_shot(uint64_t *dice, struct shot *s)
{
	struct mole_wobble steady = {0, 0};
	unsigned coin;

	memset(s, 0, sizeof *s);
	s->board = boards_some(dice);
	for (unsigned i = 0; i < MOLE_COINS; i++)
		if (i == 0 || play_draw(dice, 5))
			put_coin(dice, &s->board, &s->coins, i);
	coin = play_draw(dice, MOLE_COINS);
	if (!s->coins.coin[coin].on)
		coin = 0;
	if (play_draw(dice, 5) == 0)
		steady.aside = draw(dice, 2400) - 1200;
	return mole_aim(&s->coins, coin, (draw(dice, 90000) - 30000) * STEP,
	                (draw(dice, 120000) - 30000) * STEP, (draw(dice, 60000) + 1) * STEP,
	                steady, &s->launch);
}

static void expect_same(const struct mole_coins *a, const struct mole_coins *b, unsigned nth,
                        unsigned seed)
{
	for (unsigned i = 0; i < MOLE_COINS; i++)
		cr_assert(a->coin[i].on == b->coin[i].on && a->coin[i].x == b->coin[i].x &&
		              a->coin[i].y == b->coin[i].y,
		          "flick %u of seed %u: coin %u at %lld %lld, plainly %lld %lld", nth,
		          seed, i, (long long)a->coin[i].x, (long long)a->coin[i].y,
		          (long long)b->coin[i].x, (long long)b->coin[i].y);
}

Test(mole_physics, any_flick_comes_out_as_the_plain_ticks_have_it)
{
	unsigned seed = env_number("SEED", 1),
		 flicks = env_number("FLICKS", chosen_long() ? 1500 : 400);
	uint64_t dice = seed;

	for (unsigned n = 0; n < flicks; n++) {
		struct mole_run run, plain;
		struct mole_coins coins;
		struct shot s;

		if (!draw_shot(&dice, &s))
			continue;
		coins = s.coins;
		mole_slide(&s.board, &s.coins, &s.launch, NULL, &run);
		mole_plain_slide(&s.board, &coins, &s.launch, &plain, NULL);
		expect_same(&s.coins, &coins, n, seed);
		cr_assert_eq(run.ticks, plain.ticks, "flick %u of seed %u", n, seed);
		cr_assert_eq(run.toucher, plain.toucher, "flick %u of seed %u", n, seed);
		cr_assert_arr_eq(run.fell, plain.fell, sizeof run.fell);
		cr_assert_arr_eq(run.fell_at, plain.fell_at, sizeof run.fell_at);
	}
}

/* Speeds a flick has and such as a push leaves, down to a single unit. */
Test(mole_physics, a_coin_that_meets_nothing_coasts_as_the_plain_ticks_have_it)
{
	static const unsigned sizes[] = {3, 40, 40000, 400000, 5000000, 400000000};
	unsigned seed = env_number("SEED", 1), coasts = env_number("FLICKS", 4000);
	uint64_t dice = seed;

	for (unsigned n = 0; n < coasts; n++) {
		unsigned most = 1 + play_draw(&dice, n % 10 == 0 ? 12000 : 900);
		int64_t v[2], a[4] = {0, 0, 0, 0}, b[4] = {0, 0, 0, 0};
		unsigned ticks;

		for (int i = 0; i < 2; i++)
			v[i] = draw(&dice, sizes[play_draw(&dice, 6)]) *
			       (play_draw(&dice, 2) ? 1 : -1);
		a[2] = b[2] = v[0];
		a[3] = b[3] = v[1];
		if (v[0] == 0 && v[1] == 0)
			continue;
		ticks = mole_coast(&a[0], &a[1], &a[2], &a[3], most);
		mole_plain_coast(&b[0], &b[1], &b[2], &b[3], ticks);
		cr_assert_arr_eq(a, b, sizeof a, "coast %u of seed %u, %lld %lld for %u", n,
		                 seed, (long long)v[0], (long long)v[1], most);
		cr_assert(ticks == most || (a[2] == 0 && a[3] == 0));
	}
}

Test(mole_physics, energy_never_grows_and_every_flick_ends)
{
	unsigned seed = env_number("SEED", 2);
	uint64_t dice = seed;

	for (unsigned n = 0; n < 400; n++) {
		struct mole_run run;
		struct shot s;
		double growth;

		if (!draw_shot(&dice, &s))
			continue;
		mole_plain_slide(&s.board, &s.coins, &s.launch, &run, &growth);
		cr_assert_lt(growth, 1e-6, "flick %u of seed %u grew by %g", n, seed, growth);
		cr_assert_lt(run.ticks, (unsigned)MOLE_MOST_TICKS, "flick %u of seed %u", n,
		             seed);
	}
}

static int64_t overlap(const struct mole_coins *coins, unsigned a, unsigned b)
{
	int64_t dx = mole_nm(coins->coin[b].x - coins->coin[a].x);
	int64_t dy = mole_nm(coins->coin[b].y - coins->coin[a].y);

	if (!coins->coin[a].on || !coins->coin[b].on)
		return 0;
	return mole_radius(a) + mole_radius(b) - mole_root(dx * dx + dy * dy);
}

static bool overlaps(const struct mole_coins *coins, int64_t by)
{
	for (unsigned a = 0; a < MOLE_COINS; a++)
		for (unsigned b = a + 1; b < MOLE_COINS; b++)
			if (overlap(coins, a, b) > by)
				return true;
	return false;
}

/* 0.005 mm: far below anything a player can write, or Gad looks at. */
Test(mole_physics, coins_at_rest_do_not_overlap)
{
	unsigned seed = env_number("SEED", 3), most = 0, flicks = chosen_long() ? 20000 : 2000;
	uint64_t dice = seed;

	for (unsigned n = 0; n < flicks; n++) {
		struct mole_run run;
		struct shot s;

		if (!draw_shot(&dice, &s) || overlaps(&s.coins, 0) || s.board.nwalls)
			continue;
		mole_slide(&s.board, &s.coins, &s.launch, NULL, &run);
		cr_assert_not(overlaps(&s.coins, TOLERANCE), "flick %u of seed %u", n, seed);
		most++;
	}
	cr_assert_gt(most, flicks / 10);
}

Test(mole_physics, coins_that_nothing_meets_stay_where_they_are)
{
	unsigned seed = env_number("SEED", 4);
	uint64_t dice = seed;

	for (unsigned n = 0; n < (chosen_long() ? 3000 : 800); n++) {
		struct mole_coins before;
		struct mole_run run;
		struct shot s;

		if (!draw_shot(&dice, &s) || overlaps(&s.coins, 0) || s.board.nwalls)
			continue;
		before = s.coins;
		mole_slide(&s.board, &s.coins, &s.launch, NULL, &run);
		for (unsigned i = 0; i < MOLE_COINS; i++) {
			bool met = i == s.launch.coin;

			for (size_t k = 0; k < run.ncontacts; k++)
				met = met || run.contacts[k].a == i || run.contacts[k].b == i;
			cr_assert(met || run.ncontacts == MOLE_MOST_CONTACTS ||
			              (before.coin[i].x == s.coins.coin[i].x &&
			               before.coin[i].y == s.coins.coin[i].y),
			          "flick %u of seed %u: coin %u", n, seed, i);
		}
	}
}

static void mirror(struct shot *s)
{
	for (unsigned i = 0; i < MOLE_COINS; i++)
		if (s->coins.coin[i].on)
			s->coins.coin[i].x = s->board.width * MOLE_SCALE - s->coins.coin[i].x;
	s->launch.vx = -s->launch.vx;
}

/* Exactly where nothing is met: q() rounds toward zero, so a contact may come out 1 nm aside. */
static void expect_mirrored(const struct shot *a, const struct shot *b, unsigned ncontacts,
                            unsigned n, unsigned seed)
{
	int64_t most = ncontacts == 0 ? 0 : 1000LL * MOLE_SCALE;

	for (unsigned i = 0; i < MOLE_COINS; i++) {
		const struct mole_coin *p = &a->coins.coin[i], *q = &b->coins.coin[i];
		int64_t dx = p->x + q->x - a->board.width * MOLE_SCALE, dy = p->y - q->y;

		if (!p->on || !q->on)
			continue;
		cr_assert(dx >= -most && dx <= most && dy >= -most && dy <= most,
		          "flick %u of seed %u: coin %u is off by %lld, %lld", n, seed, i,
		          (long long)dx, (long long)dy);
	}
}

Test(mole_physics, mirrored_positions_give_mirrored_results)
{
	unsigned seed = env_number("SEED", 5), none = 0, one = 0;
	unsigned flicks = chosen_long() ? 4000 : 1000;
	uint64_t dice = seed;

	for (unsigned n = 0; n < flicks; n++) {
		struct mole_run run, other;
		struct shot s, m;

		if (!draw_shot(&dice, &s) || overlaps(&s.coins, 0))
			continue;
		s.board = boards_named(0);
		m = s;
		mirror(&m);
		mole_slide(&s.board, &s.coins, &s.launch, NULL, &run);
		mole_slide(&m.board, &m.coins, &m.launch, NULL, &other);
		if (run.ncontacts > 1 || other.ncontacts != run.ncontacts)
			continue;
		/* A touch in passing turns on the last nm. */
		if (run.ncontacts == 1 && run.contacts[0].glancing)
			continue;
		expect_mirrored(&s, &m, (unsigned)run.ncontacts, n, seed);
		none += run.ncontacts == 0;
		one += run.ncontacts == 1;
	}
	cr_assert(none > flicks / 8 && one > flicks / 20, "%u without, %u with a contact", none,
	          one);
}

static void count_looks(void *ctx, unsigned tick, const struct mole_coins *coins)
{
	unsigned *looks = ctx;

	(void)coins;
	cr_assert_gt(tick, 0);
	++*looks;
}

Test(mole_physics, looking_on_changes_nothing)
{
	uint64_t dice = 6;

	for (unsigned n = 0; n < 300; n++) {
		unsigned looks = 0, every = 1 + play_draw(&dice, 900);
		struct mole_watch watch = {.see = count_looks, .ctx = &looks, .every = every};
		struct mole_run run, seen;
		struct mole_coins coins;
		struct shot s;

		if (!draw_shot(&dice, &s))
			continue;
		coins = s.coins;
		mole_slide(&s.board, &s.coins, &s.launch, NULL, &run);
		mole_slide(&s.board, &coins, &s.launch, &watch, &seen);
		expect_same(&s.coins, &coins, n, 6);
		cr_assert_eq(run.ticks, seen.ticks);
		cr_assert_eq(looks, seen.ticks / every);
	}
}
