/*
 * cmd_backup.c - `molepost backup FILE`: a consistent copy of the database while the server runs.
 */
#include "processor/cli/command_line.h"
#include "processor/outgoing/outgoing.h"
#include "processor/server/server.h"

#include "processor/base/banned.h"

static void progress(void *ctx, int done, int total)
{
	struct cli *cli = ctx;

	if (cli->err_is_terminal && total > 0)
		fprintf(stderr, "\r%d %%", done * 100 / total);
}

int cmd_backup(struct cli *cli, int argc, char **argv)
{
	struct server srv;

	if (argc != 2 || argv[1][0] == '-')
		return cli_usage(cli);
	enum err rc =
	    server_open(cli->dir, STORE_READ_ONLY, false, outgoing_words, &cli->log, &srv);
	if (rc == ERR_NONE)
		rc = store_backup(srv.store, argv[1], progress, cli);
	if (cli->err_is_terminal)
		fprintf(stderr, "\r      \r");
	if (rc == ERR_NONE)
		fprintf(cli->out,
		        "The database is copied to %s. It is useless without the key file\n"
		        "%s: keep a copy of that apart from this one.\n",
		        argv[1], config_path(&srv.cfg, srv.cfg.key_file, srv.arena));
	else
		log_warnx(&cli->log, "backup: %s", server_why(&srv, rc));
	server_close(&srv);
	return err_exit_code(rc);
}
