/*
 * checkpointer.h - a thread that folds the write-ahead log into the file beside the run. Private to
 * store/.
 *
 * What a run folds at its end it could have folded before, while its disk had little to do. The
 * thread has a connection of its own and makes SQLite's passive checkpoints: of what has been
 * committed it copies what no reader still needs, and nobody waits for it. SQLite keeps in the log's
 * index how far it has come, so the next checkpoint of any connection goes on from there. Log and
 * file are synced as in every checkpoint: the log before a page of it is copied, the file before a
 * page counts as folded.
 *
 * So nothing depends on it: it may be late, be missing or fail at any moment. It reports no error
 * and does nothing more after the first. The pages in question are still in the log, and the run's
 * own checkpoint writes them again into the same file, which the system tells of an earlier failed
 * write too; that one is reported.
 */
#ifndef MOLEPOST_STORE_ENGINE_CHECKPOINTER_H
#define MOLEPOST_STORE_ENGINE_CHECKPOINTER_H

struct checkpointer;

/* Begins nothing yet. `path` is the database's, and is copied. */
struct checkpointer *checkpointer_new(const char *path);
/* Asks for one checkpoint and does not wait. The first one starts the thread and its connection. */
void checkpointer_wake(struct checkpointer *c);
/* Until all that was asked for is done: a checkpoint of another connection would find it busy. */
void checkpointer_wait(struct checkpointer *c);
/*
 * Waits for what is in hand, and forgets what has only been asked for. Before the connection beside
 * it is closed. NULL is fine.
 */
void checkpointer_free(struct checkpointer *c);

#endif
