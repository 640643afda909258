/*
 * ratings.c - seat holders, standings and ratings: rows.
 */
#include "store/ratings.h"

#include "store/engine/row.h"

/* ------------------------------------------------------------ seat holders */

static const struct row_shape holder_row =
    ROW_SHAPE(struct seat_holder, COLUMNS(struct seat_holder, seat, serial, player));

enum err seat_holder_list(struct store *s, int64_t game, struct arena *arena,
                          struct seat_holder **out, size_t *n)
{
	return row_list(s,
	                "SELECT seat, serial, player FROM seat_holders WHERE game = ?"
	                " ORDER BY seat, serial",
	                ARGS(game), &holder_row, arena, out, n);
}

int64_t seat_holder_player(const struct seat_holder *all, size_t n, unsigned seat,
                           unsigned serial)
{
	int64_t player = 0;

	for (size_t i = 0; i < n; i++)
		if (all[i].seat == seat && all[i].serial <= serial)
			player = all[i].player;
	return player;
}

enum err seat_holder_players(struct store *s, int64_t game, struct arena *arena, int64_t **out,
                             size_t *n)
{
	struct seat_holder *all;
	size_t count;
	enum err err = seat_holder_list(s, game, arena, &all, &count);
	void *items = NULL;

	*n = 0;
	for (size_t i = 0; err == ERR_NONE && i < count; i++) {
		bool known = all[i].player == 0;

		for (size_t k = 0; k < *n; k++)
			known = known || ((int64_t *)items)[k] == all[i].player;
		if (!known)
			*(int64_t *)list_add(arena, &items, n, sizeof(int64_t)) = all[i].player;
	}
	*out = items;
	return err;
}

/* --------------------------------------------------------------- standings */

static const struct row_shape due_row =
    ROW_SHAPE(struct standings_due, COLUMNS(struct standings_due, game, ended_utc, tries));

enum err standings_due_list(struct store *s, size_t max, struct standings_due *out, size_t *n)
{
	return row_fill(s,
	                "SELECT id, ended_utc, -counted FROM games WHERE status > 2"
	                " AND counted <= 0 ORDER BY ended_utc, id LIMIT ?",
	                ARGS(max), &due_row, out, max, n);
}

enum err standings_begin(struct store *s, int64_t game)
{
	return row_do_one(s,
	                  "UPDATE games SET counted = counted - 1"
	                  " WHERE id = ? AND counted <= 0",
	                  ARGS(game), "such game to count");
}

enum err standings_add(struct store *s, const struct standings *t)
{
	enum err err = row_do_one(s,
	                          "UPDATE games SET counted = 1 WHERE id = ? AND counted <= 0",
	                          ARGS(t->game), "such game to count");

	for (size_t i = 0; err == ERR_NONE && i < t->n; i++)
		err = row_do(s,
		             "INSERT INTO standings (game, place, player, rank, marks)"
		             " VALUES (?, ?, ?, ?, ?)",
		             ARGS(t->game, i + 1, t->places[i].player, t->places[i].rank,
		                  t->places[i].marks));
	return err;
}

static const struct row_shape last_row =
    ROW_SHAPE(struct standings_due, COLUMNS(struct standings_due, game, ended_utc));

enum err standings_last(struct store *s, struct standings_due *out)
{
	return row_find(s,
	                "SELECT id, ended_utc FROM games WHERE counted = 1"
	                " ORDER BY ended_utc DESC, id DESC LIMIT 1",
	                NO_ARGS, &last_row, NULL, out);
}

static const struct row_shape place_row =
    ROW_SHAPE(struct standings_place, COLUMNS(struct standings_place, player, rank, marks));
static const struct row_shape game_row =
    ROW_SHAPE(struct standings, COLUMNS(struct standings, kind, ended_utc, counted));

enum err standings_get(struct store *s, int64_t game, struct arena *arena,
                       struct standings *out)
{
	*out = (struct standings){.game = game};

	TRY(row_get(s, "SELECT kind, ended_utc, counted = 1 FROM games WHERE id = ?",
	            ARGS(game), &game_row, arena, out, "such game"));
	return row_list(s,
	                "SELECT player, rank, marks FROM standings WHERE game = ?"
	                " ORDER BY place",
	                ARGS(game), &place_row, arena, &out->places, &out->n);
}

/* Rows of one game after another, in one arena that is emptied between them. */
struct walk {
	struct arena *arena;
	struct standings t;
	void *items;
	void (*each)(void *ctx, const struct standings *t);
	void *ctx;
};

static void end_game(struct walk *w)
{
	if (w->t.game == 0)
		return;
	w->t.places = w->items;
	w->each(w->ctx, &w->t);
}

static void begin_game(struct walk *w, int64_t game)
{
	end_game(w);
	arena_clear(w->arena);
	w->items = NULL;
	w->t = (struct standings){.game = game};
}

enum err standings_each(struct store *s, void (*each)(void *ctx, const struct standings *t),
                        void *ctx)
{
	struct walk w = {.arena = arena_new(), .each = each, .ctx = ctx};
	struct query q =
	    db_read(s, "SELECT g.id, g.ended_utc, g.kind, player, rank, marks"
	               " FROM games g JOIN standings t ON t.game = g.id WHERE g.counted = 1"
	               " ORDER BY g.ended_utc, g.id, place");

	while (db_next(&q)) {
		int64_t game = col_int(&q);

		if (game != w.t.game)
			begin_game(&w, game);
		w.t.ended_utc = col_int(&q);
		if (w.t.n == 0)
			w.t.kind = col_text(&q, w.arena);
		else
			col_skip(&q);
		row_read(&q, &place_row, w.arena,
		         list_add(w.arena, &w.items, &w.t.n, sizeof *w.t.places));
	}
	enum err err = db_end(&q);
	if (err == ERR_NONE)
		end_game(&w);
	arena_free(w.arena);
	return err;
}

enum err standings_clear(struct store *s)
{
	TRY(row_do(s, "DELETE FROM standings", NO_ARGS));
	return row_do(s, "UPDATE games SET counted = 0 WHERE counted <> 0", NO_ARGS);
}

/* ----------------------------------------------------------------- ratings */

#define RATING_COLUMNS                                                                  \
	"r.player, r.kind, r.rating, r.games, r.wins, r.provisional, r.share, r.turns," \
	" r.missed, r.late"

static const struct row_shape rating_row =
    ROW_SHAPE(struct rating, COLUMNS(struct rating, player, kind, rating, games, wins,
                                     provisional, share, turns, missed, late));

enum err rating_get(struct store *s, int64_t player, struct span kind, struct arena *arena,
                    struct rating *out)
{
	return row_get(s,
	               "SELECT " RATING_COLUMNS " FROM ratings r"
	               " WHERE player = ? AND kind = ?",
	               ARGS(player, kind), &rating_row, arena, out, "such rating");
}

enum err rating_put(struct store *s, const struct rating *r)
{
	return row_put(
	    s,
	    "INSERT INTO ratings (player, kind, rating, games, wins, provisional, share,"
	    " turns, missed, late) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
	    " ON CONFLICT (player, kind) DO UPDATE SET rating = excluded.rating,"
	    " games = excluded.games, wins = excluded.wins, provisional = excluded.provisional,"
	    " share = excluded.share, turns = excluded.turns, missed = excluded.missed,"
	    " late = excluded.late",
	    &rating_row, r);
}

enum err rating_list(struct store *s, int64_t player, struct arena *arena, struct rating **out,
                     size_t *n)
{
	if (player == 0)
		return row_list(
		    s, "SELECT " RATING_COLUMNS " FROM ratings r ORDER BY player, kind",
		    NO_ARGS, &rating_row, arena, out, n);
	return row_list(
	    s, "SELECT " RATING_COLUMNS " FROM ratings r WHERE player = ? ORDER BY kind",
	    ARGS(player), &rating_row, arena, out, n);
}

enum err rating_clear(struct store *s)
{
	return row_do(s, "DELETE FROM ratings", NO_ARGS);
}

static const struct row_shape named_row =
    ROW_SHAPE(struct rating_named,
              COLUMNS(struct rating_named, r.player, r.kind, r.rating, r.games, r.wins,
                      r.provisional, r.share, r.turns, r.missed, r.late, name, share));

enum err rating_best(struct store *s, struct span kind, size_t max, struct arena *arena,
                     struct rating_named **out, size_t *n)
{
	return row_list(s,
	                "SELECT " RATING_COLUMNS
	                ", p.name, coalesce(a.share, r.share) FROM ratings r"
	                " JOIN players p ON p.id = r.player"
	                " LEFT JOIN ratings a ON a.player = r.player AND a.kind = ''"
	                " WHERE r.kind = ? AND r.games > 0 AND p.forgotten = 0"
	                " ORDER BY r.provisional, r.rating DESC, r.player LIMIT ?",
	                ARGS(kind, max), &named_row, arena, out, n);
}

/* ------------------------------------------------------------------- terms */

static const struct row_shape terms_row = ROW_SHAPE(
    struct entry_terms, COLUMNS(struct entry_terms, reliability, without_operator, ready));

enum err entry_terms_set(struct store *s, int64_t game, const struct entry_terms *terms)
{
	return row_do_of(s, game,
	                 "INSERT INTO entry_terms (game, reliability, without_operator, ready)"
	                 " VALUES (?, ?, ?, ?)",
	                 ARGS(game, terms->reliability, terms->without_operator, terms->ready));
}

enum err entry_terms_get(struct store *s, int64_t game, struct entry_terms *out)
{
	return row_find(
	    s, "SELECT reliability, without_operator, ready FROM entry_terms WHERE game = ?",
	    ARGS(game), &terms_row, NULL, out);
}
