/*
 * test_shim.c - the disk that fails on demand does what shim.c says, mode by mode.
 *
 * Each test lets build/tests/support/writer make a few calls in a folder of its own under the
 * shim and looks at what is left. Nothing else here would notice a shim that does nothing.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processor/base/env.h"
#include "processor/base/file.h"
#include "tests/support/scratch.h"

/* Where one test works, and what it works with. */
struct desk {
	char *root, *shim, *writer;
};

static char *built(const char *name)
{
	struct strbuf path = STRBUF_INIT;
	const char *build = env_get("MOLEPOST_BUILD");
	char *absolute;

	strbuf_addf(&path, "%s/%s", build ? build : "build", name);
	absolute = realpath(path.ptr, NULL);
	cr_assert_not_null(absolute, "%s is not built", path.ptr);
	strbuf_release(&path);
	return absolute;
}

static struct desk desk_new(void)
{
	struct desk d = {scratch_new(), built("shim.so"), built("tests/support/writer")};

	return d;
}

static void desk_free(struct desk *d)
{
	scratch_remove(d->root);
	free(d->shim);
	free(d->writer);
}

enum { MAX_WORDS = 64 };

/* `commands` separated by spaces; the wait status. mode NULL = no shim. */
static int writer_under(const struct desk *d, const char *mode, const char *commands)
{
	char *words[MAX_WORDS + 1] = {d->writer, d->root}, *copy = strdup(commands),
				*rest = copy;
	size_t n = 2;
	int status = -1;
	pid_t pid;

	while (rest && n < MAX_WORDS)
		words[n++] = strsep(&rest, " ");
	pid = fork();
	cr_assert_geq(pid, 0);
	if (pid == 0) {
		if (mode) {
			setenv("LD_PRELOAD", d->shim, 1);
			setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
			setenv("MOLEPOST_SHIM", mode, 1);
			setenv("MOLEPOST_SHIM_ROOT", d->root, 1);
		}
		close(STDERR_FILENO);
		execv(d->writer, words);
		_exit(126);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	free(copy);
	return status;
}

static bool was_killed(int status)
{
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static bool ended_with(int status, int code)
{
	return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

/* NULL wanted = there is no such file. */
static void expect(const struct desk *d, const char *name, const char *wanted)
{
	struct strbuf got = STRBUF_INIT;
	struct failure e = ERR_INIT;
	char *path = scratch_path(d->root, name);
	enum err err = file_read(path, 1 << 16, &got, &e);

	if (!wanted)
		cr_expect_eq(err, ERR_NOT_FOUND, "%s is there: '%s'", name, got.ptr);
	else
		cr_expect(err == ERR_NONE && strcmp(got.ptr, wanted) == 0,
		          "%s holds '%s', not '%s' %s", name, got.ptr, wanted, e.text.ptr);
	free(path);
	strbuf_release(&got);
	err_release(&e);
}

static const char lifecycle[] = "write tmp hello fsync tmp rename tmp new fdatasync .";

static void expect_count(const struct desk *d, const char *name, const char *mode,
                         const char *commands, const char *wanted)
{
	struct strbuf full = STRBUF_INIT;

	strbuf_addf(&full, "%s:%s/%s", mode, d->root, name);
	cr_expect(ended_with(writer_under(d, full.ptr, commands), 0));
	expect(d, name, wanted);
	strbuf_release(&full);
}

Test(shim, counts_calls_on_files_and_folders_of_its_root_only)
{
	struct desk d = desk_new();

	expect_count(&d, "n", "count", lifecycle, "4\n");
	expect_count(&d, "n", "count",
	             "pipe abc write a 1 append a 2 patch a 3 gather a 4 link a b", "4\n5\n");
	expect_count(&d, "none", "count", "pipe abc mkdir sub unlink a", NULL);
	expect_count(&d, "kinds", "tally", lifecycle,
	             "writes=1 fsyncs=1 fdatasyncs=1 renames=1 links=0\n");
	desk_free(&d);
}

Test(shim, leaves_files_elsewhere_alone)
{
	struct desk d = desk_new();
	char *other = scratch_new(), *file = scratch_path(other, "f");
	struct strbuf commands = STRBUF_INIT;

	strbuf_addf(&commands, "write %s hello fsync %s", file, file);
	cr_expect(ended_with(writer_under(&d, "kill:1", commands.ptr), 0));
	strbuf_release(&commands);
	free(file);
	scratch_remove(other);
	desk_free(&d);
}

Test(shim, ignores_shared_memory_files_of_sqlite)
{
	struct desk d = desk_new();

	cr_expect(ended_with(writer_under(&d, "kill:1", "write db-shm x"), 0));
	cr_expect(was_killed(writer_under(&d, "kill:1", "write db-wal x")));
	desk_free(&d);
}

Test(shim, kills_before_the_nth_call)
{
	struct desk d = desk_new();

	cr_expect(was_killed(writer_under(&d, "kill:1", lifecycle)));
	expect(&d, "tmp", "");
	cr_expect(was_killed(writer_under(&d, "kill:3", lifecycle)));
	expect(&d, "tmp", "hello");
	cr_expect(was_killed(writer_under(&d, "kill:4", lifecycle)));
	expect(&d, "tmp", NULL);
	expect(&d, "new", "hello");
	cr_expect(ended_with(writer_under(&d, "kill:5", lifecycle), 0));
	desk_free(&d);
}

Test(shim, tears_the_nth_write_in_half)
{
	struct desk d = desk_new();

	cr_expect(
	    was_killed(writer_under(&d, "tear:2", "write a first fsync a append a second")));
	expect(&d, "a", "firstsec");
	cr_expect(was_killed(writer_under(&d, "tear:1", "patch a XYZW")));
	expect(&d, "a", "fXYstsec");
	cr_expect(was_killed(writer_under(&d, "tear:1", "gather b abcdef")));
	expect(&d, "b", "abc");
	cr_expect(ended_with(writer_under(&d, "tear:2", "write c whole fsync c"), 0));
	desk_free(&d);
}

Test(shim, fails_the_nth_call_and_all_later_ones)
{
	struct desk d = desk_new();

	cr_expect(ended_with(writer_under(&d, "eio:2", "write a x append a y"), 1));
	expect(&d, "a", "x");
	cr_expect(ended_with(writer_under(&d, "enospc:2", lifecycle), 1));
	cr_expect(ended_with(writer_under(&d, "enospc:3", lifecycle), 1));
	expect(&d, "tmp", "hello");
	cr_expect(ended_with(writer_under(&d, "eio:1", "link a b"), 1));
	expect(&d, "b", NULL);
	cr_expect(ended_with(writer_under(&d, "eio:5", lifecycle), 0));
	desk_free(&d);
}

Test(shim, a_power_cut_takes_back_what_was_written_since_the_last_sync)
{
	struct desk d = desk_new();

	writer_under(&d, NULL, "write a 0123456789");
	cr_expect(was_killed(writer_under(
	    &d, "power:5", "append a durable fsync a patch a XX append a lost fsync a")));
	expect(&d, "a", "0123456789durable");
	cr_expect(
	    was_killed(writer_under(&d, "power:2", "size a xxx empty a write a new fsync a")));
	expect(&d, "a", "0123456789durable");
	cr_expect(
	    was_killed(writer_under(&d, "power:3", "patch a XY fdatasync a fdatasync a")));
	expect(&d, "a", "0XY3456789durable");
	desk_free(&d);
}

Test(shim, a_power_cut_takes_back_names_whose_folder_was_not_synced)
{
	struct desk d = desk_new();

	cr_expect(was_killed(writer_under(&d, "power:3", "write a x fsync a fsync .")));
	expect(&d, "a", NULL);
	cr_expect(was_killed(writer_under(&d, "power:4", "write a x fsync a fsync . fsync .")));
	expect(&d, "a", "x");
	cr_expect(was_killed(writer_under(&d, "power:3", "rename a b link b c fsync .")));
	expect(&d, "a", "x");
	expect(&d, "b", NULL);
	expect(&d, "c", NULL);
	cr_expect(was_killed(writer_under(&d, "power:1", "unlink a fsync .")));
	expect(&d, "a", "x");
	desk_free(&d);
}

Test(shim, a_power_cut_leaves_a_synced_name_without_its_unsynced_bytes)
{
	struct desk d = desk_new();

	cr_expect(was_killed(
	    writer_under(&d, "power:4", "write tmp x rename tmp new fsync . fsync .")));
	expect(&d, "tmp", NULL);
	expect(&d, "new", "");
	desk_free(&d);
}

Test(shim, a_power_cut_brings_a_replaced_file_back)
{
	struct desk d = desk_new();

	writer_under(&d, NULL, "write a old");
	writer_under(&d, NULL, "write tmp young fsync tmp rename tmp a fsync .");
	expect(&d, "a", "young");
	cr_expect(was_killed(
	    writer_under(&d, "power:4", "write tmp third fsync tmp rename tmp a fsync .")));
	expect(&d, "a", "young");
	expect(&d, "tmp", NULL);
	desk_free(&d);
}

Test(shim, a_rename_counts_once_its_new_folder_is_synced)
{
	struct desk d = desk_new();

	writer_under(&d, NULL, "mkdir new mkdir cur write new/m mail");
	cr_expect(
	    was_killed(writer_under(&d, "power:3", "rename new/m cur/m fsync new fsync cur")));
	expect(&d, "new/m", "mail");
	expect(&d, "cur/m", NULL);
	cr_expect(
	    was_killed(writer_under(&d, "power:3", "rename new/m cur/m fsync cur fsync new")));
	expect(&d, "new/m", NULL);
	expect(&d, "cur/m", "mail");
	desk_free(&d);
}

Test(shim, a_disk_may_keep_renames_and_nothing_else_that_was_not_synced)
{
	struct desk d = desk_new();

	writer_under(&d, NULL, "mkdir new mkdir cur write new/m mail write a old");
	cr_expect(was_killed(
	    writer_under(&d, "kept:3", "append a er rename new/m cur/m fsync cur fsync a")));
	expect(&d, "new/m", NULL);
	expect(&d, "cur/m", "mail");
	expect(&d, "a", "old");
	desk_free(&d);
}

Test(shim, a_file_made_and_moved_stays_once_its_last_folder_is_synced)
{
	struct desk d = desk_new();

	writer_under(&d, NULL, "mkdir tmp mkdir new");
	cr_expect(was_killed(writer_under(
	    &d, "power:5",
	    "write tmp/m mail fsync tmp/m rename tmp/m new/m fsync new fsync tmp")));
	expect(&d, "tmp/m", NULL);
	expect(&d, "new/m", "mail");
	desk_free(&d);
}

Test(shim, a_file_made_and_removed_is_gone_after_a_power_cut)
{
	struct desk d = desk_new();

	cr_expect(
	    was_killed(writer_under(&d, "power:2", "write a x unlink a mkdir d fsync .")));
	expect(&d, "a", NULL);
	expect(&d, "d/f", NULL);
	desk_free(&d);
}

Test(shim, power_can_fail_just_after_the_end)
{
	struct desk d = desk_new();

	cr_expect(ended_with(writer_under(&d, "power:exit", "write a x fsync a"), 0));
	expect(&d, "a", NULL);
	cr_expect(ended_with(writer_under(&d, "power:exit", "write a x fsync a fsync ."), 0));
	expect(&d, "a", "x");
	desk_free(&d);
}

Test(shim, refuses_a_mode_that_it_does_not_know)
{
	struct desk d = desk_new();

	cr_expect(ended_with(writer_under(&d, "melt:1", lifecycle), 127));
	cr_expect(ended_with(writer_under(&d, "kill:0", lifecycle), 127));
	desk_free(&d);
}
