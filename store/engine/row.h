/*
 * row.h - statements whose parameters and columns are read and written as they are. Private to store/.
 *
 * One call carries out one statement: its SQL, a literal as in db.h; its parameters, in the order of their
 * question marks; and the shape of its rows, which says which member of a struct each column becomes:
 *
 *	static const struct row_shape rematch_row =
 *	    ROW_SHAPE(struct rematch, COLUMNS(struct rematch, game, of, kept_utc));
 *
 *	return row_get(s, "SELECT game, of, kept_utc FROM rematches WHERE game = ?", ARGS(game),
 *	               &rematch_row, NULL, out, "such rematch");
 *
 * The types of members and parameters are looked at by the compiler. What it cannot see is a BUG in every build:
 * more or fewer parameters than question marks; more or fewer columns than the shape has; a column declared as
 * text where the shape has a number, or the other way round; an `out` that is not as large as a row of that shape.
 *
 * A value that is not what its column should hold is ERR_CORRUPT, as in db.h: of another kind, a number that
 * does not fit, a digest of another length. NULL reads as 0, false, "" or a digest of zeros.
 *
 * Texts that are read are copied into the arena, and live as long as it does; it may be NULL for a shape without
 * texts. Parameters are borrowed for the call. Besides what each function lists, all may return what store.h
 * says any call may.
 *
 * What is sealed is opened as it is read (COLUMN_SEALED), and sealed as it is bound
 * (row_sealed); what is not as it is in some other way has a COLUMN_READ.
 */
#ifndef MOLEPOST_STORE_ENGINE_ROW_H
#define MOLEPOST_STORE_ENGINE_ROW_H

#include <limits.h>
#include <stddef.h>

#include "store/engine/db.h"

/* -------------------------------------------------------------- parameters */

struct row_arg;
struct row_args {
	const struct row_arg *of;
	size_t n;
};
struct row_arg {
	enum value_kind kind;
	int64_t number;
	struct span bytes;       /* borrowed */
	const char *sealed;      /* the word of its seal; NULL: it goes there as it is */
	struct row_args seal_of; /* what else that is bound to */
	enum seal_form form;
};

/* Of numbers and truth values of any size, struct span, C strings, pointers to a struct hash; or of these: */
struct row_arg row_null(void);
struct row_arg row_ref(int64_t id); /* a reference to a row; 0 is NULL */
struct row_arg row_text_or_null(struct span text);
struct row_arg row_hash_or_null(const struct hash *d); /* zero is NULL */
static inline struct row_arg row_blob(struct span bytes)
{
	return (struct row_arg){.kind = VALUE_BLOB, .bytes = bytes};
}
/* `plain` as bytes, sealed: bound to that word and the values behind it, as sealed.h lists them. */
struct row_arg row_sealed(enum seal_form form, const char *word, struct row_args of,
                          struct span plain);

#define ARGS(...)                                                                            \
	((struct row_args){(const struct row_arg[]){ROW_EACH(ROW_ARG, unused, __VA_ARGS__)}, \
	                   ROW_COUNT(__VA_ARGS__)})
#define NO_ARGS ((struct row_args){NULL, 0})

/* ------------------------------------------------------------------ shapes */

/* Reads the next columns into a row whose columns before are read already. Spoils the query (db_spoil). */
typedef void row_read_fn(struct query *q, struct arena *arena, void *row);

enum row_kind { ROW_INT64, ROW_INT, ROW_UINT, ROW_BOOL, ROW_TEXT, ROW_HASH, ROW_READ };

struct row_column {
	enum row_kind kind;
	unsigned last; /* of ROW_UINT: the highest number there is */
	size_t at;     /* offset of the member */
	int columns;   /* of ROW_READ: how many it reads, else 1 */
	row_read_fn *read;
	const struct row_seal *seal; /* of a text or digest that is sealed; else NULL */
};
/* What that seal is bound to: a word, and members that were read before. */
struct row_seal {
	enum seal_form form;
	const char *word;
	const struct row_column *of;
	size_t n;
};
enum { ROW_SEAL_MOST = 8 };

struct row_shape {
	size_t size; /* of the struct */
	const struct row_column *columns;
	size_t n;
};

/* The columns, in the order in which they stand in the SQL. */
#define ROW_SHAPE(type, ...)                                            \
	{                                                               \
		sizeof(type), (const struct row_column[]){__VA_ARGS__}, \
		    sizeof((const struct row_column[]){__VA_ARGS__}) /  \
			sizeof(struct row_column)                       \
	}
/* Members of these types: int64_t, int, unsigned (and uint32_t), bool, struct span, struct hash. */
#define COLUMNS(type, ...) ROW_EACH(ROW_COLUMN, type, __VA_ARGS__)
/* A member that is an enum, whose highest value is `last_`. */
#define COLUMN_ENUM(type, member, last_)                                                    \
	{                                                                                   \
		.kind = ROW_KIND(type, member), .at = offsetof(type, member), .columns = 1, \
		.last = (last_)                                                             \
	}
/* A text, or digest, that is sealed: form, word, members as sealed.h lists them. */
#define COLUMN_SEALED(type, member, form_, word_, ...)                                      \
	{                                                                                   \
		.kind = ROW_KIND(type, member), .at = offsetof(type, member), .columns = 1, \
		.seal = &(const struct row_seal)                                            \
		{                                                                           \
			form_, word_,                                                       \
			    (const struct row_column[]){                                    \
				ROW_EACH(ROW_COLUMN, type, __VA_ARGS__)},                   \
			    ROW_COUNT(__VA_ARGS__)                                          \
		}                                                                           \
	}
#define COLUMN_READ(columns_, read_)                                     \
	{                                                                \
		.kind = ROW_READ, .columns = (columns_), .read = (read_) \
	}

/* Of rows that are one value: an int64_t, an unsigned, a bool, a struct span. */
extern const struct row_shape row_int64, row_uint, row_bool, row_text;

/* ----------------------------------------------------------------- reading */

/* The first row. ERR_NOT_FOUND with "no WHAT", and *out left as it is, when there is none. */
#define row_get(s, sql, args, shape, arena, out, what) \
	row_get_sized(s, sql, args, shape, arena, out, sizeof(*(out)), what)
/* As row_get, but that there is none is no error: what no column is read into is all zero. */
#define row_find(s, sql, args, shape, arena, out) \
	row_get_sized(s, sql, args, shape, arena, out, sizeof(*(out)), NULL)
/* All rows, as an array in the arena: *out its first, *n how many; NULL and 0 when there are none. */
#define row_list(s, sql, args, shape, arena, out, n) \
	row_list_sized(s, sql, args, shape, arena, out, sizeof(**(out)), n)
/* As many rows as there are, `max` at most, into the caller's array. */
#define row_fill(s, sql, args, shape, out, max, n) \
	row_fill_sized(s, sql, args, shape, out, sizeof(*(out)), max, n)
/* Whether there is a row. */
enum err row_exists(struct store *s, const char *sql, struct row_args args,
                    bool *yes) MUST_CHECK;
/* The row a query stands at (db_next), beginning with the next column. The arena may be emptied between rows. */
void row_read(struct query *q, const struct row_shape *shape, struct arena *arena, void *out);

/* ----------------------------------------------------------------- writing */

enum { ROW_PUT_MOST = 16 }; /* columns of a shape that is put */

/* A BUG outside a transaction, as db_write, and carried out as late as db_run. */
enum err row_do(struct store *s, const char *sql, struct row_args args) MUST_CHECK;
/* As row_do, and as db_write_of. */
enum err row_do_of(struct store *s, int64_t game, const char *sql,
                   struct row_args args) MUST_CHECK;
/* As row_do; its parameters are the members of `in`, a row of that shape, which has no COLUMN_READ. */
enum err row_put(struct store *s, const char *sql, const struct row_shape *shape,
                 const void *in) MUST_CHECK;
/* At once. ERR_NOT_FOUND with "no WHAT" when no row was changed. */
enum err row_do_one(struct store *s, const char *sql, struct row_args args,
                    const char *what) MUST_CHECK;
/* As db_run_expected: late, and ERR_CORRUPT when no row was changed. what: a literal. */
enum err row_do_expected(struct store *s, const char *sql, struct row_args args,
                         const char *what) MUST_CHECK;
/* At once. *rows: how many were changed. */
enum err row_do_count(struct store *s, const char *sql, struct row_args args,
                      unsigned *rows) MUST_CHECK;
/*
 * The number behind the last one in a table from which no row is ever taken, for which `sql` asks: once in a
 * transaction, if whoever adds rows counts *known, a member of db_known, on.
 */
enum err row_next_id(struct store *s, const char *sql, int64_t *known, int64_t *id) MUST_CHECK;
/* Binds the next parameters of a query, as the bind_ functions of db.h do. */
void row_bind(struct query *q, struct row_args args);

/* ------------------------------------------- what the macros above are made of */

enum err row_get_sized(struct store *s, const char *sql, struct row_args args,
                       const struct row_shape *shape, struct arena *arena, void *out,
                       size_t size, const char *what) MUST_CHECK;
enum err row_list_sized(struct store *s, const char *sql, struct row_args args,
                        const struct row_shape *shape, struct arena *arena, void *out,
                        size_t size, size_t *n) MUST_CHECK;
enum err row_fill_sized(struct store *s, const char *sql, struct row_args args,
                        const struct row_shape *shape, void *out, size_t size, size_t max,
                        size_t *n) MUST_CHECK;

static inline struct row_arg row_arg_int(int64_t v)
{
	return (struct row_arg){.kind = VALUE_INT, .number = v};
}
static inline struct row_arg row_arg_size(unsigned long v)
{
	return row_arg_int((int64_t)v);
}
static inline struct row_arg row_arg_text(struct span v)
{
	return (struct row_arg){.kind = VALUE_TEXT, .bytes = v};
}
static inline struct row_arg row_arg_cstr(const char *v)
{
	return row_arg_text(span_of(v));
}
static inline struct row_arg row_arg_hash(const struct hash *v)
{
	return row_blob(hash_span(v));
}
static inline struct row_arg row_arg_itself(struct row_arg v)
{
	return v;
}

/* clang-format off */
#define ROW_ARG(unused, v)                       \
	_Generic((v),                            \
		bool: row_arg_int,               \
		int: row_arg_int,                \
		unsigned: row_arg_int,           \
		long: row_arg_int,               \
		long long: row_arg_int,          \
		unsigned long: row_arg_size,     \
		struct span: row_arg_text,       \
		char *: row_arg_cstr,            \
		const char *: row_arg_cstr,      \
		struct hash *: row_arg_hash,     \
		const struct hash *: row_arg_hash, \
		struct row_arg: row_arg_itself)(v)

#define ROW_KIND(type, member)            \
	_Generic(((type *)0)->member,     \
		int64_t: ROW_INT64,       \
		int: ROW_INT,             \
		unsigned: ROW_UINT,       \
		bool: ROW_BOOL,           \
		struct span: ROW_TEXT,    \
		struct hash: ROW_HASH)
/* clang-format on */

#define ROW_COLUMN(type, member)                                                            \
	{                                                                                   \
		.kind = ROW_KIND(type, member), .at = offsetof(type, member), .columns = 1, \
		.last = UINT_MAX                                                            \
	}

/* m(t, a), m(t, b), ... for each of up to 24. */
#define ROW_EACH(m, t, ...) ROW_EACH_(ROW_COUNT(__VA_ARGS__), m, t, __VA_ARGS__)
#define ROW_EACH_(n, m, t, ...) ROW_EACH__(n, m, t, __VA_ARGS__)
#define ROW_EACH__(n, m, t, ...) ROW_EACH_##n(m, t, __VA_ARGS__)
#define ROW_COUNT(...)                                                                       \
	ROW_25TH(__VA_ARGS__, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, \
	         8, 7, 6, 5, 4, 3, 2, 1, 0)
#define ROW_25TH(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, \
                 a18, a19, a20, a21, a22, a23, a24, n, ...)                                  \
	n
#define ROW_EACH_1(m, t, a) m(t, a)
#define ROW_EACH_2(m, t, a, ...) m(t, a), ROW_EACH_1(m, t, __VA_ARGS__)
#define ROW_EACH_3(m, t, a, ...) m(t, a), ROW_EACH_2(m, t, __VA_ARGS__)
#define ROW_EACH_4(m, t, a, ...) m(t, a), ROW_EACH_3(m, t, __VA_ARGS__)
#define ROW_EACH_5(m, t, a, ...) m(t, a), ROW_EACH_4(m, t, __VA_ARGS__)
#define ROW_EACH_6(m, t, a, ...) m(t, a), ROW_EACH_5(m, t, __VA_ARGS__)
#define ROW_EACH_7(m, t, a, ...) m(t, a), ROW_EACH_6(m, t, __VA_ARGS__)
#define ROW_EACH_8(m, t, a, ...) m(t, a), ROW_EACH_7(m, t, __VA_ARGS__)
#define ROW_EACH_9(m, t, a, ...) m(t, a), ROW_EACH_8(m, t, __VA_ARGS__)
#define ROW_EACH_10(m, t, a, ...) m(t, a), ROW_EACH_9(m, t, __VA_ARGS__)
#define ROW_EACH_11(m, t, a, ...) m(t, a), ROW_EACH_10(m, t, __VA_ARGS__)
#define ROW_EACH_12(m, t, a, ...) m(t, a), ROW_EACH_11(m, t, __VA_ARGS__)
#define ROW_EACH_13(m, t, a, ...) m(t, a), ROW_EACH_12(m, t, __VA_ARGS__)
#define ROW_EACH_14(m, t, a, ...) m(t, a), ROW_EACH_13(m, t, __VA_ARGS__)
#define ROW_EACH_15(m, t, a, ...) m(t, a), ROW_EACH_14(m, t, __VA_ARGS__)
#define ROW_EACH_16(m, t, a, ...) m(t, a), ROW_EACH_15(m, t, __VA_ARGS__)
#define ROW_EACH_17(m, t, a, ...) m(t, a), ROW_EACH_16(m, t, __VA_ARGS__)
#define ROW_EACH_18(m, t, a, ...) m(t, a), ROW_EACH_17(m, t, __VA_ARGS__)
#define ROW_EACH_19(m, t, a, ...) m(t, a), ROW_EACH_18(m, t, __VA_ARGS__)
#define ROW_EACH_20(m, t, a, ...) m(t, a), ROW_EACH_19(m, t, __VA_ARGS__)
#define ROW_EACH_21(m, t, a, ...) m(t, a), ROW_EACH_20(m, t, __VA_ARGS__)
#define ROW_EACH_22(m, t, a, ...) m(t, a), ROW_EACH_21(m, t, __VA_ARGS__)
#define ROW_EACH_23(m, t, a, ...) m(t, a), ROW_EACH_22(m, t, __VA_ARGS__)
#define ROW_EACH_24(m, t, a, ...) m(t, a), ROW_EACH_23(m, t, __VA_ARGS__)

#endif
