/*
 * digests.c - digests that were sent.
 */
#include "store/digests.h"

#include "store/engine/db.h"

enum err digest_add(struct store *s, const struct digest *b)
{
	struct query q = db_write(s, "INSERT INTO digests (outbox, player, number, generation)"
	                             " VALUES (?, ?, ?, ?)");

	bind_int(&q, b->outbox);
	bind_int(&q, b->player);
	bind_int(&q, b->number);
	bind_int(&q, b->generation);
	return db_run(&q);
}

enum err digest_last(struct store *s, int64_t player, unsigned *number)
{
	struct query q =
	    db_read(s, "SELECT coalesce(max(number), 0) FROM digests WHERE player = ?");

	bind_int(&q, player);
	*number = db_next(&q) ? col_uint(&q) : 0;
	return db_end(&q);
}

static enum err read_one(struct query *q, struct digest *out)
{
	bool found = db_next(q);

	*out = (struct digest){0};
	if (found) {
		out->outbox = col_int(q);
		out->player = col_int(q);
		out->number = col_uint(q);
		out->generation = col_uint(q);
	}
	return db_end_found(q, found, "such digest");
}

enum err digest_by_number(struct store *s, int64_t player, unsigned number, struct digest *out)
{
	struct query q = db_read(s, "SELECT outbox, player, number, generation FROM digests"
	                            " WHERE player = ? AND number = ?");

	bind_int(&q, player);
	bind_int(&q, number);
	return read_one(&q, out);
}

enum err digest_by_outbox(struct store *s, int64_t outbox, struct digest *out)
{
	struct query q = db_read(s, "SELECT outbox, player, number, generation FROM digests"
	                            " WHERE outbox = ?");

	bind_int(&q, outbox);
	return read_one(&q, out);
}

enum err digest_turn_add(struct store *s, const struct digest *b, int64_t game, unsigned serial)
{
	struct query q = db_write(s, "INSERT INTO digest_turns (player, number, game, serial)"
	                             " VALUES (?, ?, ?, ?)");

	bind_int(&q, b->player);
	bind_int(&q, b->number);
	bind_int(&q, game);
	bind_int(&q, serial);
	return db_run(&q);
}

enum err digest_turn(struct store *s, int64_t player, unsigned number, int64_t game,
                     unsigned *serial)
{
	struct query q = db_read(s, "SELECT serial FROM digest_turns WHERE player = ?"
	                            " AND number = ? AND game = ?");

	bind_int(&q, player);
	bind_int(&q, number);
	bind_int(&q, game);
	*serial = db_next(&q) ? col_uint(&q) : 0;
	return db_end(&q);
}
