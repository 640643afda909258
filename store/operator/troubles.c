/*
 * troubles.c - rows of what the operator has been told of.
 */
#include "store/operator/troubles.h"

#include "store/engine/db.h"

enum err trouble_list(struct store *s, struct arena *arena, struct trouble **out, size_t *n)
{
	struct query q = db_read(s, "SELECT name, line, since_utc, told_utc, sent_utc, is_over"
	                            " FROM troubles ORDER BY since_utc, name");
	void *items = NULL;

	*n = 0;
	while (db_next(&q)) {
		struct trouble *t = list_add(arena, &items, n, sizeof(*t));
		t->name = col_text(&q, arena);
		t->line = col_text(&q, arena);
		t->since_utc = col_int(&q);
		t->told_utc = col_int(&q);
		t->sent_utc = col_int(&q);
		t->is_over = col_bool(&q);
	}
	*out = items;
	return db_end(&q);
}

enum err trouble_put(struct store *s, const struct trouble *t)
{
	struct query q = db_write(
	    s, "INSERT INTO troubles (name, line, since_utc, told_utc, sent_utc, is_over)"
	       " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE"
	       " SET line = excluded.line, since_utc = excluded.since_utc,"
	       " told_utc = excluded.told_utc, sent_utc = excluded.sent_utc,"
	       " is_over = excluded.is_over");

	bind_text(&q, t->name);
	bind_text(&q, t->line);
	bind_int(&q, t->since_utc);
	bind_int(&q, t->told_utc);
	bind_int(&q, t->sent_utc);
	bind_int(&q, t->is_over);
	return db_run(&q);
}

enum err trouble_drop(struct store *s, struct span name)
{
	struct query q = db_write(s, "DELETE FROM troubles WHERE name = ?");

	bind_text(&q, name);
	return db_run(&q);
}
