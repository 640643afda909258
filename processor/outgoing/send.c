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
 */
#include "processor/outgoing/send.h"

#include <string.h>

#include "mail/sink.h"
#include "processor/base/step.h"
#include "processor/outgoing/end_files.h"
#include "processor/outgoing/html_form.h"
#include "processor/outgoing/refused_run.h"
#include "processor/server/reply_address.h"
#include "store/operator/outages.h"
#include "store/outbox.h"

enum { MAYBE_WAIT_S = 15 * 60, ATTEMPTS_MAX = 6, BATCH_END_MAILS = 8 };

struct batch {
	struct arena *arena;
	struct outbox_mail *rows;
	struct outbox_mail *before; /* the same as they were, for what was not tried */
	struct sink_mail *mails;
	size_t n;
};

enum { IN_HAND, NEXT, NBATCHES };

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

/* ------------------------------------------------------------------ one row */

/* Strangers have nothing that could follow from it. */
static void note_refusal(struct outbox_mail *m, enum outbox_refusal refused)
{
	m->refused = m->player != 0 ? refused : REFUSED_NOTHING;
}

static void put_off(struct server *srv, struct outbox_mail *m)
{
	int64_t wait = backoff_s(m->attempts);

	m->state = wait ? OUTBOX_RETRY : OUTBOX_DEAD;
	m->next_try_utc = wait ? srv->now_utc + wait : 0;
	if (!wait)
		note_refusal(m, REFUSED_UNCLEAR);
}

/* A second answer that was lost ends it: repeating it for ever would be worse than a gap. */
static void lost_answer(struct server *srv, struct outbox_mail *m, enum outbox_state before)
{
	m->state = before == OUTBOX_MAYBE ? OUTBOX_SENT : OUTBOX_MAYBE;
	m->next_try_utc = srv->now_utc + MAYBE_WAIT_S;
}

/* Put back untried, for when its turn comes. */
static void put_back(struct server *srv, struct outbox_mail *m,
                     const struct outbox_mail *before)
{
	*m = *before;
	m->state = m->state == OUTBOX_MAYBE ? OUTBOX_MAYBE : OUTBOX_RETRY;
	m->next_try_utc = srv->now_utc + backoff_s(1);
	m->answer = SPAN_LIT("waits behind an earlier mail to the same player");
}

static void note_outcome(struct sending *s, struct batch *b, size_t i)
{
	struct outbox_mail *m = &b->rows[i];

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
		lost_answer(s->srv, m, b->before[i].state);
		break;
	case DELIVERY_DEAD:
		m->state = OUTBOX_DEAD;
		note_refusal(m, b->mails[i].no_such_address ? REFUSED_ADDRESS : REFUSED_MAIL);
		break;
	case DELIVERY_RETRY:
		put_off(s->srv, m);
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
		if (b->mails[i].what != DELIVERY_UNTRIED)
			note_outcome(s, b, i);
		else if (sink_failed)
			b->rows[i] = b->before[i];
		else
			put_back(s->srv, &b->rows[i], &b->before[i]);
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

/* As it leaves: what is stored is the text. */
static enum err add_parts(struct sending *s, const struct outbox_mail *row, struct arena *arena,
                          struct span *message)
{
	bool end = is_end_mail(row);
	struct strbuf whole = STRBUF_INIT;
	struct mail_page page;
	enum err rc = html_form_make(s->srv, &s->html_forms, row, arena, &page);

	*message = row->message;
	if (rc == ERR_NONE && end)
		rc = end_files_load(s->srv, row->game, &s->end_files);
	if (rc == ERR_NONE && (end || page.html.len > 0)) {
		mail_add_parts(row->message, &page, s->end_files.files,
		               end ? s->end_files.n : 0, &whole);
		*message = arena_dup(arena, strbuf_span(&whole));
	}
	strbuf_release(&whole);
	return rc;
}

static void prepare_mail(struct sending *s, const struct outbox_mail *row, struct arena *arena,
                         struct sink_mail *mail)
{
	struct strbuf sender = STRBUF_INIT;

	address_add_bounce(s->srv, row, &sender);
	*mail = (struct sink_mail){.outbox_id = row->id,
	                           .created_utc = row->created_utc,
	                           .lane = row->player,
	                           .envelope_from = arena_dup(arena, strbuf_span(&sender)),
	                           .rcpt = row->rcpt,
	                           .message = row->message,
	                           .answer = STRBUF_INIT};
	strbuf_release(&sender);
}

/* A mail that may have been the death of its sender goes alone; those with files are large. */
static size_t cut_batch(const struct outbox_mail *rows, size_t n)
{
	size_t i = 0, end_mails = 0;

	for (; i < n && rows[i].state != OUTBOX_MAYBE; i++)
		if (is_end_mail(&rows[i]) && ++end_mails > BATCH_END_MAILS)
			break;
	return i == 0 && n > 0 ? 1 : i;
}

/* A damaged row, or an outline of another version: the operator hears of it, and nobody waits for it. */
static enum err give_up_unread(struct sending *s, struct outbox_mail *m)
{
	m->tried_utc = s->srv->now_utc;
	m->next_try_utc = 0;
	m->state = OUTBOX_DEAD;
	refused_run_add(&s->refused, m, false, true);
	s->out->failed++;
	return refused_run_store(&s->refused, m->id);
}

static enum err drop_unreadable(struct sending *s, struct batch *b)
{
	size_t kept = 0;

	for (size_t i = 0; i < b->n; i++) {
		if (b->rows[i].unreadable)
			TRY(give_up_unread(s, &b->rows[i]));
		else
			b->rows[kept++] = b->rows[i];
	}
	b->n = kept;
	return ERR_NONE;
}

/* The next rows that can be sent. */
static enum err find_due(struct sending *s, struct batch *b)
{
	bool any;

	do {
		arena_clear(b->arena);
		TRY(outbox_due(s->srv->store, s->srv->now_utc, s->after, sink_batch(s->sink),
		               b->arena, &b->rows, &b->n));
		any = b->n > 0;
		TRY(drop_unreadable(s, b));
	} while (any && b->n == 0);
	b->n = cut_batch(b->rows, b->n);
	return ERR_NONE;
}

static enum err fetch(struct sending *s, struct batch *b)
{
	TRY(find_due(s, b));
	if (b->n == 0)
		return ERR_NONE;
	b->mails = arena_calloc(b->arena, b->n, sizeof(*b->mails));
	b->before = arena_calloc(b->arena, b->n, sizeof(*b->before));
	memcpy(b->before, b->rows, b->n * sizeof(*b->before));
	for (size_t i = 0; i < b->n; i++)
		prepare_mail(s, &b->rows[i], b->arena, &b->mails[i]);
	s->after = b->rows[b->n - 1].id;
	return ERR_NONE;
}

/* How long nobody tries again what a sender that died had in hand. */
static int64_t maybe_wait_s(const struct sending *s)
{
	return sink_knows_again(s->sink) ? 0 : MAYBE_WAIT_S;
}

static enum err mark_sending(struct sending *s, struct batch *b)
{
	for (size_t i = 0; i < b->n; i++) {
		b->rows[i].state = OUTBOX_SENDING;
		b->rows[i].attempts++;
		b->rows[i].tried_utc = s->srv->now_utc;
		b->rows[i].next_try_utc = s->srv->now_utc + maybe_wait_s(s);
		if (b->rows[i].outlined)
			TRY(outbox_put_words(s->srv->store, &b->rows[i]));
		TRY(outbox_mark(s->srv->store, &b->rows[i]));
	}
	return ERR_NONE;
}

/* ------------------------------------------------------------------ all of them */

static enum err choose(struct sending *s, struct batch *b)
{
	TRY(fetch(s, b));
	return mark_sending(s, b);
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
	if (rc == ERR_NONE)
		rc = store_commit_relaxed(s->srv->store);
	else
		store_rollback(s->srv->store);
	step("outbox marked");
	return rc == ERR_NONE ? store_checkpoint_if_large(s->srv->store) : rc;
}

/* All parts of the batch, from one look at the games. */
static enum err make_parts(struct sending *s, struct batch *b)
{
	enum err rc = store_begin_reading(s->srv->store);

	if (rc == ERR_NONE && store_ask_ahead(s->srv->store)) {
		for (size_t i = 0; i < b->n; i++)
			html_form_ask_ahead(s->srv, &b->rows[i], b->arena);
		store_asked_ahead(s->srv->store);
	}
	for (size_t i = 0; i < b->n && rc == ERR_NONE; i++) {
		step_in_hand(SPAN_LIT("leaving"), (unsigned)b->rows[i].id);
		rc = add_parts(s, &b->rows[i], b->arena, &b->mails[i].message);
	}
	html_forms_forget_game(&s->html_forms);
	store_rollback(s->srv->store);
	step("mails made");
	return rc;
}

static void swap(struct batch *b)
{
	struct batch sent = b[IN_HAND];

	b[IN_HAND] = b[NEXT];
	b[NEXT] = sent;
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
		swap(b);
		(*found)++;
	}
	return b[IN_HAND].n > 0 ? in_transaction(s, &b[IN_HAND], store_outcomes) : ERR_NONE;
}

/* What is due may all stand behind mails that are not: no reason to call a server. */
static enum err anything_to_send(struct sending *s, bool *yes)
{
	struct outbox_mail *rows;
	size_t n = 0;
	enum err rc =
	    outbox_due(s->srv->store, s->srv->now_utc, 0, 1, s->srv->arena, &rows, &n);

	*yes = n > 0;
	return rc;
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

static enum err recover(struct server *srv)
{
	TRY(store_begin_relaxed(srv->store));
	enum err rc = outbox_recover(srv->store, ATTEMPTS_MAX);
	if (rc == ERR_NONE)
		return store_commit_relaxed(srv->store);
	store_rollback(srv->store);
	return rc;
}

/* With nobody else at it, what is being sent is what one that died had in hand. */
static enum err begin(struct server *srv, bool shared)
{
	if (shared)
		return ERR_NONE;
	TRY(recover(srv));
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
	enum err rc = mail_way_set(s->srv->store, &s->way);
	if (rc == ERR_NONE)
		return store_commit_relaxed(s->srv->store);
	store_rollback(s->srv->store);
	return rc;
}

static enum err send_locked(struct server *srv, bool shared, struct send_result *out)
{
	const struct config *cfg = &srv->cfg;
	struct sending s = {.srv = srv,
	                    .out = out,
	                    .refused = {.srv = srv},
	                    .finds_sender = cfg->plus_address && !cfg->fixed_sender &&
	                                    !span_starts(span_of(cfg->sink), "maildir:")};
	bool due = false;
	enum err rc = begin(srv, shared);

	if (rc == ERR_NONE)
		rc = anything_to_send(&s, &due);
	if (rc != ERR_NONE || !due)
		return rc;
	rc = sink_open(srv->cfg.sink, &srv->cfg.settings, &s.sink, &srv->fail);
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
	refused_run_release(&s.refused);
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
