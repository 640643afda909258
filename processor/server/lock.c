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

#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/base/num.h"

enum { NOTE_BYTES = 64 };

static int flock_restarted(int fd)
{
	int r;

	do {
		r = flock(fd, LOCK_EX | LOCK_NB);
	} while (r < 0 && errno == EINTR);
	return r;
}

static void beside(const char *path, struct strbuf *out)
{
	strbuf_addf(out, "%s.busy", path);
}

/* Since when the lock has been found held; now, if this is the first time. */
static int64_t waiting_since(const char *path, int64_t now_utc)
{
	struct strbuf busy = STRBUF_INIT, text = STRBUF_INIT;
	int64_t since_utc = now_utc;

	beside(path, &busy);
	if (file_read(busy.ptr, NOTE_BYTES, &text, NULL) != ERR_NONE ||
	    !num_parse_i64(span_trim(strbuf_span(&text)), 0, INT64_MAX, &since_utc)) {
		/* There is none, or whoever wrote it was killed. */
		since_utc = now_utc;
		strbuf_clear(&text);
		strbuf_addf(&text, "%lld\n", (long long)now_utc);
		(void)unlink(busy.ptr);
		(void)!file_create(busy.ptr, strbuf_span(&text), NULL);
	}
	strbuf_release(&busy);
	strbuf_release(&text);
	return since_utc;
}

/* ERR_BUSY, or ERR_TIMEOUT of one that has been at work for too long. */
static enum err judge_holder(const char *path, int64_t now_utc, struct failure *e)
{
	int64_t since_utc = waiting_since(path, now_utc);
	struct strbuf since = STRBUF_INIT;
	enum err rc;

	if (now_utc - since_utc <= LOCK_LONG_S)
		return err_set(e, ERR_BUSY, "%s is held by another process", path);
	utc_format_human(&since, since_utc);
	rc = err_set(e, ERR_TIMEOUT,
	             "another run has been at work since %s or longer, so nothing was done; if "
	             "it hangs, end it (pgrep -a molepost; %s is its lock)",
	             since.ptr, path);
	strbuf_release(&since);
	return rc;
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
		/* It is not held for ever. Most runs find nothing there, and write nothing. */
		struct strbuf busy = STRBUF_INIT;

		beside(path, &busy);
		if (access(busy.ptr, F_OK) == 0)
			(void)unlink(busy.ptr);
		strbuf_release(&busy);
		*fd = f;
		return ERR_NONE;
	}
	if (errno == EWOULDBLOCK)
		err = judge_holder(path, now_utc, e);
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
