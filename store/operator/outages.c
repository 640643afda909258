/*
 * outages.c - when the server was last well, and the time that was lost while it was not.
 */
#include "store/operator/outages.h"

#include "store/engine/db.h"

enum err pulse_get(struct store *s, struct pulse *out)
{
	struct query q = db_read(s, "SELECT run_utc, usual_s, lately_s, alike, unread_utc,"
	                            " unsent_utc FROM pulse WHERE id = 1");

	*out = (struct pulse){0};
	if (db_next(&q)) {
		out->run_utc = col_int(&q);
		out->usual_s = col_int(&q);
		out->lately_s = col_int(&q);
		out->alike = col_uint(&q);
		out->unread_utc = col_int(&q);
		out->unsent_utc = col_int(&q);
	}
	return db_end(&q);
}

enum err pulse_set(struct store *s, const struct pulse *p)
{
	struct query q =
	    db_write(s, "INSERT INTO pulse (id, run_utc, usual_s, lately_s, alike, unread_utc,"
	                " unsent_utc) VALUES (1, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE"
	                " SET run_utc = excluded.run_utc, usual_s = excluded.usual_s,"
	                " lately_s = excluded.lately_s, alike = excluded.alike,"
	                " unread_utc = excluded.unread_utc, unsent_utc = excluded.unsent_utc");

	bind_int(&q, p->run_utc);
	bind_int(&q, p->usual_s);
	bind_int(&q, p->lately_s);
	bind_int(&q, p->alike);
	bind_int(&q, p->unread_utc);
	bind_int(&q, p->unsent_utc);
	return db_run(&q);
}

enum err turns_open_get(struct store *s, int64_t *through_utc)
{
	struct query q = db_read(s, "SELECT turns_open_utc FROM pulse WHERE id = 1");

	return db_run_id(&q, through_utc);
}

enum err turns_open_set(struct store *s, int64_t through_utc)
{
	struct query q = db_write(s, "UPDATE pulse SET turns_open_utc = ? WHERE id = 1");

	bind_int(&q, through_utc);
	return db_run(&q);
}

enum err outage_add(struct store *s, struct outage *o)
{
	struct query q =
	    db_write(s, "INSERT INTO outages (cause, from_utc, to_utc) VALUES (?, ?, ?)"
	                " RETURNING id");

	bind_int(&q, o->cause);
	bind_int(&q, o->from_utc);
	bind_int(&q, o->to_utc);
	return db_run_id(&q, &o->id);
}

enum err outage_open(struct store *s, struct outage *out)
{
	struct query q = db_read(s, "SELECT id, cause, from_utc, to_utc FROM outages"
	                            " WHERE is_credited = 0 ORDER BY id LIMIT 1");
	bool found = db_next(&q);
	unsigned cause = OUTAGE_RUN;

	*out = (struct outage){0};
	if (found) {
		out->id = col_int(&q);
		cause = col_uint(&q);
		out->from_utc = col_int(&q);
		out->to_utc = col_int(&q);
	}
	if (cause > OUTAGE_SEND)
		db_spoil(&q, db_fail(s, ERR_CORRUPT, "outage %lld has cause %u",
		                     (long long)out->id, cause));
	else
		out->cause = (enum outage_cause)cause;
	return db_end_found(&q, found, "outage to be credited");
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
	struct query q = db_write(s, "DELETE FROM outages WHERE from_utc >= ?");

	bind_int(&q, now_utc);
	enum err err = db_run(&q);
	if (err != ERR_NONE)
		return err;
	q = db_write(s, "UPDATE outages SET to_utc = ? WHERE to_utc > ?");
	bind_int(&q, now_utc);
	bind_int(&q, now_utc);
	return db_run(&q);
}

enum err outage_done(struct store *s, int64_t id)
{
	struct query q = db_write(s, "UPDATE outages SET is_credited = 1 WHERE id = ?");

	bind_int(&q, id);
	return db_run_one(&q, "such outage");
}

enum err outage_turns(struct store *s, const struct outage *o, struct turn_id after, size_t max,
                      struct turn_id *out, size_t *n)
{
	/* Whatever has a clock has a due_utc: read from the index of the live turns alone. */
	struct query q = db_read(s, "SELECT game, serial, due_utc FROM turns"
	                            " WHERE state = 0 AND due_utc IS NOT NULL"
	                            " AND deadline_utc > 0 AND opened_utc < ?1"
	                            " AND credited_utc < ?1"
	                            " AND (due_utc, game, serial) > (?, ?, ?)"
	                            " ORDER BY due_utc, game, serial LIMIT ?");

	bind_int(&q, o->to_utc);
	return turn_id_list(&q, after, max, out, n);
}
