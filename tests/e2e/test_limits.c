/*
 * test_limits.c - limits of molepost.conf that only time and a whole run can show.
 */
#include <criterion/criterion.h>
#include <string.h>
#include <time.h>

#include "tests/support/table.h"

static double now_s(void)
{
	struct timespec t;

	cr_assert_eq(clock_gettime(CLOCK_MONOTONIC, &t), 0);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The parser is made to hang by a field that only hooks know (hooks.c). */
Test(limits, a_mail_is_given_up_after_max_parse_seconds_and_the_others_are_read)
{
	struct testbed *s = testbed_new("limits");
	const struct post *report;
	double began;

	testbed_configure(s, "max_parse_seconds = 3");
	table_begin(s, "ann bob cy");
	report = testbed_find(s, "ann", "orders due");
	cr_assert(report);
	testbed_mail(s, &(struct mail_written){.who = "ann",
	                                       .to = report->reply_to,
	                                       .in_reply_to = report->message_id,
	                                       .more_header = "X-Molepost-Test-Child: hang\n",
	                                       .text = "popup 1, whack 1"});
	testbed_reply(s, "bob", "popup 2, whack 2");
	began = now_s();
	testbed_run(s);
	/* Once in its batch, and once more alone. */
	cr_expect_gt(now_s() - began, 5.9);
	cr_expect(strstr(testbed_last(s, "ann")->text, "cannot be read"), "%s",
	          testbed_last(s, "ann")->text);
	cr_expect(strstr(testbed_last(s, "bob")->text, "POPUP 2; WHACK 2"));
	testbed_free(s);
}

/* Working out chances takes a second or so: a flood of such mails must not keep a run from its work. */
Test(limits, ten_games_are_analysed_in_a_run_and_the_others_are_told_to_ask_again)
{
	static const char *const askers[] = {"ann", "bob", "cy",  "dan", "eve", "fay",
	                                     "gil", "hal", "ivy", "jon", "kim", "lee"};
	enum { ASKERS = sizeof askers / sizeof askers[0] };
	struct testbed *s = testbed_new("analysed");
	unsigned told = 0, left_out = 0;

	testbed_configure(s, "unknown_senders = confirm");
	testbed_write(s, "ann", "create whakka mole players 2 bots 1 target=1");
	testbed_run(s);
	testbed_reply(s, "ann", "popup 1 2 3, whack 4");
	testbed_run(s);
	testbed_reply(s, "ann", "popup 1 2 3, whack 4");
	testbed_run(s);
	cr_assert(testbed_find(s, "ann", " won "), "%s", testbed_last(s, "ann")->subject);
	for (size_t i = 0; i < ASKERS; i++)
		testbed_write(s, askers[i], "analyse w1");
	testbed_run(s);
	for (size_t i = 0; i < ASKERS; i++) {
		told += strstr(testbed_last(s, askers[i])->text, "chances to win") != NULL;
		left_out += strstr(testbed_last(s, askers[i])->text, "ask again in an hour") !=
		            NULL;
	}
	cr_expect(told == 10 && left_out == 2, "%u and %u", told, left_out);
	testbed_write(s, "lee", "analyse w1");
	testbed_run(s);
	cr_expect(strstr(testbed_last(s, "lee")->text, "chances to win"));
	testbed_free(s);
}

Test(limits, the_last_mail_of_a_day_counts_and_the_day_ends_at_midnight)
{
	enum { SIX_HOURS_S = 6 * 3600 }; /* testbeds begin at 18:00 UTC */
	struct testbed *s = testbed_new("day");
	const struct post *report;
	size_t before;

	testbed_configure(s, "max_mails_per_day = 3");
	table_begin(s, "ann bob");
	report = testbed_find(s, "ann", "orders due");
	cr_assert(report);
	for (unsigned i = 0; i < 3; i++) {
		testbed_reply_to(s, "ann", report, "popup 1, whack 1");
		testbed_run(s);
	}
	cr_expect(strstr(testbed_last(s, "ann")->text, "POPUP 1; WHACK 1"));
	testbed_reply_to(s, "ann", report, "popup 2, whack 2");
	testbed_run(s);
	cr_expect(strstr(testbed_last(s, "ann")->subject, "too many mails"));
	before = s->nposts;
	testbed_reply_to(s, "ann", report, "popup 3, whack 3");
	testbed_run(s);
	cr_expect_eq(s->nposts, before, "told more than once");
	testbed_wait(s, SIX_HOURS_S);
	testbed_reply_to(s, "ann", report, "popup 4, whack 4");
	testbed_run(s);
	cr_expect(strstr(testbed_last(s, "ann")->text, "POPUP 4; WHACK 4"), "%s",
	          testbed_last(s, "ann")->text);
	testbed_free(s);
}
