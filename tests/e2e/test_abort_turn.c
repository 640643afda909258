/*
 * test_abort_turn.c - a turn that is taken back, and who hears of it.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/table.h"

static size_t mails_to(const struct testbed *s, const char *who)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nposts; i++)
		n += strcmp(s->posts[i]->who, who) == 0;
	return n;
}

static void orders(struct testbed *s, const char *who, const char *text)
{
	testbed_reply_to(s, who, testbed_find(s, who, "orders due"), text);
}

/* Who left before the turn that comes back is left alone; who left in the one taken back plays again. */
Test(abort_turn, who_had_left_is_left_alone_and_who_leaves_in_it_is_back, .timeout = 60)
{
	struct testbed *s = testbed_new("taken back");

	testbed_write(s, "ann", "create whakka mole players 4 next 3d misses 0");
	testbed_write(s, "bob", "join W1");
	testbed_write(s, "cy", "join W1");
	testbed_write(s, "dan", "join W1");
	testbed_run(s);
	orders(s, "ann", "popup 1, whack 2");
	orders(s, "bob", "popup 3, whack 4");
	orders(s, "cy", "resign");
	orders(s, "dan", "popup 7, whack 1");
	testbed_run(s);
	expect(s, "game show W1", 0, "seat 3  cy                   has left");
	orders(s, "ann", "popup 5, whack 6");
	orders(s, "bob", "popup 3, whack 8");
	orders(s, "dan", "resign");
	testbed_run(s);
	expect(s, "game show W1", 0, "seat 4  dan                  has left");
	expect(s, "game show W1", 0, "serial 3 is open");

	size_t cys = mails_to(s, "cy"), dans = mails_to(s, "dan");
	testbed_reply(s, "ann", "rollback 1");
	testbed_run(s);
	testbed_reply_to(s, "bob", testbed_find(s, "bob", "asked of the players"), "yes");
	testbed_run(s);
	expect(s, "game show W1", 0, "seat 3  cy                   has left");
	expect(s, "game show W1", 0, "seat 4  dan                  plays");
	cr_expect_eq(mails_to(s, "cy"), cys, "%s", testbed_last(s, "cy")->text);
	cr_expect_gt(mails_to(s, "dan"), dans);
	cr_expect_not_null(strstr(testbed_last(s, "dan")->subject, "orders due"), "%s",
	                   testbed_last(s, "dan")->subject);
	expect(s, "fsck", 0, "sound");
	testbed_free(s);
}
