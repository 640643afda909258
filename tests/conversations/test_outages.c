/*
 * test_outages.c - a server, a mailbox or a sink that was away for a day, seen by its players:
 * nobody's clock ends meanwhile, the time comes back once, and what they wrote meanwhile was in
 * time.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/crowd.h"
#include "tests/support/hours.h"

static unsigned announcements(const struct testbed *s, const char *who, const char *what)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->nposts; i++) {
		const struct post *p = s->posts[i];
		struct strbuf text = STRBUF_INIT;

		/* However the lines are broken. */
		for (const char *c = p->text; *c; c++)
			if (*c != '\n' || c[1] != ' ')
				strbuf_addc(&text, *c == '\n' ? ' ' : *c);
		while (strstr(text.ptr, "  ")) {
			char *at = strstr(text.ptr, "  ");
			memmove(at, at + 1, strlen(at));
		}
		n += strcmp(p->who, who) == 0 && strstr(p->subject, "orders") &&
		     strstr(text.ptr, what);
		strbuf_release(&text);
	}
	return n;
}

Test(outages, a_server_that_was_off_for_a_week_reads_its_mail_before_it_resolves_anything)
{
	struct testbed *s = hours_begin("outages", "create whakka mole players 2 next 1D");
	int64_t deadline = deadline_of(s);

	run_hours(s, 3);
	testbed_wait(s, 3 * DAY_S);
	testbed_reply(s, "ann", "popup 1; whack 2");
	testbed_wait(s, 4 * DAY_S - HOUR_S);
	testbed_run(s);
	cr_expect_eq(serial_of(s), 1);
	cr_expect_eq(deadline_of(s), deadline + 7 * DAY_S - HOUR_S);
	cr_expect(strstr(testbed_last(s, "ann")->text, "Stored for turn"));
	run_hours(s, 1);
	testbed_reply(s, "bob", "popup 1; whack 2");
	run_hours(s, 1);
	cr_expect_eq(serial_of(s), 2);
	cr_expect_eq(announcements(s, "ann", "this server was not running from"), 1);
	cr_expect_eq(
	    announcements(s, "bob", "That time does not count, so the deadline is now"), 1);
	cr_expect_eq(crowd_number(s, "SELECT sum(late_all + missed_all) FROM seats"), 0);
	expect_sound(s);
	testbed_free(s);
}

Test(outages, a_short_one_changes_nothing)
{
	struct testbed *s = hours_begin("outages", "create whakka mole players 2 next 1D");
	int64_t deadline = deadline_of(s);

	run_hours(s, 3);
	testbed_wait(s, 2 * HOUR_S);
	testbed_run(s);
	cr_expect_eq(deadline_of(s), deadline);
	testbed_free(s);
}

Test(outages, a_server_learns_how_often_it_runs)
{
	struct testbed *s = testbed_new("learns");
	int64_t deadline;

	testbed_write(s, "ann", "create whakka mole players 2 bots 1 next 1D");
	for (unsigned n = 0; n < 30; n++) {
		testbed_wait(s, 5 * 60);
		testbed_run(s);
	}
	deadline = deadline_of(s);
	testbed_wait(s, 90 * 60);
	testbed_run(s);
	cr_expect_eq(deadline_of(s), deadline);
	expect(s, "doctor", 0, "ok       runs");
	testbed_wait(s, 5 * HOUR_S);
	/* That cron is dead somebody has to notice who looks. */
	expect(s, "doctor", 65, "none since ");
	expect(s, "doctor", 65, "and they came every ");
	testbed_run(s);
	cr_expect_eq(deadline_of(s), deadline + 5 * HOUR_S);
	expect(s, "doctor", 0, "ok       runs");
	expect_sound(s);
	testbed_free(s);
}

Test(outages, while_mail_cannot_be_read_no_clock_ends_and_what_waited_was_in_time)
{
	struct testbed *s =
	    hours_begin("outages", "create whakka mole players 2 next 1D grace 2H");
	int64_t deadline = deadline_of(s);

	run_hours(s, 3);
	testbed_move(s, "mail", "away");
	run_hours(s, 30);
	cr_expect_eq(serial_of(s), 1);
	cr_expect(strstr(s->complaints.ptr, "mail could not be read"), "%s", s->complaints.ptr);
	expect(s, "doctor", 65, "no run could read mail from ");
	testbed_move(s, "away", "mail");
	testbed_wait(s, 30 * 60);
	testbed_reply(s, "ann", "popup 1; whack 2");
	testbed_wait(s, 30 * 60);
	testbed_run_noting(s);
	/* The first run that failed was an hour after the last that did not. */
	cr_expect_eq(deadline_of(s), deadline + 30 * HOUR_S);
	run_hours(s, 3);
	cr_expect_eq(deadline_of(s), deadline + 30 * HOUR_S);
	testbed_reply(s, "bob", "popup 1; whack 2");
	run_hours(s, 1);
	cr_expect_eq(serial_of(s), 2);
	cr_expect_eq(announcements(s, "bob", "this server could not read its mail from"), 1);
	cr_expect_eq(crowd_number(s, "SELECT sum(late_all + missed_all) FROM seats"), 0);
	expect_sound(s);
	testbed_free(s);
}

Test(outages, while_nothing_can_be_sent_nobody_has_to_answer_what_he_did_not_get)
{
	struct testbed *s = hours_begin("outages", "create whakka mole players 2 next 1D");
	int64_t opened, deadline;

	run_hours(s, 3);
	testbed_reply(s, "ann", "popup 1; whack 2");
	testbed_reply(s, "bob", "popup 1; whack 2");
	testbed_move(s, "outbox/tmp", "away");
	run_hours(s, 5);
	cr_expect_eq(serial_of(s), 2);
	opened = crowd_number(s, "SELECT opened_utc FROM turns WHERE serial = 2");
	deadline = deadline_of(s);
	run_hours(s, 30);
	cr_expect_eq(serial_of(s), 2);
	expect(s, "doctor", 65, "no run could send mail from ");
	testbed_move(s, "away", "outbox/tmp");
	run_hours(s, 1);
	cr_expect_eq(deadline_of(s), deadline + s->now_utc - opened);
	run_hours(s, 23);
	cr_expect_eq(serial_of(s), 2);
	run_hours(s, 3);
	cr_expect_eq(serial_of(s), 3);
	cr_expect_eq(announcements(s, "bob", "this server could not send mail from"), 1);
	expect_sound(s);
	testbed_free(s);
}

Test(outages, what_overlaps_counts_once)
{
	struct testbed *s = hours_begin("outages", "create whakka mole players 2 next 3D");
	int64_t deadline = deadline_of(s);
	struct ran r;

	run_hours(s, 3);
	testbed_move(s, "mail", "away");
	run_hours(s, 5);
	testbed_do(s, "game hold W1", NULL, &r); /* within it */
	ran_release(&r);
	run_hours(s, 5);
	testbed_do(s, "game resume W1", NULL, &r);
	ran_release(&r);
	run_hours(s, 5);
	testbed_wait(s, 10 * HOUR_S); /* and then the machine was off */
	testbed_run_noting(s);
	testbed_move(s, "away", "mail");
	run_hours(s, 1);
	/* From the first failure, in the fourth hour, to now. */
	cr_expect_eq(deadline_of(s), deadline + 25 * HOUR_S, "%lld h",
	             (long long)(deadline_of(s) - deadline) / HOUR_S);
	expect_sound(s);
	testbed_free(s);
}

static void run_again(struct testbed *s)
{
	struct ran r;

	testbed_do(s, "run --no-send", NULL, &r);
	cr_expect_eq(r.code, 0, "%s", r.err.ptr);
	ran_release(&r);
}

/* The next run, stopped at each of its steps and repeated, ends as one that was not. */
static void kill_anywhere(const struct testbed *before)
{
	struct testbed *undisturbed = testbed_clone(before);
	struct strbuf expected = STRBUF_INIT;
	unsigned stops = 0;

	run_again(undisturbed);
	testbed_dump(undisturbed, &expected);
	cr_expect(strstr(expected.ptr, "does not count"));
	for (bool stopped = true; stopped; stops++) {
		struct testbed *s = testbed_clone(before);
		struct strbuf text = STRBUF_INIT;
		char at[64];

		(void)snprintf(at, sizeof(at), "MOLEPOST_TEST_STOP_AT=%u", stops + 1);
		const char *env[] = {at, NULL};
		struct ran r;
		testbed_do(s, "run --no-send", env, &r);
		stopped = r.code != 0;
		ran_release(&r);
		run_again(s);
		testbed_dump(s, &text);
		cr_expect_str_eq(text.ptr, expected.ptr, "stopped at step %u", stops + 1);
		strbuf_release(&text);
		testbed_free(s);
	}
	cr_expect_gt(stops, 6);
	strbuf_release(&expected);
	testbed_free(undisturbed);
}

Test(outages, a_run_that_is_killed_anywhere_gives_back_the_same_once)
{
	struct testbed *s =
	    hours_begin("outages", "create whakka mole players 2 next 1D grace 2H");

	run_hours(s, 3);
	testbed_wait(s, 3 * DAY_S);
	testbed_reply(s, "ann", "popup 1; whack 2");
	kill_anywhere(s);
	testbed_run(s);
	testbed_move(s, "mail", "away");
	run_hours(s, 3);
	testbed_move(s, "away", "mail");
	testbed_wait(s, 60);
	kill_anywhere(s);
	testbed_free(s);
}

/* What a run and the one after it make of a sink that has come back, the first stopped at this step. */
static bool stop_and_go_on(const struct testbed *before, unsigned step, int64_t deadline)
{
	struct testbed *s = testbed_clone(before);
	char at[64];
	struct ran r;

	(void)snprintf(at, sizeof(at), "MOLEPOST_TEST_STOP_AT=%u", step);
	const char *env[] = {at, NULL};
	testbed_do(s, "run", env, &r);
	bool stopped = r.code != 0;
	ran_release(&r);
	testbed_run_noting(s);
	cr_expect_eq(deadline_of(s), deadline, "stopped at step %u", step);
	cr_expect_eq(crowd_number(s, "SELECT sum(is_credited) FROM outages"), 1);
	cr_expect_eq(crowd_number(s, "SELECT unsent_utc FROM pulse"), 0);
	testbed_free(s);
	return stopped;
}

Test(outages, a_run_that_is_killed_as_mail_can_be_sent_again_gives_back_the_same_once)
{
	struct testbed *s = hours_begin("outages", "create whakka mole players 2 next 3D");
	int64_t deadline = deadline_of(s);
	unsigned step = 1;

	run_hours(s, 3);
	testbed_reply(s, "ann", "popup 1; whack 2");
	testbed_move(s, "outbox/tmp", "away");
	run_hours(s, 4);
	testbed_move(s, "away", "outbox/tmp");
	testbed_wait(s, HOUR_S);
	while (stop_and_go_on(s, step, deadline + 4 * HOUR_S))
		step += 2;
	cr_expect_gt(step, 12);
	testbed_free(s);
}
