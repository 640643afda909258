/*
 * test_import.c - an import that is stopped at any durable boundary.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/scratch.h"
#include "tests/support/table.h"

static const char archive[] = "tests/verify/archives/mole-park-1.txt";

static void run(struct testbed *s, const char *stop, struct ran *out)
{
	const char *argv[] = {"import", archive, NULL}, *env[] = {stop, NULL};

	testbed_exec(s, argv, env, out);
}

/* Whether the game is there, and the database sound. */
static bool is_there(struct testbed *s)
{
	struct ran list;

	testbed_do(s, "game list", NULL, &list);
	expect_sound(s);
	bool there = list.out.len > 0;
	ran_release(&list);
	return there;
}

/* False when it came to its end before step `at`. */
static bool stopped_at(unsigned at)
{
	struct testbed *s = testbed_new("killed");
	struct ran first, second;
	char stop[48];

	snprintf(stop, sizeof(stop), "MOLEPOST_TEST_STOP_AT=%u", at);
	run(s, stop, &first);
	bool there = is_there(s);
	run(s, NULL, &second);
	cr_assert_eq(second.code, there ? 65 : 0, "%s", second.err.ptr);
	cr_assert(is_there(s));
	bool stopped = first.code != 0;
	cr_assert(stopped || there);
	ran_release(&first);
	ran_release(&second);
	testbed_free(s);
	return stopped;
}

Test(import, one_that_is_stopped_at_any_step_is_in_whole_or_not_at_all, .timeout = 600)
{
	unsigned at = 1;

	scratch_in_memory();
	while (stopped_at(at))
		at++;
	cr_assert_gt(at, 2);
}
