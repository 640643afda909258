/*
 * main.c - the command line: options before the command, the command, its exit code.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mail/parser.h"
#include "mail/sink/sender.h"
#include "mail/source/fetcher.h"
#include "mail/web/web.h"
#include "processor/base/env.h"
#include "processor/base/seal.h"
#include "processor/cli/command_line.h"

static void print_help(FILE *out)
{
	fputs("usage: molepost [-C DIR] COMMAND [ARGUMENT ...]\n"
	      "\n"
	      "Plays board games by mail. DIR is the server's folder, the one with\n"
	      "molepost.conf; without -C it is $MOLEPOST_DIR, or else the current folder.\n"
	      "\n"
	      "  -C, --dir DIR    work in DIR\n"
	      "  -v, --verbose    say what is done; twice: everything\n"
	      "      --version    print the version\n"
	      "  -h, --help       print this, or after a command: how it is used\n"
	      "\n"
	      "Commands:\n",
	      out);
	const struct cli_command *c;

	for (size_t i = 0; (c = cli_at(i)) != NULL; i++)
		if (c->summary != NULL)
			fprintf(out, "  %-10s %s\n", c->name, c->summary);
	fputs("\nmolepost COMMAND --help tells more about one of them.\n", out);
}

static int usage_error(const char *what, const char *word)
{
	fprintf(stderr, "molepost: %s '%s'; see molepost --help\n", what, word);
	return EXIT_USAGE;
}

static bool is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* Reads the options before the command; *next is the first word behind them. -1 = go on. */
static int read_options(struct cli *cli, int argc, char **argv, int *next)
{
	int i;

	for (i = 1; i < argc && argv[i][0] == '-'; i++) {
		const char *arg = argv[i];

		if (is_help(arg)) {
			print_help(cli->out);
			return EXIT_DONE;
		} else if (strcmp(arg, "--version") == 0) {
			struct strbuf text = STRBUF_INIT;

			version_add(&text);
			fputs(text.ptr, cli->out);
			strbuf_release(&text);
			return EXIT_DONE;
		} else if (strcmp(arg, "-v") == 0 || strcmp(arg, "--verbose") == 0) {
			cli->log.show = cli->log.show == LOG_WARN ? LOG_INFO : LOG_DEBUG;
		} else if (strcmp(arg, "-vv") == 0) {
			cli->log.show = LOG_DEBUG;
		} else if (strncmp(arg, "--dir=", 6) == 0) {
			cli->dir = arg + 6;
		} else if (strcmp(arg, "-C") == 0 || strcmp(arg, "--dir") == 0) {
			if (i + 1 == argc)
				return usage_error("a folder is missing behind", arg);
			cli->dir = argv[++i];
		} else {
			return usage_error("unknown option", arg);
		}
	}
	*next = i;
	return -1;
}

static int run_command(struct cli *cli, int argc, char **argv)
{
	const struct cli_command *command = cli_find(argv[0]);

	if (command == NULL) {
		const char *near = cli_suggest(argv[0]);

		if (near == NULL)
			return usage_error("unknown command", argv[0]);
		fprintf(stderr, "molepost: unknown command '%s'; did you mean '%s'?\n", argv[0],
		        near);
		return EXIT_USAGE;
	}
	cli->command = command;
	for (int i = 1; i < argc; i++)
		if (is_help(argv[i]))
			return cli_help(cli);
	return command->run(cli, argc, argv);
}

/* BUG() and everything else that aborts: cron and scripts are promised this code. */
static void leave_with_bug(int signal_number)
{
	(void)signal_number;
	_exit(EXIT_BUG);
}

int main(int argc, char **argv)
{
	struct cli cli = {.dir = env_get("MOLEPOST_DIR"), .in = stdin, .out = stdout};
	int next = 1, code;

	if (argc > 1 && strcmp(argv[1], PARSER_CHILD_COMMAND) == 0)
		return parser_child_main(argc, argv);
	if (argc > 1 && strcmp(argv[1], FETCH_CHILD_COMMAND) == 0)
		return fetch_child_main();
	if (argc > 1 && strcmp(argv[1], SEND_CHILD_COMMAND) == 0)
		return send_child_main();
	if (argc > 1 && strcmp(argv[1], WEB_CHILD_COMMAND) == 0)
		return web_child_main();
	umask(077);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* the write fails instead */
	signal(SIGABRT, leave_with_bug);
	seal_start();
	if (cli.dir == NULL)
		cli.dir = ".";
	cli.log = (struct log){.out = stderr, .show = LOG_WARN};
	cli.out_is_terminal = isatty(STDOUT_FILENO) == 1;
	cli.err_is_terminal = isatty(STDERR_FILENO) == 1;
	code = read_options(&cli, argc, argv, &next);
	if (code < 0 && next == argc) {
		print_help(stderr);
		code = EXIT_USAGE;
	}
	if (code < 0)
		code = run_command(&cli, argc - next, argv + next);
	/* A full disk under the output must not look like success to a script. */
	if (fflush(cli.out) == 0 && !ferror(cli.out))
		return code;
	perror("molepost: cannot write the output");
	return code == EXIT_DONE ? EXIT_LATER : code;
}
