/*
 * parser.c - the parent of the parsing children.
 *
 * A lane has one child at a time. Mails are written to it as fast as it takes them while its
 * answers are read as they come: neither side ever waits for the other to empty a
 * pipe, and the parent keeps no copy of either. The first mail without an answer
 * is the one in hand when the child dies, lies or stops; it is tried once more, alone, in a
 * fresh child, and then its header alone, so that its sender can be told.
 *
 * A batch that is worth it is parted among two lanes, each with a half of its own.
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
	LANES = 2,
	PARTED_AT = 64, /* fewer mails are not worth a second child */
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

/* One child, and its share of the batch in hand. */
struct lane {
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
	bool wants_write;     /* it would take more than it took last */
};

struct parser {
	struct lane lanes[LANES];
	bool alone;         /* only the first can be used */
	enum err trouble;   /* met by parser_poll, for parser_collect to return ... */
	struct failure why; /* ... in words */
};

struct parser *parser_new(const char *exe, const struct parser_limits *limits)
{
	struct parser *p = xcalloc(1, sizeof(*p));

	for (size_t i = 0; i < LANES; i++) {
		struct lane *l = &p->lanes[i];

		l->exe = exe ? exe : "/proc/self/exe";
		l->limits = *limits;
		l->child = (struct child)CHILD_INIT;
		strbuf_init(&l->in);
		strbuf_init(&l->last_words);
	}
	p->why = (struct failure)ERR_INIT;
	return p;
}

/* ---- starting and ending a child ---- */

/* Only a child with nothing in hand is waited for. */
static void end_child(struct lane *l)
{
	bool idle = l->sent == l->done && l->sent_bytes == 0;

	child_end(&l->child, idle ? (int)l->limits.wait_ms : 0);
	strbuf_clear(&l->in);
}

void parser_free(struct parser *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < LANES; i++) {
		end_child(&p->lanes[i]);
		strbuf_release(&p->lanes[i].in);
		strbuf_release(&p->lanes[i].last_words);
	}
	err_release(&p->why);
	free(p);
}

static enum err start_child(struct lane *l, struct failure *e)
{
	struct strbuf limits = STRBUF_INIT;
	enum err r;

	parser_write_limits(&l->limits, &limits);
	r = child_start(&l->child, l->exe, PARSER_CHILD_COMMAND, limits.ptr, e);
	strbuf_release(&limits);
	l->greeted = false;
	l->answered = 0;
	l->sent = l->done;
	l->sent_bytes = 0;
	strbuf_clear(&l->last_words);
	l->deadline_ms = clock_monotonic_ms() + START_MS;
	return r;
}

/* How far this child may go: to the end, to its share, or over the one suspect only. */
static void set_send_limit(struct lane *l)
{
	size_t share = l->limits.mails_per_child - l->answered;

	l->send_until = l->n - l->done < share ? l->n : l->done + share;
	if (l->attempt != WITH_THE_OTHERS)
		l->send_until = l->done + 1;
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

static size_t request_head(const struct lane *l, struct span raw, unsigned char *head)
{
	size_t len = l->attempt == HEADER_ALONE ? header_len(raw) : raw.len;

	if (len > l->limits.mail.max_size)
		len = l->limits.mail.max_size;
	frame_put_u32(head, (uint32_t)len);
	frame_put_u32(head + 4, len < raw.len ? FRAME_IS_CUT : 0);
	return len;
}

/* Writes what is missing of mail `sent`. */
static ssize_t write_some(const struct lane *l, size_t *whole)
{
	struct span raw = l->raw[l->sent];
	unsigned char head[FRAME_REQUEST_HEAD];
	size_t len = request_head(l, raw, head), at = l->sent_bytes;
	size_t of_head = at < sizeof(head) ? sizeof(head) - at : 0;
	size_t of_body = at < sizeof(head) ? 0 : at - sizeof(head);
	struct iovec iov[2] = {
	    {.iov_base = head + sizeof(head) - of_head, .iov_len = of_head},
	    {.iov_base = (char *)raw.ptr + of_body, .iov_len = len - of_body},
	};

	*whole = sizeof(head) + len;
	return writev(l->child.to, iov, 2);
}

static enum flow send_mails(struct lane *l)
{
	while (l->sent < l->send_until) {
		size_t whole;
		ssize_t n = write_some(l, &whole);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? FLOW_WAIT : FLOW_DEAD;
		if (l->greeted && l->sent == l->done && l->sent_bytes == 0)
			l->deadline_ms = clock_monotonic_ms() + l->limits.wait_ms;
		l->sent_bytes += (size_t)n;
		if (l->sent_bytes == whole) {
			l->sent++;
			l->sent_bytes = 0;
		}
	}
	return FLOW_DONE;
}

/* ---- reading ---- */

static void renew_deadline(struct lane *l)
{
	l->deadline_ms = clock_monotonic_ms() + l->limits.wait_ms;
}

/* The greeting: a non-empty one is the reason why this program cannot parse at all. */
static enum err take_greeting(struct lane *l, struct span body, struct failure *e)
{
	if (body.len > 0)
		return err_set(e, ERR_UNSUPPORTED, "mail cannot be read: %.*s",
		               SPAN_ARGS(body));
	l->greeted = true;
	renew_deadline(l);
	return ERR_NONE;
}

static bool take_result(struct lane *l, struct span body)
{
	if (l->done == l->sent || !frame_read_result(body, l->arena, &l->out[l->done]))
		return false;
	if (l->attempt == HEADER_ALONE && l->out[l->done].ntexts == 0)
		l->out[l->done].fault = MAIL_UNPARSABLE;
	/* The child saw only the beginning. */
	if (l->attempt == HEADER_ALONE || l->raw[l->done].len > l->limits.mail.max_size)
		mail_content_digest(l->raw[l->done], l->out[l->done].content_digest);
	l->done++;
	l->answered++;
	l->attempt = WITH_THE_OTHERS;
	return true;
}

/* Handles the whole frames in l->in and keeps the rest. */
static enum err take_frames(struct lane *l, enum flow *flow, struct failure *e)
{
	struct span rest = strbuf_span(&l->in);
	size_t before = l->done;
	enum err r = ERR_NONE;

	while (rest.len >= FRAME_RESULT_HEAD && r == ERR_NONE && *flow != FLOW_DEAD) {
		size_t len = frame_get_u32(rest.ptr);
		struct span body = span_slice(rest, FRAME_RESULT_HEAD, FRAME_RESULT_HEAD + len);

		if (len > FRAME_RESULT_MAX)
			*flow = FLOW_DEAD;
		if (body.len < len || *flow == FLOW_DEAD)
			break;
		rest = span_slice(rest, FRAME_RESULT_HEAD + len, rest.len);
		if (!l->greeted)
			r = take_greeting(l, body, e);
		else if (!take_result(l, body))
			*flow = FLOW_DEAD;
	}
	memmove(l->in.ptr, rest.ptr, rest.len);
	strbuf_truncate(&l->in, rest.len);
	if (l->done > before)
		renew_deadline(l);
	return r;
}

static enum err read_results(struct lane *l, enum flow *flow, struct failure *e)
{
	*flow = FLOW_WAIT;
	while (*flow == FLOW_WAIT && l->done < l->n) {
		ssize_t n = child_read(l->child.from, &l->in, READ_AT_ONCE);
		enum err r;

		if (n < 0 && errno == EAGAIN)
			return ERR_NONE;
		if (n <= 0) {
			*flow = FLOW_DEAD;
			return ERR_NONE;
		}
		r = take_frames(l, flow, e);
		if (r != ERR_NONE)
			return r;
		if ((size_t)n < READ_AT_ONCE)
			break;
	}
	return ERR_NONE;
}

/* ---- deaths ---- */

static enum err death_before_greeting(struct lane *l, struct failure *e)
{
	child_drain_errors(&l->child, &l->last_words);
	end_child(l);
	return err_set(e, ERR_IO, "%s %s ends before its first mail%s%.*s", l->exe,
	               PARSER_CHILD_COMMAND, l->last_words.len > 0 ? ": " : "",
	               SPAN_ARGS(span_trim(strbuf_span(&l->last_words))));
}

static void set_unparsable(struct lane *l)
{
	struct mail_in *m = &l->out[l->done];

	memset(m, 0, sizeof(*m));
	m->fault = MAIL_UNPARSABLE;
	mail_content_digest(l->raw[l->done], m->content_digest);
}

/* The child died, hung or lied with mail `done` in hand. */
static enum err handle_death(struct lane *l, struct failure *e)
{
	if (!l->greeted)
		return death_before_greeting(l, e);
	l->sent = l->done + 1; /* so that end_child does not wait for it */
	end_child(l);
	l->sent = l->done;
	l->sent_bytes = 0;
	if (l->attempt == HEADER_ALONE) {
		set_unparsable(l);
		l->done++;
		l->attempt = WITH_THE_OTHERS;
	} else {
		l->attempt++;
	}
	return ERR_NONE;
}

/* ---- the batch ---- */

/* Moves bytes both ways until all is answered or it would have to wait. */
static enum err pump(struct lane *l, struct failure *e)
{
	while (l->done < l->n) {
		enum flow out, in;
		enum err r = ERR_NONE;

		if (l->child.pid == 0)
			r = start_child(l, e);
		if (r != ERR_NONE)
			return r;
		set_send_limit(l);
		out = send_mails(l);
		r = read_results(l, &in, e);
		if (r != ERR_NONE) {
			end_child(l);
			return r;
		}
		if (l->done == l->n)
			break;
		l->wants_write = out == FLOW_WAIT;
		if (l->answered == l->limits.mails_per_child)
			end_child(l);
		else if (in == FLOW_DEAD)
			r = handle_death(l, e);
		else if (out != FLOW_DONE || l->sent == l->n || l->done != l->sent)
			return ERR_NONE; /* else the suspect was cleared: on with the others */
		if (r != ERR_NONE)
			return r;
	}
	return ERR_NONE;
}

/* One child will do, if the system does not give us two. */
static enum err go_on_alone(struct parser *p, struct failure *e)
{
	p->alone = true;
	p->lanes[0].n += p->lanes[1].n;
	p->lanes[1].n = 0;
	if (e)
		err_clear(e);
	return pump(&p->lanes[0], e);
}

/* What has become of the second child before it answered anything is no reason to stop. */
static enum err bear(struct parser *p, const struct lane *l, enum err r, struct failure *e)
{
	if (r != ERR_NONE && l == &p->lanes[1] && !l->greeted && l->done == 0)
		return go_on_alone(p, e);
	return r;
}

static enum err pump_all(struct parser *p, struct failure *e)
{
	enum err r = ERR_NONE;

	for (size_t i = 0; i < LANES && r == ERR_NONE; i++)
		r = bear(p, &p->lanes[i], pump(&p->lanes[i], e), e);
	return r;
}

static bool all_done(const struct parser *p)
{
	bool done = true;

	for (size_t i = 0; i < LANES; i++)
		done = done && p->lanes[i].done == p->lanes[i].n;
	return done;
}

/* Until one of the children has something for us, or takes more, or is overdue. */
static void wait_for_any(struct parser *p)
{
	struct pollfd fds[3 * LANES];
	int64_t now_ms = clock_monotonic_ms(), until_ms = INT64_MAX;

	for (size_t i = 0; i < LANES; i++) {
		const struct lane *l = &p->lanes[i];
		bool busy = l->done < l->n;

		fds[3 * i] = (struct pollfd){.fd = busy ? l->child.from : -1, .events = POLLIN};
		fds[3 * i + 1] =
		    (struct pollfd){.fd = busy ? l->child.errors : -1, .events = POLLIN};
		fds[3 * i + 2] = (struct pollfd){
		    .fd = busy && l->wants_write ? l->child.to : -1, .events = POLLOUT};
		if (busy && l->deadline_ms < until_ms)
			until_ms = l->deadline_ms;
	}
	if (until_ms > now_ms)
		poll(fds, 3 * LANES, (int)(until_ms - now_ms));
	for (size_t i = 0; i < LANES; i++)
		if (fds[3 * i + 1].revents)
			child_drain_errors(&p->lanes[i].child, &p->lanes[i].last_words);
}

/* What a child has not answered in its time costs it its life. */
static enum err end_overdue(struct parser *p, struct failure *e)
{
	enum err r = ERR_NONE;

	for (size_t i = 0; i < LANES && r == ERR_NONE; i++) {
		struct lane *l = &p->lanes[i];

		if (l->done < l->n && l->deadline_ms <= clock_monotonic_ms())
			r = bear(p, l, handle_death(l, e), e);
	}
	return r;
}

static enum err pump_until_done(struct parser *p, struct failure *e)
{
	enum err r = pump_all(p, e);

	while (r == ERR_NONE && !all_done(p)) {
		wait_for_any(p);
		r = pump_all(p, e);
		if (r == ERR_NONE)
			r = end_overdue(p, e);
	}
	return r;
}

/*
 * Writing to a dead child must give an error, not end the program. On an error the batch is
 * given up.
 */
static enum err safely(struct parser *p, enum err (*act)(struct parser *, struct failure *),
                       struct failure *e)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	enum err r;

	sigaction(SIGPIPE, &ignore, &before);
	r = act(p, e);
	sigaction(SIGPIPE, &before, NULL);
	for (size_t i = 0; i < LANES && r != ERR_NONE; i++) {
		/* What it would still answer must not be taken for answers of the next batch. */
		end_child(&p->lanes[i]);
		p->lanes[i].n = p->lanes[i].done;
	}
	return r;
}

static void give(struct lane *l, const struct span *raw, size_t n, struct arena *arena,
                 struct mail_in *out)
{
	ENSURE(l->done == l->n);
	/* It may have been started long before there was anything to do for it. */
	if (l->child.pid != 0 && !l->greeted)
		l->deadline_ms = clock_monotonic_ms() + START_MS;
	l->raw = raw;
	l->n = n;
	l->arena = arena;
	l->out = out;
	l->done = l->sent = l->sent_bytes = 0;
	l->attempt = WITH_THE_OTHERS;
}

static size_t lanes_for(const struct parser *p, size_t mails)
{
	return mails < PARTED_AT || p->alone ? 1 : LANES;
}

void parser_get_ready(struct parser *p, size_t mails)
{
	for (size_t i = 0; mails > 0 && i < lanes_for(p, mails); i++)
		if (p->lanes[i].child.pid == 0)
			(void)start_child(&p->lanes[i], NULL);
}

enum err parser_submit(struct parser *p, const struct span *raw, size_t n, struct arena *arena,
                       struct mail_in *out, struct failure *e)
{
	size_t first = lanes_for(p, n) == 1 ? n : n - n / 2;

	give(&p->lanes[0], raw, first, arena, out);
	give(&p->lanes[1], raw + first, n - first, arena, out + first);
	return safely(p, pump_all, e);
}

void parser_poll(struct parser *p)
{
	if (p->trouble == ERR_NONE)
		p->trouble = safely(p, pump_all, &p->why);
}

bool parser_is_done(const struct parser *p)
{
	return p->trouble == ERR_NONE && all_done(p);
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
	/* What the caller did since parser_submit is not the children's fault. */
	for (size_t i = 0; i < LANES; i++)
		if (p->lanes[i].child.pid != 0 && p->lanes[i].greeted)
			renew_deadline(&p->lanes[i]);
	return safely(p, pump_until_done, e);
}

enum err parser_batch(struct parser *p, const struct span *raw, size_t n, struct arena *arena,
                      struct mail_in *out, struct failure *e)
{
	enum err r = parser_submit(p, raw, n, arena, out, e);

	return r == ERR_NONE ? parser_collect(p, e) : r;
}
