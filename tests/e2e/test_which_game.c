/*
 * test_which_game.c - which game a mail is about, and who may ask about it.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/table.h"

static bool sees(struct testbed *s, const char *who, const char *text, const char *said)
{
	testbed_write(s, who, text);
	testbed_run(s);
	return strstr(testbed_last(s, who)->subject, said) != NULL;
}

/* Who sits in it, is its master or observes it: nobody else, whether known here or not. */
Test(which_game, a_private_game_is_seen_by_its_own_alone)
{
	struct testbed *s = testbed_new("private");

	testbed_write(s, "ann", "create whakka mole players 2 master key sesame");
	testbed_run(s);
	testbed_write(s, "bob", "create whakka mole players 3 bots 1");
	testbed_run(s);
	cr_expect(sees(s, "bob", "status W1", "a private game"), "%s",
	          testbed_last(s, "bob")->subject);
	cr_expect(sees(s, "bob", "history W1", "a private game"));
	cr_expect(sees(s, "eve", "status W1", "a private game"));
	cr_expect_not(sees(s, "ann", "status W1", "a private game"), "%s",
	              testbed_last(s, "ann")->text);
	testbed_write(s, "bob", "join W1 key sesame");
	testbed_run(s);
	cr_expect_not(sees(s, "bob", "status W1", "a private game"), "%s",
	              testbed_last(s, "bob")->text);
	testbed_free(s);
}

/* The letter is part of the name: P1 is no game where W1 is. */
Test(which_game, another_letter_is_another_game)
{
	struct testbed *s = testbed_new("letter");

	table_begin(s, "ann bob");
	cr_expect_not(sees(s, "ann", "status W1", "no such game"), "%s",
	              testbed_last(s, "ann")->subject);
	cr_expect(strstr(testbed_last(s, "ann")->text, "W1") != NULL);
	testbed_write(s, "ann", "status P1");
	testbed_run(s);
	cr_expect_not_null(strstr(testbed_last(s, "ann")->text, "P1"), "%s",
	                   testbed_last(s, "ann")->text);
	cr_expect_null(strstr(testbed_last(s, "ann")->subject, "[P1]"));
	testbed_free(s);
}
