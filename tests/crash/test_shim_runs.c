/*
 * test_shim_runs.c - a disk that fails in every way the shim knows, and the same end.
 *
 * Each run of the script meets the fault at its n-th call that writes, syncs or moves, for a
 * sample of n; then the disk is fine again and the run is repeated. FULL=1 takes every n.
 */
#include <criterion/criterion.h>

#include "processor/base/env.h"
#include "tests/support/crash.h"

TestSuite(shim_runs, .timeout = 3600);

/*
 * A prime, so that the sample falls into step with nothing; together the modes visit more
 * places.
 */
enum {
	SAMPLE_STEP = 13,
	FIRST_KILL = 1,
	FIRST_TEAR = 2,
	FIRST_EIO = 3,
	FIRST_ENOSPC = 4,
	FIRST_POWER = 5
};

static void expect_same(const char *mode, unsigned first)
{
	struct yardstick y;
	struct trial t = {.disturb = disturb_by_shim, .mode = mode, .only = EVERY_RUN};
	struct strbuf why = STRBUF_INIT;
	bool full = env_get("FULL") != NULL;

	yardstick_make(NULL, &y);
	cr_assert(trials_end_the_same(&y, &t, full ? 1 : first, full ? 1 : SAMPLE_STEP, &why),
	          "%s:%u: %s", mode, t.at, why.ptr);
	cr_assert_gt(t.total_hits, 50);
	yardstick_release(&y);
	strbuf_release(&why);
}

Test(shim_runs, a_kill_before_any_call_changes_nothing)
{
	expect_same("kill", FIRST_KILL);
}

Test(shim_runs, a_torn_write_changes_nothing)
{
	expect_same("tear", FIRST_TEAR);
}

Test(shim_runs, an_io_error_from_some_call_on_changes_nothing)
{
	expect_same("eio", FIRST_EIO);
}

Test(shim_runs, a_full_disk_from_some_call_on_changes_nothing)
{
	expect_same("enospc", FIRST_ENOSPC);
}

Test(shim_runs, a_power_cut_before_any_call_changes_nothing)
{
	expect_same("power", FIRST_POWER);
}

Test(shim_runs, a_power_cut_just_after_every_run_changes_nothing)
{
	struct yardstick y;
	struct trial t = {.disturb = disturb_by_shim, .mode = "power:exit", .only = EVERY_RUN};
	struct strbuf why = STRBUF_INIT;

	yardstick_make(NULL, &y);
	cr_assert(trial_ends_the_same(&y, &t, &why), "%s", why.ptr);
	yardstick_release(&y);
	strbuf_release(&why);
}

/* The sample must be dense enough to catch it. */
static void expect_caught(const char *mode, unsigned first, const char *fault)
{
	struct yardstick y;
	struct trial t = {.disturb = disturb_by_shim, .mode = mode, .only = EVERY_RUN};
	struct strbuf why = STRBUF_INIT;

	yardstick_make(fault, &y);
	cr_assert_not(trials_end_the_same(&y, &t, first, SAMPLE_STEP, &why));
	cr_log_info("%s", why.ptr);
	yardstick_release(&y);
	strbuf_release(&why);
}

Test(shim_runs, renaming_before_the_commit_is_caught_by_kills)
{
	expect_caught("kill", FIRST_KILL, "rename-before-commit");
}

Test(shim_runs, renaming_before_the_commit_is_caught_by_torn_writes)
{
	expect_caught("tear", FIRST_TEAR, "rename-before-commit");
}

Test(shim_runs, renaming_before_the_commit_is_caught_by_io_errors)
{
	expect_caught("eio", FIRST_EIO, "rename-before-commit");
}

Test(shim_runs, renaming_before_the_commit_is_caught_by_a_full_disk)
{
	expect_caught("enospc", FIRST_ENOSPC, "rename-before-commit");
}

Test(shim_runs, doing_without_the_unique_key_is_caught_by_kills)
{
	expect_caught("kill", FIRST_KILL, "no-unique-key");
}

Test(shim_runs, synchronous_normal_is_caught_by_power_cuts)
{
	expect_caught("power", FIRST_POWER, "synchronous-normal");
}
