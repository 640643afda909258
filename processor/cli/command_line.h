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
#include "store/operator/event_log.h"
#include "store/players.h"

struct cli {
	const char *dir; /* the server's folder: -C DIR, else MOLEPOST_DIR, else "." */
	struct log log;  /* to stderr */
	FILE *in, *out;
	const struct cli_command *command; /* the one that was called */
	bool out_is_terminal, err_is_terminal;
};

typedef int cli_command_fn(struct cli *cli, int argc, char **argv); /* argv[0]: its name */

struct cli_command {
	const char *name;
	const char *usage;   /* "run [--dry-run] [--reread]" */
	const char *summary; /* one line; NULL = hidden */
	cli_command_fn *run;
};

/* Prints usage of one command to stderr and returns EXIT_USAGE. */
int cli_usage(const struct cli *cli);
/* `command --help`: usage and summary to stdout; EXIT_DONE. */
int cli_help(const struct cli *cli);
/* What a subcommand does to an open server; words for an error are in srv->fail or the store. */
typedef enum err cli_act(struct cli *cli, struct server *srv, void *ctx);
/* Opens the folder's server, does `act`, says what went wrong, closes it. Returns the exit code. */
int cli_with_server(struct cli *cli, enum store_mode mode, cli_act *act, void *ctx);
/* A store_progress: a bar on stderr, where that is a terminal; `ctx` is the struct cli. */
void cli_show_progress(void *ctx, int64_t done, int64_t total);
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
cli_command_fn cmd_run, cmd_init, cmd_login, cmd_play, cmd_receive, cmd_route, cmd_game,
    cmd_player, cmd_archive, cmd_import, cmd_board, cmd_replay, cmd_site, cmd_store, cmd_verify,
    cmd_fsck, cmd_backup, cmd_restore, cmd_compact, cmd_export, cmd_key, cmd_doctor, cmd_status,
    cmd_log, cmd_wait, cmd_why, cmd_outbox, cmd_ratings, cmd_test_new, cmd_test_resolve,
    cmd_test_view, cmd_test_text, cmd_test_robot, cmd_test_command_text, cmd_test_dump;
/* "less than a second", "1 second", "12 seconds": how long something took, in the arena. */
const char *cli_duration(struct arena *arena, int64_t ms);

const struct cli_command *cli_find(const char *name);
/* In the order of the help; NULL behind the last. */
const struct cli_command *cli_at(size_t i);
/* The listed command somebody who typed `name` may have meant, or NULL. */
const char *cli_suggest(const char *name);

/*
 * One writing step of the operator's, in one transaction, while no run is at work: a report under
 * way must not miss what the operator does, so the lock of the run is held too.
 *
 * ERR_BUSY with a sentence in srv->fail while a run is at work; else what `act` returns, and
 * nothing is written when that is an error.
 */
enum err admin_write(struct server *srv, enum err (*act)(struct server *srv, void *ctx),
                     void *ctx) MUST_CHECK;
/* The same for what has transactions of its own. */
enum err admin_write_alone(struct server *srv, enum err (*act)(struct server *srv, void *ctx),
                           void *ctx) MUST_CHECK;

/*
 * cmd_player.c: the player an operator names by number or by any address. ERR_NOT_FOUND with a
 * sentence in srv->fail.
 */
enum err find_player(struct server *srv, const char *who, struct player *out) MUST_CHECK;

/* Where an archive's text comes from: a file, or standard input: NULL and "-". */
bool archive_is_stdin(const char *path);
/* Appends all of the file, 64 MiB at most. As file_read and file_read_fd. */
enum err archive_load_raw(const char *path, FILE *in, struct strbuf *out,
                          struct failure *e) MUST_CHECK;
/*
 * The same; but of a mail as it was saved or delivered, whose lines may be encoded, the text or
 * attachment that holds an archive. Lines count from its beginning then.
 */
enum err archive_load(const char *path, FILE *in, struct strbuf *out,
                      struct failure *e) MUST_CHECK;

/* cmd_log.c: of an event: "in", "note", "turn", "out", "fail", "told", "run". */
const char *event_kind_name(enum event_kind kind);
/* "W1", in the server's arena. */
const char *event_game_name(struct server *srv, int64_t game);
/* "in    mail 3 of player 1, W1 seat 1: orders". */
void event_add_text(struct server *srv, const struct event *e, struct strbuf *out);

/*
 * dry_run.c: copies the database into a private file beside it, reads new mail (at most one
 * batch) without touching it, moves games on, and prints one line per mail that would go out:
 * kind, game, turn, recipient. The copy is removed again.
 */
struct arrivals;
enum err dry_run(struct server *srv, struct arrivals *from, FILE *out) MUST_CHECK;

/* Lines of a name and a version, the first of them "molepost VERSION". */
void version_add(struct strbuf *out);

#endif
