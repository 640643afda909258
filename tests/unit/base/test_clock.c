/*
 * test_clock.c - the calendar against libc's, the forms of a time, the stopped clock.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "processor/base/clock.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "tests/support/scratch.h"

enum { DAY = 86400 };

Test(clock, every_day_from_1970_to_2400_comes_back_and_agrees_with_libc)
{
	for (int64_t day = 0; day < 157800; day++) {
		int64_t when = day * DAY + (day * 7919) % DAY;
		struct utc_time t = utc_split(when);
		time_t libc_when = (time_t)when;
		struct tm tm;

		gmtime_r(&libc_when, &tm);
		cr_assert_eq(utc_join(&t), when);
		cr_assert(t.year == tm.tm_year + 1900 && t.month == tm.tm_mon + 1 &&
		              t.day == tm.tm_mday && t.hour == tm.tm_hour &&
		              t.minute == tm.tm_min && t.second == tm.tm_sec &&
		              t.weekday == (tm.tm_wday + 6) % 7,
		          "day %lld", (long long)day);
	}
}

Test(clock, the_calendar_holds_before_1970_and_to_the_end_of_year_9999)
{
	for (int64_t day = -719162; day < 2932897; day += 97) {
		struct utc_time t = utc_split(day * DAY);

		cr_assert_eq(utc_join(&t), day * DAY);
		cr_assert(t.year >= 1 && t.year <= 9999);
		cr_assert(t.month >= 1 && t.month <= 12 && t.day >= 1 && t.day <= 31);
		cr_assert(t.weekday >= 0 && t.weekday <= 6);
	}
	cr_assert_eq(utc_split(-1).year, 1969);
	cr_assert_eq(utc_split(-1).second, 59);
	cr_assert_eq(utc_split(INT64_MAX).year, 9999);
	cr_assert_eq(utc_split(INT64_MIN).year, 1);
}

static void expect_form(void (*format)(struct strbuf *, int64_t), int64_t t,
                        const char *expected)
{
	struct strbuf text = STRBUF_INIT;

	format(&text, t);
	cr_assert_str_eq(text.ptr, expected);
	strbuf_release(&text);
}

Test(clock, a_time_has_three_forms)
{
	const int64_t t = 1773338520;

	expect_form(utc_format_iso, t, "2026-03-12T18:02:00Z");
	expect_form(utc_format_rfc5322, t, "Thu, 12 Mar 2026 18:02:00 +0000");
	expect_form(utc_format_human, t, "Thu 12 Mar 2026 18:02 UTC");
	expect_form(utc_format_iso, 0, "1970-01-01T00:00:00Z");
	expect_form(utc_format_rfc5322, 0, "Thu, 1 Jan 1970 00:00:00 +0000");
	expect_form(utc_format_iso, 951782399, "2000-02-28T23:59:59Z");
	expect_form(utc_format_iso, 951782400, "2000-02-29T00:00:00Z");
	expect_form(utc_format_iso, INT64_MAX, "9999-12-31T23:59:59Z");
}

Test(clock, reads_back_what_it_writes)
{
	for (int64_t t = 0; t < 253402300800; t += 86028157) {
		struct strbuf text = STRBUF_INIT;
		int64_t back = -1;

		utc_format_iso(&text, t);
		cr_assert(utc_parse_iso(strbuf_span(&text), &back), "%s", text.ptr);
		cr_assert_eq(back, t);
		strbuf_release(&text);
	}
}

Test(clock, refuses_dates_that_do_not_exist_and_every_other_form)
{
	static const char *const wrong[] = {
	    "",
	    "2026-03-12",
	    "2026-03-12T18:02:00",
	    "2026-03-12T18:02:00Z ",
	    " 2026-03-12T18:02:00Z",
	    "2026-03-12 18:02:00Z",
	    "2026-03-12t18:02:00z",
	    "2026-3-12T18:02:000Z",
	    "2026-02-29T00:00:00Z",
	    "2100-02-29T00:00:00Z",
	    "2026-04-31T00:00:00Z",
	    "2026-13-01T00:00:00Z",
	    "2026-00-01T00:00:00Z",
	    "2026-01-00T00:00:00Z",
	    "2026-01-32T00:00:00Z",
	    "2026-01-01T24:00:00Z",
	    "2026-01-01T00:60:00Z",
	    "2026-01-01T00:00:60Z",
	    "1969-12-31T23:59:59Z",
	    "0000-01-01T00:00:00Z",
	    "+026-01-01T00:00:00Z",
	    "2026--1-01T00:00:00Z",
	};
	int64_t t = 42;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		cr_assert_not(utc_parse_iso(span_of(wrong[i]), &t), "%s", wrong[i]);
	cr_assert_eq(t, 42);
	cr_assert(utc_parse_iso(SPAN_LIT("2024-02-29T00:00:00Z"), &t));
	cr_assert(utc_parse_iso(SPAN_LIT("9999-12-31T23:59:59Z"), &t));
}

Test(clock, a_length_is_told_in_the_unit_people_count_in)
{
	expect_form(duration_format_human, -5, "now");
	expect_form(duration_format_human, 0, "now");
	expect_form(duration_format_human, 59, "now");
	expect_form(duration_format_human, 60, "in 1 minute");
	expect_form(duration_format_human, 40 * 60, "in 40 minutes");
	expect_form(duration_format_human, 89, "in 1 minute");
	expect_form(duration_format_human, 90, "in 2 minutes");
	expect_form(duration_format_human, 2 * 3600 - 31, "in 119 minutes");
	expect_form(duration_format_human, 2 * 3600 - 30, "in 2 hours");
	expect_form(duration_format_human, 26 * 3600 + 100, "in 26 hours");
	expect_form(duration_format_human, 72 * 3600 - 1, "in 3 days");
	expect_form(duration_format_human, 72 * 3600, "in 3 days");
	expect_form(duration_format_human, 7 * DAY + DAY / 2, "in 8 days");
	expect_form(duration_format_human, INT64_MAX, "in 106751991167301 days");
	expect_form(duration_format_human, INT64_MIN, "now");
}

Test(clock, stands_where_a_test_stops_it)
{
	char *scratch = scratch_new();
	char *file = scratch_path(scratch, "now");
	char *setting = scratch_path("@", file);

	setenv("MOLEPOST_TEST_NOW", "2026-03-12T18:02:00Z", 1);
	cr_assert_eq(clock_now_utc(), 1773338520);
	cr_assert_eq(file_create(file, SPAN_LIT("2026-03-12T18:02:01Z\nrest\n"), NULL),
	             ERR_NONE);
	setenv("MOLEPOST_TEST_NOW", setting, 1);
	cr_assert_eq(clock_now_utc(), 1773338521);
	unlink(file);
	cr_assert_eq(file_create(file, SPAN_LIT("2026-03-12T18:02:02Z"), NULL), ERR_NONE);
	cr_assert_eq(clock_now_utc(), 1773338522);
	free(setting);
	free(file);
	scratch_remove(scratch);
}

Test(clock, a_stopped_clock_that_shows_no_time_is_a_bug, .signal = SIGABRT)
{
	setenv("MOLEPOST_TEST_NOW", "noon", 1);
	clock_now_utc();
}

Test(clock, the_monotonic_clock_does_not_go_back)
{
	int64_t before = clock_monotonic_ms();

	cr_assert_geq(clock_monotonic_ms(), before);
}
