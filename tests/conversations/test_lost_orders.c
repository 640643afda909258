/*
 * test_lost_orders.c - a turn whose stored orders do not add up is held, on whichever database they are: first what is
 * played where they are not counted, then that it is found.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/crash.h"
#include "tests/support/crowd.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

enum { DAY_S = 24 * 3600 };

static void expect_complaint(const struct testbed *s, const char *what)
{
	cr_expect(strstr(s->complaints.ptr, what), "%s is not in: %s", what, s->complaints.ptr);
}

/* What a disk that loses writes, or puts an old page back, makes of the rows of seat 1. */
static const char *const losses[] = {
    /* Its row is gone, and the turn does not know. */
    "DELETE FROM orders WHERE serial = 2 AND seat = 1",
    /* The second thoughts alone: nothing that is left contradicts itself. */
    "DELETE FROM orders WHERE serial = 2 AND seat = 1 AND revision = 2",
    /* Who has sent orders is as it was before, too. */
    "DELETE FROM orders WHERE serial = 2 AND seat = 1; UPDATE turns SET have = 0 WHERE serial = 2",
    /* Only that: the deadline would find the orders, but people are reminded and counted as missing. */
    "UPDATE turns SET have = 0 WHERE serial = 2",
    /* The turn waits for nobody. */
    "UPDATE turns SET have = 3 WHERE serial = 2",
    /* The next head would be signed on a wrong one. */
    "UPDATE games SET record_head = (SELECT orders_hash FROM turns WHERE serial = 1)",
    /* A draft of seat 2, which is stored in the turn and nowhere else. */
    "DELETE FROM standing_orders",
};
enum { NLOSSES = sizeof(losses) / sizeof(losses[0]) };

/* In turn 2 seat 1 has changed its mind, and seat 2 has a draft. */
static struct testbed *orders_stored(bool counted)
{
	struct testbed *s;

	scratch_in_memory();
	s = table_of_two("losses", "create whakka mole players 2 next 1D");
	table_order(s, "ann bob");
	testbed_run(s);
	if (!counted) /* as in a turn that an older version opened */
		crowd_sql(s, "UPDATE turns SET orders_sum = NULL");
	testbed_reply(s, "ann", "popup 3\nwhack 5");
	testbed_run(s);
	testbed_reply(s, "ann", "popup 1\nwhack 4");
	testbed_reply(s, "bob", "check\n\npopup 2\nwhack 1");
	testbed_run(s);
	return s;
}

Test(lost_orders, are_played_as_if_nobody_had_sent_them_where_they_are_not_counted)
{
	struct testbed *before = orders_stored(false);

	for (unsigned i = 0; i < NLOSSES; i++) {
		struct testbed *s = testbed_clone(before);

		crowd_sql(s, losses[i]);
		testbed_wait(s, 2 * DAY_S);
		testbed_run(s);
		cr_expect(testbed_find(s, "ann", "[W1 turn 3]"), "%s", losses[i]);
		testbed_free(s);
	}
	testbed_free(before);
}

Test(lost_orders, a_turn_whose_stored_orders_do_not_add_up_is_not_played)
{
	struct testbed *before = orders_stored(true), *sound = testbed_clone(before);

	expect_code(sound, "fsck", 0);
	testbed_wait(sound, 2 * DAY_S);
	testbed_run(sound);
	cr_expect(testbed_find(sound, "ann", "[W1 turn 3]"));
	for (unsigned i = 0; i < NLOSSES; i++) {
		struct testbed *s = testbed_clone(before);
		struct ran r;

		crowd_sql(s, losses[i]);
		testbed_do(s, "fsck", NULL, &r);
		cr_expect_neq(r.code, 0, "%s", losses[i]);
		ran_release(&r);
		testbed_wait(s, 2 * DAY_S);
		testbed_run_noting(s);
		cr_expect(!testbed_find(s, "ann", "[W1 turn 3]"), "%s", losses[i]);
		expect_complaint(s, "game 1 is held: seal: W1: the ");
		testbed_do(s, "doctor", NULL, &r);
		cr_expect(strstr(r.out.ptr, "so it is not played; the database"), "%s: %s",
		          losses[i], r.out.ptr);
		ran_release(&r);
		testbed_free(s);
	}
	testbed_free(sound);
	testbed_free(before);
}

Test(lost_orders, the_operator_goes_on_with_the_orders_that_are_left)
{
	struct testbed *s = orders_stored(true);

	crowd_sql(s, losses[0]);
	testbed_wait(s, 2 * DAY_S);
	testbed_run_noting(s);
	expect_complaint(s, "the orders of turn 2 are not all those that were stored");
	expect_code(s, "game resume W1", 0);
	strbuf_clear(&s->complaints);
	testbed_run(s);
	cr_expect(!testbed_find(s, "ann", "[W1 turn 3]"), "ann is waited for again");
	testbed_reply(s, "ann", "popup 1\nwhack 4");
	testbed_wait(s, 2 * DAY_S);
	testbed_run(s);
	cr_expect(testbed_find(s, "ann", "[W1 turn 3]"));
	expect_code(s, "fsck", 0);
	testbed_free(s);
}
