/*
 * rematches.c - rematches, invitations, the queue: rows.
 */
#include "store/rematches.h"

#include "store/engine/db.h"

/* --------------------------------------------------------------- rematches */

enum err rematch_add(struct store *s, const struct rematch *r)
{
	struct query q =
	    db_write(s, "INSERT INTO rematches (game, of, kept_utc) VALUES (?, ?, ?)");

	bind_int(&q, r->game);
	bind_int(&q, r->of);
	bind_int(&q, r->kept_utc);
	return db_run(&q);
}

static enum err read_rematch(struct query *q, struct rematch *out)
{
	bool found = db_next(q);

	if (found) {
		out->game = col_int(q);
		out->of = col_int(q);
		out->kept_utc = col_int(q);
	}
	return db_end_found(q, found, "such rematch");
}

enum err rematch_get(struct store *s, int64_t game, struct rematch *out)
{
	struct query q = db_read(s, "SELECT game, of, kept_utc FROM rematches WHERE game = ?");

	bind_int(&q, game);
	return read_rematch(&q, out);
}

enum err rematch_of(struct store *s, int64_t of, struct rematch *out)
{
	struct query q = db_read(s, "SELECT game, of, kept_utc FROM rematches WHERE of = ?"
	                            " ORDER BY game DESC LIMIT 1");

	bind_int(&q, of);
	return read_rematch(&q, out);
}

enum err rematch_open(struct store *s, int64_t game, int64_t now_utc)
{
	struct query q = db_write(s, "UPDATE rematches SET kept_utc = ?"
	                             " WHERE game = ? AND kept_utc > ?");

	bind_int(&q, now_utc);
	bind_int(&q, game);
	bind_int(&q, now_utc);
	return db_run(&q);
}

/* ------------------------------------------------------------- invitations */

enum err invitation_set(struct store *s, int64_t game, int64_t player, bool declined)
{
	struct query q = db_write(
	    s, "INSERT INTO invitations (game, player, declined) VALUES (?, ?, ?)"
	       " ON CONFLICT (game, player) DO UPDATE SET declined = excluded.declined");

	bind_int(&q, game);
	bind_int(&q, player);
	bind_int(&q, declined);
	return db_run(&q);
}

enum err invitation_exists(struct store *s, int64_t game, int64_t player, bool *yes)
{
	struct query q = db_read(s, "SELECT 1 FROM invitations WHERE game = ? AND player = ?");

	bind_int(&q, game);
	bind_int(&q, player);
	*yes = db_next(&q);
	return db_end(&q);
}

/* ------------------------------------------------------------------- queue */

static enum err next_place(struct store *s, struct span kind, int64_t since_utc, int64_t *n)
{
	struct query q = db_read(s, "SELECT coalesce(max(n), 0) + 1 FROM waiting"
	                            " WHERE kind = ? AND since_utc = ?");

	bind_text(&q, kind);
	bind_int(&q, since_utc);
	*n = db_next(&q) ? col_int(&q) : 0;
	return db_end(&q);
}

enum err waiting_add(struct store *s, struct span kind, const struct waiter *w)
{
	int64_t n;
	enum err err = next_place(s, kind, w->since_utc, &n);

	if (err != ERR_NONE)
		return err;
	struct query q =
	    db_write(s, "INSERT INTO waiting (kind, player, since_utc, n, until_utc, name)"
	                " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (kind, player) DO UPDATE SET"
	                " until_utc = excluded.until_utc, name = excluded.name");
	bind_text(&q, kind);
	bind_int(&q, w->player);
	bind_int(&q, w->since_utc);
	bind_int(&q, n);
	bind_int(&q, w->until_utc);
	bind_text(&q, w->name);
	return db_run(&q);
}

enum err waiting_drop(struct store *s, struct span kind, int64_t player)
{
	struct query q = db_write(s, "DELETE FROM waiting WHERE kind = ? AND player = ?");

	bind_text(&q, kind);
	bind_int(&q, player);
	return db_run_one(&q, "such place in the queue");
}

enum err waiting_any(struct store *s, bool *yes)
{
	struct query q = db_read(s, "SELECT 1 FROM waiting LIMIT 1");

	*yes = db_next(&q);
	return db_end(&q);
}

static enum err read_waiters(struct query *q, struct arena *arena, struct waiter **out,
                             size_t *n)
{
	void *items = NULL;

	*n = 0;
	while (db_next(q)) {
		struct waiter *w = list_add(arena, &items, n, sizeof(*w));

		w->player = col_int(q);
		w->since_utc = col_int(q);
		w->until_utc = col_int(q);
		w->n = col_int(q);
		w->name = col_text(q, arena);
	}
	*out = items;
	return db_end(q);
}

enum err waiting_list(struct store *s, struct span kind, int64_t now_utc,
                      const struct waiter *after, size_t max, struct arena *arena,
                      struct waiter **out, size_t *n)
{
	struct query q = db_read(s, "SELECT player, since_utc, until_utc, n, name FROM waiting"
	                            " WHERE kind = ? AND (since_utc, n) > (?, ?)"
	                            " AND until_utc > ? ORDER BY since_utc, n LIMIT ?");

	bind_text(&q, kind);
	bind_int(&q, after->since_utc);
	bind_int(&q, after->n);
	bind_int(&q, now_utc);
	bind_int(&q, (int64_t)max);
	return read_waiters(&q, arena, out, n);
}

enum err waiting_before(struct store *s, struct span kind, int64_t now_utc, int64_t player,
                        size_t *n)
{
	struct query q = db_read(
	    s, "SELECT count(*) FROM waiting w JOIN players p ON p.id = w.player"
	       " WHERE w.kind = ?1 AND (w.since_utc, w.n) < (SELECT since_utc, n FROM waiting"
	       " WHERE kind = ?1 AND player = ?2) AND w.until_utc > ?3"
	       " AND p.blocked = 0 AND p.address IS NOT NULL"
	       " AND NOT EXISTS (SELECT 1 FROM bounced_addresses b WHERE b.paused_utc > 0"
	       " AND b.address IN (p.address,"
	       " (SELECT instead FROM bounced_addresses WHERE address = p.address)))");

	bind_text(&q, kind);
	bind_int(&q, player);
	bind_int(&q, now_utc);
	*n = db_next(&q) ? (size_t)col_uint(&q) : 0;
	return db_end(&q);
}

enum err waiting_list_old(struct store *s, struct span kind, int64_t now_utc, size_t max,
                          struct arena *arena, struct waiter **out, size_t *n)
{
	struct query q = db_read(s, "SELECT player, since_utc, until_utc, n, name FROM waiting"
	                            " WHERE kind = ? AND until_utc <= ?"
	                            " ORDER BY since_utc, n LIMIT ?");

	bind_text(&q, kind);
	bind_int(&q, now_utc);
	bind_int(&q, (int64_t)max);
	return read_waiters(&q, arena, out, n);
}
