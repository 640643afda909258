/*
 * addresses.c - further addresses of players, and reply addresses declared void.
 */
#include "store/addresses.h"

#include "store/bounces.h"
#include "store/confirmations.h"
#include "store/engine/db.h"

enum err address_list(struct store *s, int64_t player, struct arena *arena, struct span **out,
                      size_t *n)
{
	struct query q = db_read(s, "SELECT address FROM player_addresses WHERE player = ?"
	                            " ORDER BY since_utc, address");
	void *items = NULL;

	*n = 0;
	bind_int(&q, player);
	while (db_next(&q)) {
		struct span *one = list_add(arena, &items, n, sizeof(struct span));
		*one = col_text(&q, arena);
	}
	*out = items;
	return db_end(&q);
}

/* Whose address it is, 0 for nobody's. */
static enum err owner_of(struct store *s, struct span address, int64_t *player)
{
	struct query q = db_read(s, "SELECT id FROM players WHERE address = ?1 UNION ALL"
	                            " SELECT player FROM player_addresses WHERE address = ?1");

	bind_text(&q, address);
	*player = db_next(&q) ? col_int(&q) : 0;
	return db_end(&q);
}

static enum err insert(struct store *s, int64_t player, struct span address, int64_t now_utc)
{
	struct query q = db_write(s, "INSERT INTO player_addresses (address, player, since_utc)"
	                             " VALUES (?, ?, ?)");

	bind_text(&q, address);
	bind_int(&q, player);
	bind_int(&q, now_utc);
	return db_run(&q);
}

enum err address_add(struct store *s, int64_t player, struct span address, int64_t now_utc)
{
	int64_t owner;
	enum err err = owner_of(s, address, &owner);

	if (err != ERR_NONE)
		return err;
	if (owner != 0)
		return db_fail(s, ERR_EXISTS, "the address is player %lld's", (long long)owner);
	return insert(s, player, address, now_utc);
}

static enum err drop(struct store *s, int64_t player, struct span address)
{
	struct query q =
	    db_write(s, "DELETE FROM player_addresses WHERE player = ? AND address = ?");

	bind_int(&q, player);
	bind_text(&q, address);
	return db_run(&q);
}

static enum err drop_one(struct store *s, int64_t player, struct span address)
{
	struct query q =
	    db_write(s, "DELETE FROM player_addresses WHERE player = ? AND address = ?");

	bind_int(&q, player);
	bind_text(&q, address);
	return db_run_one(&q, "such address");
}

enum err address_drop(struct store *s, int64_t player, struct span address)
{
	struct arena *arena = arena_new();
	struct player p;
	enum err err = player_get(s, player, arena, &p);

	if (err == ERR_NONE)
		err = drop_one(s, player, address);
	if (err == ERR_NONE)
		err = bounce_drop(s, address);
	if (err == ERR_NONE)
		err = outbox_redirect(s, address, p.address);
	if (err == ERR_NONE)
		err = confirmation_drop_all(s, player);
	arena_free(arena);
	return err;
}

static enum err set_main(struct store *s, int64_t player, struct span address)
{
	struct query q = db_write(s, "UPDATE players SET address = ?, confirmed = 1"
	                             " WHERE id = ? AND forgotten = 0");

	bind_text(&q, address);
	bind_int(&q, player);
	return db_run_one(&q, "such player");
}

/* What waits for another attempt need not be lost with a mailbox that is no longer read. */
static enum err redirect_mails(struct store *s, int64_t player, struct span from,
                               struct span to)
{
	struct query q = db_write(s, "UPDATE outbox SET rcpt = ? WHERE player = ?"
	                             " AND next_try_utc IS NOT NULL AND rcpt = ?");

	bind_text(&q, to);
	bind_int(&q, player);
	bind_text(&q, from);
	return db_run(&q);
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
		err = drop(s, player, address);
	if (err == ERR_NONE)
		err = set_main(s, player, address);
	if (err == ERR_NONE)
		err = redirect_mails(s, player, p.address, address);
	if (err == ERR_NONE)
		err = insert(s, player, p.address, now_utc);
	arena_free(arena);
	return err;
}

enum err reply_revoke(struct store *s, int64_t game, unsigned seat)
{
	struct query q = db_write(s,
	                          "INSERT INTO revocations (game, seat, outbox) VALUES (?1, ?2,"
	                          " coalesce((SELECT max(id) FROM outbox WHERE game = ?1"
	                          " AND seat = ?2), 0))"
	                          " ON CONFLICT (game, seat) DO UPDATE"
	                          " SET outbox = excluded.outbox");

	bind_int(&q, game);
	bind_int(&q, seat);
	return db_run(&q);
}

enum err reply_is_revoked(struct store *s, int64_t game, unsigned seat, int64_t outbox,
                          bool *yes)
{
	struct query q =
	    db_read(s, "SELECT outbox FROM revocations WHERE game = ? AND seat = ?");

	bind_int(&q, game);
	bind_int(&q, seat);
	*yes = db_next(&q) && outbox <= col_int(&q);
	return db_end(&q);
}
