/*
 * schema.h - the steps from an empty database to the present schema. Private to store/.
 */
#ifndef MOLEPOST_STORE_ENGINE_SCHEMA_H
#define MOLEPOST_STORE_ENGINE_SCHEMA_H

#include "store/engine/db.h"

/* "MolP": stands in the header of every database of ours (PRAGMA application_id). */
enum { SCHEMA_APPLICATION_ID = 0x4d6f6c50 };

/* One file of store/schema/, in order; the n-th (from 1) leads to user_version n. */
struct schema_step {
	const char *name;       /* "001-foundation" */
	const char *sql;        /* for SQLite; NUL-ended */
	const char *postgresql; /* the same for PostgreSQL; NULL: a later one makes it all */
	/*
	 * It puts a new table in the place of one that others refer to. SQLite can do that only while it does
	 * not look after references: https://www.sqlite.org/lang_altertable.html, "making other kinds of
	 * table schema changes". So the step has to keep all numbers as they were.
	 */
	bool replaces;
};

/* The steps of this program. */
const struct schema_step *schema_steps(unsigned *n);
/*
 * Takes the database from its user_version to n, each step in a transaction of its own.
 * `fresh`: an empty file is fine. ERR_UNSUPPORTED for a newer schema, or for an older one that
 * is open for reading only; ERR_INVALID: not our application_id.
 */
enum err schema_upgrade(struct store *s, bool fresh, const struct schema_step *steps,
                        unsigned n) MUST_CHECK;

#endif
