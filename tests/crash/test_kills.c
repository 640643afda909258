/*
 * test_kills.c - SIGKILL at random moments, 200 times, and the same end.
 *
 * Each playing of the script kills every run once, at a random time of its length as measured
 * before, so that the kill meets a process at work; those that came too late do not count.
 * KILLS=n asks for another number, SEED=n for the same delays again (the moments still vary a
 * little). The time between a commit and the rename after it is too short to be hit reliably:
 * what unique keys are for is shown by test_steps and test_shim_runs.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "processor/base/chance.h"
#include "processor/base/random.h"
#include "tests/support/chosen.h"
#include "tests/support/crash.h"

TestSuite(kills, .timeout = 3600);

enum { KILLS = 200, MOST_RUNS = 64, MOST_PLAYINGS = 1000 };

struct killer {
	unsigned length_us[MOST_RUNS]; /* of each run when nothing happens */
	struct chance *chance;
	unsigned kills;
};

static const char *const run_words[] = {"run", NULL};

static uint64_t any_seed(void)
{
	uint32_t seed;

	random_bytes("seed of the kills", &seed, sizeof(seed));
	return chosen_number("SEED", seed);
}

static int64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void measure(struct trial *t, struct testbed *s, unsigned run, struct ran *out)
{
	struct killer *k = t->ctx;
	int64_t began = now_us();

	cr_assert_lt(run, MOST_RUNS);
	testbed_exec(s, run_words, NULL, out);
	k->length_us[run] = (unsigned)(now_us() - began) + 1;
}

/*
 * The parsing child of a run killed in the middle of starting it holds the run's lock until it
 * is on its own feet: a repetition in that millisecond would leave quietly, as a second run
 * should.
 */
static void wait_for_orphans(void)
{
	while (waitpid(-1, NULL, 0) > 0)
		continue;
}

static void kill_in_time(struct trial *t, struct testbed *s, unsigned run, struct ran *out)
{
	struct killer *k = t->ctx;
	unsigned wait_us =
	    chance_pick(k->chance, k->length_us[run], "kill %u of playing %u", run, t->at);
	struct timespec wait = {wait_us / 1000000, (long)(wait_us % 1000000) * 1000};
	pid_t pid = testbed_start(s, run_words, NULL);

	nanosleep(&wait, NULL);
	kill(pid, SIGKILL);
	testbed_finish(s, pid, out);
	wait_for_orphans();
	k->kills += out->signal == SIGKILL;
}

/* Plays until there have been so many kills; false at the first playing that ends otherwise. */
static bool survives(const char *fault, unsigned kills, uint64_t seed, struct strbuf *why)
{
	struct yardstick y;
	struct killer k = {.chance = chance_from_seed(seed, "kills")};
	struct trial t = {.disturb = measure, .ctx = &k, .only = EVERY_RUN};
	bool same;

	cr_assert_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	yardstick_make(fault, &y);
	same = trial_ends_the_same(&y, &t, why);
	cr_assert(same, "already without a kill: %s", why->ptr);
	t.disturb = kill_in_time;
	while (same && k.kills < kills && t.at++ < MOST_PLAYINGS)
		same = trial_ends_the_same(&y, &t, why);
	cr_assert(!same || k.kills >= kills, "only %u kills came in time", k.kills);
	chance_free(k.chance);
	yardstick_release(&y);
	return same;
}

Test(kills, a_run_killed_at_any_moment_and_repeated_ends_the_same)
{
	uint64_t seed = any_seed();
	struct strbuf why = STRBUF_INIT;

	cr_log_info("SEED=%llu", (unsigned long long)seed);
	cr_assert(survives(NULL, chosen_number("KILLS", KILLS), seed, &why), "SEED=%llu: %s",
	          (unsigned long long)seed, why.ptr);
	strbuf_release(&why);
}

Test(kills, renaming_before_the_commit_is_caught)
{
	struct strbuf why = STRBUF_INIT;

	cr_assert_not(survives("rename-before-commit", 10 * KILLS, 1, &why));
	strbuf_release(&why);
}
