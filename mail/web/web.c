/*
 * web.c - the program's end of a question to a web server.
 *
 * Trusts nothing of what the child says: a length, a count or a text that is not what it promises is an error.
 */
#include "mail/web/web.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "mail/child/child.h"
#include "mail/child/packet.h"
#include "mail/child/tcp.h"
#include "processor/base/clock.h"
#include "processor/base/num.h"
#include "processor/base/seal.h"

enum {
	READ_AT_ONCE = 16 * 1024,
	PATIENCE_MS = 1000,
	GRACE_MS = 2000,
	MOST = 2 * WEB_NAMES_MAX * WEB_TEXT_MAX
};

/* "https://host:port/path" in its parts. */
static bool split_url(const char *url, struct mail_server *host, const char **path)
{
	static const char scheme[] = "https://";
	struct span rest = span_of(url);
	uint64_t port = 443;

	if (!span_starts(rest, scheme) || span_printable(rest) < rest.len ||
	    span_find_char(rest, ' ') < rest.len)
		return false;
	rest = span_slice(rest, strlen(scheme), rest.len);
	size_t end = span_find_char(rest, '/');
	*path = end < rest.len ? rest.ptr + end + 1 : "";
	rest = span_slice(rest, 0, end);
	size_t colon = span_find_char(rest, ':');
	if (colon < rest.len &&
	    !num_parse_u64(span_slice(rest, colon + 1, rest.len), UINT16_MAX, &port))
		return false;
	return mail_server_set(host, "https", span_slice(rest, 0, colon), port);
}

void web_form_add(struct strbuf *form, const char *name, const char *value)
{
	static const char hex[] = "0123456789ABCDEF";

	strbuf_addf(form, "%s%s=", form->len ? "&" : "", name);
	for (; *value; value++) {
		unsigned char c = (unsigned char)*value;

		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		    (c >= '0' && c <= '9') || strchr("-._~", c)) {
			strbuf_addc(form, (char)c);
		} else {
			strbuf_addc(form, '%');
			strbuf_addc(form, hex[c >> 4]);
			strbuf_addc(form, hex[c & 15]);
		}
	}
}

static enum err say_nonsense(struct failure *e)
{
	return err_set(e, ERR_IO, "the process that asks the web server talks nonsense");
}

static bool take_server(struct packet_cursor *c, struct mail_server *out)
{
	static const char *const schemes[] = {"imaps", "pop3s", "smtps", "smtp"};
	struct span scheme = packet_take_span(c), host = packet_take_span(c);
	uint32_t port = packet_take_u32(c, UINT16_MAX);
	bool local = packet_take_u32(c, 1) == 1;

	if (c->bad || scheme.len == 0)
		return !c->bad;
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
		if (span_eq_str(scheme, schemes[i]) &&
		    mail_server_set(out, schemes[i], host, port)) {
			out->user_is_local = local;
			return true;
		}
	return false;
}

static enum err read_answer(struct span packet, const struct web_question *q,
                            struct web_answer *out, struct failure *e)
{
	struct packet_cursor c = {.rest = packet};

	if (packet_take_u32(&c, 1) != 1) {
		enum err r = c.bad ? ERR_NONE : packet_take_failure(&c, e);

		return r == ERR_NONE ? say_nonsense(e) : r;
	}
	out->status = packet_take_u32(&c, 999);
	for (unsigned i = 0; i < q->nnames; i++) {
		struct span text = packet_take_span(&c);

		if (text.len > WEB_TEXT_MAX || span_printable(text) < text.len)
			return say_nonsense(e);
		strbuf_grow(&out->texts[i], text.len);
		strbuf_add_span(&out->texts[i], text);
	}
	if (q->nnames == 0 &&
	    (!take_server(&c, &out->servers.in) || !take_server(&c, &out->servers.out)))
		c.bad = true;
	return c.bad || c.rest.len > 0 ? say_nonsense(e) : ERR_NONE;
}

/* The answer is there, or the child is dead or late. */
static enum err hear(struct child *child, int64_t until_ms, struct span *packet,
                     struct failure *e)
{
	enum err r = ERR_NONE;
	bool bad = false;

	while (r == ERR_NONE && !packet_stream_next(&child->answers, MOST, packet, &bad)) {
		struct pollfd fds[2] = {{.fd = child->from, .events = POLLIN},
		                        {.fd = child->errors, .events = POLLIN}};
		int64_t left_ms = until_ms - clock_monotonic_ms();
		int n = bad || left_ms <= 0 ? 0 : poll(fds, 2, (int)left_ms);

		if (bad)
			r = say_nonsense(e);
		else if (n == 0)
			r = err_set(e, ERR_TIMEOUT, "no answer");
		else if (n > 0 && fds[1].revents)
			child_drain_errors(child);
		if (n > 0 && fds[0].revents) {
			ssize_t got = child_read(child->from, &child->answers.in, READ_AT_ONCE);

			if (got == 0 || (got < 0 && errno != EAGAIN)) {
				r = err_set(e, ERR_CRASHED,
				            "the process that asks the web server died");
				child_add_last_words(child, e);
			}
		}
	}
	return r;
}

static void make_request(const struct web_question *q, const struct mail_server *host,
                         const char *path, struct strbuf *out)
{
	struct strbuf body = STRBUF_INIT;

	strbuf_grow(&body, q->form.len + 4 * WEB_TEXT_MAX);
	packet_add_span(&body, span_of(host->host));
	packet_add_u32(&body, host->port);
	packet_add_span(&body, span_of(path));
	packet_add_span(&body, q->form);
	packet_add_span(&body, span_of(q->ca_file ? q->ca_file : ""));
	packet_add_u32(&body, q->timeout_s);
	packet_add_u32(&body, q->nnames);
	for (unsigned i = 0; i < q->nnames; i++)
		packet_add_span(&body, span_of(q->names[i]));
	strbuf_grow(out, body.len + sizeof(uint32_t));
	packet_add_span(out, strbuf_span(&body));
	secret_release(&body);
}

enum err web_ask(const struct web_question *q, struct web_answer *out, struct failure *e)
{
	struct child child = CHILD_INIT;
	struct strbuf request = STRBUF_INIT;
	struct mail_server host = {0};
	struct span packet;
	const char *path;
	int socket = -1;
	int64_t until_ms = clock_monotonic_ms() + (int64_t)q->timeout_s * 1000 + GRACE_MS;

	*out = (struct web_answer){0};
	for (unsigned i = 0; i < WEB_NAMES_MAX; i++)
		strbuf_init(&out->texts[i]);
	ENSURE(q->nnames <= WEB_NAMES_MAX);
	if (!split_url(q->url, &host, &path))
		return err_set(e, ERR_CONFIG,
		               "'%s' is no address of the form https://host/path", q->url);
	strbuf_grow(&child.answers.in, MOST); /* it must not move with a secret in it */
	make_request(q, &host, path, &request);
	enum err r = tcp_connect(host.host, host.port, q->timeout_s, &socket, e);
	if (r == ERR_NONE)
		r = child_start(&child, NULL, WEB_CHILD_COMMAND, NULL, e);
	for (struct span rest = strbuf_span(&request); r == ERR_NONE && rest.len > 0;) {
		ssize_t n = child_send(child.to, rest, rest.len == request.len ? socket : -1);

		if (n < 0) /* a request is shorter than what such a socket holds */
			r = err_set_errno(e, ERR_IO,
			                  "cannot ask the process that asks the web server");
		else
			rest = span_slice(rest, (size_t)n, rest.len);
	}
	if (socket >= 0)
		close(socket);
	if (r == ERR_NONE)
		r = hear(&child, until_ms, &packet, e);
	if (r == ERR_NONE)
		r = read_answer(packet, q, out, e);
	if (r != ERR_NONE)
		err_context(e, "https://%s", host.host);
	child_end(&child, PATIENCE_MS);
	secret_release(&request);
	return r;
}

void web_answer_release(struct web_answer *a)
{
	for (unsigned i = 0; i < WEB_NAMES_MAX; i++)
		secret_release(&a->texts[i]);
}
