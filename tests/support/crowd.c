/*
 * crowd.c - many games at once: the testbed's side of it.
 */
#include "tests/support/crowd.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "processor/base/err.h"
#include "tests/support/crowd_parts.h"
#include "tests/support/postgresql.h"

static struct crowd_place place_of(const struct testbed *s)
{
	return (struct crowd_place){s->dir, s->now_utc};
}

void crowd_games(struct testbed *s, unsigned n)
{
	struct crowd_place p = place_of(s);

	crowd_add_games(&p, n);
	crowd_run(s);
}

void crowd_reports(struct testbed *s, unsigned n)
{
	struct crowd_place p = place_of(s);

	crowd_add_reports(&p, n);
	crowd_run(s);
}

void crowd_orders(struct testbed *s, unsigned games)
{
	crowd_orders_apart(s, games, 1);
}

void crowd_orders_apart(struct testbed *s, unsigned games, unsigned step)
{
	struct crowd_place p = place_of(s);

	crowd_add_all_orders(&p, games, step);
}

void crowd_run(struct testbed *s)
{
	struct ran r;

	testbed_do(s, "run --no-send", NULL, &r);
	if (r.code != 0 || r.out.len > 0 || r.err.len > 0)
		BUG("run ended with %d (signal %d): %s%s", r.code, r.signal, r.out.ptr,
		    r.err.ptr);
	ran_release(&r);
}

static sqlite3 *open_raw(const struct testbed *s)
{
	char *path = testbed_path(s, "molepost.db");
	sqlite3 *db = NULL;

	if (sqlite3_open(path, &db) != SQLITE_OK)
		BUG("%s: %s", path, sqlite3_errmsg(db));
	/* The program may be at work on it; what it has in its log is its own to fold. */
	sqlite3_busy_timeout(db, 10000);
	sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	free(path);
	return db;
}

int64_t crowd_number(const struct testbed *s, const char *sql)
{
	sqlite3 *db;
	sqlite3_stmt *stmt = NULL;
	int64_t number;

	if (s->store)
		return postgresql_number(s->store, sql);
	db = open_raw(s);
	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK ||
	    sqlite3_step(stmt) != SQLITE_ROW)
		BUG("%s: %s", sql, sqlite3_errmsg(db));
	number = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return number;
}

int64_t crowd_unsent(const struct testbed *s)
{
	return crowd_number(s, "SELECT count(*) FROM outbox WHERE state <> 4"
	                       " AND id NOT IN (SELECT outbox FROM kept_mails)");
}

const char crowd_back_to_schema_27[] =
    "ALTER TABLE pulse DROP COLUMN turns_open_utc; DROP TRIGGER seats_vacant; DROP TRIGGER "
    "seats_co_master; DROP TRIGGER seats_played_by;"
    " DROP TABLE option_texts; ALTER TABLE seats DROP COLUMN played_by; DROP TABLE entries;"
    " ALTER TABLE seats DROP COLUMN co_master; DROP INDEX turns_due;"
    " ALTER TABLE turns DROP COLUMN due_utc; ALTER TABLE turns DROP COLUMN vacant;"
    " ALTER TABLE turns ADD COLUMN due_utc INTEGER AS"
    " (CASE WHEN deadline_utc > 0 THEN deadline_utc END) VIRTUAL;"
    " CREATE INDEX turns_due ON turns (state, due_utc, game, serial) WHERE due_utc IS NOT NULL;"
    " DROP TABLE motions; DROP INDEX games_ready; ALTER TABLE games DROP COLUMN "
    "ready_until_utc;"
    " ALTER TABLE seats DROP COLUMN ready; ALTER TABLE entry_terms DROP COLUMN ready;"
    " DROP TABLE invites; DROP TABLE no_invites; DROP TABLE thanks; DROP TABLE nudges;"
    " ALTER TABLE games DROP COLUMN master_asks; ALTER TABLE games DROP COLUMN unrated;"
    " ALTER TABLE games DROP COLUMN record; ALTER TABLE games DROP COLUMN bots;"
    " ALTER TABLE seats DROP COLUMN sealed_contribution;"
    " ALTER TABLE seats DROP COLUMN operator; ALTER TABLE orders DROP COLUMN marks;"
    " ALTER TABLE orders DROP COLUMN dkim; ALTER TABLE orders DROP COLUMN sealed_drawn;"
    " ALTER TABLE provisions DROP COLUMN contributed; ALTER TABLE players DROP COLUMN cols;"
    " ALTER TABLE players DROP COLUMN words_first; ALTER TABLE players DROP COLUMN html;"
    " ALTER TABLE players DROP COLUMN no_reminders";

void crowd_sql(const struct testbed *s, const char *sql)
{
	sqlite3 *db;

	if (s->store) {
		postgresql_exec(s->store, sql);
		return;
	}
	db = open_raw(s);
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		BUG("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_close(db);
}
