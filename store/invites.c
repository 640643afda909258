/*
 * invites.c - invitations by mail address, who wants none, and whom masters let in.
 */
#include "store/invites.h"

#include "store/engine/row.h"
#include "store/engine/sealed.h"
#include "store/games.h"

static struct row_arg known_by(struct store *s, struct span address)
{
	return row_address(s, "invited", "", address);
}

enum err invite_add(struct store *s, const struct invite *i, struct span address)
{
	return row_do_of(
	    s, i->game,
	    "INSERT INTO invites (game, who, player, outbox, asked_utc, answer)"
	    " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (game, who) DO UPDATE SET"
	    " player = excluded.player, outbox = excluded.outbox,"
	    " asked_utc = excluded.asked_utc, answer = excluded.answer",
	    ARGS(i->game, known_by(s, address), i->player, i->outbox, i->asked_utc, i->answer));
}

static const struct row_shape invite_row =
    ROW_SHAPE(struct invite, COLUMNS(struct invite, game, player, outbox, asked_utc),
              COLUMN_ENUM(struct invite, answer, INVITE_BOUNCED));

#define INVITE "SELECT game, player, outbox, asked_utc, answer FROM invites WHERE "

enum err invite_by_mail(struct store *s, int64_t outbox, struct invite *out)
{
	*out = (struct invite){0};
	return row_get(s, INVITE "outbox = ?", ARGS(outbox), &invite_row, NULL, out,
	               "such invitation");
}

enum err invite_to_address(struct store *s, int64_t game, struct span address,
                           struct invite *out)
{
	*out = (struct invite){0};
	return row_get(s, INVITE "game = ? AND who = ?", ARGS(game, known_by(s, address)),
	               &invite_row, NULL, out, "such invitation");
}

enum err invite_open_to_address(struct store *s, struct span address, struct invite *out)
{
	*out = (struct invite){0};
	return row_get(s,
	               INVITE "who = ? AND answer = ? AND EXISTS (SELECT 1 FROM games g"
	                      " WHERE g.id = game AND g.status = ?) ORDER BY outbox DESC",
	               ARGS(known_by(s, address), INVITE_OPEN, GAME_GATHERING), &invite_row,
	               NULL, out, "such invitation");
}

enum err invite_set_answer(struct store *s, int64_t outbox, enum invite_answer answer)
{
	return row_do_one(s, "UPDATE invites SET answer = ? WHERE outbox = ?",
	                  ARGS(answer, outbox), "such invitation");
}

enum err invites_are_refused(struct store *s, struct span address, bool *yes)
{
	return row_exists(s, "SELECT 1 FROM no_invites WHERE who = ?",
	                  ARGS(known_by(s, address)), yes);
}

enum err invites_refuse(struct store *s, struct span address, bool refuse, int64_t now_utc)
{
	struct row_arg who = known_by(s, address);

	if (!refuse)
		return row_do(s, "DELETE FROM no_invites WHERE who = ?", ARGS(who));
	return row_do(s,
	              "INSERT INTO no_invites (who, since_utc) VALUES (?, ?)"
	              " ON CONFLICT DO NOTHING",
	              ARGS(who, now_utc));
}

enum err entry_set(struct store *s, int64_t game, struct span address, int64_t player,
                   bool allowed)
{
	return row_do(s,
	              "INSERT INTO entries (game, who, player, allowed)"
	              " VALUES (?, ?, ?, ?) ON CONFLICT (game, who) DO UPDATE SET"
	              " player = excluded.player, allowed = excluded.allowed",
	              ARGS(game, known_by(s, address), row_ref(player), allowed));
}

enum err entry_get(struct store *s, int64_t game, struct span address, enum entry *out)
{
	struct query q = db_read(s, "SELECT allowed FROM entries WHERE game = ? AND who = ?");

	row_bind(&q, ARGS(game, known_by(s, address)));
	*out = !db_next(&q) ? ENTRY_USUAL : col_bool(&q) ? ENTRY_ALLOWED : ENTRY_DENIED;
	return db_end(&q);
}
