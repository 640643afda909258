/*
 * store.c - the handle: made, opened, written in transactions, copied.
 */
#include "store/engine/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "processor/base/step.h"
#include "store/engine/engine.h"
#include "store/engine/row.h"
#include "store/engine/schema.h"

/* ----------------------------------------------------------------- opening */

bool store_is_url(const char *path)
{
	return span_starts(span_of(path), "postgresql://") ||
	       span_starts(span_of(path), "postgres://");
}

enum err db_open(const char *path, bool read_only, struct store **out, struct failure *e)
{
	struct store *s = xcalloc(1, sizeof(*s));

	*out = NULL;
	s->engine = store_is_url(path) ? &engine_postgresql : &engine_sqlite;
	s->path = xstrdup(path);
	s->read_only = read_only;
	strbuf_init(&s->failure.text);
	strbuf_init(&s->context);
	strbuf_init(&s->sealed);
	strbuf_init(&s->source_url);
	enum err err = s->engine->open(s);
	if (err != ERR_NONE) {
		err_set(e, err, "%s", s->failure.text.ptr);
		db_close(s);
		return err;
	}
	*out = s;
	return ERR_NONE;
}

/* ------------------------------------------------------------------ making */

static enum err make_tables(struct store *s)
{
	unsigned n;
	const struct migration *all = migrations(&n);
	enum err err = ERR_NONE;

	/*
	 * Pages of 8 KiB: three finished mails fit in one, where one of 4 KiB would hold a
	 * single one.
	 */
	if (s->engine->is_file)
		err = db_exec(s, "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL");
	return err == ERR_NONE ? schema_upgrade(s, true, all, n) : err;
}

/* Fills an empty file; afterwards nothing of it is left in a log beside it. */
static enum err fill_file(const char *path, store_fill_fn *fill, void *ctx, struct failure *e)
{
	struct store *s;

	TRY(db_open(path, false, &s, e));
	enum err err = make_tables(s);
	if (err == ERR_NONE)
		err = fill(s, ctx);
	if (err == ERR_NONE)
		err = db_checkpoint(s, true);
	if (err != ERR_NONE)
		err_set(e, err, "%s", s->failure.text.ptr);
	store_close(s);
	return err;
}

static void remove_all(const char *path)
{
	static const char *const suffixes[] = {"", "-wal", "-shm"};
	struct strbuf name = STRBUF_INIT;

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		strbuf_clear(&name);
		strbuf_addf(&name, "%s%s", path, suffixes[i]);
		(void)unlink(name.ptr);
	}
	strbuf_release(&name);
}

static enum err sync_folder_of(const char *path, struct failure *e)
{
	const char *slash = strrchr(path, '/');
	struct strbuf dir = STRBUF_INIT;
	enum err err;

	if (!slash)
		strbuf_addc(&dir, '.');
	else
		strbuf_add(&dir, path, slash == path ? 1 : (size_t)(slash - path));
	err = file_sync_dir(dir.ptr, e);
	strbuf_release(&dir);
	return err;
}

/*
 * The name appears only when the content is whole; a link, unlike a rename, replaces nothing.
 */
static enum err publish(const char *made, const char *path, struct failure *e)
{
	if (link(made, path) != 0)
		return err_set_errno(e, errno == EEXIST ? ERR_EXISTS : ERR_IO,
		                     "cannot make the database %s", path);
	step("store.create.linked");
	return sync_folder_of(path, e);
}

/* The database must be there, without a server in it: its owner has made it. */
static enum err create_in_server(const char *url, store_fill_fn *fill, void *ctx,
                                 struct failure *e)
{
	struct store *s;
	bool found;

	TRY(db_open(url, false, &s, e));
	enum err err = s->engine->check_place(s);
	if (err == ERR_NONE)
		err = make_tables(s);
	if (err == ERR_NONE) {
		err = row_exists(s, "SELECT 1 FROM server", NO_ARGS, &found);
		if (err == ERR_NONE && found)
			err = db_fail(s, ERR_EXISTS,
			              "the database %s has a server in it already", url);
	}
	if (err == ERR_NONE)
		err = fill(s, ctx);
	if (err != ERR_NONE)
		err_set(e, err, "%s", s->failure.text.ptr);
	store_close(s);
	return err;
}

enum err store_create_filled(const char *path, store_fill_fn *fill, void *ctx,
                             struct failure *e)
{
	struct strbuf made = STRBUF_INIT;
	enum err err;

	if (store_is_url(path))
		return create_in_server(path, fill, ctx, e);
	strbuf_addf(&made, "%s-wal", path);
	if (file_exists(path))
		err = err_set(e, ERR_EXISTS, "the database %s exists already", path);
	else if (file_exists(made.ptr))
		/* SQLite would take it for the new database's own. */
		err = err_set(e, ERR_EXISTS, "%s is the log of an older database: move it away",
		              made.ptr);
	else
		err = ERR_NONE;
	if (err != ERR_NONE)
		goto out;
	strbuf_clear(&made);
	strbuf_addf(&made, "%s.new", path);
	remove_all(made.ptr); /* left by somebody who died here */
	err = file_create(made.ptr, SPAN_EMPTY, e);
	if (err == ERR_NONE)
		err = fill_file(made.ptr, fill, ctx, e);
	if (err == ERR_NONE)
		err = publish(made.ptr, path, e);
	remove_all(made.ptr);
out:
	strbuf_release(&made);
	return err;
}

struct server_row {
	const char *instance, *host;
	int64_t now_utc;
};

static enum err add_server_row(struct store *s, void *ctx)
{
	const struct server_row *row = ctx;

	TRY(store_begin(s));
	TRY(row_do(s,
	           "INSERT INTO server (id, instance, host, created_utc) VALUES (1, ?, ?, ?)",
	           ARGS(row->instance, row->host, row->now_utc)));
	return store_commit(s);
}

enum err store_create(const char *path, const char *instance, const char *host, int64_t now_utc,
                      struct failure *e)
{
	struct server_row row = {instance, host, now_utc};

	return store_create_filled(path, add_server_row, &row, e);
}

/* ----------------------------------------------------------------- opening */

static char *copy_column(struct query *q)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_add_span(&text, col_bytes(q));
	return strbuf_detach(&text);
}

static enum err read_server(struct store *s)
{
	struct query q = db_read(s, "SELECT instance, host FROM server");
	bool found = db_next(&q);

	if (found) {
		s->instance = copy_column(&q);
		s->host = copy_column(&q);
	}
	return db_end_found(&q, found, "row that names the server");
}

static enum err prepare_for_use(struct store *s)
{
	unsigned n;
	const struct migration *all = migrations(&n);

	TRY(schema_upgrade(s, false, all, n));
	return read_server(s);
}

enum err store_open(const char *path, enum store_mode mode, const struct keyring *keys,
                    struct store **out, struct failure *e)
{
	struct store *s;

	*out = NULL;
	TRY(db_open(path, mode == STORE_READ_ONLY, &s, e));
	s->keys = keys;
	enum err err = prepare_for_use(s);
	if (err != ERR_NONE) {
		err_set(e, err, "%s", s->failure.text.ptr);
		store_close(s);
		return err;
	}
	*out = s;
	return ERR_NONE;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	store_rollback(s);
	db_close(s);
}

enum err store_mend(struct store *s, bool *lost)
{
	*lost = s->engine->is_lost && s->engine->is_lost(s);
	if (!*lost)
		return ERR_NONE;
	if (s->tx != DB_TX_NONE)
		BUG("connecting again inside a transaction");
	db_forget_statements(s);
	s->known = (struct db_known){0};
	return s->engine->reconnect(s);
}

enum err store_lock(struct store *s, enum store_lock which, int64_t *held_s)
{
	*held_s = 0;
	return s->engine->lock ? s->engine->lock(s, which, held_s) : ERR_NONE;
}

enum err store_lock_share(struct store *s, enum store_lock which, bool join)
{
	if (s->engine->share)
		return s->engine->share(s, which, join);
	return join ? ERR_BUSY : ERR_NONE;
}

void store_unlock(struct store *s, enum store_lock which)
{
	if (s->engine->unlock)
		s->engine->unlock(s, which);
}

const struct failure *store_error(const struct store *s)
{
	return &s->failure;
}

const struct keyring *store_keys(const struct store *s)
{
	return s->keys;
}

const char *store_instance(const struct store *s)
{
	return s->instance;
}

const char *store_host(const struct store *s)
{
	return s->host;
}

enum err store_set_host(struct store *s, const char *host)
{
	enum err err = row_do_one(s, "UPDATE server SET host = ?", ARGS(host),
	                          "row that names the server");

	if (err == ERR_NONE) {
		free(s->host);
		s->host = xstrdup(host);
	}
	return err;
}

/* ------------------------------------------------------------ transactions */

static enum err begin(struct store *s, enum db_tx kind)
{
	enum err err;

	if (s->tx != DB_TX_NONE)
		BUG("a transaction inside a transaction");
	if (s->read_only)
		return db_fail(s, ERR_DENIED, "database %s is open for reading only", s->path);
	err = s->engine->begin(s);
	s->known = (struct db_known){0};
	if (err == ERR_NONE)
		s->tx = kind;
	else
		db_rollback(s); /* begun, but not got the lock */
	return err;
}

void store_words(struct store *s, store_words_fn *words, void *ctx)
{
	s->words = words;
	s->words_ctx = ctx;
}

/* Also takes a failed commit back, so that the handle is as before the begin either way. */
static enum err commit(struct store *s, const char *before, const char *after)
{
	enum err err = ERR_NONE;

	s->savepoint = false;
	step(before);
	if (err == ERR_NONE && !db_is_open_tx(s))
		err = db_fail(s, ERR_IO, "the transaction has been lost to an earlier error");
	if (err == ERR_NONE)
		err = db_commit(s);
	if (err != ERR_NONE)
		db_rollback(s);
	s->tx = DB_TX_NONE;
	if (err == ERR_NONE)
		step(after);
	return err;
}

enum err store_begin(struct store *s)
{
	return begin(s, DB_TX_FULL);
}

enum err store_commit(struct store *s)
{
	if (s->tx != DB_TX_FULL)
		BUG("store_commit without store_begin");
	return commit(s, "store.commit.before", "store.commit.after");
}

/* Its log is not synced by SQLite. */
enum err store_begin_relaxed(struct store *s)
{
	enum err err;

	if (s->tx != DB_TX_NONE)
		BUG("a transaction inside a transaction");
	db_set_durable(s, false);
	err = begin(s, DB_TX_RELAXED);
	if (err != ERR_NONE)
		db_set_durable(s, true);
	return err;
}

enum err store_commit_relaxed(struct store *s)
{
	enum err err;

	if (s->tx != DB_TX_RELAXED)
		BUG("store_commit_relaxed without store_begin_relaxed");
	err = commit(s, "store.relaxed.before", "store.relaxed.after");
	db_set_durable(s, true);
	return err;
}

enum err store_begin_reading(struct store *s)
{
	return db_exec(s, s->engine->begin_reading);
}

void store_rollback(struct store *s)
{
	enum db_tx was = s->tx;

	db_rollback(s);
	s->tx = DB_TX_NONE;
	s->savepoint = false;
	if (was == DB_TX_RELAXED)
		db_set_durable(s, true);
}

enum err store_end(struct store *s, enum err rc)
{
	if (rc == ERR_NONE)
		return s->tx == DB_TX_RELAXED ? store_commit_relaxed(s) : store_commit(s);
	store_rollback(s);
	return rc;
}

bool store_in_transaction(const struct store *s)
{
	return s->tx != DB_TX_NONE;
}

bool store_ask_ahead(struct store *s)
{
	if (s->asks_ahead)
		BUG("asked ahead while asking ahead");
	s->asks_ahead = s->engine->ask_ahead != NULL;
	if (!s->asks_ahead)
		return false;
	if (s->about != 0) /* more of that */
		return true;
	s->asked_age = s->engine->age(s);
	s->about_before = ++s->about_most;
	return true;
}

bool store_answers_hold(const struct store *s)
{
	return !s->engine->ask_ahead || s->asked_age == s->engine->age(s);
}

void store_about(struct store *s, size_t which, int64_t game)
{
	s->about = which == 0 ? 0 : s->about_before + (unsigned)which;
	s->about_game = game;
	if (s->about > s->about_most)
		s->about_most = s->about;
}

void store_asked_ahead(struct store *s)
{
	s->asks_ahead = false;
}

enum err store_savepoint(struct store *s)
{
	enum err err;

	if (s->savepoint)
		BUG("a savepoint inside a savepoint");
	err = db_exec(s, "SAVEPOINT one");
	s->savepoint = err == ERR_NONE;
	return err;
}

enum err store_savepoint_release(struct store *s)
{
	if (!s->savepoint)
		BUG("no savepoint to release");
	enum err err = db_exec(s, "RELEASE one");
	s->savepoint = err != ERR_NONE;
	return err;
}

/* If SQLite has lost the whole transaction, so has the savepoint; the commit will say so. */
void store_savepoint_rollback(struct store *s)
{
	if (!s->savepoint)
		return;
	s->savepoint = false;
	s->known = (struct db_known){0};
	if (s->engine->tx(s) == TX_NONE)
		return;
	if (db_exec(s, "ROLLBACK TO one") != ERR_NONE || db_exec(s, "RELEASE one") != ERR_NONE)
		db_rollback(s);
}

/* -------------------------------------------------------- the file as such */

enum err store_checkpoint_if_large(struct store *s)
{
	if (s->tx != DB_TX_NONE)
		BUG("a checkpoint inside a transaction");
	if (s->read_only || !s->engine->is_file || db_wal_used(s) <= STORE_WAL_BYTES)
		return ERR_NONE;
	return db_checkpoint(s, false);
}

enum err store_checkpoint(struct store *s, int64_t bytes)
{
	if (s->tx != DB_TX_NONE)
		BUG("a checkpoint inside a transaction");
	if (s->read_only || !s->engine->is_file || db_wal_size(s) <= bytes)
		return ERR_NONE;
	return db_checkpoint(s, true);
}

enum err store_backup(struct store *s, const char *path, store_progress *progress, void *ctx)
{
	struct failure e = ERR_INIT;
	enum err err;

	if (s->tx != DB_TX_NONE)
		BUG("a backup inside a transaction");
	if (!s->engine->is_file)
		return db_fail(
		    s, ERR_UNSUPPORTED,
		    "a store on PostgreSQL is copied by pg_dump: pg_dump -Fc '%s' >FILE",
		    s->path);
	err = file_create(path, SPAN_EMPTY, &e);
	if (err != ERR_NONE) {
		db_fail(s, err, "%s", e.text.ptr);
		goto out;
	}
	err = db_copy(s, path, progress, ctx);
	if (err != ERR_NONE)
		remove_all(path);
out:
	err_release(&e);
	return err;
}

const char *store_library_version(void)
{
	return engine_sqlite.version(NULL);
}

enum err store_bytes(struct store *s, int64_t *bytes)
{
	return s->engine->bytes(s, bytes);
}

enum err store_describe(struct store *s, struct strbuf *out)
{
	static const struct {
		const char *name, *sql;
	} numbers[] = {
	    {"players", "SELECT count(*) FROM players"},
	    {"games", "SELECT count(*) FROM games"},
	    {"games running", "SELECT count(*) FROM games WHERE status = 1"},
	    {"mails taken in", "SELECT count(*) FROM inbox"},
	    {"mails in quarantine", "SELECT count(*) FROM quarantine"},
	    {"mails sent or to send", "SELECT count(*) FROM outbox"},
	    {"mails to send", "SELECT count(*) FROM outbox WHERE next_try_utc IS NOT NULL"},
	};
	enum err err = s->engine->describe(s, out);

	for (size_t i = 0; err == ERR_NONE && i < sizeof(numbers) / sizeof(numbers[0]); i++)
		err = db_describe_number(s, numbers[i].name, numbers[i].sql, out);
	return err;
}
