/*
 * absences.c - rows of players' absences.
 */
#include "store/absences.h"

#include "store/engine/row.h"

static const struct row_shape absence_row = ROW_SHAPE(
    struct absence, COLUMNS(struct absence, player, from_utc, until_utc, asked_utc, mail));

enum err absence_add(struct store *s, const struct absence *a)
{
	return row_put(s,
	               "INSERT INTO absences (player, from_utc, until_utc, asked_utc,"
	               " mail) VALUES (?, ?, ?, ?, ?)",
	               &absence_row, a);
}

enum err absence_cut(struct store *s, int64_t player, int64_t from_utc, int64_t until_utc)
{
	TRY(row_do(s,
	           "DELETE FROM absences WHERE player = ? AND from_utc >= ?"
	           " AND from_utc < ?",
	           ARGS(player, from_utc, until_utc)));
	return row_do(s,
	              "UPDATE absences SET until_utc = ? WHERE player = ?"
	              " AND from_utc < ? AND until_utc > ?",
	              ARGS(from_utc, player, from_utc, from_utc));
}

enum err absence_list(struct store *s, int64_t player, int64_t after_utc, struct arena *arena,
                      struct absence **out, size_t *n)
{
	return row_list(s,
	                "SELECT player, from_utc, until_utc, asked_utc, mail"
	                " FROM absences WHERE player = ? AND until_utc > ?"
	                " ORDER BY from_utc",
	                ARGS(player, after_utc), &absence_row, arena, out, n);
}
