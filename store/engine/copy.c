/*
 * copy.c - everything of one store into a new one, on whichever engines they are.
 *
 * Rows go over as they are, sealed as they were: the key file belongs to both. The row that names the server
 * goes last, so that what was stopped in the middle is no server and nobody takes it for one.
 */
#include "store/engine/copy.h"

#include <stdlib.h>
#include <string.h>

#include "store/engine/engine.h"
#include "store/engine/schema.h"

enum { ROWS_AT_ONCE = 1000 };

/* So that none refers to a row that comes later, and no trigger takes away what is there already. */
static const char *const tables[] = {
    "players",
    "strangers",
    "games",
    "seats",
    "turns",
    "results",
    "sources",
    "audit",
    "runs",
    "in_flight",
    "bounced_addresses",
    "unreachable_seats",
    "player_addresses",
    "revocations",
    "mailbox_states",
    "imports",
    "forks",
    "press_rules",
    "press",
    "observers",
    "reminders",
    "votes",
    "pulse",
    "outages",
    "seat_holders",
    "standings",
    "ratings",
    "rematches",
    "invitations",
    "waiting",
    "standing_orders",
    "absences",
    "sender_days",
    "inbox",
    "orders",
    "quarantine",
    "outbox",
    "outbox_messages",
    "bounced_mails",
    "outbox_failures",
    "enclosed_mails",
    "digests",
    "digest_turns",
    "outbox_outlines",
    "confirmations",
    "confirmation_mails",
    "troubles",
    "outbox_proofs",
    "retention",
    "keys",
    "entry_terms",
    "motions",
    "nudges",
    "thanks",
    "invites",
    "no_invites",
    "entries",
    "option_texts",
    "unread_clauses",
    "joins",
    "puzzles",
    "server",
};
enum { NTABLES = sizeof tables / sizeof *tables };

struct copy {
	struct store *from, *to;
	struct strbuf insert; /* its address is that of the statement: one for each table */
	int64_t rows;
	store_copy_progress *progress;
	void *ctx;
};

/* Worked out by the database: never copied. */
static bool is_computed(const char *table, const char *column)
{
	return strcmp(table, "turns") == 0 && strcmp(column, "due_utc") == 0;
}

static void write_insert(struct strbuf *out, const char *table, const struct query *row)
{
	struct strbuf values = STRBUF_INIT;

	strbuf_addf(out, "INSERT INTO %s (", table);
	for (int i = 0; i < col_count(row); i++) {
		if (is_computed(table, col_name(row, i)))
			continue;
		strbuf_addf(out, "%s%s", values.len ? ", " : "", col_name(row, i));
		strbuf_adds(&values, values.len ? ", ?" : "?");
	}
	strbuf_addf(out, ") VALUES (%s)", values.ptr);
	strbuf_release(&values);
}

static void bind_column(struct query *to, struct query *row, int at)
{
	const struct engine *from = row->s->engine;

	switch (from->col_kind(row, at)) {
	case VALUE_NULL:
		bind_null(to);
		break;
	case VALUE_INT:
		bind_int(to, from->col_int(row, at));
		break;
	case VALUE_TEXT:
		bind_text(to, from->col_bytes(row, at));
		break;
	case VALUE_BLOB:
		bind_blob(to, from->col_bytes(row, at));
		break;
	}
}

static enum err copy_row(struct copy *c, const char *table, struct query *row)
{
	if (c->insert.len == 0)
		write_insert(&c->insert, table, row);
	struct query q = db_write(c->to, c->insert.ptr);
	for (int i = 0; i < col_count(row); i++)
		if (!is_computed(table, col_name(row, i)))
			bind_column(&q, row, i);
	c->rows++;
	return db_run(&q);
}

/* Some of its rows at a time where otherwise all would be in memory at once. */
static enum err copy_rows(struct copy *c, const char *table, const char *sql, bool *any)
{
	struct query rows = db_read_text(c->from, sql);
	enum err rc = ERR_NONE;

	*any = false;
	while (rc == ERR_NONE && db_next(&rows)) {
		*any = true;
		rc = copy_row(c, table, &rows);
	}
	enum err read = db_end(&rows);
	return rc != ERR_NONE ? rc : read;
}

static enum err copy_table(struct copy *c, const char *table)
{
	struct strbuf select = STRBUF_INIT, fetch = STRBUF_INIT;
	bool more = true;
	enum err rc = store_begin(c->to);

	strbuf_addf(&select, "SELECT * FROM %s", table);
	strbuf_addf(&fetch, "FETCH %d FROM %s_rows", ROWS_AT_ONCE, table);
	if (rc == ERR_NONE && c->from->engine->is_file) {
		rc = copy_rows(c, table, select.ptr, &more);
	} else if (rc == ERR_NONE) {
		struct strbuf declare = STRBUF_INIT;

		strbuf_addf(&declare, "DECLARE %s_rows CURSOR FOR %s", table, select.ptr);
		rc = db_exec(c->from, declare.ptr);
		while (rc == ERR_NONE && more)
			rc = copy_rows(c, table, fetch.ptr, &more);
		strbuf_release(&declare);
	}
	strbuf_release(&select);
	strbuf_release(&fetch);
	return store_end(c->to, rc);
}

/* Of the rows that the migrations themselves have made, and of what a copy that was stopped has left. */
static enum err empty_tables(struct store *to)
{
	struct strbuf sql = STRBUF_INIT;
	enum err rc = store_begin(to);

	for (size_t i = NTABLES; i > 0; i--)
		strbuf_addf(&sql, "DELETE FROM %s;", tables[i - 1]);
	if (rc == ERR_NONE)
		rc = db_exec(to, sql.ptr);
	strbuf_release(&sql);
	return store_end(to, rc);
}

static enum err copy_all(struct store *from, struct store *to, store_copy_progress *progress,
                         void *ctx, int64_t *rows)
{
	struct copy c = {.from = from, .to = to, .progress = progress, .ctx = ctx};
	struct strbuf inserts[NTABLES];
	enum err rc = store_begin_reading(from);

	for (size_t i = 0; i < NTABLES; i++)
		strbuf_init(&inserts[i]);
	if (rc == ERR_NONE)
		rc = empty_tables(to);
	for (size_t i = 0; rc == ERR_NONE && i < NTABLES; i++) {
		progress(ctx, (unsigned)i, NTABLES, tables[i]);
		c.insert = inserts[i];
		rc = copy_table(&c, tables[i]);
		inserts[i] = c.insert;
	}
	db_rollback(from);
	if (rc == ERR_NONE && to->engine->after_copy)
		rc = db_exec(to, to->engine->after_copy);
	/* Their statements are kept until the store is closed, and found by their address. */
	db_forget_statements(to);
	for (size_t i = 0; i < NTABLES; i++)
		strbuf_release(&inserts[i]);
	*rows = c.rows;
	return rc;
}

struct source {
	struct store *s;
	store_copy_progress *progress;
	void *ctx;
	int64_t *rows;
};

static enum err fill(struct store *to, void *ctx)
{
	const struct source *from = ctx;
	enum err err = copy_all(from->s, to, from->progress, from->ctx, from->rows);

	/* What went wrong may have gone wrong where it is read. */
	if (err != ERR_NONE && from->s->failure.code == err)
		err = db_fail(to, err, "%s", from->s->failure.text.ptr);
	return err;
}

enum err store_copy(const char *from, const char *to, store_copy_progress *progress, void *ctx,
                    int64_t *rows, struct failure *e)
{
	struct source source = {.progress = progress, .ctx = ctx, .rows = rows};
	enum err err = store_open(from, STORE_READ_ONLY, NULL, &source.s, e);

	*rows = 0;
	if (err == ERR_NONE)
		err = store_create_filled(to, fill, &source, e);
	store_close(source.s);
	return err;
}
