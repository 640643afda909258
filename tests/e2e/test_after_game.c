/*
 * test_after_game.c - the program that hears of games which have ended: when, of which, how often.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "tests/support/table.h"
#include "tests/support/testbed.h"

enum { DAY_S = 86400, LOG_MAX = 1 << 20, NOTHING_TURNS = 3, STEPS_MAX = 500 };

static void set_program(struct testbed *s, int code)
{
	char *path = testbed_path(s, "publish"), *heard = testbed_path(s, "heard");
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "#!/bin/sh\n{ echo \"run for $*\"; cat; } >> '%s'\nexit %d\n", heard,
	            code);
	(void)unlink(path);
	cr_assert_eq(file_create(path, strbuf_span(&text), NULL), ERR_NONE);
	cr_assert_eq(chmod(path, 0700), 0);
	strbuf_clear(&text);
	strbuf_addf(&text, "after_game = command:%s", path);
	testbed_configure(s, text.ptr);
	strbuf_release(&text);
	free(heard);
	free(path);
}

static void set_code(struct testbed *s, int code)
{
	char *path = testbed_path(s, "publish");
	struct strbuf text = STRBUF_INIT;

	cr_assert_eq(file_read(path, LOG_MAX, &text, NULL), ERR_NONE);
	text.ptr[text.len - 2] = (char)('0' + code);
	cr_assert_eq(file_replace(path, strbuf_span(&text), NULL), ERR_NONE);
	cr_assert_eq(chmod(path, 0700), 0);
	strbuf_release(&text);
	free(path);
}

static void add_heard(struct testbed *s, struct strbuf *out)
{
	char *path = testbed_path(s, "heard");

	if (file_exists(path))
		cr_assert_eq(file_read(path, LOG_MAX, out, NULL), ERR_NONE);
	free(path);
}

static unsigned times_heard(struct testbed *s, const char *words)
{
	struct strbuf text = STRBUF_INIT;
	unsigned n = 0;

	add_heard(s, &text);
	for (const char *at = text.ptr; (at = strstr(at, words)) != NULL; at++)
		n++;
	strbuf_release(&text);
	return n;
}

/* A game whose last turn is over: nobody has sent orders. The next run ends it. */
static struct testbed *about_to_end(void)
{
	struct testbed *s = testbed_new("after game");

	testbed_configure(s, "outage = off");
	testbed_write(s, "ann", "create whakka mole players 2");
	testbed_write(s, "bob", "join whakka mole");
	testbed_run(s);
	for (unsigned i = 0; i < NOTHING_TURNS; i++) {
		testbed_wait(s, 4 * DAY_S);
		if (i + 1 < NOTHING_TURNS)
			testbed_run(s);
	}
	return s;
}

Test(after_game, the_program_gets_the_record_once)
{
	struct testbed *s = about_to_end();
	struct strbuf text = STRBUF_INIT, record = STRBUF_INIT;

	set_program(s, 0);
	expect(s, "run", 0, NULL);
	expect(s, "doctor", 0, "All is well.");
	expect(s, "run", 0, NULL);
	testbed_archive(s, "W1", &record);
	strbuf_adds(&text, "run for W1\n");
	strbuf_add_span(&text, strbuf_span(&record));
	strbuf_clear(&record);
	add_heard(s, &record);
	cr_expect_str_eq(record.ptr, text.ptr);
	strbuf_release(&text);
	strbuf_release(&record);
	testbed_free(s);
}

Test(after_game, a_program_that_fails_hears_of_it_again)
{
	struct testbed *s = about_to_end();
	char *path = testbed_path(s, "publish");

	set_program(s, 3);
	expect(s, "run", 75, "publish ended with 3");
	expect(s, "run", 75, NULL); /* the operator knows */
	expect(s, "doctor", 65, "has not heard yet of W1, which has ended");
	cr_expect_eq(times_heard(s, "run for W1\n"), 2);
	set_code(s, 0);
	expect(s, "run", 0, NULL);
	expect(s, "run", 0, NULL);
	cr_expect_eq(times_heard(s, "run for W1\n"), 3);
	cr_assert_eq(unlink(path), 0);
	expect(s, "doctor", 65, "check the after_game line of molepost.conf");
	free(path);
	testbed_free(s);
}

Test(after_game, of_what_ended_before_it_was_configured_it_hears_nothing)
{
	struct testbed *s = about_to_end();

	expect(s, "run", 0, NULL);
	set_program(s, 0);
	testbed_write(s, "cy", "create whakka mole players 2");
	expect(s, "run", 0, NULL);
	cr_expect_eq(times_heard(s, "run for"), 0);
	testbed_free(s);
}

/* Wherever it is killed: the program has heard of the game after the next run, and at most twice. */
Test(after_game, a_kill_takes_no_game_from_it, .timeout = 300)
{
	struct testbed *begun = about_to_end();
	unsigned twice = 0;

	for (unsigned at = 1; at < STEPS_MAX; at++) {
		struct testbed *s = testbed_clone(begun);
		char step[40];
		struct ran r;
		bool killed;

		set_program(s, 0);
		(void)snprintf(step, sizeof(step), "MOLEPOST_TEST_STOP_AT=%u", at);
		testbed_do(s, "run", (const char *const[]){step, NULL}, &r);
		killed = r.code != 0;
		ran_release(&r);
		testbed_do(s, "run", NULL, &r);
		ran_release(&r);
		cr_expect_geq(times_heard(s, "run for W1\n"), 1, "killed at step %u", at);
		cr_expect_leq(times_heard(s, "run for W1\n"), 2, "killed at step %u", at);
		twice += times_heard(s, "run for W1\n") == 2;
		testbed_free(s);
		if (!killed)
			break;
	}
	cr_expect_gt(twice, 0, "none between its run and the note of it");
	testbed_free(begun);
}
