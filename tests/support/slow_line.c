/*
 * slow_line.c - one thread, one poll loop, queues of bytes with the time at which they are due.
 */
#define _GNU_SOURCE /* ppoll, accept4 */
#include "tests/support/slow_line.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/strbuf.h"

enum { LINES_MAX = 64, PIECES_MAX = 1024, PIECE_BYTES = 8192 };

struct piece {
	double due_s;
	size_t len;
	char bytes[PIECE_BYTES];
};

/* One direction of one connection. */
struct flow {
	int from, to;
	struct piece *pieces; /* a ring */
	size_t first, n;
	bool ended; /* `from` has said all */
};

struct line {
	bool open;
	struct flow up, down; /* to the server, from it */
	struct strbuf seen;   /* the end of what went up */
	bool cut;             /* nothing comes down any more */
	bool answered;        /* what came last came down */
};

struct slow_line {
	int fd;
	unsigned port, target;
	const char *socket; /* instead of target; borrowed */
	atomic_uint round_trips;
	double delay_s;
	const char *cut_after;
	pthread_t thread;
	int stop[2];
	struct line lines[LINES_MAX];
};

static double now_s(void)
{
	struct timespec t;

	ENSURE(clock_gettime(CLOCK_MONOTONIC, &t) == 0);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void at_once(int fd)
{
	int yes = 1;

	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

static int connect_to_socket(const char *path)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(a.sun_path, sizeof a.sun_path, "%s", path);
	ENSURE(fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof a) == 0);
	return fd;
}

static int connect_to(unsigned port)
{
	struct sockaddr_in a = {.sin_family = AF_INET,
	                        .sin_port = htons((uint16_t)port),
	                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	ENSURE(fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof(a)) == 0);
	at_once(fd);
	return fd;
}

static void flow_open(struct flow *f, int from, int to)
{
	*f = (struct flow){.from = from, .to = to};
	f->pieces = xcalloc(PIECES_MAX, sizeof(*f->pieces));
}

static void line_close(struct line *l)
{
	close(l->up.from);
	close(l->up.to);
	free(l->up.pieces);
	free(l->down.pieces);
	strbuf_release(&l->seen);
	l->open = false;
}

static void accept_line(struct slow_line *p)
{
	int client = accept4(p->fd, NULL, NULL, SOCK_CLOEXEC), server;
	struct line *l = p->lines;

	if (client < 0)
		return;
	at_once(client);
	server = p->socket ? connect_to_socket(p->socket) : connect_to(p->target);
	while (l < p->lines + LINES_MAX && l->open)
		l++;
	ENSURE(l < p->lines + LINES_MAX);
	*l = (struct line){.open = true, .seen = STRBUF_INIT};
	flow_open(&l->up, client, server);
	flow_open(&l->down, server, client);
}

static void flow_read(const struct slow_line *p, struct flow *f)
{
	struct piece *piece = &f->pieces[(f->first + f->n) % PIECES_MAX];
	ssize_t n;

	if (f->n == PIECES_MAX)
		return;
	n = recv(f->from, piece->bytes, sizeof(piece->bytes), MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	piece->len = n > 0 ? (size_t)n : 0;
	piece->due_s = now_s() + p->delay_s;
	f->ended = n <= 0;
	f->n++;
}

/* What is due goes on; a piece of length 0 is the end. False: the line is over. */
static bool flow_write(struct flow *f)
{
	double now = now_s();

	while (f->n > 0 && f->pieces[f->first].due_s <= now) {
		const struct piece *piece = &f->pieces[f->first];
		size_t done = 0;

		if (piece->len == 0)
			return false;
		while (done < piece->len) {
			ssize_t n =
			    send(f->to, piece->bytes + done, piece->len - done, MSG_NOSIGNAL);

			if (n <= 0)
				return false;
			done += (size_t)n;
		}
		f->first = (f->first + 1) % PIECES_MAX;
		f->n--;
	}
	return true;
}

/* Watches what goes up. */
static void look_for_cut(const struct slow_line *p, struct line *l)
{
	if (!p->cut_after || l->cut || l->up.n == 0)
		return;
	const struct piece *piece = &l->up.pieces[(l->up.first + l->up.n - 1) % PIECES_MAX];
	strbuf_add(&l->seen, piece->bytes, piece->len);
	l->cut = span_find(strbuf_span(&l->seen), span_of(p->cut_after)) < l->seen.len;
}

static void line_work(struct slow_line *p, struct line *l, bool up_ready, bool down_ready)
{
	bool going;

	if (up_ready) {
		p->round_trips += l->answered;
		l->answered = false;
		flow_read(p, &l->up);
		look_for_cut(p, l);
	}
	if (down_ready) {
		l->answered = true;
		flow_read(p, &l->down);
	}
	going = flow_write(&l->up);
	/* The server has answered: it has the mail. The answer goes nowhere. */
	if (l->cut && down_ready)
		going = false;
	if (going)
		going = flow_write(&l->down);
	if (!going)
		line_close(l);
}

static double next_due(const struct slow_line *p)
{
	double next = now_s() + 10;

	for (size_t i = 0; i < LINES_MAX; i++) {
		const struct line *l = &p->lines[i];

		if (l->open && l->up.n > 0 && l->up.pieces[l->up.first].due_s < next)
			next = l->up.pieces[l->up.first].due_s;
		if (l->open && l->down.n > 0 && l->down.pieces[l->down.first].due_s < next)
			next = l->down.pieces[l->down.first].due_s;
	}
	return next;
}

static void *carry(void *arg)
{
	struct slow_line *p = arg;

	for (;;) {
		struct pollfd fds[2 + 2 * LINES_MAX] = {{p->stop[0], POLLIN, 0},
		                                        {p->fd, POLLIN, 0}};
		double wait = next_due(p) - now_s();
		struct timespec t = {0};

		if (wait > 0) {
			t.tv_sec = (time_t)wait;
			t.tv_nsec = (long)((wait - (double)t.tv_sec) * 1e9);
		}
		for (size_t i = 0; i < LINES_MAX; i++) {
			const struct line *l = &p->lines[i];

			fds[2 + 2 * i] = (struct pollfd){
			    l->open && !l->up.ended ? l->up.from : -1, POLLIN, 0};
			fds[3 + 2 * i] = (struct pollfd){
			    l->open && !l->down.ended ? l->down.from : -1, POLLIN, 0};
		}
		(void)ppoll(fds, 2 + 2 * LINES_MAX, &t, NULL);
		if (fds[0].revents)
			return NULL;
		for (size_t i = 0; i < LINES_MAX; i++)
			if (p->lines[i].open)
				line_work(p, &p->lines[i], fds[2 + 2 * i].revents != 0,
				          fds[3 + 2 * i].revents != 0);
		if (fds[1].revents)
			accept_line(p);
	}
}

static struct slow_line *start(unsigned port, const char *path, unsigned delay_ms)
{
	struct slow_line *p = xcalloc(1, sizeof(*p));
	struct sockaddr_in a = {.sin_family = AF_INET,
	                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(a);

	p->target = port;
	p->socket = path;
	p->delay_s = delay_ms / 1e3;
	p->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ENSURE(p->fd >= 0 && bind(p->fd, (struct sockaddr *)&a, sizeof(a)) == 0);
	ENSURE(listen(p->fd, 64) == 0 && getsockname(p->fd, (struct sockaddr *)&a, &len) == 0);
	p->port = ntohs(a.sin_port);
	ENSURE(pipe(p->stop) == 0);
	ENSURE(pthread_create(&p->thread, NULL, carry, p) == 0);
	return p;
}

struct slow_line *slow_line_new(unsigned port, unsigned delay_ms)
{
	return start(port, NULL, delay_ms);
}

struct slow_line *slow_line_to_socket(const char *path, unsigned delay_ms)
{
	return start(0, path, delay_ms);
}

void slow_line_free(struct slow_line *p)
{
	ENSURE(write(p->stop[1], "x", 1) == 1);
	pthread_join(p->thread, NULL);
	for (size_t i = 0; i < LINES_MAX; i++)
		if (p->lines[i].open)
			line_close(&p->lines[i]);
	close(p->fd);
	close(p->stop[0]);
	close(p->stop[1]);
	free(p);
}

unsigned slow_line_port(const struct slow_line *p)
{
	return p->port;
}

unsigned slow_line_round_trips(const struct slow_line *p)
{
	return p->round_trips;
}

void slow_line_cut_after(struct slow_line *p, const char *bytes)
{
	p->cut_after = bytes;
}
