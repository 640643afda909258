/*
 * arrivals.c - what the sources have, as one list, and what becomes of it.
 */
#include "processor/intake/arrivals.h"

#include <stdlib.h>

#include "store/inbox.h"

enum {
	MAX_SOURCES = 16,
	LOCAL_MAX = 32768, /* mails in a list of a folder; with each list reading begins anew */
	SERVER_MAX = 16384
};

/* One source and what the database remembers of it. */
struct feed {
	struct source *source;
	bool is_out;                /* it has failed: no more of it in this run */
	bool told_to_stay;          /* that a mail cannot be moved: of one in a run */
	bool is_lost;               /* what is remembered cannot be read, and stays as it is */
	struct strbuf saved, noted; /* in the database; written, not committed yet */
};

struct arrivals {
	struct server *srv;
	struct feed feeds[MAX_SOURCES];
	size_t nfeeds;
	struct prefetch *prefetch;
	struct arena *arena; /* of the list */
	struct found_mail *list;
	size_t nlist;
	enum err rc;          /* what went wrong first ... */
	struct failure fail;  /* ... in words */
	struct failure now;   /* what goes wrong at the moment */
	struct strbuf untold; /* lines for the operator, while the database is closed */
};

/* The first trouble is for whoever asked for the mail to tell; the operator hears of all. */
static void note_trouble(struct arrivals *a, enum err rc)
{
	if (a->rc == ERR_NONE)
		a->rc = err_set(&a->fail, rc, "%s", a->now.text.ptr);
	else if (a->srv->store)
		log_warnx(a->srv->log, "%s", a->now.text.ptr);
	else
		strbuf_addf(&a->untold, "%s\n", a->now.text.ptr);
}

static void leave_out(struct arrivals *a, struct feed *f, enum err rc)
{
	f->is_out = true;
	note_trouble(a, rc);
}

static void get_ready(void *ctx, size_t mails)
{
	struct arrivals *a = ctx;

	prefetch_get_ready(a->prefetch, mails);
}

/* Only a line of the configuration that is wrong stops the others too. */
static enum err open_source(struct arrivals *a, const char *url, bool here_only)
{
	struct feed *f = &a->feeds[a->nfeeds];
	enum err rc = source_open(url, &a->srv->cfg.settings, &f->source, &a->now);

	if (rc == ERR_CONFIG)
		return err_set(&a->srv->fail, rc, "%s", a->now.text.ptr);
	if (rc != ERR_NONE) {
		note_trouble(a, rc);
		return ERR_NONE;
	}
	if (here_only && !source_is_local(f->source)) {
		source_close(f->source);
		return ERR_NONE;
	}
	strbuf_init(&f->saved);
	strbuf_init(&f->noted);
	source_tell_waiting(f->source, get_ready, a);
	a->nfeeds++;
	source_start(f->source);
	return ERR_NONE;
}

static void poll_sources(void *ctx)
{
	struct arrivals *a = ctx;

	for (size_t i = 0; i < a->nfeeds; i++)
		source_poll(a->feeds[i].source);
}

/* A source that has failed is asked for nothing more. */
static void note_failed_fetch(void *ctx, enum err rc, const char *why)
{
	struct arrivals *a = ctx;

	err_set(&a->now, rc, "%s", why);
	note_trouble(a, rc == ERR_INVALID ? ERR_IO : rc);
}

enum err arrivals_new(struct server *srv, bool here_only, struct arrivals **out)
{
	struct arrivals *a = xcalloc(1, sizeof(*a));
	const struct prefetch_hooks hooks = {
	    .ctx = a, .poll = poll_sources, .failed = note_failed_fetch};

	*out = a;
	a->srv = srv;
	a->arena = arena_new();
	a->fail = a->now = (struct failure)ERR_INIT;
	strbuf_init(&a->untold);
	a->prefetch = prefetch_new(&srv->cfg, &hooks);
	for (size_t i = 0; i < srv->cfg.nsources && a->nfeeds + 1 < MAX_SOURCES; i++)
		TRY(open_source(a, srv->cfg.sources[i], here_only));
	return open_source(a, arena_printf(srv->arena, "maildir:%s", srv->cfg.spool), false);
}

enum err arrivals_resume(struct arrivals *a)
{
	struct span untold = strbuf_span(&a->untold), line;

	while (span_next_line(&untold, &line))
		log_warnx(a->srv->log, "%.*s", SPAN_ARGS(line));
	for (size_t i = 0; i < a->nfeeds; i++) {
		struct feed *f = &a->feeds[i];
		struct span state;

		TRY(mailbox_state_get(a->srv->store, span_of(source_url(f->source)), a->arena,
		                      &state));
		strbuf_add_span(&f->saved, state);
		/* ERR_CORRUPT: what is remembered is of no use, and without it mail could be dealt with twice. */
		enum err rc = source_resume(f->source, state, &a->now);
		f->is_lost = rc != ERR_NONE;
		if (f->is_lost)
			leave_out(a, f, rc);
	}
	return ERR_NONE;
}

void arrivals_free(struct arrivals *a)
{
	if (!a)
		return;
	prefetch_free(a->prefetch);
	for (size_t i = 0; i < a->nfeeds; i++) {
		source_close(a->feeds[i].source);
		strbuf_release(&a->feeds[i].saved);
		strbuf_release(&a->feeds[i].noted);
	}
	arena_free(a->arena);
	err_release(&a->fail);
	err_release(&a->now);
	strbuf_release(&a->untold);
	free(a);
}

void arrivals_reread(struct arrivals *a)
{
	for (size_t i = 0; i < a->nfeeds; i++)
		source_reread(a->feeds[i].source);
}

enum err arrivals_trouble(struct arrivals *a)
{
	if (a->rc == ERR_NONE)
		return ERR_NONE;
	return err_set(&a->srv->fail, a->rc, "%s", a->fail.text.ptr);
}

/* ---- listing ---- */

static int by_arrival(const void *a, const void *b)
{
	const struct found_mail *x = a, *y = b;

	if (x->mail.arrived_utc != y->mail.arrived_utc)
		return x->mail.arrived_utc < y->mail.arrived_utc ? -1 : 1;
	if (x->mail.arrived_ns != y->mail.arrived_ns)
		return x->mail.arrived_ns < y->mail.arrived_ns ? -1 : 1;
	return span_cmp(x->mail.id, y->mail.id);
}

static bool not_after(const struct source_mail *m, const struct source_mail *limit)
{
	return m->arrived_utc < limit->arrived_utc ||
	       (m->arrived_utc == limit->arrived_utc && m->arrived_ns <= limit->arrived_ns);
}

/* What one source has. */
struct listed {
	struct source_mail *mails;
	size_t n;
};

/*
 * A source that has more than it listed may hold mail older than what another source listed late,
 * so nothing newer than its last one is taken.
 */
enum err arrivals_list(struct arrivals *a, size_t *n, bool *complete)
{
	struct source_mail horizon = {.arrived_utc = INT64_MAX};
	struct listed lists[MAX_SOURCES];
	size_t found = 0;

	TRY(arrivals_drop(a));
	arena_clear(a->arena);
	a->nlist = 0;
	*complete = true;
	for (size_t i = 0; i < a->nfeeds; i++) {
		struct feed *f = &a->feeds[i];
		bool all = true;

		lists[i] = (struct listed){NULL, 0};
		enum err rc =
		    f->is_out
			? ERR_NONE
			: source_next(f->source,
		                      source_is_local(f->source) ? LOCAL_MAX : SERVER_MAX,
		                      a->arena, &lists[i].mails, &lists[i].n, &all, &a->now);
		if (rc != ERR_NONE) {
			lists[i] = (struct listed){NULL, 0};
			all = true;
			leave_out(a, f, rc);
		}
		found += lists[i].n;
		*complete = *complete && all;
		if (!all && lists[i].n > 0 &&
		    not_after(&lists[i].mails[lists[i].n - 1], &horizon))
			horizon = lists[i].mails[lists[i].n - 1];
	}
	a->list = arena_calloc(a->arena, found, sizeof(*a->list));
	for (size_t i = 0; i < a->nfeeds; i++)
		for (size_t k = 0; k < lists[i].n; k++)
			a->list[a->nlist++] = (struct found_mail){
			    a->feeds[i].source, &a->feeds[i].is_out, lists[i].mails[k]};
	if (found > 0)
		qsort(a->list, found, sizeof(*a->list), by_arrival);
	while (a->nlist > 0 && !not_after(&a->list[a->nlist - 1].mail, &horizon))
		a->nlist--;
	*n = a->nlist;
	prefetch_give(a->prefetch, a->list, a->nlist);
	return ERR_NONE;
}

/* ---- reading ---- */

enum err arrivals_next(struct arrivals *a, size_t max, bool ahead, struct arrival **batch,
                       size_t *n)
{
	return prefetch_next(a->prefetch, max, ahead, batch, n, &a->srv->fail);
}

bool arrivals_are_local(const struct arrivals *a)
{
	for (size_t i = 0; i < a->nfeeds; i++)
		if (!source_is_local(a->feeds[i].source))
			return false;
	return true;
}

bool arrivals_are_ready(struct arrivals *a, unsigned wait_ms)
{
	return prefetch_is_ready(a->prefetch, wait_ms);
}

enum err arrivals_drop(struct arrivals *a)
{
	return prefetch_drop(a->prefetch, &a->srv->fail);
}

void arrivals_poll(struct arrivals *a)
{
	prefetch_poll(a->prefetch);
}

/* ---- settling ---- */

/* Whether the source has to remember something else than the database does: in `noted`. */
static bool has_news(struct feed *f, const struct source_mail *const *done, size_t n)
{
	strbuf_clear(&f->noted);
	if (f->is_lost)
		strbuf_add_span(&f->noted, strbuf_span(&f->saved));
	else
		source_note(f->source, done, n, &f->noted);
	return !span_eq(strbuf_span(&f->noted), strbuf_span(&f->saved));
}

enum err arrivals_note(struct arrivals *a, const struct arrival *mails, size_t n)
{
	const struct source_mail **done = xcalloc(n + 1, sizeof(const struct source_mail *));
	enum err rc = ERR_NONE;

	for (size_t i = 0; i < a->nfeeds && rc == ERR_NONE; i++) {
		struct feed *f = &a->feeds[i];
		size_t ndone = 0;

		for (size_t k = 0; k < n; k++)
			if (mails[k].source == f->source)
				done[ndone++] = &mails[k].found;
		if (has_news(f, done, ndone))
			rc = mailbox_state_set(a->srv->store, span_of(source_url(f->source)),
			                       strbuf_span(&f->noted), a->srv->now_utc);
	}
	free(done);
	return rc;
}

void arrivals_noted(struct arrivals *a)
{
	for (size_t i = 0; i < a->nfeeds; i++) {
		strbuf_clear(&a->feeds[i].saved);
		strbuf_add_span(&a->feeds[i].saved, strbuf_span(&a->feeds[i].noted));
	}
}

/* Mail that has been dealt with stays where it is: it was read, and no clock stops for it. */
static void tell_unmoved(struct arrivals *a, struct feed *f)
{
	if (!f->told_to_stay)
		log_warnx(a->srv->log, "%s", a->now.text.ptr);
	f->told_to_stay = true;
}

void arrivals_settle(struct arrivals *a, const struct arrival *mail)
{
	struct feed *f = a->feeds;

	while (f->source != mail->source)
		f++;
	enum err rc = source_settle(mail->source, &mail->found, &a->now);
	if (rc == ERR_INVALID)
		tell_unmoved(a, f);
	else if (rc != ERR_NONE && !f->is_out)
		leave_out(a, f, rc);
}

enum err arrivals_sync(struct arrivals *a)
{
	bool news = false;

	for (size_t i = 0; i < a->nfeeds; i++) {
		struct feed *f = &a->feeds[i];
		enum err rc = f->is_out ? ERR_NONE : source_sync(f->source, &a->now);

		if (rc == ERR_INVALID)
			tell_unmoved(a, f);
		else if (rc != ERR_NONE)
			leave_out(a, f, rc);
		news = has_news(f, NULL, 0) || news;
	}
	if (!news)
		return ERR_NONE;
	TRY(store_begin_relaxed(a->srv->store));
	enum err rc = arrivals_note(a, NULL, 0);
	if (rc == ERR_NONE)
		rc = store_commit_relaxed(a->srv->store);
	if (rc != ERR_NONE)
		store_rollback(a->srv->store);
	else
		arrivals_noted(a);
	return rc;
}
