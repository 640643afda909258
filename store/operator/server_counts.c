/*
 * server_counts.c - counting, for `molepost status`.
 */
#include "store/operator/server_counts.h"

#include "store/engine/db.h"
#include "store/games.h"
#include "store/inbox.h"
#include "store/operator/outages.h"
#include "store/outbox.h"

enum { DAY_S = 24 * 3600 };

static enum err get_two(struct query q, int64_t *first, int64_t *second)
{
	if (db_next(&q)) {
		*first = col_int(&q);
		*second = col_int(&q);
	}
	return db_end(&q);
}

static enum err count_refused(struct store *s, int64_t now_utc, struct server_counts *out)
{
	int64_t nothing;
	struct query q = db_read(s, "SELECT count(*), 0 FROM outbox_failures WHERE at_utc > ?");

	bind_int(&q, now_utc - DAY_S);
	return get_two(q, &out->refused, &nothing);
}

static enum err count_mails(struct store *s, int64_t now_utc, struct server_counts *out)
{
	unsigned given_up = 0, set_aside = 0;
	enum err err =
	    get_two(db_read(s, "SELECT count(*), coalesce(min(created_utc), 0) FROM outbox"
	                       " WHERE next_try_utc >= 0"),
	            &out->unsent, &out->oldest_unsent_utc);

	if (err == ERR_NONE)
		err = count_refused(s, now_utc, out);
	if (err == ERR_NONE)
		err = outbox_count_given_up(s, &given_up);
	if (err == ERR_NONE)
		err = quarantine_count(s, &set_aside);
	out->given_up = given_up;
	out->set_aside = set_aside;
	return err;
}

static void add_games(struct server_counts *out, int64_t status, bool held, int64_t n)
{
	if (held)
		out->held += n;
	else if (status == GAME_GATHERING)
		out->gathering += n;
	else if (status == GAME_RUNNING)
		out->running += n;
	else if (status == GAME_PAUSED)
		out->paused += n;
	else
		out->ended += n;
}

static enum err count_games(struct store *s, struct server_counts *out)
{
	struct query q = db_read(s, "SELECT status, held_since_utc > 0, count(*) FROM games"
	                            " GROUP BY status, held_since_utc > 0");

	while (db_next(&q)) {
		int64_t status = col_int(&q);
		bool held = col_bool(&q);

		add_games(out, status, held, col_int(&q));
	}
	return db_end(&q);
}

static enum err count_due(struct store *s, int64_t now_utc, struct server_counts *out)
{
	int64_t nothing;
	struct query q =
	    db_read(s, "SELECT count(*), 0 FROM turns t JOIN games g ON g.id = t.game"
	               " WHERE t.state = 0 AND t.deadline_utc > 0 AND t.deadline_utc <= ?"
	               " AND g.status = 1 AND g.held_since_utc = 0");

	bind_int(&q, now_utc);
	return get_two(q, &out->due, &nothing);
}

static enum err last_run(struct store *s, struct server_counts *out)
{
	int64_t nothing, logged = 0;
	struct pulse p;
	enum err err = pulse_get(s, &p);

	if (err == ERR_NONE)
		err = get_two(db_read(s, "SELECT coalesce(max(ended_utc), 0), 0 FROM runs"),
		              &logged, &nothing);
	out->run_utc = logged > p.run_utc ? logged : p.run_utc;
	out->unread_utc = p.unread_utc;
	out->unsent_utc = p.unsent_utc;
	return err;
}

enum err server_counts_get(struct store *s, int64_t now_utc, struct server_counts *out)
{
	*out = (struct server_counts){0};
	enum err err = last_run(s, out);

	if (err == ERR_NONE)
		err = count_mails(s, now_utc, out);
	if (err == ERR_NONE)
		err = count_games(s, out);
	return err == ERR_NONE ? count_due(s, now_utc, out) : err;
}
