/*
 * cmd_store.c - `molepost store copy FROM TO`, from a file to PostgreSQL or back; and `molepost compact`: what has
 * been kept long enough goes, and the file shrinks.
 *
 * A copy takes no keys and reads no configuration: rows go over as they are. Which store is used, molepost.conf
 * says; that is for the operator to change once the copy is there. Each step of compacting is a transaction of its
 * own: stopped at any moment, it goes on where it was when it is started again. No run is at work meanwhile.
 */
#include <string.h>

#include "processor/cli/command_line.h"
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

static enum err compact(struct server *srv, void *ctx)
{
	struct cli *cli = ctx;
	unsigned texts, rows;
	int64_t before, after; /* bytes of the database */

	TRY(store_bytes(srv->store, &before));
	TRY(retention_all(srv, &texts, &rows));
	server_progress_end(srv);
	TRY(store_shrink(srv->store, cli_show_progress, cli));
	TRY(store_bytes(srv->store, &after));
	server_progress_end(srv);
	fprintf(cli->out,
	        "%u texts of old mails and %u old rows taken out.\n"
	        "The database had %lld KiB and has %lld KiB now.\n",
	        texts, rows, (long long)before / 1024, (long long)after / 1024);
	return ERR_NONE;
}

static enum err compact_alone(struct cli *cli, struct server *srv, void *ctx)
{
	(void)ctx;
	srv->show_progress = cli->err_is_terminal;
	enum err rc = admin_write_alone(srv, compact, cli);
	server_progress_end(srv);
	return rc;
}

int cmd_compact(struct cli *cli, int argc, char **argv)
{
	(void)argv;
	return argc == 1 ? cli_with_server(cli, STORE_READ_WRITE, compact_alone, NULL)
	                 : cli_usage(cli);
}
