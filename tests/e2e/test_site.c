/*
 * test_site.c - `molepost site`: pages of a server for everybody, made anew where something has happened.
 *
 * What is looked at in the pages, as text and in a real browser, stands in check_site.py. SHOTS=FOLDER keeps
 * pictures there.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/base/seal.h"
#include "processor/base/subprocess.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

#define CHECK_SITE "tests/e2e/check_site.py"

static const char browser[] = "/usr/bin/chromium";
enum { DAY_S = 24 * 3600, MOST = 1 << 24, PATIENCE_MS = 500 * 1000 };

static void setup(void)
{
	seal_start();
	scratch_in_memory();
}

TestSuite(site, .init = setup, .timeout = 600);

/* TESTBED-FOLDER/www/NAME, free with free(). */
static char *page_path(const struct testbed *s, const char *name)
{
	char *www = testbed_path(s, "www"), *path = scratch_path(www, name);

	free(www);
	return path;
}

static void write_site(struct testbed *s, int code, const char *said)
{
	char *www = testbed_path(s, "www");
	struct strbuf words = STRBUF_INIT;

	strbuf_addf(&words, "site %s", www);
	expect(s, words.ptr, code, said);
	strbuf_release(&words);
	free(www);
}

static bool page_has(const struct testbed *s, const char *name, const char *text)
{
	char *path = page_path(s, name);
	struct strbuf page = STRBUF_INIT;
	struct failure e = ERR_INIT;
	bool has = file_read(path, MOST, &page, &e) == ERR_NONE &&
	           strstr(page.ptr, text) != NULL;

	strbuf_release(&page);
	err_release(&e);
	free(path);
	return has;
}

/* 0: there is no such file. Written anew, a file is another one. */
static ino_t inode_of(const struct testbed *s, const char *name)
{
	char *path = page_path(s, name);
	struct stat st;
	ino_t inode = stat(path, &st) == 0 ? st.st_ino : 0;

	free(path);
	return inode;
}

/* A game of any kind: ann makes it, the others join it by its number. */
static void found(struct testbed *s, const char *create, const char *game, const char *other,
                  const char *third)
{
	struct strbuf text = STRBUF_INIT;

	testbed_write(s, "ann", create);
	testbed_run(s);
	strbuf_addf(&text, "join %s", game);
	testbed_write(s, other, text.ptr);
	if (third)
		testbed_write(s, third, text.ptr);
	testbed_run(s);
	strbuf_release(&text);
}

/* Orders for turn 1 of W<game>, by answer to its first report. */
static void order(struct testbed *s, unsigned game, const char *who)
{
	char subject[16];

	(void)snprintf(subject, sizeof(subject), "[W%u turn 1]", game);
	testbed_reply_to(s, who, testbed_find(s, who, subject), "popup 1 2; whack 3");
}

Test(site, a_run_that_changed_two_games_is_the_pages_of_two_games)
{
	enum { GAMES = 5 };
	struct testbed *s = testbed_new("site");
	ino_t was[GAMES + 1][3];
	char name[32];
	static const char *const ends[] = {"html", "xml", "txt"};

	/* Nobody takes many seats a day without a proof. */
	for (unsigned game = 1; game <= GAMES; game++)
		table_begin(s, game == 2 || game == 4 ? "ann bob"
		               : game < 4             ? "cy dan"
		                                      : "eve fay");
	write_site(s, 0, NULL);
	for (unsigned game = 1; game <= GAMES; game++)
		for (size_t end = 0; end < 3; end++) {
			(void)snprintf(name, sizeof(name), "games/W%u.%s", game, ends[end]);
			was[game][end] = inode_of(s, name);
			cr_expect_neq(was[game][end], 0, "%s", name);
		}
	ino_t ratings = inode_of(s, "ratings.html"), index = inode_of(s, "index.html");
	order(s, 2, "ann");
	order(s, 2, "bob");
	order(s, 4, "ann");
	order(s, 4, "bob");
	order(s, 5, "eve");
	testbed_run(s);
	write_site(s, 0, NULL);
	for (unsigned game = 1; game <= GAMES; game++)
		for (size_t end = 0; end < 3; end++) {
			(void)snprintf(name, sizeof(name), "games/W%u.%s", game, ends[end]);
			cr_expect_eq(inode_of(s, name) != was[game][end],
			             game == 2 || game == 4, "%s", name);
		}
	cr_expect_eq(inode_of(s, "ratings.html"), ratings);
	cr_expect_neq(inode_of(s, "index.html"), index);
	testbed_free(s);
}

Test(site, orders_and_messages_of_an_open_turn_change_no_byte)
{
	struct testbed *s = testbed_new("site");

	table_begin(s, "ann bob");
	write_site(s, 0, NULL);
	char *before = fingerprint_of(s, "www"), *after;
	order(s, 1, "ann");
	testbed_reply(s, "bob", "press to ann\nShall we?\nendpress");
	testbed_run(s);
	testbed_write(s, "ann", "always popup 4; whack 5");
	testbed_run(s);
	write_site(s, 0, NULL);
	after = fingerprint_of(s, "www");
	cr_expect_str_eq(before, after);
	free(before);
	free(after);
	testbed_free(s);
}

/* No file below www holds this text. */
static void nowhere(struct testbed *s, const char *text)
{
	char *www = testbed_path(s, "www");
	const char *const argv[] = {"/bin/grep", "-rFl", text, www, NULL};
	struct strbuf out = STRBUF_INIT;
	struct failure e = ERR_INIT;
	int code;

	cr_assert_eq(subprocess_run(argv, SPAN_EMPTY, MOST, PATIENCE_MS, &out, &code, &e),
	             ERR_NONE);
	cr_expect_eq(code, 1, "%s stands in %s", text, out.ptr);
	strbuf_release(&out);
	free(www);
}

Test(site, nothing_personal_and_nothing_private_is_shown)
{
	struct testbed *s = testbed_new("site");

	table_found(s, "ann bob", "create whakka mole \"Open table\" players 2");
	testbed_write(s, "cy",
	              "create whakka mole \"Closed table\" players 2 private key tulip");
	testbed_run(s);
	testbed_write(s, "dan", "join W2 key tulip");
	testbed_run(s);
	testbed_write(s, "ann", "create mole park \"Gathering here\" players 3");
	testbed_write(s, "cy", "create mole park \"Gathering there\" players 3 private");
	testbed_run(s);
	/* Whoever has only typed a name is not named. */
	testbed_configure(s, "unknown_senders = confirm");
	testbed_write(s, "eve", "join W3 as Evelyn");
	testbed_run(s);
	write_site(s, 0, NULL);
	cr_expect(page_has(s, "index.html", "Open table"));
	cr_expect(page_has(s, "index.html", "Gathering here"));
	cr_expect(page_has(s, "games/W1.html", "<bdi>bob</bdi>"));
	cr_expect_eq(inode_of(s, "games/W2.html"), 0);
	nowhere(s, "Closed table");
	nowhere(s, "Gathering there");
	nowhere(s, "Evelyn");
	nowhere(s, "example.net");
	testbed_free(s);
}

Test(site, a_game_is_shown_to_its_end_with_its_record)
{
	struct testbed *s = testbed_new("site");
	struct strbuf record = STRBUF_INIT;
	struct failure e = ERR_INIT;

	table_found(s, "ann bob", "create whakka mole \"<b>&\" players 2 turns=1");
	write_site(s, 0, NULL);
	cr_expect(page_has(s, "games/W1.html", "<p>Orders for the next turn are due "));
	order(s, 1, "ann");
	order(s, 1, "bob");
	testbed_run(s);
	write_site(s, 0, NULL);
	cr_expect(page_has(s, "games/W1.xml", "/W1/end</id>"));
	cr_expect(page_has(s, "ended-2026.html", "share the win"));
	cr_expect(page_has(s, "ended-2026.html", "&lt;b&gt;&amp;"));
	cr_expect(page_has(s, "ratings.html", "<td><bdi>ann</bdi></td>"));
	char *path = page_path(s, "games/W1.txt");
	cr_assert_eq(file_read(path, MOST, &record, &e), ERR_NONE);
	cr_expect_eq(testbed_verify(s, strbuf_span(&record)), 0);
	struct stat st;
	cr_expect_eq(stat(path, &st), 0);
	cr_expect_eq(st.st_mode & 0777, 0644);
	strbuf_release(&record);
	free(path);
	testbed_free(s);
}

/* Puts this file into www. */
static void put(const struct testbed *s, const char *name, const char *text)
{
	char *path = page_path(s, name);
	struct failure e = ERR_INIT;

	(void)unlink(path);
	cr_assert_eq(file_create(path, span_of(text), &e), ERR_NONE, "%s", e.text.ptr);
	free(path);
}

Test(site, pages_of_somebody_else_are_left_alone)
{
	struct testbed *s = testbed_new("site");
	char *www = testbed_path(s, "www");

	table_begin(s, "ann bob");
	cr_assert_eq(mkdir(www, 0755), 0);
	put(s, "index.html", "my own page\n");
	write_site(s, 65, "holds an index.html that is not from here");
	cr_expect(page_has(s, "index.html", "my own page"));
	put(s, "made-from", "molepost site 1 of elsewhere\n");
	write_site(s, 65, "holds the pages of another server");
	cr_expect(page_has(s, "index.html", "my own page"));
	expect(s, "site", 64, "usage");
	free(www);
	testbed_free(s);
}

Test(site, what_is_damaged_in_the_folder_is_mended_and_what_is_no_game_goes)
{
	struct testbed *s = testbed_new("site");
	struct strbuf list = STRBUF_INIT;
	struct failure e = ERR_INIT;

	table_begin(s, "ann bob");
	write_site(s, 0, NULL);
	put(s, "games/W7.html", "of a game that there was");
	/* One game of before, one that leads out of the folder, one that is cut off. */
	char *path = page_path(s, "made-from");
	cr_assert_eq(file_read(path, MOST, &list, &e), ERR_NONE);
	strbuf_truncate(&list, strcspn(list.ptr, "\n"));
	strbuf_adds(&list,
	            "\n7 0000000000000000000000000000000000000000000000000000000000000000 0 "
	            "<a href=\"games/W7.html\">W7</a>\n"
	            "8 0000000000000000000000000000000000000000000000000000000000000000 0 "
	            "<a href=\"games/../index.html\">W8</a>\n9 00");
	put(s, "made-from", list.ptr);
	free(path);
	strbuf_release(&list);
	write_site(s, 0, NULL);
	cr_expect_eq(inode_of(s, "games/W7.html"), 0);
	cr_expect(page_has(s, "index.html", "games/W1.html"));
	cr_expect_not(page_has(s, "made-from", "W7"));
	char *once = fingerprint_of(s, "www"), *twice;
	write_site(s, 0, NULL);
	twice = fingerprint_of(s, "www");
	cr_expect_str_eq(once, twice);
	free(once);
	free(twice);
	testbed_free(s);
}

Test(site, pages_are_valid_and_read_well)
{
	const char *shots = env_get("SHOTS");
	struct testbed *s = testbed_new("site");
	struct strbuf out = STRBUF_INIT;
	struct failure e = ERR_INIT;
	char *www = testbed_path(s, "www");
	int code = -1;

	table_found(s, "ann bob", "create whakka mole players 2 turns=1");
	found(s, "create mole park \"An evening in the park\" players 3", "P2", "bob", "cy");
	found(s, "create mole majority players 2 setup=auto", "J3", "dan", NULL);
	found(s, "create martian boggle players 2", "B4", "eve", NULL);
	testbed_write(s, "jo", "create mole \"For beginners & others\" players 4 bots 1");
	order(s, 1, "ann");
	order(s, 1, "bob");
	testbed_run(s);
	testbed_wait(s, 4 * DAY_S);
	testbed_run(s);
	write_site(s, 0, NULL);
	const char *const argv[] = {CHECK_SITE, access(browser, X_OK) == 0 ? browser : "-", www,
	                            shots, NULL};
	cr_assert_eq(subprocess_run(argv, SPAN_EMPTY, MOST, PATIENCE_MS, &out, &code, &e),
	             ERR_NONE, "%s", e.text.ptr);
	cr_expect_eq(code, 0, "check_site: exit code %d\n%s", code, out.ptr);
	strbuf_release(&out);
	free(www);
	testbed_free(s);
}
