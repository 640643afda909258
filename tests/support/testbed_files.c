/*
 * testbed_files.c - databases kept and put back, mails unread again.
 */
#define _GNU_SOURCE /* copy_file_range */
#include "tests/support/testbed_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "tests/support/crowd.h"
#include "tests/support/scratch.h"
#include "tests/support/testbed_parts.h"

struct testbed *testbed_files_new_release(void)
{
	const char *build = env_get("MOLEPOST_BUILD");
	char *name = scratch_path(build ? build : "build", "molepost");
	struct testbed *s = testbed_new(NULL);

	free(s->program);
	s->program = realpath(name, NULL);
	if (!s->program)
		BUG("there is no %s (make %s)", name, name);
	s->now_utc = INT64_MIN;
	free(name);
	return s;
}

static void copy_file(const char *from, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct stat st;
	off_t left;

	ENSURE(in >= 0 && out >= 0 && fstat(in, &st) == 0);
	for (left = st.st_size; left > 0;) {
		ssize_t n = copy_file_range(in, NULL, out, NULL, (size_t)left, 0);

		ENSURE(n > 0);
		left -= n;
	}
	close(in);
	close(out);
}

/* There, since the program would have to make it durably; empty. */
static void empty_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ENSURE(fd >= 0);
	close(fd);
}

void testbed_files_keep(struct testbed *s)
{
	char *from = testbed_path(s, "molepost.db"), *to = scratch_path(s->scratch, "kept.db");
	char *log = testbed_path(s, "molepost.db-wal");
	struct stat st;

	crowd_sql(s, "PRAGMA wal_checkpoint(TRUNCATE)");
	ENSURE(stat(log, &st) != 0 || st.st_size == 0);
	copy_file(from, to);
	free(from);
	free(to);
	free(log);
}

void testbed_files_restore(struct testbed *s)
{
	char *from = scratch_path(s->scratch, "kept.db"), *to = testbed_path(s, "molepost.db");
	char *log = testbed_path(s, "molepost.db-wal"),
	     *map = testbed_path(s, "molepost.db-shm");

	copy_file(from, to);
	empty_file(log);
	unlink(map);
	free(from);
	free(to);
	free(log);
	free(map);
}

static void unread(int from, int to, const char *name)
{
	char *base = strndup(name, strcspn(name, ":"));

	ENSURE(renameat(from, name, to, base) == 0);
	free(base);
}

void testbed_files_unread(struct testbed *s)
{
	char *cur = testbed_path(s, "mail/cur"), *new = testbed_path(s, "mail/new");
	int from = open(cur, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int to = open(new, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	size_t n;
	char **names = folder_names(cur, &n);

	ENSURE(from >= 0 && to >= 0);
	for (size_t i = 0; i < n; i++) {
		unread(from, to, names[i]);
		free(names[i]);
	}
	free(names);
	close(from);
	close(to);
	free(cur);
	free(new);
}

void testbed_files_settle(void)
{
	sync();
}
