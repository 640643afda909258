/*
 * turns.c - one row per turn; the table in turns.h says what each state means.
 */
#include "store/turns.h"

#include <string.h>

#include "store/engine/row.h"
#include "store/engine/sealed.h"

enum err next_due(struct store *s, int64_t *at_utc)
{
	*at_utc = 0;
	return row_find(s,
	                "SELECT coalesce(min(at_utc), 0) FROM ("
	                "SELECT min(due_utc) AS at_utc FROM turns WHERE due_utc IS NOT NULL"
	                " UNION ALL SELECT min(remind_utc) FROM turns"
	                " WHERE remind_utc IS NOT NULL AND state = 0 AND stopped = 0"
	                " UNION ALL SELECT min(next_try_utc) FROM outbox WHERE next_try_utc > 0"
	                " UNION ALL SELECT min(start_utc) FROM games"
	                " WHERE start_utc > 0 AND status = 0 AND held_since_utc = 0"
	                " UNION ALL SELECT min(ready_until_utc) FROM games"
	                " WHERE ready_until_utc > 0 AND status = 0) AS due",
	                NO_ARGS, &row_int64, NULL, at_utc);
}

const char *turn_state_name(enum turn_state t)
{
	static const char *const names[] = {
	    [TURN_OPEN] = "open",         [TURN_SEALED] = "sealed",
	    [TURN_RESOLVED] = "resolved", [TURN_REPORTED] = "reported",
	    [TURN_DROPPED] = "dropped",
	};

	return names[t];
}

/* ----------------------------------------------------------------- reading */

/* The columns read_turn reads, of turn `t` with its row `r` in results, if it has one. */
#define COLUMNS_OF(t, r)                                                                      \
	t ".game," t ".serial," t ".parent," t ".state," t ".label," t ".owes," t ".have," t  \
	  ".waiting," t ".opened_utc," t ".deadline_utc," t ".sealed_utc," t ".grace_utc," t  \
	  ".settle_utc,coalesce(" t ".remind_utc,0)," t ".covered," t ".vacant," t            \
	  ".credited_utc,coalesce(" t ".orders_sum,0)," t ".orders_hash," t ".dropped_utc," r \
	  ".sealed_hash"
/* Turns that are open or only sealed have none: with NULL as key SQLite does not even look. */
#define RESULT_OF(t, r)                                                                       \
	" LEFT JOIN results " r " ON " r ".game = " t ".game AND " r ".serial = CASE WHEN " t \
	".state > 1 THEN " t ".serial END "

#define TURN COLUMNS_OF("t", "tr")
#define TURN_RESULT RESULT_OF("t", "tr")
#define TURN_COLUMNS "SELECT " TURN " FROM turns t" TURN_RESULT

#define PARENT COLUMNS_OF("p", "pr")
#define PARENT_RESULT RESULT_OF("p", "pr")

/* Of a result, and behind it of what its draws followed from, if that is kept. */
static void read_both(struct query *q, int64_t game, unsigned serial, struct hash *result,
                      struct hash *inputs)
{
	struct strbuf both = STRBUF_INIT;

	memset(result, 0, sizeof(*result));
	memset(inputs, 0, sizeof(*inputs));
	col_sealed(q, SEALED, seal_context(q->s, "digest", ARGS(game, serial)), &both);
	if (both.len >= HASH_LEN)
		memcpy(result->bytes, both.ptr, HASH_LEN);
	if (both.len == 2 * HASH_LEN)
		memcpy(inputs->bytes, both.ptr + HASH_LEN, HASH_LEN);
	else if (both.len != HASH_LEN && both.len != 0)
		db_spoil(q, db_fail(q->s, ERR_CORRUPT, "the digest of turn %u of game %lld",
		                    serial, (long long)game));
	strbuf_release(&both);
}

static void read_dropped(struct query *q, struct arena *arena, void *row)
{
	struct turn *out = row;

	(void)arena;
	out->dropped_utc = col_int(q);
	if (out->dropped_utc > 0)
		out->state = TURN_DROPPED;
}

static void read_digests(struct query *q, struct arena *arena, void *row)
{
	struct turn *out = row;

	(void)arena;
	read_both(q, out->game, out->serial, &out->result_hash, &out->inputs_hash);
}

static const struct row_shape turn_row =
    ROW_SHAPE(struct turn, COLUMNS(struct turn, game, serial, parent),
              COLUMN_ENUM(struct turn, state, TURN_REPORTED),
              COLUMNS(struct turn, label, owes, have, waiting, opened_utc, deadline_utc,
                      sealed_utc, grace_utc, settle_utc, remind_utc, covered, vacant,
                      credited_utc, orders_sum, orders_hash),
              COLUMN_READ(1, read_dropped), COLUMN_READ(1, read_digests));

enum err turn_get(struct store *s, int64_t game, unsigned serial, struct arena *arena,
                  struct turn *out)
{
	*out = (struct turn){0};
	return row_get(s, TURN_COLUMNS "WHERE t.game = ? AND t.serial = ?", ARGS(game, serial),
	               &turn_row, arena, out, "such turn");
}

enum err turn_get_with_parent(struct store *s, int64_t game, unsigned serial,
                              struct arena *arena, struct turn *out, struct turn *parent)
{
	struct query q =
	    db_read(s, "SELECT " TURN ", " PARENT ", pr.sealed_state FROM turns t" TURN_RESULT
	               "LEFT JOIN turns p ON p.game = t.game AND p.serial = t.parent"
	               " AND t.serial > 0" PARENT_RESULT "WHERE t.game = ? AND t.serial = ?");
	bool found, complete = false;

	memset(out, 0, sizeof(*out));
	memset(parent, 0, sizeof(*parent));
	row_bind(&q, ARGS(game, serial));
	found = db_next(&q);
	if (found) {
		row_read(&q, &turn_row, arena, out);
		complete = out->serial == 0 || !col_is_null(&q);
	}
	if (complete && out->serial > 0) {
		row_read(&q, &turn_row, arena, parent);
		parent->sealed_state = col_text(&q, arena);
	}
	return db_end_found(&q, complete, "such turn");
}

enum err turn_get_with_position(struct store *s, int64_t game, unsigned serial,
                                struct arena *arena, struct turn *out, struct turn *from)
{
	struct query q = db_read(s, "SELECT " TURN ", f.sealed_state FROM turns t" TURN_RESULT
	                            "LEFT JOIN results f ON f.game = t.game AND f.serial ="
	                            " CASE WHEN t.serial > 0 THEN t.parent END"
	                            " WHERE t.game = ? AND t.serial = ?");
	bool found;

	memset(out, 0, sizeof(*out));
	memset(from, 0, sizeof(*from));
	row_bind(&q, ARGS(game, serial));
	found = db_next(&q);
	if (found) {
		row_read(&q, &turn_row, arena, out);
		from->sealed_state = col_text(&q, arena);
	}
	from->game = out->game;
	from->serial = out->parent;
	return db_end_found(&q, found, "such turn");
}

enum err turn_list(struct store *s, int64_t game, struct arena *arena, struct turn **out,
                   size_t *n)
{
	return row_list(s, TURN_COLUMNS "WHERE t.game = ? ORDER BY t.serial", ARGS(game),
	                &turn_row, arena, out, n);
}

enum err turn_result(struct store *s, int64_t game, unsigned serial, struct strbuf *state_text,
                     struct strbuf *chance_text)
{
	struct query q = db_read(s, "SELECT sealed_state, sealed_chance FROM results"
	                            " WHERE game = ? AND serial = ?");
	row_bind(&q, ARGS(game, serial));
	bool found = db_next(&q);
	if (found && state_text)
		col_sealed(&q, SEALED_PADDED, seal_context(s, "state", ARGS(game, serial)),
		           state_text);
	else if (found)
		col_skip(&q);
	if (found && chance_text)
		col_sealed(&q, SEALED_PADDED, seal_context(s, "chance", ARGS(game, serial)),
		           chance_text);
	return db_end_found(&q, found, "result of this turn");
}

enum err turn_state_text(struct store *s, const struct turn *t, struct strbuf *out)
{
	if (t->sealed_state.len == 0)
		return turn_result(s, t->game, t->serial, out, NULL);
	return seal_open(s, SEALED_PADDED, seal_context(s, "state", ARGS(t->game, t->serial)),
	                 t->sealed_state, out);
}

enum err turn_position(struct store *s, const struct turn *t, struct strbuf *state_text,
                       struct hash *parent_result)
{
	struct query q = db_read(s, "SELECT sealed_state, (SELECT sealed_hash FROM results"
	                            " WHERE game = ?1 AND serial = ?3)"
	                            " FROM results WHERE game = ?1 AND serial = ?2");
	struct hash inputs;

	memset(parent_result, 0, sizeof(*parent_result));
	row_bind(&q,
	         ARGS(t->game, t->serial, t->serial > 0 ? row_arg_int(t->parent) : row_null()));
	bool found = db_next(&q);
	if (found) {
		col_sealed(&q, SEALED_PADDED,
		           seal_context(s, "state", ARGS(t->game, t->serial)), state_text);
		read_both(&q, t->game, t->parent, parent_result, &inputs);
	}
	return db_end_found(&q, found, "result of this turn");
}

/* ------------------------------------------------------------- transitions */

enum err turn_open(struct store *s, const struct turn *t)
{
	if (t->state != TURN_OPEN && t->state != TURN_SEALED)
		BUG("a turn begins open or sealed");
	return row_do_expected(
	    s,
	    "INSERT INTO turns (game, serial, parent, state, label, owes, waiting, "
	    "opened_utc, deadline_utc, sealed_utc, orders_hash, grace_utc, remind_utc, "
	    "covered, orders_sum, vacant, stopped) SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
	    "nullif(?, 0), ?, nullif(CAST(? AS BIGINT), 0), (SELECT coalesce(sum(1 << CAST(seat - 1 AS INTEGER)), 0) FROM "
	    "seats s"
	    " WHERE s.game = g.id AND vacated_utc > 0 AND bot_level < 0), "
	    "CASE WHEN held_since_utc > 0 OR status > 1 THEN 1 ELSE 0 END FROM games g"
	    " WHERE id = ?",
	    ARGS(t->game, t->serial, t->parent, t->state, t->label, t->owes, t->waiting,
	         t->opened_utc, t->deadline_utc, t->state == TURN_OPEN ? 0 : t->sealed_utc,
	         row_hash_or_null(&t->orders_hash), t->grace_utc,
	         t->deadline_utc > 0 ? t->remind_utc : TURN_NO_REMINDER, t->covered,
	         t->orders_sum, t->game),
	    "such game");
}

enum err turn_seal(struct store *s, int64_t game, unsigned serial,
                   const struct hash *orders_hash, int64_t sealed_utc)
{
	return row_do_expected(s,
	                       "UPDATE turns SET state = 1, orders_hash = ?, sealed_utc = ?"
	                       " WHERE game = ? AND serial = ? AND state = 0",
	                       ARGS(orders_hash, sealed_utc, game, serial),
	                       "such turn that is open");
}

static enum err add_result(struct store *s, int64_t game, unsigned serial,
                           struct span state_text, struct span chance_text,
                           const struct hash *result_hash, const struct hash *inputs_hash)
{
	struct strbuf digests = STRBUF_INIT;

	strbuf_add_span(&digests, hash_span(result_hash));
	if (inputs_hash && !hash_is_zero(inputs_hash))
		strbuf_add_span(&digests, hash_span(inputs_hash));
	enum err err = row_do(
	    s,
	    "INSERT INTO results (game, serial, sealed_hash, sealed_state, sealed_chance)"
	    " VALUES (?, ?, ?, ?, ?)",
	    ARGS(game, serial,
	         row_sealed(SEALED, "digest", ARGS(game, serial), strbuf_span(&digests)),
	         row_sealed(SEALED_PADDED, "state", ARGS(game, serial), state_text),
	         row_sealed(SEALED_PADDED, "chance", ARGS(game, serial), chance_text)));
	strbuf_release(&digests);
	return err;
}

enum err turn_resolved(struct store *s, int64_t game, unsigned serial, struct span state_text,
                       struct span chance_text, const struct hash *result_hash,
                       const struct hash *inputs_hash)
{
	enum err err = row_do_expected(s,
	                               "UPDATE turns SET state = 2"
	                               " WHERE game = ? AND serial = ? AND state = 1",
	                               ARGS(game, serial), "such turn that is sealed");

	return err != ERR_NONE ? err
	                       : add_result(s, game, serial, state_text, chance_text,
	                                    result_hash, inputs_hash);
}

enum err turn_reported(struct store *s, int64_t game, unsigned serial)
{
	return row_do_expected(s,
	                       "UPDATE turns SET state = 3"
	                       " WHERE game = ? AND serial = ? AND state = 2",
	                       ARGS(game, serial), "such turn that is resolved");
}

/* Of a statement whose last parameters are the key. ERR_INVALID: there is no such turn, or it is not open. */
static enum err change_open(struct store *s, const char *sql, struct row_args args)
{
	const struct row_arg *key = &args.of[args.n - 2];
	unsigned rows;
	enum err err = row_do_count(s, sql, args, &rows);

	if (err == ERR_NONE && rows == 0)
		return db_fail(s, ERR_INVALID, "turn %lld of game %lld is not open",
		               (long long)key[1].number, (long long)key[0].number);
	return err;
}

enum err turn_drop(struct store *s, int64_t game, unsigned serial, int64_t dropped_utc)
{
	return change_open(s,
	                   "UPDATE turns SET state = 3, dropped_utc = ?"
	                   " WHERE game = ? AND serial = ? AND state = 0",
	                   ARGS(dropped_utc, game, serial));
}

/* ----------------------------------------------------------- while it is open */

enum err turn_set_waiting(struct store *s, int64_t game, unsigned serial, unsigned seat,
                          bool waiting)
{
	uint32_t bit = seat_bit(seat);

	return change_open(s,
	                   "UPDATE turns SET waiting = (waiting & ~CAST(? AS BIGINT)) | ?"
	                   " WHERE game = ? AND serial = ? AND state = 0",
	                   ARGS(bit, waiting ? bit : 0, game, serial));
}

enum err turn_set_deadline(struct store *s, int64_t game, unsigned serial, int64_t deadline_utc)
{
	return change_open(s,
	                   "UPDATE turns SET grace_utc = CASE WHEN grace_utc > 0"
	                   " THEN grace_utc + ? - deadline_utc ELSE 0 END,"
	                   " remind_utc = 1,"
	                   " deadline_utc = ?"
	                   " WHERE game = ? AND serial = ? AND state = 0",
	                   ARGS(deadline_utc, deadline_utc, game, serial));
}

enum err turn_set_grace(struct store *s, int64_t game, unsigned serial, int64_t grace_utc)
{
	return change_open(s,
	                   "UPDATE turns SET grace_utc = ?, remind_utc = 1"
	                   " WHERE game = ? AND serial = ? AND state = 0",
	                   ARGS(grace_utc, game, serial));
}

enum err turn_credit(struct store *s, const struct turn *t)
{
	return change_open(
	    s,
	    "UPDATE turns SET deadline_utc = ?, grace_utc = ?,"
	    " credited_utc = ?, remind_utc = 1"
	    " WHERE game = ? AND serial = ? AND state = 0",
	    ARGS(t->deadline_utc, t->grace_utc, t->credited_utc, t->game, t->serial));
}

enum err turn_set_settle(struct store *s, int64_t game, unsigned serial, int64_t settle_utc)
{
	return change_open(s,
	                   "UPDATE turns SET settle_utc = ?"
	                   " WHERE game = ? AND serial = ? AND state = 0",
	                   ARGS(settle_utc, game, serial));
}

enum err turn_set_covered(struct store *s, int64_t game, unsigned serial, unsigned seat,
                          bool covered)
{
	uint32_t bit = seat_bit(seat);

	return change_open(
	    s,
	    "UPDATE turns SET covered = (covered & ~CAST(? AS BIGINT)) | (? & owes)"
	    " WHERE game = ? AND serial = ? AND state = 0",
	    ARGS(bit, covered ? bit : 0, game, serial));
}

enum err turn_set_remind(struct store *s, int64_t game, unsigned serial, int64_t remind_utc)
{
	struct query q = db_write_of(s, game,
	                             "UPDATE turns SET remind_utc = nullif(?, 0)"
	                             " WHERE game = ? AND serial = ? AND state = 0");

	row_bind(&q, ARGS(remind_utc, game, serial));
	return db_run_expected(&q, "open turn");
}

enum err turn_end_at(struct store *s, int64_t game, unsigned serial, int64_t at_utc)
{
	return change_open(s,
	                   "UPDATE turns SET settle_utc = 0, remind_utc = NULL,"
	                   " grace_utc = CASE WHEN grace_utc > 0 AND deadline_utc < ?1 THEN ?1"
	                   " ELSE 0 END,"
	                   " deadline_utc = CASE WHEN grace_utc > 0 AND deadline_utc < ?1"
	                   " THEN deadline_utc ELSE ?1 END"
	                   " WHERE game = ?2 AND serial = ?3 AND state = 0",
	                   ARGS(at_utc, game, serial));
}

/* ------------------------------------------------------------------ due turns */

const struct row_shape turn_id_row =
    ROW_SHAPE(struct turn_id, COLUMNS(struct turn_id, game, serial, due_utc));

enum err turn_due_list(struct store *s, enum turn_due what, int64_t read_through_utc,
                       struct turn_id after, size_t max, struct turn_id *out, size_t *n)
{
	/* DUE_SEAL, DUE_RESOLVE, DUE_REPORT are what to do in states 0, 1, 2. */
	return row_fill(s,
	                "SELECT game, serial, due_utc FROM turns"
	                " WHERE state = ? AND due_utc <= ?"
	                " AND (due_utc, game, serial) > (?, ?, ?)"
	                " ORDER BY due_utc, game, serial LIMIT ?",
	                ARGS(what,
	                     what == DUE_SEAL && read_through_utc > 0 ? read_through_utc : 0,
	                     after.due_utc, after.game, after.serial, max),
	                &turn_id_row, out, max, n);
}
