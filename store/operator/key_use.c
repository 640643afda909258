/*
 * key_use.c - which key has signed what.
 */
#include "store/operator/key_use.h"

#include "store/engine/db.h"

enum err key_use_list(struct store *s, struct arena *arena, struct key_use **out, size_t *n)
{
	struct query q = db_read(
	    s,
	    "SELECT number, public_key, since_utc, count(g.id), count(g.id) FILTER (WHERE"
	    " status < 3) FROM keys k LEFT JOIN games g ON g.key = k.number AND g.origin <> 1"
	    " GROUP BY number ORDER BY number");
	void *items = NULL;

	*n = 0;
	while (db_next(&q)) {
		struct key_use *k = list_add(arena, &items, n, sizeof(struct key_use));

		k->number = col_uint(&q);
		col_hash(&q, &k->public_key);
		k->since_utc = col_int(&q);
		k->games = col_int(&q);
		k->live = col_int(&q);
	}
	*out = items;
	return db_end(&q);
}
