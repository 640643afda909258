/*
 * purge.c - handled mail that has been kept long enough.
 */
#include "processor/purge.h"

#include "mail/source.h"
#include "store/inbox.h"

enum { PURGE_BATCH = 1000 };

/* Removes the files of one source's rows, then records it. */
static enum err purge_row(struct server *srv, struct source *source, const struct inbox_mail *m)
{
	if (span_eq_str(m->source, source_url(source)))
		TRY(source_purge(source, m->transport_id, &srv->fail));
	return ERR_NONE;
}

static enum err purge_from(struct server *srv, const char *url, const struct inbox_mail *rows,
                           size_t n)
{
	struct source *source = NULL;
	enum err rc = source_open(url, &srv->cfg.access, &source, &srv->fail);

	for (size_t i = 0; i < n && rc == ERR_NONE; i++)
		rc = purge_row(srv, source, &rows[i]);
	source_close(source);
	return rc;
}

static enum err record(struct server *srv, const struct inbox_mail *rows, size_t n)
{
	TRY(store_begin_relaxed(srv->store));
	for (size_t i = 0; i < n; i++) {
		enum err rc = inbox_purged(srv->store, rows[i].id);
		if (rc != ERR_NONE) {
			store_rollback(srv->store);
			return rc;
		}
	}
	return store_commit_relaxed(srv->store);
}

static enum err purge_batch(struct server *srv, struct arena *arena, size_t *n)
{
	struct inbox_mail *rows;
	const char *spool = arena_printf(arena, "maildir:%s", srv->cfg.spool);

	TRY(inbox_purge_due(srv->store, srv->now_utc, PURGE_BATCH, arena, &rows, n));
	if (*n == 0)
		return ERR_NONE;
	for (size_t i = 0; i < srv->cfg.nsources; i++)
		TRY(purge_from(srv, srv->cfg.sources[i], rows, *n));
	TRY(purge_from(srv, spool, rows, *n));
	return record(srv, rows, *n);
}

enum err purge_handled(struct server *srv)
{
	struct arena *arena = arena_new();
	size_t n;
	enum err rc;

	do {
		arena_clear(arena);
		rc = purge_batch(srv, arena, &n);
	} while (rc == ERR_NONE && n == PURGE_BATCH);
	arena_free(arena);
	return rc;
}
