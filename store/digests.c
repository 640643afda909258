/*
 * digests.c - digests that were sent.
 */
#include "store/digests.h"

#include "store/engine/row.h"

static const struct row_shape digest_row =
    ROW_SHAPE(struct digest, COLUMNS(struct digest, outbox, player, number, generation));

enum err digest_add(struct store *s, const struct digest *b)
{
	return row_put(s,
	               "INSERT INTO digests (outbox, player, number, generation)"
	               " VALUES (?, ?, ?, ?)",
	               &digest_row, b);
}

enum err digest_last(struct store *s, int64_t player, unsigned *number)
{
	return row_find(s, "SELECT coalesce(max(number), 0) FROM digests WHERE player = ?",
	                ARGS(player), &row_uint, NULL, number);
}

enum err digest_by_number(struct store *s, int64_t player, unsigned number, struct digest *out)
{
	*out = (struct digest){0};
	return row_get(s,
	               "SELECT outbox, player, number, generation FROM digests"
	               " WHERE player = ? AND number = ?",
	               ARGS(player, number), &digest_row, NULL, out, "such digest");
}

enum err digest_by_outbox(struct store *s, int64_t outbox, struct digest *out)
{
	*out = (struct digest){0};
	return row_get(s,
	               "SELECT outbox, player, number, generation FROM digests"
	               " WHERE outbox = ?",
	               ARGS(outbox), &digest_row, NULL, out, "such digest");
}

enum err digest_turn_add(struct store *s, const struct digest *b, int64_t game, unsigned serial)
{
	return row_do(s,
	              "INSERT INTO digest_turns (player, number, game, serial)"
	              " VALUES (?, ?, ?, ?)",
	              ARGS(b->player, b->number, game, serial));
}

enum err digest_turn(struct store *s, int64_t player, unsigned number, int64_t game,
                     unsigned *serial)
{
	return row_find(s,
	                "SELECT serial FROM digest_turns WHERE player = ?"
	                " AND number = ? AND game = ?",
	                ARGS(player, number, game), &row_uint, NULL, serial);
}
