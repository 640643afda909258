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
	                       " AND id NOT IN (SELECT outbox FROM enclosed_mails)");
}

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
