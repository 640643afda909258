/*
 * test_word_lists.c - a game in which words are looked up, on a server whose list changes or goes
 * away; and that what a refusal shows as an example works.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "processor/archive/archive.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "tests/support/scratch.h"
#include "tests/support/testbed.h"

enum { LIST_MAX = 1 << 20, DAY = 86400 };

static void put_list(const struct testbed *s, const char *more)
{
	char *path = testbed_path(s, "words");
	struct strbuf text = STRBUF_INIT;

	cr_assert_eq(file_read("tests/support/words/small", LIST_MAX, &text, NULL), ERR_NONE);
	strbuf_adds(&text, more);
	unlink(path);
	cr_assert_eq(file_create(path, strbuf_span(&text), NULL), ERR_NONE);
	strbuf_release(&text);
	free(path);
}

static void drop_list(const struct testbed *s)
{
	char *path = testbed_path(s, "words");

	cr_assert_eq(unlink(path), 0);
	free(path);
}

/* Ann and Bob at B1, with a list in the server's folder, and words behind it. */
static struct testbed *start_with(const char *more)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("lists");
	testbed_configure(s, "wordlist = american words");
	put_list(s, more);
	testbed_write(s, "ann", "create martian boggle");
	testbed_write(s, "bob", "join martian boggle");
	testbed_run(s);
	return s;
}

static struct testbed *start(void)
{
	return start_with("");
}

static const char *mover(const struct testbed *s)
{
	return testbed_find(s, "ann", "orders due") ? "ann" : "bob";
}

/* The letters under the mover's pieces as they stand, as if they were a word. */
static void letters_of(const struct testbed *s, char word[6])
{
	char lead[64];
	const char *at;

	snprintf(lead, sizeof lead, "Under the pieces of %s: ", mover(s));
	at = strstr(testbed_find(s, mover(s), "orders due")->text, lead);
	cr_assert(at);
	for (unsigned i = 0; i < 5; i++) {
		char letter = at[strlen(lead) + 2 * i];

		word[i] = letter == '?' ? 'E' : letter;
	}
	word[5] = '\0';
}

/* Lines of the answer as one, so that wrapping does not matter. */
static bool is_told(const struct testbed *s, const char *what)
{
	const char *text = testbed_last(s, mover(s))->text;

	for (; *text; text++) {
		size_t i = 0;

		while (what[i] && (text[i] == what[i] || (text[i] == '\n' && what[i] == ' ')))
			i++;
		if (!what[i])
			return true;
	}
	return false;
}

static void expect_answer(struct testbed *s, const char *orders, const char *told)
{
	testbed_reply(s, mover(s), orders);
	testbed_run(s);
	cr_expect(is_told(s, told), "\"%s\" is answered\n%s", orders,
	          testbed_last(s, mover(s))->text);
}

Test(word_lists, a_game_goes_on_with_the_list_it_began_with_and_no_other)
{
	struct testbed *s = start();
	char orders[32], word[6];

	letters_of(s, word);
	snprintf(orders, sizeof orders, "check\nspell %s", word);
	expect_answer(s, orders, "is not in the list.");
	put_list(s, "more\n");
	expect_answer(s, orders, "is not on this server now, so no word can be looked up.");
	drop_list(s);
	expect_answer(s, orders, "is not on this server now, so no word can be looked up.");
	expect_answer(s, "check\npass", "Only checked, as you asked: the turn still waits");
	put_list(s, "");
	expect_answer(s, orders, "is not in the list.");
	testbed_free(s);
}

/* What the mover stands on, as a line of a list; the same in a game begun in the same way. */
static void first_letters(char line[7])
{
	struct testbed *s = start();

	letters_of(s, line);
	for (unsigned i = 0; i < 5; i++)
		line[i] = (char)(line[i] - 'A' + 'a');
	line[5] = '\n';
	line[6] = '\0';
	testbed_free(s);
}

Test(word_lists, an_archive_with_words_verifies_where_there_is_no_list)
{
	struct strbuf archive = STRBUF_INIT;
	char line[7], orders[16];
	struct testbed *s;

	first_letters(line);
	s = start_with(line);
	snprintf(orders, sizeof orders, "spell %.5s", line);
	const char *next = strcmp(mover(s), "ann") == 0 ? "bob" : "ann";
	testbed_reply(s, mover(s), orders);
	testbed_run(s);
	drop_list(s);
	testbed_reply(s, next, "resign");
	testbed_run(s);
	testbed_archive(s, "b1", &archive);
	cr_assert(strstr(archive.ptr, "ended over"), "%s", archive.ptr);
	cr_assert(strstr(archive.ptr, "option list="));
	cr_assert_null(strstr(archive.ptr, "option list=none"));
	cr_assert(strstr(archive.ptr, " SPELL "), "%s", archive.ptr);
	cr_expect_eq(testbed_verify(s, strbuf_span(&archive)), 0);
	put_list(s, "more\n");
	cr_expect_eq(testbed_verify(s, strbuf_span(&archive)), 0, "with another list");
	strbuf_release(&archive);
	testbed_free(s);
}

/*
 * What the server played in a game with words, for a bot and as a fallback, is what verify works out again
 * with the list, and is not checked without it or with another one.
 */
Test(word_lists, what_a_bot_did_with_its_list_is_worked_out_again)
{
	struct strbuf archive = STRBUF_INIT, words = STRBUF_INIT;
	struct archive_report none, right, other;
	struct table list = {.name = "american"};
	const struct tables tables = {&list, 1};
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("bots");
	testbed_configure(s, "wordlist = american words");
	put_list(s, "");
	testbed_write(s, "ann", "create martian boggle bots 1 maxturns=4");
	testbed_run(s);
	testbed_reply(s, "ann", "set fallback bot");
	testbed_wait(s, 40 * DAY);
	testbed_run(s);
	for (unsigned i = 0; i < 8; i++) {
		testbed_wait(s, 10 * DAY);
		testbed_run(s);
	}
	testbed_archive(s, "b1", &archive);
	cr_assert(strstr(archive.ptr, "\nended "), "%s", archive.ptr);
	archive_verify(strbuf_span(&archive), NULL, NULL, &none);
	cr_expect(archive_holds(&none) && none.bots == 0);
	cr_expect_gt(none.unchecked_bots, 3);
	cr_assert_eq(file_read("tests/support/words/small", LIST_MAX, &words, NULL), ERR_NONE);
	list.text = strbuf_span(&words);
	list.hash = hash_of(list.text);
	archive_verify_tables(&tables, strbuf_span(&archive), NULL, NULL, &right);
	cr_expect(archive_holds(&right), "line %u: %s", right.line, right.why.ptr);
	cr_expect(right.bots == none.unchecked_bots && right.unchecked_bots == 0);
	list.text = span_slice(list.text, 0, list.text.len / 2);
	list.hash = hash_of(list.text);
	archive_verify_tables(&tables, strbuf_span(&archive), NULL, NULL, &other);
	cr_expect(archive_holds(&other) && other.unchecked_bots == none.unchecked_bots);
	archive_report_release(&none);
	archive_report_release(&right);
	archive_report_release(&other);
	strbuf_release(&archive);
	strbuf_release(&words);
	testbed_free(s);
}

/* Sends back, for checking only, each line that the last answer gives as one that would work. */
static void try_examples(struct testbed *s, const char *mistake)
{
	const char *at = testbed_last(s, mover(s))->text;
	unsigned tried = 0;

	while ((at = strstr(at, "\n  | ")) != NULL) {
		struct strbuf text = STRBUF_INIT;
		struct testbed *copy = testbed_clone(s);

		at += strlen("\n  | ");
		strbuf_addf(&text, "check\n%.*s", (int)strcspn(at, "\n"), at);
		testbed_reply(copy, mover(copy), text.ptr);
		testbed_run(copy);
		cr_expect_null(
		    strstr(testbed_last(copy, mover(copy))->subject, "not carried out"),
		    "after \"%s\" the example does not work: %s", mistake, text.ptr);
		strbuf_release(&text);
		testbed_free(copy);
		tried++;
	}
	if (!strstr(testbed_last(s, mover(s))->subject, "did you mean"))
		cr_expect_gt(tried, 0, "\"%s\" is answered without any example", mistake);
}

Test(word_lists, examples_in_refusals_work)
{
	static const char *const mistakes[] = {"move a1",
	                                       "move z1 z2",
	                                       "move c3 c4",
	                                       "mvoe a1 a2",
	                                       "pas a1",
	                                       "spell phials",
	                                       "spel phial",
	                                       "pass\nmove a1 a2",
	                                       "pass now",
	                                       "resign please",
	                                       "move a1 a1",
	                                       "spell zzzzz",
	                                       "move a1 e5\nmove b1 b5",
	                                       "spell",
	                                       "move a5 a5",
	                                       "move a1 a2\nmove a2 a3",
	                                       "move a5 a4\nmove a4 a3",
	                                       "move a1 d4\nmove d4 e2",
	                                       "move a5 d2\nmove d2 e4"};
	struct testbed *s = start();

	for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
		testbed_reply(s, mover(s), mistakes[i]);
		testbed_run(s);
		cr_expect(strstr(testbed_last(s, mover(s))->subject, "not carried out") ||
		              strstr(testbed_last(s, mover(s))->subject, "did you mean"),
		          "\"%s\": %s", mistakes[i], testbed_last(s, mover(s))->subject);
		try_examples(s, mistakes[i]);
	}
	testbed_free(s);
}
