/*
 * outbox.c - mails on their way out; the table in outbox.h says what each state means.
 *
 * next_try_utc is what the indexes go by: 0 now, a time later, NULL never
 * again. So a look for work touches only rows that are not sent yet.
 */
#include "store/outbox.h"

#include "store/digests.h"
#include "store/engine/row.h"
#include "store/engine/sealed.h"

const char *outbox_state_name(enum outbox_state o)
{
	static const char *const names[] = {
	    [OUTBOX_NEW] = "new",           [OUTBOX_SENDING] = "sending",
	    [OUTBOX_RETRY] = "retry",       [OUTBOX_MAYBE] = "maybe",
	    [OUTBOX_SENT] = "sent",         [OUTBOX_DEAD] = "dead",
	    [OUTBOX_ENCLOSED] = "enclosed",
	};

	return names[o];
}

/* ------------------------------------------------------------------ adding */

/*
 * What the index holds of a Message-ID; as there. Beside it the whole id is asked for as message_id || '': SQLite
 * would put the constant into this expression as well, and not see the index any more.
 */
#define HEAD "substr(message_id, 2, 16)"
#define HEAD_IS_OF_1 HEAD " = substr(?1, 2, 16)"

/* The row without its text; *id 0: there is one with that Message-ID, unless it must be new. */
static enum err add_row(struct store *s, const struct outbox_mail *m, bool is_new, int64_t *id)
{
	struct query q = db_write_of(
	    s, 0,
	    "INSERT INTO outbox (id, kind, game, serial, seat, player, number, rcpt,"
	    " message_id, created_utc, cause, state, attempts, next_try_utc, answer)"
	    " VALUES (?, ?, ?, ?, ?, ?, ?, coalesce((SELECT instead FROM bounced_addresses"
	    " WHERE address = ?8 AND NOT ?12), ?8), ?9, ?10, ?11, 0, 0, CASE WHEN ?13 THEN "
	    "NULL ELSE 0 END, '')"
	    " ON CONFLICT (" HEAD ") DO NOTHING");
	unsigned rows = 1;

	db_spoil(&q, row_next_id(s, "SELECT coalesce(max(id), 0) + 1 FROM outbox",
	                         &s->known.next_outbox, id));
	row_bind(&q, ARGS(*id, m->kind, row_ref(m->game), m->serial, m->seat,
	                  row_ref(m->player), m->number, m->rcpt, m->message_id, m->created_utc,
	                  row_ref(m->cause), m->exactly, m->enclosed));
	enum err err = is_new ? db_run_expected(&q, "new mail: another has its Message-ID")
	                      : db_run_count(&q, &rows);
	if (err != ERR_NONE || rows == 0)
		*id = 0;
	else
		s->known.next_outbox = *id + 1;
	return err;
}

static enum err put_message(struct store *s, int64_t id, const struct outbox_mail *m)
{
	return row_do_of(
	    s, 0, "INSERT INTO outbox_messages (id, sealed_message) VALUES (?, ?)",
	    ARGS(id, row_sealed(SEALED_PADDED, "mail", ARGS(m->message_id), m->message)));
}

/* Unless it is being sent by now: then it arrives twice, which does no harm. */
static enum err fold(struct store *s, int64_t id, int64_t into)
{
	TRY(row_do(s,
	           "INSERT INTO enclosed_mails (outbox, player, game, brought_by)"
	           " SELECT id, player, game, ?2 FROM outbox WHERE id = ?1 AND state = 0"
	           " AND next_try_utc = 0 AND tried_utc = 0",
	           ARGS(id, into)));
	return row_do(s,
	              "UPDATE outbox SET next_try_utc = NULL WHERE id = ?1 AND EXISTS"
	              " (SELECT 1 FROM enclosed_mails WHERE outbox = ?1 AND brought_by = ?2)",
	              ARGS(id, into));
}

/* The message of a new row, and what follows from the row. */
static enum err put_new(struct store *s, int64_t id, const struct outbox_mail *m)
{
	enum err err = put_message(s, id, m);

	for (size_t i = 0; i < m->nfolds && err == ERR_NONE; i++)
		err = fold(s, m->folds[i], id);
	if (err == ERR_NONE && m->enclosed)
		err = digest_queue_add(s, id, m);
	if (err == ERR_NONE && m->brings)
		err = digest_queue_bring(s, m->player, m->game, id);
	return err;
}

enum err outbox_put_words(struct store *s, const struct outbox_mail *m)
{
	TRY(put_message(s, m->id, m));
	return row_do_expected(s, "DELETE FROM outbox_outlines WHERE id = ?", ARGS(m->id),
	                       "outline of that mail");
}

/* ----------------------------------------------------------------- reading */

#define OUTBOX_ROW                                                                   \
	"SELECT o.id, kind, game, serial, seat, player, number, rcpt, message_id,"   \
	" created_utc, cause, state, next_try_utc IS NULL, attempts, next_try_utc, " \
	"tried_utc, answer, decided, "                                               \
	"refused"
#define OUTBOX_BRIEF OUTBOX_ROW ", 0, 0, NULL FROM outbox o "
/* No longer kept, or in words or, 1, in outline. */
#define OUTBOX_WHOLE                                                           \
	OUTBOX_ROW ", m.id IS NULL AND EXISTS (SELECT 1 FROM outbox_proofs p"  \
		   " WHERE p.id = o.id), m.id IS NULL,"                        \
		   " coalesce(sealed_message, sealed_outline)"                 \
		   " FROM outbox o LEFT JOIN outbox_messages m ON m.id = o.id" \
		   " LEFT JOIN outbox_outlines l ON l.id = o.id "

/* Such a row has its state by having no time to be sent at. */
static void read_enclosed(struct query *q, struct arena *arena, void *row)
{
	struct outbox_mail *out = row;

	(void)arena;
	if (col_bool(q) && out->state == OUTBOX_NEW)
		out->state = OUTBOX_ENCLOSED;
}

/* The words of a mail of which there is an outline. */
static void make_words(struct query *q, struct arena *arena, struct outbox_mail *out)
{
	struct strbuf message = STRBUF_INIT;

	db_spoil(q, db_words(q->s, out->message_id, out->message, &message));
	out->message = arena_dup(arena, strbuf_span(&message));
	strbuf_release(&message);
}

static void read_message(struct query *q, struct arena *arena, void *row)
{
	struct outbox_mail *out = row;

	out->is_dropped = col_bool(q);
	out->outlined = col_bool(q) && !out->is_dropped;
	if (out->is_dropped)
		return;
	const char *context =
	    seal_context(q->s, out->outlined ? "outline" : "mail", ARGS(out->message_id));
	out->message = col_sealed_text(q, SEALED_PADDED, context, arena);
	if (out->outlined && q->err == ERR_NONE)
		make_words(q, arena, out);
}

static const struct row_shape mail_row = ROW_SHAPE(
    struct outbox_mail,
    COLUMNS(struct outbox_mail, id, kind, game, serial, seat, player, number, rcpt, message_id,
            created_utc, cause),
    COLUMN_ENUM(struct outbox_mail, state, OUTBOX_DEAD), COLUMN_READ(1, read_enclosed),
    COLUMNS(struct outbox_mail, attempts, next_try_utc, tried_utc, answer),
    COLUMN_ENUM(struct outbox_mail, decided, DECIDED_AGAIN),
    COLUMN_ENUM(struct outbox_mail, refused, REFUSED_ADDRESS), COLUMN_READ(3, read_message));

static enum err get_mail(struct store *s, const char *sql, struct row_args args,
                         struct arena *arena, struct outbox_mail *out)
{
	*out = (struct outbox_mail){0};
	return row_get(s, sql, args, &mail_row, arena, out, "such mail in the outbox");
}

/* Only the newest few rows of a seat are looked at: a long game has hundreds that have left. */
#define IS_NEW_OF_SEAT                                                                   \
	"o.id IN (SELECT id FROM outbox WHERE game = ?1 AND seat = ?2 ORDER BY id DESC"  \
	" LIMIT 8) AND state = 0 AND next_try_utc = 0 AND tried_utc = 0 AND player = ?3" \
	" AND serial = ?4"

static void read_outline(struct query *q, struct arena *arena, void *row)
{
	struct outbox_outline *out = row;
	struct span message_id = col_text(q, arena);

	out->outline = col_sealed_text(q, SEALED_PADDED,
	                               seal_context(q->s, "outline", ARGS(message_id)), arena);
}

static const struct row_shape outline_row =
    ROW_SHAPE(struct outbox_outline, COLUMNS(struct outbox_outline, id, number),
              COLUMN_READ(2, read_outline));

enum err outbox_new_outlines(struct store *s, int64_t game, unsigned serial, unsigned seat,
                             int64_t player, struct arena *arena, struct outbox_outline **out,
                             size_t *n)
{
	return row_list(s,
	                "SELECT o.id, number, message_id, sealed_outline FROM outbox o"
	                " JOIN outbox_outlines l ON l.id = o.id WHERE " IS_NEW_OF_SEAT
	                " ORDER BY o.id",
	                ARGS(game, seat, player, serial), &outline_row, arena, out, n);
}

enum err outbox_by_message_id(struct store *s, struct span message_id, struct arena *arena,
                              struct outbox_mail *out)
{
	return get_mail(s, OUTBOX_BRIEF "WHERE " HEAD_IS_OF_1 " AND message_id || '' = ?1",
	                ARGS(message_id), arena, out);
}

enum err outbox_opened(struct store *s, struct span message_id, struct arena *arena,
                       struct outbox_mail *out)
{
	return get_mail(s, OUTBOX_WHOLE "WHERE " HEAD_IS_OF_1 " AND message_id || '' = ?1",
	                ARGS(message_id), arena, out);
}

enum err outbox_by_id(struct store *s, int64_t id, struct arena *arena, struct outbox_mail *out)
{
	return get_mail(s, OUTBOX_BRIEF "WHERE id = ?", ARGS(id), arena, out);
}

enum err outbox_nth_answer(struct store *s, int64_t game, unsigned seat, const char *kind,
                           unsigned n, int64_t *created_utc)
{
	struct query q = db_read(s, "SELECT created_utc FROM outbox WHERE game = ? AND seat = ?"
	                            " AND kind = ? AND cause IS NOT NULL"
	                            " ORDER BY id DESC LIMIT 1 OFFSET ?");

	row_bind(&q, ARGS(game, seat, kind, (int64_t)n - 1));
	*created_utc = db_next(&q) ? col_int(&q) : INT64_MIN;
	return db_end(&q);
}

static enum err last_report(struct store *s, int64_t game, unsigned seat, struct arena *arena,
                            struct outbox_mail *out)
{
	return get_mail(s,
	                OUTBOX_WHOLE "WHERE game = ? AND seat = ? AND number > 0"
	                             " AND kind IN ('report', 'end')"
	                             " ORDER BY o.id DESC LIMIT 1",
	                ARGS(game, seat), arena, out);
}

enum err outbox_by_number(struct store *s, int64_t game, unsigned seat, unsigned number,
                          struct arena *arena, struct outbox_mail *out)
{
	if (number == 0) {
		enum err err = last_report(s, game, seat, arena, out);
		if (err != ERR_NOT_FOUND)
			return err;
	}
	/* Number 0 now asks for the highest one there is. */
	return get_mail(s,
	                OUTBOX_WHOLE "WHERE game = ? AND seat = ? AND number > 0"
	                             " AND (?3 = 0 OR number = ?3)"
	                             " ORDER BY o.id DESC LIMIT 1",
	                ARGS(game, seat, number), arena, out);
}

enum err outbox_newest(struct store *s, int64_t player, struct span rcpt, size_t max,
                       struct arena *arena, struct outbox_mail **out, size_t *n)
{
	return row_list(s,
	                OUTBOX_WHOLE
	                "WHERE o.id IN (SELECT id FROM (SELECT id FROM outbox WHERE player = ?1"
	                " ORDER BY id DESC LIMIT ?3) AS own UNION ALL SELECT id FROM (SELECT id"
	                " FROM outbox WHERE player IS NULL AND rcpt = ?2 ORDER BY id DESC"
	                " LIMIT ?3) AS strange) ORDER BY o.id DESC LIMIT ?3",
	                ARGS(player, rcpt, max), &mail_row, arena, out, n);
}

enum err outbox_history(struct store *s, int64_t game, unsigned seat, const char *kind,
                        unsigned from_serial, unsigned to_serial, struct arena *arena,
                        struct outbox_mail **out, size_t *n)
{
	return row_list(s,
	                OUTBOX_WHOLE "WHERE game = ? AND seat = ? AND kind = ?"
	                             " AND serial BETWEEN ? AND ? ORDER BY o.id",
	                ARGS(game, seat, kind, from_serial, to_serial), &mail_row, arena, out,
	                n);
}

enum err outbox_by_cause(struct store *s, int64_t cause, struct arena *arena,
                         struct outbox_mail **out, size_t *n)
{
	return row_list(s, OUTBOX_BRIEF "WHERE cause = ? ORDER BY o.id", ARGS(cause), &mail_row,
	                arena, out, n);
}

enum err outbox_count(struct store *s, enum outbox_state state, unsigned *n)
{
	/* ENCLOSED is a state of 0 without a time. */
	return row_find(s,
	                "SELECT count(*) FROM outbox WHERE state = ?1 % 6"
	                " AND (state > 0 OR (next_try_utc IS NULL) = (?1 = 6))",
	                ARGS(state), &row_uint, NULL, n);
}

/* ----------------------------------------------------------------- sending */

/* Not to an address that mail comes back from, unless it answers what came in since from there. */
#define NOT_PAUSED                                                                         \
	" AND NOT EXISTS (SELECT 1 FROM bounced_addresses p WHERE p.address = o.rcpt"      \
	" AND p.paused_utc > 0 AND (o.created_utc <= p.paused_utc OR NOT EXISTS (SELECT 1" \
	" FROM inbox i WHERE i.id = o.cause AND i.player = o.player)))"

enum err outbox_has_due(struct store *s, int64_t now_utc, bool *due)
{
	return row_find(
	    s,
	    "SELECT EXISTS (SELECT 1 FROM outbox o WHERE next_try_utc = 0" NOT_PAUSED
	    ") OR EXISTS (SELECT 1 FROM outbox o"
	    " WHERE next_try_utc > 0 AND next_try_utc <= ?" NOT_PAUSED ")",
	    ARGS(now_utc), &row_bool, NULL, due);
}

enum err outbox_is_waiting(struct store *s, int64_t now_utc, bool *yes)
{
	enum err err = outbox_has_due(s, now_utc + 1, yes);

	if (err != ERR_NONE || *yes)
		return err;
	return row_find(s,
	                "SELECT EXISTS (SELECT 1 FROM outbox o WHERE next_try_utc > 0"
	                " AND state = 3" NOT_PAUSED ")",
	                NO_ARGS, &row_bool, NULL, yes);
}

enum err outbox_note_sink(struct store *s, struct span sink, struct span address,
                          int64_t now_utc)
{
	return row_do(s,
	              "UPDATE pulse SET sink = ?1, sender = 0, sink_since_utc ="
	              " CASE WHEN sink IN ('', ?1) THEN sink_since_utc ELSE ?3 END,"
	              " address = ?2, address_before = CASE WHEN address IN ('', ?2)"
	              " THEN address_before WHEN address_before = ?2 THEN '' ELSE address END,"
	              " address_since_utc = CASE WHEN address = ?2 THEN address_since_utc"
	              " ELSE ?3 END WHERE id = 1 AND (sink <> ?1 OR address <> ?2)",
	              ARGS(sink, address, now_utc));
}

enum err outbox_left_address(struct store *s, struct span address, struct arena *arena,
                             struct span *before, unsigned *games)
{
	struct query q = db_read(
	    s, "SELECT p.before, count(*) FROM games g, (SELECT CASE WHEN address IN ('', ?1)"
	       " THEN address_before ELSE address END AS before, CASE WHEN address IN ('', ?1)"
	       " THEN address_since_utc ELSE 9223372036854775807 END AS since FROM pulse"
	       " WHERE id = 1) p WHERE g.status IN (0, 1, 2) AND g.created_utc < p.since"
	       " AND p.before <> '' GROUP BY p.before");

	bind_text(&q, address);
	*games = 0;
	if (db_next(&q)) {
		*before = col_text(&q, arena);
		*games = col_uint(&q);
	}
	return db_end(&q);
}

enum err outbox_has_reached_others(struct store *s, struct span rcpt, struct span rcpt2,
                                   bool *yes)
{
	/* From the newest on, so that it ends soon but where there is nobody. */
	return row_find(s,
	                "SELECT EXISTS (SELECT 1 FROM outbox o WHERE state = 4 AND answer = ''"
	                " AND rcpt <> ?1 AND rcpt <> ?2 AND tried_utc >"
	                " coalesce((SELECT sink_since_utc FROM pulse WHERE id = 1), 0)"
	                " AND EXISTS (SELECT 1 FROM seats s JOIN games g ON g.id = s.game"
	                " WHERE s.player = o.player AND s.resigned = 0 AND g.status = 1)"
	                " AND NOT EXISTS (SELECT 1 FROM bounced_addresses b"
	                " WHERE b.address = o.rcpt AND b.paused_utc > 0)"
	                " ORDER BY id DESC LIMIT 1)",
	                ARGS(rcpt, rcpt2), &row_bool, NULL, yes);
}

/*
 * Nothing of the same player that is older still waits for a later time than now (?2), or is being sent, maybe by
 * another machine; but what was written an hour ago and does not get through holds up nothing more.
 */
#define IN_TURN                                                            \
	" AND NOT EXISTS (SELECT 1 FROM outbox b WHERE b.next_try_utc > 0" \
	" AND b.player = o.player AND b.id < o.id"                         \
	" AND (b.next_try_utc > ?2 OR b.state = 1)"                        \
	" AND b.created_utc > ?2 - 3600)"

static enum err due_ids(struct store *s, int64_t now_utc, int64_t after, size_t max,
                        int64_t *ids, size_t *n)
{
	return row_fill(
	    s,
	    "SELECT id FROM outbox o WHERE next_try_utc = 0 AND id > ?1 AND state <> 1" IN_TURN
		NOT_PAUSED " UNION ALL"
	    " SELECT id FROM outbox o WHERE next_try_utc > 0 AND next_try_utc <= ?2"
	    " AND id > ?1 AND state <> 1" IN_TURN NOT_PAUSED " ORDER BY id LIMIT ?3",
	    ARGS(after, now_utc, max), &row_int64, ids, max, n);
}

enum err outbox_message(struct store *s, int64_t id, struct arena *arena,
                        struct outbox_mail *out)
{
	return get_mail(s, OUTBOX_WHOLE "WHERE o.id = ?", ARGS(id), arena, out);
}

/* Somebody else has added it: the same mail is fine. */
static enum err require_same(struct store *s, const struct outbox_mail *m, int64_t *id)
{
	struct arena *arena = arena_new();
	struct outbox_mail there;
	enum err err =
	    get_mail(s, OUTBOX_WHOLE "WHERE " HEAD_IS_OF_1, ARGS(m->message_id), arena, &there);

	*id = there.id;
	/* One whose seal does not open is another as well. */
	if (err == ERR_CORRUPT ||
	    (err == ERR_NONE && !((there.is_dropped || span_eq(there.message, m->message)) &&
	                          span_eq(there.message_id, m->message_id))))
		err = db_fail(s, ERR_EXISTS, "another mail has the Message-ID %.*s",
		              SPAN_ARGS(m->message_id));
	arena_free(arena);
	return err;
}

enum err outbox_add(struct store *s, const struct outbox_mail *m, int64_t *id)
{
	int64_t row;
	/* What answers a mail has an id of its own. */
	enum err err = add_row(s, m, m->cause != 0, &row);

	if (err == ERR_NONE)
		err = row != 0 ? put_new(s, row, m) : require_same(s, m, &row);
	if (id)
		*id = row;
	return err;
}

enum err outbox_add_new(struct store *s, const struct outbox_mail *m)
{
	int64_t row;

	TRY(add_row(s, m, true, &row));
	return put_new(s, row, m);
}

enum err outbox_add_outline(struct store *s, const struct outbox_mail *m, struct span outline,
                            int64_t *id)
{
	TRY(add_row(s, m, true, id));
	return row_do_of(
	    s, 0, "INSERT INTO outbox_outlines (id, sealed_outline) VALUES (?, ?)",
	    ARGS(*id, row_sealed(SEALED_PADDED, "outline", ARGS(m->message_id), outline)));
}

/* As it stands in the outbox, after its message did not open. */
static enum err read_unreadable(struct store *s, int64_t id, struct arena *arena,
                                struct outbox_mail *out)
{
	struct span why = span_of(arena_strdup(arena, store_error(s)->text.ptr));
	enum err err = outbox_by_id(s, id, arena, out);

	out->unreadable = true;
	out->answer = why;
	return err;
}

enum err outbox_due(struct store *s, int64_t now_utc, int64_t after, size_t max,
                    struct arena *arena, struct outbox_mail **out, size_t *n)
{
	int64_t *ids = arena_calloc(arena, max, sizeof(*ids));
	enum err err = due_ids(s, now_utc, after, max, ids, n);

	*out = arena_calloc(arena, *n, sizeof(**out));
	if (err == ERR_NONE && store_ask_ahead(s)) {
		for (size_t i = 0; i < *n; i++)
			store_only_asked(outbox_message(s, ids[i], arena, &(*out)[i]));
		store_asked_ahead(s);
	}
	for (size_t i = 0; err == ERR_NONE && i < *n; i++) {
		err = outbox_message(s, ids[i], arena, &(*out)[i]);
		if (err == ERR_CORRUPT || err == ERR_UNSUPPORTED)
			err = read_unreadable(s, ids[i], arena, &(*out)[i]);
	}
	return err;
}

enum err outbox_mark(struct store *s, const struct outbox_mail *m)
{
	struct row_arg next = m->state == OUTBOX_SENT || m->state == OUTBOX_DEAD ? row_null()
	                      : m->state == OUTBOX_NEW ? row_arg_int(0)
	                                               : row_arg_int(m->next_try_utc);

	return row_do_expected(
	    s,
	    "UPDATE outbox SET state = ?, attempts = ?, next_try_utc = ?,"
	    " tried_utc = ?, answer = ?, refused = ? WHERE id = ?",
	    ARGS(m->state, m->attempts, next, m->tried_utc, m->answer, m->refused, m->id),
	    "such mail in the outbox");
}

enum err outbox_redirect(struct store *s, struct span from, struct span to)
{
	/* Two statements, so that each finds its rows through an index of unsent mail. */
	TRY(row_do(s,
	           "UPDATE outbox SET rcpt = ? WHERE next_try_utc = 0"
	           " AND rcpt = ? COLLATE NOCASE",
	           ARGS(to, from)));
	return row_do(s,
	              "UPDATE outbox SET rcpt = ? WHERE next_try_utc > 0"
	              " AND rcpt = ? COLLATE NOCASE",
	              ARGS(to, from));
}

enum err outbox_recover(struct store *s, unsigned attempts_max)
{
	/* A statement each, so that each finds its rows through an index of unsent mail. */
	TRY(row_do(s,
	           "UPDATE outbox SET state = 5, next_try_utc = NULL, answer ="
	           " 'whoever sent it died over it again and again'"
	           " WHERE next_try_utc > 0 AND state = 1 AND attempts >= ?",
	           ARGS(attempts_max)));
	TRY(row_do(s, "UPDATE outbox SET state = 3 WHERE next_try_utc = 0 AND state = 1",
	           NO_ARGS));
	return row_do(s, "UPDATE outbox SET state = 3 WHERE next_try_utc > 0 AND state = 1",
	              NO_ARGS);
}

/* ----------------------------------------------------- what did not get through */

enum err outbox_add_failure(struct store *s, const struct outbox_mail *mail)
{
	return row_do(s,
	              "INSERT INTO outbox_failures (mail, at_utc, state, answer)"
	              " VALUES (?, ?, ?, ?)",
	              ARGS(mail->id, mail->tried_utc, mail->state, mail->answer));
}

static const struct row_shape failure_row =
    ROW_SHAPE(struct outbox_failure, COLUMNS(struct outbox_failure, at_utc),
              COLUMN_ENUM(struct outbox_failure, state, OUTBOX_ENCLOSED),
              COLUMNS(struct outbox_failure, answer));

enum err outbox_failures(struct store *s, int64_t mail, struct arena *arena,
                         struct outbox_failure **out, size_t *n)
{
	return row_list(s,
	                "SELECT at_utc, state, answer FROM outbox_failures"
	                " WHERE mail = ? ORDER BY id",
	                ARGS(mail), &failure_row, arena, out, n);
}

enum err outbox_unsent(struct store *s, int64_t player, size_t max, struct arena *arena,
                       struct outbox_mail **out, size_t *n)
{
	return row_list(s,
	                OUTBOX_BRIEF
	                "WHERE o.id IN (SELECT id FROM outbox WHERE next_try_utc = 0"
	                " UNION ALL SELECT id FROM outbox WHERE next_try_utc > 0"
	                " UNION ALL SELECT id FROM outbox WHERE state = 5 AND decided <> 1)"
	                " AND (?1 = 0 OR player = ?1) ORDER BY o.id LIMIT ?2",
	                ARGS(player, max), &mail_row, arena, out, n);
}

enum err outbox_count_given_up(struct store *s, unsigned *n)
{
	return row_find(s, "SELECT count(*) FROM outbox WHERE state = 5 AND decided <> 1",
	                NO_ARGS, &row_uint, NULL, n);
}

enum err outbox_next_refused(struct store *s, int64_t after, struct arena *arena,
                             struct outbox_mail *out)
{
	return get_mail(s, OUTBOX_BRIEF "WHERE refused > 0 AND o.id > ? ORDER BY o.id LIMIT 1",
	                ARGS(after), arena, out);
}

enum err outbox_refusal_done(struct store *s, int64_t id)
{
	return row_do_one(s, "UPDATE outbox SET refused = 0 WHERE id = ?", ARGS(id),
	                  "such mail in the outbox");
}

enum err outbox_try_again(struct store *s, int64_t id)
{
	return row_do_one(s,
	                  "UPDATE outbox SET state = 2, attempts = 0, decided = 2,"
	                  " refused = 0, next_try_utc = 0 WHERE id = ? AND rcpt <> ''"
	                  " AND state IN (2, 3, 5)",
	                  ARGS(id), "mail with this number that waits or was given up");
}

enum err outbox_put_aside(struct store *s, int64_t id)
{
	return row_do_one(s,
	                  "UPDATE outbox SET state = 5, decided = 1,"
	                  " next_try_utc = NULL WHERE id = ?"
	                  " AND state IN (2, 3, 5)",
	                  ARGS(id), "mail with this number that waits or was given up");
}
