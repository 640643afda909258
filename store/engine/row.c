/*
 * row.c - one statement in one call; made of db.h.
 */
#include "store/engine/row.h"

#include <string.h>

#include "store/engine/engine.h"
#include "store/engine/sealed.h"

/* -------------------------------------------------------------- parameters */

struct row_arg row_null(void)
{
	return (struct row_arg){.kind = VALUE_NULL};
}

struct row_arg row_ref(int64_t id)
{
	return id == 0 ? row_null() : row_arg_int(id);
}

struct row_arg row_text_or_null(struct span text)
{
	return text.len == 0 ? row_null() : row_arg_text(text);
}

struct row_arg row_hash_or_null(const struct hash *d)
{
	return hash_is_zero(d) ? row_null() : row_arg_hash(d);
}

struct row_arg row_sealed(enum seal_form form, const char *word, struct row_args of,
                          struct span plain)
{
	return (struct row_arg){
	    .kind = VALUE_BLOB, .bytes = plain, .sealed = word, .seal_of = of, .form = form};
}

void row_bind(struct query *q, struct row_args args)
{
	for (size_t i = 0; i < args.n; i++) {
		const struct row_arg *a = &args.of[i];

		if (a->sealed)
			bind_sealed(q, a->form, seal_context(q->s, a->sealed, a->seal_of),
			            a->bytes);
		else if (a->kind == VALUE_INT)
			bind_int(q, a->number);
		else if (a->kind == VALUE_NULL)
			bind_null(q);
		else if (a->kind == VALUE_TEXT)
			bind_text(q, a->bytes);
		else
			bind_blob(q, a->bytes);
	}
}

/* ------------------------------------------------------------------ shapes */

const struct row_shape row_int64 = ROW_SHAPE(int64_t, {.kind = ROW_INT64, .columns = 1});
const struct row_shape row_uint =
    ROW_SHAPE(unsigned, {.kind = ROW_UINT, .columns = 1, .last = UINT_MAX});
const struct row_shape row_bool = ROW_SHAPE(bool, {.kind = ROW_BOOL, .columns = 1});
const struct row_shape row_text = ROW_SHAPE(struct span, {.kind = ROW_TEXT, .columns = 1});

static bool is_number(enum row_kind kind)
{
	return kind != ROW_TEXT && kind != ROW_HASH;
}

/* NULL fits everywhere, and is what nothing is known of. */
static bool fits(enum row_kind want, enum value_kind is)
{
	return is == VALUE_NULL || want == ROW_READ || is_number(want) == (is == VALUE_INT);
}

/* Once for each statement that is kept: what it was written for does not change. */
static void check_shape(struct query *q, const char *sql, const struct row_shape *shape)
{
	int at = 0;

	if (q->err != ERR_NONE || q->s->asks_ahead || (q->slot && q->slot->shape == shape))
		return;
	for (size_t i = 0; i < shape->n; i++) {
		const struct row_column *c = &shape->columns[i];

		if (at < col_count(q) && !fits(c->kind, q->s->engine->col_declared(q, at)))
			BUG("column %s is not what it is read as: %s", col_name(q, at), sql);
		at += c->columns;
	}
	if (at != col_count(q))
		BUG("%d columns are read of %s", at, sql);
	if (q->slot)
		q->slot->shape = shape;
}

static struct row_arg member(const struct row_column *c, const void *at)
{
	switch (c->kind) {
	case ROW_INT64:
		return row_arg_int(*(const int64_t *)at);
	case ROW_INT:
		return row_arg_int(*(const int *)at);
	case ROW_UINT:
		return row_arg_int(*(const unsigned *)at);
	case ROW_BOOL:
		return row_arg_int(*(const bool *)at);
	case ROW_TEXT:
		return row_arg_text(*(const struct span *)at);
	case ROW_HASH:
		return row_arg_hash(at);
	case ROW_READ:
		break;
	}
	BUG("a column that is only read is written");
}

static void read_sealed(struct query *q, const struct row_column *c, struct arena *arena,
                        void *row)
{
	const struct row_seal *seal = c->seal;
	struct row_arg of[ROW_SEAL_MOST];
	void *to = (char *)row + c->at;

	ENSURE(seal->n <= ROW_SEAL_MOST);
	for (size_t i = 0; i < seal->n; i++)
		of[i] = member(&seal->of[i], (const char *)row + seal->of[i].at);
	const char *context = seal_context(q->s, seal->word, (struct row_args){of, seal->n});
	if (c->kind == ROW_HASH)
		col_sealed_hash(q, context, to);
	else
		*(struct span *)to = col_sealed_text(q, seal->form, context, arena);
}

static void read_column(struct query *q, const struct row_column *c, struct arena *arena,
                        void *to)
{
	if (!fits(c->kind, q->s->engine->col_kind(q, q->column))) {
		db_spoil(q, db_fail(q->s, ERR_CORRUPT,
		                    "database %s: column %s: a value of another kind",
		                    q->s->path, col_name(q, q->column)));
		return;
	}
	switch (c->kind) {
	case ROW_INT64:
		*(int64_t *)to = col_int(q);
		break;
	case ROW_INT:
		*(int *)to = (int)col_number(q, INT_MIN, INT_MAX);
		break;
	case ROW_UINT:
		*(unsigned *)to = (unsigned)col_number(q, 0, c->last);
		break;
	case ROW_BOOL:
		*(bool *)to = col_bool(q);
		break;
	case ROW_TEXT:
		ENSURE(arena);
		*(struct span *)to = col_text(q, arena);
		break;
	case ROW_HASH:
		col_hash(q, to);
		break;
	case ROW_READ:
		break;
	}
}

void row_read(struct query *q, const struct row_shape *shape, struct arena *arena, void *out)
{
	for (size_t i = 0; i < shape->n; i++) {
		const struct row_column *c = &shape->columns[i];
		int next = q->column + c->columns;

		if (c->kind == ROW_READ)
			c->read(q, arena, out);
		else if (c->seal)
			read_sealed(q, c, arena, out);
		else
			read_column(q, c, arena, (char *)out + c->at);
		q->column = next;
	}
}

/* ----------------------------------------------------------------- reading */

static struct query ask(struct store *s, const char *sql, struct row_args args,
                        const struct row_shape *shape, size_t size)
{
	struct query q = db_read(s, sql);

	if (shape && shape->size != size)
		BUG("a row of %zu bytes is read into %zu: %s", shape->size, size, sql);
	row_bind(&q, args);
	return q;
}

static bool next_row(struct query *q, const char *sql, const struct row_shape *shape)
{
	bool found = db_next(q);

	check_shape(q, sql, shape);
	return found;
}

enum err row_get_sized(struct store *s, const char *sql, struct row_args args,
                       const struct row_shape *shape, struct arena *arena, void *out,
                       size_t size, const char *what)
{
	struct query q = ask(s, sql, args, shape, size);

	if (!what)
		memset(out, 0, size);
	bool found = next_row(&q, sql, shape);
	if (found)
		row_read(&q, shape, arena, out);
	return what ? db_end_found(&q, found, what) : db_end(&q);
}

enum err row_list_sized(struct store *s, const char *sql, struct row_args args,
                        const struct row_shape *shape, struct arena *arena, void *out,
                        size_t size, size_t *n)
{
	struct query q = ask(s, sql, args, shape, size);
	void *items = NULL;

	*n = 0;
	while (next_row(&q, sql, shape))
		row_read(&q, shape, arena, list_add(arena, &items, n, size));
	memcpy(out, &items, sizeof items);
	return db_end(&q);
}

enum err row_fill_sized(struct store *s, const char *sql, struct row_args args,
                        const struct row_shape *shape, void *out, size_t size, size_t max,
                        size_t *n)
{
	struct query q = ask(s, sql, args, shape, size);

	for (*n = 0; *n < max && next_row(&q, sql, shape); (*n)++) {
		memset((char *)out + *n * size, 0, size);
		row_read(&q, shape, NULL, (char *)out + *n * size);
	}
	return db_end(&q);
}

enum err row_exists(struct store *s, const char *sql, struct row_args args, bool *yes)
{
	struct query q = ask(s, sql, args, NULL, 0);

	*yes = db_next(&q);
	return db_end(&q);
}

/* ----------------------------------------------------------------- writing */

static struct query change(struct store *s, const char *sql, struct row_args args)
{
	struct query q = db_write(s, sql);

	row_bind(&q, args);
	return q;
}

enum err row_do(struct store *s, const char *sql, struct row_args args)
{
	struct query q = change(s, sql, args);

	return db_run(&q);
}

enum err row_do_of(struct store *s, int64_t game, const char *sql, struct row_args args)
{
	struct query q = db_write_of(s, game, sql);

	row_bind(&q, args);
	return db_run(&q);
}

enum err row_do_one(struct store *s, const char *sql, struct row_args args, const char *what)
{
	unsigned rows;

	TRY(row_do_count(s, sql, args, &rows));
	return rows > 0 ? ERR_NONE : db_fail(s, ERR_NOT_FOUND, "no %s", what);
}

enum err row_do_expected(struct store *s, const char *sql, struct row_args args,
                         const char *what)
{
	struct query q = change(s, sql, args);

	return db_run_expected(&q, what);
}

enum err row_do_count(struct store *s, const char *sql, struct row_args args, unsigned *rows)
{
	struct query q = change(s, sql, args);

	return db_run_count(&q, rows);
}

enum err row_next_id(struct store *s, const char *sql, int64_t *known, int64_t *id)
{
	enum err err = ERR_NONE;

	*id = *known;
	if (*id == 0)
		err = row_find(s, sql, NO_ARGS, &row_int64, NULL, id);
	if (s->tx != DB_TX_NONE)
		*known = *id;
	return err;
}

enum err row_put(struct store *s, const char *sql, const struct row_shape *shape,
                 const void *in)
{
	struct row_arg args[ROW_PUT_MOST];

	if (shape->n > ROW_PUT_MOST)
		BUG("a row of %zu columns: %s", shape->n, sql);
	for (size_t i = 0; i < shape->n; i++)
		args[i] = member(&shape->columns[i], (const char *)in + shape->columns[i].at);
	return row_do(s, sql, (struct row_args){args, shape->n});
}
