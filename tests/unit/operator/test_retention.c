/*
 * test_retention.c - rows that only tell what happened, by age, and those of who is forgotten.
 */
#include <criterion/criterion.h>

#include "store/audit.h"
#include "store/operator/retention.h"
#include "store/outbox.h"
#include "store/players.h"
#include "tests/support/temp_store.h"

static void add_runs(struct temp_store *t)
{
	OK(t, store_begin(t->s));
	temp_game(t, GAME_RUNNING, 2);
	OK(t, store_commit(t->s));
	temp_store_raw(t,
	               "INSERT INTO runs (started_utc, ended_utc, mails, turns, sent, failed)"
	               " VALUES (1, 10, 1, 0, 0, 0), (11, 20, 1, 0, 0, 0),"
	               " (21, 30, 1, 0, 0, 0)");
	temp_store_raw(t,
	               "INSERT INTO audit (at_utc, game, seat, serial, actor, what, is_public)"
	               " VALUES (10, NULL, 0, 0, 'run', 'old', 0),"
	               " (20, NULL, 0, 0, 'run', 'new', 0), (10, 1, 0, 0, 'run', 'public', 1)");
}

Test(retention, what_is_older_goes_and_is_counted)
{
	struct retention_limits none = {INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN};
	struct retention_limits some = none;
	struct temp_store t;
	unsigned n;
	int64_t at;

	temp_store_open(&t);
	add_runs(&t);
	OK(&t, retention_rows_last(t.s, &at));
	cr_expect_eq(at, 0);
	OK(&t, store_begin(t.s));
	OK(&t, retention_rows(t.s, &none, 100, &n));
	cr_expect_eq(n, 0);
	cr_expect_eq(temp_store_number(&t, "SELECT count(*) FROM runs"), 3);
	OK(&t, retention_rows_last(t.s, &at));
	cr_expect_eq(at, 100);
	some.runs_utc = 20;
	some.audit_utc = 20;
	OK(&t, retention_rows(t.s, &some, 200, &n));
	cr_expect_eq(n, 2);
	/* What is as old as the limit stays, and what everybody may read of a game that runs. */
	cr_expect_eq(temp_store_number(&t, "SELECT count(*) FROM runs"), 2);
	cr_expect_eq(temp_store_number(&t, "SELECT count(*) FROM audit"), 2);
	some.runs_utc = INT64_MAX;
	OK(&t, retention_rows(t.s, &some, 300, &n));
	cr_expect_eq(n, 2);
	OK(&t, retention_rows_last(t.s, &at));
	cr_expect_eq(at, 300);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

/* Answers of mail servers quote addresses. */
Test(retention, a_forgotten_player_leaves_no_address_behind)
{
	struct temp_store t;
	struct player p;
	int64_t gone, stays;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	gone = temp_player(&t, "gone@example.net");
	stays = temp_player(&t, "stays@example.net");
	temp_mail(&t, "one", gone, 0, 0, 0);
	temp_mail(&t, "two", stays, 0, 0, 0);
	OK(&t, store_commit(t.s));
	temp_store_raw(&t, "INSERT INTO outbox_failures (mail, at_utc, state, answer)"
	                   " VALUES (1, 5, 2, '450 gone@example.net'), (2, 5, 2, '450 stays')");
	OK(&t, store_begin(t.s));
	OK(&t, player_forget(t.s, gone));
	OK(&t, player_get(t.s, gone, t.arena, &p));
	cr_expect(p.forgotten && p.address.len == 0 && p.name.len == 0);
	OK(&t, player_get(t.s, stays, t.arena, &p));
	cr_expect(!p.forgotten && span_eq_str(p.address, "stays@example.net"));
	cr_expect_eq(temp_store_number(&t, "SELECT count(*) FROM outbox_failures"), 1);
	cr_expect_eq(temp_store_number(&t, "SELECT mail FROM outbox_failures"), 2);
	cr_expect_eq(temp_store_number(&t, "SELECT state FROM outbox WHERE id = 1"),
	             OUTBOX_DEAD);
	cr_expect_eq(temp_store_number(&t, "SELECT state FROM outbox WHERE id = 2"),
	             OUTBOX_NEW);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

/* A forgotten player's rows, and nobody else's; mails taken in keep what they are known by. */
Test(retention, what_was_taken_in_from_somebody_says_nothing_of_them_any_more)
{
	struct retention_forgotten out;
	struct temp_store t;
	int64_t gone, stays;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	gone = temp_player(&t, "gone@example.net");
	stays = temp_player(&t, "stays@example.net");
	OK(&t, store_commit(t.s));
	cr_assert(gone == 1 && stays == 2);
	temp_store_raw(&t, "INSERT INTO sources (url) VALUES ('maildir:mail')");
	temp_store_raw(&t,
	               "INSERT INTO inbox (id, source, transport_id, message_id, arrived_utc,"
	               " handled_utc, player, serial, seat, verdict, purge_utc) VALUES"
	               " (1, 1, 'a', '<a@b>', 5, 5, 1, 0, 0, 'talk', 0),"
	               " (2, 1, 'b', '<b@b>', 5, 5, 2, 0, 0, 'talk', 0)");
	temp_store_raw(
	    &t, "INSERT INTO troubles (name, line, since_utc, told_utc, is_over, sent_utc)"
		" VALUES ('mail 1', 'from Gone@Example.net', 1, 1, 0, 0),"
		" ('mail 2', 'from stays@example.net', 1, 1, 0, 0),"
		" ('unread', 'gone@example.net', 1, 1, 0, 0)");
	OK(&t, store_begin(t.s));
	OK(&t, retention_forget_rows(t.s, gone, SPAN_LIT("gone@example.net"), 50, &out));
	cr_expect_eq(out.mails_in, 1);
	cr_expect_eq(out.troubles, 1);
	cr_expect_eq(
	    temp_store_number(&t, "SELECT count(*) FROM inbox WHERE message_id IS NULL"), 1);
	cr_expect_eq(temp_store_number(&t, "SELECT count(*) FROM troubles"), 2);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}
