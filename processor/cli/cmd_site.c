/*
 * cmd_site.c - `molepost site DIR`: the public games as pages for a web server.
 */
#include "processor/cli/command_line.h"
#include "processor/outgoing/outgoing.h"
#include "processor/website/website.h"

int cmd_site(struct cli *cli, int argc, char **argv)
{
	struct strbuf version = STRBUF_INIT;
	struct website_counts done = {0};
	struct server srv;

	if (argc != 2 || argv[1][0] == '-' || argv[1][0] == '\0')
		return cli_usage(cli);
	version_add(&version);
	enum err rc =
	    server_open(cli->dir, STORE_READ_ONLY, false, outgoing_words, &cli->log, &srv);
	if (rc == ERR_NONE)
		rc = website_write(&srv, argv[1], version.ptr, &done);
	if (rc != ERR_NONE)
		log_warnx(&cli->log, "site: %s", server_why(&srv, rc));
	else
		log_info(&cli->log,
		         "site: games %u, made anew %u, lists written %u, removed %u",
		         done.games, done.made, done.lists, done.removed);
	server_close(&srv);
	strbuf_release(&version);
	return rc == ERR_NONE && done.failed > 0 ? EXIT_DATA : err_exit_code(rc);
}
