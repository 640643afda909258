/*
 * take_in.c - from the sources through the parsing child into intake.
 *
 * The order of things is what makes it safe: list, fetch, parse; mark what is
 * in hand; one transaction with every mail's effect; only then out of the
 * inbox. Dying anywhere in between means that the same mails come again and are
 * recognised.
 */
#include "processor/take_in.h"

#include <stdlib.h>

#include "mail/parser.h"
#include "mail/source.h"
#include "processor/base/clock.h"
#include "processor/base/step.h"
#include "processor/intake.h"
#include "store/audit.h"

#include "processor/base/banned.h"

enum { BATCH_MAILS = 1000, BATCH_BYTES = 8 << 20, BATCH_MS = 1000, MOST_TRIES = 3, MAX_SOURCES = 16 };

/* One mail of a batch. */
struct arrival {
	struct source *source;
	struct source_mail mail;
	struct span raw;
	struct digest content;
	bool too_large;
};

struct intake_pass {
	struct server *srv;
	struct source *sources[MAX_SOURCES];
	size_t nsources;
	struct parser *parser;
	struct arena *arena;      /* of the batch */
	const struct in_flight *left; /* what the last run died with */
	bool isolate;
	catch_up_fn *catch_up;    /* kept mail is read again; else NULL */
	int64_t replayed_utc;     /* up to here the past has been gone through again */
	bool after_kept;          /* the last mail dealt with was kept mail */
	struct arrival *batch;
	size_t nbatch;
	bool complete;            /* the last listing saw everything there is */
	unsigned mails;
};

static enum err open_sources(struct intake_pass *p)
{
	const struct config *cfg = &p->srv->cfg;
	const char *spool = arena_printf(p->srv->arena, "maildir:%s", cfg->spool);

	for (size_t i = 0; i < cfg->nsources && p->nsources + 1 < MAX_SOURCES; i++) {
		TRY(source_open(cfg->sources[i], cfg->dir, &p->sources[p->nsources], &p->srv->fail));
		p->nsources++;
	}
	TRY(source_open(spool, cfg->dir, &p->sources[p->nsources], &p->srv->fail));
	p->nsources++;
	return ERR_NONE;
}

static int by_arrival(const void *a, const void *b)
{
	const struct arrival *x = a, *y = b;

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

/*
 * The oldest mails over all sources. A source that has more than it listed may hold mail
 * older than what another source listed late, so nothing newer than its last one is taken.
 */
static enum err list_arrivals(struct intake_pass *p)
{
	struct source_mail *listed, horizon = { .arrived_utc = INT64_MAX };
	size_t n;
	bool complete;

	p->nbatch = 0;
	p->complete = true;
	p->batch = arena_calloc(p->arena, p->nsources * BATCH_MAILS + 1, sizeof(*p->batch));
	for (size_t i = 0; i < p->nsources; i++) {
		TRY(source_next(p->sources[i], BATCH_MAILS, p->arena, &listed, &n, &complete,
		                &p->srv->fail));
		p->complete = p->complete && complete;
		if (!complete && n > 0 && not_after(&listed[n - 1], &horizon))
			horizon = listed[n - 1];
		for (size_t k = 0; k < n; k++)
			p->batch[p->nbatch++] = (struct arrival){ .source = p->sources[i], .mail = listed[k] };
	}
	qsort(p->batch, p->nbatch, sizeof(*p->batch), by_arrival);
	for (n = 0; n < p->nbatch && not_after(&p->batch[n].mail, &horizon);)
		n++;
	p->nbatch = n < BATCH_MAILS ? n : BATCH_MAILS;
	return ERR_NONE;
}

/* Reads raw bytes until the batch is full; cuts it there. A vanished mail is left out. */
static enum err fetch_arrivals(struct intake_pass *p)
{
	struct strbuf raw = STRBUF_INIT;
	size_t kept = 0, bytes = 0, i;
	enum err rc = ERR_NONE;

	for (i = 0; i < p->nbatch && bytes < BATCH_BYTES; i++) {
		struct arrival a = p->batch[i];
		strbuf_clear(&raw);
		rc = source_fetch(a.source, &a.mail, p->srv->cfg.max_mail_size, &raw, &p->srv->fail);
		if (rc == ERR_NOT_FOUND)
			continue;
		a.too_large = rc == ERR_LIMIT;
		if (rc != ERR_NONE && rc != ERR_LIMIT)
			break;
		a.raw = arena_dup(p->arena, strbuf_span(&raw));
		bytes += a.raw.len;
		p->batch[kept++] = a;
		rc = ERR_NONE;
	}
	p->complete = p->complete && i == p->nbatch;
	p->nbatch = kept;
	strbuf_release(&raw);
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

static struct digest content_of(const struct mail_in *mail)
{
	struct digest d;

	for (size_t i = 0; i < DIGEST_LEN; i++)
		d.bytes[i] = mail->content_digest[i];
	return d;
}

static enum err parse_arrivals(struct intake_pass *p, struct mail_in **out)
{
	struct span *raws = arena_calloc(p->arena, p->nbatch + 1, sizeof(*raws));
	struct mail_in *mails = arena_calloc(p->arena, p->nbatch + 1, sizeof(*mails));

	for (size_t i = 0; i < p->nbatch; i++)
		raws[i] = p->batch[i].raw;
	*out = mails;
	TRY(parser_batch(p->parser, raws, p->nbatch, p->arena, mails, &p->srv->fail));
	for (size_t i = 0; i < p->nbatch; i++) {
		if (p->batch[i].too_large)
			mails[i].fault = MAIL_TOO_LARGE;
		if (mails[i].has_message_id_or_date)
			p->batch[i].content = content_of(&mails[i]);
	}
	return ERR_NONE;
}

static struct incoming incoming_of(const struct arrival *a, const struct mail_in *mail)
{
	return (struct incoming){ .mail = mail, .source = span_of(source_url(a->source)),
		                  .transport_id = a->mail.id, .content = a->content,
		                  .arrived_utc = a->mail.arrived_utc };
}

/* An error of this one mail, or of the game it is about: the others go on. */
static bool is_of_the_mail(enum err rc)
{
	return rc == ERR_CORRUPT || rc == ERR_UNSUPPORTED || rc == ERR_INVALID || rc == ERR_NOT_FOUND ||
	       rc == ERR_EXISTS;
}

/* Deals with one mail inside the open transaction; what fails is taken back and set aside. */
static enum err deal_with(struct intake_pass *p, const struct arrival *a, const struct mail_in *mail,
                          const char *condemned)
{
	struct incoming in = incoming_of(a, mail);

	if (condemned)
		return intake_quarantine(p->srv, &in, a->raw, condemned);
	TRY(store_savepoint(p->srv->store));
	enum err rc = intake_mail(p->srv, &in, p->arena);
	if (rc == ERR_NONE)
		return store_savepoint_release(p->srv->store);
	const char *why = arena_strdup(p->arena, server_why(p->srv, rc));
	store_savepoint_rollback(p->srv->store);
	if (!is_of_the_mail(rc))
		return rc;
	log_warnx(p->srv->log, "mail %.*s is set aside: %s", SPAN_ARGS(a->mail.id), why);
	return intake_quarantine(p->srv, &in, a->raw, why);
}

static enum err deal_with_all(struct intake_pass *p, const struct arrival *batch,
                              const struct mail_in *mails, size_t n, const char *condemned,
                              size_t *done)
{
	int64_t began = clock_monotonic_ms();

	*done = 0;
	while (*done < n) {
		TRY(deal_with(p, &batch[*done], &mails[*done], condemned));
		(*done)++;
		if (clock_monotonic_ms() - began > BATCH_MS)
			break;
	}
	return in_flight_clear(p->srv->store);
}

static enum err commit_mails(struct intake_pass *p, const struct arrival *batch,
                             const struct mail_in *mails, size_t n, const char *condemned,
                             size_t *done)
{
	TRY(store_begin(p->srv->store));
	enum err rc = deal_with_all(p, batch, mails, n, condemned, done);
	if (rc == ERR_NONE)
		rc = store_commit(p->srv->store);
	if (rc != ERR_NONE)
		store_rollback(p->srv->store);
	else
		step("mails committed");
	return rc;
}

static bool died_with_mails(const struct in_flight *left)
{
	return left && left->present && span_eq_str(left->kind, "mails");
}

static enum err mark_in_flight(struct intake_pass *p, const char *object, unsigned tries)
{
	TRY(store_begin_relaxed(p->srv->store));
	enum err rc = in_flight_set(p->srv->store, "mails", object, tries, p->srv->now_utc);
	if (rc == ERR_NONE)
		return store_commit_relaxed(p->srv->store);
	store_rollback(p->srv->store);
	return rc;
}

/*
 * Alone in hand, with a counter of the deaths it has caused. They are counted on from what the last
 * run left behind: the row has been used for other mails since.
 */
static enum err mark_alone(struct intake_pass *p, const struct arrival *a, const char **condemned)
{
	const char *object = arena_printf(p->arena, "%s %.*s", source_url(a->source),
	                                  SPAN_ARGS(a->mail.id));
	unsigned tries = 1;

	if (died_with_mails(p->left) && span_eq_str(p->left->object, object))
		tries += p->left->tries;
	*condemned = tries > MOST_TRIES ? "the program died each time it had this mail in hand" : NULL;
	if (*condemned)
		log_warnx(p->srv->log, "mail %.*s is set aside: %s", SPAN_ARGS(a->mail.id), *condemned);
	return mark_in_flight(p, object, tries);
}

/* Out of the inbox what has been committed, then one fsync per folder. */
static enum err settle(struct intake_pass *p, const struct arrival *batch, size_t n)
{
	p->mails += (unsigned)n;
	server_progress(p->srv, p->mails, "mails read");
	if (p->srv->dry)
		return ERR_NONE;
	for (size_t i = 0; i < n; i++) {
		TRY(source_settle(batch[i].source, &batch[i].mail, &p->srv->fail));
		step("mail settled");
	}
	for (size_t i = 0; i < p->nsources; i++)
		TRY(source_sync(p->sources[i], &p->srv->fail));
	return ERR_NONE;
}

/* Works off the fetched batch; in isolation only its first mail. *done mails were settled. */
static enum err work_off(struct intake_pass *p, size_t *done)
{
	struct mail_in *mails;
	const char *condemned = NULL;
	size_t n = p->isolate ? 1 : p->nbatch;

	/* What the dead run had in hand was no more than one batch, the oldest mails. */
	p->isolate = p->isolate && p->mails + 1 < BATCH_MAILS;

	if (n == 1)
		TRY(mark_alone(p, &p->batch[0], &condemned));
	else
		TRY(mark_in_flight(p, "", 0));
	if (n < p->nbatch) {
		p->nbatch = n;
		p->complete = false;
	}
	TRY(parse_arrivals(p, &mails));
	if (step_is_broken("rename-before-commit"))
		TRY(settle(p, p->batch, n));
	TRY(commit_mails(p, p->batch, mails, n, condemned, done));
	if (!step_is_broken("rename-before-commit"))
		TRY(settle(p, p->batch, *done));
	if (*done < p->nbatch)
		p->complete = false;
	return store_checkpoint(p->srv->store, STORE_WAL_BYTES);
}

static enum err is_known(struct intake_pass *p, const struct arrival *a, bool *known)
{
	struct inbox_mail row;
	enum err rc = inbox_find(p->srv->store, span_of(source_url(a->source)), a->mail.id,
	                         &a->content, p->arena, &row);

	*known = rc == ERR_NONE;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

/* Moves the server's clock to when this mail arrived, and the games up to that moment. */
static enum err go_back_to(struct intake_pass *p, const struct arrival *a)
{
	if (p->replayed_utc < a->mail.arrived_utc)
		p->replayed_utc = a->mail.arrived_utc;
	p->srv->now_utc = p->replayed_utc;
	return p->catch_up(p->srv, p->replayed_utc);
}

/*
 * One mail while kept mail is read again. What was handled before is dealt with as of the
 * time it arrived, and the games are moved on before and after it: a later mail may answer a
 * report that did not exist yet when the copy of the database was made. Mail that is new is dealt
 * with in the present, for nobody has seen yet what will come of it.
 */
static enum err replay_one(struct intake_pass *p, const struct arrival *a,
                           const struct mail_in *mail)
{
	int64_t now_utc = p->srv->now_utc;
	const char *condemned = NULL;
	bool known;
	size_t done;
	enum err rc = is_known(p, a, &known);

	if (rc == ERR_NONE && !known && (a->mail.handled || p->after_kept))
		rc = go_back_to(p, a);
	if (!a->mail.handled)
		p->srv->now_utc = now_utc;
	p->after_kept = a->mail.handled && (p->after_kept || !known);
	if (rc == ERR_NONE && !known)
		rc = mark_alone(p, a, &condemned);
	if (rc == ERR_NONE)
		rc = commit_mails(p, a, mail, 1, condemned, &done);
	if (rc == ERR_NONE)
		rc = settle(p, a, 1);
	if (rc == ERR_NONE && !known && a->mail.handled)
		rc = p->catch_up(p->srv, p->replayed_utc);
	p->srv->now_utc = now_utc;
	return rc;
}

static enum err replay(struct intake_pass *p)
{
	struct mail_in *mails;

	TRY(parse_arrivals(p, &mails));
	for (size_t i = 0; i < p->nbatch; i++)
		TRY(replay_one(p, &p->batch[i], &mails[i]));
	return store_checkpoint(p->srv->store, STORE_WAL_BYTES);
}

/* Until a listing that saw everything has been worked off completely. */
static enum err read_through(struct intake_pass *p, int64_t *read_through_utc)
{
	size_t done;
	int64_t before;

	do {
		arena_clear(p->arena);
		before = clock_now_utc();
		TRY(list_arrivals(p));
		if (p->nbatch > 0)
			TRY(fetch_arrivals(p));
		if (p->nbatch > 0 && p->catch_up)
			TRY(replay(p));
		else if (p->nbatch > 0)
			TRY(work_off(p, &done));
		else if (!p->complete)
			return err_set(&p->srv->fail, ERR_IO,
			               "some mails in the inbox can be listed but not dealt with");
	} while (!p->complete && !p->srv->dry);
	if (p->complete)
		*read_through_utc = before;
	return ERR_NONE;
}

/* The copy's own past is over: nothing is done as of a time before its last run. */
static enum err start_reread(struct intake_pass *p, catch_up_fn *catch_up)
{
	struct run_log last;
	enum err rc = run_log_last(p->srv->store, &last);

	p->catch_up = catch_up;
	p->replayed_utc = rc == ERR_NONE ? last.ended_utc : INT64_MIN;
	for (size_t i = 0; i < p->nsources; i++)
		TRY(source_reread(p->sources[i], &p->srv->fail));
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

enum err take_in(struct server *srv, const struct in_flight *left, catch_up_fn *reread,
                 struct take_in_result *out)
{
	struct intake_pass p = { .srv = srv, .left = left, .isolate = died_with_mails(left) };
	struct parser_limits limits = parser_default_limits;

	*out = (struct take_in_result){ .read_through_utc = INT64_MIN };
	limits.max_size = srv->cfg.max_mail_size;
	p.arena = arena_new();
	p.parser = parser_new(NULL, &limits);
	enum err rc = open_sources(&p);
	if (rc == ERR_NONE && reread)
		rc = start_reread(&p, reread);
	if (rc == ERR_NONE)
		rc = read_through(&p, &out->read_through_utc);
	out->mails = p.mails;
	for (size_t i = 0; i < p.nsources; i++)
		source_close(p.sources[i]);
	parser_free(p.parser);
	arena_free(p.arena);
	return rc;
}
