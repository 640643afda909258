/*
 * test_own_clock.c - a machine whose clock is years behind or ahead, for a run or for good.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/hours.h"
#include "tests/support/table.h"

#define YEAR_S (INT64_C(365) * DAY_S)

/* A turn is open, ann has ordered; a dozen runs have taken place, so that the server knows their pace. */
static struct testbed *testbed_in_mid_turn(void)
{
	struct testbed *s = testbed_new("own clock");

	table_begin(s, "ann bob");
	testbed_reply(s, "ann", "popup 3");
	for (unsigned i = 0; i < 15; i++) {
		testbed_run(s);
		testbed_wait(s, 900);
	}
	return s;
}

/* What the world does to the server while its clock is wrong; whatever the exit codes. */
static void run_with_mail(struct testbed *s)
{
	static const char *const texts[] = {"popup 1\nwhack 5", "status W1", "set wait",
	                                    "list"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct ran r;

		testbed_write(s, "bob", texts[i]);
		testbed_write(s, i % 2 ? "cleo" : "ann", "create mole park players 2 next 1D");
		testbed_do(s, "run", NULL, &r);
		cr_expect(r.code == 0 || r.code == 75, "%d: %s", r.code, r.err.ptr);
		ran_release(&r);
		testbed_wait(s, 3600);
	}
}

static void wrong_for_a_while(int64_t jump_s)
{
	struct testbed *s = testbed_in_mid_turn();
	int64_t right_utc = s->now_utc;

	s->now_utc += jump_s;
	run_with_mail(s);
	expect_sound(s);
	s->now_utc = right_utc + 7200;
	run_with_mail(s);
	expect_sound(s);
	expect_code(s, "run --clock-is-right", 0);
	expect(s, "run", 0, NULL);
	run_with_mail(s);
	expect(s, "run", 0, NULL);
	expect_sound(s);
	/* And the game can be played on. */
	testbed_write(s, "ann", "signon W1\npopup 2\nwhack 7");
	testbed_write(s, "bob", "signon W1\npopup 4\nwhack 8\nset nowait");
	testbed_run_noting(s);
	expect(s, "game show W1", 0, "serial");
	expect_sound(s);
	testbed_free(s);
}

Test(own_clock, that_was_wrong_for_a_while_leaves_a_sound_database, .timeout = 300)
{
	static const int64_t jumps[] = {-30 * YEAR_S, -5 * YEAR_S, -400 * DAY_S, -2 * DAY_S,
	                                -7200,        2 * DAY_S,   40 * DAY_S,   400 * DAY_S,
	                                5 * YEAR_S,   60 * YEAR_S};

	for (size_t i = 0; i < sizeof(jumps) / sizeof(jumps[0]); i++)
		wrong_for_a_while(jumps[i]);
}

Test(own_clock, that_is_behind_stops_deadlines_and_no_mail)
{
	struct testbed *s = testbed_in_mid_turn();
	int64_t right_utc = s->now_utc;

	s->now_utc = right_utc - 3 * YEAR_S;
	testbed_write(s, "cleo", "list");
	expect(s, "run", 75, "but the last run was on Thu 12 Mar 2026");
	expect(s, "doctor", 65, "molepost run --clock-is-right");
	cr_expect_eq(testbed_collect(s), 1, "mail is answered all the same");
	expect(s, "game show W1", 0, "serial 1 is open");
	s->now_utc = right_utc + 900;
	expect(s, "run", 0, NULL);
	expect_sound(s);
	testbed_free(s);
}

/* A minute is nothing: time servers set clocks back by seconds. */
Test(own_clock, that_is_set_back_by_seconds_is_no_news)
{
	struct testbed *s = testbed_in_mid_turn();

	testbed_run(s);
	s->now_utc -= 59;
	testbed_write(s, "cleo", "list");
	cr_expect_eq(testbed_run(s), 1);
	expect_sound(s);
	testbed_free(s);
}

/* The last run had the wrong time. */
Test(own_clock, that_is_right_again_is_believed_when_the_operator_says_so)
{
	struct testbed *s = testbed_in_mid_turn();
	int64_t right_utc = s->now_utc;

	s->now_utc = right_utc + 2 * YEAR_S;
	testbed_write(s, "cleo", "list");
	testbed_run_noting(s);
	s->now_utc = right_utc;
	expect(s, "run", 75, "--clock-is-right");
	expect(s, "run", 75, NULL); /* told once */
	expect(s, "run --clock-is-right", 0, NULL);
	expect(s, "run", 0, NULL);
	expect(s, "doctor", 0, "All is well");
	testbed_wait(s, 600);
	testbed_write(s, "cleo", "list");
	cr_expect_geq(testbed_run(s), 1);
	expect_sound(s);
	testbed_free(s);
}

/* A run that believed it took the year for an outage, and gave it back to every clock. */
Test(own_clock, that_was_ahead_leaves_deadlines_where_they_were)
{
	static const char *const games[] = {"create whakka mole players 2 next 3D",
	                                    "create whakka mole players 2 next 3D grace 6H",
	                                    "create whakka mole players 2 next 3D at 20:00"};

	for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++) {
		struct testbed *s = hours_begin("ahead", games[i]);

		run_hours(s, 15);
		int64_t right_utc = s->now_utc, deadline = deadline_of(s);
		int64_t most = i == 2 ? DAY_S : 0;
		s->now_utc = right_utc + YEAR_S;
		testbed_run_noting(s);
		cr_assert_geq(deadline_of(s), deadline + YEAR_S - DAY_S);
		run_hours(s, 9); /* the wrong clock goes on, with an outage of its own */
		testbed_wait(s, 2 * DAY_S);
		run_hours(s, 1);
		s->now_utc = right_utc + 5 * HOUR_S;
		expect(s, "run", 75, "--clock-is-right");
		expect(s, "run --clock-is-right", 0, NULL);
		/* Nobody could play in these five hours. */
		int64_t moved_s = deadline_of(s) - deadline - 5 * HOUR_S;
		cr_expect(moved_s >= 0 && moved_s <= most, "%s: %lld s", games[i],
		          (long long)moved_s);
		expect(s, "run --clock-is-right", 0, NULL);
		cr_expect_eq(deadline_of(s) - deadline - 5 * HOUR_S, moved_s);
		run_hours(s, 2);
		cr_expect_eq(deadline_of(s) - deadline - 5 * HOUR_S, moved_s);
		expect_sound(s);
		testbed_reply(s, "ann", "popup 1; whack 2");
		testbed_reply(s, "bob", "popup 1; whack 2");
		testbed_run(s);
		cr_expect_eq(serial_of(s), 2);
		cr_expect(strstr(testbed_last(s, "ann")->text, "the clock of this server was"),
		          "%s", testbed_last(s, "ann")->text);
		expect_sound(s);
		testbed_free(s);
	}
}

/* Before any run believes it. */
Test(own_clock, that_is_a_year_ahead_is_named_by_doctor)
{
	struct testbed *s = testbed_in_mid_turn();

	expect(s, "run", 0, NULL);
	expect(s, "doctor", 0, "All is well");
	s->now_utc += YEAR_S;
	expect(s, "doctor", 65, "by it the last run was 365 days ago, on ");
	expect(s, "doctor", 65, "set it if it is ahead, before the next run");
	testbed_free(s);
}

/* As of a machine whose battery is empty. */
Test(own_clock, of_1970_is_named_by_run_and_doctor)
{
	struct testbed *s = testbed_in_mid_turn();

	expect(s, "run", 0, NULL);
	s->now_utc = 100;
	expect(s, "run", 75, "--clock-is-right");
	expect(s, "doctor", 65, "this clock is slow or was set back");
	expect_sound(s);
	testbed_free(s);
}
