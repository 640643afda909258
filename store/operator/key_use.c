/*
 * key_use.c - which key has signed what.
 */
#include "store/operator/key_use.h"

#include "store/engine/row.h"

static const struct row_shape key_use_row = ROW_SHAPE(
    struct key_use, COLUMNS(struct key_use, number, public_key, since_utc, games, live));

enum err key_use_list(struct store *s, struct arena *arena, struct key_use **out, size_t *n)
{
	return row_list(
	    s,
	    "SELECT number, public_key, since_utc, count(g.id), count(g.id) FILTER (WHERE"
	    " status < 3) FROM keys k LEFT JOIN games g ON g.key = k.number AND g.origin <> 1"
	    " GROUP BY number ORDER BY number",
	    NO_ARGS, &key_use_row, arena, out, n);
}
