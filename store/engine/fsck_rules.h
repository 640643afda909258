/*
 * fsck_rules.h - what must hold of the rows, as queries; between fsck_rules.c and fsck.c.
 */
#ifndef MOLEPOST_STORE_ENGINE_FSCK_RULES_H
#define MOLEPOST_STORE_ENGINE_FSCK_RULES_H

#include <stdbool.h>

/*
 * A rule, and the query that gives one row, the name of the object, for each object that breaks
 * it.
 */
struct invariant {
	const char *name;
	const char *sql;
};

/* The first of them go over every row; the very first two, of a file only, over its pages. */
enum { OF_A_FILE = 2, WHOLE_FILE = 3 };

extern const struct invariant fsck_invariants[];
extern const unsigned fsck_invariants_count;

/*
 * Sealed bytes of every row that has any: object, associated data as in sealed.h, the bytes,
 * and for secrets the digest that must come out, else NULL. `once`: sealed without a stored
 * nonce.
 */
struct sealed_column {
	const char *name;
	const char *sql;
	bool once;
};

extern const struct sealed_column fsck_seals[];
extern const unsigned fsck_seals_count;

#endif
