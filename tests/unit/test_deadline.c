/*
 * test_deadline.c - the decision table of a turn, and lengths of time as people write them.
 */
#include <criterion/criterion.h>

#include "processor/deadline.h"

enum { DUE = 1000 };

/* Seats: 1 = bit 0, 2 = bit 1, 4 = bit 2. */
struct deadline_case {
	const char *what;
	struct deadline_input in;
	enum deadline_verdict verdict;
	int64_t next_look_utc;
};

static const struct deadline_case decisions[] = {
    {"nobody has sent", {500, 500, DUE, 7, 0, 0, false, 0, 0, 0}, DEADLINE_WAIT, DUE},
    {"one is missing", {500, 500, DUE, 7, 3, 0, false, 0, 0, 0}, DEADLINE_WAIT, DUE},
    {"all are in", {500, 500, DUE, 7, 7, 0, false, 0, 0, 0}, DEADLINE_SEAL, 0},
    {"nobody owes anything", {500, 500, DUE, 0, 0, 0, false, 0, 0, 0}, DEADLINE_SEAL, 0},
    {"orders of seats that owe none do not count",
     {500, 500, DUE, 1, 6, 0, false, 0, 0, 0},
     DEADLINE_WAIT,
     DUE},
    {"all in, one holds", {500, 500, DUE, 7, 7, 2, false, 0, 0, 0}, DEADLINE_WAIT, DUE},
    {"a seat that owes nothing cannot hold",
     {500, 500, DUE, 5, 5, 2, false, 0, 0, 0},
     DEADLINE_SEAL,
     0},
    {"all in while mail is unread", {500, 0, DUE, 7, 7, 0, false, 0, 0, 0}, DEADLINE_SEAL, 0},
    {"the second of the deadline still counts",
     {DUE, DUE, DUE, 7, 3, 0, false, 0, 0, 0},
     DEADLINE_WAIT,
     DUE},
    {"the deadline has passed",
     {DUE + 1, DUE + 1, DUE, 7, 3, 0, false, 0, 0, 0},
     DEADLINE_DEFAULT,
     0},
    {"passed, and nobody has sent",
     {DUE + 1, DUE + 1, DUE, 7, 0, 0, false, 0, 0, 0},
     DEADLINE_DEFAULT,
     0},
    {"passed, all in, one held until now",
     {DUE + 1, DUE + 1, DUE, 7, 7, 2, false, 0, 0, 0},
     DEADLINE_SEAL,
     0},
    {"passed, but a source is not read",
     {DUE + 999, 500, DUE, 7, 3, 0, false, 0, 0, 0},
     DEADLINE_WAIT,
     DUE},
    {"passed, read up to the deadline only",
     {DUE + 999, DUE, DUE, 7, 3, 0, false, 0, 0, 0},
     DEADLINE_WAIT,
     DUE},
    {"a clock set back does not close a turn",
     {500, DUE + 999, DUE, 7, 3, 0, false, 0, 0, 0},
     DEADLINE_WAIT,
     DUE},
    {"no deadline", {500, 500, 0, 7, 3, 0, false, 0, 0, 0}, DEADLINE_WAIT, 0},
    {"no deadline, one holds", {500, 500, 0, 7, 7, 1, false, 0, 0, 0}, DEADLINE_WAIT, 0},
    {"no deadline, all in", {500, 500, 0, 7, 7, 0, false, 0, 0, 0}, DEADLINE_SEAL, 0},
    {"passed, in the grace, one is late",
     {DUE + 50, DUE + 50, DUE, 7, 3, 0, false, DUE + 100, 0, 0},
     DEADLINE_WAIT,
     DUE + 100},
    {"passed, in the grace, all are in",
     {DUE + 50, DUE + 50, DUE, 7, 7, 0, false, DUE + 100, 0, 0},
     DEADLINE_SEAL,
     0},
    {"passed, in the grace, all are in, one held until the deadline",
     {DUE + 50, DUE + 50, DUE, 7, 7, 2, false, DUE + 100, 0, 0},
     DEADLINE_SEAL,
     0},
    {"the second in which the grace ends still counts",
     {DUE + 100, DUE + 100, DUE, 7, 3, 0, false, DUE + 100, 0, 0},
     DEADLINE_WAIT,
     DUE + 100},
    {"the grace has passed",
     {DUE + 101, DUE + 101, DUE, 7, 3, 0, false, DUE + 100, 0, 0},
     DEADLINE_DEFAULT,
     0},
    {"the grace has passed, but a source is not read",
     {DUE + 999, DUE + 100, DUE, 7, 3, 0, false, DUE + 100, 0, 0},
     DEADLINE_WAIT,
     DUE + 100},
    {"before the deadline the grace is no matter",
     {500, 500, DUE, 7, 3, 0, false, DUE + 100, 0, 0},
     DEADLINE_WAIT,
     DUE},
    {"all in, time for second thoughts",
     {500, 500, DUE, 7, 7, 0, false, 0, 600, 0},
     DEADLINE_WAIT,
     600},
    {"the last second of it counts",
     {600, 600, DUE, 7, 7, 0, false, 0, 600, 0},
     DEADLINE_WAIT,
     600},
    {"it is over", {601, 601, DUE, 7, 7, 0, false, 0, 600, 0}, DEADLINE_SEAL, 0},
    {"it is over, but mail is unread",
     {999, 600, DUE, 7, 7, 0, false, 0, 600, 0},
     DEADLINE_WAIT,
     600},
    {"it never goes past the deadline",
     {500, 500, DUE, 7, 7, 0, false, 0, DUE + 600, 0},
     DEADLINE_WAIT,
     DUE},
    {"past the deadline it is over",
     {DUE + 1, DUE + 1, DUE, 7, 7, 0, false, DUE + 100, DUE + 600, 0},
     DEADLINE_SEAL,
     0},
    {"without a deadline it is kept as well",
     {500, 500, 0, 7, 7, 0, false, 0, 600, 0},
     DEADLINE_WAIT,
     600},
    {"it means nothing while one is missing",
     {700, 700, DUE, 7, 3, 0, false, 0, 600, 0},
     DEADLINE_WAIT,
     DUE},
    {"in the grace, what is missing has stepped in",
     {DUE + 1, DUE + 1, DUE, 7, 5, 0, false, DUE + 100, 0, 2},
     DEADLINE_DEFAULT,
     0},
    {"before the deadline nothing steps in",
     {500, 500, DUE, 7, 5, 0, false, DUE + 100, 0, 2},
     DEADLINE_WAIT,
     DUE},
    {"in the grace, one is still awaited",
     {DUE + 1, DUE + 1, DUE, 7, 4, 0, false, DUE + 100, 0, 2},
     DEADLINE_WAIT,
     DUE + 100},
    {"held, all in", {500, 500, DUE, 7, 7, 0, true, 0, 0, 0}, DEADLINE_WAIT, 0},
    {"held, deadline passed",
     {DUE + 1, DUE + 1, DUE, 7, 0, 0, true, 0, 0, 0},
     DEADLINE_WAIT,
     0},
    {"held, nobody owes", {500, 500, DUE, 0, 0, 0, true, 0, 0, 0}, DEADLINE_WAIT, 0},
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
