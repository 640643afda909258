/*
 * test_shipped.c - archives of every version of the rules must hold, and show the same, for
 * ever.
 *
 * tests/verify/archives/KIND-VERSION.txt is an archive, KIND-VERSION.replay what `molepost
 * replay --states` prints of it; KIND-VERSION-a.txt and so on are games played to their end, all
 * options drawn; KIND-VERSION-bots-N.txt is one that bots of version N and levels 5, 4 and 3 play. Whoever changes what a game does gives it a new version and keeps the old one;
 * these files then stay as they are, and UPDATE=1 writes only those that are not there.
 */
#define _GNU_SOURCE /* open_memstream */

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/cli/command_line.h"
#include "tests/support/archives.h"

#define FOLDER "tests/verify/archives"

enum { TURNS = 6, SEED = 11, MOST = 1 << 24 };
enum { WHOLE_GAMES = 2, WHOLE_MOST = 48 * 1024, SEED_MOST = 100 };

/* What to do when an archive does not hold any more. */
static const char rules_changed[] =
    "The rules come to other bytes than when this archive was made, so that running games and "
    "the "
    "archives people keep would break. Put the old rules back; give the changed ones a new "
    "version beside them (processor/games/README.md), and leave this file as it is.";
static const char view_changed[] = "If a position has changed, the rules need a new version "
				   "(processor/games/README.md). If only "
				   "words have, and on purpose: delete the .replay file, "
				   "UPDATE=1 make check T=test_shipped, and "
				   "read the diff.";

static void setup(void)
{
	seal_start();
}

TestSuite(shipped, .init = setup);

static void path_of(const struct rules *rules, const char *ending, struct strbuf *path)
{
	strbuf_clear(path);
	strbuf_addf(path, FOLDER "/%s-%u%s", rules->name, rules->version, ending);
}

static void read_text(const char *path, struct strbuf *out)
{
	struct failure e = ERR_INIT;

	cr_assert_eq(file_read(path, MOST, out, &e), ERR_NONE,
	             "%s is missing; UPDATE=1 writes it (%s)", path, e.text.ptr);
}

static void add_replay(char *archive, struct strbuf *out)
{
	char name[] = "replay", states[] = "--states";
	char *argv[] = {name, states, archive, NULL};
	char *text = NULL;
	size_t len;
	struct cli cli = {.in = stdin, .out = open_memstream(&text, &len)};

	cli.log.out = stderr;
	cr_assert_eq(cmd_replay(&cli, 3, argv), EXIT_DONE, "%s", archive);
	fclose(cli.out);
	strbuf_add(out, text, len);
	free(text);
}

/* Files that are not there yet. */
static void write_new(const char *path, struct span text)
{
	struct failure e = ERR_INIT;
	enum err rc = file_create(path, text, &e);

	cr_assert(rc == ERR_NONE || rc == ERR_EXISTS, "%s", e.text.ptr);
	err_release(&e);
}

static void ship(const struct rules *rules)
{
	struct strbuf text = STRBUF_INIT, path = STRBUF_INIT, shown = STRBUF_INIT;
	struct played p;

	played_game(&p, rules, rules->usual_seats, TURNS, SEED);
	archive_write(&p.record, p.keys, &text);
	path_of(rules, "-record-2.txt", &path); /* those beside it are from before */
	write_new(path.ptr, strbuf_span(&text));
	path_of(rules, ".txt", &path);
	write_new(path.ptr, strbuf_span(&text));
	add_replay(path.ptr, &shown);
	path_of(rules, ".replay", &path);
	write_new(path.ptr, strbuf_span(&shown));
	strbuf_release(&text);
	strbuf_release(&path);
	strbuf_release(&shown);
	played_release(&p);
}

static unsigned draws_of(const struct record *r)
{
	unsigned n = 0;

	for (size_t i = 0; i < r->nturns; i++)
		for (size_t k = 0; k < r->turns[i].chance.len; k++)
			n += r->turns[i].chance.ptr[k] == '\n';
	return n;
}

/* A game of that seed; false unless it came to its end and is not too long. */
static bool play_whole_game(const struct rules *rules, unsigned seed, struct strbuf *text,
                            unsigned *draws)
{
	struct played p;
	bool is_over;

	strbuf_clear(text);
	played_wild_game(&p, rules, seed);
	archive_write(&p.record, p.keys, text);
	*draws = draws_of(&p.record);
	is_over = strcmp(p.record.end_status, "over") == 0;
	played_release(&p);
	return is_over && text->len <= WHOLE_MOST;
}

/* Of many games the longest one and the one with the most draws. */
static void ship_whole_games(const struct rules *rules)
{
	static const char *const endings[WHOLE_GAMES] = {"-a.txt", "-b.txt"};
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	unsigned seeds[WHOLE_GAMES] = {0}, most = 0, draws;
	size_t longest = 0;

	for (unsigned seed = 1; seed < SEED_MOST; seed++) {
		if (!play_whole_game(rules, seed, &text, &draws))
			continue;
		if (text.len > longest) {
			longest = text.len;
			seeds[0] = seed;
		}
		if (draws > most) {
			most = draws;
			seeds[1] = seed;
		}
	}
	for (unsigned i = 0; i < WHOLE_GAMES; i++) {
		cr_assert(play_whole_game(rules, seeds[i], &text, &draws));
		path_of(rules, endings[i], &path);
		write_new(path.ptr, strbuf_span(&text));
	}
	strbuf_release(&text);
	strbuf_release(&path);
}

static void seat_bots(struct record *r)
{
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		r->seats[seat].bot = true;
		r->seats[seat].bot_level = BOT_LEVEL_BEST - (seat - 1) % 3;
	}
}

static void bots_path(const struct rules *rules, struct strbuf *path)
{
	char ending[32];

	snprintf(ending, sizeof ending, "-bots-%u.txt", rules->bots_version);
	path_of(rules, ending, path);
}

static void ship_bots(const struct rules *rules)
{
	struct strbuf text = STRBUF_INIT, path = STRBUF_INIT;
	struct played p;

	played_cheating_game(&p, rules, rules->usual_seats, TURNS, SEED,
	                     (struct cheat){.with_header = seat_bots});
	archive_write(&p.record, p.keys, &text);
	bots_path(rules, &path);
	write_new(path.ptr, strbuf_span(&text));
	strbuf_release(&text);
	strbuf_release(&path);
	played_release(&p);
}

/* Appends the archive. */
static void expect_holds(const char *path, struct strbuf *text)
{
	struct archive_report report;

	read_text(path, text);
	archive_verify(strbuf_span(text), NULL, NULL, &report);
	cr_assert_neq(report.verdict, ARCHIVE_UNKNOWN,
	              "%s: %s. Rules that archives name stay in processor/games/registry.c for "
	              "ever.",
	              path, report.why.ptr);
	cr_assert_eq(report.verdict, ARCHIVE_SIGNED, "%s, line %u: %s. %s", path, report.line,
	             report.why.ptr, rules_changed);
	cr_assert_eq(report.turns, report.all_turns, "%s: not every turn was resolved", path);
	archive_report_release(&report);
}

static void expect_same_text(const char *path, struct span now, struct span then)
{
	struct span a = SPAN_EMPTY, b = SPAN_EMPTY;
	unsigned line = 0;

	if (span_eq(now, then))
		return;
	while (span_eq(a, b) && (now.len > 0 || then.len > 0)) {
		a = b = SPAN_EMPTY;
		span_next_line(&now, &a);
		span_next_line(&then, &b);
		line++;
	}
	cr_assert_fail("%s, line %u: \"%.*s\" is now \"%.*s\". %s", path, line, SPAN_ARGS(b),
	               SPAN_ARGS(a), view_changed);
}

static void expect_the_same(const struct rules *rules)
{
	struct strbuf text = STRBUF_INIT, path = STRBUF_INIT, shown = STRBUF_INIT,
		      expected = STRBUF_INIT;

	path_of(rules, ".txt", &path);
	expect_holds(path.ptr, &text);
	add_replay(path.ptr, &shown);
	path_of(rules, ".replay", &path);
	read_text(path.ptr, &expected);
	expect_same_text(path.ptr, strbuf_span(&shown), strbuf_span(&expected));
	strbuf_release(&text);
	strbuf_release(&path);
	strbuf_release(&shown);
	strbuf_release(&expected);
}

Test(shipped, an_archive_of_every_version_of_the_rules_holds_and_shows_the_same_for_ever)
{
	for (size_t i = 0; i < rules_count(); i++) {
		if (!archives_is_played(rules_at(i)))
			continue;
		if (env_get("UPDATE") != NULL)
			ship(rules_at(i));
		expect_the_same(rules_at(i));
	}
}

Test(shipped, games_of_every_version_that_were_played_to_their_end_hold_for_ever)
{
	for (size_t i = 0; i < rules_count(); i++) {
		if (!archives_is_played(rules_at(i)))
			continue;
		if (env_get("UPDATE") != NULL)
			ship_whole_games(rules_at(i));
		for (unsigned n = 0; n < WHOLE_GAMES; n++) {
			char ending[] = {'-', (char)('a' + n), '.', 't', 'x', 't', '\0'};
			struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;

			path_of(rules_at(i), ending, &path);
			expect_holds(path.ptr, &text);
			cr_assert_not_null(strstr(text.ptr, "\nended over "), "%s", path.ptr);
			strbuf_release(&path);
			strbuf_release(&text);
		}
	}
}

Test(shipped, games_of_bots_hold_for_ever_with_all_that_they_thought_of)
{
	for (size_t i = 0; i < rules_count(); i++) {
		struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;

		if (!archives_is_played(rules_at(i)))
			continue;
		if (env_get("UPDATE") != NULL)
			ship_bots(rules_at(i));
		bots_path(rules_at(i), &path);
		expect_holds(path.ptr, &text);
		cr_expect_not_null(strstr(text.ptr, " bot-5 "), "%s", path.ptr);
		strbuf_release(&path);
		strbuf_release(&text);
	}
}

/* Whatever was ever shipped, also of versions that nobody remembers. */
Test(shipped, every_archive_that_is_kept_names_rules_that_are_still_there)
{
	DIR *folder = opendir(FOLDER);
	const struct dirent *entry;
	unsigned n = 0;

	cr_assert_not_null(folder);
	while ((entry = readdir(folder)) != NULL) {
		struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
		size_t len = strlen(entry->d_name);

		if (len < 5 || strcmp(entry->d_name + len - 4, ".txt") != 0)
			continue;
		strbuf_addf(&path, FOLDER "/%s", entry->d_name);
		expect_holds(path.ptr, &text);
		strbuf_release(&path);
		strbuf_release(&text);
		n++;
	}
	closedir(folder);
	cr_assert_geq(n, 5 * (3 + WHOLE_GAMES));
}
