/*
 * arrivals.c - from the sources through the parsing children to the lector, two batches ahead.
 *
 * The batches lie in a ring: the one the caller has in hand, and behind it up to AHEAD that are
 * being filled and parsed. A mail goes to the children as soon as it has come, while others are
 * still on their way and the caller deals with those before them, so that nobody waits for a
 * whole batch. The letters of a batch that is parsed are read while it waits.
 */
#include "processor/arrivals.h"

#include <stdlib.h>

#include "mail/parser.h"
#include "store/inbox.h"

#include "processor/base/banned.h"

enum {
	MAX_SOURCES = 16,
	LIST_MAX = 16384,
	BATCH_BYTES = 16 << 20,
	POLL_MAILS = 32,
	AHEAD = 2,
	BATCHES = AHEAD + 1
};

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

/* Mails that are handed out together. */
struct batch {
	struct arena *arena;
	struct arrival *items;
	struct mail_in *mails;
	bool *too_large;
	size_t n, max, bytes;
	struct parser_job job;
	struct lector_pile *letters;
	bool is_given; /* to the lector */
};

struct arrivals {
	struct server *srv;
	struct feed feeds[MAX_SOURCES];
	size_t nfeeds;
	struct parser *parser;
	struct lector *lector;
	struct arena *arena; /* of the list */
	struct found *list;
	size_t nlist, at; /* list[at] is read next */
	struct batch batches[BATCHES];
	size_t turn;         /* batches[turn] is handed out next ... */
	size_t begun;        /* ... and so many are begun, from there on */
	size_t ahead_max;    /* mails in a batch that is begun ahead; 0: none is */
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
	a->lector = lector_new(srv->cfg.max_commands);
	for (size_t i = 0; i < BATCHES; i++) {
		a->batches[i].arena = arena_new();
		arena_keep(a->batches[i].arena, BATCH_BYTES);
		a->batches[i].letters = lector_pile_new(a->lector);
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
	for (size_t i = 0; i < BATCHES; i++) {
		lector_pile_free(a->batches[i].letters);
		arena_free(a->batches[i].arena);
	}
	lector_free(a->lector);
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

	TRY(arrivals_drop(a));
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

/* Into the batch, and to the parser; rc is what source_fetch said. */
static void add(struct arrivals *a, const struct found *f, struct batch *b, struct span raw,
                enum err rc)
{
	struct arrival *out = &b->items[b->n];

	*out = (struct arrival){
	    .source = f->feed->source, .found = f->mail, .raw = arena_dup(b->arena, raw)};
	if (rc == ERR_CORRUPT)
		out->condemned = arena_strdup(b->arena, a->now.text.ptr);
	b->too_large[b->n] = rc == ERR_LIMIT;
	parser_add(a->parser, &b->job, out->raw, b->arena, &b->mails[b->n]);
	b->n++;
	b->bytes += raw.len;
	if (b->n % POLL_MAILS == 0)
		parser_poll(a->parser);
}

/* The next mail of the list. */
static void fetch(struct arrivals *a, struct batch *b)
{
	const struct found *f = &a->list[a->at++];
	struct strbuf raw = STRBUF_INIT;
	enum err rc;

	if (f->feed->is_out)
		return;
	rc =
	    source_fetch(f->feed->source, &f->mail, a->srv->cfg.limits.max_size, &raw, &a->now);
	if (is_wanted(a, f, rc))
		add(a, f, b, strbuf_span(&raw), rc);
	strbuf_release(&raw);
}

static bool is_full(const struct arrivals *a, const struct batch *b)
{
	return b->n == b->max || b->bytes >= BATCH_BYTES || a->at == a->nlist;
}

static struct batch *batch_at(struct arrivals *a, size_t ahead)
{
	return &a->batches[(a->turn + ahead) % BATCHES];
}

static struct batch *begin(struct arrivals *a, size_t max)
{
	struct batch *b = batch_at(a, a->begun++);

	lector_clear(b->letters);
	b->is_given = false;
	arena_clear(b->arena);
	b->n = b->bytes = 0;
	b->max = a->nlist - a->at < max ? a->nlist - a->at : max;
	b->items = arena_calloc(b->arena, b->max, sizeof(*b->items));
	b->too_large = arena_calloc(b->arena, b->max, sizeof(*b->too_large));
	b->mails = arena_calloc(b->arena, b->max, sizeof(*b->mails));
	b->job = (struct parser_job){0};
	return b;
}

static bool is_here(const struct found *f)
{
	return f->feed->is_out || source_is_here(f->feed->source, &f->mail);
}

/* All mails that have come, as far as there is room ahead. Never waits. */
static void take_what_is_here(struct arrivals *a)
{
	while (a->at < a->nlist && is_here(&a->list[a->at])) {
		struct batch *b = a->begun > 0 ? batch_at(a, a->begun - 1) : NULL;

		if (!b || is_full(a, b))
			b = a->begun < AHEAD && a->ahead_max > 0 ? begin(a, a->ahead_max)
			                                         : NULL;
		if (!b)
			return;
		fetch(a, b);
	}
}

static struct digest content_of(const struct mail_in *mail)
{
	struct digest d = {{0}};

	for (size_t i = 0; i < DIGEST_LEN && mail->has_message_id_or_date; i++)
		d.bytes[i] = mail->content_digest[i];
	return d;
}

static bool is_parsed(const struct arrivals *a, const struct batch *b)
{
	return is_full(a, b) && parser_is_done(&b->job);
}

/* The letters of the batches that are parsed can be read. */
static void give_letters(struct arrivals *a)
{
	for (size_t i = 0; i < a->begun; i++) {
		struct batch *b = batch_at(a, i);

		if (b->is_given || !is_parsed(a, b))
			continue;
		b->is_given = true;
		lector_give(b->letters, b->mails, b->n);
	}
}

static void poll_sources(struct arrivals *a)
{
	for (size_t i = 0; i < a->nfeeds; i++)
		source_poll(a->feeds[i].source);
	take_what_is_here(a);
}

static void meanwhile(void *ctx)
{
	poll_sources(ctx);
}

/* Waits for the rest of the batch: for its mails first, then for the parser. */
static enum err complete(struct arrivals *a, struct batch *b)
{
	while (!is_full(a, b)) {
		if (!is_here(&a->list[a->at]))
			parser_poll(a->parser); /* has something to do until it comes */
		fetch(a, b);
	}
	TRY(parser_finish(a->parser, &b->job, meanwhile, a, &a->srv->fail));
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
	*n = 0;
	*batch = NULL;
	a->ahead_max = ahead ? max : 0;
	lector_clear(batch_at(a, AHEAD)->letters); /* that was handed out last */
	/* Of some batches no mail could be had: then the one behind them is the next. */
	while (*n == 0 && (a->begun > 0 || a->at < a->nlist)) {
		struct batch *b = a->begun > 0 ? batch_at(a, 0) : begin(a, max);

		TRY(complete(a, b));
		give_letters(a);
		for (size_t i = 0; i < b->n; i++)
			b->items[i].letter = lector_letter(b->letters, i);
		*batch = b->items;
		*n = b->n;
		a->turn = (a->turn + 1) % BATCHES;
		a->begun--;
	}
	arrivals_poll(a);
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
	const struct batch *b = batch_at(a, 0);

	arrivals_poll(a);
	return a->begun > 0 && is_parsed(a, b);
}

enum err arrivals_drop(struct arrivals *a)
{
	a->at = a->nlist;
	for (; a->begun > 0; a->begun--) {
		TRY(complete(a, batch_at(a, 0)));
		lector_clear(batch_at(a, 0)->letters);
		a->turn = (a->turn + 1) % BATCHES;
	}
	return ERR_NONE;
}

void arrivals_poll(struct arrivals *a)
{
	poll_sources(a);
	parser_poll(a->parser);
	give_letters(a);
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
