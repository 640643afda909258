/*
 * flicks.c - coins that slide, meet and fall: flicks a second, and against a plain loop.
 *
 * The peer moves four coins and slows them down, tick by tick as the rules say it, for as many
 * ticks as the flicks took; it knows no pairs, edges or walls. Also printed: the mean and the longest
 * time of a flick.
 *
 * BENCH_FLICKS=2000 BENCH_ROUNDS=5
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/strbuf.h"
#include "tests/support/bench.h"
#include "tests/support/boards.h"
#include "tests/support/mole_plain.h"
#include "tests/support/play.h"

struct flick {
	struct mole_board board;
	struct mole_coins coins;
	struct mole_launch launch;
	unsigned ticks;
};

struct flicks {
	struct flick *items;
	unsigned count;
	int64_t sink;
};

static int64_t draw_nm(uint64_t *dice, unsigned mm)
{
	return (int64_t)play_draw(dice, mm * 100) * 10000;
}

/* Full force, at another coin every other time: what takes longest. */
static void draw_flick(uint64_t *dice, struct flick *f)
{
	struct mole_wobble steady = {0, 0};
	unsigned coin = play_draw(dice, MOLE_COINS), other = play_draw(dice, MOLE_COINS);
	int64_t run = coin == 0 ? 130000000 : 300000000;

	f->board = boards_named(play_draw(dice, MOLE_BOARDS));
	do {
		int64_t x = draw_nm(dice, 300), y = draw_nm(dice, 600);

		for (unsigned i = 0; i < MOLE_COINS; i++)
			f->coins.coin[i] = (struct mole_coin){true,
			                                      draw_nm(dice, 300) * MOLE_SCALE,
			                                      draw_nm(dice, 600) * MOLE_SCALE};
		if (play_draw(dice, 2) && other != coin) {
			x = mole_nm(f->coins.coin[other].x);
			y = mole_nm(f->coins.coin[other].y);
		}
		if (mole_aim(&f->coins, coin, x, y, run, steady, &f->launch))
			return;
	} while (true);
}

static struct flicks draw_flicks(unsigned count)
{
	struct flicks f = {.items = xcalloc(count, sizeof *f.items), .count = count};
	uint64_t dice = 1;

	for (unsigned i = 0; i < count; i++)
		draw_flick(&dice, &f.items[i]);
	return f;
}

static void run_ours(void *ctx)
{
	struct flicks *f = ctx;

	for (unsigned i = 0; i < f->count; i++) {
		struct mole_coins coins = f->items[i].coins;
		struct mole_run run;

		mole_slide(&f->items[i].board, &coins, &f->items[i].launch, NULL, &run);
		f->items[i].ticks = run.ticks;
		f->sink += coins.coin[0].x;
	}
}

static void run_peer(void *ctx)
{
	struct flicks *f = ctx;

	for (unsigned i = 0; i < f->count; i++)
		f->sink += mole_plain_loop(&f->items[i].launch, f->items[i].ticks);
}

static double longest(const struct flicks *f)
{
	double most = 0;

	for (unsigned i = 0; i < f->count; i++) {
		struct mole_coins coins = f->items[i].coins;
		struct mole_run run;
		double from = bench_now();

		mole_slide(&f->items[i].board, &coins, &f->items[i].launch, NULL, &run);
		from = bench_now() - from;
		if (from > most)
			most = from;
	}
	return most;
}

int main(void)
{
	struct flicks f = draw_flicks(bench_size("BENCH_FLICKS", 2000));
	unsigned rounds = bench_size("BENCH_ROUNDS", 5);
	struct bench_side peer = {.name = "plain loop", .run = run_peer};
	struct bench_side ours = {.name = "flicks", .run = run_ours};
	double ours_s, peer_s, ticks = 0;

	run_ours(&f);
	for (unsigned i = 0; i < f.count; i++)
		ticks += f.items[i].ticks;
	bench_pair(&peer, &ours, rounds, &f);
	ours_s = bench_median(&ours, rounds);
	peer_s = bench_median(&peer, rounds);
	printf(
	    "flicks: %u flicks of %.0f ticks each, %.1f us a flick, %.0f a second; the longest "
	    "%.2f ms\n",
	    f.count, ticks / f.count, ours_s / f.count * 1e6, f.count / ours_s,
	    longest(&f) * 1e3);
	bench_at_most("flicks: time against a loop that only moves four coins", ours_s / peer_s,
	              3.0);
	bench_at_most("flicks: ms a flick", ours_s / f.count * 1e3, 1.0);
	free(f.items);
	return f.sink == 1;
}
