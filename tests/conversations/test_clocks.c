/*
 * test_clocks.c - what must hold of reminders, grace and vacant seats whatever is written in
 * the mails: nothing twice, nothing learnt by being late, and a record that verifies whoever
 * has played a seat.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "processor/base/err.h"
#include "tests/support/conversation.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

enum { HOUR_S = 3600, DAY_S = 24 * HOUR_S };

static unsigned reminders_to(const struct testbed *s, const char *who)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->nposts; i++)
		n += strcmp(s->posts[i]->who, who) == 0 &&
		     (strstr(s->posts[i]->subject, "your orders are due") ||
		      strstr(s->posts[i]->subject, "you are late"));
	return n;
}

Test(clocks, whoever_is_silent_gets_each_reminder_once_however_often_the_server_runs)
{
	struct testbed *s =
	    table_of_two("clocks", "create whakka mole players 2 grace 12H remind 2D,24H,4H");

	for (unsigned n = 0; n < 3 * 12 + 3; n++) {
		if (n == 3)
			testbed_reply(s, "bob", "popup 1; whack 2");
		if (n == 6) /* taken back: he has sent nothing after all */
			testbed_reply(s, "bob", "clear");
		if (n == 20)
			testbed_reply(s, "bob", "popup 1; whack 2");
		testbed_wait(s, 2 * HOUR_S);
		testbed_run(s);
	}
	cr_expect_eq(reminders_to(s, "ann"), 4, "%u", reminders_to(s, "ann"));
	cr_expect_eq(reminders_to(s, "bob"), 1, "%u", reminders_to(s, "bob"));
	expect_sound(s);
	testbed_free(s);
}

static void hours_pass(struct testbed *s, unsigned n)
{
	for (; n > 0; n--) {
		testbed_wait(s, HOUR_S);
		testbed_run(s);
	}
}

Test(clocks, whom_standing_orders_stand_in_for_hears_of_a_turn_once_also_after_a_pause)
{
	struct testbed *s = table_of_two("clocks", "create whakka mole players 2 next 3D");

	testbed_reply(s, "bob", "always whack 2");
	testbed_run(s);
	hours_pass(s, 49);
	cr_assert_eq(reminders_to(s, "bob"), 1);
	testbed_reply(s, "ann", "pause");
	hours_pass(s, 1);
	testbed_reply(s, "ann", "resume");
	hours_pass(s, 22);
	cr_expect_eq(reminders_to(s, "ann"), 2, "%u", reminders_to(s, "ann"));
	cr_expect_eq(reminders_to(s, "bob"), 1, "%u", reminders_to(s, "bob"));
	expect_sound(s);
	testbed_free(s);
}

Test(clocks, who_has_just_been_told_of_a_deadline_is_not_reminded_of_it_at_once)
{
	struct testbed *s = table_of_two("clocks", "create whakka mole players 2 next 5D");

	hours_pass(s, 5);
	testbed_reply(s, "ann", "set deadline 1d\nset grace 6h");
	testbed_run(s);
	testbed_reply(s, "bob", "yes");
	hours_pass(s, 2);
	cr_expect_eq(reminders_to(s, "bob"), 0);
	hours_pass(s, 19);
	cr_expect_eq(reminders_to(s, "bob"), 1);
	hours_pass(s, 4); /* it was as late as this turn goes */
	cr_expect_eq(reminders_to(s, "bob"), 2);
	expect_sound(s);
	testbed_free(s);
}

Test(clocks, a_pause_that_ends_as_a_reminder_is_due_has_told_enough)
{
	struct testbed *s = table_of_two("clocks", "create whakka mole players 2 next 2D");

	hours_pass(s, 23);
	testbed_wait(s, 58 * 60);
	testbed_reply(s, "ann", "pause");
	hours_pass(s, 24);
	testbed_reply(s, "ann", "resume");
	testbed_run(s);
	hours_pass(s, 2);
	cr_expect_eq(reminders_to(s, "bob"), 0);
	hours_pass(s, 19);
	cr_expect_eq(reminders_to(s, "bob"), 1);
	expect_sound(s);
	testbed_free(s);
}

Test(clocks, after_a_late_yes_too_there_is_time_for_second_thoughts)
{
	struct testbed *s =
	    table_of_two("clocks", "create whakka mole players 2 next 3D delay 2H");

	testbed_configure(s, "known_senders = confirm");
	testbed_write(s, "bob", "popup 1; whack 2");
	hours_pass(s, 1);
	cr_assert(testbed_find(s, "bob", "is this mail from you?"));
	testbed_reply(s, "ann", "popup 1; whack 2");
	hours_pass(s, 3);
	testbed_reply(s, "bob", "yes");
	testbed_run(s);
	cr_expect(strstr(testbed_last(s, "bob")->text, "Stored"), "%s",
	          testbed_last(s, "bob")->text);
	hours_pass(s, 1);
	cr_expect_not(testbed_find(s, "ann", "[W1 turn 2]"),
	              "the last orders count from the yes");
	hours_pass(s, 2);
	cr_expect(testbed_find(s, "ann", "[W1 turn 2]"));
	expect_sound(s);
	testbed_free(s);
}

Test(clocks, a_game_that_kills_when_it_is_reminded_of_is_held_and_the_others_go_on)
{
	static const char *const poison[] = {"MOLEPOST_TEST_ABORT_ON=W1/1", NULL};
	struct testbed *s = table_of_two("clocks", "create whakka mole players 2");
	unsigned deaths = 0;
	struct ran r = {.code = -1};

	testbed_write(s, "cy", "create whakka mole players 2 bots 1");
	testbed_run(s);
	testbed_wait(s, 2 * DAY_S + HOUR_S);
	for (bool alive = false; !alive && deaths < 10; deaths += !alive) {
		testbed_do(s, "run", poison, &r);
		alive = r.code == 0;
		ran_release(&r);
	}
	testbed_collect(s);
	cr_expect(deaths >= 3 && deaths <= 5, "%u deaths", deaths);
	cr_expect_eq(reminders_to(s, "cy"), 1);
	cr_expect_eq(reminders_to(s, "ann"), 0);
	testbed_do(s, "game show W1", NULL, &r);
	cr_expect(strstr(r.out.ptr, "HELD by server"), "%s", r.out.ptr);
	ran_release(&r);
	testbed_do(s, "game resume W1", NULL, &r);
	ran_release(&r);
	testbed_run(s);
	cr_expect_eq(reminders_to(s, "ann"), 1);
	expect_sound(s);
	testbed_free(s);
}

/* All that came to somebody, the numbers that stand for sealed orders cut short. */
static void all_mail_to(const struct testbed *s, const char *who, struct strbuf *out)
{
	conversation_mails_to(s, who, out);
	/* Commitments are digests with a nonce: that they differ says nothing. */
	for (size_t i = 0; i + 8 < out->len; i++)
		if (strncmp(out->ptr + i, "commit ", 7) == 0)
			for (size_t k = i + 7; k < out->len && out->ptr[k] != '~'; k++)
				out->ptr[k] = '#';
}

Test(clocks, whoever_is_late_learns_nothing_of_what_the_punctual_have_sent)
{
	static const char *const orders[] = {"popup 1; whack 2", "popup 7 8 9; whack 5",
	                                     "resign"};
	struct strbuf first = STRBUF_INIT, text = STRBUF_INIT;

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		struct testbed *s =
		    table_of_two("clocks", "create whakka mole players 2 next 1D grace 12H");

		testbed_reply(s, "ann", orders[i]);
		testbed_run(s);
		testbed_wait(s, DAY_S + HOUR_S);
		testbed_run(s);
		testbed_reply(s, "ann", "popup 3; whack 3");
		testbed_write(s, "bob", "status w1\nlist w1\nhistory w1\nsummary w1");
		testbed_run(s);
		cr_expect(testbed_find(s, "ann", "your orders are fixed"));
		cr_expect(testbed_find(s, "bob", "you are late"));
		strbuf_clear(&text);
		all_mail_to(s, "bob", &text);
		if (i == 0)
			strbuf_add_span(&first, strbuf_span(&text));
		cr_expect_str_eq(text.ptr, first.ptr, "%s", orders[i]);
		testbed_free(s);
	}
	strbuf_release(&first);
	strbuf_release(&text);
}

Test(clocks, the_record_verifies_whoever_has_played_a_seat)
{
	struct testbed *s = table_of_two(
	    "clocks", "create whakka mole players 2 misses 1 vacant bot next 1D turns=4");
	struct strbuf archive = STRBUF_INIT;

	testbed_reply(s, "ann", "popup 1; whack 2");
	testbed_wait(s, DAY_S + HOUR_S);
	testbed_run(s); /* bob is gone, a bot plays */
	testbed_reply(s, "ann", "popup 1; whack 2");
	testbed_run(s);
	testbed_write(s, "cy", "takeover w1");
	testbed_run(s);
	testbed_archive(s, "w1", &archive);
	cr_expect_eq(testbed_verify(s, strbuf_span(&archive)), 0, "while it runs");
	for (unsigned turn = 3; turn <= 4; turn++) {
		testbed_reply(s, "ann", "popup 1; whack 2");
		testbed_reply(s, "cy", "popup 3; whack 4");
		testbed_run(s);
	}
	cr_expect(testbed_find(s, "cy", " won") || testbed_find(s, "cy", "share the win"));
	strbuf_clear(&archive);
	testbed_archive(s, "w1", &archive);
	cr_expect(strstr(archive.ptr, "the seat is vacant"));
	cr_expect(strstr(archive.ptr, "cy has taken over the seat of bob"));
	cr_expect_eq(testbed_verify(s, strbuf_span(&archive)), 0, "at its end");
	expect_sound(s);
	strbuf_release(&archive);
	testbed_free(s);
}

Test(clocks, a_calendar_is_the_same_for_every_run_and_survives_an_outage)
{
	/* Thursday 18:00 UTC is 19:00 in Berlin: Friday 20:00 there is 19:00 UTC. */
	struct testbed *s = table_of_two("clocks",
	                                 "create whakka mole players 2 days mon-fri at 20:00 "
	                                 "zone Europe/Berlin next 24H remind none");

	testbed_wait(s, 24 * HOUR_S);
	testbed_reply(s, "ann", "popup 1; whack 2");
	/* Down over the deadline: bob's mail came in time, read hours later. */
	testbed_reply(s, "bob", "popup 3; whack 4");
	testbed_wait(s, 30 * HOUR_S);
	testbed_run(s);
	const struct post *p = testbed_last(s, "bob");
	cr_expect(strstr(p->text, "What happened in turn 1"));
	cr_expect(strstr(p->text, "bob whacked hole 4"), "%s", p->text);
	/* It is Sunday 00:00 UTC now: a day more is Monday 01:00 in Berlin, so Monday 20:00. */
	cr_expect(strstr(p->text, "Mon 16 Mar 19:00 UTC"), "%s", p->text);
	testbed_free(s);
}
