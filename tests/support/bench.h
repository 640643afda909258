/*
 * bench.h - two ways of doing the same, timed in turns.
 *
 * Only ratios mean anything on a machine that others use too: the sides of a pair run
 * alternately, ABAB, and the medians are compared.
 */
#ifndef MOLEPOST_TESTS_BENCH_H
#define MOLEPOST_TESTS_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { BENCH_MOST_ROUNDS = 101 };

struct bench_time {
	double wall_s;
	double
	    cpu_s; /* of the processes that ended meanwhile; moves less with what others do */
};

struct bench_side {
	const char *name;
	void (*prepare)(void *ctx); /* not timed; NULL: nothing to prepare */
	void (*run)(void *ctx);
	struct bench_time times[BENCH_MOST_ROUNDS];
};

/* Runs both sides in turns, `rounds` times each. */
void bench_pair(struct bench_side *a, struct bench_side *b, unsigned rounds, void *ctx);
double bench_median(struct bench_side *side, unsigned rounds);
double bench_median_cpu(struct bench_side *side, unsigned rounds);
/* Monotonic, in seconds. */
double bench_now(void);

/* One line: what, the value, and whether the limit holds. */
void bench_at_least(const char *what, double value, double limit);
void bench_at_most(const char *what, double value, double limit);

/* BENCH_<NAME> of the environment, else the usual size. */
unsigned bench_size(const char *name, unsigned usual);

/* The program itself again with these words, NULL-ended, as a process; its exit code must be 0. */
void bench_self(const char *const words[]);

/* Processor time of a process that has ended and is not reaped yet, and of its children; to 10 ms. */
struct bench_parts {
	double program_s, children_s;
};
struct bench_parts bench_parts_of(pid_t pid);

/* Largest resident sets of a process and of its parsing and
   fetching children while it ran. Reaps nothing: returns when
   the process is a zombie. */
struct bench_memory {
	long parent_kb, child_kb, fetcher_kb;
};
struct bench_memory bench_watch_memory(pid_t pid);

#endif
