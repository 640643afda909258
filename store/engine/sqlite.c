/*
 * sqlite.c - SQLite, and nothing else: connection, statements, values, errors.
 *
 * The only file that sees sqlite3.h. SQLite runs out of memory as the rest of
 * the program does: it aborts.
 *
 * Trusts: SQL comes from string literals of store/ (and the tables of fsck.c).
 */
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "processor/base/step.h"
#include "store/engine/engine.h"
#include "store/engine/row.h"
#include "store/engine/schema.h"

enum {
	BUSY_TIMEOUT_MS = 10000,
	BACKUP_PAGES = 256 /* between two calls of progress */
};

/* ------------------------------------------------------------------ errors */

static enum err err_of_constraint(int code)
{
	switch (code) {
	case SQLITE_CONSTRAINT_UNIQUE:
	case SQLITE_CONSTRAINT_PRIMARYKEY:
	case SQLITE_CONSTRAINT_ROWID:
		return ERR_EXISTS;
	default:
		return ERR_INVALID;
	}
}

static enum err err_of_sqlite(int code)
{
	switch (code & 0xff) {
	case SQLITE_OK:
	case SQLITE_ROW:
	case SQLITE_DONE:
		return ERR_NONE;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return ERR_BUSY;
	case SQLITE_FULL:
		return ERR_FULL;
	case SQLITE_CONSTRAINT:
		return err_of_constraint(code);
	case SQLITE_CORRUPT:
	case SQLITE_ERROR: /* our SQL is tested: the schema has been tampered with */
	case SQLITE_MISMATCH:
		return ERR_CORRUPT;
	case SQLITE_NOTADB:
		return ERR_INVALID;
	case SQLITE_PERM:
	case SQLITE_AUTH:
	case SQLITE_READONLY:
		return ERR_DENIED;
	case SQLITE_TOOBIG:
		return ERR_LIMIT;
	case SQLITE_NOMEM:
		out_of_memory();
	case SQLITE_MISUSE:
	case SQLITE_RANGE:
		BUG("SQLite used wrongly (%d)", code);
	default:
		return ERR_IO;
	}
}

static enum err fail_sqlite(struct store *s, int code)
{
	int os = sqlite3_system_errno(s->connection);
	enum err err = err_of_sqlite(code);

	if (err == ERR_IO && os != 0)
		return db_fail(s, err, "database %s: %s (%s)", s->path,
		               sqlite3_errmsg(s->connection), strerror(os));
	return db_fail(s, err, "database %s: %s", s->path, sqlite3_errmsg(s->connection));
}

/* -------------------------------------------------------------- connection */

/*
 * Each is a fact about this connection only. A read-only one keeps synchronous too: it never
 * writes. trusted_schema: a schema somebody else has edited can call no function that acts.
 */
static const char open_settings[] =
    "PRAGMA synchronous = FULL;"
    "PRAGMA foreign_keys = ON;"
    "PRAGMA secure_delete = ON;"
    "PRAGMA trusted_schema = OFF;"
    "PRAGMA cell_size_check = ON;"
    "PRAGMA mmap_size = 0;"
    "PRAGMA wal_autocheckpoint = 0;"
    "PRAGMA cache_size = -20000;"  /* KiB; no intake measured was faster with 32,000 */
    "PRAGMA temp_store = MEMORY;"; /* a sorter must not leave rows in /tmp */

static int note_wal_pages(void *ctx, sqlite3 *db, const char *name, int pages)
{
	struct store *s = ctx;

	(void)db;
	(void)name;
	s->wal_pages = pages;
	return SQLITE_OK;
}

static enum err exec(struct store *s, const char *sql)
{
	int rc = sqlite3_exec(s->connection, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? ERR_NONE : fail_sqlite(s, rc);
}

static void set_durable(struct store *s, bool full)
{
	full = full && !step_is_broken("synchronous-normal");
	/* Not a kept statement: SQLite carries this one out while preparing it. */
	if (exec(s, full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL"))
		BUG("synchronous: %s", s->failure.text.ptr);
}

static enum err configure(struct store *s)
{
	sqlite3_extended_result_codes(s->connection, 1);
	sqlite3_busy_timeout(s->connection, BUSY_TIMEOUT_MS);
	/* Closing must cost nothing: an idle run may not fsync. */
	sqlite3_db_config(s->connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
	sqlite3_db_config(s->connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, (int *)NULL);
	sqlite3_db_config(s->connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
	enum err err = exec(s, open_settings);
	/* Takes the place of SQLite's own hook, which would checkpoint. */
	sqlite3_wal_hook(s->connection, note_wal_pages, s);

	if (err == ERR_NONE && step_is_broken("synchronous-normal"))
		set_durable(s, false);
	return err;
}

static enum err open_file(struct store *s)
{
	int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
	sqlite3 *db = NULL;
	int rc;

	if (!file_exists(s->path))
		return db_fail(s, ERR_NOT_FOUND, "there is no database %s", s->path);
	/*
	 * Counting every byte it allocates costs SQLite a lock each time. Too late is no harm.
	 */
	(void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	rc = sqlite3_open_v2(
	    s->path, &db, flags | (s->read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE),
	    NULL);
	s->connection = db;
	return rc == SQLITE_OK ? configure(s) : fail_sqlite(s, rc);
}

static void close_file(struct store *s)
{
	if (sqlite3_close(s->connection) != SQLITE_OK)
		BUG("a query was not ended: %s", sqlite3_errmsg(s->connection));
}

static const char *version(const struct store *s)
{
	(void)s;
	return sqlite3_libversion();
}

static enum err begin(struct store *s)
{
	return db_exec(s, "BEGIN IMMEDIATE");
}

/* It ends a transaction by itself after a full disk or a failed write. */
static enum tx_state tx(const struct store *s)
{
	return sqlite3_get_autocommit(s->connection) == 0 ? TX_OPEN : TX_NONE;
}

static unsigned changes(const struct store *s)
{
	return (unsigned)sqlite3_changes(s->connection);
}

/* ------------------------------------------------------------------ schema */

static enum err schema_version(struct store *s, unsigned *version, bool *ours)
{
	int64_t user = 0, application = 0;
	enum err err = row_find(s, "PRAGMA user_version", NO_ARGS, &row_int64, NULL, &user);

	if (err == ERR_NONE)
		err = row_find(s, "PRAGMA application_id", NO_ARGS, &row_int64, NULL,
		               &application);
	*version = user < 0 || user > UINT32_MAX ? UINT32_MAX : (unsigned)user;
	*ours = application == SCHEMA_APPLICATION_ID;
	return err;
}

/*
 * Each of its statements is carried out once more, in memory. To who only reads SQLite says nothing of a condition
 * whose text is damaged; it stops who writes.
 */
static enum err check_schema(struct store *s, struct strbuf *why)
{
	struct query q = db_read_text(s, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"
	                                 " AND name NOT LIKE 'sqlite_%'"
	                                 " ORDER BY type <> 'table', rowid");
	struct strbuf sql = STRBUF_INIT;
	sqlite3 *memory = NULL;
	int rc = sqlite3_open_v2(":memory:", &memory,
	                         SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

	while (rc == SQLITE_OK && db_next(&q)) {
		strbuf_clear(&sql);
		strbuf_add_span(&sql, col_bytes(&q));
		rc = sqlite3_exec(memory, sql.ptr, NULL, NULL, NULL);
	}
	if (rc == SQLITE_NOMEM)
		db_spoil(&q, db_fail(s, ERR_IO, "out of memory"));
	else if (rc != SQLITE_OK)
		strbuf_adds(why, sqlite3_errmsg(memory));
	if (sqlite3_close(memory) != SQLITE_OK)
		BUG("an empty database does not close");
	strbuf_release(&sql);
	return db_end(&q);
}

static void note_schema(unsigned version, struct strbuf *sql)
{
	strbuf_addf(sql, "PRAGMA application_id = %d; PRAGMA user_version = %u",
	            SCHEMA_APPLICATION_ID, version);
}

static enum err references(struct store *s, bool on)
{
	return exec(s, on ? "PRAGMA foreign_keys = ON" : "PRAGMA foreign_keys = OFF");
}

/* -------------------------------------------------------- the file as such */

int64_t db_wal_size(const struct store *s)
{
	struct strbuf path = STRBUF_INIT;
	struct stat st;
	int64_t size = 0;

	strbuf_addf(&path, "%s-wal", s->path);
	if (stat(path.ptr, &st) == 0)
		size = (int64_t)st.st_size;
	strbuf_release(&path);
	return size;
}

int64_t db_wal_used(const struct store *s)
{
	return (int64_t)s->wal_pages * DB_PAGE_BYTES;
}

enum err db_checkpoint(struct store *s, bool shrink)
{
	int mode = shrink ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_RESTART;
	int rc;

	/*
	 * A reader must not hold up the run: what it needs of the log stays for the next time.
	 */
	sqlite3_busy_timeout(s->connection, 0);
	rc = sqlite3_wal_checkpoint_v2(s->connection, "main", mode, NULL, NULL);
	sqlite3_busy_timeout(s->connection, BUSY_TIMEOUT_MS);
	if (rc == SQLITE_OK)
		s->wal_pages = 0;
	if (rc == SQLITE_OK || (rc & 0xff) == SQLITE_BUSY)
		return ERR_NONE;
	return fail_sqlite(s, rc);
}

static int copy_pages(sqlite3_backup *copy, store_progress *progress, void *ctx)
{
	int rc;

	do {
		rc = sqlite3_backup_step(copy, BACKUP_PAGES);
		if (progress && (rc == SQLITE_OK || rc == SQLITE_DONE)) {
			int total = sqlite3_backup_pagecount(copy);

			progress(ctx, total - sqlite3_backup_remaining(copy), total);
		}
	} while (rc == SQLITE_OK);
	return rc;
}

enum err db_copy(struct store *s, const char *path, store_progress *progress, void *ctx)
{
	sqlite3 *to = NULL;
	sqlite3_backup *copy = NULL;
	/* One view of the file from the first page to the last, whatever others write. */
	enum err err = db_exec(s, "BEGIN; SELECT count(*) FROM server");
	int rc = sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

	if (err == ERR_NONE && rc == SQLITE_OK)
		copy = sqlite3_backup_init(to, "main", s->connection, "main");
	if (copy) {
		rc = copy_pages(copy, progress, ctx);
		sqlite3_backup_finish(copy);
	} else {
		rc = sqlite3_errcode(to);
	}
	if (err == ERR_NONE && rc != SQLITE_DONE)
		err =
		    db_fail(s, err_of_sqlite(rc), "backup to %s: %s", path, sqlite3_errstr(rc));
	sqlite3_close(to);
	db_rollback(s);
	return err;
}

void db_temporary_beside(const struct store *s, bool beside)
{
	const char *slash = strrchr(s->path, '/');

	sqlite3_free(sqlite3_temp_directory);
	sqlite3_temp_directory = !beside ? NULL
	                         : slash
	                             ? sqlite3_mprintf("%.*s", (int)(slash - s->path), s->path)
	                             : sqlite3_mprintf(".");
}

static enum err bytes(struct store *s, int64_t *bytes)
{
	struct stat st;

	if (stat(s->path, &st) != 0)
		return db_fail(s, ERR_IO, "database %s: %s", s->path, strerror(errno));
	*bytes = (int64_t)st.st_size + db_wal_size(s);
	return ERR_NONE;
}

static enum err describe(struct store *s, struct strbuf *out)
{
	static const struct {
		const char *name, *sql;
	} numbers[] = {
	    {"schema", "PRAGMA user_version"},
	    {"page size", "PRAGMA page_size"},
	    {"pages", "PRAGMA page_count"},
	    {"free pages", "PRAGMA freelist_count"},
	};
	enum err err = ERR_NONE;

	strbuf_addf(out, "sqlite: %s\nlog bytes: %lld\n", version(s),
	            (long long)db_wal_size(s));
	for (size_t i = 0; err == ERR_NONE && i < sizeof(numbers) / sizeof(numbers[0]); i++)
		err = db_describe_number(s, numbers[i].name, numbers[i].sql, out);
	return err;
}

/* -------------------------------------------------------------- statements */

static void prepare(struct query *q, const char *sql, bool keep)
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v3(q->s->connection, sql, -1,
	                            keep ? SQLITE_PREPARE_PERSISTENT : 0, &stmt, NULL);

	q->stmt = stmt;
	if (rc != SQLITE_OK)
		q->err = fail_sqlite(q->s, rc);
}

static void finalize(void *stmt)
{
	sqlite3_finalize(stmt);
}

static void reset(void *stmt)
{
	sqlite3_reset(stmt);
}

static bool next_row(struct query *q)
{
	int rc = sqlite3_step(q->stmt);

	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		q->err = fail_sqlite(q->s, rc);
	return rc == SQLITE_ROW;
}

/* Binding can fail only for a parameter that is not there: a mistake of ours. */
static void bound(struct query *q, int at, int rc)
{
	if (rc != SQLITE_OK)
		BUG("parameter %d of %s: %s", at, sqlite3_sql(q->stmt), sqlite3_errstr(rc));
}

static void bind_number(struct query *q, int at, int64_t v)
{
	bound(q, at, sqlite3_bind_int64(q->stmt, at, v));
}

static void bind_nothing(struct query *q, int at)
{
	bound(q, at, sqlite3_bind_null(q->stmt, at));
}

static void bind_bytes(struct query *q, int at, enum value_kind kind, struct span bytes,
                       bool copy)
{
	sqlite3_destructor_type keep = copy ? SQLITE_TRANSIENT : SQLITE_STATIC;
	const char *ptr = bytes.ptr ? bytes.ptr : "";

	bound(q, at,
	      kind == VALUE_TEXT
	          ? sqlite3_bind_text64(q->stmt, at, ptr, bytes.len, keep, SQLITE_UTF8)
	          : sqlite3_bind_blob64(q->stmt, at, ptr, bytes.len, keep));
}

static int64_t column_int(struct query *q, int at)
{
	return sqlite3_column_int64(q->stmt, at);
}

static struct span column_bytes(struct query *q, int at)
{
	struct span bytes;

	/* First the pointer, then the length, as SQLite asks for. */
	bytes.ptr = sqlite3_column_blob(q->stmt, at);
	bytes.len = (size_t)sqlite3_column_bytes(q->stmt, at);
	return bytes;
}

static enum value_kind column_kind(const struct query *q, int at)
{
	switch (sqlite3_column_type(q->stmt, at)) {
	case SQLITE_NULL:
		return VALUE_NULL;
	case SQLITE_INTEGER:
		return VALUE_INT;
	case SQLITE_BLOB:
		return VALUE_BLOB;
	default:
		return VALUE_TEXT;
	}
}

static int params(const struct query *q)
{
	return sqlite3_bind_parameter_count(q->stmt);
}

/* Of an expression nothing is declared. */
static enum value_kind column_declared(const struct query *q, int at)
{
	const char *type = sqlite3_column_decltype(q->stmt, at);

	return !type                          ? VALUE_NULL
	       : strcmp(type, "INTEGER") == 0 ? VALUE_INT
	       : strcmp(type, "TEXT") == 0    ? VALUE_TEXT
	       : strcmp(type, "BLOB") == 0    ? VALUE_BLOB
	                                      : VALUE_NULL;
}

static int column_count(const struct query *q)
{
	return sqlite3_column_count(q->stmt);
}

static const char *column_name(const struct query *q, int at)
{
	return sqlite3_column_name(q->stmt, at);
}

const struct engine engine_sqlite = {
    .is_file = true,
    .open = open_file,
    .close = close_file,
    .version = version,
    .bytes = bytes,
    .describe = describe,
    .exec = exec,
    .begin = begin,
    .begin_reading = "BEGIN",
    .tx = tx,
    .set_durable = set_durable,
    .changes = changes,
    .schema_version = schema_version,
    .note_schema = note_schema,
    .defer_references = "PRAGMA defer_foreign_keys = ON",
    .check_schema = check_schema,
    .references = references,
    .prepare = prepare,
    .finalize = finalize,
    .reset = reset,
    .next_row = next_row,
    .bind_int = bind_number,
    .bind_null = bind_nothing,
    .bind_bytes = bind_bytes,
    .col_int = column_int,
    .col_bytes = column_bytes,
    .col_kind = column_kind,
    .params = params,
    .col_declared = column_declared,
    .col_count = column_count,
    .col_name = column_name,
};
