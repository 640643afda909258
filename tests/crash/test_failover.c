/*
 * test_failover.c - the machine of the database is lost at a random moment of a run, its standby takes over,
 * and everything ends as if nothing had happened.
 *
 * The script is played on a PostgreSQL with one synchronous standby (tests/support/pg-pair.sh). During each
 * run the primary gets SIGKILL; then the standby is promoted, a new one is made, and the same run is repeated.
 * FAILOVERS=50 asks for another number, SEED=n for the same delays again.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "processor/base/chance.h"
#include "processor/base/file.h"
#include "processor/base/random.h"
#include "tests/support/chosen.h"
#include "tests/support/crash.h"
#include "tests/support/scratch.h"

enum { FAILOVERS = 50, LONGEST_WAIT_US = 80 * 1000 };

static char *scratch, *folder;

/* The exit code of pg-pair.sh, which must be 0, or 77: there is no PostgreSQL. */
static int pair(const char *what)
{
	struct strbuf words = STRBUF_INIT, said = STRBUF_INIT;
	char *log = scratch_path(scratch, "log");

	strbuf_addf(&words, "tests/support/pg-pair.sh %s '%s' %d >'%s' 2>&1", what, folder,
	            (int)getpid(), log);
	int status = system(words.ptr);
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	(void)!file_read(log, 1 << 20, &said, NULL);
	cr_assert(code == 0 || code == 77, "%s: %d\n%s", words.ptr, code, said.ptr);
	strbuf_release(&words);
	strbuf_release(&said);
	free(log);
	return code;
}

struct loser {
	struct chance *chance;
	unsigned losses, most;
};

/* One run, during which the primary goes; or before it, or behind it. */
static void lose_primary(struct trial *t, struct testbed *s, unsigned run, struct ran *out)
{
	static const char *const words[] = {"run", NULL};
	struct loser *l = t->ctx;

	if (l->losses >= l->most) {
		testbed_exec(s, words, NULL, out);
		return;
	}
	unsigned wait_us =
	    chance_pick(l->chance, LONGEST_WAIT_US, "run %u of playing %u", run, t->at);
	struct timespec wait = {0, (long)wait_us * 1000};
	pid_t pid = testbed_start(s, words, NULL);

	nanosleep(&wait, NULL);
	(void)pair("lose");
	testbed_finish(s, pid, out);
	(void)pair("fail-over");
	l->losses++;
}

/* On a memory file system, like the testbeds: there is room for two small databases. */
static bool start_pair(void)
{
	struct strbuf hosts = STRBUF_INIT;

	testbed_use_memory();
	scratch = scratch_new();
	folder = scratch_path(scratch, "pg");
	/* Whoever it belongs to, a user postgres gets in. */
	cr_assert_eq(chmod(scratch, 0711), 0);
	int code = pair("start");
	strbuf_addf(&hosts, "%s/sa,%s/sb&target_session_attrs=read-write", folder, folder);
	cr_assert_eq(setenv("MOLEPOST_POSTGRESQL", hosts.ptr, 1), 0);
	strbuf_release(&hosts);
	return code == 0;
}

/* However the test ends. */
static void stop_pair(void)
{
	(void)pair("stop");
	free(folder);
	scratch_remove(scratch);
}

Test(failover, a_primary_lost_at_any_moment_loses_nothing_and_doubles_nothing, .timeout = 3600,
     .fini = stop_pair)
{
	struct strbuf why = STRBUF_INIT;
	uint32_t any;
	struct yardstick y;

	random_bytes("seed of the losses", &any, sizeof any);
	unsigned seed = chosen_number("SEED", any);
	if (!start_pair())
		cr_skip_test("there is no PostgreSQL here");
	struct loser l = {.chance = chance_from_seed(seed, "losses"),
	                  .most = chosen_number("FAILOVERS", FAILOVERS)};
	struct trial t = {.disturb = lose_primary, .ctx = &l, .only = EVERY_RUN};
	bool same = true;

	yardstick_make(NULL, &y);
	while (same && l.losses < l.most) {
		t.at++;
		same = trial_ends_the_same(&y, &t, &why);
	}
	cr_log_info("%u losses of the primary, of which %u ended the run", l.losses,
	            t.total_hits);
	cr_expect(same, "SEED=%u: %s", seed, why.ptr);
	cr_expect_gt(t.total_hits, l.most / 10);
	yardstick_release(&y);
	chance_free(l.chance);
	strbuf_release(&why);
}
