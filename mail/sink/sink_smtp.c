/*
 * sink_smtp.c - "smtp://" and "smtps://": mail handed to a server by several sending children.
 *
 * TLS is always or never, as the URL says, and never is for this machine only. Opening reads
 * the URL; the first mail, or a look at the sink, reads the password and has a child connect.
 *
 * Each child has one connection (sender.h) and is given some mails ahead, since the one who gives out the batch
 * goes on with other work meanwhile. Where there are several, one mail of a lane is in hand at a time; what
 * stands behind a mail that did not get through stays untried.
 *
 * Trusts nothing of what a child says: an answer counts only for the mail that is in its hand, is one that
 * fits there, and its numbers and words are bounded. Of a child that dies, hangs or lies, the mail in hand
 * may have been taken if the child had begun its text, all others certainly were not; the sink has failed
 * then, for this run.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mail/child/child.h"
#include "mail/child/packet.h"
#include "mail/child/tcp.h"
#include "mail/robot.h"
#include "mail/sink/private.h"
#include "mail/sink/sender.h"
#include "mail/sink/smtp_talk.h"
#include "mail/text/net_url.h"
#include "mail/web/oauth.h"
#include "processor/base/clock.h"
#include "processor/base/num.h"
#include "processor/base/seal.h"
#include "processor/base/step.h"

enum {
	/*
	 * A run that is killed leaves its whole batch in doubt: few mails at a time, unless they
	 * go fast.
	 */
	BATCH_LEAST = 4, /* per connection */
	BATCH_MOST = 32,
	BATCH_QUICK_MS = 100,
	BATCH_SLOW_MS = 1000,
	TIMEOUT_S = 600, /* RFC 5321 4.5.3.2.6 */
	TIMEOUT_MIN_S = 1,
	TIMEOUT_MAX_S = 3600,
	CONNECT_S = 20,
	SPARE_S = 15, /* the child should have said before that it waited in vain */
	QUIT_MS = 5000,
	DROPS_MAX = 3, /* broken connections in a row, then the server is left alone */
	AHEAD_BYTES = 256 * 1024,
	READ_AT_ONCE = 16 * 1024,
	ANSWER_MAX = 4096,
	WORDS_MAX = 1000,
	CONNECTIONS_MAX = 8
};

/* Where a mail is: these, or IN_HAND + the number of the sender. */
enum { WAITS, SETTLED, IN_HAND };

struct sender {
	struct child child;
	enum { HUNG_UP, OPENING, OPEN, USELESS } state;
	struct strbuf out; /* requests, written up to `done` */
	size_t done;
	int socket; /* goes with the byte at socket_at; -1 = none */
	size_t socket_at;
	size_t *hand, nhand, cap; /* mails given to it, in order */
	bool text_begun;          /* of the first of these */
	bool proved;              /* this connection has carried a mail */
	unsigned drops;           /* in a row */
	int64_t late_ms;          /* when the next answer is late */
};

struct smtp_sink {
	const struct sink *sink; /* with the batch in hand */
	struct net_url url;      /* its user: "" = no login */
	const char *helo;        /* the name we greet with; borrowed */
	uint16_t port;
	char *name;         /* "USER@HOST" or "HOST", for errors */
	bool tls;           /* from the first byte on, or by STARTTLS: never without */
	unsigned timeout_s; /* for one answer of the server */
	struct login login; /* read before the first connection */
	bool has_login;
	int64_t began_ms;    /* the batch in hand */
	unsigned *places;    /* of its mails */
	size_t cap, first;   /* before `first` nothing waits */
	size_t left;         /* not settled */
	struct failure fail; /* of the sink, once it has one */
	unsigned nsenders;
	struct sender senders[CONNECTIONS_MAX];
};

/* ------------------------------------------------------------------ mails and their places */

static void settle(struct smtp_sink *c, size_t i)
{
	c->places[i] = SETTLED;
	c->left--;
}

/* After a failure of the sink nothing more is begun. */
static void fail_sink(struct smtp_sink *c, enum err code, const char *text)
{
	if (c->fail.code == ERR_NONE)
		err_set(&c->fail, code, "%s: %s", c->name, text);
}

static size_t take_first_in_hand(struct sender *s)
{
	size_t i = s->hand[0];

	memmove(s->hand, s->hand + 1, --s->nhand * sizeof(*s->hand));
	s->text_begun = false;
	return i;
}

/* The connection is over, or there was none. What is left in hand was not begun. */
static void end_connection(struct smtp_sink *c, struct sender *s)
{
	for (size_t k = 0; k < s->nhand; k++)
		c->places[s->hand[k]] = WAITS;
	s->nhand = c->first = 0;
	s->proved = s->text_begun = false;
	s->state = HUNG_UP;
}

/* Of the first connection that is the sink's; one more is done without. */
static void note_no_connection(struct smtp_sink *c, struct sender *s, enum err code,
                               const char *why)
{
	end_connection(c, s);
	if (s == c->senders)
		fail_sink(c, code, why);
	else
		s->state = USELESS;
}

static void end_child(struct sender *s, int patience_ms)
{
	child_end(&s->child, patience_ms);
	if (s->socket >= 0)
		close(s->socket);
	s->socket = -1;
	secret_release(&s->out);
	s->done = 0;
}

/* The child is of no more use. */
static void lose(struct smtp_sink *c, struct sender *s, enum err code, const char *why)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_adds(&text, why);
	child_drain_errors(&s->child);
	strbuf_adds(&text, s->child.last_words.len > 0 ? ": " : "");
	sink_add_words(&text, strbuf_span(&s->child.last_words));
	if (s->state == OPEN)
		fail_sink(c, code, text.ptr);
	if (s->state == OPEN && s->nhand > 0) {
		bool begun = s->text_begun;
		size_t i = take_first_in_hand(s);

		c->sink->mails[i].what = begun ? DELIVERY_MAYBE : DELIVERY_RETRY;
		strbuf_adds(&c->sink->mails[i].answer, why);
		settle(c, i);
	}
	note_no_connection(c, s, code, text.ptr);
	end_child(s, 0);
	strbuf_release(&text);
}

static void expect_answer_within(struct sender *s, unsigned seconds)
{
	seconds = step_is_broken("impatient") ? 1 : seconds + SPARE_S;
	s->late_ms = clock_monotonic_ms() + (int64_t)seconds * 1000;
}

/* ------------------------------------------------------------------ requests */

static void write_some(struct smtp_sink *c, struct sender *s)
{
	while (s->done < s->out.len) {
		size_t end = s->socket >= 0 && s->done < s->socket_at ? s->socket_at
		                                                      : s->out.len;
		int socket = s->socket >= 0 && s->done == s->socket_at ? s->socket : -1;
		ssize_t n = child_send(s->child.to,
		                       span_slice(strbuf_span(&s->out), s->done, end), socket);

		if (n < 0 && errno != EAGAIN)
			lose(c, s, ERR_IO, "the process that sends died");
		if (n < 0)
			return;
		s->done += (size_t)n;
		if (socket >= 0)
			close(socket);
		if (socket >= 0)
			s->socket = -1;
	}
	secret_release(&s->out);
	s->done = 0;
}

static void end_request(struct strbuf *out, size_t begin)
{
	packet_put_u32((unsigned char *)out->ptr + begin,
	               (uint32_t)(out->len - begin - sizeof(uint32_t)));
}

static enum err open_connection(struct smtp_sink *c, struct sender *s, struct failure *e)
{
	const char *ca_file = c->sink->settings->ca_file;
	struct strbuf *out = &s->out;
	enum err r = ERR_NONE;

	if (s->child.pid == 0)
		r = child_start(&s->child, NULL, SEND_CHILD_COMMAND, NULL, e);
	if (r == ERR_NONE)
		r = tcp_connect(c->url.host, c->port, CONNECT_S, &s->socket, e);
	if (r != ERR_NONE)
		return r;
	strbuf_grow(out, AHEAD_BYTES); /* it should not move with a secret in it */
	s->socket_at = out->len;
	packet_add_u32(out, 0);
	packet_add_u32(out, SEND_OPEN);
	packet_add_u32(out, c->tls);
	packet_add_u32(out, c->port);
	packet_add_u32(out, c->timeout_s);
	packet_add_span(out, span_of(c->sink->driver->scheme));
	packet_add_span(out, span_of(c->url.host));
	packet_add_span(out, span_of(c->helo));
	packet_add_span(out, span_of(c->url.user));
	packet_add_span(out, strbuf_span(&c->login.secret));
	packet_add_u32(out, c->login.is_token);
	packet_add_span(out, span_of(ca_file ? ca_file : ""));
	end_request(out, s->socket_at);
	s->state = OPENING;
	expect_answer_within(s, SEND_LOGIN_S + SEND_READY_S);
	return ERR_NONE;
}

static void give_mail(struct smtp_sink *c, struct sender *s, size_t i, struct span from,
                      struct span rcpt)
{
	size_t begin = s->out.len;

	packet_add_u32(&s->out, 0);
	packet_add_u32(&s->out, SEND_MAIL);
	packet_add_u64(&s->out, (uint64_t)c->sink->mails[i].outbox_id);
	packet_add_span(&s->out, from);
	packet_add_span(&s->out, rcpt);
	packet_add_span(&s->out, c->sink->mails[i].message);
	end_request(&s->out, begin);
	s->hand = xgrow(s->hand, &s->cap, s->nhand + 1, sizeof(*s->hand));
	s->hand[s->nhand++] = i;
	c->places[i] = IN_HAND + (unsigned)(s - c->senders);
	if (s->state == OPEN && s->nhand == 1)
		expect_answer_within(s, c->timeout_s + SEND_MAIL_S);
}

/* Who is to have mail i; NULL: nobody now. *overtakes: it must be passed over. */
static struct sender *sender_for(struct smtp_sink *c, size_t i, bool *overtakes)
{
	size_t share = (c->sink->n + c->nsenders - 1) / c->nsenders;
	struct sender *best = NULL;

	*overtakes = false;
	for (size_t k = 0; c->sink->mails[i].lane != 0 && k < i; k++) {
		if (c->sink->mails[k].lane != c->sink->mails[i].lane)
			continue;
		if (c->places[k] == WAITS || (c->places[k] >= IN_HAND && c->nsenders > 1))
			return NULL;
		*overtakes = *overtakes || (c->places[k] == SETTLED &&
		                            c->sink->mails[k].what != DELIVERY_SENT &&
		                            c->sink->mails[k].what != DELIVERY_DEAD);
	}
	for (struct sender *s = c->senders; s < c->senders + c->nsenders; s++)
		if (s->state == OPEN && s->nhand < share && (!best || s->nhand < best->nhand) &&
		    s->out.len - s->done < AHEAD_BYTES)
			best = s;
	return best;
}

/* Connections for `wanted` mails, of which some may be there. */
static void open_connections(struct smtp_sink *c, size_t wanted)
{
	struct failure e = ERR_INIT;

	for (struct sender *s = c->senders; s < c->senders + c->nsenders && wanted > 0; s++) {
		if (s->state == HUNG_UP && open_connection(c, s, &e) != ERR_NONE)
			note_no_connection(c, s, e.code, e.text.ptr);
		if (s->state != USELESS)
			wanted--;
	}
	err_release(&e);
}

static void give_out(struct smtp_sink *c)
{
	size_t wanted = 0;

	for (size_t i = c->first; i < c->sink->n; i++) {
		struct span from, rcpt;
		bool overtakes;
		struct sender *s;

		if (c->places[i] != WAITS)
			continue;
		s = sender_for(c, i, &overtakes);
		if (c->fail.code != ERR_NONE || overtakes ||
		    (s && !sink_envelope(c->sink, &c->sink->mails[i], &from, &rcpt)))
			settle(c, i);
		else if (s)
			give_mail(c, s, i, from, rcpt);
		wanted += c->places[i] == WAITS;
	}
	while (c->first < c->sink->n && c->places[c->first] == SETTLED)
		c->first++;
	for (unsigned k = 0; k < c->nsenders && wanted > 0; k++)
		wanted += c->senders[k].nhand;
	open_connections(c, wanted);
	for (unsigned k = 0; k < c->nsenders; k++)
		if (c->senders[k].out.len > 0)
			write_some(c, &c->senders[k]);
}

/* ------------------------------------------------------------------ answers */

/* A connection that has carried mails may have been closed for the server's own reasons: not an attempt. */
static void note_end(struct smtp_sink *c, struct sender *s, const struct smtp_end *end,
                     struct span words)
{
	size_t i = take_first_in_hand(s);
	struct sink_mail *m = &c->sink->mails[i];
	enum smtp_verdict verdict = smtp_end_judge(end);
	bool again = verdict == SMTP_AGAIN && s->proved &&
	             end->result != CURLE_OPERATION_TIMEDOUT;
	struct strbuf text = STRBUF_INIT;

	if (verdict == SMTP_SENT) {
		m->what = DELIVERY_SENT;
		s->proved = true;
		s->drops = 0;
		expect_answer_within(s, c->timeout_s + SEND_MAIL_S);
		settle(c, i);
		return;
	}
	end_connection(c, s);
	if (again) {
		c->places[i] = WAITS;
		return;
	}
	settle(c, i);
	if (verdict == SMTP_UNUSABLE) {
		strbuf_addf(&text, "the server wants a login first: %.*s", SPAN_ARGS(words));
		fail_sink(c, ERR_DENIED, text.ptr);
		strbuf_release(&text);
		return;
	}
	m->what = verdict == SMTP_DEAD    ? DELIVERY_DEAD
	          : verdict == SMTP_MAYBE ? DELIVERY_MAYBE
	                                  : DELIVERY_RETRY;
	if (end->code < 400)
		strbuf_adds(&m->answer, end->stage == SMTP_AT_DOT
		                            ? "no answer after the mail was handed over: "
		                            : "the connection broke: ");
	sink_add_words(&m->answer, words);
	m->no_such_address = verdict == SMTP_DEAD && end->stage != SMTP_AT_MAIL &&
	                     robot_refuses_address(strbuf_span(&m->answer));
	/* After a wait of minutes, or when line after line breaks, the others need not try it too. */
	s->drops = end->code < 400 || end->code == 421 ? s->drops + 1 : 0;
	if (end->result == CURLE_OPERATION_TIMEDOUT) {
		strbuf_addf(&text, "no answer within %u seconds", c->timeout_s);
		fail_sink(c, ERR_TIMEOUT, text.ptr);
	} else if (s->drops >= DROPS_MAX) {
		strbuf_addf(&text, "the server broke %u connections in a row", s->drops);
		fail_sink(c, ERR_IO, text.ptr);
	}
	strbuf_release(&text);
}

/* An answer with a number: it is that of the mail in hand. */
static bool is_of_mail_in_hand(const struct smtp_sink *c, const struct sender *s,
                               struct packet_cursor *body)
{
	uint64_t number = packet_take_u64(body);

	return s->state == OPEN && s->nhand > 0 &&
	       number == (uint64_t)c->sink->mails[s->hand[0]].outbox_id;
}

/* False: it is none. */
static bool take_answer(struct smtp_sink *c, struct sender *s, struct span packet)
{
	struct packet_cursor body = {.rest = packet};
	enum send_answer kind = (enum send_answer)packet_take_u32(&body, SEND_ENDED);
	struct failure e = ERR_INIT;
	struct smtp_end end;
	struct span words;

	switch (kind) {
	case SEND_READY:
		if (s->state != OPENING || body.rest.len > 0)
			return false;
		s->state = OPEN;
		return true;
	case SEND_FAILED:
		if (s->state != OPENING || packet_take_failure(&body, &e) == ERR_NONE)
			return false;
		note_no_connection(c, s, e.code, e.text.ptr);
		err_release(&e);
		return true;
	case SEND_TEXT:
		if (!is_of_mail_in_hand(c, s, &body) || s->text_begun || body.rest.len > 0)
			return false;
		s->text_begun = true;
		return true;
	case SEND_ENDED:
		if (!is_of_mail_in_hand(c, s, &body))
			return false;
		end.stage = (enum smtp_stage)packet_take_u32(&body, SMTP_AT_DOT);
		end.code = packet_take_u32(&body, 999);
		end.result = (CURLcode)packet_take_u32(&body, CURL_LAST);
		words = packet_take_span(&body);
		if (body.bad || body.rest.len > 0 || words.len > WORDS_MAX ||
		    span_printable(words) < words.len ||
		    (end.stage == SMTP_AT_DOT && !s->text_begun))
			return false;
		note_end(c, s, &end, words);
		return true;
	}
	return false;
}

/* What the child has said, and its end. */
static void hear(struct smtp_sink *c, struct sender *s)
{
	ssize_t n;

	packet_stream_forget(&s->child.answers);
	n = child_read(s->child.from, &s->child.answers.in, READ_AT_ONCE);
	if (n == 0 || (n < 0 && errno != EAGAIN)) {
		lose(c, s, ERR_IO, "the process that sends died");
		return;
	}
	for (bool bad = false; !bad;) {
		struct span packet;
		bool whole = packet_stream_next(&s->child.answers, ANSWER_MAX, &packet, &bad);

		if (!whole && !bad)
			return;
		bad = bad || !take_answer(c, s, packet);
		if (!bad)
			s->child.answers.taken += sizeof(uint32_t) + packet.len;
	}
	lose(c, s, ERR_IO, "the process that sends talks nonsense");
}

static bool owes_answer(const struct sender *s)
{
	return s->state == OPENING || s->nhand > 0;
}

/* Until somebody says or takes something. */
static void wait_for_children(struct smtp_sink *c)
{
	struct pollfd fds[3 * CONNECTIONS_MAX];
	int64_t until_ms = INT64_MAX, now_ms = clock_monotonic_ms();
	int n;

	for (unsigned k = 0; k < c->nsenders; k++) {
		const struct sender *s = &c->senders[k];

		fds[3 * k] = (struct pollfd){.fd = s->child.from, .events = POLLIN};
		fds[3 * k + 1] = (struct pollfd){.fd = s->child.errors, .events = POLLIN};
		fds[3 * k + 2] =
		    (struct pollfd){.fd = s->out.len > 0 ? s->child.to : -1, .events = POLLOUT};
		if (owes_answer(s) && s->late_ms < until_ms)
			until_ms = s->late_ms;
	}
	if (until_ms == INT64_MAX) { /* the last connection could not be opened */
		ENSURE(c->fail.code != ERR_NONE);
		return;
	}
	do
		n = poll(fds, 3 * c->nsenders,
		         until_ms > now_ms ? (int)(until_ms - now_ms) : 0);
	while (n < 0 && errno == EINTR);
	now_ms = clock_monotonic_ms();
	for (unsigned k = 0; k < c->nsenders; k++) {
		struct sender *s = &c->senders[k];

		if (fds[3 * k + 1].revents)
			child_drain_errors(&s->child);
		if (fds[3 * k].revents)
			hear(c, s);
		else if (owes_answer(s) && now_ms >= s->late_ms)
			lose(c, s, ERR_TIMEOUT, "the process that sends does not answer");
		if (fds[3 * k + 2].revents && s->out.len > 0)
			write_some(c, s);
	}
}

static const struct sender no_sender = {.child = CHILD_INIT, .out = STRBUF_INIT, .socket = -1};

/* Ends the children, which say QUIT. No batch is in hand. */
static void end_children(struct smtp_sink *c)
{
	for (unsigned k = 0; k < c->nsenders; k++) {
		end_child(&c->senders[k], QUIT_MS);
		free(c->senders[k].hand);
		c->senders[k] = no_sender;
	}
}

/* ------------------------------------------------------------------ the URL */

static bool is_smtps(const struct sink *s)
{
	return s->driver == &sink_smtps;
}

static enum err read_starttls(const struct sink *s, struct smtp_sink *m, struct failure *e)
{
	const char *said = net_url_option(&m->url, "starttls");
	bool loopback = net_url_is_loopback(&m->url);

	m->tls = is_smtps(s) || !loopback;
	if (!said)
		return ERR_NONE;
	if (is_smtps(s))
		return err_set(e, ERR_CONFIG,
		               "%s: smtps:// has TLS from the beginning; "
		               "starttls is for smtp://",
		               s->url);
	if (strcmp(said, "yes") == 0)
		m->tls = true;
	else if (strcmp(said, "no") != 0)
		return err_set(e, ERR_CONFIG, "%s: starttls is yes or no", s->url);
	else if (!loopback)
		return err_set(e, ERR_CONFIG,
		               "%s: starttls=no is only for a server on this machine", s->url);
	return ERR_NONE;
}

static enum err read_number(const struct sink *s, const struct net_url *u, const char *key,
                            unsigned min, unsigned max, unsigned *out, struct failure *e)
{
	const char *said = net_url_option(u, key);

	if (!said || num_parse_uint(span_of(said), min, max, out))
		return ERR_NONE;
	return err_set(e, ERR_CONFIG, "%s: %s is a number from %u to %u", s->url, key, min,
	               max);
}

static enum err check_options(const struct sink *s, const struct net_url *u, struct failure *e)
{
	static const char *const known[] = {"starttls", "connections", "timeout"};

	for (unsigned i = 0; i < u->noptions; i++) {
		bool found = false;

		for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++)
			found = found || strcmp(u->options[i].key, known[k]) == 0;
		if (!found)
			return err_set(e, ERR_CONFIG,
			               "%s: '%s' is no option of a mail server; known are "
			               "starttls, connections and timeout",
			               s->url, u->options[i].key);
	}
	return ERR_NONE;
}

/* The name we greet with: what the path says, else the domain of our address. */
static enum err read_helo(const struct sink *s, const struct net_url *u, const char **out,
                          struct failure *e)
{
	const char *at = strrchr(s->settings->address, '@');
	size_t n = strspn(u->path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                           "0123456789.-");

	if (u->path[n] != '\0')
		return err_set(e, ERR_CONFIG,
		               "%s: behind the host may stand the host name we greet with, "
		               "and nothing else",
		               s->url);
	*out = n > 0 ? u->path : at ? at + 1 : "localhost";
	return ERR_NONE;
}

static enum err read_url(struct sink *s, struct smtp_sink *m, const char *rest,
                         struct failure *e)
{
	struct strbuf name = STRBUF_INIT;

	TRY(net_url_parse(s->url, rest, &m->url, e));
	TRY(check_options(s, &m->url, e));
	TRY(read_starttls(s, m, e));
	TRY(read_number(s, &m->url, "connections", 1, CONNECTIONS_MAX, &m->nsenders, e));
	TRY(read_number(s, &m->url, "timeout", TIMEOUT_MIN_S, TIMEOUT_MAX_S, &m->timeout_s, e));
	TRY(read_helo(s, &m->url, &m->helo, e));
	/* Without a port: 465 with TLS; a login is what 587 is for; else 25. */
	m->port = m->url.port ? m->url.port : is_smtps(s) ? 465 : *m->url.user ? 587 : 25;
	strbuf_addf(&name, "%s%s%s", m->url.user, *m->url.user ? "@" : "", m->url.host);
	m->name = strbuf_detach(&name);
	s->batch = (size_t)BATCH_LEAST * m->nsenders;
	return ERR_NONE;
}

/* ------------------------------------------------------------------ the driver */

static enum err smtp_sink_open(struct sink *s, const char *rest, struct failure *e)
{
	struct smtp_sink *m = xcalloc(1, sizeof(*m));

	s->state = m;
	*m = (struct smtp_sink){.sink = s,
	                        .timeout_s = TIMEOUT_S,
	                        .login.secret = STRBUF_INIT,
	                        .fail = ERR_INIT,
	                        .nsenders = 1};
	for (size_t k = 0; k < CONNECTIONS_MAX; k++)
		m->senders[k] = no_sender;
	return read_url(s, m, rest, e);
}

static void smtp_sink_close(struct sink *s)
{
	struct smtp_sink *m = s->state;

	end_children(m);
	login_release(&m->login);
	net_url_release(&m->url);
	err_release(&m->fail);
	free(m->places);
	free(m->name);
	free(m);
}

/* The first error of the sink since that was cleared. */
static enum err failure_of(const struct smtp_sink *c, struct failure *e)
{
	return c->fail.code == ERR_NONE ? ERR_NONE
	                                : err_set(e, c->fail.code, "%s", c->fail.text.ptr);
}

/* The first connection is there: it greets, secures and logs in, unless that is done. */
static enum err smtp_sink_ready(struct sink *s, struct failure *e)
{
	struct smtp_sink *m = s->state;

	while (true) {
		if (!m->has_login && *m->url.user) {
			login_release(&m->login);
			TRY(oauth_login_get(s->settings, m->url.user, m->url.host, &m->login,
			                    e));
		}
		m->has_login = true;
		err_clear(&m->fail);
		open_connections(m, 1);
		if (m->senders[0].out.len > 0)
			write_some(m, &m->senders[0]);
		while (m->senders[0].state == OPENING)
			wait_for_children(m);
		if (m->fail.code != ERR_DENIED || !oauth_login_refused(&m->login))
			return failure_of(m, e);
		/* A token that should be good is not: with another one, once. */
		end_children(m);
		m->has_login = false;
	}
}

static void smtp_sink_start(struct sink *s)
{
	struct smtp_sink *m = s->state;

	ENSURE(m->has_login);
	m->began_ms = clock_monotonic_ms();
	m->left = s->n;
	m->first = 0;
	m->places = xgrow(m->places, &m->cap, s->n, sizeof(*m->places));
	for (size_t i = 0; i < s->n; i++)
		m->places[i] = WAITS;
	err_clear(&m->fail);
	give_out(m);
}

static enum err smtp_sink_finish(struct sink *s, struct failure *e)
{
	struct smtp_sink *m = s->state;

	while (give_out(m), m->left > 0)
		wait_for_children(m);
	int64_t took_ms = clock_monotonic_ms() - m->began_ms;
	if (took_ms < BATCH_QUICK_MS && s->batch < (size_t)BATCH_MOST * m->nsenders)
		s->batch *= 2;
	else if (took_ms > BATCH_SLOW_MS && s->batch > (size_t)BATCH_LEAST * m->nsenders)
		s->batch /= 2;
	return failure_of(m, e);
}

const struct sink_driver sink_smtp = {
    .scheme = "smtp",
    .open = smtp_sink_open,
    .close = smtp_sink_close,
    .ready = smtp_sink_ready,
    .start = smtp_sink_start,
    .finish = smtp_sink_finish,
};

const struct sink_driver sink_smtps = {
    .scheme = "smtps",
    .open = smtp_sink_open,
    .close = smtp_sink_close,
    .ready = smtp_sink_ready,
    .start = smtp_sink_start,
    .finish = smtp_sink_finish,
};
