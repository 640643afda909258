/*
 * source_imap.c - mail in an IMAP mailbox.
 *
 * A mail's identity is "UIDVALIDITY.UID". The work list is what lies above the highest UID dealt
 * with, and the few below it that could not be; whether somebody has read a mail does not
 * matter. What has been dealt with is moved to another folder of the same account; where the
 * server can do that neither by MOVE nor by UID EXPUNGE, the mail stays and its UID is
 * remembered. Nothing else is ever expunged.
 *
 * Kept mail is found again by what the server said when it was moved (COPYUID). Of a mail
 * of which that is not known, since the run died in that moment or the server does not tell,
 * the identity is "kept.UIDVALIDITY.UID" of the other folder, and it is never removed.
 */
#include <stdlib.h>
#include <string.h>

#include "mail/source/imap_state.h"
#include "mail/source/source_net.h"
#include "processor/base/num.h"
#include "processor/base/step.h"

struct imap_source {
	struct net_source net; /* first, as source_net.h says */
	struct imap_state state;
	struct uid_set listed; /* in the mailbox and not dealt with */
	struct uid_set failed; /* could not be had in this run, which is enough for it */
	bool reread;
	struct uid_set reread_done; /* kept mail gone through again */
	bool settled_any;           /* since the last sync */
	struct uid_set to_purge;
	uint32_t kept_validity; /* of to_purge, and of kept mail that was listed */
};

static enum err imap_source_open(struct source *s, const char *rest, struct failure *e)
{
	struct imap_source *m = xcalloc(1, sizeof(*m));

	s->state = m;
	return net_open(&m->net, s, rest, e);
}

static void imap_source_close(struct source *s)
{
	struct imap_source *m = s->state;

	if (!m)
		return;
	net_close(&m->net);
	imap_state_release(&m->state);
	uid_set_release(&m->listed);
	uid_set_release(&m->failed);
	uid_set_release(&m->reread_done);
	uid_set_release(&m->to_purge);
	free(m);
}

/* ---- what is remembered ---- */

static bool imap_source_resume(struct source *s, struct span state)
{
	struct imap_source *m = s->state;

	return imap_state_read(&m->state, state);
}

static bool read_place(struct span id, struct imap_place *out)
{
	size_t dot = span_find_char(id, '.');
	unsigned validity, uid;

	if (!num_parse_uint(span_slice(id, 0, dot), 1, UINT32_MAX, &validity) ||
	    !num_parse_uint(span_slice(id, dot + 1, id.len), 1, UINT32_MAX, &uid))
		return false;
	*out = (struct imap_place){validity, uid};
	return true;
}

/* Dealt with for good: in *state, which may be a copy. */
static void mark_done(const struct imap_source *m, struct imap_state *state, struct span id)
{
	struct imap_place p;

	if (!read_place(id, &p) || p.validity != state->validity ||
	    (p.uid <= state->last && !uid_set_has(&state->open, p.uid)))
		return;
	imap_state_done(state, &m->listed, p.uid);
	uid_set_add(&state->unmoved, p.uid);
}

static void imap_source_note(struct source *s, const struct source_mail *const *done, size_t n,
                             struct strbuf *out)
{
	struct imap_source *m = s->state;
	struct imap_state copy = {0};
	struct strbuf now = STRBUF_INIT;

	imap_state_write(&m->state, &now);
	if (n == 0) {
		strbuf_add_span(out, strbuf_span(&now));
	} else {
		if (!imap_state_read(&copy, strbuf_span(&now)))
			BUG("%s: own state is unreadable", s->url);
		copy.validity = m->state.validity;
		for (size_t i = 0; i < n; i++)
			mark_done(m, &copy, done[i]->id);
		imap_state_write(&copy, out);
	}
	imap_state_release(&copy);
	strbuf_release(&now);
}

/* ---- listing ---- */

/* Names the mails just added to the listing, from `first` on; `kept`: in the other folder. */
static void name_mails(struct imap_source *m, size_t first, bool kept)
{
	for (size_t i = first; i < m->net.n; i++) {
		struct imap_place at = {kept ? m->kept_validity : m->state.validity,
		                        m->net.mails[i].place};
		struct strbuf id = STRBUF_INIT;

		if (kept && !imap_state_origin(&m->state, at, &at))
			strbuf_adds(&id, "kept.");
		strbuf_addf(&id, "%u.%u", (unsigned)at.validity, (unsigned)at.uid);
		m->net.mails[i].id = strbuf_detach(&id);
	}
}

static enum err list_inbox(struct imap_source *m, size_t max, bool *complete, struct failure *e)
{
	struct strbuf open = STRBUF_INIT;
	struct uid_set gone = UID_SET_INIT;
	uint32_t validity;

	uid_set_write(&m->state.open, &open);
	enum err r = net_list(&m->net, FETCH_INBOX, m->state.last + 1, strbuf_span(&open), max,
	                      complete, &validity, e);
	strbuf_release(&open);
	TRY(r);
	uid_set_clear(&m->listed);
	for (size_t i = 0; i < m->net.n; i++)
		uid_set_add(&m->listed, m->net.mails[i].place);
	/* Open ones that the server no longer has are nobody's loss. */
	uid_set_add_set(&gone, &m->state.open);
	uid_set_remove_set(&gone, &m->listed);
	for (uint32_t u = uid_set_next(&gone, 0); u != 0; u = uid_set_next(&gone, u))
		imap_state_done(&m->state, &m->listed, u);
	uid_set_release(&gone);
	for (size_t i = m->net.n; i > 0; i--)
		if (uid_set_has(&m->failed, m->net.mails[i - 1].place))
			net_drop(&m->net, i - 1);
	name_mails(m, 0, false);
	return ERR_NONE;
}

/* Where nothing can be moved, handled mail lies in the mailbox itself. */
static enum err list_kept(struct imap_source *m, size_t max, bool *complete, struct failure *e)
{
	enum fetch_folder folder = m->net.keeps ? FETCH_KEPT : FETCH_INBOX;
	size_t first = m->net.n;

	TRY(net_list(&m->net, folder, 1, SPAN_EMPTY,
	             max + (size_t)uid_set_count(&m->reread_done), complete, &m->kept_validity,
	             e));
	for (size_t i = m->net.n; i > first; i--) {
		uint32_t uid = m->net.mails[i - 1].place;
		bool is_new = uid > m->state.last || uid_set_has(&m->state.open, uid);

		if (uid_set_has(&m->reread_done, uid) || (!m->net.keeps && is_new))
			net_drop(&m->net, i - 1);
	}
	name_mails(m, first, m->net.keeps);
	for (size_t i = first; i < m->net.n; i++)
		m->net.mails[i].handled = true;
	return ERR_NONE;
}

static enum err imap_source_next(struct source *s, size_t max, struct arena *arena,
                                 struct source_mail **out, size_t *n, bool *complete,
                                 struct failure *e)
{
	struct imap_source *m = s->state;
	bool kept_complete = true;
	uint32_t above;

	net_forget(&m->net);
	TRY(net_connect(&m->net, e));
	if (m->net.validity != m->state.validity) {
		imap_state_restart(&m->state, m->net.validity);
		uid_set_clear(&m->failed);
	}
	/* As far as the server has said without being asked for a listing. */
	above = m->net.next_uid > m->state.last ? m->net.next_uid - m->state.last - 1 : 0;
	m->net.waiting = above < m->net.exists ? above : m->net.exists;
	TRY(list_inbox(m, max, complete, e));
	if (m->reread)
		TRY(list_kept(m, max, &kept_complete, e));
	*n = net_offer(&m->net, max, arena, out);
	*complete = *complete && kept_complete && *n == m->net.n;
	return ERR_NONE;
}

/* ---- one mail ---- */

static enum err imap_source_fetch(struct source *s, const struct source_mail *mail, size_t max,
                                  struct strbuf *raw, struct failure *e)
{
	struct imap_source *m = s->state;
	struct net_mail *found = net_find(&m->net, mail->id);
	enum err r;

	if (!found)
		return err_set(e, ERR_NOT_FOUND, "mail %.*s is not there", SPAN_ARGS(mail->id));
	r = net_fetch(&m->net, found, max, raw, e);
	if (found->handled)
		return r;
	if (r == ERR_NOT_FOUND) {
		uid_set_remove(&m->listed, found->place);
		imap_state_done(&m->state, &m->listed, found->place);
	} else if (r == ERR_INVALID) {
		uid_set_add(&m->failed, found->place);
		unsigned tries = imap_state_failed(&m->state, &m->listed, found->place);
		if (tries >= SOURCE_MOST_TRIES)
			r = err_set(e, ERR_CORRUPT, "the server did not give it in %u runs",
			            tries);
	}
	return r;
}

static enum err imap_source_settle(struct source *s, const struct source_mail *mail,
                                   struct failure *e)
{
	struct imap_source *m = s->state;
	const struct net_mail *found = net_find(&m->net, mail->id);

	(void)e;
	if (found && found->handled) {
		uid_set_add(&m->reread_done, found->place);
		return ERR_NONE;
	}
	mark_done(m, &m->state, mail->id);
	m->settled_any = true;
	if (found)
		uid_set_remove(&m->listed, found->place);
	return ERR_NONE;
}

/* ---- out of the mailbox ---- */

static void note_moved(void *ctx, struct span from, uint32_t validity, struct span to)
{
	struct imap_source *m = ctx;

	imap_state_moved(&m->state, from, validity, to);
}

/* A mailbox that is not the one it was must lose no mail by old numbers. */
static enum err move_handled(struct imap_source *m, struct failure *e)
{
	struct strbuf names = STRBUF_INIT;
	enum err r = ERR_NONE;

	TRY(net_connect(&m->net, e));
	if (m->net.validity == m->state.validity && m->net.keeps) {
		uid_set_write(&m->state.unmoved, &names);
		r = net_settle(&m->net, m->state.validity, strbuf_span(&names), note_moved, m,
		               e);
	}
	strbuf_release(&names);
	TRY(r);
	uid_set_clear(&m->state.unmoved);
	step("source: settled");
	return ERR_NONE;
}

static enum err purge_kept(struct imap_source *m, struct failure *e)
{
	struct strbuf names = STRBUF_INIT;

	uid_set_write(&m->to_purge, &names);
	enum err r = net_purge(&m->net, m->kept_validity, strbuf_span(&names), e);
	strbuf_release(&names);
	TRY(r);
	for (uint32_t u = uid_set_next(&m->to_purge, 0); u; u = uid_set_next(&m->to_purge, u))
		imap_state_forget(&m->state, (struct imap_place){m->kept_validity, u});
	uid_set_clear(&m->to_purge);
	return ERR_NONE;
}

static enum err imap_source_sync(struct source *s, struct failure *e)
{
	struct imap_source *m = s->state;
	enum err r = ERR_NONE;

	if (m->state.unmoved.n > 0)
		r = move_handled(m, e);
	if (r == ERR_INVALID) {
		err_context(e, "mail that has been dealt with stays in the mailbox");
		r = m->settled_any ? r : ERR_NONE; /* told when there is more of it */
	}
	m->settled_any = false;
	if (r == ERR_NONE && m->to_purge.n > 0)
		r = purge_kept(m, e);
	if (r == ERR_NONE)
		step("source: synced");
	return r;
}

static size_t imap_source_unmoved(const struct source *s)
{
	const struct imap_source *m = s->state;

	return (size_t)uid_set_count(&m->state.unmoved);
}

static enum err imap_source_purge(struct source *s, struct span id, struct failure *e)
{
	struct imap_source *m = s->state;
	struct imap_place from, to;

	if (!read_place(id, &from) || !imap_state_where(&m->state, from, &to))
		return ERR_NONE;
	if (m->to_purge.n > 0 && to.validity != m->kept_validity)
		TRY(purge_kept(m, e));
	m->kept_validity = to.validity;
	uid_set_add(&m->to_purge, to.uid);
	return ERR_NONE;
}

static void imap_source_reread(struct source *s)
{
	struct imap_source *m = s->state;

	m->reread = true;
	uid_set_clear(&m->reread_done);
}

static enum err imap_source_watch(struct source *s, unsigned most_s, int *fd, bool *mail,
                                  struct failure *e)
{
	struct net_source *n = s->state;
	bool asked = n->is_open && fetcher_is_running(n->fetcher);
	enum err r = net_connect(n, e);

	/* To the end: an answer that has been taken in wakes nobody who waits for *fd. */
	while (r == ERR_NONE && (!asked || fetcher_poll(n->fetcher, fd))) {
		struct strbuf body = STRBUF_INIT;
		struct packet_cursor c;
		enum fetch_reply kind;

		packet_add_u32(&body, most_s);
		if (asked)
			r = fetcher_reply(n->fetcher, &kind, &c, e);
		if (r == ERR_NONE && asked && packet_take_u32(&c, 1) == 1)
			*mail = true;
		if (r == ERR_NONE)
			r = fetcher_request(n->fetcher, FETCH_WAIT, strbuf_span(&body), e);
		strbuf_release(&body);
		asked = true;
	}
	return r;
}

#define IMAP_DRIVER(name)                                                                     \
	{                                                                                     \
		.scheme = (name), .open = imap_source_open, .close = imap_source_close,       \
		.next = imap_source_next, .fetch = imap_source_fetch,                         \
		.settle = imap_source_settle, .sync = imap_source_sync,                       \
		.unmoved = imap_source_unmoved, .purge = imap_source_purge,                   \
		.reread = imap_source_reread, .poll = net_poll, .resume = imap_source_resume, \
		.is_here = net_is_here, .note = imap_source_note, .start = net_start,         \
		.watch = imap_source_watch                                                    \
	}

const struct source_driver source_imaps = IMAP_DRIVER("imaps");
const struct source_driver source_imap = IMAP_DRIVER("imap");
