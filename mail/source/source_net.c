/*
 * source_net.c - a mailbox behind a connection: its URL, logging in, listing, and mails in sets,
 * whatever the connection does.
 */
#include "mail/source/source_net.h"

#include <stdlib.h>
#include <string.h>

#include "mail/child/tcp.h"
#include "mail/web/oauth.h"
#include "processor/base/clock.h"
#include "processor/base/num.h"
#include "processor/base/seal.h"

enum {
	TIMEOUT_S = 30,
	TIMEOUT_MAX_S = 300,
	NAME_MAX_BYTES = 200,
	/* Of a single wait: an answer may take several words of the server. */
	WAITS_PER_ANSWER = 6,
	/* All waiting of a run together. */
	WAITS_PER_RUN = 20,
	SET_MAX = 100,
	SET_BYTES = 1 << 20,
	HELD_BYTES = 4 << 20, /* waiting to be handed out: then no more is asked for ahead */
	LOSSES_PER_MAIL = 2,
	LOSSES_PER_RUN = 40
};

/* ---- the URL ---- */

static bool is_printable(const char *s)
{
	return span_printable(span_of(s)) == strlen(s);
}

/* NULL, or what is wrong. */
static const char *check_url(struct net_source *n)
{
	const char *timeout = net_url_option(&n->url, "timeout");
	const char *processed = net_url_option(&n->url, "processed");

	if (!*n->url.user)
		return "the user is missing: imaps://USER@HOST/INBOX, pop3s://USER@HOST";
	if (!n->is_tls && !net_url_is_loopback(&n->url))
		return "a password does not go over the network in clear: write imaps:// or "
		       "pop3s:// (in clear only localhost, 127.0.0.1 and [::1] are spoken to)";
	if (n->protocol == FETCH_POP3 && *n->url.path)
		return "POP3 has one mailbox only, so nothing may stand behind the host";
	n->mailbox = *n->url.path ? n->url.path : "INBOX";
	for (unsigned i = 0; i < n->url.noptions; i++)
		if (strcmp(n->url.options[i].key, "timeout") != 0 &&
		    strcmp(n->url.options[i].key, "processed") != 0)
			return "the options are processed=FOLDER and timeout=SECONDS";
	n->timeout_s = TIMEOUT_S;
	if (timeout && !num_parse_uint(span_of(timeout), 1, TIMEOUT_MAX_S, &n->timeout_s))
		return "timeout is a number of seconds from 1 to 300";
	n->kept = processed && *processed ? processed : "Processed";
	if (n->protocol == FETCH_POP3 && processed)
		return "POP3 has no folders, so 'processed' cannot stand here";
	if (!is_printable(n->url.user) || !is_printable(n->mailbox) || !is_printable(n->kept))
		return "user and folders are written in plain ASCII (folders as the server "
		       "names them)";
	if (strcmp(n->mailbox, n->kept) == 0)
		return "handled mail cannot go to the mailbox it comes from";
	return NULL;
}

enum err net_open(struct net_source *n, struct source *s, const char *rest, struct failure *e)
{
	const char *scheme = s->driver->scheme, *wrong;

	n->source = s;
	n->protocol = scheme[0] == 'p' ? FETCH_POP3 : FETCH_IMAP;
	n->is_tls = scheme[strlen(scheme) - 1] == 's';
	n->set_max = SET_MAX;
	TRY(net_url_parse(s->url, rest, &n->url, e));
	wrong = check_url(n);
	if (wrong)
		return err_set(e, ERR_CONFIG, "%s: %s", s->url, wrong);
	n->fetcher = fetcher_new((int)n->timeout_s * WAITS_PER_ANSWER * 1000 + 1000,
	                         (int64_t)n->timeout_s * WAITS_PER_RUN * 1000);
	return ERR_NONE;
}

/* Ends the connection; the listing stays good, and what was under way was never asked for. */
static void net_stop(struct net_source *n)
{
	fetcher_stop(n->fetcher);
	for (size_t k = 0; k < n->nasked; k++)
		for (size_t i = 0; i < n->asked[k].n; i++) {
			struct net_mail *m = &n->mails[n->asked[k].first + i];

			if (m->stage == NET_ASKED)
				m->stage = NET_LISTED;
		}
	n->nasked = 0;
}

void net_start(struct source *s)
{
	struct net_source *n = s->state;

	fetcher_start(n->fetcher);
}

void net_close(struct net_source *n)
{
	if (n->nasked > 0)
		net_stop(n);
	net_forget(n);
	free(n->mails);
	fetcher_free(n->fetcher);
	net_url_release(&n->url);
}

/* ---- logging in ---- */

enum err net_connect(struct net_source *n, struct failure *e)
{
	static const uint16_t usual[2][2] = {{143, 993}, {110, 995}};
	uint16_t port = n->url.port ? n->url.port : usual[n->protocol == FETCH_POP3][n->is_tls];
	bool again = false;

	if (n->is_open && fetcher_is_running(n->fetcher))
		return ERR_NONE;
	if (n->is_open)
		fetcher_stop(n->fetcher); /* what the dead one left */
	n->is_open = false;
	do {
		const struct mail_settings *a = n->source->settings;
		struct strbuf body = STRBUF_INIT;
		struct packet_cursor c;
		enum fetch_reply kind;
		struct login login;
		int socket = -1;
		enum err r = oauth_login_get(a, n->url.user, n->url.host, &login, e);

		strbuf_grow(&body,
		            login.secret.len + 4096); /* it must not move with a secret in it */
		packet_add_u32(&body, n->protocol);
		packet_add_u32(&body, n->is_tls);
		packet_add_u32(&body, port);
		packet_add_u32(&body, n->timeout_s);
		packet_add_span(&body, span_of(n->url.host));
		packet_add_span(&body, span_of(n->url.user));
		packet_add_span(&body, strbuf_span(&login.secret));
		packet_add_u32(&body, login.is_token);
		packet_add_span(&body, span_of(a->ca_file ? a->ca_file : ""));
		packet_add_span(&body, span_of(n->mailbox));
		packet_add_span(&body, span_of(n->kept));
		if (r == ERR_NONE)
			r = tcp_connect(n->url.host, port, n->timeout_s, &socket, e);
		if (r == ERR_NONE)
			r = fetcher_open(n->fetcher, socket, strbuf_span(&body), e);
		secret_release(&body);
		if (r == ERR_NONE)
			r = fetcher_reply(n->fetcher, &kind, &c, e);
		/* A token that should be good is not: with another one, once. */
		again = r == ERR_DENIED && oauth_login_refused(&login);
		login_release(&login);
		if (r == ERR_NONE) {
			n->validity = packet_take_u32(&c, UINT32_MAX);
			n->keeps = packet_take_u32(&c, 1) == 1;
			n->exists = packet_take_u32(&c, UINT32_MAX);
			n->next_uid = packet_take_u32(&c, UINT32_MAX);
			n->is_open = true;
			return r;
		}
		fetcher_stop(n->fetcher);
	} while (again);
	return err_context(e, "%s", n->source->url);
}

/* ---- asking ---- */

/* How many mails from `first` on go into one set. */
static size_t size_of_set(const struct net_source *n, size_t first, size_t max)
{
	const struct net_mail *m = &n->mails[first];
	size_t count = 0, bytes = 0;

	while (first + count < n->n && count < n->set_max && m[count].stage == NET_LISTED &&
	       m[count].folder == m->folder && (count == 0 || bytes < SET_BYTES)) {
		bytes += m[count].size < max && m[count].size > 0 ? m[count].size : max;
		if (count > 0 && bytes > SET_BYTES)
			break;
		count++;
	}
	return count;
}

static enum err ask(struct net_source *n, size_t first, size_t max, struct failure *e)
{
	struct net_set set = {first, size_of_set(n, first, max)};
	struct strbuf body = STRBUF_INIT;
	enum err r;

	packet_add_u32(&body, n->mails[first].folder);
	packet_add_u32(&body, max < UINT32_MAX ? max : UINT32_MAX);
	packet_add_u32(&body, set.n);
	for (size_t i = 0; i < set.n; i++) {
		struct net_mail *m = &n->mails[first + i];

		packet_add_span(&body, span_of(m->name));
		packet_add_u32(&body, m->size > max || m->size == 0);
		m->stage = NET_ASKED;
	}
	n->asked_max = max;
	n->asked[n->nasked++] = set;
	n->ask_next = first + set.n;
	r = fetcher_request(n->fetcher, FETCH_MAILS, strbuf_span(&body), e);
	strbuf_release(&body);
	return r;
}

/* Keeps the child busy: some sets from ask_next on. */
static enum err ask_some(struct net_source *n, size_t max, struct failure *e)
{
	enum err r = ERR_NONE;

	while (r == ERR_NONE && n->nasked < NET_AHEAD &&
	       (n->nasked == 0 || n->held_bytes < HELD_BYTES)) {
		while (n->ask_next < n->n && n->mails[n->ask_next].stage != NET_LISTED)
			n->ask_next++;
		if (n->ask_next == n->n)
			break;
		r = ask(n, n->ask_next, max, e);
	}
	return r;
}

/* ---- answers ---- */

static struct net_mail *find_asked(struct net_source *n, struct span name)
{
	for (size_t i = 0; i < n->asked[0].n; i++) {
		struct net_mail *m = &n->mails[n->asked[0].first + i];

		if (m->stage == NET_ASKED && span_eq_str(name, m->name))
			return m;
	}
	return NULL;
}

/* Of a mail whose size was not known the beginning may have been all. */
static void take_mail(struct net_source *n, struct packet_cursor *c)
{
	struct net_mail *m = find_asked(n, packet_take_span(c));
	uint32_t cut = packet_take_u32(c, 1);
	struct span raw = packet_take_span(c);

	if (!m || c->bad)
		return;
	m->cut = cut == 1 && (m->size > 0 || raw.len >= n->asked_max);
	m->stage = NET_HERE;
	strbuf_add_span(&m->raw, raw);
	n->held_bytes += raw.len;
}

/* What has come of the mails of the oldest set that were not answered. */
static void end_set(struct net_source *n, enum net_stage unanswered)
{
	for (size_t i = 0; i < n->asked[0].n; i++) {
		struct net_mail *m = &n->mails[n->asked[0].first + i];

		if (m->stage == NET_ASKED)
			m->stage = unanswered;
	}
	n->nasked--;
	memmove(n->asked, n->asked + 1, n->nasked * sizeof(n->asked[0]));
}

/* Smaller sets, down to single mails, find out which one it is. */
static enum err lose(struct net_source *n, enum err why, struct failure *e)
{
	struct net_mail *m = &n->mails[n->asked[0].first];
	bool alone = n->nasked > 0 && n->asked[0].n == 1;

	net_stop(n);
	n->is_open = false;
	n->set_max = n->set_max > 8 ? n->set_max / 8 : 1;
	if (alone && ++m->losses >= LOSSES_PER_MAIL)
		m->stage = NET_LACKING;
	if (++n->losses < LOSSES_PER_RUN)
		return ERR_NONE;
	err_context(e, "%s", n->source->url);
	return why;
}

/* One answer. An error: nothing more can be had now. */
static enum err take_answer(struct net_source *n, struct failure *e)
{
	enum fetch_reply kind = FETCH_DONE;
	struct packet_cursor c;
	enum err r = fetcher_reply(n->fetcher, &kind, &c, e);

	if (r == ERR_INVALID && fetcher_is_running(n->fetcher)) {
		/* The server said no: its answer for one mail; of several each is asked for alone. */
		bool alone = n->asked[0].n == 1;

		if (!alone)
			n->set_max = 1;
		end_set(n, alone ? NET_LACKING : NET_LISTED);
	} else if (r != ERR_NONE)
		return lose(n, r, e);
	else if (kind == FETCH_MAIL)
		take_mail(n, &c);
	else if (kind == FETCH_LACKING) {
		struct net_mail *m = find_asked(n, packet_take_span(&c));

		if (m)
			m->stage = NET_LACKING;
	} else if (kind == FETCH_DONE) {
		end_set(n, NET_GONE);
		n->set_max = n->set_max * 2 < SET_MAX ? n->set_max * 2 : SET_MAX;
	}
	return ERR_NONE;
}

void net_poll(struct source *s)
{
	struct net_source *n = s->state;
	enum err r = ERR_NONE;

	while (r == ERR_NONE && fetcher_poll(n->fetcher, NULL) && n->nasked > 0)
		r = take_answer(n, NULL);
	/* Not to connect, or to see whether the mailbox is still the same: that takes time. */
	bool may_ask = n->is_open && fetcher_is_running(n->fetcher) && n->asked_max > 0 &&
	               n->validity == n->listed_validity && n->held_bytes < HELD_BYTES;
	if (may_ask && ask_some(n, n->asked_max, NULL) != ERR_NONE)
		net_stop(n);
}

/* Takes in what is under way. */
static void net_drain(struct net_source *n)
{
	while (n->nasked > 0 && fetcher_is_running(n->fetcher))
		if (take_answer(n, NULL) != ERR_NONE)
			break;
	if (n->nasked > 0)
		net_stop(n);
}

/* ---- listing ---- */

static bool name_ok(const struct net_source *n, struct span name)
{
	uint64_t uid;

	if (n->protocol == FETCH_IMAP)
		return num_parse_u64(name, UINT32_MAX, &uid) && uid > 0;
	return name.len > 0 && name.len <= NAME_MAX_BYTES && span_printable(name) == name.len &&
	       span_find_char(name, ' ') == name.len;
}

/* An arrival in the future would be a clock that is wrong, and hold up what came later. */
static void add_entry(struct net_source *n, enum fetch_folder folder, struct packet_cursor *c)
{
	struct span name = packet_take_span(c);
	struct net_mail m = {.folder = folder, .raw = STRBUF_INIT};
	int64_t now_utc = clock_now_utc();

	m.size = packet_take_u32(c, UINT32_MAX);
	m.arrived_utc = (int64_t)packet_take_u64(c);
	m.place = packet_take_u32(c, UINT32_MAX);
	if (c->bad || !name_ok(n, name))
		return;
	if (m.arrived_utc > now_utc)
		m.arrived_utc = now_utc;
	m.name = strndup(name.ptr, name.len);
	n->mails = xgrow(n->mails, &n->cap, n->n + 1, sizeof(*n->mails));
	n->mails[n->n++] = m;
}

void net_drop(struct net_source *n, size_t at)
{
	free(n->mails[at].name);
	free(n->mails[at].id);
	n->held_bytes -= n->mails[at].raw.len;
	strbuf_release(&n->mails[at].raw);
	n->mails[at] = n->mails[--n->n];
}

void net_forget(struct net_source *n)
{
	net_drain(n);
	while (n->n > 0)
		net_drop(n, n->n - 1);
	n->hint = n->ask_next = 0;
}

/* A connection that broke may have been an accident. */
static bool may_try_again(const struct net_source *n, enum err r)
{
	return !fetcher_is_running(n->fetcher) && n->is_open && r == ERR_IO;
}

/*
 * To tell the size of a mail, servers read it; one that cannot be read then spoils the whole
 * listing. So the last try does without.
 */
enum err net_list(struct net_source *n, enum fetch_folder folder, uint32_t first,
                  struct span names, size_t max, bool *complete, uint32_t *validity,
                  struct failure *e)
{
	size_t before = n->n;
	enum err r = ERR_NONE;

	for (unsigned tries = 0; tries < 3; tries++) {
		struct strbuf body = STRBUF_INIT;
		enum fetch_reply kind = FETCH_ENTRY;
		struct packet_cursor c;

		TRY(net_connect(n, e));
		n->listed_validity = n->validity;
		packet_add_u32(&body, folder);
		packet_add_u32(&body, first);
		packet_add_span(&body, names);
		packet_add_u32(&body, max < UINT32_MAX ? max : UINT32_MAX);
		packet_add_u32(&body, tries < 2);
		r = fetcher_request(n->fetcher, FETCH_LIST, strbuf_span(&body), e);
		strbuf_release(&body);
		if (n->waiting > 0 &&
		    n->source->on_waiting) /* while the server is at its answer */
			n->source->on_waiting(n->source->waiting_ctx, n->waiting);
		n->waiting = 0;
		while (r == ERR_NONE && kind != FETCH_DONE) {
			r = fetcher_reply(n->fetcher, &kind, &c, e);
			if (r == ERR_NONE && kind != FETCH_DONE)
				add_entry(n, folder, &c);
		}
		if (r == ERR_NONE) {
			*complete = packet_take_u32(&c, 1) == 1;
			*validity = packet_take_u32(&c, UINT32_MAX);
			break;
		}
		while (n->n > before)
			net_drop(n, n->n - 1);
		fetcher_stop(n->fetcher);
		err_context(e, "%s", n->source->url);
		if (!may_try_again(n, r))
			break;
	}
	return r;
}

static int by_arrival(const void *a, const void *b)
{
	const struct net_mail *x = a, *y = b;

	if (x->arrived_utc != y->arrived_utc)
		return x->arrived_utc < y->arrived_utc ? -1 : 1;
	if (x->handled != y->handled)
		return x->handled ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

size_t net_offer(struct net_source *n, size_t max, struct arena *arena,
                 struct source_mail **out)
{
	size_t count = n->n < max ? n->n : max;

	if (n->n > 0)
		qsort(n->mails, n->n, sizeof(*n->mails), by_arrival);
	*out = arena_calloc(arena, count, sizeof(**out));
	for (size_t i = 0; i < count; i++)
		(*out)[i] = (struct source_mail){
		    .id = arena_dup(arena, span_of(n->mails[i].id)),
		    .arrived_utc = n->mails[i].arrived_utc,
		    .arrived_ns = n->mails[i].place, /* their order within a second */
		    .size = n->mails[i].size,
		    .handled = n->mails[i].handled};
	return count;
}

/* Mails are asked for in the order in which they were offered, or nearly so. */
struct net_mail *net_find(struct net_source *n, struct span id)
{
	for (size_t i = 0; i < n->n; i++) {
		size_t at = (n->hint + i) % n->n;

		if (span_eq_str(id, n->mails[at].id)) {
			n->hint = at;
			return &n->mails[at];
		}
	}
	return NULL;
}

/* ---- one mail ---- */

static enum err step_towards(struct net_source *n, const struct net_mail *m, size_t max,
                             struct failure *e)
{
	enum err r = net_connect(n, e);

	if (r == ERR_NONE && n->validity != n->listed_validity)
		return err_set(e, ERR_IO, "%s: the mailbox was made anew while it was read",
		               n->source->url);
	/* The set with `m`, and some behind it; if it was passed over, what is under way comes first. */
	size_t wanted = (size_t)(m - n->mails);
	if (r == ERR_NONE && m->stage == NET_LISTED && n->nasked == 0)
		n->ask_next = wanted;
	if (r == ERR_NONE && !(m->stage == NET_LISTED && wanted < n->ask_next && n->nasked > 0))
		r = ask_some(n, max, e);
	if (r != ERR_NONE && n->nasked > 0)
		return lose(n, r, e);
	if (r != ERR_NONE)
		return r;
	return n->nasked > 0 ? take_answer(n, e) : ERR_NONE;
}

static enum err give(struct net_source *n, struct net_mail *m, size_t max, struct strbuf *raw,
                     struct failure *e)
{
	struct span all = strbuf_span(&m->raw);
	bool cut = m->cut || all.len > max;

	strbuf_add_span(raw, span_slice(all, 0, max));
	n->held_bytes -= all.len;
	strbuf_release(&m->raw);
	m->stage = NET_GIVEN;
	return cut ? err_set(e, ERR_LIMIT, "mail %s is larger than %zu bytes", m->id, max)
	           : ERR_NONE;
}

bool net_is_here(struct source *s, const struct source_mail *mail)
{
	const struct net_mail *m = net_find(s->state, mail->id);

	return !m || m->stage == NET_HERE || m->stage == NET_LACKING || m->stage == NET_GONE;
}

enum err net_fetch(struct net_source *n, struct net_mail *m, size_t max, struct strbuf *raw,
                   struct failure *e)
{
	if (m->stage == NET_GIVEN)
		m->stage = NET_LISTED;
	while (m->stage == NET_LISTED || m->stage == NET_ASKED)
		TRY(step_towards(n, m, max, e));
	if (m->stage == NET_GONE)
		return err_set(e, ERR_NOT_FOUND, "mail %s is not there any more", m->id);
	if (m->stage == NET_LACKING)
		return err_set(e, ERR_INVALID,
		               "%s: the server lists mail %s but does not give it",
		               n->source->url, m->id);
	return give(n, m, max, raw, e);
}

/* ---- out of the mailbox ---- */

static enum err command_once(struct net_source *n, enum fetch_op op, struct span body,
                             net_moved_fn *moved, void *ctx, struct failure *e)
{
	enum fetch_reply kind = FETCH_ENTRY;
	struct packet_cursor c;

	TRY(net_connect(n, e));
	enum err r = fetcher_request(n->fetcher, op, body, e);
	while (r == ERR_NONE && kind != FETCH_DONE) {
		r = fetcher_reply(n->fetcher, &kind, &c, e);
		if (r == ERR_NONE && kind == FETCH_MOVED && moved) {
			uint32_t validity = packet_take_u32(&c, UINT32_MAX);
			struct span from = packet_take_span(&c), to = packet_take_span(&c);

			moved(ctx, from, validity, to);
		}
	}
	if (r != ERR_NONE) {
		fetcher_stop(n->fetcher);
		err_context(e, "%s", n->source->url);
	}
	return r;
}

/* FETCH_SETTLE or FETCH_PURGE. */
static enum err command(struct net_source *n, enum fetch_op op, uint32_t validity,
                        struct span names, net_moved_fn *moved, void *ctx, struct failure *e)
{
	struct strbuf body = STRBUF_INIT;

	packet_add_u32(&body, validity);
	packet_add_span(&body, names);
	net_drain(n);
	enum err r = command_once(n, op, strbuf_span(&body), moved, ctx, e);
	if (r != ERR_NONE && may_try_again(n, r))
		r = command_once(n, op, strbuf_span(&body), moved, ctx, e);
	strbuf_release(&body);
	return r;
}

enum err net_settle(struct net_source *n, uint32_t validity, struct span names,
                    net_moved_fn *moved, void *ctx, struct failure *e)
{
	enum err r = command(n, FETCH_SETTLE, validity, names, moved, ctx, e);

	if (r == ERR_NONE && n->protocol == FETCH_POP3)
		net_stop(n); /* it has taken its leave, for else nothing goes away */
	return r;
}

enum err net_purge(struct net_source *n, uint32_t validity, struct span names,
                   struct failure *e)
{
	return command(n, FETCH_PURGE, validity, names, NULL, NULL, e);
}
