/*
 * smtp_server.c - a thread that listens and one for each connection.
 */
#include "tests/support/smtp_server.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "processor/base/err.h"

enum { RULES_MAX = 32, CONNECTIONS_MAX = 512, MAILS_MAX = 4096, LINE_MAX_BYTES = 4096 };

struct connection {
	struct smtp_server *server;
	pthread_t thread;
	int fd;
	unsigned number;
	struct strbuf in; /* not looked at yet */
	struct smtp_taken mail;
};

struct smtp_server {
	const struct smtp_rule *rules;
	size_t nrules;
	unsigned seen[RULES_MAX];
	const char *auth;
	bool pipelining;
	unsigned pieces;
	int fd;
	unsigned port;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t dot;
	unsigned dots;
	struct connection *connections[CONNECTIONS_MAX];
	unsigned nconnections;
	struct smtp_taken taken[MAILS_MAX];
	size_t ntaken;
	struct strbuf heard;
};

/* ------------------------------------------------------------------ rules */

/* With the lock held. */
static const struct smtp_rule *find_rule(struct smtp_server *s, const char *at,
                                         const char *line)
{
	for (size_t i = 0; i < s->nrules; i++) {
		const struct smtp_rule *r = &s->rules[i];

		if ((*r->at && strcmp(r->at, at) != 0) || (r->with && !strstr(line, r->with)))
			continue;
		if (s->seen[i]++ < r->after)
			continue;
		if (r->times == 0 || s->seen[i] <= r->after + r->times)
			return r;
	}
	return NULL;
}

static void wait_ms(unsigned ms)
{
	struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};

	nanosleep(&t, NULL);
}

static void say_slowly(const struct connection *c, const char *text)
{
	for (; *text; text++) {
		if (send(c->fd, text, 1, MSG_NOSIGNAL) != 1)
			return;
		wait_ms(1);
	}
}

static void say(const struct connection *c, const char *text)
{
	size_t left = strlen(text);

	while (left > 0) {
		ssize_t n = send(c->fd, text, left, MSG_NOSIGNAL);

		if (n <= 0)
			return;
		text += n;
		left -= (size_t)n;
	}
}

/* What the rule says, if there is one. */
static void answer(const struct connection *c, const struct smtp_rule *r, const char *usual)
{
	const char *text = !r || r->usual ? usual : r->say;

	if (r && r->delay_ms > 0)
		wait_ms(r->delay_ms);
	if (text && r && r->slowly)
		say_slowly(c, text);
	else if (text)
		say(c, text);
}

/* False: the line is cut. */
static bool respond(struct connection *c, const char *at, const char *line, const char *usual)
{
	struct smtp_server *s = c->server;
	const struct smtp_rule *r;

	pthread_mutex_lock(&s->lock);
	r = find_rule(s, at, line);
	pthread_mutex_unlock(&s->lock);
	answer(c, r, usual);
	return !(r && r->close);
}

/* ------------------------------------------------------------------ a session */

/* One line, with its CRLF, taken off c->in. */
static bool read_line(struct connection *c, struct strbuf *line)
{
	char piece[LINE_MAX_BYTES];
	size_t at;

	while ((at = span_find_char(strbuf_span(&c->in), '\n')) == c->in.len) {
		ssize_t n = recv(c->fd, piece, sizeof(piece), 0);

		if (n <= 0)
			return false;
		strbuf_add(&c->in, piece, (size_t)n);
		pthread_mutex_lock(&c->server->lock);
		c->server->pieces++;
		pthread_mutex_unlock(&c->server->lock);
	}
	strbuf_clear(line);
	strbuf_add(line, c->in.ptr, at + 1);
	memmove(c->in.ptr, c->in.ptr + at + 1, c->in.len - at - 1);
	strbuf_truncate(&c->in, c->in.len - at - 1);
	return true;
}

static void note_line(struct connection *c, const struct strbuf *line)
{
	pthread_mutex_lock(&c->server->lock);
	strbuf_add_span(&c->server->heard, span_trim(strbuf_span(line)));
	strbuf_addc(&c->server->heard, '\n');
	pthread_mutex_unlock(&c->server->lock);
}

static void keep_mail(struct connection *c)
{
	struct smtp_server *s = c->server;
	struct smtp_taken *t;

	pthread_mutex_lock(&s->lock);
	ENSURE(s->ntaken < MAILS_MAX);
	t = &s->taken[s->ntaken++];
	*t = c->mail;
	t->connection = c->number;
	s->dots++;
	pthread_cond_broadcast(&s->dot);
	pthread_mutex_unlock(&s->lock);
	strbuf_init(&c->mail.from);
	strbuf_init(&c->mail.rcpt);
	strbuf_init(&c->mail.bytes);
}

/* Up to the dot. A mail is kept unless a rule refuses it in words. */
static bool take_data(struct connection *c, struct strbuf *line)
{
	const struct smtp_rule *r;
	char rcpt[LINE_MAX_BYTES];

	pthread_mutex_lock(&c->server->lock);
	r = find_rule(c->server, "DATA", line->ptr);
	pthread_mutex_unlock(&c->server->lock);
	answer(c, r, "354 go on\r\n");
	if (r && !r->usual)
		return !r->close;
	strbuf_clear(&c->mail.bytes);
	while (read_line(c, line) && strcmp(line->ptr, ".\r\n") != 0)
		strbuf_adds(&c->mail.bytes, line->ptr + (line->ptr[0] == '.'));
	if (strcmp(line->ptr, ".\r\n") != 0)
		return false;
	(void)snprintf(rcpt, sizeof(rcpt), "%s", c->mail.rcpt.ptr);
	pthread_mutex_lock(&c->server->lock);
	r = find_rule(c->server, "dot", rcpt);
	pthread_mutex_unlock(&c->server->lock);
	if (!r || r->usual || !r->say || r->say[0] == '2')
		keep_mail(c);
	answer(c, r, "250 taken\r\n");
	return !(r && r->close);
}

static void note_address(struct strbuf *out, const struct strbuf *line)
{
	const char *from = strchr(line->ptr, '<'), *to = from ? strchr(from, '>') : NULL;

	strbuf_clear(out);
	if (to)
		strbuf_add(out, from + 1, (size_t)(to - from - 1));
}

static bool greet(struct connection *c, const char *line)
{
	struct strbuf text = STRBUF_INIT;
	bool going, pipelining;

	pthread_mutex_lock(&c->server->lock);
	pipelining = c->server->pipelining;
	pthread_mutex_unlock(&c->server->lock);
	strbuf_adds(&text, "250-scripted.test\r\n250-SIZE 1000000\r\n");
	if (pipelining)
		strbuf_adds(&text, "250-PIPELINING\r\n");
	if (c->server->auth)
		strbuf_addf(&text, "250-AUTH %s\r\n", c->server->auth);
	strbuf_adds(&text, "250 HELP\r\n");
	going = respond(c, "EHLO", line, text.ptr);
	strbuf_release(&text);
	return going;
}

/* PLAIN and XOAUTH2 in one line; LOGIN, or PLAIN without, is asked for the rest. */
static bool log_in(struct connection *c, struct strbuf *line)
{
	bool is_login = strncmp(line->ptr, "AUTH LOGIN", 10) == 0;

	if (is_login && strlen(line->ptr) < 14) {
		say(c, "334 VXNlcm5hbWU6\r\n");
		if (!read_line(c, line))
			return false;
		note_line(c, line);
	}
	if (is_login) {
		say(c, "334 UGFzc3dvcmQ6\r\n");
		if (!read_line(c, line))
			return false;
		note_line(c, line);
	}
	return respond(c, "AUTH", line->ptr, "235 welcome\r\n");
}

/* False: the session is over. */
static bool obey(struct connection *c, struct strbuf *line)
{
	char verb[8] = "";

	(void)snprintf(verb, sizeof(verb), "%.4s", line->ptr);
	note_line(c, line);
	if (strcmp(verb, "EHLO") == 0)
		return greet(c, line->ptr);
	if (strcmp(verb, "AUTH") == 0)
		return log_in(c, line);
	if (strcmp(verb, "DATA") == 0)
		return take_data(c, line);
	if (strcmp(verb, "QUIT") == 0) {
		(void)respond(c, "QUIT", line->ptr, "221 bye\r\n");
		return false;
	}
	if (strcmp(verb, "MAIL") == 0)
		note_address(&c->mail.from, line);
	if (strcmp(verb, "RCPT") == 0)
		note_address(&c->mail.rcpt, line);
	return respond(c, verb, line->ptr, "250 ok\r\n");
}

static void *serve(void *arg)
{
	struct connection *c = arg;
	struct strbuf line = STRBUF_INIT;

	strbuf_init(&c->in);
	strbuf_init(&c->mail.from);
	strbuf_init(&c->mail.rcpt);
	strbuf_init(&c->mail.bytes);
	if (respond(c, "connect", "", "220 scripted.test ESMTP\r\n"))
		while (read_line(c, &line) && obey(c, &line))
			;
	shutdown(c->fd, SHUT_RDWR);
	strbuf_release(&line);
	strbuf_release(&c->in);
	strbuf_release(&c->mail.from);
	strbuf_release(&c->mail.rcpt);
	strbuf_release(&c->mail.bytes);
	return NULL;
}

static void *listen_for_clients(void *arg)
{
	struct smtp_server *s = arg;
	int fd;

	while ((fd = accept(s->fd, NULL, NULL)) >= 0) {
		struct connection *c = xcalloc(1, sizeof(*c));

		c->server = s;
		c->fd = fd;
		/* Answers in pieces would else each wait 40 ms for an ACK. */
		(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
		pthread_mutex_lock(&s->lock);
		ENSURE(s->nconnections < CONNECTIONS_MAX);
		s->connections[s->nconnections++] = c;
		c->number = s->nconnections;
		pthread_mutex_unlock(&s->lock);
		ENSURE(pthread_create(&c->thread, NULL, serve, c) == 0);
	}
	return NULL;
}

/* ------------------------------------------------------------------ for the test */

struct smtp_server *smtp_server_new(const struct smtp_rule *rules, size_t n, const char *auth)
{
	struct smtp_server *s = xcalloc(1, sizeof(*s));
	struct sockaddr_in a = {.sin_family = AF_INET,
	                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(a);

	ENSURE(n <= RULES_MAX);
	s->rules = rules;
	s->nrules = n;
	s->auth = auth;
	strbuf_init(&s->heard);
	s->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ENSURE(s->fd >= 0 && bind(s->fd, (struct sockaddr *)&a, sizeof(a)) == 0);
	ENSURE(listen(s->fd, 64) == 0 && getsockname(s->fd, (struct sockaddr *)&a, &len) == 0);
	s->port = ntohs(a.sin_port);
	ENSURE(pthread_mutex_init(&s->lock, NULL) == 0);
	ENSURE(pthread_cond_init(&s->dot, NULL) == 0);
	ENSURE(pthread_create(&s->thread, NULL, listen_for_clients, s) == 0);
	return s;
}

void smtp_server_announce_pipelining(struct smtp_server *s)
{
	pthread_mutex_lock(&s->lock);
	s->pipelining = true;
	pthread_mutex_unlock(&s->lock);
}

void smtp_server_free(struct smtp_server *s)
{
	shutdown(s->fd, SHUT_RDWR);
	pthread_join(s->thread, NULL);
	close(s->fd);
	for (unsigned i = 0; i < s->nconnections; i++) {
		shutdown(s->connections[i]->fd, SHUT_RDWR);
		pthread_join(s->connections[i]->thread, NULL);
		close(s->connections[i]->fd);
		free(s->connections[i]);
	}
	for (size_t i = 0; i < s->ntaken; i++) {
		strbuf_release(&s->taken[i].from);
		strbuf_release(&s->taken[i].rcpt);
		strbuf_release(&s->taken[i].bytes);
	}
	strbuf_release(&s->heard);
	pthread_cond_destroy(&s->dot);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

unsigned smtp_server_port(const struct smtp_server *s)
{
	return s->port;
}

size_t smtp_server_taken(struct smtp_server *s)
{
	size_t n;

	pthread_mutex_lock(&s->lock);
	n = s->ntaken;
	pthread_mutex_unlock(&s->lock);
	return n;
}

const struct smtp_taken *smtp_server_mail(struct smtp_server *s, size_t i)
{
	ENSURE(i < smtp_server_taken(s));
	return &s->taken[i];
}

static unsigned now(struct smtp_server *s, const unsigned *number)
{
	unsigned n;

	pthread_mutex_lock(&s->lock);
	n = *number;
	pthread_mutex_unlock(&s->lock);
	return n;
}

unsigned smtp_server_connections(struct smtp_server *s)
{
	return now(s, &s->nconnections);
}

unsigned smtp_server_pieces(struct smtp_server *s)
{
	return now(s, &s->pieces);
}

void smtp_server_wait_dots(struct smtp_server *s, unsigned n)
{
	pthread_mutex_lock(&s->lock);
	while (s->dots < n)
		pthread_cond_wait(&s->dot, &s->lock);
	pthread_mutex_unlock(&s->lock);
}

char *smtp_server_heard(struct smtp_server *s)
{
	char *copy;

	pthread_mutex_lock(&s->lock);
	copy = xstrdup(s->heard.ptr);
	pthread_mutex_unlock(&s->lock);
	return copy;
}
