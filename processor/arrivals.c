/*
 * arrivals.c - from the sources through the parsing child, one batch ahead.
 */
#include "processor/arrivals.h"

#include <stdlib.h>

#include "mail/parser.h"

#include "processor/base/banned.h"

enum { MAX_SOURCES = 16, LIST_MAX = 16384, BATCH_BYTES = 16 << 20 };

struct found {
	struct source *source;
	struct source_mail mail;
};

/* Mails read and given to the parser together. */
struct batch {
	struct arena *arena;
	struct arrival *items;
	struct mail_in *mails;
	bool *too_large;
	size_t n;
	enum err rc;         /* of the parser ... */
	struct failure fail; /* ... in words */
};

struct arrivals {
	struct server *srv;
	struct source *sources[MAX_SOURCES];
	size_t nsources;
	struct parser *parser;
	struct arena *arena; /* of the list */
	struct found *list;
	size_t nlist, at; /* list[at] is read next */
	struct batch batches[2];
	unsigned turn;  /* batches[turn] is the next to be handed out */
	bool submitted; /* ... and is at the parser */
	enum err rc;    /* a mail that cannot be read: those before it come first */
	struct failure fail;
};

static enum err open_source(struct arrivals *a, const char *url)
{
	TRY(source_open(url, &a->srv->cfg.access, &a->sources[a->nsources], &a->srv->fail));
	a->nsources++;
	return ERR_NONE;
}

enum err arrivals_open(struct server *srv, struct arrivals **out)
{
	struct parser_limits limits = parser_default_limits;
	struct arrivals *a = xcalloc(1, sizeof(*a));

	*out = a;
	a->srv = srv;
	a->arena = arena_new();
	a->fail = (struct failure)ERR_INIT;
	for (size_t i = 0; i < 2; i++)
		a->batches[i] = (struct batch){.arena = arena_new(), .fail = ERR_INIT};
	limits.mail = srv->cfg.limits;
	limits.wait_ms = srv->cfg.max_parse_seconds * 1000;
	a->parser = parser_new(NULL, &limits);
	for (size_t i = 0; i < srv->cfg.nsources && a->nsources + 1 < MAX_SOURCES; i++)
		TRY(open_source(a, srv->cfg.sources[i]));
	return open_source(a, arena_printf(srv->arena, "maildir:%s", srv->cfg.spool));
}

void arrivals_close(struct arrivals *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->nsources; i++)
		source_close(a->sources[i]);
	parser_free(a->parser);
	for (size_t i = 0; i < 2; i++) {
		arena_free(a->batches[i].arena);
		err_release(&a->batches[i].fail);
	}
	arena_free(a->arena);
	err_release(&a->fail);
	free(a);
}

enum err arrivals_reread(struct arrivals *a)
{
	for (size_t i = 0; i < a->nsources; i++)
		TRY(source_reread(a->sources[i], &a->srv->fail));
	return ERR_NONE;
}

/* ---- listing ---- */

static int by_arrival(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

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

static void join_lists(struct arrivals *a, const struct listed *lists)
{
	size_t n = 0;

	for (size_t i = 0; i < a->nsources; i++)
		n += lists[i].n;
	a->list = arena_calloc(a->arena, n, sizeof(*a->list));
	for (size_t i = 0; i < a->nsources; i++)
		for (size_t k = 0; k < lists[i].n; k++)
			a->list[a->nlist++] = (struct found){a->sources[i], lists[i].mails[k]};
	if (n > 0)
		qsort(a->list, n, sizeof(*a->list), by_arrival);
}

/*
 * A source that has more than it listed may hold mail older than what another source listed late,
 * so nothing newer than its last one is taken.
 */
enum err arrivals_list(struct arrivals *a, size_t *n, bool *complete)
{
	struct source_mail horizon = {.arrived_utc = INT64_MAX};
	struct listed lists[MAX_SOURCES];
	bool all;

	arena_clear(a->arena);
	a->nlist = a->at = 0;
	*complete = true;
	for (size_t i = 0; i < a->nsources; i++) {
		TRY(source_next(a->sources[i], LIST_MAX, a->arena, &lists[i].mails, &lists[i].n,
		                &all, &a->srv->fail));
		*complete = *complete && all;
		if (!all && lists[i].n > 0 &&
		    not_after(&lists[i].mails[lists[i].n - 1], &horizon))
			horizon = lists[i].mails[lists[i].n - 1];
	}
	join_lists(a, lists);
	while (a->nlist > 0 && !not_after(&a->list[a->nlist - 1].mail, &horizon))
		a->nlist--;
	*n = a->nlist;
	return ERR_NONE;
}

/* ---- reading ---- */

static void fetch(struct arrivals *a, const struct found *f, struct batch *b,
                  struct strbuf *raw)
{
	strbuf_clear(raw);
	a->rc = source_fetch(f->source, &f->mail, a->srv->cfg.limits.max_size, raw, &a->fail);
	b->too_large[b->n] = a->rc == ERR_LIMIT;
	if (a->rc == ERR_NONE || a->rc == ERR_LIMIT)
		b->items[b->n++] =
		    (struct arrival){.source = f->source,
		                     .found = f->mail,
		                     .raw = arena_dup(b->arena, strbuf_span(raw))};
	/* One that has vanished is somebody else's. */
	if (a->rc == ERR_LIMIT || a->rc == ERR_NOT_FOUND)
		a->rc = ERR_NONE;
}

static void fetch_all(struct arrivals *a, size_t max, struct batch *b)
{
	struct strbuf raw = STRBUF_INIT;
	size_t bytes = 0;

	while (a->at < a->nlist && b->n < max && bytes < BATCH_BYTES && a->rc == ERR_NONE) {
		fetch(a, &a->list[a->at++], b, &raw);
		bytes += raw.len;
	}
	strbuf_release(&raw);
}

/* Reads the next mails and hands them to the parser. */
static void submit(struct arrivals *a, size_t max)
{
	struct batch *b = &a->batches[a->turn];
	struct span *raws;

	arena_clear(b->arena);
	b->n = 0;
	max = a->nlist - a->at < max ? a->nlist - a->at : max;
	b->items = arena_calloc(b->arena, max, sizeof(*b->items));
	b->too_large = arena_calloc(b->arena, max, sizeof(*b->too_large));
	fetch_all(a, max, b);
	raws = arena_calloc(b->arena, b->n, sizeof(*raws));
	b->mails = arena_calloc(b->arena, b->n, sizeof(*b->mails));
	for (size_t i = 0; i < b->n; i++)
		raws[i] = b->items[i].raw;
	b->rc = parser_submit(a->parser, raws, b->n, b->arena, b->mails, &b->fail);
	a->submitted = true;
}

static struct digest content_of(const struct mail_in *mail)
{
	struct digest d = {{0}};

	for (size_t i = 0; i < DIGEST_LEN && mail->has_message_id_or_date; i++)
		d.bytes[i] = mail->content_digest[i];
	return d;
}

static enum err collect(struct arrivals *a, struct batch *b)
{
	if (b->rc == ERR_NONE)
		b->rc = parser_collect(a->parser, &b->fail);
	a->submitted = false;
	if (b->rc != ERR_NONE)
		return err_set(&a->srv->fail, b->rc, "%s", b->fail.text.ptr);
	for (size_t i = 0; i < b->n; i++) {
		b->items[i].mail = b->mails[i];
		b->items[i].content = content_of(&b->mails[i]);
		if (b->too_large[i])
			b->items[i].mail.fault = MAIL_TOO_LARGE;
	}
	return ERR_NONE;
}

enum err arrivals_next(struct arrivals *a, size_t max, bool ahead, struct arrival **batch,
                       size_t *n)
{
	struct batch *b = &a->batches[a->turn];

	if (!a->submitted)
		submit(a, max);
	*batch = NULL;
	*n = 0;
	TRY(collect(a, b));
	*batch = b->items;
	*n = b->n;
	a->turn = 1 - a->turn;
	if (ahead && a->at < a->nlist && a->rc == ERR_NONE)
		submit(a, max);
	if (*n == 0 && a->rc != ERR_NONE)
		return err_set(&a->srv->fail, a->rc, "%s", a->fail.text.ptr);
	/* All of them vanished: then the batch behind them is the next. */
	if (*n == 0 && (a->submitted || a->at < a->nlist))
		return arrivals_next(a, max, ahead, batch, n);
	return ERR_NONE;
}

void arrivals_poll(struct arrivals *a)
{
	if (a->submitted)
		parser_poll(a->parser);
}

/* ---- settling ---- */

enum err arrivals_settle(struct arrivals *a, const struct arrival *mail)
{
	return source_settle(mail->source, &mail->found, &a->srv->fail);
}

enum err arrivals_sync(struct arrivals *a)
{
	for (size_t i = 0; i < a->nsources; i++)
		TRY(source_sync(a->sources[i], &a->srv->fail));
	return ERR_NONE;
}
