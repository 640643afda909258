/*
 * postgresql.c - the same order mails and turns with the store in a file and on PostgreSQL.
 *
 * Three ways: SQLite; PostgreSQL on this machine, by its socket; and through a proxy in this process that adds
 * 2 ms to each round trip, as in a data centre. Printed are orders and turns a second, both as parts of what
 * SQLite does in the same run; how many round trips a batch of a hundred mails, a turn and a run without work take,
 * and by how much the database grows; and what a second machine adds when many turns are due. The server is started for
 * it: tests/support/on-postgresql.sh.
 *
 * BENCH_MAILS=2000 BENCH_ROUNDS=3
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "tests/support/bench.h"
#include "tests/support/crowd.h"
#include "tests/support/machines.h"
#include "tests/support/postgresql.h"
#include "tests/support/slow_line.h"
#include "tests/support/testbed_files.h"

enum {
	FAR_MS = 1, /* each way */
	FAR_PART = 2,
	BATCH_MAILS = 100,
	MACHINES = 2,
	CALL_US = 20 * 1000
};

struct bench_run {
	double orders_s, turns_s; /* seconds, the median */
	double mail_trips, batch_trips, create_trips, turn_trips, look_trips, send_trips,
	    idle_trips, move_trips;
	double mail_bytes, turn_bytes;
};

/* The same database, reached through the proxy. */
static char *far_url(const char *url, const struct slow_line *line)
{
	struct strbuf out = STRBUF_INIT;
	size_t name = strcspn(url, "@") + 2;

	strbuf_addf(&out, "postgresql://store@127.0.0.1:%u/%.*s?sslmode=disable",
	            slow_line_port(line), (int)strcspn(url + name, "?"), url + name);
	return strbuf_detach(&out);
}

static double timed_run(struct testbed *s, bool sends)
{
	double began = bench_now();
	struct ran r;

	if (sends) {
		testbed_do(s, "run", NULL, &r);
		ran_release(&r);
	} else {
		crowd_run(s);
	}
	return bench_now() - began;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *times, unsigned n)
{
	qsort(times, n, sizeof *times, by_size);
	return times[n / 2];
}

static double size_of(const struct testbed *s)
{
	return s->store ? (double)crowd_number(s, "SELECT pg_database_size(current_database())")
	                : 0;
}

struct measured {
	double seconds, trips, bytes;
};

/* A run, through the line if there is one. */
static struct measured measured_run(struct testbed *s, const struct slow_line *line, bool sends)
{
	struct measured m = {.bytes = size_of(s)};
	char *near = line ? testbed_use_store(s, far_url(s->store, line)) : NULL;
	unsigned before = line ? slow_line_round_trips(line) : 0;

	testbed_files_settle();
	m.seconds = timed_run(s, sends);
	if (line) {
		m.trips = slow_line_round_trips(line) - before;
		free(testbed_use_store(s, near));
	}
	m.bytes = size_of(s) - m.bytes;
	return m;
}

/* `near` is the same server, reached without the line. */
static bool all_is_done(const struct testbed *near, unsigned games)
{
	return crowd_number(near, "SELECT count(*) FROM turns WHERE serial = 2") == games &&
	       crowd_unsent(near) == 0;
}

/*
 * Every turn of a new server is due, and so many machines call run again and again, as cron does; seconds until all
 * reports have been sent.
 */
static double measure_machines(unsigned games, unsigned machines, const struct slow_line *line)
{
	struct testbed *s = testbed_files_new_release();

	crowd_games(s, games);
	crowd_orders(s, games);
	testbed_files_settle();
	const struct testbed near = *s;
	char *near_url = line ? testbed_use_store(s, far_url(s->store, line)) : NULL;
	double began = bench_now();
	for (unsigned i = 0; i < machines; i++) {
		struct testbed m = machine_new(s, i);

		if (fork() == 0) {
			for (; !all_is_done(&near, games); usleep(CALL_US))
				(void)timed_run(&m, true);
			_exit(0);
		}
		machine_release(&m, i);
	}
	for (unsigned i = 0; i < machines; i++) {
		int status;

		ENSURE(wait(&status) > 0 && status == 0);
	}
	double took = bench_now() - began;
	if (line)
		free(testbed_use_store(s, near_url));
	testbed_free(s);
	return took;
}

static void print_machines(const char *where, unsigned games, const struct slow_line *line)
{
	double one = measure_machines(games, 1, line),
	       all = measure_machines(games, MACHINES, line);

	printf(
	    "postgresql: turns and their reports on two machines, %s: %.2f of one, which does %.0f "
	    "turns a second\n",
	    where, one / all, games / one);
}

/* The mails of fifty games, two of each, beside what a run takes that finds nothing. */
static double measure_batch(const struct slow_line *line)
{
	struct testbed *s = testbed_files_new_release();

	crowd_games(s, BATCH_MAILS / 2);
	(void)measured_run(s, line, false);
	double idle = measured_run(s, line, false).trips;
	crowd_mails(s, BATCH_MAILS / 2, BATCH_MAILS, programs_add_lean);
	double trips = measured_run(s, line, false).trips - idle;
	if (crowd_number(s, "SELECT count(*) FROM orders") != BATCH_MAILS)
		BUG("not every mail became orders");
	testbed_free(s);
	return trips;
}

/*
 * Two servers of their own each round, with half as many games as mails: of one the first two seats write, of the other
 * all turns are due.
 */
static struct bench_run measure(unsigned mails, unsigned rounds, const struct slow_line *line)
{
	double orders[BENCH_MOST_ROUNDS], turns[BENCH_MOST_ROUNDS];
	unsigned games = mails / 2;
	struct bench_run out = {0};

	for (unsigned i = 0; i < rounds; i++) {
		struct testbed *s = testbed_files_new_release();
		struct measured m;

		crowd_games(s, games);
		crowd_mails(s, games, mails, programs_add_lean);
		m = measured_run(s, line, false);
		orders[i] = m.seconds;
		out.mail_trips = m.trips / mails;
		out.mail_bytes = m.bytes / mails;
		if (crowd_number(s, "SELECT count(*) FROM orders") != mails)
			BUG("not every mail became orders");
		testbed_free(s);
		s = testbed_files_new_release();
		crowd_games(s, games);
		crowd_orders(s, games);
		m = measured_run(s, line, false);
		turns[i] = m.seconds;
		out.turn_trips = m.trips / games;
		out.turn_bytes = m.bytes / games;
		if (crowd_number(s, "SELECT count(*) FROM turns WHERE serial = 2") != games)
			BUG("not every turn was played");
		out.idle_trips = measured_run(s, line, false).trips;
		crowd_sql(s, "UPDATE turns SET remind_utc = 1 WHERE serial = 2");
		out.look_trips = (measured_run(s, line, false).trips - out.idle_trips) / games;
		unsigned due = (unsigned)crowd_number(
		    s, "SELECT count(*) FROM outbox WHERE next_try_utc = 0");
		out.send_trips = (measured_run(s, line, true).trips - out.idle_trips) / due;
		if (crowd_number(s, "SELECT count(*) FROM outbox WHERE next_try_utc = 0") != 0)
			BUG("not every mail was sent");
		testbed_free(s);
	}
	out.orders_s = median(orders, rounds);
	out.turns_s = median(turns, rounds);
	return out;
}

/* A hundred people open a game each; and a turn of one game, whose last orders come by mail. */
static void measure_small(struct bench_run *out, const struct slow_line *line)
{
	struct testbed *s = testbed_files_new_release();
	char who[16];

	(void)measured_run(s, line, false);
	double idle = measured_run(s, line, false).trips;
	for (unsigned i = 0; i < BATCH_MAILS; i++) {
		(void)snprintf(who, sizeof who, "p%u", i);
		testbed_write(s, who, "create whakka mole players 3\n");
	}
	out->create_trips = measured_run(s, line, true).trips - idle;
	testbed_write(s, "ann", "create whakka mole players 3 bots 2\n");
	(void)testbed_run(s);
	testbed_reply(s, "ann", "popup 2, whack 7\n");
	out->move_trips = measured_run(s, line, true).trips;
	if (crowd_number(s, "SELECT count(*) FROM turns WHERE serial = 2") != 1)
		BUG("the turn was not played");
	testbed_free(s);
}

static void print_run(const char *name, const struct bench_run *r, unsigned mails)
{
	printf("postgresql: %-24s %8.0f orders a second %8.0f turns a second\n", name,
	       mails / r->orders_s, mails / 2.0 / r->turns_s);
}

int main(int argc, char **argv)
{
	unsigned mails = bench_size("BENCH_MAILS", 2000),
		 rounds = bench_size("BENCH_ROUNDS", 3), games = mails / 2;
	struct strbuf path = STRBUF_INIT;

	(void)argc;
	if (!on_postgresql()) {
		execl("tests/support/on-postgresql.sh", "on-postgresql.sh", "-v", argv[0],
		      NULL);
		BUG("there is no tests/support/on-postgresql.sh here");
	}
	const char *folder = getenv("MOLEPOST_POSTGRESQL");
	strbuf_addf(&path, "%s/.s.PGSQL.5432", folder);
	struct slow_line *line = slow_line_to_socket(path.ptr, FAR_MS);
	struct bench_run near = measure(mails, rounds, NULL),
			 far = measure(mails / FAR_PART, 1, line);
	far.batch_trips = measure_batch(line);
	measure_small(&far, line);
	print_machines("near", games, NULL);
	print_machines("2 ms away", games, line);
	slow_line_free(line);
	ENSURE(unsetenv("MOLEPOST_POSTGRESQL") == 0);
	struct bench_run file = measure(mails, rounds, NULL);

	print_run("SQLite", &file, mails);
	print_run("PostgreSQL", &near, mails);
	print_run("PostgreSQL, 2 ms away", &far, mails / FAR_PART);
	bench_at_least("postgresql: orders, part of SQLite's", file.orders_s / near.orders_s,
	               0.4);
	bench_at_least("postgresql: turns, part of SQLite's", file.turns_s / near.turns_s, 0.4);
	printf("%-58s %9.3f\n", "postgresql: orders 2 ms away, part of those near",
	       near.orders_s / far.orders_s / FAR_PART);
	printf("%-58s %9.3f\n", "postgresql: turns 2 ms away, part of those near",
	       near.turns_s / far.turns_s / FAR_PART);
	bench_at_most("postgresql: round trips an order mail", far.mail_trips, 3);
	bench_at_most("postgresql: round trips a batch of a hundred", far.batch_trips, 20);
	bench_at_most("postgresql: round trips of a hundred who CREATE", far.create_trips, 180);
	printf("%-58s %9.3f\n", "postgresql: round trips a turn of three", far.turn_trips);
	printf("%-58s %9.3f\n", "postgresql: round trips to see who is to be reminded",
	       far.look_trips);
	printf("%-58s %9.3f\n", "postgresql: round trips a mail sent", far.send_trips);
	printf("%-58s %9.0f\n", "postgresql: round trips of an idle run", far.idle_trips);
	printf("%-58s %9.0f\n", "postgresql: round trips of a run that moves one game",
	       far.move_trips);
	printf("%-58s %9.0f\n", "postgresql: bytes an order mail", near.mail_bytes);
	printf("%-58s %9.0f\n", "postgresql: bytes a turn of three", near.turn_bytes);
	strbuf_release(&path);
	return 0;
}
