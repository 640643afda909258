/*
 * cmd_ratings.c - `molepost ratings [KIND]` and `molepost ratings rebuild`.
 */
#include <string.h>

#include "processor/cli/command_line.h"
#include "processor/match/ratings_update.h"

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

/* ctx: the words of the command line, NULL behind the last. */
static enum err list(struct cli *cli, struct server *srv, void *ctx)
{
	char **first = (char **)ctx + 1;
	struct strbuf words = STRBUF_INIT;

	for (char **word = first; *word; word++)
		strbuf_addf(&words, word > first ? " %s" : "%s", *word);
	const struct rules *kind = rules_find(strbuf_span(&words));
	enum err rc =
	    *first && kind == NULL
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
static enum err rebuild(struct cli *cli, struct server *srv, void *ctx)
{
	unsigned games = 0;

	(void)ctx;
	TRY(admin_write_alone(srv, act_rebuild, &games));
	fprintf(cli->out, "Worked out anew; ended games: %u.\n", games);
	return ERR_NONE;
}

int cmd_ratings(struct cli *cli, int argc, char **argv)
{
	return argc == 2 && strcmp(argv[1], "rebuild") == 0
	           ? cli_with_server(cli, STORE_READ_WRITE, rebuild, NULL)
	           : cli_with_server(cli, STORE_READ_ONLY, list, argv);
}
