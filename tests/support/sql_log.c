/*
 * sql_log.c - the calls of a log, made again.
 */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/span.h"
#include "tests/support/sql_log.h"

struct sql_log sql_log_open(const char *path)
{
	struct sql_log log = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	ENSURE(fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0);
	log.len = (size_t)st.st_size;
	log.bytes = mmap(NULL, log.len, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	ENSURE(log.bytes != MAP_FAILED);
	close(fd);
	return log;
}

void sql_log_close(struct sql_log *log)
{
	munmap(log->bytes, log->len);
	*log = (struct sql_log){0};
}

/* Steps to the next call; `bytes` is empty when none belong to it. */
static const struct sql_record *next_record(const struct sql_log *log, size_t *at,
                                            struct span *bytes)
{
	const struct sql_record *r = (const void *)(log->bytes + *at);

	if (*at >= log->len)
		return NULL;
	*at += sizeof(*r);
	*bytes = SPAN_EMPTY;
	if (r->op == SQL_EXEC || r->op == SQL_PREPARE || r->op == SQL_TEXT ||
	    r->op == SQL_BLOB) {
		*bytes = (struct span){(const char *)log->bytes + *at, (size_t)r->value};
		*at += ((size_t)r->value + 7) & ~(size_t)7;
	}
	return r;
}

static unsigned count_statements(const struct sql_log *log)
{
	const struct sql_record *r;
	struct span bytes;
	unsigned n = 0;

	for (size_t at = 0; (r = next_record(log, &at, &bytes));)
		n += r->op == SQL_PREPARE;
	return n;
}

unsigned sql_log_count(const struct sql_log *log, const char *begins)
{
	bool *counts = xcalloc(count_statements(log) + 1, sizeof(*counts));
	const struct sql_record *r;
	struct span bytes;
	unsigned n = 0;

	for (size_t at = 0; (r = next_record(log, &at, &bytes));) {
		if (r->op == SQL_PREPARE)
			counts[r->stmt] = span_starts(bytes, begins);
		n += r->op == SQL_STEP && counts[r->stmt];
	}
	free(counts);
	return n;
}

unsigned sql_log_count_all(const struct sql_log *log)
{
	const struct sql_record *r;
	struct span bytes;
	unsigned n = 0;

	for (size_t at = 0; (r = next_record(log, &at, &bytes));)
		n += r->op == SQL_RESET || r->op == SQL_FINALIZE;
	return n;
}

/* ---- again ---- */

/* Every column, as the program reads them. */
static void read_row(sqlite3_stmt *stmt)
{
	int n = sqlite3_column_count(stmt);

	for (int i = 0; i < n; i++) {
		if (sqlite3_column_type(stmt, i) == SQLITE_INTEGER) {
			(void)sqlite3_column_int64(stmt, i);
		} else {
			(void)sqlite3_column_blob(stmt, i);
			(void)sqlite3_column_bytes(stmt, i);
		}
	}
}

static void step_again(sqlite3 *db, sqlite3_stmt *stmt, int64_t ended)
{
	int rc = sqlite3_step(stmt) & 0xff;

	if (rc != ended)
		BUG("%s: %d instead of %d (%s)", sqlite3_sql(stmt), rc, (int)ended,
		    sqlite3_errmsg(db));
	if (rc == SQLITE_ROW)
		read_row(stmt);
}

static void bind_again(sqlite3_stmt *stmt, const struct sql_record *r, struct span bytes)
{
	int rc = SQLITE_OK;

	if (r->op == SQL_INT)
		rc = sqlite3_bind_int64(stmt, r->param, r->value);
	else if (r->op == SQL_NULL)
		rc = sqlite3_bind_null(stmt, r->param);
	else if (r->op == SQL_TEXT)
		rc = sqlite3_bind_text64(stmt, r->param, bytes.ptr, bytes.len, SQLITE_STATIC,
		                         SQLITE_UTF8);
	else
		rc = sqlite3_bind_blob64(stmt, r->param, bytes.ptr, bytes.len, SQLITE_STATIC);
	ENSURE(rc == SQLITE_OK);
}

static void exec_again(sqlite3 *db, struct span sql)
{
	char *text = strndup(sql.ptr, sql.len);

	if (!text || sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK)
		BUG("%s", sqlite3_errmsg(db));
	free(text);
}

static void call_again(sqlite3 *db, sqlite3_stmt **stmts, const struct sql_record *r,
                       struct span bytes)
{
	switch ((enum sql_op)r->op) {
	case SQL_EXEC:
		exec_again(db, bytes);
		break;
	case SQL_PREPARE:
		ENSURE(sqlite3_prepare_v3(db, bytes.ptr, (int)bytes.len,
		                          SQLITE_PREPARE_PERSISTENT, &stmts[r->stmt],
		                          NULL) == SQLITE_OK);
		break;
	case SQL_INT:
	case SQL_NULL:
	case SQL_TEXT:
	case SQL_BLOB:
		bind_again(stmts[r->stmt], r, bytes);
		break;
	case SQL_STEP:
		step_again(db, stmts[r->stmt], r->value);
		break;
	case SQL_RESET:
		sqlite3_reset(stmts[r->stmt]);
		break;
	case SQL_FINALIZE:
		sqlite3_finalize(stmts[r->stmt]);
		break;
	case SQL_CHECKPOINT:
		ENSURE(sqlite3_wal_checkpoint_v2(db, "main", (int)r->value, NULL, NULL) ==
		       SQLITE_OK);
		break;
	}
}

void sql_replay(const struct sql_log *log, const char *database)
{
	sqlite3_stmt **stmts = xcalloc(count_statements(log) + 1, sizeof(sqlite3_stmt *));
	const struct sql_record *r;
	struct span bytes;
	sqlite3 *db = NULL;

	ENSURE(sqlite3_open_v2(database, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
	                       NULL) == SQLITE_OK);
	sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
	for (size_t at = 0; (r = next_record(log, &at, &bytes));)
		call_again(db, stmts, r, bytes);
	if (sqlite3_close(db) != SQLITE_OK)
		BUG("%s", sqlite3_errmsg(db));
	free(stmts);
}
