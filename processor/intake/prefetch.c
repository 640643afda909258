/*
 * prefetch.c - from the sources through the parsing children, two batches ahead.
 *
 * The batches lie in a ring: the one the caller has in hand, and behind it up to AHEAD that are
 * being filled and parsed. A mail goes to the children as soon as it has come, while others are
 * still on their way and the caller deals with those before them, so that nobody waits for a
 * whole batch.
 *
 * Whoever fetches - the thread from when it is started until it is joined, else the caller - is
 * the only one to touch the parser, the place in the list and the batches that are not ready. The
 * lock guards the ring and what the two tell each other; a batch that is_ready is the caller's.
 */
#include "processor/intake/prefetch.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "mail/parser.h"
#include "processor/base/clock.h"
#include "processor/base/err.h"

#include "processor/base/banned.h"

enum {
	BATCH_BYTES = 16 << 20,
	AHEAD = 2,
	BATCHES = AHEAD + 1,
	FETCHED_AT_ONCE = 32, /* then the parser is looked after */
	FIRST_MAILS = 64,     /* of a long list: for these the caller waits, children and all */
	/*
	 * So long the thread lets results gather while nobody waits for them: each look costs as much as
	 * reading some ten.
	 */
	REST_MS = 3
};

/* What came of a fetch without a mail. */
struct loss {
	enum err rc;
	const char *why;
	struct loss *before;
};

/* Mails that are handed out together. */
struct batch {
	struct arena *arena;
	struct arrival *items;
	struct mail_in *mails;
	bool *too_large;
	size_t n, max, bytes;
	struct loss *losses; /* the last first */
	struct parser_job job;
	bool is_ready; /* full and parsed */
};

struct prefetch {
	const struct config *cfg;
	struct prefetch_hooks hooks;
	bool is_local;

	/* Of whoever fetches. */
	struct parser *parser;
	const struct found_mail *list;
	size_t nlist, at; /* list[at] is fetched next */
	struct failure now;

	pthread_t thread;
	bool started; /* the caller's */
	pthread_mutex_t lock;
	pthread_cond_t work, ready;
	struct batch batches[BATCHES];
	size_t turn;      /* batches[turn] is handed out next ... */
	size_t begun;     /* ... and so many are begun, from there on */
	size_t ahead_max; /* mails in a batch that is begun ahead; 0: none is */
	bool at_end;      /* all of the list has been fetched */
	bool called;      /* since the thread last looked there is more room */
	bool hurry;       /* the caller waits */
	bool over;
};

static void init_lock(struct prefetch *c)
{
	pthread_condattr_t monotonic;

	ENSURE(pthread_mutex_init(&c->lock, NULL) == 0);
	ENSURE(pthread_condattr_init(&monotonic) == 0);
	ENSURE(pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) == 0);
	ENSURE(pthread_cond_init(&c->work, &monotonic) == 0);
	ENSURE(pthread_cond_init(&c->ready, &monotonic) == 0);
	pthread_condattr_destroy(&monotonic);
}

struct prefetch *prefetch_new(const struct config *cfg, const struct prefetch_hooks *hooks)
{
	struct parser_limits limits = parser_default_limits;
	struct prefetch *c = xcalloc(1, sizeof(*c));

	c->cfg = cfg;
	c->hooks = *hooks;
	c->now = (struct failure)ERR_INIT;
	for (size_t i = 0; i < BATCHES; i++) {
		c->batches[i].arena = arena_new();
		arena_keep(c->batches[i].arena, BATCH_BYTES);
	}
	limits.mail = cfg->limits;
	limits.wait_ms = cfg->max_parse_seconds * 1000;
	c->parser = parser_new(NULL, &limits);
	c->at_end = true;
	init_lock(c);
	return c;
}

void prefetch_get_ready(struct prefetch *c, size_t mails)
{
	parser_get_ready(c->parser, mails);
}

void prefetch_give(struct prefetch *c, const struct found_mail *list, size_t n, bool is_local)
{
	c->list = list;
	c->nlist = n;
	c->at = 0;
	c->at_end = n == 0;
	c->is_local = is_local;
	prefetch_get_ready(c, n);
}

/* ---- the ring, with the lock held ---- */

static struct batch *batch_at(struct prefetch *c, size_t ahead)
{
	return &c->batches[(c->turn + ahead) % BATCHES];
}

static struct batch *begin(struct prefetch *c, size_t max)
{
	struct batch *b = batch_at(c, c->begun++);

	arena_clear(b->arena);
	b->is_ready = false;
	b->losses = NULL;
	b->n = b->bytes = 0;
	b->max = c->nlist - c->at < max ? c->nlist - c->at : max;
	b->items = arena_calloc(b->arena, b->max, sizeof(*b->items));
	b->too_large = arena_calloc(b->arena, b->max, sizeof(*b->too_large));
	b->mails = arena_calloc(b->arena, b->max, sizeof(*b->mails));
	b->job = (struct parser_job){0};
	return b;
}

static bool is_full(const struct prefetch *c, const struct batch *b)
{
	return b->n == b->max || b->bytes >= BATCH_BYTES || c->at == c->nlist;
}

/* Where the next mail goes; NULL: there is none, or no room. */
static struct batch *open_batch(struct prefetch *c)
{
	struct batch *b = c->begun > 0 ? batch_at(c, c->begun - 1) : NULL;

	if (b && !is_full(c, b))
		return b;
	if (c->at == c->nlist || c->begun == AHEAD || c->ahead_max == 0)
		return NULL;
	return begin(c, c->at == 0 && c->ahead_max > FIRST_MAILS ? FIRST_MAILS : c->ahead_max);
}

static struct hash content_of(const struct mail_in *mail)
{
	struct hash d = {{0}};

	for (size_t i = 0; i < HASH_LEN && mail->has_message_id_or_date; i++)
		d.bytes[i] = mail->content_hash[i];
	return d;
}

/* All of it is parsed: the caller may have it. */
static void make_ready(struct prefetch *c, struct batch *b)
{
	b->is_ready = true;
	for (size_t i = 0; i < b->n && b->job.error == ERR_NONE; i++) {
		b->items[i].mail = b->mails[i];
		b->items[i].content = content_of(&b->mails[i]);
		if (b->too_large[i])
			b->items[i].mail.fault = MAIL_TOO_LARGE;
	}
	pthread_cond_signal(&c->ready);
}

static void note_progress(struct prefetch *c)
{
	for (size_t i = 0; i < c->begun; i++) {
		struct batch *b = batch_at(c, i);

		if (!b->is_ready && is_full(c, b) && parser_is_done(&b->job))
			make_ready(c, b);
	}
	if (c->at == c->nlist && !c->at_end) {
		c->at_end = true;
		pthread_cond_signal(&c->ready);
	}
}

/* ---- fetching ---- */

static void note_loss(struct prefetch *c, struct batch *b, enum err rc)
{
	struct loss *l = arena_alloc(b->arena, sizeof(*l));

	*l = (struct loss){rc, arena_strdup(b->arena, c->now.text.ptr), b->losses};
	b->losses = l;
}

/* Into the batch, and to the parser; rc is what source_fetch said. */
static void add(struct prefetch *c, const struct found_mail *f, struct batch *b,
                struct span raw, enum err rc)
{
	struct arrival *out = &b->items[b->n];

	*out = (struct arrival){
	    .source = f->source, .found = f->mail, .raw = arena_dup(b->arena, raw)};
	if (rc == ERR_CORRUPT)
		out->condemned = arena_strdup(b->arena, c->now.text.ptr);
	b->too_large[b->n] = rc == ERR_LIMIT;
	parser_add(c->parser, &b->job, out->raw, b->arena, &b->mails[b->n]);
	b->n++;
	b->bytes += raw.len;
}

/* The next mail of the list. */
static void fetch(struct prefetch *c, struct batch *b)
{
	const struct found_mail *f = &c->list[c->at++];
	struct strbuf raw = STRBUF_INIT;
	enum err rc;

	if (atomic_load(f->is_out))
		return;
	rc = source_fetch(f->source, &f->mail, c->cfg->limits.max_size, &raw, &c->now);
	switch ((int)rc) {
	case ERR_NONE:
	case ERR_LIMIT:
	case ERR_CORRUPT:
		add(c, f, b, strbuf_span(&raw), rc);
		break;
	case ERR_NOT_FOUND: /* somebody else took it */
		break;
	case ERR_INVALID: /* this one only */
		note_loss(c, b, rc);
		break;
	default:
		atomic_store(f->is_out, true);
		note_loss(c, b, rc);
	}
	strbuf_release(&raw);
}

static bool is_here(const struct found_mail *f)
{
	return atomic_load(f->is_out) || source_is_here(f->source, &f->mail);
}

/*
 * A handful of mails that have come, as far as there is room ahead; false: there were none. Never
 * waits. With the lock held, which is given back meanwhile.
 */
static bool take_some(struct prefetch *c)
{
	struct batch *b = open_batch(c);
	size_t n = 0;

	pthread_mutex_unlock(&c->lock);
	for (; b && n < FETCHED_AT_ONCE && !is_full(c, b) && is_here(&c->list[c->at]); n++)
		fetch(c, b);
	parser_poll(c->parser);
	pthread_mutex_lock(&c->lock);
	note_progress(c);
	return n > 0;
}

/* ---- the thread ---- */

static bool is_parsing(struct prefetch *c)
{
	bool busy = false;

	for (size_t i = 0; i < c->begun; i++)
		busy = busy || !parser_is_done(&batch_at(c, i)->job);
	return busy;
}

/* `anew`: it was not waited for just now, and the children may have had no processor meanwhile. */
static void wait_for_parser(struct prefetch *c, bool anew)
{
	pthread_mutex_unlock(&c->lock);
	if (anew)
		parser_be_patient(c->parser);
	parser_wait(c->parser);
	pthread_mutex_lock(&c->lock);
	note_progress(c);
}

/* False: that was not signalled in so many milliseconds. */
static bool wait_a_while(struct prefetch *c, pthread_cond_t *cond, unsigned ms)
{
	int64_t until_ms = clock_monotonic_ms() + ms;
	struct timespec until = {until_ms / 1000, until_ms % 1000 * 1000000};

	return pthread_cond_timedwait(cond, &c->lock, &until) == 0;
}

static void *work(void *arg)
{
	struct prefetch *c = arg;
	bool waited = false;

	/* It keeps its priority: a child that it starts for one mail alone would have less too. */
	pthread_mutex_lock(&c->lock);
	while (!c->over) {
		c->called = false;
		if (take_some(c) || c->over || c->called)
			continue;
		if (!is_parsing(c))
			pthread_cond_wait(&c->work, &c->lock);
		else if (c->hurry)
			wait_for_parser(c, !waited);
		else
			(void)wait_a_while(c, &c->work, REST_MS);
		waited = c->hurry;
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

static void start(struct prefetch *c)
{
	c->over = false;
	c->started = pthread_create(&c->thread, NULL, work, c) == 0;
}

/* From here on the caller fetches. */
static void stop(struct prefetch *c)
{
	if (!c->started)
		return;
	pthread_mutex_lock(&c->lock);
	c->over = true;
	pthread_cond_signal(&c->work);
	pthread_mutex_unlock(&c->lock);
	pthread_join(c->thread, NULL);
	c->started = false;
}

/* ---- the caller ---- */

static void go_on(struct prefetch *c)
{
	c->hooks.poll(c->hooks.ctx);
	pthread_mutex_lock(&c->lock);
	while (take_some(c))
		;
	pthread_mutex_unlock(&c->lock);
}

static void meanwhile(void *ctx)
{
	go_on(ctx);
}

void prefetch_poll(struct prefetch *c)
{
	if (!c->started)
		go_on(c);
}

/* Waits for the rest of the first batch: for its mails first, then for the parser. */
static enum err complete(struct prefetch *c, struct failure *e)
{
	struct batch *b = batch_at(c, 0);

	while (!is_full(c, b)) {
		if (!is_here(&c->list[c->at]))
			parser_poll(c->parser); /* has something to do until it comes */
		fetch(c, b);
	}
	enum err rc = parser_finish(c->parser, &b->job, meanwhile, c, e);
	pthread_mutex_lock(&c->lock);
	note_progress(c);
	pthread_mutex_unlock(&c->lock);
	return rc;
}

/* The thread has a batch ready, or nothing more to give. */
static bool has_answer(struct prefetch *c)
{
	return c->begun > 0 ? batch_at(c, 0)->is_ready : c->at_end;
}

/* Until the thread has a batch ready; false: it has nothing more to give. */
static bool wait_for_thread(struct prefetch *c)
{
	bool is_there;

	pthread_mutex_lock(&c->lock);
	c->hurry = true;
	pthread_cond_signal(&c->work);
	while (!has_answer(c))
		pthread_cond_wait(&c->ready, &c->lock);
	c->hurry = false;
	is_there = c->begun > 0;
	pthread_mutex_unlock(&c->lock);
	return is_there;
}

/* There is a first batch, whoever brings it. */
static bool has_batch(struct prefetch *c, size_t max)
{
	if (c->started)
		return wait_for_thread(c);
	if (c->begun == 0 && c->at < c->nlist)
		(void)begin(c, max);
	return c->begun > 0;
}

/* What was handed out last is no longer needed, and more may be begun: by the thread in any case. */
static void make_room(struct prefetch *c, size_t max, bool ahead)
{
	pthread_mutex_lock(&c->lock);
	c->ahead_max = ahead || c->started ? max : 0;
	c->called = true;
	pthread_cond_signal(&c->work);
	pthread_mutex_unlock(&c->lock);
}

static void tell_losses(struct prefetch *c, struct loss *last)
{
	struct loss *first = NULL, *before;

	for (; last; last = before) {
		before = last->before;
		last->before = first;
		first = last;
	}
	for (; first; first = first->before)
		c->hooks.failed(c->hooks.ctx, first->rc, first->why);
}

/* The first batch, complete; it leaves the ring, and stays as it is until there are two more. */
static enum err take_first(struct prefetch *c, struct batch **out, struct failure *e)
{
	struct batch *b = batch_at(c, 0);

	if (c->started && b->job.error != ERR_NONE)
		stop(c);
	if (!c->started)
		TRY(complete(c, e));
	pthread_mutex_lock(&c->lock);
	c->turn = (c->turn + 1) % BATCHES;
	c->begun--;
	pthread_mutex_unlock(&c->lock);
	tell_losses(c, b->losses);
	*out = b;
	return ERR_NONE;
}

enum err prefetch_next(struct prefetch *c, size_t max, bool ahead, struct arrival **batch,
                       size_t *n, struct failure *e)
{
	*n = 0;
	*batch = NULL;
	make_room(c, max, ahead);
	if (!c->started && ahead && c->is_local && c->nlist - c->at > max)
		start(c);
	/* Of some batches no mail could be had: then the one behind them is the next. */
	while (*n == 0 && has_batch(c, max)) {
		struct batch *b;

		TRY(take_first(c, &b, e));
		*batch = b->items;
		*n = b->n;
	}
	prefetch_poll(c);
	return ERR_NONE;
}

/* For the thread, as long as that; the time begins anew when it has been heard of. */
static void hurry_it(struct prefetch *c, unsigned wait_ms)
{
	c->hurry = true;
	pthread_cond_signal(&c->work);
	while (!has_answer(c) && wait_a_while(c, &c->ready, wait_ms))
		;
	c->hurry = false;
}

bool prefetch_is_ready(struct prefetch *c, unsigned wait_ms)
{
	bool ready;

	prefetch_poll(c);
	pthread_mutex_lock(&c->lock);
	if (c->started && wait_ms > 0)
		hurry_it(c, wait_ms);
	ready = c->begun > 0 && batch_at(c, 0)->is_ready;
	pthread_mutex_unlock(&c->lock);
	return ready;
}

bool prefetch_is_at_end(struct prefetch *c)
{
	bool at_end;

	pthread_mutex_lock(&c->lock);
	at_end = c->at_end;
	pthread_mutex_unlock(&c->lock);
	return at_end;
}

enum err prefetch_drop(struct prefetch *c, struct failure *e)
{
	struct batch *b;

	stop(c);
	c->at = c->nlist;
	while (c->begun > 0) {
		TRY(take_first(c, &b, e));
	}
	c->at_end = true;
	return ERR_NONE;
}

void prefetch_free(struct prefetch *c)
{
	if (!c)
		return;
	stop(c);
	parser_free(c->parser);
	for (size_t i = 0; i < BATCHES; i++)
		arena_free(c->batches[i].arena);
	pthread_cond_destroy(&c->work);
	pthread_cond_destroy(&c->ready);
	pthread_mutex_destroy(&c->lock);
	err_release(&c->now);
	free(c);
}
