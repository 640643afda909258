/*
 * cmd_receive.c - `molepost receive`: one mail on standard input into the spool.
 *
 * For .forward, procmail and mail servers' pipes. The mail is durable when this
 * returns 0; the next run deals with it. Any trouble is exit 75, so that the mail
 * server keeps the mail and tries again. Neither database nor lock is touched.
 */
#include <unistd.h>

#include "mail/source.h"
#include "processor/base/file.h"
#include "processor/cli/command_line.h"
#include "processor/server/config.h"

enum { HARD_LIMIT = 64 << 20 };

int cmd_receive(struct cli *cli, int argc, char **argv)
{
	struct failure fail = ERR_INIT;

	(void)argv;
	if (argc != 1)
		return cli_usage(cli);
	struct arena *arena = arena_new();

	struct config cfg;
	struct strbuf raw = STRBUF_INIT;

	enum err rc = config_load(cli->dir, arena, &cfg, &fail);
	if (rc == ERR_NONE)
		rc = file_read_fd(STDIN_FILENO, HARD_LIMIT, &raw, &fail);
	if (rc == ERR_NONE && raw.len == 0)
		rc = err_set(&fail, ERR_INVALID, "standard input held no mail");
	if (rc == ERR_NONE)
		rc = maildir_deliver(config_path(&cfg, cfg.spool, arena), strbuf_span(&raw),
		                     &fail);
	strbuf_release(&raw);
	if (rc != ERR_NONE)
		log_warnx(&cli->log, "receive: %s", fail.text.ptr);
	err_release(&fail);
	arena_free(arena);
	if (rc == ERR_NONE)
		return EXIT_DONE;
	return rc == ERR_INVALID || rc == ERR_LIMIT ? EXIT_DATA : EXIT_LATER;
}
