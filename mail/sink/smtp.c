/*
 * smtp.c - one connection to a mail server.
 *
 * Trusts nothing the server says: its words are kept to one bounded, printable line, and
 * shown only to the operator. A reply that held the password would not be shown at all.
 */
#include "mail/sink/smtp.h"

#include <stdlib.h>
#include <string.h>

#include "mail/robot.h"
#include "mail/sink/private.h"
#include "mail/sink/smtp_talk.h"
#include "processor/base/step.h"

enum {
	CONNECT_S = 20,
	LOGIN_S = 120, /* for each answer before the first mail */
	READY_S = 60,  /* on top of that, for all of them */
	DROPS_MAX = 3, /* broken connections in a row, then the server is left alone */
	ASKS_ON = 334  /* what a server answers to a token it does not want */
};

struct smtp_line {
	const struct smtp_server *server;
	CURL *easy;         /* NULL: no connection */
	bool proved;        /* this connection has carried a mail */
	bool logged_in;     /* the server has said so, 235 */
	unsigned drops;     /* in a row */
	struct strbuf wire; /* the message in hand */
	struct smtp_talk talk;
	char why[CURL_ERROR_SIZE];
};

struct smtp_line *smtp_line_new(const struct smtp_server *server)
{
	struct smtp_line *l = xcalloc(1, sizeof(*l));

	l->server = server;
	strbuf_init(&l->wire);
	smtp_talk_init(&l->talk, &server->lib);
	return l;
}

/* With a QUIT when all is well. */
static void hang_up(struct smtp_line *l)
{
	smtp_talk_quit(&l->talk);
	smtp_talk_forget(&l->talk);
	if (l->easy)
		l->server->lib.curl_easy_cleanup(l->easy);
	l->easy = NULL;
	l->proved = l->logged_in = false;
}

void smtp_line_free(struct smtp_line *l)
{
	if (!l)
		return;
	hang_up(l);
	strbuf_release(&l->wire);
	smtp_talk_release(&l->talk);
	free(l);
}

/* ------------------------------------------------------------------ connecting */

/*
 * Each line of an answer, "250-..." or "250 ...". After a refusal libcurl says QUIT by
 * itself; the answer to that is of no interest.
 */
/* NOLINTNEXTLINE(readability-non-const-parameter): libcurl's type */
static size_t hear(char *bytes, size_t size, size_t n, void *ctx)
{
	struct smtp_line *l = ctx;
	struct span line = {bytes, size * n};

	if (span_starts(line, "221") && l->talk.said.len > 0)
		return line.len;
	smtp_talk_hear(&l->talk, line);
	if (span_starts(line, "235"))
		l->logged_in = true;
	return line.len;
}

#define SET(l, option, value) \
	((void)(l)->server->lib.curl_easy_setopt((l)->easy, option, value))

static void set_security(struct smtp_line *l)
{
	const struct smtp_server *s = l->server;

	SET(l, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
	SET(l, CURLOPT_USE_SSL, s->tls ? (long)CURLUSESSL_ALL : (long)CURLUSESSL_NONE);
	SET(l, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	SET(l, CURLOPT_SSL_VERIFYPEER, 1L);
	SET(l, CURLOPT_SSL_VERIFYHOST, 2L);
	if (s->ca_file) {
		SET(l, CURLOPT_CAINFO, s->ca_file);
		SET(l, CURLOPT_CAPATH, NULL);
	}
}

/* Only what the rule allows: libcurl would else choose among all it knows. */
static void set_login(struct smtp_line *l)
{
	const struct smtp_server *s = l->server;

	if (!*s->user)
		return;
	SET(l, CURLOPT_USERNAME, s->user);
	SET(l, CURLOPT_SASL_IR, 1L);
	if (s->login.is_token) {
		SET(l, CURLOPT_XOAUTH2_BEARER, s->login.secret.ptr);
		SET(l, CURLOPT_LOGIN_OPTIONS, "AUTH=XOAUTH2");
	} else {
		SET(l, CURLOPT_PASSWORD, s->login.secret.ptr);
		SET(l, CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN");
	}
}

static void set_usual(struct smtp_line *l)
{
	long answer_s = l->server->timeout_s < LOGIN_S ? l->server->timeout_s : LOGIN_S;

	SET(l, CURLOPT_URL, l->server->url);
	SET(l, CURLOPT_CONNECT_ONLY, 1L);
	SET(l, CURLOPT_NOSIGNAL, 1L);
	SET(l, CURLOPT_PROXY, ""); /* whatever the environment says */
	SET(l, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
	SET(l, CURLOPT_SERVER_RESPONSE_TIMEOUT, answer_s);
	SET(l, CURLOPT_TIMEOUT, answer_s + READY_S);
	SET(l, CURLOPT_ERRORBUFFER, l->why);
	SET(l, CURLOPT_HEADERFUNCTION, hear);
	SET(l, CURLOPT_HEADERDATA, l);
	set_security(l);
	set_login(l);
}

/* A server that throws the password back must not get it into a log. */
static struct span harmless_words(const struct smtp_line *l)
{
	struct span said = strbuf_span(&l->talk.said),
		    secret = strbuf_span(&l->server->login.secret);

	if (secret.len > 0 && span_find(said, secret) < said.len)
		return SPAN_LIT("(an answer that is not shown, since it holds the password)");
	return said;
}

static enum err code_of(CURLcode result, unsigned code)
{
	switch ((int)result) {
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_ISSUER_ERROR:
	case CURLE_USE_SSL_FAILED:
	case CURLE_LOGIN_DENIED:
	case CURLE_AUTH_ERROR:
	case CURLE_REMOTE_ACCESS_DENIED:
		return ERR_DENIED;
	case CURLE_SSL_CACERT_BADFILE:
		return ERR_CONFIG;
	case CURLE_OPERATION_TIMEDOUT:
		return ERR_TIMEOUT;
	default:
		return code >= 500 ? ERR_DENIED : ERR_IO;
	}
}

static enum err no_login(const struct smtp_line *l, struct failure *e)
{
	return err_set(e, ERR_DENIED, "%s: the server offers no login by %s", l->server->name,
	               l->server->login.is_token ? "XOAUTH2" : "PLAIN or LOGIN");
}

/* What the operator should know of an end that is not the mail's fault. */
static enum err explain(const struct smtp_line *l, CURLcode result, struct failure *e)
{
	const char *what = *l->why ? l->why : l->server->lib.curl_easy_strerror(result);
	unsigned code = smtp_talk_code(&l->talk);
	struct span words = code >= 400 ? harmless_words(l) : SPAN_EMPTY;

	if (result == CURLE_USE_SSL_FAILED)
		what = "the server does not offer STARTTLS, and nothing is sent in clear";
	else if (result == CURLE_LOGIN_DENIED && code < 400 && code != ASKS_ON)
		return no_login(l, e);
	else if (result == CURLE_LOGIN_DENIED)
		what = "the login was refused";
	else if (result == CURLE_PEER_FAILED_VERIFICATION)
		return err_set(e, ERR_DENIED, "%s: the server's certificate is not good: %s",
		               l->server->name, what);
	return err_set(e, code_of(result, code), "%s: %s%s%.*s", l->server->name, what,
	               words.len ? ": " : "", SPAN_ARGS(words));
}

/* libcurl goes on without a login when it finds no way to do it. */
static enum err check_login(const struct smtp_line *l, struct failure *e)
{
	return !*l->server->user || l->logged_in ? ERR_NONE : no_login(l, e);
}

static enum err greet(struct smtp_line *l, struct failure *e)
{
	CURLcode result;
	enum err r;

	l->why[0] = '\0';
	result = l->server->lib.curl_easy_perform(l->easy);
	if (result != CURLE_OK)
		return explain(l, result, e);
	r = check_login(l, e);
	if (r != ERR_NONE)
		return r;
	if (!smtp_talk_begin(&l->talk, l->easy, l->server->tls, l->server->timeout_s))
		return err_set(e, ERR_IO, "%s: libcurl shows no connection", l->server->name);
	return ERR_NONE;
}

enum err smtp_line_ready(struct smtp_line *l, struct failure *e)
{
	enum err r;

	if (l->easy)
		return ERR_NONE;
	l->easy = l->server->lib.curl_easy_init();
	if (!l->easy)
		return err_set(e, ERR_UNSUPPORTED, "libcurl gives no handle");
	set_usual(l);
	r = greet(l, e);
	if (r != ERR_NONE)
		hang_up(l);
	else
		step("smtp: connected");
	return r;
}

/* ------------------------------------------------------------------ sending */

static void answer(const struct smtp_line *l, const struct smtp_end *end, struct sink_mail *m)
{
	const char *broke = l->server->lib.curl_easy_strerror(end->result);

	if (end->code >= 400)
		sink_add_words(&m->answer, harmless_words(l));
	else if (end->stage == SMTP_AT_DOT)
		strbuf_addf(&m->answer, "no answer after the mail was handed over: %s", broke);
	else
		strbuf_addf(&m->answer, "the connection broke: %s", broke);
}

/* After a wait of minutes, or when line after line breaks, the others need not try it too. */
static enum err give_up_server(struct smtp_line *l, const struct smtp_end *end,
                               struct failure *e)
{
	bool dropped = end->code < 400 || end->code == 421;

	l->drops = dropped ? l->drops + 1 : 0;
	if (end->result == CURLE_OPERATION_TIMEDOUT)
		return err_set(e, ERR_TIMEOUT, "%s: no answer within %ld seconds",
		               l->server->name, l->server->timeout_s);
	if (l->drops >= DROPS_MAX)
		return err_set(e, ERR_IO, "%s: the server broke %u connections in a row",
		               l->server->name, l->drops);
	return ERR_NONE;
}

static enum err note_end(struct smtp_line *l, const struct smtp_end *end, struct sink_mail *m,
                         struct failure *e)
{
	enum smtp_verdict verdict = smtp_end_judge(end);

	if (verdict == SMTP_UNUSABLE)
		return err_set(e, ERR_DENIED, "%s: the server wants a login first: %.*s",
		               l->server->name, SPAN_ARGS(harmless_words(l)));
	if (verdict == SMTP_SENT) {
		m->what = DELIVERY_SENT;
		l->drops = 0;
		return ERR_NONE;
	}
	m->what = verdict == SMTP_DEAD    ? DELIVERY_DEAD
	          : verdict == SMTP_MAYBE ? DELIVERY_MAYBE
	                                  : DELIVERY_RETRY;
	answer(l, end, m);
	m->no_such_address = verdict == SMTP_DEAD && end->stage != SMTP_AT_MAIL &&
	                     robot_refuses_address(strbuf_span(&m->answer));
	return give_up_server(l, end, e);
}

/*
 * A connection that has carried mails may have been closed by the server for reasons of its
 * own; nothing has happened to the mail, so it gets a fresh one before that counts as an
 * attempt.
 */
enum err smtp_line_send(struct smtp_line *l, struct span from, struct span rcpt,
                        struct sink_mail *m, struct failure *e)
{
	struct smtp_end end;
	enum err r = ERR_NONE;
	bool again = true;

	smtp_wire(&l->wire, m->message);
	while (r == ERR_NONE && again) {
		r = smtp_line_ready(l, e);
		if (r != ERR_NONE)
			break;
		step("smtp: begins");
		end = smtp_talk_mail(&l->talk, from, rcpt, strbuf_span(&l->wire));
		step("smtp: handed over");
		again = l->proved && smtp_end_judge(&end) == SMTP_AGAIN &&
		        end.result != CURLE_OPERATION_TIMEDOUT;
		if (!again)
			r = note_end(l, &end, m, e);
		l->proved = smtp_end_judge(&end) == SMTP_SENT;
		if (!l->proved)
			hang_up(l);
	}
	return r;
}
