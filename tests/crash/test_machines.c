/*
 * test_machines.c - three machines run the same server on one database at the same moments; one of them is
 * killed each time.
 *
 * The machines are three folders with one key file, one mailbox and one outbox, each with a lock of its own: only
 * the database is between them. Each run of the script is started on all three, a little apart, and one of
 * them, whichever, gets SIGKILL at a random moment. KILLS=200 asks for another number, SEED=n for the same
 * delays again.
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
#include "processor/base/env.h"
#include "processor/base/random.h"
#include "tests/support/chosen.h"
#include "tests/support/crash.h"
#include "tests/support/postgresql.h"
#include "tests/support/scratch.h"

enum {
	KILLS = 100,
	MACHINES = 3,
	APART_US = 10 * 1000,
	LONGEST_US = 60 * 1000,
	MOST_PLAYINGS = 1000
};

struct killer {
	struct chance *chance;
	unsigned kills;
};

static void share(const struct site *s, const struct site *m,
                  int (*how)(const char *there, const char *here), const char *const names[])
{
	for (size_t i = 0; names[i]; i++) {
		char *there = site_path(s, names[i]), *here = site_path(m, names[i]);

		cr_assert_eq(how(there, here), 0);
		free(there);
		free(here);
	}
}

/* "play2" beside "play": everything there is that of the first but its lock. */
static struct site machine(const struct site *s, unsigned n)
{
	static const char *const folders[] = {"mail", "outbox", "spool", NULL},
				 *const files[] = {"molepost.key", "molepost.conf", NULL};
	struct site m = *s;
	char name[16];

	if (n == 0)
		return m;
	snprintf(name, sizeof name, "play%u", n);
	m.dir = scratch_path(s->scratch, name);
	snprintf(name, sizeof name, "said%u", n);
	m.scratch = scratch_path(s->scratch, name);
	if (mkdir(m.dir, 0700) == 0) {
		share(s, &m, symlink, folders);
		share(s, &m, link, files);
		(void)mkdir(m.scratch, 0700);
	}
	return m;
}

static void pause_us(unsigned us)
{
	struct timespec t = {0, (long)us * 1000};

	nanosleep(&t, NULL);
}

/* The lock of a process that was killed is free when the database has noticed. */
static void wait_for_locks(const struct site *s)
{
	while (postgresql_number(s->store, "SELECT count(*) FROM pg_locks WHERE locktype = "
	                                   "'advisory' AND objsubid = 2") > 0)
		pause_us(5000);
}

static void run_on_all(struct trial *t, struct site *s, unsigned run, struct ran *out)
{
	static const char *const words[] = {"run", NULL};
	struct killer *k = t->ctx;
	unsigned first = chance_pick(k->chance, MACHINES, "first, %u of %u", run, t->at);
	unsigned victim = chance_pick(k->chance, MACHINES, "victim, %u of %u", run, t->at);
	struct site m[MACHINES];
	pid_t pids[MACHINES];

	for (unsigned i = 0; i < MACHINES; i++)
		m[i] = machine(s, i);
	for (unsigned i = 0; i < MACHINES; i++) {
		pids[(first + i) % MACHINES] =
		    site_start(&m[(first + i) % MACHINES], words, NULL);
		pause_us(chance_pick(k->chance, APART_US, "apart %u, %u of %u", i, run, t->at));
	}
	pause_us(chance_pick(k->chance, LONGEST_US, "kill, %u of %u", run, t->at));
	kill(pids[victim], SIGKILL);
	for (unsigned i = 0; i < MACHINES; i++) {
		struct ran r;

		site_finish(&m[i], pids[i], &r);
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
	for (unsigned i = 1; i < MACHINES; i++) {
		free(m[i].dir);
		free(m[i].scratch);
	}
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
