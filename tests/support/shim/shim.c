/*
 * shim.c - a disk that fails on demand, for programs that must survive it.
 *
 * Loaded with LD_PRELOAD=build/shim.so. MOLEPOST_SHIM_ROOT names a folder; watched are calls
 * on regular files and folders below it, nothing else (no pipes, no terminals, no files
 * elsewhere), and of SQLite's "-shm" files none, for they do not outlive the machine. Counted are
 *
 *	write pwrite writev pwritev	fsync fdatasync		rename(at,at2)	link(at)
 *
 * also under their 64 names. MOLEPOST_SHIM says what happens:
 *
 *	kill:N		the process gets SIGKILL just before the N-th counted call
 *	tear:N		the N-th write (only the first column counts) writes the first half
 *			of its bytes, rounded down; then SIGKILL
 *	eio:N		the N-th counted call and all later ones fail with EIO, undone
 *	enospc:N	the same with ENOSPC
 *	power:N		before the N-th counted call everything that is not synced is undone
 *			(journal.h says what that is), then SIGKILL
 *	kept:N		the same on a disk that keeps every rename at once
 *	power:exit	as power:N when the process ends by itself; it keeps its exit code
 *	count:FILE	at its end the process adds a line with the number of counted calls
 *	tally:FILE	the same, by kind: "writes=4 fsyncs=1 fdatasyncs=2 renames=1 links=0"
 *
 * Each process counts for itself from 1: one that was exec'd starts anew, one that was only forked is
 * let alone, one that made no counted call adds no line. N larger than the number of
 * calls changes nothing, so "raise N until it survives" visits every point.
 *
 * Not modelled: stdio (its writes do not pass through here; use write(2) for what must last),
 * mmap, sync(2), fallocate, copy_file_range, symlinks, chmod, times, exchanging renames; that a disk
 * may keep some unsynced pages and lose others, or reorder them; writes of other processes, so what
 * an earlier process left unsynced counts as durable. Threads wait for each other's calls.
 */
#define _GNU_SOURCE /* RTLD_NEXT, renameat2, the 64 names */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/support/shim/journal.h"

enum mode { OFF, KILL, TEAR, FAIL, POWER, POWER_EXIT, COUNT, TALLY };
enum call { WRITE, FSYNC, FDATASYNC, RENAME, LINK, NCALLS };

/* Mutable state in one place; everywhere else in this project there is none. */
static struct {
	enum mode mode;
	int fail_with;
	unsigned long at, calls, by_kind[NCALLS];
	char root[PATH_MAX], file[PATH_MAX];
	pid_t pid;
	bool keeps_renames;
} shim;

static _Thread_local bool inside; /* our own calls pass through unseen */
/* Held through each watched call. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

/* ---- The real functions -------------------------------------------------- */

/* ISO C has no conversion from object to function pointer; POSIX wants it to work. */
#define REAL(type, name) (__extension__(type *) real_address(name))

static void *real_address(const char *name)
{
	void *address = dlsym(RTLD_NEXT, name);

	if (!address)
		abort();
	return address;
}

typedef ssize_t write_fn(int, const void *, size_t);
typedef ssize_t pwrite_fn(int, const void *, size_t, off_t);
typedef int fd_fn(int);
typedef int truncate_fn(int, off_t);
typedef int openat_fn(int, const char *, int, mode_t);
typedef int unlinkat_fn(int, const char *, int);
typedef int linkat_fn(int, const char *, int, const char *, int);

/* ---- What is watched ----------------------------------------------------- */

static bool is_watched_path(const char *path)
{
	size_t len = strlen(shim.root), n = strlen(path);

	if (strncmp(path, shim.root, len) != 0 || (path[len] != '/' && path[len] != '\0'))
		return false;
	return n < 4 || strcmp(path + n - 4, "-shm") != 0;
}

static bool is_watching(void)
{
	return shim.mode != OFF && !inside && getpid() == shim.pid;
}

static bool is_journalled(void)
{
	return shim.mode == POWER || shim.mode == POWER_EXIT;
}

/* The canonical path of a watched regular file or folder. */
static bool watched_fd(int fd, char path[PATH_MAX])
{
	char self[64];
	struct stat st;
	ssize_t len;
	int saved = errno;

	if (!is_watching())
		return false;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	len = readlink(self, path, PATH_MAX - 1);
	if (len < 0 || fstat(fd, &st) != 0 || !(S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))) {
		errno = saved;
		return false;
	}
	path[len] = '\0';
	return is_watched_path(path);
}

/* Canonical up to the last component, which need not exist. */
static bool watched_path(int dirfd, const char *path, char out[PATH_MAX])
{
	char parent[PATH_MAX], real[PATH_MAX];
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	int len = slash ? (int)(slash - path) + 1 : 0, saved = errno, n;

	if (!is_watching())
		return false;
	if (path[0] == '/' || dirfd == AT_FDCWD)
		n = snprintf(parent, sizeof(parent), "%.*s.", len, path);
	else
		n = snprintf(parent, sizeof(parent), "/proc/self/fd/%d/%.*s.", dirfd, len,
		             path);
	if (n < 0 || (size_t)n >= sizeof(parent) || !realpath(parent, real)) {
		errno = saved;
		return false;
	}
	n = snprintf(out, PATH_MAX, "%s/%s", strcmp(real, "/") == 0 ? "" : real, base);
	return n > 0 && n < PATH_MAX && is_watched_path(out);
}

/* ---- What happens -------------------------------------------------------- */

static void power_cut(void)
{
	inside = true;
	journal_undo();
	inside = false;
}

static void die(void)
{
	kill(shim.pid, SIGKILL);
	for (;;)
		pause();
}

/* Counts one call; true when it is to fail, with errno set. May not return. */
static bool is_refused(enum call call)
{
	shim.calls++;
	shim.by_kind[call]++;
	if (shim.mode == POWER && shim.calls == shim.at)
		power_cut();
	if ((shim.mode == POWER || shim.mode == KILL) && shim.calls == shim.at)
		die();
	if (shim.mode == FAIL && shim.calls >= shim.at) {
		errno = shim.fail_with;
		return true;
	}
	return false;
}

static off_t write_position(int fd, off_t off)
{
	struct stat st;

	if (off >= 0)
		return off;
	if ((fcntl(fd, F_GETFL) & O_APPEND) && fstat(fd, &st) == 0)
		return st.st_size;
	return lseek(fd, 0, SEEK_CUR);
}

static ssize_t real_write(int fd, const void *buf, size_t len, off_t off)
{
	if (off < 0)
		return REAL(write_fn, "write")(fd, buf, len);
	return REAL(pwrite_fn, "pwrite64")(fd, buf, len, off);
}

static ssize_t watched_write(int fd, const void *buf, size_t len, off_t off)
{
	if (is_refused(WRITE))
		return -1;
	if (shim.mode == TEAR && shim.by_kind[WRITE] == shim.at) {
		(void)!real_write(fd, buf, len / 2, off);
		die();
	}
	if (is_journalled()) {
		inside = true;
		journal_write(fd, write_position(fd, off), len);
		inside = false;
	}
	return real_write(fd, buf, len, off);
}

/* off < 0: at the descriptor's own position. */
static ssize_t any_write(int fd, const void *buf, size_t len, off_t off)
{
	char path[PATH_MAX];
	ssize_t done;

	if (!watched_fd(fd, path))
		return real_write(fd, buf, len, off);
	pthread_mutex_lock(&turn);
	done = watched_write(fd, buf, len, off);
	pthread_mutex_unlock(&turn);
	return done;
}

/* As one write, so that it can be torn anywhere. */
static ssize_t any_writev(int fd, const struct iovec *iov, int n, off_t off)
{
	size_t len = 0;
	unsigned char *all;
	ssize_t done;

	for (int i = 0; i < n; i++)
		len += iov[i].iov_len;
	all = malloc(len ? len : 1);
	if (!all)
		return -1;
	len = 0;
	for (int i = 0; i < n; i++) {
		if (iov[i].iov_len > 0)
			memcpy(all + len, iov[i].iov_base, iov[i].iov_len);
		len += iov[i].iov_len;
	}
	done = any_write(fd, all, len, off);
	free(all);
	return done;
}

static int real_sync(int fd, enum call call)
{
	return REAL(fd_fn, call == FSYNC ? "fsync" : "fdatasync")(fd);
}

static int watched_sync(int fd, const char *path, enum call call)
{
	struct stat st;
	int rc;

	if (is_refused(call))
		return -1;
	rc = real_sync(fd, call);
	if (rc != 0 || !is_journalled() || fstat(fd, &st) != 0)
		return rc;
	inside = true;
	if (S_ISDIR(st.st_mode))
		journal_synced_folder(path);
	else
		journal_synced_file(fd);
	inside = false;
	return rc;
}

static int any_sync(int fd, enum call call)
{
	char path[PATH_MAX];
	int rc;

	if (!watched_fd(fd, path))
		return real_sync(fd, call);
	pthread_mutex_lock(&turn);
	rc = watched_sync(fd, path, call);
	pthread_mutex_unlock(&turn);
	return rc;
}

static int any_truncate(int fd, off_t size)
{
	char path[PATH_MAX];
	int rc;

	if (!is_journalled() || !watched_fd(fd, path))
		return REAL(truncate_fn, "ftruncate64")(fd, size);
	pthread_mutex_lock(&turn);
	inside = true;
	journal_truncate(fd, size);
	inside = false;
	rc = REAL(truncate_fn, "ftruncate64")(fd, size);
	pthread_mutex_unlock(&turn);
	return rc;
}

/* Before an open that empties the file. */
static void note_truncation(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0)
		return;
	journal_truncate(fd, 0);
	close(fd);
}

static int any_open(int dirfd, const char *name, int flags, mode_t mode)
{
	char path[PATH_MAX];
	bool made = false;
	struct stat st;
	int fd;

	if (!is_journalled() || !(flags & (O_CREAT | O_TRUNC)) ||
	    (flags & O_TMPFILE) == O_TMPFILE || !watched_path(dirfd, name, path))
		return REAL(openat_fn, "openat64")(dirfd, name, flags, mode);
	pthread_mutex_lock(&turn);
	inside = true;
	if (lstat(path, &st) != 0)
		made = true;
	else if ((flags & O_TRUNC) && S_ISREG(st.st_mode))
		note_truncation(path);
	fd = REAL(openat_fn, "openat64")(dirfd, name, flags, mode);
	if (fd >= 0 && made)
		journal_created(path);
	inside = false;
	pthread_mutex_unlock(&turn);
	return fd;
}

static int any_rename(int olddir, const char *old, int newdir, const char *new, unsigned flags)
{
	char from[PATH_MAX], to[PATH_MAX];
	bool out_of = watched_path(olddir, old, from), into = watched_path(newdir, new, to);
	bool watched = out_of || into;
	bool noted = out_of && into && is_journalled() && !shim.keeps_renames &&
	             !(flags & RENAME_EXCHANGE);
	bool was = inside;
	int rc = -1;

	if (watched)
		pthread_mutex_lock(&turn);
	if (!watched || !is_refused(RENAME)) {
		inside = true;
		if (noted)
			journal_rename(from, to);
		rc = (int)syscall(SYS_renameat2, olddir, old, newdir, new, flags);
		if (noted && rc != 0)
			journal_cancel();
		inside = was;
	}
	if (watched)
		pthread_mutex_unlock(&turn);
	return rc;
}

static int any_link(int olddir, const char *old, int newdir, const char *new, int flags)
{
	char to[PATH_MAX];
	int rc = -1;

	if (!watched_path(newdir, new, to))
		return REAL(linkat_fn, "linkat")(olddir, old, newdir, new, flags);
	pthread_mutex_lock(&turn);
	if (!is_refused(LINK))
		rc = REAL(linkat_fn, "linkat")(olddir, old, newdir, new, flags);
	if (rc == 0 && is_journalled()) {
		inside = true;
		journal_created(to);
		inside = false;
	}
	pthread_mutex_unlock(&turn);
	return rc;
}

static int any_unlink(int dirfd, const char *name, int flags)
{
	char path[PATH_MAX];
	bool noted = is_journalled() && watched_path(dirfd, name, path), was = inside;
	int rc;

	if (noted)
		pthread_mutex_lock(&turn);
	inside = true;
	if (noted && (flags & AT_REMOVEDIR))
		journal_remove_folder(path);
	else if (noted)
		journal_unlink(path);
	rc = REAL(unlinkat_fn, "unlinkat")(dirfd, name, flags);
	if (noted && rc != 0)
		journal_cancel();
	inside = was;
	if (noted)
		pthread_mutex_unlock(&turn);
	return rc;
}

/* ---- Beginning and end --------------------------------------------------- */

static void set_number(enum mode mode, const char *text)
{
	char *end;

	shim.at = strtoul(text, &end, 10);
	if (end == text || *end != '\0' || shim.at == 0) {
		fprintf(stderr, "shim: a number from 1 is wanted, not '%s'\n", text);
		_exit(127);
	}
	shim.mode = mode;
}

static void set_mode(const char *what, const char *arg)
{
	if (strcmp(what, "kill") == 0) {
		set_number(KILL, arg);
	} else if (strcmp(what, "tear") == 0) {
		set_number(TEAR, arg);
	} else if (strcmp(what, "eio") == 0) {
		shim.fail_with = EIO;
		set_number(FAIL, arg);
	} else if (strcmp(what, "enospc") == 0) {
		shim.fail_with = ENOSPC;
		set_number(FAIL, arg);
	} else if (strcmp(what, "power") == 0 && strcmp(arg, "exit") == 0) {
		shim.mode = POWER_EXIT;
	} else if (strcmp(what, "power") == 0 || strcmp(what, "kept") == 0) {
		set_number(POWER, arg);
		shim.keeps_renames = what[0] == 'k';
	} else if (strcmp(what, "count") == 0 || strcmp(what, "tally") == 0) {
		snprintf(shim.file, sizeof(shim.file), "%s", arg);
		shim.mode = what[0] == 'c' ? COUNT : TALLY;
	} else {
		fprintf(stderr, "shim: unknown mode '%s'\n", what);
		_exit(127);
	}
}

__attribute__((constructor)) static void shim_start(void)
{
	const char *mode = getenv("MOLEPOST_SHIM"), *root = getenv("MOLEPOST_SHIM_ROOT");
	const char *colon = mode ? strchr(mode, ':') : NULL;
	char what[16];

	if (!colon || !root || !realpath(root, shim.root))
		return;
	snprintf(what, sizeof(what), "%.*s", (int)(colon - mode), mode);
	shim.pid = getpid();
	set_mode(what, colon + 1);
}

static void write_count(void)
{
	char line[160];
	int fd, len;

	if (shim.mode == COUNT)
		len = snprintf(line, sizeof(line), "%lu\n", shim.calls);
	else
		len = snprintf(line, sizeof(line),
		               "writes=%lu fsyncs=%lu fdatasyncs=%lu renames=%lu links=%lu\n",
		               shim.by_kind[WRITE], shim.by_kind[FSYNC],
		               shim.by_kind[FDATASYNC], shim.by_kind[RENAME],
		               shim.by_kind[LINK]);
	fd = open(shim.file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, line, (size_t)len) != len)
		perror(shim.file);
	if (fd >= 0)
		close(fd);
}

__attribute__((destructor)) static void shim_end(void)
{
	if (!is_watching())
		return;
	pthread_mutex_lock(&turn);
	inside = true;
	if (shim.mode == POWER_EXIT)
		journal_undo();
	if ((shim.mode == COUNT || shim.mode == TALLY) && shim.calls > 0)
		write_count();
	shim.mode = OFF;
	pthread_mutex_unlock(&turn);
}

_Noreturn void _exit(int status)
{
	shim_end();
	for (;;)
		syscall(SYS_exit_group, status);
}

_Noreturn void _Exit(int status)
{
	_exit(status);
}

/* ---- The doors ----------------------------------------------------------- */

ssize_t write(int fd, const void *buf, size_t len)
{
	return any_write(fd, buf, len, -1);
}

ssize_t pwrite(int fd, const void *buf, size_t len, off_t off)
{
	return any_write(fd, buf, len, off);
}

ssize_t pwrite64(int fd, const void *buf, size_t len, off64_t off)
{
	return any_write(fd, buf, len, off);
}

ssize_t writev(int fd, const struct iovec *iov, int n)
{
	return any_writev(fd, iov, n, -1);
}

ssize_t pwritev(int fd, const struct iovec *iov, int n, off_t off)
{
	return any_writev(fd, iov, n, off);
}

ssize_t pwritev64(int fd, const struct iovec *iov, int n, off64_t off)
{
	return any_writev(fd, iov, n, off);
}

int fsync(int fd)
{
	return any_sync(fd, FSYNC);
}

int fdatasync(int fd)
{
	return any_sync(fd, FDATASYNC);
}

int ftruncate(int fd, off_t size)
{
	return any_truncate(fd, size);
}

int ftruncate64(int fd, off64_t size)
{
	return any_truncate(fd, size);
}

int rename(const char *old, const char *new)
{
	return any_rename(AT_FDCWD, old, AT_FDCWD, new, 0);
}

int renameat(int olddir, const char *old, int newdir, const char *new)
{
	return any_rename(olddir, old, newdir, new, 0);
}

int renameat2(int olddir, const char *old, int newdir, const char *new, unsigned flags)
{
	return any_rename(olddir, old, newdir, new, flags);
}

int link(const char *old, const char *new)
{
	return any_link(AT_FDCWD, old, AT_FDCWD, new, 0);
}

int linkat(int olddir, const char *old, int newdir, const char *new, int flags)
{
	return any_link(olddir, old, newdir, new, flags);
}

int unlink(const char *path)
{
	return any_unlink(AT_FDCWD, path, 0);
}

int unlinkat(int dirfd, const char *path, int flags)
{
	return any_unlink(dirfd, path, flags);
}

int rmdir(const char *path)
{
	return any_unlink(AT_FDCWD, path, AT_REMOVEDIR);
}

int remove(const char *path)
{
	int rc = unlink(path);

	return rc != 0 && (errno == EISDIR || errno == EPERM) ? rmdir(path) : rc;
}

int mkdirat(int dirfd, const char *name, mode_t mode)
{
	char path[PATH_MAX];
	bool noted = is_journalled() && watched_path(dirfd, name, path);
	int rc;

	if (noted)
		pthread_mutex_lock(&turn);
	rc = (int)syscall(SYS_mkdirat, dirfd, name, mode);
	if (rc == 0 && noted)
		journal_made_folder(path);
	if (noted)
		pthread_mutex_unlock(&turn);
	return rc;
}

int mkdir(const char *path, mode_t mode)
{
	return mkdirat(AT_FDCWD, path, mode);
}

/* The mode is there only when the flags ask for it. */
#define OPEN_BODY(dirfd, path, flags)                         \
	va_list ap;                                           \
	mode_t mode = 0;                                      \
                                                              \
	va_start(ap, flags);                                  \
	if ((flags) & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) \
		mode = va_arg(ap, mode_t);                    \
	va_end(ap);                                           \
	return any_open(dirfd, path, flags, mode)

int open(const char *path, int flags, ...)
{
	OPEN_BODY(AT_FDCWD, path, flags);
}

int open64(const char *path, int flags, ...)
{
	OPEN_BODY(AT_FDCWD, path, flags);
}

int openat(int dirfd, const char *path, int flags, ...)
{
	OPEN_BODY(dirfd, path, flags);
}

int openat64(int dirfd, const char *path, int flags, ...)
{
	OPEN_BODY(dirfd, path, flags);
}

int creat(const char *path, mode_t mode)
{
	return any_open(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}
