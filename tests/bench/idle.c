/*
 * idle.c - a cron run that finds nothing to do: no mail, nothing due, nothing to send.
 *
 * Measured against a process that only opens and closes the same database, and against itself with
 * a thousand times as many games stored.
 *
 * BENCH_ROUNDS=61 BENCH_GAMES=1000000
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/strbuf.h"
#include "tests/support/bench.h"
#include "tests/support/crowd.h"
#include "tests/support/scratch.h"
#include "tests/support/testbed_files.h"

enum { FEW = 1000, RUNS = 10 /* each measurement, since one takes two milliseconds */ };

extern char **environ;

struct idle {
	struct testbed *few, *many;
	char *peer, *database;
};

static void spawn_and_wait(char *const argv[])
{
	pid_t pid;
	int status;

	ENSURE(posix_spawn(&pid, argv[0], NULL, NULL, argv, environ) == 0);
	ENSURE(waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 0);
}

static void run_idle(struct testbed *s)
{
	char *const argv[] = {s->program, (char[]){"-C"}, s->dir, (char[]){"run"}, NULL};

	for (int i = 0; i < RUNS; i++)
		spawn_and_wait(argv);
}

static void run_few(void *ctx)
{
	run_idle(((struct idle *)ctx)->few);
}

static void run_many(void *ctx)
{
	run_idle(((struct idle *)ctx)->many);
}

static void run_peer(void *ctx)
{
	struct idle *in = ctx;
	char *const argv[] = {in->peer, in->database, NULL};

	for (int i = 0; i < RUNS; i++)
		spawn_and_wait(argv);
}

/*
 * Rows as a server has them after years: most games over and counted for the ratings, one in ten
 * running with an open turn whose deadline lies ahead, mails read and sent. What is sealed is noise of the
 * usual length.
 */
static void fill(struct testbed *s, unsigned games)
{
	static const char rows[] =
	    "PRAGMA synchronous = OFF; BEGIN;"
	    "CREATE TEMP TABLE n AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
	    "FROM c"
	    " WHERE i < %u) SELECT i FROM c;"
	    "INSERT INTO sources (id, url) VALUES (1, 'maildir:mail');"
	    "INSERT INTO players (id, address, name, created_utc)"
	    " SELECT i, 'p' || i || '@example.net', 'p' || i, 1 FROM n;"
	    "INSERT INTO games (id, letter, kind, rules_version, options, title, status, "
	    "nseats, next_s,"
	    " is_private, created_utc, started_utc, ended_utc, secret_hash, sealed_secret, "
	    "serial, counted)"
	    " SELECT i, 'W', 'Whakka Mole', 1, 'holes=9', '', iif(i %% 10 = 0, 1, 3), 3, "
	    "86400, 0, 1, 1,"
	    " 0, randomblob(32), randomblob(72), 1, i %% 10 > 0 FROM n;"
	    "INSERT INTO seats (game, seat, player, bot_level, name, salt, joined_utc, "
	    "confirmed, resigned,"
	    " token_generation, mails, missed) SELECT i, s.column1, 1 + (i + s.column1) %% %u, "
	    "-1,"
	    " 'name', '', 1, 1, 0, 0, 3, 0 FROM n, (VALUES (1), (2), (3)) s;"
	    "INSERT INTO turns (game, serial, parent, state, label, owes, opened_utc, "
	    "deadline_utc, stopped)"
	    " SELECT i, s.column1, 0, iif(s.column1 = 0 OR i %% 10, 3, 0), 'turn 1', 7, 1, "
	    "4000000000,"
	    " i %% 10 > 0 FROM n, (VALUES (0), (1)) s;"
	    "INSERT INTO results (game, serial, sealed_hash, sealed_state, sealed_chance)"
	    " SELECT i, 0, randomblob(72), randomblob(400), randomblob(80) FROM n;"
	    "INSERT INTO inbox (id, source, transport_id, content, arrived_utc, handled_utc, "
	    "player, game,"
	    " serial, seat, verdict, purge_utc) SELECT i, 1, 'mail' || i, randomblob(16), 1, "
	    "1, i, i, 1, 1,"
	    " 'orders', 0 FROM n;"
	    "INSERT INTO outbox (id, kind, game, serial, seat, player, number, rcpt, "
	    "message_id, created_utc,"
	    " state, attempts, next_try_utc, answer) SELECT i, 'report', i, 1, 1, i, 1, "
	    "'p@example.net',"
	    " '<' || hex(randomblob(13)) || '.m@example.org>', 1, 4, 1, NULL, '' FROM n;"
	    "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)";
	struct strbuf sql = STRBUF_INIT;

	strbuf_addf(&sql, rows, games, games);
	crowd_sql(s, sql.ptr);
	strbuf_release(&sql);
}

static struct testbed *testbed_with(unsigned games)
{
	struct testbed *s = testbed_files_new_release();

	fill(s, games);
	run_idle(s);
	return s;
}

static void compare(struct bench_side *a, struct bench_side *b, unsigned rounds,
                    struct idle *in, const char *what, double limit)
{
	double a_s, b_s;

	bench_pair(a, b, rounds, in);
	a_s = bench_median(a, rounds) / RUNS;
	b_s = bench_median(b, rounds) / RUNS;
	printf("idle: %s %.3f ms, %s %.3f ms\n", a->name, a_s * 1e3, b->name, b_s * 1e3);
	bench_at_most(what, b_s / a_s, limit);
}

static char *peer_path(void)
{
	const char *build = env_get("MOLEPOST_BUILD");

	return scratch_path(build ? build : "build", "tests/support/open_close");
}

int main(void)
{
	unsigned rounds = bench_size("BENCH_ROUNDS", 61),
		 games = bench_size("BENCH_GAMES", 1000000);
	struct bench_side peer = {.name = "opening and closing", .run = run_peer};
	struct bench_side few = {.name = "an idle run", .run = run_few};
	struct bench_side small = {.name = "a thousand games", .run = run_few};
	struct bench_side large = {.name = "a thousand times as many", .run = run_many};
	struct idle in = {.few = testbed_with(FEW), .peer = peer_path()};

	in.database = testbed_path(in.few, "molepost.db");
	compare(&peer, &few, rounds, &in,
	        "idle: a run against opening and closing the database", 3);
	in.many = testbed_with(games);
	compare(&small, &large, rounds, &in, "idle: with a thousand times the games", 1.2);
	testbed_free(in.few);
	testbed_free(in.many);
	free(in.peer);
	free(in.database);
	return 0;
}
