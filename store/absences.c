/*
 * absences.c - rows of players' absences.
 */
#include "store/absences.h"

#include "store/engine/db.h"

enum err absence_add(struct store *s, const struct absence *a)
{
	struct query q =
	    db_write(s, "INSERT INTO absences (player, from_utc, until_utc, asked_utc,"
	                " mail) VALUES (?, ?, ?, ?, ?)");

	bind_int(&q, a->player);
	bind_int(&q, a->from_utc);
	bind_int(&q, a->until_utc);
	bind_int(&q, a->asked_utc);
	bind_int(&q, a->mail);
	return db_run(&q);
}

enum err absence_cut(struct store *s, int64_t player, int64_t from_utc, int64_t until_utc)
{
	struct query gone = db_write(s,
	                             "DELETE FROM absences WHERE player = ? AND from_utc >= ?"
	                             " AND from_utc < ?");

	bind_int(&gone, player);
	bind_int(&gone, from_utc);
	bind_int(&gone, until_utc);
	enum err err = db_run(&gone);
	if (err != ERR_NONE)
		return err;
	struct query shorter = db_write(s, "UPDATE absences SET until_utc = ? WHERE player = ?"
	                                   " AND from_utc < ? AND until_utc > ?");
	bind_int(&shorter, from_utc);
	bind_int(&shorter, player);
	bind_int(&shorter, from_utc);
	bind_int(&shorter, from_utc);
	return db_run(&shorter);
}

enum err absence_list(struct store *s, int64_t player, int64_t after_utc, struct arena *arena,
                      struct absence **out, size_t *n)
{
	struct query q = db_read(s, "SELECT player, from_utc, until_utc, asked_utc, mail"
	                            " FROM absences WHERE player = ? AND until_utc > ?"
	                            " ORDER BY from_utc");
	void *items = NULL;

	bind_int(&q, player);
	bind_int(&q, after_utc);
	*n = 0;
	while (db_next(&q)) {
		struct absence *a = list_add(arena, &items, n, sizeof(*a));
		a->player = col_int(&q);
		a->from_utc = col_int(&q);
		a->until_utc = col_int(&q);
		a->asked_utc = col_int(&q);
		a->mail = col_int(&q);
	}
	*out = items;
	return db_end(&q);
}
