/*
 * month.c - a month of a server with 200 players: how many mails each gets, by SET MAIL, and how long
 * the mails are.
 *
 * Nothing is timed. That a digest costs nobody a turn, and that each mode sends fewer mails than the
 * one before, is what tests/e2e/test_month.c holds a small server to.
 *
 * BENCH_PLAYERS=200 BENCH_DAYS=30
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"
#include "tests/support/bench.h"
#include "tests/support/month.h"

/* ---- lengths ---- */

/* A kind of mail, known by a piece of its subject; the last one is what is left. */
static const struct kind {
	const char *name, *subject;
	unsigned most; /* lines before the small print, as they should be at most; 0 = any */
} kinds[] = {
    {"reminder", "your orders are due", 0}, {"digest", "[digest", 0},
    {"report", "orders due", 45},           {"receipt", "stored", 12},
    {"welcome", "you are in", 30},          {"end", " won", 50},
    {"report", "nothing to do", 45},        {"other", "", 0},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* Lines of each mail of one kind: to read, and with the small print. */
struct lengths {
	unsigned *read, *whole;
	size_t n, cap;
};

static unsigned lines_in(const char *text, const char *end)
{
	unsigned n = 0;

	for (const char *c = text; c < end; c++)
		n += *c == '\n';
	return n;
}

static void measure(void *ctx, const struct post *p)
{
	struct lengths *all = ctx;
	size_t k = 0;

	while (!strstr(p->subject, kinds[k].subject))
		k++;
	struct lengths *l = &all[k];
	const char *end = p->text + strlen(p->text), *small_print = strstr(p->text, "\n-- \n");
	if (l->n == l->cap) {
		size_t cap = l->cap;

		l->read = xgrow(l->read, &cap, l->n + 1, sizeof(*l->read));
		l->whole = xgrow(l->whole, &l->cap, l->n + 1, sizeof(*l->whole));
	}
	l->read[l->n] = lines_in(p->text, small_print ? small_print : end);
	l->whole[l->n++] = lines_in(p->text, end);
}

static int by_size(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

static void print_lengths(struct lengths all[KINDS])
{
	printf(
	    "  lines of    mails  to read: median  longest  wanted  whole: median  longest\n");
	for (size_t k = 0; k < KINDS; k++) {
		struct lengths *l = &all[k];

		if (l->n == 0)
			continue;
		qsort(l->read, l->n, sizeof(*l->read), by_size);
		qsort(l->whole, l->n, sizeof(*l->whole), by_size);
		printf("  %-8s  %7zu  %15u  %7u  %6u  %13u  %7u\n", kinds[k].name, l->n,
		       l->read[l->n / 2], l->read[l->n - 1], kinds[k].most, l->whole[l->n / 2],
		       l->whole[l->n - 1]);
		free(l->read);
		free(l->whole);
	}
}

int main(void)
{
	struct lengths lengths[KINDS] = {0};
	static const char *const names[MONTH_MODES] = {"ALL", "ROUND", "DIGEST"};
	struct month_plan plan = {.players = bench_size("BENCH_PLAYERS", 200),
	                          .days = bench_size("BENCH_DAYS", 30),
	                          .step_hours = 1,
	                          .each = measure,
	                          .ctx = lengths};
	struct month_count counts[MONTH_MODES];
	unsigned turns;

	testbed_use_memory();
	month_play(&plan, counts, &turns);
	printf("mails in %u days, %u players with 3 games each, %u turns\n", plan.days,
	       plan.players, turns);
	printf("  SET MAIL  players  mails a player  least  most  reminders  missed: daily "
	       "readers, others\n");
	for (unsigned i = 0; i < MONTH_MODES; i++) {
		const struct month_count *c = &counts[i];

		printf("  %-8s  %7u  %14.1f  %5u  %4u  %9u  %21u  %6u\n", names[i], c->players,
		       c->players ? (double)c->mails / c->players : 0.0, c->least, c->most,
		       c->reminders, c->missed_daily, c->missed_others);
		ENSURE(i == 0 || (double)c->mails / c->players <
		                     (double)counts[i - 1].mails / counts[i - 1].players);
		ENSURE(c->missed_daily == 0);
	}
	print_lengths(lengths);
	return 0;
}
