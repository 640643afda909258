/*
 * command_line.c - what subcommands share, and the table of them.
 */
#include "processor/cli/command_line.h"

#include <sodium.h>
#include <string.h>
#include <utf8proc.h>
#include <zlib.h>

#include "mail/parser.h"
#include "mail/versions.h"
#include "processor/archive/evidence.h"
#include "processor/base/arena.h"
#include "processor/base/file.h"
#include "processor/base/nearest.h"
#include "processor/outgoing/outgoing.h"
#include "store/engine/schema.h"
#include "store/engine/store.h"

int cli_usage(const struct cli *cli)
{
	fprintf(stderr, "usage: molepost %s\n", cli->command->usage);
	return EXIT_USAGE;
}

int cli_help(const struct cli *cli)
{
	const struct cli_command *c = cli->command;

	fprintf(cli->out, "usage: molepost [-C DIR] %s\n", c->usage);
	if (c->summary != NULL)
		fprintf(cli->out, "\n%s: %s.\nThe whole story: molepost(1).\n", c->name,
		        c->summary);
	return EXIT_DONE;
}

int cli_with_server(struct cli *cli, enum store_mode mode, cli_act *act, void *ctx)
{
	struct server srv;
	enum err rc = server_open(cli->dir, mode, false, outgoing_words, &cli->log, &srv);

	if (rc == ERR_NONE)
		rc = act(cli, &srv, ctx);
	if (rc != ERR_NONE)
		log_warnx(&cli->log, "%s: %s", cli->command->name, server_why(&srv, rc));
	server_close(&srv);
	return err_exit_code(rc);
}

void cli_print_hash(FILE *out, const char *before, const struct hash *d)
{
	struct strbuf hex = STRBUF_INIT;

	hash_add_hex(&hex, d);
	fprintf(out, "%s%s\n", before, hex.ptr);
	strbuf_release(&hex);
}

const char *cli_duration(struct arena *arena, int64_t ms)
{
	return ms < 1000   ? "less than a second"
	       : ms < 2000 ? "1 second"
	                   : arena_printf(arena, "%lld seconds", (long long)(ms / 1000));
}

/* ---- the operator's writing steps ---- */

struct act {
	enum err (*act)(struct server *srv, void *ctx);
	void *ctx;
};

static enum err in_transaction(struct server *srv, void *ctx)
{
	const struct act *d = ctx;

	TRY(store_begin(srv->store));
	enum err rc = d->act(srv, d->ctx);
	if (rc == ERR_NONE)
		return store_commit(srv->store);
	store_rollback(srv->store);
	return rc;
}

enum err admin_write_alone(struct server *srv, enum err (*act)(struct server *, void *),
                           void *ctx)
{
	int fd = -1;
	enum err rc = server_lock(srv, STORE_LOCK_RUN, &fd, NULL);

	if (rc == ERR_BUSY)
		return err_set(&srv->fail, rc,
		               "a run is at work just now; try again in a moment");
	TRY(rc);
	rc = act(srv, ctx);
	server_unlock(srv, STORE_LOCK_RUN, &fd);
	return rc;
}

enum err admin_write(struct server *srv, enum err (*act)(struct server *, void *), void *ctx)
{
	return admin_write_alone(srv, in_transaction, &(struct act){act, ctx});
}

/* ---- an archive's text ---- */

/* A game of 200 turns takes about 300 kB; nothing honest comes near this. */
enum { ARCHIVE_MAX_BYTES = 64 << 20 };
enum { MAIL_MOST_BYTES = 4 << 20 };

bool archive_is_stdin(const char *path)
{
	return path == NULL || strcmp(path, "-") == 0;
}

/* Every mail in which anything is encoded says so with this field (RFC 2045, 4). */
static bool has_mime_header(struct span text)
{
	struct span line;

	while (span_next_line(&text, &line) && span_trim(line).len > 0)
		if (span_starts_nocase(line, "MIME-Version:"))
			return true;
	return false;
}

/* Left as it is when there is no archive in the mail: what is wrong is said of the file then. */
static void undo_mail(struct strbuf *text)
{
	struct parser_limits limits = parser_default_limits;
	struct arena *arena = arena_new();
	struct span raw = strbuf_span(text);
	struct failure e = ERR_INIT;
	struct mail_in mail = {.ntexts = 0};
	struct parser *parser;

	limits.mail.max_size = MAIL_MOST_BYTES;
	limits.mail.text_bytes = MAIL_MOST_BYTES;
	limits.mail.text_lines = MAIL_MOST_BYTES;
	parser = parser_new(NULL, &limits);
	if (parser_batch(parser, &raw, 1, arena, &mail, &e) == ERR_NONE &&
	    mail.fault == MAIL_OK && archive_in_mail(&mail).len > 0) {
		strbuf_clear(text);
		strbuf_add_span(text, archive_in_mail(&mail));
	}
	parser_free(parser);
	err_release(&e);
	arena_free(arena);
}

enum err archive_load_raw(const char *path, FILE *in, struct strbuf *out, struct failure *e)
{
	if (archive_is_stdin(path))
		return file_read_fd(fileno(in), ARCHIVE_MAX_BYTES, out, e);
	return file_read(path, ARCHIVE_MAX_BYTES, out, e);
}

enum err archive_load(const char *path, FILE *in, struct strbuf *out, struct failure *e)
{
	enum err rc = archive_load_raw(path, in, out, e);

	if (rc == ERR_NONE && out->len <= MAIL_MOST_BYTES && has_mime_header(strbuf_span(out)))
		undo_mail(out);
	return rc;
}

/* ---- --version ---- */

/* The Makefile says it (git describe); a file compiled by hand has none. */
#ifndef MOLEPOST_VERSION
#define MOLEPOST_VERSION "of an unknown version"
#endif

void version_add(struct strbuf *out)
{
	unsigned schema;

	(void)migrations(&schema);
	strbuf_addf(out,
	            "molepost %s\n"
	            "schema    %u\n"
	            "SQLite    %s\n"
	            "libsodium %s\n"
	            "utf8proc  %s\n"
	            "zlib      %s\n",
	            MOLEPOST_VERSION, schema, store_library_version(), sodium_version_string(),
	            utf8proc_version(), zlibVersion());
	mail_add_library_versions(out);
}

/* ---- the table ---- */

/* clang-format off */
static const struct cli_command commands[] = {
	{ "init", "init [--instance NAME] [--address ADDRESS] [--store URL] DIR\n"
	  "       molepost init --mailbox ADDRESS [--oauth AUTHORITY] [--ca-file FILE] DIR",
	  "make a server's folder: configuration, keys, database", cmd_init },
	{ "login", "login",
	  "let the server into a mailbox that wants a login in a browser (OAuth2)", cmd_login },
	{ "play", "play [--mail] [--folder DIR] [GAME [WORD ...]]",
	  "play at the terminal against bots, to try it out", cmd_play },
	{ "run", "run [--dry-run] [--reread] [--no-send] [--take-over] [--clock-is-right]",
	  "read the mail, resolve what is due, send what is written", cmd_run },
	{ "wait", "wait [--every SECONDS]",
	  "run as soon as mail comes or a deadline is due, in place of cron", cmd_wait },
	{ "receive", "receive < MAIL",
	  "take one mail from standard input, for a mail server's pipe", cmd_receive },
	{ "route", "route DIR... < MAIL",
	  "give one mail to that of several servers it is for", cmd_route },
	{ "game",
	  "game list | show GAME | new KIND [WORD ...] | fork GAME at N [WORD ...] |\n"
	  "       hold GAME [REASON] | resume GAME",
	  "look at games, make one, hold one", cmd_game },
	{ "player",
	  "player list | show | block | unblock | forget | token PLAYER | drop ADDRESS",
	  "look at players, block or forget one, new reply addresses", cmd_player },
	{ "ratings", "ratings [KIND] | rebuild",
	  "who plays best; work all ratings out anew from the records", cmd_ratings },
	{ "archive", "archive GAME",
	  "print the record of a game", cmd_archive },
	{ "import", "import FILE",
	  "take the archive of a finished game back into the database", cmd_import },
	{ "replay",
	  "replay [--turn N] [--seat N] [--states] [--speed N] [--list | --json | --html OUT [--chances]] [FILE]",
	  "show the turns of an archive, on the terminal, as JSON, as a web page", cmd_replay },
	{ "site", "site DIR",
	  "write the public games as pages for a web server", cmd_site },
	{ "verify",
	  "verify [--key HEX] [--head HEX] [--receipt MAIL]... [--extends OLD] [FILE]\n"
	  "       molepost verify [--key HEX] [--jobs N] --folder DIR\n"
	  "       molepost verify --page FILE",
	  "check an archive, against mails and older ones too, or a receipt", cmd_verify },
	{ "board", "board check [--rounds N] [--level N] FILE [molerange=160 ...]",
	  "draw a board of the coin game, and let bots judge it", cmd_board },
	{ "fsck", "fsck",
	  "check every invariant of the database", cmd_fsck },
	{ "backup", "backup FILE | backup [--keep N] FOLDER",
	  "copy the database while it is in use", cmd_backup },
	{ "restore", "restore FILE",
	  "put a copy of the database in its place", cmd_restore },
	{ "compact", "compact",
	  "take out what has been kept long enough, and shrink the file", cmd_compact },
	{ "store", "store copy FROM TO",
	  "move the database: from a file to PostgreSQL, or back", cmd_store },
	{ "export", "export [--log-it] PLAYER",
	  "all that is stored about one person, as JSON", cmd_export },
	{ "key", "key check | rotate | export --words | import --words < PAPER",
	  "the server's keys: a new one, and as words for paper", cmd_key },
	{ "doctor", "doctor [--json] [--mail] [--unit FILE]",
	  "check the installation and say how to mend it", cmd_doctor },
	{ "status", "status [--json | --prometheus FILE]",
	  "how the server stands, in numbers", cmd_status },
	{ "log", "log [--since 24H] [--game GAME | --not-understood] [--json]",
	  "what has happened: mails, turns, runs, troubles, by time", cmd_log },
	{ "why", "why MESSAGE-ID",
	  "the whole trail of one mail", cmd_why },
	{ "outbox", "outbox list | retry MAIL | retry all | drop MAIL | drop all",
	  "look at mail that did not get through, try it again or let it rest", cmd_outbox },
	/* Windows into the insides, for scripts and tests. */
	{ "test-new", "test-new KIND < FRAMES", NULL, cmd_test_new },
	{ "test-resolve", "test-resolve KIND < FRAMES", NULL, cmd_test_resolve },
	{ "test-view", "test-view KIND SEAT < STATE", NULL, cmd_test_view },
	{ "test-text", "test-text < MAIL", NULL, cmd_test_text },
	{ "test-robot", "test-robot [INSTANCE] < MAIL", NULL, cmd_test_robot },
	{ "test-letter", "test-letter [SUBJECT] < TEXT", NULL, cmd_test_command_text },
	{ "test-dump", "test-dump [--log-it]", NULL, cmd_test_dump },
};
/* clang-format on */
enum { NCOMMANDS = sizeof(commands) / sizeof(commands[0]) };

const struct cli_command *cli_find(const char *name)
{
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

const struct cli_command *cli_at(size_t i)
{
	return i < NCOMMANDS ? &commands[i] : NULL;
}

const char *cli_suggest(const char *name)
{
	unsigned best = strlen(name) > 3 ? 2 : 1;
	const char *found = NULL;

	for (size_t i = 0; i < NCOMMANDS; i++) {
		unsigned d;

		if (commands[i].summary == NULL)
			continue;
		d = typing_errors(span_of(name), span_of(commands[i].name), best);
		if (d < best || (d == best && found == NULL)) {
			best = d;
			found = commands[i].name;
		}
	}
	return found;
}
