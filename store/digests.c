/*
 * digests.c - digests that were sent, and what waits to be in one.
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

/* --------------------------------- mails that wait for another to bring them */

enum err digest_queue_add(struct store *s, int64_t id, const struct outbox_mail *m)
{
	return row_do(s,
	              "INSERT INTO enclosed_mails (outbox, player, game, due_utc, sealed_text)"
	              " VALUES (?, ?, ?, ?, ?)",
	              ARGS(id, row_ref(m->player), row_ref(m->game), m->due_utc,
	                   row_sealed(SEALED_PADDED, "kept", ARGS(id, m->player, m->game),
	                              m->digest_text)));
}

static const struct row_shape queued_row = ROW_SHAPE(
    struct queued_mail,
    COLUMNS(struct queued_mail, outbox, player, game, kind, serial, seat, number, created_utc,
            due_utc),
    COLUMN_SEALED(struct queued_mail, text, SEALED_PADDED, "kept", outbox, player, game));

enum err digest_queue_list(struct store *s, int64_t player, int64_t game, struct arena *arena,
                           struct queued_mail **out, size_t *n)
{
	return row_list(s,
	                "SELECT k.outbox, k.player, k.game, kind, serial, seat, number,"
	                " created_utc, due_utc, sealed_text FROM enclosed_mails k"
	                " JOIN outbox o ON o.id = k.outbox WHERE k.player = ?1"
	                " AND due_utc IS NOT NULL AND (?2 = 0 OR k.game = ?2)"
	                " ORDER BY k.game, k.outbox",
	                ARGS(player, game), &queued_row, arena, out, n);
}

enum err digest_queue_bring(struct store *s, int64_t player, int64_t game, int64_t by)
{
	return row_do(s,
	              "UPDATE enclosed_mails SET due_utc = NULL, sealed_text = NULL,"
	              " brought_by = ?3 WHERE player = ?1 AND due_utc IS NOT NULL"
	              " AND (?2 = 0 OR game = ?2)",
	              ARGS(player, game, by));
}

enum err digest_queue_due(struct store *s, int64_t now_utc, size_t max, int64_t *players,
                          size_t *n)
{
	/* In the order of the index, in which a player may stand several times. */
	struct query q = db_read(s, "SELECT DISTINCT due_utc, player FROM enclosed_mails"
	                            " WHERE due_utc <= ? ORDER BY due_utc, player");

	bind_int(&q, now_utc);
	*n = 0;
	while (*n < max && db_next(&q)) {
		size_t i = 0;

		col_skip(&q);
		players[*n] = col_int(&q);
		while (players[i] != players[*n])
			i++;
		*n += i == *n;
	}
	return db_end(&q);
}

enum err digest_queue_put_off(struct store *s, int64_t player, int64_t until_utc)
{
	return row_do(s,
	              "UPDATE enclosed_mails SET due_utc = ?2 WHERE player = ?1"
	              " AND due_utc < ?2",
	              ARGS(player, until_utc));
}

enum err digest_queue_hurry(struct store *s, int64_t player, int64_t due_utc, unsigned *waiting)
{
	return row_do_count(s,
	                    "UPDATE enclosed_mails SET"
	                    " due_utc = CASE WHEN due_utc < ?2 THEN due_utc ELSE ?2 END"
	                    " WHERE player = ?1 AND due_utc IS NOT NULL",
	                    ARGS(player, due_utc), waiting);
}

enum err digest_queue_release(struct store *s, int64_t player, int64_t game)
{
	TRY(row_do(s,
	           "UPDATE outbox SET next_try_utc = 0 WHERE id IN"
	           " (SELECT outbox FROM enclosed_mails WHERE player = ?1"
	           " AND due_utc IS NOT NULL AND (?2 = 0 OR game = ?2))",
	           ARGS(player, game)));
	return row_do(s,
	              "DELETE FROM enclosed_mails WHERE player = ?1 AND due_utc IS NOT NULL"
	              " AND (?2 = 0 OR game = ?2)",
	              ARGS(player, game));
}
