/*
 * test_seats.c - seats that lose their players, and get others, in the middle of a turn.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/strbuf.h"
#include "tests/support/crowd.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

static void run(struct testbed *s)
{
	testbed_wait(s, 60);
	testbed_run(s);
}

/* W1 of ann, who is its master, and `others` (names between blanks). */
static struct testbed *testbed_of(const char *create, const char *others)
{
	struct testbed *s;
	struct span rest = span_of(others), word;

	scratch_in_memory();
	s = testbed_new("seats");
	testbed_write(s, "ann", create);
	run(s);
	while (span_next_word(&rest, "", &word)) {
		struct strbuf who = STRBUF_INIT;

		strbuf_add_span(&who, word);
		testbed_write(s, who.ptr, "join w1");
		run(s);
		strbuf_release(&who);
	}
	return s;
}

enum { DAY_S = 24 * 3600 };
enum { RUNNING = 1, PAUSED, OVER }; /* enum game_status */

static int64_t status_of(const struct testbed *s)
{
	return crowd_number(s, "SELECT status FROM games WHERE id = 1");
}

static void eject(struct testbed *s, const char *whom)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "eject %s unrated", whom); /* she plays too */
	testbed_reply(s, "ann", text.ptr);
	run(s);
	testbed_reply(s, "ann", "yes");
	run(s);
	strbuf_release(&text);
}

/* Somebody who has had nothing to do with the game so far. */
static void eve_takes_over(struct testbed *s)
{
	testbed_write(s, "eve", "takeover w1");
	run(s);
}

Test(masters, votes_of_who_is_put_out_do_not_count_for_who_takes_the_seat_over)
{
	struct testbed *s = testbed_of("create whakka mole players 3 target=20", "bob cy");

	testbed_reply(s, "cy", "set draw");
	run(s);
	eject(s, "cy");
	eve_takes_over(s);
	testbed_reply(s, "ann", "set draw");
	testbed_reply(s, "bob", "set draw");
	run(s);
	cr_expect_eq(status_of(s), RUNNING);
	testbed_reply(s, "eve", "set draw");
	run(s);
	cr_expect_eq(status_of(s), OVER);
	expect_sound(s);
	testbed_free(s);
}

Test(masters, votes_for_a_pause_and_its_end_are_counted_again_when_somebody_is_put_out)
{
	struct testbed *s =
	    testbed_of("create whakka mole players 4 target=20 master", "bob cy dan eve");

	testbed_reply(s, "bob", "vote pause"); /* two of four are not over half */
	testbed_reply(s, "cy", "vote pause");
	run(s);
	cr_expect_eq(status_of(s), RUNNING);
	eject(s, "eve");
	cr_expect_eq(status_of(s), PAUSED);
	cr_expect(strstr(testbed_last(s, "dan")->text, "The vote has passed"), "%s",
	          testbed_last(s, "dan")->text);
	testbed_reply(s, "bob", "vote resume");
	run(s);
	cr_expect_eq(status_of(s), PAUSED);
	eject(s, "dan");
	cr_expect_eq(status_of(s), PAUSED); /* one of two */
	eject(s, "cy");
	cr_expect_eq(status_of(s), RUNNING);
	expect_sound(s);
	testbed_free(s);
}

/* ---- what the one before had sent ---- */

static void expect_never_read(const struct testbed *s, size_t from, const char *who,
                              const char *secret)
{
	size_t n = 0;

	for (size_t i = from; i < s->nposts; i++) {
		const struct post *p = s->posts[i];

		if (strcmp(p->who, who) != 0)
			continue;
		n++;
		cr_expect_not(strstr(p->text, secret), "%s has read %s:\n%s", who, secret,
		              p->text);
	}
	cr_expect_gt(n, 0, "%s has had no mail", who);
}

Test(seats, who_takes_a_seat_over_reads_no_orders_of_the_open_turn_that_another_sent)
{
	struct testbed *s = testbed_of("create whakka mole players 3 target=20", "bob cy");

	testbed_reply(s, "bob", "popup 8 9; whack 3");
	run(s);
	eject(s, "bob");
	size_t from = s->nposts;
	eve_takes_over(s);
	cr_expect(strstr(testbed_last(s, "eve")->text, "is withdrawn"), "%s",
	          testbed_last(s, "eve")->text);
	testbed_reply(s, "eve", "status");
	run(s);
	testbed_reply(s, "eve", "whack 5");
	run(s);
	expect_never_read(s, from, "eve", "POPUP 8 9");
	testbed_reply(s, "eve", "clear");
	testbed_reply(s, "ann", "popup 1; whack 2");
	testbed_reply(s, "cy", "popup 1; whack 2");
	run(s);
	cr_expect_eq(crowd_number(s, "SELECT serial FROM games"), 1, "eve is waited for");
	expect_sound(s);
	testbed_free(s);
}

Test(seats, a_master_who_plays_the_seat_of_somebody_put_out_reads_none_of_his_orders)
{
	struct testbed *s =
	    testbed_of("create whakka mole players 3 target=20 master", "bob cy dan");

	testbed_reply(s, "bob", "popup 8 9; whack 3");
	run(s);
	size_t from = s->nposts;
	eject(s, "bob");
	testbed_reply(s, "ann", "become 1");
	run(s);
	cr_expect(strstr(testbed_last(s, "ann")->text, "withdrawn"), "%s",
	          testbed_last(s, "ann")->text);
	testbed_reply(s, "ann", "status");
	run(s);
	expect_never_read(s, from, "ann", "POPUP 8 9");
	expect_sound(s);
	testbed_free(s);
}

Test(seats, who_takes_over_from_somebody_about_to_leave_does_not_leave)
{
	struct testbed *s = testbed_of("create whakka mole players 3 target=20", "bob cy");

	testbed_reply(s, "bob", "resign");
	run(s);
	eject(s, "bob");
	eve_takes_over(s);
	testbed_reply(s, "ann", "popup 1; whack 2");
	testbed_reply(s, "cy", "popup 1; whack 2");
	testbed_reply(s, "eve", "popup 1; whack 2");
	run(s);
	cr_expect_eq(crowd_number(s, "SELECT serial FROM games"), 2);
	cr_expect_eq(crowd_number(s, "SELECT sum(resigned) FROM seats"), 0);
	expect_sound(s);
	testbed_free(s);
}

Test(seats, behind_the_deadline_no_seat_is_taken_over_whose_orders_count)
{
	struct testbed *s =
	    testbed_of("create whakka mole players 3 target=20 next 1d grace 6h", "bob cy");

	testbed_reply(s, "bob", "popup 8 9; whack 3");
	run(s);
	eject(s, "bob");
	testbed_wait(s, DAY_S + 3600);
	testbed_run(s);
	size_t from = s->nposts;
	eve_takes_over(s);
	cr_expect(strstr(testbed_last(s, "eve")->text, "write again when the turn has ended"),
	          "%s", testbed_last(s, "eve")->text);
	expect_never_read(s, from, "eve", "POPUP 8 9");
	testbed_wait(s, 6 * 3600);
	testbed_run(s);
	cr_expect_eq(crowd_number(s, "SELECT serial FROM games"), 2);
	eve_takes_over(s);
	cr_expect(strstr(testbed_last(s, "eve")->text, "The seat is yours"), "%s",
	          testbed_last(s, "eve")->text);
	expect_sound(s);
	testbed_free(s);
}

Test(seats, who_takes_a_seat_over_has_not_missed_the_turn_that_had_ended)
{
	struct testbed *s =
	    testbed_of("create whakka mole players 3 target=20 next 1d misses 1", "bob cy");

	eject(s, "bob");
	testbed_reply(s, "ann", "popup 1; whack 2");
	testbed_reply(s, "cy", "popup 1; whack 2\nset wait");
	run(s);
	testbed_wait(s, DAY_S);
	eve_takes_over(s);
	cr_expect_eq(crowd_number(s, "SELECT serial FROM games"), 2);
	cr_expect_not(testbed_find(s, "eve", "your seat is vacant"));
	cr_expect(strstr(testbed_last(s, "eve")->text, "(1 excused)"), "%s",
	          testbed_last(s, "eve")->text);
	expect_sound(s);
	testbed_free(s);
}

/* Bob has sent orders and is put out; eve has asked for the seat in time, and must say yes. */
static struct testbed *asked_in_time(const char *create)
{
	struct testbed *s = testbed_of(create, "bob cy");

	testbed_configure(s, "known_senders = confirm");
	testbed_write(s, "eve", "observe w1");
	testbed_reply(s, "bob", "popup 8 9; whack 3");
	run(s);
	eject(s, "bob");
	testbed_wait(s, DAY_S - 3600);
	eve_takes_over(s);
	cr_expect(testbed_find(s, "eve", "is this mail from you?"), "%s",
	          testbed_last(s, "eve")->text);
	return s;
}

static void expect_yes_too_late(struct testbed *s)
{
	testbed_reply(s, "eve", "yes");
	run(s);
	cr_expect(testbed_find(s, "eve", "no seat was taken over"), "%s",
	          testbed_last(s, "eve")->text);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM orders WHERE how & 16 = 16"), 0);
	expect_sound(s);
	testbed_free(s);
}

Test(seats, a_yes_in_the_grace_takes_no_seat_over_that_was_asked_for_before_the_deadline)
{
	struct testbed *s =
	    asked_in_time("create whakka mole players 3 target=20 next 1d grace 6h");

	testbed_wait(s, 2 * 3600);
	testbed_run(s);
	expect_yes_too_late(s);
}

Test(seats, a_yes_between_the_deadline_and_the_next_run_takes_no_seat_over)
{
	struct testbed *s = asked_in_time("create whakka mole players 3 target=20 next 1d");

	testbed_wait(s, 2 * 3600);
	expect_yes_too_late(s);
}

Test(seats, orders_that_come_with_a_takeover_have_been_overtaken_by_nothing)
{
	struct testbed *s =
	    testbed_of("create whakka mole players 3 target=20 next 2d", "bob cy");

	testbed_configure(s, "known_senders = confirm");
	testbed_write(s, "eve", "observe w1");
	testbed_reply(s, "bob", "popup 8 9; whack 3");
	run(s);
	eject(s, "bob");
	testbed_write(s, "eve", "takeover w1\npopup 1; whack 2");
	run(s);
	testbed_reply(s, "eve", "yes");
	run(s);
	const struct post *receipt = testbed_last(s, "eve");
	cr_expect(strstr(receipt->subject, "2 orders stored"), "%s", receipt->subject);
	cr_expect_not(strstr(receipt->text, "is older"), "%s", receipt->text);
	expect_sound(s);
	testbed_free(s);
}

/* ---- who has played before ---- */

static void expect_refused(struct testbed *s, const char *who, const char *line,
                           const char *why)
{
	testbed_write(s, who, line);
	run(s);
	cr_expect(strstr(testbed_last(s, who)->text, why), "%s wrote %s:\n%s", who, line,
	          testbed_last(s, who)->text);
}

Test(seats, who_was_put_out_stays_out_when_the_next_one_has_lost_the_seat)
{
	struct testbed *s = testbed_of("create whakka mole players 3 target=40", "bob cy");

	eject(s, "bob");
	eve_takes_over(s);
	eject(s, "bob"); /* the seat keeps its name */
	expect_refused(s, "bob", "takeover w1", "removed you from it");
	expect_refused(s, "eve", "takeover w1", "removed you from it");
	eject(s, "cy");
	expect_refused(s, "bob", "takeover 3 w1", "removed you from it");
	testbed_write(s, "dan", "takeover 2 w1");
	run(s);
	expect_refused(s, "bob", "takeover w1", "removed you from it");
	expect_refused(s, "eve", "takeover w1", "removed you from it");
	expect_sound(s);
	testbed_free(s);
}

Test(seats, a_master_who_has_left_his_seat_plays_no_other)
{
	struct testbed *s = testbed_of("create whakka mole players 4 target=40", "bob cy dan");

	testbed_reply(s, "ann", "resign");
	testbed_reply(s, "bob", "popup 1; whack 2");
	testbed_reply(s, "cy", "popup 1; whack 2");
	testbed_reply(s, "dan", "popup 1; whack 2");
	run(s);
	cr_assert_eq(crowd_number(s, "SELECT resigned FROM seats WHERE seat = 1"), 1);
	eject(s, "cy");
	testbed_reply(s, "ann", "become 3");
	run(s);
	cr_expect(strstr(testbed_last(s, "ann")->text, "You have played another seat"), "%s",
	          testbed_last(s, "ann")->text);
	expect_sound(s);
	testbed_free(s);
}

static void miss_a_turn(struct testbed *s, const char *but, const char *but_too)
{
	testbed_reply(s, "ann", "popup 1; whack 2");
	if (but)
		testbed_reply(s, but, "popup 1; whack 2");
	if (but_too)
		testbed_reply(s, but_too, "popup 1; whack 2");
	run(s);
	testbed_wait(s, 24 * 3600);
	testbed_run(s);
}

Test(seats, who_has_lost_one_by_silence_gets_no_other_when_the_next_one_has_lost_it_too)
{
	struct testbed *s = testbed_of(
	    "create whakka mole players 3 target=40 next 1d misses 1 remind none", "bob cy");

	miss_a_turn(s, "cy", NULL); /* bob's */
	eve_takes_over(s);
	miss_a_turn(s, "eve", NULL); /* cy's */
	expect_refused(s, "bob", "takeover w1", "Somebody else plays the seat");
	expect_refused(s, "bob", "takeover 3 w1", "another seat");
	miss_a_turn(s, NULL, NULL); /* eve's */
	expect_refused(s, "bob", "takeover 3 w1", "another seat");
	expect_refused(s, "eve", "takeover 3 w1", "another seat");
	testbed_write(s, "bob", "takeover w1");
	run(s);
	cr_expect(strstr(testbed_last(s, "bob")->text, "The seat is yours"), "%s",
	          testbed_last(s, "bob")->text);
	expect_sound(s);
	testbed_free(s);
}

/* ---- a fallback of one's own ---- */

static void end_turn_with(struct testbed *s, const char *third, const char *orders)
{
	testbed_reply(s, "ann", "popup 1; whack 2");
	testbed_reply(s, "cy", "popup 1; whack 2");
	if (third)
		testbed_reply(s, third, orders);
	run(s);
	if (third)
		return;
	testbed_wait(s, 24 * 3600);
	testbed_run(s);
}

Test(seats, a_fallback_that_repeats_repeats_nothing_of_whoever_sat_there_before)
{
	struct testbed *s =
	    testbed_of("create whakka mole players 3 target=40 next 1d", "bob cy");

	end_turn_with(s, "bob", "popup 8 9; whack 3");
	eject(s, "bob");
	eve_takes_over(s);
	size_t from = s->nposts;
	testbed_reply(s, "eve", "set fallback repeat");
	run(s);
	testbed_reply(s, "eve", "status");
	run(s);
	expect_never_read(s, from, "eve", "POPUP 8 9");
	end_turn_with(s, NULL, NULL);
	cr_expect_eq(crowd_number(s, "SELECT serial FROM games"), 3);
	cr_expect(strstr(testbed_last(s, "eve")->proof, "nothing sent, default orders"), "%s",
	          testbed_last(s, "eve")->proof);
	end_turn_with(s, "eve", "popup 7; whack 6");
	end_turn_with(s, NULL, NULL);
	cr_expect_eq(crowd_number(s, "SELECT serial FROM games"), 5);
	cr_expect(strstr(testbed_last(s, "eve")->proof, "chosen in place of the default"), "%s",
	          testbed_last(s, "eve")->text);
	cr_expect(strstr(testbed_last(s, "eve")->text, "WHACK 6"), "%s",
	          testbed_last(s, "eve")->text);
	expect_sound(s);
	testbed_free(s);
}

/* ---- seats that are numbered anew ---- */

/* Bob, on seat 2, leaves; cy moves up to it as the game begins with those who are there. */
static struct testbed *begun_without_bob(void)
{
	struct testbed *s = testbed_of("create whakka mole players 4 target=20", "bob");

	testbed_reply(s, "bob", "broadcast\nHello.\nendbroadcast");
	run(s);
	testbed_write(s, "cy", "join w1");
	run(s);
	testbed_reply(s, "cy",
	              "broadcast\nHello too.\nendbroadcast\n"
	              "diary\nI sit on seat 3.\nenddiary");
	run(s);
	testbed_reply(s, "bob", "resign");
	run(s);
	testbed_reply(s, "ann", "force begin");
	run(s);
	return s;
}

Test(seats, a_game_begins_with_those_who_are_there_though_others_have_written_and_left)
{
	struct testbed *s = begun_without_bob();

	cr_expect(testbed_find(s, "cy", "[W1 turn 1]"), "%s", testbed_last(s, "ann")->text);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM quarantine"), 0);
	expect_sound(s);
	testbed_free(s);
}

Test(seats, a_reply_address_leads_to_no_other_player_when_seats_are_numbered_anew)
{
	struct testbed *s = begun_without_bob();
	const struct post *bobs = testbed_find(s, "bob", "you are in");

	cr_assert(bobs);
	size_t from = s->nposts;
	testbed_reply_to(s, "bob", bobs, "popup 8 9; whack 3");
	testbed_reply_to(s, "bob", bobs, "status");
	run(s);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM orders"), 0);
	for (size_t i = from; i < s->nposts; i++)
		cr_expect_not(strstr(s->posts[i]->text, "You are cy"), "%s", s->posts[i]->text);
	testbed_reply(s, "cy", "popup 1; whack 2");
	run(s);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM orders"), 1);
	expect_sound(s);
	testbed_free(s);
}

Test(seats, the_thread_of_a_seat_that_is_numbered_anew_goes_on)
{
	struct testbed *s = begun_without_bob();
	const struct post *begins = testbed_find(s, "cy", "the game begins");
	const struct post *report = testbed_find(s, "cy", "[W1 turn 1]");

	cr_assert(begins && report);
	const char *root = NULL;
	for (size_t i = 0; i < s->nposts && !root; i++)
		if (strcmp(s->posts[i]->who, "cy") == 0)
			root = s->posts[i]->message_id;
	cr_assert(root && report->in_reply_to);
	cr_expect(strstr(begins->raw, root), "%s is not in %s", root, begins->raw);
	cr_expect(strstr(begins->raw, report->in_reply_to), "%s is not in %s",
	          report->in_reply_to, begins->raw);
	testbed_free(s);
}

Test(seats, a_turn_does_not_wait_for_a_seat_that_nobody_has)
{
	struct testbed *s =
	    testbed_of("create whakka mole players 3 target=20 next 3d", "bob cy");

	eject(s, "bob");
	testbed_reply(s, "ann", "popup 1; whack 2");
	run(s);
	cr_expect(strstr(testbed_last(s, "ann")->text, "\nWaiting for cy. "), "%s",
	          testbed_last(s, "ann")->text);
	testbed_reply(s, "cy", "popup 1; whack 2");
	run(s);
	cr_expect_eq(crowd_number(s, "SELECT serial FROM games"), 2);
	/* Who takes the seat is waited for again. */
	eve_takes_over(s);
	testbed_reply(s, "ann", "popup 1; whack 2");
	testbed_reply(s, "cy", "popup 1; whack 2");
	run(s);
	cr_expect_eq(crowd_number(s, "SELECT serial FROM games"), 2);
	testbed_reply(s, "eve", "popup 1; whack 2");
	run(s);
	cr_expect_eq(crowd_number(s, "SELECT serial FROM games"), 3);
	expect_sound(s);
	testbed_free(s);
}

Test(seats, who_has_chosen_a_seat_has_it_in_the_record)
{
	struct testbed *s = testbed_of("create whakka mole players 3 as Ann", "");
	struct strbuf archive = STRBUF_INIT;

	testbed_write(s, "bob", "join w1 seat 3 as Bob");
	run(s);
	expect_sound(s);
	testbed_reply(s, "bob", "resign");
	run(s);
	/* His old row and his new one have one name until somebody takes the old seat. */
	testbed_write(s, "bob", "join w1 as Bob seat 2");
	run(s);
	expect_sound(s);
	testbed_write(s, "cy", "join w1 as Cy");
	run(s);
	cr_expect_eq(status_of(s), RUNNING);
	testbed_archive(s, "W1", &archive);
	cr_expect(strstr(archive.ptr, " - Bob\nseat 3 player "), "%s", archive.ptr);
	cr_expect(strstr(archive.ptr, " - Cy\nsecret-digest "), "%s", archive.ptr);
	cr_expect_eq(testbed_verify(s, strbuf_span(&archive)), 0);
	strbuf_release(&archive);
	expect_sound(s);
	testbed_free(s);
}
