/*
 * test_provenance.c - what the record says of who gave orders: that their mail quoted the four words of the
 * last report, by whom it was signed, that they run the server. Worked out anew from the mails, as
 * molepost-archive(5) says it.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "processor/archive/archive.h"
#include "processor/base/seal.h"
#include "tests/support/table.h"

enum { DAY_S = 24 * 3600 };

static const char signed_by_example[] =
    "Authentication-Results: mx.example.org; dkim=pass header.d=example.net header.s=s1\n"
    "DKIM-Signature: v=1; a=rsa-sha256; d=lists.example.com; s=other; b=AAAA\n"
    "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=Example.net; s=S1;\n"
    " h=from:to; bh=abc=; b=dzdVyOfAKCdLXdJOc9G2q8LoXSlEniSb\n"
    " av+yuU4zGeeruD00lszZ\n";

/* "amber-otter-seven-lake", as the last mail to this person has them; free with free(). */
static char *words_shown_to(const struct testbed *s, const char *who)
{
	return word_behind(testbed_last(s, who)->proof, "\n words  ");
}

static void answer(struct testbed *s, const char *who, const char *header, const char *text)
{
	const struct post *last = testbed_last(s, who);

	testbed_mail(s, &(struct mail_written){.who = who,
	                                       .to = last->reply_to,
	                                       .in_reply_to = last->message_id,
	                                       .more_header = header,
	                                       .text = text});
}

static void expect_line(struct testbed *s, const char *line, bool there)
{
	struct strbuf archive = STRBUF_INIT;

	testbed_archive(s, "W1", &archive);
	cr_expect_eq(strstr(archive.ptr, line) != NULL, there, "%s\n%s", line, archive.ptr);
	cr_expect_eq(testbed_verify(s, strbuf_span(&archive)), 0);
	strbuf_release(&archive);
}

Test(provenance, words_of_the_last_report_that_a_mail_quotes_are_in_the_record)
{
	struct testbed *s = table_of_two("provenance", "create whakka mole players 2 next 1D");
	char *words = words_shown_to(s, "bob"), *later;
	struct strbuf text = STRBUF_INIT;

	seal_start();
	/* Quoted, and broken into two lines by the mail program. */
	strbuf_addf(&text, "popup 1; whack 2\n\n> for the game so far.\n>  words  %.*s\n> %s\n",
	            (int)(strchr(words, '-') - words + 1), words, strchr(words, '-') + 1);
	answer(s, "bob", NULL, text.ptr);
	answer(s, "ann", NULL, "popup 1; whack 2\n");
	testbed_run(s);
	strbuf_clear(&text);
	strbuf_addf(&text, "\nanswered 2 1 %s\n", words);
	expect_line(s, text.ptr, true);
	expect_line(s, "\nanswered 1 ", false);
	/* The old words again, which are not those of turn 1. */
	later = words_shown_to(s, "bob");
	cr_expect_str_neq(words, later);
	strbuf_clear(&text);
	strbuf_addf(&text, "popup 1; whack 2\n\nI was shown %s\n", words);
	answer(s, "bob", NULL, text.ptr);
	answer(s, "ann", NULL, "popup 1; whack 2\n");
	testbed_run(s);
	strbuf_clear(&text);
	strbuf_addf(&text, "\nanswered 2 1 %s\n", later);
	expect_line(s, text.ptr, false);
	strbuf_release(&text);
	free(words);
	free(later);
	testbed_free(s);
}

/* The digest of a line "dkim", from the tags of the signature. */
static void add_dkim_line(struct strbuf *out, const char *how, const char *signed_text)
{
	struct hash hash = hash_of(span_of(signed_text));

	strbuf_addf(out, "\ndkim 2 1 %s ", how);
	hash_add_hex(out, &hash);
	strbuf_addc(out, '\n');
}

Test(provenance, the_signature_of_the_senders_domain_is_in_the_record_and_not_the_domain)
{
	static const char tags[] = "molepost/2 dkim\nexample.net\ns1\n"
				   "dzdVyOfAKCdLXdJOc9G2q8LoXSlEniSbav+yuU4zGeeruD00lszZ\n";
	struct testbed *s;
	struct strbuf line = STRBUF_INIT;

	seal_start();
	for (int believed = 0; believed < 2; believed++) {
		s = table_of_two("provenance", "create whakka mole players 2 next 1D");
		if (believed)
			testbed_configure(s, "authserv_id = mx.example.org");
		answer(s, "bob", signed_by_example, "popup 1; whack 2\n");
		answer(s, "ann", NULL, "popup 1; whack 2\n");
		testbed_run(s);
		strbuf_clear(&line);
		add_dkim_line(&line, believed ? "verified" : "unverified", tags);
		expect_line(s, line.ptr, true);
		expect_line(s, "example.net", false);
		expect_line(s, "\ndkim 1 ", false);
		expect(s, "why m2@mua.example.net", 0, "signed by example.net, selector s1");
		testbed_free(s);
	}
	strbuf_release(&line);
}

Test(provenance, orders_of_the_operator_are_shown_as_such_if_they_say_so)
{
	struct testbed *s = testbed_new("provenance");

	seal_start();
	testbed_configure(s, "operator = ann@example.net");
	testbed_configure(s, "show_operator = on");
	table_found(s, "ann bob", "create whakka mole players 2 next 1D");
	testbed_reply(s, "bob", "status");
	testbed_run(s);
	cr_expect_not_null(
	    strstr(testbed_last(s, "bob")->text, "ann (master, runs this server)"), "%s",
	    testbed_last(s, "bob")->text);
	answer(s, "ann", NULL, "always popup 1; whack 2\n");
	answer(s, "bob", NULL, "popup 1; whack 2\n");
	testbed_run(s);
	testbed_wait(s, 2 * DAY_S);
	testbed_run(s);
	cr_expect_not_null(strstr(testbed_last(s, "bob")->text, "\nann runs this server."),
	                   "%s", testbed_last(s, "bob")->text);
	expect_line(s, "\noperator 1 1\n", true);
	expect_line(s, "\noperator 2 ", false);
	testbed_free(s);
}

/* Its record has no such lines, and reports name the operator all the same. */
Test(provenance, games_with_a_record_of_version_1_stay_as_they_are)
{
	static const char *const old_record[] = {"MOLEPOST_TEST_RECORD=1", NULL};
	struct testbed *s = testbed_new("provenance");

	seal_start();
	s->extra_env = old_record;
	testbed_configure(s, "operator = ann@example.net");
	testbed_configure(s, "show_operator = on");
	table_found(s, "ann bob", "create whakka mole players 2 next 1D");
	answer(s, "ann", NULL, "always popup 1; whack 2\n");
	answer(s, "bob", signed_by_example, "popup 1; whack 2\n");
	testbed_run(s);
	testbed_wait(s, 2 * DAY_S);
	testbed_run(s);
	cr_expect_not_null(strstr(testbed_last(s, "bob")->text, "\nann runs this server."),
	                   "%s", testbed_last(s, "bob")->text);
	expect_line(s, "\noperator ", false);
	expect_line(s, "\ndkim ", false);
	testbed_free(s);
}

Test(provenance, a_game_can_be_asked_for_without_the_operator)
{
	struct testbed *s = testbed_new("provenance");

	seal_start();
	testbed_configure(s, "operator = ann@example.net");
	testbed_write(s, "bob", "create whakka mole players 2 without operator");
	testbed_run(s);
	cr_expect_not_null(strstr(testbed_last(s, "bob")->text, "cannot keep them out"), "%s",
	                   testbed_last(s, "bob")->text);
	expect(s, "game new whakka-mole without operator", 65, "cannot keep them out");
	testbed_configure(s, "show_operator = on");
	testbed_write(s, "bob", "create whakka mole players 3 without operator");
	testbed_run(s);
	cr_expect_not_null(strstr(testbed_last(s, "bob")->text, "operator=none"), "%s",
	                   testbed_last(s, "bob")->text);
	testbed_reply(s, "bob", "yes");
	testbed_run(s);
	testbed_write(s, "ann", "join w1");
	testbed_run(s);
	cr_expect_not_null(strstr(testbed_last(s, "ann")->text, "You run this server, and W1"),
	                   "%s", testbed_last(s, "ann")->text);
	testbed_write(s, "ann", "join whakka mole"); /* leads to another one */
	testbed_run(s);
	expect(s, "game list", 0, "W2");
	testbed_write(s, "cy", "join w1");
	testbed_run(s);
	cr_expect_not_null(testbed_find(s, "cy", "W1"));
	testbed_write(s, "ann", "create whakka mole players 2 without operator");
	testbed_run(s);
	cr_expect_not_null(strstr(testbed_last(s, "ann")->text, "You run this server"), "%s",
	                   testbed_last(s, "ann")->text);
	testbed_free(s);
}

/* Each such line is checked, in a record that is otherwise as it should be. */
Test(provenance, lines_that_do_not_hold_are_refused)
{
	static const struct {
		const char *old, *new, *why;
	} changes[] = {
	    {"\nanswered 2 1 ", "\nanswered 2 2 ", "no mail brought that revision"},
	    {"\nanswered 2 1 ", "\nanswered 2 1 x", "not the four words"},
	    {"\noperator 1 1\n", "\noperator 1 1\noperator 1 1\n", "named twice"},
	    {" unverified ", " sure ", ""},
	};
	struct testbed *s = testbed_new("provenance");
	struct strbuf text = STRBUF_INIT, archive = STRBUF_INIT;
	char *words;

	seal_start();
	testbed_configure(s, "operator = ann@example.net");
	testbed_configure(s, "show_operator = on");
	table_found(s, "ann bob", "create whakka mole players 2 next 1D");
	words = words_shown_to(s, "bob");
	strbuf_addf(&text, "popup 1; whack 2\n\n> %s\n", words);
	answer(s, "bob", signed_by_example, text.ptr);
	answer(s, "ann", NULL, "popup 1; whack 2\n");
	testbed_run(s);
	testbed_archive(s, "W1", &archive);
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct archive_report report;
		const char *at = strstr(archive.ptr, changes[i].old);

		cr_assert_not_null(at, "%s\n%s", changes[i].old, archive.ptr);
		strbuf_clear(&text);
		strbuf_add_span(&text, (struct span){archive.ptr, (size_t)(at - archive.ptr)});
		strbuf_addf(&text, "%s%s", changes[i].new, at + strlen(changes[i].old));
		archive_verify(strbuf_span(&text), NULL, NULL, &report);
		cr_expect_eq(report.verdict, ARCHIVE_BROKEN, "%s", changes[i].new);
		cr_expect_not_null(strstr(report.why.ptr, changes[i].why), "%s",
		                   report.why.ptr);
		archive_report_release(&report);
	}
	free(words);
	strbuf_release(&text);
	strbuf_release(&archive);
	testbed_free(s);
}

static size_t count(const char *text, const char *words)
{
	size_t n = 0;

	while ((text = strstr(text, words)) != NULL) {
		n++;
		text += strlen(words);
	}
	return n;
}

/* In whole games of bots, whatever their kind; the second implementation checks them as well. */
Test(provenance, what_bots_drew_is_in_the_record_and_in_nothing_else)
{
	static const struct {
		const char *create, *drawn;
	} games[] = {
	    {"game new whakka-mole players 2 bots 2 level 1", "\nrevealed drawn 1 1 "},
	    {"game new mole-park players 2 bots 2 level 3", "\nrevealed drawn "},
	    {"game new mole players 2 bots 2 level 2", "\nrevealed drawn "},
	};
	struct testbed *s = testbed_new("provenance");

	seal_start();
	for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++)
		expect(s, games[i].create, 0, "begins with the next run");
	testbed_settle(s);
	for (int runs = 0; runs < 200; runs++)
		testbed_run(s);
	for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++) {
		struct strbuf archive = STRBUF_INIT;
		char id[8];

		snprintf(id, sizeof(id), "%c%zu", "WPC"[i], i + 1);
		testbed_archive(s, id, &archive);
		cr_expect_not_null(strstr(archive.ptr, games[i].drawn), "%s", archive.ptr);
		/* One each, also of a bot that had nothing to choose: nobody learns that from the
		   number of lines while the game runs. */
		cr_expect_eq(count(archive.ptr, "\nrevealed drawn "),
		             count(archive.ptr, "Z bot in-time "));
		cr_expect_eq(testbed_verify(s, strbuf_span(&archive)), 0);
		strbuf_release(&archive);
	}
	expect_sound(s);
	testbed_free(s);
}
