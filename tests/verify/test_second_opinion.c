/*
 * test_second_opinion.c - archives of all games before molepost-verify.py, which shares nothing
 * with the program but the page molepost-archive(5).
 *
 * Five archives of each kind; 100 with GAMES_PER_KIND=300, as in `make test`. Each comes
 * whole, and once as it was when the game was half over. SEED=n begins with other games.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "processor/base/subprocess.h"
#include "tests/support/archives.h"
#include "tests/support/cheats.h"
#include "tests/support/chosen.h"
#include "tests/support/conversation.h"
#include "tests/support/scratch.h"

enum { MOST_OUTPUT = 1 << 24, TIMEOUT_MS = 800000, ANY_DRAWS = 1 << 30 };

/* Archives in a folder, and the list of their names. */
struct pile {
	char *dir;
	struct strbuf list;
	unsigned count, draws;
};

static void pile_add(struct pile *pile, struct span text)
{
	struct failure e = ERR_INIT;
	char name[32];
	char *path;

	snprintf(name, sizeof(name), "%u.txt", pile->count++);
	path = scratch_path(pile->dir, name);
	cr_assert_eq(file_create(path, text, &e), ERR_NONE, "%s", e.text.ptr);
	strbuf_addf(&pile->list, "%s\n", path);
	free(path);
}

/* A game as it ended, and as it was in the middle. */
static void pile_add_game(struct pile *pile, const struct rules *rules, uint64_t seed)
{
	struct strbuf text = STRBUF_INIT;
	struct archive_report report;
	struct played p;
	struct record r;

	played_wild_game(&p, rules, seed);
	archive_write(&p.record, p.keys, &text);
	archive_verify(strbuf_span(&text), NULL, NULL, &report);
	cr_assert_eq(report.verdict, ARCHIVE_SIGNED, "%s, seed %llu, line %u: %s", rules->name,
	             (unsigned long long)seed, report.line, report.why.ptr);
	archive_report_release(&report);
	pile_add(pile, strbuf_span(&text));
	r = played_until(&p, 1 + p.record.nturns / 2);
	strbuf_clear(&text);
	archive_write(&r, p.keys, &text);
	pile_add(pile, strbuf_span(&text));
	for (size_t i = 0; i < p.record.nturns; i++)
		for (size_t k = 0; k < p.record.turns[i].chance.len; k++)
			pile->draws += p.record.turns[i].chance.ptr[k] == '\n';
	strbuf_release(&text);
	played_release(&p);
}

/* Every draw must have been looked at, not passed over. */
static unsigned draws_reported(const char *out)
{
	unsigned sum = 0;

	while ((out = strstr(out, " draws\n")) != NULL) {
		const char *digits = out;

		while (digits[-1] != ' ')
			digits--;
		sum += (unsigned)strtoul(digits, NULL, 10);
		out++;
	}
	return sum;
}

static void expect_all_hold(struct pile *pile)
{
	char *list = scratch_path(pile->dir, "list");
	const char *const argv[] = {SECOND_OPINION, "--list", list, NULL};
	struct strbuf out = STRBUF_INIT;
	struct failure e = ERR_INIT;
	const char *bad;
	int code = -1;

	cr_assert_eq(file_create(list, strbuf_span(&pile->list), &e), ERR_NONE);
	cr_assert_eq(subprocess_run(argv, SPAN_EMPTY, MOST_OUTPUT, TIMEOUT_MS, &out, &code, &e),
	             ERR_NONE, "%s", e.text.ptr);
	bad = strstr(out.ptr, ": broken: ");
	cr_assert_eq(code, 0, "%s", bad ? bad : out.ptr);
	cr_assert(pile->draws == ANY_DRAWS || draws_reported(out.ptr) == pile->draws);
	strbuf_release(&out);
	free(list);
}

static void judge_kind(const struct rules *rules)
{
	unsigned games = chosen_long() ? 100 : 5;
	uint64_t seed = archives_env("SEED", 1);
	struct pile pile = {.dir = scratch_new(), .list = STRBUF_INIT};

	for (unsigned i = 0; i < games; i++)
		pile_add_game(&pile, rules, seed + i);
	expect_all_hold(&pile);
	strbuf_release(&pile.list);
	scratch_remove(pile.dir);
}

Test(second_opinion, another_program_finds_every_archive_of_every_game_sound)
{
	unsigned kinds = 0;

	seal_start();
	scratch_in_memory();
	for (size_t i = 0; i < rules_count(); i++)
		if (archives_is_played(rules_at(i))) {
			judge_kind(rules_at(i));
			kinds++;
		}
	cr_assert_eq(kinds, 5);
}

Test(second_opinion, it_finds_the_record_of_a_game_sound_in_which_a_bot_took_a_place)
{
	static const char path[] = "tests/conversations/733-a-bot-in-the-place-of-somebody.txt";
	struct pile pile = {.list = STRBUF_INIT, .draws = ANY_DRAWS};
	struct conversation c;

	scratch_in_memory();
	pile.dir = scratch_new();
	conversation_play(&c, path);
	cr_assert_eq(c.problem.len, 0, "%s", c.problem.ptr);
	for (size_t i = 0; i < c.testbed->nposts; i++)
		if (c.testbed->posts[i]->record)
			pile_add(&pile, span_of(c.testbed->posts[i]->record));
	cr_assert_eq(pile.count, 3);
	expect_all_hold(&pile);
	conversation_free(&c);
	strbuf_release(&pile.list);
	scratch_remove(pile.dir);
}

static void pile_add_kept(void *context, const char *path, struct span text)
{
	(void)path;
	pile_add(context, text);
}

Test(second_opinion, it_agrees_about_the_archives_that_are_kept_for_ever)
{
	struct pile pile = {.dir = scratch_new(), .list = STRBUF_INIT};

	archives_for_each_kept(pile_add_kept, &pile);
	cr_assert_geq(pile.count, 35);
	pile.draws = ANY_DRAWS;
	expect_all_hold(&pile);
	strbuf_release(&pile.list);
	scratch_remove(pile.dir);
}

/* What one finds in a record alone, the other finds; but what takes the rules. */
Test(second_opinion, it_agrees_about_the_records_of_servers_that_cheat)
{
	unsigned broken = 0;

	seal_start();
	scratch_in_memory();
	for (size_t i = 0; i < known_cheats_count(); i++) {
		struct pile pile = {.dir = scratch_new(), .list = STRBUF_INIT};
		struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
		char *path = scratch_path(pile.dir, "0.txt");
		struct played honest, forged;
		struct archive_report report;
		struct failure e = ERR_INIT;
		int code;

		known_cheat_tell(&known_cheats[i], &honest, &forged, &text);
		pile_add(&pile, strbuf_span(&text));
		archive_verify(strbuf_span(&text), NULL, NULL, &report);
		cr_assert_eq(subprocess_run((const char *const[]){SECOND_OPINION, path, NULL},
		                            SPAN_EMPTY, MOST_OUTPUT, TIMEOUT_MS, &out, &code,
		                            &e),
		             ERR_NONE, "%s", e.text.ptr);
		cr_expect_eq(code == 0,
		             report.verdict == ARCHIVE_SIGNED || known_cheats[i].takes_rules,
		             "%s: %s", known_cheats[i].what, out.ptr);
		broken += report.verdict == ARCHIVE_BROKEN;
		archive_report_release(&report);
		strbuf_release(&text);
		strbuf_release(&out);
		strbuf_release(&pile.list);
		played_release(&honest);
		played_release(&forged);
		scratch_remove(pile.dir);
		free(path);
	}
	cr_assert_geq(broken, 4);
}

/* The example of the manual page, its marks of roff undone. */
static void add_example(struct strbuf *out)
{
	struct strbuf page = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct span rest, line;
	bool inside = false;

	cr_assert_eq(file_read("processor/man/molepost-archive.5", MOST_OUTPUT, &page, &e),
	             ERR_NONE, "%s", e.text.ptr);
	rest = strbuf_span(&page);
	rest = span_slice(rest, span_find(rest, SPAN_LIT("\n.Sh EXAMPLES\n")) + 1, rest.len);
	while (span_next_line(&rest, &line) && !(inside && span_eq_str(line, ".Ed"))) {
		for (size_t i = 0; inside && i < line.len; i++) {
			bool is_escape = line.ptr[i] == '\\' && i + 1 < line.len;

			i += is_escape;
			strbuf_addc(out, is_escape && line.ptr[i] == 'e' ? '\\' : line.ptr[i]);
		}
		if (inside)
			strbuf_addc(out, '\n');
		inside = inside || span_eq_str(line, ".Bd -literal");
	}
	strbuf_release(&page);
}

Test(second_opinion, the_example_of_the_manual_page_holds_for_both_programs)
{
	struct pile pile = {.dir = scratch_new(), .list = STRBUF_INIT, .draws = 1};
	struct strbuf text = STRBUF_INIT;
	struct archive_report report;

	seal_start();
	add_example(&text);
	archive_verify(strbuf_span(&text), NULL, NULL, &report);
	cr_assert_eq(report.verdict, ARCHIVE_SIGNED, "line %u: %s\n%s", report.line,
	             report.why.ptr, text.ptr);
	archive_report_release(&report);
	pile_add(&pile, strbuf_span(&text));
	expect_all_hold(&pile);
	strbuf_release(&text);
	strbuf_release(&pile.list);
	scratch_remove(pile.dir);
}
