/*
 * unread_clauses.c - rows of what was not understood.
 */
#include "store/unread_clauses.h"

#include "store/engine/row.h"

enum err unread_clause_add(struct store *s, struct unread_clause *c)
{
	TRY(row_find(s, "SELECT coalesce(max(id), 0) + 1 FROM unread_clauses", NO_ARGS,
	             &row_int64, NULL, &c->id));
	return row_do(s,
	              "INSERT INTO unread_clauses (id, at_utc, kind, player, sealed_text)"
	              " VALUES (?, ?, ?, ?, ?)",
	              ARGS(c->id, c->at_utc, c->kind, c->player,
	                   row_sealed(SEALED, "clause", ARGS(c->id, c->player), c->text)));
}

static const struct row_shape clause_row =
    ROW_SHAPE(struct unread_clause, COLUMNS(struct unread_clause, id, at_utc, kind, player),
              COLUMN_SEALED(struct unread_clause, text, SEALED, "clause", id, player));

enum err unread_clauses_since(struct store *s, int64_t since_utc, struct arena *arena,
                              struct unread_clause **out, size_t *n)
{
	return row_list(s,
	                "SELECT id, at_utc, kind, player, sealed_text FROM unread_clauses"
	                " WHERE at_utc >= ? ORDER BY id",
	                ARGS(since_utc), &clause_row, arena, out, n);
}
