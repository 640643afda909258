/*
 * test_key.c - `molepost key`: a new key while games are played, and keys on paper.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "processor/base/seal.h"
#include "tests/support/crowd.h"
#include "tests/support/table.h"

/* The word behind "key " in the archive of a game. */
static char *key_of(struct testbed *s, const char *game)
{
	struct strbuf text = STRBUF_INIT;

	testbed_archive(s, game, &text);
	char *key = word_behind(text.ptr, "\nkey ");
	strbuf_release(&text);
	return key;
}

static void expect_signed(struct testbed *s, const char *game, const char *key, int code)
{
	struct strbuf text = STRBUF_INIT, words = STRBUF_INIT;
	char *path = testbed_path(s, "archive");
	FILE *f = fopen(path, "w");

	testbed_archive(s, game, &text);
	cr_assert(f && fwrite(text.ptr, 1, text.len, f) == text.len && fclose(f) == 0);
	strbuf_addf(&words, "verify --key %s %s", key, path);
	expect_code(s, words.ptr, code);
	strbuf_release(&words);
	strbuf_release(&text);
	free(path);
}

Test(key, is_changed_while_a_game_is_played_that_goes_on_with_its_own)
{
	struct testbed *s = testbed_new("rotate");
	const struct post *before;
	char *old, *new;

	table_begin(s, "ann bob");
	before = testbed_last(s, "bob");
	old = key_of(s, "W1");
	expect(s, "key check", 0, "games: 1, not over: 1  (new games)");
	expect(s, "key rotate", 0, "Key 2 is made.");
	expect(s, "key check", 0, "games: 1, not over: 1\nkey 2");
	expect_sound(s);
	/* The reply address of before is good, and the receipt is signed with the old key. */
	testbed_reply_to(s, "bob", before, "popup 4");
	testbed_run(s);
	testbed_mail(s, &(struct mail_written){.who = "bob",
	                                       .subject = "verify",
	                                       .text = testbed_last(s, "bob")->proof});
	testbed_run(s);
	cr_expect_not_null(strstr(testbed_last(s, "bob")->subject, "the receipt is genuine"),
	                   "%s\n%s", testbed_last(s, "bob")->subject,
	                   testbed_last(s, "bob")->text);
	testbed_reply(s, "ann", "popup 3");
	testbed_run(s);
	cr_expect_eq(crowd_number(s, "SELECT serial FROM games WHERE id = 1"), 2);
	/* A new game has the new one. */
	testbed_write(s, "cleo", "create whakka mole players 2");
	testbed_write(s, "dora", "join w2");
	testbed_run(s);
	new = key_of(s, "W2");
	cr_expect_str_neq(old, new);
	cr_expect_not_null(strstr(testbed_find(s, "cleo", "you are in")->proof, new));
	expect_signed(s, "W2", new, 0);
	expect_signed(s, "W2", old, 65);
	expect_signed(s, "W1", old, 0);
	expect_signed(s, "W1", new, 65);
	expect_sound(s);
	expect(s, "doctor", 0, "All is well");
	free(old);
	free(new);
	testbed_free(s);
}

/* A reply address of before is of no use once no game of before is played. */
Test(key, of_before_makes_no_reply_address_good_when_its_games_are_over)
{
	struct testbed *s = testbed_new("retire");
	struct testbed *other;
	const struct post *question;

	table_begin(s, "ann bob");
	testbed_write(s, "ann", "i am also anneliese@example.net");
	testbed_run(s);
	question = testbed_last(s, "anneliese");
	other = testbed_clone(s);
	expect(s, "key rotate", 0, "");
	testbed_reply_to(s, "anneliese", question, "yes");
	testbed_run(s);
	cr_expect_eq(crowd_number(s, "SELECT address_yes FROM confirmations"), 1,
	             "W1 is played");
	testbed_free(s);

	expect(other, "key rotate", 0, "");
	testbed_reply_to(other, "ann", testbed_find(other, "ann", "turn 1"), "resign");
	testbed_reply_to(other, "bob", testbed_find(other, "bob", "turn 1"), "popup 3");
	testbed_run(other);
	expect(other, "game list", 0, "over");
	testbed_reply_to(other, "anneliese", testbed_find(other, "anneliese", ""), "yes");
	testbed_run(other);
	cr_expect_eq(crowd_number(other, "SELECT address_yes FROM confirmations"), 0,
	             "no game is");
	testbed_free(other);
}

/* ---- copies that are too old ---- */

static void copy(const char *from, const char *to)
{
	struct strbuf words = STRBUF_INIT;

	strbuf_addf(&words, "cp -p '%s' '%s'", from, to);
	cr_assert_eq(system(words.ptr), 0);
	strbuf_release(&words);
}

Test(key, file_of_before_a_rotation_is_refused)
{
	struct testbed *s = testbed_new("old copy");
	char *file = testbed_path(s, "molepost.key"), *kept = testbed_path(s, "kept.key");

	table_begin(s, "ann bob");
	copy(file, kept);
	expect(s, "key rotate", 0, "");
	testbed_write(s, "cleo", "create whakka mole players 2");
	testbed_run(s);
	cr_assert_eq(rename(kept, file), 0);
	expect(s, "run", 78, "a copy from before `molepost key rotate`");
	expect(s, "doctor", 78, "key 2 is not in it");
	free(kept);
	free(file);
	testbed_free(s);
}

/* The file is there at any moment, the old one or the new one: killed at each step in turn. */
Test(key, rotation_can_be_killed)
{
	bool killed = true;
	unsigned n;

	for (n = 1; killed && n < 40; n++) {
		struct testbed *s = testbed_new("killed rotation");
		char setting[64];
		struct ran r;

		(void)snprintf(setting, sizeof(setting), "MOLEPOST_TEST_STOP_AT=%u", n);
		const char *const env[] = {setting, NULL};
		testbed_do(s, "key rotate", env, &r);
		killed = r.signal == SIGKILL;
		ran_release(&r);
		expect(s, "run", 0, NULL);
		expect(s, "key rotate", 0, " is made.");
		expect(s, "doctor", 0, "All is well");
		expect_sound(s);
		testbed_free(s);
	}
	cr_expect(n > 4 && n < 40, "%u steps", n);
}

/* An archive of ours that comes back is signed with the key it was made with, not the newest. */
Test(key, of_an_archive_that_is_taken_back_is_its_own)
{
	struct testbed *s = testbed_new("taken back"), *other = testbed_new("other");
	char *file = testbed_path(s, "molepost.key"),
	     *theirs = testbed_path(other, "molepost.key");
	char *path = testbed_path(other, "w1.archive");
	struct strbuf text = STRBUF_INIT, words = STRBUF_INIT;

	table_begin(s, "ann bob");
	table_order(s, "ann bob");
	testbed_run(s);
	testbed_reply(s, "ann", "resign");
	testbed_reply(s, "bob", "popup 3");
	testbed_run(s);
	expect(s, "key rotate", 0, "");
	testbed_archive(s, "W1", &text);
	copy(file, theirs);
	crowd_sql(other, "UPDATE server SET key_check = NULL; DELETE FROM keys");
	FILE *f = fopen(path, "w");
	cr_assert(f && fwrite(text.ptr, 1, text.len, f) == text.len && fclose(f) == 0);
	strbuf_addf(&words, "import %s", path);
	expect(other, words.ptr, 0, "W1");
	cr_expect_eq(crowd_number(other, "SELECT key FROM games"), 1);
	expect_sound(other);
	strbuf_release(&words);
	strbuf_release(&text);
	free(path);
	free(theirs);
	free(file);
	testbed_free(other);
	testbed_free(s);
}

/* ---- paper ---- */

Test(key, comes_back_from_words_on_paper)
{
	struct testbed *s = testbed_new("paper");
	char *words, *file = testbed_path(s, "molepost.key"),
		     *kept = testbed_path(s, "kept.key");
	char *paper = testbed_path(s, "paper");

	table_begin(s, "ann bob");
	expect(s, "key rotate", 0, "");
	words = output_of(s, "key export --words");
	cr_expect_eq(strncmp(words, "key 1\n 1 ", 9), 0, "%s", words);
	cr_expect_not_null(strstr(words, "\nkey 2\n 1 "));
	FILE *f = fopen(paper, "w");
	cr_assert(f && fputs(words, f) >= 0 && fclose(f) == 0);
	s->input = paper;
	expect(s, "key import --words", 65, "molepost.key");
	cr_assert_eq(rename(file, kept), 0);
	expect(s, "key import --words", 0, "holds every key that this database needs");
	struct strbuf same = STRBUF_INIT;
	strbuf_addf(&same, "cmp '%s' '%s'", file, kept);
	cr_expect_eq(system(same.ptr), 0);
	strbuf_release(&same);
	s->input = NULL;
	testbed_reply(s, "bob", "popup 4");
	testbed_run(s);
	expect_sound(s);
	expect(s, "key", 64, "usage");
	expect(s, "key export", 64, "usage");
	free(words);
	free(paper);
	free(file);
	free(kept);
	testbed_free(s);
}

/* A file of a server that is older than these words has a second secret for each key. */
Test(key, file_of_before_there_were_words_goes_on_paper_too)
{
	struct testbed *s = testbed_new("older file");
	char *file = testbed_path(s, "molepost.key"), *paper = testbed_path(s, "paper"), *words,
	     *again;
	static const char text[] =
	    "molepost key file 1\n"
	    "master 1b7b45e2c5f0b8a1f9d2a1b4b8a0b6d5c4e3f2a1908f7e6d5c4b3a2918f7e6d5\n"
	    "sign 2b7b45e2c5f0b8a1f9d2a1b4b8a0b6d5c4e3f2a1908f7e6d5c4b3a2918f7e6d5\n"
	    "check ";
	FILE *f = fopen(file, "w");

	cr_assert(f && fputs(text, f) >= 0);
	struct strbuf sum = STRBUF_INIT;
	struct hash master, sign;
	struct hasher h;
	seal_start();
	cr_assert(
	    hash_parse(SPAN_LIT("1b7b45e2c5f0b8a1f9d2a1b4b8a0b6d5c4e3f2a1908f7e6d5c4b3a2918f7"
	                        "e6d5"),
	               &master));
	cr_assert(
	    hash_parse(SPAN_LIT("2b7b45e2c5f0b8a1f9d2a1b4b8a0b6d5c4e3f2a1908f7e6d5c4b3a2918f7"
	                        "e6d5"),
	               &sign));
	hasher_start(&h);
	hasher_add(&h, SPAN_LIT("molepost/1 key file\n"));
	hasher_add(&h, hash_span(&master));
	hasher_add(&h, hash_span(&sign));
	struct hash check = hasher_end(&h);
	hash_add_hex(&sum, &check);
	cr_assert(fprintf(f, "%s\n", sum.ptr) > 0 && fclose(f) == 0);
	words = output_of(s, "key export --words");
	cr_expect_not_null(strstr(words, "key 1, second part\n"), "%s", words);
	f = fopen(paper, "w");
	cr_assert(f && fputs(words, f) >= 0 && fclose(f) == 0);
	cr_assert_eq(unlink(file), 0);
	s->input = paper;
	/* It is not the key of this database, of which it says so. */
	expect(s, "key import --words", 78, "not the one that database");
	s->input = NULL;
	again = output_of(s, "key export --words");
	cr_expect_str_eq(again, words);
	strbuf_release(&sum);
	free(again);
	free(words);
	free(paper);
	free(file);
	testbed_free(s);
}
