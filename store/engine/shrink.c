/*
 * shrink.c - the file gives back pages that hold nothing any more.
 */
#include "store/engine/engine.h"
#include "store/engine/row.h"

/* At once: 8 MiB, so that the log stays small and a reader waits for no longer than that. */
enum { PAGES_AT_ONCE = 1000, INCREMENTAL = 2 };

/* Until then pages cannot be given back one by one: that takes room and writes while nobody needs it. */
static enum err rewrite_once(struct store *s)
{
	int64_t mode;
	enum err err = row_find(s, "PRAGMA auto_vacuum", NO_ARGS, &row_int64, NULL, &mode);

	if (err != ERR_NONE || mode == INCREMENTAL)
		return err;
	/* The copy lies beside the database, for there is room enough if anywhere. */
	db_temporary_beside(s, true);
	err = db_exec(s, "PRAGMA temp_store = FILE; PRAGMA auto_vacuum = INCREMENTAL; VACUUM");
	if (err == ERR_NONE)
		err = db_exec(s, "PRAGMA temp_store = MEMORY");
	db_temporary_beside(s, false);
	return err == ERR_NONE ? db_checkpoint(s, true) : err;
}

static enum err count_free(struct store *s, int64_t *pages)
{
	return row_find(s, "PRAGMA freelist_count", NO_ARGS, &row_int64, NULL, pages);
}

enum err store_shrink(struct store *s, store_progress *progress, void *ctx)
{
	struct strbuf some = STRBUF_INIT;
	int64_t at_first = 0, left, last = INT64_MAX;

	if (s->tx != DB_TX_NONE)
		BUG("shrinking inside a transaction");
	/* PostgreSQL gives rows that are gone back by itself; this does not wait for that. */
	if (!s->engine->is_file)
		return db_exec(s, "VACUUM");
	enum err err = rewrite_once(s);
	if (err == ERR_NONE)
		err = count_free(s, &at_first);
	left = err == ERR_NONE ? at_first : 0;
	strbuf_addf(&some, "PRAGMA incremental_vacuum(%d)", PAGES_AT_ONCE);
	for (; err == ERR_NONE && left > 0 && left < last;) {
		last = left;
		progress(ctx, at_first - left, at_first);
		err = db_exec(s, some.ptr);
		if (err == ERR_NONE)
			err = db_checkpoint(s, true);
		if (err == ERR_NONE)
			err = count_free(s, &left);
	}
	strbuf_release(&some);
	return err == ERR_NONE ? db_checkpoint(s, true) : err;
}
