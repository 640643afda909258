/*
 * bench.c - timing in turns, and what a process costs in memory.
 */
#define _GNU_SOURCE /* waitid's WNOWAIT under a strict standard */
#include "tests/support/bench.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "mail/parser.h"
#include "mail/source/fetcher.h"
#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/num.h"

extern char **environ;

double bench_now(void)
{
	struct timespec now;

	ENSURE(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double cpu_of_children(void)
{
	struct rusage u;

	ENSURE(getrusage(RUSAGE_CHILDREN, &u) == 0);
	return seconds_of(u.ru_utime) + seconds_of(u.ru_stime);
}

static void time_once(struct bench_side *side, unsigned round, void *ctx)
{
	double began, cpu;

	if (side->prepare)
		side->prepare(ctx);
	cpu = cpu_of_children();
	began = bench_now();
	side->run(ctx);
	side->times[round] = (struct bench_time){bench_now() - began, cpu_of_children() - cpu};
}

void bench_pair(struct bench_side *a, struct bench_side *b, unsigned rounds, void *ctx)
{
	ENSURE(rounds > 0 && rounds <= BENCH_MOST_ROUNDS);
	for (unsigned i = 0; i < rounds; i++) {
		time_once(a, i, ctx);
		time_once(b, i, ctx);
	}
}

static int by_wall(const void *a, const void *b)
{
	const struct bench_time *x = a, *y = b;

	return x->wall_s < y->wall_s ? -1 : x->wall_s > y->wall_s;
}

static int by_cpu(const void *a, const void *b)
{
	const struct bench_time *x = a, *y = b;

	return x->cpu_s < y->cpu_s ? -1 : x->cpu_s > y->cpu_s;
}

double bench_median(struct bench_side *side, unsigned rounds)
{
	qsort(side->times, rounds, sizeof(side->times[0]), by_wall);
	return side->times[rounds / 2].wall_s;
}

double bench_median_cpu(struct bench_side *side, unsigned rounds)
{
	qsort(side->times, rounds, sizeof(side->times[0]), by_cpu);
	return side->times[rounds / 2].cpu_s;
}

void bench_at_least(const char *what, double value, double limit)
{
	printf("%-58s %9.3f  at least %g: %s\n", what, value, limit,
	       value >= limit ? "ok" : "MISSED");
	fflush(stdout);
}

void bench_at_most(const char *what, double value, double limit)
{
	printf("%-58s %9.3f  at most %g: %s\n", what, value, limit,
	       value <= limit ? "ok" : "MISSED");
	fflush(stdout);
}

unsigned bench_size(const char *name, unsigned usual)
{
	const char *text = env_get(name);
	unsigned n;

	return text && num_parse_uint(span_of(text), 1, 100000000, &n) ? n : usual;
}

void bench_self(const char *const words[])
{
	pid_t pid;
	int status;

	ENSURE(posix_spawn(&pid, "/proc/self/exe", NULL, NULL, (char *const *)(uintptr_t)words,
	                   environ) == 0);
	ENSURE(waitpid(pid, &status, 0) == pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		BUG("%s ended with status %d", words[1], status);
}

struct bench_parts bench_parts_of(pid_t pid)
{
	enum { UTIME = 14 - 3, FIELDS = 4 }; /* proc(5), counted from behind the name */
	double ticks[FIELDS], second = (double)sysconf(_SC_CLK_TCK);
	siginfo_t info;
	struct strbuf text = STRBUF_INIT, path = STRBUF_INIT;
	struct span rest, word = SPAN_EMPTY;
	uint64_t n;

	ENSURE(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == 0);
	strbuf_addf(&path, "/proc/%ld/stat", (long)pid);
	ENSURE(file_read(path.ptr, 1 << 16, &text, NULL) == ERR_NONE);
	rest = strbuf_span(&text);
	rest = span_slice(rest, span_find(rest, SPAN_LIT(") ")) + 2, rest.len);
	for (size_t i = 0; i < UTIME; i++)
		ENSURE(span_next_word(&rest, NULL, &word));
	for (size_t i = 0; i < FIELDS; i++) {
		ENSURE(span_next_word(&rest, NULL, &word) &&
		       num_parse_u64(word, UINT64_MAX, &n));
		ticks[i] = (double)n;
	}
	strbuf_release(&text);
	strbuf_release(&path);
	return (struct bench_parts){(ticks[0] + ticks[1]) / second,
	                            (ticks[2] + ticks[3]) / second};
}

/* ---- memory ---- */

/* A number from a small file of /proc; 0 when the process is gone. */
static long proc_number(const char *path, const char *name)
{
	struct strbuf text = STRBUF_INIT;
	struct span rest, word;
	unsigned n = 0;

	if (file_read(path, 1 << 16, &text, NULL) != ERR_NONE)
		strbuf_clear(&text);
	rest = strbuf_span(&text);
	rest = span_slice(rest, span_find(rest, span_of(name)), rest.len);
	rest = span_slice(rest, span_of(name).len, rest.len);
	if (!span_next_word(&rest, NULL, &word) || !num_parse_uint(word, 0, INT32_MAX, &n))
		n = 0;
	strbuf_release(&text);
	return (long)n;
}

static long peak_of(long pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%ld/status", pid);
	return proc_number(path, "VmHWM:");
}

/* A child that has not begun its own program yet shows the size of its parent. */
static bool is_running(long pid, const char *command)
{
	char path[64];
	struct strbuf words = STRBUF_INIT;
	bool found;

	snprintf(path, sizeof(path), "/proc/%ld/cmdline", pid);
	found = file_read(path, 1 << 16, &words, NULL) == ERR_NONE &&
	        span_find(strbuf_span(&words), span_of(command)) < words.len;
	strbuf_release(&words);
	return found;
}

static void raise_to(long *peak, long now)
{
	*peak = now > *peak ? now : *peak;
}

static void look_at_children(long pid, struct bench_memory *peak)
{
	char path[96];
	struct strbuf text = STRBUF_INIT;
	struct span rest, word;
	unsigned child;

	snprintf(path, sizeof(path), "/proc/%ld/task/%ld/children", pid, pid);
	if (file_read(path, 1 << 16, &text, NULL) != ERR_NONE)
		strbuf_clear(&text);
	rest = strbuf_span(&text);
	while (span_next_word(&rest, "", &word)) {
		if (!num_parse_uint(word, 1, INT32_MAX, &child))
			continue;
		if (is_running((long)child, PARSER_CHILD_COMMAND)) {
			raise_to(&peak->child_kb, peak_of((long)child));
			look_at_children((long)child, peak);
		}
		if (is_running((long)child, FETCH_CHILD_COMMAND))
			raise_to(&peak->fetcher_kb, peak_of((long)child));
	}
	strbuf_release(&text);
}

/*
 * Not ru_maxrss: it begins with the size of whoever forked. The high-water mark of /proc is
 * the program's own and only ever grows, so that looking now and then is enough.
 */
struct bench_memory bench_watch_memory(pid_t pid)
{
	const struct timespec pause = {.tv_nsec = 2000000};
	struct bench_memory peak = {0};
	siginfo_t info = {.si_pid = 0};

	while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid == 0) {
		raise_to(&peak.parent_kb, peak_of((long)pid));
		look_at_children((long)pid, &peak);
		nanosleep(&pause, NULL);
	}
	return peak;
}
