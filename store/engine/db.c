/*
 * db.c - statements as the modules of store/ write them, on whichever engine the store has.
 *
 * Everything read from a row may be damaged: lengths and ranges are checked
 * here, and what does not fit spoils the query with ERR_CORRUPT.
 */
#include "store/engine/db.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "store/engine/engine.h"

/* -------------------------------------------------------------- connection */

void db_close(struct store *s)
{
	if (!s)
		return;
	db_forget_statements(s);
	s->engine->close(s);
	err_release(&s->failure);
	strbuf_release(&s->context);
	strbuf_release(&s->sealed);
	strbuf_release(&s->source_url);
	free(s->instance);
	free(s->host);
	free(s->path);
	free(s);
}

void db_forget_statements(struct store *s)
{
	for (unsigned i = 0; i < DB_SLOTS; i++) {
		if (s->slots[i].stmt)
			s->engine->finalize(s->slots[i].stmt);
		s->slots[i] = (struct db_slot){0};
	}
	s->nslots = 0;
}

enum err db_exec(struct store *s, const char *sql)
{
	return s->engine->exec(s, sql);
}

bool db_is_open_tx(const struct store *s)
{
	return s->engine->tx(s) == TX_OPEN;
}

void db_rollback(struct store *s)
{
	struct failure kept = s->failure;

	if (s->engine->tx(s) == TX_NONE)
		return;
	strbuf_init(&s->failure.text);
	(void)s->engine->exec(s, "ROLLBACK");
	err_release(&s->failure);
	s->failure = kept;
}

enum err db_commit(struct store *s)
{
	struct query q = db_read(s, "COMMIT");

	return db_run(&q);
}

enum err db_defer_references(struct store *s)
{
	return db_exec(s, s->engine->defer_references);
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

void db_set_durable(struct store *s, bool full)
{
	if (s->engine->set_durable)
		s->engine->set_durable(s, full);
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

struct query db_read_text(struct store *s, const char *sql)
{
	struct query q = {.s = s};

	s->engine->prepare(&q, sql, false);
	return q;
}

struct query db_read(struct store *s, const char *sql)
{
	struct query q = {.s = s};
	struct db_slot *slot = slot_of(s, sql);

	if (!slot || slot->in_use)
		return db_read_text(s, sql);
	if (!slot->stmt) {
		s->engine->prepare(&q, sql, true);
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
	q.writes = true;
	/* After a full disk or a failed write SQLite has taken everything back by itself. */
	if (q.err == ERR_NONE && s->engine->tx(s) == TX_NONE)
		q.err = db_fail(s, ERR_IO, "the transaction has been lost to an earlier error");
	return q;
}

struct query db_write_of(struct store *s, int64_t game, const char *sql)
{
	struct query q = db_write(s, sql);

	q.spoils = game == 0                                ? SPOILS_NOTHING
	           : s->about != 0 && game == s->about_game ? SPOILS_OWN
	                                                    : SPOILS_ALL;
	return q;
}

/* Of SQL put together at run time only the plan may be asked for, which needs none. */
static void check_bound(const struct query *q)
{
	if (q->slot && q->bound != q->s->engine->params(q))
		BUG("%d parameters for %s", q->bound, q->slot->sql);
}

bool db_next(struct query *q)
{
	if (q->err != ERR_NONE)
		return false;
	check_bound(q);
	q->column = 0;
	if (!q->s->asks_ahead)
		return q->s->engine->next_row(q);
	if (q->writes)
		BUG("written while questions are asked ahead");
	if (q->slot)
		q->s->engine->ask_ahead(q);
	return false;
}

enum err db_end(struct query *q)
{
	if (q->slot) {
		q->s->engine->reset(q->stmt);
		q->slot->in_use = false;
	} else if (q->stmt) {
		q->s->engine->finalize(q->stmt);
	}
	q->stmt = NULL;
	q->slot = NULL;
	return q->err;
}

/* -------------------------------------------------------------- parameters */

void bind_int(struct query *q, int64_t v)
{
	if (q->err == ERR_NONE)
		q->s->engine->bind_int(q, ++q->bound, v);
}

void bind_null(struct query *q)
{
	if (q->err == ERR_NONE)
		q->s->engine->bind_null(q, ++q->bound);
}

void bind_text(struct query *q, struct span text)
{
	if (q->err == ERR_NONE)
		q->s->engine->bind_bytes(q, ++q->bound, VALUE_TEXT, text, false);
}

void bind_blob(struct query *q, struct span bytes)
{
	if (q->err == ERR_NONE)
		q->s->engine->bind_bytes(q, ++q->bound, VALUE_BLOB, bytes, false);
}

void bind_blob_copy(struct query *q, struct span bytes)
{
	if (q->err == ERR_NONE)
		q->s->engine->bind_bytes(q, ++q->bound, VALUE_BLOB, bytes, true);
}

/* ----------------------------------------------------------------- columns */

int64_t col_int(struct query *q)
{
	return q->s->engine->col_int(q, q->column++);
}

struct span col_bytes(struct query *q)
{
	return q->s->engine->col_bytes(q, q->column++);
}

bool col_is_null(const struct query *q)
{
	return q->s->engine->col_kind(q, q->column) == VALUE_NULL;
}

bool col_is_number(const struct query *q)
{
	return q->s->engine->col_kind(q, q->column) == VALUE_INT;
}

void col_skip(struct query *q)
{
	q->column++;
}

int col_count(const struct query *q)
{
	return q->s->engine->col_count(q);
}

const char *col_name(const struct query *q, int column)
{
	return q->s->engine->col_name(q, column);
}

void col_add_text(struct query *q, struct strbuf *out)
{
	enum value_kind kind = q->s->engine->col_kind(q, q->column);
	struct span bytes;

	if (kind == VALUE_INT) {
		strbuf_addf(out, "%lld", (long long)col_int(q));
		return;
	}
	bytes = col_bytes(q);
	if (kind == VALUE_NULL)
		strbuf_addc(out, '-');
	else if (kind == VALUE_BLOB)
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
	if (q->err == ERR_NONE && q->writes && q->s->engine->run_unasked) {
		check_bound(q);
		q->s->engine->run_unasked(q, NULL);
	} else {
		(void)db_next(q);
	}
	return db_end(q);
}

enum err db_run_expected(struct query *q, const char *what)
{
	unsigned rows = 1;

	if (q->err == ERR_NONE && q->s->engine->run_unasked) {
		check_bound(q);
		q->s->engine->run_unasked(q, what);
		return db_end(q);
	}
	enum err err = db_run_count(q, &rows);
	return err == ERR_NONE && rows == 0 ? db_fail(q->s, ERR_CORRUPT, "no %s", what) : err;
}

enum err db_run_count(struct query *q, unsigned *rows)
{
	(void)db_next(q);
	*rows = q->err == ERR_NONE ? q->s->engine->changes(q->s) : 0;
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

/* ------------------------------------------------------------------ ending */

void db_spoil(struct query *q, enum err code)
{
	if (q->err == ERR_NONE)
		q->err = code;
}

enum err db_run_id(struct query *q, int64_t *id)
{
	*id = db_next(q) ? col_int(q) : 0;
	return db_end(q);
}

enum err db_end_found(struct query *q, bool found, const char *what)
{
	enum err err = db_end(q);

	if (err == ERR_NONE && !found)
		return db_fail(q->s, ERR_NOT_FOUND, "no %s", what);
	return err;
}

/* ----------------------------------------------------------------- columns */

static void damaged(struct query *q, const char *what)
{
	if (q->err == ERR_NONE)
		q->err = db_fail(q->s, ERR_CORRUPT, "database %s: column %s: %s", q->s->path,
		                 col_name(q, q->column - 1), what);
}

int64_t col_number(struct query *q, int64_t least, int64_t most)
{
	int64_t v = col_int(q);

	if (v >= least && v <= most)
		return v;
	damaged(q, "number out of range");
	return 0;
}

unsigned col_uint(struct query *q)
{
	return (unsigned)col_number(q, 0, UINT_MAX);
}

bool col_bool(struct query *q)
{
	return col_int(q) != 0;
}

struct span col_text(struct query *q, struct arena *arena)
{
	return arena_dup(arena, col_bytes(q));
}

void col_hash(struct query *q, struct hash *d)
{
	bool none = col_is_null(q);
	struct span bytes = col_bytes(q);

	memset(d, 0, sizeof(*d));
	if (none)
		return;
	if (bytes.len == HASH_LEN)
		memcpy(d->bytes, bytes.ptr, HASH_LEN);
	else
		damaged(q, "a digest of the wrong length");
}

uint32_t seat_bit(unsigned seat)
{
	ENSURE(seat >= 1 && seat <= 32);
	return (uint32_t)1 << (seat - 1);
}

/* ------------------------------------------------------------------- lists */

void *list_add(struct arena *arena, void **items, size_t *n, size_t size)
{
	/* Full exactly when n is 0 or a power of two from 8 on. */
	if (*n == 0) {
		*items = arena_calloc(arena, 8, size);
	} else if (*n >= 8 && (*n & (*n - 1)) == 0) {
		void *larger = arena_calloc(arena, 2 * *n, size);

		memcpy(larger, *items, *n * size);
		*items = larger;
	}
	return (char *)*items + (*n)++ * size;
}

enum err db_describe_number(struct store *s, const char *name, const char *sql,
                            struct strbuf *out)
{
	struct query q = db_read_text(s, sql);

	if (db_next(&q))
		strbuf_addf(out, "%s: %lld\n", name, (long long)col_int(&q));
	return db_end(&q);
}
