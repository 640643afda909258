/*
 * parser.c - the parent of the parsing children.
 *
 * A lane has one child at a time. Mails are written to it as fast as it takes them while its
 * answers are read as they come: neither side ever waits for the other to empty a
 * pipe, and the parent keeps no copy of either. The first mail without an answer
 * is the one in hand when the child dies, lies or stops; it is tried once more, alone, in a
 * fresh child. Its header is read here, so its sender can be told.
 *
 * There are two lanes. A mail goes to the one with less in hand; the second comes in when the first
 * has so much that another child is worth its start.
 */
#include "mail/parser.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "mail/child/child.h"
#include "mail/child/packet.h"
#include "mail/parse/parse.h"
#include "mail/text/header_facts.h"
#include "processor/base/clock.h"

enum {
	LANES = 2,
	PARTED_AT = 64, /* fewer mails are not worth a second child */
	FEWEST_ITEMS = 256,
	READ_AT_ONCE = 64 * 1024,
	FIRST_START_MS = 3000, /* somebody may have stopped it ... */
	START_MS = 20000       /* ... or a library is loaded from a cold disk */
};

/* How the mail in hand is given to the child. */
enum attempt {
	WITH_THE_OTHERS,
	ALONE /* it has cost a child already, and has this one for itself */
};

/* A mail and where its result goes. */
struct item {
	struct parser_job *job;
	struct span raw;
	bool is_cut; /* raw is only the beginning */
	struct arena *arena;
	struct mail_in *out;
};

/* One child, and its share of the mails. */
struct lane {
	const char *exe;
	struct parser_limits limits;

	struct child child;
	bool greeted;
	bool was_slow;     /* one did not greet in time, and another was started */
	unsigned walls;    /* around the last child that greeted */
	unsigned answered; /* mails this child has answered */
	struct strbuf in;  /* bytes from the child, not a whole packet yet */
	struct strbuf last_words;

	struct item *items; /* those answered are forgotten now and then */
	size_t n, cap;
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
	struct charsets *charsets; /* for what is read here */
	bool alone;                /* only the first can be used */
	bool parted;        /* more mails than one child should have alone were announced */
	struct failure why; /* of the jobs that have failed */
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
	p->charsets = charsets_new(CHARSETS_OF_ONE_BYTE);
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
		free(p->lanes[i].items);
	}
	charsets_free(p->charsets);
	err_release(&p->why);
	free(p);
}

static int64_t greeting_deadline(const struct lane *l)
{
	return clock_monotonic_ms() + (l->was_slow ? START_MS : FIRST_START_MS);
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
	l->deadline_ms = greeting_deadline(l);
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

static size_t request_head(const struct lane *l, const struct item *item, unsigned char *head)
{
	const struct span raw = item->raw;
	size_t len = raw.len;

	if (len > l->limits.mail.max_size)
		len = l->limits.mail.max_size;
	packet_put_u32(head, (uint32_t)len);
	packet_put_u32(head + 4, item->is_cut || len < raw.len ? PACKET_IS_CUT : 0);
	return len;
}

/* Writes what is missing of mail `sent`. */
static ssize_t write_some(const struct lane *l, size_t *whole)
{
	struct span raw = l->items[l->sent].raw;
	unsigned char head[PACKET_REQUEST_HEAD];
	size_t len = request_head(l, &l->items[l->sent], head), at = l->sent_bytes;
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

/* A reason in the greeting is why this program cannot parse at all. */
static enum err take_greeting(struct lane *l, struct span body, struct failure *e)
{
	struct packet_cursor c = {.rest = body};
	uint32_t walls = packet_take_u32(&c, CELL_ALL);

	if (c.bad || c.rest.len > 0)
		return err_set(e, ERR_IO, "mail cannot be read: %.*s", SPAN_ARGS(c.rest));
	l->walls = walls;
	l->greeted = true;
	renew_deadline(l);
	return ERR_NONE;
}

/* The mail in hand has its result. */
static void end_item(struct lane *l)
{
	l->items[l->done++].job->left--;
	l->attempt = WITH_THE_OTHERS;
}

static bool take_result(struct lane *l, struct span body)
{
	const struct item *now = &l->items[l->done];

	if (l->done == l->sent ||
	    !packet_read_result(body, &l->limits.mail, now->arena, now->out))
		return false;
	l->answered++;
	end_item(l);
	return true;
}

/* Handles the whole packets in l->in and keeps the rest. */
static enum err take_frames(struct lane *l, enum flow *flow, struct failure *e)
{
	struct span rest = strbuf_span(&l->in);
	size_t before = l->done;
	enum err r = ERR_NONE;

	while (rest.len >= PACKET_RESULT_HEAD && r == ERR_NONE && *flow != FLOW_DEAD) {
		size_t len = packet_get_u32(rest.ptr);
		struct span body =
		    span_slice(rest, PACKET_RESULT_HEAD, PACKET_RESULT_HEAD + len);

		if (len > PACKET_RESULT_MAX)
			*flow = FLOW_DEAD;
		if (body.len < len || *flow == FLOW_DEAD)
			break;
		rest = span_slice(rest, PACKET_RESULT_HEAD + len, rest.len);
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

static void kill_child(struct lane *l)
{
	l->sent = l->done + 1; /* so that end_child does not wait for it */
	end_child(l);
	l->sent = l->done;
	l->sent_bytes = 0;
}

/* The child died, hung or lied with mail `done` in hand. */
static enum err handle_death(struct lane *l, struct failure *e)
{
	if (!l->greeted)
		return death_before_greeting(l, e);
	kill_child(l);
	if (l->attempt == ALONE) {
		l->items[l->done].out->fault = MAIL_UNPARSABLE;
		end_item(l);
	} else {
		l->attempt = ALONE;
	}
	return ERR_NONE;
}

/* ---- all lanes ---- */

static size_t in_hand(const struct lane *l)
{
	return l->n - l->done;
}

static void forget_answered(struct lane *l)
{
	if (in_hand(l) > 0)
		memmove(l->items, l->items + l->done, in_hand(l) * sizeof(*l->items));
	l->n -= l->done;
	l->sent -= l->done;
	l->done = 0;
}

static void give(struct lane *l, const struct item *i)
{
	/* It may have been started long before there was anything to do for it. */
	if (in_hand(l) == 0 && l->child.pid != 0 && !l->greeted)
		l->deadline_ms = greeting_deadline(l);
	if (l->n == l->cap && l->done >= l->n / 2)
		forget_answered(l);
	if (l->n == l->cap)
		l->items = xgrow(l->items, &l->cap,
		                 l->n < FEWEST_ITEMS ? FEWEST_ITEMS : l->n + 1,
		                 sizeof(*l->items));
	l->items[l->n++] = *i;
}

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

/* One child will do, if the system does not give us two: the first lane takes over. */
static enum err go_on_alone(struct parser *p, struct failure *e)
{
	struct lane *l = &p->lanes[1];

	p->alone = true;
	for (; l->done < l->n; l->done++)
		give(&p->lanes[0], &l->items[l->done]);
	l->sent = l->done;
	l->sent_bytes = 0;
	l->attempt = WITH_THE_OTHERS;
	err_clear(e);
	return pump(&p->lanes[0], e);
}

/* A child that ends before it said anything is no reason to stop while there is another. */
static enum err bear(struct parser *p, const struct lane *l, enum err r, struct failure *e)
{
	struct lane *first = &p->lanes[0], *second = &p->lanes[1];

	if (r == ERR_NONE || l->greeted || p->alone || (l == first && second->child.pid == 0))
		return r;
	if (l == first) {
		struct lane failed = *first;

		*first = *second;
		*second = failed;
	}
	return go_on_alone(p, e);
}

static enum err pump_all(struct parser *p, struct failure *e)
{
	enum err r = ERR_NONE;

	for (size_t i = 0; i < LANES && r == ERR_NONE; i++)
		r = bear(p, &p->lanes[i], pump(&p->lanes[i], e), e);
	return r;
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
	if (until_ms > now_ms && until_ms < INT64_MAX)
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

		if (l->done == l->n || l->deadline_ms > clock_monotonic_ms())
			continue;
		if (!l->greeted && !l->was_slow) {
			l->was_slow = true; /* the next one has all the time it needs */
			kill_child(l);
		} else {
			r = bear(p, l, handle_death(l, e), e);
		}
	}
	return r;
}

/* The mails that have no result will have none. */
static void give_up(struct lane *l, enum err why)
{
	for (; l->done < l->n; l->done++) {
		l->items[l->done].job->left--;
		l->items[l->done].job->error = why;
	}
	l->attempt = WITH_THE_OTHERS;
}

/* Writing to a dead child must give an error, not end the program. */
static void safely(struct parser *p, enum err (*act)(struct parser *, struct failure *))
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	enum err r;

	sigaction(SIGPIPE, &ignore, &before);
	r = act(p, &p->why);
	sigaction(SIGPIPE, &before, NULL);
	for (size_t i = 0; i < LANES && r != ERR_NONE; i++) {
		/* What it would still answer must not be taken for answers of the next mails. */
		end_child(&p->lanes[i]);
		give_up(&p->lanes[i], r);
		p->lanes[i].sent = p->lanes[i].done;
		p->lanes[i].sent_bytes = 0;
	}
}

/* Which lane the next mail goes to. */
static struct lane *next_lane(struct parser *p)
{
	struct lane *first = &p->lanes[0], *second = &p->lanes[1];
	bool both = !p->alone &&
	            (p->parted || in_hand(second) > 0 || in_hand(first) >= PARTED_AT);

	return both && in_hand(second) < in_hand(first) ? second : first;
}

void parser_get_ready(struct parser *p, size_t mails)
{
	p->parted = mails >= PARTED_AT;
	for (size_t i = 0; mails > 0 && i < (p->parted && !p->alone ? LANES : 1); i++)
		if (p->lanes[i].child.pid == 0)
			(void)start_child(&p->lanes[i], NULL);
}

void parser_add(struct parser *p, struct parser_job *job, struct span raw, bool is_cut,
                struct arena *arena, struct mail_in *out)
{
	header_facts_read(raw, &p->lanes[0].limits.mail, p->charsets, arena, out);
	if (out->fault != MAIL_OK)
		return;
	job->left++;
	give(next_lane(p), &(struct item){job, raw, is_cut, arena, out});
}

void parser_poll(struct parser *p)
{
	safely(p, pump_all);
}

unsigned parser_walls(const struct parser *p)
{
	return p->lanes[0].walls;
}

bool parser_is_done(const struct parser_job *job)
{
	return job->left == 0;
}

static enum err wait_and_pump(struct parser *p, struct failure *e)
{
	enum err r;

	wait_for_any(p);
	r = pump_all(p, e);
	return r == ERR_NONE ? end_overdue(p, e) : r;
}

static void parser_be_patient(struct parser *p)
{
	for (size_t i = 0; i < LANES; i++)
		if (p->lanes[i].child.pid != 0 && p->lanes[i].greeted)
			renew_deadline(&p->lanes[i]);
}

void parser_wait(struct parser *p)
{
	safely(p, wait_and_pump);
}

enum err parser_finish(struct parser *p, struct parser_job *job, void (*meanwhile)(void *ctx),
                       void *ctx, struct failure *e)
{
	parser_be_patient(p);
	parser_poll(p);
	while (job->left > 0) {
		if (meanwhile)
			meanwhile(ctx);
		if (job->left > 0) /* still: it may have called parser_poll */
			parser_wait(p);
	}
	return job->error == ERR_NONE ? ERR_NONE
	                              : err_set(e, job->error, "%s", p->why.text.ptr);
}

enum err parser_batch(struct parser *p, const struct span *raw, size_t n, struct arena *arena,
                      struct mail_in *out, struct failure *e)
{
	struct parser_job job = {0};

	parser_get_ready(p, n);
	for (size_t i = 0; i < n; i++)
		parser_add(p, &job, raw[i], false, arena, &out[i]);
	return parser_finish(p, &job, NULL, NULL, e);
}
