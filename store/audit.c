/*
 * audit.c - who did what that was not an order, and the log of runs.
 */
#include "store/audit.h"

#include "store/engine/row.h"

enum err audit_add(struct store *s, int64_t game, unsigned seat, const char *actor,
                   bool is_public, int64_t now_utc, const char *what)
{
	return row_do(s,
	              "INSERT INTO audit (at_utc, game, seat, actor, what, is_public, serial)"
	              " VALUES (?, ?2, ?, ?, ?, ?,"
	              " coalesce((SELECT serial FROM games WHERE id = ?2), 0))",
	              ARGS(now_utc, row_ref(game), seat, actor, what, is_public));
}

#define AUDIT_COLUMNS \
	"SELECT id, at_utc, game, seat, serial, actor, what, is_public FROM audit "

static const struct row_shape entry_row = ROW_SHAPE(
    struct audit_entry,
    COLUMNS(struct audit_entry, id, at_utc, game, seat, serial, actor, what, is_public));

enum err audit_list(struct store *s, int64_t game, struct arena *arena,
                    struct audit_entry **out, size_t *n)
{
	if (game == 0)
		return row_list(s, AUDIT_COLUMNS "ORDER BY id", NO_ARGS, &entry_row, arena, out,
		                n);
	return row_list(s, AUDIT_COLUMNS "WHERE game = ? ORDER BY id", ARGS(game), &entry_row,
	                arena, out, n);
}

static const struct row_shape run_row =
    ROW_SHAPE(struct run_log,
              COLUMNS(struct run_log, started_utc, ended_utc, mails, turns, sent, failed));

enum err run_log_add(struct store *s, const struct run_log *r)
{
	return row_put(s,
	               "INSERT INTO runs (started_utc, ended_utc, mails, turns, sent,"
	               " failed) VALUES (?, ?, ?, ?, ?, ?)",
	               &run_row, r);
}

enum err run_log_last(struct store *s, struct run_log *out)
{
	return row_get(s,
	               "SELECT started_utc, ended_utc, mails, turns, sent, failed"
	               " FROM runs ORDER BY id DESC LIMIT 1",
	               NO_ARGS, &run_row, NULL, out, "run in the log");
}
