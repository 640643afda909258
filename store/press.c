/*
 * press.c - messages between players and diaries: rows, and texts while they wait.
 */
#include "store/press.h"

#include "store/engine/db.h"
#include "store/engine/sealed.h"

/* ------------------------------------------------------------------- rules */

enum err press_rules_add(struct store *s, int64_t game, const struct press_rules *rules)
{
	struct query q = db_write(s, "INSERT INTO press_rules (game, mode, waits, observers)"
	                             " VALUES (?, ?, ?, ?)");

	bind_int(&q, game);
	bind_int(&q, rules->mode);
	bind_int(&q, rules->waits);
	bind_int(&q, rules->observers);
	return db_run(&q);
}

/* A number that the column's CHECK allows. */
static unsigned read_enum(struct query *q, unsigned last)
{
	unsigned value = col_uint(q);

	if (value <= last)
		return value;
	db_spoil(q, db_fail(q->s, ERR_CORRUPT, "a row of press holds %u", value));
	return 0;
}

enum err press_rules_get(struct store *s, int64_t game, struct press_rules *out)
{
	struct query q =
	    db_read(s, "SELECT mode, waits, observers FROM press_rules WHERE game = ?");

	*out = (struct press_rules){0};
	bind_int(&q, game);
	if (db_next(&q)) {
		out->mode = (enum press_mode)read_enum(&q, PRESS_NONE);
		out->waits = col_bool(&q);
		out->observers = (enum press_observers)read_enum(&q, OBSERVERS_NONE);
	}
	return db_end(&q);
}

/* ---------------------------------------------------------------- messages */

static enum err next_id(struct store *s, int64_t *id)
{
	/* No row is ever deleted. */
	struct query q = db_read(s, "SELECT coalesce(max(id), 0) + 1 FROM press");

	*id = db_next(&q) ? col_int(&q) : 0;
	return db_end(&q);
}

static void bind_waiting_text(struct query *q, const struct press *p)
{
	if (p->delivered_utc == 0)
		bind_sealed(q, context_of_press(q->s, p->id, p->game, p->seat, p->mail),
		            p->text);
	else
		bind_null(q);
}

enum err press_add(struct store *s, struct press *p)
{
	enum err err = next_id(s, &p->id);

	if (err != ERR_NONE)
		return err;
	struct query q = db_write(
	    s, "INSERT INTO press (id, game, serial, seat, kind, seats, unnamed, written_utc,"
	       " mail, nbytes, delivered_utc, sealed_text)"
	       " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	p->nbytes = (unsigned)p->text.len;
	bind_int(&q, p->id);
	bind_int(&q, p->game);
	bind_int(&q, p->serial);
	bind_int(&q, p->seat);
	bind_int(&q, p->kind);
	bind_int(&q, p->seats);
	bind_int(&q, p->unnamed);
	bind_int(&q, p->written_utc);
	bind_int(&q, p->mail);
	bind_int(&q, p->nbytes);
	bind_int(&q, p->delivered_utc);
	bind_waiting_text(&q, p);
	return db_run(&q);
}

static void read_press(struct query *q, struct arena *arena, struct press *out)
{
	out->id = col_int(q);
	out->game = col_int(q);
	out->serial = col_uint(q);
	out->seat = col_uint(q);
	out->kind = (enum press_kind)read_enum(q, PRESS_DIARY);
	out->seats = col_uint(q);
	out->unnamed = col_bool(q);
	out->written_utc = col_int(q);
	out->mail = col_int(q);
	out->nbytes = col_uint(q);
	out->text = col_sealed_text(
	    q, context_of_press(q->s, out->id, out->game, out->seat, out->mail), arena);
}

/* Kinds up to this one. */
static enum press_kind last_kind(bool diaries)
{
	return diaries ? PRESS_DIARY : PRESS_TO_ALL;
}

enum err press_waiting(struct store *s, int64_t game, bool diaries, struct arena *arena,
                       struct press **out, size_t *n)
{
	struct query q =
	    db_read(s, "SELECT id, game, serial, seat, kind, seats, unnamed, written_utc, mail,"
	               " nbytes, sealed_text FROM press WHERE game = ? AND delivered_utc = 0"
	               " AND kind <= ? ORDER BY id");
	void *items = NULL;

	*n = 0;
	bind_int(&q, game);
	bind_int(&q, last_kind(diaries));
	while (db_next(&q)) {
		struct press *p = list_add(arena, &items, n, sizeof(*p));
		*p = (struct press){0};
		read_press(&q, arena, p);
	}
	*out = items;
	return db_end(&q);
}

enum err press_delivered(struct store *s, int64_t game, bool diaries, int64_t last,
                         int64_t now_utc)
{
	struct query q = db_write(s, "UPDATE press SET delivered_utc = ?, sealed_text = NULL,"
	                             " seats = 0 WHERE game = ? AND delivered_utc = 0"
	                             " AND kind <= ? AND id <= ?");

	bind_int(&q, now_utc);
	bind_int(&q, game);
	bind_int(&q, last_kind(diaries));
	bind_int(&q, last);
	return db_run(&q);
}

static enum err drop_receiver(struct store *s, int64_t game, unsigned seat)
{
	struct query q = db_write(s, "UPDATE press SET seats = seats & ~CAST(? AS BIGINT)"
	                             " WHERE game = ? AND delivered_utc = 0");

	bind_int(&q, seat_bit(seat));
	bind_int(&q, game);
	return db_run(&q);
}

enum err press_leave(struct store *s, int64_t game, unsigned seat, int64_t now_utc)
{
	enum err err = drop_receiver(s, game, seat);

	if (err != ERR_NONE)
		return err;
	struct query q = db_write(s, "UPDATE press SET delivered_utc = ?, sealed_text = NULL,"
	                             " seats = 0 WHERE game = ? AND delivered_utc = 0"
	                             " AND seat = ?");
	bind_int(&q, now_utc);
	bind_int(&q, game);
	bind_int(&q, seat);
	return db_run(&q);
}

enum err press_nth(struct store *s, int64_t game, unsigned seat, unsigned n,
                   int64_t *written_utc)
{
	struct query q = db_read(s, "SELECT written_utc FROM press WHERE game = ? AND seat = ?"
	                            " ORDER BY written_utc DESC LIMIT 1 OFFSET ?");

	bind_int(&q, game);
	bind_int(&q, seat);
	bind_int(&q, (int64_t)n - 1);
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

	bind_int(&q, game);
	bind_int(&q, mail);
	bool found = db_next(&q);
	*seat = found ? col_uint(&q) : 0;
	*unnamed = !found || col_bool(&q);
	return db_end_found(&q, found, "message of that mail");
}

enum err press_kept_of(struct store *s, int64_t game, unsigned seat, struct press_kept *out)
{
	struct query q = db_read(s, "SELECT count(*) FILTER (WHERE kind < 2),"
	                            " count(*) FILTER (WHERE kind = 2),"
	                            " sum(nbytes) FILTER (WHERE kind = 2) FROM press"
	                            " WHERE game = ? AND delivered_utc = 0 AND seat = ?");

	*out = (struct press_kept){0};
	bind_int(&q, game);
	bind_int(&q, seat);
	if (db_next(&q)) {
		out->messages = col_uint(&q);
		out->diary = col_uint(&q);
		out->diary_size = col_int(&q);
	}
	return db_end(&q);
}

/* ------------------------------------------------------------------ thanks */

enum err thanks_add(struct store *s, int64_t game, unsigned seat, unsigned to_seat,
                    int64_t now_utc, bool *is_new)
{
	struct query q = db_write(s, "INSERT INTO thanks (game, seat, to_seat, at_utc)"
	                             " VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1");

	bind_int(&q, game);
	bind_int(&q, seat);
	bind_int(&q, to_seat);
	bind_int(&q, now_utc);
	*is_new = db_next(&q);
	return db_end(&q);
}

enum err thanks_count(struct store *s, int64_t player, unsigned *n)
{
	struct query q = db_read(s, "SELECT count(*) FROM seats s JOIN thanks t"
	                            " ON t.game = s.game AND t.to_seat = s.seat"
	                            " WHERE s.player = ?");

	*n = 0;
	bind_int(&q, player);
	if (db_next(&q))
		*n = col_uint(&q);
	return db_end(&q);
}
