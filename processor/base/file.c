/*
 * file.c - files and folders: private, durable, no links followed.
 */
#include "processor/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 64 << 10 };

/*
 * One read, into what the buffer has left where a caller who knows the size has made room. Grows no
 * further than one byte over `room`, so that callers can wipe one buffer.
 */
static ssize_t read_some(int fd, size_t room, struct strbuf *out)
{
	size_t left = out->cap > out->len + 1 ? out->cap - out->len - 1 : CHUNK;
	size_t want = room < left ? room + 1 : left;
	ssize_t n;

	strbuf_grow(out, want);
	do
		n = read(fd, out->ptr + out->len, want);
	while (n < 0 && errno == EINTR);
	if (n > 0) {
		out->len += (size_t)n;
		out->ptr[out->len] = '\0';
	}
	return n;
}

enum err file_read_fd(int fd, size_t max, struct strbuf *out, struct failure *e)
{
	size_t start = out->len;

	for (;;) {
		ssize_t n = read_some(fd, max - (out->len - start), out);

		if (n < 0)
			return err_set_errno(e, ERR_IO, "cannot read");
		if (n == 0)
			return ERR_NONE;
		if (out->len - start > max)
			return err_set(e, ERR_LIMIT, "larger than %zu bytes", max);
	}
}

/* O_NONBLOCK: opening a pipe that nobody writes to must not hang us before we refuse it. */
static enum err open_regular(const char *path, int *fd, struct failure *e)
{
	struct stat st;

	*fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (*fd < 0)
		return err_set_errno(e, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO,
		                     "cannot open %s", path);
	if (fstat(*fd, &st) != 0)
		return err_set_errno(e, ERR_IO, "cannot examine %s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_IO, "%s is not a regular file", path);
	return ERR_NONE;
}

enum err file_read(const char *path, size_t max, struct strbuf *out, struct failure *e)
{
	size_t start = out->len;
	int fd;
	enum err r = open_regular(path, &fd, e);

	if (r == ERR_NONE && (r = file_read_fd(fd, max, out, e)) != ERR_NONE) {
		strbuf_truncate(out, start);
		err_context(e, "%s", path);
	}
	if (fd >= 0)
		close(fd);
	return r;
}

enum err file_write_fd(int fd, struct span bytes, struct failure *e)
{
	while (bytes.len > 0) {
		ssize_t n = write(fd, bytes.ptr, bytes.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set_errno(e, ERR_IO, "cannot write");
		bytes = span_slice(bytes, (size_t)n, bytes.len);
	}
	return ERR_NONE;
}

/* The folder that holds `path`, for the fsync that makes its name durable. */
static enum err sync_parent(const char *path, struct failure *e)
{
	struct strbuf dir = STRBUF_INIT;
	const char *slash = strrchr(path, '/');
	enum err r;

	if (slash == NULL)
		strbuf_adds(&dir, ".");
	else
		strbuf_add(&dir, path, slash == path ? 1 : (size_t)(slash - path));
	r = file_sync_dir(dir.ptr, e);
	strbuf_release(&dir);
	return r;
}

static enum err write_and_sync(int fd, struct span bytes, struct failure *e)
{
	enum err r = file_write_fd(fd, bytes, e);

	if (r == ERR_NONE && fsync(fd) != 0)
		r = err_set_errno(e, ERR_IO, "cannot fsync");
	if (close(fd) != 0 && r == ERR_NONE)
		r = err_set_errno(e, ERR_IO, "cannot close");
	return r;
}

enum err file_create(const char *path, struct span bytes, struct failure *e)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	enum err r;

	if (fd < 0)
		return err_set_errno(e, errno == EEXIST ? ERR_EXISTS : ERR_IO,
		                     "cannot create %s", path);
	r = write_and_sync(fd, bytes, e);
	if (r == ERR_NONE)
		return sync_parent(path, e);
	unlink(path);
	err_context(e, "%s", path);
	return r;
}

static enum err replace(const char *path, struct span bytes, mode_t mode, struct failure *e)
{
	struct strbuf fresh = STRBUF_INIT;

	strbuf_addf(&fresh, "%s.new", path);
	(void)unlink(fresh.ptr);
	enum err rc = file_create(fresh.ptr, bytes, e);
	if (rc == ERR_NONE && (chmod(fresh.ptr, mode) != 0 || rename(fresh.ptr, path) != 0))
		rc = err_set_errno(e, ERR_IO, "cannot write %s", path);
	strbuf_release(&fresh);
	return rc;
}

enum err file_replace(const char *path, struct span bytes, struct failure *e)
{
	return replace(path, bytes, 0644, e);
}

enum err file_replace_private(const char *path, struct span bytes, struct failure *e)
{
	enum err rc = replace(path, bytes, 0600, e);

	return rc == ERR_NONE ? sync_parent(path, e) : rc;
}

enum err file_mkdir(const char *path, struct failure *e)
{
	struct stat st;

	if (mkdir(path, 0700) == 0)
		return ERR_NONE;
	if (errno != EEXIST)
		return err_set_errno(e, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO,
		                     "cannot make the folder %s", path);
	if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return ERR_NONE;
	return err_set(e, ERR_EXISTS, "%s is there already and is no folder", path);
}

enum err file_sync_dir(const char *path, struct failure *e)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	enum err r = ERR_NONE;

	if (fd < 0)
		return err_set_errno(e, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO,
		                     "cannot open the folder %s", path);
	if (fsync(fd) != 0)
		r = err_set_errno(e, ERR_IO, "cannot fsync the folder %s", path);
	close(fd);
	return r;
}

bool file_exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}
