/*
 * command_line.c - what subcommands share.
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

void cli_show_progress(void *ctx, int64_t done, int64_t total)
{
	struct cli *cli = ctx;
	enum { WIDTH = 40 };
	int filled = total > 0 ? (int)(done * WIDTH / total) : WIDTH;

	if (cli->err_is_terminal)
		fprintf(stderr, "\r[%.*s%*s] ", filled,
		        "########################################", WIDTH - filled, "");
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
	return store_end(srv->store, d->act(srv, d->ctx));
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
