/*
 * fsck.h - every invariant of the database as a query.
 */
#ifndef MOLEPOST_STORE_ENGINE_FSCK_H
#define MOLEPOST_STORE_ENGINE_FSCK_H

#include "store/engine/store.h"

/*
 * Runs SQLite's own check and each invariant on one moment of the database; calls `report` once
 * per violation with the invariant's name and the object, and `progress` (may be NULL) before
 * each. *violations counts them. A table that cannot be read is a
 * violation; other errors (ERR_BUSY, ERR_IO) end it.
 */
struct fsck_hooks {
	void (*report)(void *ctx, const char *invariant, const char *object);
	void (*progress)(void *ctx, unsigned done, unsigned total, const char *name);
	void *ctx;
	uint64_t *seals; /* how many were opened is added here; may be NULL */
};
enum fsck_reach {
	FSCK_ROWS, /* what must hold between the rows, the texts of mails apart */
	FSCK_FILE, /* and what goes over the whole file: SQLite's own checks, a text for each mail */
	FSCK_SEALS /* and every seal opens */
};
enum err fsck_run(struct store *s, enum fsck_reach reach, const struct fsck_hooks *hooks,
                  unsigned *violations) MUST_CHECK;
/* The name of the i-th invariant, from 0, the seals last; NULL after the last. */
const char *fsck_name(unsigned i);
/*
 * Every row of every table as text in a fixed order, seals opened, without attempts, the run
 * log and in_flight: two databases with the same history give the same dump (`test-dump`).
 */
enum err store_dump(struct store *s, struct strbuf *out) MUST_CHECK;

#endif
