/*
 * db.h - the one layer between the modules of store/ and the database. Private to store/.
 *
 * Which database that is, SQLite or PostgreSQL, shows in no module: engine.h.
 *
 * A statement is run like this; parameters are bound and columns are read in
 * the order in which they stand in the SQL; too few or too many parameters are a BUG:
 *
 *	struct query q = db_read(s, "SELECT name, mails FROM seats WHERE game = ?");
 *	bind_int(&q, game);
 *	if (db_next(&q)) {
 *		out->name = col_text(&q, arena);
 *		out->mails = col_uint(&q);
 *	}
 *	return db_end(&q);
 *
 * Errors stick to the query: after one, binding and reading do nothing
 * harmful, db_next says false, and db_end returns it (with the story in
 * store_error). Every query is ended by db_end or db_run, exactly once.
 *
 * SQL is always a string literal. Its statement is prepared once per
 * connection and kept, found again by the literal's address.
 */
#ifndef MOLEPOST_STORE_ENGINE_DB_H
#define MOLEPOST_STORE_ENGINE_DB_H

#include "store/engine/store.h"

struct engine;

enum value_kind { VALUE_NULL, VALUE_INT, VALUE_TEXT, VALUE_BLOB };

/* A prepared statement, kept for the next time. */
struct db_slot {
	const char *sql;
	const void *shape; /* of rows that it was found to have (row.c) */
	void *stmt;        /* the engine's */
	bool in_use;
};

enum { DB_SLOTS = 512 }; /* a power of two, several times the number of statements there are */

enum db_tx { DB_TX_NONE, DB_TX_FULL, DB_TX_RELAXED };

enum { SHORT_HASH_LEN = 16 }; /* see sealed.h */

enum { DB_PAGE_BYTES = 8192 }; /* as store_create makes the file */

/*
 * What the open transaction has found out, to be asked for once and not for every mail; all zero
 * when nothing is known. Forgotten when rows may have gone back to what they were.
 */
struct db_known {
	/* The numbers of the next rows there (row_next_id). */
	int64_t next_game, next_player, next_inbox, next_outbox;
	int64_t source;        /* the row of `source_url` */
	int64_t forgotten_day; /* before this day there are no rows in sender_days */
	struct hash mail[3];   /* what the mail asked for last is known by (inbox.c) ... */
	unsigned char mail_macs[3][SHORT_HASH_LEN]; /* ... and what stands in its row */
};

struct store {
	const struct engine *engine;
	void *connection;           /* the engine's */
	const struct keyring *keys; /* borrowed */
	char *path;                 /* of the file, or a URL without its password */
	bool read_only;
	enum db_tx tx;
	bool savepoint;     /* inside the transaction */
	bool asks_ahead;    /* see store_ask_ahead */
	unsigned asked_age; /* of the engine, when something was last asked ahead */
	/*
	 * See store_about. What it is about now, counted over all that was ever asked, 0: nothing in particular;
	 * what comes before the first of those asked about last; the highest so far.
	 */
	unsigned about, about_before, about_most;
	int64_t about_game;
	struct db_known known;
	struct strbuf source_url; /* see known */
	store_words_fn *words;    /* see store_words */
	void *words_ctx;
	int wal_pages;          /* in the log after the last commit */
	struct failure failure; /* of the last failing call */
	struct strbuf context;  /* scratch of sealed.c: what a seal is bound to */
	struct strbuf sealed;   /* scratch of sealed.c: bytes about to be bound */
	char *instance, *host;  /* of the server row */
	unsigned char address[SHORT_HASH_LEN]; /* scratch of sealed.c: see row_address */
	unsigned nslots;
	struct db_slot slots[DB_SLOTS];
};

/* --- the connection (db.c) --- */

/*
 * Opens a file, or connects to postgresql://..., and writes nothing. The file with every setting of the
 * house: WAL as it is, synchronous=FULL, foreign keys, no checkpoint but by db_checkpoint, not even when
 * it is closed. ERR_NOT_FOUND, ERR_DENIED, ERR_CORRUPT; ERR_IO: no connection.
 */
enum err db_open(const char *path, bool read_only, struct store **out,
                 struct failure *e) MUST_CHECK;
void db_close(struct store *s);
/*
 * Any number of statements without parameters or rows. The only way to run SQL that is not a
 * literal.
 */
enum err db_exec(struct store *s, const char *sql) MUST_CHECK;
/* Carries out COMMIT. */
enum err db_commit(struct store *s) MUST_CHECK;
/* Until it ends references are looked at only by the commit. In a transaction. */
enum err db_defer_references(struct store *s) MUST_CHECK;
/* Ends an open transaction without a trace; keeps the failure as it is. */
void db_rollback(struct store *s);
/* What an outline says, in words (store_words); ERR_UNSUPPORTED when nobody here can. */
enum err db_words(struct store *s, struct span message_id, struct span outline,
                  struct strbuf *message) MUST_CHECK;
/* Sets the failure of the store and returns its code. */
enum err db_fail(struct store *s, enum err code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Synchronous for the next transactions: FULL, or NORMAL. Outside a transaction. */
void db_set_durable(struct store *s, bool full);
/*
 * Whether a transaction is open and can be committed. SQLite ends one by itself after a full disk or a
 * failed write; PostgreSQL lets one that had an error only be rolled back.
 */
bool db_is_open_tx(const struct store *s);

/* --- the file as such (sqlite.c); of a store that is one, engine->is_file --- */

/*
 * A checkpoint: the log into the file, as far as readers let it; if they do it begins afresh: with
 * `shrink` as an empty file, else over its old bytes, which is cheaper for who goes on writing.
 */
enum err db_checkpoint(struct store *s, bool shrink) MUST_CHECK;
/* Size of the write-ahead log's file. */
int64_t db_wal_size(const struct store *s);
/* Bytes in use in it since it was begun afresh, checkpointed or not; as this connection knows it. */
int64_t db_wal_used(const struct store *s);
/* Copies the committed content into `path`, an empty file. */
enum err db_copy(struct store *s, const char *path, store_progress *progress,
                 void *ctx) MUST_CHECK;
/* Where SQLite puts files it needs for a while: beside the database, or where it does by itself. */
void db_temporary_beside(const struct store *s, bool beside);

/* --- statements (db.c) --- */

struct query {
	struct store *s;
	void *stmt;
	struct db_slot *slot; /* NULL: not kept, finalized at the end */
	enum err err;
	bool writes;                                            /* db_write */
	enum { SPOILS_ALL, SPOILS_OWN, SPOILS_NOTHING } spoils; /* see db_write_of */
	int bound, column; /* how many parameters and columns so far */
};

struct query db_read(struct store *s, const char *sql);
/* As db_read for a statement that changes rows: a BUG outside a transaction. */
struct query db_write(struct store *s, const char *sql);
/*
 * As db_write, where all that is changed is of one game: rows that nothing asked ahead about another can have read
 * (store_about). 0: rows that no answer which is still to be read can have seen, such as a new one of this mail alone.
 */
struct query db_write_of(struct store *s, int64_t game, const char *sql);
/* As db_read for SQL put together at run time (fsck and dump only). */
struct query db_read_text(struct store *s, const char *sql);

/* Ends all statements that are kept; none may be in use. For literals that are none, once they go. */
void db_forget_statements(struct store *s);

void bind_int(struct query *q, int64_t v);
void bind_null(struct query *q);
/* Borrowed until db_end. Text with a NUL inside is stored whole. */
void bind_text(struct query *q, struct span text);
void bind_blob(struct query *q, struct span bytes);
/* A copy is bound, so that scratch memory can be used again. */
void bind_blob_copy(struct query *q, struct span bytes);

/* Steps to the next row. False at the end and after an error. */
bool db_next(struct query *q);
/* NULL reads as 0. */
int64_t col_int(struct query *q);
/* ERR_CORRUPT, and 0, when the number is not from least to most. */
int64_t col_number(struct query *q, int64_t least, int64_t most);
unsigned col_uint(struct query *q);
bool col_bool(struct query *q);
/* A copy in the arena; NULL reads as empty. */
struct span col_text(struct query *q, struct arena *arena);
/* Borrowed until the next db_next or db_end; NULL reads as empty with ptr == NULL. */
struct span col_bytes(struct query *q);
/* NULL reads as zero; ERR_CORRUPT when it is not 32 bytes long. */
void col_hash(struct query *q, struct hash *d);
bool col_is_null(const struct query *q); /* the next column; does not move on */
bool col_is_number(const struct query *q);
void col_skip(struct query *q);
/* How many columns the row has, and the name of one, from 0. */
int col_count(const struct query *q);
const char *col_name(const struct query *q, int column);
/* Whatever it is as text: numbers decimal, text escaped, bytes in hex, NULL as "-". */
void col_add_text(struct query *q, struct strbuf *out);
/* Printable ASCII and UTF-8 as they are, \n, \\ and \xHH for the rest. */
void db_add_escaped(struct strbuf *out, struct span text);

/*
 * Marks the query as failed from outside (a seal that does not open). The first failure stays.
 */
void db_spoil(struct query *q, enum err code);
/* Ends the query; the first error, or ERR_NONE. */
enum err db_end(struct query *q) MUST_CHECK;
/*
 * For statements without rows. What writes may be carried out later, before anything else is read; its error is
 * then that of the next statement, or of the commit.
 */
enum err db_run(struct query *q) MUST_CHECK;
/* The same at once. *rows: how many were changed. */
enum err db_run_count(struct query *q, unsigned *rows) MUST_CHECK;
/* For INSERT ... RETURNING id: steps once and ends. *id 0: nothing was inserted, or it failed. */
enum err db_run_id(struct query *q, int64_t *id) MUST_CHECK;
/*
 * The same as late as db_run, for a row that nobody doubts is there. ERR_CORRUPT, which nobody takes for an
 * answer to a question of their own, when it is not. what: a literal.
 */
enum err db_run_expected(struct query *q, const char *what) MUST_CHECK;
/* For SELECTs that must find a row: db_end, and ERR_NOT_FOUND with "no WHAT" unless found. */
enum err db_end_found(struct query *q, bool found, const char *what) MUST_CHECK;

/* Bit seat-1 of a set of seats; a seat that is not 1 to 32 is a BUG. */
uint32_t seat_bit(unsigned seat);

/* --- lists of rows in an arena (db.c) --- */

/*
 * Grows an array inside an arena by doubling: returns the place for one more element.
 * The abandoned halves go away with the arena.
 */
void *list_add(struct arena *arena, void **items, size_t *n, size_t size);

#endif
