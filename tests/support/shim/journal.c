/* journal.c - see journal.h. Mutable state, unlike elsewhere: a shim has no caller to hold it. */
#include "tests/support/shim/journal.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum what { CONTENT, NAME_MADE, FOLDER_MADE, RENAMED, NAME_GONE, FOLDER_GONE };

struct record {
	enum what what;
	dev_t dev; /* of the file that the record is about */
	ino_t ino;
	mode_t mode;
	struct timespec mtime; /* CONTENT: before the change */
	int fd;              /* CONTENT: shared by all records of the file; RENAMED, NAME_GONE:
	                          the file that lost its name, or -1 */
	off_t off, old_size; /* CONTENT */
	unsigned char *old;
	size_t len;
	char *path, *from; /* `from` of a rename */
};

static struct {
	struct record *rec;
	size_t n, cap;
} journal;

static void give_up(const char *what)
{
	perror(what);
	abort();
}

static void *get_memory(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		give_up("shim: malloc");
	return p;
}

static char *copy_path(const char *path)
{
	size_t size = strlen(path) + 1;

	return memcpy(get_memory(size), path, size);
}

static struct record *add(enum what what)
{
	struct record *r;

	if (journal.n == journal.cap) {
		journal.cap = journal.cap ? 2 * journal.cap : 64;
		journal.rec = realloc(journal.rec, journal.cap * sizeof(*journal.rec));
		if (!journal.rec)
			give_up("shim: realloc");
	}
	r = &journal.rec[journal.n++];
	*r = (struct record){.what = what, .fd = -1};
	return r;
}

/* Is some other record than i using this descriptor? */
static bool fd_is_shared(size_t i)
{
	for (size_t k = 0; k < journal.n; k++)
		if (k != i && journal.rec[k].fd == journal.rec[i].fd)
			return true;
	return false;
}

static void drop(size_t i)
{
	struct record *r = &journal.rec[i];

	if (r->fd >= 0 && !fd_is_shared(i))
		close(r->fd);
	free(r->old);
	free(r->path);
	free(r->from);
	memmove(r, r + 1, (journal.n - i - 1) * sizeof(*r));
	journal.n--;
}

static bool same_file(const struct record *r, const struct stat *st)
{
	return r->dev == st->st_dev && r->ino == st->st_ino;
}

/* One descriptor per file, ours, so that the file can be reached under any name or none. */
static int content_fd(int fd, const struct stat *st)
{
	char self[64];
	int own;

	for (size_t i = 0; i < journal.n; i++)
		if (journal.rec[i].what == CONTENT && same_file(&journal.rec[i], st))
			return journal.rec[i].fd;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	own = open(self, O_RDWR | O_CLOEXEC);
	if (own < 0)
		give_up("shim: reopen");
	return own;
}

static void read_old(struct record *r)
{
	r->old = get_memory(r->len);
	for (size_t done = 0; done < r->len;) {
		ssize_t got = pread(r->fd, r->old + done, r->len - done, r->off + (off_t)done);

		if (got <= 0)
			give_up("shim: pread");
		done += (size_t)got;
	}
}

static void add_content(int fd, const struct stat *st, off_t off, size_t len)
{
	int own = content_fd(fd, st);
	struct record *r = add(CONTENT);

	r->dev = st->st_dev;
	r->ino = st->st_ino;
	r->mtime = st->st_mtim;
	r->fd = own;
	r->off = off;
	r->old_size = st->st_size;
	r->len = len;
	read_old(r);
}

void journal_write(int fd, off_t off, size_t len)
{
	struct stat st;
	off_t end = off + (off_t)len;

	if (fstat(fd, &st) != 0)
		give_up("shim: fstat");
	if (end > st.st_size)
		end = st.st_size;
	add_content(fd, &st, off, end > off ? (size_t)(end - off) : 0);
}

void journal_truncate(int fd, off_t size)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		give_up("shim: fstat");
	add_content(fd, &st, size, size < st.st_size ? (size_t)(st.st_size - size) : 0);
}

static struct record *add_name(enum what what, const char *path, const char *file)
{
	struct record *r = add(what);
	struct stat st;

	r->path = copy_path(path);
	if (lstat(file, &st) == 0) {
		r->dev = st.st_dev;
		r->ino = st.st_ino;
		r->mode = st.st_mode & 07777;
	}
	return r;
}

void journal_created(const char *path)
{
	add_name(NAME_MADE, path, path);
}

void journal_made_folder(const char *path)
{
	add_name(FOLDER_MADE, path, path);
}

void journal_rename(const char *from, const char *to)
{
	struct record *r = add_name(RENAMED, to, from);

	r->from = copy_path(from);
	r->fd = open(to, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
}

void journal_unlink(const char *path)
{
	struct record *r = add_name(NAME_GONE, path, path);

	r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
}

void journal_remove_folder(const char *path)
{
	add_name(FOLDER_GONE, path, path);
}

void journal_cancel(void)
{
	drop(journal.n - 1);
}

void journal_synced_file(int fd)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return;
	for (size_t i = journal.n; i-- > 0;)
		if (journal.rec[i].what == CONTENT && same_file(&journal.rec[i], &st))
			drop(i);
}

static bool is_in(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return strncmp(path, folder, len) == 0 && path[len] == '/' &&
	       !strchr(path + len + 1, '/');
}

/* Where a file lies is durable as of record i: how it came there no longer matters. */
static size_t forget_origin(size_t i)
{
	struct stat st = {.st_dev = journal.rec[i].dev, .st_ino = journal.rec[i].ino};
	size_t gone = 0;

	for (size_t k = i; k-- > 0;) {
		const struct record *r = &journal.rec[k];

		if ((r->what == NAME_MADE || r->what == RENAMED) && same_file(r, &st)) {
			drop(k);
			gone++;
		}
	}
	return gone;
}

void journal_synced_folder(const char *path)
{
	for (size_t i = journal.n; i-- > 0;) {
		if (journal.rec[i].what == CONTENT || !is_in(journal.rec[i].path, path))
			continue;
		if (journal.rec[i].what == RENAMED)
			i -= forget_origin(i);
		drop(i);
	}
}

static void undo_content(const struct record *r)
{
	struct timespec times[2] = {{0, UTIME_OMIT}, r->mtime};

	for (size_t done = 0; done < r->len;) {
		ssize_t put = pwrite(r->fd, r->old + done, r->len - done, r->off + (off_t)done);

		if (put <= 0)
			give_up("shim: pwrite");
		done += (size_t)put;
	}
	if (ftruncate(r->fd, r->old_size) != 0 || futimens(r->fd, times) != 0)
		give_up("shim: ftruncate");
}

static void copy_bytes(int from, int to)
{
	unsigned char buf[8192];
	off_t off = 0;
	ssize_t got;

	while ((got = pread(from, buf, sizeof(buf), off)) > 0) {
		if (pwrite(to, buf, (size_t)got, off) != got)
			give_up("shim: pwrite");
		off += got;
	}
}

/* The file behind r->fd under its old name again; older records then speak of the copy. */
static void bring_back(size_t i)
{
	struct record *r = &journal.rec[i];
	struct stat was, is;
	struct timespec times[2] = {{0, UTIME_OMIT}, {0, 0}};
	int fd;

	if (fstat(r->fd, &was) != 0)
		give_up("shim: fstat");
	fd = open(r->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, was.st_mode & 07777);
	if (fd < 0)
		give_up("shim: a lost file does not come back");
	copy_bytes(r->fd, fd);
	times[1] = was.st_mtim;
	if (futimens(fd, times) != 0 || fstat(fd, &is) != 0)
		give_up("shim: futimens");
	close(fd);
	for (size_t k = 0; k < i; k++) {
		if (journal.rec[k].what != CONTENT && same_file(&journal.rec[k], &was)) {
			journal.rec[k].dev = is.st_dev;
			journal.rec[k].ino = is.st_ino;
		}
	}
}

static void undo_name(size_t i)
{
	const struct record *r = &journal.rec[i];
	struct stat st;
	bool there = lstat(r->path, &st) == 0 && same_file(r, &st);

	switch (r->what) {
	case NAME_MADE:
		if (there)
			unlink(r->path);
		break;
	case FOLDER_MADE:
		if (there)
			rmdir(r->path);
		break;
	case RENAMED:
		if (there)
			rename(r->path, r->from);
		if (r->fd >= 0 && lstat(r->path, &st) != 0)
			bring_back(i);
		break;
	case NAME_GONE:
		if (r->fd >= 0 && lstat(r->path, &st) != 0)
			bring_back(i);
		break;
	case FOLDER_GONE:
		mkdir(r->path, r->mode);
		break;
	case CONTENT:
		break;
	}
}

/* Contents first: they are reached by descriptor, whatever the names are at the moment. */
void journal_undo(void)
{
	for (size_t i = journal.n; i-- > 0;)
		if (journal.rec[i].what == CONTENT)
			undo_content(&journal.rec[i]);
	for (size_t i = journal.n; i-- > 0;)
		undo_name(i);
	while (journal.n > 0)
		drop(journal.n - 1);
}
