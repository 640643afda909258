/*
 * growth.c - the same work on a server with few games and on one with many.
 *
 * Work per run is to grow with new mail and due turns, not with the number of games that are stored.
 * 2,000 order mails and 1,000 turns that are due are taken from a server with 1,000 running games and
 * from one with 100,000, where hardly two of them fall on neighbouring rows. Both lie in the cache of
 * the kernel; printed are time and processor time of the one divided by those of the other.
 *
 * BENCH_GAMES=100000 BENCH_ROUNDS=5
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "processor/base/err.h"
#include "tests/support/bench.h"
#include "tests/support/crowd.h"
#include "tests/support/scratch.h"
#include "tests/support/testbed_files.h"

enum { FEW = 1000, MAILS = 2000, TURNS = 1000 };

struct growth {
	struct testbed *few, *many;
	unsigned games; /* of the many */
};

static void again(struct testbed *s)
{
	testbed_files_restore(s);
	testbed_files_unread(s);
	testbed_files_settle();
}

static void few_again(void *ctx)
{
	again(((struct growth *)ctx)->few);
}

static void many_again(void *ctx)
{
	again(((struct growth *)ctx)->many);
}

static void run_few(void *ctx)
{
	crowd_run(((struct growth *)ctx)->few);
}

static void run_many(void *ctx)
{
	crowd_run(((struct growth *)ctx)->many);
}

static void compare(struct growth *g, unsigned rounds, const char *what)
{
	struct bench_side few = {.name = "few", .prepare = few_again, .run = run_few},
			  many = {.name = "many", .prepare = many_again, .run = run_many};
	char line[100];

	testbed_files_keep(g->few);
	testbed_files_keep(g->many);
	bench_pair(&few, &many, rounds, g);
	printf("growth: %s, %d games %.3f s, %u games %.3f s; processor time %.3f and %.3f s\n",
	       what, FEW, bench_median(&few, rounds), g->games, bench_median(&many, rounds),
	       bench_median_cpu(&few, rounds), bench_median_cpu(&many, rounds));
	snprintf(line, sizeof line, "growth: %s, time with more games", what);
	bench_at_most(line, bench_median(&many, rounds) / bench_median(&few, rounds), 1.5);
}

static void start_without_mails(struct testbed *s)
{
	char *cur = testbed_path(s, "mail/cur");

	testbed_files_restore(s);
	scratch_remove(testbed_path(s, "mail/cur"));
	ENSURE(mkdir(cur, 0700) == 0);
	free(cur);
}

static void check(const struct testbed *s, const char *sql, int64_t wanted)
{
	int64_t found = crowd_number(s, sql);

	if (found != wanted)
		BUG("%s: %lld, not %lld", sql, (long long)found, (long long)wanted);
}

int main(void)
{
	struct growth g = {.games = bench_size("BENCH_GAMES", 100000)};
	unsigned rounds = bench_size("BENCH_ROUNDS", 5);

	g.few = testbed_files_new_release();
	g.many = testbed_files_new_release();
	crowd_games(g.few, FEW);
	crowd_games(g.many, g.games);
	crowd_mails(g.few, FEW, MAILS, programs_add_lean);
	crowd_mails(g.many, g.games, MAILS, programs_add_lean);
	compare(&g, rounds, "2,000 order mails");
	check(g.few, "SELECT count(*) FROM orders", MAILS);
	check(g.many, "SELECT count(*) FROM orders", MAILS);

	/* The same servers without those mails and their orders; those of all seats of 1,000 games. */
	start_without_mails(g.few);
	start_without_mails(g.many);
	crowd_orders_apart(g.few, TURNS, FEW / TURNS);
	crowd_orders_apart(g.many, TURNS, g.games / TURNS);
	compare(&g, rounds, "1,000 turns");
	check(g.few, "SELECT count(*) FROM turns WHERE serial = 2", TURNS);
	check(g.many, "SELECT count(*) FROM turns WHERE serial = 2", TURNS);
	testbed_free(g.few);
	testbed_free(g.many);
	return 0;
}
