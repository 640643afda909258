/*
 * hostile.c - mails made to use up the parser's time and memory.
 *
 * Each goes to a parsing child of its own, forked as in a run, after a harmless one that wakes it
 * up. Measured are the processor time to its answer, the child's largest resident set, and the
 * processor time that letter and game take with the text that came out. Limits: 50 ms for each begun
 * MiB of mail, and 64 MiB; the best of three tries counts, for others use this machine too.
 *
 * BENCH_MAIL=all; else only mails with this in their name
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "mail/child/child.h"
#include "mail/child/packet.h"
#include "mail/parse/parse.h"
#include "mail/parse/private.h"
#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "tests/support/bench.h"
#include "tests/support/hostile.h"
#include "tests/support/reader.h"

enum { MS_PER_MIB = 50, MOST_MIB = 64, TRIES = 3, MIB = 1 << 20 };

struct reader {
	struct child starter;
	int socket; /* of the child that it has forked */
	pid_t pid;
};

struct measure {
	double parse_ms, read_ms;
	long peak_kb;
	struct mail_in mail;
};

static bool write_all(int fd, struct span bytes)
{
	while (bytes.len > 0) {
		ssize_t n = write(fd, bytes.ptr, bytes.len);

		if (n <= 0)
			return false;
		bytes = span_slice(bytes, (size_t)n, bytes.len);
	}
	return true;
}

static bool read_all(int fd, char *to, size_t len)
{
	while (len > 0) {
		ssize_t n = read(fd, to, len);

		if (n <= 0)
			return false;
		to += n;
		len -= (size_t)n;
	}
	return true;
}

/* The next frame in *body; false when nobody is left to send one. */
static bool read_frame(int fd, struct strbuf *body)
{
	char head[PACKET_RESULT_HEAD];
	size_t len;

	strbuf_clear(body);
	if (!read_all(fd, head, sizeof(head)))
		return false;
	len = packet_get_u32(head);
	strbuf_add_repeat(body, '\0', len);
	return read_all(fd, body->ptr, len);
}

/* As the parent does: what is too large is cut. */
static bool ask(const struct reader *c, struct span raw, struct strbuf *body)
{
	size_t most = parser_default_limits.mail.max_size;
	struct span sent = span_slice(raw, 0, most);
	unsigned char head[PACKET_REQUEST_HEAD];

	packet_put_u32(head, (uint32_t)sent.len);
	packet_put_u32(head + 4, raw.len > most ? PACKET_IS_CUT : 0);
	return write_all(c->socket, (struct span){(const char *)head, sizeof(head)}) &&
	       write_all(c->socket, sent) && read_frame(c->socket, body);
}

/* The most it ever held, from /proc: what wait4 says begins with the size of its parent. */
static long peak_of(pid_t pid)
{
	static const char label[] = "VmHWM:";
	struct strbuf path = STRBUF_INIT, status = STRBUF_INIT;
	struct span rest, word;
	uint64_t kb = 0;

	strbuf_addf(&path, "/proc/%ld/status", (long)pid);
	ENSURE(file_read(path.ptr, 65536, &status, NULL) == ERR_NONE);
	rest = strbuf_span(&status);
	rest = span_slice(rest, span_find(rest, SPAN_LIT(label)) + strlen(label), rest.len);
	ENSURE(span_next_word(&rest, "", &word) && num_parse_u64(word, INT32_MAX, &kb));
	strbuf_release(&path);
	strbuf_release(&status);
	return (long)kb;
}

static void reader_start(struct reader *c)
{
	struct strbuf limits = STRBUF_INIT, text = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct span rest, word;
	unsigned pid;
	int ends[2];

	strbuf_addf(&text, "%s/molepost",
	            env_get("MOLEPOST_BUILD") ? env_get("MOLEPOST_BUILD") : "build");
	parser_write_limits(&parser_default_limits, &limits);
	c->starter = (struct child)CHILD_INIT;
	if (child_start(&c->starter, text.ptr, PARSER_CHILD_COMMAND, limits.ptr, &e) !=
	    ERR_NONE)
		BUG("%s", e.text.ptr);
	ENSURE(fcntl(c->starter.from, F_SETFL, 0) == 0); /* it may be waited for */
	ENSURE(read_frame(c->starter.from, &text) &&
	       text.len == sizeof(uint32_t)); /* its walls, no reason */
	ENSURE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
	ENSURE(child_send(c->starter.to, SPAN_LIT("\0\0\0\0"), ends[1]) == 4);
	close(ends[1]);
	c->socket = ends[0];
	ENSURE(ask(c, SPAN_LIT("From: a@b\n\nhi\n"), &text));
	strbuf_clear(&limits);
	strbuf_addf(&limits, "/proc/%ld/task/%ld/children", (long)c->starter.pid,
	            (long)c->starter.pid);
	strbuf_clear(&text);
	ENSURE(file_read(limits.ptr, 4096, &text, NULL) == ERR_NONE);
	rest = strbuf_span(&text);
	ENSURE(span_next_word(&rest, "", &word) && num_parse_uint(word, 1, INT32_MAX, &pid));
	c->pid = (pid_t)pid;
	strbuf_release(&limits);
	strbuf_release(&text);
}

/* Processor time so far, in ms. */
static double spent_by(clockid_t clock)
{
	struct timespec t;

	ENSURE(clock_gettime(clock, &t) == 0);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void measure(struct span raw, struct arena *arena, struct measure *m)
{
	struct strbuf body = STRBUF_INIT;
	clockid_t clock;
	struct reader c;
	double began;

	reader_start(&c);
	ENSURE(clock_getcpuclockid(c.pid, &clock) == 0);
	began = spent_by(clock);
	m->mail.fault = MAIL_UNPARSABLE;
	if (ask(&c, raw, &body))
		ENSURE(packet_read_result(strbuf_span(&body), &mail_usual_limits, arena,
		                          &m->mail));
	m->parse_ms = spent_by(clock) - began;
	m->peak_kb = peak_of(c.pid);
	close(c.socket);
	child_end(&c.starter, 2000);
	strbuf_release(&body);
}

static void read_text(const struct reader_seat *at, struct arena *arena, struct measure *m)
{
	double began = spent_by(CLOCK_PROCESS_CPUTIME_ID);
	struct reader_result r;

	m->read_ms = 0;
	if (m->mail.fault != MAIL_OK)
		return;
	reader_read(at, &m->mail, arena, &r);
	reader_release(&r);
	m->read_ms = spent_by(CLOCK_PROCESS_CPUTIME_ID) - began;
}

static void measure_best(const struct reader_seat *at, struct span raw, struct measure *best)
{
	for (int i = 0; i < TRIES; i++) {
		struct arena *arena = arena_new();
		struct measure m;

		measure(raw, arena, &m);
		read_text(at, arena, &m);
		if (i == 0 || m.parse_ms + m.read_ms < best->parse_ms + best->read_ms)
			*best = m;
		arena_free(arena);
	}
}

struct totals {
	const struct reader_seat *at;
	double worst_share; /* of the time allowed */
	long worst_kb;
	unsigned n, over;
};

static void show(const char *name, struct span raw, void *ctx)
{
	struct totals *t = ctx;
	struct measure m = {0};
	double allowed = MS_PER_MIB * (double)(1 + raw.len / (MIB + 1));
	const char *only = env_get("BENCH_MAIL");
	double share;
	bool over;

	if (only && !strstr(name, only))
		return;
	measure_best(t->at, raw, &m);
	share = (m.parse_ms + m.read_ms) / allowed;
	over = share > 1 || m.peak_kb > MOST_MIB * 1024L;
	printf("%-34s %8zu %8.2f %8.2f %8.1f %6.1f  %s%s\n", name, raw.len, m.parse_ms,
	       m.read_ms, allowed, (double)m.peak_kb / 1024, mail_fault_name(m.mail.fault),
	       over ? "  OVER" : "");
	t->worst_share = share > t->worst_share ? share : t->worst_share;
	t->worst_kb = m.peak_kb > t->worst_kb ? m.peak_kb : t->worst_kb;
	t->over += over;
	t->n++;
}

static struct game_state *new_game(const struct rules *rules)
{
	const struct seat_names names = {3, {NULL, "Ann", "Bob", "Cy"}};
	struct chance *chance = chance_from_seed(1, "hostile");
	struct strbuf why = STRBUF_INIT;
	struct game_state *state = NULL;
	struct options options;

	options_init(&options, rules);
	ENSURE(rules->new_game(&options, &names, chance, &state, &why));
	chance_free(chance);
	strbuf_release(&why);
	return state;
}

int main(void)
{
	const struct rules *rules = rules_find(SPAN_LIT("whakka-mole"));
	struct game_state *state = new_game(rules);
	struct reader_seat at = {.rules = rules, .state = state, .seat = 1};
	struct totals t = {.at = &at};

	signal(SIGPIPE, SIG_IGN);
	printf("hostile mail: time in the parsing child and in letter and game, ms; memory, "
	       "MiB\n");
	printf("%-34s %8s %8s %8s %8s %6s\n", "mail", "bytes", "parse", "read", "allowed",
	       "peak");
	hostile_each(show, &t);
	printf("%u mails\n", t.n);
	bench_at_most("hostile mail: the most of the time allowed", t.worst_share, 1);
	bench_at_most("hostile mail: MiB of the child", (double)t.worst_kb / 1024, MOST_MIB);
	rules->free_state(state);
	return t.over == 0 ? 0 : 1;
}
