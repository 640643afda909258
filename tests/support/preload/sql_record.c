/*
 * sql_record.c - writes down every call of SQLite that does something.
 *
 * Loaded with LD_PRELOAD=build/sql_record.so; MOLEPOST_SQL_LOG names the file (sql_log.h). For
 * programs with one connection that link libsqlite3 as a shared library; a second one, in a thread of
 * its own, is not written down. A child that calls no SQLite writes nothing, nor does a forked one.
 */
#define _GNU_SOURCE /* RTLD_NEXT, gettid */

#include <dlfcn.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/sql_log.h"

enum { MOST_LIVE = 512 };

/* Mutable state: a library that is preloaded has no caller to hold it. */
static struct {
	const char *path; /* until the first call */
	FILE *file;
	pid_t pid;
	uint32_t made; /* statements so far */
	struct {
		sqlite3_stmt *stmt;
		uint32_t id;
	} live[MOST_LIVE];
	size_t nlive;
} rec;

static void *real_address(const char *name)
{
	void *address = dlsym(RTLD_NEXT, name);

	if (!address)
		abort();
	return address;
}

/* ISO C has no conversion from object to function pointer; POSIX wants it to work. */
#define REAL(name) (__extension__(__typeof__(&name)) real_address(#name))

__attribute__((constructor)) static void start(void)
{
	rec.pid = getpid();
	rec.path = getenv("MOLEPOST_SQL_LOG");
}

__attribute__((destructor)) static void finish(void)
{
	if (rec.file && getpid() == rec.pid && fclose(rec.file) != 0)
		abort();
}

/* The first thread of the process that was started. */
static bool is_recorded(void)
{
	return gettid() == rec.pid;
}

static void put(enum sql_op op, uint32_t stmt, int param, int64_t value, const void *bytes)
{
	static const char zeroes[8];
	struct sql_record r = {(uint16_t)op, (uint16_t)param, stmt, value};

	if (!is_recorded())
		return;
	if (rec.path)
		rec.file = fopen(rec.path, "wbe");
	rec.path = NULL;
	if (!rec.file)
		return;
	fwrite(&r, sizeof(r), 1, rec.file);
	if (!bytes)
		return;
	fwrite(bytes, 1, (size_t)value, rec.file);
	fwrite(zeroes, 1, (size_t)(-value & 7), rec.file);
}

/* SQLite calls its own functions too, for statements that are no business of ours: nlive. */
static size_t place_of(sqlite3_stmt *stmt)
{
	size_t i = 0;

	if (!is_recorded())
		return MOST_LIVE;
	while (i < rec.nlive && rec.live[i].stmt != stmt)
		i++;
	return i;
}

static void put_for(sqlite3_stmt *stmt, enum sql_op op, int param, int64_t value,
                    const void *bytes)
{
	size_t at = place_of(stmt);

	if (at < rec.nlive)
		put(op, rec.live[at].id, param, value, bytes);
}

/* ---- The calls ---- */

int sqlite3_exec(sqlite3 *db, const char *sql, int (*each)(void *, int, char **, char **),
                 void *ctx, char **why)
{
	put(SQL_EXEC, 0, 0, (int64_t)strlen(sql), sql);
	return REAL(sqlite3_exec)(db, sql, each, ctx, why);
}

int sqlite3_prepare_v3(sqlite3 *db, const char *sql, int len, unsigned flags,
                       sqlite3_stmt **out, const char **tail)
{
	int rc = REAL(sqlite3_prepare_v3)(db, sql, len, flags, out, tail);

	if (rc != SQLITE_OK || !*out || !is_recorded())
		return rc;
	if (rec.nlive == MOST_LIVE)
		abort();
	rec.live[rec.nlive].stmt = *out;
	rec.live[rec.nlive++].id = rec.made;
	put(SQL_PREPARE, rec.made++, 0, (int64_t)strlen(sql), sql);
	return rc;
}

int sqlite3_bind_int64(sqlite3_stmt *stmt, int param, sqlite3_int64 value)
{
	put_for(stmt, SQL_INT, param, value, NULL);
	return REAL(sqlite3_bind_int64)(stmt, param, value);
}

int sqlite3_bind_null(sqlite3_stmt *stmt, int param)
{
	put_for(stmt, SQL_NULL, param, 0, NULL);
	return REAL(sqlite3_bind_null)(stmt, param);
}

int sqlite3_bind_text64(sqlite3_stmt *stmt, int param, const char *text, sqlite3_uint64 len,
                        void (*done)(void *), unsigned char encoding)
{
	put_for(stmt, SQL_TEXT, param, (int64_t)len, text);
	return REAL(sqlite3_bind_text64)(stmt, param, text, len, done, encoding);
}

int sqlite3_bind_blob64(sqlite3_stmt *stmt, int param, const void *bytes, sqlite3_uint64 len,
                        void (*done)(void *))
{
	put_for(stmt, SQL_BLOB, param, (int64_t)len, bytes);
	return REAL(sqlite3_bind_blob64)(stmt, param, bytes, len, done);
}

int sqlite3_step(sqlite3_stmt *stmt)
{
	int rc = REAL(sqlite3_step)(stmt);

	put_for(stmt, SQL_STEP, 0, rc & 0xff, NULL);
	return rc;
}

int sqlite3_reset(sqlite3_stmt *stmt)
{
	put_for(stmt, SQL_RESET, 0, 0, NULL);
	return REAL(sqlite3_reset)(stmt);
}

int sqlite3_finalize(sqlite3_stmt *stmt)
{
	size_t at = place_of(stmt);

	put_for(stmt, SQL_FINALIZE, 0, 0, NULL);
	if (at < rec.nlive)
		rec.live[at] = rec.live[--rec.nlive];
	return REAL(sqlite3_finalize)(stmt);
}

int sqlite3_wal_checkpoint_v2(sqlite3 *db, const char *name, int mode, int *log, int *done)
{
	put(SQL_CHECKPOINT, 0, 0, mode, NULL);
	return REAL(sqlite3_wal_checkpoint_v2)(db, name, mode, log, done);
}
