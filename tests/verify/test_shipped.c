/*
 * test_shipped.c - archives of every version of the rules must hold, and show the same, for
 * ever.
 *
 * tests/verify/archives/KIND-VERSION.txt is an archive, KIND-VERSION.replay what `molepost
 * replay --states` prints of it; KIND-VERSION-a.txt and -b.txt are games played to their end, all
 * options drawn; KIND-VERSION-bots-N.txt is one that bots of version N and levels 5, 4 and 3 play. These have
 * the version of the record that was the newest when they were made; since version 2 KIND-VERSION-record-N.txt is
 * one of each, since version 3 -record-N-whole.txt one that was played to its end. Whoever changes what a game
 * does gives it a new version and keeps the old one; these files then stay as they are, and UPDATE=1 writes only
 * those that are not there.
 */
#define _GNU_SOURCE /* open_memstream */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/cli/command_line.h"
#include "tests/support/archives.h"

#define FOLDER "tests/verify/archives"

enum { TURNS = 6, SEED = 11, MOST = 1 << 24 };
enum { WHOLE_MOST = 20 * 1024, SEED_MOST = 100 };

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

static void record_path(const struct rules *rules, const char *ending, struct strbuf *path)
{
	char named[32];

	snprintf(named, sizeof(named), "-record-%u%s", RECORD_VERSION_NEWEST, ending);
	path_of(rules, named, path);
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
	record_path(rules, ".txt", &path);
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

/* Of the games that come to their end and are not too long, the one with the most draws. */
static void ship_whole_game(const struct rules *rules)
{
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT, best = STRBUF_INIT;
	unsigned most = 0;

	for (unsigned seed = 1; seed < SEED_MOST; seed++) {
		struct played p;

		strbuf_clear(&text);
		played_wild_game(&p, rules, seed);
		archive_write(&p.record, p.keys, &text);
		if (p.record.version == RECORD_VERSION_NEWEST && text.len <= WHOLE_MOST &&
		    strcmp(p.record.end_status, "over") == 0 && draws_of(&p.record) > most) {
			most = draws_of(&p.record);
			strbuf_swap(&best, &text);
		}
		played_release(&p);
	}
	record_path(rules, "-whole.txt", &path);
	write_new(path.ptr, strbuf_span(&best));
	strbuf_release(&path);
	strbuf_release(&text);
	strbuf_release(&best);
}

static void seat_bots(struct record *r)
{
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		r->seats[seat] =
		    (struct record_seat){.name = r->seats[seat].name,
		                         .joined_utc = r->seats[seat].joined_utc,
		                         .bot = true,
		                         .bot_level = BOT_LEVEL_BEST - (seat - 1) % 3};
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

static void expect_holds(const char *path, struct span text)
{
	struct archive_report report;

	archive_verify(text, NULL, NULL, &report);
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
	read_text(path.ptr, &text);
	expect_holds(path.ptr, strbuf_span(&text));
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

Test(shipped, games_of_bots_are_kept_of_every_version_of_them)
{
	for (size_t i = 0; i < rules_count(); i++) {
		struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;

		if (!archives_is_played(rules_at(i)))
			continue;
		if (env_get("UPDATE") != NULL)
			ship_bots(rules_at(i));
		bots_path(rules_at(i), &path);
		read_text(path.ptr, &text);
		cr_expect_not_null(strstr(text.ptr, " bot-5 "), "%s", path.ptr);
		strbuf_release(&path);
		strbuf_release(&text);
	}
}

struct kept {
	unsigned games[RECORD_VERSION_NEWEST + 1], whole[RECORD_VERSION_NEWEST + 1];
};

static void expect_kept(void *context, const char *path, struct span text)
{
	struct span rest = text, line;
	struct kept *kept = context;
	unsigned version = 1;

	expect_holds(path, text);
	span_next_line(&rest, &line);
	while (version < RECORD_VERSION_NEWEST && !span_eq_str(line, archive_begin(version)))
		version++;
	kept->games[version]++;
	if (!strstr(path, "-a.txt") && !strstr(path, "-b.txt") && !strstr(path, "-whole.txt"))
		return;
	cr_assert_lt(span_find(text, SPAN_LIT("\nended over ")), text.len, "%s", path);
	kept->whole[version]++;
}

/* Whatever was ever shipped, also of versions that nobody remembers; of each game there is each version. */
Test(shipped, every_archive_that_is_kept_holds_for_ever)
{
	struct kept kept = {{0}, {0}};

	for (size_t i = 0; env_get("UPDATE") != NULL && i < rules_count(); i++)
		if (archives_is_played(rules_at(i)))
			ship_whole_game(rules_at(i));
	archives_for_each_kept(expect_kept, &kept);
	cr_assert(kept.games[1] >= 15 && kept.games[2] >= 10 && kept.games[3] >= 10, "%u %u %u",
	          kept.games[1], kept.games[2], kept.games[3]);
	cr_assert(kept.whole[1] >= 10 && kept.whole[3] >= 5, "%u %u", kept.whole[1],
	          kept.whole[3]);
}
