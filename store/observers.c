/*
 * observers.c - the people who watch a game without a seat.
 */
#include "store/engine/db.h"
#include "store/press.h"

enum err observer_set(struct store *s, const struct observer *o)
{
	struct query q = db_write(s, "INSERT INTO observers (game, player, press, since_utc)"
	                             " VALUES (?, ?, ?, ?) ON CONFLICT (game, player)"
	                             " DO UPDATE SET press = excluded.press");

	bind_int(&q, o->game);
	bind_int(&q, o->player);
	bind_int(&q, o->press);
	bind_int(&q, o->since_utc);
	return db_run(&q);
}

static void read_observer(struct query *q, struct observer *out)
{
	out->game = col_int(q);
	out->player = col_int(q);
	out->press = col_bool(q);
	out->since_utc = col_int(q);
}

enum err observer_get(struct store *s, int64_t game, int64_t player, struct observer *out)
{
	struct query q = db_read(s, "SELECT game, player, press, since_utc FROM observers"
	                            " WHERE game = ? AND player = ?");

	bind_int(&q, game);
	bind_int(&q, player);
	bool found = db_next(&q);
	if (found)
		read_observer(&q, out);
	return db_end_found(&q, found, "such observer");
}

enum err observer_drop(struct store *s, int64_t game, int64_t player)
{
	struct query q = db_write(s, "DELETE FROM observers WHERE game = ? AND player = ?");

	bind_int(&q, game);
	bind_int(&q, player);
	return db_run_one(&q, "such observer");
}

enum err observer_list(struct store *s, int64_t game, struct arena *arena,
                       struct observer **out, size_t *n)
{
	struct query q = db_read(s, "SELECT game, player, press, since_utc FROM observers"
	                            " WHERE game = ? ORDER BY player");
	void *items = NULL;

	*n = 0;
	bind_int(&q, game);
	while (db_next(&q))
		read_observer(&q, list_add(arena, &items, n, sizeof(struct observer)));
	*out = items;
	return db_end(&q);
}

enum err observer_count(struct store *s, int64_t game, unsigned *n)
{
	struct query q = db_read(s, "SELECT count(*) FROM observers WHERE game = ?");

	*n = 0;
	bind_int(&q, game);
	if (db_next(&q))
		*n = col_uint(&q);
	return db_end(&q);
}

enum err observer_games(struct store *s, int64_t player, struct arena *arena, int64_t **games,
                        size_t *n)
{
	struct query q = db_read(s, "SELECT o.game FROM observers o JOIN games g"
	                            " ON g.id = o.game WHERE o.player = ? AND g.ended_utc = 0"
	                            " ORDER BY o.game DESC");
	void *items = NULL;

	*n = 0;
	bind_int(&q, player);
	while (db_next(&q)) {
		int64_t *one = list_add(arena, &items, n, sizeof(*one));
		*one = col_int(&q);
	}
	*games = items;
	return db_end(&q);
}
