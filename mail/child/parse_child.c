/*
 * parse_child.c - the starter, and the processes that may die of a mail.
 *
 * The starter is executed by parser.c with nothing open but its three standard descriptors. It loads
 * all that its children will ever need, closes the cell around itself (cell.h) and says so; then it
 * forks a child whenever a message names a place and brings a socket. It never has a byte of a mail in
 * its memory, so no child finds one there: mails and answers go over the socket, whose other end the
 * parent of both has made and kept.
 *
 * A child has its socket, as standard input and output, and can fork nothing. Takes packets, gives
 * packets; each answer is written before the next mail is looked at, so that the parent knows exactly
 * which one was in hand at a death.
 */
#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mail/child/cell.h"
#include "mail/child/child.h"
#include "mail/child/packet.h"
#include "mail/parse/parse.h"
#include "mail/parser.h"
#include "processor/base/clock.h"
#include "processor/base/step.h"

enum {
	READ_AT_ONCE = 256 * 1024,
	OPEN_FILES = 16, /* while libraries are loaded; then no more can be opened */
	MEMORY_BYTES = 256 << 20,
	MEMORY_NEEDED = 64 << 20, /* with less, mails would seem to kill it that do no harm */
	KEPT_BYTES = 4 << 20,
	GROWN_BY_BYTES = 256 << 10,
	LOOK_MS = 200
};

/* ERR_LIMIT: the limits inherited from the parent process are too tight to work in. */
static enum err limit_all(struct failure *e)
{
	struct rlimit memory;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur < MEMORY_NEEDED)
		return err_set(
		    e, ERR_LIMIT,
		    "only %llu MB of memory are allowed here (ulimit -v), and %d are "
		    "needed",
		    (unsigned long long)memory.rlim_cur >> 20, MEMORY_NEEDED >> 20);
	child_limit_memory(MEMORY_BYTES);
	child_limit(RLIMIT_NOFILE, OPEN_FILES);
	return ERR_NONE;
}

/* What one mail took is kept for the next, not given back and asked for again. */
static void keep_memory(void)
{
#ifdef __GLIBC__
	mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
	mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
	mallopt(M_TOP_PAD, GROWN_BY_BYTES);
#endif
}

/* What the system allows this process, and when it was asked for. */
struct allowance {
	rlim_t cpu_s;
	int64_t at_ms; /* 0: never */
};

/*
 * The limit counts from the start of the process, so each mail moves it on; but nobody uses more processor
 * time than goes by, and it is not worth a look for every mail.
 */
static void allow_cpu_for_one_mail(unsigned wait_ms, struct allowance *a)
{
	int64_t now_ms = clock_monotonic_ms();
	struct rusage used;
	rlim_t want;

	if ((a->at_ms != 0 && now_ms - a->at_ms < LOOK_MS) ||
	    getrusage(RUSAGE_SELF, &used) != 0)
		return;
	want = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	       (wait_ms + LOOK_MS + 999) / 1000 + 1;
	if (want != a->cpu_s)
		child_limit_for_now(RLIMIT_CPU, want);
	*a = (struct allowance){want, now_ms};
}

static bool write_all(struct span bytes)
{
	while (bytes.len > 0) {
		ssize_t n = write(STDOUT_FILENO, bytes.ptr, bytes.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		bytes = span_slice(bytes, (size_t)n, bytes.len);
	}
	return true;
}

/* Reads what is there, at least one byte. False at the end. */
static bool read_some(struct strbuf *in)
{
	ssize_t n;

	strbuf_grow(in, READ_AT_ONCE);
	do
		n = read(STDIN_FILENO, in->ptr + in->len, READ_AT_ONCE);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	in->len += (size_t)n;
	in->ptr[in->len] = '\0';
	return true;
}

/* Takes a whole request off *in; false when it is not all there yet. */
static bool next_request(struct span *in, struct span *raw, bool *is_cut)
{
	size_t len;

	if (in->len < PACKET_REQUEST_HEAD)
		return false;
	len = packet_get_u32(in->ptr);
	if (in->len - PACKET_REQUEST_HEAD < len)
		return false;
	*is_cut = (packet_get_u32(in->ptr + 4) & PACKET_IS_CUT) != 0;
	*raw = span_slice(*in, PACKET_REQUEST_HEAD, PACKET_REQUEST_HEAD + len);
	*in = span_slice(*in, PACKET_REQUEST_HEAD + len, in->len);
	return true;
}

/* What is the same for all mails of this process. */
struct job {
	struct parse *parse;
	struct parser_limits limits;
	struct arena *arena;
	struct strbuf out;
};

static bool answer(struct job *j, struct span raw, bool is_cut)
{
	struct mail_in m = {0};

	if (step_hooks && !is_cut)
		step_hooks->parse_child(raw);
	parse_mail(j->parse, raw, is_cut, j->arena, &m);
	strbuf_clear(&j->out);
	packet_add_result(&j->out, &m);
	arena_clear(j->arena);
	return write_all(strbuf_span(&j->out));
}

static void serve(struct job *j)
{
	struct strbuf in = STRBUF_INIT;
	struct allowance allowed = {0};
	bool alive = true;

	while (alive && read_some(&in)) {
		struct span rest = strbuf_span(&in), raw;
		bool is_cut;

		while (alive && next_request(&rest, &raw, &is_cut)) {
			allow_cpu_for_one_mail(j->limits.wait_ms, &allowed);
			alive = answer(j, raw, is_cut);
		}
		memmove(in.ptr, rest.ptr, rest.len);
		strbuf_truncate(&in, rest.len);
	}
	strbuf_release(&in);
}

/* ---- the starter ---- */

/* `reason`: why nothing will follow; empty = all is well. */
static bool greet(unsigned walls, struct span reason)
{
	struct strbuf out = STRBUF_INIT;
	bool ok;

	packet_add_u32(&out, sizeof(uint32_t) + reason.len);
	packet_add_u32(&out, walls);
	strbuf_add_span(&out, reason);
	ok = write_all(strbuf_span(&out));
	strbuf_release(&out);
	return ok;
}

/* What a forked child does; of its starter it has the libraries and nothing more. */
static void be_child(struct job *j, unsigned walls, int socket)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (dup2(socket, STDIN_FILENO) < 0 || dup2(socket, STDOUT_FILENO) < 0)
		_exit(EXIT_CONFIG);
	close(socket);
	if (!cell_enter_forked(walls))
		_exit(EXIT_CONFIG);
	serve(j);
	_exit(EXIT_DONE);
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* Each message is a place and brings a socket: whoever had the place ends, and a new child gets it. */
static void start_children(struct job *j, unsigned walls)
{
	pid_t at[PARSER_CHILDREN] = {0};
	unsigned char message[sizeof(uint32_t)];
	int socket;

	while (child_receive(STDIN_FILENO, message, sizeof(message), &socket) ==
	           sizeof(message) &&
	       socket >= 0) {
		pid_t *pid = &at[packet_get_u32(message) % PARSER_CHILDREN];

		if (*pid > 0)
			end_child(*pid);
		*pid = fork();
		if (*pid == 0)
			be_child(j, walls, socket);
		if (*pid < 0) {
			(void)greet(walls, span_of(strerror(errno)));
			break;
		}
		close(socket);
	}
	for (size_t i = 0; i < PARSER_CHILDREN; i++)
		if (at[i] > 0)
			end_child(at[i]);
}

int parser_child_main(int argc, char **argv)
{
	struct failure e = ERR_INIT;
	struct job j = {.out = STRBUF_INIT};
	unsigned walls;
	bool ready;

	if (argc != 3 || !parser_read_limits(span_of(argv[2]), &j.limits))
		return EXIT_USAGE;

	ready = limit_all(&e) == ERR_NONE;
	keep_memory();
	j.arena = arena_new();
	ready = ready && parse_new(&j.limits.mail, &j.parse, &e) == ERR_NONE;
	if (ready)
		parse_open_charsets(j.parse);
	walls = cell_enter(NULL);
	if (greet(walls, ready ? SPAN_EMPTY : strbuf_span(&e.text)) && ready)
		start_children(&j, walls);
	parse_free(j.parse);
	arena_free(j.arena);
	strbuf_release(&j.out);
	err_release(&e);
	return ready ? EXIT_DONE : EXIT_CONFIG;
}
