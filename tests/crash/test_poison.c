/*
 * test_poison.c - what kills the program again and again is set aside; a kill alone is not
 * enough.
 *
 * A run that dies leaves behind what it had in hand. The next one takes that batch piece by
 * piece and counts: the piece that was alone in hand at three deaths is condemned, the others
 * go on.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/crash.h"
#include "tests/support/table.h"

TestSuite(poison, .timeout = 600);

/*
 * Steps of a run, see MOLEPOST_TEST_STEP_LOG: what is in hand is marked (1 and 2), then comes
 * the transaction with the work (3 before and 4 after its commit, 5 its end). The first run in some
 * minutes notes before all this that it takes place, which is one commit more.
 */
enum { BEFORE_THE_MARK = 1, BEFORE_THE_COMMIT = 3, BEFORE_THE_SECOND_COMMIT = 8, DEATHS = 3 };
enum { THE_NOTE = 2 };

static void die_at(struct testbed *s, unsigned step)
{
	struct trial t = {.at = step};
	struct ran r;

	disturb_by_step(&t, s, 0, &r);
	cr_assert_eq(r.signal, SIGKILL, "exit code %d: %s", r.code, r.err.ptr);
	ran_release(&r);
}

static bool dump_has(struct testbed *s, const char *line_start)
{
	struct strbuf dump = STRBUF_INIT, needle = STRBUF_INIT;
	bool has;

	strbuf_addf(&needle, "\n%s", line_start);
	testbed_dump(s, &dump);
	has = strstr(dump.ptr, needle.ptr) != NULL;
	strbuf_release(&dump);
	strbuf_release(&needle);
	return has;
}

static struct testbed *two_mails(void)
{
	struct testbed *s;

	testbed_use_memory();
	s = testbed_new("poison");
	testbed_run(s);
	testbed_write(s, "ann", "create whakka mole players 2");
	testbed_write(s, "bob", "create whakka mole players 3");
	return s;
}

Test(poison, a_mail_that_is_alone_in_hand_at_every_death_is_set_aside_and_the_others_go_on)
{
	struct testbed *s = two_mails();

	for (unsigned i = 0; i < 1 + DEATHS; i++)
		die_at(s, BEFORE_THE_COMMIT);
	cr_assert_eq(testbed_run_noting(s), 1);
	cr_assert(strstr(s->complaints.ptr, "is set aside"), "%s", s->complaints.ptr);
	cr_assert_str_eq(testbed_last(s, "bob")->who, "bob");
	cr_assert_null(testbed_find(s, "ann", ""));
	cr_assert(dump_has(s, "quarantine "));
	testbed_free(s);
}

/* Digests to these are due, and the next run has nothing else to do, nor to note. */
static struct testbed *digests_that_are_due(char who[][8], size_t n)
{
	struct testbed *s;

	testbed_use_memory();
	s = testbed_new("poison");
	for (size_t i = 0; i < n; i++)
		testbed_write(s, who[i],
		              "create whakka mole players 2 bots 1\nset mail digest");
	testbed_run(s);
	testbed_wait(s, 14 * 60 * 60 - 5 * 60);
	testbed_run(s);
	testbed_wait(s, 6 * 60);
	return s;
}

static struct testbed *a_digest_that_is_due(void)
{
	return digests_that_are_due((char[][8]){"ann", "bob"}, 2);
}

Test(digest, more_of_them_than_are_written_together_leave_in_one_run)
{
	enum { PLAYERS = 101 };
	char who[PLAYERS][8];

	for (unsigned i = 0; i < PLAYERS; i++)
		(void)snprintf(who[i], sizeof who[i], "p%u", i);
	struct testbed *s = digests_that_are_due(who, PLAYERS);
	testbed_run(s);
	for (unsigned i = 0; i < PLAYERS; i++)
		cr_expect(testbed_find(s, who[i], "[digest 1]"), "%s", who[i]);
	testbed_free(s);
}

Test(poison, a_digest_that_kills_leaves_as_the_mails_that_are_in_it)
{
	struct testbed *s = a_digest_that_is_due();

	for (unsigned i = 0; i < 1 + DEATHS; i++)
		die_at(s, BEFORE_THE_COMMIT);
	cr_assert_eq(testbed_run_noting(s), 2);
	cr_assert(strstr(s->complaints.ptr, "goes out mail by mail"), "%s", s->complaints.ptr);
	cr_assert(testbed_find(s, "ann", "[W1 turn 1]"), "what waited for ann came by itself");
	cr_assert(testbed_find(s, "bob", "[digest 1]"));
	cr_assert_null(testbed_find(s, "bob", "[W2 turn 1]"));
	testbed_free(s);
}

Test(poison, a_run_killed_over_a_digest_writes_the_same_one_again)
{
	struct testbed *s = a_digest_that_is_due(), *calm = testbed_clone(s);
	struct strbuf killed = STRBUF_INIT, whole = STRBUF_INIT;

	die_at(s, BEFORE_THE_COMMIT);
	expect_sound(s);
	die_at(s, BEFORE_THE_COMMIT + 1);
	testbed_run(s);
	testbed_run(calm);
	testbed_mails(s, &killed);
	testbed_mails(calm, &whole);
	cr_assert_str_eq(killed.ptr, whole.ptr);
	strbuf_release(&killed);
	strbuf_release(&whole);
	testbed_free(s);
	testbed_free(calm);
}

Test(poison, deaths_with_the_whole_batch_in_hand_condemn_nothing)
{
	struct testbed *s = two_mails();

	for (unsigned i = 0; i < 3 * DEATHS; i++)
		die_at(s, BEFORE_THE_MARK);
	die_at(s, BEFORE_THE_COMMIT);
	cr_assert_eq(testbed_run(s), 2);
	cr_assert_not(dump_has(s, "quarantine "));
	testbed_free(s);
}

/* W1 of ann and bob, W2 of cy and dan, both past the deadline of their first turn. */
static struct testbed *two_due_games(void)
{
	struct testbed *s;

	testbed_use_memory();
	s = testbed_new("poison");
	testbed_write(s, "ann", "create whakka mole players 2 next 1d");
	testbed_write(s, "cy", "create whakka mole players 2 next 1d");
	testbed_run(s);
	testbed_write(s, "bob", "join W1");
	testbed_write(s, "dan", "join W2");
	testbed_run(s);
	testbed_wait(s, 25 * 3600);
	return s;
}

static void resume(struct testbed *s)
{
	struct ran r;

	testbed_do(s, "game resume W1", NULL, &r);
	cr_assert_eq(r.code, 0, "%s", r.err.ptr);
	ran_release(&r);
}

Test(poison, a_turn_that_is_alone_in_hand_at_every_death_holds_its_game_until_it_is_resumed)
{
	struct testbed *s = two_due_games();

	die_at(s, THE_NOTE + BEFORE_THE_SECOND_COMMIT);
	for (unsigned i = 0; i < DEATHS; i++)
		die_at(s, BEFORE_THE_COMMIT);
	cr_assert_eq(testbed_run_noting(s), 2);
	cr_assert(strstr(s->complaints.ptr, "held"), "%s", s->complaints.ptr);
	cr_assert(testbed_find(s, "cy", "[W2 turn 2]"));
	cr_assert_null(testbed_find(s, "ann", "[W1 turn 2]"));
	strbuf_clear(&s->complaints);
	resume(s);
	cr_assert_eq(testbed_run(s), 2);
	cr_assert(testbed_find(s, "ann", "[W1 turn 2]"));
	testbed_free(s);
}
