/*
 * ratings.c - seat holders, standings and ratings: rows.
 */
#include "store/ratings.h"

#include "store/engine/db.h"

/* ------------------------------------------------------------ seat holders */

enum err seat_holder_list(struct store *s, int64_t game, struct arena *arena,
                          struct seat_holder **out, size_t *n)
{
	struct query q = db_read(s,
	                         "SELECT seat, serial, player FROM seat_holders WHERE game = ?"
	                         " ORDER BY seat, serial");
	void *items = NULL;

	bind_int(&q, game);
	*n = 0;
	while (db_next(&q)) {
		struct seat_holder *one = list_add(arena, &items, n, sizeof(*one));

		one->seat = col_uint(&q);
		one->serial = col_uint(&q);
		one->player = col_int(&q);
	}
	*out = items;
	return db_end(&q);
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

enum err standings_due_list(struct store *s, size_t max, struct standings_due *out, size_t *n)
{
	struct query q = db_read(s, "SELECT id, ended_utc, -counted FROM games WHERE status > 2"
	                            " AND counted <= 0 ORDER BY ended_utc, id LIMIT ?");

	bind_int(&q, (int64_t)max);
	*n = 0;
	while (*n < max && db_next(&q)) {
		struct standings_due *one = &out[(*n)++];

		one->game = col_int(&q);
		one->ended_utc = col_int(&q);
		one->tries = col_uint(&q);
	}
	return db_end(&q);
}

enum err standings_begin(struct store *s, int64_t game)
{
	struct query q = db_write(s, "UPDATE games SET counted = counted - 1"
	                             " WHERE id = ? AND counted <= 0");

	bind_int(&q, game);
	return db_run_one(&q, "such game to count");
}

static enum err add_place(struct store *s, const struct standings *t, size_t i)
{
	struct query q = db_write(s, "INSERT INTO standings (game, place, player, rank, marks)"
	                             " VALUES (?, ?, ?, ?, ?)");

	bind_int(&q, t->game);
	bind_int(&q, (int64_t)i + 1);
	bind_int(&q, t->places[i].player);
	bind_int(&q, t->places[i].rank);
	bind_text(&q, t->places[i].marks);
	return db_run(&q);
}

enum err standings_add(struct store *s, const struct standings *t)
{
	struct query q =
	    db_write(s, "UPDATE games SET counted = 1 WHERE id = ? AND counted <= 0");
	enum err err;

	bind_int(&q, t->game);
	err = db_run_one(&q, "such game to count");
	for (size_t i = 0; err == ERR_NONE && i < t->n; i++)
		err = add_place(s, t, i);
	return err;
}

enum err standings_last(struct store *s, struct standings_due *out)
{
	struct query q = db_read(s, "SELECT id, ended_utc FROM games WHERE counted = 1"
	                            " ORDER BY ended_utc DESC, id DESC LIMIT 1");

	*out = (struct standings_due){0};
	if (db_next(&q)) {
		out->game = col_int(&q);
		out->ended_utc = col_int(&q);
	}
	return db_end(&q);
}

static void read_place(struct query *q, struct arena *arena, void **items, size_t *n)
{
	struct standings_place *p = list_add(arena, items, n, sizeof(*p));

	p->player = col_int(q);
	p->rank = col_uint(q);
	p->marks = col_text(q, arena);
}

static enum err read_game(struct store *s, int64_t game, struct arena *arena,
                          struct standings *out)
{
	struct query q =
	    db_read(s, "SELECT kind, ended_utc, counted = 1 FROM games WHERE id = ?");
	bool found;

	*out = (struct standings){.game = game};
	bind_int(&q, game);
	found = db_next(&q);
	if (found) {
		out->kind = col_text(&q, arena);
		out->ended_utc = col_int(&q);
		out->counted = col_bool(&q);
	}
	return db_end_found(&q, found, "such game");
}

enum err standings_get(struct store *s, int64_t game, struct arena *arena,
                       struct standings *out)
{
	enum err err = read_game(s, game, arena, out);
	void *items = NULL;

	if (err != ERR_NONE)
		return err;
	struct query q = db_read(s, "SELECT player, rank, marks FROM standings WHERE game = ?"
	                            " ORDER BY place");
	bind_int(&q, game);
	while (db_next(&q))
		read_place(&q, arena, &items, &out->n);
	out->places = items;
	return db_end(&q);
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
		read_place(&q, w.arena, &w.items, &w.t.n);
	}
	enum err err = db_end(&q);
	if (err == ERR_NONE)
		end_game(&w);
	arena_free(w.arena);
	return err;
}

enum err standings_clear(struct store *s)
{
	struct query q = db_write(s, "DELETE FROM standings");
	enum err err = db_run(&q);

	if (err != ERR_NONE)
		return err;
	q = db_write(s, "UPDATE games SET counted = 0 WHERE counted <> 0");
	return db_run(&q);
}

/* ----------------------------------------------------------------- ratings */

#define RATING_COLUMNS                                                                  \
	"r.player, r.kind, r.rating, r.games, r.wins, r.provisional, r.share, r.turns," \
	" r.missed, r.late"

static void read_rating(struct query *q, struct arena *arena, struct rating *out)
{
	out->player = col_int(q);
	out->kind = col_text(q, arena);
	out->rating = col_int(q);
	out->games = col_uint(q);
	out->wins = col_uint(q);
	out->provisional = col_bool(q);
	out->share = col_int(q);
	out->turns = col_uint(q);
	out->missed = col_uint(q);
	out->late = col_uint(q);
}

enum err rating_get(struct store *s, int64_t player, struct span kind, struct arena *arena,
                    struct rating *out)
{
	struct query q = db_read(s, "SELECT " RATING_COLUMNS " FROM ratings r"
	                            " WHERE player = ? AND kind = ?");
	bool found;

	bind_int(&q, player);
	bind_text(&q, kind);
	found = db_next(&q);
	if (found)
		read_rating(&q, arena, out);
	return db_end_found(&q, found, "such rating");
}

enum err rating_put(struct store *s, const struct rating *r)
{
	struct query q = db_write(
	    s,
	    "INSERT INTO ratings (player, kind, rating, games, wins, provisional, share,"
	    " turns, missed, late) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
	    " ON CONFLICT (player, kind) DO UPDATE SET rating = excluded.rating,"
	    " games = excluded.games, wins = excluded.wins, provisional = excluded.provisional,"
	    " share = excluded.share, turns = excluded.turns, missed = excluded.missed,"
	    " late = excluded.late");

	bind_int(&q, r->player);
	bind_text(&q, r->kind);
	bind_int(&q, r->rating);
	bind_int(&q, r->games);
	bind_int(&q, r->wins);
	bind_int(&q, r->provisional);
	bind_int(&q, r->share);
	bind_int(&q, r->turns);
	bind_int(&q, r->missed);
	bind_int(&q, r->late);
	return db_run(&q);
}

static enum err read_ratings(struct query *q, struct arena *arena, struct rating **out,
                             size_t *n)
{
	void *items = NULL;

	*n = 0;
	while (db_next(q))
		read_rating(q, arena, list_add(arena, &items, n, sizeof(struct rating)));
	*out = items;
	return db_end(q);
}

enum err rating_list(struct store *s, int64_t player, struct arena *arena, struct rating **out,
                     size_t *n)
{
	struct query q;

	if (player == 0) {
		q = db_read(s,
		            "SELECT " RATING_COLUMNS " FROM ratings r ORDER BY player, kind");
	} else {
		q = db_read(s, "SELECT " RATING_COLUMNS
		               " FROM ratings r WHERE player = ? ORDER BY kind");
		bind_int(&q, player);
	}
	return read_ratings(&q, arena, out, n);
}

enum err rating_clear(struct store *s)
{
	struct query q = db_write(s, "DELETE FROM ratings");

	return db_run(&q);
}

enum err rating_best(struct store *s, struct span kind, size_t max, struct arena *arena,
                     struct rating_named **out, size_t *n)
{
	struct query q = db_read(
	    s, "SELECT " RATING_COLUMNS ", p.name, coalesce(a.share, r.share) FROM ratings r"
	       " JOIN players p ON p.id = r.player"
	       " LEFT JOIN ratings a ON a.player = r.player AND a.kind = ''"
	       " WHERE r.kind = ? AND r.games > 0 AND p.forgotten = 0"
	       " ORDER BY r.provisional, r.rating DESC, r.player LIMIT ?");
	void *items = NULL;

	bind_text(&q, kind);
	bind_int(&q, (int64_t)max);
	*n = 0;
	while (db_next(&q)) {
		struct rating_named *one = list_add(arena, &items, n, sizeof(*one));

		read_rating(&q, arena, &one->r);
		one->name = col_text(&q, arena);
		one->share = col_int(&q);
	}
	*out = items;
	return db_end(&q);
}

/* ------------------------------------------------------------------- terms */

enum err entry_terms_set(struct store *s, int64_t game, const struct entry_terms *terms)
{
	struct query q =
	    db_write(s, "INSERT INTO entry_terms (game, reliability, without_operator, ready)"
	                " VALUES (?, ?, ?, ?)");

	bind_int(&q, game);
	bind_int(&q, terms->reliability);
	bind_int(&q, terms->without_operator);
	bind_int(&q, terms->ready);
	return db_run(&q);
}

enum err entry_terms_get(struct store *s, int64_t game, struct entry_terms *out)
{
	struct query q = db_read(
	    s, "SELECT reliability, without_operator, ready FROM entry_terms WHERE game = ?");

	*out = (struct entry_terms){0};
	bind_int(&q, game);
	if (db_next(&q)) {
		out->reliability = col_uint(&q);
		out->without_operator = col_bool(&q);
		out->ready = col_bool(&q);
	}
	return db_end(&q);
}
