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
	REQUEST_MAX = INT32_MAX, /* of the program, which is trusted */
	OPEN_FILES = 16,         /* while libraries are loaded; then no more can be opened */
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

/* What is the same for all mails of this process. */
struct job {
	struct parse *parse;
	struct parser_limits limits;
	struct arena *arena;
	struct strbuf out;
};

static void serve(struct job *j)
{
	struct packet_stream in = {.in = STRBUF_INIT};
	struct allowance allowed = {0};
	struct span request;
	bool bad = false;

	while (!bad && child_read(STDIN_FILENO, &in.in, READ_AT_ONCE) > 0) {
		while (packet_stream_next(&in, REQUEST_MAX, &request, &bad)) {
			struct packet_cursor c = {.rest = request};
			bool is_cut = packet_take_u32(&c, PACKET_IS_CUT) == PACKET_IS_CUT;
			struct mail_in m = {0};

			allow_cpu_for_one_mail(j->limits.wait_ms, &allowed);
			if (step_hooks && !is_cut)
				step_hooks->parse_child(c.rest);
			parse_mail(j->parse, c.rest, is_cut, j->arena, &m);
			strbuf_clear(&j->out);
			packet_add_result(&j->out, &m);
			arena_clear(j->arena);
			requests_answer(strbuf_span(&j->out));
			in.taken += PACKET_HEAD + request.len;
		}
		packet_stream_forget(&in);
	}
	strbuf_release(&in.in);
}

/* ---- the starter ---- */

/* `reason`: why nothing will follow; empty = all is well. */
static void greet(unsigned walls, struct span reason)
{
	struct strbuf out = STRBUF_INIT;

	packet_add_u32(&out, sizeof(uint32_t) + reason.len);
	packet_add_u32(&out, walls);
	strbuf_add_span(&out, reason);
	requests_answer(strbuf_span(&out));
	strbuf_release(&out);
}

static void end_child(pid_t pid)
{
	if (pid > 0)
		kill(pid, SIGKILL);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
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
		struct packet_cursor c = {.rest = {(char *)message, sizeof(message)}};
		pid_t *pid = &at[packet_take_u32(&c, PARSER_CHILDREN - 1)];

		end_child(*pid);
		*pid = fork();
		if (*pid == 0) { /* of its starter it has the libraries and nothing more */
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (dup2(socket, STDIN_FILENO) < 0 || dup2(socket, STDOUT_FILENO) < 0)
				_exit(EXIT_CONFIG);
			close(socket);
			if (!cell_enter_forked(walls))
				_exit(EXIT_CONFIG);
			serve(j);
			_exit(EXIT_DONE);
		}
		if (*pid < 0) {
			greet(walls, span_of(strerror(errno)));
			break;
		}
		close(socket);
	}
	for (size_t i = 0; i < PARSER_CHILDREN; i++)
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
#ifdef __GLIBC__
	/* What one mail took is kept for the next, not given back and asked for again. */
	mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
	mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
	mallopt(M_TOP_PAD, GROWN_BY_BYTES);
#endif
	j.arena = arena_new();
	ready = ready && parse_new(&j.limits.mail, &j.parse, &e) == ERR_NONE;
	if (ready)
		parse_open_charsets(j.parse);
	walls = cell_enter(NULL);
	greet(walls, ready ? SPAN_EMPTY : strbuf_span(&e.text));
	if (ready)
		start_children(&j, walls);
	parse_free(j.parse);
	arena_free(j.arena);
	strbuf_release(&j.out);
	err_release(&e);
	return ready ? EXIT_DONE : EXIT_CONFIG;
}
