/*
 * unread_clauses.h - clauses of mails of which nothing was understood, for the operator and the authors.
 *
 * Sealed, and without addresses, reply codes and names of players: whoever adds one has taken them out. They go
 * with their writer, and after as long as mails set aside are kept (retention.h).
 */
#ifndef MOLEPOST_STORE_UNREAD_CLAUSES_H
#define MOLEPOST_STORE_UNREAD_CLAUSES_H

#include "store/engine/store.h"

struct unread_clause {
	int64_t id, at_utc;
	int64_t player;
	struct span kind; /* of game; "": of none */
	struct span text; /* opened */
};

/* Sets id. */
enum err unread_clause_add(struct store *s, struct unread_clause *c) MUST_CHECK;
/* Since then, oldest first, in `arena`. */
enum err unread_clauses_since(struct store *s, int64_t since_utc, struct arena *arena,
                              struct unread_clause **out, size_t *n) MUST_CHECK;

#endif
