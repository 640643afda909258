/*
 * resolve.c - thousands of turns due at once: sealed, resolved, reported, the next ones opened.
 *
 * The peer makes the same calls of SQLite with the same bytes in the same transactions, taken from
 * a log of a real run (sql_log.h): no rules, no reports, no cryptography. Every game is Whakka Mole
 * for three, and each of its turns brings three reports. Also printed: turns a second of one
 * processor, the commits, and what a set of orders takes on the disk.
 *
 * BENCH_TURNS=10000 BENCH_ROUNDS=5
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "tests/support/bench.h"
#include "tests/support/crowd.h"
#include "tests/support/preload.h"
#include "tests/support/scratch.h"
#include "tests/support/sql_log.h"
#include "tests/support/testbed_files.h"

enum { SEAL_TAG_LEN = 16 }; /* what the seal of orders adds to their text */

struct resolve {
	struct testbed *testbed;
	unsigned turns;
	char *database, *log_file;
	struct sql_log log;
	double cpu_s[BENCH_MOST_ROUNDS];
	unsigned runs;
};

static void start_again(void *ctx)
{
	struct resolve *r = ctx;

	testbed_files_restore(r->testbed);
	testbed_files_settle();
}

static void check_turns(const struct resolve *r)
{
	int64_t open = crowd_number(r->testbed, "SELECT count(*) FROM turns WHERE serial = 2");
	int64_t mails =
	    crowd_number(r->testbed, "SELECT count(*) FROM outbox WHERE kind = 'report'");

	if (open != r->turns || mails < 3 * (int64_t)r->turns)
		BUG("%lld of %u turns were played, %lld reports", (long long)open, r->turns,
		    (long long)mails);
}

static void run_with(struct resolve *r, const char *const env[], struct ran *out)
{
	testbed_do(r->testbed, "run --no-send", env, out);
	if (out->code != 0 || out->out.len > 0 || out->err.len > 0)
		BUG("run ended with %d: %s%s", out->code, out->out.ptr, out->err.ptr);
}

static void run_molepost(void *ctx)
{
	struct resolve *r = ctx;
	struct ran out;

	run_with(r, NULL, &out);
	r->cpu_s[r->runs++] = (double)out.cpu_us / 1e6;
	ran_release(&out);
}

static void run_peer(void *ctx)
{
	struct resolve *r = ctx;

	sql_replay(&r->log, r->database);
}

/* Which calls of SQLite a run makes; and that the same calls give the same database. */
static void take_log(struct resolve *r)
{
	struct preload p;
	struct ran out;

	preload_init(&p, "sql_record.so", "MOLEPOST_SQL_LOG", r->log_file);
	start_again(r);
	run_with(r, p.env, &out);
	ran_release(&out);
	preload_release(&p);
	check_turns(r);
	r->log = sql_log_open(r->log_file);
	start_again(r);
	run_peer(r);
	check_turns(r);
}

static void measure_speed(struct resolve *r, unsigned rounds)
{
	struct bench_side peer = {.name = "peer", .prepare = start_again, .run = run_peer};
	struct bench_side ours = {
	    .name = "molepost", .prepare = start_again, .run = run_molepost};
	double theirs_s, ours_s, cpu_s = 0;

	bench_pair(&peer, &ours, rounds, r);
	check_turns(r);
	theirs_s = bench_median(&peer, rounds);
	ours_s = bench_median(&ours, rounds);
	for (unsigned i = 0; i < r->runs; i++)
		cpu_s += r->cpu_s[i] / r->runs;
	printf("resolve: %u turns with three reports each, %.3f s (%.0f turns a second, %.0f a "
	       "second of "
	       "one processor); the same in SQLite alone %.3f s\n",
	       r->turns, ours_s, r->turns / ours_s, r->turns / cpu_s, theirs_s);
	bench_at_least("resolve: speed against SQLite alone", theirs_s / ours_s, 0.4);
}

static void count_commits(const struct resolve *r)
{
	unsigned commits = sql_log_count(&r->log, "COMMIT");

	printf("resolve: %u commits for %u turns\n", commits, r->turns);
	bench_at_most("resolve: commits for 50 turns", 50.0 * commits / r->turns, 1.0);
}

/* What SQLite keeps for a row of orders, against the text in it. */
static void weigh_orders(const struct resolve *r)
{
	double sets = (double)crowd_number(r->testbed, "SELECT count(*) FROM orders");
	double stored = (double)crowd_number(r->testbed, "SELECT sum(payload) FROM dbstat"
	                                                 " WHERE name = 'orders'");
	double pages = (double)crowd_number(r->testbed, "SELECT sum(pgsize) FROM dbstat"
	                                                " WHERE name = 'orders'");
	double sealed =
	    (double)crowd_number(r->testbed, "SELECT sum(length(sealed_text)) FROM orders");
	double text = sealed - SEAL_TAG_LEN * sets;

	printf("resolve: orders of %.0f bytes take %.0f bytes a row, %.0f with all of their "
	       "pages\n",
	       text / sets, stored / sets, pages / sets);
	bench_at_most("resolve: bytes of a set of orders against its text", stored / text, 3.0);
}

int main(void)
{
	unsigned turns = bench_size("BENCH_TURNS", 10000);
	struct resolve r = {.testbed = testbed_files_new_release(), .turns = turns};

	r.database = testbed_path(r.testbed, "molepost.db");
	r.log_file = scratch_path(r.testbed->scratch, "sql.log");
	crowd_games(r.testbed, turns);
	crowd_orders(r.testbed, turns);
	testbed_files_keep(r.testbed);
	take_log(&r);
	measure_speed(&r, bench_size("BENCH_ROUNDS", 5));
	count_commits(&r);
	weigh_orders(&r);
	sql_log_close(&r.log);
	free(r.database);
	free(r.log_file);
	testbed_free(r.testbed);
	return 0;
}
