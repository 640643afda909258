/*
 * test_date.c - when a mail says it was written.
 */
#include <criterion/criterion.h>

#include "mail/text/date.h"
#include "processor/base/clock.h"

static int64_t at(const char *iso)
{
	int64_t t;

	cr_assert(utc_parse_iso(span_of(iso), &t), "%s", iso);
	return t;
}

Test(date, what_mail_programs_write_is_read)
{
	static const struct {
		const char *field, *iso;
	} cases[] = {
	    {"Thu, 12 Mar 2026 18:02:00 +0000", "2026-03-12T18:02:00Z"},
	    {"Thu, 12 Mar 2026 19:02:00 +0100 (CET)", "2026-03-12T18:02:00Z"},
	    {"Thu, 12 Mar 2026 13:02:00 -0500", "2026-03-12T18:02:00Z"},
	    {"12 Mar 2026 23:32 +0530", "2026-03-12T18:02:00Z"},
	    {"Thu,12 Mar 2026 18:02:00 GMT", "2026-03-12T18:02:00Z"},
	    {"thu, 12 mar 2026 11:02:00 pdt", "2026-03-12T18:02:00Z"},
	    {"Thu, 12 Mar 2026 18:02:00 -0000", "2026-03-12T18:02:00Z"},
	    {"Thu, 12 Mar 2026 18:02:00", "2026-03-12T18:02:00Z"},
	    {"Thu, 12 Mar 2026 18:02:00 XYZ", "2026-03-12T18:02:00Z"},
	    {"  Thu ,\r\n 12 (the (twelfth)) Mar 2026 18:02:00\t+0000", "2026-03-12T18:02:00Z"},
	    {"Fri, 1 Jan 99 00:00:00 +0000", "1999-01-01T00:00:00Z"},
	    {"1 Jan 26 00:00:00 +0000", "2026-01-01T00:00:00Z"},
	    {"1 Jan 126 00:00:00 +0000", "2026-01-01T00:00:00Z"},
	    {"Wed, 31 Dec 2025 23:59:60 +0000", "2026-01-01T00:00:00Z"},
	    {"Thu, 29 Feb 2024 12:00:00 +0000", "2024-02-29T12:00:00Z"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t t = 0;

		cr_expect(date_parse(span_of(cases[i].field), &t), "%s", cases[i].field);
		cr_expect_eq(t, at(cases[i].iso), "%s gives %lld", cases[i].field,
		             (long long)t);
	}
}

Test(date, what_is_no_date_is_none)
{
	static const char *const fields[] = {
	    "",
	    "yesterday",
	    "Thu",
	    "Thu, 12 Mar 2026",
	    "32 Mar 2026 18:02:00 +0000",
	    "29 Feb 2026 18:02:00 +0000",
	    "31 Apr 2026 18:02:00 +0000",
	    "0 Mar 2026 18:02:00 +0000",
	    "12 Foo 2026 18:02:00 +0000",
	    "12 Mar 1026 18:02:00 +0000",
	    "12 Mar 20266 18:02:00 +0000",
	    "12 Mar 2026 24:02:00 +0000",
	    "12 Mar 2026 18:60:00 +0000",
	    "12 Mar 2026 18:02:61 +0000",
	    "12 Mar 2026 18.02.00 +0000",
	    "2026-03-12T18:02:00Z",
	    "12 Mar 2026 18:02:00:00 +0000",
	    "(((((",
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		int64_t t;

		cr_expect_not(date_parse(span_of(fields[i]), &t), "%s", fields[i]);
	}
}
