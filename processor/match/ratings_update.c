/*
 * ratings_update.c - the store's side of reliability and rating.
 */
#include "processor/match/ratings_update.h"

#include "processor/base/step.h"
#include "processor/match/standings.h"

enum { BATCH = 25 }; /* their records lie in memory */
/* Once in a batch, then alone. */
enum { MOST_DEATHS = 1 + 3 };

/* ---------------------------------------------------------------- one game */

enum err ratings_update_game(struct server *srv, struct match *match, const struct record *r,
                             struct standings *out)
{
	struct seat_holder *holders;
	size_t n;

	*out = (struct standings){.game = match->game.id,
	                          .ended_utc = match->game.ended_utc,
	                          .kind = match->game.kind};
	TRY(seat_holder_list(srv->store, match->game.id, match->arena, &holders, &n));
	if (n == 0 || match->game.origin == GAME_IMPORTED)
		return ERR_NONE;
	return standings_record(r, match->rules, holders, n, match->arena, out, &srv->fail);
}

/* Never fails because of the game. */
static enum err count_game(struct server *srv, const struct standings_due *due,
                           struct arena *arena, struct standings *out)
{
	enum err rc = ERR_CORRUPT;
	const char *why = "the program has died over it";

	*out = (struct standings){.game = due->game, .ended_utc = due->ended_utc};
	if (due->tries < MOST_DEATHS) {
		struct match match;
		struct record r = {0};
		rc = match_load(srv, due->game, arena, &match);

		if (rc == ERR_NONE && match.game.origin != GAME_IMPORTED &&
		    match.game.started_utc != 0)
			rc = record_load(srv, &match, &r);
		if (rc == ERR_NONE && r.nturns > 0)
			rc = ratings_update_game(srv, &match, &r, out);
		match_release(&match);
		why = server_why(srv, rc);
	}
	if (rc == ERR_NONE || !server_blames_game(rc))
		return rc;
	log_warnx(srv->log, "game %lld counts for nobody's rating: %s", (long long)due->game,
	          why);
	out->n = 0;
	return ERR_NONE;
}

/* ------------------------------------------------------------------ ladder */

static void add_to_ladder(void *ctx, const struct standings *t)
{
	ladder_add(ctx, t);
}

static enum err write_ladder(struct server *srv, const struct ladder *l)
{
	for (size_t i = 0; i < ladder_count(l); i++)
		TRY(rating_put(srv->store, ladder_at(l, i)));
	return ERR_NONE;
}

/* The row as it is so far, if there is one; `kind` of what is found lives in `arena`. */
static enum err fetch_row(struct server *srv, struct ladder *l, int64_t player,
                          struct span kind, struct arena *arena)
{
	struct rating old;
	enum err rc = rating_get(srv->store, player, kind, arena, &old);

	if (rc == ERR_NOT_FOUND)
		return ERR_NONE;
	TRY(rc);
	struct rating *row = ladder_row(l, player, kind);
	old.kind = row->kind;
	*row = old;
	return ERR_NONE;
}

/* The rows of its people; whose rank counts for nothing is looked at all the same (rating.h). */
static enum err fetch_rows(struct server *srv, struct ladder *l, const struct standings *t,
                           struct arena *arena)
{
	for (size_t i = 0; i < t->n; i++) {
		TRY(fetch_row(srv, l, t->places[i].player, SPAN_EMPTY, arena));
		TRY(fetch_row(srv, l, t->places[i].player, t->kind, arena));
	}
	return ERR_NONE;
}

enum err ratings_update_change(struct server *srv, const struct standings *t, int64_t player,
                               struct arena *arena, struct rating_change *out)
{
	struct ladder *l = ladder_new();
	enum err rc = fetch_rows(srv, l, t, arena);

	*out = (struct rating_change){0};
	for (size_t i = 0; i < t->n; i++)
		if (t->places[i].player == player) {
			out->counted = t->places[i].marks.len > 0;
			out->rated = out->rated || t->places[i].rank > 0;
		}
	if (rc == ERR_NONE) {
		out->before = *ladder_row(l, player, t->kind);
		out->reliability_before =
		    reliability_percent(ladder_row(l, player, SPAN_EMPTY)->share);
		ladder_add(l, t);
		out->after = *ladder_row(l, player, t->kind);
		out->reliability_after =
		    reliability_percent(ladder_row(l, player, SPAN_EMPTY)->share);
		out->before.kind = out->after.kind = t->kind;
	}
	ladder_free(l);
	return rc;
}

enum err ratings_update_add(struct server *srv, const struct standings *t, struct arena *arena)
{
	struct standings_due last;

	TRY(standings_last(srv->store, &last));
	TRY(standings_add(srv->store, t));
	if (t->n == 0)
		return ERR_NONE;
	if (t->ended_utc > last.ended_utc ||
	    (t->ended_utc == last.ended_utc && t->game >= last.game)) {
		/* One game more: only the rows of its people are read and written. */
		struct ladder *l = ladder_new();
		enum err rc = fetch_rows(srv, l, t, arena);

		if (rc == ERR_NONE) {
			ladder_add(l, t);
			rc = write_ladder(srv, l);
		}
		ladder_free(l);
		return rc;
	}
	/* Everything, from the standings. */
	struct ladder *all = ladder_new();
	enum err rc = standings_each(srv->store, add_to_ladder, all);

	if (rc == ERR_NONE)
		rc = rating_clear(srv->store);
	if (rc == ERR_NONE)
		rc = write_ladder(srv, all);
	ladder_free(all);
	return rc;
}

/* ----------------------------------------------------------------- batches */

/* Inside a transaction of its own: a death over these games is seen by the next run. */
static enum err mark_begun(struct server *srv, const struct standings_due *due, size_t n)
{
	enum err rc = ERR_NONE;

	TRY(store_begin_relaxed(srv->store));
	for (size_t i = 0; i < n && rc == ERR_NONE; i++)
		rc = standings_begin(srv->store, due[i].game);
	return store_end(srv->store, rc);
}

static enum err count_batch(struct server *srv, const struct standings_due *due, size_t n,
                            struct arena *arena)
{
	struct standings *standings = arena_calloc(arena, n, sizeof(*standings));

	TRY(mark_begun(srv, due, n));
	for (size_t i = 0; i < n; i++) {
		step_in_hand(SPAN_LIT("counting"), (unsigned)due[i].game);
		TRY(count_game(srv, &due[i], arena, &standings[i]));
	}
	TRY(store_begin(srv->store));
	enum err rc = ERR_NONE;
	for (size_t i = 0; i < n && rc == ERR_NONE; i++)
		rc = ratings_update_add(srv, &standings[i], arena);
	TRY(store_end(srv->store, rc));
	step("counting");
	return ERR_NONE;
}

static enum err count_all_due(struct server *srv, unsigned *games)
{
	struct standings_due due[BATCH];
	enum err rc;
	size_t n, all = 0;

	*games = 0;
	do {
		struct arena *arena = arena_new();

		rc = standings_due_list(srv->store, BATCH, due, &all);
		/* What killed a run before is taken alone. */
		for (n = 0; n < all && due[n].tries == 0;)
			n++;
		if (all > 0 && due[0].tries > 0)
			n = 1;
		if (rc == ERR_NONE && n > 0)
			rc = count_batch(srv, due, n, arena);
		arena_free(arena);
		*games += (unsigned)n;
	} while (rc == ERR_NONE && n > 0);
	return rc;
}

enum err ratings_update_due(struct server *srv)
{
	unsigned games;

	return count_all_due(srv, &games);
}

enum err ratings_update_rebuild(struct server *srv, unsigned *games)
{
	TRY(store_begin(srv->store));
	enum err rc = standings_clear(srv->store);
	if (rc == ERR_NONE)
		rc = rating_clear(srv->store);
	TRY(store_end(srv->store, rc));
	return count_all_due(srv, games);
}

/* ---------------------------------------------------------------- checking */

enum err ratings_update_agrees(struct server *srv, const struct standings *t,
                               struct arena *arena, bool *yes)
{
	struct standings kept;

	*yes = true;
	TRY(standings_get(srv->store, t->game, arena, &kept));
	if (!kept.counted)
		return ERR_NONE;
	*yes = kept.n == t->n;
	for (size_t i = 0; i < t->n && *yes; i++)
		*yes = kept.places[i].player == t->places[i].player &&
		       kept.places[i].rank == t->places[i].rank &&
		       span_eq(kept.places[i].marks, t->places[i].marks);
	return ERR_NONE;
}

static bool same_rating(const struct rating *a, const struct rating *b)
{
	return a->rating == b->rating && a->games == b->games && a->wins == b->wins &&
	       a->provisional == b->provisional && a->share == b->share &&
	       a->turns == b->turns && a->missed == b->missed && a->late == b->late;
}

enum err ratings_update_check(struct server *srv, void (*report)(void *ctx, int64_t player),
                              void *ctx)
{
	struct arena *arena = arena_new();
	struct ladder *all = ladder_new();
	struct rating *rows = NULL;
	size_t n = 0, expected = 0;
	bool own = !store_in_transaction(srv->store);
	enum err rc = own ? store_begin_reading(srv->store) : ERR_NONE;

	if (rc == ERR_NONE)
		rc = standings_each(srv->store, add_to_ladder, all);
	expected = ladder_count(all);
	if (rc == ERR_NONE)
		rc = rating_list(srv->store, 0, arena, &rows, &n);
	for (size_t i = 0; i < n; i++)
		if (!same_rating(&rows[i], ladder_row(all, rows[i].player, rows[i].kind)))
			report(ctx, rows[i].player);
	if (rc == ERR_NONE && (n != expected || ladder_count(all) != expected))
		report(ctx, 0);
	if (own)
		store_rollback(srv->store);
	ladder_free(all);
	arena_free(arena);
	return rc;
}

enum err ratings_update_reliability(struct server *srv, int64_t player, unsigned *percent)
{
	struct arena *arena = arena_new();
	struct rating r = {.share = RELIABILITY_START};
	enum err rc = rating_get(srv->store, player, SPAN_EMPTY, arena, &r);

	*percent = reliability_percent(rc == ERR_NONE ? r.share : RELIABILITY_START);
	arena_free(arena);
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}
