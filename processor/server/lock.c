/*
 * lock.c - flock, because the kernel lets go of it however the process ends.
 *
 * The file stays: deleting it would let two runs hold locks on two files of one name.
 */
#include "processor/server/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "processor/base/num.h"

#include "processor/base/banned.h"

static int flock_restarted(int fd)
{
	int r;

	do {
		r = flock(fd, LOCK_EX | LOCK_NB);
	} while (r < 0 && errno == EINTR);
	return r;
}

/* Without it the lock is as good; only nobody could tell how old it is. */
static void sign(int fd, int64_t now_utc)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "%ld %lld\n", (long)getpid(), (long long)now_utc);

	if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)n, 0) != n)
		(void)!ftruncate(fd, 0);
}

/* ERR_BUSY, or ERR_TIMEOUT of one that has been at work for too long. */
static enum err judge_holder(int fd, const char *path, int64_t now_utc, struct failure *e)
{
	char text[64];
	ssize_t n = pread(fd, text, sizeof(text), 0);
	struct span rest = {text, n > 0 ? (size_t)n : 0}, pid, since;
	int64_t since_utc;

	if (!span_next_word(&rest, "", &pid) || !span_next_word(&rest, "\n", &since) ||
	    !num_parse_i64(since, 0, INT64_MAX, &since_utc) ||
	    now_utc - since_utc <= LOCK_LONG_S)
		return err_set(e, ERR_BUSY, "%s is held by another process", path);
	return err_set(
	    e, ERR_TIMEOUT,
	    "process %.*s has been at work for %lld minutes and holds %s, so nothing "
	    "was done; if it hangs, end it (kill %.*s)",
	    SPAN_ARGS(pid), (long long)((now_utc - since_utc) / 60), path, SPAN_ARGS(pid));
}

enum err lock_take(const char *path, int64_t now_utc, int *fd, struct failure *e)
{
	enum err err;
	int f;

	*fd = -1;
	f = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (f < 0)
		return err_set_errno(e, ERR_IO, "cannot open the lock file %s", path);
	if (flock_restarted(f) == 0) {
		sign(f, now_utc);
		*fd = f;
		return ERR_NONE;
	}
	if (errno == EWOULDBLOCK)
		err = judge_holder(f, path, now_utc, e);
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
