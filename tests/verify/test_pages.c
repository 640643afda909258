/*
 * test_pages.c - `molepost replay --html` and `--json` of all games, read by another program.
 */
#define _GNU_SOURCE /* open_memstream */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/file.h"
#include "processor/base/subprocess.h"
#include "processor/cli/command_line.h"
#include "tests/support/archives.h"
#include "tests/support/scratch.h"

#define CHECK_REPLAY "tests/verify/check-replay.py"

enum { SEED = 8, TURNS = 12, MOST = 1 << 26 };

static void setup(void)
{
	seal_start();
	scratch_in_memory();
}

TestSuite(pages, .init = setup);

struct desk {
	char *dir, *archive, *page, *json;
};

static void put(const char *path, struct span text)
{
	struct failure e = ERR_INIT;

	cr_assert_eq(file_create(path, text, &e), ERR_NONE, "%s", e.text.ptr);
}

static void desk_lay(struct desk *d, const struct record *r, const struct keyring *keys)
{
	struct strbuf text = STRBUF_INIT;

	d->dir = scratch_new();
	d->archive = scratch_path(d->dir, "archive.txt");
	d->page = scratch_path(d->dir, "page.html");
	d->json = scratch_path(d->dir, "game.json");
	archive_write(r, keys, &text);
	put(d->archive, strbuf_span(&text));
	strbuf_release(&text);
}

static void desk_clear(struct desk *d)
{
	free(d->archive);
	free(d->page);
	free(d->json);
	scratch_remove(d->dir);
}

/* replay OPTION [VALUE] ARCHIVE; what it prints goes to `path` when that is not NULL. */
static int replay(struct desk *d, const char *option, const char *value, const char *path)
{
	char *argv[] = {strdup("replay"), strdup(option), strdup(value ? value : d->archive),
	                value ? d->archive : NULL};
	char *out = NULL, *err = NULL;
	size_t len, err_len;
	struct cli cli = {.in = stdin, .out = open_memstream(&out, &len)};
	int code;

	cli.log.out = open_memstream(&err, &err_len);
	code = cmd_replay(&cli, value ? 4 : 3, argv);
	fclose(cli.out);
	fclose(cli.log.out);
	if (path != NULL)
		put(path, (struct span){out, len});
	for (int i = 0; i < 3; i++)
		free(argv[i]);
	free(out);
	free(err);
	return code;
}

static void expect_good(struct desk *d, const char *kind)
{
	const char *const argv[] = {CHECK_REPLAY, d->page, d->json, NULL};
	struct strbuf out = STRBUF_INIT;
	struct failure e = ERR_INIT;
	int code = -1;

	cr_assert_eq(replay(d, "--html", d->page, NULL), EXIT_DONE);
	cr_assert_eq(replay(d, "--json", NULL, d->json), EXIT_DONE);
	cr_assert_eq(subprocess_run(argv, SPAN_EMPTY, MOST, 60000, &out, &code, &e), ERR_NONE,
	             "%s", e.text.ptr);
	cr_assert_eq(code, 0, "%s", kind);
	strbuf_release(&out);
}

Test(pages, a_finished_game_of_every_kind_becomes_a_page_that_stands_alone)
{
	for (size_t i = 0; i < rules_count(); i++) {
		struct played p;
		struct desk d;

		if (!archives_is_played(rules_at(i)))
			continue;
		played_game(&p, rules_at(i), rules_at(i)->usual_seats, TURNS, SEED);
		desk_lay(&d, &p.record, p.keys);
		expect_good(&d, rules_at(i)->name);
		desk_clear(&d);
		played_release(&p);
	}
}

Test(pages, of_a_running_game_only_what_everybody_may_see_is_written)
{
	struct strbuf page = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct played p;
	struct record r;
	struct desk d;

	played_game(&p, rules_find(SPAN_LIT("whakka mole")), 3, 6, SEED);
	r = played_until(&p, 4);
	desk_lay(&d, &r, p.keys);
	expect_good(&d, "whakka mole, running");
	cr_assert_eq(file_read(d.page, MOST, &page, &e), ERR_NONE);
	cr_assert_null(strstr(page.ptr, "As seen by Ann"));
	cr_assert_not_null(strstr(page.ptr, "This game is still running"));
	strbuf_release(&page);
	desk_clear(&d);
	played_release(&p);
}

Test(pages, a_file_that_is_there_is_not_overwritten)
{
	struct played p;
	struct desk d;

	played_game(&p, rules_find(SPAN_LIT("whakka mole")), 3, 2, SEED);
	desk_lay(&d, &p.record, p.keys);
	cr_assert_eq(replay(&d, "--html", d.archive, NULL), EXIT_DATA);
	cr_assert_eq(replay(&d, "--html", d.page, NULL), EXIT_DONE);
	desk_clear(&d);
	played_release(&p);
}
