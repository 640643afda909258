/*
 * test_deadline.c - the decision table of a turn, and lengths of time as people write them.
 */
#include <criterion/criterion.h>

#include "processor/calendar/deadline.h"

enum { DUE = 1000 };

/* Seats: 1 = bit 0, 2 = bit 1, 4 = bit 2. */
struct deadline_case {
	const char *what;
	struct deadline_input in;
	enum deadline_verdict verdict;
	int64_t next_look_utc;
};

/* The clock, and how far mail has been read. */
#define NOW(t) .now_utc = (t), .read_through_utc = (t)

static const struct deadline_case decisions[] = {
    {"nobody has sent", {NOW(500), .deadline_utc = DUE, .owes = 7}, DEADLINE_WAIT, DUE},
    {"one is missing",
     {NOW(500), .deadline_utc = DUE, .owes = 7, .have = 3},
     DEADLINE_WAIT,
     DUE},
    {"all are in", {NOW(500), .deadline_utc = DUE, .owes = 7, .have = 7}, DEADLINE_SEAL, 0},
    {"nobody owes anything", {NOW(500), .deadline_utc = DUE}, DEADLINE_SEAL, 0},
    {"orders of seats that owe none do not count",
     {NOW(500), .deadline_utc = DUE, .owes = 1, .have = 6},
     DEADLINE_WAIT,
     DUE},
    {"all in, one holds",
     {NOW(500), .deadline_utc = DUE, .owes = 7, .have = 7, .waiting = 2},
     DEADLINE_WAIT,
     DUE},
    {"a seat that owes nothing cannot hold",
     {NOW(500), .deadline_utc = DUE, .owes = 5, .have = 5, .waiting = 2},
     DEADLINE_SEAL,
     0},
    {"all in while mail is unread",
     {.now_utc = 500, .read_through_utc = 0, .deadline_utc = DUE, .owes = 7, .have = 7},
     DEADLINE_SEAL,
     0},
    {"the second of the deadline still counts",
     {NOW(DUE), .deadline_utc = DUE, .owes = 7, .have = 3},
     DEADLINE_WAIT,
     DUE},
    {"the deadline has passed",
     {NOW(DUE + 1), .deadline_utc = DUE, .owes = 7, .have = 3},
     DEADLINE_DEFAULT,
     0},
    {"passed, and nobody has sent",
     {NOW(DUE + 1), .deadline_utc = DUE, .owes = 7},
     DEADLINE_DEFAULT,
     0},
    {"passed, all in, one held until now",
     {NOW(DUE + 1), .deadline_utc = DUE, .owes = 7, .have = 7, .waiting = 2},
     DEADLINE_SEAL,
     0},
    {"passed, but a source is not read",
     {.now_utc = DUE + 999, .read_through_utc = 500, .deadline_utc = DUE, .owes = 7, .have = 3},
     DEADLINE_WAIT,
     DUE},
    {"passed, read up to the deadline only",
     {.now_utc = DUE + 999, .read_through_utc = DUE, .deadline_utc = DUE, .owes = 7, .have = 3},
     DEADLINE_WAIT,
     DUE},
    {"a clock set back does not close a turn",
     {.now_utc = 500, .read_through_utc = DUE + 999, .deadline_utc = DUE, .owes = 7, .have = 3},
     DEADLINE_WAIT,
     DUE},
    {"no deadline", {NOW(500), .owes = 7, .have = 3}, DEADLINE_WAIT, 0},
    {"no deadline, one holds",
     {NOW(500), .owes = 7, .have = 7, .waiting = 1},
     DEADLINE_WAIT,
     0},
    {"no deadline, all in", {NOW(500), .owes = 7, .have = 7}, DEADLINE_SEAL, 0},
    {"passed, in the grace, one is late",
     {NOW(DUE + 50), .deadline_utc = DUE, .owes = 7, .have = 3, .grace_utc = DUE + 100},
     DEADLINE_WAIT,
     DUE + 100},
    {"passed, in the grace, all are in",
     {NOW(DUE + 50), .deadline_utc = DUE, .owes = 7, .have = 7, .grace_utc = DUE + 100},
     DEADLINE_SEAL,
     0},
    {"passed, in the grace, all are in, one held until the deadline",
     {NOW(DUE + 50), .deadline_utc = DUE, .owes = 7, .have = 7, .waiting = 2,
      .grace_utc = DUE + 100},
     DEADLINE_SEAL,
     0},
    {"the second in which the grace ends still counts",
     {NOW(DUE + 100), .deadline_utc = DUE, .owes = 7, .have = 3, .grace_utc = DUE + 100},
     DEADLINE_WAIT,
     DUE + 100},
    {"the grace has passed",
     {NOW(DUE + 101), .deadline_utc = DUE, .owes = 7, .have = 3, .grace_utc = DUE + 100},
     DEADLINE_DEFAULT,
     0},
    {"the grace has passed, but a source is not read",
     {.now_utc = DUE + 999,
      .read_through_utc = DUE + 100,
      .deadline_utc = DUE,
      .owes = 7,
      .have = 3,
      .grace_utc = DUE + 100},
     DEADLINE_WAIT,
     DUE + 100},
    {"before the deadline the grace is no matter",
     {NOW(500), .deadline_utc = DUE, .owes = 7, .have = 3, .grace_utc = DUE + 100},
     DEADLINE_WAIT,
     DUE},
    {"all in, time for second thoughts",
     {NOW(500), .deadline_utc = DUE, .owes = 7, .have = 7, .settle_utc = 600},
     DEADLINE_WAIT,
     600},
    {"the last second of it counts",
     {NOW(600), .deadline_utc = DUE, .owes = 7, .have = 7, .settle_utc = 600},
     DEADLINE_WAIT,
     600},
    {"it is over",
     {NOW(601), .deadline_utc = DUE, .owes = 7, .have = 7, .settle_utc = 600},
     DEADLINE_SEAL,
     0},
    {"it is over, but mail is unread",
     {.now_utc = 999,
      .read_through_utc = 600,
      .deadline_utc = DUE,
      .owes = 7,
      .have = 7,
      .settle_utc = 600},
     DEADLINE_WAIT,
     600},
    {"it never goes past the deadline",
     {NOW(500), .deadline_utc = DUE, .owes = 7, .have = 7, .settle_utc = DUE + 600},
     DEADLINE_WAIT,
     DUE},
    {"past the deadline it is over",
     {NOW(DUE + 1), .deadline_utc = DUE, .owes = 7, .have = 7, .grace_utc = DUE + 100,
      .settle_utc = DUE + 600},
     DEADLINE_SEAL,
     0},
    {"without a deadline it is kept as well",
     {NOW(500), .owes = 7, .have = 7, .settle_utc = 600},
     DEADLINE_WAIT,
     600},
    {"it means nothing while one is missing",
     {NOW(700), .deadline_utc = DUE, .owes = 7, .have = 3, .settle_utc = 600},
     DEADLINE_WAIT,
     DUE},
    {"in the grace, what is missing has stepped in",
     {NOW(DUE + 1), .deadline_utc = DUE, .owes = 7, .have = 5, .grace_utc = DUE + 100,
      .covered = 2},
     DEADLINE_DEFAULT,
     0},
    {"before the deadline nothing steps in",
     {NOW(500), .deadline_utc = DUE, .owes = 7, .have = 5, .grace_utc = DUE + 100,
      .covered = 2},
     DEADLINE_WAIT,
     DUE},
    {"in the grace, one is still awaited",
     {NOW(DUE + 1), .deadline_utc = DUE, .owes = 7, .have = 4, .grace_utc = DUE + 100,
      .covered = 2},
     DEADLINE_WAIT,
     DUE + 100},
    {"a vacant seat is not waited for",
     {NOW(500), .deadline_utc = DUE, .owes = 7, .have = 5, .vacant = 2},
     DEADLINE_SEAL,
     0},
    {"nor is its wish to wait",
     {NOW(500), .deadline_utc = DUE, .owes = 7, .have = 5, .vacant = 2, .waiting = 2},
     DEADLINE_SEAL,
     0},
    {"others are",
     {NOW(500), .deadline_utc = DUE, .owes = 7, .have = 4, .vacant = 2},
     DEADLINE_WAIT,
     DUE},
    {"where vacant seats alone owe orders, somebody may take one until the deadline",
     {NOW(500), .deadline_utc = DUE, .owes = 2, .vacant = 2},
     DEADLINE_WAIT,
     DUE},
    {"for them there is no grace",
     {NOW(DUE + 1), .deadline_utc = DUE, .owes = 2, .vacant = 2, .grace_utc = DUE + 100},
     DEADLINE_DEFAULT,
     0},
    {"held, all in",
     {NOW(500), .deadline_utc = DUE, .owes = 7, .have = 7, .held = true},
     DEADLINE_WAIT,
     0},
    {"held, deadline passed",
     {NOW(DUE + 1), .deadline_utc = DUE, .owes = 7, .held = true},
     DEADLINE_WAIT,
     0},
    {"held, nobody owes", {NOW(500), .deadline_utc = DUE, .held = true}, DEADLINE_WAIT, 0},
};

Test(deadline, every_case_of_the_table_is_decided)
{
	for (size_t i = 0; i < sizeof(decisions) / sizeof(decisions[0]); i++) {
		struct deadline_answer a = deadline_decide(&decisions[i].in);

		cr_expect_eq(a.verdict, decisions[i].verdict, "%s: verdict %d",
		             decisions[i].what, (int)a.verdict);
		cr_expect_eq(a.next_look_utc, decisions[i].next_look_utc, "%s: look at %lld",
		             decisions[i].what, (long long)a.next_look_utc);
	}
}

/* Over all small inputs: defaults only after a deadline that was read through, for somebody. */
Test(deadline, defaults_are_used_only_for_missing_seats_after_a_deadline_read_through)
{
	for (unsigned n = 0; n < 2 * 8 * 8 * 8 * 27; n++) {
		struct deadline_input in = {
		    .held = (n & 1) != 0,
		    .owes = (n >> 1) & 7,
		    .have = (n >> 4) & 7,
		    .waiting = (n >> 7) & 7,
		};
		unsigned times = n >> 10;
		struct deadline_answer a;

		in.now_utc = 9 + times % 3;
		in.read_through_utc = 9 + times / 3 % 3;
		in.deadline_utc = times / 9 % 3 == 0 ? 0 : 10;
		a = deadline_decide(&in);
		if (a.verdict == DEADLINE_DEFAULT)
			cr_expect(!in.held && (in.owes & ~in.have) != 0 &&
			          in.deadline_utc != 0 && in.now_utc > in.deadline_utc &&
			          in.read_through_utc > in.deadline_utc);
		if (a.verdict == DEADLINE_SEAL)
			cr_expect(!in.held && (in.owes & ~in.have) == 0);
		cr_expect(a.verdict == DEADLINE_WAIT || a.next_look_utc == 0);
	}
}

Test(interval, lengths_of_time_are_read)
{
	static const struct {
		const char *text;
		int64_t seconds;
	} good[] = {
	    {"3D", 259200},   {"3d", 259200},     {"12H", 43200},         {"45M", 2700},
	    {"2W", 1209600},  {"3 days", 259200}, {"1 day", 86400},       {"90 minutes", 5400},
	    {"90 min", 5400}, {"2 hrs", 7200},    {"three days", 259200}, {" 3 D ", 259200},
	    {"1M", 60},       {"366D", 31622400}, {"36hours", 129600},    {"52W", 31449600},
	    {"007D", 604800},
	};
	static const char *const bad[] = {"",
	                                  "3",
	                                  "D",
	                                  "0D",
	                                  "-1D",
	                                  "367D",
	                                  "53W",
	                                  "3X",
	                                  "3 DD",
	                                  "3D 2H",
	                                  "1.5D",
	                                  "D3",
	                                  "days",
	                                  "3 mo",
	                                  "S",
	                                  "5S",
	                                  "99999999999999999999D",
	                                  "3\xff",
	                                  "+3D"};
	int64_t s;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		s = 0;
		cr_expect(interval_parse(span_of(good[i].text), &s) && s == good[i].seconds,
		          "'%s' is %lld", good[i].text, (long long)s);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		s = 77;
		cr_expect(!interval_parse(span_of(bad[i]), &s) && s == 77, "'%s'", bad[i]);
	}
}

static void expect_format(int64_t seconds, const char *text)
{
	struct strbuf out = STRBUF_INIT;

	interval_format(&out, seconds);
	cr_expect_str_eq(out.ptr, text);
	strbuf_release(&out);
}

Test(interval, lengths_of_time_are_written_in_the_largest_unit_that_divides_them)
{
	expect_format(3 * 86400, "3D");
	expect_format(36 * 3600, "36H");
	expect_format(7 * 86400, "1W");
	expect_format(90 * 60, "90M");
	expect_format(61, "2M");
	expect_format(0, "0M");
}

Test(interval, what_was_written_is_read_as_the_same)
{
	for (int64_t minutes = 1; minutes <= 366 * 1440; minutes += 7) {
		struct strbuf out = STRBUF_INIT;
		int64_t back = 0;

		interval_format(&out, minutes * 60);
		cr_assert(interval_parse(strbuf_span(&out), &back) && back == minutes * 60,
		          "%s", out.ptr);
		strbuf_release(&out);
	}
}
