/*
 * verify.c - checking archives: turns a second for each game, a folder over all processors,
 * memory.
 *
 * Archives of games that bots play to their end, all options and seats drawn. The folder holds
 * copies of them, BENCH_ARCHIVES in all (10000 shows what the limits are about); the ratio is
 * that of all processors to one, timed in turns. Memory is the largest of the processes that
 * checked the folder, against that of one which checked a tenth of it.
 *
 * BENCH_GAMES=40 BENCH_ARCHIVES=2000
 */
#define _GNU_SOURCE /* open_memstream */

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/verify_folder.h"
#include "tests/support/archives.h"
#include "tests/support/bench.h"
#include "tests/support/scratch.h"

#include "processor/base/banned.h"

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
	char *few, *many;
	unsigned nmany;
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

static void check(const char *dir, unsigned jobs)
{
	struct cli cli = {.in = stdin};
	char *out = NULL;
	size_t len;

	cli.out = open_memstream(&out, &len);
	cli.log.out = stderr;
	if (verify_folder(&cli, dir, jobs, NULL) != EXIT_DONE)
		BUG("the folder does not hold");
	fclose(cli.out);
	free(out);
}

static void with_one(void *ctx)
{
	check(((struct shelf *)ctx)->many, 1);
}

static void with_all(void *ctx)
{
	check(((struct shelf *)ctx)->many, 0);
}

/* Largest resident set of the program while it checks the folder, and of the processes it
   starts. */
static long peak_kb(const char *dir)
{
	const char *build = env_get("MOLEPOST_BUILD");
	char *program = scratch_path(build ? build : "build", "molepost");
	struct rusage usage;
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		execl(program, program, "verify", "--folder", dir, (char *)NULL);
		_exit(1);
	}
	if (wait4(pid, &status, 0, &usage) != pid || status != 0)
		BUG("a folder was not checked");
	free(program);
	printf("%s: %ld KiB at most\n", dir, usage.ru_maxrss);
	return usage.ru_maxrss;
}

static void bench_folder(const struct shelf *s)
{
	struct bench_side one = {.name = "one processor", .run = with_one};
	struct bench_side all = {.name = "all processors", .run = with_all};
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	double ratio;

	bench_pair(&one, &all, ROUNDS, (void *)s);
	ratio = bench_median(&one, ROUNDS) / bench_median(&all, ROUNDS);
	printf("%u archives: %.2f s with one processor, %.2f s with %ld\n", s->nmany,
	       bench_median(&one, ROUNDS), bench_median(&all, ROUNDS), processors);
	bench_at_least("a folder over all processors, to one", ratio,
	               processors > 1 ? 0.75 * (double)processors : 0.9);
	bench_at_most("memory with the whole folder, to a tenth of it",
	              (double)peak_kb(s->many) / (double)peak_kb(s->few), 1.1);
}

int main(void)
{
	struct pile piles[KINDS];
	struct shelf s = {.nmany = bench_size("BENCH_ARCHIVES", 2000)};
	unsigned kinds = 0;

	seal_start();
	scratch_in_memory();
	for (size_t i = 0; i < rules_count(); i++)
		if (archives_is_played(rules_at(i)) && kinds < KINDS)
			bench_kind(rules_at(i), &piles[kinds++]);
	s.few = scratch_new();
	s.many = scratch_new();
	fill(s.few, piles, s.nmany / 10);
	fill(s.many, piles, s.nmany);
	bench_folder(&s);
	scratch_remove(s.few);
	scratch_remove(s.many);
	for (unsigned k = 0; k < kinds; k++) {
		for (unsigned i = 0; i < piles[k].n; i++)
			strbuf_release(&piles[k].texts[i]);
		free(piles[k].texts);
	}
	return 0;
}
