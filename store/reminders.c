/*
 * reminders.c - which reminders have been sent, and when to look for more.
 */
#include "store/reminders.h"

#include "store/engine/db.h"

enum err reminder_add(struct store *s, const struct reminder_sent *r)
{
	struct query q =
	    db_write_of(s, r->game,
	                "INSERT INTO reminders (game, serial, seat, deadline_utc, before_s,"
	                " sent_utc) VALUES (?, ?, ?, ?, ?, ?)");

	bind_int(&q, r->game);
	bind_int(&q, r->serial);
	bind_int(&q, r->seat);
	bind_int(&q, r->deadline_utc);
	bind_int(&q, r->before_s);
	bind_int(&q, r->sent_utc);
	return db_run(&q);
}

enum err reminder_last(struct store *s, int64_t game, unsigned serial, unsigned seat,
                       int64_t deadline_utc, int64_t *before_s)
{
	struct query q = db_read(s, "SELECT before_s FROM reminders WHERE game = ?"
	                            " AND serial = ? AND seat = ? AND deadline_utc = ?"
	                            " ORDER BY before_s LIMIT 1");
	bool found;

	bind_int(&q, game);
	bind_int(&q, serial);
	bind_int(&q, seat);
	bind_int(&q, deadline_utc);
	found = db_next(&q);
	if (found)
		*before_s = col_int(&q);
	return db_end_found(&q, found, "reminder of this seat");
}

enum err reminder_of_turn(struct store *s, int64_t game, unsigned serial, unsigned seat,
                          int64_t *before_s)
{
	struct query q = db_read(s, "SELECT min(before_s) FROM reminders WHERE game = ?"
	                            " AND serial = ? AND seat = ? HAVING count(*) > 0");
	bool found;

	bind_int(&q, game);
	bind_int(&q, serial);
	bind_int(&q, seat);
	found = db_next(&q);
	if (found)
		*before_s = col_int(&q);
	return db_end_found(&q, found, "reminder of this seat");
}

enum err reminder_due_list(struct store *s, int64_t through_utc, struct turn_id after,
                           size_t max, struct turn_id *out, size_t *n)
{
	struct query q = db_read(s, "SELECT game, serial, remind_utc FROM turns"
	                            " WHERE state = 0 AND stopped = 0 AND remind_utc <= ?"
	                            " AND (remind_utc, game, serial) > (?, ?, ?)"
	                            " ORDER BY remind_utc, game, serial LIMIT ?");

	bind_int(&q, through_utc);
	return turn_id_list(&q, after, max, out, n);
}

enum err nudge_put(struct store *s, const struct nudge *n)
{
	struct query q = db_write(s, "INSERT INTO nudges (game, serial, seat, at_utc)"
	                             " VALUES (?, ?, ?, ?) ON CONFLICT (game) DO UPDATE SET"
	                             " serial = excluded.serial, seat = excluded.seat,"
	                             " at_utc = excluded.at_utc");

	bind_int(&q, n->game);
	bind_int(&q, n->serial);
	bind_int(&q, n->seat);
	bind_int(&q, n->at_utc);
	return db_run(&q);
}

enum err nudge_get(struct store *s, int64_t game, unsigned serial, struct nudge *out)
{
	struct query q =
	    db_read(s, "SELECT seat, at_utc FROM nudges WHERE game = ? AND serial = ?");

	*out = (struct nudge){.game = game, .serial = serial};
	bind_int(&q, game);
	bind_int(&q, serial);
	if (db_next(&q)) {
		out->seat = col_uint(&q);
		out->at_utc = col_int(&q);
	}
	return db_end(&q);
}
