/*
 * fetcher.c - the parent of the fetching child.
 *
 * It never waits on the child without a limit: every answer has a time, and all of them
 * together have one, so that a server that sends a byte now and then does not keep a run for
 * ever. The child has limits of its own, shorter ones, and says what it waited for; these here
 * are for a child that can no longer say anything.
 */
#include "mail/source/fetcher.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mail/child/child.h"
#include "processor/base/clock.h"
#include "processor/base/seal.h"

enum {
	READ_AT_ONCE = 64 * 1024,
	PATIENCE_MS = 2000, /* for LOGOUT */
	POLLED_MAX = 4 << 20
};

struct fetcher {
	struct child child;
	int answer_ms;
	int64_t left_ms; /* of all waiting */
	unsigned owed;   /* requests without their last answer */
};

struct fetcher *fetcher_new(int answer_ms, int64_t total_ms)
{
	struct fetcher *f = xcalloc(1, sizeof(*f));

	f->child = (struct child)CHILD_INIT;
	f->answer_ms = answer_ms;
	f->left_ms = total_ms;
	return f;
}

void fetcher_stop(struct fetcher *f)
{
	child_end(&f->child, f->owed == 0 ? PATIENCE_MS : 0);
	f->owed = 0;
}

void fetcher_free(struct fetcher *f)
{
	if (!f)
		return;
	fetcher_stop(f);
	free(f);
}

bool fetcher_is_running(const struct fetcher *f)
{
	return f->child.pid != 0;
}

bool fetcher_start(struct fetcher *f)
{
	return fetcher_is_running(f) ||
	       child_start(&f->child, NULL, FETCH_CHILD_COMMAND, NULL, NULL) == ERR_NONE;
}

/* ---- the child's end ---- */

static enum err say_dead(struct fetcher *f, struct failure *e)
{
	err_set(e, ERR_IO, "the process that reads the mailbox died");
	child_add_last_words(&f->child, e);
	fetcher_stop(f);
	return ERR_IO;
}

/* ---- both directions ---- */

/* Waits until something can be read, or written if `to` is given. */
static enum err wait_for(struct fetcher *f, int to, short *readable, struct failure *e)
{
	struct pollfd fds[3] = {{.fd = f->child.from, .events = POLLIN},
	                        {.fd = f->child.errors, .events = POLLIN},
	                        {.fd = to, .events = POLLOUT}};
	int64_t began = clock_monotonic_ms();
	int most = f->left_ms < f->answer_ms ? (int)f->left_ms : f->answer_ms;
	int n;

	do
		n = most > 0 ? poll(fds, 3, most) : 0;
	while (n < 0 && errno == EINTR);
	f->left_ms -= clock_monotonic_ms() - began;
	if (n == 0) {
		fetcher_stop(f);
		return f->left_ms <= 0
		           ? err_set(
				 e, ERR_TIMEOUT,
				 "reading the mailbox took too long altogether; the next run goes "
				 "on from here")
		           : err_set(e, ERR_TIMEOUT, "no answer within %d s",
		                     f->answer_ms / 1000);
	}
	if (fds[1].revents)
		child_drain_errors(&f->child);
	*readable = fds[0].revents;
	return ERR_NONE;
}

static enum err read_more(struct fetcher *f, struct failure *e)
{
	ssize_t n = child_read(f->child.from, &f->child.answers.in, READ_AT_ONCE);

	if (n > 0 || (n < 0 && errno == EAGAIN))
		return ERR_NONE;
	return say_dead(f, e);
}

/* `socket`, unless -1, goes with the first of them. */
static enum err write_all(struct fetcher *f, struct span bytes, int socket, struct failure *e)
{
	while (bytes.len > 0) {
		ssize_t n = child_send(f->child.to, bytes, socket);
		short readable = 0;

		if (n < 0 && errno != EAGAIN)
			return say_dead(f, e);
		if (n > 0) {
			bytes = span_slice(bytes, (size_t)n, bytes.len);
			socket = -1;
		}
		if (bytes.len == 0)
			break;
		TRY(wait_for(f, f->child.to, &readable, e));
		if (readable)
			TRY(read_more(f, e));
	}
	return ERR_NONE;
}

static enum err request(struct fetcher *f, enum fetch_op op, struct span body, int socket,
                        struct failure *e)
{
	struct strbuf packet = STRBUF_INIT;

	if (!fetcher_is_running(f))
		TRY(child_start(&f->child, NULL, FETCH_CHILD_COMMAND, NULL, e));
	strbuf_grow(&packet, FETCH_HEAD + body.len); /* it may hold a secret */
	packet_add_u32(&packet, body.len + sizeof(uint32_t));
	packet_add_u32(&packet, op);
	strbuf_add_span(&packet, body);
	f->owed++;
	enum err r = write_all(f, strbuf_span(&packet), socket, e);
	secret_release(&packet);
	return r;
}

enum err fetcher_request(struct fetcher *f, enum fetch_op op, struct span body,
                         struct failure *e)
{
	return request(f, op, body, -1, e);
}

enum err fetcher_open(struct fetcher *f, int socket, struct span body, struct failure *e)
{
	enum err r = request(f, FETCH_OPEN, body, socket, e);

	close(socket);
	return r;
}

/* ---- answers ---- */

static enum err say_nonsense(struct fetcher *f, struct failure *e)
{
	fetcher_stop(f);
	return err_set(e, ERR_IO, "the process that reads the mailbox talks nonsense");
}

/* A packet without a kind is none. */
static bool next_answer(const struct fetcher *f, struct span *body, bool *bad)
{
	bool whole = packet_stream_next(&f->child.answers, FETCH_FRAME_MAX, body, bad);

	*bad = *bad || (whole && body->len < sizeof(uint32_t));
	return whole && !*bad;
}

bool fetcher_poll(struct fetcher *f, int *fd)
{
	struct span body;
	ssize_t got = 1;
	bool bad;

	if (fd)
		*fd = f->child.from;
	if (!fetcher_is_running(f) || f->owed == 0)
		return false;
	while (got > 0 && f->child.answers.in.len - f->child.answers.taken < POLLED_MAX)
		got = child_read(f->child.from, &f->child.answers.in, READ_AT_ONCE);
	return next_answer(f, &body, &bad) || bad || got == 0;
}

enum err fetcher_reply(struct fetcher *f, enum fetch_reply *kind, struct packet_cursor *body,
                       struct failure *e)
{
	struct span bytes;
	bool bad;

	ENSURE(f->owed > 0 && fetcher_is_running(f));
	packet_stream_forget(&f->child.answers);
	while (!next_answer(f, &bytes, &bad)) {
		short readable = 0;

		if (bad)
			return say_nonsense(f, e);
		TRY(wait_for(f, -1, &readable, e));
		if (readable)
			TRY(read_more(f, e));
	}
	f->child.answers.taken += sizeof(uint32_t) + bytes.len;
	*body = (struct packet_cursor){.rest = bytes};
	*kind = (enum fetch_reply)packet_take_u32(body, FETCH_FAILED);
	if (body->bad || *kind == 0)
		return say_nonsense(f, e);
	if (*kind == FETCH_DONE || *kind == FETCH_FAILED)
		f->owed--;
	if (*kind != FETCH_FAILED)
		return ERR_NONE;
	enum err r = packet_take_failure(body, e);
	return r == ERR_NONE ? say_nonsense(f, e) : r;
}
