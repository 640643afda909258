/*
 * lock.c - flock, because the kernel lets go of it however the process ends.
 *
 * The file stays: deleting it would let two runs hold locks on two files of one name.
 */
#include "processor/server/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "processor/base/banned.h"

static int flock_restarted(int fd)
{
	int r;

	do {
		r = flock(fd, LOCK_EX | LOCK_NB);
	} while (r < 0 && errno == EINTR);
	return r;
}

enum err lock_take(const char *path, int *fd, struct failure *e)
{
	enum err err;
	int f;

	*fd = -1;
	f = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (f < 0)
		return err_set_errno(e, ERR_IO, "cannot open the lock file %s", path);
	if (flock_restarted(f) == 0) {
		*fd = f;
		return ERR_NONE;
	}
	if (errno == EWOULDBLOCK)
		err = err_set(e, ERR_BUSY, "%s is held by another process", path);
	else
		err = err_set_errno(e, ERR_IO, "cannot lock %s", path);
	close(f);
	return err;
}

void lock_drop(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}
