/*
 * lock.h - one run at a time: flock on a file, gone with the process.
 *
 * Who finds it held notes when in a file beside it (LOCK.busy), which the next to get it removes: so of a
 * run that hangs the later ones can tell.
 */
#ifndef MOLEPOST_PROCESSOR_SERVER_LOCK_H
#define MOLEPOST_PROCESSOR_SERVER_LOCK_H

#include <stdint.h>

#include "processor/base/err.h"

/* Behind the name of the lock of the run: that of `molepost wait`. */
#define WAIT_LOCK ".wait"

enum { LOCK_LONG_S = 3600 }; /* no run is at work for longer */

/*
 * ERR_BUSY when another process holds it, ERR_TIMEOUT when it has been found so for more than LOCK_LONG_S;
 * ERR_IO.
 * *fd stays open while the lock is held.
 */
enum err lock_take(const char *path, int64_t now_utc, int *fd, struct failure *e) MUST_CHECK;
void lock_drop(int *fd);

#endif
