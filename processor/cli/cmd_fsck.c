/*
 * cmd_fsck.c - `molepost fsck`: every invariant of the database, and every position's digest.
 */
#include <stdio.h>
#include <string.h>

#include "processor/base/clock.h"
#include "processor/cli/command_line.h"
#include "processor/match/match_record.h"
#include "processor/match/ratings_update.h"
#include "store/engine/fsck.h"

struct checking {
	struct cli *cli;
	struct server *srv;
	unsigned bad;
	unsigned invariants, games; /* looked at */
	uint64_t seals;
};

static void report(void *ctx, const char *invariant, const char *object)
{
	struct checking *c = ctx;

	fprintf(c->cli->out, "%s: %s\n", invariant, object);
}

static void progress(void *ctx, unsigned done, unsigned total, const char *name)
{
	struct checking *c = ctx;

	c->invariants = total;
	if (c->cli->err_is_terminal)
		fprintf(stderr, "\r%u of %u: %-50.50s", done + 1, total, name);
}

static enum err check_positions(struct server *srv, struct match *match)
{
	struct turn *turns;
	size_t n;

	TRY(turn_list(srv->store, match->game.id, match->arena, &turns, &n));
	for (size_t i = 0; i < n; i++) {
		if (turns[i].state == TURN_DROPPED)
			continue;
		struct game_state *state = NULL;

		TRY(match_result(srv, match, turns[i].serial, &state));
		match->rules->free_state(state);
	}
	return ERR_NONE;
}

/* What has been counted for the people of an ended game is what its record comes to. */
static enum err check_standings(struct checking *c, struct match *match, const struct record *r)
{
	struct standings t;
	bool same = true;

	if (!r->ended || r->nturns == 0)
		return ERR_NONE;
	TRY(ratings_update_game(c->srv, match, r, &t));
	TRY(ratings_update_agrees(c->srv, &t, match->arena, &same));
	if (!same) {
		report(c, "an ended game is counted as its record says", match->id);
		c->bad++;
	}
	return ERR_NONE;
}

/* What only the rules can tell: positions match their digests, the record its chain. */
static void check_record(struct checking *c, const struct game *g, struct arena *arena)
{
	struct match match;
	struct record r;
	struct record_chain chain = {0};
	struct order_set set;
	bool whole = true;
	enum err rc = match_load(c->srv, g->id, arena, &match);

	if (rc == ERR_NONE)
		rc = record_load(c->srv, &match, &r);
	if (rc == ERR_NONE && r.nturns > 0) {
		archive_add_header(&r, false, &chain, NULL);
		for (size_t i = 0; i < r.nturns; i++)
			archive_add_turn(&r, &r.turns[i], false, &chain, NULL);
		if (r.ended)
			archive_add_end(&r, &chain, NULL);
		if (chain.lines != g->record_lines || !hash_eq(&chain.head, &g->record_head)) {
			report(c, "the stored chain head is that of the record", match.id);
			c->bad++;
		}
	}
	if (rc == ERR_NONE)
		rc = check_standings(c, &match, &r);
	if (rc == ERR_NONE)
		rc = order_set_load_sent(c->srv, &match, &set);
	if (rc == ERR_NONE)
		rc = order_set_is_whole(c->srv, &match, &set, &whole);
	if (!whole) {
		report(c, "the orders of an open turn are all those that were stored",
		       match.id);
		c->bad++;
	}
	if (rc != ERR_NONE) {
		report(c, "the record of a game can be put together",
		       arena_printf(arena, "%s: %s", game_id_text(g, arena),
		                    server_why(c->srv, rc)));
		c->bad++;
	}
	match_release(&match);
}

/* What was taken over still holds, and the rows made of it say the same. */
static void check_import(struct checking *c, const struct game *g, struct arena *arena)
{
	struct match match;
	struct strbuf text = STRBUF_INIT;
	struct archive_report r = {
	    .why = STRBUF_INIT, .reach = STRBUF_INIT, .fork = STRBUF_INIT};
	enum err rc = match_load(c->srv, g->id, arena, &match);

	if (rc == ERR_NONE)
		rc = record_text(c->srv, &match, &text);
	if (rc == ERR_NONE)
		archive_verify_tables(match.tables, strbuf_span(&text), NULL, NULL, &r);
	if (rc == ERR_NONE && (!archive_holds(&r) || r.lines != g->record_lines ||
	                       !hash_eq(&r.head, &g->record_head))) {
		report(c, "an archive taken over is as it was", match.id);
		c->bad++;
	}
	if (rc == ERR_NONE)
		rc = check_positions(c->srv, &match);
	if (rc != ERR_NONE) {
		report(c, "a game taken over can be read",
		       arena_printf(arena, "%s: %s", game_id_text(g, arena),
		                    server_why(c->srv, rc)));
		c->bad++;
	}
	archive_report_release(&r);
	match_release(&match);
	strbuf_release(&text);
}

static enum err check_games(struct checking *c)
{
	struct arena *arena = arena_new();
	struct game *games;
	int64_t after = 0;
	size_t n;
	enum err rc;

	do {
		arena_clear(arena);
		rc = game_list(c->srv->store, ~0u, after, 100, arena, &games, &n);
		for (size_t i = 0; i < n && rc == ERR_NONE; i++) {
			if (games[i].origin == GAME_IMPORTED)
				check_import(c, &games[i], arena);
			else
				check_record(c, &games[i], arena);
			after = games[i].id;
			c->games++;
		}
	} while (rc == ERR_NONE && n == 100);
	arena_free(arena);
	return rc;
}

static void report_rating(void *ctx, int64_t player)
{
	struct checking *c = ctx;
	char object[40];

	snprintf(object, sizeof(object), "player %lld", (long long)player);
	report(c, "ratings are what all counted games come to",
	       player != 0 ? object : "a row too many or too few");
	c->bad++;
}

static enum err check_all(struct cli *cli, struct server *srv, void *ctx)
{
	struct checking *c = ctx;
	unsigned found = 0;
	struct fsck_hooks hooks = {report, progress, c, &c->seals};
	int64_t began_ms = clock_monotonic_ms();

	*c = (struct checking){.cli = cli, .srv = srv};
	TRY(fsck_run(c->srv->store, FSCK_SEALS, &hooks, &found));
	c->bad += found;
	TRY(check_games(c));
	TRY(ratings_update_check(c->srv, report_rating, c));
	if (c->cli->err_is_terminal)
		fprintf(stderr, "\r%60s\r", "");
	if (c->bad == 0)
		fprintf(c->cli->out, "The database is sound.\n");

	/* For people; scripts compare what a sound database gets to hear. */
	if (c->cli->out_is_terminal || c->cli->log.show >= LOG_INFO)
		fprintf(
		    c->cli->out,
		    c->games == 1
			? "Looked at: %u kinds of rows and references, %llu seals, the records and "
			  "positions of %u game, all ratings. It took %s.\n"
			: "Looked at: %u kinds of rows and references, %llu seals, the records and "
			  "positions of %u games, all ratings. It took %s.\n",
		    c->invariants, (unsigned long long)c->seals, c->games,
		    cli_duration(c->srv->arena, clock_monotonic_ms() - began_ms));
	if (c->bad)
		return err_set(&c->srv->fail, ERR_CORRUPT, "%u violations found", c->bad);
	return ERR_NONE;
}

int cmd_fsck(struct cli *cli, int argc, char **argv)
{
	struct checking c;

	(void)argv;
	return argc == 1 ? cli_with_server(cli, STORE_READ_ONLY, check_all, &c)
	                 : cli_usage(cli);
}
