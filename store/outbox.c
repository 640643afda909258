/*
 * outbox.c - mails on their way out; the table in outbox.h says what each state means.
 *
 * next_try_utc is what the indexes go by: 0 now, a time later, NULL never
 * again. So a look for work touches only rows that are not sent yet.
 */
#include "store/outbox.h"

#include <string.h>

#include "store/digests.h"
#include "store/engine/db.h"
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

/* Asked for once in a transaction, or for each block of them. */
static enum err next_id(struct store *s, int64_t *id)
{
	struct db_known *known = &s->known;
	enum err err = ERR_NONE;

	if (known->next_outbox > known->last_outbox || known->next_outbox == 0)
		err = db_outbox_ids(s, &known->next_outbox, &known->last_outbox);
	*id = known->next_outbox;
	return err;
}

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

	db_spoil(&q, next_id(s, id));
	bind_int(&q, *id);
	bind_text(&q, m->kind);
	bind_ref(&q, m->game);
	bind_int(&q, m->serial);
	bind_int(&q, m->seat);
	bind_ref(&q, m->player);
	bind_int(&q, m->number);
	bind_text(&q, m->rcpt);
	bind_text(&q, m->message_id);
	bind_int(&q, m->created_utc);
	bind_ref(&q, m->cause);
	bind_int(&q, m->exactly);
	bind_int(&q, m->enclosed);
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
	struct strbuf context = STRBUF_INIT, sealed = STRBUF_INIT;
	struct query q =
	    db_write_of(s, 0, "INSERT INTO outbox_messages (id, sealed_message) VALUES (?, ?)");

	add_context_of_mail(&context, m->message_id);
	keyring_seal_padded(s->keys, context.ptr, m->message, &sealed);
	bind_int(&q, id);
	bind_blob(&q, strbuf_span(&sealed));
	enum err err = db_run(&q);
	strbuf_release(&context);
	strbuf_release(&sealed);
	return err;
}

static enum err put_outline(struct store *s, int64_t id, struct span message_id,
                            struct span outline)
{
	struct strbuf context = STRBUF_INIT, sealed = STRBUF_INIT;
	struct query q =
	    db_write_of(s, 0, "INSERT INTO outbox_outlines (id, sealed_outline) VALUES (?, ?)");

	add_context_of_outline(&context, message_id);
	keyring_seal_padded(s->keys, context.ptr, outline, &sealed);
	bind_int(&q, id);
	bind_blob(&q, strbuf_span(&sealed));
	enum err err = db_run(&q);
	strbuf_release(&context);
	strbuf_release(&sealed);
	return err;
}

/* Unless it is being sent by now: then it arrives twice, which does no harm. */
static enum err fold(struct store *s, int64_t id, int64_t into)
{
	struct query q =
	    db_write(s, "INSERT INTO enclosed_mails (outbox, player, game, brought_by)"
	                " SELECT id, player, game, ?2 FROM outbox WHERE id = ?1 AND state = 0"
	                " AND next_try_utc = 0 AND tried_utc = 0");
	struct query u;
	enum err err;

	bind_int(&q, id);
	bind_int(&q, into);
	err = db_run(&q);
	if (err != ERR_NONE)
		return err;
	u = db_write(s,
	             "UPDATE outbox SET next_try_utc = NULL WHERE id = ?1 AND EXISTS"
	             " (SELECT 1 FROM enclosed_mails WHERE outbox = ?1 AND brought_by = ?2)");
	bind_int(&u, id);
	bind_int(&u, into);
	return db_run(&u);
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
	enum err err = put_message(s, m->id, m);

	if (err != ERR_NONE)
		return err;
	struct query q = db_write(s, "DELETE FROM outbox_outlines WHERE id = ?");
	bind_int(&q, m->id);
	return db_run_expected(&q, "outline of that mail");
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

static void read_state(struct query *q, struct outbox_mail *out)
{
	unsigned state = col_uint(q);
	bool enclosed = col_bool(q);

	if (state > OUTBOX_DEAD)
		db_spoil(q, db_fail(q->s, ERR_CORRUPT, "outbox mail %lld has state %u",
		                    (long long)out->id, state));
	else
		out->state = (enum outbox_state)state;
	/* Such a row has its state by having no time to be sent at. */
	if (out->state == OUTBOX_NEW && enclosed)
		out->state = OUTBOX_ENCLOSED;
}

static void read_decision(struct query *q, struct outbox_mail *out)
{
	unsigned decided = col_uint(q);

	if (decided > DECIDED_AGAIN)
		db_spoil(q, db_fail(q->s, ERR_CORRUPT, "outbox mail %lld has decision %u",
		                    (long long)out->id, decided));
	else
		out->decided = (enum outbox_decision)decided;
}

static void read_refusal(struct query *q, struct outbox_mail *out)
{
	unsigned refused = col_uint(q);

	if (refused > REFUSED_ADDRESS)
		db_spoil(q, db_fail(q->s, ERR_CORRUPT, "outbox mail %lld has refusal %u",
		                    (long long)out->id, refused));
	else
		out->refused = (enum outbox_refusal)refused;
}

/* The words of a mail of which there is an outline. */
static void make_words(struct query *q, struct arena *arena, struct outbox_mail *out)
{
	struct strbuf message = STRBUF_INIT;

	db_spoil(q, db_words(q->s, out->message_id, out->message, &message));
	out->message = arena_dup(arena, strbuf_span(&message));
	strbuf_release(&message);
}

static void read_message(struct query *q, struct arena *arena, struct outbox_mail *out)
{
	out->is_dropped = col_bool(q);
	out->outlined = col_bool(q) && !out->is_dropped;
	if (out->is_dropped)
		return;
	out->message = col_sealed_text(q,
	                               out->outlined ? context_of_outline(q->s, out->message_id)
	                                             : context_of_mail(q->s, out->message_id),
	                               arena);
	if (out->outlined && q->err == ERR_NONE)
		make_words(q, arena, out);
}

static void read_mail(struct query *q, struct arena *arena, struct outbox_mail *out)
{
	out->id = col_int(q);
	out->kind = col_text(q, arena);
	out->game = col_int(q);
	out->serial = col_uint(q);
	out->seat = col_uint(q);
	out->player = col_int(q);
	out->number = col_uint(q);
	out->rcpt = col_text(q, arena);
	out->message_id = col_text(q, arena);
	out->created_utc = col_int(q);
	out->cause = col_int(q);
	read_state(q, out);
	out->attempts = col_uint(q);
	out->next_try_utc = col_int(q);
	out->tried_utc = col_int(q);
	out->answer = col_text(q, arena);
	read_decision(q, out);
	read_refusal(q, out);
	read_message(q, arena, out);
}

static enum err read_one(struct query *q, struct arena *arena, struct outbox_mail *out)
{
	bool found = db_next(q);

	memset(out, 0, sizeof(*out));
	if (found)
		read_mail(q, arena, out);
	return db_end_found(q, found, "such mail in the outbox");
}

static enum err read_list(struct query *q, struct arena *arena, struct outbox_mail **out,
                          size_t *n)
{
	void *items = NULL;

	*n = 0;
	while (db_next(q))
		read_mail(q, arena, list_add(arena, &items, n, sizeof(struct outbox_mail)));
	*out = items;
	return db_end(q);
}

/* Only the newest few rows of a seat are looked at: a long game has hundreds that have left. */
#define IS_NEW_OF_SEAT                                                                   \
	"o.id IN (SELECT id FROM outbox WHERE game = ?1 AND seat = ?2 ORDER BY id DESC"  \
	" LIMIT 8) AND state = 0 AND next_try_utc = 0 AND tried_utc = 0 AND player = ?3" \
	" AND serial = ?4"

static void bind_seat(struct query *q, int64_t game, unsigned serial, unsigned seat,
                      int64_t player)
{
	bind_int(q, game);
	bind_int(q, seat);
	bind_int(q, player);
	bind_int(q, serial);
}

enum err outbox_new_mail(struct store *s, int64_t game, unsigned serial, unsigned seat,
                         int64_t player, const char *kind, struct arena *arena,
                         struct outbox_mail *out)
{
	struct query q = db_read(s, OUTBOX_WHOLE "WHERE " IS_NEW_OF_SEAT
	                                         " AND kind = ?5 ORDER BY o.id DESC LIMIT 1");

	bind_seat(&q, game, serial, seat, player);
	bind_cstr(&q, kind);
	return read_one(&q, arena, out);
}

enum err outbox_new_outlines(struct store *s, int64_t game, unsigned serial, unsigned seat,
                             int64_t player, struct arena *arena, struct outbox_outline **out,
                             size_t *n)
{
	struct query q = db_read(
	    s, "SELECT o.id, number, message_id, sealed_outline FROM outbox o"
	       " JOIN outbox_outlines l ON l.id = o.id WHERE " IS_NEW_OF_SEAT " ORDER BY o.id");
	void *items = NULL;

	bind_seat(&q, game, serial, seat, player);
	*n = 0;
	while (db_next(&q)) {
		struct outbox_outline *o =
		    list_add(arena, &items, n, sizeof(struct outbox_outline));

		o->id = col_int(&q);
		o->number = col_uint(&q);
		o->outline =
		    col_sealed_text(&q, context_of_outline(s, col_text(&q, arena)), arena);
	}
	*out = items;
	return db_end(&q);
}

enum err outbox_by_message_id(struct store *s, struct span message_id, struct arena *arena,
                              struct outbox_mail *out)
{
	struct query q =
	    db_read(s, OUTBOX_BRIEF "WHERE " HEAD_IS_OF_1 " AND message_id || '' = ?1");

	bind_text(&q, message_id);
	return read_one(&q, arena, out);
}

enum err outbox_by_id(struct store *s, int64_t id, struct arena *arena, struct outbox_mail *out)
{
	struct query q = db_read(s, OUTBOX_BRIEF "WHERE id = ?");

	bind_int(&q, id);
	return read_one(&q, arena, out);
}

enum err outbox_nth_answer(struct store *s, int64_t game, unsigned seat, const char *kind,
                           unsigned n, int64_t *created_utc)
{
	struct query q = db_read(s, "SELECT created_utc FROM outbox WHERE game = ? AND seat = ?"
	                            " AND kind = ? AND cause IS NOT NULL"
	                            " ORDER BY id DESC LIMIT 1 OFFSET ?");

	bind_int(&q, game);
	bind_int(&q, seat);
	bind_cstr(&q, kind);
	bind_int(&q, (int64_t)n - 1);
	*created_utc = db_next(&q) ? col_int(&q) : INT64_MIN;
	return db_end(&q);
}

static enum err last_report(struct store *s, int64_t game, unsigned seat, struct arena *arena,
                            struct outbox_mail *out)
{
	struct query q = db_read(s, OUTBOX_WHOLE "WHERE game = ? AND seat = ? AND number > 0"
	                                         " AND kind IN ('report', 'end')"
	                                         " ORDER BY o.id DESC LIMIT 1");

	bind_int(&q, game);
	bind_int(&q, seat);
	return read_one(&q, arena, out);
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
	struct query q = db_read(s, OUTBOX_WHOLE "WHERE game = ? AND seat = ? AND number > 0"
	                                         " AND (?3 = 0 OR number = ?3)"
	                                         " ORDER BY o.id DESC LIMIT 1");

	bind_int(&q, game);
	bind_int(&q, seat);
	bind_int(&q, number);
	return read_one(&q, arena, out);
}

enum err outbox_history(struct store *s, int64_t game, unsigned seat, const char *kind,
                        unsigned from_serial, unsigned to_serial, struct arena *arena,
                        struct outbox_mail **out, size_t *n)
{
	struct query q = db_read(s, OUTBOX_WHOLE "WHERE game = ? AND seat = ? AND kind = ?"
	                                         " AND serial BETWEEN ? AND ? ORDER BY o.id");

	bind_int(&q, game);
	bind_int(&q, seat);
	bind_cstr(&q, kind);
	bind_int(&q, from_serial);
	bind_int(&q, to_serial);
	return read_list(&q, arena, out, n);
}

enum err outbox_by_cause(struct store *s, int64_t cause, struct arena *arena,
                         struct outbox_mail **out, size_t *n)
{
	struct query q = db_read(s, OUTBOX_BRIEF "WHERE cause = ? ORDER BY o.id");

	bind_int(&q, cause);
	return read_list(&q, arena, out, n);
}

enum err outbox_count(struct store *s, enum outbox_state state, unsigned *n)
{
	/* ENCLOSED is a state of 0 without a time. */
	struct query q = db_read(s, "SELECT count(*) FROM outbox WHERE state = ?1 % 6"
	                            " AND (state > 0 OR (next_try_utc IS NULL) = (?1 = 6))");

	bind_int(&q, state);
	*n = db_next(&q) ? col_uint(&q) : 0;
	return db_end(&q);
}

/* ----------------------------------------------------------------- sending */

/* Not to an address that mail comes back from, unless it answers what came in since from there. */
#define NOT_PAUSED                                                                         \
	" AND NOT EXISTS (SELECT 1 FROM bounced_addresses p WHERE p.address = o.rcpt"      \
	" AND p.paused_utc > 0 AND (o.created_utc <= p.paused_utc OR NOT EXISTS (SELECT 1" \
	" FROM inbox i WHERE i.id = o.cause AND i.player = o.player)))"

enum err outbox_has_due(struct store *s, int64_t now_utc, bool *due)
{
	struct query q =
	    db_read(s, "SELECT EXISTS (SELECT 1 FROM outbox o WHERE next_try_utc = 0" NOT_PAUSED
	               ") OR EXISTS (SELECT 1 FROM outbox o"
	               " WHERE next_try_utc > 0 AND next_try_utc <= ?" NOT_PAUSED ")");

	bind_int(&q, now_utc);
	*due = db_next(&q) && col_bool(&q);
	return db_end(&q);
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
	struct query q = db_read(
	    s,
	    "SELECT id FROM outbox o WHERE next_try_utc = 0 AND id > ?1 AND state <> 1" IN_TURN
		NOT_PAUSED " UNION ALL"
	    " SELECT id FROM outbox o WHERE next_try_utc > 0 AND next_try_utc <= ?2"
	    " AND id > ?1 AND state <> 1" IN_TURN NOT_PAUSED " ORDER BY id LIMIT ?3");

	bind_int(&q, after);
	bind_int(&q, now_utc);
	bind_int(&q, (int64_t)max);
	*n = 0;
	while (*n < max && db_next(&q))
		ids[(*n)++] = col_int(&q);
	return db_end(&q);
}

enum err outbox_message(struct store *s, int64_t id, struct arena *arena,
                        struct outbox_mail *out)
{
	struct query q = db_read(s, OUTBOX_WHOLE "WHERE o.id = ?");

	bind_int(&q, id);
	return read_one(&q, arena, out);
}

/* Somebody else has added it: the same mail is fine. */
static enum err require_same(struct store *s, const struct outbox_mail *m, int64_t *id)
{
	struct query q = db_read(s, OUTBOX_WHOLE "WHERE " HEAD_IS_OF_1);
	struct arena *arena = arena_new();
	struct outbox_mail there;

	bind_text(&q, m->message_id);
	enum err err = read_one(&q, arena, &there);
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
	enum err err = add_row(s, m, false, &row);

	if (err == ERR_NONE)
		err = row != 0 ? put_new(s, row, m) : require_same(s, m, &row);
	if (id)
		*id = row;
	return err;
}

enum err outbox_add_new(struct store *s, const struct outbox_mail *m)
{
	int64_t row;
	enum err err = add_row(s, m, true, &row);

	return err == ERR_NONE ? put_new(s, row, m) : err;
}

enum err outbox_add_outline(struct store *s, const struct outbox_mail *m, struct span outline,
                            int64_t *id)
{
	enum err err = add_row(s, m, true, id);

	return err == ERR_NONE ? put_outline(s, *id, m->message_id, outline) : err;
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
	struct query q = db_write(s,
	                          "UPDATE outbox SET state = ?, attempts = ?, next_try_utc = ?,"
	                          " tried_utc = ?, answer = ?, refused = ? WHERE id = ?");

	bind_int(&q, m->state);
	bind_int(&q, m->attempts);
	if (m->state == OUTBOX_SENT || m->state == OUTBOX_DEAD)
		bind_null(&q);
	else
		bind_int(&q, m->state == OUTBOX_NEW ? 0 : m->next_try_utc);
	bind_int(&q, m->tried_utc);
	bind_text(&q, m->answer);
	bind_int(&q, m->refused);
	bind_int(&q, m->id);
	return db_run_expected(&q, "such mail in the outbox");
}

static enum err redirect_where(struct store *s, const char *sql, struct span from,
                               struct span to)
{
	struct query q = db_write(s, sql);

	bind_text(&q, to);
	bind_text(&q, from);
	return db_run(&q);
}

enum err outbox_redirect(struct store *s, struct span from, struct span to)
{
	/* Two statements, so that each finds its rows through an index of unsent mail. */
	enum err err = redirect_where(s,
	                              "UPDATE outbox SET rcpt = ? WHERE next_try_utc = 0"
	                              " AND rcpt = ? COLLATE NOCASE",
	                              from, to);

	if (err != ERR_NONE)
		return err;
	return redirect_where(s,
	                      "UPDATE outbox SET rcpt = ? WHERE next_try_utc > 0"
	                      " AND rcpt = ? COLLATE NOCASE",
	                      from, to);
}

enum err outbox_recover(struct store *s, unsigned attempts_max)
{
	/* A statement each, so that each finds its rows through an index of unsent mail. */
	struct query q = db_write(s,
	                          "UPDATE outbox SET state = 5, next_try_utc = NULL, answer ="
	                          " 'whoever sent it died over it again and again'"
	                          " WHERE next_try_utc > 0 AND state = 1 AND attempts >= ?");
	enum err err;

	bind_int(&q, attempts_max);
	err = db_run(&q);
	if (err != ERR_NONE)
		return err;
	q = db_write(s, "UPDATE outbox SET state = 3 WHERE next_try_utc = 0 AND state = 1");
	err = db_run(&q);
	if (err != ERR_NONE)
		return err;
	q = db_write(s, "UPDATE outbox SET state = 3 WHERE next_try_utc > 0 AND state = 1");
	return db_run(&q);
}

/* ----------------------------------------------------- what did not get through */

enum err outbox_get(struct store *s, int64_t id, struct arena *arena, struct outbox_mail *out)
{
	struct query q = db_read(s, OUTBOX_BRIEF "WHERE o.id = ?");

	bind_int(&q, id);
	return read_one(&q, arena, out);
}

enum err outbox_add_failure(struct store *s, const struct outbox_mail *mail)
{
	struct query q = db_write(s, "INSERT INTO outbox_failures (mail, at_utc, state, answer)"
	                             " VALUES (?, ?, ?, ?)");

	bind_int(&q, mail->id);
	bind_int(&q, mail->tried_utc);
	bind_int(&q, mail->state);
	bind_text(&q, mail->answer);
	return db_run(&q);
}

enum err outbox_failures(struct store *s, int64_t mail, struct arena *arena,
                         struct outbox_failure **out, size_t *n)
{
	struct query q = db_read(s, "SELECT at_utc, state, answer FROM outbox_failures"
	                            " WHERE mail = ? ORDER BY id");
	void *items = NULL;

	bind_int(&q, mail);
	*n = 0;
	while (db_next(&q)) {
		struct outbox_failure *f =
		    list_add(arena, &items, n, sizeof(struct outbox_failure));
		f->at_utc = col_int(&q);
		f->state = (enum outbox_state)col_uint(&q); /* CHECKed to be one */
		f->answer = col_text(&q, arena);
	}
	*out = items;
	return db_end(&q);
}

enum err outbox_unsent(struct store *s, int64_t player, size_t max, struct arena *arena,
                       struct outbox_mail **out, size_t *n)
{
	struct query q = db_read(
	    s, OUTBOX_BRIEF "WHERE o.id IN (SELECT id FROM outbox WHERE next_try_utc = 0"
			    " UNION ALL SELECT id FROM outbox WHERE next_try_utc > 0"
			    " UNION ALL SELECT id FROM outbox WHERE state = 5 AND decided <> 1)"
			    " AND (?1 = 0 OR player = ?1) ORDER BY o.id LIMIT ?2");

	bind_int(&q, player);
	bind_int(&q, (int64_t)max);
	return read_list(&q, arena, out, n);
}

enum err outbox_count_given_up(struct store *s, unsigned *n)
{
	struct query q =
	    db_read(s, "SELECT count(*) FROM outbox WHERE state = 5 AND decided <> 1");

	*n = db_next(&q) ? col_uint(&q) : 0;
	return db_end(&q);
}

enum err outbox_next_refused(struct store *s, int64_t after, struct arena *arena,
                             struct outbox_mail *out)
{
	struct query q =
	    db_read(s, OUTBOX_BRIEF "WHERE refused > 0 AND o.id > ? ORDER BY o.id LIMIT 1");

	bind_int(&q, after);
	return read_one(&q, arena, out);
}

enum err outbox_refusal_done(struct store *s, int64_t id)
{
	struct query q = db_write(s, "UPDATE outbox SET refused = 0 WHERE id = ?");

	bind_int(&q, id);
	return db_run_one(&q, "such mail in the outbox");
}

enum err outbox_try_again(struct store *s, int64_t id)
{
	struct query q = db_write(s,
	                          "UPDATE outbox SET state = 2, attempts = 0, decided = 2,"
	                          " refused = 0, next_try_utc = 0 WHERE id = ? AND rcpt <> ''"
	                          " AND state IN (2, 3, 5)");

	bind_int(&q, id);
	return db_run_one(&q, "mail with this number that waits or was given up");
}

enum err outbox_put_aside(struct store *s, int64_t id)
{
	struct query q = db_write(s, "UPDATE outbox SET state = 5, decided = 1,"
	                             " next_try_utc = NULL WHERE id = ?"
	                             " AND state IN (2, 3, 5)");

	bind_int(&q, id);
	return db_run_one(&q, "mail with this number that waits or was given up");
}
