/*
 * cmd_store.c - `molepost store copy FROM TO`, from a file to PostgreSQL or back; and `molepost compact`: what has
 * been kept long enough goes, and the file shrinks.
 *
 * A copy takes no keys and reads no configuration: rows go over as they are. Which store is used, molepost.conf
 * says; that is for the operator to change once the copy is there. Each step of compacting is a transaction of its
 * own: stopped at any moment, it goes on where it was when it is started again. No run is at work meanwhile.
 */
#include <string.h>

#include "processor/cli/admin_write.h"
#include "processor/cli/command_line.h"
#include "processor/outgoing/outgoing.h"
#include "processor/outgoing/retention.h"
#include "store/engine/copy.h"

static void tell_progress(void *ctx, unsigned done, unsigned total, const char *table)
{
	const struct cli *cli = ctx;

	if (cli->err_is_terminal)
		fprintf(stderr, "\r%u of %u tables: %-20s ", done, total, table);
}

int cmd_store(struct cli *cli, int argc, char **argv)
{
	struct failure e = ERR_INIT;
	int64_t rows = 0;

	if (argc != 4 || strcmp(argv[1], "copy") != 0)
		return cli_usage(cli);
	enum err rc = store_copy(argv[2], argv[3], tell_progress, cli, &rows, &e);
	if (cli->err_is_terminal)
		fprintf(stderr, "\r%-60s\r", "");
	if (rc == ERR_NONE)
		fprintf(
		    cli->out,
		    "%s has all %lld rows that %s had when this began; a mail taken in since "
		    "then is not among them.\n"
		    "Next: name it in molepost.conf, %s = %s, then molepost doctor.\n",
		    argv[3], (long long)rows, argv[2],
		    store_is_url(argv[3]) ? "store" : "database", argv[3]);
	else
		log_warnx(&cli->log, "store: %s", e.text.ptr);
	err_release(&e);
	return err_exit_code(rc);
}

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
