/*
 * rematches.c - rematches, invitations, the queue: rows.
 */
#include "store/rematches.h"

#include "store/engine/row.h"

/* --------------------------------------------------------------- rematches */

static const struct row_shape rematch_row =
    ROW_SHAPE(struct rematch, COLUMNS(struct rematch, game, of, kept_utc));

enum err rematch_add(struct store *s, const struct rematch *r)
{
	return row_put(s, "INSERT INTO rematches (game, of, kept_utc) VALUES (?, ?, ?)",
	               &rematch_row, r);
}

enum err rematch_get(struct store *s, int64_t game, struct rematch *out)
{
	return row_get(s, "SELECT game, of, kept_utc FROM rematches WHERE game = ?", ARGS(game),
	               &rematch_row, NULL, out, "such rematch");
}

enum err rematch_of(struct store *s, int64_t of, struct rematch *out)
{
	return row_get(s,
	               "SELECT game, of, kept_utc FROM rematches WHERE of = ?"
	               " ORDER BY game DESC LIMIT 1",
	               ARGS(of), &rematch_row, NULL, out, "such rematch");
}

enum err rematch_open(struct store *s, int64_t game, int64_t now_utc)
{
	return row_do(s,
	              "UPDATE rematches SET kept_utc = ?"
	              " WHERE game = ? AND kept_utc > ?",
	              ARGS(now_utc, game, now_utc));
}

/* ------------------------------------------------------------- invitations */

enum err invitation_set(struct store *s, int64_t game, int64_t player, bool declined)
{
	return row_do(s,
	              "INSERT INTO invitations (game, player, declined) VALUES (?, ?, ?)"
	              " ON CONFLICT (game, player) DO UPDATE SET declined = excluded.declined",
	              ARGS(game, player, declined));
}

enum err invitation_exists(struct store *s, int64_t game, int64_t player, bool *yes)
{
	return row_exists(s, "SELECT 1 FROM invitations WHERE game = ? AND player = ?",
	                  ARGS(game, player), yes);
}

/* ------------------------------------------------------------------- queue */

enum err waiting_add(struct store *s, struct span kind, const struct waiter *w)
{
	int64_t n;

	TRY(row_find(s,
	             "SELECT coalesce(max(n), 0) + 1 FROM waiting"
	             " WHERE kind = ? AND since_utc = ?",
	             ARGS(kind, w->since_utc), &row_int64, NULL, &n));
	return row_do(s,
	              "INSERT INTO waiting (kind, player, since_utc, n, until_utc, name)"
	              " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (kind, player) DO UPDATE SET"
	              " until_utc = excluded.until_utc, name = excluded.name",
	              ARGS(kind, w->player, w->since_utc, n, w->until_utc, w->name));
}

enum err waiting_drop(struct store *s, struct span kind, int64_t player, bool *was)
{
	struct query q = db_write_of(s, 0, "DELETE FROM waiting WHERE kind = ? AND player = ?");
	unsigned rows = 0;

	row_bind(&q, ARGS(kind, player));
	enum err err = was ? db_run_count(&q, &rows) : db_run(&q);
	if (was)
		*was = rows > 0;
	return err;
}

enum err waiting_any(struct store *s, bool *yes)
{
	return row_exists(s, "SELECT 1 FROM waiting LIMIT 1", NO_ARGS, yes);
}

static const struct row_shape waiter_row =
    ROW_SHAPE(struct waiter, COLUMNS(struct waiter, player, since_utc, until_utc, n, name));

enum err waiting_list(struct store *s, struct span kind, int64_t now_utc,
                      const struct waiter *after, size_t max, struct arena *arena,
                      struct waiter **out, size_t *n)
{
	return row_list(s,
	                "SELECT player, since_utc, until_utc, n, name FROM waiting"
	                " WHERE kind = ? AND (since_utc, n) > (?, ?)"
	                " AND until_utc > ? ORDER BY since_utc, n LIMIT ?",
	                ARGS(kind, after->since_utc, after->n, now_utc, max), &waiter_row,
	                arena, out, n);
}

enum err waiting_before(struct store *s, struct span kind, int64_t now_utc, int64_t player,
                        size_t *n)
{
	unsigned before;
	enum err err = row_find(
	    s,
	    "SELECT count(*) FROM waiting w JOIN players p ON p.id = w.player"
	    " WHERE w.kind = ?1 AND (w.since_utc, w.n) < (SELECT since_utc, n FROM waiting"
	    " WHERE kind = ?1 AND player = ?2) AND w.until_utc > ?3"
	    " AND p.blocked = 0 AND p.address IS NOT NULL"
	    " AND NOT EXISTS (SELECT 1 FROM bounced_addresses b WHERE b.paused_utc > 0"
	    " AND b.address IN (p.address,"
	    " (SELECT instead FROM bounced_addresses WHERE address = p.address)))",
	    ARGS(kind, player, now_utc), &row_uint, NULL, &before);

	*n = before;
	return err;
}

enum err waiting_list_old(struct store *s, struct span kind, int64_t now_utc, size_t max,
                          struct arena *arena, struct waiter **out, size_t *n)
{
	return row_list(s,
	                "SELECT player, since_utc, until_utc, n, name FROM waiting"
	                " WHERE kind = ? AND until_utc <= ?"
	                " ORDER BY since_utc, n LIMIT ?",
	                ARGS(kind, now_utc, max), &waiter_row, arena, out, n);
}
