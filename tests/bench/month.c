/*
 * month.c - a month of a server with 200 players: how many mails each gets, by SET MAIL, and how long
 * the mails are.
 *
 * Nothing is timed. That a digest costs nobody a turn, and that each mode sends fewer mails than the
 * one before, is what tests/e2e/test_month.c holds a small server to.
 *
 * Before it each game is played for BENCH_TURNS runs with the first example of each report as orders, at
 * 72 and at 40 columns: how long which mails are, and how many there are a run.
 *
 * BENCH_PLAYERS=200 BENCH_DAYS=30 BENCH_TURNS=30; BENCH_SHOW=FOLDER: the mails
 * of these games, and no month
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/games/rules.h"
#include "tests/support/bench.h"
#include "tests/support/month.h"

/* ---- lengths ---- */

/* A kind of mail, known by a piece of its subject; the last one is what is left. */
static const struct kind {
	const char *name, *subject;
} kinds[] = {
    {"reminder", "your orders are due"},
    {"digest", "[digest"},
    {"first", "begins"},
    {"report", "orders due"},
    {"report", "your orders are in"},
    {"idle", "nothing to do"},
    {"receipt", "stored"},
    {"welcome", "you are in"},
    {"end", " won"},
    {"other", ""},
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

/* The first report of a turn says how the game began, or has the whole story of what is new. */
static size_t kind_of(const struct post *p)
{
	size_t k = 0;

	while (!strstr(p->subject, kinds[k].subject))
		k++;
	while (k > 0 && strcmp(kinds[k - 1].name, kinds[k].name) == 0)
		k--;
	return strstr(p->text, "How the game began") ? 2 : k;
}

static void measure(void *ctx, const struct post *p)
{
	struct lengths *all = ctx, *l = &all[kind_of(p)];
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

static void print_heading(void)
{
	printf("  %-15s  cols  %-8s  mails  to read: median  longest  whole: median  longest\n",
	       "game", "mail");
}

static void print_lengths(const char *game, unsigned cols, struct lengths all[KINDS])
{
	for (size_t k = 0; k < KINDS; k++) {
		struct lengths *l = &all[k];

		if (l->n == 0)
			continue;
		qsort(l->read, l->n, sizeof(*l->read), by_size);
		qsort(l->whole, l->n, sizeof(*l->whole), by_size);
		printf("  %-15s  %4u  %-8s  %5zu  %15u  %7u  %13u  %7u\n", game, cols,
		       kinds[k].name, l->n, l->read[l->n / 2], l->read[l->n - 1],
		       l->whole[l->n / 2], l->whole[l->n - 1]);
		free(l->read);
		free(l->whole);
	}
}

/* ---- one game of each kind ---- */

/*
 * Ann and Ben, with a bot where there are seats enough, and Cy against bots: they answer each report
 * that asks for orders with its first example, by programs that name what they answer and that do not.
 */
static void answer_all(struct testbed *s, size_t from)
{
	for (size_t i = from, n = s->nposts; i < n; i++) {
		const struct post *p = s->posts[i];
		const char *example = strstr(p->text, "\n  | ");

		if (!strstr(p->subject, "orders due") || !example)
			continue;
		struct span rest = span_of(example + 1), line;
		struct strbuf orders = STRBUF_INIT;

		/* What did not fit on its first line goes on in the next. */
		while (span_next_line(&rest, &line) &&
		       span_starts(line, orders.len ? "  |  " : "  | "))
			strbuf_addf(&orders, "%.*s ", SPAN_ARGS(span_slice(line, 4, line.len)));
		testbed_reply_to(s, p->who, p, orders.ptr);
		strbuf_release(&orders);
	}
}

static void print_mails_a_turn(struct testbed *s, const char *who, unsigned turns)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->nposts; i++)
		n += strcmp(s->posts[i]->who, who) == 0;
	printf(" %s %.2f", who, turns ? (double)n / turns : 0.0);
}

static void play_kind(const struct rules *kind, unsigned cols, unsigned turns)
{
	static const char *const people[] = {"ann", "ben", "cy"};
	struct testbed *s = testbed_new("lengths");
	struct lengths lengths[KINDS] = {0};
	char line[160], width[32];
	bool bot = kind->max_seats > 2;

	testbed_configure(s, "wordlist = american /usr/share/dict/american-english");
	snprintf(width, sizeof(width), "set width %u", cols);
	snprintf(line, sizeof(line), "create %s players %u%s", kind->name, bot ? 3 : 2,
	         bot ? " bots 1" : "");
	testbed_write(s, "ann", line);
	snprintf(line, sizeof(line), "create %s bots %u", kind->name, bot ? 2 : 1);
	testbed_write(s, "cy", line);
	testbed_run(s);
	snprintf(line, sizeof(line), "join %c1", kind->letter + ('a' - 'A'));
	testbed_write(s, "ben", line);
	testbed_run(s);
	for (size_t i = 0; i < 3; i++)
		testbed_write(s, people[i], width);
	for (unsigned turn = 0; turn < turns; turn++) {
		size_t from = s->nposts;

		testbed_run(s);
		answer_all(s, turn == 0 ? 0 : from);
		testbed_wait(s, 3600);
	}
	for (size_t i = 0; i < s->nposts; i++)
		measure(lengths, s->posts[i]);
	print_lengths(kind->title, cols, lengths);
	printf("  %-15s  %4u  mails a run in %u runs:", kind->title, cols, turns);
	for (size_t i = 0; i < 3; i++)
		print_mails_a_turn(s, people[i], turns);
	putchar('\n');
	if (env_get("BENCH_SHOW")) {
		struct strbuf all = STRBUF_INIT;

		for (size_t i = 0; i < s->nposts; i++)
			strbuf_addf(&all, "######## to %s: %s\n%s\n", s->posts[i]->who,
			            s->posts[i]->subject, s->posts[i]->text);
		snprintf(line, sizeof(line), "%s/%s-%u.txt", env_get("BENCH_SHOW"), kind->name,
		         cols);
		struct failure e = ERR_INIT;
		ENSURE(file_replace(line, strbuf_span(&all), &e) == ERR_NONE);
		strbuf_release(&all);
	}
	testbed_free(s);
}

static void play_kinds(void)
{
	static const unsigned widths[] = {72, 40};
	unsigned turns = bench_size("BENCH_TURNS", 30);

	print_heading();
	for (size_t i = 0; i < rules_count(); i++)
		if (rules_find(span_of(rules_at(i)->name)) == rules_at(i))
			for (size_t w = 0; w < 2; w++)
				play_kind(rules_at(i), widths[w], turns);
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
	play_kinds();
	if (env_get("BENCH_SHOW"))
		return 0;
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
	print_heading();
	print_lengths("Whakka Mole", 72, lengths);
	return 0;
}
