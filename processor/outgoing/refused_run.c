/*
 * refused_run.c - the refusals of a run, looked at together.
 */
#include "processor/outgoing/refused_run.h"

#include <stdlib.h>

#include "processor/base/step.h"
#include "processor/base/utf8.h"

void refused_run_release(struct refused_run *r)
{
	free(r->mails);
	*r = (struct refused_run){0};
}

void refused_run_add(struct refused_run *r, const struct outbox_mail *row, enum blame blame,
                     struct arena *arena)
{
	struct outbox_mail copy = *row;

	copy.rcpt = arena_dup(arena, row->rcpt);
	copy.kind = arena_dup(arena, row->kind);
	copy.answer = arena_dup(arena, row->answer);
	r->mails = xgrow(r->mails, &r->cap, r->n + 1, sizeof(*r->mails));
	r->mails[r->n++] = (struct refused_mail){.row = copy, .blame = blame};
}

static bool can_be_ours(const struct refused_mail *m)
{
	return m->blame != BLAME_ADDRESS && m->blame != BLAME_MAILBOX &&
	       (m->row.state == OUTBOX_RETRY || m->row.state == OUTBOX_DEAD);
}

/* The first refusal that says so; NULL: the server is not to blame. */
static const struct refused_mail *fault_of_server(const struct refused_run *r)
{
	const struct refused_mail *first = NULL;

	for (size_t i = 0; i < r->n; i++) {
		const struct refused_mail *m = &r->mails[i];

		if (!can_be_ours(m))
			continue;
		if (m->blame == BLAME_SENDER)
			return m;
		if (first && !utf8_eq_folded(first->row.rcpt, m->row.rcpt))
			return first;
		first = first ? first : m;
	}
	return NULL;
}

/* The attempt is not counted, and nothing follows for anybody. */
static void put_back(struct outbox_mail *m, int64_t next_try_utc)
{
	m->state = OUTBOX_RETRY;
	m->attempts -= m->attempts > 0;
	m->next_try_utc = next_try_utc;
	m->refused = REFUSED_NOTHING;
}

bool refused_run_counts(struct refused_run *r, unsigned sent, int64_t now_utc,
                        struct outbox_mail *row)
{
	struct refused_mail *m = NULL;

	for (size_t i = r->n; i-- > 0 && !m;)
		if (r->mails[i].row.id == row->id)
			m = &r->mails[i];
	if (!m || sent > 0 || !can_be_ours(m))
		return true;
	m->open = true;
	put_back(row, now_utc + 1); /* not in this run */
	return false;
}

static enum err mark_open(struct server *srv, struct refused_run *r, bool is_ours)
{
	for (size_t i = 0; i < r->n; i++) {
		struct outbox_mail *m = &r->mails[i].row;

		if (!r->mails[i].open)
			continue;
		if (is_ours)
			put_back(m, srv->now_utc); /* due at once */
		TRY(outbox_mark(srv->store, m));
		TRY(outbox_add_failure(srv->store, m));
	}
	return ERR_NONE;
}

static enum err decide(struct server *srv, struct refused_run *r, bool is_ours)
{
	bool any = false;

	for (size_t i = 0; i < r->n; i++)
		any = any || r->mails[i].open;
	if (!any)
		return ERR_NONE;
	TRY(store_begin_relaxed(srv->store));
	enum err rc = mark_open(srv, r, is_ours);
	if (rc == ERR_NONE)
		rc = store_commit_relaxed(srv->store);
	else
		store_rollback(srv->store);
	if (rc == ERR_NONE)
		step("refusals decided");
	return rc;
}

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

/* For good, but about us: only the operator can mend that. */
static bool wants_operator(const struct refused_mail *m)
{
	return m->blame == BLAME_US && m->row.state == OUTBOX_RETRY &&
	       span_starts(m->row.answer, "5");
}

static void tell(struct server *srv, const struct refused_mail *m)
{
	if (m->row.state == OUTBOX_DEAD)
		tell_given_up(srv, &m->row);
	else if (wants_operator(m))
		log_warnx(srv->log,
		          "mail %lld was refused, and not for its address; it is tried again: "
		          "%.*s",
		          (long long)m->row.id, SPAN_ARGS(m->row.answer));
}

enum err refused_run_settle(struct server *srv, struct refused_run *r, enum err rc,
                            unsigned sent, bool *for_now)
{
	const struct refused_mail *why = sent == 0 ? fault_of_server(r) : NULL;

	TRY(decide(srv, r, why != NULL));
	for (size_t i = 0; i < r->n; i++)
		if (!why || r->mails[i].row.state == OUTBOX_DEAD)
			tell(srv, &r->mails[i]);
	if (!why || rc != ERR_NONE)
		return rc;
	*for_now = span_starts(why->row.answer, "4");
	return err_set(&srv->fail, ERR_DENIED, "the mail server took none of %zu: %.*s", r->n,
	               SPAN_ARGS(why->row.answer));
}
