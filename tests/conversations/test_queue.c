/*
 * test_queue.c - the queue for a game, when many wait, and when somebody waits again and again.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/crowd.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

enum { DAY_S = 24 * 3600 };

static void tell(struct testbed *s, const char *who, const char *text)
{
	testbed_wait(s, 60);
	testbed_write(s, who, text);
	testbed_run(s);
}

/* W1 for two waits for its hour; eve has its second seat, and these people are in the queue. */
static struct testbed *testbed_full(const char *first, const char *second)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("queue");
	tell(s, "ann", "create whakka mole players 2");
	testbed_reply(s, "ann", "set start +2D");
	tell(s, "eve", "join w1");
	tell(s, first, "join whakka mole wait");
	if (second)
		tell(s, second, "join whakka mole wait");
	return s;
}

Test(queue, somebody_gets_the_same_seat_twice)
{
	struct testbed *s = testbed_full("bob", "cy");

	tell(s, "eve", "resign w1");
	cr_expect(testbed_find(s, "bob", "you are in, seat 2"), "bob has waited longest");
	tell(s, "bob", "resign w1");
	cr_expect(testbed_find(s, "cy", "you are in, seat 2"));
	tell(s, "bob", "join whakka mole wait");
	size_t before = s->nposts;
	tell(s, "cy", "resign w1");
	cr_expect_gt(s->nposts, before + 1, "cy hears that he has left, bob that he is in");
	cr_expect(strstr(testbed_last(s, "bob")->subject, "you are in, seat 2"), "%s",
	          testbed_last(s, "bob")->subject);
	tell(s, "bob", "status w1");
	expect_sound(s);
	testbed_free(s);
}

/* What the next mail to bob will be, is the Message-ID of a mail that is there. */
static void take_message_id_of_welcome(struct testbed *s, const char *subject)
{
	struct strbuf sql = STRBUF_INIT;
	struct testbed *ahead = testbed_clone(s);

	testbed_run(ahead);
	cr_assert(testbed_find(ahead, "bob", subject));
	strbuf_addf(&sql, "UPDATE outbox SET message_id = '%s' WHERE id = 1",
	            testbed_find(ahead, "bob", subject)->message_id);
	crowd_sql(s, sql.ptr);
	strbuf_release(&sql);
	testbed_free(ahead);
}

Test(queue, a_welcome_that_cannot_be_written_stops_nothing_else)
{
	struct testbed *s = testbed_full("bob", NULL);

	testbed_wait(s, 60);
	testbed_write(s, "eve", "resign w1");
	take_message_id_of_welcome(s, "[W1] Whakka Mole: you are in, seat 2");
	testbed_write(s, "dan", "create whakka mole players 2");
	testbed_run_noting(s);
	cr_expect(strstr(s->complaints.ptr, "game 1 is held: seats from the queue: another"),
	          "%s", s->complaints.ptr);
	cr_expect(testbed_find(s, "bob", "[W2] Whakka Mole: you are in, seat 2"));
	cr_expect(testbed_find(s, "bob", "[W2 turn 1]"), "and the game begins");
	strbuf_clear(&s->complaints);
	testbed_run(s);
	testbed_free(s);
}

Test(queue, a_game_that_cannot_be_founded_stops_nothing_else)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("queue");
	tell(s, "dan", "create whakka mole players 2 bots 1 next 1d");
	tell(s, "ann", "join whakka mole wait");
	tell(s, "bob", "join whakka mole wait");
	testbed_wait(s, DAY_S);
	testbed_write(s, "cy", "join whakka mole wait");
	take_message_id_of_welcome(s, "[W2] Whakka Mole: you are in, seat 2");
	testbed_run_noting(s);
	cr_expect(strstr(s->complaints.ptr, "nobody got a seat from the queue: another"), "%s",
	          s->complaints.ptr);
	cr_expect(strstr(s->complaints.ptr, "ended with 0"), "%s", s->complaints.ptr);
	cr_expect(testbed_find(s, "dan", "[W1 turn 2]"));
	crowd_sql(s, "UPDATE outbox SET message_id = '<another@example.org>' WHERE id = 1");
	strbuf_clear(&s->complaints);
	testbed_run(s);
	cr_expect(testbed_find(s, "bob", "[W2] Whakka Mole: you are in, seat 2"));
	testbed_free(s);
}

/* People nobody has heard of before, in the queue one behind the other. */
static void wait_in_line(struct testbed *s, unsigned n)
{
	struct strbuf sql = STRBUF_INIT;

	strbuf_addf(&sql,
	            "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < "
	            "%u) INSERT INTO players (address, name, created_utc, confirmed)"
	            " SELECT 'p' || n || '@example.net', 'Waiter ' || n, %lld, 1 FROM c",
	            n, (long long)s->now_utc);
	crowd_sql(s, sql.ptr);
	strbuf_clear(&sql);
	strbuf_addf(&sql,
	            "INSERT INTO waiting (kind, player, since_utc, n, until_utc, name)"
	            " SELECT 'whakka-mole', id, %lld, id, %lld, '' FROM players",
	            (long long)s->now_utc, (long long)(s->now_utc + 30 * DAY_S));
	crowd_sql(s, sql.ptr);
	strbuf_release(&sql);
}

Test(queue, as_many_games_are_founded_as_people_wait_for)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("queue");
	wait_in_line(s, 206);
	testbed_run(s);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM games WHERE status = 1"), 68);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM waiting"), 2);
	cr_expect_eq(crowd_number(s, "SELECT min(player) FROM waiting"), 205,
	             "who came first is served first");
	testbed_free(s);
}

/* Each is blocked, or mail to him comes back, or that to another address of his as well. */
static void seat_nobody(struct testbed *s)
{
	crowd_sql(s, "UPDATE players SET blocked = 1 WHERE id % 3 = 0");
	crowd_sql(s, "INSERT INTO player_addresses"
	             " SELECT 'other-' || address, id, 1 FROM players WHERE id % 3 = 1");
	crowd_sql(s, "INSERT INTO bounced_addresses"
	             " SELECT address, player, 2, 1, 1, '', NULL FROM player_addresses");
	crowd_sql(s, "INSERT INTO bounced_addresses"
	             " SELECT p.address, id, 2, 1, CASE WHEN o.address IS NULL THEN 1 ELSE 0 "
	             "END, '', o.address"
	             " FROM players p LEFT JOIN player_addresses o ON o.player = p.id"
	             " WHERE id % 3 > 0");
}

Test(queue, who_cannot_be_seated_blocks_nobody)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("queue");
	wait_in_line(s, 203);
	seat_nobody(s);
	tell(s, "eve", "join whakka mole wait");
	cr_expect(strstr(testbed_last(s, "eve")->text, "Nobody is ahead"), "%s",
	          testbed_last(s, "eve")->text);
	tell(s, "fay", "join whakka mole wait");
	cr_expect(strstr(testbed_last(s, "fay")->text, "One other is ahead"), "%s",
	          testbed_last(s, "fay")->text);
	tell(s, "dan", "create whakka mole players 2");
	cr_expect(testbed_find(s, "eve", "[W1] Whakka Mole: you are in, seat 2"));
	expect_sound(s);
	testbed_free(s);
}
