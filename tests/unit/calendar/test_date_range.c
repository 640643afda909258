/*
 * test_date_range.c - days as people write them, and deadlines behind an absence.
 */
#include <criterion/criterion.h>

#include "processor/base/clock.h"
#include "processor/calendar/date_range.h"

enum { DAY_S = 86400, HOUR_S = 3600 };

static int64_t utc(const char *iso)
{
	int64_t t = 0;

	cr_assert(utc_parse_iso(span_of(iso), &t), "%s", iso);
	return t;
}

/* "Thu 24 Dec 2026 - Sun 3 Jan 2027", or what is wrong. */
static void resolve(const char *text, const char *now, struct strbuf *out)
{
	static const char *const wrong[] = {[DAYS_NONE] = "none",
	                                    [DAYS_AMBIGUOUS] = "ambiguous",
	                                    [DAYS_IMPOSSIBLE] = "impossible"};
	struct days d;
	struct day_range r;
	enum days_reading tried = days_read(span_of(text), &d);

	strbuf_clear(out);
	if (tried != DAYS_GOOD) {
		strbuf_adds(out, wrong[tried]);
	} else if (!days_resolve(&d, day_of(NULL, utc(now)), &r)) {
		strbuf_adds(out, "order");
	} else {
		day_format(out, r.first);
		if (r.last != r.first) {
			strbuf_adds(out, " - ");
			day_format(out, r.last);
		}
	}
}

struct days_case {
	const char *text, *expected;
};

Test(days, the_usual_spellings_are_read)
{
	static const struct days_case cases[] = {
	    {"2026-12-24", "Thu 24 Dec 2026"},
	    {"24 Dec", "Thu 24 Dec 2026"},
	    {"24. december", "Thu 24 Dec 2026"},
	    {"Dec 24", "Thu 24 Dec 2026"},
	    {"December 24th, 2027", "Fri 24 Dec 2027"},
	    {"24.12.", "Thu 24 Dec 2026"},
	    {"24.12.2026", "Thu 24 Dec 2026"},
	    {"24.12", "Thu 24 Dec 2026"},
	    {"12/24", "Thu 24 Dec 2026"},
	    {"24/12/2026", "Thu 24 Dec 2026"},
	    {"6/6", "Sat 6 Jun 2026"},
	    {"today", "Thu 12 Mar 2026"},
	    {"Tomorrow", "Fri 13 Mar 2026"},
	    {"12 mar", "Thu 12 Mar 2026"},
	    {"11 mar", "Thu 11 Mar 2027"},
	    {"29 Feb", "Tue 29 Feb 2028"},
	    {"24 Dec to 3 Jan", "Thu 24 Dec 2026 - Sun 3 Jan 2027"},
	    {"from 24 Dec until Jan 3, 2027", "Thu 24 Dec 2026 - Sun 3 Jan 2027"},
	    {"24.12. - 3.1.", "Thu 24 Dec 2026 - Sun 3 Jan 2027"},
	    {"2026-12-24..2027-01-03", "Thu 24 Dec 2026 - Sun 3 Jan 2027"},
	    {"until 14 March", "Thu 12 Mar 2026 - Sat 14 Mar 2026"},
	    {"today till tomorrow", "Thu 12 Mar 2026 - Fri 13 Mar 2026"},
	};
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		resolve(cases[i].text, "2026-03-12T18:00:00Z", &out);
		cr_expect_str_eq(out.ptr, cases[i].expected, "%s: %s", cases[i].text, out.ptr);
	}
	strbuf_release(&out);
}

Test(days, what_is_in_doubt_or_no_day_is_told_apart_from_what_is_no_date)
{
	static const struct days_case cases[] = {
	    {"5/6", "ambiguous"},
	    {"24 Dec to 1/2", "ambiguous"},
	    {"30 Feb", "impossible"},
	    {"2026-13-01", "impossible"},
	    {"31.4.", "impossible"},
	    {"2027-02-29", "impossible"},
	    {"20 Mar 2026 to 18 Mar 2026", "order"},
	    {"", "none"},
	    {"soon", "none"},
	    {"next week", "none"},
	    {"24", "none"},
	    {"24 Dec and more", "none"},
	    {"24 Dec 26", "none"},
	    {"to", "none"},
	    {"24 Dec to", "none"},
	    {"1-2-3", "none"},
	    {"32 Dec", "none"},
	    {"99999999999999999999 Dec", "none"},
	};
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		resolve(cases[i].text, "2026-03-12T18:00:00Z", &out);
		cr_expect_str_eq(out.ptr, cases[i].expected, "\"%s\": %s", cases[i].text,
		                 out.ptr);
	}
	strbuf_release(&out);
}

/* ---- deadlines ---- */

static int64_t behind(const char *calendar, const char *deadline, const struct away *away,
                      size_t n)
{
	struct arena *arena = arena_new();
	struct strbuf why = STRBUF_INIT;
	struct calendar c;

	calendar_init(&c);
	cr_assert(calendar_parse(&c, span_of(calendar), arena, &why), "%s", why.ptr);
	int64_t t = calendar_behind(&c, NULL, NULL, 0, away, n, utc(deadline));
	strbuf_release(&why);
	arena_free(arena);
	return t;
}

Test(days, a_deadline_in_an_absence_moves_to_a_day_or_more_behind_it)
{
	struct away away[] = {
	    {utc("2026-12-24T00:00:00Z"), utc("2027-01-04T00:00:00Z")},
	    {utc("2027-01-04T12:00:00Z"), utc("2027-01-06T00:00:00Z")},
	    {utc("2026-12-20T00:00:00Z"), utc("2026-12-28T00:00:00Z")},
	};

	/* Nobody is away. */
	cr_expect_eq(behind("", "2026-12-26T10:00:00Z", away, 0), utc("2026-12-26T10:00:00Z"));
	/* Before it, and the very moment it is over. */
	cr_expect_eq(behind("", "2026-12-23T23:59:59Z", away, 1), utc("2026-12-23T23:59:59Z"));
	cr_expect_eq(behind("", "2027-01-04T00:00:00Z", away, 1), utc("2027-01-04T00:00:00Z"));
	/* In it, from its first moment to its last. */
	cr_expect_eq(behind("", "2026-12-24T00:00:00Z", away, 1), utc("2027-01-05T00:00:00Z"));
	cr_expect_eq(behind("", "2027-01-03T23:59:59Z", away, 1), utc("2027-01-05T00:00:00Z"));
	/* At an hour and on a day the game allows: the 5th is a Tuesday. */
	cr_expect_eq(behind("at=20:00", "2026-12-24T20:00:00Z", away, 1),
	             utc("2027-01-05T20:00:00Z"));
	cr_expect_eq(behind("days=mon at=20:00", "2026-12-28T20:00:00Z", away, 1),
	             utc("2027-01-11T20:00:00Z"));
	/* Out of one into another. */
	cr_expect_eq(behind("", "2026-12-24T00:00:00Z", away, 2), utc("2027-01-07T00:00:00Z"));
	cr_expect_eq(behind("", "2026-12-21T00:00:00Z", away, 3),
	             utc("2026-12-21T00:00:00Z") + 17 * DAY_S);
}

/*
 * Whoever is away, and for how long: the deadline never moves back, and ends in nobody's
 * absence.
 */
Test(days, a_deadline_never_stays_in_an_absence)
{
	for (unsigned n = 0; n < 4096; n++) {
		struct away away[3];
		int64_t t = utc("2026-03-12T18:00:00Z");

		for (unsigned i = 0; i < 3; i++) {
			unsigned bits = n >> (4 * i) & 15;
			away[i].from_utc = t + ((int64_t)(bits & 3) - 1) * DAY_S;
			away[i].until_utc = away[i].from_utc +
			                    (1 + (int64_t)(bits >> 2)) * DAY_S;
		}
		int64_t moved =
		    behind(n & 1 ? "at=20:00" : "", "2026-03-12T18:00:00Z", away, 3);
		cr_assert(moved >= t && moved < t + 20 * DAY_S, "%u", n);
		for (unsigned i = 0; i < 3; i++)
			cr_assert(moved < away[i].from_utc || moved >= away[i].until_utc, "%u",
			          n);
	}
}
