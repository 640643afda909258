/*
 * test_machines.c - three machines run the same server on one database at the same moments; one of them is
 * killed each time.
 *
 * The machines are three folders with one key file, one mailbox and one outbox, each with a lock of its own: only
 * the database is between them. Each run of the script is started on all three, a little apart, and one of
 * them, whichever, gets SIGKILL at a random moment. KILLS=200 asks for another number, SEED=n for the same
 * delays again. In a second test so many turns are due at once that a kill falls between them, in a third so many mails leave.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "processor/base/chance.h"
#include "processor/base/clock.h"
#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/base/random.h"
#include "tests/support/chosen.h"
#include "tests/support/crash.h"
#include "tests/support/crowd.h"
#include "tests/support/machines.h"
#include "tests/support/postgresql.h"
#include "tests/support/table.h"

enum {
	KILLS = 100,
	MACHINES = 3,
	APART_US = 10 * 1000,
	LONGEST_US = 60 * 1000,
	MOST_PLAYINGS = 1000,
	DUE = 100,    /* turns at once */
	SHARINGS = 8, /* with a machine killed ... */
	MOST_SHARINGS = 60,
	SEEN_MAILS = 20 /* so many have left when the second machine begins to send */
};

struct killer {
	struct chance *chance;
	unsigned kills;
};

static void pause_us(unsigned us)
{
	struct timespec t = {0, (long)us * 1000};

	nanosleep(&t, NULL);
}

static int64_t locks(const struct testbed *s)
{
	/* Other tests have databases of their own on the same server. */
	return postgresql_number(s->store,
	                         "SELECT count(*) FROM pg_locks l JOIN pg_database d"
	                         " ON d.oid = l.database AND d.datname = current_database()"
	                         " WHERE locktype = 'advisory' AND objsubid = 2");
}

/* The lock of a process that was killed is free when the database has noticed. */
static void wait_for_locks(const struct testbed *s)
{
	while (locks(s) > 0)
		pause_us(5000);
}

/* The run of each machine, a little after another; `most_us` later one of them gets SIGKILL at the latest. */
static void run_together(struct killer *k, struct testbed *s, const char *when,
                         unsigned most_us, struct ran *out)
{
	unsigned first = chance_pick(k->chance, MACHINES, "first, %s", when);
	unsigned victim = chance_pick(k->chance, MACHINES, "victim, %s", when);
	static const char *const words[] = {"run", NULL};
	struct testbed m[MACHINES];
	pid_t pids[MACHINES];

	for (unsigned i = 0; i < MACHINES; i++)
		m[i] = machine_new(s, i);
	for (unsigned i = 0; i < MACHINES; i++) {
		pids[(first + i) % MACHINES] =
		    testbed_start(&m[(first + i) % MACHINES], words, NULL);
		pause_us(chance_pick(k->chance, APART_US, "apart %u, %s", i, when));
	}
	if (most_us > 0) {
		pause_us(chance_pick(k->chance, most_us, "kill, %s", when));
		kill(pids[victim], SIGKILL);
	}
	for (unsigned i = 0; i < MACHINES; i++) {
		struct ran r;

		testbed_finish(&m[i], pids[i], &r);
		if (i == victim) {
			k->kills += r.signal == SIGKILL;
			*out = r;
			continue;
		}
		cr_assert(r.code == 0 && r.err.len == 0, "machine %u: %d, %s", i, r.code,
		          r.err.ptr);
		ran_release(&r);
	}
	while (waitpid(-1, NULL, 0) > 0) /* children of the killed one */
		continue;
	wait_for_locks(s);
	for (unsigned i = 0; i < MACHINES; i++)
		machine_release(&m[i], i);
}

static void run_on_all(struct trial *t, struct testbed *s, unsigned run, struct ran *out)
{
	char when[32];

	snprintf(when, sizeof when, "%u of %u", run, t->at);
	run_together(t->ctx, s, when, LONGEST_US, out);
}

/* Starts a PostgreSQL, on which this program runs once more. */
Test(machines, on_a_database_of_their_own, .timeout = 3600)
{
	struct strbuf words = STRBUF_INIT;

	if (on_postgresql())
		cr_skip_test("this is it");
	strbuf_addf(&words, "tests/support/on-postgresql.sh '%s/tests/crash/test_machines'",
	            env_get("MOLEPOST_BUILD"));
	int status = system(words.ptr);
	strbuf_release(&words);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		cr_skip_test("there is no PostgreSQL here");
	cr_expect_eq(status, 0);
}

Test(machines, any_of_three_killed_at_any_moment_ends_the_same, .timeout = 3600)
{
	struct strbuf why = STRBUF_INIT;
	struct yardstick y;
	uint32_t any;
	bool same = true;

	if (!on_postgresql())
		cr_skip_test("another test has this one run");
	cr_assert_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	random_bytes("seed of the kills", &any, sizeof any);
	unsigned seed = chosen_number("SEED", any), kills = chosen_number("KILLS", KILLS);
	struct killer k = {.chance = chance_from_seed(seed, "kills")};
	struct trial t = {.disturb = run_on_all, .ctx = &k, .only = EVERY_RUN};

	yardstick_make(NULL, &y);
	while (same && k.kills < kills && t.at++ < MOST_PLAYINGS)
		same = trial_ends_the_same(&y, &t, &why);
	cr_expect(same, "SEED=%u: %s", seed, why.ptr);
	cr_expect(!same || k.kills >= kills, "only %u kills came in time", k.kills);
	yardstick_release(&y);
	chance_free(k.chance);
	strbuf_release(&why);
}

/* What is left of a crowd whose turns were all due. */
static void outcome(struct testbed *s, struct strbuf *out)
{
	testbed_run(s);
	cr_assert_eq(postgresql_number(s->store, "SELECT count(*) FROM in_flight"), 0);
	cr_assert_eq(postgresql_number(s->store, "SELECT count(*) FROM turns WHERE serial = 2"),
	             DUE);
	testbed_dump(s, out);
	testbed_mails(s, out);
}

/* So many games whose turns are all due, and what becomes of them on one machine. */
static struct testbed *due_turns(struct strbuf *alone)
{
	struct testbed *due = testbed_new("crowd"), *s;

	crowd_games(due, DUE);
	crowd_orders(due, DUE);
	s = testbed_clone(due);
	testbed_run(s);
	outcome(s, alone);
	testbed_free(s);
	return due;
}

Test(machines, turns_that_are_due_at_once_are_played_once, .timeout = 3600)
{
	uint32_t any;

	if (!on_postgresql())
		cr_skip_test("another test has this one run");
	cr_assert_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	random_bytes("seed of the kills", &any, sizeof any);
	unsigned seed = chosen_number("SEED", any), took_us = 0;
	struct killer k = {.chance = chance_from_seed(seed, "sharing")};
	struct strbuf alone = STRBUF_INIT, together = STRBUF_INIT;
	struct testbed *due = due_turns(&alone), *s;
	struct ran r;

	for (unsigned i = 0; k.kills < SHARINGS && i < MOST_SHARINGS; i++) {
		char when[16];

		snprintf(when, sizeof when, "%u", i);
		s = testbed_clone(due);
		int64_t began_ms = clock_monotonic_ms();
		/* The first of them undisturbed; the kills of the others are within half of its time. */
		run_together(&k, s, when, took_us, &r);
		if (i == 0)
			took_us = (unsigned)(clock_monotonic_ms() - began_ms) * 1000 / 2;
		ran_release(&r);
		strbuf_clear(&together);
		outcome(s, &together);
		cr_assert(span_eq(strbuf_span(&alone), strbuf_span(&together)), "SEED=%u, %u",
		          seed, i);
		testbed_free(s);
	}
	cr_expect_gt(k.kills, SHARINGS / 4, "only %u kills came in time", k.kills);
	testbed_free(due);
	chance_free(k.chance);
	strbuf_release(&alone);
	strbuf_release(&together);
}

/* The run of one machine, in which another finds it at work. */
static void run_found_at_work(struct testbed *s, const char *const words[],
                              const char *const env[], struct ran *first)
{
	static const char *const others[] = {"run", NULL};
	struct testbed other = machine_new(s, 1);
	struct ran r;

	wait_for_locks(s); /* of who has just been at work here */
	pid_t pid = testbed_start(s, words, env);
	for (unsigned i = 0; i < 5000 && locks(s) == 0; i++)
		pause_us(1000);
	pid_t pid2 = testbed_start(&other, others, NULL);
	testbed_finish(s, pid, first);
	testbed_finish(&other, pid2, &r);
	cr_assert(r.code == 0 && r.err.len == 0, "%d, %s", r.code, r.err.ptr);
	ran_release(&r);
	machine_release(&other, 1);
	while (waitpid(-1, NULL, 0) > 0)
		continue;
	wait_for_locks(s);
}

enum { LAST_STEP = 90 };

/* Each of its durable boundaries: every 13th, all with EVERY=1. */
Test(machines, the_run_stopped_at_a_step_while_another_is_refused_ends_the_same,
     .timeout = 3600)
{
	static const char *const words[] = {"run", NULL};
	struct strbuf alone = STRBUF_INIT, together = STRBUF_INIT;
	unsigned at, stopped = 0;
	struct ran r = {.code = -1};

	if (!on_postgresql())
		cr_skip_test("another test has this one run");
	cr_assert_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	struct testbed *due = due_turns(&alone);
	for (at = 1; at < LAST_STEP; at += chosen_number("EVERY", 13)) {
		struct testbed *s = testbed_clone(due);
		char stop[40];
		const char *env[] = {stop, NULL};

		snprintf(stop, sizeof stop, "MOLEPOST_TEST_STOP_AT=%u", at);
		run_found_at_work(s, words, env, &r);
		stopped += r.signal == SIGKILL;
		strbuf_clear(&together);
		outcome(s, &together);
		cr_assert(span_eq(strbuf_span(&alone), strbuf_span(&together)), "%u", at);
		testbed_free(s);
		ran_release(&r);
	}
	cr_expect_gt(stopped, 2, "only %u were stopped", stopped);
	testbed_free(due);
	strbuf_release(&alone);
	strbuf_release(&together);
}

/* ---- sending ---- */

/* Mails of all players of a crowd, a receipt and a report for many, and a program that takes its time over each. */
static struct testbed *mails_to_send(char **left)
{
	struct testbed *s = testbed_new("crowd");
	char *program = testbed_path(s, "program");
	struct strbuf text = STRBUF_INIT;
	struct ran r;

	*left = testbed_path(s, "left");
	strbuf_addf(&text, "#!/bin/sh\nsed -n 's/^Message-ID: //p' >>%s\nsleep 0.03\n", *left);
	cr_assert_eq(file_create(*left, SPAN_EMPTY, NULL), ERR_NONE);
	cr_assert_eq(file_create(program, strbuf_span(&text), NULL), ERR_NONE);
	cr_assert_eq(chmod(program, 0700), 0);
	strbuf_clear(&text);
	strbuf_addf(&text, "sendmail:%s", program);
	testbed_sink(s, text.ptr);
	crowd_games(s, DUE / 2);
	crowd_orders(s, DUE / 2);
	testbed_do(s, "run --no-send", NULL, &r);
	cr_assert_eq(r.code, 0, "%s", r.err.ptr);
	ran_release(&r);
	strbuf_release(&text);
	free(program);
	return s;
}

/* The Message-IDs of what has left, in that order. */
static unsigned read_left(const char *left, struct strbuf *out)
{
	struct span rest, line;
	unsigned n = 0;

	strbuf_clear(out);
	cr_assert_eq(file_read(left, 1 << 20, out, NULL), ERR_NONE);
	rest = strbuf_span(out);
	while (span_next_line(&rest, &line))
		n++;
	return n;
}

static void wait_for_left(const char *left, unsigned n)
{
	struct strbuf ids = STRBUF_INIT;

	for (unsigned i = 0; read_left(left, &ids) < n && i < 2000; i++)
		pause_us(10 * 1000);
	cr_assert_geq(read_left(left, &ids), n);
	strbuf_release(&ids);
}

/* Each mail once, and those of each player in their order. */
static void expect_each_once(const struct testbed *s, const char *left)
{
	struct strbuf ids = STRBUF_INIT, values = STRBUF_INIT, sql = STRBUF_INIT;
	unsigned n = read_left(left, &ids), place = 0;
	struct span rest = strbuf_span(&ids), line;

	while (span_next_line(&rest, &line)) {
		strbuf_addf(&values, "%s('%.*s', %u)", place ? "," : "", SPAN_ARGS(line),
		            place);
		place++;
	}
	cr_expect_eq(postgresql_number(s->store, "SELECT count(*) FROM outbox WHERE state = 4"),
	             n);
	strbuf_addf(&sql,
	            "WITH l (message_id, place) AS (VALUES %s) SELECT count(DISTINCT o.id)"
	            " FROM l JOIN outbox o USING (message_id)",
	            values.ptr);
	cr_expect_eq(postgresql_number(s->store, sql.ptr), n);
	strbuf_clear(&sql);
	strbuf_addf(&sql,
	            "WITH l (message_id, place) AS (VALUES %s), m AS (SELECT o.id, o.player,"
	            " place FROM l JOIN outbox o USING (message_id)) SELECT count(*) FROM m a"
	            " JOIN m b ON a.player = b.player AND a.id < b.id AND a.place > b.place",
	            values.ptr);
	cr_expect_eq(postgresql_number(s->store, sql.ptr), 0, "out of order");
	strbuf_release(&ids);
	strbuf_release(&values);
	strbuf_release(&sql);
}

Test(machines, mails_leave_from_several_at_once_each_from_one, .timeout = 600)
{
	static const char *const words[] = {"run", NULL};
	struct strbuf ids = STRBUF_INIT;
	struct ran first, second;
	char *left;

	if (!on_postgresql())
		cr_skip_test("another test has this one run");
	struct testbed *s = mails_to_send(&left), other = machine_new(s, 1);
	int64_t due = postgresql_number(s->store, "SELECT count(*) FROM outbox WHERE state = 0"
	                                          " AND next_try_utc = 0");
	cr_assert_gt(due, 4 * SEEN_MAILS);
	pid_t pid = testbed_start(s, words, NULL);

	wait_for_left(left, SEEN_MAILS);
	testbed_finish(&other, testbed_start(&other, words, NULL), &second);
	testbed_finish(s, pid, &first);
	cr_expect(first.code == 0 && first.err.len == 0, "%d: %s", first.code, first.err.ptr);
	cr_expect(second.code == 0 && second.err.len == 0, "%d: %s", second.code,
	          second.err.ptr);
	cr_expect_eq(read_left(left, &ids), due);
	expect_each_once(s, left);
	cr_expect_eq(postgresql_number(s->store, "SELECT count(*) FROM runs WHERE sent > 0"), 2,
	             "both have sent");
	ran_release(&first);
	ran_release(&second);
	machine_release(&other, 1);
	strbuf_release(&ids);
	free(left);
	testbed_free(s);
}

/* What a machine that was killed had in hand is nobody's while another sends, and then goes out again. */
Test(machines, what_was_being_sent_by_one_that_was_killed_is_found, .timeout = 600)
{
	static const char *const words[] = {"run", NULL};
	static const char lost[] = "SELECT count(*) FROM outbox WHERE state = 1";
	struct ran r;
	char *left;

	if (!on_postgresql())
		cr_skip_test("another test has this one run");
	struct testbed *s = mails_to_send(&left), other = machine_new(s, 1);
	pid_t pid = testbed_start(s, words, NULL);

	wait_for_left(left, SEEN_MAILS / 2);
	pid_t second = testbed_start(&other, words, NULL);
	wait_for_left(left, SEEN_MAILS);
	cr_assert_eq(kill(pid, SIGKILL), 0);
	testbed_finish(s, pid, &r);
	ran_release(&r);
	testbed_finish(&other, second, &r);
	cr_expect_eq(r.code, 0, "%s", r.err.ptr);
	ran_release(&r);
	int64_t in_hand = postgresql_number(s->store, lost);
	cr_expect_gt(in_hand, 0, "the kill came too late");
	wait_for_locks(s);
	testbed_do(&other, "run", NULL, &r);
	cr_expect_eq(r.code, 0, "%s", r.err.ptr);
	ran_release(&r);
	cr_expect_eq(postgresql_number(s->store, lost), 0);
	cr_expect_eq(postgresql_number(s->store, "SELECT count(*) FROM outbox WHERE state = 3"),
	             in_hand);
	machine_release(&other, 1);
	free(left);
	testbed_free(s);
}
