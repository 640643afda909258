/*
 * outbound.c - sending, with the outcome of every attempt on record.
 *
 * A row is SENDING from before the attempt until its outcome is stored. A
 * sender that dies in between leaves it so; the next one makes it MAYBE and
 * sends it once more, with the same bytes and Message-ID.
 */
#include "processor/outbound.h"

#include "mail/sink.h"
#include "processor/base/step.h"
#include "processor/bounces.h"
#include "processor/lock.h"
#include "store/outbox.h"

#include "processor/base/banned.h"

enum { SEND_BATCH = 200, MAYBE_WAIT_S = 15 * 60 };

int64_t send_backoff_s(unsigned attempts)
{
	static const int64_t wait[] = {300, 1800, 7200, 21600, 86400};

	return attempts >= 1 && attempts <= 5 ? wait[attempts - 1] : 0;
}

static enum err mark_all(struct server *srv, struct outbox_mail *rows, size_t n)
{
	TRY(store_begin_relaxed(srv->store));
	for (size_t i = 0; i < n; i++) {
		enum err rc = outbox_mark(srv->store, &rows[i]);
		if (rc != ERR_NONE) {
			store_rollback(srv->store);
			return rc;
		}
	}
	return store_commit_relaxed(srv->store);
}

static enum err mark_sending(struct server *srv, struct outbox_mail *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		rows[i].state = OUTBOX_SENDING;
		rows[i].attempts++;
		rows[i].next_try_utc = srv->now_utc + MAYBE_WAIT_S;
	}
	return mark_all(srv, rows, n);
}

static void note_failure(struct server *srv, struct outbox_mail *m, struct span answer)
{
	int64_t wait = send_backoff_s(m->attempts);

	m->answer = answer;
	m->state = wait ? OUTBOX_RETRY : OUTBOX_DEAD;
	m->next_try_utc = wait ? srv->now_utc + wait : 0;
	if (!wait)
		log_warnx(srv->log, "mail %lld could not be delivered and is given up: %.*s",
		          (long long)m->id, SPAN_ARGS(answer));
}

static void note_outcome(struct server *srv, struct outbox_mail *m, enum delivery what,
                         struct span answer, struct send_result *out)
{
	m->next_try_utc = 0;
	switch (what) {
	case DELIVERY_SENT:
		m->state = OUTBOX_SENT;
		out->sent++;
		return;
	case DELIVERY_MAYBE:
		m->state = OUTBOX_MAYBE;
		m->next_try_utc = srv->now_utc + MAYBE_WAIT_S;
		m->answer = answer;
		break;
	case DELIVERY_DEAD:
		m->attempts = 6;
		note_failure(srv, m, answer);
		break;
	case DELIVERY_RETRY:
		note_failure(srv, m, answer);
		break;
	}
	out->failed++;
}

static enum err send_one(struct server *srv, struct sink *sink, struct outbox_mail *m,
                         struct arena *arena, struct send_result *out)
{
	struct strbuf answer = STRBUF_INIT, sender = STRBUF_INIT;
	enum delivery what = DELIVERY_RETRY;

	bounces_add_sender(srv, m, &sender);
	struct sink_mail mail = {.outbox_id = m->id,
	                         .created_utc = m->created_utc,
	                         .envelope_from = strbuf_span(&sender),
	                         .rcpt = m->rcpt,
	                         .message = m->message};
	enum err rc = sink_send(sink, &mail, &what, &answer, &srv->fail);

	if (rc == ERR_NONE)
		note_outcome(srv, m, what, arena_dup(arena, strbuf_span(&answer)), out);
	step("mail handed over");
	strbuf_release(&answer);
	strbuf_release(&sender);
	return rc;
}

/* Put back untried, for when its turn comes. */
static void put_back(struct server *srv, struct outbox_mail *m, const char *why)
{
	m->state = OUTBOX_RETRY;
	m->attempts--;
	m->next_try_utc = srv->now_utc + send_backoff_s(1);
	m->answer = span_of(why);
}

/* An earlier mail of the same player waits: this one must not overtake it. */
static bool would_overtake(const struct outbox_mail *rows, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (rows[k].player != 0 && rows[k].player == rows[i].player &&
		    (rows[k].state == OUTBOX_RETRY || rows[k].state == OUTBOX_MAYBE))
			return true;
	return false;
}

/* A sink that fails as a whole leaves what was not tried as it was before. */
static enum err send_rows(struct server *srv, struct sink *sink, struct outbox_mail *rows,
                          size_t n, struct arena *arena, struct send_result *out)
{
	enum err rc = mark_sending(srv, rows, n);
	enum err sink_rc = rc;
	unsigned failed = out->failed;

	for (size_t i = 0; i < n && rc == ERR_NONE; i++) {
		if (sink_rc == ERR_NONE && out->failed > failed && would_overtake(rows, i))
			put_back(srv, &rows[i],
			         "waits behind an earlier mail to the same player");
		else if (sink_rc == ERR_NONE)
			sink_rc = send_one(srv, sink, &rows[i], arena, out);
		if (sink_rc != ERR_NONE && rows[i].state == OUTBOX_SENDING)
			put_back(srv, &rows[i], arena_strdup(arena, server_why(srv, sink_rc)));
	}
	if (rc == ERR_NONE && sink_rc == ERR_NONE)
		sink_rc = sink_flush(sink, &srv->fail);
	if (rc == ERR_NONE && sink_rc == ERR_NONE)
		step("sink flushed");
	if (rc == ERR_NONE)
		rc = mark_all(srv, rows, n);
	step("outbox marked");
	return rc != ERR_NONE ? rc : sink_rc;
}

static enum err send_batches(struct server *srv, struct sink *sink, struct send_result *out)
{
	struct arena *arena = arena_new();
	struct outbox_mail *rows;
	int64_t after = 0;
	size_t n;
	enum err rc;

	do {
		arena_clear(arena);
		rc = outbox_due(srv->store, srv->now_utc, after, SEND_BATCH, arena, &rows, &n);
		if (rc != ERR_NONE || n == 0)
			break;
		after = rows[n - 1].id;
		rc = send_rows(srv, sink, rows, n, arena, out);
		server_progress(srv, out->sent, "mails sent");
		if (rc == ERR_NONE)
			rc = store_fold(srv->store);
	} while (rc == ERR_NONE);
	arena_free(arena);
	return rc;
}

static enum err recover(struct server *srv)
{
	TRY(store_begin_relaxed(srv->store));
	enum err rc = outbox_recover(srv->store);
	if (rc == ERR_NONE)
		return store_commit_relaxed(srv->store);
	store_rollback(srv->store);
	return rc;
}

static enum err send_locked(struct server *srv, struct send_result *out)
{
	struct sink *sink = NULL;
	enum err rc = recover(srv);

	if (rc == ERR_NONE)
		rc = sink_open(srv->cfg.sink, &srv->cfg.access, &sink, &srv->fail);
	if (rc == ERR_NONE)
		rc = send_batches(srv, sink, out);
	sink_close(sink);
	return rc;
}

enum err send_due(struct server *srv, struct send_result *out)
{
	bool due;
	int fd = -1;
	const char *lock = arena_printf(srv->arena, "%s.send",
	                                config_path(&srv->cfg, srv->cfg.lock_file, srv->arena));

	*out = (struct send_result){0};
	TRY(outbox_has_due(srv->store, srv->now_utc, &due));
	if (!due)
		return ERR_NONE;
	enum err rc = lock_take(lock, &fd, &srv->fail);
	if (rc == ERR_BUSY)
		return ERR_NONE;
	TRY(rc);
	rc = send_locked(srv, out);
	lock_drop(&fd);
	return rc;
}
