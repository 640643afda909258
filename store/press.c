/*
 * press.c - messages between players and diaries: rows, and texts while they wait.
 */
#include "store/press.h"

#include "store/engine/row.h"

/* ------------------------------------------------------------------- rules */

enum err press_rules_add(struct store *s, int64_t game, const struct press_rules *rules)
{
	return row_do_of(s, game,
	                 "INSERT INTO press_rules (game, mode, waits, observers)"
	                 " VALUES (?, ?, ?, ?)",
	                 ARGS(game, rules->mode, rules->waits, rules->observers));
}

static const struct row_shape rules_row =
    ROW_SHAPE(struct press_rules, COLUMN_ENUM(struct press_rules, mode, PRESS_NONE),
              COLUMNS(struct press_rules, waits),
              COLUMN_ENUM(struct press_rules, observers, OBSERVERS_NONE));

enum err press_rules_get(struct store *s, int64_t game, struct press_rules *out)
{
	return row_find(s, "SELECT mode, waits, observers FROM press_rules WHERE game = ?",
	                ARGS(game), &rules_row, NULL, out);
}

/* ---------------------------------------------------------------- messages */

enum err press_add(struct store *s, struct press *p)
{
	/* No row is ever deleted. */
	TRY(row_find(s, "SELECT coalesce(max(id), 0) + 1 FROM press", NO_ARGS, &row_int64, NULL,
	             &p->id));
	p->nbytes = (unsigned)p->text.len;
	return row_do(
	    s,
	    "INSERT INTO press (id, game, serial, seat, kind, seats, unnamed, written_utc,"
	    " mail, nbytes, delivered_utc, sealed_text)"
	    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	    ARGS(p->id, p->game, p->serial, p->seat, p->kind, p->seats, p->unnamed,
	         p->written_utc, p->mail, p->nbytes, p->delivered_utc,
	         p->delivered_utc == 0
	             ? row_sealed(SEALED, "press", ARGS(p->id, p->game, p->seat, p->mail),
	                          p->text)
	             : row_null()));
}

static const struct row_shape press_row =
    ROW_SHAPE(struct press, COLUMNS(struct press, id, game, serial, seat),
              COLUMN_ENUM(struct press, kind, PRESS_DIARY),
              COLUMNS(struct press, seats, unnamed, written_utc, mail, nbytes),
              COLUMN_SEALED(struct press, text, SEALED, "press", id, game, seat, mail));

/* Kinds up to this one. */
static enum press_kind last_kind(bool diaries)
{
	return diaries ? PRESS_DIARY : PRESS_TO_ALL;
}

enum err press_waiting(struct store *s, int64_t game, bool diaries, struct arena *arena,
                       struct press **out, size_t *n)
{
	return row_list(
	    s,
	    "SELECT id, game, serial, seat, kind, seats, unnamed, written_utc, mail,"
	    " nbytes, sealed_text FROM press WHERE game = ? AND delivered_utc = 0"
	    " AND kind <= ? ORDER BY id",
	    ARGS(game, last_kind(diaries)), &press_row, arena, out, n);
}

enum err press_delivered(struct store *s, int64_t game, bool diaries, int64_t last,
                         int64_t now_utc)
{
	return row_do(s,
	              "UPDATE press SET delivered_utc = ?, sealed_text = NULL,"
	              " seats = 0 WHERE game = ? AND delivered_utc = 0"
	              " AND kind <= ? AND id <= ?",
	              ARGS(now_utc, game, last_kind(diaries), last));
}

enum err press_leave(struct store *s, int64_t game, unsigned seat, int64_t now_utc)
{
	TRY(row_do(s,
	           "UPDATE press SET seats = seats & ~CAST(? AS BIGINT)"
	           " WHERE game = ? AND delivered_utc = 0",
	           ARGS(seat_bit(seat), game)));
	return row_do(s,
	              "UPDATE press SET delivered_utc = ?, sealed_text = NULL,"
	              " seats = 0 WHERE game = ? AND delivered_utc = 0"
	              " AND seat = ?",
	              ARGS(now_utc, game, seat));
}

enum err press_nth(struct store *s, int64_t game, unsigned seat, unsigned n,
                   int64_t *written_utc)
{
	struct query q = db_read(s, "SELECT written_utc FROM press WHERE game = ? AND seat = ?"
	                            " ORDER BY written_utc DESC LIMIT 1 OFFSET ?");

	row_bind(&q, ARGS(game, seat, (int64_t)n - 1));
	*written_utc = db_next(&q) ? col_int(&q) : INT64_MIN;
	return db_end(&q);
}

/* Of several in one mail one without a name counts. */
enum err press_writer(struct store *s, int64_t game, int64_t mail, unsigned *seat,
                      bool *unnamed)
{
	struct query q = db_read(s,
	                         "SELECT seat, unnamed FROM press WHERE game = ? AND mail = ?"
	                         " AND kind < 2 ORDER BY unnamed DESC LIMIT 1");

	row_bind(&q, ARGS(game, mail));
	bool found = db_next(&q);
	*seat = found ? col_uint(&q) : 0;
	*unnamed = !found || col_bool(&q);
	return db_end_found(&q, found, "message of that mail");
}

static const struct row_shape kept_row =
    ROW_SHAPE(struct press_kept, COLUMNS(struct press_kept, messages, diary, diary_size));

enum err press_kept_of(struct store *s, int64_t game, unsigned seat, struct press_kept *out)
{
	return row_find(s,
	                "SELECT count(*) FILTER (WHERE kind < 2),"
	                " count(*) FILTER (WHERE kind = 2),"
	                " sum(nbytes) FILTER (WHERE kind = 2) FROM press"
	                " WHERE game = ? AND delivered_utc = 0 AND seat = ?",
	                ARGS(game, seat), &kept_row, NULL, out);
}

/* ------------------------------------------------------------------ thanks */

enum err thanks_add(struct store *s, int64_t game, unsigned seat, unsigned to_seat,
                    int64_t now_utc, bool *is_new)
{
	struct query q = db_write(s, "INSERT INTO thanks (game, seat, to_seat, at_utc)"
	                             " VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1");

	row_bind(&q, ARGS(game, seat, to_seat, now_utc));
	*is_new = db_next(&q);
	return db_end(&q);
}

enum err thanks_count(struct store *s, int64_t player, unsigned *n)
{
	return row_find(s,
	                "SELECT count(*) FROM seats s JOIN thanks t"
	                " ON t.game = s.game AND t.to_seat = s.seat"
	                " WHERE s.player = ?",
	                ARGS(player), &row_uint, NULL, n);
}
