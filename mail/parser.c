/*
 * parser.c - the parent of the parsing child.
 *
 * One child at a time. Mails are written to it as fast as it takes them while its
 * answers are read as they come: neither side ever waits for the other to empty a
 * pipe, and the parent keeps no copy of either. The first mail without an answer
 * is the one in hand when the child dies, lies or stops; it is tried once more, alone, in a
 * fresh child, and then its header alone, so that its sender can be told.
 */
#include "mail/parser.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "mail/child.h"
#include "mail/frame.h"
#include "mail/parse_parts.h"
#include "processor/base/clock.h"

#include "processor/base/banned.h"

enum {
	READ_AT_ONCE = 64 * 1024,
	START_MS = 20000 /* loading a library from a cold disk */
};

const struct parser_limits parser_default_limits = {
    .mail = MAIL_USUAL_LIMITS,
    .wait_ms = 2000,
    .mails_per_child = 5000,
};

/* How the mail in hand is given to the child. */
enum attempt {
	WITH_THE_OTHERS,
	ALONE,       /* it has cost a child already, and has this one for itself */
	HEADER_ALONE /* it has cost two */
};

struct parser {
	const char *exe;
	struct parser_limits limits;

	struct child child;
	bool greeted;
	unsigned answered; /* mails this child has answered */
	struct strbuf in;  /* bytes from the child, not a whole frame yet */
	struct strbuf last_words;

	/* The batch in hand. */
	const struct span *raw;
	size_t n;
	struct arena *arena;
	struct mail_in *out;
	size_t done;          /* answered */
	size_t sent;          /* wholly written to this child; >= done */
	size_t sent_bytes;    /* of mail `sent`, head included */
	size_t send_until;    /* this child gets no mail from here on */
	enum attempt attempt; /* at mail `done` */
	int64_t deadline_ms;  /* monotonic: for the answer to mail `done` */
	enum err trouble;     /* met by parser_poll, for parser_collect to return ... */
	struct failure why;   /* ... in words */
};

struct parser *parser_new(const char *exe, const struct parser_limits *limits)
{
	struct parser *p = xcalloc(1, sizeof(*p));

	p->exe = exe ? exe : "/proc/self/exe";
	p->limits = *limits;
	p->child = (struct child)CHILD_INIT;
	strbuf_init(&p->in);
	strbuf_init(&p->last_words);
	p->why = (struct failure)ERR_INIT;
	return p;
}

/* ---- starting and ending a child ---- */

/* Only a child with nothing in hand is waited for. */
static void end_child(struct parser *p)
{
	bool idle = p->sent == p->done && p->sent_bytes == 0;

	child_end(&p->child, idle ? (int)p->limits.wait_ms : 0);
	strbuf_clear(&p->in);
}

void parser_free(struct parser *p)
{
	if (!p)
		return;
	end_child(p);
	strbuf_release(&p->in);
	strbuf_release(&p->last_words);
	err_release(&p->why);
	free(p);
}

static enum err start_child(struct parser *p, struct failure *e)
{
	struct strbuf limits = STRBUF_INIT;
	enum err r;

	parser_write_limits(&p->limits, &limits);
	r = child_start(&p->child, p->exe, PARSER_CHILD_COMMAND, limits.ptr, e);
	strbuf_release(&limits);
	p->greeted = false;
	p->answered = 0;
	p->sent = p->done;
	p->sent_bytes = 0;
	strbuf_clear(&p->last_words);
	p->deadline_ms = clock_monotonic_ms() + START_MS;
	return r;
}

/* How far this child may go: to the end, to its share, or over the one suspect only. */
static void set_send_limit(struct parser *p)
{
	size_t share = p->limits.mails_per_child - p->answered;

	p->send_until = p->n - p->done < share ? p->n : p->done + share;
	if (p->attempt != WITH_THE_OTHERS)
		p->send_until = p->done + 1;
}

/* ---- writing ---- */

enum flow {
	FLOW_WAIT, /* nothing can be done before poll() says so */
	FLOW_DONE, /* nothing is left to do in this direction */
	FLOW_DEAD  /* the child is gone, or talks nonsense */
};

/* With the empty line behind it; all of it if there is none. */
static size_t header_len(struct span raw)
{
	struct span rest = raw, line;

	while (span_next_line(&rest, &line))
		if (line.len == 0)
			return raw.len - rest.len;
	return raw.len;
}

static size_t request_head(const struct parser *p, struct span raw, unsigned char *head)
{
	size_t len = p->attempt == HEADER_ALONE ? header_len(raw) : raw.len;

	if (len > p->limits.mail.max_size)
		len = p->limits.mail.max_size;
	frame_put_u32(head, (uint32_t)len);
	frame_put_u32(head + 4, len < raw.len ? FRAME_IS_CUT : 0);
	return len;
}

/* Writes what is missing of mail `sent`. */
static ssize_t write_some(const struct parser *p, size_t *whole)
{
	struct span raw = p->raw[p->sent];
	unsigned char head[FRAME_REQUEST_HEAD];
	size_t len = request_head(p, raw, head), at = p->sent_bytes;
	size_t of_head = at < sizeof(head) ? sizeof(head) - at : 0;
	size_t of_body = at < sizeof(head) ? 0 : at - sizeof(head);
	struct iovec iov[2] = {
	    {.iov_base = head + sizeof(head) - of_head, .iov_len = of_head},
	    {.iov_base = (char *)raw.ptr + of_body, .iov_len = len - of_body},
	};

	*whole = sizeof(head) + len;
	return writev(p->child.to, iov, 2);
}

static enum flow send_mails(struct parser *p)
{
	while (p->sent < p->send_until) {
		size_t whole;
		ssize_t n = write_some(p, &whole);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? FLOW_WAIT : FLOW_DEAD;
		if (p->greeted && p->sent == p->done && p->sent_bytes == 0)
			p->deadline_ms = clock_monotonic_ms() + p->limits.wait_ms;
		p->sent_bytes += (size_t)n;
		if (p->sent_bytes == whole) {
			p->sent++;
			p->sent_bytes = 0;
		}
	}
	return FLOW_DONE;
}

/* ---- reading ---- */

static void renew_deadline(struct parser *p)
{
	p->deadline_ms = clock_monotonic_ms() + p->limits.wait_ms;
}

/* The greeting: a non-empty one is the reason why this program cannot parse at all. */
static enum err take_greeting(struct parser *p, struct span body, struct failure *e)
{
	if (body.len > 0)
		return err_set(e, ERR_UNSUPPORTED, "mail cannot be read: %.*s",
		               SPAN_ARGS(body));
	p->greeted = true;
	renew_deadline(p);
	return ERR_NONE;
}

static bool take_result(struct parser *p, struct span body)
{
	if (p->done == p->sent || !frame_read_result(body, p->arena, &p->out[p->done]))
		return false;
	if (p->attempt == HEADER_ALONE && p->out[p->done].ntexts == 0)
		p->out[p->done].fault = MAIL_UNPARSABLE;
	/* The child saw only the beginning. */
	if (p->attempt == HEADER_ALONE || p->raw[p->done].len > p->limits.mail.max_size)
		mail_content_digest(p->raw[p->done], p->out[p->done].content_digest);
	p->done++;
	p->answered++;
	p->attempt = WITH_THE_OTHERS;
	return true;
}

/* Handles the whole frames in p->in and keeps the rest. */
static enum err take_frames(struct parser *p, enum flow *flow, struct failure *e)
{
	struct span rest = strbuf_span(&p->in);
	size_t before = p->done;
	enum err r = ERR_NONE;

	while (rest.len >= FRAME_RESULT_HEAD && r == ERR_NONE && *flow != FLOW_DEAD) {
		size_t len = frame_get_u32(rest.ptr);
		struct span body = span_slice(rest, FRAME_RESULT_HEAD, FRAME_RESULT_HEAD + len);

		if (len > FRAME_RESULT_MAX)
			*flow = FLOW_DEAD;
		if (body.len < len || *flow == FLOW_DEAD)
			break;
		rest = span_slice(rest, FRAME_RESULT_HEAD + len, rest.len);
		if (!p->greeted)
			r = take_greeting(p, body, e);
		else if (!take_result(p, body))
			*flow = FLOW_DEAD;
	}
	memmove(p->in.ptr, rest.ptr, rest.len);
	strbuf_truncate(&p->in, rest.len);
	if (p->done > before)
		renew_deadline(p);
	return r;
}

static enum err read_results(struct parser *p, enum flow *flow, struct failure *e)
{
	*flow = FLOW_WAIT;
	while (*flow == FLOW_WAIT && p->done < p->n) {
		ssize_t n = child_read(p->child.from, &p->in, READ_AT_ONCE);
		enum err r;

		if (n < 0 && errno == EAGAIN)
			return ERR_NONE;
		if (n <= 0) {
			*flow = FLOW_DEAD;
			return ERR_NONE;
		}
		r = take_frames(p, flow, e);
		if (r != ERR_NONE)
			return r;
		if ((size_t)n < READ_AT_ONCE)
			break;
	}
	return ERR_NONE;
}

/* ---- deaths ---- */

static enum err death_before_greeting(struct parser *p, struct failure *e)
{
	child_drain_errors(&p->child, &p->last_words);
	end_child(p);
	return err_set(e, ERR_IO, "%s %s ends before its first mail%s%.*s", p->exe,
	               PARSER_CHILD_COMMAND, p->last_words.len > 0 ? ": " : "",
	               SPAN_ARGS(span_trim(strbuf_span(&p->last_words))));
}

static void set_unparsable(struct parser *p)
{
	struct mail_in *m = &p->out[p->done];

	memset(m, 0, sizeof(*m));
	m->fault = MAIL_UNPARSABLE;
	mail_content_digest(p->raw[p->done], m->content_digest);
}

/* The child died, hung or lied with mail `done` in hand. */
static enum err handle_death(struct parser *p, struct failure *e)
{
	if (!p->greeted)
		return death_before_greeting(p, e);
	p->sent = p->done + 1; /* so that end_child does not wait for it */
	end_child(p);
	p->sent = p->done;
	p->sent_bytes = 0;
	if (p->attempt == HEADER_ALONE) {
		set_unparsable(p);
		p->done++;
		p->attempt = WITH_THE_OTHERS;
	} else {
		p->attempt++;
	}
	return ERR_NONE;
}

/* ---- the batch ---- */

/* False when the answer is overdue. */
static bool wait_for_child(struct parser *p, bool want_write)
{
	struct pollfd fds[3] = {
	    {.fd = p->child.from, .events = POLLIN},
	    {.fd = p->child.errors, .events = POLLIN},
	    {.fd = want_write ? p->child.to : -1, .events = POLLOUT},
	};
	int64_t left = p->deadline_ms - clock_monotonic_ms();

	if (left <= 0)
		return false;
	poll(fds, 3, (int)left);
	if (fds[1].revents)
		child_drain_errors(&p->child, &p->last_words);
	return true;
}

/*
 * Moves bytes both ways until all is answered or, unless `wait`, until it would have to wait.
 */
static enum err pump(struct parser *p, bool wait, struct failure *e)
{
	while (p->done < p->n) {
		enum flow out, in;
		enum err r = ERR_NONE;

		if (p->child.pid == 0)
			r = start_child(p, e);
		if (r != ERR_NONE)
			return r;
		set_send_limit(p);
		out = send_mails(p);
		r = read_results(p, &in, e);
		if (r != ERR_NONE) {
			end_child(p);
			return r;
		}
		if (p->done == p->n)
			break;
		if (p->answered == p->limits.mails_per_child)
			end_child(p);
		else if (in == FLOW_DEAD)
			r = handle_death(p, e);
		else if (out == FLOW_DONE && p->sent < p->n && p->done == p->sent)
			continue; /* the suspect was cleared: on with the others */
		else if (!wait)
			return ERR_NONE;
		else if (!wait_for_child(p, out == FLOW_WAIT))
			r = handle_death(p, e);
		if (r != ERR_NONE)
			return r;
	}
	return ERR_NONE;
}

/*
 * Writing to a dead child must give an error, not end the program. On an error the batch is
 * given up.
 */
static enum err pump_safely(struct parser *p, bool wait, struct failure *e)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	enum err r;

	sigaction(SIGPIPE, &ignore, &before);
	r = pump(p, wait, e);
	sigaction(SIGPIPE, &before, NULL);
	if (r != ERR_NONE)
		p->n = p->done;
	return r;
}

enum err parser_submit(struct parser *p, const struct span *raw, size_t n, struct arena *arena,
                       struct mail_in *out, struct failure *e)
{
	ENSURE(p->done == p->n);
	p->raw = raw;
	p->n = n;
	p->arena = arena;
	p->out = out;
	p->done = p->sent = p->sent_bytes = 0;
	p->attempt = WITH_THE_OTHERS;
	return pump_safely(p, false, e);
}

void parser_poll(struct parser *p)
{
	if (p->trouble == ERR_NONE)
		p->trouble = pump_safely(p, false, &p->why);
}

static enum err take_trouble(struct parser *p, struct failure *e)
{
	enum err r = err_set(e, p->trouble, "%s", p->why.text.ptr);

	p->trouble = ERR_NONE;
	return r;
}

enum err parser_collect(struct parser *p, struct failure *e)
{
	if (p->trouble != ERR_NONE)
		return take_trouble(p, e);
	/* What the caller did since parser_submit is not the child's fault. */
	if (p->child.pid != 0 && p->greeted)
		renew_deadline(p);
	return pump_safely(p, true, e);
}

enum err parser_batch(struct parser *p, const struct span *raw, size_t n, struct arena *arena,
                      struct mail_in *out, struct failure *e)
{
	enum err r = parser_submit(p, raw, n, arena, out, e);

	return r == ERR_NONE ? parser_collect(p, e) : r;
}
