/*
 * verify.c - checking archives: turns a second for each game, a folder over all processors,
 * memory.
 *
 * Archives of games that bots play to their end, all options and seats drawn. The folder holds
 * copies of them, BENCH_ARCHIVES in all. All processors check the whole folder, before and after
 * which one checks a tenth of it, and the ratio is that of archives a second. Memory is the largest
 * of the processes that checked the folder, against that of those which checked a tenth of it.
 *
 * BENCH_GAMES=40 BENCH_ARCHIVES=10000
 */
#define _GNU_SOURCE /* wait4 */

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "tests/support/archives.h"
#include "tests/support/bench.h"
#include "tests/support/scratch.h"

enum { ROUNDS = 3, KINDS = 5, TURNS_LEAST = 1000 };

struct pile {
	struct strbuf *texts;
	unsigned n;
	unsigned long turns;
};

static void play_pile(struct pile *p, const struct rules *rules, unsigned games)
{
	*p = (struct pile){.texts = xcalloc(games, sizeof(p->texts[0])), .n = games};
	for (unsigned i = 0; i < games; i++) {
		struct played played;

		played_wild_game(&played, rules, i + 1);
		strbuf_init(&p->texts[i]);
		archive_write(&played.record, played.keys, &p->texts[i]);
		p->turns += played.record.nturns;
		played_release(&played);
	}
}

static void verify_pile(const struct pile *p)
{
	for (unsigned i = 0; i < p->n; i++) {
		struct archive_report report;

		archive_verify(strbuf_span(&p->texts[i]), NULL, NULL, &report);
		if (report.verdict != ARCHIVE_SIGNED)
			BUG("line %u: %s", report.line, report.why.ptr);
		archive_report_release(&report);
	}
}

static void bench_kind(const struct rules *rules, struct pile *p)
{
	double best = 0;
	char what[80];

	play_pile(p, rules, bench_size("BENCH_GAMES", 40));
	for (unsigned round = 0; round < ROUNDS; round++) {
		double from = bench_now();

		verify_pile(p);
		from = (double)p->turns / (bench_now() - from);
		best = from > best ? from : best;
	}
	snprintf(what, sizeof(what), "%s: turns verified a second", rules->name);
	bench_at_least(what, best, TURNS_LEAST);
}

/* The folder. */

struct shelf {
	char *dir;
	unsigned n;
};

static void fill(const char *dir, const struct pile *piles, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct pile *p = &piles[i % KINDS];
		struct failure e = ERR_INIT;
		char name[24];
		char *path;

		snprintf(name, sizeof(name), "%06u.txt", i);
		path = scratch_path(dir, name);
		if (file_create(path, strbuf_span(&p->texts[i / KINDS % p->n]), &e) != ERR_NONE)
			BUG("%s", e.text.ptr);
		free(path);
	}
}

struct checked {
	double per_second;
	long kb; /* largest resident set of the program and of the processes it starts */
};

/* By the program; `jobs`: "1", or NULL for as many as there are processors. */
static struct checked check(const struct shelf *s, const char *jobs)
{
	const char *build = env_get("MOLEPOST_BUILD");
	char *program = scratch_path(build ? build : "build", "molepost");
	double from = bench_now();
	struct rusage usage;
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		execl(program, program, "verify", "--folder", s->dir, jobs ? "--jobs" : NULL,
		      jobs, (char *)NULL);
		_exit(1);
	}
	if (wait4(pid, &status, 0, &usage) != pid || status != 0)
		BUG("a folder was not checked");
	free(program);
	return (struct checked){s->n / (bench_now() - from), usage.ru_maxrss};
}

static void bench_folder(const struct shelf *tenth, const struct shelf *whole)
{
	struct checked before = check(tenth, "1"), all = check(whole, NULL);
	struct checked after = check(tenth, "1"), few = check(tenth, NULL);
	double one = (before.per_second + after.per_second) / 2;
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	printf(
	    "%u archives: %.0f a second with %ld processors, %.0f with one; %ld KiB at most\n",
	    whole->n, all.per_second, processors, one, all.kb);
	bench_at_least("a folder over all processors, to one", all.per_second / one,
	               processors > 1 ? 0.75 * (double)processors : 0.9);
	bench_at_most("memory with the whole folder, to a tenth of it",
	              (double)all.kb / (double)few.kb, 1.1);
}

int main(void)
{
	struct pile piles[KINDS];
	struct shelf whole = {.n = bench_size("BENCH_ARCHIVES", 10000)};
	struct shelf tenth = {.n = whole.n / 10};
	unsigned kinds = 0;

	seal_start();
	scratch_in_memory();
	for (size_t i = 0; i < rules_count(); i++)
		if (archives_is_played(rules_at(i)) && kinds < KINDS)
			bench_kind(rules_at(i), &piles[kinds++]);
	tenth.dir = scratch_new();
	whole.dir = scratch_new();
	fill(tenth.dir, piles, tenth.n);
	fill(whole.dir, piles, whole.n);
	bench_folder(&tenth, &whole);
	scratch_remove(tenth.dir);
	scratch_remove(whole.dir);
	for (unsigned k = 0; k < kinds; k++) {
		for (unsigned i = 0; i < piles[k].n; i++)
			strbuf_release(&piles[k].texts[i]);
		free(piles[k].texts);
	}
	return 0;
}
