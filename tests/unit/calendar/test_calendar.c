/*
 * test_calendar.c - deadlines and reminders over the year: days, hours, holidays, quiet hours, and
 * the changes to and from summer time.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/calendar/deadline.h"

static const struct zone *zone_of(const char *name, struct arena *a)
{
	struct strbuf bytes = STRBUF_INIT;
	const struct zone *z = NULL;

	if (strcmp(name, "UTC") == 0)
		return NULL;
	cr_assert_eq(
	    file_read(arena_printf(a, "/usr/share/zoneinfo/%s", name), 1 << 20, &bytes, NULL),
	    ERR_NONE);
	cr_assert_eq(zone_read(strbuf_span(&bytes), name, a, &z, NULL), ERR_NONE, "%s", name);
	strbuf_release(&bytes);
	return z;
}

static int64_t at(const char *iso)
{
	int64_t t;

	cr_assert(utc_parse_iso(span_of(iso), &t), "%s", iso);
	return t;
}

/* Everything else as usual. */
static struct calendar calendar_of(const char *text, const char *next, struct arena *a)
{
	struct calendar c;
	struct strbuf why = STRBUF_INIT;

	calendar_init(&c);
	cr_assert(calendar_parse(&c, span_of(text), a, &why), "%s: %s", text, why.ptr);
	cr_assert(interval_parse(span_of(next), &c.next_s), "%s", next);
	strbuf_release(&why);
	return c;
}

struct row {
	const char *calendar, *next, *zone;
	const char *opened;   /* UTC */
	const char *deadline; /* as its zone shows it */
};

static void check(const struct row *rows, size_t n)
{
	struct arena *a = arena_new();
	struct strbuf shown = STRBUF_INIT;

	for (size_t i = 0; i < n; i++) {
		struct calendar c = calendar_of(rows[i].calendar, rows[i].next, a);
		const struct zone *z = zone_of(rows[i].zone, a);
		int64_t t = calendar_deadline(&c, z, NULL, 0, at(rows[i].opened), c.next_s);

		strbuf_clear(&shown);
		zone_format_human(&shown, z, t);
		cr_expect_str_eq(shown.ptr, rows[i].deadline,
		                 "%s next %s in %s from %s:\n%s\n%s", rows[i].calendar,
		                 rows[i].next, rows[i].zone, rows[i].opened, shown.ptr,
		                 rows[i].deadline);
		cr_expect_geq(t, at(rows[i].opened) + c.next_s);
	}
	strbuf_release(&shown);
	arena_free(a);
}
#define CHECK(rows) check(rows, sizeof(rows) / sizeof((rows)[0]))

Test(calendar, a_plain_interval_is_rounded_up_to_the_minute)
{
	static const struct row rows[] = {
	    {"", "3D", "UTC", "2026-03-12T18:00:00Z", "Sun 15 Mar 2026 18:00 UTC"},
	    {"", "3D", "UTC", "2026-03-12T18:00:01Z", "Sun 15 Mar 2026 18:01 UTC"},
	    {"", "1H", "UTC", "2026-03-12T18:00:59Z", "Thu 12 Mar 2026 19:01 UTC"},
	    {"", "45M", "Europe/Berlin", "2026-03-12T18:00:00Z",
	     "Thu 12 Mar 2026 19:45 Europe/Berlin (18:45 UTC)"},
	};

	CHECK(rows);
}

Test(calendar, turns_end_on_their_days_at_their_hour)
{
	static const struct row rows[] = {
	    /* 12 March 2026 is a Thursday. */
	    {"days=mon-fri at=20:00", "24H", "Europe/Berlin", "2026-03-12T18:00:00Z",
	     "Fri 13 Mar 2026 20:00 Europe/Berlin (19:00 UTC)"},
	    {"days=mon-fri at=20:00", "24H", "Europe/Berlin", "2026-03-12T19:00:00Z",
	     "Fri 13 Mar 2026 20:00 Europe/Berlin (19:00 UTC)"},
	    {"days=mon-fri at=20:00", "24H", "Europe/Berlin", "2026-03-12T19:00:01Z",
	     "Mon 16 Mar 2026 20:00 Europe/Berlin (19:00 UTC)"},
	    {"days=-MTWTF- at=20:00", "24H", "Europe/Berlin", "2026-03-12T19:00:01Z",
	     "Mon 16 Mar 2026 20:00 Europe/Berlin (19:00 UTC)"},
	    {"days=sun", "1D", "UTC", "2026-03-12T18:00:00Z", "Sun 15 Mar 2026 18:00 UTC"},
	    {"days=sun", "1W", "UTC", "2026-03-12T18:00:00Z", "Sun 22 Mar 2026 18:00 UTC"},
	    {"days=fri-mon at=00:00", "1H", "UTC", "2026-03-12T18:00:00Z",
	     "Fri 13 Mar 2026 00:00 UTC"},
	    {"days=tue,thu at=9:30", "1D", "UTC", "2026-03-12T18:00:00Z",
	     "Tue 17 Mar 2026 09:30 UTC"},
	    {"at=20", "12H", "UTC", "2026-03-12T18:00:00Z", "Fri 13 Mar 2026 20:00 UTC"},
	    /* The day is the place's, not UTC's. */
	    {"days=fri at=06:00", "1H", "Asia/Tokyo", "2026-03-12T18:00:00Z",
	     "Fri 13 Mar 2026 06:00 Asia/Tokyo (Thu 21:00 UTC)"},
	    {"days=thu at=23:59", "1H", "America/Los_Angeles", "2026-03-13T04:00:00Z",
	     "Thu 12 Mar 2026 23:59 America/Los_Angeles (Fri 06:59 UTC)"},
	};

	CHECK(rows);
}

/*
 * Europe/Berlin: forward 29 March 2026 02:00 to 03:00, back 25 October 2026 03:00 to 02:00.
 * America/ New_York: 8 March and 1 November at 02:00. Australia/Lord_Howe: half an hour, back
 * on 5 April and forward on 4 October 2026 at 02:00.
 */
Test(calendar, an_hour_of_the_day_stays_the_same_over_both_changes_of_summer_time)
{
	static const struct row rows[] = {
	    {"at=20:00", "20H", "Europe/Berlin", "2026-03-28T19:00:00Z",
	     "Sun 29 Mar 2026 20:00 Europe/Berlin (18:00 UTC)"},
	    {"at=20:00", "23H", "Europe/Berlin", "2026-03-28T19:00:00Z",
	     "Sun 29 Mar 2026 20:00 Europe/Berlin (18:00 UTC)"},
	    /* That day has 23 hours: a whole one of 24 is not over at 20:00. */
	    {"at=20:00", "24H", "Europe/Berlin", "2026-03-28T19:00:00Z",
	     "Mon 30 Mar 2026 20:00 Europe/Berlin (18:00 UTC)"},
	    {"at=20:00", "24H", "Europe/Berlin", "2026-10-24T18:00:00Z",
	     "Sun 25 Oct 2026 20:00 Europe/Berlin (19:00 UTC)"},
	    {"at=20:00", "25H", "Europe/Berlin", "2026-10-24T18:00:00Z",
	     "Sun 25 Oct 2026 20:00 Europe/Berlin (19:00 UTC)"},
	    {"at=20:00", "20H", "America/New_York", "2026-03-08T01:00:00Z",
	     "Sun 8 Mar 2026 20:00 America/New_York (Mon 00:00 UTC)"},
	    {"at=20:00", "24H", "America/New_York", "2026-11-01T00:00:00Z",
	     "Sun 1 Nov 2026 20:00 America/New_York (Mon 01:00 UTC)"},
	    {"at=12:00", "1D", "Australia/Lord_Howe", "2026-04-04T01:00:00Z",
	     "Sun 5 Apr 2026 12:00 Australia/Lord_Howe (01:30 UTC)"},
	    {"at=12:00", "23H", "Australia/Lord_Howe", "2026-10-03T01:30:00Z",
	     "Sun 4 Oct 2026 12:00 Australia/Lord_Howe (01:00 UTC)"},
	    /* A length alone is a length: 24 hours, whatever clocks show. */
	    {"", "1D", "Europe/Berlin", "2026-03-28T19:00:00Z",
	     "Sun 29 Mar 2026 21:00 Europe/Berlin (19:00 UTC)"},
	    {"", "1D", "Europe/Berlin", "2026-10-24T18:00:00Z",
	     "Sun 25 Oct 2026 19:00 Europe/Berlin (18:00 UTC)"},
	    /* Moved to another day, it keeps the hour that is shown. */
	    {"days=mon", "1D", "Europe/Berlin", "2026-03-27T19:00:00Z",
	     "Mon 30 Mar 2026 20:00 Europe/Berlin (18:00 UTC)"},
	    {"days=mon", "1D", "Europe/Berlin", "2026-10-23T18:00:00Z",
	     "Mon 26 Oct 2026 20:00 Europe/Berlin (19:00 UTC)"},
	};

	CHECK(rows);
}

Test(calendar,
     an_hour_that_is_skipped_counts_by_the_clock_before_one_that_comes_twice_the_first_time)
{
	static const struct row rows[] = {
	    {"at=02:30", "1H", "Europe/Berlin", "2026-03-28T22:00:00Z",
	     "Sun 29 Mar 2026 03:30 Europe/Berlin (01:30 UTC)"},
	    {"at=02:00", "1H", "Europe/Berlin", "2026-03-28T22:00:00Z",
	     "Sun 29 Mar 2026 03:00 Europe/Berlin (01:00 UTC)"},
	    {"at=01:59", "1H", "Europe/Berlin", "2026-03-28T22:00:00Z",
	     "Sun 29 Mar 2026 01:59 Europe/Berlin (00:59 UTC)"},
	    {"at=03:00", "1H", "Europe/Berlin", "2026-03-28T22:00:00Z",
	     "Sun 29 Mar 2026 03:00 Europe/Berlin (01:00 UTC)"},
	    {"at=02:30", "1H", "Europe/Berlin", "2026-10-24T22:00:00Z",
	     "Sun 25 Oct 2026 02:30 Europe/Berlin (00:30 UTC)"},
	    {"at=03:00", "1H", "Europe/Berlin", "2026-10-24T22:00:00Z",
	     "Sun 25 Oct 2026 03:00 Europe/Berlin (02:00 UTC)"},
	    /* The first 02:30 is past: the next day. */
	    {"at=02:30", "1H", "Europe/Berlin", "2026-10-25T00:00:00Z",
	     "Mon 26 Oct 2026 02:30 Europe/Berlin (01:30 UTC)"},
	    {"at=02:30", "1H", "America/New_York", "2026-03-08T05:00:00Z",
	     "Sun 8 Mar 2026 03:30 America/New_York (07:30 UTC)"},
	    {"at=01:30", "1H", "America/New_York", "2026-11-01T03:00:00Z",
	     "Sun 1 Nov 2026 01:30 America/New_York (05:30 UTC)"},
	    {"at=02:15", "1H", "Australia/Lord_Howe", "2026-10-03T14:00:00Z",
	     "Sun 4 Oct 2026 02:45 Australia/Lord_Howe (Sat 15:45 UTC)"},
	    /* A whole day was skipped: 30 December 2011 never came in Samoa. */
	    {"at=12:00", "1H", "Pacific/Apia", "2011-12-30T01:00:00Z",
	     "Sat 31 Dec 2011 12:00 Pacific/Apia (Fri 22:00 UTC)"},
	};

	CHECK(rows);
}

Test(calendar, no_turn_ends_on_a_holiday)
{
	static const struct row rows[] = {
	    {"holidays=2026-03-15", "3D", "UTC", "2026-03-12T18:00:00Z",
	     "Mon 16 Mar 2026 18:00 UTC"},
	    {"holidays=2025-03-15", "3D", "UTC", "2026-03-12T18:00:00Z",
	     "Sun 15 Mar 2026 18:00 UTC"},
	    {"holidays=03-14..03-16,03-17", "3D", "UTC", "2026-03-12T18:00:00Z",
	     "Wed 18 Mar 2026 18:00 UTC"},
	    {"days=mon-fri at=20:00 holidays=2026-12-24..2027-01-01", "1D", "Europe/Berlin",
	     "2026-12-22T20:00:00Z", "Mon 4 Jan 2027 20:00 Europe/Berlin (19:00 UTC)"},
	    {"holidays=12-24..01-02", "2D", "UTC", "2026-12-23T12:00:00Z",
	     "Sun 3 Jan 2027 12:00 UTC"},
	    {"holidays=12-24..01-02", "2D", "UTC", "2027-12-30T12:00:00Z",
	     "Mon 3 Jan 2028 12:00 UTC"},
	    {"holidays=02-29", "1D", "UTC", "2028-02-28T12:00:00Z", "Wed 1 Mar 2028 12:00 UTC"},
	    /* Who leaves no day is not listened to. */
	    {"holidays=01-01..12-31", "1D", "UTC", "2026-03-12T18:00:00Z",
	     "Fri 13 Mar 2026 18:00 UTC"},
	};

	CHECK(rows);
}

/* Every minute of two years in zones with every kind of change: the properties of a deadline. */
Test(calendar, a_deadline_is_never_early_never_on_another_day_and_never_goes_back)
{
	static const char *const zones[] = {"UTC", "Europe/Berlin", "Australia/Lord_Howe",
	                                    "America/St_Johns", "Africa/Casablanca"};
	struct arena *a = arena_new();
	struct calendar c =
	    calendar_of("days=mon-thu,sat at=02:30 holidays=12-24..12-26", "20H", a);

	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
		const struct zone *z = zone_of(zones[i], a);
		int64_t last = 0, first = at("2026-01-01T00:00:00Z");

		for (int64_t t = first; t < first + INT64_C(2) * 366 * 86400; t += 37 * 60) {
			int64_t d = calendar_deadline(&c, z, NULL, 0, t, c.next_s);
			struct utc_time local = utc_split(z ? d + zone_offset_s(z, d) : d);

			cr_assert_geq(d, t + c.next_s);
			cr_assert_leq(d, t + c.next_s + 7 * 86400);
			cr_assert_geq(d, last);
			cr_assert(c.days >> local.weekday & 1u, "%s: weekday %d", zones[i],
			          local.weekday);
			cr_assert(local.month != 12 || local.day < 24 || local.day > 26);
			cr_assert((local.hour == 2 && local.minute == 30) || local.hour == 3 ||
			              (local.hour == 2 && local.minute == 59),
			          "%s %02d:%02d", zones[i], local.hour, local.minute);
			last = d;
		}
	}
	arena_free(a);
}

static struct quiet quiet_of(const char *text, const struct zone *z)
{
	struct quiet q = {.zone = z};

	cr_assert(quiet_parse(span_of(text), &q.from_min, &q.to_min), "%s", text);
	return q;
}

Test(quiet, hours_are_known_also_past_midnight_and_over_changes_of_summer_time)
{
	static const struct {
		const char *hours, *zone, *now, *ends; /* ends NULL: not quiet */
	} rows[] = {
	    {"22:00 07:00", "UTC", "2026-03-12T21:59:59Z", NULL},
	    {"22:00 07:00", "UTC", "2026-03-12T22:00:00Z", "2026-03-13T07:00:00Z"},
	    {"22:00 07:00", "UTC", "2026-03-13T06:59:00Z", "2026-03-13T07:00:00Z"},
	    {"22:00 07:00", "UTC", "2026-03-13T07:00:00Z", NULL},
	    {"12-14", "UTC", "2026-03-13T13:00:00Z", "2026-03-13T14:00:00Z"},
	    {"12-14", "UTC", "2026-03-13T14:00:00Z", NULL},
	    {"22:00-07:00", "Europe/Berlin", "2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z"},
	    {"22:00-07:00", "Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T06:00:00Z"},
	    {"22:00-02:30", "Europe/Berlin", "2026-03-28T22:00:00Z", "2026-03-29T01:30:00Z"},
	    {"00:00-24:00", "UTC", NULL, NULL},
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int64_t ends = 0;
		int from, to;

		if (!rows[i].now) {
			cr_expect_not(quiet_parse(span_of(rows[i].hours), &from, &to));
			continue;
		}
		struct quiet q = quiet_of(rows[i].hours, zone_of(rows[i].zone, a));
		cr_expect_eq(quiet_holds(&q, at(rows[i].now), &ends), rows[i].ends != NULL,
		             "%s at %s", rows[i].hours, rows[i].now);
		if (rows[i].ends)
			cr_expect_eq(ends, at(rows[i].ends), "%s at %s: %lld", rows[i].hours,
			             rows[i].now, (long long)ends);
	}
	arena_free(a);
}

Test(quiet, deadlines_keep_out_of_them_only_where_the_game_says_so)
{
	struct arena *a = arena_new();
	struct quiet both[] = {quiet_of("22-7", zone_of("Europe/Berlin", a)),
	                       quiet_of("23:00 06:30", zone_of("America/New_York", a))};
	struct calendar loud = calendar_of("", "24H", a);
	struct calendar keeps = calendar_of("quiet=on", "24H", a);
	struct calendar days = calendar_of("quiet=on days=mon-fri", "24H", a);
	/* 12 March 2026: New York is 5 hours behind Berlin. */
	int64_t evening = at("2026-03-11T22:00:00Z"); /* Wed 23:00 in Berlin */

	cr_expect_eq(calendar_deadline(&loud, NULL, both, 2, evening, 86400), evening + 86400);
	cr_expect_eq(calendar_deadline(&keeps, NULL, both, 1, evening, 86400),
	             at("2026-03-13T06:00:00Z"));
	/* 06:00 UTC is quiet in New York until 10:30 UTC. */
	cr_expect_eq(calendar_deadline(&keeps, NULL, both, 2, evening, 86400),
	             at("2026-03-13T10:30:00Z"));
	/*
	 * Out of Friday's quiet hours into Saturday, so on to Monday at the hour it was, which is
	 * quiet, and out of that again.
	 */
	cr_expect_eq(calendar_deadline(&days, NULL, both, 1, evening + 86400, 86400),
	             at("2026-03-17T06:00:00Z"));
	struct quiet never[] = {quiet_of("0-12", NULL), quiet_of("12-24", NULL)};
	cr_expect_eq(calendar_deadline(&keeps, NULL, never, 2, evening, 86400),
	             evening + 86400);
	arena_free(a);
}

static void expect_plan(const char *calendar, const char *hours, const char *opened,
                        const char *deadline, const char *grace, const char *plan)
{
	struct arena *a = arena_new();
	struct calendar c = calendar_of(calendar, "3D", a);
	struct quiet q = {0};
	struct reminder out[CALENDAR_REMINDERS + 1];
	struct strbuf text = STRBUF_INIT;

	if (*hours)
		q = quiet_of(hours, zone_of("Europe/Berlin", a));
	size_t n =
	    reminders_plan(&c, &q, at(opened), at(deadline), *grace ? at(grace) : 0, out);
	for (size_t i = 0; i < n; i++) {
		strbuf_addf(&text, "%s%lldm ", i > 0 ? ", " : "",
		            (long long)(out[i].before_s / 60));
		utc_format_iso(&text, out[i].at_utc);
	}
	cr_expect_str_eq(text.ptr, plan, "%s %s %s: %s", calendar, hours, deadline, text.ptr);
	strbuf_release(&text);
	arena_free(a);
}

Test(reminders, come_before_the_deadline_but_not_before_the_turn_nor_in_quiet_hours)
{
	static const char opened[] = "2026-03-09T18:00:00Z", due[] = "2026-03-12T18:00:00Z";

	expect_plan("", "", opened, due, "",
	            "1440m 2026-03-11T18:00:00Z, 240m 2026-03-12T14:00:00Z");
	expect_plan("remind=none", "", opened, due, "", "");
	expect_plan("remind=2D", "", opened, due, "", "2880m 2026-03-10T18:00:00Z");
	/* Shorter turns: the reminder that would come at the opening or before it does not come. */
	expect_plan("", "", "2026-03-11T18:00:00Z", due, "", "240m 2026-03-12T14:00:00Z");
	expect_plan("", "", "2026-03-11T17:59:00Z", due, "",
	            "1440m 2026-03-11T18:00:00Z, 240m 2026-03-12T14:00:00Z");
	expect_plan("", "", "2026-03-12T15:00:00Z", due, "", "");
	/* Berlin is at UTC+1: put off to 07:00 there. */
	expect_plan("", "17:00 20:00", opened, due, "",
	            "1440m 2026-03-11T19:00:00Z, 240m 2026-03-12T14:00:00Z");
	expect_plan("remind=24H,12H", "18:00 08:00", opened, due, "",
	            "1440m 2026-03-12T07:00:00Z, 720m 2026-03-12T07:00:00Z");
	/* Not in time behind them: shortly before they begin. */
	expect_plan("remind=4H", "14:30 18:30", opened, due, "", "240m 2026-03-12T13:15:00Z");
	expect_plan("remind=4H", "14:30 18:30", "2026-03-12T13:20:00Z", due, "", "");
	/* When grace begins, those who are late are told. */
	expect_plan("remind=4H", "", opened, due, "2026-03-13T00:00:00Z",
	            "240m 2026-03-12T14:00:00Z, 0m 2026-03-12T18:00:01Z");
	expect_plan("remind=none", "", opened, due, "2026-03-13T00:00:00Z", "");
	expect_plan("remind=4H", "18:00 23:30", opened, due, "2026-03-13T00:00:00Z",
	            "240m 2026-03-12T14:00:00Z, 0m 2026-03-12T22:30:00Z");
	expect_plan("remind=4H", "18:00 08:00", opened, due, "2026-03-13T00:00:00Z",
	            "240m 2026-03-12T14:00:00Z");
}

/*
 * Whatever the hours, nothing comes in them, nothing behind the deadline, nothing before the
 * turn.
 */
Test(reminders, are_never_sent_in_quiet_hours_whatever_these_are)
{
	struct arena *a = arena_new();
	const struct zone *z = zone_of("Europe/Berlin", a);
	struct calendar c = calendar_of("remind=2D,24H,4H,1H", "3D", a);
	int64_t due = at("2026-03-30T18:00:00Z"), opened = due - 3 * 86400, ends;

	for (int from = 0; from < 1440; from += 15)
		for (int to = 0; to < 1440; to += 15) {
			struct quiet q = {z, from, to};
			struct reminder out[CALENDAR_REMINDERS + 1];
			size_t n = reminders_plan(&c, &q, opened, due, due + 12 * 3600, out);

			for (size_t i = 0; i < n; i++) {
				cr_assert_not(quiet_holds(&q, out[i].at_utc, &ends), "%d-%d",
				              from, to);
				cr_assert(out[i].at_utc > opened);
				cr_assert(out[i].at_utc <
				          (out[i].before_s ? due : due + 43200));
				cr_assert(i == 0 || out[i].at_utc >= out[i - 1].at_utc);
			}
		}
	arena_free(a);
}

static void expect_words(const char *calendar, const char *next, const char *words)
{
	struct arena *a = arena_new();
	struct calendar c = calendar_of(calendar, next, a);
	struct strbuf out = STRBUF_INIT;

	calendar_words(&c, "Europe/Berlin", &out);
	cr_expect_str_eq(out.ptr, words, "%s", out.ptr);
	strbuf_release(&out);
	arena_free(a);
}

Test(calendar, is_told_in_words)
{
	expect_words("", "3D", "");
	expect_words("misses=5 remind=none", "3D", "");
	expect_words("days=mon-fri at=20:00 grace=6H", "24H",
	             "Mon-Fri at 20:00 Europe/Berlin, at least 24 h, then 6 h of grace");
	expect_words("at=20:00", "12H", "daily at 20:00 Europe/Berlin, at least 12 h");
	expect_words("days=sat,sun", "2D", "Sat, Sun Europe/Berlin, at least 2 days");
	expect_words("days=mon,tue,wed,fri at=7", "2D",
	             "Mon-Wed, Fri at 07:00 Europe/Berlin, at least 2 days");
	expect_words("grace=90M delay=30M", "3D",
	             "3 days after the turn opens, then 90 min of grace; 30 min for second "
	             "thoughts after the last orders");
	expect_words(
	    "holidays=12-24..12-26,2027-04-05 quiet=on", "3D",
	    "3 days after the turn opens, not on 24 Dec to 26 Dec and 5 Apr 2027, not in a "
	    "player's quiet hours");
	expect_words("phase=1:5D,set-up:1W", "2D",
	             "2 days (turn 1: 5 days) (set-up: 7 days) after the turn opens");
}

Test(calendar, what_is_stored_reads_back_as_the_same)
{
	static const char *const texts[] = {
	    "",
	    "days=mon,tue,wed,thu,fri at=20:00 zone=Europe/Berlin grace=6H",
	    "delay=30M holidays=12-24..12-26,2027-04-05 phase=1:5D,set-up:1W quiet=on",
	    "remind=none misses=0 vacant=bot",
	    "at=00:00 remind=2D,1H",
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct calendar c = calendar_of(texts[i], "3D", a);
		struct strbuf out = STRBUF_INIT;

		calendar_format(&c, &out);
		cr_expect_str_eq(out.ptr, texts[i]);
		strbuf_release(&out);
	}
	arena_free(a);
}

Test(calendar, what_makes_no_sense_is_refused_and_changes_nothing)
{
	static const char *const bad[] = {
	    "days=",
	    "days=funday",
	    "days=mon-",
	    "days=-------",
	    "days=mon,,fri",
	    "at=24:00",
	    "at=7:5",
	    "at=noon",
	    "at=20:00:00",
	    "grace=-1D",
	    "grace=367D",
	    "delay=soon",
	    "holidays=",
	    "holidays=13-01",
	    "holidays=2026-02-29",
	    "holidays=02-30",
	    "holidays=1-2-3-4",
	    "holidays=2027-01-01..2026-01-01",
	    "holidays=2026-01-01..01-05",
	    "phase=5D",
	    "phase=a:",
	    "phase=:5D",
	    "phase=a b:5D",
	    "remind=1H,2H",
	    "remind=5H,4H,3H,2H,1H",
	    "quiet=perhaps",
	    "misses=101",
	    "misses=-1",
	    "vacant=maybe",
	    "zone=../x",
	    "colour=red",
	    "days",
	    "phase=a:1D,b:1D,c:1D,d:1D,e:1D",
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct calendar c = calendar_of("days=mon grace=1H", "3D", a);
		struct strbuf why = STRBUF_INIT, after = STRBUF_INIT;

		cr_expect_not(calendar_parse(&c, span_of(bad[i]), a, &why), "%s", bad[i]);
		cr_expect(why.len > 10, "%s: %s", bad[i], why.ptr);
		calendar_format(&c, &after);
		cr_expect_str_eq(after.ptr, "days=mon grace=1H", "%s", bad[i]);
		strbuf_release(&after);
		strbuf_release(&why);
	}
	arena_free(a);
}

Test(calendar, phases_have_lengths_of_their_own)
{
	struct arena *a = arena_new();
	struct calendar c = calendar_of("phase=setup:5D,mole:1D,3:1W", "2D", a);

	cr_expect_eq(calendar_length(&c, SPAN_LIT("set-up"), 1), 5 * 86400);
	cr_expect_eq(calendar_length(&c, SPAN_LIT("round 1 turn 2, mole"), 2), 86400);
	cr_expect_eq(calendar_length(&c, SPAN_LIT("round 1 turn 2, mignettes"), 2), 2 * 86400);
	cr_expect_eq(calendar_length(&c, SPAN_LIT("turn 3"), 3), 7 * 86400);
	cr_expect_eq(calendar_length(&c, SPAN_LIT("turn 3"), 4), 2 * 86400);
	arena_free(a);
}
