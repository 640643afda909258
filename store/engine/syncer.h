/*
 * syncer.h - a thread that makes the write-ahead log durable beside the run. Private to store/.
 *
 * To put a large transaction on the disk takes as long as to deal with a few hundred mails, and
 * meanwhile nobody needs to know that it is there. So the log is synced through a descriptor of its
 * own, which the system does not tell from SQLite's: one fdatasync brings over all that has been written
 * to the file before. What was committed and then folded is in the database's file, which a checkpoint syncs
 * before the log is begun afresh.
 */
#ifndef MOLEPOST_STORE_ENGINE_SYNCER_H
#define MOLEPOST_STORE_ENGINE_SYNCER_H

#include <stdbool.h>

#include "processor/base/err.h"

struct syncer;

/* Begins nothing yet. `path` is the database's, and is copied. */
struct syncer *syncer_new(const char *path);
/* What is in the log now is to be synced; does not wait. The first time starts the thread. */
void syncer_ask(struct syncer *y);
/*
 * Until all that was asked for is done. ERR_IO, also each time after the first: after a failed sync nobody
 * knows what is on the disk.
 */
enum err syncer_wait(struct syncer *y, struct failure *e) MUST_CHECK;
bool syncer_is_done(struct syncer *y);
/* Does first what was asked for. NULL is fine. */
void syncer_free(struct syncer *y);

#endif
