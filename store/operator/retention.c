/*
 * retention.c - old texts and rows.
 */
#include "store/operator/retention.h"

#include "store/engine/row.h"
#include "store/engine/sealed.h"

/* What was given up and not put aside may be tried again by the operator. */
#define IS_DONE(o) "(" o ".next_try_utc IS NULL AND (" o ".state <> 5 OR " o ".decided = 1))"
/* And what waits to be brought by another mail may have to go out after all, until that one has. */
#define WILL_NOT_GO_OUT                                                                       \
	"(" IS_DONE("o") " AND NOT EXISTS (SELECT 1 FROM enclosed_mails k LEFT JOIN outbox b" \
			 " ON b.id = k.brought_by WHERE k.outbox = o.id"                      \
			 " AND (k.brought_by IS NULL OR NOT " IS_DONE("b") ")))"

/* ---- texts ---- */

enum err retention_texts_due(struct store *s, int64_t player, int64_t before_utc, size_t max,
                             int64_t *after, bool *over, int64_t *ids, size_t *n)
{
	/* The two lists in the order of their ids, so that the first young one is the end. */
	struct query q = db_read(s,
	                         "SELECT t.id, o.created_utc >= ?2,"
	                         " CASE WHEN ?3 = 0 THEN " WILL_NOT_GO_OUT
	                         " ELSE o.player = ?3 AND o.next_try_utc IS NULL END"
	                         " FROM (SELECT id FROM outbox_messages WHERE id > ?1 UNION ALL"
	                         " SELECT id FROM outbox_outlines WHERE id > ?1) t"
	                         " CROSS JOIN outbox o WHERE o.id = t.id ORDER BY t.id");

	row_bind(&q, ARGS(*after, before_utc, player));
	*n = 0;
	*over = true;
	while (db_next(&q)) {
		int64_t id = col_int(&q);
		bool young = col_bool(&q), done = col_bool(&q);

		*over = young;
		if (young || *n == max)
			break;
		*after = id;
		if (done)
			ids[(*n)++] = id;
		*over = true;
	}
	return db_end(&q);
}

enum err retention_drop_text(struct store *s, const struct outbox_mail *m, struct span proofs)
{
	TRY(row_do(s, "DELETE FROM outbox_messages WHERE id = ?", ARGS(m->id)));
	TRY(row_do(s, "DELETE FROM outbox_outlines WHERE id = ?", ARGS(m->id)));
	return row_do(s, "INSERT INTO outbox_proofs (id, sealed_proofs) VALUES (?, ?)",
	              ARGS(m->id, row_sealed(SEALED, "proofs", ARGS(m->message_id), proofs)));
}

enum err retention_proofs(struct store *s, int64_t id, struct span message_id,
                          struct arena *arena, struct span *proofs)
{
	struct query q = db_read(s, "SELECT sealed_proofs FROM outbox_proofs WHERE id = ?");

	bind_int(&q, id);
	bool found = db_next(&q);
	if (found)
		*proofs = col_sealed_text(&q, SEALED,
		                          seal_context(s, "proofs", ARGS(message_id)), arena);
	return db_end_found(&q, found, "mail whose text is no longer kept");
}

struct kept_counts {
	int64_t texts, proofs;
};
static const struct row_shape counts_row =
    ROW_SHAPE(struct kept_counts, COLUMNS(struct kept_counts, texts, proofs));

enum err retention_count(struct store *s, int64_t *texts, int64_t *proofs)
{
	struct kept_counts c;
	enum err err = row_find(s,
	                        "SELECT (SELECT count(*) FROM outbox_messages)"
	                        " + (SELECT count(*) FROM outbox_outlines),"
	                        " (SELECT count(*) FROM outbox_proofs)",
	                        NO_ARGS, &counts_row, NULL, &c);

	*texts = c.texts;
	*proofs = c.proofs;
	return err;
}

/* ---- rows ---- */

enum err retention_rows_last(struct store *s, int64_t *at_utc)
{
	return row_find(s, "SELECT rows_utc FROM retention", NO_ARGS, &row_int64, NULL, at_utc);
}

enum err retention_rows(struct store *s, const struct retention_limits *l, int64_t now_utc,
                        unsigned *n)
{
	const struct {
		const char *sql;
		int64_t before_utc;
	} steps[] = {
	    {"UPDATE inbox SET message_id = NULL, sealed_detail = NULL WHERE handled_utc < ?"
	     " AND (message_id IS NOT NULL OR sealed_detail IS NOT NULL)",
	     l->inbox_utc},
	    {"DELETE FROM unread_clauses WHERE at_utc < ?", l->quarantine_utc},
	    {"UPDATE outbox AS o SET rcpt = '', answer = '' WHERE created_utc < ?"
	     " AND (rcpt <> '' OR answer <> '')"
	     " AND EXISTS (SELECT 1 FROM outbox_proofs p WHERE p.id = o.id)",
	     l->outbox_utc},
	    {"DELETE FROM outbox_failures WHERE at_utc < ? AND mail IN"
	     " (SELECT id FROM outbox WHERE rcpt = '')",
	     l->outbox_utc},
	    {"DELETE FROM audit WHERE at_utc < ?1 AND is_public = 0 AND (game IS NULL"
	     " OR game IN (SELECT id FROM games WHERE status > 2 AND ended_utc < ?1))",
	     l->audit_utc},
	    {"DELETE FROM runs WHERE ended_utc < ?", l->runs_utc},
	    {"DELETE FROM quarantine WHERE at_utc < ?", l->quarantine_utc},
	};

	*n = 0;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		unsigned rows;

		TRY(row_do_count(s, steps[i].sql, ARGS(steps[i].before_utc), &rows));
		*n += rows;
	}
	return row_do_one(s, "UPDATE retention SET rows_utc = ?", ARGS(now_utc),
	                  "row of retention");
}

/* ---- of one person ---- */

enum err retention_forget_rows(struct store *s, int64_t player, struct span address,
                               int64_t now_utc, struct retention_forgotten *out)
{
	unsigned rows;

	*out = (struct retention_forgotten){0};
	TRY(row_do_count(s,
	                 "UPDATE inbox SET message_id = NULL, sealed_detail = NULL"
	                 " WHERE player = ?",
	                 ARGS(player), &out->mails_in));
	TRY(row_do(s, "DELETE FROM unread_clauses WHERE player = ?", ARGS(player)));
	TRY(row_do(s, "DELETE FROM joins WHERE player = ?", ARGS(player)));
	TRY(row_do_count(s,
	                 "DELETE FROM quarantine WHERE inbox IN"
	                 " (SELECT id FROM inbox WHERE player = ?)",
	                 ARGS(player), &out->originals));
	/* The next run takes the originals out of the mailbox. */
	TRY(row_do_count(s,
	                 "UPDATE inbox SET purge_utc = ?2"
	                 " WHERE player = ?1 AND purge_utc > ?2",
	                 ARGS(player, now_utc), &rows));
	out->originals += rows;
	return row_do_count(
	    s,
	    "DELETE FROM troubles WHERE ?1 <> ''"
	    " AND (instr(lower(line), lower(?1)) > 0 OR instr(lower(name), lower(?1)) > 0)"
	    " AND name NOT IN ('unread', 'unsent', 'clock')",
	    ARGS(address), &out->troubles);
}
