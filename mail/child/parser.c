/*
 * parser.c - the parent of the parsing children.
 *
 * Mails wait in a queue. A lane has one child at a time, and an unbroken run of the queue: its share.
 * Mails are written to the child as fast as it takes them while its answers are read as they come:
 * neither side ever waits for the other to empty a socket, and the parent keeps no copy of either. The
 * first mail without an answer is the one in hand when the child dies, lies or stops; it is tried
 * once more, alone, in a fresh child. Its header is read here, so its sender can be told.
 *
 * A child is forked by the starter (parse_child.c). It is ended by closing its socket, at which a sound
 * child leaves; the starter kills any other when the lane is to have its next.
 */
#include "mail/parser.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "mail/child/child.h"
#include "mail/child/packet.h"
#include "mail/parse/parse.h"
#include "mail/text/header_facts.h"
#include "processor/base/clock.h"

enum {
	LANES = PARSER_CHILDREN,
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

/* One child, and its share of the mails: items[done] to items[end - 1] are left of it. */
struct lane {
	int socket; /* -1 = no child */
	struct packet_stream in;

	size_t done;          /* answered */
	size_t sent;          /* wholly written to this child; >= done */
	size_t end;           /* >= sent */
	size_t room;          /* so many mails may still join the share, behind `end` */
	size_t sent_bytes;    /* of mail `sent`, head included */
	enum attempt attempt; /* at mail `done` */
	int64_t deadline_ms;  /* monotonic: for the answer to mail `done` */
	bool wants_write;     /* it would take more than it took last */
};

struct parser {
	const char *exe;
	struct parser_limits limits;

	struct child starter;
	bool greeted;
	bool was_slow;       /* one did not greet in time, and another was started */
	unsigned walls;      /* around the last starter that greeted */
	int64_t deadline_ms; /* monotonic: for its greeting */

	struct item *items; /* those answered are forgotten now and then */
	size_t n, cap;
	size_t next;  /* the first that is in no lane */
	size_t share; /* mails that share a child */
	struct lane lanes[LANES];
	struct charsets *charsets; /* for what is read here */
	struct failure why;        /* of the jobs that have failed */
};

struct parser *parser_new(const char *exe, const struct parser_limits *limits)
{
	struct parser *p = xcalloc(1, sizeof(*p));

	p->exe = exe ? exe : "/proc/self/exe";
	p->limits = *limits;
	p->starter = (struct child)CHILD_INIT;
	p->charsets = charsets_new(CHARSETS_OF_ONE_BYTE);
	p->share = 1;
	for (size_t i = 0; i < LANES; i++) {
		p->lanes[i].socket = -1;
		strbuf_init(&p->lanes[i].in.in);
	}
	p->why = (struct failure)ERR_INIT;
	return p;
}

/* ---- the starter ---- */

static int64_t ms_from_now(int64_t ms)
{
	return clock_monotonic_ms() + ms;
}

static bool is_idle(const struct parser *p)
{
	bool idle = p->next == p->n;

	for (size_t i = 0; i < LANES; i++)
		idle = idle && p->lanes[i].done == p->lanes[i].end;
	return idle;
}

static void renew_greeting(struct parser *p)
{
	p->deadline_ms = ms_from_now(p->was_slow ? START_MS : FIRST_START_MS);
}

/* Its children die with it. */
static void end_starter(struct parser *p, int patience_ms)
{
	child_end(&p->starter, patience_ms);
	p->greeted = false;
}

static enum err start_starter(struct parser *p, struct failure *e)
{
	struct strbuf limits = STRBUF_INIT;
	enum err r;

	parser_write_limits(&p->limits, &limits);
	r = child_start(&p->starter, p->exe, PARSER_CHILD_COMMAND, limits.ptr, e);
	strbuf_release(&limits);
	renew_greeting(p);
	return r;
}

static enum err death_before_greeting(struct parser *p, struct failure *e)
{
	err_set(e, ERR_IO, "%s %s ends before its first mail", p->exe, PARSER_CHILD_COMMAND);
	child_add_last_words(&p->starter, e);
	end_starter(p, 0);
	return ERR_IO;
}

/*
 * Starts it, and hears what it says. A reason is why this program cannot parse at all, or can no longer
 * fork. When it ends without one, the mails in hand may have brought that about: they are dealt with as
 * at the death of their children, and another is started.
 */
static enum err tend_starter(struct parser *p, struct failure *e)
{
	struct span packet;
	ssize_t n = 1;
	bool bad;

	if (p->starter.pid == 0)
		TRY(start_starter(p, e));
	while (n > 0)
		n = child_read(p->starter.from, &p->starter.answers.in, READ_AT_ONCE);
	while (packet_stream_next(&p->starter.answers, PACKET_RESULT_MAX, &packet, &bad)) {
		struct packet_cursor c = {.rest = packet};

		p->walls = packet_take_u32(&c, CELL_ALL);
		if (c.bad || c.rest.len > 0)
			return err_set(e, ERR_IO, "mail cannot be read: %.*s",
			               SPAN_ARGS(c.rest));
		p->greeted = true;
		p->starter.answers.taken += PACKET_HEAD + packet.len;
	}
	if (n < 0 && errno == EAGAIN)
		return ERR_NONE;
	if (!p->greeted)
		return death_before_greeting(p, e);
	end_starter(p, 0);
	return start_starter(p, e);
}

/* ---- starting and ending a child ---- */

static void end_child(struct lane *l)
{
	if (l->socket >= 0)
		close(l->socket);
	l->socket = -1;
	strbuf_clear(&l->in.in);
	l->in.taken = 0;
	l->sent = l->done;
	l->sent_bytes = 0;
}

/* A starter that takes no message is as a child that dies at once. */
static enum err start_child(struct parser *p, struct lane *l, struct failure *e)
{
	unsigned char place[sizeof(uint32_t)];
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return err_set_errno(e, ERR_IO, "cannot make a socket for %s",
		                     PARSER_CHILD_COMMAND);
	fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_NONBLOCK);
	packet_put_u32(place, (uint32_t)(l - p->lanes));
	(void)child_send(p->starter.to, (struct span){(char *)place, sizeof(place)}, ends[1]);
	close(ends[1]);
	l->socket = ends[0];
	l->deadline_ms = ms_from_now(p->limits.wait_ms);
	return ERR_NONE;
}

void parser_free(struct parser *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < LANES; i++) {
		end_child(&p->lanes[i]);
		strbuf_release(&p->lanes[i].in.in);
	}
	charsets_free(p->charsets);
	end_starter(p, is_idle(p) ? (int)p->limits.wait_ms : 0);
	free(p->items);
	err_release(&p->why);
	free(p);
}

/* ---- writing ---- */

enum flow {
	FLOW_WAIT, /* nothing can be done before poll() says so */
	FLOW_DONE, /* nothing is left to do in this direction */
	FLOW_DEAD  /* the child is gone, or talks nonsense */
};

/* It gets its share, or the one suspect only. */
static enum flow send_mails(const struct parser *p, struct lane *l)
{
	size_t until = l->attempt == WITH_THE_OTHERS ? l->end : l->done + 1;

	while (l->sent < until) {
		const struct item *item = &p->items[l->sent];
		size_t max = p->limits.mail.max_size, at = l->sent_bytes;
		size_t len = item->raw.len < max ? item->raw.len : max;
		unsigned char head[PACKET_REQUEST_HEAD];
		size_t of_head = at < sizeof(head) ? sizeof(head) - at : 0;
		size_t of_body = at < sizeof(head) ? 0 : at - sizeof(head);
		struct iovec iov[2] = {
		    {.iov_base = head + sizeof(head) - of_head, .iov_len = of_head},
		    {.iov_base = (char *)item->raw.ptr + of_body, .iov_len = len - of_body},
		};
		ssize_t n;

		packet_put_u32(head, (uint32_t)(len + sizeof(head) - PACKET_HEAD));
		packet_put_u32(head + PACKET_HEAD,
		               item->is_cut || len < item->raw.len ? PACKET_IS_CUT : 0);
		n = writev(l->socket, iov, 2);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? FLOW_WAIT : FLOW_DEAD;
		if (l->sent == l->done && l->sent_bytes == 0)
			l->deadline_ms = ms_from_now(p->limits.wait_ms);
		l->sent_bytes += (size_t)n;
		if (l->sent_bytes == sizeof(head) + len) {
			l->sent++;
			l->sent_bytes = 0;
		}
	}
	return FLOW_DONE;
}

/* ---- reading ---- */

/* The mail in hand has its result. */
static void end_item(struct parser *p, struct lane *l)
{
	p->items[l->done++].job->left--;
	l->attempt = WITH_THE_OTHERS;
}

/* Handles the whole packets that have come. False: they are nonsense. */
static bool take_results(struct parser *p, struct lane *l)
{
	size_t before = l->done;
	struct span body;
	bool bad;

	while (packet_stream_next(&l->in, PACKET_RESULT_MAX, &body, &bad)) {
		const struct item *now = &p->items[l->done];

		if (l->done == l->sent ||
		    !packet_read_result(body, &p->limits.mail, now->arena, now->out))
			return false;
		end_item(p, l);
		l->in.taken += PACKET_HEAD + body.len;
	}
	packet_stream_forget(&l->in);
	if (l->done > before)
		l->deadline_ms = ms_from_now(p->limits.wait_ms);
	return !bad;
}

static enum flow read_results(struct parser *p, struct lane *l)
{
	while (l->done < l->end) {
		ssize_t n = child_read(l->socket, &l->in.in, READ_AT_ONCE);

		if (n < 0 && errno == EAGAIN)
			break;
		if (n <= 0 || !take_results(p, l))
			return FLOW_DEAD;
		if ((size_t)n < READ_AT_ONCE)
			break;
	}
	return FLOW_WAIT;
}

/* ---- deaths ---- */

/* The child died, hung or lied with mail `done` in hand. */
static void handle_death(struct parser *p, struct lane *l)
{
	end_child(l);
	if (l->attempt == ALONE) {
		p->items[l->done].out->fault = MAIL_UNPARSABLE;
		end_item(p, l);
	} else {
		l->attempt = ALONE;
	}
}

/* ---- all lanes ---- */

static void forget_answered(struct parser *p)
{
	size_t first = p->next;

	for (size_t i = 0; i < LANES; i++)
		if (p->lanes[i].done < p->lanes[i].end && p->lanes[i].done < first)
			first = p->lanes[i].done;
	if (first == 0 || first < p->n / 2)
		return;
	memmove(p->items, p->items + first, (p->n - first) * sizeof(*p->items));
	p->n -= first;
	p->next -= first;
	for (size_t i = 0; i < LANES; i++) {
		struct lane *l = &p->lanes[i];

		/* One with nothing in hand is behind all that is forgotten, or has room at `next`. */
		l->end = l->end > first ? l->end - first : 0;
		l->sent = l->sent > first ? l->sent - first : 0;
		l->done = l->done > first ? l->done - first : 0;
	}
}

/* The one with room in its share; else one that has done its share begins another. NULL: all are busy. */
static struct lane *lane_for_next(struct parser *p)
{
	struct lane *idle = NULL;

	for (size_t i = 0; i < LANES; i++) {
		struct lane *l = &p->lanes[i];

		if (l->room > 0)
			return l;
		if (!idle && l->done == l->end)
			idle = l;
	}
	if (idle) {
		end_child(idle);
		idle->done = idle->sent = idle->end = p->next;
		idle->room = p->share;
	}
	return idle;
}

/* Moves bytes both ways until all is answered or it would have to wait. */
static enum err pump(struct parser *p, struct lane *l, struct failure *e)
{
	while (l->done < l->end) {
		enum flow out, in;

		if (l->socket < 0)
			TRY(start_child(p, l, e));
		out = send_mails(p, l);
		in = read_results(p, l);
		l->wants_write = out == FLOW_WAIT;
		if (l->done == l->end && in == FLOW_DEAD)
			end_child(l);
		if (l->done == l->end)
			break;
		if (in == FLOW_DEAD)
			handle_death(p, l);
		else if (out != FLOW_DONE || l->sent == l->end || l->done != l->sent)
			return ERR_NONE; /* else the suspect was cleared: on with the others */
	}
	if (l->room == 0)
		end_child(l);
	return ERR_NONE;
}

/* A share that is done makes place for the next. */
static enum err pump_all(struct parser *p, struct failure *e)
{
	enum err r = is_idle(p) ? ERR_NONE : tend_starter(p, e);
	size_t before;

	if (!p->greeted)
		return r;
	do {
		struct lane *l;

		before = p->next;
		while (p->next < p->n && (l = lane_for_next(p)) != NULL) {
			l->end = ++p->next;
			l->room--;
		}
		for (size_t i = 0; i < LANES && r == ERR_NONE; i++)
			r = pump(p, &p->lanes[i], e);
	} while (r == ERR_NONE && p->next > before);
	return r;
}

/*
 * Who has not answered in its time is ended, a child with its starter and the other children: it may be
 * the starter that somebody has stopped. The mails of the others are not to blame, and go out again.
 */
static enum err end_overdue(struct parser *p, struct failure *e)
{
	int64_t now_ms = clock_monotonic_ms();
	bool hangs = false;

	if (is_idle(p))
		return ERR_NONE;
	if (!p->greeted && p->deadline_ms <= now_ms) {
		if (p->was_slow)
			return death_before_greeting(p, e);
		p->was_slow = true; /* the next one has all the time it needs */
		end_starter(p, 0);
	}
	for (size_t i = 0; i < LANES; i++) {
		struct lane *l = &p->lanes[i];

		bool is_overdue = l->socket >= 0 && l->done < l->end &&
		                  l->deadline_ms <= now_ms;

		if (is_overdue)
			handle_death(p, l);
		hangs = hangs || is_overdue;
	}
	if (hangs) {
		end_starter(p, 0);
		for (size_t i = 0; i < LANES; i++)
			end_child(&p->lanes[i]);
	}
	return ERR_NONE;
}

/* The mails that have no result will have none. */
static void give_up(struct parser *p, size_t from, size_t end, enum err why)
{
	for (size_t i = from; i < end; i++) {
		p->items[i].job->left--;
		p->items[i].job->error = why;
	}
}

/* Writing to a dead child must give an error, not end the program. */
static void safely(struct parser *p, enum err (*act)(struct parser *, struct failure *))
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	enum err r;

	sigaction(SIGPIPE, &ignore, &before);
	r = act(p, &p->why);
	sigaction(SIGPIPE, &before, NULL);
	if (r == ERR_NONE)
		return;
	for (size_t i = 0; i < LANES; i++) {
		struct lane *l = &p->lanes[i];

		/* What it would still answer must not be taken for answers of the next mails. */
		give_up(p, l->done, l->end, r);
		l->done = l->end;
		l->room = 0;
		l->attempt = WITH_THE_OTHERS;
		end_child(l);
	}
	give_up(p, p->next, p->n, r);
	p->next = p->n;
	end_starter(p, 0);
}

void parser_get_ready(struct parser *p, size_t mails)
{
	p->share = (mails + PARSER_SHARES - 1) / PARSER_SHARES;
	if (p->share == 0)
		p->share = 1;
	for (size_t i = 0; i < LANES; i++)
		p->lanes[i].room = 0; /* nobody joins what was announced before */
	if (mails > 0 && p->starter.pid == 0)
		(void)start_starter(p, NULL);
}

void parser_add(struct parser *p, struct parser_job *job, struct span raw, bool is_cut,
                struct arena *arena, struct mail_in *out)
{
	header_facts_read(raw, &p->limits.mail, p->charsets, arena, out);
	if (out->fault != MAIL_OK)
		return;
	/* It may have been started long before there was anything to do for it. */
	if (is_idle(p) && p->starter.pid != 0 && !p->greeted)
		renew_greeting(p);
	if (p->n == p->cap)
		forget_answered(p);
	if (p->n == p->cap)
		p->items = xgrow(p->items, &p->cap,
		                 p->n < FEWEST_ITEMS ? FEWEST_ITEMS : p->n + 1,
		                 sizeof(*p->items));
	job->left++;
	p->items[p->n++] = (struct item){job, raw, is_cut, arena, out};
}

void parser_poll(struct parser *p)
{
	safely(p, pump_all);
}

unsigned parser_walls(const struct parser *p)
{
	return p->walls;
}

bool parser_is_done(const struct parser_job *job)
{
	return job->left == 0;
}

/* Waits until a child or the starter has something for us, or takes more, or is overdue. */
static enum err wait_and_pump(struct parser *p, struct failure *e)
{
	struct pollfd fds[LANES + 2];
	int64_t now_ms = clock_monotonic_ms(),
		until_ms = p->greeted ? INT64_MAX : p->deadline_ms;

	for (size_t i = 0; i < LANES; i++) {
		const struct lane *l = &p->lanes[i];
		bool busy = l->done < l->end && l->socket >= 0;

		fds[i] = (struct pollfd){.fd = busy ? l->socket : -1,
		                         .events = l->wants_write ? POLLIN | POLLOUT : POLLIN};
		if (busy && l->deadline_ms < until_ms)
			until_ms = l->deadline_ms;
	}
	fds[LANES] = (struct pollfd){.fd = p->starter.from, .events = POLLIN};
	fds[LANES + 1] = (struct pollfd){.fd = p->starter.errors, .events = POLLIN};
	if (until_ms > now_ms && until_ms < INT64_MAX)
		poll(fds, LANES + 2, (int)(until_ms - now_ms));
	if (fds[LANES + 1].revents)
		child_drain_errors(&p->starter);
	TRY(pump_all(p, e));
	return end_overdue(p, e);
}

void parser_wait(struct parser *p)
{
	safely(p, wait_and_pump);
}

enum err parser_finish(struct parser *p, struct parser_job *job, void (*meanwhile)(void *ctx),
                       void *ctx, struct failure *e)
{
	for (size_t i = 0; i < LANES; i++)
		p->lanes[i].deadline_ms = ms_from_now(p->limits.wait_ms);
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
