/*
 * cmd_site.c - `molepost site DIR`: the public games as pages for a web server.
 */
#include "processor/cli/command_line.h"
#include "processor/website/website.h"

struct site {
	const char *dir;
	unsigned failed; /* games */
};

static enum err write_site(struct cli *cli, struct server *srv, void *ctx)
{
	struct site *site = ctx;
	struct strbuf version = STRBUF_INIT;
	struct website_counts done = {0};

	version_add(&version);
	enum err rc = website_write(srv, site->dir, version.ptr, &done);
	if (rc == ERR_NONE)
		log_info(&cli->log,
		         "site: games %u, made anew %u, lists written %u, removed %u",
		         done.games, done.made, done.lists, done.removed);
	site->failed = done.failed;
	strbuf_release(&version);
	return rc;
}

int cmd_site(struct cli *cli, int argc, char **argv)
{
	struct site site = {.dir = argv[1]};

	if (argc != 2 || argv[1][0] == '-' || argv[1][0] == '\0')
		return cli_usage(cli);
	int code = cli_with_server(cli, STORE_READ_ONLY, write_site, &site);
	return code == EXIT_DONE && site.failed > 0 ? (int)EXIT_DATA : code;
}
