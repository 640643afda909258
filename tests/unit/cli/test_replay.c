/*
 * test_replay.c - the commands verify and replay, with files, pipes and a terminal.
 */
#define _GNU_SOURCE /* pseudo-terminals; streams of one's own */

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "mail/parser.h"
#include "processor/archive/proof.h"
#include "processor/base/file.h"
#include "processor/cli/command_line.h"
#include "tests/support/played.h"
#include "tests/support/scratch.h"

/* A command's surroundings: an archive in a file, and what was printed. */
struct stage {
	struct played p;
	char *dir, *path;
	struct cli cli;
	char *out, *err;
	size_t out_len, err_len;
};

static void set_stage(struct stage *s, size_t nturns)
{
	struct strbuf text = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct record r;

	seal_start();
	*s = (struct stage){.dir = scratch_new()};
	s->path = scratch_path(s->dir, "w17.txt");
	played_game_with(&s->p, rules_find(SPAN_LIT("whakka mole")), "target=12", 3, 60, 5);
	r = nturns > 0 ? played_until(&s->p, nturns) : s->p.record;
	archive_write(&r, s->p.keys, &text);
	cr_assert_eq(file_create(s->path, strbuf_span(&text), &e), ERR_NONE, "%s", e.text.ptr);
	s->cli.in = stdin;
	s->cli.out = open_memstream(&s->out, &s->out_len);
	s->cli.log.out = open_memstream(&s->err, &s->err_len);
	strbuf_release(&text);
}

static void strike_stage(struct stage *s)
{
	fclose(s->cli.out);
	fclose(s->cli.log.out);
	free(s->out);
	free(s->err);
	free(s->path);
	scratch_remove(s->dir);
	played_release(&s->p);
}

/* Runs "NAME args... PATH"; returns the exit code, what it printed is in s->out and s->err. */
static int run(struct stage *s, int (*command)(struct cli *, int, char **), const char *args)
{
	char line[400], *argv[12], *rest = line;
	int argc = 0;

	rewind(s->cli.out);
	rewind(s->cli.log.out);
	snprintf(line, sizeof(line), "command %s", args);
	while (argc < 11 && (argv[argc] = strtok_r(rest, " ", &rest)) != NULL)
		argc++;
	argv[argc++] = s->path;
	for (size_t i = 0; cli_at(i); i++)
		if (cli_at(i)->run == command)
			s->cli.command = cli_at(i);
	int code = command(&s->cli, argc, argv);
	fputc('\0', s->cli.out);
	fputc('\0', s->cli.log.out);
	fflush(s->cli.out);
	fflush(s->cli.log.out);
	return code;
}

static void expect_printed(const char *printed, const char *words)
{
	cr_assert_not_null(strstr(printed, words), "\"%s\" is missing in:\n%s", words, printed);
}

Test(verify_command, says_who_signed_and_how_far_it_looked)
{
	struct stage s;

	set_stage(&s, 0);
	cr_assert_eq(run(&s, cmd_verify, ""), EXIT_DONE);
	expect_printed(s.out, "signed by key ");
	expect_printed(s.out, "The game has ended.");
	strike_stage(&s);

	set_stage(&s, 2);
	cr_assert_eq(run(&s, cmd_verify, ""), EXIT_DONE);
	expect_printed(s.out, "resolved 2 of 2 turns");
	expect_printed(s.out, "still running");
	strike_stage(&s);
}

static const char *hex_args(struct stage *s, const char *option, const struct hash *d)
{
	struct strbuf hex = STRBUF_INIT;
	const char *args;

	hash_add_hex(&hex, d);
	args = arena_printf(s->p.arena, "%s %s", option, hex.ptr);
	strbuf_release(&hex);
	return args;
}

Test(verify_command, compares_key_and_head)
{
	struct record_chain chain = {0};
	struct hash other;
	struct stage s;

	set_stage(&s, 0);
	other = hash_of(SPAN_LIT("other"));
	archive_add_header(&s.p.record, false, &chain, NULL);
	cr_assert_eq(run(&s, cmd_verify, hex_args(&s, "--key", &s.p.record.public_key)),
	             EXIT_DONE);
	expect_printed(s.out, "That is the key you gave");
	cr_assert_eq(run(&s, cmd_verify, hex_args(&s, "--head", &chain.head)), EXIT_DONE);
	expect_printed(s.out, "equal to the head you gave, after line ");
	cr_assert_eq(run(&s, cmd_verify, hex_args(&s, "--key", &other)), EXIT_DATA);
	expect_printed(s.out, "broken: line ");
	cr_assert_eq(run(&s, cmd_verify, hex_args(&s, "--head", &other)), EXIT_DATA);
	expect_printed(s.out, "broken: line ");
	strike_stage(&s);
}

Test(verify_command, reads_standard_input_when_there_is_no_file)
{
	char name[] = "verify", dash[] = "-";
	char *argv[] = {name, dash, NULL};
	struct stage s;

	set_stage(&s, 0);
	for (int argc = 1; argc <= 2; argc++) {
		s.cli.in = fopen(s.path, "r");
		cr_assert_eq(cmd_verify(&s.cli, argc, argv), EXIT_DONE);
		fclose(s.cli.in);
	}
	strike_stage(&s);
}

Test(verify_command, names_the_first_line_that_does_not_hold)
{
	struct stage s;
	FILE *f;

	set_stage(&s, 0);
	f = fopen(s.path, "r+");
	fseek(f, 900, SEEK_SET);
	fputc('!', f);
	fclose(f);
	cr_assert_eq(run(&s, cmd_verify, ""), EXIT_DATA);
	expect_printed(s.out, "broken: line ");
	cr_assert_eq(run(&s, cmd_replay, ""), EXIT_DATA);
	expect_printed(s.err, "does not hold, line ");
	strike_stage(&s);
}

/*
 * Who looks for a mail in a file starts /proc/self/exe to parse it. That is this program, which would
 * run all its tests again, and they would do the same.
 */
__attribute__((constructor)) static void be_no_parser(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], PARSER_CHILD_COMMAND) == 0)
		_exit(EXIT_FAILURE);
}

/* A mail with a receipt, quoted, instead of the archive. */
static void put_receipt(struct stage *s)
{
	struct receipt_proof ev = {
	    .version = 2, .game = "W17", .serial = 1, .seat = 2, .revision = 1};
	struct strbuf mail = STRBUF_INIT, block = STRBUF_INIT;
	struct span rest, line;
	struct failure e = ERR_INIT;

	ev.commitment = hash_of(SPAN_LIT("orders"));
	proof_add_receipt(&ev, s->p.keys, &block);
	rest = strbuf_span(&block);
	while (span_next_line(&rest, &line))
		strbuf_addf(&mail, "> %.*s\r\n", SPAN_ARGS(line));
	unlink(s->path);
	cr_assert_eq(file_create(s->path, strbuf_span(&mail), &e), ERR_NONE, "%s", e.text.ptr);
	strbuf_release(&mail);
	strbuf_release(&block);
}

Test(verify_command, checks_a_receipt_against_the_key_given)
{
	struct hash other;
	struct stage s;

	set_stage(&s, 0);
	put_receipt(&s);
	other = hash_of(SPAN_LIT("other"));
	cr_assert_eq(run(&s, cmd_verify, hex_args(&s, "--key", &s.p.record.public_key)),
	             EXIT_DONE);
	expect_printed(s.out, "acknowledged revision 1 of the orders of seat 2");
	cr_assert_eq(run(&s, cmd_verify, hex_args(&s, "--key", &other)), EXIT_DATA);
	expect_printed(s.out, "broken: ");
	cr_assert_eq(run(&s, cmd_verify, ""), EXIT_DATA);
	expect_printed(s.out, "--key");
	strike_stage(&s);
}

Test(verify_command, checks_the_receipt_for_a_seat_against_the_key_given)
{
	struct seat_proof seat = {.version = 3, .number = 1, .game = "W17", .seat = 2};
	struct strbuf block = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct hash other;
	struct stage s;

	set_stage(&s, 0);
	proof_add_seat(&seat, s.p.keys, &block);
	unlink(s.path);
	cr_assert_eq(file_create(s.path, strbuf_span(&block), &e), ERR_NONE, "%s", e.text.ptr);
	other = hash_of(SPAN_LIT("other"));
	cr_assert_eq(run(&s, cmd_verify, hex_args(&s, "--key", &s.p.record.public_key)),
	             EXIT_DONE);
	expect_printed(s.out, "acknowledged that seat 2 of W17 was taken");
	cr_assert_eq(run(&s, cmd_verify, hex_args(&s, "--key", &other)), EXIT_DATA);
	expect_printed(s.out, "broken: ");
	strbuf_release(&block);
	strike_stage(&s);
}

Test(verify_command, a_file_that_is_not_there_is_an_error)
{
	struct stage s;

	set_stage(&s, 0);
	unlink(s.path);
	cr_assert_neq(run(&s, cmd_verify, ""), EXIT_DONE);
	cr_assert_neq(run(&s, cmd_replay, ""), EXIT_DONE);
	strike_stage(&s);
}

Test(replay, prints_every_turn_its_orders_and_the_result)
{
	struct stage s;

	set_stage(&s, 0);
	cr_assert_eq(run(&s, cmd_replay, ""), EXIT_DONE);
	expect_printed(s.out, "=== W17 set-up (serial 0)");
	expect_printed(s.out, "=== W17 turn 1 (serial 1)");
	expect_printed(s.out, "(sent): POPUP");
	expect_printed(s.out, "=== W17 over ");
	expect_printed(s.out, "Winner: ");
	cr_assert_null(strstr(s.out, "--- state ---"));
	cr_assert_null(strchr(s.out, '\033'));
	strike_stage(&s);
}

Test(replay, one_turn_with_its_state)
{
	struct stage s;

	set_stage(&s, 0);
	cr_assert_eq(run(&s, cmd_replay, "--turn 1 --states"), EXIT_DONE);
	expect_printed(s.out, "(serial 1)");
	expect_printed(s.out, "--- state ---\n");
	expect_printed(s.out, arena_cstr(s.p.arena, s.p.record.turns[1].state));
	cr_assert_null(strstr(s.out, "(serial 2)"));
	cr_assert_eq(run(&s, cmd_replay, "--turn 99"), EXIT_DATA);
	strike_stage(&s);
}

Test(replay, a_seat_s_view_only_when_the_game_has_ended)
{
	struct stage s;

	set_stage(&s, 0);
	cr_assert_eq(run(&s, cmd_replay, "--seat 2"), EXIT_DONE);
	cr_assert_eq(run(&s, cmd_replay, "--seat 4"), EXIT_DATA);
	strike_stage(&s);
	set_stage(&s, 2);
	cr_assert_eq(run(&s, cmd_replay, ""), EXIT_DONE);
	cr_assert_eq(run(&s, cmd_replay, "--seat 2"), EXIT_DATA);
	expect_printed(s.err, "still running");
	strike_stage(&s);
}

/* Typed before replay has the terminal to itself, Ctrl-C would be a signal and empty it. */
static void let_ctrl_c_wait(int terminal)
{
	struct termios t;

	cr_assert_eq(tcgetattr(terminal, &t), 0);
	t.c_lflag &= ~(tcflag_t)ISIG;
	cr_assert_eq(tcsetattr(terminal, TCSANOW, &t), 0);
}

/* A terminal: what `keys` types, with the settings before and after compared. */
static void browse(struct stage *s, const char *keys)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	struct termios before, after;
	int slave;

	cr_assert_geq(master, 0);
	cr_assert_eq(grantpt(master), 0);
	cr_assert_eq(unlockpt(master), 0);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	cr_assert_geq(slave, 0);
	if (strchr(keys, '\003') != NULL)
		let_ctrl_c_wait(slave);
	cr_assert_eq(tcgetattr(slave, &before), 0);
	cr_assert_eq(write(master, keys, strlen(keys)), (ssize_t)strlen(keys));
	s->cli.in = fdopen(slave, "r");
	s->cli.out_is_terminal = true;
	cr_assert_eq(run(s, cmd_replay, ""), EXIT_DONE);
	cr_assert_eq(tcgetattr(slave, &after), 0);
	cr_assert_eq(before.c_lflag, after.c_lflag);
	fclose(s->cli.in);
	close(master);
}

/* A terminal's screen, at which somebody looks: types the next of his keys at each page. */
struct screen {
	int master;
	struct strbuf text;
	size_t seen; /* of the text */
	const char *keys;
};

static ssize_t screen_write(void *cookie, const char *bytes, size_t len)
{
	struct screen *screen = cookie;

	strbuf_add(&screen->text, bytes, len);
	if (strstr(screen->text.ptr + screen->seen, "q quit") != NULL) {
		screen->seen = screen->text.len;
		cr_assert_eq(write(screen->master, screen->keys++, 1), 1);
	}
	return (ssize_t)len;
}

static void watch(struct stage *s, const char *args, const char *keys, struct screen *screen)
{
	cookie_io_functions_t io = {.write = screen_write};
	FILE *before = s->cli.out;
	int slave;

	*screen = (struct screen){.keys = keys, .text = STRBUF_INIT};
	screen->master = posix_openpt(O_RDWR | O_NOCTTY);
	cr_assert(screen->master >= 0 && grantpt(screen->master) == 0 &&
	          unlockpt(screen->master) == 0);
	slave = open(ptsname(screen->master), O_RDWR | O_NOCTTY);
	cr_assert_geq(slave, 0);
	s->cli.in = fdopen(slave, "r");
	s->cli.out = fopencookie(screen, "w", io);
	s->cli.out_is_terminal = true;
	cr_assert_eq(run(s, cmd_replay, args), EXIT_DONE);
	fclose(s->cli.out);
	fclose(s->cli.in);
	close(screen->master);
	s->cli.out = before;
}

static size_t count_of(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)) != NULL; text += strlen(what))
		n++;
	return n;
}

Test(replay, on_a_terminal_keys_turn_the_pages)
{
	struct stage s;

	set_stage(&s, 0);
	browse(&s, "q");
	cr_assert_eq(count_of(s.out, "\033[2J"), 1);
	expect_printed(s.out, "[1/");
	strike_stage(&s);

	set_stage(&s, 0);
	browse(&s, "n\033[C\033[Dx?ppq");
	cr_assert_eq(count_of(s.out, "\033[2J"), 6);
	cr_assert_eq(count_of(s.out, "\n[1/"), 3);
	cr_assert_eq(count_of(s.out, "\n[2/"), 2);
	cr_assert_eq(count_of(s.out, "\n[3/"), 1);
	strike_stage(&s);

	set_stage(&s, 0);
	browse(&s, "Gn\003");
	expect_printed(s.out, "Winner: ");
	strike_stage(&s);
}

Test(replay, a_list_of_all_turns_leads_to_each)
{
	struct stage s;

	set_stage(&s, 0);
	cr_assert_eq(run(&s, cmd_replay, "--list"), EXIT_DONE);
	cr_expect_eq(count_of(s.out, "\n"), s.p.record.nturns);
	expect_printed(s.out, "    1  turn 1, ");
	strike_stage(&s);

	set_stage(&s, 0);
	browse(&s, "tnntq");
	expect_printed(s.out, "\033[2J>   0  set-up, ");
	expect_printed(s.out, "\n>   2  turn 2, ");
	cr_assert_eq(count_of(s.out, "t shows the turn"), 3);
	expect_printed(s.out, "(serial 2)");
	cr_assert_eq(count_of(s.out, "(serial 1)"), 0);
	strike_stage(&s);
}

/* Boards of this game have two frames; the set-up, which is shown first, is a still. */
Test(replay, on_a_terminal_a_board_with_frames_moves_unless_speed_is_0)
{
	static const char frame[] = "\033[H\033[J";
	struct screen screen;
	struct stage s;

	set_stage(&s, 0);
	watch(&s, "--speed 100", "nq", &screen);
	cr_expect_eq(count_of(screen.text.ptr, frame), 2, "%s", screen.text.ptr);
	cr_expect_eq(count_of(screen.text.ptr, "\033[2J"), 2);
	strbuf_release(&screen.text);
	strike_stage(&s);
	set_stage(&s, 0);
	watch(&s, "--speed 0", "nnq", &screen);
	cr_expect_eq(count_of(screen.text.ptr, frame), 0);
	strbuf_release(&screen.text);
	strike_stage(&s);
}

Test(replay, speed_is_a_number_up_to_100)
{
	struct stage s;

	set_stage(&s, 0);
	cr_assert_neq(run(&s, cmd_replay, "--speed 101"), EXIT_DONE);
	cr_assert_neq(run(&s, cmd_replay, "--speed x"), EXIT_DONE);
	strike_stage(&s);
}
