/*
 * test_month.c - a week of a small server whose players get their mail in three ways.
 */
#include <criterion/criterion.h>

#include "tests/support/month.h"

TestSuite(month, .timeout = 600);

Test(month, each_way_of_mail_sends_fewer_than_the_one_before_and_costs_nobody_a_turn)
{
	const struct month_plan plan = {
	    .players = 9, .days = 7, .step_hours = 2, .all_daily = true};
	struct month_count c[MONTH_MODES];
	unsigned turns;

	testbed_use_memory();
	month_play(&plan, c, &turns);
	cr_assert_gt(turns, 30, "only %u turns", turns);
	for (unsigned i = 0; i < MONTH_MODES; i++) {
		cr_expect_eq(c[i].players, 3);
		cr_expect_eq(c[i].missed_daily, 0, "mode %u: %u turns missed", i,
		             c[i].missed_daily);
	}
	cr_expect_lt(c[2].mails, c[1].mails, "DIGEST %u, ROUND %u", c[2].mails, c[1].mails);
	cr_expect_lt(c[1].mails, c[0].mails, "ROUND %u, ALL %u", c[1].mails, c[0].mails);
	/* One mail in twenty has a line that does not work: it is answered at once, and the turn waits. */
	cr_expect_leq(c[2].most, 7 + 6, "a player got %u digests and other mails in a week",
	              c[2].most);
}
