/*
 * test_file.c - files: private, complete, no links, no pipes; and the steps of a test run.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "processor/base/step.h"
#include "tests/support/scratch.h"

static char *scratch;

static void make_scratch(void)
{
	scratch = scratch_new();
}

static void drop_scratch(void)
{
	scratch_remove(scratch);
}

TestSuite(file, .init = make_scratch, .fini = drop_scratch);
TestSuite(step, .init = make_scratch, .fini = drop_scratch);

static void expect_content(const char *path, struct span expected)
{
	struct strbuf text = STRBUF_INIT;

	cr_assert_eq(file_read(path, 1 << 20, &text, NULL), ERR_NONE);
	cr_assert(span_eq(strbuf_span(&text), expected));
	strbuf_release(&text);
}

Test(file, what_is_created_is_private_and_can_be_read_back)
{
	char *path = scratch_path(scratch, "a");
	struct strbuf big = STRBUF_INIT;
	struct stat st;

	for (unsigned i = 0; i < 300000; i++)
		strbuf_addc(&big, (char)(i * 31 >> 3));
	cr_assert_eq(file_create(path, strbuf_span(&big), NULL), ERR_NONE);
	expect_content(path, strbuf_span(&big));
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0600);
	strbuf_release(&big);
	free(path);
}

Test(file, an_existing_file_is_never_replaced)
{
	struct failure e = ERR_INIT;
	char *path = scratch_path(scratch, "a");

	cr_assert_eq(file_create(path, SPAN_LIT("one"), NULL), ERR_NONE);
	cr_assert_eq(file_create(path, SPAN_LIT("two"), &e), ERR_EXISTS);
	cr_assert_eq(e.code, ERR_EXISTS);
	expect_content(path, SPAN_LIT("one"));
	err_release(&e);
	free(path);
}

Test(file, the_limit_is_the_last_size_that_can_be_read)
{
	struct strbuf text = STRBUF_INIT;
	char *path = scratch_path(scratch, "a");

	strbuf_adds(&text, "before ");
	cr_assert_eq(file_create(path, SPAN_LIT("12345"), NULL), ERR_NONE);
	cr_assert_eq(file_read(path, 4, &text, NULL), ERR_LIMIT);
	cr_assert_str_eq(text.ptr, "before ");
	cr_assert_eq(file_read(path, 0, &text, NULL), ERR_LIMIT);
	cr_assert_eq(file_read(path, 5, &text, NULL), ERR_NONE);
	cr_assert_str_eq(text.ptr, "before 12345");
	strbuf_release(&text);
	free(path);
}

Test(file, only_regular_files_are_read_and_no_link_is_followed)
{
	struct strbuf text = STRBUF_INIT;
	struct failure e = ERR_INIT;
	char *path = scratch_path(scratch, "a"), *other = scratch_path(scratch, "link");
	char *pipe_path = scratch_path(scratch, "pipe");

	cr_assert_eq(file_read(path, 9, &text, &e), ERR_NOT_FOUND);
	cr_assert_eq(file_read(scratch, 9, &text, &e), ERR_IO);
	cr_assert_eq(mkfifo(pipe_path, 0600), 0);
	cr_assert_eq(file_read(pipe_path, 9, &text, &e), ERR_IO);
	cr_assert_eq(file_create(path, SPAN_LIT("x"), &e), ERR_NONE);
	cr_assert_eq(symlink(path, other), 0);
	cr_assert_eq(file_read(other, 9, &text, &e), ERR_IO);
	cr_assert_eq(unlink(path), 0);
	cr_assert(file_exists(other), "a link that leads nowhere is there all the same");
	cr_assert_not(file_exists(path));
	cr_assert_eq(file_create(other, SPAN_LIT("x"), &e), ERR_EXISTS);
	err_release(&e);
	free(pipe_path);
	free(other);
	free(path);
}

Test(file, folders_are_private_and_may_be_there_already)
{
	struct failure e = ERR_INIT;
	char *path = scratch_path(scratch, "folder"), *file = scratch_path(path, "file");
	char *deep = scratch_path(scratch, "no/such");
	struct stat st;

	cr_assert_eq(file_mkdir(path, &e), ERR_NONE);
	cr_assert_eq(file_mkdir(path, &e), ERR_NONE);
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0700);
	cr_assert_eq(file_create(file, SPAN_LIT(""), &e), ERR_NONE);
	cr_assert_eq(file_mkdir(file, &e), ERR_EXISTS);
	cr_assert_eq(file_mkdir(deep, &e), ERR_NOT_FOUND);
	cr_assert_eq(file_create(deep, SPAN_LIT(""), &e), ERR_IO);
	cr_assert_eq(file_sync_dir(path, &e), ERR_NONE);
	cr_assert_eq(file_sync_dir(deep, &e), ERR_NOT_FOUND);
	err_release(&e);
	free(deep);
	free(file);
	free(path);
}

Test(file, a_name_without_a_folder_stands_in_the_current_one)
{
	cr_assert_eq(chdir(scratch), 0);
	cr_assert_eq(file_create("here", SPAN_LIT("x"), NULL), ERR_NONE);
	expect_content("here", SPAN_LIT("x"));
}

Test(file, a_full_device_is_told_apart_and_leaves_no_file)
{
	struct failure e = ERR_INIT;
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		cr_skip("no /dev/full here");
	cr_assert_eq(file_write_fd(fd, SPAN_LIT("x"), &e), ERR_FULL);
	close(fd);
	err_release(&e);
}

Test(file, a_pipe_is_read_to_its_end)
{
	struct strbuf text = STRBUF_INIT;
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	cr_assert_eq(file_write_fd(ends[1], SPAN_LIT("mole"), NULL), ERR_NONE);
	close(ends[1]);
	cr_assert_eq(file_read_fd(ends[0], 100, &text, NULL), ERR_NONE);
	cr_assert_str_eq(text.ptr, "mole");
	close(ends[0]);
	strbuf_release(&text);
}

/* How a child ends that takes three steps. */
static int status_of_three_steps(void)
{
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		step("first");
		step("second");
		step("third");
		_exit(0);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	return status;
}

Test(step, the_process_dies_at_the_step_named_and_logs_those_taken)
{
	char *log = scratch_path(scratch, "log");
	int status;

	setenv("MOLEPOST_TEST_STEP_LOG", log, 1);
	setenv("MOLEPOST_TEST_STOP_AT", "2", 1);
	status = status_of_three_steps();
	cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	expect_content(log, SPAN_LIT("first\nsecond\n"));
	setenv("MOLEPOST_TEST_STOP_AT", "4", 1);
	status = status_of_three_steps();
	cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	expect_content(log, SPAN_LIT("first\nsecond\nfirst\nsecond\nthird\n"));
	free(log);
}
