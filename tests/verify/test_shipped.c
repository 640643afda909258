/*
 * test_shipped.c - archives of every version of the rules must hold, and show the same, for
 * ever.
 *
 * tests/verify/archives/KIND-VERSION.txt is an archive, KIND-VERSION.replay what `molepost
 * replay --states` prints of it. Whoever changes what a game does gives it a new version and
 * keeps the old one; these files then stay as they are, and UPDATE=1 writes only those that
 * are not there.
 */
#define _GNU_SOURCE /* open_memstream */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/cli.h"
#include "tests/support/archives.h"

enum { TURNS = 6, SEED = 11, MOST = 1 << 24 };

static void setup(void)
{
	seal_start();
}

TestSuite(shipped, .init = setup);

static void path_of(const struct rules *rules, const char *ending, struct strbuf *path)
{
	strbuf_clear(path);
	strbuf_addf(path, "tests/verify/archives/%s-%u.%s", rules->name, rules->version,
	            ending);
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
	path_of(rules, "txt", &path);
	write_new(path.ptr, strbuf_span(&text));
	add_replay(path.ptr, &shown);
	path_of(rules, "replay", &path);
	write_new(path.ptr, strbuf_span(&shown));
	strbuf_release(&text);
	strbuf_release(&path);
	strbuf_release(&shown);
	played_release(&p);
}

static void expect_the_same(const struct rules *rules)
{
	struct strbuf text = STRBUF_INIT, path = STRBUF_INIT, shown = STRBUF_INIT,
		      expected = STRBUF_INIT;
	struct archive_report report;

	path_of(rules, "replay", &path);
	read_text(path.ptr, &expected);
	path_of(rules, "txt", &path);
	read_text(path.ptr, &text);
	archive_verify(strbuf_span(&text), NULL, NULL, &report);
	cr_assert_eq(report.verdict, ARCHIVE_SIGNED, "%s, line %u: %s", path.ptr, report.line,
	             report.why.ptr);
	add_replay(path.ptr, &shown);
	cr_assert_str_eq(shown.ptr, expected.ptr, "%s is shown otherwise than it was",
	                 path.ptr);
	archive_report_release(&report);
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
