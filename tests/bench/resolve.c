/*
 * resolve.c - ten thousand turns of Whakka Mole for three, all due at once.
 *
 * The peer makes the same reads and writes in SQLite and nothing else: no rules, no reports, no
 * seals. Also counted: commits, and what a set of orders takes in the database.
 *
 * BENCH_TURNS=10000 BENCH_ROUNDS=5
 */
#include <stdio.h>
#include <stdlib.h>

#include "processor/base/err.h"
#include "processor/base/strbuf.h"
#include "tests/support/bare_rows.h"
#include "tests/support/bench.h"
#include "tests/support/crowd.h"
#include "tests/support/disk_calls.h"
#include "tests/support/site_files.h"

#include "processor/base/banned.h"

struct resolving {
	struct site *site;
	char *database;
	struct bare_rows *rows;
};

static void start_again(void *ctx)
{
	struct resolving *r = ctx;

	site_files_restore(r->site);
	site_files_settle();
}

static void run_molepost(void *ctx)
{
	crowd_run(((struct resolving *)ctx)->site);
}

static void run_peer(void *ctx)
{
	struct resolving *r = ctx;

	bare_rows_write(r->rows, r->database);
}

static void check_reported(const struct resolving *r, unsigned turns)
{
	int64_t n = crowd_number(r->site, "SELECT count(*) FROM turns WHERE serial = 1 AND state = 3");

	if (n != turns)
		BUG("%lld of %u turns were reported", (long long)n, turns);
}

static void measure_speed(struct resolving *r, unsigned turns, unsigned rounds)
{
	struct bench_side peer = { "peer", start_again, run_peer, { 0 } };
	struct bench_side ours = { "molepost", start_again, run_molepost, { 0 } };
	double theirs_s, ours_s;

	bench_pair(&peer, &ours, rounds, r);
	check_reported(r, turns);
	theirs_s = bench_median(&peer, rounds);
	ours_s = bench_median(&ours, rounds);
	printf("resolve: %u turns, %.3f s (%.0f a second); reads and writes alone %.3f s\n", turns,
	       ours_s, turns / ours_s, theirs_s);
	bench_at_least("resolve: speed against reads and writes alone", theirs_s / ours_s, 0.4);
}

static void count_commits(struct resolving *r, unsigned turns)
{
	struct disk_calls calls;

	start_again(r);
	disk_calls_of(r->site, "run --no-send", "", &calls);
	bench_at_most("resolve: database syncs per 50 turns", calls.fdatasyncs * 50.0 / turns, 1);
}

/*
 * The payload of the table's rows, all columns and the seal included; then the same with everything
 * around it, whole pages with their free space.
 */
static void weigh_orders(const struct resolving *r)
{
	double text = (double)crowd_number(r->site, "SELECT sum(length(sealed_text) - 16) FROM orders");
	double row = (double)crowd_number(r->site, "SELECT sum(payload) FROM dbstat WHERE name = 'orders'");
	double pages = (double)crowd_number(r->site, "SELECT sum(pgsize) FROM dbstat WHERE name = 'orders'");

	bench_at_most("resolve: bytes of a row of orders per byte of its text", row / text, 3);
	printf("resolve: whole pages of the table per byte of text %.3f\n", pages / text);
}

int main(void)
{
	unsigned turns = bench_size("BENCH_TURNS", 10000);
	struct resolving r = { .site = site_files_new_release() };

	crowd_games(r.site, turns);
	crowd_orders(r.site, turns);
	r.database = site_path(r.site, "molepost.db");
	site_files_keep(r.site);
	weigh_orders(&r);
	crowd_run(r.site);
	r.rows = bare_rows_load(r.database, turns);
	measure_speed(&r, turns, bench_size("BENCH_ROUNDS", 5));
	count_commits(&r, turns);
	bare_rows_free(r.rows);
	site_free(r.site);
	free(r.database);
	return 0;
}
