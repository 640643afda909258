/*
 * cmd_compact.c - `molepost compact`: what has been kept long enough goes, and the file shrinks.
 *
 * Each step is a transaction of its own: stopped at any moment, it goes on where it was when it is
 * started again. No run is at work meanwhile.
 */
#include "processor/cli/admin_write.h"
#include "processor/cli/command_line.h"
#include "processor/outgoing/outgoing.h"
#include "processor/outgoing/retention.h"

struct compact {
	struct cli *cli;
	unsigned texts, rows;
	int64_t before, after; /* bytes of the database */
};

static void progress(void *ctx, int64_t done, int64_t total)
{
	struct cli *cli = ctx;
	enum { WIDTH = 40 };
	int filled = total > 0 ? (int)(done * WIDTH / total) : WIDTH;

	if (cli->err_is_terminal)
		fprintf(stderr, "\r[%.*s%*s] ", filled,
		        "########################################", WIDTH - filled, "");
}

static enum err compact(struct server *srv, void *ctx)
{
	struct compact *c = ctx;

	TRY(store_bytes(srv->store, &c->before));
	TRY(retention_all(srv, &c->texts, &c->rows));
	server_progress_end(srv);
	TRY(store_shrink(srv->store, progress, c->cli));
	return store_bytes(srv->store, &c->after);
}

int cmd_compact(struct cli *cli, int argc, char **argv)
{
	struct server srv;
	struct compact c = {.cli = cli};

	(void)argv;
	if (argc != 1)
		return cli_usage(cli);
	enum err rc =
	    server_open(cli->dir, STORE_READ_WRITE, false, outgoing_words, &cli->log, &srv);
	srv.show_progress = cli->err_is_terminal;
	if (rc == ERR_NONE)
		rc = admin_write_alone(&srv, compact, &c);
	server_progress_end(&srv);
	if (rc == ERR_NONE)
		fprintf(cli->out,
		        "%u texts of old mails and %u old rows taken out.\n"
		        "The database had %lld KiB and has %lld KiB now.\n",
		        c.texts, c.rows, (long long)c.before / 1024, (long long)c.after / 1024);
	else
		log_warnx(&cli->log, "compact: %s", server_why(&srv, rc));
	server_close(&srv);
	return err_exit_code(rc);
}
