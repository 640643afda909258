/*
 * test_pauses.c - games that stand, seen by their players: the time that was left when they stopped is
 * left when they go on, whatever else went on meanwhile, and nobody has gained anything by it.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/crowd.h"
#include "tests/support/hours.h"

static bool is_paused(const struct testbed *s)
{
	return crowd_number(s, "SELECT status FROM games WHERE id = 1") == 2;
}

static void finish(struct testbed *s)
{
	expect_sound(s);
	testbed_free(s);
}

Test(pauses, a_server_that_is_off_during_a_pause_costs_nobody_time_nor_gives_it_twice)
{
	struct testbed *s = hours_begin("pauses", "create whakka mole players 2 next 3D");
	int64_t deadline = deadline_of(s);

	run_hours(s, 3);
	testbed_reply(s, "ann", "pause");
	testbed_run(s);
	run_hours(s, 3);
	testbed_wait(s, 2 * DAY_S);
	testbed_run(s);
	run_hours(s, 2);
	testbed_reply(s, "ann", "resume");
	testbed_run(s);
	cr_expect_eq(deadline_of(s), deadline + 2 * DAY_S + 5 * HOUR_S);
	run_hours(s, 3);
	cr_expect_eq(deadline_of(s), deadline + 2 * DAY_S + 5 * HOUR_S);
	finish(s);
}

/* The hour at which turns end is not waited for: that cost a day for a pause of minutes. */
Test(pauses, give_back_what_was_left_and_no_more_where_turns_end_at_an_hour)
{
	struct testbed *s =
	    hours_begin("pauses", "create whakka mole players 2 next 1D at 20:00");
	int64_t deadline = deadline_of(s);

	testbed_reply(s, "ann", "pause");
	testbed_run(s);
	testbed_wait(s, 4 * 60);
	testbed_reply(s, "ann", "resume");
	testbed_run(s);
	cr_expect_eq(deadline_of(s), deadline + 4 * 60, "%lld s",
	             (long long)(deadline_of(s) - deadline));
	testbed_reply(s, "ann", "popup 1; whack 2");
	testbed_reply(s, "bob", "popup 1; whack 2");
	run_hours(s, 1);
	cr_expect_eq(deadline_of(s) % DAY_S, 20 * HOUR_S);
	finish(s);
}

/* But not on a day on which no turn ends: a pause from Thursday to Saturday leads from Friday to Monday. */
Test(pauses, do_not_lead_to_a_day_without_turns)
{
	struct testbed *s =
	    hours_begin("pauses", "create whakka mole players 2 next 1D days mon-fri at 20:00");
	int64_t deadline = deadline_of(s);

	testbed_reply(s, "ann", "pause");
	testbed_run(s);
	testbed_wait(s, DAY_S);
	testbed_reply(s, "ann", "resume");
	testbed_run(s);
	cr_expect_eq(deadline_of(s), deadline + 3 * DAY_S, "%lld s",
	             (long long)(deadline_of(s) - deadline));
	finish(s);
}

/* Nothing could be sent from the fourth hour on; a pause from the sixth hour goes beyond that. */
Test(pauses, what_was_lost_before_a_pause_comes_back_with_what_was_lost_in_it)
{
	struct testbed *s = hours_begin("pauses", "create whakka mole players 2 next 3D");
	int64_t deadline = deadline_of(s);

	run_hours(s, 3);
	testbed_move(s, "outbox/tmp", "away");
	testbed_write(s, "bob", "help");
	run_hours(s, 2);
	testbed_reply(s, "ann", "pause");
	run_hours(s, 1);
	cr_assert(is_paused(s));
	run_hours(s, 10);
	testbed_move(s, "away", "outbox/tmp");
	run_hours(s, 5);
	cr_assert_eq(deadline_of(s), deadline);
	testbed_reply(s, "ann", "resume");
	testbed_run_noting(s);
	/* From the first run that could not send, in the fourth hour, to the 21st. */
	cr_expect_eq(deadline_of(s), deadline + 17 * HOUR_S, "%lld h",
	             (long long)(deadline_of(s) - deadline) / HOUR_S);
	finish(s);
}

Test(pauses, a_hold_of_the_operator_within_one_takes_no_time_away)
{
	struct testbed *s = hours_begin("pauses", "create whakka mole players 2 next 3D");
	int64_t deadline = deadline_of(s);

	run_hours(s, 3);
	testbed_reply(s, "ann", "pause");
	testbed_run(s);
	run_hours(s, 3);
	expect_code(s, "game hold W1", 0);
	run_hours(s, 3);
	expect_code(s, "game resume W1", 0);
	run_hours(s, 3);
	testbed_reply(s, "ann", "resume");
	testbed_run(s);
	cr_expect_eq(deadline_of(s), deadline + 9 * HOUR_S, "%lld h",
	             (long long)(deadline_of(s) - deadline) / HOUR_S);
	finish(s);
}

Test(pauses, one_that_was_asked_for_in_time_begins_in_time)
{
	struct testbed *s = hours_begin("pauses", "create whakka mole players 2 next 1D");
	int64_t deadline = deadline_of(s);

	run_hours(s, 23);
	testbed_wait(s, 50 * 60);
	testbed_reply(s, "ann", "pause");
	testbed_wait(s, 20 * 60); /* the deadline has passed when the server looks */
	testbed_run(s);
	cr_assert(is_paused(s));
	run_hours(s, 5);
	testbed_reply(s, "bob", "popup 1; whack 2");
	testbed_reply(s, "ann", "resume");
	testbed_run(s);
	cr_expect_eq(deadline_of(s), deadline + 5 * HOUR_S + 20 * 60);
	cr_expect_eq(serial_of(s), 1);
	testbed_reply(s, "ann", "popup 1; whack 2");
	run_hours(s, 1);
	cr_expect_eq(serial_of(s), 2);
	cr_expect_eq(crowd_number(s, "SELECT sum(late_all + missed_all) FROM seats"), 0);
	finish(s);
}

Test(pauses, who_asks_for_one_after_the_deadline_is_too_late)
{
	struct testbed *s = hours_begin("pauses", "create whakka mole players 2 next 1D");

	run_hours(s, 23);
	testbed_wait(s, 70 * 60);
	testbed_reply(s, "ann", "pause\nvote pause");
	testbed_reply(s, "bob", "vote pause");
	testbed_reply(s, "bob", "popup 1; whack 2");
	testbed_run(s);
	cr_expect_not(is_paused(s));
	cr_expect_eq(serial_of(s), 2);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM orders WHERE serial = 1"), 0);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM votes"), 0);
	finish(s);
}

/* Asked for in time, but whether it is meant was said behind the deadline. */
Test(pauses, who_says_yes_after_the_deadline_is_too_late_for_one_and_for_more_than_that)
{
	static const char *const wanted[] = {"pause w1", "terminate w1", "rollback 0 w1",
	                                     "set deadline 3d w1", "vote pause w1"};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		struct testbed *s =
		    hours_begin("pauses", "create whakka mole players 2 next 1D");

		testbed_configure(s, "known_senders = confirm");
		testbed_reply(s, "bob", "vote pause\npopup 1; whack 2");
		run_hours(s, 23);
		testbed_write(s, "ann", wanted[i]);
		testbed_run(s);
		cr_assert(strstr(testbed_last(s, "ann")->text, "  | yes"), "%s",
		          testbed_last(s, "ann")->text);
		testbed_wait(s, 70 * 60);
		testbed_reply(s, "ann", "yes");
		testbed_run(s);
		cr_expect_eq(crowd_number(s, "SELECT status FROM games"), 1, "%s", wanted[i]);
		cr_expect_eq(serial_of(s), 2, "%s", wanted[i]);
		finish(s);
	}
}

Test(pauses, a_deadline_a_day_away_is_a_day_from_the_yes)
{
	struct testbed *s = hours_begin("pauses", "create whakka mole players 2 next 3D");

	testbed_configure(s, "known_senders = confirm");
	testbed_write(s, "ann", "set deadline 1d w1");
	run_hours(s, 23);
	testbed_reply(s, "ann", "yes");
	testbed_run(s);
	testbed_reply(s, "bob", "yes"); /* ann plays too, and it is an earlier one */
	testbed_run(s);
	cr_expect_eq(deadline_of(s), s->now_utc + DAY_S, "%s", testbed_last(s, "ann")->text);
	finish(s);
}

/* However long the pause has been, the end of the turn has not come. */
Test(pauses, in_one_the_grace_of_the_open_turn_is_set_too)
{
	struct testbed *s = hours_begin("pauses", "create whakka mole players 2 next 1D");

	run_hours(s, 20);
	testbed_reply(s, "ann", "pause");
	run_hours(s, 10);
	testbed_reply(s, "ann", "set grace 6h");
	testbed_run(s);
	testbed_reply(s, "ann", "resume");
	testbed_run(s);
	cr_expect_eq(crowd_number(s, "SELECT grace_utc FROM turns WHERE serial = 1"),
	             deadline_of(s) + 6 * HOUR_S);
	finish(s);
}

/* Who was in time could change his orders else, knowing that somebody is late. */
Test(pauses, in_the_grace_one_frees_no_orders_that_were_fixed)
{
	struct testbed *s =
	    hours_begin("pauses", "create whakka mole players 2 next 1D grace 6H");
	int64_t grace;

	run_hours(s, 3);
	testbed_reply(s, "bob", "popup 1; whack 2");
	run_hours(s, 22);
	grace = crowd_number(s, "SELECT grace_utc FROM turns WHERE serial = 1");
	testbed_reply(s, "ann", "pause");
	testbed_run(s);
	cr_assert(is_paused(s));
	run_hours(s, 10);
	testbed_reply(s, "bob", "popup 3; whack 4");
	testbed_run(s);
	cr_expect(strstr(testbed_last(s, "bob")->text, "nothing in this mail was carried out"),
	          "%s", testbed_last(s, "bob")->text);
	testbed_reply(s, "ann", "resume");
	testbed_run(s);
	cr_expect_eq(crowd_number(s, "SELECT grace_utc FROM turns WHERE serial = 1"),
	             grace + 10 * HOUR_S);
	testbed_reply(s, "ann", "popup 5; whack 6");
	run_hours(s, 1);
	cr_expect_eq(serial_of(s), 2);
	cr_expect_eq(crowd_number(s, "SELECT late_all FROM seats WHERE seat = 1"), 1);
	cr_expect(strstr(testbed_last(s, "ann")->text, "Reply with orders by"), "%s",
	          testbed_last(s, "ann")->text);
	finish(s);
}
