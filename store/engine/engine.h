/*
 * engine.h - what db.c asks of a database engine. Private to store/engine.
 *
 * There are two: SQLite (sqlite.c), a file beside the configuration, which is what nearly everybody wants;
 * and PostgreSQL (postgresql.c), whose library is loaded only when a store is named by postgresql://.
 * Modules of store/ see neither. What both understand is written once, in the SQL of the modules; what they
 * do not is settled here: placeholders, transactions, types of values, the schema's version.
 *
 * Errors are those of db.h, with the story in the store's failure.
 */
#ifndef MOLEPOST_STORE_ENGINE_ENGINE_H
#define MOLEPOST_STORE_ENGINE_ENGINE_H

#include "store/engine/db.h"

/* FAILED: open, but good for nothing but going back, to the savepoint or altogether. */
enum tx_state { TX_NONE, TX_OPEN, TX_FAILED };

struct engine {
	bool is_file; /* the store's path is that of a file */

	/* `s->path` and `s->read_only` are set; s->connection is to be. */
	enum err (*open)(struct store *s);
	void (*close)(struct store *s);
	/* Whether the connection has gone, and making it anew; NULL: of a file neither can be said. */
	bool (*is_lost)(const struct store *s);
	enum err (*reconnect)(struct store *s);
	const char *(*version)(const struct store *s);
	/* See store_lock and what follows it; NULL: there is nobody to share with. */
	enum err (*lock)(struct store *s, enum store_lock which, int64_t *held_s);
	enum err (*share)(struct store *s, enum store_lock which, bool join);
	void (*unlock)(struct store *s, enum store_lock which);
	enum err (*bytes)(struct store *s, int64_t *bytes);
	/* Whether tables can be made in it: ERR_INVALID, ERR_DENIED, ERR_UNSUPPORTED with the way to mend it. Of a server. */
	enum err (*check_place)(struct store *s);
	/* What it is and holds, as "name: value" lines. */
	enum err (*describe)(struct store *s, struct strbuf *out);

	/* Any number of statements without parameters or rows. */
	enum err (*exec)(struct store *s, const char *sql);
	/* To write in. That another writes may be met only by the next statement that is stepped. */
	enum err (*begin)(struct store *s);
	const char *begin_reading; /* all as of one moment */
	enum tx_state (*tx)(const struct store *s);
	/* Around a relaxed transaction; NULL: none is. */
	void (*set_durable)(struct store *s, bool full);
	/* Rows changed by the last statement that was stepped. */
	unsigned (*changes)(const struct store *s);

	/* 0: nothing has been made in it. ours: it is a molepost database. */
	enum err (*schema_version)(struct store *s, unsigned *version, bool *ours);
	/* Statements for exec() that note the version. */
	void (*note_schema)(unsigned version, struct strbuf *sql);
	/* Behind a copy of all rows; NULL: nothing. */
	const char *after_copy;
	/* Until the end of the transaction references are looked at only when it is committed. */
	const char *defer_references;
	/* For fsck: what is wrong with the schema itself, a sentence in `why`; NULL: the server sees to that. */
	enum err (*check_schema)(struct store *s, struct strbuf *why);
	/*
	 * Whether references are looked at: off while migrations are carried out. NULL: a table
	 * that others refer to can be altered all the same.
	 */
	enum err (*references)(struct store *s, bool on);

	/* Sets q->stmt, or q->err. `keep`: it will be used again. */
	void (*prepare)(struct query *q, const char *sql, bool keep);
	void (*finalize)(void *stmt);
	/* Ready to be bound anew. */
	void (*reset)(void *stmt);
	/* True: a row. False: none, or q->err. */
	bool (*next_row)(struct query *q);
	/*
	 * For a statement that writes, of which nobody asks what came of it: it may be carried out later, at
	 * the latest by the next one that is stepped or the commit, whose error its error then is; so is
	 * ERR_CORRUPT, if it changed no row and `expected` names one, a literal. NULL: it is stepped.
	 */
	void (*run_unasked)(struct query *q, const char *expected);
	/* See store_ask_ahead; NULL: a file answers at once. */
	void (*ask_ahead)(struct query *q);
	/* Counts what spoils the answers to all that was asked ahead. */
	unsigned (*age)(const struct store *s);
	/* Parameter `at`, from 1. Text and bytes are borrowed until reset, or copied. */
	void (*bind_int)(struct query *q, int at, int64_t v);
	void (*bind_null)(struct query *q, int at);
	void (*bind_bytes)(struct query *q, int at, enum value_kind kind, struct span bytes,
	                   bool copy);
	/* How many parameters there are. */
	int (*params)(const struct query *q);
	/* Column `at`, from 0. */
	int64_t (*col_int)(struct query *q, int at);
	struct span (*col_bytes)(struct query *q, int at);
	enum value_kind (*col_kind)(const struct query *q, int at);
	/* As what it is declared; VALUE_NULL when that is not known. Of a statement that has been stepped. */
	enum value_kind (*col_declared)(const struct query *q, int at);
	int (*col_count)(const struct query *q);
	const char *(*col_name)(const struct query *q, int at);
};

extern const struct engine engine_sqlite, engine_postgresql;

/* What a new store gets beside its tables: the row that names the server, or all rows of another. */
typedef enum err store_fill_fn(struct store *s, void *ctx);
/* As store_create, with that (store.c). */
enum err store_create_filled(const char *path, store_fill_fn *fill, void *ctx,
                             struct failure *e) MUST_CHECK;

/* "name: number" of a query for one. */
enum err db_describe_number(struct store *s, const char *name, const char *sql,
                            struct strbuf *out) MUST_CHECK;

#endif
