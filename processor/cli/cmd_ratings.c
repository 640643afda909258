/*
 * cmd_ratings.c - `molepost ratings [KIND]` and `molepost ratings rebuild`.
 */
#include <string.h>

#include "processor/cli/admin_write.h"
#include "processor/cli/command_line.h"
#include "processor/match/ratings_update.h"
#include "processor/outgoing/outgoing.h"

static enum err print_best(struct cli *cli, struct server *srv, struct span kind)
{
	struct rating_named *best;
	size_t n;

	TRY(rating_best(srv->store, kind, SIZE_MAX / 2, srv->arena, &best, &n));
	for (size_t i = 0; i < n; i++)
		fprintf(cli->out,
		        "%4zu  %5lld  %-20.*s %5ld%s games %u, won %u, %u %% in time\n", i + 1,
		        (long long)best[i].r.player, SPAN_ARGS(best[i].name),
		        rating_points(best[i].r.rating), best[i].r.provisional ? "?" : " ",
		        best[i].r.games, best[i].r.wins, reliability_percent(best[i].share));
	if (n == 0)
		fprintf(cli->out, "Nobody has a rating yet.\n");
	return ERR_NONE;
}

static enum err list(struct cli *cli, struct server *srv, int argc, char **argv)
{
	struct strbuf words = STRBUF_INIT;

	for (int i = 1; i < argc; i++)
		strbuf_addf(&words, "%s%s", i > 1 ? " " : "", argv[i]);
	const struct rules *kind = rules_find(strbuf_span(&words));
	enum err rc =
	    argc > 1 && kind == NULL
		? err_set(&srv->fail, ERR_INVALID, "no kind of game is called '%s'", words.ptr)
		: print_best(cli, srv, kind ? span_of(kind->name) : SPAN_EMPTY);
	strbuf_release(&words);
	return rc;
}

static enum err act_rebuild(struct server *srv, void *games)
{
	return ratings_update_rebuild(srv, games);
}

/* Not while a run counts as well. */
static enum err rebuild(struct cli *cli, struct server *srv)
{
	unsigned games = 0;

	TRY(admin_write_alone(srv, act_rebuild, &games));
	fprintf(cli->out, "Worked out anew; ended games: %u.\n", games);
	return ERR_NONE;
}

int cmd_ratings(struct cli *cli, int argc, char **argv)
{
	struct server srv;
	bool anew = argc == 2 && strcmp(argv[1], "rebuild") == 0;
	enum err rc = server_open(cli->dir, anew ? STORE_READ_WRITE : STORE_READ_ONLY, false,
	                          outgoing_words, &cli->log, &srv);

	if (rc == ERR_NONE)
		rc = anew ? rebuild(cli, &srv) : list(cli, &srv, argc, argv);
	if (rc != ERR_NONE)
		log_warnx(&cli->log, "ratings: %s", server_why(&srv, rc));
	server_close(&srv);
	return err_exit_code(rc);
}
