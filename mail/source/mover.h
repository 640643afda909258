/*
 * mover.h - files moved from one folder to another, beside the run when there are many.
 *
 * To move a file takes the system as long as a tenth of all that is done about a mail, and nothing
 * waits for it but the sync of the folders: so a thread does it while the next mails are read. The
 * first of them are moved at once, since a few are not worth a thread. One mover belongs to one thread.
 */
#ifndef MOLEPOST_MAIL_SOURCE_MOVER_H
#define MOLEPOST_MAIL_SOURCE_MOVER_H

#include <stdbool.h>

#include "processor/base/err.h"
#include "processor/base/span.h"

struct mover;

/*
 * Moves one file; *moved is true if it did, and stays as it is if there was nothing to move. Called from
 * either thread: reads only what does not change.
 */
typedef enum err mover_fn(const void *ctx, const char *name, bool *moved, struct failure *e);

/* `ctx` is borrowed. */
struct mover *mover_new(mover_fn *move, const void *ctx);
/* Waits for what is still to be moved. NULL is fine. */
void mover_free(struct mover *m);
/* The error is that of this file; that of one moved later is told by mover_finish. */
enum err mover_add(struct mover *m, struct span name, struct failure *e) MUST_CHECK;
/*
 * Waits until all is moved. *moved: whether any file was since the last time. ERR_IO: of the first
 * that could not be moved; the others were.
 */
enum err mover_finish(struct mover *m, bool *moved, struct failure *e) MUST_CHECK;

#endif
