/*
 * test_digest_policy.c - when a digest comes, and which mail waits for it.
 */
#include <criterion/criterion.h>

#include "processor/base/clock.h"
#include "processor/outgoing/digest_policy.h"

static int64_t at(const char *iso)
{
	int64_t t;

	cr_assert(utc_parse_iso(span_of(iso), &t), "%s", iso);
	return t;
}

static struct server server_at(const char *now, struct log *log)
{
	struct server srv = {.arena = arena_new(), .log = log, .now_utc = at(now)};

	return srv;
}

static struct player reader(enum mail_mode mode, const char *zone, int minute)
{
	return (struct player){
	    .id = 1, .mail_mode = mode, .zone = span_of(zone), .digest_min = minute};
}

Test(digest_policy, the_next_digest_comes_at_its_hour_and_not_in_quiet_hours)
{
	static const struct {
		const char *zone, *now, *next;
		int minute, quiet_from, quiet_to;
	} rows[] = {
	    {"UTC", "2026-03-12T07:59:59Z", "2026-03-12T08:00:00Z", 480, 0, 0},
	    {"UTC", "2026-03-12T08:00:00Z", "2026-03-13T08:00:00Z", 480, 0, 0},
	    {"Europe/Berlin", "2026-03-12T08:00:00Z", "2026-03-13T07:00:00Z", 480, 0, 0},
	    {"Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T06:00:00Z", 480, 0, 0},
	    {"Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T07:00:00Z", 480, 0, 0},
	    {"America/New_York", "2026-03-12T02:00:00Z", "2026-03-12T03:30:00Z", 1410, 0, 0},
	    {"Pacific/Kiritimati", "2026-03-12T11:00:00Z", "2026-03-12T18:00:00Z", 480, 0, 0},
	    /* In quiet hours: when they end. */
	    {"UTC", "2026-03-12T07:00:00Z", "2026-03-12T09:30:00Z", 480, 22 * 60, 570},
	    {"UTC", "2026-03-12T08:30:00Z", "2026-03-12T09:30:00Z", 480, 22 * 60, 570},
	    {"UTC", "2026-03-12T22:30:00Z", "2026-03-13T09:30:00Z", 1380, 22 * 60, 570},
	    {"UTC", "2026-03-13T00:30:00Z", "2026-03-13T09:30:00Z", 1380, 22 * 60, 570},
	};
	struct log log = {0};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct server srv = server_at(rows[i].now, &log);
		struct player p = reader(MAIL_DIGEST, rows[i].zone, rows[i].minute);
		struct strbuf came = STRBUF_INIT;

		p.quiet_from = rows[i].quiet_from;
		p.quiet_to = rows[i].quiet_to;
		utc_format_iso(&came, digest_policy_next(&srv, &p));
		cr_expect_str_eq(came.ptr, rows[i].next, "row %zu, %s at %s", i, rows[i].zone,
		                 rows[i].now);
		strbuf_release(&came);
		arena_free(srv.arena);
	}
}

Test(digest_policy, a_report_waits_only_if_its_digest_leaves_twelve_hours_for_orders)
{
	static const struct {
		const char *now, *orders, *due;
		int quiet_from, quiet_to;
	} rows[] = {
	    {"2026-03-12T18:00:00Z", NULL, "2026-03-13T08:00:00Z", 0, 0},
	    {"2026-03-12T18:00:00Z", "2026-03-13T20:00:00Z", "2026-03-13T08:00:00Z", 0, 0},
	    {"2026-03-12T18:00:00Z", "2026-03-13T19:59:59Z", "2026-03-12T18:00:00Z", 0, 0},
	    {"2026-03-12T18:00:00Z", "2026-03-12T20:00:00Z", "2026-03-12T18:00:00Z", 0, 0},
	    /* In quiet hours it waits for their end, if four hours are left then. */
	    {"2026-03-12T23:00:00Z", "2026-03-13T10:30:00Z", "2026-03-13T06:30:00Z", 1320, 390},
	    {"2026-03-12T23:00:00Z", "2026-03-13T10:29:00Z", "2026-03-12T23:00:00Z", 1320, 390},
	};
	struct log log = {0};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct server srv = server_at(rows[i].now, &log);
		struct player p = reader(MAIL_DIGEST, "UTC", 480);

		p.quiet_from = rows[i].quiet_from;
		p.quiet_to = rows[i].quiet_to;
		struct digest_policy k = digest_policy_of(
		    &srv, &p, OUTGOING_REPORT, rows[i].orders ? at(rows[i].orders) : 0);
		cr_expect(k.waits);
		cr_expect_eq(k.due_utc, at(rows[i].due), "row %zu", i);
		arena_free(srv.arena);
	}
}

Test(digest_policy, what_waits_is_said_by_the_mode_and_the_sort)
{
	static const struct {
		enum mail_mode mode;
		enum outgoing_sort sort;
		bool waits;
	} rows[] = {
	    {MAIL_ALL, OUTGOING_REPORT, false},    {MAIL_ALL, OUTGOING_REMINDER, false},
	    {MAIL_ALL, OUTGOING_MESSAGE, false},   {MAIL_ALL, OUTGOING_RECEIPT, false},
	    {MAIL_ROUND, OUTGOING_REPORT, false},  {MAIL_ROUND, OUTGOING_REMINDER, false},
	    {MAIL_ROUND, OUTGOING_MESSAGE, true},  {MAIL_ROUND, OUTGOING_RECEIPT, true},
	    {MAIL_DIGEST, OUTGOING_REPORT, true},  {MAIL_DIGEST, OUTGOING_REMINDER, true},
	    {MAIL_DIGEST, OUTGOING_MESSAGE, true}, {MAIL_DIGEST, OUTGOING_RECEIPT, true},
	};
	struct log log = {0};
	struct server srv = server_at("2026-03-12T18:00:00Z", &log);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct player p = reader(rows[i].mode, "UTC", 480);
		struct digest_policy k = digest_policy_of(&srv, &p, rows[i].sort, 0);

		cr_expect_eq(k.waits, rows[i].waits, "row %zu", i);
		if (k.waits && rows[i].sort == OUTGOING_REMINDER)
			cr_expect_eq(k.due_utc, srv.now_utc, "a reminder leaves at once");
		if (k.waits && rows[i].sort == OUTGOING_RECEIPT)
			cr_expect_eq(k.due_utc, srv.now_utc + DIGEST_LONGEST_S,
			             "a receipt makes no mail of its own");
	}
	arena_free(srv.arena);
}
