/*
 * send_child.c - the process that talks to the mail server.
 *
 * Trusts nothing the server says: its words are kept to one bounded, printable line, and
 * shown only to the operator. A reply that held the password would not be shown at all.
 */
#include <stdlib.h>
#include <string.h>

#include "mail/child/cell.h"
#include "mail/child/child.h"
#include "mail/child/packet.h"
#include "mail/sink/private.h"
#include "mail/sink/sender.h"
#include "mail/sink/smtp_talk.h"
#include "processor/base/seal.h"
#include "processor/base/step.h"

enum {
	CONNECT_S = 20,
	ASKS_ON = 334 /* what a server answers to a token it does not want */
};

struct send_child {
	struct libcurl lib;
	bool is_loaded; /* and the walls stand */
	struct libcurl_peer peer;
	struct curl_slist *addresses;
	CURL *easy; /* NULL: no connection */
	bool is_tls, is_token;
	bool logged_in; /* the server has said so, 235 */
	long timeout_s; /* for one answer */
	struct strbuf secret;
	struct smtp_talk talk;
	struct span number;      /* of the mail in hand, as it came */
	struct strbuf wire;      /* its text */
	struct strbuf body, out; /* an answer being made; those that are */
	struct failure fail;
	char why[CURL_ERROR_SIZE];
};

/* ------------------------------------------------------------------ answers */

static void send_out(void *ctx)
{
	struct send_child *s = ctx;

	requests_answer(strbuf_span(&s->out));
	strbuf_clear(&s->out);
}

static void add_answer(struct send_child *s, enum send_answer kind)
{
	packet_add_u32(&s->out, sizeof(uint32_t) + s->body.len);
	packet_add_u32(&s->out, kind);
	strbuf_add_span(&s->out, strbuf_span(&s->body));
	strbuf_clear(&s->body);
}

/* With it goes what became of the mail before. */
static void tell_text(void *ctx)
{
	struct send_child *s = ctx;

	strbuf_add_span(&s->body, s->number);
	add_answer(s, SEND_TEXT);
	send_out(s);
}

/* A server that throws the password back must not get it into a log. */
static struct span harmless_words(const struct send_child *s)
{
	struct span said = strbuf_span(&s->talk.said), secret = strbuf_span(&s->secret);

	if (secret.len > 0 && span_find(said, secret) < said.len)
		return SPAN_LIT("(an answer that is not shown, since it holds the password)");
	return said;
}

/* ------------------------------------------------------------------ connecting */

/* With a QUIT when all is well. */
static void hang_up(struct send_child *s)
{
	smtp_talk_quit(&s->talk);
	smtp_talk_forget(&s->talk);
	if (s->easy) {
		s->lib.curl_easy_cleanup(s->easy);
		s->lib.curl_slist_free_all(s->addresses);
	}
	s->easy = NULL;
	s->logged_in = false;
}

/*
 * Each line of an answer, "250-..." or "250 ...". After a refusal libcurl says QUIT by
 * itself; the answer to that is of no interest.
 */
/* NOLINTNEXTLINE(readability-non-const-parameter): libcurl's type */
static size_t hear(char *bytes, size_t size, size_t n, void *ctx)
{
	struct send_child *s = ctx;
	struct span line = {bytes, size * n};

	if (span_starts(line, "221") && s->talk.said.len > 0)
		return line.len;
	smtp_talk_hear(&s->talk, line);
	if (span_starts(line, "235"))
		s->logged_in = true;
	return line.len;
}

/* Of ways to log in only what the rule allows: libcurl would else choose among all it knows. */
static void set_options(struct send_child *s, const char *user)
{
	long answer_s = s->timeout_s < SEND_LOGIN_S ? s->timeout_s : SEND_LOGIN_S;

#define SET(option, value) ((void)s->lib.curl_easy_setopt(s->easy, option, value))
	libcurl_use_socket(&s->lib, s->easy, &s->peer, &s->addresses);
	SET(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
	SET(CURLOPT_USE_SSL, s->is_tls ? (long)CURLUSESSL_ALL : (long)CURLUSESSL_NONE);
	SET(CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
	SET(CURLOPT_SERVER_RESPONSE_TIMEOUT, answer_s);
	SET(CURLOPT_TIMEOUT, answer_s + SEND_READY_S);
	SET(CURLOPT_ERRORBUFFER, s->why);
	SET(CURLOPT_HEADERFUNCTION, hear);
	SET(CURLOPT_HEADERDATA, s);
	if (*user) {
		SET(CURLOPT_USERNAME, user);
		SET(CURLOPT_SASL_IR, 1L);
		SET(s->is_token ? CURLOPT_XOAUTH2_BEARER : CURLOPT_PASSWORD, s->secret.ptr);
		SET(CURLOPT_LOGIN_OPTIONS,
		    s->is_token ? "AUTH=XOAUTH2;AUTH=OAUTHBEARER" : "AUTH=PLAIN;AUTH=LOGIN");
	}
#undef SET
}

static enum err code_of(CURLcode result, unsigned code)
{
	enum err r = libcurl_err(result);
	bool refused = result == CURLE_USE_SSL_FAILED || result == CURLE_LOGIN_DENIED ||
	               result == CURLE_AUTH_ERROR || result == CURLE_REMOTE_ACCESS_DENIED ||
	               code >= 500;

	return r == ERR_IO && refused ? ERR_DENIED : r;
}

/* What the operator should know of an end that is not the mail's fault. */
static enum err explain(struct send_child *s, CURLcode result)
{
	const char *what = *s->why ? s->why : s->lib.curl_easy_strerror(result), *before = "";
	unsigned code = smtp_talk_code(&s->talk);
	struct span words = code >= 400 ? harmless_words(s) : SPAN_EMPTY;
	struct strbuf *text = &s->fail.text;

	if (result == CURLE_USE_SSL_FAILED)
		what = "the server does not offer STARTTLS, and nothing is sent in clear";
	else if (result == CURLE_LOGIN_DENIED && code < 400 && code != ASKS_ON)
		return err_set(&s->fail, ERR_DENIED, "the server offers no login by %s",
		               s->is_token ? "XOAUTH2 or OAUTHBEARER" : "PLAIN or LOGIN");
	else if (result == CURLE_LOGIN_DENIED)
		what = "the login was refused";
	else if (result == CURLE_PEER_FAILED_VERIFICATION) {
		before = "the server's certificate is not good: ";
		words = SPAN_EMPTY;
	}
	err_set(&s->fail, code_of(result, code), "%s", before);
	sink_add_words(text, span_of(what));
	strbuf_adds(text, words.len ? ": " : "");
	strbuf_add_span(text, words);
	return s->fail.code;
}

/* Connects, greets, secures and logs in. libcurl goes on without a login when it finds no way to do it. */
static enum err greet(struct send_child *s, const char *user)
{
	CURLcode result;

	s->easy = s->lib.curl_easy_init();
	ENSURE(s->easy);
	s->why[0] = '\0';
	set_options(s, user);
	result = s->lib.curl_easy_perform(s->easy);
	if (result == CURLE_OK && *user && !s->logged_in)
		result = CURLE_LOGIN_DENIED;
	if (result != CURLE_OK)
		return explain(s, result);
	if (!smtp_talk_begin(&s->talk, s->easy, s->is_tls, s->timeout_s))
		return err_set(&s->fail, ERR_IO, "libcurl shows no connection");
	step("smtp: connected");
	return ERR_NONE;
}

static void do_open(struct send_child *s, struct packet_cursor *c, int socket)
{
	char *scheme, *host, *helo, *user, *ca_file;
	struct span secret;
	enum err r = ERR_NONE;

	ENSURE(!s->easy && socket >= 0);
	s->is_tls = packet_take_u32(c, 1) == 1;
	s->peer.port = (uint16_t)packet_take_u32(c, UINT16_MAX);
	s->timeout_s = packet_take_u32(c, 3600);
	s->peer.scheme = scheme = packet_take_text(c);
	s->peer.host = host = packet_take_text(c);
	s->peer.path = helo = packet_take_text(c);
	user = packet_take_text(c);
	secret = packet_take_span(c);
	secret_release(&s->secret);
	strbuf_grow(&s->secret, secret.len);
	strbuf_add_span(&s->secret, secret);
	s->is_token = packet_take_u32(c, 1) == 1;
	s->peer.ca_file = ca_file = packet_take_text(c);
	s->peer.socket = socket;
	err_clear(&s->fail);
	if (!s->is_loaded) {
		r = libcurl_load(&s->lib, &s->fail);
		(void)cell_enter(ca_file);
		s->is_loaded = r == ERR_NONE;
	}
	if (step_hooks)
		step_hooks->server_child("CONNECT");
	if (r == ERR_NONE)
		r = greet(s, user);
	if (r != ERR_NONE) {
		packet_add_failure(&s->body, &s->fail);
		hang_up(s);
	}
	add_answer(s, r == ERR_NONE ? SEND_READY : SEND_FAILED);
	free(scheme);
	free(host);
	free(helo);
	free(user);
	free(ca_file);
}

/* ------------------------------------------------------------------ sending */

static void do_mail(struct send_child *s, struct packet_cursor *c)
{
	struct smtp_end end;
	struct span from, rcpt;

	if (!s->easy)
		return;
	if (step_hooks)
		step_hooks->server_child("SEND");
	s->number = span_slice(c->rest, 0, sizeof(uint64_t));
	(void)packet_take_u64(c);
	from = packet_take_span(c);
	rcpt = packet_take_span(c);
	smtp_wire(&s->wire, packet_take_span(c));
	step("smtp: begins");
	end = smtp_talk_mail(&s->talk, from, rcpt, strbuf_span(&s->wire));
	step("smtp: handed over");
	strbuf_add_span(&s->body, s->number);
	packet_add_u32(&s->body, end.stage);
	packet_add_u32(&s->body, end.code);
	packet_add_u32(&s->body, end.result);
	packet_add_span(&s->body, end.code >= 400
	                              ? harmless_words(s)
	                              : span_of(s->lib.curl_easy_strerror(end.result)));
	add_answer(s, SEND_ENDED);
	if (smtp_end_judge(&end) != SMTP_SENT) {
		send_out(s);
		hang_up(s);
	}
}

static void answer(void *ctx, struct span request, int *socket)
{
	struct packet_cursor c = {.rest = request};
	uint32_t what = packet_take_u32(&c, SEND_MAIL);

	if (what == SEND_OPEN) {
		do_open(ctx, &c, *socket);
		*socket = -1;
	} else
		do_mail(ctx, &c);
}

int send_child_main(void)
{
	struct send_child s = {.secret = STRBUF_INIT,
	                       .wire = STRBUF_INIT,
	                       .body = STRBUF_INIT,
	                       .out = STRBUF_INIT,
	                       .fail = ERR_INIT};

	smtp_talk_init(&s.talk, &s.lib);
	s.talk.text_begins = tell_text;
	s.talk.ctx = &s;
	requests_serve(
	    &(struct requests_served){.answer = answer, .wait = send_out, .ctx = &s});
	hang_up(&s);
	secret_release(&s.secret);
	strbuf_release(&s.wire);
	strbuf_release(&s.body);
	strbuf_release(&s.out);
	smtp_talk_release(&s.talk);
	err_release(&s.fail);
	return EXIT_DONE;
}
