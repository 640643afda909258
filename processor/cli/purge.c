/*
 * purge.c - handled mail that has been kept long enough.
 */
#include "processor/cli/purge.h"

#include "mail/source.h"
#include "store/inbox.h"

enum { PURGE_BATCH = 1000 };

/* How long mail that cannot be removed now is left alone. */
enum { TRY_AGAIN_S = 24 * 3600 };

struct purge {
	struct server *srv;
	struct arena *arena;
	struct inbox_mail *rows;
	size_t n;
	bool *failed; /* per row */
};

static enum err remove_mails(struct purge *p, struct source *s)
{
	struct span url = span_of(source_url(s)), state;

	TRY(mailbox_state_get(p->srv->store, url, p->arena, &state));
	TRY(source_resume(s, state, &p->srv->fail));
	for (size_t i = 0; i < p->n; i++)
		if (span_eq(p->rows[i].source, url))
			TRY(source_purge(s, p->rows[i].transport_id, &p->srv->fail));
	return source_sync(s, &p->srv->fail);
}

static bool has_rows(const struct purge *p, const char *url)
{
	for (size_t i = 0; i < p->n; i++)
		if (span_eq_str(p->rows[i].source, url))
			return true;
	return false;
}

/* Records what the source remembers from now on, and what it could not remove. */
static enum err record_source(struct purge *p, struct source *s, const char *url, bool failed)
{
	struct strbuf state = STRBUF_INIT;
	enum err rc = ERR_NONE;

	for (size_t i = 0; i < p->n; i++)
		p->failed[i] = p->failed[i] || (failed && span_eq_str(p->rows[i].source, url));
	if (s && !failed)
		source_note(s, NULL, 0, &state);
	if (state.len > 0)
		rc = mailbox_state_set(p->srv->store, span_of(url), strbuf_span(&state),
		                       p->srv->now_utc);
	strbuf_release(&state);
	return rc;
}

/* A mailbox that is away today keeps its mail a day longer, which is no reason to stop. */
static enum err purge_from(struct purge *p, const char *url)
{
	struct source *source = NULL;
	struct server *srv = p->srv;

	if (!has_rows(p, url))
		return ERR_NONE;
	enum err rc = source_open(url, &srv->cfg.settings, &source, &srv->fail);
	if (rc == ERR_NONE)
		rc = remove_mails(p, source);
	if (rc != ERR_NONE)
		log_warnx(srv->log, "handled mail could not be removed: %s",
		          server_why(srv, rc));
	bool failed = rc != ERR_NONE;
	rc = store_begin_relaxed(srv->store);
	if (rc == ERR_NONE)
		rc = record_source(p, source, url, failed);
	if (rc == ERR_NONE)
		rc = store_commit_relaxed(srv->store);
	if (rc != ERR_NONE)
		store_rollback(srv->store);
	source_close(source);
	return rc;
}

static enum err record(const struct purge *p)
{
	struct server *srv = p->srv;

	TRY(store_begin_relaxed(srv->store));
	for (size_t i = 0; i < p->n; i++) {
		enum err rc = p->failed[i] ? inbox_purge_later(srv->store, p->rows[i].id,
		                                               srv->now_utc + TRY_AGAIN_S)
		                           : inbox_purged(srv->store, p->rows[i].id);
		if (rc != ERR_NONE) {
			store_rollback(srv->store);
			return rc;
		}
	}
	return store_commit_relaxed(srv->store);
}

static enum err purge_batch(struct server *srv, struct arena *arena, size_t *n)
{
	struct purge p = {.srv = srv, .arena = arena};

	TRY(inbox_purge_due(srv->store, srv->now_utc, PURGE_BATCH, arena, &p.rows, n));
	if (*n == 0)
		return ERR_NONE;
	p.n = *n;
	p.failed = arena_calloc(arena, p.n, sizeof(*p.failed));
	for (size_t i = 0; i < srv->cfg.nsources; i++)
		TRY(purge_from(&p, srv->cfg.sources[i]));
	TRY(purge_from(&p, arena_printf(arena, "maildir:%s", srv->cfg.spool)));
	return record(&p);
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
