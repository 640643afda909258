/*
 * test_quota.c - who hears of it that too many mails have come from an address in a day.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/table.h"

/* Whether the fourth of four mails, and no fifth, is answered with that. */
static bool is_told_once(struct testbed *s, const char *who, const struct post *to,
                         const char *text)
{
	unsigned told = 0;
	size_t before = s->nposts;

	for (unsigned i = 0; i < 5; i++) {
		if (to)
			testbed_reply_to(s, who, to, text);
		else
			testbed_write(s, who, text);
		testbed_run(s);
	}
	for (size_t i = before; i < s->nposts; i++)
		told += strstr(s->posts[i]->subject, "too many mails") != NULL;
	cr_expect_leq(told, 1);
	return told == 1;
}

static struct testbed *begin(const char *seed)
{
	struct testbed *s = testbed_new(seed);

	testbed_configure(s, "max_mails_per_day = 3");
	testbed_configure(s, "answers_per_day = 1000");
	table_begin(s, "ann bob");
	return s;
}

Test(quota, a_player_is_told_once_a_day)
{
	struct testbed *s = begin("player");

	cr_expect(
	    is_told_once(s, "ann", testbed_find(s, "ann", "orders due"), "popup 1, whack 1"));
	cr_expect_not(is_told_once(s, "ann", testbed_find(s, "ann", "orders due"), "popup 2"));
	cr_expect(is_told_once(s, "bob", NULL, "list"));
	testbed_free(s);
}

/* An address that anybody can write into From is sent nothing because of that. */
Test(quota, a_stranger_is_not_told)
{
	struct testbed *s = begin("stranger");

	cr_expect_not(is_told_once(s, "eve", NULL, "help"));
	testbed_free(s);
}

/* Nor is the address from which somebody writes with another's reply address, or its owner. */
Test(quota, who_uses_the_reply_address_of_another_is_not_told)
{
	struct testbed *s = begin("strange");

	cr_expect_not(
	    is_told_once(s, "eve", testbed_find(s, "ann", "orders due"), "popup 1, whack 1"));
	cr_expect_not(
	    is_told_once(s, "bob", testbed_find(s, "ann", "orders due"), "popup 1, whack 1"));
	testbed_free(s);
}
