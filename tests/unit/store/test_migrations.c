/*
 * test_migrations.c - migrations that change rows, each on a file of the schema before it that holds such rows;
 * and the index of Message-IDs that came with one.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/file.h"
#include "store/engine/schema.h"
#include "store/outbox.h"
#include "tests/support/scratch.h"
#include "tests/support/temp_store.h"

enum { BEFORE = 21 };

/* Two mails taken in and three to send, with all that refers to them. */
static const char old_rows[] =
    "INSERT INTO server (id, instance, host, created_utc) VALUES (1, 'a', 'b', 1);"
    "INSERT INTO players (id, address, name, created_utc) VALUES (5, 'ann@example.org', 'ann', "
    "1);"
    "INSERT INTO sources (id, url) VALUES (3, 'maildir:mail');"
    "INSERT INTO inbox (id, source, transport_id, content, message_id, arrived_utc, sent_utc,"
    " handled_utc, player, serial, seat, verdict, purge_utc)"
    " VALUES (7, 3, 'n7', x'00112233445566778899aabbccddeeff', '<7@x>', 10, 9, 11, 5, 0, 0, "
    "'command', 0),"
    " (9, 3, 'n9', NULL, NULL, 12, 0, 13, NULL, 0, 0, 'quarantined', 99);"
    "INSERT INTO quarantine (inbox, at_utc, reason, sealed_raw) VALUES (9, 13, 'bad', x'00');"
    "INSERT INTO outbox (id, kind, serial, seat, player, number, rcpt, message_id, created_utc,"
    " cause, state, attempts, next_try_utc, answer, tried_utc, decided, refused) VALUES"
    " (4, 'help', 0, 0, 5, 0, 'ann@example.org', '<abcdefghijklmnopqrstuvwxyz.a@b>', 11, 7, 4, "
    "1,"
    " NULL, '', 14, 0, 0),"
    " (6, 'help', 0, 0, 5, 0, 'ann@example.org', '<bbcdefghijklmnopqrstuvwxyz.a@b>', 12, NULL, "
    "5, 3,"
    " NULL, 'no', 15, 1, 2),"
    " (8, 'help', 0, 0, 5, 0, 'ann@example.org', '<cbcdefghijklmnopqrstuvwxyz.a@b>', 13, NULL, "
    "0, 0,"
    " 0, '', 0, 0, 0);"
    "INSERT INTO outbox_messages (id, sealed_message) VALUES (4, x'01'), (6, x'02');"
    "INSERT INTO outbox_outlines (id, sealed_outline) VALUES (8, x'03');"
    "INSERT INTO outbox_failures (mail, at_utc, state, answer) VALUES (6, 15, 5, 'no')";

static void say_all(struct store *s, const char *sql, struct strbuf *out)
{
	struct query q = db_read_text(s, sql);

	while (db_next(&q)) {
		strbuf_add_span(out, col_bytes(&q));
		strbuf_addc(out, '\n');
	}
	cr_assert_eq(db_end(&q), ERR_NONE, "%s", store_error(s)->text.ptr);
}

/* Every column of the two tables, by name. */
static void say_mails(struct store *s, struct strbuf *out)
{
	say_all(
	    s,
	    "SELECT concat || ' ' || quote(content) FROM (SELECT id || ' ' || source || ' '"
	    " || transport_id || ' ' || coalesce(message_id, '-') || ' ' || arrived_utc || ' '"
	    " || sent_utc || ' ' || handled_utc || ' ' || coalesce(player, '-') || ' '"
	    " || coalesce(game, '-') || ' ' || serial || ' ' || seat || ' ' || verdict || ' '"
	    " || coalesce(sealed_detail, '-') || ' ' || purge_utc AS concat, content, id"
	    " FROM inbox) ORDER BY id",
	    out);
	say_all(s,
	        "SELECT id || ' ' || kind || ' ' || coalesce(game, '-') || ' ' || serial || ' '"
	        " || seat || ' ' || player || ' ' || number || ' ' || rcpt || ' ' || message_id"
	        " || ' ' || created_utc || ' ' || coalesce(cause, '-') || ' ' || state || ' '"
	        " || attempts || ' ' || coalesce(next_try_utc, '-') || ' ' || answer || ' '"
	        " || tried_utc || ' ' || decided || ' ' || refused FROM outbox ORDER BY id",
	        out);
}

/* A file of this schema, with rows. */
static struct store *open_as(struct temp_store *t, unsigned schema, const char *rows)
{
	char *path = scratch_path(t->dir, "old");
	struct failure e = ERR_INIT;
	struct store *s;
	unsigned n;

	cr_assert_eq(file_create(path, SPAN_EMPTY, &e), ERR_NONE);
	cr_assert_eq(db_open(path, false, &s, &e), ERR_NONE, "%s", e.text.ptr);
	cr_assert_eq(db_exec(s, "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL"),
	             ERR_NONE);
	cr_assert_eq(schema_upgrade(s, true, migrations(&n), schema), ERR_NONE, "%s",
	             store_error(s)->text.ptr);
	cr_assert_eq(db_exec(s, rows), ERR_NONE, "%s", store_error(s)->text.ptr);
	free(path);
	return s;
}

/* And what its mails are. */
static struct store *open_old(struct temp_store *t, struct strbuf *mails)
{
	struct store *s = open_as(t, BEFORE, old_rows);

	say_mails(s, mails);
	return s;
}

static void must_refuse(struct store *s, const char *sql)
{
	cr_expect_neq(db_exec(s, sql), ERR_NONE, "carried out: %s", sql);
}

Test(store_light_rows, mails_and_what_refers_to_them_are_the_same_behind_the_migration)
{
	struct temp_store t;
	struct strbuf before = STRBUF_INIT, after = STRBUF_INIT, broken = STRBUF_INIT;
	struct store *s;
	unsigned n;

	temp_store_open(&t);
	s = open_old(&t, &before);
	cr_assert_eq(schema_upgrade(s, false, migrations(&n), BEFORE + 1), ERR_NONE, "%s",
	             store_error(s)->text.ptr);
	say_mails(s, &after);
	cr_assert(before.len > 300);
	cr_assert_str_eq(after.ptr, before.ptr);
	say_all(s, "SELECT \"table\" FROM pragma_foreign_key_check", &broken);
	say_all(
	    s,
	    "SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
	    &broken);
	cr_expect_eq(broken.len, 0, "%s", broken.ptr);
	/* References are looked after again, and lead to the new tables. */
	must_refuse(s, "INSERT INTO outbox_messages (id, sealed_message) VALUES (99, x'01')");
	must_refuse(s, "INSERT INTO quarantine (inbox, at_utc, reason, sealed_raw) VALUES (8, "
	               "1, 'x', x'00')");
	must_refuse(s, "DELETE FROM outbox WHERE id = 6");
	must_refuse(
	    s,
	    "UPDATE outbox SET message_id = '<abcdefghijklmnopqrstuvwxyz.z@z>' WHERE id = 8");
	store_close(s);
	strbuf_release(&before);
	strbuf_release(&after);
	strbuf_release(&broken);
	temp_store_close(&t);
}

Test(store_light_rows,
     a_migration_that_fails_leaves_the_old_tables_and_the_references_as_they_were)
{
	struct temp_store t;
	struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
	struct migration all[BEFORE + 1];
	struct strbuf sql = STRBUF_INIT;
	struct store *s;
	unsigned n;

	temp_store_open(&t);
	s = open_old(&t, &before);
	memcpy(all, migrations(&n), sizeof(all));
	strbuf_adds(&sql, all[BEFORE].sqlite);
	strbuf_adds(&sql, "INSERT INTO nowhere VALUES (1);");
	all[BEFORE].sqlite = sql.ptr;
	cr_assert_neq(schema_upgrade(s, false, all, BEFORE + 1), ERR_NONE);
	say_mails(s, &after);
	cr_assert_str_eq(after.ptr, before.ptr);
	must_refuse(s, "INSERT INTO outbox_messages (id, sealed_message) VALUES (99, x'01')");
	must_refuse(s, "UPDATE inbox SET source = 44 WHERE id = 7");
	store_close(s);
	strbuf_release(&before);
	strbuf_release(&after);
	strbuf_release(&sql);
	temp_store_close(&t);
}

static struct outbox_mail mail_of(const char *message_id, const char *text)
{
	return (struct outbox_mail){.kind = SPAN_LIT("help"),
	                            .rcpt = SPAN_LIT("ann@example.org"),
	                            .message_id = span_of(message_id),
	                            .message = span_of(text),
	                            .created_utc = 10};
}

/* 80 bits of the digest are compared; what differs behind them is not lost without a word. */
Test(store_light_rows, ids_that_begin_alike_are_not_taken_for_one)
{
	static const char first[] = "<abcdefghijklmnopqrstuvwxyz.a@b>",
			  second[] = "<abcdefghijklmnopqqqqqqqqqq.a@b>";
	struct temp_store t;
	struct outbox_mail m, found;
	int64_t id, same;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	m = mail_of(first, "text");
	OK(&t, outbox_add(t.s, &m, &id));
	OK(&t, outbox_add(t.s, &m, &same));
	cr_expect_eq(same, id);
	m = mail_of(second, "text");
	cr_expect_eq(outbox_add(t.s, &m, &same), ERR_EXISTS);
	OK(&t, store_commit(t.s));
	OK(&t, outbox_by_message_id(t.s, span_of(first), t.arena, &found));
	cr_expect_eq(found.id, id);
	cr_expect_eq(outbox_by_message_id(t.s, span_of(second), t.arena, &found),
	             ERR_NOT_FOUND);
	temp_store_close(&t);
}

/* Addresses that were taken away from a player while they stood in for another got their mail on. */
Test(store_question_mails, addresses_that_stand_in_but_were_dropped_are_forgotten)
{
	enum { FORGETS = 8 };
	static const char rows[] =
	    "INSERT INTO players (id, address, name, created_utc) VALUES (1, 'ann@example.org', 'ann',"
	    " 1);"
	    "INSERT INTO player_addresses (address, player, since_utc) VALUES ('Kept@example.org', 1, 2);"
	    "INSERT INTO outbox (id, kind, serial, seat, player, number, rcpt, message_id, created_utc,"
	    " state, attempts, next_try_utc, answer) VALUES (4, 'help', 0, 0, 1, 0, 'Gone@example.org',"
	    " '<m>', 11, 0, 0, 0, '');"
	    "INSERT INTO bounced_addresses (address, player, score, last_utc, paused_utc, said, instead)"
	    " VALUES ('a@b', 1, 2, 5, 0, 'no', 'gone@example.org'),"
	    " ('c@d', 1, 2, 5, 0, 'no', 'kept@example.org')";
	struct temp_store t;
	struct strbuf found = STRBUF_INIT;
	unsigned n;

	temp_store_open(&t);
	struct store *s = open_as(&t, FORGETS - 1, rows);
	cr_assert_eq(schema_upgrade(s, false, migrations(&n), FORGETS), ERR_NONE, "%s",
	             store_error(s)->text.ptr);
	say_all(s, "SELECT address FROM bounced_addresses", &found);
	say_all(s, "SELECT rcpt FROM outbox", &found);
	cr_expect_str_eq(found.ptr, "c@d\nann@example.org\n");
	store_close(s);
	strbuf_release(&found);
	temp_store_close(&t);
}

/* What a SIGNON that led nowhere had left, and a seat that was given up before the game began. */
Test(store_numbers, seats_that_are_none_are_mended)
{
	enum { MENDS = 42 };
	static const char rows[] =
	    "INSERT INTO sources (id, url) VALUES (3, 'maildir:mail');"
	    "INSERT INTO inbox (id, source, transport_id, arrived_utc, handled_utc, player,"
	    " game, serial, seat, verdict, purge_utc) VALUES"
	    " (1, 3, 'n1', 1, 1, NULL, NULL, 1, 2, 'command', 0),"
	    " (2, 3, 'n2', 1, 1, NULL, 7, 1, 2, 'command', 0)";
	struct temp_store t;
	struct strbuf seats = STRBUF_INIT;
	unsigned n;

	temp_store_open(&t);
	struct store *s = open_as(&t, MENDS - 1, rows);
	cr_assert_eq(schema_upgrade(s, false, migrations(&n), MENDS), ERR_NONE, "%s",
	             store_error(s)->text.ptr);
	say_all(s, "SELECT seat FROM inbox ORDER BY id", &seats);
	cr_expect_str_eq(seats.ptr, "0\n2\n");
	store_close(s);

	/* In a game that gathers a free seat and a bot's, in a running one a vacant seat. */
	OK(&t, store_begin(t.s));
	int64_t gathers = temp_game(&t, GAME_GATHERING, 3),
		runs = temp_game(&t, GAME_RUNNING, 2);
	char sql[200];
	snprintf(sql, sizeof sql,
	         "UPDATE seats SET player = NULL, confirmed = 1,"
	         " bot_level = CASE WHEN seat = 2 AND game = %lld THEN 1 ELSE -1 END"
	         " WHERE (game = %lld AND seat < 3) OR (game = %lld AND seat = 1)",
	         (long long)gathers, (long long)gathers, (long long)runs);
	OK(&t, db_exec(t.s, sql));
	OK(&t, db_exec(t.s, migrations(&n)[MENDS - 1].sqlite));
	strbuf_clear(&seats);
	say_all(t.s, "SELECT confirmed FROM seats WHERE player IS NULL ORDER BY game, seat",
	        &seats);
	cr_expect_str_eq(seats.ptr, "0\n1\n1\n");
	store_rollback(t.s);
	strbuf_release(&seats);
	temp_store_close(&t);
}
