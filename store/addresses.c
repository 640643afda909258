/*
 * addresses.c - further addresses of players, and reply addresses declared void.
 */
#include "store/addresses.h"

#include "store/bounces.h"
#include "store/confirmations.h"
#include "store/engine/row.h"

enum err address_list(struct store *s, int64_t player, struct arena *arena, struct span **out,
                      size_t *n)
{
	return row_list(s,
	                "SELECT address FROM player_addresses WHERE player = ?"
	                " ORDER BY since_utc, address",
	                ARGS(player), &row_text, arena, out, n);
}

/* Whose address it is, 0 for nobody's. */
static enum err owner_of(struct store *s, struct span address, int64_t *player)
{
	return row_find(s,
	                "SELECT id FROM players WHERE address = ?1 UNION ALL"
	                " SELECT player FROM player_addresses WHERE address = ?1",
	                ARGS(address), &row_int64, NULL, player);
}

static enum err insert(struct store *s, int64_t player, struct span address, int64_t now_utc)
{
	return row_do(s,
	              "INSERT INTO player_addresses (address, player, since_utc)"
	              " VALUES (?, ?, ?)",
	              ARGS(address, player, now_utc));
}

enum err address_add(struct store *s, int64_t player, struct span address, int64_t now_utc)
{
	int64_t owner;

	TRY(owner_of(s, address, &owner));
	if (owner != 0)
		return db_fail(s, ERR_EXISTS, "the address is player %lld's", (long long)owner);
	return insert(s, player, address, now_utc);
}

enum err address_drop(struct store *s, int64_t player, struct span address)
{
	struct arena *arena = arena_new();
	struct player p;
	enum err err = player_get(s, player, arena, &p);

	if (err == ERR_NONE)
		err = row_do_one(
		    s, "DELETE FROM player_addresses WHERE player = ? AND address = ?",
		    ARGS(player, address), "such address");
	if (err == ERR_NONE)
		err = bounce_forgive(s, address);
	/*
	 * The addresses it stood in for begin anew: they are tried again, and should mail still come
	 * back from there, what follows is done and said as for the first time.
	 */
	if (err == ERR_NONE)
		err =
		    row_do(s, "DELETE FROM bounced_addresses WHERE instead = ?", ARGS(address));
	if (err == ERR_NONE)
		err = outbox_redirect(s, address, p.address);
	if (err == ERR_NONE)
		err = confirmation_drop_all(s, player);
	arena_free(arena);
	return err;
}

enum err address_replace(struct store *s, int64_t player, struct span address, int64_t now_utc)
{
	struct arena *arena = arena_new();
	struct player p;
	int64_t owner = 0;
	enum err err = player_get(s, player, arena, &p);

	if (err == ERR_NONE)
		err = owner_of(s, address, &owner);
	if (err == ERR_NONE && owner != 0 && owner != player)
		err = db_fail(s, ERR_EXISTS, "the address is player %lld's", (long long)owner);
	if (err == ERR_NONE)
		err = row_do(s, "DELETE FROM player_addresses WHERE player = ? AND address = ?",
		             ARGS(player, address));
	if (err == ERR_NONE)
		err = row_do_one(s,
		                 "UPDATE players SET address = ?, confirmed = 1"
		                 " WHERE id = ? AND forgotten = 0",
		                 ARGS(address, player), "such player");
	/* What waits for another attempt need not be lost with a mailbox that is no longer read. */
	if (err == ERR_NONE)
		err = row_do(s,
		             "UPDATE outbox SET rcpt = ? WHERE player = ?"
		             " AND next_try_utc IS NOT NULL AND rcpt = ?",
		             ARGS(address, player, p.address));
	if (err == ERR_NONE)
		err = insert(s, player, p.address, now_utc);
	arena_free(arena);
	return err;
}

enum err reply_revoke(struct store *s, int64_t game, unsigned seat)
{
	return row_do(s,
	              "INSERT INTO revocations (game, seat, outbox) VALUES (?1, ?2,"
	              " coalesce((SELECT max(id) FROM outbox WHERE game = ?1"
	              " AND seat = ?2), 0))"
	              " ON CONFLICT (game, seat) DO UPDATE"
	              " SET outbox = excluded.outbox",
	              ARGS(game, seat));
}

enum err reply_is_revoked(struct store *s, int64_t game, unsigned seat, int64_t outbox,
                          bool *yes)
{
	struct query q =
	    db_read(s, "SELECT outbox FROM revocations WHERE game = ? AND seat = ?");

	row_bind(&q, ARGS(game, seat));
	*yes = db_next(&q) && outbox <= col_int(&q);
	return db_end(&q);
}
