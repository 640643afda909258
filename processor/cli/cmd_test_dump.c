/*
 * cmd_test_dump.c - `test-dump`: the whole database as text with seals opened, for crash tests.
 *
 * A hidden command. It prints sealed orders, so it works only when no game is running: a
 * server with open turns refuses it unless --log-it, which leaves an entry in the public log of each.
 */
#include <string.h>

#include "processor/cli/command_line.h"
#include "processor/outgoing/outgoing.h"
#include "processor/server/server.h"
#include "store/audit.h"
#include "store/engine/fsck.h"
#include "store/games.h"

static enum err enter_in_logs(struct server *srv)
{
	struct game *games;
	size_t n;

	TRY(game_list(srv->store, 1u << GAME_RUNNING | 1u << GAME_PAUSED, 0, 100000, srv->arena,
	              &games, &n));
	for (size_t i = 0; i < n; i++)
		TRY(audit_add(srv->store, games[i].id, 0, "operator", true, srv->now_utc,
		              "sealed orders were looked at (test-dump)"));
	return ERR_NONE;
}

static enum err log_the_look(struct server *srv)
{
	TRY(store_begin(srv->store));
	enum err rc = enter_in_logs(srv);
	if (rc == ERR_NONE)
		return store_commit(srv->store);
	store_rollback(srv->store);
	return rc;
}

static enum err dump(struct cli *cli, struct server *srv, bool log_it)
{
	struct game *games;
	size_t n;
	struct strbuf text = STRBUF_INIT;

	TRY(game_list(srv->store, 1u << GAME_RUNNING | 1u << GAME_PAUSED, 0, 1, srv->arena,
	              &games, &n));
	if (n > 0 && !log_it)
		return err_set(&srv->fail, ERR_DENIED,
		               "games are running; --log-it opens their seals and says so in "
		               "their public logs");
	if (n > 0)
		TRY(log_the_look(srv));
	enum err rc = store_dump(srv->store, &text);
	if (rc == ERR_NONE && fwrite(text.ptr, 1, text.len, cli->out) != text.len)
		rc = err_set_errno(&srv->fail, ERR_IO, "writing the dump");
	strbuf_release(&text);
	return rc;
}

int cmd_test_dump(struct cli *cli, int argc, char **argv)
{
	struct server srv;
	bool log_it = argc == 2 && strcmp(argv[1], "--log-it") == 0;

	if (argc != 1 && !log_it)
		return cli_usage(cli);
	enum err rc =
	    server_open(cli->dir, STORE_READ_WRITE, false, outgoing_words, &cli->log, &srv);
	if (rc == ERR_NONE)
		rc = dump(cli, &srv, log_it);
	if (rc != ERR_NONE)
		log_warnx(&cli->log, "test-dump: %s", server_why(&srv, rc));
	server_close(&srv);
	return err_exit_code(rc);
}
