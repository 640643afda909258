/*
 * bounces.c - mail that came back.
 */
#include "store/bounces.h"

#include "store/engine/row.h"

/* ---------------------------------------------------------------- counting */

struct bounced_mail {
	unsigned points;
	int64_t inbox;
};
static const struct row_shape mail_row =
    ROW_SHAPE(struct bounced_mail, COLUMNS(struct bounced_mail, points, inbox));

enum err bounce_of_mail(struct store *s, int64_t outbox, unsigned *points, int64_t *inbox)
{
	struct bounced_mail mail;
	enum err err = row_find(s, "SELECT points, inbox FROM bounced_mails WHERE outbox = ?",
	                        ARGS(outbox), &mail_row, NULL, &mail);

	*points = mail.points;
	*inbox = mail.inbox;
	return err;
}

static enum err note_mail(struct store *s, int64_t outbox, int64_t inbox, unsigned points)
{
	return row_do(s,
	              "INSERT INTO bounced_mails (outbox, inbox, points)"
	              " VALUES (?, ?, ?) ON CONFLICT (outbox) DO UPDATE SET"
	              " inbox = excluded.inbox, points = excluded.points",
	              ARGS(outbox, inbox, points));
}

static enum err add_points(struct store *s, const struct outbox_mail *m, unsigned points,
                           struct span said, int64_t fresh_utc, int64_t now_utc)
{
	return row_do(
	    s,
	    "INSERT INTO bounced_addresses (address, player, score, last_utc, paused_utc, said)"
	    " VALUES (?, ?, ?, ?, 0, ?) ON CONFLICT (address) DO UPDATE SET"
	    " score = excluded.score + CASE WHEN bounced_addresses.last_utc < ?"
	    " AND bounced_addresses.paused_utc = 0 THEN 0 ELSE bounced_addresses.score END, "
	    "player = excluded.player, last_utc = excluded.last_utc,"
	    " said = excluded.said",
	    ARGS(m->rcpt, m->player, points, now_utc, said, fresh_utc));
}

enum err bounce_count(struct store *s, const struct outbox_mail *m, int64_t inbox,
                      unsigned points, struct span said, int64_t fresh_utc, int64_t now_utc,
                      unsigned *score)
{
	unsigned before;
	int64_t old_inbox;

	*score = 0;
	TRY(bounce_of_mail(s, m->id, &before, &old_inbox));
	if (points > before) {
		TRY(note_mail(s, m->id, inbox, points));
		TRY(add_points(s, m, points - before, said, fresh_utc, now_utc));
	}
	return row_find(s, "SELECT score FROM bounced_addresses WHERE address = ?",
	                ARGS(m->rcpt), &row_uint, NULL, score);
}

/* ----------------------------------------------------------------- changing */

enum err bounce_pause(struct store *s, struct span address, int64_t now_utc)
{
	return row_do_one(s,
	                  "UPDATE bounced_addresses SET paused_utc = ?,"
	                  " instead = NULL WHERE address = ?",
	                  ARGS(now_utc, address), "such address that mail came back from");
}

enum err bounce_hush(struct store *s, struct span address, int64_t player, int64_t now_utc)
{
	return row_do(
	    s,
	    "INSERT INTO bounced_addresses (address, player, score, last_utc, paused_utc, said)"
	    " VALUES (?1, ?2, 1, ?3, ?3, '') ON CONFLICT (address) DO UPDATE SET"
	    " score = 1, last_utc = ?3, paused_utc = ?3, said = '', instead = NULL",
	    ARGS(address, player, now_utc));
}

/* Whom another has handed its mail on to has a follower now. */
static enum err redirect_mail_of(struct store *s, struct span address, struct span other)
{
	return row_do(s,
	              "UPDATE bounced_addresses SET instead = ?1"
	              " WHERE instead = ?2 AND address <> ?1",
	              ARGS(other, address));
}

enum err bounce_redirect(struct store *s, struct span address, struct span other)
{
	TRY(row_do_one(s,
	               "UPDATE bounced_addresses SET paused_utc = 0,"
	               " instead = ? WHERE address = ?",
	               ARGS(other, address), "such address that mail came back from"));
	TRY(redirect_mail_of(s, address, other));
	return outbox_redirect(s, address, other);
}

enum err bounce_forgive(struct store *s, struct span address)
{
	return row_do(s, "DELETE FROM bounced_addresses WHERE address = ?", ARGS(address));
}

/* ------------------------------------------------------------------ reading */

#define BOUNCE_COLUMNS                                                       \
	"SELECT address, player, score, last_utc, paused_utc, said, instead" \
	" FROM bounced_addresses "

static const struct row_shape address_row =
    ROW_SHAPE(struct bounced_address, COLUMNS(struct bounced_address, address, player, score,
                                              last_utc, paused_utc, said, instead));

enum err bounce_get(struct store *s, struct span address, struct arena *arena,
                    struct bounced_address *out)
{
	*out = (struct bounced_address){0};
	return row_get(s, BOUNCE_COLUMNS "WHERE address = ?", ARGS(address), &address_row,
	               arena, out, "such address that mail came back from");
}

enum err bounce_list(struct store *s, int64_t player, struct arena *arena,
                     struct bounced_address **out, size_t *n)
{
	if (player != 0)
		return row_list(s, BOUNCE_COLUMNS "WHERE player = ? ORDER BY address",
		                ARGS(player), &address_row, arena, out, n);
	return row_list(s, BOUNCE_COLUMNS "WHERE paused_utc > ? ORDER BY player, address",
	                ARGS(0), &address_row, arena, out, n);
}

static const struct row_shape silent_row =
    ROW_SHAPE(struct silent_player, COLUMNS(struct silent_player, player, told, reached));

enum err silent_players(struct store *s, unsigned mails, struct arena *arena,
                        struct silent_player **out, size_t *n)
{
#define TOLD                                                                          \
	"EXISTS (SELECT 1 FROM outbox o WHERE o.player = s.id AND o.kind = 'silence'" \
	" AND o.created_utc > s.heard_utc"
	return row_list(
	    s,
	    "SELECT s.id, " TOLD "), " TOLD " AND o.state = 4) FROM (SELECT p.id AS id,"
	    " coalesce(i.heard_utc, 0) AS heard_utc, (SELECT o.created_utc FROM outbox o"
	    " WHERE o.player = p.id ORDER BY o.id DESC LIMIT 1 OFFSET ?) AS since_utc"
	    " FROM players p LEFT JOIN (SELECT player, max(arrived_utc) AS heard_utc FROM inbox"
	    " WHERE player IS NOT NULL AND verdict NOT IN ('automatic', 'bounce')"
	    " GROUP BY player) i ON i.player = p.id WHERE p.forgotten = 0"
	    " AND NOT EXISTS (SELECT 1 FROM bounced_addresses b WHERE b.player = p.id"
	    " AND b.paused_utc > 0)) s WHERE s.since_utc > s.heard_utc ORDER BY s.id",
	    ARGS(mails - 1), &silent_row, arena, out, n);
#undef TOLD
}

enum err bounce_waiting(struct store *s, struct span address, unsigned *n)
{
	return row_find(s,
	                "SELECT (SELECT count(*) FROM outbox WHERE next_try_utc = 0"
	                " AND rcpt = ?1 COLLATE NOCASE) + (SELECT count(*) FROM outbox"
	                " WHERE next_try_utc > 0 AND rcpt = ?1 COLLATE NOCASE)",
	                ARGS(address), &row_uint, NULL, n);
}

enum err player_other_address(struct store *s, int64_t player, struct span except,
                              struct arena *arena, struct span *out)
{
	*out = SPAN_EMPTY;
	return row_get(s,
	               "SELECT a.address FROM player_addresses a"
	               " WHERE a.player = ? AND a.address <> ? COLLATE NOCASE AND NOT EXISTS"
	               " (SELECT 1 FROM bounced_addresses b WHERE b.address = a.address)"
	               " ORDER BY a.since_utc, a.address LIMIT 1",
	               ARGS(player, except), &row_text, arena, out, "other address");
}

/* -------------------------------------------------------------------- seats */

static const struct row_shape unreachable_row = ROW_SHAPE(
    struct unreachable_seat, COLUMNS(struct unreachable_seat, told_utc, moved_serial));

enum err unreachable_get(struct store *s, int64_t game, unsigned seat,
                         struct unreachable_seat *out)
{
	return row_find(s,
	                "SELECT told_utc, moved_serial FROM unreachable_seats"
	                " WHERE game = ? AND seat = ?",
	                ARGS(game, seat), &unreachable_row, NULL, out);
}

enum err unreachable_set(struct store *s, int64_t game, unsigned seat,
                         const struct unreachable_seat *u)
{
	return row_do(s,
	              "INSERT INTO unreachable_seats (game, seat, told_utc, moved_serial)"
	              " VALUES (?, ?, ?, ?) ON CONFLICT (game, seat) DO UPDATE SET"
	              " told_utc = excluded.told_utc, moved_serial = excluded.moved_serial",
	              ARGS(game, seat, u->told_utc, u->moved_serial));
}
