/*
 * test_play.c - `molepost play`, at a terminal and through a pipe.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "processor/base/seal.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

enum { PATIENCE_MS = 20000 };

static void setup(void)
{
	seal_start();
	scratch_in_memory();
}

TestSuite(play, .init = setup, .timeout = 120);

/* What `molepost WORDS` prints when `typed` is its standard input; free with free(). */
static char *played(struct testbed *s, const char *words, const char *typed, int code)
{
	char *input = scratch_path(s->scratch, "typed");
	struct failure e = ERR_INIT;
	struct ran ran;

	unlink(input);
	cr_assert_eq(file_create(input, span_of(typed), &e), ERR_NONE);
	s->input = input;
	testbed_do(s, words, (const char *const[]){"USER=ann", NULL}, &ran);
	cr_assert_eq(ran.code, code, "%s\n%s", ran.out.ptr, ran.err.ptr);
	strbuf_adds(&ran.out, ran.err.ptr);
	char *said = strbuf_detach(&ran.out);
	ran_release(&ran);
	free(input);
	s->input = NULL;
	return said;
}

static void expect_told(const char *said, const char *text)
{
	cr_expect_not_null(strstr(said, text), "\"%s\" is not in\n%s", text, said);
}

/* How many files and folders whose names begin so lie in a folder. */
static size_t entries(const char *folder, const char *begin)
{
	DIR *dir = opendir(folder);
	struct dirent *d;
	size_t n = 0;

	cr_assert_not_null(dir);
	while ((d = readdir(dir)))
		n += strncmp(d->d_name, begin, strlen(begin)) == 0;
	closedir(dir);
	return n;
}

Test(play, a_whole_game_goes_through_a_pipe_and_leaves_nothing)
{
	struct testbed *s = testbed_new_empty("pipe");
	const char *env[] = {NULL, NULL};
	struct strbuf typed = STRBUF_INIT, tmp = STRBUF_INIT;

	for (unsigned turn = 0; turn < 60; turn++)
		strbuf_adds(&typed, "popup 1 2 3, whack 5\n");
	strbuf_addf(&tmp, "TMPDIR=%s", s->scratch);
	env[0] = tmp.ptr;
	s->extra_env = env;
	char *said = played(s, "play whakka mole players 2 target=20", typed.ptr, 0);
	expect_told(said, "You are in it as Ann (seat 1 of 2).");
	expect_told(said, "Your answer> popup 1 2 3, whack 5\n==== [W1 turn 2] orders due");
	expect_told(said, "The game is over.");
	expect_told(said, "molepost init --address");
	cr_expect_null(strstr(said, "MOLEPOST RECEIPT"));
	cr_expect_eq(entries(s->scratch, "molepost-play"), 0);
	free(said);
	strbuf_release(&typed);
	strbuf_release(&tmp);
	testbed_free(s);
}

Test(play, a_game_in_a_folder_goes_on_where_it_was_left_and_its_record_holds)
{
	struct testbed *s = testbed_new_empty("folder");
	struct strbuf words = STRBUF_INIT;

	strbuf_addf(&words, "play --folder %s/kept whakka mole", s->scratch);
	char *said = played(s, words.ptr, "popup 3, whack 5\n", 0);
	expect_told(said, "[W1 turn 2] orders due");
	free(said);

	strbuf_clear(&words);
	strbuf_addf(&words, "play --mail --folder %s/kept", s->scratch);
	said = played(s, words.ptr, "resign\n", 0);
	expect_told(said, "\nSubject: [W1 turn 2] orders due");
	expect_told(said, "BEGIN MOLEPOST");
	expect_told(said, "The game is over.");
	free(said);

	free(s->dir);
	s->dir = scratch_path(s->scratch, "kept");
	struct strbuf record = STRBUF_INIT;
	testbed_archive(s, "W1", &record);
	cr_expect_eq(testbed_verify(s, strbuf_span(&record)), 0);
	expect_sound(s);
	strbuf_release(&record);
	strbuf_release(&words);
	testbed_free(s);
}

Test(play, asks_which_game_and_says_what_would_work)
{
	struct testbed *s = testbed_new_empty("asks");

	char *said = played(s, "play", "chess\nmole park level 4\n", 0);
	expect_told(said, "Whakka Mole\n    Hide your moles");
	expect_told(said,
	            "there is no game 'chess'; try: molepost play whakka mole\nWhich game? ");
	expect_told(said, "Bot Ada, Bot Bela and Bot");
	expect_told(said, "at level 4 of 5");
	free(said);
	said = played(s, "play mole majorty", "", 65);
	expect_told(said,
	            "there is no game 'mole majorty'; try: molepost play Mole Majority\n");
	free(said);
	said = played(s, "play --bogus", "", 64);
	expect_told(said, "usage: molepost play");
	free(said);
	testbed_free(s);
}

Test(play, does_not_play_in_the_folder_of_a_server)
{
	struct testbed *s = testbed_new("of-a-server");
	struct strbuf words = STRBUF_INIT;

	strbuf_addf(&words, "play --folder %s whakka mole", s->dir);
	char *before = fingerprint_of(s, "mail");
	char *said = played(s, words.ptr, "popup 3\n", 65);
	char *after = fingerprint_of(s, "mail");
	expect_told(said, "is the folder of a server");
	cr_expect_str_eq(before, after);
	free(before);
	free(after);
	free(said);
	strbuf_release(&words);
	testbed_free(s);
}

/* ---- A terminal ---- */

struct terminal {
	int fd;
	pid_t pid;
	struct strbuf text; /* all that was shown */
	size_t seen;        /* of it, by wait_for */
};

static void wait_for(struct terminal *t, const char *text)
{
	char bytes[4096];
	ssize_t n;
	struct pollfd p = {.fd = t->fd, .events = POLLIN};

	while (!strstr(t->text.ptr + t->seen, text)) {
		cr_assert_eq(poll(&p, 1, PATIENCE_MS), 1, "no \"%s\" in\n%s", text,
		             t->text.ptr);
		n = read(t->fd, bytes, sizeof(bytes));
		cr_assert_gt(n, 0, "no \"%s\" in\n%s", text, t->text.ptr);
		strbuf_add(&t->text, bytes, (size_t)n);
	}
	t->seen = (size_t)(strstr(t->text.ptr + t->seen, text) - t->text.ptr) + strlen(text);
}

/* libedit shows its prompt before it takes the keys one by one: Ctrl-D in between is another one. */
static void type(const struct terminal *t, const char *keys)
{
	struct termios mode = {.c_lflag = ICANON};

	for (unsigned i = 0; i < PATIENCE_MS / 10 && (mode.c_lflag & ICANON); i++) {
		cr_assert_eq(tcgetattr(t->fd, &mode), 0);
		usleep(10000);
	}
	cr_assert_eq(mode.c_lflag & ICANON, 0);
	cr_assert_eq(write(t->fd, keys, strlen(keys)), (ssize_t)strlen(keys));
}

/* `molepost play whakka mole` at a terminal of its own, with its folder below s->scratch, at its first prompt. */
static void sit_down(struct testbed *s, struct terminal *t)
{
	*t = (struct terminal){.text = STRBUF_INIT};
	strbuf_adds(&t->text, "");
	t->pid = forkpty(&t->fd, NULL, NULL, NULL);
	cr_assert_geq(t->pid, 0);
	if (t->pid == 0) {
		setenv("TMPDIR", s->scratch, 1);
		setenv("TERM", "xterm", 1);
		execl(s->program, "molepost", "play", "whakka", "mole", (char *)NULL);
		_exit(127);
	}
	wait_for(t, "[W1 turn 1] orders due");
	wait_for(t, "Your answer> ");
	cr_expect_eq(entries(s->scratch, "molepost-play"), 1);
}

/* Until it has ended, and its folder is gone. */
static int get_up(struct testbed *s, struct terminal *t)
{
	int status = 0;

	cr_assert_eq(waitpid(t->pid, &status, 0), t->pid);
	for (unsigned i = 0; i < 500 && entries(s->scratch, "molepost-play") > 0; i++)
		usleep(10000);
	cr_expect_eq(entries(s->scratch, "molepost-play"), 0);
	close(t->fd);
	strbuf_release(&t->text);
	return status;
}

Test(play, a_line_can_be_edited_and_called_back_at_a_terminal)
{
	struct testbed *s = testbed_new_empty("terminal");
	struct terminal t;

	sit_down(s, &t);
	type(&t, "popup 4, whack 6\1773\r");
	wait_for(&t, "[W1 turn 2] orders due");
	wait_for(&t, "whacked hole 3 on the sheet of");
	wait_for(&t, "Your answer> ");
	type(&t, "\033[A\r"); /* up: the same once more */
	wait_for(&t, "[W1 turn 3] orders due");
	wait_for(&t, "whacked hole 3 on the sheet of");
	wait_for(&t, "Your answer> ");
	type(&t, "\004");
	cr_expect_eq(get_up(s, &t), 0);
	testbed_free(s);
}

Test(play, ctrl_c_leaves_no_folder)
{
	struct testbed *s = testbed_new_empty("ctrl-c");
	struct terminal t;

	sit_down(s, &t);
	type(&t, "\003");
	cr_expect(WIFSIGNALED(get_up(s, &t)));
	testbed_free(s);
}
