/*
 * month.c - a month of a server with 200 players: how many mails each gets, by SET MAIL.
 *
 * Nothing is timed. That a digest costs nobody a turn, and that each mode sends fewer mails than the
 * one before, is what tests/e2e/test_month.c holds a small server to.
 *
 * BENCH_PLAYERS=200 BENCH_DAYS=30
 */
#include <stdio.h>

#include "processor/base/err.h"
#include "tests/support/bench.h"
#include "tests/support/month.h"

#include "processor/base/banned.h"

int main(void)
{
	static const char *const names[MONTH_MODES] = {"ALL", "ROUND", "DIGEST"};
	struct month_plan plan = {.players = bench_size("BENCH_PLAYERS", 200),
	                          .days = bench_size("BENCH_DAYS", 30),
	                          .step_hours = 1};
	struct month_count counts[MONTH_MODES];
	unsigned turns;

	site_use_memory();
	month_play(&plan, counts, &turns);
	printf("mails in %u days, %u players with 3 games each, %u turns\n", plan.days,
	       plan.players, turns);
	printf("  SET MAIL  players  mails a player  least  most  reminders  missed: daily "
	       "readers, others\n");
	for (unsigned i = 0; i < MONTH_MODES; i++) {
		const struct month_count *c = &counts[i];

		printf("  %-8s  %7u  %14.1f  %5u  %4u  %9u  %21u  %6u\n", names[i], c->players,
		       c->players ? (double)c->mails / c->players : 0.0, c->least, c->most,
		       c->reminders, c->missed_daily, c->missed_others);
		ENSURE(i == 0 || (double)c->mails / c->players <
		                     (double)counts[i - 1].mails / counts[i - 1].players);
		ENSURE(c->missed_daily == 0);
	}
	return 0;
}
