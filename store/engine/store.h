/*
 * store.h - the database as one handle.
 *
 * Everything durable lives in one SQLite file, opened here. The modules beside
 * this file (players, games, turns, orders, inbox, outbox, audit) are the only
 * readers and writers of its tables; what design calls sealed is sealed and
 * opened inside them, so that callers hand over and get back plain text and no
 * plain text reaches a page of the file.
 *
 * Every function that can fail returns enum err; the sentence that goes with it
 * is store_error(s)->text, good until the next failing call. Besides what each
 * prototype lists, any call may return ERR_BUSY (another process writes),
 * ERR_FULL (disk full), ERR_IO, ERR_CORRUPT (a row does not check or open).
 *
 * Writers call store_begin (BEGIN IMMEDIATE), then any writing functions, then
 * store_commit; a writing function outside a transaction is a BUG.
 */
#ifndef MOLEPOST_STORE_ENGINE_STORE_H
#define MOLEPOST_STORE_ENGINE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/base/seal.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

struct store;

/*
 * Whether a store is named by "postgresql://user@host/database" (or "postgres://"), with what libpq takes
 * behind it; everything else is the path of a file of SQLite.
 */
bool store_is_url(const char *name);

/* Makes a new database (ERR_EXISTS if the file is there) with the present schema. `host` is the
   name of this machine: another host refuses to run on the file. */
enum err store_create(const char *path, const char *instance, const char *host, int64_t now_utc,
                      struct failure *e) MUST_CHECK;

enum store_mode { STORE_READ_WRITE, STORE_READ_ONLY };
/*
 * Opens an existing database; migrates an older schema. ERR_NOT_FOUND, ERR_UNSUPPORTED (newer
 * schema, named), ERR_INVALID (not ours), ERR_BUSY, ERR_IO. `keys` is borrowed until
 * store_close.
 */
enum err store_open(const char *path, enum store_mode mode, const struct keyring *keys,
                    struct store **out, struct failure *e) MUST_CHECK;
void store_close(struct store *s); /* NULL is fine */
/*
 * Connects again to a database that has gone away; *lost says whether it had. What was in a transaction is
 * lost, as by a power cut. Not inside one.
 */
enum err store_mend(struct store *s, bool *lost) MUST_CHECK;
/*
 * What only one of the machines that work on a store may do at a time: a run up to where it sends, and to begin
 * sending. The lock belongs to the connection, so that who loses it can write nothing more either, and it is
 * free as soon as the database knows that a machine has gone. ERR_BUSY: another has it, whose name is in
 * store_error; *held_s: and has been connected for so long. A file has one machine: there it is always granted.
 */
enum store_lock { STORE_LOCK_RUN = 1, STORE_LOCK_SEND };
enum err store_lock(struct store *s, enum store_lock which, int64_t *held_s) MUST_CHECK;
/*
 * Who sends lets others send as well, once it has seen to what one that died had in hand; and they `join`, without
 * seeing to that: ERR_BUSY while it is not shared. Unlocked the same way.
 */
enum err store_lock_share(struct store *s, enum store_lock which, bool join) MUST_CHECK;
void store_unlock(struct store *s, enum store_lock which);
const struct failure *store_error(const struct store *s);
const struct keyring *store_keys(const struct store *s);
/* As recorded at init; borrowed. */
const char *store_instance(const struct store *s);
const char *store_host(const struct store *s);
/*
 * Whether the keys are those this database has been used with; those seen for the first time by a handle
 * that may write are remembered. ERR_DENIED. Not inside a transaction.
 */
enum err store_check_keys(struct store *s, int64_t now_utc) MUST_CHECK;
enum err store_set_host(struct store *s, const char *host) MUST_CHECK; /* writes */

/* Of a server ERR_BUSY may be met only by the next question, with which the beginning is sent. */
enum err store_begin(struct store *s) MUST_CHECK;
/* A commit that fails is taken back: afterwards no transaction is open either way. */
enum err store_commit(struct store *s) MUST_CHECK;
/*
 * Mails of the outbox may be stored in outline; `words` appends the mail that an outline stands for, the
 * same bytes each time, without touching the store. ERR_UNSUPPORTED: an outline it does not know.
 */
typedef enum err store_words_fn(void *ctx, struct span message_id, struct span outline,
                                struct strbuf *message);
void store_words(struct store *s, store_words_fn *words, void *ctx);
/*
 * A pair of its own: a transaction that survives the death of the process but need not survive
 * a power cut (synchronous=NORMAL, no fsync), for marks whose loss costs only a repeated
 * attempt. Begun and committed by these two; mixing them with the pair above is a BUG.
 */
enum err store_begin_relaxed(struct store *s) MUST_CHECK;
enum err store_commit_relaxed(struct store *s) MUST_CHECK;
/* Until store_rollback all is read as it is at the first look, whatever others write. */
enum err store_begin_reading(struct store *s) MUST_CHECK;
void store_rollback(struct store *s); /* fine outside a transaction */
/* Commits what either of them has begun, or takes it back where `rc` is not ERR_NONE; what came of it all. */
enum err store_end(struct store *s, enum err rc) MUST_CHECK;
bool store_in_transaction(const struct store *s);
/* A point inside the open transaction to which one mail or turn can be taken back. */
enum err store_savepoint(struct store *s) MUST_CHECK;
/* After an error, which may be one of a statement before, the savepoint is still there to go back to. */
enum err store_savepoint_release(struct store *s) MUST_CHECK;
void store_savepoint_rollback(struct store *s);
/*
 * What is read between these two is only asked: nothing is found. A server answers all of it together, and who then
 * reads the same finds its answer there, once; unless something was written, or a transaction begun or ended, in
 * between. False: there is a file, which answers at once; nothing is to be asked, nor ended.
 */
bool store_ask_ahead(struct store *s) MUST_CHECK;
void store_asked_ahead(struct store *s);
/*
 * What several games, or mails, will read is asked in one go; no two are of one game or one sender. Asking about each,
 * and again when it is dealt with, in the same order, the caller gives its place among them, from 1, and its game, 0
 * for a mail about none. Then rows of that game or mail that are written (db_write_of), or of a game that the mail has
 * made, leave the answers for those behind it as they are. All else that is written spoils them, and so does what is
 * written about place 0, nothing in particular. While one is dealt with more may be asked ahead for it.
 */
void store_about(struct store *s, size_t which, int64_t game);
/* Whether nothing has spoilt them all since the last store_ask_ahead. */
bool store_answers_hold(const struct store *s);
/* What a question that was only asked has come to: nothing. Its error is met again by who reads it. */
static inline void store_only_asked(enum err rc)
{
	(void)rc;
}
/* How large the log may grow before a run makes a checkpoint. */
enum { STORE_WAL_BYTES = 128 * 1024 * 1024 };
/* How much of it a run may leave behind: whoever opens the file next reads all of it. */
enum { STORE_WAL_REST_BYTES = 512 * 1024 };
/*
 * In the middle of a run, after a commit: once the write-ahead log holds more than STORE_WAL_BYTES its
 * pages are copied into the database's file, and the log goes on from its beginning. Two fsyncs, and one
 * more at the next commit.
 */
enum err store_checkpoint_if_large(struct store *s) MUST_CHECK;
/*
 * At the end of one: the same, and the log is emptied, when its file is larger than `bytes`
 * (0 = always), at the same price. Nothing else ever does either. Whoever opens the file next reads the log
 * through, 0.3 ms for each MiB, so a run that wrote should leave a small one.
 */
enum err store_checkpoint(struct store *s, int64_t bytes) MUST_CHECK;
/* How far a long step is: pages done, of how many. */
typedef void store_progress(void *ctx, int64_t done, int64_t total);
/* A consistent copy by SQLite's backup API into a new file; `progress` may be NULL. ERR_EXISTS. */
enum err store_backup(struct store *s, const char *path, store_progress *progress,
                      void *ctx) MUST_CHECK;
/*
 * Pages that hold nothing go, some at a time: stopped in the middle it goes on where it was. The first time
 * the file is written anew instead, for which its size is needed once more on the disk.
 */
enum err store_shrink(struct store *s, store_progress *progress, void *ctx) MUST_CHECK;
/* Of SQLite; borrowed. */
const char *store_library_version(void);
/* What it takes on its disk, in bytes: of a file with its log. */
enum err store_bytes(struct store *s, int64_t *bytes) MUST_CHECK;
/* Free pages, sizes and the like as "name: value" lines, for doctor. */
enum err store_describe(struct store *s, struct strbuf *out) MUST_CHECK;

#endif
