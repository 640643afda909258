/*
 * test_browser.c - pages of `molepost replay --html`, leafed through in a real browser.
 *
 * What is looked at stands in check_page.py. SHOTS=FOLDER keeps pictures of all games there,
 * for a person to look at. Without a Chromium these tests are skipped.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/base/subprocess.h"
#include "processor/replay/replay.h"
#include "tests/support/archives.h"
#include "tests/support/scratch.h"

#define CHECK_PAGE "tests/e2e/check_page.py"

static const char browser[] = "/usr/bin/chromium";
enum { SEED = 8, TURNS = 24, MOST = 1 << 26, PATIENCE_MS = 500 * 1000 };

static void setup(void)
{
	seal_start();
	scratch_in_memory();
}

TestSuite(browser, .init = setup, .timeout = 600);

#define NEEDS_BROWSER                                                       \
	do {                                                                \
		if (access(browser, X_OK) != 0)                             \
			cr_skip_test("skipped: Chromium is not installed"); \
	} while (0)

/* The program, or what checks pages: what it prints goes to `out`. */
static void expect_done(const char *const argv[], struct strbuf *out)
{
	struct failure e = ERR_INIT;
	int code = -1;

	cr_assert_eq(subprocess_run(argv, SPAN_EMPTY, MOST, PATIENCE_MS, out, &code, &e),
	             ERR_NONE, "%s: %s", argv[0], e.text.ptr);
	cr_assert_eq(code, 0, "%s: exit code %d", argv[0], code);
}

static void put(const char *path, struct span text)
{
	struct failure e = ERR_INIT;

	cr_assert_eq(file_create(path, text, &e), ERR_NONE, "%s", e.text.ptr);
}

static void leaf_through(const struct record *r, const struct keyring *keys)
{
	const char *build = env_get("MOLEPOST_BUILD"), *shots = env_get("SHOTS");
	char *dir = scratch_new(), *program = scratch_path(build ? build : "build", "molepost");
	char *archive = scratch_path(dir, "archive.txt"),
	     *page = scratch_path(dir, "page.html");
	char *json = scratch_path(dir, "game.json");
	struct strbuf text = STRBUF_INIT;

	archive_write(r, keys, &text);
	put(archive, strbuf_span(&text));
	strbuf_clear(&text);
	expect_done((const char *const[]){program, "replay", "--html", page, "--chances",
	                                  archive, NULL},
	            &text);
	expect_done((const char *const[]){program, "replay", "--json", archive, NULL}, &text);
	put(json, strbuf_span(&text));
	expect_done((const char *const[]){CHECK_PAGE, browser, page, json, shots, NULL}, &text);
	strbuf_release(&text);
	free(archive);
	free(page);
	free(json);
	free(program);
	scratch_remove(dir);
}

static void leaf_through_game(const char *name)
{
	const struct rules *rules = rules_find(span_of(name));
	struct played p;

	played_game(&p, rules, rules->usual_seats, TURNS, SEED);
	leaf_through(&p.record, p.keys);
	played_release(&p);
}

/* A page that is attached to a mail is a fair size, also of a long game with many views. */
Test(browser, sixty_turns_are_less_than_500_kb)
{
	static const char *const names[] = {"whakka-mole", "mole-park", "martian-boggle",
	                                    "mole", "mole-majority"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const struct rules *rules = rules_find(span_of(names[i]));
		struct failure e = ERR_INIT;
		struct strbuf text = STRBUF_INIT, page = STRBUF_INIT;
		struct archive *archive;
		struct played p;

		played_game(&p, rules, rules->usual_seats, 60, SEED);
		archive_write(&p.record, p.keys, &text);
		cr_assert_eq(archive_open(strbuf_span(&text), &archive, &e), ERR_NONE);
		replay_html(archive, NULL, NULL, &page);
		cr_expect_lt(page.len, 500000, "%s: %zu bytes", names[i], page.len);
		archive_free(archive);
		played_release(&p);
		strbuf_release(&text);
		strbuf_release(&page);
	}
}

Test(browser, whakka_mole_is_leafed_through)
{
	NEEDS_BROWSER;
	leaf_through_game("whakka-mole");
}

Test(browser, mole_park_is_leafed_through)
{
	NEEDS_BROWSER;
	leaf_through_game("mole-park");
}

Test(browser, martian_boggle_is_leafed_through)
{
	NEEDS_BROWSER;
	leaf_through_game("martian-boggle");
}

Test(browser, mole_is_leafed_through)
{
	NEEDS_BROWSER;
	leaf_through_game("mole");
}

Test(browser, mole_majority_is_leafed_through)
{
	NEEDS_BROWSER;
	leaf_through_game("mole-majority");
}

Test(browser, a_running_game_whose_positions_are_hidden_is_leafed_through)
{
	const struct rules *rules = rules_find(SPAN_LIT("mole park"));
	struct played p;
	struct record r;

	NEEDS_BROWSER;
	played_game(&p, rules, rules->usual_seats, TURNS, SEED);
	r = played_until(&p, 5);
	leaf_through(&r, p.keys);
	played_release(&p);
}
