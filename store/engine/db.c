/*
 * db.c - SQLite, and nothing else: connection, statements, values, errors.
 *
 * The only file that sees sqlite3.h. SQLite runs out of memory as the rest of
 * the program does: it aborts.
 *
 * Trusts: SQL comes from string literals of store/ (and the tables of fsck.c).
 * Everything read from a row may be damaged: lengths and ranges are checked
 * here, and what does not fit spoils the query with ERR_CORRUPT.
 */
#include "store/engine/db.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "processor/base/step.h"

#include "processor/base/banned.h"

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
	int os = sqlite3_system_errno(s->db);
	enum err err = err_of_sqlite(code);

	if (err == ERR_IO && os != 0)
		return db_fail(s, err, "database %s: %s (%s)", s->path, sqlite3_errmsg(s->db),
		               strerror(os));
	return db_fail(s, err, "database %s: %s", s->path, sqlite3_errmsg(s->db));
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

static enum err configure(struct store *s)
{
	sqlite3_extended_result_codes(s->db, 1);
	sqlite3_busy_timeout(s->db, BUSY_TIMEOUT_MS);
	/* Closing must cost nothing: an idle run may not fsync. */
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, (int *)NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
	enum err err = db_exec(s, open_settings);
	/* Takes the place of SQLite's own hook, which would checkpoint. */
	sqlite3_wal_hook(s->db, note_wal_pages, s);

	if (err == ERR_NONE && step_is_broken("synchronous-normal"))
		db_set_durable(s, false);
	return err;
}

static struct store *store_new(const char *path, bool read_only)
{
	struct store *s = xcalloc(1, sizeof(*s));

	s->path = xstrdup(path);
	s->read_only = read_only;
	strbuf_init(&s->failure.text);
	strbuf_init(&s->context);
	strbuf_init(&s->sealed);
	strbuf_init(&s->source_url);
	return s;
}

enum err db_open(const char *path, bool read_only, struct store **out, struct failure *e)
{
	int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
	struct store *s;
	enum err err;
	int rc;

	*out = NULL;
	if (!file_exists(path))
		return err_set(e, ERR_NOT_FOUND, "there is no database %s", path);
	/*
	 * Counting every byte it allocates costs SQLite a lock each time. Too late is no harm.
	 */
	(void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	s = store_new(path, read_only);
	rc = sqlite3_open_v2(path, &s->db,
	                     flags | (read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE),
	                     NULL);
	err = rc == SQLITE_OK ? configure(s) : fail_sqlite(s, rc);
	if (err != ERR_NONE) {
		err_set(e, err, "%s", s->failure.text.ptr);
		db_close(s);
		return err;
	}
	*out = s;
	return ERR_NONE;
}

void db_close(struct store *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < DB_SLOTS; i++)
		sqlite3_finalize(s->slots[i].stmt);
	if (sqlite3_close(s->db) != SQLITE_OK)
		BUG("a query was not ended: %s", sqlite3_errmsg(s->db));
	err_release(&s->failure);
	strbuf_release(&s->context);
	strbuf_release(&s->sealed);
	strbuf_release(&s->source_url);
	free(s->instance);
	free(s->host);
	free(s->path);
	free(s);
}

enum err db_exec(struct store *s, const char *sql)
{
	int rc = sqlite3_exec(s->db, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? ERR_NONE : fail_sqlite(s, rc);
}

bool db_is_open_tx(const struct store *s)
{
	return sqlite3_get_autocommit(s->db) == 0;
}

void db_rollback(struct store *s)
{
	if (db_is_open_tx(s))
		(void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
}

enum err db_commit(struct store *s)
{
	struct query q = db_read(s, "COMMIT");

	return db_run(&q);
}

enum err db_words(struct store *s, struct span message_id, struct span outline,
                  struct strbuf *message)
{
	enum err err = ERR_UNSUPPORTED;

	if (outline.len == 0)
		return db_fail(s, ERR_CORRUPT, "the text of mail %.*s is missing",
		               SPAN_ARGS(message_id));
	if (s->words)
		err = s->words(s->words_ctx, message_id, outline, message);
	if (err == ERR_NONE)
		return ERR_NONE;
	return db_fail(s, err, "mail %.*s has an outline that this program cannot read",
	               SPAN_ARGS(message_id));
}

unsigned db_changes(const struct store *s)
{
	return (unsigned)sqlite3_changes(s->db);
}

int64_t db_last_id(const struct store *s)
{
	return sqlite3_last_insert_rowid(s->db);
}

void db_set_durable(struct store *s, bool full)
{
	full = full && !step_is_broken("synchronous-normal");
	/* Not a kept statement: SQLite carries this one out while preparing it. */
	if (db_exec(s, full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL"))
		BUG("synchronous: %s", s->failure.text.ptr);
}

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
	sqlite3_busy_timeout(s->db, 0);
	rc = sqlite3_wal_checkpoint_v2(s->db, "main", mode, NULL, NULL);
	sqlite3_busy_timeout(s->db, BUSY_TIMEOUT_MS);
	if (rc == SQLITE_OK)
		s->wal_pages = 0;
	if (rc == SQLITE_OK || (rc & 0xff) == SQLITE_BUSY)
		return ERR_NONE;
	return fail_sqlite(s, rc);
}

static int copy_pages(sqlite3_backup *copy, void (*progress)(void *ctx, int done, int total),
                      void *ctx)
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

enum err db_copy(struct store *s, const char *path,
                 void (*progress)(void *ctx, int done, int total), void *ctx)
{
	sqlite3 *to = NULL;
	sqlite3_backup *copy = NULL;
	/* One view of the file from the first page to the last, whatever others write. */
	enum err err = db_exec(s, "BEGIN; SELECT count(*) FROM server");
	int rc = sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

	if (err == ERR_NONE && rc == SQLITE_OK)
		copy = sqlite3_backup_init(to, "main", s->db, "main");
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

const char *db_version(void)
{
	return sqlite3_libversion();
}

/* -------------------------------------------------------------- statements */

/*
 * The place of this literal, or the free one where it would be kept; NULL when the table is
 * full.
 */
static struct db_slot *slot_of(struct store *s, const char *sql)
{
	size_t at = (size_t)(((uintptr_t)sql * 0x9e3779b97f4a7c15u) >> 32) & (DB_SLOTS - 1);

	while (s->slots[at].sql && s->slots[at].sql != sql)
		at = (at + 1) & (DB_SLOTS - 1);
	if (!s->slots[at].sql && s->nslots >= DB_SLOTS / 2)
		return NULL;
	return &s->slots[at];
}

static void prepare(struct query *q, const char *sql, unsigned flags)
{
	int rc = sqlite3_prepare_v3(q->s->db, sql, -1, flags, &q->stmt, NULL);

	if (rc != SQLITE_OK)
		q->err = fail_sqlite(q->s, rc);
}

struct query db_read_text(struct store *s, const char *sql)
{
	struct query q = {.s = s};

	prepare(&q, sql, 0);
	return q;
}

struct query db_read(struct store *s, const char *sql)
{
	struct query q = {.s = s};
	struct db_slot *slot = slot_of(s, sql);

	if (!slot || slot->in_use)
		return db_read_text(s, sql);
	if (!slot->stmt) {
		prepare(&q, sql, SQLITE_PREPARE_PERSISTENT);
		if (q.err != ERR_NONE)
			return q;
		slot->sql = sql;
		slot->stmt = q.stmt;
		s->nslots++;
	}
	slot->in_use = true;
	q.slot = slot;
	q.stmt = slot->stmt;
	return q;
}

struct query db_write(struct store *s, const char *sql)
{
	struct query q;

	if (s->tx == DB_TX_NONE)
		BUG("written outside a transaction: %s", sql);
	q = db_read(s, sql);
	/* After a full disk or a failed write SQLite has taken everything back by itself. */
	if (q.err == ERR_NONE && !db_is_open_tx(s))
		q.err = db_fail(s, ERR_IO, "the transaction has been lost to an earlier error");
	return q;
}

bool db_next(struct query *q)
{
	int rc;

	if (q->err != ERR_NONE)
		return false;
	rc = sqlite3_step(q->stmt);
	q->column = 0;
	if (rc == SQLITE_ROW)
		return true;
	if (rc != SQLITE_DONE)
		q->err = fail_sqlite(q->s, rc);
	return false;
}

enum err db_end(struct query *q)
{
	if (q->slot) {
		sqlite3_reset(q->stmt);
		q->slot->in_use = false;
	} else {
		sqlite3_finalize(q->stmt);
	}
	q->stmt = NULL;
	q->slot = NULL;
	return q->err;
}

/* -------------------------------------------------------------- parameters */

/* Binding can fail only for a parameter that is not there: a mistake of ours. */
static void bound(struct query *q, int rc)
{
	if (rc != SQLITE_OK)
		BUG("parameter %d of %s: %s", q->bound, sqlite3_sql(q->stmt),
		    sqlite3_errstr(rc));
}

void bind_int(struct query *q, int64_t v)
{
	if (q->err == ERR_NONE)
		bound(q, sqlite3_bind_int64(q->stmt, ++q->bound, v));
}

void bind_null(struct query *q)
{
	if (q->err == ERR_NONE)
		bound(q, sqlite3_bind_null(q->stmt, ++q->bound));
}

void bind_text(struct query *q, struct span text)
{
	if (q->err == ERR_NONE)
		bound(q, sqlite3_bind_text64(q->stmt, ++q->bound, text.ptr ? text.ptr : "",
		                             text.len, SQLITE_STATIC, SQLITE_UTF8));
}

void bind_blob(struct query *q, struct span bytes)
{
	if (q->err == ERR_NONE)
		bound(q, sqlite3_bind_blob64(q->stmt, ++q->bound, bytes.ptr ? bytes.ptr : "",
		                             bytes.len, SQLITE_STATIC));
}

void bind_blob_copy(struct query *q, struct span bytes)
{
	if (q->err == ERR_NONE)
		bound(q, sqlite3_bind_blob64(q->stmt, ++q->bound, bytes.ptr ? bytes.ptr : "",
		                             bytes.len, SQLITE_TRANSIENT));
}

/* ----------------------------------------------------------------- columns */

int64_t col_int(struct query *q)
{
	return sqlite3_column_int64(q->stmt, q->column++);
}

struct span col_bytes(struct query *q)
{
	struct span bytes;

	/* First the pointer, then the length, as SQLite asks for. */
	bytes.ptr = sqlite3_column_blob(q->stmt, q->column);
	bytes.len = (size_t)sqlite3_column_bytes(q->stmt, q->column);
	q->column++;
	return bytes;
}

bool col_is_null(const struct query *q)
{
	return sqlite3_column_type(q->stmt, q->column) == SQLITE_NULL;
}

bool col_is_number(const struct query *q)
{
	return sqlite3_column_type(q->stmt, q->column) == SQLITE_INTEGER;
}

void col_skip(struct query *q)
{
	q->column++;
}

int col_count(const struct query *q)
{
	return sqlite3_column_count(q->stmt);
}

const char *col_name(const struct query *q, int column)
{
	return sqlite3_column_name(q->stmt, column);
}

void col_add_text(struct query *q, struct strbuf *out)
{
	int type = sqlite3_column_type(q->stmt, q->column);
	struct span bytes;

	if (type == SQLITE_INTEGER) {
		strbuf_addf(out, "%lld", (long long)col_int(q));
		return;
	}
	bytes = col_bytes(q);
	if (type == SQLITE_NULL)
		strbuf_addc(out, '-');
	else if (type == SQLITE_BLOB)
		strbuf_add_hex(out, bytes.ptr, bytes.len);
	else
		db_add_escaped(out, bytes);
}

enum err db_fail(struct store *s, enum err code, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	err_set(&s->failure, code, "%s", text.ptr);
	strbuf_release(&text);
	return code;
}

enum err db_run(struct query *q)
{
	(void)db_next(q);
	return db_end(q);
}

void db_add_escaped(struct strbuf *out, struct span text)
{
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];

		if (c == '\n')
			strbuf_adds(out, "\\n");
		else if (c == '\\')
			strbuf_adds(out, "\\\\");
		else if (c < ' ' || c == 0x7f)
			strbuf_addf(out, "\\x%02x", c);
		else
			strbuf_addc(out, (char)c);
	}
}
