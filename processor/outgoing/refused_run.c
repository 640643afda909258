/*
 * refused_run.c - the refusals of a run, looked at together.
 */
#include "processor/outgoing/refused_run.h"

#include <stdlib.h>

#include "processor/base/step.h"
#include "processor/base/utf8.h"

enum { MAYBE_WAIT_S = 15 * 60, MAYBE_WAITS = 5 };

void refused_run_release(struct refused_run *r)
{
	free(r->mails);
	*r = (struct refused_run){0};
}

static struct span domain_of(struct span address)
{
	return span_slice(address, span_find_char(address, '@'), address.len);
}

static bool is_ours(const struct refused_run *r, struct span rcpt)
{
	return utf8_eq_folded(domain_of(rcpt), domain_of(span_of(r->srv->cfg.address)));
}

void refused_run_taken(struct refused_run *r, struct span rcpt)
{
	struct taken_mail *last = r->taken[is_ours(r, rcpt)];

	if (!utf8_eq_folded(last[0].rcpt, rcpt)) {
		last[1] = last[0];
		last[0].rcpt = arena_dup(r->srv->arena, rcpt);
	}
	last[0].at = ++r->outcomes;
}

void refused_run_add(struct refused_run *r, const struct outbox_mail *row, bool is_known,
                     bool not_asked)
{
	struct arena *arena = r->srv->arena;
	struct outbox_mail copy = *row;

	copy.rcpt = arena_dup(arena, row->rcpt);
	copy.kind = arena_dup(arena, row->kind);
	copy.answer = arena_dup(arena, row->answer);
	r->mails = xgrow(r->mails, &r->cap, r->n + 1, sizeof(*r->mails));
	r->mails[r->n++] = (struct refused_mail){
	    .row = copy, .at = ++r->outcomes, .is_known = is_known, .not_asked = not_asked};
}

/* ---- the rule ---- */

static bool counts(const struct refused_run *r, const struct refused_mail *m)
{
	for (unsigned ours = 0; ours <= (is_ours(r, m->row.rcpt) ? 1u : 0u); ours++)
		for (unsigned i = 0; i < 2; i++)
			if (r->taken[ours][i].at > m->at &&
			    !utf8_eq_folded(r->taken[ours][i].rcpt, m->row.rcpt))
				return true;
	return m->not_asked;
}

/* The different addresses in doubt, REFUSED_MANY at most. */
static unsigned in_doubt(const struct refused_run *r, struct span addresses[REFUSED_MANY])
{
	unsigned n = 0;

	for (size_t i = 0; i < r->n && n < REFUSED_MANY; i++) {
		bool listed = !r->mails[i].open;

		for (unsigned k = 0; k < n; k++)
			listed = listed || utf8_eq_folded(addresses[k], r->mails[i].row.rcpt);
		if (!listed)
			addresses[n++] = r->mails[i].row.rcpt;
	}
	return n;
}

static enum err takes_nothing(struct refused_run *r, const struct span *doubted, unsigned n,
                              bool *yes)
{
	bool others;

	*yes = n >= REFUSED_MANY;
	if (*yes || n == 0)
		return ERR_NONE;
	TRY(outbox_has_reached_others(r->srv->store, doubted[0], doubted[n - 1], &others));
	*yes = !others;
	return ERR_NONE;
}

/* ---- storing ---- */

/* The attempt is not counted, and nothing follows for anybody. */
static void put_back(struct outbox_mail *m, int64_t now_utc)
{
	if (m->state == OUTBOX_SENT || m->state == OUTBOX_MAYBE) { /* its answer was lost */
		m->state = OUTBOX_MAYBE;
		m->attempts = m->attempts < MAYBE_WAITS ? m->attempts : MAYBE_WAITS;
		m->next_try_utc = now_utc + ((int64_t)MAYBE_WAIT_S << (m->attempts - 1));
		return;
	}
	m->state = OUTBOX_RETRY;
	m->attempts -= m->attempts > 0;
	m->next_try_utc = now_utc + 1; /* not in this run */
	m->refused = REFUSED_NOTHING;
}

static enum err store_one(struct refused_run *r, struct refused_mail *m)
{
	struct outbox_mail row = m->row;
	bool was_open = m->open;

	m->open = !counts(r, m);
	if (m->open && was_open)
		return ERR_NONE;
	if (m->open)
		put_back(&row, r->srv->now_utc);
	TRY(outbox_mark(r->srv->store, &row));
	return m->is_known && m->open ? ERR_NONE : outbox_add_failure(r->srv->store, &row);
}

enum err refused_run_store(struct refused_run *r, int64_t id)
{
	for (size_t i = r->n; i-- > 0;)
		if (r->mails[i].row.id == id)
			return store_one(r, &r->mails[i]);
	return ERR_NONE;
}

static enum err settle_open(struct refused_run *r)
{
	bool any = false;

	for (size_t i = 0; i < r->n; i++)
		any = any || (r->mails[i].open && counts(r, &r->mails[i]));
	if (!any)
		return ERR_NONE;
	TRY(store_begin_relaxed(r->srv->store));
	enum err rc = ERR_NONE;
	for (size_t i = 0; i < r->n && rc == ERR_NONE; i++)
		if (r->mails[i].open)
			rc = store_one(r, &r->mails[i]);
	if (rc == ERR_NONE)
		rc = store_commit_relaxed(r->srv->store);
	else
		store_rollback(r->srv->store);
	if (rc == ERR_NONE)
		step("refusals decided");
	return rc;
}

/* ---- telling ---- */

static void tell_given_up(struct server *srv, const struct outbox_mail *m)
{
	/* Always the same line, so that it begets no mail. */
	if (span_eq_str(m->kind, "operator")) {
		log_warnx(srv->log,
		          "mail to the operator could not be delivered; molepost outbox list "
		          "shows why");
		return;
	}
	log_event(srv->log,
	          "mail %lld (%.*s to %s) could not be delivered and is given up (molepost "
	          "outbox list shows it): %.*s",
	          (long long)m->id, SPAN_ARGS(m->kind),
	          m->player ? arena_printf(srv->arena, "player %lld", (long long)m->player)
	                    : "a stranger",
	          SPAN_ARGS(m->answer));
}

enum err refused_run_settle(struct refused_run *r, enum err rc, bool *doubt)
{
	const struct refused_mail *first = NULL;
	struct span doubted[REFUSED_MANY];
	bool nothing = false;
	size_t open = 0;

	TRY(settle_open(r));
	for (size_t i = 0; i < r->n; i++) {
		const struct refused_mail *m = &r->mails[i];

		if (m->open)
			open++;
		else if (m->row.state == OUTBOX_DEAD)
			tell_given_up(r->srv, &m->row);
		first = first || !m->open ? first : m;
	}
	unsigned n = in_doubt(r, doubted);
	*doubt = n > 0;
	if (rc == ERR_NONE)
		TRY(takes_nothing(r, doubted, n, &nothing));
	if (nothing && first)
		return err_set(&r->srv->fail, ERR_DENIED,
		               "the mail server took none of %zu: %.*s", open,
		               SPAN_ARGS(first->row.answer));
	if (first && rc == ERR_NONE)
		log_warnx(r->srv->log,
		          "mail %lld was refused, and none for others was taken since; it is "
		          "tried again: %.*s",
		          (long long)first->row.id, SPAN_ARGS(first->row.answer));
	return rc;
}
