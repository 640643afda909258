/*
 * boggle.c - how long a bot thinks about its best word.
 *
 * The peer tries every word of the list on every way to use the roll. Both get the same
 * positions and the same text of the list, and must come to the same number of points. The
 * time of a best word is that of one processor, so that others who use it do not count.
 *
 * BENCH_POSITIONS=20 BENCH_ROUNDS=5
 */
#include <stdio.h>
#include <time.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/seal.h"
#include "processor/games/registry.h"
#include "tests/support/bench.h"
#include "tests/support/word_scan.h"

enum { LIST_MAX = 1 << 24, MOST_POSITIONS = 200 };
static const char list_file[] = "/usr/share/dict/american-english";

struct boggle {
	struct strbuf list;
	struct game_state *positions[MOST_POSITIONS];
	unsigned count;
	double cpu_s; /* of the finder, all rounds */
	unsigned runs;
	unsigned found[MOST_POSITIONS], scanned[MOST_POSITIONS]; /* points */
};

static double cpu_now(void)
{
	struct timespec t;

	ENSURE(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) == 0);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void run_finder(void *ctx)
{
	struct boggle *b = ctx;
	double before = cpu_now();

	for (unsigned i = 0; i < b->count; i++) {
		const struct game_state *s = b->positions[i];
		struct boggle_orders best;
		struct boggle_judgement j;

		b->found[i] = 0;
		if (!boggle_find_best(s, strbuf_span(&b->list), NULL, &best))
			continue;
		boggle_judge(s, boggle_mover(s, s->turn), &best, &j);
		b->found[i] = boggle_points(&s->setup, &j.word);
	}
	b->cpu_s += cpu_now() - before;
	b->runs++;
}

static void run_scan(void *ctx)
{
	struct boggle *b = ctx;
	struct word_scan scan;

	for (unsigned i = 0; i < b->count; i++) {
		word_scan(b->positions[i], strbuf_span(&b->list), &scan);
		b->scanned[i] = scan.points;
	}
}

static void check_agreement(const struct boggle *b)
{
	for (unsigned i = 0; i < b->count; i++)
		if (b->found[i] != b->scanned[i])
			BUG("position %u: %u points found, %u by scanning", i, b->found[i],
			    b->scanned[i]);
}

int main(void)
{
	struct boggle b = {.list = STRBUF_INIT};
	unsigned rounds = bench_size("BENCH_ROUNDS", 5);
	struct bench_side finder = {.name = "word finder", .run = run_finder};
	struct bench_side scan = {.name = "plain scan", .run = run_scan};

	seal_start();
	if (file_read(list_file, LIST_MAX, &b.list, NULL) != ERR_NONE)
		BUG("%s is not there (Debian: wamerican)", list_file);
	b.count = bench_size("BENCH_POSITIONS", 20);
	ENSURE(b.count > 0 && b.count <= MOST_POSITIONS);
	for (unsigned i = 0; i < b.count; i++)
		b.positions[i] = word_scan_position(i + 1, "", strbuf_span(&b.list));
	bench_pair(&finder, &scan, rounds, &b);
	check_agreement(&b);
	printf("best word of %u positions, list %s\n", b.count, list_file);
	bench_at_most("milliseconds of one processor for a best word",
	              b.cpu_s * 1000 / (b.runs * b.count), 5);
	bench_at_least("times as fast as a plain scan",
	               bench_median(&scan, rounds) / bench_median(&finder, rounds), 20);
	for (unsigned i = 0; i < b.count; i++)
		martian_boggle_1.free_state(b.positions[i]);
	strbuf_release(&b.list);
	return 0;
}
