/*
 * test_quota.c - who hears of it that too many mails have come from an address in a day.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/table.h"

/* Whether the fourth of four mails, and no fifth, is answered with that. */
static bool is_told_once(struct site *s, const char *who, const struct post *to,
                         const char *text)
{
	unsigned told = 0;
	size_t before = s->nposts;

	for (unsigned i = 0; i < 5; i++) {
		if (to)
			site_reply_to(s, who, to, text);
		else
			site_write(s, who, text);
		site_run(s);
	}
	for (size_t i = before; i < s->nposts; i++)
		told += strstr(s->posts[i]->subject, "too many mails") != NULL;
	cr_expect_leq(told, 1);
	return told == 1;
}

static struct site *begin(const char *seed)
{
	struct site *s = site_new(seed);

	site_configure(s, "max_mails_per_day = 3");
	site_configure(s, "answers_per_day = 100");
	table_begin(s, "ann bob");
	return s;
}

Test(quota, a_player_is_told_once_a_day)
{
	struct site *s = begin("player");

	cr_expect(
	    is_told_once(s, "ann", site_find(s, "ann", "orders due"), "popup 1, whack 1"));
	cr_expect_not(is_told_once(s, "ann", site_find(s, "ann", "orders due"), "popup 2"));
	cr_expect(is_told_once(s, "bob", NULL, "list"));
	site_free(s);
}

/* An address that anybody can write into From is sent nothing because of that. */
Test(quota, a_stranger_is_not_told)
{
	struct site *s = begin("stranger");

	cr_expect_not(is_told_once(s, "eve", NULL, "help"));
	site_free(s);
}

/* Nor is the address from which somebody writes with another's reply address, or its owner. */
Test(quota, who_uses_the_reply_address_of_another_is_not_told)
{
	struct site *s = begin("strange");

	cr_expect_not(
	    is_told_once(s, "eve", site_find(s, "ann", "orders due"), "popup 1, whack 1"));
	cr_expect_not(
	    is_told_once(s, "bob", site_find(s, "ann", "orders due"), "popup 1, whack 1"));
	site_free(s);
}
