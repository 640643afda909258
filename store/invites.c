/*
 * invites.c - invitations by mail address, who wants none, and whom masters let in.
 */
#include "store/invites.h"

#include "processor/base/utf8.h"
#include "store/engine/db.h"
#include "store/engine/sealed.h"
#include "store/games.h"

static void bind_address(struct query *q, struct span address)
{
	struct strbuf folded = STRBUF_INIT;

	utf8_add_folded(&folded, address);
	bind_short_hash(q, "invited", strbuf_span(&folded));
	strbuf_release(&folded);
}

enum err invite_add(struct store *s, const struct invite *i, struct span address)
{
	struct query q =
	    db_write(s, "INSERT INTO invites (game, who, player, outbox, asked_utc, answer)"
	                " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (game, who) DO UPDATE SET"
	                " player = excluded.player, outbox = excluded.outbox,"
	                " asked_utc = excluded.asked_utc, answer = excluded.answer");

	bind_int(&q, i->game);
	bind_address(&q, address);
	bind_int(&q, i->player);
	bind_int(&q, i->outbox);
	bind_int(&q, i->asked_utc);
	bind_int(&q, i->answer);
	return db_run(&q);
}

static enum err read_invite(struct query *q, struct invite *out)
{
	bool found = db_next(q);

	*out = (struct invite){0};
	if (found) {
		out->game = col_int(q);
		out->player = col_int(q);
		out->outbox = col_int(q);
		out->asked_utc = col_int(q);
		out->answer = (enum invite_answer)col_uint(q);
	}
	return db_end_found(q, found, "such invitation");
}

#define INVITE "SELECT game, player, outbox, asked_utc, answer FROM invites WHERE "

enum err invite_by_mail(struct store *s, int64_t outbox, struct invite *out)
{
	struct query q = db_read(s, INVITE "outbox = ?");

	bind_int(&q, outbox);
	return read_invite(&q, out);
}

enum err invite_to_address(struct store *s, int64_t game, struct span address,
                           struct invite *out)
{
	struct query q = db_read(s, INVITE "game = ? AND who = ?");

	bind_int(&q, game);
	bind_address(&q, address);
	return read_invite(&q, out);
}

enum err invite_open_to_address(struct store *s, struct span address, struct invite *out)
{
	struct query q = db_read(s, INVITE
	                         "who = ? AND answer = ? AND EXISTS (SELECT 1 FROM games g"
	                         " WHERE g.id = game AND g.status = ?) ORDER BY outbox DESC");

	bind_address(&q, address);
	bind_int(&q, INVITE_OPEN);
	bind_int(&q, GAME_GATHERING);
	return read_invite(&q, out);
}

enum err invite_set_answer(struct store *s, int64_t outbox, enum invite_answer answer)
{
	struct query q = db_write(s, "UPDATE invites SET answer = ? WHERE outbox = ?");

	bind_int(&q, answer);
	bind_int(&q, outbox);
	return db_run_one(&q, "such invitation");
}

enum err invites_are_refused(struct store *s, struct span address, bool *yes)
{
	struct query q = db_read(s, "SELECT 1 FROM no_invites WHERE who = ?");

	bind_address(&q, address);
	*yes = db_next(&q);
	return db_end(&q);
}

enum err invites_refuse(struct store *s, struct span address, bool refuse, int64_t now_utc)
{
	struct query q =
	    refuse ? db_write(s, "INSERT INTO no_invites (who, since_utc) VALUES (?, ?)"
	                         " ON CONFLICT DO NOTHING")
		   : db_write(s, "DELETE FROM no_invites WHERE who = ?");

	bind_address(&q, address);
	if (refuse)
		bind_int(&q, now_utc);
	return db_run(&q);
}

enum err entry_set(struct store *s, int64_t game, struct span address, int64_t player,
                   bool allowed)
{
	struct query q = db_write(s,
	                          "INSERT INTO entries (game, who, player, allowed)"
	                          " VALUES (?, ?, ?, ?) ON CONFLICT (game, who) DO UPDATE SET"
	                          " player = excluded.player, allowed = excluded.allowed");

	bind_int(&q, game);
	bind_address(&q, address);
	bind_ref(&q, player);
	bind_int(&q, allowed);
	return db_run(&q);
}

enum err entry_get(struct store *s, int64_t game, struct span address, enum entry *out)
{
	struct query q = db_read(s, "SELECT allowed FROM entries WHERE game = ? AND who = ?");

	bind_int(&q, game);
	bind_address(&q, address);
	*out = !db_next(&q) ? ENTRY_USUAL : col_bool(&q) ? ENTRY_ALLOWED : ENTRY_DENIED;
	return db_end(&q);
}
