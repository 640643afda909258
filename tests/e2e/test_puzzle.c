/*
 * test_puzzle.c - the puzzle of a Monday: one mail, however often its run is stopped; its page.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/file.h"
#include "tests/support/crowd.h"
#include "tests/support/table.h"
#include "tests/support/testbed.h"

enum { HOUR_S = 3600, DAY_S = 24 * HOUR_S, MOST = 1 << 20, TURNS = 4, STEPS_MAX = 200 };

TestSuite(puzzle, .timeout = 600);

/* A game of words that has ended, and Monday morning. */
static struct testbed *monday(const char *more)
{
	struct testbed *s = testbed_new("puzzle");
	struct strbuf create = STRBUF_INIT;

	testbed_configure(s, "outage = off");
	strbuf_addf(&create, "create martian boggle diagonals=off words=2 maxturns=2 %s", more);
	testbed_write(s, "ann", create.ptr);
	strbuf_release(&create);
	testbed_write(s, "bob", "join b1 key moles");
	testbed_run(s);
	for (unsigned i = 0; i < TURNS; i++) {
		testbed_reply(s, i % 2 ? "ann" : "bob", "pass");
		testbed_run(s);
	}
	testbed_write(s, "ann", "set puzzle on");
	testbed_run(s);
	testbed_wait(s, 4 * DAY_S - 11 * HOUR_S);
	return s;
}

static unsigned puzzles_of(const struct testbed *s, const char *who)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->nposts; i++)
		n += strcmp(s->posts[i]->who, who) == 0 && !s->posts[i]->again &&
		     strncmp(s->posts[i]->subject, "[puzzle]", 8) == 0;
	return n;
}

Test(puzzle, it_goes_once_to_who_wants_it_with_a_line_that_ends_it)
{
	struct testbed *s = monday("");

	testbed_run(s);
	cr_assert_eq(puzzles_of(s, "ann"), 1);
	cr_expect_neq(strstr(testbed_last(s, "ann")->raw, "List-Unsubscribe:"), NULL);
	cr_expect_neq(strstr(testbed_last(s, "ann")->raw, "set%20puzzle%20off"), NULL);
	testbed_wait(s, HOUR_S);
	testbed_run(s);
	cr_expect_eq(puzzles_of(s, "ann"), 1);
	cr_expect_eq(puzzles_of(s, "bob"), 0);
	testbed_free(s);
}

Test(puzzle, a_private_game_is_none_and_neither_is_a_tuesday)
{
	struct testbed *s = monday("private key moles"), *late = monday("");

	testbed_run(s);
	cr_expect_eq(puzzles_of(s, "ann"), 0);
	testbed_wait(late, DAY_S);
	testbed_run(late);
	cr_expect_eq(puzzles_of(late, "ann"), 0);
	testbed_free(s);
	testbed_free(late);
}

Test(puzzle, its_page_has_the_task_and_no_solution)
{
	struct testbed *s = monday("");
	char *www = testbed_path(s, "www"), *path = testbed_path(s, "www/puzzle.html");
	struct strbuf words = STRBUF_INIT, page = STRBUF_INIT;

	strbuf_addf(&words, "site %s", www);
	expect(s, words.ptr, 0, NULL);
	cr_expect(!file_exists(path));
	testbed_run(s);
	expect(s, words.ptr, 0, NULL);
	cr_assert_eq(file_read(path, MOST, &page, NULL), ERR_NONE);
	cr_expect_neq(strstr(page.ptr, "Martian Boggle, B1, turn"), NULL);
	cr_expect_eq(strstr(page.ptr, "SPELL"), NULL);
	/* One that cannot be read costs the site nothing. */
	crowd_sql(s, "UPDATE puzzles SET position = 'x'");
	expect(s, words.ptr, 0, NULL);
	strbuf_release(&words);
	strbuf_release(&page);
	free(www);
	free(path);
	testbed_free(s);
}

/* Stopped at each of its steps, once: the run after it writes what is missing. */
Test(puzzle, a_run_that_is_stopped_anywhere_and_goes_on_sends_it_once)
{
	struct testbed *before = monday("");
	unsigned stopped = 0;

	for (unsigned at = 1; at < STEPS_MAX; at++) {
		struct testbed *s = testbed_clone(before);
		char stop[64];
		const char *env[] = {stop, NULL};
		struct ran ran;

		snprintf(stop, sizeof stop, "MOLEPOST_TEST_STOP_AT=%u", at);
		testbed_do(s, "run", env, &ran);
		const bool end = ran.code == 0;
		ran_release(&ran);
		testbed_run(s);
		cr_expect_eq(puzzles_of(s, "ann"), 1, "stopped at step %u", at);
		expect(s, "fsck", 0, "The database is sound.");
		testbed_free(s);
		if (end)
			break;
		stopped++;
	}
	cr_expect_geq(stopped, 4);
	testbed_free(before);
}

/* A game over which the program dies costs the week its puzzle, and nobody else a thing. */
Test(puzzle, after_two_deaths_there_is_none_and_mail_goes_on)
{
	struct testbed *s = monday("");
	struct ran ran;
	const char *env[] = {"MOLEPOST_TEST_ABORT_ON=puzzle/1", NULL};

	for (unsigned i = 0; i < 2; i++) {
		testbed_do(s, "run", env, &ran);
		cr_assert_neq(ran.code, 0);
		ran_release(&ran);
	}
	testbed_write(s, "bob", "list");
	testbed_do(s, "run", env, &ran);
	cr_expect_eq(ran.code, 0);
	ran_release(&ran);
	testbed_run(s);
	cr_expect_eq(puzzles_of(s, "ann"), 0);
	cr_expect_neq(strstr(testbed_last(s, "bob")->text, "At the moment no game"), NULL);
	testbed_free(s);
}
