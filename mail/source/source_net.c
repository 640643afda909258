/*
 * source_net.c - a mailbox behind a connection: its URL, logging in, listing.
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
	SET_MAX = 100
};

/* ---- the URL ---- */

static bool is_printable(const char *s)
{
	return span_printable(span_of(s)) == strlen(s);
}

static const char *read_options(struct net_source *n)
{
	const char *timeout = net_url_option(&n->url, "timeout");
	const char *processed = net_url_option(&n->url, "processed");

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
	return NULL;
}

static const char *check_url(struct net_source *n)
{
	if (!*n->url.user)
		return "the user is missing: imaps://USER@HOST/INBOX, pop3s://USER@HOST";
	if (!n->is_tls && !net_url_is_loopback(&n->url))
		return "a password does not go over the network in clear: write imaps:// or "
		       "pop3s:// (in clear only localhost, 127.0.0.1 and [::1] are spoken to)";
	if (n->protocol == FETCH_POP3 && *n->url.path)
		return "POP3 has one mailbox only, so nothing may stand behind the host";
	n->mailbox = *n->url.path ? n->url.path : "INBOX";
	const char *wrong = read_options(n);
	if (!wrong &&
	    (!is_printable(n->url.user) || !is_printable(n->mailbox) || !is_printable(n->kept)))
		return "user and folders are written in plain ASCII (folders as the server "
		       "names them)";
	if (!wrong && strcmp(n->mailbox, n->kept) == 0)
		return "handled mail cannot go to the mailbox it comes from";
	return wrong;
}

enum err net_open(struct net_source *n, struct source *s, const char *rest, struct failure *e)
{
	const char *scheme = s->driver->scheme, *wrong;
	enum err r;

	n->source = s;
	n->protocol = scheme[0] == 'p' ? FETCH_POP3 : FETCH_IMAP;
	n->is_tls = scheme[strlen(scheme) - 1] == 's';
	n->set_max = SET_MAX;
	r = net_url_parse(s->url, rest, &n->url, e);
	if (r != ERR_NONE)
		return r;
	wrong = check_url(n);
	if (wrong)
		return err_set(e, ERR_CONFIG, "%s: %s", s->url, wrong);
	n->fetcher = fetcher_new((int)n->timeout_s * WAITS_PER_ANSWER * 1000 + 1000,
	                         (int64_t)n->timeout_s * WAITS_PER_RUN * 1000);
	return ERR_NONE;
}

void net_start(struct net_source *n)
{
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

static uint16_t port_of(const struct net_source *n)
{
	static const uint16_t usual[2][2] = {{143, 993}, {110, 995}};

	return n->url.port ? n->url.port : usual[n->protocol == FETCH_POP3][n->is_tls];
}

static void add_target(const struct net_source *n, const struct login *login,
                       struct strbuf *body)
{
	const struct mail_settings *a = n->source->settings;

	strbuf_grow(body, login->secret.len + 4096); /* it must not move with a secret in it */
	packet_add_u32(body, n->protocol);
	packet_add_u32(body, n->is_tls);
	packet_add_u32(body, port_of(n));
	packet_add_u32(body, n->timeout_s);
	packet_add_span(body, span_of(n->url.host));
	packet_add_span(body, span_of(n->url.user));
	packet_add_span(body, strbuf_span(&login->secret));
	packet_add_u32(body, login->is_token);
	packet_add_span(body, span_of(a->ca_file ? a->ca_file : ""));
	packet_add_span(body, span_of(n->mailbox));
	packet_add_span(body, span_of(n->kept));
}

static enum err wait_for_open(struct net_source *n, struct failure *e)
{
	struct packet_cursor c;
	enum fetch_reply kind;
	enum err r = fetcher_reply(n->fetcher, &kind, &c, e);

	if (r != ERR_NONE)
		return r;
	n->validity = packet_take_u32(&c, UINT32_MAX);
	n->keeps = packet_take_u32(&c, 1) == 1;
	n->exists = packet_take_u32(&c, UINT32_MAX);
	n->next_uid = packet_take_u32(&c, UINT32_MAX);
	n->is_open = true;
	return ERR_NONE;
}

enum err net_connect(struct net_source *n, struct failure *e)
{
	bool again = false;

	if (n->is_open && fetcher_is_running(n->fetcher))
		return ERR_NONE;
	if (n->is_open)
		fetcher_stop(n->fetcher); /* what the dead one left */
	n->is_open = false;
	do {
		struct strbuf body = STRBUF_INIT;
		struct login login;
		int socket = -1;
		enum err r =
		    oauth_login_get(n->source->settings, n->url.user, n->url.host, &login, e);

		add_target(n, &login, &body);
		if (r == ERR_NONE)
			r = tcp_connect(n->url.host, port_of(n), n->timeout_s, &socket, e);
		if (r == ERR_NONE)
			r = fetcher_open(n->fetcher, socket, strbuf_span(&body), e);
		secret_release(&body);
		if (r == ERR_NONE)
			r = wait_for_open(n, e);
		/* A token that should be good is not: with another one, once. */
		again = r == ERR_DENIED && oauth_login_refused(&login);
		login_release(&login);
		if (r == ERR_NONE)
			return r;
		fetcher_stop(n->fetcher);
	} while (again);
	return err_context(e, "%s", n->source->url);
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

static void tell_waiting(struct net_source *n)
{
	if (n->waiting > 0 && n->source->on_waiting)
		n->source->on_waiting(n->source->waiting_ctx, n->waiting);
	n->waiting = 0;
}

static enum err read_listing(struct net_source *n, enum fetch_folder folder, bool *complete,
                             uint32_t *validity, struct failure *e)
{
	struct packet_cursor c;
	enum fetch_reply kind;

	for (;;) {
		enum err r = fetcher_reply(n->fetcher, &kind, &c, e);
		if (r != ERR_NONE)
			return r;
		if (kind == FETCH_DONE)
			break;
		add_entry(n, folder, &c);
	}
	*complete = packet_take_u32(&c, 1) == 1;
	*validity = packet_take_u32(&c, UINT32_MAX);
	return ERR_NONE;
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

static enum err list_once(struct net_source *n, enum fetch_folder folder, struct span body,
                          bool *complete, uint32_t *validity, struct failure *e)
{
	size_t before = n->n;
	enum err r = net_connect(n, e);

	if (r != ERR_NONE)
		return r;
	n->listed_validity = n->validity;
	r = fetcher_request(n->fetcher, FETCH_LIST, body, e);
	tell_waiting(n); /* while the server is at its answer */
	if (r == ERR_NONE)
		r = read_listing(n, folder, complete, validity, e);
	if (r != ERR_NONE) {
		while (n->n > before)
			net_drop(n, n->n - 1);
		fetcher_stop(n->fetcher);
		err_context(e, "%s", n->source->url);
	}
	return r;
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
	enum err r = ERR_NONE;

	for (unsigned tries = 0; tries < 3; tries++) {
		struct strbuf body = STRBUF_INIT;

		packet_add_u32(&body, folder);
		packet_add_u32(&body, first);
		packet_add_span(&body, names);
		packet_add_u32(&body, max < UINT32_MAX ? max : UINT32_MAX);
		packet_add_u32(&body, tries < 2);
		r = list_once(n, folder, strbuf_span(&body), complete, validity, e);
		strbuf_release(&body);
		if (r == ERR_NONE || !may_try_again(n, r))
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

/* ---- out of the mailbox ---- */

static enum err command_once(struct net_source *n, enum fetch_op op, struct span body,
                             net_moved_fn *moved, void *ctx, struct failure *e)
{
	enum fetch_reply kind = FETCH_ENTRY;
	struct packet_cursor c;
	enum err r = net_connect(n, e);

	if (r != ERR_NONE)
		return r;
	r = fetcher_request(n->fetcher, op, body, e);
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

static enum err command(struct net_source *n, enum fetch_op op, struct span body,
                        net_moved_fn *moved, void *ctx, struct failure *e)
{
	enum err r;

	net_drain(n);
	r = command_once(n, op, body, moved, ctx, e);
	if (r != ERR_NONE && may_try_again(n, r))
		r = command_once(n, op, body, moved, ctx, e);
	return r;
}

enum err net_settle(struct net_source *n, uint32_t validity, struct span names,
                    net_moved_fn *moved, void *ctx, struct failure *e)
{
	struct strbuf body = STRBUF_INIT;
	enum err r;

	packet_add_u32(&body, validity);
	packet_add_span(&body, names);
	r = command(n, FETCH_SETTLE, strbuf_span(&body), moved, ctx, e);
	strbuf_release(&body);
	if (r == ERR_NONE && n->protocol == FETCH_POP3)
		net_stop(n); /* it has taken its leave, for else nothing goes away */
	return r;
}

enum err net_purge(struct net_source *n, uint32_t validity, struct span names,
                   struct failure *e)
{
	struct strbuf body = STRBUF_INIT;
	enum err r;

	packet_add_u32(&body, validity);
	packet_add_span(&body, names);
	r = command(n, FETCH_PURGE, strbuf_span(&body), NULL, NULL, e);
	strbuf_release(&body);
	return r;
}
