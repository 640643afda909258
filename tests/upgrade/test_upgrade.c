/*
 * test_upgrade.c - a server that a program of schema 21 has left (README.md), in the hands of today's.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "processor/base/file.h"
#include "store/engine/schema.h"
#include "tests/support/crowd.h"
#include "tests/support/table.h"
#include "tests/support/testbed_files.h"

#define LEFT_UTC INT64_C(1773609600) /* the moment at which its last run was killed */

TestSuite(upgrade, .timeout = 600);

/* What was left, with the last mails that ann and bob had got. */
static struct testbed *old_server(void)
{
	struct strbuf words = STRBUF_INIT;

	testbed_use_memory();
	struct testbed *s = testbed_new_empty("upgrade");
	strbuf_addf(&words, "tar -xzf tests/upgrade/schema-21.tar.gz -C '%s'", s->dir);
	cr_assert_eq(mkdir(s->dir, 0700), 0);
	cr_assert_eq(system(words.ptr), 0);
	strbuf_release(&words);
	char *machine = testbed_path(s, "machine");
	cr_assert_eq(file_create(machine, SPAN_LIT("vm\n"), NULL), ERR_NONE);
	free(machine);
	testbed_configure(s, "host_id = machine");
	s->now_utc = LEFT_UTC;
	(void)testbed_collect(s);
	return s;
}

static int64_t schema_of(const struct testbed *s)
{
	return crowd_number(s, "SELECT user_version FROM pragma_user_version");
}

Test(upgrade, happens_with_the_next_run)
{
	struct testbed *s = old_server();
	struct strbuf why = STRBUF_INIT;
	unsigned newest;

	(void)migrations(&newest);
	strbuf_addf(&why, "has schema 21; `molepost run` will bring it to %u", newest);
	expect(s, "doctor", 65, why.ptr);
	expect(s, "doctor", 65, "to mend it: nothing: the next molepost run does it");
	testbed_run(s);
	cr_expect_eq(schema_of(s), newest);
	expect_sound(s);
	expect(s, "doctor", 0, "All is well");
	expect(s, "game show W1", 0, "serial 4 is open");
	strbuf_release(&why);
	testbed_free(s);
}

/* The first example in a mail; empty: there is none. */
static struct span example_in(const char *text)
{
	const char *block = strstr(text, "example:"),
		   *line = block ? strstr(block, "\n  | ") : NULL;

	return line ? span_slice(span_of(line), 5, strcspn(line + 1, "\n") + 1) : SPAN_EMPTY;
}

/* Everybody does as the first example of each new mail about a game says. */
static void answer(struct testbed *s, size_t first)
{
	for (size_t i = first, n = s->nposts; i < n; i++) {
		const struct post *p = s->posts[i];
		struct span example = example_in(p->text);
		struct strbuf text = STRBUF_INIT;

		strbuf_addf(&text, "%.*s\n", SPAN_ARGS(example));
		if (example.len > 0 && p->subject[0] == '[' && p->reply_to[0])
			testbed_reply_to(s, p->who, p, text.ptr);
		strbuf_release(&text);
	}
}

static void expect_record_holds(struct testbed *s, const char *game)
{
	struct strbuf archive = STRBUF_INIT;

	testbed_archive(s, game, &archive);
	cr_expect_eq(testbed_verify(s, strbuf_span(&archive)), 0, "%s", game);
	strbuf_release(&archive);
}

/* Of each kind; C5 had ended before. */
Test(upgrade, games_go_on_to_their_ends_and_their_records_hold)
{
	static const char *const games[] = {"W1", "M2", "P3", "B4", "C5"};
	enum { MOST_RUNS = 400 };
	struct testbed *s = old_server();
	unsigned runs = 0;

	testbed_run(s);
	testbed_reply_to(s, "ann", testbed_find(s, "ann", "[B4] the game is paused"), "resume");
	while (crowd_number(s, "SELECT count(*) FROM games WHERE status IN (1, 2)") > 0) {
		size_t seen = s->nposts;

		cr_assert_lt(runs++, MOST_RUNS);
		testbed_run(s);
		answer(s, seen);
		testbed_wait(s, 12 * 3600);
	}
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM games WHERE status = 3"), 5);
	for (size_t i = 0; i < sizeof games / sizeof *games; i++)
		expect_record_holds(s, games[i]);
	expect_sound(s);
	testbed_free(s);
}

/* After an upgrade the backups of before are those one has. */
Test(upgrade, a_backup_of_before_comes_back_too)
{
	struct testbed *s = old_server(), *backup = old_server();
	struct strbuf words = STRBUF_INIT;

	testbed_run(s);
	strbuf_addf(&words, "restore %s/molepost.db", backup->dir);
	expect(s, words.ptr, 0, "Next: molepost doctor");
	expect(s, "run --reread", 0, NULL);
	expect(s, "doctor", 0, "All is well");
	expect_sound(s);
	strbuf_release(&words);
	testbed_free(backup);
	testbed_free(s);
}

/* By a kill at step number `at`; each migration has one before and one behind what ends it. */
static bool was_killed(struct testbed *s, unsigned at)
{
	struct strbuf env = STRBUF_INIT;
	struct ran r;

	strbuf_addf(&env, "MOLEPOST_TEST_STOP_AT=%u", at);
	testbed_do(s, "run --no-send", (const char *const[]){env.ptr, NULL}, &r);
	bool killed = r.signal == SIGKILL;
	cr_assert(killed || r.code == 0, "%s", r.err.ptr);
	ran_release(&r);
	strbuf_release(&env);
	return killed;
}

Test(upgrade, killed_at_any_moment_goes_on)
{
	struct testbed *s = old_server();
	struct strbuf dump = STRBUF_INIT, again = STRBUF_INIT;
	unsigned newest, at = 0;
	int64_t reached = 0;

	(void)migrations(&newest);
	testbed_files_keep(s);
	testbed_files_unread(s);
	crowd_run(s);
	testbed_dump(s, &dump);
	while (reached < newest) {
		testbed_files_restore(s);
		testbed_files_unread(s);
		cr_assert(was_killed(s, ++at));
		reached = schema_of(s);
		cr_assert_eq(reached, 21 + at / 2, "killed at %u", at);
		crowd_run(s);
		strbuf_clear(&again);
		testbed_dump(s, &again);
		cr_assert_str_eq(again.ptr, dump.ptr, "killed at %u", at);
	}
	cr_expect_eq(at, 2 * (newest - 21));
	strbuf_release(&dump);
	strbuf_release(&again);
	testbed_free(s);
}
