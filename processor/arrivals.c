/*
 * arrivals.c - from the sources through the parsing child, one batch ahead.
 */
#include "processor/arrivals.h"

#include <stdlib.h>

#include "mail/parser.h"
#include "store/inbox.h"

#include "processor/base/banned.h"

enum { MAX_SOURCES = 16, LIST_MAX = 16384, BATCH_BYTES = 16 << 20 };

/* One source and what the database remembers of it. */
struct feed {
	struct source *source;
	bool is_out;                /* it has failed: no more of it in this run */
	bool is_lost;               /* what is remembered cannot be read, and stays as it is */
	struct strbuf saved, noted; /* in the database; written, not committed yet */
};

struct found {
	struct feed *feed;
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
	struct feed feeds[MAX_SOURCES];
	size_t nfeeds;
	struct parser *parser;
	struct arena *arena; /* of the list */
	struct found *list;
	size_t nlist, at; /* list[at] is read next */
	struct batch batches[2];
	unsigned turn;       /* batches[turn] is the next to be handed out */
	bool submitted;      /* ... and is at the parser */
	enum err rc;         /* what went wrong first ... */
	struct failure fail; /* ... in words */
	struct failure now;  /* what goes wrong at the moment */
};

/* The first trouble is for whoever asked for the mail to tell; the operator hears of all. */
static void note_trouble(struct arrivals *a, enum err rc)
{
	if (a->rc == ERR_NONE)
		a->rc = err_set(&a->fail, rc, "%s", a->now.text.ptr);
	else
		log_warnx(a->srv->log, "%s", a->now.text.ptr);
}

static void leave_out(struct arrivals *a, struct feed *f, enum err rc)
{
	f->is_out = true;
	note_trouble(a, rc);
}

/* ERR_CORRUPT: what is remembered is of no use, and without it mail could be dealt with twice. */
static enum err resume(struct arrivals *a, struct feed *f)
{
	struct span state;

	TRY(mailbox_state_get(a->srv->store, span_of(source_url(f->source)), a->arena, &state));
	strbuf_add_span(&f->saved, state);
	enum err rc = source_resume(f->source, state, &a->now);
	f->is_lost = rc != ERR_NONE;
	if (f->is_lost)
		leave_out(a, f, rc);
	return ERR_NONE;
}

static void get_ready(void *ctx, size_t mails)
{
	struct arrivals *a = ctx;

	parser_get_ready(a->parser, mails);
}

/* Only a line of the configuration that is wrong stops the others too. */
static enum err open_source(struct arrivals *a, const char *url)
{
	struct feed *f = &a->feeds[a->nfeeds];
	enum err rc = source_open(url, &a->srv->cfg.access, &f->source, &a->now);

	if (rc == ERR_CONFIG)
		return err_set(&a->srv->fail, rc, "%s", a->now.text.ptr);
	if (rc != ERR_NONE) {
		note_trouble(a, rc);
		return ERR_NONE;
	}
	strbuf_init(&f->saved);
	strbuf_init(&f->noted);
	source_tell_waiting(f->source, get_ready, a);
	a->nfeeds++;
	return resume(a, f);
}

enum err arrivals_open(struct server *srv, struct arrivals **out)
{
	struct parser_limits limits = parser_default_limits;
	struct arrivals *a = xcalloc(1, sizeof(*a));

	*out = a;
	a->srv = srv;
	a->arena = arena_new();
	a->fail = a->now = (struct failure)ERR_INIT;
	for (size_t i = 0; i < 2; i++) {
		a->batches[i] = (struct batch){.arena = arena_new(), .fail = ERR_INIT};
		arena_keep(a->batches[i].arena, BATCH_BYTES);
	}
	limits.mail = srv->cfg.limits;
	limits.wait_ms = srv->cfg.max_parse_seconds * 1000;
	a->parser = parser_new(NULL, &limits);
	for (size_t i = 0; i < srv->cfg.nsources && a->nfeeds + 1 < MAX_SOURCES; i++)
		TRY(open_source(a, srv->cfg.sources[i]));
	return open_source(a, arena_printf(srv->arena, "maildir:%s", srv->cfg.spool));
}

void arrivals_close(struct arrivals *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->nfeeds; i++) {
		source_close(a->feeds[i].source);
		strbuf_release(&a->feeds[i].saved);
		strbuf_release(&a->feeds[i].noted);
	}
	parser_free(a->parser);
	for (size_t i = 0; i < 2; i++) {
		arena_free(a->batches[i].arena);
		err_release(&a->batches[i].fail);
	}
	arena_free(a->arena);
	err_release(&a->fail);
	err_release(&a->now);
	free(a);
}

enum err arrivals_reread(struct arrivals *a)
{
	for (size_t i = 0; i < a->nfeeds; i++)
		TRY(source_reread(a->feeds[i].source, &a->srv->fail));
	return ERR_NONE;
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

	for (size_t i = 0; i < a->nfeeds; i++)
		n += lists[i].n;
	a->list = arena_calloc(a->arena, n, sizeof(*a->list));
	for (size_t i = 0; i < a->nfeeds; i++)
		for (size_t k = 0; k < lists[i].n; k++)
			a->list[a->nlist++] = (struct found){&a->feeds[i], lists[i].mails[k]};
	if (n > 0)
		qsort(a->list, n, sizeof(*a->list), by_arrival);
}

static void list_feed(struct arrivals *a, struct feed *f, struct listed *out, bool *all)
{
	enum err rc;

	*out = (struct listed){NULL, 0};
	*all = true;
	if (f->is_out)
		return;
	rc = source_next(f->source, LIST_MAX, a->arena, &out->mails, &out->n, all, &a->now);
	if (rc == ERR_NONE)
		return;
	*out = (struct listed){NULL, 0};
	*all = true;
	leave_out(a, f, rc);
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
	for (size_t i = 0; i < a->nfeeds; i++) {
		list_feed(a, &a->feeds[i], &lists[i], &all);
		*complete = *complete && all;
		if (!all && lists[i].n > 0 &&
		    not_after(&lists[i].mails[lists[i].n - 1], &horizon))
			horizon = lists[i].mails[lists[i].n - 1];
	}
	join_lists(a, lists);
	while (a->nlist > 0 && !not_after(&a->list[a->nlist - 1].mail, &horizon))
		a->nlist--;
	*n = a->nlist;
	parser_get_ready(a->parser, a->nlist);
	return ERR_NONE;
}

/* ---- reading ---- */

/* Whether the mail goes into the batch; if not, that is nobody's loss or has been noted. */
static bool is_wanted(struct arrivals *a, const struct found *f, enum err rc)
{
	switch ((int)rc) {
	case ERR_NONE:
	case ERR_LIMIT:
	case ERR_CORRUPT:
		return true;
	case ERR_NOT_FOUND: /* somebody else took it */
		return false;
	case ERR_INVALID: /* this one only */
		note_trouble(a, ERR_IO);
		return false;
	default:
		leave_out(a, f->feed, rc);
		return false;
	}
}

static void fetch(struct arrivals *a, const struct found *f, struct batch *b,
                  struct strbuf *raw)
{
	struct arrival *out = &b->items[b->n];
	enum err rc;

	strbuf_clear(raw);
	if (f->feed->is_out)
		return;
	rc = source_fetch(f->feed->source, &f->mail, a->srv->cfg.limits.max_size, raw, &a->now);
	if (!is_wanted(a, f, rc))
		return;
	b->too_large[b->n++] = rc == ERR_LIMIT;
	*out = (struct arrival){.source = f->feed->source,
	                        .found = f->mail,
	                        .raw = arena_dup(b->arena, strbuf_span(raw))};
	if (rc == ERR_CORRUPT)
		out->condemned = arena_strdup(b->arena, a->now.text.ptr);
}

static void fetch_all(struct arrivals *a, size_t max, struct batch *b)
{
	struct strbuf raw = STRBUF_INIT;
	size_t bytes = 0;

	while (a->at < a->nlist && b->n < max && bytes < BATCH_BYTES) {
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
	if (ahead && a->at < a->nlist)
		submit(a, max);
	/* None of them could be had: then the batch behind them is the next. */
	if (*n == 0 && (a->submitted || a->at < a->nlist))
		return arrivals_next(a, max, ahead, batch, n);
	return ERR_NONE;
}

bool arrivals_are_local(const struct arrivals *a)
{
	for (size_t i = 0; i < a->nfeeds; i++)
		if (!source_is_local(a->feeds[i].source))
			return false;
	return true;
}

bool arrivals_are_ready(struct arrivals *a)
{
	if (!a->submitted)
		return false;
	if (a->batches[a->turn].rc == ERR_NONE)
		parser_poll(a->parser);
	return parser_is_done(a->parser);
}

enum err arrivals_drop(struct arrivals *a)
{
	a->at = a->nlist;
	return a->submitted ? collect(a, &a->batches[a->turn]) : ERR_NONE;
}

void arrivals_poll(struct arrivals *a)
{
	if (a->submitted)
		parser_poll(a->parser);
	for (size_t i = 0; i < a->nfeeds; i++)
		source_poll(a->feeds[i].source);
}

/* ---- settling ---- */

static struct feed *feed_of(struct arrivals *a, const struct source *source)
{
	size_t i = 0;

	while (a->feeds[i].source != source)
		i++;
	return &a->feeds[i];
}

/* What the source has to remember goes to the database if it is not what stands there. */
static enum err note_feed(struct arrivals *a, struct feed *f,
                          const struct source_mail *const *done, size_t n)
{
	strbuf_clear(&f->noted);
	if (f->is_lost)
		strbuf_add_span(&f->noted, strbuf_span(&f->saved));
	else
		source_note(f->source, done, n, &f->noted);
	if (span_eq(strbuf_span(&f->noted), strbuf_span(&f->saved)))
		return ERR_NONE;
	return mailbox_state_set(a->srv->store, span_of(source_url(f->source)),
	                         strbuf_span(&f->noted), a->srv->now_utc);
}

enum err arrivals_note(struct arrivals *a, const struct arrival *mails, size_t n)
{
	const struct source_mail **done = xcalloc(n + 1, sizeof(const struct source_mail *));
	enum err rc = ERR_NONE;

	for (size_t i = 0; i < a->nfeeds && rc == ERR_NONE; i++) {
		size_t ndone = 0;

		for (size_t k = 0; k < n; k++)
			if (mails[k].source == a->feeds[i].source)
				done[ndone++] = &mails[k].found;
		rc = note_feed(a, &a->feeds[i], done, ndone);
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

void arrivals_settle(struct arrivals *a, const struct arrival *mail)
{
	struct feed *f = feed_of(a, mail->source);
	enum err rc = source_settle(mail->source, &mail->found, &a->now);

	if (rc != ERR_NONE && !f->is_out)
		leave_out(a, f, rc);
}

static bool has_news(struct arrivals *a)
{
	bool news = false;

	for (size_t i = 0; i < a->nfeeds; i++) {
		struct feed *f = &a->feeds[i];

		strbuf_clear(&f->noted);
		if (!f->is_lost)
			source_note(f->source, NULL, 0, &f->noted);
		news = news || (!f->is_lost &&
		                !span_eq(strbuf_span(&f->noted), strbuf_span(&f->saved)));
	}
	return news;
}

enum err arrivals_sync(struct arrivals *a)
{
	for (size_t i = 0; i < a->nfeeds; i++) {
		struct feed *f = &a->feeds[i];
		enum err rc = f->is_out ? ERR_NONE : source_sync(f->source, &a->now);

		if (rc != ERR_NONE)
			leave_out(a, f, rc);
	}
	if (!has_news(a))
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
