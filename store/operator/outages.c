/*
 * outages.c - when the server was last well, and the time that was lost while it was not.
 */
#include "store/operator/outages.h"

#include "store/engine/row.h"

static const struct row_shape pulse_row =
    ROW_SHAPE(struct pulse,
              COLUMNS(struct pulse, run_utc, usual_s, lately_s, alike, unread_utc, unsent_utc));

enum err pulse_get(struct store *s, struct pulse *out)
{
	return row_find(s,
	                "SELECT run_utc, usual_s, lately_s, alike, unread_utc,"
	                " unsent_utc FROM pulse WHERE id = 1",
	                NO_ARGS, &pulse_row, NULL, out);
}

enum err pulse_set(struct store *s, const struct pulse *p)
{
	return row_put(s,
	               "INSERT INTO pulse (id, run_utc, usual_s, lately_s, alike, unread_utc,"
	               " unsent_utc) VALUES (1, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE"
	               " SET run_utc = excluded.run_utc, usual_s = excluded.usual_s,"
	               " lately_s = excluded.lately_s, alike = excluded.alike,"
	               " unread_utc = excluded.unread_utc, unsent_utc = excluded.unsent_utc",
	               &pulse_row, p);
}

static const struct row_shape way_row =
    ROW_SHAPE(struct mail_way, COLUMN_ENUM(struct mail_way, sender, SENDER_FIXED),
              COLUMNS(struct mail_way, sent_utc, back_utc, said));

enum err mail_way_get(struct store *s, struct arena *arena, struct mail_way *out)
{
	return row_find(s,
	                "SELECT sender, trip_sent_utc, trip_back_utc, trip_said FROM pulse"
	                " WHERE id = 1",
	                NO_ARGS, &way_row, arena, out);
}

enum err mail_way_set(struct store *s, const struct mail_way *w)
{
	return row_put(
	    s,
	    "INSERT INTO pulse (id, run_utc, sender, trip_sent_utc, trip_back_utc,"
	    " trip_said) VALUES (1, 0, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE"
	    " SET sender = excluded.sender, trip_sent_utc = excluded.trip_sent_utc,"
	    " trip_back_utc = excluded.trip_back_utc, trip_said = excluded.trip_said",
	    &way_row, w);
}

enum err outage_add(struct store *s, struct outage *o)
{
	struct query q =
	    db_write(s, "INSERT INTO outages (cause, from_utc, to_utc) VALUES (?, ?, ?)"
	                " RETURNING id");

	row_bind(&q, ARGS(o->cause, o->from_utc, o->to_utc));
	return db_run_id(&q, &o->id);
}

static const struct row_shape outage_row = ROW_SHAPE(
    struct outage, COLUMNS(struct outage, id), COLUMN_ENUM(struct outage, cause, OUTAGE_SEND),
    COLUMNS(struct outage, from_utc, to_utc));

enum err outage_open(struct store *s, struct outage *out)
{
	*out = (struct outage){0};
	return row_get(s,
	               "SELECT id, cause, from_utc, to_utc FROM outages"
	               " WHERE is_credited = 0 ORDER BY id LIMIT 1",
	               NO_ARGS, &outage_row, NULL, out, "outage to be credited");
}

enum err outage_begin_of(struct store *s, int64_t at_utc, int64_t *from_utc)
{
	struct query q = db_read(s, "SELECT min(from_utc) FROM outages"
	                            " WHERE from_utc < ?1 AND to_utc > ?1");

	bind_int(&q, at_utc);
	*from_utc = db_next(&q) && !col_is_null(&q) ? col_int(&q) : at_utc;
	return db_end(&q);
}

enum err outages_end_by(struct store *s, int64_t now_utc)
{
	TRY(row_do(s, "DELETE FROM outages WHERE from_utc >= ?", ARGS(now_utc)));
	return row_do(s, "UPDATE outages SET to_utc = ? WHERE to_utc > ?",
	              ARGS(now_utc, now_utc));
}

enum err outages_since(struct store *s, int64_t since_utc, struct arena *arena,
                       struct outage **out, size_t *n)
{
	return row_list(s,
	                "SELECT id, cause, from_utc, to_utc FROM outages"
	                " WHERE to_utc > ? ORDER BY id",
	                ARGS(since_utc), &outage_row, arena, out, n);
}

enum err outage_turns_ahead(struct store *s, int64_t now_utc, struct turn_id after, size_t max,
                            struct turn_id *out, size_t *n)
{
	return row_fill(s,
	                "SELECT game, serial, due_utc FROM turns"
	                " WHERE state = 0 AND due_utc IS NOT NULL"
	                " AND deadline_utc > 0 AND opened_utc <= ?1"
	                " AND credited_utc > ?1"
	                " AND (due_utc, game, serial) > (?, ?, ?)"
	                " ORDER BY due_utc, game, serial LIMIT ?",
	                ARGS(now_utc, after.due_utc, after.game, after.serial, max),
	                &turn_id_row, out, max, n);
}

enum err outage_done(struct store *s, int64_t id)
{
	return row_do_one(s, "UPDATE outages SET is_credited = 1 WHERE id = ?", ARGS(id),
	                  "such outage");
}

enum err outage_turns(struct store *s, const struct outage *o, struct turn_id after, size_t max,
                      struct turn_id *out, size_t *n)
{
	/* Whatever has a clock has a due_utc: read from the index of the live turns alone. */
	return row_fill(s,
	                "SELECT game, serial, due_utc FROM turns"
	                " WHERE state = 0 AND due_utc IS NOT NULL"
	                " AND deadline_utc > 0 AND opened_utc < ?1"
	                " AND credited_utc < ?1"
	                " AND (due_utc, game, serial) > (?, ?, ?)"
	                " ORDER BY due_utc, game, serial LIMIT ?",
	                ARGS(o->to_utc, after.due_utc, after.game, after.serial, max),
	                &turn_id_row, out, max, n);
}
