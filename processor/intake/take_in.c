/*
 * take_in.c - from the sources through the parsing child into intake.
 *
 * The order of things is what makes it safe: list, fetch, parse; mark what is
 * in hand; one transaction with every mail's effect; only when that is on the
 * disk out of the inbox. Dying anywhere in between means that the same mails come
 * again and are recognised.
 */
#include "processor/intake/take_in.h"

#include <stdlib.h>

#include "processor/base/clock.h"
#include "processor/base/step.h"
#include "processor/base/utf8.h"
#include "processor/intake/arrivals.h"
#include "processor/intake/dispatch.h"
#include "processor/turns/outage.h"
#include "store/audit.h"

enum {
	TRANSACTION_MS = 1000,
	TRANSACTION_MAILS = 4000,
	BATCH_MAILS = 250,
	HELD_BYTES = 1 << 20, /* of ids */
	JOINED_MAILS = 500,   /* in a batch when transactions are made of several */
	/*
	 * So long a transaction waits for the batch that is being read, as long as a commit takes, and
	 * not longer: nobody else can write meanwhile.
	 */
	READY_MS = 25,
	MOST_TRIES = 3,
	POLL_MAILS = 32,
	WINDOW_MAILS = 50
};

struct window_mail {
	struct incoming in;
	int64_t game;     /* 0: none, as far as one can see yet */
	struct span from; /* in the one form that all spellings of it have */
};

/*
 * The next mails, of which no two are of one game or sender. What they read is asked of a server in one go, for
 * each question on its own waits for the line. After a mail that spoilt the answers for those behind it
 * (store_about) a window is as small as the last one proved good for; from there it grows again.
 */
struct window {
	struct window_mail *mails;
	size_t n, next;
	struct arena *arena;
};

/* Mails that are still to be settled: their source and found are known. */
struct mails_held {
	struct arrival *mails;
	size_t n, cap;
	struct arena *arena; /* of their ids */
};

struct intake_pass {
	struct server *srv;
	struct arrivals *arrivals;
	struct arena *arena; /* of the mail being handled */
	struct window window;
	const struct in_flight *left; /* what the last run died with */
	bool isolate;
	bool careful;          /* each mail can be taken back by itself */
	catch_up_fn *catch_up; /* kept mail is read again; else NULL */
	int64_t replayed_utc;  /* up to here the past has been gone through again */
	bool after_kept;       /* the last mail dealt with was kept mail */
	/* Dealt with in the open transaction, not committed yet. None: no transaction is open. */
	struct mails_held held;
	int64_t opened_ms;
	size_t apart; /* so many mails are not joined to what came before them */
	bool again;   /* ... because they have been taken back, and must be listed again */
	unsigned mails;
};

/* Whatever the clock of another machine says, a mail that is here has arrived. */
static int64_t arrival_of(const struct intake_pass *p, const struct arrival *a)
{
	int64_t now_utc = clock_now_utc();

	if (now_utc < p->srv->now_utc)
		now_utc = p->srv->now_utc;
	return a->found.arrived_utc < now_utc ? a->found.arrived_utc : now_utc;
}

static struct incoming incoming_of(const struct intake_pass *p, const struct arrival *a,
                                   struct arena *arena)
{
	struct incoming in = {.mail = &a->mail,
	                      .source = span_of(source_url(a->source)),
	                      .transport_id = a->found.id,
	                      .arrived_utc = arrival_of(p, a)};

	incoming_identify(p->srv, &in, arena);
	return in;
}

/* An error of this one mail, or of the game it is about: the others go on. */
static bool is_of_the_mail(enum err rc)
{
	return rc == ERR_CORRUPT || rc == ERR_UNSUPPORTED || rc == ERR_INVALID ||
	       rc == ERR_NOT_FOUND || rc == ERR_EXISTS;
}

static enum err is_known(struct intake_pass *p, const struct incoming *in, bool *known)
{
	struct inbox_mail row;
	enum err rc = inbox_find(p->srv->store, in->source, in->transport_id, &in->identity,
	                         p->arena, &row);

	*known = rc == ERR_NONE;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

/*
 * Deals with one mail inside the open transaction. A savepoint before each costs more than everything
 * else that is written, so at first there are none: a mail that fails takes the whole transaction back,
 * which is then gone through again with care, and the mail is set aside.
 */
static enum err handle_mail(struct intake_pass *p, const struct arrival *a,
                            const struct incoming *in, const char *condemned)
{
	if (!condemned)
		condemned = a->condemned;
	if (condemned) { /* once: the source of one that was set aside before may show it again */
		bool known = false;

		if (a->condemned)
			TRY(is_known(p, in, &known));
		return known ? ERR_NONE : incoming_quarantine(p->srv, in, condemned);
	}
	if (!p->careful)
		return dispatch_mail(p->srv, in, p->arena);
	TRY(store_savepoint(p->srv->store));
	enum err rc = dispatch_mail(p->srv, in, p->arena);
	if (rc == ERR_NONE)
		rc = store_savepoint_release(p->srv->store);
	if (rc == ERR_NONE)
		return rc;
	const char *why = arena_strdup(p->arena, server_why(p->srv, rc));
	store_savepoint_rollback(p->srv->store);
	if (!is_of_the_mail(rc))
		return rc;
	log_event(p->srv->log, "mail %.*s is set aside: %s", SPAN_ARGS(a->found.id), why);
	return incoming_quarantine(p->srv, in, why);
}

static struct window_mail window_mail_of(const struct intake_pass *p, const struct arrival *a)
{
	struct arena *arena = p->window.arena;
	struct window_mail m = {.in = incoming_of(p, a, arena)};
	struct strbuf from = STRBUF_INIT;

	if (!a->condemned)
		m.game = dispatch_game(&m.in);
	utf8_add_folded(&from, a->mail.from);
	m.from = arena_dup(arena, strbuf_span(&from));
	strbuf_release(&from);
	return m;
}

/* Neither its game nor its sender is that of another in the window. */
static bool shares_nothing(const struct window *w, const struct window_mail *m)
{
	for (size_t i = 0; i < w->n; i++)
		if ((m->game != 0 && w->mails[i].game == m->game) ||
		    span_eq(w->mails[i].from, m->from))
			return false;
	return true;
}

static void about_mail(struct intake_pass *p, size_t i)
{
	store_about(p->srv->store, i + 1, p->window.mails[i].game);
}

static void ask_about_window(struct intake_pass *p)
{
	const struct window *w = &p->window;

	store_about(p->srv->store, 0, 0);
	if (!store_ask_ahead(p->srv->store))
		return;
	for (size_t i = 0; i < w->n; i++) {
		about_mail(p, i);
		dispatch_ask_ahead(p->srv, &w->mails[i].in, w->arena);
	}
	store_asked_ahead(p->srv->store);
}

/* With at least one of these n mails. */
static void open_window(struct intake_pass *p, const struct arrival *batch, size_t n)
{
	struct window *w = &p->window;
	size_t most = !store_is_url(p->srv->cfg.database) ? 1
	              : w->next < w->n                    ? w->next
	                                                  : 2 * w->n;

	most = most < 1 ? 1 : most < WINDOW_MAILS ? most : WINDOW_MAILS;
	n = n < most ? n : most;
	w->n = w->next = 0;
	arena_clear(w->arena);
	w->mails = arena_calloc(w->arena, n, sizeof(*w->mails));
	do {
		w->mails[w->n] = window_mail_of(p, &batch[w->n]);
		if (!shares_nothing(w, &w->mails[w->n]))
			break;
	} while (++w->n < n);
	ask_about_window(p);
}

/* The first of them; none of a window of other mails. */
static const struct incoming *next_mail(struct intake_pass *p, const struct arrival *batch,
                                        size_t n)
{
	struct window *w = &p->window;

	if (w->next == w->n || !store_answers_hold(p->srv->store))
		open_window(p, batch, n);
	about_mail(p, w->next);
	arena_clear(p->arena);
	return &w->mails[w->next++].in;
}

/* As many as there is time for. */
static enum err handle_some(struct intake_pass *p, const struct arrival *batch, size_t n,
                            const char *condemned, size_t *done)
{
	enum err rc = ERR_NONE;
	bool time = true;

	*done = 0;
	p->window.next = p->window.n;
	while (rc == ERR_NONE && time && *done < n) {
		rc = handle_mail(p, &batch[*done], next_mail(p, &batch[*done], n - *done),
		                 condemned);
		*done += rc == ERR_NONE;
		if (*done % POLL_MAILS == 0)
			arrivals_poll(p->arrivals);
		time = clock_monotonic_ms() - p->opened_ms <= TRANSACTION_MS;
	}
	store_about(p->srv->store, 0, 0);
	return rc;
}

static enum err open_transaction(struct intake_pass *p)
{
	p->opened_ms = clock_monotonic_ms();
	return store_begin(p->srv->store);
}

/* Or takes it back, if it did not go well. */
static enum err close_transaction(struct intake_pass *p, enum err rc,
                                  const struct arrival *mails, size_t n)
{
	if (rc == ERR_NONE)
		rc = arrivals_note(p->arrivals, mails, n);
	if (rc == ERR_NONE)
		rc = in_flight_clear(p->srv->store);
	TRY(store_end(p->srv->store, rc));
	arrivals_noted(p->arrivals);
	step("mails committed");
	return ERR_NONE;
}

static enum err try_mails(struct intake_pass *p, const struct arrival *batch, size_t n,
                          const char *condemned, size_t *done)
{
	TRY(open_transaction(p));
	enum err rc = handle_some(p, batch, n, condemned, done);
	return close_transaction(p, rc, batch, *done);
}

static enum err commit_mails(struct intake_pass *p, const struct arrival *batch, size_t n,
                             const char *condemned, size_t *done)
{
	enum err rc = try_mails(p, batch, n, condemned, done);

	if (!is_of_the_mail(rc))
		return rc;
	p->careful = true;
	rc = try_mails(p, batch, n, condemned, done);
	p->careful = false;
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
static enum err mark_alone(struct intake_pass *p, const struct arrival *a,
                           const char **condemned)
{
	const char *object =
	    arena_printf(p->arena, "%s %.*s", source_url(a->source), SPAN_ARGS(a->found.id));
	unsigned tries = 1;

	if (died_with_mails(p->left) && span_eq_str(p->left->object, object))
		tries += p->left->tries;
	*condemned = tries > MOST_TRIES
	                 ? "molepost crashed on this mail each time; it is in quarantine"
	                 : NULL;
	if (*condemned)
		log_event(p->srv->log, "mail %.*s is set aside: %s", SPAN_ARGS(a->found.id),
		          *condemned);
	return mark_in_flight(p, object, tries);
}

/* Out of the inbox what has been committed. */
static void settle(struct intake_pass *p, const struct arrival *batch, size_t n)
{
	p->mails += (unsigned)n;
	server_progress(p->srv, p->mails, "mails read");
	for (size_t i = 0; i < n && !p->srv->dry; i++) {
		arrivals_settle(p->arrivals, &batch[i]);
		step("mail settled");
	}
}

/* One transaction: what it has time for. */
static enum err work_off_some(struct intake_pass *p, const struct arrival *batch, size_t n,
                              size_t *done)
{
	const char *condemned = NULL;

	if (n == 1)
		TRY(mark_alone(p, batch, &condemned));
	else
		TRY(mark_in_flight(p, "", 0));
	if (step_is_broken("rename-before-commit"))
		settle(p, batch, n);
	TRY(commit_mails(p, batch, n, condemned, done));
	if (!step_is_broken("rename-before-commit"))
		settle(p, batch, *done);
	return store_checkpoint_if_large(p->srv->store);
}

/* ---- several batches in one transaction ---- */

/*
 * A page of the database is written once a transaction, however many of its rows change: with four
 * times as many mails half as much is written for each. The batches themselves stay small, since all
 * of a batch is in memory. They are joined as long as they are there without waiting: no transaction
 * stays open for the parser or a network.
 */
static bool may_be_joined(const struct intake_pass *p, size_t n)
{
	return !p->isolate && !p->srv->dry && p->apart == 0 && (n > 1 || p->held.n > 0) &&
	       arrivals_are_local(p->arrivals);
}

static enum err commit_held(struct intake_pass *p)
{
	size_t n = p->held.n;

	if (n == 0)
		return ERR_NONE;
	p->held.n = 0;
	TRY(close_transaction(p, ERR_NONE, p->held.mails, n));
	settle(p, p->held.mails, n);
	return store_checkpoint_if_large(p->srv->store);
}

static void hold(struct intake_pass *p, const struct arrival *batch, size_t n)
{
	if (p->held.n == 0)
		arena_clear(p->held.arena);
	p->held.mails =
	    xgrow(p->held.mails, &p->held.cap, p->held.n + n, sizeof(*p->held.mails));
	for (size_t i = 0; i < n; i++) {
		struct arrival *a = &p->held.mails[p->held.n++];

		*a = (struct arrival){.source = batch[i].source, .found = batch[i].found};
		a->found.id = arena_dup(p->held.arena, batch[i].found.id);
	}
}

/*
 * One of these mails could not be dealt with. When others came before it in the same transaction they
 * all come again, in transactions of their own batches, where the one can be set aside.
 */
static enum err part_mails(struct intake_pass *p, enum err rc, const struct arrival *batch,
                           size_t n, size_t *done)
{
	size_t before = p->held.n;

	*done = n;
	p->held.n = 0;
	if (!is_of_the_mail(rc))
		return rc;
	if (before > 0) {
		p->apart = before + n;
		p->again = true;
		return ERR_NONE;
	}
	p->careful = true;
	rc = try_mails(p, batch, n, NULL, done);
	p->careful = false;
	if (rc == ERR_NONE)
		settle(p, batch, *done);
	return rc;
}

static enum err join_some(struct intake_pass *p, const struct arrival *batch, size_t n,
                          size_t *done)
{
	if (p->held.n == 0) {
		TRY(mark_in_flight(p, "", 0));
		TRY(open_transaction(p));
	}
	enum err rc = handle_some(p, batch, n, NULL, done);
	if (rc != ERR_NONE) {
		store_rollback(p->srv->store);
		return part_mails(p, rc, batch, n, done);
	}
	hold(p, batch, *done);
	return *done < n ? commit_held(p) : ERR_NONE;
}

/* ---- all mails ---- */

static enum err work_off(struct intake_pass *p, const struct arrival *batch, size_t n)
{
	size_t done;

	for (; n > 0 && !p->again; batch += done, n -= done) {
		TRY(may_be_joined(p, n) ? join_some(p, batch, n, &done)
		                        : work_off_some(p, batch, n, &done));
		if (!p->again)
			p->apart -= p->apart < done ? p->apart : done;
	}
	/* More can come into the open transaction. */
	bool may_grow = p->held.n + JOINED_MAILS <= TRANSACTION_MAILS &&
	                arrivals_are_ready(p->arrivals, READY_MS);
	return may_grow ? ERR_NONE : commit_held(p);
}

/*
 * One mail while kept mail is read again. What was handled before is dealt with as of the
 * time it arrived, and the games are moved on before and after it: a later mail may answer a
 * report that did not exist yet when the copy of the database was made. Mail that is new is dealt
 * with in the present, for nobody has seen yet what will come of it.
 */
static enum err replay_one(struct intake_pass *p, const struct arrival *a)
{
	int64_t now_utc = p->srv->now_utc;
	struct incoming in;
	const char *condemned = NULL;
	bool known;
	size_t done;

	arena_clear(p->arena);
	in = incoming_of(p, a, p->arena);
	enum err rc = is_known(p, &in, &known);

	/* The server's clock goes to when this mail arrived, and the games up to that moment. */
	if (rc == ERR_NONE && !known && (a->found.handled || p->after_kept)) {
		if (p->replayed_utc < a->found.arrived_utc)
			p->replayed_utc = a->found.arrived_utc;
		p->srv->now_utc = p->replayed_utc;
		rc = p->catch_up(p->srv, p->replayed_utc);
	}
	if (!a->found.handled)
		p->srv->now_utc = now_utc;
	p->after_kept = a->found.handled && (p->after_kept || !known);
	if (rc == ERR_NONE && !known)
		rc = mark_alone(p, a, &condemned);
	if (rc == ERR_NONE)
		rc = commit_mails(p, a, 1, condemned, &done);
	if (rc == ERR_NONE)
		settle(p, a, 1);
	if (rc == ERR_NONE && !known && a->found.handled)
		rc = p->catch_up(p->srv, p->replayed_utc);
	p->srv->now_utc = now_utc;
	return rc;
}

static enum err replay(struct intake_pass *p, const struct arrival *batch, size_t n)
{
	for (size_t i = 0; i < n; i++)
		TRY(replay_one(p, &batch[i]));
	return store_checkpoint_if_large(p->srv->store);
}

static enum err read_batches(struct intake_pass *p)
{
	size_t most = arrivals_are_local(p->arrivals) ? JOINED_MAILS : BATCH_MAILS, n;
	struct arrival *batch;

	do {
		/*
		 * What the dead run had in hand, or had committed and not moved yet, was no more
		 * than this, the oldest mails.
		 */
		p->isolate = p->isolate && p->mails < TRANSACTION_MAILS;
		TRY(arrivals_next(p->arrivals, p->isolate ? 1 : most,
		                  !p->isolate && !p->catch_up, &batch, &n));
		TRY(p->catch_up ? replay(p, batch, n) : work_off(p, batch, n));
	} while (n > 0 && !p->again);
	return p->again ? arrivals_drop(p->arrivals) : ERR_NONE;
}

/* Until a listing that saw everything has been worked off completely. */
static enum err read_through(struct intake_pass *p, int64_t *read_through_utc)
{
	bool complete;
	int64_t before;
	size_t n;

	do {
		before = clock_now_utc();
		p->again = false;
		TRY(arrivals_list(p->arrivals, &n, &complete));
		/* Mailboxes that were away can be read again: before any of what waits there is dealt with. */
		if (!p->srv->dry && !p->catch_up && arrivals_trouble(p->arrivals) == ERR_NONE)
			TRY(outage_mail_is_back(p->srv, p->left));
		if (n == 0 && !complete)
			return err_set(
			    &p->srv->fail, ERR_IO,
			    "some mails could be listed but not read; see molepost doctor");
		if (n > 0) {
			enum err rc = read_batches(p);
			enum err last = commit_held(p); /* what was good before the trouble */

			TRY(rc);
			TRY(last);
			if (!p->srv->dry)
				TRY(arrivals_sync(p->arrivals));
		}
	} while ((!complete || p->again) && !p->srv->dry);
	/* Mail that an earlier run could not move is moved even if there is no new one. */
	if (!p->srv->dry)
		TRY(arrivals_sync(p->arrivals));
	TRY(arrivals_trouble(p->arrivals));
	if (complete)
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
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	arrivals_reread(p->arrivals);
	return ERR_NONE;
}

enum err take_in(struct server *srv, struct arrivals *from, const struct in_flight *left,
                 catch_up_fn *reread, struct take_in_result *out)
{
	struct intake_pass p = {
	    .srv = srv, .arrivals = from, .left = left, .isolate = died_with_mails(left)};

	*out = (struct take_in_result){.read_through_utc = INT64_MIN};
	p.arena = arena_new();
	p.window.arena = arena_new();
	p.held.arena = arena_new();
	arena_keep(p.held.arena, HELD_BYTES);
	enum err rc = arrivals_resume(from);
	if (rc == ERR_NONE && reread)
		rc = start_reread(&p, reread);
	if (rc == ERR_NONE)
		rc = read_through(&p, &out->read_through_utc);
	out->mails = p.mails;
	arena_free(p.arena);
	arena_free(p.window.arena);
	arena_free(p.held.arena);
	free(p.held.mails);
	return rc;
}
