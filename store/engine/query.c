/*
 * query.c - the part of db.h that is made of its other part: no engine in here.
 *
 * Trusts nothing that a row says: numbers and digests of the wrong size spoil
 * the query with ERR_CORRUPT.
 */
#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "store/engine/engine.h"

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
