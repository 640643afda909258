/*
 * test_steps.c - a server stopped at every durable boundary ends where an undisturbed one does.
 *
 * All runs of the script are stopped at their n-th step in one playing: that covers every pair
 * of run and step, and is harder than one stop at a time. FULL=1 also stops one run at a time; EVERY=5 leaves
 * out all but every fifth playing.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/base/env.h"
#include "tests/support/chosen.h"
#include "tests/support/crash.h"

TestSuite(steps, .timeout = 3600);

static void expect_same(unsigned first, unsigned step)
{
	struct yardstick y;
	struct trial t = {.disturb = disturb_by_step, .only = EVERY_RUN};
	struct strbuf why = STRBUF_INIT;

	yardstick_make(NULL, &y);
	step *= chosen_number("EVERY", 1);
	cr_assert(trials_end_the_same(&y, &t, first, step, &why), "stopped at step %u: %s",
	          t.at, why.ptr);
	cr_assert_gt(t.total_hits, 50);
	yardstick_release(&y);
	strbuf_release(&why);
}

Test(steps, every_run_stopped_at_an_odd_step_and_resumed_ends_the_same)
{
	expect_same(1, 2);
}

Test(steps, every_run_stopped_at_an_even_step_and_resumed_ends_the_same)
{
	expect_same(2, 2);
}

Test(steps, one_run_stopped_at_one_step_and_resumed_ends_the_same)
{
	struct yardstick y;
	struct trial t = {.disturb = disturb_by_step};
	struct strbuf why = STRBUF_INIT;

	if (!env_get("FULL"))
		cr_skip_test("FULL=1 stops every run at every step by itself");
	yardstick_make(NULL, &y);
	for (t.only = 0; t.only < (int)y.script.runs; t.only++)
		cr_assert(trials_end_the_same(&y, &t, 1, 1, &why),
		          "run %d stopped at step %u: %s", t.only, t.at, why.ptr);
	yardstick_release(&y);
	strbuf_release(&why);
}

/* One stop after the other kills the same run twice: at n, and its successor soon after. */
static void stop_twice(struct trial *t, struct testbed *s, unsigned run, struct ran *out)
{
	disturb_by_step(t, s, run, out);
	if (out->code == 0)
		return;
	ran_release(out);
	t->at = t->at * 7 % 31 + 1;
	disturb_by_step(t, s, run, out);
}

/* Else the tests here would not show what becomes of those. */
Test(steps, the_script_takes_a_turn_back_and_ends_a_game_by_a_vote)
{
	struct yardstick y;

	yardstick_make(NULL, &y);
	cr_expect_neq(strstr(y.undisturbed.archives.ptr, "went back to the end of turn 1"),
	              NULL);
	cr_expect_neq(strstr(y.undisturbed.archives.ptr, "\ndropped "), NULL);
	cr_expect_neq(strstr(y.undisturbed.archives.ptr, "\nagreed 1 2\n"), NULL);
	static const char *const deeds[] = {
	    "set the beginning to ", "let the game begin with 2", "moved the deadline to ",
	    "set the grace to ",     "removed lee from the game", "plays seat 2 (lee) now",
	    "ended turn 1 without",  "made kim the master"};
	for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++)
		cr_expect_neq(strstr(y.undisturbed.archives.ptr, deeds[i]), NULL, "%s",
		              deeds[i]);
	yardstick_release(&y);
}

Test(steps, a_run_stopped_twice_ends_the_same)
{
	struct yardstick y;
	struct strbuf why = STRBUF_INIT;

	yardstick_make(NULL, &y);
	for (unsigned n = 1; n <= 31; n += 3 * chosen_number("EVERY", 1)) {
		struct trial t = {.disturb = stop_twice, .at = n, .only = EVERY_RUN};

		cr_assert(trial_ends_the_same(&y, &t, &why), "beginning at step %u: %s", n,
		          why.ptr);
		cr_assert_gt(t.hit, 0);
	}
	yardstick_release(&y);
	strbuf_release(&why);
}

static void expect_caught(const char *fault)
{
	struct yardstick y;
	struct trial t = {.disturb = disturb_by_step, .only = EVERY_RUN};
	struct strbuf why = STRBUF_INIT;

	yardstick_make(fault, &y);
	cr_assert_not(trials_end_the_same(&y, &t, 1, 1, &why));
	cr_log_info("%s", why.ptr);
	yardstick_release(&y);
	strbuf_release(&why);
}

Test(steps, renaming_before_the_commit_is_caught)
{
	expect_caught("rename-before-commit");
}

Test(steps, doing_without_the_unique_key_is_caught)
{
	expect_caught("no-unique-key");
}
