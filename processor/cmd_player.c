/*
 * cmd_player.c - `molepost player list|show|block|unblock|forget`.
 *
 * A player is named by address or by number. Forgetting replaces address and name for
 * good; finished archives keep the name of the seat.
 */
#include <string.h>

#include "processor/base/clock.h"
#include "processor/base/num.h"
#include "processor/cli.h"
#include "processor/server.h"
#include "processor/trail.h"
#include "store/audit.h"
#include "store/games.h"
#include "store/outbox.h"
#include "store/players.h"

#include "processor/base/banned.h"

static void print_player(const struct cli *cli, const struct player *p)
{
	fprintf(cli->out, "%5lld  %-32.*s %.*s%s%s%s\n", (long long)p->id,
	        SPAN_ARGS(p->address), SPAN_ARGS(p->name),
	        p->confirmed ? "" : "  not confirmed", p->blocked ? "  BLOCKED" : "",
	        p->forgotten ? "  forgotten" : "");
}

static enum err list_all(struct cli *cli, struct server *srv)
{
	struct player *all;
	size_t n;

	TRY(player_list(srv->store, srv->arena, &all, &n));
	for (size_t i = 0; i < n; i++)
		print_player(cli, &all[i]);
	return ERR_NONE;
}

static enum err find(struct server *srv, const char *who, struct player *out)
{
	uint64_t id;
	enum err rc = num_parse_u64(span_of(who), INT64_MAX, &id)
	                  ? player_get(srv->store, (int64_t)id, srv->arena, out)
	                  : player_by_address(srv->store, span_of(who), srv->arena, out);

	if (rc != ERR_NOT_FOUND)
		return rc;
	return err_set(&srv->fail, rc, "no player '%s' here; see: molepost player list", who);
}

static enum err show_unsent(struct cli *cli, struct server *srv, const struct player *p)
{
	enum { SHOWN = 20 };
	struct outbox_mail *mails;
	size_t n;

	TRY(outbox_unsent(srv->store, p->id, SHOWN, srv->arena, &mails, &n));
	if (n > 0)
		fprintf(cli->out, "       mail that has not got through:\n");
	for (size_t i = 0; i < n; i++)
		TRY(trail_print(cli->out, srv, &mails[i]));
	return ERR_NONE;
}

static enum err show(struct cli *cli, struct server *srv, const struct player *p)
{
	struct game *games;
	size_t n;

	print_player(cli, p);
	TRY(game_list_of_player(srv->store, p->id, ~0u, srv->arena, &games, &n));
	for (size_t i = 0; i < n; i++)
		fprintf(cli->out, "       %-6s %s\n", game_id_text(&games[i], srv->arena),
		        game_status_name(games[i].status));
	return show_unsent(cli, srv, p);
}

/* Still seated in a running game: forgetting would leave the others waiting for nobody. */
static enum err may_forget(struct server *srv, const struct player *p)
{
	struct game *games;
	size_t n;
	unsigned live = 1u << GAME_GATHERING | 1u << GAME_RUNNING | 1u << GAME_PAUSED;

	TRY(game_list_of_player(srv->store, p->id, live, srv->arena, &games, &n));
	if (n == 0)
		return ERR_NONE;
	return err_set(
	    &srv->fail, ERR_INVALID,
	    "player %lld still has a seat in %s; let him write \"RESIGN\" there first",
	    (long long)p->id, game_id_text(&games[0], srv->arena));
}

static enum err change(struct server *srv, const char *what, const struct player *p)
{
	if (strcmp(what, "forget") == 0)
		TRY(player_forget(srv->store, p->id));
	else
		TRY(player_set_blocked(srv->store, p->id, strcmp(what, "block") == 0));
	return audit_add(srv->store, 0, 0, "operator", false, srv->now_utc,
	                 arena_printf(srv->arena, "player %lld: %s", (long long)p->id, what));
}

static enum err change_in_transaction(struct cli *cli, struct server *srv, const char *what,
                                      const struct player *p)
{
	if (strcmp(what, "forget") == 0)
		TRY(may_forget(srv, p));
	TRY(store_begin(srv->store));
	enum err rc = change(srv, what, p);
	if (rc == ERR_NONE)
		rc = store_commit(srv->store);
	if (rc != ERR_NONE) {
		store_rollback(srv->store);
		return rc;
	}
	/* What was overwritten leaves the disk only when the log has gone into the file. */
	if (strcmp(what, "forget") == 0)
		TRY(store_checkpoint(srv->store, 0));
	fprintf(cli->out, "player %lld: %s done\n", (long long)p->id, what);
	return ERR_NONE;
}

static bool is_change(const char *word)
{
	return strcmp(word, "block") == 0 || strcmp(word, "unblock") == 0 ||
	       strcmp(word, "forget") == 0;
}

int cmd_player(struct cli *cli, int argc, char **argv)
{
	struct server srv;
	struct player p;
	bool list = argc == 2 && strcmp(argv[1], "list") == 0;

	if (!list && !(argc == 3 && (is_change(argv[1]) || strcmp(argv[1], "show") == 0)))
		return cli_usage(cli, "player");
	enum err rc = server_open(cli->dir,
	                          is_change(argv[1]) ? STORE_READ_WRITE : STORE_READ_ONLY,
	                          false, &cli->log, &srv);
	if (rc == ERR_NONE && list) {
		rc = list_all(cli, &srv);
	} else if (rc == ERR_NONE) {
		rc = find(&srv, argv[2], &p);
		if (rc == ERR_NONE)
			rc = is_change(argv[1]) ? change_in_transaction(cli, &srv, argv[1], &p)
			                        : show(cli, &srv, &p);
	}
	if (rc != ERR_NONE)
		log_warnx(&cli->log, "player: %s", server_why(&srv, rc));
	server_close(&srv);
	return err_exit_code(rc);
}
