/*
 * lock.h - one run at a time: flock on a file, gone with the process.
 */
#ifndef MOLEPOST_PROCESSOR_SERVER_LOCK_H
#define MOLEPOST_PROCESSOR_SERVER_LOCK_H

#include "processor/base/err.h"

/* ERR_BUSY when another process holds it; ERR_IO. *fd stays open while the lock is held. */
enum err lock_take(const char *path, int *fd, struct failure *e) MUST_CHECK;
void lock_drop(int *fd);

#endif
