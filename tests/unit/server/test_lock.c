/*
 * test_lock.c - one at a time, and nothing left behind by whoever dies.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processor/base/clock.h"
#include "processor/server/lock.h"
#include "tests/support/scratch.h"

enum { NOW = 1773338400 };

static enum err take(const char *path, int *fd)
{
	struct failure e = ERR_INIT;
	enum err err = lock_take(path, NOW, fd, &e);

	cr_expect((err == ERR_NONE) == (e.text.len == 0));
	cr_expect((err == ERR_NONE) == (*fd >= 0));
	err_release(&e);
	return err;
}

Test(lock, a_second_taker_is_told_that_it_is_busy)
{
	char *dir = scratch_new(), *path = scratch_path(dir, "lock");
	int first, second;
	struct stat st;

	cr_assert_eq(take(path, &first), ERR_NONE);
	cr_expect_eq(take(path, &second), ERR_BUSY);
	lock_drop(&first);
	cr_expect_eq(first, -1);
	cr_assert_eq(take(path, &second), ERR_NONE);
	cr_expect(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600);
	lock_drop(&second);
	lock_drop(&second);
	free(path);
	scratch_remove(dir);
}

/* The child holds the lock and tells so through the pipe, then waits to be killed. */
static pid_t start_holder(const char *path)
{
	int ready[2], fd;
	char byte;
	pid_t pid;

	cr_assert_eq(pipe(ready), 0);
	pid = fork();
	cr_assert_geq(pid, 0);
	if (pid == 0) {
		struct failure e = ERR_INIT;

		if (lock_take(path, NOW, &fd, &e) != ERR_NONE || write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	cr_assert_eq(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

Test(lock, a_killed_holder_leaves_no_lock_behind)
{
	char *dir = scratch_new(), *path = scratch_path(dir, "lock");
	pid_t pid = start_holder(path);
	int fd;

	cr_expect_eq(take(path, &fd), ERR_BUSY);
	cr_assert_eq(kill(pid, SIGKILL), 0);
	cr_assert_eq(waitpid(pid, NULL, 0), pid);
	cr_expect_eq(take(path, &fd), ERR_NONE);
	lock_drop(&fd);
	free(path);
	scratch_remove(dir);
}

Test(lock, a_place_without_folder_or_behind_a_link_is_an_error)
{
	char *dir = scratch_new(), *gone = scratch_path(dir, "no/lock");
	char *link_path = scratch_path(dir, "link");
	int fd;

	cr_expect_eq(take(gone, &fd), ERR_IO);
	cr_assert_eq(symlink("elsewhere", link_path), 0);
	cr_expect_eq(take(link_path, &fd), ERR_IO);
	free(gone);
	free(link_path);
	scratch_remove(dir);
}

Test(lock, of_a_holder_older_than_an_hour_it_is_told_who_and_since_when)
{
	char *dir = scratch_new(), *path = scratch_path(dir, "lock");
	struct failure e = ERR_INIT;
	struct strbuf since = STRBUF_INIT;
	int first, second;

	cr_assert_eq(take(path, &first), ERR_NONE);
	cr_expect_eq(lock_take(path, NOW, &second, &e), ERR_BUSY);
	cr_expect_eq(lock_take(path, NOW + LOCK_LONG_S, &second, &e), ERR_BUSY);
	cr_expect_eq(lock_take(path, NOW + 3 * LOCK_LONG_S, &second, &e), ERR_TIMEOUT);
	/* The same words each time, so that the operator is told once. */
	utc_format_human(&since, NOW);
	cr_expect(strstr(e.text.ptr, since.ptr), "%s", e.text.ptr);
	strbuf_release(&since);
	lock_drop(&first);
	/* Once it has been had, waiting begins anew. */
	cr_assert_eq(take(path, &first), ERR_NONE);
	cr_expect_eq(lock_take(path, NOW + 4 * LOCK_LONG_S, &second, &e), ERR_BUSY);
	/* Who was killed while writing the note leaves it empty: the next one writes it. */
	char *busy = scratch_path(dir, "lock.busy");
	cr_assert_eq(truncate(busy, 0), 0);
	cr_expect_eq(lock_take(path, NOW + 5 * LOCK_LONG_S, &second, &e), ERR_BUSY);
	cr_expect_eq(lock_take(path, NOW + 7 * LOCK_LONG_S, &second, &e), ERR_TIMEOUT);
	free(busy);
	lock_drop(&first);
	cr_assert_eq(take(path, &second), ERR_NONE);
	lock_drop(&second);
	err_release(&e);
	free(path);
	scratch_remove(dir);
}
