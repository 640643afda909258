/*
 * prefetch.c - from the sources through the parsing children, two batches ahead.
 *
 * The batches lie in a ring: the one the caller handles, and behind it up to AHEAD that are being
 * filled and parsed. A mail goes to the children as soon as it has come, while others are still on
 * their way and the caller handles those before them, so that nobody waits for a whole batch.
 */
#include "processor/intake/prefetch.h"

#include <stdlib.h>

#include "mail/parser.h"
#include "processor/base/clock.h"
#include "processor/base/err.h"

enum {
	BATCH_BYTES = 16 << 20,
	AHEAD = 2,
	BATCHES = AHEAD + 1,
	FETCHED_AT_ONCE = 32, /* then the parser is looked after */
	FIRST_MAILS = 64      /* of a long list: for these the caller waits, children and all */
};

/* What came of a fetch without a mail. */
struct loss {
	enum err rc;
	const char *why;
	struct loss *next;
};

/* Mails that are handed out together. */
struct batch {
	struct arena *arena;
	struct arrival *items;
	struct mail_in *mails;
	size_t n, max, bytes;
	struct loss *losses, **losses_end;
	struct parser_job job;
};

struct prefetch {
	const struct config *cfg;
	struct prefetch_hooks hooks;
	struct parser *parser;
	const struct found_mail *list;
	size_t nlist, at; /* list[at] is fetched next */
	struct failure now;
	struct batch batches[BATCHES];
	size_t turn;      /* batches[turn] is handed out next ... */
	size_t begun;     /* ... and so many are begun, from there on */
	size_t ahead_max; /* mails in a batch that is begun ahead; 0: none is */
};

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
	return c;
}

void prefetch_free(struct prefetch *c)
{
	if (!c)
		return;
	parser_free(c->parser);
	for (size_t i = 0; i < BATCHES; i++)
		arena_free(c->batches[i].arena);
	err_release(&c->now);
	free(c);
}

void prefetch_get_ready(struct prefetch *c, size_t mails)
{
	parser_get_ready(c->parser, mails);
}

void prefetch_give(struct prefetch *c, const struct found_mail *list, size_t n)
{
	c->list = list;
	c->nlist = n;
	c->at = 0;
	prefetch_get_ready(c, n);
}

/* ---- the ring ---- */

static struct batch *batch_at(struct prefetch *c, size_t ahead)
{
	return &c->batches[(c->turn + ahead) % BATCHES];
}

static struct batch *begin(struct prefetch *c, size_t max)
{
	struct batch *b = batch_at(c, c->begun++);

	arena_clear(b->arena);
	b->losses = NULL;
	b->losses_end = &b->losses;
	b->n = b->bytes = 0;
	b->max = c->nlist - c->at < max ? c->nlist - c->at : max;
	b->items = arena_calloc(b->arena, b->max, sizeof(*b->items));
	b->mails = arena_calloc(b->arena, b->max, sizeof(*b->mails));
	b->job = (struct parser_job){0};
	return b;
}

static bool is_full(const struct prefetch *c, const struct batch *b)
{
	return b->n == b->max || b->bytes >= BATCH_BYTES || c->at == c->nlist;
}

static bool is_parsed(const struct prefetch *c, const struct batch *b)
{
	return is_full(c, b) && parser_is_done(&b->job);
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

/* ---- fetching ---- */

static void note_loss(struct prefetch *c, struct batch *b, enum err rc)
{
	struct loss *l = arena_alloc(b->arena, sizeof(*l));

	*l = (struct loss){rc, arena_strdup(b->arena, c->now.text.ptr), NULL};
	*b->losses_end = l;
	b->losses_end = &l->next;
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
	parser_add(c->parser, &b->job, out->raw, rc == ERR_LIMIT, b->arena, &b->mails[b->n]);
	b->n++;
	b->bytes += raw.len;
}

/* The next mail of the list. */
static void fetch(struct prefetch *c, struct batch *b)
{
	const struct found_mail *f = &c->list[c->at++];
	struct strbuf raw = STRBUF_INIT;
	enum err rc;

	if (*f->is_out)
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
		*f->is_out = true;
		note_loss(c, b, rc);
	}
	strbuf_release(&raw);
}

static bool is_here(const struct found_mail *f)
{
	return *f->is_out || source_is_here(f->source, &f->mail);
}

/* A handful of mails that have come, as far as there is room ahead; false: there were none. */
static bool take_some(struct prefetch *c)
{
	struct batch *b = open_batch(c);
	size_t n = 0;

	for (; b && n < FETCHED_AT_ONCE && !is_full(c, b) && is_here(&c->list[c->at]); n++)
		fetch(c, b);
	parser_poll(c->parser);
	return n > 0;
}

void prefetch_poll(struct prefetch *c)
{
	c->hooks.poll(c->hooks.ctx);
	while (take_some(c))
		;
}

static void meanwhile(void *ctx)
{
	prefetch_poll(ctx);
}

/* ---- handing out ---- */

/*
 * The first batch; the rest of it is waited for, its mails first, then the parser. It leaves the ring,
 * and stays as it is until there are two more.
 */
static enum err take_first(struct prefetch *c, struct batch **out, struct failure *e)
{
	struct batch *b = batch_at(c, 0);

	while (!is_full(c, b)) {
		if (!is_here(&c->list[c->at]))
			parser_poll(c->parser); /* has something to do until it comes */
		fetch(c, b);
	}
	TRY(parser_finish(c->parser, &b->job, meanwhile, c, e));
	for (size_t i = 0; i < b->n; i++)
		b->items[i].mail = b->mails[i];
	c->turn = (c->turn + 1) % BATCHES;
	c->begun--;
	for (const struct loss *l = b->losses; l; l = l->next)
		c->hooks.failed(c->hooks.ctx, l->rc, l->why);
	*out = b;
	return ERR_NONE;
}

enum err prefetch_next(struct prefetch *c, size_t max, bool ahead, struct arrival **batch,
                       size_t *n, struct failure *e)
{
	*n = 0;
	*batch = NULL;
	c->ahead_max = ahead ? max : 0;
	/* Of some batches no mail could be had: then the one behind them is the next. */
	while (*n == 0 && (c->begun > 0 || c->at < c->nlist)) {
		struct batch *b;

		if (c->begun == 0)
			(void)begin(c, max);
		TRY(take_first(c, &b, e));
		*batch = b->items;
		*n = b->n;
	}
	prefetch_poll(c);
	return ERR_NONE;
}

bool prefetch_is_ready(struct prefetch *c, unsigned wait_ms)
{
	int64_t until_ms = clock_monotonic_ms() + wait_ms;

	prefetch_poll(c);
	while (c->begun > 0 && is_full(c, batch_at(c, 0)) && !is_parsed(c, batch_at(c, 0)) &&
	       clock_monotonic_ms() < until_ms) {
		parser_wait(c->parser);
		prefetch_poll(c);
	}
	return c->begun > 0 && is_parsed(c, batch_at(c, 0));
}

enum err prefetch_drop(struct prefetch *c, struct failure *e)
{
	struct batch *b;

	c->at = c->nlist;
	while (c->begun > 0)
		TRY(take_first(c, &b, e));
	return ERR_NONE;
}
