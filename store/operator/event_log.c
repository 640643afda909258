/*
 * event_log.c - one query over what is written down anyway.
 */
#include "store/operator/event_log.h"

#include "store/engine/row.h"

/* kind, at_utc, id, player, game, seat, name, text, mails, turns, sent, failed; kinds as in enum event_kind. */
#define COUNTS ", 0, 0, 0, 0"
static const char query[] =
    "SELECT 0 AS kind, handled_utc AS at_utc, id, player, game, seat, '' AS name,"
    " verdict AS text" COUNTS " FROM inbox WHERE handled_utc >= ?1 AND (?2 = 0 OR game = ?2)"
    " UNION ALL SELECT 1, at_utc, id, NULL, game, seat, actor, what" COUNTS
    " FROM audit WHERE at_utc >= ?1 AND (?2 = 0 OR game = ?2)"
    " UNION ALL SELECT 2, sealed_utc, serial, NULL, game, 0, '', label" COUNTS
    " FROM turns WHERE sealed_utc >= ?1 AND sealed_utc > 0 AND state = 3"
    " AND (?2 = 0 OR game = ?2)"
    " UNION ALL SELECT 3, tried_utc, id, player, game, seat, '', kind" COUNTS
    " FROM outbox WHERE tried_utc >= ?1 AND state = 4 AND (?2 = 0 OR game = ?2)"
    " UNION ALL SELECT 4, f.at_utc, o.id, o.player, o.game, o.seat, o.kind, f.answer" COUNTS
    " FROM outbox_failures f JOIN outbox o ON o.id = f.mail"
    " WHERE f.at_utc >= ?1 AND (?2 = 0 OR o.game = ?2)"
    " UNION ALL SELECT 5, told_utc, 0, NULL, NULL, 0, '', line" COUNTS
    " FROM troubles WHERE told_utc >= ?1 AND ?2 = 0"
    " UNION ALL SELECT 6, ended_utc, id, NULL, NULL, 0, '', '', mails, turns, sent, failed"
    " FROM runs WHERE ended_utc >= ?1 AND ?2 = 0"
    " ORDER BY at_utc, kind, id, game, text";

static const struct row_shape event_row =
    ROW_SHAPE(struct event, COLUMN_ENUM(struct event, kind, EVENT_RUN),
              COLUMNS(struct event, at_utc, id, player, game, seat, name, text, mails, turns,
                      sent, failed));

enum err event_log(struct store *s, int64_t since_utc, int64_t game, event_fn *each, void *ctx)
{
	struct query q = db_read(s, query);
	struct arena *arena = arena_new();
	enum err rc = ERR_NONE;

	row_bind(&q, ARGS(since_utc, game));
	while (rc == ERR_NONE && db_next(&q)) {
		struct event e = {.kind = EVENT_RUN};

		arena_clear(arena);
		row_read(&q, &event_row, arena, &e);
		rc = each(ctx, &e);
	}
	arena_free(arena);
	enum err ended = db_end(&q);
	return rc != ERR_NONE ? rc : ended;
}
