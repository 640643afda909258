/*
 * after_game.c - the program that hears of every game which has ended.
 */
#include "processor/cli/after_game.h"

#include "processor/base/step.h"
#include "processor/base/subprocess.h"
#include "processor/match/match_record.h"

enum { GAMES_A_RUN = 100, TIMEOUT_MS = 30000, HEARD_MAX = 200 };

static enum err run_program(struct server *srv, int64_t game, bool *failed)
{
	const char *program = srv->cfg.after_game;
	struct strbuf record = STRBUF_INIT, heard = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct arena *arena = arena_new();
	struct match match;
	int code = 0;
	enum err rc = match_load(srv, game, arena, &match);

	if (rc == ERR_NONE)
		rc = record_text(srv, &match, &record);
	if (rc == ERR_NONE) {
		const char *const argv[] = {program, match.id, NULL};
		enum err ran = subprocess_run(argv, strbuf_span(&record), HEARD_MAX, TIMEOUT_MS,
		                              &heard, &code, &e);

		*failed = ran != ERR_NONE || code != 0;
		if (ran != ERR_NONE)
			log_warnx(srv->log, "after_game for %s: %s", match.id, e.text.ptr);
		else if (code != 0)
			log_warnx(srv->log, "after_game for %s: %s ended with %d", match.id,
			          program, code);
	} else if (server_blames_game(rc)) {
		log_warnx(srv->log, "after_game hears nothing of game %lld: %s",
		          (long long)game, server_why(srv, rc));
	}
	match_release(&match);
	arena_free(arena);
	strbuf_release(&record);
	strbuf_release(&heard);
	err_release(&e);
	return rc;
}

static enum err mark(struct server *srv, int64_t game)
{
	TRY(store_begin_relaxed(srv->store));
	enum err rc = game_announced(srv->store, game);
	if (rc == ERR_NONE)
		return store_commit_relaxed(srv->store);
	store_rollback(srv->store);
	return rc;
}

enum err after_games(struct server *srv, bool *failed)
{
	int64_t games[GAMES_A_RUN];
	size_t n;

	*failed = false;
	TRY(game_list_unannounced(srv->store, GAMES_A_RUN, games, &n));
	if (n > 0 && !srv->cfg.after_game)
		return mark(srv, 0);
	for (size_t i = 0; i < n; i++) {
		enum err rc = run_program(srv, games[i], failed);

		if (rc != ERR_NONE && !server_blames_game(rc))
			return rc;
		if (*failed)
			return ERR_NONE;
		step("after_game ran");
		TRY(mark(srv, games[i])); /* of a game whose record cannot be made, too */
	}
	return ERR_NONE;
}
