/*
 * test_retention.c - texts and rows go when they have been kept long enough, and what was signed stays;
 * all that is stored about one person can be read, and taken out.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/crowd.h"
#include "tests/support/table.h"

enum { DAY_S = 86400 };

/* Of a game that was over long ago. */
static struct testbed *an_old_server(const char *seed, const char *keep)
{
	struct testbed *s = testbed_new(seed);

	testbed_configure(s, keep);
	table_begin(s, "ann bob");
	table_order(s, "ann bob");
	testbed_run(s);
	testbed_reply(s, "ann", "resign");
	testbed_reply(s, "bob", "popup 3");
	testbed_run(s);
	expect(s, "game list", 0, "over");
	testbed_wait(s, 70 * DAY_S);
	return s;
}

static int64_t texts(struct testbed *s)
{
	return crowd_number(s, "SELECT (SELECT count(*) FROM outbox_messages)"
	                       " + (SELECT count(*) FROM outbox_outlines)");
}

static int64_t left(struct testbed *s)
{
	return crowd_number(s, "SELECT count(*) FROM outbox_proofs");
}

/* Its path, free with free(). */
static char *write_file(struct testbed *s, const char *name, struct span bytes)
{
	char *path = testbed_path(s, name);
	FILE *f = fopen(path, "w");

	cr_assert(f && fwrite(bytes.ptr, 1, bytes.len, f) == bytes.len && fclose(f) == 0);
	return path;
}

Test(retention, takes_texts_out_and_leaves_what_was_signed)
{
	struct testbed *s = an_old_server("texts", "keep_texts = 60D");
	int64_t before = texts(s);
	const struct post *again;
	struct strbuf words = STRBUF_INIT, record = STRBUF_INIT;

	cr_assert_gt(before, 6);
	cr_assert_eq(left(s), 0);
	expect(s, "run", 0, NULL);
	cr_expect_eq(texts(s), 0);
	cr_expect_eq(left(s), before);
	expect_sound(s);
	/* The receipt was signed; the welcome held nothing of the kind. */
	testbed_write(s, "bob", "resend 3 w1");
	testbed_run(s);
	again = testbed_last(s, "bob");
	cr_expect_not_null(strstr(again->text, "text of a mail so long"), "%s", again->text);
	cr_expect_not_null(strstr(again->proof, "BEGIN MOLEPOST RECEIPT"), "%s", again->raw);
	cr_expect_not_null(strstr(again->text, "  | history W1\n"));
	testbed_archive(s, "W1", &record);
	char *receipt = write_file(s, "receipt", (struct span){again->raw, again->raw_len});
	char *archive = write_file(s, "w1.archive", strbuf_span(&record));
	strbuf_addf(&words, "verify --receipt %s %s", receipt, archive);
	expect(s, words.ptr, 0, "kept");
	strbuf_release(&words);
	strbuf_release(&record);
	free(archive);
	free(receipt);
	testbed_write(s, "bob", "resend 1 w1");
	testbed_run(s);
	cr_expect_not_null(
	    strstr(testbed_last(s, "bob")->proof, "\njoined W1 seat 2 number 1\n"), "%s",
	    testbed_last(s, "bob")->raw);
	/* An answer to a mail whose text is gone is understood as ever. */
	testbed_write(s, "bob", "history w1");
	testbed_run(s);
	cr_expect_not_null(strstr(testbed_last(s, "bob")->text, "After turn 1"));
	testbed_free(s);
}

/* As Outlook quotes: lines as they were, with nothing before them. */
Test(retention, leaves_two_bytes_a_line_by_which_a_quotation_is_known)
{
	struct testbed *s = testbed_new("quoted");
	struct strbuf text = STRBUF_INIT;

	testbed_configure(s, "keep_texts = 60D");
	table_begin(s, "ann bob");
	table_order(s, "ann bob");
	testbed_run(s);
	testbed_reply(s, "ann", "help");
	testbed_run(s);
	const struct post *help = testbed_last(s, "ann");
	testbed_wait(s, 70 * DAY_S);
	testbed_run(s);
	cr_assert_gt(left(s), 0);
	strbuf_addf(&text,
	            "note buy mole traps\n\nFrom: Molepost <moles@example.org>\n"
	            "Sent: Thursday, March 12, 2026 7:02 PM\nTo: ann@example.net\n"
	            "Subject: %s\n\n%s",
	            help->subject, help->text);
	testbed_reply_to(s, "ann", help, text.ptr);
	testbed_run(s);
	const char *answer = testbed_last(s, "ann")->text;
	testbed_reply_to(s, "ann", help, "note buy mole traps");
	testbed_run(s);
	size_t end = (size_t)(strstr(answer, "\n-- \n") - answer);
	cr_expect_eq(strncmp(answer, testbed_last(s, "ann")->text, end), 0, "%s", answer);
	strbuf_release(&text);
	testbed_free(s);
}

Test(retention, leaves_what_is_young_unsent_or_wanted_always)
{
	struct testbed *s = an_old_server("young", "keep_texts = 90D");

	expect(s, "run", 0, NULL);
	cr_expect_eq(left(s), 0);
	testbed_wait(s, 30 * DAY_S);
	crowd_sql(s, "UPDATE outbox SET state = 5, decided = 0 WHERE id = 2");
	expect(s, "run", 0, NULL);
	cr_expect_eq(texts(s), 1);
	expect(s, "outbox drop all", 0, "");
	expect(s, "run", 0, NULL);
	cr_expect_eq(texts(s), 0);
	expect_sound(s);
	testbed_free(s);

	s = an_old_server("always", "keep_texts = always");
	testbed_wait(s, 4000 * DAY_S);
	expect(s, "run --clock-is-right", 0, NULL);
	cr_expect_eq(left(s), 0);
	testbed_free(s);
}

Test(retention, takes_old_rows_out_once_a_day)
{
	struct testbed *s = an_old_server("rows", "keep_inbox = 60D");

	testbed_configure(s, "keep_runs = 60D");
	testbed_configure(s, "keep_audit = 60D");
	testbed_configure(s, "keep_outbox = 60D");
	testbed_configure(s, "keep_texts = 60D");
	expect(s, "player block bob@example.net", 0, "");
	testbed_wait(s, 61 * DAY_S);
	cr_assert_gt(crowd_number(s, "SELECT count(*) FROM runs"), 2);
	expect(s, "run", 0, NULL);
	expect(s, "run", 0, NULL);
	testbed_wait(s, DAY_S);
	expect(s, "run", 0, NULL);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM runs"), 0);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM audit WHERE game IS NULL"), 0);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM inbox WHERE message_id IS NOT NULL"),
	             0);
	cr_expect_gt(crowd_number(s, "SELECT count(*) FROM inbox"), 4);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM outbox WHERE rcpt <> ''"), 0);
	/* What is public belongs to the record. */
	expect(s, "archive W1", 0, "resign");
	expect_sound(s);
	testbed_free(s);
}

/* ---- compact ---- */

/* A file from before, with much in it that goes. */
static struct testbed *a_full_server(void)
{
	struct testbed *s = an_old_server("full", "keep_texts = 60D");

	crowd_sql(
	    s, "CREATE TABLE ballast (b BLOB); INSERT INTO ballast VALUES (zeroblob(30000000));"
	       " DROP TABLE ballast");
	return s;
}

static int64_t file_bytes(struct testbed *s)
{
	return crowd_number(s, "SELECT (SELECT * FROM pragma_page_count) * 8192");
}

Test(compact, shrinks_the_file)
{
	struct testbed *s = a_full_server();

	cr_assert_gt(file_bytes(s), 20000000);
	expect(s, "compact", 0, " texts of old mails and ");
	cr_expect_lt(file_bytes(s), 2000000);
	cr_expect_eq(texts(s), 0);
	expect_sound(s);
	/* From now on pages go one by one. */
	crowd_sql(
	    s, "CREATE TABLE ballast (b BLOB); INSERT INTO ballast VALUES (zeroblob(30000000));"
	       " DROP TABLE ballast");
	cr_assert_gt(file_bytes(s), 20000000);
	expect(s, "compact", 0, "0 texts of old mails and 0 old rows taken out.");
	cr_expect_lt(file_bytes(s), 2000000);
	expect(s, "compact now", 64, "usage");
	testbed_free(s);
}

/* Stopped at any of its steps it leaves a sound file, and goes on when it is started again. */
Test(compact, goes_on_where_it_was_killed)
{
	struct testbed *s = a_full_server();
	static const int64_t after_ms[] = {1, 3, 6, 10, 15, 20, 30, 40, 60, 90, 130};
	static const char *const argv[] = {"compact", NULL};

	for (size_t i = 0; i < sizeof(after_ms) / sizeof(after_ms[0]); i++) {
		struct testbed *c = testbed_clone(s);
		struct ran r;
		pid_t pid = testbed_start(c, argv, NULL);

		usleep((useconds_t)after_ms[i] * 1000);
		kill(pid, SIGKILL);
		testbed_finish(c, pid, &r);
		ran_release(&r);
		expect_sound(c);
		expect(c, "compact", 0, "The database had ");
		cr_expect_lt(file_bytes(c), 2000000);
		cr_expect_eq(texts(c), 0);
		expect_sound(c);
		testbed_free(c);
	}
	testbed_free(s);
}

/* ---- one person ---- */

Test(export, prints_all_that_is_stored_and_opens_no_seal_of_a_running_game)
{
	struct testbed *s = an_old_server("export", "keep_texts = always");
	char *all;

	testbed_write(s, "ann", "create whakka mole players 2");
	testbed_run(s);
	testbed_write(s, "cleo", "join w2");
	testbed_run(s);
	testbed_reply(s, "ann", "popup 3");
	testbed_write(s, "ann", "list");
	testbed_run(s);
	all = output_of(s, "export ann@example.net");
	cr_expect_not_null(strstr(all, "\"address\":\"ann@example.net\""), "%s", all);
	cr_expect_not_null(strstr(all, "\"orders\": [\n"));
	cr_expect_not_null(strstr(all, "\"game\":1,\"serial\":1,\"seat\":1,\"revision\":1"));
	cr_expect_not_null(strstr(all, "\"text\":\"POPUP"), "%s", all);
	cr_expect_not_null(strstr(all,
	                          "\"game\":2,\"serial\":1,\"seat\":1,\"revision\":1,"
	                          "\"received_utc\":\"2026-05-21T18:00:00Z\",\"text\":null"),
	                   "%s", all);
	cr_expect_null(strstr(all, "bob@example.net"), "another's address stands in it");
	cr_expect_null(strstr(all, "cleo@example.net"));
	/* A mail about no game may tell of this one too: its text stays closed, and so do reply codes. */
	cr_expect_not_null(strstr(all, "\"kind\":\"list\",\"game\":null"), "%s", all);
	cr_expect_null(strstr(all, "Subject: [W2"), "%s", all);
	cr_expect_null(strstr(all, "Open games"), "%s", all);
	cr_expect_not_null(strstr(all, "Subject: [W1"), "%s", all);
	free(all);
	expect(s, "archive W2", 0, "");
	all = output_of(s, "export --log-it 1");
	cr_expect_null(strstr(all, "\"text\":null"), "%s", all);
	free(all);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM audit WHERE game = 2 AND is_public"
	                             " AND what = 'sealed orders were looked at (export)'"),
	             1);
	expect(s, "export dora@example.net", 65, "no player 'dora@example.net' here");
	expect(s, "export", 64, "usage");
	testbed_free(s);
}

Test(forget, reaches_texts_originals_and_what_was_told_and_says_what_stays)
{
	struct testbed *s = testbed_new("reach");

	table_begin(s, "anneliese bob");
	table_order(s, "anneliese bob");
	testbed_run(s);
	testbed_mail(s, &(struct mail_written){.who = "anneliese",
	                                       .text = "resign w1",
	                                       .more_header = "X-Seen: x@annelieses-laptop\n"});
	testbed_reply(s, "bob", "popup 3");
	testbed_run(s);
	crowd_sql(s, "UPDATE inbox SET message_id = '<x@annelieses-laptop>' WHERE id = 5;"
	             " PRAGMA wal_checkpoint(TRUNCATE)");
	cr_assert(file_has(s, "molepost.db", "x@annelieses-laptop"));
	cr_assert_gt(files_in(s, "mail/cur") + files_in(s, "spool/cur"), 0);
	crowd_sql(s, "INSERT INTO troubles VALUES ('no anneliese@example.net', 'no "
	             "anneliese@example.net', 1, 1, 0, 1)");
	expect(
	    s, "player forget anneliese@example.net", 0,
	    "Left: the name of the seat and its orders in the records of W1. They are signed");
	cr_expect_not(file_has(s, "molepost.db", "annelieses-laptop"));
	cr_expect_not(file_has(s, "molepost.db", "anneliese@example.net"));
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM outbox_messages m JOIN outbox o"
	                             " ON o.id = m.id WHERE o.player = 1"),
	             0);
	cr_expect_gt(crowd_number(s, "SELECT count(*) FROM outbox_messages"), 0);
	testbed_wait(s, 60);
	expect(s, "run", 0, NULL);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM inbox WHERE player = 1"
	                             " AND purge_utc > 0"),
	             0);
	expect_sound(s);
	testbed_free(s);
}
