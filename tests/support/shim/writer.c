/*
 * writer.c - makes the calls it is told to make, for the test of the shim.
 *
 *	writer FOLDER [COMMAND ARGUMENT ...] ...
 *
 * Works in FOLDER. Ends with 1 at the first call that fails, after "COMMAND: why".
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int is_done(ssize_t put, const char *text)
{
	return put == (ssize_t)strlen(text) ? 0 : -1;
}

/* Opens, makes one call on the descriptor, closes. */
static int with_file(const char *command, const char *name, const char *text)
{
	int fd = open(name, O_RDWR | O_CREAT | (*command == 'a' ? O_APPEND : 0), 0600), rc = -1;

	if (fd < 0)
		return -1;
	if (strcmp(command, "append") == 0 || strcmp(command, "write") == 0)
		rc = is_done(write(fd, text, strlen(text)), text);
	else if (strcmp(command, "patch") == 0) /* over the second byte */
		rc = is_done(pwrite(fd, text, strlen(text), 1), text);
	else if (strcmp(command, "gather") == 0)
		rc = is_done(writev(fd, &(struct iovec){(void *)(size_t)text, strlen(text)}, 1),
		             text);
	else if (strcmp(command, "size") == 0)
		rc = ftruncate(fd, (off_t)strlen(text));
	close(fd);
	return rc;
}

static int synced(const char *command, const char *name)
{
	int fd = open(name, O_RDONLY), rc;

	if (fd < 0)
		return -1;
	rc = strcmp(command, "fsync") == 0 ? fsync(fd) : fdatasync(fd);
	close(fd);
	return rc;
}

/* Bytes that go nowhere near a disk. */
static int piped(const char *text)
{
	int ends[2], rc;

	if (pipe(ends) != 0)
		return -1;
	rc = is_done(write(ends[1], text, strlen(text)), text);
	close(ends[0]);
	close(ends[1]);
	return rc;
}

static int emptied(const char *name)
{
	int fd = open(name, O_WRONLY | O_TRUNC);

	return fd < 0 ? -1 : close(fd);
}

static int perform_one(const char *command, const char *arg)
{
	if (strcmp(command, "fsync") == 0 || strcmp(command, "fdatasync") == 0)
		return synced(command, arg);
	if (strcmp(command, "unlink") == 0)
		return unlink(arg);
	if (strcmp(command, "mkdir") == 0)
		return mkdir(arg, 0700);
	if (strcmp(command, "pipe") == 0)
		return piped(arg);
	if (strcmp(command, "empty") == 0)
		return emptied(arg);
	return -2;
}

static int perform_two(const char *command, const char *a, const char *b)
{
	if (strcmp(command, "rename") == 0)
		return rename(a, b);
	if (strcmp(command, "link") == 0)
		return link(a, b);
	return with_file(command, a, b);
}

int main(int argc, char **argv)
{
	if (argc < 2 || chdir(argv[1]) != 0)
		return 2;
	for (int i = 2; i + 1 < argc;) {
		int rc = perform_one(argv[i], argv[i + 1]), used = 2;

		if (rc == -2 && i + 2 < argc) {
			rc = perform_two(argv[i], argv[i + 1], argv[i + 2]);
			used = 3;
		}
		if (rc != 0) {
			fprintf(stderr, "%s: %s\n", argv[i], strerror(errno));
			return 1;
		}
		i += used;
	}
	return 0;
}
