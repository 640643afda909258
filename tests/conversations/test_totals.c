/*
 * test_totals.c - a score is the same number in every mail that tells it.
 *
 * Games of each kind by mail, a person against the server: after each turn the table of the report, in
 * the end SUMMARY, the final standing, and what `replay` says of the archive. TOTALS_GAMES of each kind.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/num.h"
#include "tests/support/scratch.h"
#include "tests/support/testbed.h"

enum { SEATS = 3, TURNS_MOST = 40, MAILS_A_GAME = 12, NAME_ENDS = 16 };

/* By seat, as the names stand in the mails. */
struct totals {
	long long of[SEATS];
	char label[60]; /* of the turn */
};

struct told {
	unsigned nseats;
	const char *names[SEATS];
	struct totals turns[TURNS_MOST]; /* by the reports */
	size_t nturns;
	size_t nposts; /* of the testbed, looked at */
};

static bool last_number(struct span line, long long *n)
{
	struct span word;
	bool found = false;

	while (span_next_word(&line, " .,", &word)) {
		char digits[24];
		char *end;

		if (word.len >= sizeof digits)
			continue;
		memcpy(digits, word.ptr, word.len);
		digits[word.len] = '\0';
		long long value = strtoll(digits, &end, 10);
		if (end == digits + word.len) {
			*n = value;
			found = true;
		}
	}
	return found;
}

/* What stands below a heading, up to the next or the small print. */
static struct span section(const char *text, const char *heading)
{
	const char *at = strstr(text, heading);

	if (!at)
		return SPAN_EMPTY;
	at += strlen(heading);
	const char *end = strstr(at, "\n== "), *small_print = strstr(at, "\n-- \n");
	if (!end || (small_print && small_print < end))
		end = small_print;
	return (struct span){at, end ? (size_t)(end - at) : strlen(at)};
}

/* The last number of the last line that names each player: of a table, or "- ann: ... 59 points". */
static unsigned read_totals(const struct told *g, struct span text, struct totals *out)
{
	struct span line;
	unsigned found = 0;

	while (span_next_line(&text, &line)) {
		if (span_starts(line, "- ") && span_find(line, SPAN_LIT(" point")) == line.len)
			continue;
		for (unsigned i = 0; i < g->nseats; i++)
			if (span_find(span_slice(line, 0, NAME_ENDS), span_of(g->names[i])) <
			        span_slice(line, 0, NAME_ENDS).len &&
			    last_number(line, &out->of[i]))
				found |= 1u << i;
	}
	return found;
}

static unsigned all_seats(const struct told *g)
{
	return (1u << g->nseats) - 1;
}

/* Between two without a table the news tell them: "You lead 3-1.", "Bot Ada leads 3-1.", "It is 0-0." */
static bool read_lead(const char *text, struct totals *out)
{
	static const char *const words[] = {"You lead ", " leads ", "It is "};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		const char *at = strstr(text, words[i]);
		char *end;

		if (!at)
			continue;
		long long first = strtoll(at + strlen(words[i]), &end, 10);
		if (*end != '-')
			continue;
		out->of[i == 1] = first;
		out->of[i != 1] = strtoll(end + 1, NULL, 10);
		return true;
	}
	return false;
}

/* A table below its heading, or below the board. */
static struct span score_table(const char *text)
{
	return section(text, strstr(text, "\n  player ") ? "\n  player " : "== Scores ==");
}

static bool tells_scores(const struct post *p)
{
	struct totals t;

	return score_table(p->text).len > 0 ||
	       (strstr(p->subject, "orders due") && read_lead(p->text, &t));
}

/* Of the last turn it tells of: "== What happened in turn 4, and before ==" is of turn 4. "" = it tells of none. */
static void read_label(const struct post *p, char *out, size_t size)
{
	static const char heading[] = "== What happened in ";
	const char *at = strstr(p->text, heading);
	struct span label = SPAN_EMPTY, rest = span_of(at ? at + strlen(heading) : "");

	if (tells_scores(p) && span_next_line(&rest, &label))
		label = span_slice(label, 0, span_find(label, SPAN_LIT(" ==")));
	label = span_slice(label, 0, span_find(label, SPAN_LIT(", and before")));
	(void)snprintf(out, size, "%.*s", (int)label.len, label.ptr ? label.ptr : "");
}

static void collect_reports(struct told *g, const struct testbed *s)
{
	for (; g->nposts < s->nposts; g->nposts++) {
		const struct post *p = s->posts[g->nposts];

		struct totals *t = &g->turns[g->nturns];

		cr_assert_lt(g->nturns, TURNS_MOST);
		read_label(p, t->label, sizeof t->label);
		if (strcmp(p->who, "ann") != 0 || !t->label[0])
			continue;
		g->nturns++;
		if (strstr(p->text, "\n  player ") || !read_lead(p->text, t))
			cr_expect_eq(read_totals(g, score_table(p->text), t), all_seats(g),
			             "%s", p->text);
	}
}

static void expect_same(const struct told *g, const struct totals *a, const struct totals *b,
                        const char *what, const char *text)
{
	for (unsigned i = 0; i < g->nseats; i++)
		cr_expect_eq(a->of[i], b->of[i], "%s of %s: %lld, in the report %lld\n%s", what,
		             g->names[i], a->of[i], b->of[i], text);
}

/* The example of the last report, the first or the second. */
static bool answer_with_example(struct testbed *s, unsigned which)
{
	const char *text = NULL;
	struct span rest, line, chosen = SPAN_EMPTY;

	for (size_t i = s->nposts; i-- > 0 && !text;)
		if (strcmp(s->posts[i]->who, "ann") == 0 &&
		    strstr(s->posts[i]->text, "For example:\n"))
			text = s->posts[i]->text;
	if (!text)
		return false;
	rest = section(text, "For example:\n");
	while (span_next_line(&rest, &line))
		if (span_starts(line, "  | ") && (chosen.len == 0 || which-- > 0))
			chosen = span_slice(line, 4, line.len);
	char *orders = strndup(chosen.ptr, chosen.len);
	testbed_reply(s, "ann", orders);
	free(orders);
	return true;
}

/* The columns stand in the order of the seats. */
static void check_summary(struct told *g, struct testbed *s)
{
	struct span rest, line, word;
	size_t told = 0;

	testbed_reply(s, "ann", "summary");
	testbed_run(s);
	const char *text = testbed_last(s, "ann")->text;
	const char *table = strstr(text, "  turn ");
	cr_assert(table, "%s", text);
	rest = span_of(table);
	(void)span_next_line(&rest, &line);
	while (span_next_line(&rest, &line) && line.len > 0) {
		struct totals t;
		size_t nwords = 0;
		struct span words[40], cells = line;

		while (nwords < 40 && span_next_word(&cells, "", &word))
			words[nwords++] = word;
		/* The label has blanks; the scores are the last, but for who missed a turn. */
		nwords -= strstr(table, "missed") && strstr(text, "Under \"missed\"") ? 1 : 0;
		for (unsigned i = 0; i < g->nseats; i++)
			cr_assert(last_number(words[nwords - g->nseats + i], &t.of[i]), "%s",
			          text);
		/* Turns of bots alone stand in the next report, which has its own turn's totals. */
		if (told < g->nturns &&
		    span_find(line, span_of(g->turns[told].label)) < line.len)
			expect_same(g, &t, &g->turns[told++], "SUMMARY", text);
	}
	cr_expect_eq(told, g->nturns, "%zu of %zu reports are in SUMMARY\n%s", told, g->nturns,
	             text);
}

static void check_end(struct told *g, struct testbed *s, const char *game)
{
	const struct post *end = NULL;
	struct strbuf archive = STRBUF_INIT;
	struct totals t;
	struct ran r;
	char words[400];

	for (size_t i = 0; i < s->nposts; i++)
		if (strcmp(s->posts[i]->who, "ann") == 0 &&
		    strstr(s->posts[i]->text, "== Final standing =="))
			end = s->posts[i];
	if (!end)
		return;
	read_totals(g, section(end->text, "== Final standing =="), &t);
	testbed_archive(s, game, &archive);
	char *path = testbed_path(s, "record.txt");
	FILE *file = fopen(path, "w");
	cr_assert(file && fwrite(archive.ptr, 1, archive.len, file) == archive.len &&
	          fclose(file) == 0);
	snprintf(words, sizeof words, "replay %s", path);
	testbed_do(s, words, NULL, &r);
	struct totals replayed;
	const char *at = strstr(r.out.ptr, "Winner: ") ? strstr(r.out.ptr, "Winner: ")
	                                               : strstr(r.out.ptr, "No winner");
	cr_assert(at, "%s", r.out.ptr);
	struct span rest = span_of(at), line;
	(void)span_next_line(&rest, &line);
	cr_expect_eq(read_totals(g, rest, &replayed), all_seats(g), "%s", at);
	expect_same(g, &t, &replayed, "the replay", at);
	ran_release(&r);
	free(path);
	strbuf_release(&archive);
}

/* "Seats: 1 ann (you), 2 Bot Ada.": the names as they stand in the welcome. */
static void read_names(struct told *g, const struct testbed *s, char names[SEATS][40])
{
	const char *at = NULL;

	for (size_t i = 0; i < s->nposts && !at; i++)
		at = strstr(s->posts[i]->text, "Seats: 1 ");
	cr_assert(at);
	at += strlen("Seats:");
	for (unsigned i = 0; i < g->nseats; i++) {
		at += 3; /* " 2 " */
		size_t len = strcspn(at, ",.");
		cr_assert(len < sizeof names[i]);
		for (size_t k = 0; k < len; k++)
			names[i][k] = at[k] == '\n' ? ' ' : at[k];
		names[i][len] = '\0';
		g->names[i] = names[i];
		at += len + 1;
		char *you = strstr(names[i], " (you)");
		if (you)
			*you = '\0';
	}
}

static void play(const char *create, unsigned nseats, const char *game, unsigned seed)
{
	struct told g = {.nseats = nseats};
	char names[SEATS][40], text[20];
	struct testbed *s;

	snprintf(text, sizeof text, "totals-%u", seed);
	s = testbed_new(text);
	testbed_write(s, "ann", create);
	testbed_run(s);
	read_names(&g, s, names);
	for (unsigned n = 0; n < MAILS_A_GAME; n++) {
		collect_reports(&g, s);
		if (!answer_with_example(s, (seed >> (n % 8)) & 1u))
			break;
		testbed_run(s);
	}
	collect_reports(&g, s);
	cr_expect_gt(g.nturns, 0, "%s: no turn was played", create);
	if (g.nturns > 0)
		check_summary(&g, s);
	check_end(&g, s, game);
	testbed_free(s);
}

static void play_many(const char *create, unsigned nseats, const char *game)
{
	const char *wanted = env_get("TOTALS_GAMES");
	unsigned games = 3;

	scratch_in_memory();
	cr_assert(!wanted || num_parse_uint(span_of(wanted), 1, 10000, &games));
	for (unsigned seed = 1; seed <= games; seed++)
		play(create, nseats, game, seed * 37);
}

Test(totals, of_whakka_mole_are_the_same_everywhere)
{
	play_many("create whakka mole players 3 bots 2 turns=9", 3, "W1");
}

Test(totals, of_mole_park_are_the_same_everywhere)
{
	play_many("create mole park players 3 bots 2 rounds=9", 3, "P1");
}

Test(totals, of_martian_boggle_are_the_same_everywhere)
{
	play_many("create martian boggle players 2 bots 1 maxturns=5", 2, "B1");
}

Test(totals, of_mole_are_the_same_everywhere)
{
	play_many("create mole players 2 bots 1 target=2 lead=1 rounds=4", 2, "C1");
}

Test(totals, of_mole_majority_are_the_same_everywhere)
{
	play_many("create mole majority players 2 bots 1 rounds=5 setup=auto", 2, "M1");
}
