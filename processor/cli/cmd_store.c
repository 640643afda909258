/*
 * cmd_store.c - `molepost store copy FROM TO`: a server's store, from a file to PostgreSQL or back.
 *
 * Takes no keys and reads no configuration: rows go over as they are. Which store is used, molepost.conf
 * says; that is for the operator to change once the copy is there.
 */
#include <string.h>

#include "processor/cli/command_line.h"
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
