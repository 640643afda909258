/*
 * server_counts.c - counting, for `molepost status`.
 */
#include "store/operator/server_counts.h"

#include "store/engine/row.h"
#include "store/games.h"
#include "store/inbox.h"
#include "store/operator/outages.h"
#include "store/outbox.h"

enum { DAY_S = 24 * 3600 };

static const struct row_shape unsent_row =
    ROW_SHAPE(struct server_counts, COLUMNS(struct server_counts, unsent, oldest_unsent_utc));

static enum err count_mails(struct store *s, int64_t now_utc, struct server_counts *out)
{
	unsigned given_up, set_aside;

	TRY(row_get(s,
	            "SELECT count(*), coalesce(min(created_utc), 0) FROM outbox"
	            " WHERE next_try_utc >= 0",
	            NO_ARGS, &unsent_row, NULL, out, "count"));
	TRY(row_find(s, "SELECT count(*) FROM outbox_failures WHERE at_utc > ?",
	             ARGS(now_utc - DAY_S), &row_int64, NULL, &out->refused));
	TRY(outbox_count_given_up(s, &given_up));
	TRY(quarantine_count(s, &set_aside));
	out->given_up = given_up;
	out->set_aside = set_aside;
	return ERR_NONE;
}

static enum err count_games(struct store *s, struct server_counts *out)
{
	struct query q = db_read(s, "SELECT status, held_since_utc > 0, count(*) FROM games"
	                            " GROUP BY status, held_since_utc > 0");

	while (db_next(&q)) {
		int64_t status = col_int(&q);
		bool held = col_bool(&q);

		*(held                       ? &out->held
		  : status == GAME_GATHERING ? &out->gathering
		  : status == GAME_RUNNING   ? &out->running
		  : status == GAME_PAUSED    ? &out->paused
		                             : &out->ended) += col_int(&q);
	}
	return db_end(&q);
}

static enum err last_run(struct store *s, struct server_counts *out)
{
	int64_t logged;
	struct pulse p;

	TRY(pulse_get(s, &p));
	TRY(row_find(s, "SELECT coalesce(max(ended_utc), 0) FROM runs", NO_ARGS, &row_int64,
	             NULL, &logged));
	out->run_utc = logged > p.run_utc ? logged : p.run_utc;
	out->unread_utc = p.unread_utc;
	out->unsent_utc = p.unsent_utc;
	return ERR_NONE;
}

enum err server_counts_get(struct store *s, int64_t now_utc, struct server_counts *out)
{
	*out = (struct server_counts){0};

	TRY(last_run(s, out));
	TRY(count_mails(s, now_utc, out));
	TRY(count_games(s, out));
	return row_find(s,
	                "SELECT count(*) FROM turns t JOIN games g ON g.id = t.game"
	                " WHERE t.state = 0 AND t.deadline_utc > 0 AND t.deadline_utc <= ?"
	                " AND g.status = 1 AND g.held_since_utc = 0",
	                ARGS(now_utc), &row_int64, NULL, &out->due);
}
