/*
 * scratch.c - making folders for tests, and leaving nothing behind.
 */
#include "tests/support/scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/strbuf.h"

char *scratch_path(const char *scratch, const char *name)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/%s", scratch, name);
	return strbuf_detach(&path);
}

void scratch_in_memory(void)
{
	if (access("/dev/shm", W_OK | X_OK) == 0)
		setenv("TMPDIR", "/dev/shm", 0);
}

char *scratch_new(void)
{
	const char *parent = env_get("TMPDIR");
	char *path = scratch_path(parent ? parent : "/tmp", "molepost-test-XXXXXX");

	ENSURE(mkdtemp(path) != NULL);
	return path;
}

/* Takes over `fd`, an open folder. */
static void empty_folder(int fd)
{
	DIR *dir = fdopendir(fd);
	const struct dirent *entry;

	ENSURE(dir != NULL);
	while ((entry = readdir(dir)) != NULL) {
		int child;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		child =
		    openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (child >= 0)
			empty_folder(child);
		unlinkat(fd, entry->d_name, child >= 0 ? AT_REMOVEDIR : 0);
	}
	closedir(dir);
}

void scratch_remove(char *scratch)
{
	int fd = open(scratch, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	ENSURE(fd >= 0);
	empty_folder(fd);
	rmdir(scratch);
	free(scratch);
}
