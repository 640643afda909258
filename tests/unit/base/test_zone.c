/*
 * test_zone.c - local times: changes of summer time in both directions, the rule behind the
 * last change, files that lie.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/base/zone.h"

static const struct zone *zone_of(const char *name, struct arena *a)
{
	struct strbuf bytes = STRBUF_INIT;
	struct failure e = ERR_INIT;
	const struct zone *z = NULL;

	cr_assert_eq(
	    file_read(arena_printf(a, "/usr/share/zoneinfo/%s", name), 1 << 20, &bytes, &e),
	    ERR_NONE, "%s", e.text.ptr);
	cr_assert_eq(zone_read(strbuf_span(&bytes), name, a, &z, &e), ERR_NONE, "%s",
	             e.text.ptr);
	strbuf_release(&bytes);
	err_release(&e);
	return z;
}

static int64_t at(const char *iso)
{
	int64_t t;

	cr_assert(utc_parse_iso(span_of(iso), &t), "%s", iso);
	return t;
}

Test(zone, shows_the_hour_on_both_sides_of_every_change)
{
	static const struct {
		const char *zone, *utc, *shown;
	} cases[] = {
	    {"Europe/Berlin", "2026-03-29T00:59:00Z",
	     "Sun 29 Mar 2026 01:59 Europe/Berlin (00:59 UTC)"},
	    {"Europe/Berlin", "2026-03-29T01:00:00Z",
	     "Sun 29 Mar 2026 03:00 Europe/Berlin (01:00 UTC)"},
	    {"Europe/Berlin", "2026-10-25T00:59:59Z",
	     "Sun 25 Oct 2026 02:59 Europe/Berlin (00:59 UTC)"},
	    {"Europe/Berlin", "2026-10-25T01:00:00Z",
	     "Sun 25 Oct 2026 02:00 Europe/Berlin (01:00 UTC)"},
	    {"America/New_York", "2026-03-08T06:59:00Z",
	     "Sun 8 Mar 2026 01:59 America/New_York (06:59 UTC)"},
	    {"America/New_York", "2026-03-08T07:00:00Z",
	     "Sun 8 Mar 2026 03:00 America/New_York (07:00 UTC)"},
	    {"America/New_York", "2026-03-08T02:00:00Z",
	     "Sat 7 Mar 2026 21:00 America/New_York (Sun 02:00 UTC)"},
	    {"Asia/Kolkata", "2026-06-01T18:30:00Z",
	     "Tue 2 Jun 2026 00:00 Asia/Kolkata (Mon 18:30 UTC)"},
	    {"Australia/Lord_Howe", "2026-04-04T14:59:00Z",
	     "Sun 5 Apr 2026 01:59 Australia/Lord_Howe (Sat 14:59 UTC)"},
	    {"Australia/Lord_Howe", "2026-04-04T15:00:00Z",
	     "Sun 5 Apr 2026 01:30 Australia/Lord_Howe (Sat 15:00 UTC)"},
	    {"Europe/Dublin", "2026-07-01T12:00:00Z",
	     "Wed 1 Jul 2026 13:00 Europe/Dublin (12:00 UTC)"},
	    {"Pacific/Kiritimati", "2026-12-31T10:00:00Z",
	     "Fri 1 Jan 2027 00:00 Pacific/Kiritimati (Thu 10:00 UTC)"},
	};
	struct arena *a = arena_new();
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		strbuf_clear(&out);
		zone_format_human(&out, zone_of(cases[i].zone, a), at(cases[i].utc));
		cr_expect_str_eq(out.ptr, cases[i].shown);
	}
	strbuf_clear(&out);
	zone_format_human(&out, NULL, at("2026-03-12T18:02:00Z"));
	cr_expect_str_eq(out.ptr, "Thu 12 Mar 2026 18:02 UTC");
	strbuf_release(&out);
	arena_free(a);
}

/* Far behind the tables only the rule in the footer counts. */
Test(zone, goes_on_by_its_rule_for_ever)
{
	static const struct {
		const char *zone, *utc;
		int offset_s;
	} cases[] = {
	    {"Europe/Berlin", "2150-01-15T12:00:00Z", 3600},
	    {"Europe/Berlin", "2150-07-15T12:00:00Z", 7200},
	    {"Europe/Berlin", "2150-03-29T00:59:59Z", 3600}, /* the last Sunday of March */
	    {"Europe/Berlin", "2150-03-29T01:00:00Z", 7200},
	    {"Europe/Berlin", "2150-10-25T00:59:59Z", 7200},
	    {"Europe/Berlin", "2150-10-25T01:00:00Z", 3600},
	    {"America/New_York", "2150-03-08T06:59:59Z", -18000}, /* the second */
	    {"America/New_York", "2150-03-08T07:00:00Z", -14400},
	    {"Australia/Sydney", "2150-01-15T12:00:00Z", 39600}, /* summer is round the turn */
	    {"Australia/Sydney", "2150-07-15T12:00:00Z", 36000},
	    {"Asia/Tokyo", "2150-07-15T12:00:00Z", 32400},
	    {"Etc/UTC", "2150-07-15T12:00:00Z", 0},
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(zone_offset_s(zone_of(cases[i].zone, a), at(cases[i].utc)),
		             cases[i].offset_s, "%s %s", cases[i].zone, cases[i].utc);
	cr_expect_eq(zone_offset_s(zone_of("Europe/Berlin", a), -4000000000), 3208);
	arena_free(a);
}

/* A file with one type, no change, and the footer given. */
static struct span tiny_file(const char *footer, struct arena *a)
{
	struct strbuf s = STRBUF_INIT;
	static const char counts[24] = {[15] = 0, [19] = 1, [23] = 4};
	struct span copy;

	for (int half = 0; half < 2; half++) {
		strbuf_adds(&s, "TZif2");
		strbuf_add_repeat(&s, '\0', 15);
		strbuf_add(&s, counts, sizeof(counts));
		strbuf_add(&s, "\0\0\x0e\x10\0\0CET\0", 10);
	}
	strbuf_addf(&s, "\n%s\n", footer);
	copy = arena_dup(a, strbuf_span(&s));
	strbuf_release(&s);
	return copy;
}

Test(zone, rules_are_read_in_every_form)
{
	static const struct {
		const char *footer, *utc;
		int offset_s;
	} cases[] = {
	    {"", "2026-07-01T00:00:00Z", 3600},
	    {"<+0330>-3:30", "2026-07-01T00:00:00Z", 12600},
	    {"AAA3BBB,J60/0,J300/0", "2024-03-01T02:59:59Z", -10800}, /* 1 March, leap or not */
	    {"AAA3BBB,J60/0,J300/0", "2024-03-01T03:00:00Z", -7200},
	    {"AAA3BBB,J60/0,J300/0", "2023-03-01T03:00:00Z", -7200},
	    {"AAA0BBB,59/0,300/0", "2024-02-29T00:00:00Z", 3600}, /* the 60th day */
	    {"AAA0BBB,59/0,300/0", "2023-03-01T00:00:00Z", 3600},
	    {"AAA0BBB,59/0,300/0", "2023-02-28T23:59:59Z", 0},
	    {"AAA-1BBB-1:30,M4.1.0/-1,M10.5.6/25", "2026-04-04T21:59:59Z", 3600},
	    {"AAA-1BBB-1:30,M4.1.0/-1,M10.5.6/25", "2026-04-04T22:00:00Z", 5400},
	    {"AAA-1BBB-1:30,M4.1.0/-1,M10.5.6/25", "2026-10-31T23:29:59Z", 5400},
	    {"AAA-1BBB-1:30,M4.1.0/-1,M10.5.6/25", "2026-10-31T23:30:00Z", 3600},
	};
	struct arena *a = arena_new();
	const struct zone *z;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cr_assert_eq(zone_read(tiny_file(cases[i].footer, a), "X", a, &z, NULL),
		             ERR_NONE, "%s", cases[i].footer);
		cr_expect_eq(zone_offset_s(z, at(cases[i].utc)), cases[i].offset_s, "%s %s: %d",
		             cases[i].footer, cases[i].utc, zone_offset_s(z, at(cases[i].utc)));
	}
	arena_free(a);
}

Test(zone, a_file_that_lies_is_refused)
{
	static const char *const footers[] = {
	    "C-1",
	    "CET",
	    "CET-25",
	    "CET-1CEST",
	    "CET-1CEST,",
	    "CET-1CEST,M3.5.0",
	    "CET-1CEST,M13.5.0,M10.5.0",
	    "CET-1CEST,M3.6.0,M10.5.0",
	    "CET-1CEST,M3.5.7,M10.5.0",
	    "CET-1CEST,J0,J1",
	    "CET-1CEST,1,366",
	    "CET-1x",
	    "<+01-1",
	    "CET-1CEST,M3.5.0/168,M10.5.0",
	    "CET-1:60",
	    "CET-1CEST,M3.5.0,M10.5.0 ",
	};
	struct arena *a = arena_new();
	struct failure e = ERR_INIT;
	const struct zone *z;
	struct span good = tiny_file("CET-1", a);

	cr_assert_eq(zone_read(good, "X", a, &z, &e), ERR_NONE);
	for (size_t i = 0; i < sizeof(footers) / sizeof(footers[0]); i++)
		cr_expect_eq(zone_read(tiny_file(footers[i], a), "X", a, &z, &e), ERR_INVALID,
		             "%s", footers[i]);
	for (size_t n = 0; n < good.len; n++)
		cr_expect_eq(zone_read(span_slice(good, 0, n), "X", a, &z, &e), ERR_INVALID,
		             "cut at %zu", n);
	err_release(&e);
	arena_free(a);
}

/* Whatever one byte of a real file becomes, the answer is an offset or a refusal. */
Test(zone, a_damaged_file_does_no_harm)
{
	struct arena *a = arena_new();
	struct strbuf bytes = STRBUF_INIT;
	const struct zone *z;

	cr_assert_eq(file_read("/usr/share/zoneinfo/Europe/Dublin", 1 << 20, &bytes, NULL),
	             ERR_NONE);
	for (size_t i = 0; i < bytes.len; i++) {
		char old = bytes.ptr[i];

		for (int bit = 0; bit < 8; bit += 7) {
			bytes.ptr[i] = (char)(old ^ (1 << bit));
			if (zone_read(strbuf_span(&bytes), "X", a, &z, NULL) == ERR_NONE) {
				int o = zone_offset_s(z, at("2026-07-01T00:00:00Z"));
				cr_expect(o >= -26 * 3600 && o <= 26 * 3600);
				(void)zone_offset_s(z, at("9999-07-01T00:00:00Z"));
			}
			arena_clear(a);
		}
		bytes.ptr[i] = old;
	}
	strbuf_release(&bytes);
	arena_free(a);
}

Test(zone, names_lead_nowhere_else)
{
	static const char *const bad[] = {
	    "",   "/etc/passwd",   "../x",  "Europe/../../x", "a//b",
	    "a/", "Europe Berlin", "a.tab", "\xc3\xa4",       "a\nb"};

	cr_expect(zone_name_ok(SPAN_LIT("Europe/Berlin")));
	cr_expect(zone_name_ok(SPAN_LIT("America/Argentina/Buenos_Aires")));
	cr_expect(zone_name_ok(SPAN_LIT("Etc/GMT+5")));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_expect_not(zone_name_ok(span_of(bad[i])), "%s", bad[i]);
}
