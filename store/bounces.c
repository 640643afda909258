/*
 * bounces.c - mail that came back.
 */
#include "store/bounces.h"

#include <string.h>

#include "store/engine/db.h"

/* ---------------------------------------------------------------- counting */

enum err bounce_of_mail(struct store *s, int64_t outbox, unsigned *points, int64_t *inbox)
{
	struct query q = db_read(s, "SELECT points, inbox FROM bounced_mails WHERE outbox = ?");

	bind_int(&q, outbox);
	*points = 0;
	*inbox = 0;
	if (db_next(&q)) {
		*points = col_uint(&q);
		*inbox = col_int(&q);
	}
	return db_end(&q);
}

static enum err note_mail(struct store *s, int64_t outbox, int64_t inbox, unsigned points)
{
	struct query q = db_write(s, "INSERT INTO bounced_mails (outbox, inbox, points)"
	                             " VALUES (?, ?, ?) ON CONFLICT (outbox) DO UPDATE SET"
	                             " inbox = excluded.inbox, points = excluded.points");

	bind_int(&q, outbox);
	bind_int(&q, inbox);
	bind_int(&q, points);
	return db_run(&q);
}

static enum err add_points(struct store *s, const struct outbox_mail *m, unsigned points,
                           struct span said, int64_t fresh_utc, int64_t now_utc)
{
	struct query q = db_write(
	    s,
	    "INSERT INTO bounced_addresses (address, player, score, last_utc, paused_utc, said)"
	    " VALUES (?, ?, ?, ?, 0, ?) ON CONFLICT (address) DO UPDATE SET"
	    " score = excluded.score + CASE WHEN bounced_addresses.last_utc < ?"
	    " AND bounced_addresses.paused_utc = 0 THEN 0 ELSE bounced_addresses.score END, "
	    "player = excluded.player, last_utc = excluded.last_utc,"
	    " said = excluded.said");

	bind_text(&q, m->rcpt);
	bind_int(&q, m->player);
	bind_int(&q, points);
	bind_int(&q, now_utc);
	bind_text(&q, said);
	bind_int(&q, fresh_utc);
	return db_run(&q);
}

static enum err read_score(struct store *s, struct span address, unsigned *score)
{
	struct query q = db_read(s, "SELECT score FROM bounced_addresses WHERE address = ?");

	bind_text(&q, address);
	*score = db_next(&q) ? col_uint(&q) : 0;
	return db_end(&q);
}

enum err bounce_count(struct store *s, const struct outbox_mail *m, int64_t inbox,
                      unsigned points, struct span said, int64_t fresh_utc, int64_t now_utc,
                      unsigned *score)
{
	unsigned before;
	int64_t old_inbox;
	enum err err = bounce_of_mail(s, m->id, &before, &old_inbox);

	*score = 0;
	if (err == ERR_NONE && points > before)
		err = note_mail(s, m->id, inbox, points);
	if (err == ERR_NONE && points > before)
		err = add_points(s, m, points - before, said, fresh_utc, now_utc);
	return err == ERR_NONE ? read_score(s, m->rcpt, score) : err;
}

/* ----------------------------------------------------------------- changing */

enum err bounce_pause(struct store *s, struct span address, int64_t now_utc)
{
	struct query q = db_write(s, "UPDATE bounced_addresses SET paused_utc = ?,"
	                             " instead = NULL WHERE address = ?");

	bind_int(&q, now_utc);
	bind_text(&q, address);
	return db_run_one(&q, "such address that mail came back from");
}

/* Whom another has handed its mail on to has a follower now. */
static enum err redirect_mail_of(struct store *s, struct span address, struct span other)
{
	struct query q = db_write(s, "UPDATE bounced_addresses SET instead = ?1"
	                             " WHERE instead = ?2 AND address <> ?1");

	bind_text(&q, other);
	bind_text(&q, address);
	return db_run(&q);
}

enum err bounce_redirect(struct store *s, struct span address, struct span other)
{
	struct query q = db_write(s, "UPDATE bounced_addresses SET paused_utc = 0,"
	                             " instead = ? WHERE address = ?");
	enum err err;

	bind_text(&q, other);
	bind_text(&q, address);
	err = db_run_one(&q, "such address that mail came back from");
	if (err == ERR_NONE)
		err = redirect_mail_of(s, address, other);
	return err == ERR_NONE ? outbox_redirect(s, address, other) : err;
}

enum err bounce_forgive(struct store *s, struct span address)
{
	struct query q = db_write(s, "DELETE FROM bounced_addresses WHERE address = ?");

	bind_text(&q, address);
	return db_run(&q);
}

/*
 * The addresses it stood in for begin anew: they are tried again, and should mail still come
 * back from there, what follows is done and said as for the first time.
 */
static enum err forgive_those_behind(struct store *s, struct span address)
{
	struct query q = db_write(s, "DELETE FROM bounced_addresses WHERE instead = ?");

	bind_text(&q, address);
	return db_run(&q);
}

enum err bounce_drop(struct store *s, struct span address)
{
	enum err err = bounce_forgive(s, address);

	return err == ERR_NONE ? forgive_those_behind(s, address) : err;
}

/* ------------------------------------------------------------------ reading */

#define BOUNCE_COLUMNS                                                       \
	"SELECT address, player, score, last_utc, paused_utc, said, instead" \
	" FROM bounced_addresses "

static void read_address(struct query *q, struct arena *arena, struct bounced_address *out)
{
	out->address = col_text(q, arena);
	out->player = col_int(q);
	out->score = col_uint(q);
	out->last_utc = col_int(q);
	out->paused_utc = col_int(q);
	out->said = col_text(q, arena);
	out->instead = col_text(q, arena);
}

enum err bounce_get(struct store *s, struct span address, struct arena *arena,
                    struct bounced_address *out)
{
	struct query q = db_read(s, BOUNCE_COLUMNS "WHERE address = ?");
	bool found;

	memset(out, 0, sizeof(*out));
	bind_text(&q, address);
	found = db_next(&q);
	if (found)
		read_address(&q, arena, out);
	return db_end_found(&q, found, "such address that mail came back from");
}

enum err bounce_list(struct store *s, int64_t player, struct arena *arena,
                     struct bounced_address **out, size_t *n)
{
	struct query q =
	    player != 0
		? db_read(s, BOUNCE_COLUMNS "WHERE player = ? ORDER BY address")
		: db_read(s, BOUNCE_COLUMNS "WHERE paused_utc > ? ORDER BY player, address");
	void *items = NULL;

	bind_int(&q, player);
	*n = 0;
	while (db_next(&q))
		read_address(&q, arena,
		             list_add(arena, &items, n, sizeof(struct bounced_address)));
	*out = items;
	return db_end(&q);
}

enum err bounce_waiting(struct store *s, struct span address, unsigned *n)
{
	struct query q = db_read(s,
	                         "SELECT (SELECT count(*) FROM outbox WHERE next_try_utc = 0"
	                         " AND rcpt = ?1 COLLATE NOCASE) + (SELECT count(*) FROM outbox"
	                         " WHERE next_try_utc > 0 AND rcpt = ?1 COLLATE NOCASE)");

	bind_text(&q, address);
	*n = db_next(&q) ? col_uint(&q) : 0;
	return db_end(&q);
}

enum err player_other_address(struct store *s, int64_t player, struct span except,
                              struct arena *arena, struct span *out)
{
	struct query q =
	    db_read(s, "SELECT a.address FROM player_addresses a"
	               " WHERE a.player = ? AND a.address <> ? COLLATE NOCASE AND NOT EXISTS"
	               " (SELECT 1 FROM bounced_addresses b WHERE b.address = a.address)"
	               " ORDER BY a.since_utc, a.address LIMIT 1");
	bool found;

	bind_int(&q, player);
	bind_text(&q, except);
	found = db_next(&q);
	*out = found ? col_text(&q, arena) : SPAN_EMPTY;
	return db_end_found(&q, found, "other address");
}

/* -------------------------------------------------------------------- seats */

enum err unreachable_get(struct store *s, int64_t game, unsigned seat,
                         struct unreachable_seat *out)
{
	struct query q = db_read(s, "SELECT told_utc, moved_serial FROM unreachable_seats"
	                            " WHERE game = ? AND seat = ?");

	memset(out, 0, sizeof(*out));
	bind_int(&q, game);
	bind_int(&q, seat);
	if (db_next(&q)) {
		out->told_utc = col_int(&q);
		out->moved_serial = col_uint(&q);
	}
	return db_end(&q);
}

enum err unreachable_set(struct store *s, int64_t game, unsigned seat,
                         const struct unreachable_seat *u)
{
	struct query q =
	    db_write(s, "INSERT INTO unreachable_seats (game, seat, told_utc, moved_serial)"
	                " VALUES (?, ?, ?, ?) ON CONFLICT (game, seat) DO UPDATE SET"
	                " told_utc = excluded.told_utc, moved_serial = excluded.moved_serial");

	bind_int(&q, game);
	bind_int(&q, seat);
	bind_int(&q, u->told_utc);
	bind_int(&q, u->moved_serial);
	return db_run(&q);
}
