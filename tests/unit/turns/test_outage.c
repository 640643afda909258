/*
 * test_outage.c - what counts as a time without runs, and what a clock gets back of it.
 */
#include <criterion/criterion.h>

#include "processor/turns/outage.h"

enum { MINUTE = 60, HOUR = 3600, DAY = 86400, BEGIN = 1000000000 };

static const struct outage_rules usual = {.least_s = 2 * HOUR};

/* One run so long after the last one; how much is lost. */
static int64_t run_after(struct pulse *p, const struct outage_rules *rules, int64_t gap)
{
	int64_t now = p->run_utc == 0 ? BEGIN : p->run_utc + gap, from;
	bool changed, lost = pulse_note_run(p, rules, now, &changed, &from);

	return lost ? now - from : 0;
}

static void run_regularly(struct pulse *p, const struct outage_rules *rules, int64_t gap,
                          unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		cr_assert_eq(run_after(p, rules, gap), 0, "run %u", i);
}

Test(outage, a_week_without_runs_is_one_when_they_used_to_be_ten_minutes_apart)
{
	struct pulse p = {0};

	run_regularly(&p, &usual, 10 * MINUTE, 20);
	cr_expect_eq(run_after(&p, &usual, 7 * DAY), 7 * DAY);
	run_regularly(&p, &usual, 11 * MINUTE, 3);
	cr_expect_eq(run_after(&p, &usual, 3 * HOUR), 3 * HOUR);
}

Test(outage, what_is_short_or_when_nothing_is_known_is_none)
{
	struct pulse p = {0};

	cr_expect_eq(run_after(&p, &usual, 0), 0);
	cr_expect_eq(run_after(&p, &usual, 7 * DAY), 0);
	run_regularly(&p, &usual, 10 * MINUTE, 13);
	cr_expect_eq(run_after(&p, &usual, 2 * HOUR), 0);
}

Test(outage, runs_by_hand_teach_nothing)
{
	static const int64_t gaps[] = {HOUR, 5 * HOUR, 20 * MINUTE, DAY};
	struct pulse p = {0};

	for (unsigned i = 0; i < 60; i++)
		cr_expect_eq(run_after(&p, &usual, gaps[i % 4]), 0);
}

Test(outage, with_one_run_a_day_a_day_is_no_outage_and_a_week_is)
{
	struct pulse p = {0};

	run_regularly(&p, &usual, DAY, 20);
	cr_expect_eq(run_after(&p, &usual, 36 * HOUR), 0);
	cr_expect_eq(run_after(&p, &usual, 7 * DAY), 7 * DAY);
}

Test(outage, a_new_habit_costs_one_credit_and_is_learned)
{
	struct pulse p = {0};

	run_regularly(&p, &usual, 10 * MINUTE, 20);
	cr_expect_eq(run_after(&p, &usual, 6 * HOUR), 6 * HOUR);
	run_regularly(&p, &usual, 6 * HOUR, 20);
	cr_expect_eq(run_after(&p, &usual, 30 * HOUR), 30 * HOUR);
}

Test(outage, one_that_follows_at_once_is_another_one)
{
	struct pulse p = {0};

	run_regularly(&p, &usual, 10 * MINUTE, 20);
	cr_expect_eq(run_after(&p, &usual, 6 * HOUR), 6 * HOUR);
	cr_expect_eq(run_after(&p, &usual, 20 * HOUR), 20 * HOUR);
	cr_expect_eq(run_after(&p, &usual, 3 * HOUR), 3 * HOUR);
}

Test(outage, what_the_configuration_says_is_believed_at_once)
{
	const struct outage_rules daily = {.least_s = 2 * HOUR, .every_s = DAY},
				  never = {.every_s = HOUR};
	struct pulse p = {0};

	run_regularly(&p, &daily, DAY, 2);
	cr_expect_eq(run_after(&p, &daily, 2 * DAY), 0);
	cr_expect_eq(run_after(&p, &daily, 3 * DAY), 3 * DAY);
	cr_expect_eq(run_after(&p, &daily, 3 * DAY), 3 * DAY);
	cr_expect_eq(run_after(&p, &never, 30 * DAY), 0);
}

Test(outage, runs_every_few_minutes_are_noted_seldom_and_a_clock_put_back_is_survived)
{
	struct pulse p = {0};
	int64_t from;
	bool changed;

	cr_expect_not(pulse_note_run(&p, &usual, BEGIN, &changed, &from));
	cr_expect(changed);
	cr_expect_not(pulse_note_run(&p, &usual, BEGIN + 5 * MINUTE, &changed, &from));
	cr_expect_not(changed);
	cr_expect_not(pulse_note_run(&p, &usual, BEGIN - DAY, &changed, &from));
	cr_expect(changed && p.run_utc == BEGIN - DAY);
}

/* Up to twice and down to half of the gap before; learned from the twelfth such gap on. */
Test(outage, gaps_are_alike_within_a_factor_of_two)
{
	struct pulse p = {0};

	run_regularly(&p, &usual, 20 * MINUTE, 2);
	cr_expect_eq(p.alike, 1);
	run_after(&p, &usual, 40 * MINUTE);
	cr_expect_eq(p.alike, 2);
	run_after(&p, &usual, 20 * MINUTE);
	cr_expect_eq(p.alike, 3);
	run_after(&p, &usual, 40 * MINUTE + 1);
	cr_expect_eq(p.alike, 1);
	run_after(&p, &usual, 20 * MINUTE);
	cr_expect_eq(p.alike, 1);
	run_regularly(&p, &usual, 20 * MINUTE, 10);
	cr_expect(p.alike == 11 && p.usual_s == 0);
	run_after(&p, &usual, 20 * MINUTE);
	cr_expect(p.alike == 12 && p.usual_s == 20 * MINUTE);
	run_after(&p, &usual, 24 * MINUTE);
	cr_expect_eq(p.usual_s, 21 * MINUTE);
	/* Ten minutes to the second are noted; a run of the same second is not. */
	run_after(&p, &usual, 10 * MINUTE);
	cr_expect_eq(p.lately_s, 10 * MINUTE);
	run_after(&p, &usual, 10 * MINUTE - 1);
	cr_expect_eq(p.lately_s, 10 * MINUTE);
}

/* Twice the usual gap, and more than the least: two hours and a second, not two hours. */
Test(outage, an_outage_begins_a_second_after_twice_the_usual_gap)
{
	struct pulse p = {0}, q;

	run_regularly(&p, &usual, 30 * MINUTE, 14);
	q = p;
	cr_expect_eq(run_after(&q, &usual, 2 * HOUR), 0);
	q = p;
	cr_expect_eq(run_after(&q, &usual, 2 * HOUR + 1), 2 * HOUR + 1);
	p.usual_s = 2 * HOUR;
	p.lately_s = 4 * HOUR;
	q = p;
	cr_expect_eq(run_after(&q, &usual, 4 * HOUR), 0);
	q = p;
	cr_expect_eq(run_after(&q, &usual, 4 * HOUR + 1), 4 * HOUR + 1);
	/* A habit of five hours: the second gap of the kind is none, and nothing is known then. */
	p.lately_s = 5 * HOUR;
	cr_expect_eq(run_after(&p, &usual, 6 * HOUR), 0);
	cr_expect(p.usual_s == 0 && p.alike == 1);
}

/* Due since twice the usual gap and the ten minutes in which nothing is noted. */
Test(outage, a_run_is_overdue)
{
	const struct outage_rules hourly = {.every_s = HOUR};
	struct pulse p = {.run_utc = BEGIN};

	cr_expect_eq(pulse_overdue_s(&p, &usual, BEGIN + 30 * DAY), 0);
	p.usual_s = HOUR;
	cr_expect_eq(pulse_overdue_s(&p, &usual, BEGIN + 2 * HOUR + 10 * MINUTE), 0);
	cr_expect_eq(pulse_overdue_s(&p, &usual, BEGIN + 2 * HOUR + 11 * MINUTE), MINUTE);
	p.usual_s = 0;
	cr_expect_eq(pulse_overdue_s(&p, &hourly, BEGIN + 3 * HOUR), 50 * MINUTE);
	p.run_utc = 0;
	cr_expect_eq(pulse_overdue_s(&p, &hourly, BEGIN), 0);
}

/* ---- one clock ---- */

static const struct outage lost = {.from_utc = 1000, .to_utc = 4000};

static int64_t lost_of(const struct turn *t)
{
	int64_t from;

	return outage_lost_s(t, &lost, &from);
}

Test(outage, a_clock_gets_back_what_its_players_have_lost)
{
	cr_expect_eq(lost_of(&(struct turn){.opened_utc = 1, .deadline_utc = 9000}), 3000);
	cr_expect_eq(lost_of(&(struct turn){.opened_utc = 1, .deadline_utc = 1001}), 3000);
	/* It had run down before. */
	cr_expect_eq(lost_of(&(struct turn){.opened_utc = 1, .deadline_utc = 1000}), 0);
	/* The turn was opened while nothing could be sent. */
	cr_expect_eq(lost_of(&(struct turn){.opened_utc = 3000, .deadline_utc = 9000}), 1000);
	cr_expect_eq(lost_of(&(struct turn){.opened_utc = 5000, .deadline_utc = 9000}), 0);
}

Test(outage, no_time_is_given_back_twice)
{
	struct turn t = {.opened_utc = 1, .deadline_utc = 9000, .credited_utc = 3500};

	cr_expect_eq(lost_of(&t), 500);
	t.credited_utc = 4000;
	cr_expect_eq(lost_of(&t), 0);
}

Test(outage, grace_moves_with_the_deadline_or_alone_when_that_has_passed)
{
	struct turn t = {.deadline_utc = 2000, .grace_utc = 2500};

	outage_move(&t, 1000, 3000, 6000); /* the calendar gave a thousand more */
	cr_expect(t.deadline_utc == 6000 && t.grace_utc == 6500);
	t = (struct turn){.deadline_utc = 900, .grace_utc = 2500};
	cr_expect_eq(lost_of(&t), 3000);
	outage_move(&t, 1000, 3000, 6000);
	cr_expect(t.deadline_utc == 900 && t.grace_utc == 5500);
	t = (struct turn){.deadline_utc = 2000};
	outage_move(&t, 1000, 3000, 5000);
	cr_expect(t.deadline_utc == 5000 && t.grace_utc == 0);
}
