/*
 * troubles.c - rows of what the operator has been told of.
 */
#include "store/operator/troubles.h"

#include "store/engine/row.h"

static const struct row_shape trouble_row =
    ROW_SHAPE(struct trouble,
              COLUMNS(struct trouble, name, line, since_utc, told_utc, sent_utc, is_over));

enum err trouble_list(struct store *s, struct arena *arena, struct trouble **out, size_t *n)
{
	return row_list(s,
	                "SELECT name, line, since_utc, told_utc, sent_utc, is_over"
	                " FROM troubles ORDER BY since_utc, name",
	                NO_ARGS, &trouble_row, arena, out, n);
}

enum err trouble_put(struct store *s, const struct trouble *t)
{
	return row_put(
	    s,
	    "INSERT INTO troubles (name, line, since_utc, told_utc, sent_utc, is_over)"
	    " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE"
	    " SET line = excluded.line, since_utc = excluded.since_utc,"
	    " told_utc = excluded.told_utc, sent_utc = excluded.sent_utc,"
	    " is_over = excluded.is_over",
	    &trouble_row, t);
}

enum err trouble_drop(struct store *s, struct span name)
{
	return row_do(s, "DELETE FROM troubles WHERE name = ?", ARGS(name));
}
