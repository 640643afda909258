/*
 * observers.c - the people who watch a game without a seat.
 */
#include "store/engine/row.h"
#include "store/press.h"

static const struct row_shape observer_row =
    ROW_SHAPE(struct observer, COLUMNS(struct observer, game, player, press, since_utc));

enum err observer_set(struct store *s, const struct observer *o)
{
	return row_put(s,
	               "INSERT INTO observers (game, player, press, since_utc)"
	               " VALUES (?, ?, ?, ?) ON CONFLICT (game, player)"
	               " DO UPDATE SET press = excluded.press",
	               &observer_row, o);
}

enum err observer_get(struct store *s, int64_t game, int64_t player, struct observer *out)
{
	return row_get(s,
	               "SELECT game, player, press, since_utc FROM observers"
	               " WHERE game = ? AND player = ?",
	               ARGS(game, player), &observer_row, NULL, out, "such observer");
}

enum err observer_drop(struct store *s, int64_t game, int64_t player)
{
	return row_do_one(s, "DELETE FROM observers WHERE game = ? AND player = ?",
	                  ARGS(game, player), "such observer");
}

enum err observer_list(struct store *s, int64_t game, struct arena *arena,
                       struct observer **out, size_t *n)
{
	return row_list(s,
	                "SELECT game, player, press, since_utc FROM observers"
	                " WHERE game = ? ORDER BY player",
	                ARGS(game), &observer_row, arena, out, n);
}

enum err observer_count(struct store *s, int64_t game, unsigned *n)
{
	return row_find(s, "SELECT count(*) FROM observers WHERE game = ?", ARGS(game),
	                &row_uint, NULL, n);
}

enum err observer_games(struct store *s, int64_t player, struct arena *arena, int64_t **games,
                        size_t *n)
{
	return row_list(s,
	                "SELECT o.game FROM observers o JOIN games g"
	                " ON g.id = o.game WHERE o.player = ? AND g.ended_utc = 0"
	                " ORDER BY o.game DESC",
	                ARGS(player), &row_int64, arena, games, n);
}
