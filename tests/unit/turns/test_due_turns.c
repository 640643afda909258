/*
 * test_due_turns.c - the turns that the store lists as due are those of which the calendar decides something.
 */
#include <criterion/criterion.h>

#include "processor/calendar/deadline.h"
#include "store/turns.h"
#include "tests/support/temp_store.h"

static bool is_listed(struct temp_store *t, int64_t through_utc)
{
	static const struct turn_id start = {0};
	struct turn_id ids[4];
	size_t n;

	OK(t, turn_due_list(t->s, DUE_SEAL, through_utc, start, 4, ids, &n));
	return n > 0;
}

static void put_times(struct temp_store *t, const struct deadline_input *in)
{
	struct strbuf sql = STRBUF_INIT;

	strbuf_addf(&sql,
	            "UPDATE turns SET owes = %u, have = %u, waiting = %u, deadline_utc = %lld,"
	            " grace_utc = %lld, settle_utc = %lld WHERE serial = 1",
	            in->owes, in->have, in->waiting, (long long)in->deadline_utc,
	            (long long)in->grace_utc, (long long)in->settle_utc);
	temp_store_raw(t, sql.ptr);
	strbuf_release(&sql);
}

/* What the index finds and what deadline.h decides must not differ: a turn would wait for ever. */
Test(due_turns, a_turn_is_listed_exactly_when_there_is_something_to_decide)
{
	static const int64_t deadlines[] = {0, 100}, graces[] = {0, 150},
			     settles[] = {0, 60, 120};
	static const int64_t times[] = {1, 59, 60, 61, 99, 100, 101, 119, 121, 149, 150, 151};
	struct temp_store t;
	unsigned decided = 0;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	(void)temp_game(&t, GAME_RUNNING, 2);
	OK(&t, store_commit(t.s));
	for (unsigned n = 0; n < 4 * 4 * 4 * 2 * 2 * 3; n++) {
		struct deadline_input in = {.owes = n & 3,
		                            .have = n >> 2 & 3,
		                            .waiting = n >> 4 & 3,
		                            .deadline_utc = deadlines[n >> 6 & 1],
		                            .settle_utc = settles[n >> 8]};
		in.grace_utc = in.deadline_utc ? graces[n >> 7 & 1] : 0;
		put_times(&t, &in);
		for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
			bool now, soon, listed = is_listed(&t, times[i]);

			in.now_utc = in.read_through_utc = times[i];
			now = deadline_decide(&in).verdict != DEADLINE_WAIT;
			in.now_utc = in.read_through_utc = times[i] + 1;
			soon = deadline_decide(&in).verdict != DEADLINE_WAIT;
			cr_assert(!now || listed, "case %u at %lld is overlooked", n,
			          (long long)times[i]);
			cr_assert(!listed || soon, "case %u at %lld is looked at in vain", n,
			          (long long)times[i]);
			decided += now;
		}
	}
	cr_assert_gt(decided, 1000);
	temp_store_close(&t);
}
