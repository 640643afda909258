/*
 * send.c - sending, with the outcome of every attempt on record.
 *
 * A row is SENDING from before the attempt until its outcome is stored. A sender that dies in
 * between leaves it so; the next one that finds nobody else sending makes it MAYBE and sends it once more, alone,
 * with the same bytes and Message-ID: after a while, or at once where the sink knows it again. Machines that share
 * a store send at the same time: each chooses what nobody sends yet, and has no player's mail that comes behind one.
 *
 * The files and the HTML form of a mail are made once it is marked: a page that is the death of its maker is
 * given up after some runs, as a mail that kills the sink is, and the others leave.
 *
 * While the sink is busy with one batch the next one is chosen and marked; nothing of it is made before the
 * outcomes of the one in hand are stored. A player whose mail is in hand, or failed, has
 * no other in the batches that follow: outbox_due leaves it out, and a further pass finds it.
 *
 * What a refusal counts for is one rule, whatever its code says and however the sink refuses:
 * has anything been taken?
 *
 *	A refusal counts against a mail and its address only when the same sink has taken a mail for
 *	another address after it, in the same run. Else the mail is as if it had not been tried.
 *
 * A mail taken for an address of our own domain says nothing of one elsewhere, since a provider that
 * relays for us no more takes those all the same. Addresses whose refusals do not count are in doubt.
 *
 * The sink takes nothing, so that clocks stand (turns/outage.h), when REFUSED_MANY addresses are in doubt, or
 * when nobody else is left: no other player of a running game has been sent a mail since the sink or the
 * address in molepost.conf was changed, but such as mail comes back from. With fewer in doubt the games go on,
 * and bring mail to others, which decides. In either case the run leaves with 75, and the operator is told.
 *
 * An answer that was lost is no refusal, but the mail has not been taken either: it is in doubt, and goes out again
 * after ever longer waits.
 */
#include "processor/outgoing/send.h"

#include <stdlib.h>
#include <string.h>

#include "mail/sink.h"
#include "processor/base/step.h"
#include "processor/base/utf8.h"
#include "processor/match/match_record.h"
#include "processor/outgoing/html_form.h"
#include "processor/outgoing/outgoing.h"
#include "processor/replay/replay.h"
#include "processor/server/reply_address.h"
#include "store/operator/outages.h"
#include "store/outbox.h"

enum {
	MAYBE_WAIT_S = 15 * 60,
	MAYBE_WAITS = 5,
	ATTEMPTS_MAX = 6,
	BATCH_END_MAILS = 8,
	END_FILES = 2,
	REFUSED_MANY = 3
};

struct batch {
	struct arena *arena;
	struct outbox_mail *rows;
	struct outbox_mail *before; /* the same as they were, for what was not tried */
	struct sink_mail *mails;
	size_t n;
};

enum { IN_HAND, NEXT, NBATCHES };

struct refused_mail {
	struct outbox_mail
	    row;        /* as it is to be if the refusal counts; its texts live in the arena */
	unsigned at;    /* the place among all outcomes of the run */
	bool is_known;  /* the server said the same the last time */
	bool not_asked; /* the server has not seen it: it counts */
	bool open;      /* does not count so far, and is stored so */
};
struct taken_mail {
	struct span rcpt;
	unsigned at;
};
struct refused_run {
	struct server *srv;
	struct refused_mail *mails;
	size_t n, cap;
	unsigned outcomes;
	struct taken_mail
	    taken[2][2]; /* elsewhere, then of our domain: the last, and the last for another */
};

/*
 * The files that go with the last mail of a game. They are not stored with it, for the record does not change any
 * more: so they cost no room in the database, and RESEND brings them too. The readers of one game follow one
 * another: what was made for the last is kept.
 */
struct end_files {
	int64_t game;
	struct arena *arena;
	struct mail_file files[END_FILES];
	size_t n;
};

struct sending {
	struct server *srv;
	struct sink *sink;
	struct batch batches[NBATCHES];
	int64_t after; /* the last row looked at in this pass */
	struct refused_run refused;
	bool finds_sender; /* from which address mails leave is found out */
	struct mail_way way;
	struct end_files end_files;
	struct html_forms html_forms;
	struct send_result *out;
};

/* The wait after the n-th failed attempt (from 1); 0 = give up. */
static int64_t backoff_s(unsigned attempts)
{
	static const int64_t wait[] = {300, 1800, 7200, 21600, 86400};

	return attempts >= 1 && attempts < ATTEMPTS_MAX ? wait[attempts - 1] : 0;
}

/* ------------------------------------------------------------------ what was refused */

static struct span domain_of(struct span address)
{
	return span_slice(address, span_find_char(address, '@'), address.len);
}

static bool is_ours(const struct refused_run *r, struct span rcpt)
{
	return utf8_eq_folded(domain_of(rcpt), domain_of(span_of(r->srv->cfg.address)));
}

static void refused_run_taken(struct refused_run *r, struct span rcpt)
{
	struct taken_mail *last = r->taken[is_ours(r, rcpt)];

	if (!utf8_eq_folded(last[0].rcpt, rcpt)) {
		last[1] = last[0];
		last[0].rcpt = arena_dup(r->srv->arena, rcpt);
	}
	last[0].at = ++r->outcomes;
}

/* `row` is as it is to be if the refusal counts. */
static void refused_run_add(struct refused_run *r, const struct outbox_mail *row, bool is_known,
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

/* Stores the outcome of a mail that was added, as far as it is known now. Inside a transaction. */
static enum err refused_run_store(struct refused_run *r, int64_t id)
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
	rc = store_end(r->srv->store, rc);
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

/*
 * At the end: stores what counts by now, in a transaction of its own. ERR_DENIED with the
 * server's words when the sink takes nothing; *doubt: some address is in it. `rc` is how the
 * sink ended, and is returned if it did not end well. The operator hears of what is given up.
 */
static enum err refused_run_settle(struct refused_run *r, enum err rc, bool *doubt)
{
	const struct refused_mail *first = NULL;
	struct span doubted[REFUSED_MANY];
	bool others = true;
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
	if (rc == ERR_NONE && n > 0 && n < REFUSED_MANY)
		TRY(outbox_has_reached_others(r->srv->store, doubted[0], doubted[n - 1],
		                              &others));
	if (rc == ERR_NONE && first && (n >= REFUSED_MANY || !others))
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

/* ------------------------------------------------------------------ files of an end */

static void end_files_release(struct end_files *f)
{
	arena_free(f->arena);
	*f = (struct end_files){0};
}

static void add_file(struct end_files *f, const char *game, const char *what, const char *type,
                     const struct strbuf *text)
{
	f->files[f->n++] =
	    (struct mail_file){.name = arena_printf(f->arena, "%s-%s", game, what),
	                       .type = type,
	                       .bytes = arena_dup(f->arena, strbuf_span(text))};
}

/* The files of this game; none, with a line in the log, when its record cannot be read. */
static enum err end_files_load(struct server *srv, int64_t game, struct end_files *f)
{
	struct match match;

	if (f->game == game)
		return ERR_NONE;
	end_files_release(f);
	f->arena = arena_new();
	f->game = game;
	struct strbuf record = STRBUF_INIT;
	enum err rc = match_load(srv, game, f->arena, &match);

	if (rc == ERR_NONE)
		rc = record_text(srv, &match, &record);
	if (rc == ERR_NONE) {
		struct strbuf page = STRBUF_INIT, why = STRBUF_INIT;
		struct analysis chances;
		struct archive *archive = NULL;

		if (archive_open(strbuf_span(&record), &archive, &srv->fail) == ERR_NONE) {
			bool known = analysis_make(archive, true, f->arena, &chances, &why);
			replay_html(archive, NULL, known ? &chances : NULL, &page);
			add_file(f, match.id, "replay.html", "text/html; charset=utf-8", &page);
		}
		archive_free(archive);
		strbuf_release(&page);
		strbuf_release(&why);
		add_file(f, match.id, "record.txt", "text/plain; charset=utf-8", &record);
	}
	match_release(&match);
	strbuf_release(&record);
	if (rc == ERR_NONE || !server_blames_game(rc))
		return rc;
	log_warnx(srv->log, "the end of game %lld is told without its record: %s",
	          (long long)game, server_why(srv, rc));
	f->n = 0;
	return ERR_NONE;
}

/* ------------------------------------------------------------------ one row */

/* Strangers have nothing that could follow from it. */
static void note_refusal(struct outbox_mail *m, enum outbox_refusal refused)
{
	m->refused = m->player != 0 ? refused : REFUSED_NOTHING;
}

static void note_outcome(struct sending *s, struct batch *b, size_t i)
{
	struct outbox_mail *m = &b->rows[i];
	int64_t wait = backoff_s(m->attempts);

	address_redact(s->srv,
	               &b->mails[i].answer); /* it may quote the sender, with its code */
	m->answer = arena_dup(b->arena, strbuf_span(&b->mails[i].answer));
	m->next_try_utc = 0;
	switch (b->mails[i].what) {
	case DELIVERY_UNTRIED:
		return;
	case DELIVERY_SENT:
		m->state = OUTBOX_SENT;
		s->out->sent++;
		refused_run_taken(&s->refused, m->rcpt);
		return;
	case DELIVERY_MAYBE:
		/* A second answer that was lost ends it: repeating it for ever would be worse than a gap. */
		m->state = b->before[i].state == OUTBOX_MAYBE ? OUTBOX_SENT : OUTBOX_MAYBE;
		m->next_try_utc = s->srv->now_utc + MAYBE_WAIT_S;
		break;
	case DELIVERY_DEAD:
		m->state = OUTBOX_DEAD;
		note_refusal(m, b->mails[i].no_such_address ? REFUSED_ADDRESS : REFUSED_MAIL);
		break;
	case DELIVERY_RETRY:
		m->state = wait ? OUTBOX_RETRY : OUTBOX_DEAD;
		m->next_try_utc = wait ? s->srv->now_utc + wait : 0;
		if (!wait)
			note_refusal(m, REFUSED_UNCLEAR);
		break;
	}
	refused_run_add(&s->refused, m, span_eq(m->answer, b->before[i].answer),
	                b->mails[i].not_asked);
	s->out->failed++;
}

/* ------------------------------------------------------------------ one batch */

/* What the sink said becomes what the rows are to be. */
static void note_outcomes(struct sending *s, struct batch *b, bool sink_failed)
{
	for (size_t i = 0; i < b->n; i++) {
		struct outbox_mail *m = &b->rows[i];

		if (b->mails[i].what != DELIVERY_UNTRIED)
			note_outcome(s, b, i);
		else
			*m = b->before[i];
		if (b->mails[i].what == DELIVERY_UNTRIED && !sink_failed) {
			/* For when its turn comes. */
			m->state = m->state == OUTBOX_MAYBE ? OUTBOX_MAYBE : OUTBOX_RETRY;
			m->next_try_utc = s->srv->now_utc + backoff_s(1);
			m->answer = SPAN_LIT("waits behind an earlier mail to the same player");
		}
		strbuf_release(&b->mails[i].answer);
	}
}

static bool is_failure(const struct batch *b, size_t i)
{
	return b->mails[i].what != DELIVERY_UNTRIED && b->mails[i].what != DELIVERY_SENT;
}

static enum err store_outcomes(struct sending *s, struct batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		TRY(is_failure(b, i) ? refused_run_store(&s->refused, b->rows[i].id)
		                     : outbox_mark(s->srv->store, &b->rows[i]));
	b->n = 0;
	return ERR_NONE;
}

static bool is_end_mail(const struct outbox_mail *row)
{
	return span_eq_str(row->kind, END_KIND) && row->game != 0;
}

/* The next rows that can be sent. */
static enum err find_due(struct sending *s, struct batch *b)
{
	size_t fit = 0, end_mails = 0;
	bool any;

	do {
		arena_clear(b->arena);
		TRY(outbox_due(s->srv->store, s->srv->now_utc, s->after, sink_batch(s->sink),
		               b->arena, &b->rows, &b->n));
		any = b->n > 0;
		size_t kept = 0;
		for (size_t i = 0; i < b->n; i++) {
			struct outbox_mail *m = &b->rows[i];

			if (!m->unreadable) {
				b->rows[kept++] = *m;
				continue;
			}
			/* Damaged, or an outline of another version: nobody waits for it. */
			m->tried_utc = s->srv->now_utc;
			m->next_try_utc = 0;
			m->state = OUTBOX_DEAD;
			refused_run_add(&s->refused, m, false, true);
			s->out->failed++;
			TRY(refused_run_store(&s->refused, m->id));
		}
		b->n = kept;
	} while (any && b->n == 0);
	/* A mail that may have been the death of its sender goes alone; those with files are large. */
	for (; fit < b->n && b->rows[fit].state != OUTBOX_MAYBE; fit++)
		if (is_end_mail(&b->rows[fit]) && ++end_mails > BATCH_END_MAILS)
			break;
	b->n = fit == 0 && b->n > 0 ? 1 : fit;
	return ERR_NONE;
}

/* The next rows that can be sent, marked as such; none: b->n is 0. */
static enum err choose(struct sending *s, struct batch *b)
{
	TRY(find_due(s, b));
	if (b->n == 0)
		return ERR_NONE;
	b->mails = arena_calloc(b->arena, b->n, sizeof(*b->mails));
	b->before = arena_calloc(b->arena, b->n, sizeof(*b->before));
	memcpy(b->before, b->rows, b->n * sizeof(*b->before));
	for (size_t i = 0; i < b->n; i++) {
		struct strbuf sender = STRBUF_INIT;

		address_add_bounce(s->srv, &b->rows[i], &sender);
		b->mails[i] = (struct sink_mail){.outbox_id = b->rows[i].id,
		                                 .created_utc = b->rows[i].created_utc,
		                                 .lane = b->rows[i].player,
		                                 .envelope_from = arena_take(b->arena, &sender),
		                                 .rcpt = b->rows[i].rcpt,
		                                 .message = b->rows[i].message,
		                                 .answer = STRBUF_INIT};
	}
	s->after = b->rows[b->n - 1].id;
	for (size_t i = 0; i < b->n; i++) {
		b->rows[i].state = OUTBOX_SENDING;
		b->rows[i].attempts++;
		b->rows[i].tried_utc = s->srv->now_utc;
		b->rows[i].next_try_utc = s->srv->now_utc +
		                          (sink_knows_again(s->sink) ? 0 : MAYBE_WAIT_S);
		if (b->rows[i].outlined)
			TRY(outbox_put_words(s->srv->store, &b->rows[i]));
		TRY(outbox_mark(s->srv->store, &b->rows[i]));
	}
	return ERR_NONE;
}

static enum err choose_first(struct sending *s, struct batch *b)
{
	const struct config *cfg = &s->srv->cfg;
	const char *sink = arena_printf(s->srv->arena, "%s %s", cfg->sink, cfg->address);

	TRY(outbox_note_sink(s->srv->store, span_of(sink), span_of(cfg->address),
	                     s->srv->now_utc));
	if (s->finds_sender) {
		TRY(mail_way_get(s->srv->store, s->srv->arena, &s->way));
		s->srv->cfg.fixed_sender = s->way.sender == SENDER_FIXED ||
		                           s->way.sender == SENDER_FIXED_TRIED;
	}
	return choose(s, b);
}

static enum err in_transaction(struct sending *s, struct batch *b,
                               enum err (*act)(struct sending *s, struct batch *b))
{
	TRY(store_begin_relaxed(s->srv->store));
	enum err rc = act(s, b);
	rc = store_end(s->srv->store, rc);
	step("outbox marked");
	return rc == ERR_NONE ? store_checkpoint_if_large(s->srv->store) : rc;
}

/* The mails of the batch as they leave, from one look at the games: what is stored is the text. */
static enum err make_parts(struct sending *s, struct batch *b)
{
	enum err rc = store_begin_reading(s->srv->store);

	if (rc == ERR_NONE && store_ask_ahead(s->srv->store)) {
		for (size_t i = 0; i < b->n; i++)
			html_form_ask_ahead(s->srv, &b->rows[i], b->arena);
		store_asked_ahead(s->srv->store);
	}
	for (size_t i = 0; i < b->n && rc == ERR_NONE; i++) {
		struct mail_page page;

		step_in_hand(SPAN_LIT("leaving"), (unsigned)b->rows[i].id);
		bool end = is_end_mail(&b->rows[i]);
		struct strbuf whole = STRBUF_INIT;

		rc = html_form_make(s->srv, &s->html_forms, &b->rows[i], b->arena, &page);
		b->mails[i].message = b->rows[i].message;
		if (rc == ERR_NONE && end)
			rc = end_files_load(s->srv, b->rows[i].game, &s->end_files);
		if (rc == ERR_NONE && (end || page.html.len > 0)) {
			mail_add_parts(b->rows[i].message, &page, s->end_files.files,
			               end ? s->end_files.n : 0, &whole);
			b->mails[i].message = arena_dup(b->arena, strbuf_span(&whole));
		}
		strbuf_release(&whole);
	}
	html_forms_forget_game(&s->html_forms);
	store_rollback(s->srv->store);
	step("mails made");
	return rc;
}

/* Hands the batch in hand over, and meanwhile chooses the next. */
static enum err send_batch(struct sending *s, enum err *sink_rc)
{
	struct batch *b = s->batches;

	TRY(make_parts(s, &b[IN_HAND]));
	sink_start(s->sink, b[IN_HAND].mails, b[IN_HAND].n);
	enum err rc = in_transaction(s, &b[NEXT], choose);
	*sink_rc = sink_finish(s->sink, &s->srv->fail);
	note_outcomes(s, &b[IN_HAND], *sink_rc != ERR_NONE);
	if (rc != ERR_NONE)
		b[NEXT].n = 0; /* what the database says of them is for the next run */
	else if (*sink_rc != ERR_NONE)
		note_outcomes(s, &b[NEXT], true);
	server_progress(s->srv, s->out->sent, "mails sent");
	TRY(rc);
	return in_transaction(s, &b[IN_HAND], store_outcomes);
}

/* From the first row on. *found: how many batches there were. */
static enum err one_pass(struct sending *s, enum err *sink_rc, unsigned *found)
{
	struct batch *b = s->batches;

	s->after = 0;
	*found = 0;
	TRY(in_transaction(s, &b[IN_HAND], choose_first));
	while (b[IN_HAND].n > 0 && *sink_rc == ERR_NONE) {
		TRY(send_batch(s, sink_rc));
		struct batch sent = b[IN_HAND];
		b[IN_HAND] = b[NEXT];
		b[NEXT] = sent;
		(*found)++;
	}
	return b[IN_HAND].n > 0 ? in_transaction(s, &b[IN_HAND], store_outcomes) : ERR_NONE;
}

static enum err send_all(struct sending *s)
{
	enum err sink_rc = sink_ready(s->sink, &s->srv->fail), rc = ERR_NONE;
	unsigned found = 1;

	for (size_t i = 0; i < NBATCHES; i++)
		s->batches[i].arena = arena_new();
	while (rc == ERR_NONE && sink_rc == ERR_NONE && found > 0)
		rc = one_pass(s, &sink_rc, &found);
	for (size_t i = 0; i < NBATCHES; i++)
		arena_free(s->batches[i].arena);
	return rc != ERR_NONE ? rc : sink_rc;
}

/* With nobody else at it, what is being sent is what one that died had in hand. */
static enum err recover(struct server *srv)
{
	TRY(store_begin_relaxed(srv->store));
	TRY(store_end(srv->store, outbox_recover(srv->store, ATTEMPTS_MAX)));
	return store_lock_share(srv->store, STORE_LOCK_SEND, false);
}

/* After a run that sent something, or in which the sink took nothing: see enum sender_form. */
static enum err judge_sender(struct sending *s, bool nothing_taken)
{
	static const enum sender_form after[][2] = {
	    /* taken, not taken */
	    [SENDER_VARIES] = {SENDER_VARIES, SENDER_FIXED_TRIED},
	    [SENDER_FIXED_TRIED] = {SENDER_VARIES_AGAIN, SENDER_VARIES},
	    [SENDER_VARIES_AGAIN] = {SENDER_VARIES, SENDER_FIXED},
	    [SENDER_FIXED] = {SENDER_FIXED, SENDER_VARIES},
	};
	enum sender_form next = after[s->way.sender][nothing_taken];

	if (!s->finds_sender || next == s->way.sender || (s->out->sent == 0 && !nothing_taken))
		return ERR_NONE;
	if (next == SENDER_FIXED)
		log_event(s->srv->log,
		          "the mail server takes no mail from addresses with a + in them; all "
		          "leave from %s now, as with sender = fixed in molepost.conf",
		          s->srv->cfg.address);
	TRY(store_begin_relaxed(s->srv->store));
	s->way.sender = next;
	return store_end(s->srv->store, mail_way_set(s->srv->store, &s->way));
}

static enum err send_locked(struct server *srv, bool shared, struct send_result *out)
{
	const struct config *cfg = &srv->cfg;
	struct sending s = {.srv = srv,
	                    .out = out,
	                    .refused = {.srv = srv},
	                    .finds_sender = cfg->plus_address && !cfg->fixed_sender &&
	                                    !span_starts(span_of(cfg->sink), "maildir:")};
	struct outbox_mail *rows;
	size_t n;

	if (!shared)
		TRY(recover(srv));
	/* What is due may all stand behind mails that are not: no reason to call. */
	TRY(outbox_due(srv->store, srv->now_utc, 0, 1, srv->arena, &rows, &n));
	if (n == 0)
		return ERR_NONE;
	enum err rc = sink_open(srv->cfg.sink, &srv->cfg.settings, &s.sink, &srv->fail);
	if (rc == ERR_NONE)
		rc = send_all(&s);
	sink_close(s.sink);
	enum err sink_rc = rc;
	rc = refused_run_settle(&s.refused, rc, &out->in_doubt);
	if (sink_rc == ERR_NONE) {
		/* One that has just taken all of them need not refuse many to be understood. */
		bool again = s.way.sender == SENDER_VARIES_AGAIN && out->in_doubt &&
		             out->sent == 0;
		enum err judged = judge_sender(&s, rc == ERR_DENIED || again);

		rc = rc == ERR_NONE ? judged : rc;
	}
	free(s.refused.mails);
	end_files_release(&s.end_files);
	html_forms_release(&s.html_forms);
	return rc;
}

enum err send_due(struct server *srv, struct send_result *out)
{
	bool due, shared = false;
	int fd = -1;

	*out = (struct send_result){0};
	TRY(outbox_has_due(srv->store, srv->now_utc, &due));
	if (!due)
		return ERR_NONE;
	enum err rc = server_lock(srv, STORE_LOCK_SEND, &fd, &shared);
	out->hangs = rc == ERR_TIMEOUT;
	if (rc == ERR_BUSY || rc == ERR_TIMEOUT)
		return ERR_NONE;
	TRY(rc);
	rc = send_locked(srv, shared, out);
	address_redact(srv, &srv->fail.text); /* words of the server, as in note_outcome */
	server_unlock(srv, STORE_LOCK_SEND, &fd);
	return rc;
}
