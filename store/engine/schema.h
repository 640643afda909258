/*
 * schema.h - the migrations from an empty database to the present schema. Private to store/.
 */
#ifndef MOLEPOST_STORE_ENGINE_SCHEMA_H
#define MOLEPOST_STORE_ENGINE_SCHEMA_H

#include "store/engine/db.h"

/* "MolP": stands in the header of every database of ours (PRAGMA application_id). */
enum { SCHEMA_APPLICATION_ID = 0x4d6f6c50 };

/* One file of store/schema/, in order; the n-th (from 1) leads to user_version n. */
struct migration {
	const char *name;       /* "001-foundation" */
	const char *sqlite;     /* its text for SQLite; NUL-ended */
	const char *postgresql; /* and for PostgreSQL; NULL: a later one makes it all */
};

/* The migrations of this program. */
const struct migration *migrations(unsigned *n);
/*
 * Takes the database from its user_version to n, each migration in a transaction of its own. References are not
 * looked after meanwhile: SQLite can put a new table in the place of one that others refer to only so
 * (https://www.sqlite.org/lang_altertable.html, "making other kinds of table schema changes"). A migration has to
 * keep all numbers that others refer to.
 * `fresh`: an empty file is fine. ERR_UNSUPPORTED for a newer schema, or for an older one that
 * is open for reading only; ERR_INVALID: not our application_id.
 */
enum err schema_upgrade(struct store *s, bool fresh, const struct migration *all,
                        unsigned n) MUST_CHECK;

#endif
