/*
 * reminders.c - which reminders have been sent, and when to look for more.
 */
#include "store/reminders.h"

#include "store/engine/row.h"

enum err reminder_add(struct store *s, const struct reminder_sent *r)
{
	return row_do_of(
	    s, r->game,
	    "INSERT INTO reminders (game, serial, seat, deadline_utc, before_s,"
	    " sent_utc) VALUES (?, ?, ?, ?, ?, ?)",
	    ARGS(r->game, r->serial, r->seat, r->deadline_utc, r->before_s, r->sent_utc));
}

enum err reminder_last(struct store *s, int64_t game, unsigned serial, unsigned seat,
                       int64_t deadline_utc, int64_t *before_s)
{
	return row_get(s,
	               "SELECT before_s FROM reminders WHERE game = ?"
	               " AND serial = ? AND seat = ? AND deadline_utc = ?"
	               " ORDER BY before_s LIMIT 1",
	               ARGS(game, serial, seat, deadline_utc), &row_int64, NULL, before_s,
	               "reminder of this seat");
}

enum err reminder_of_turn(struct store *s, int64_t game, unsigned serial, unsigned seat,
                          int64_t *before_s)
{
	return row_get(s,
	               "SELECT min(before_s) FROM reminders WHERE game = ?"
	               " AND serial = ? AND seat = ? HAVING count(*) > 0",
	               ARGS(game, serial, seat), &row_int64, NULL, before_s,
	               "reminder of this seat");
}

enum err reminder_due_list(struct store *s, int64_t through_utc, struct turn_id after,
                           size_t max, struct turn_id *out, size_t *n)
{
	return row_fill(s,
	                "SELECT game, serial, remind_utc FROM turns"
	                " WHERE state = 0 AND stopped = 0 AND remind_utc <= ?"
	                " AND (remind_utc, game, serial) > (?, ?, ?)"
	                " ORDER BY remind_utc, game, serial LIMIT ?",
	                ARGS(through_utc, after.due_utc, after.game, after.serial, max),
	                &turn_id_row, out, max, n);
}

static const struct row_shape nudge_row =
    ROW_SHAPE(struct nudge, COLUMNS(struct nudge, game, serial, seat, at_utc));

enum err nudge_put(struct store *s, const struct nudge *n)
{
	return row_put(s,
	               "INSERT INTO nudges (game, serial, seat, at_utc)"
	               " VALUES (?, ?, ?, ?) ON CONFLICT (game) DO UPDATE SET"
	               " serial = excluded.serial, seat = excluded.seat,"
	               " at_utc = excluded.at_utc",
	               &nudge_row, n);
}

static const struct row_shape nudge_of_turn_row =
    ROW_SHAPE(struct nudge, COLUMNS(struct nudge, seat, at_utc));

enum err nudge_get(struct store *s, int64_t game, unsigned serial, struct nudge *out)
{
	enum err err = row_find(s,
	                        "SELECT seat, at_utc FROM nudges WHERE game = ? AND serial = ?",
	                        ARGS(game, serial), &nudge_of_turn_row, NULL, out);

	out->game = game;
	out->serial = serial;
	return err;
}
