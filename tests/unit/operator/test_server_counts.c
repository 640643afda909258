/*
 * test_server_counts.c - each number that `molepost status` shows, on its own.
 */
#include <criterion/criterion.h>

#include "store/audit.h"
#include "store/operator/outages.h"
#include "store/operator/server_counts.h"
#include "tests/support/temp_store.h"

static struct server_counts counts_of(struct temp_store *t, int64_t now_utc)
{
	struct server_counts c;

	OK(t, server_counts_get(t->s, now_utc, &c));
	return c;
}

Test(server_counts, games_are_counted_once_each)
{
	struct temp_store t;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	temp_game(&t, GAME_GATHERING, 2);
	for (int i = 0; i < 4; i++)
		temp_game(&t, GAME_RUNNING, 2);
	for (int i = 0; i < 3; i++)
		temp_game(&t, GAME_OVER, 2);
	OK(&t, game_hold(t.s, 2, "a reason", "operator", 1400));
	OK(&t, store_commit(t.s));
	struct server_counts c = counts_of(&t, 1000);
	cr_expect(c.gathering == 1 && c.running == 3 && c.paused == 0 && c.held == 1 &&
	              c.ended == 3,
	          "%lld %lld %lld %lld %lld", (long long)c.gathering, (long long)c.running,
	          (long long)c.paused, (long long)c.held, (long long)c.ended);
	/* Their turns are due from their deadline on; that of the game that is held is not. */
	int64_t deadline =
	    temp_store_number(&t, "SELECT max(deadline_utc) FROM turns WHERE game = 3");
	cr_expect_gt(deadline, 0);
	cr_expect_eq(counts_of(&t, deadline - 1).due, 0);
	cr_expect_eq(counts_of(&t, deadline).due, 3);
	temp_store_close(&t);
}

Test(server_counts, the_last_run_and_what_stops_the_clocks)
{
	struct pulse p = {.run_utc = 500, .unread_utc = 310, .unsent_utc = 420};
	struct run_log run = {.started_utc = 590, .ended_utc = 600, .mails = 1};
	struct temp_store t;

	temp_store_open(&t);
	struct server_counts c = counts_of(&t, 1000);
	cr_expect(c.run_utc == 0 && c.unread_utc == 0 && c.unsent_utc == 0);
	OK(&t, store_begin(t.s));
	OK(&t, pulse_set(t.s, &p));
	OK(&t, store_commit(t.s));
	c = counts_of(&t, 1000);
	cr_expect(c.run_utc == 500 && c.unread_utc == 310 && c.unsent_utc == 420);
	/* Of a run that did something there is a note, which may be newer. */
	OK(&t, store_begin(t.s));
	OK(&t, run_log_add(t.s, &run));
	OK(&t, store_commit(t.s));
	cr_expect_eq(counts_of(&t, 1000).run_utc, 600);
	temp_store_close(&t);
}
