/*
 * command_line.h - what every subcommand gets, and the table of them.
 *
 * A subcommand is one function in its own cmd_NAME.c and one row in subcommands.c. It
 * returns an exit code (base/err.h); it never calls exit().
 */
#ifndef MOLEPOST_PROCESSOR_CLI_COMMAND_LINE_H
#define MOLEPOST_PROCESSOR_CLI_COMMAND_LINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/base/log.h"
#include "processor/base/seal.h"
#include "processor/server/server.h"

struct cli {
	const char *dir; /* the server's folder: -C DIR, else MOLEPOST_DIR, else "." */
	struct log log;  /* to stderr */
	FILE *in, *out;
	const struct cli_command *command; /* the one that was called */
	bool out_is_terminal, err_is_terminal;
};

struct cli_command {
	const char *name;
	const char *usage;                                  /* "run [--dry-run] [--reread]" */
	const char *summary;                                /* one line; NULL = hidden */
	int (*run)(struct cli *cli, int argc, char **argv); /* argv[0] = name */
};

/* Prints usage of one command to stderr and returns EXIT_USAGE. */
int cli_usage(const struct cli *cli);
/* `command --help`: usage and summary to stdout; EXIT_DONE. */
int cli_help(const struct cli *cli);
/* What a subcommand does to an open server; an error has its words in srv->fail, or is the store's. */
typedef enum err cli_act(struct cli *cli, struct server *srv, void *ctx);
/*
 * Opens the folder's server, does `act`, says on stderr what went wrong, closes the server. Returns the exit code.
 */
int cli_with_server(struct cli *cli, enum store_mode mode, cli_act *act, void *ctx);
/* `before`, 64 digits, LF. */
void cli_print_hash(FILE *out, const char *before, const struct hash *d);

/*
 * Between `wait` and the runs it starts: with this argument a run takes it that runs are at most so far apart, and
 * prints when something is due next (UTC, 0 = nothing), unless another was at work. With the second it asks no server
 * for mail, since that has told `wait` of none; so it acts on no deadline either.
 */
#define RUN_TELL "--tell-next"
#define RUN_NO_MAIL "--no-mail"
enum { WAIT_MOST_S = 3600 };

/* One per cmd_*.c; rows in subcommands.c. */
int cmd_run(struct cli *cli, int argc, char **argv);
int cmd_init(struct cli *cli, int argc, char **argv);
int cmd_login(struct cli *cli, int argc, char **argv);
int cmd_play(struct cli *cli, int argc, char **argv);
int cmd_receive(struct cli *cli, int argc, char **argv);
int cmd_route(struct cli *cli, int argc, char **argv);
int cmd_game(struct cli *cli, int argc, char **argv);
int cmd_player(struct cli *cli, int argc, char **argv);
int cmd_archive(struct cli *cli, int argc, char **argv);
int cmd_import(struct cli *cli, int argc, char **argv);
int cmd_board(struct cli *cli, int argc, char **argv);
int cmd_replay(struct cli *cli, int argc, char **argv);
int cmd_site(struct cli *cli, int argc, char **argv);
int cmd_store(struct cli *cli, int argc, char **argv);
int cmd_verify(struct cli *cli, int argc, char **argv);
int cmd_fsck(struct cli *cli, int argc, char **argv);
int cmd_backup(struct cli *cli, int argc, char **argv);
int cmd_restore(struct cli *cli, int argc, char **argv);
int cmd_compact(struct cli *cli, int argc, char **argv);
int cmd_export(struct cli *cli, int argc, char **argv);
int cmd_key(struct cli *cli, int argc, char **argv);
int cmd_doctor(struct cli *cli, int argc, char **argv);
int cmd_status(struct cli *cli, int argc, char **argv);
int cmd_log(struct cli *cli, int argc, char **argv);
int cmd_wait(struct cli *cli, int argc, char **argv);
int cmd_why(struct cli *cli, int argc, char **argv);
int cmd_outbox(struct cli *cli, int argc, char **argv);
int cmd_ratings(struct cli *cli, int argc, char **argv);
int cmd_test_new(struct cli *cli, int argc, char **argv);
int cmd_test_resolve(struct cli *cli, int argc, char **argv);
int cmd_test_view(struct cli *cli, int argc, char **argv);
int cmd_test_text(struct cli *cli, int argc, char **argv);
int cmd_test_robot(struct cli *cli, int argc, char **argv);
int cmd_test_command_text(struct cli *cli, int argc, char **argv);
int cmd_test_dump(struct cli *cli, int argc, char **argv);
/* "less than a second", "1 second", "12 seconds": how long something took, in the arena. */
const char *cli_duration(struct arena *arena, int64_t ms);

const struct cli_command *cli_find(const char *name);
/* In the order of the help; NULL behind the last. */
const struct cli_command *cli_at(size_t i);
/* The listed command somebody who typed `name` may have meant, or NULL. */
const char *cli_suggest(const char *name);

/* Lines of a name and a version, the first of them "molepost VERSION". */
void version_add(struct strbuf *out);

#endif
