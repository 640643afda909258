/*
 * audit.c - who did what that was not an order, and the log of runs.
 */
#include "store/audit.h"

#include "store/engine/db.h"

enum err audit_add(struct store *s, int64_t game, unsigned seat, const char *actor,
                   bool is_public, int64_t now_utc, const char *what)
{
	struct query q =
	    db_write(s, "INSERT INTO audit (at_utc, game, seat, actor, what, is_public, serial)"
	                " VALUES (?, ?2, ?, ?, ?, ?,"
	                " coalesce((SELECT serial FROM games WHERE id = ?2), 0))");

	bind_int(&q, now_utc);
	bind_ref(&q, game);
	bind_int(&q, seat);
	bind_cstr(&q, actor);
	bind_cstr(&q, what);
	bind_int(&q, is_public);
	return db_run(&q);
}

#define AUDIT_COLUMNS \
	"SELECT id, at_utc, game, seat, serial, actor, what, is_public FROM audit "

static struct query entries_of(struct store *s, int64_t game)
{
	struct query q;

	if (game == 0)
		return db_read(s, AUDIT_COLUMNS "ORDER BY id");
	q = db_read(s, AUDIT_COLUMNS "WHERE game = ? ORDER BY id");
	bind_int(&q, game);
	return q;
}

enum err audit_list(struct store *s, int64_t game, struct arena *arena,
                    struct audit_entry **out, size_t *n)
{
	struct query q = entries_of(s, game);
	void *items = NULL;

	*n = 0;
	while (db_next(&q)) {
		struct audit_entry *a = list_add(arena, &items, n, sizeof(*a));

		a->id = col_int(&q);
		a->at_utc = col_int(&q);
		a->game = col_int(&q);
		a->seat = col_uint(&q);
		a->serial = col_uint(&q);
		a->actor = col_text(&q, arena);
		a->what = col_text(&q, arena);
		a->is_public = col_bool(&q);
	}
	*out = items;
	return db_end(&q);
}

enum err run_log_add(struct store *s, const struct run_log *r)
{
	struct query q =
	    db_write(s, "INSERT INTO runs (started_utc, ended_utc, mails, turns, sent,"
	                " failed) VALUES (?, ?, ?, ?, ?, ?)");

	bind_int(&q, r->started_utc);
	bind_int(&q, r->ended_utc);
	bind_int(&q, r->mails);
	bind_int(&q, r->turns);
	bind_int(&q, r->sent);
	bind_int(&q, r->failed);
	return db_run(&q);
}

enum err run_log_last(struct store *s, struct run_log *out)
{
	struct query q = db_read(s, "SELECT started_utc, ended_utc, mails, turns, sent, failed"
	                            " FROM runs ORDER BY id DESC LIMIT 1");
	bool found = db_next(&q);

	if (found) {
		out->started_utc = col_int(&q);
		out->ended_utc = col_int(&q);
		out->mails = col_uint(&q);
		out->turns = col_uint(&q);
		out->sent = col_uint(&q);
		out->failed = col_uint(&q);
	}
	return db_end_found(&q, found, "run in the log");
}
