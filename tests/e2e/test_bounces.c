/*
 * test_bounces.c - what mail that comes back does to a game, and what all our mails look like.
 */
#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mail/text/header.h"
#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "tests/support/crowd.h"
#include "tests/support/table.h"

enum { DAY_S = 24 * 3600 };

/* A report about this mail, as Postfix would write it. */
static void come_back(struct testbed *s, const struct post *p, const char *action,
                      const char *status)
{
	testbed_bounce(s, p->sender, p->who, action, status, s->now_utc);
}

static size_t mails_to(const struct testbed *s, const char *who, const char *subject)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nposts; i++)
		n += strcmp(s->posts[i]->who, who) == 0 &&
		     strstr(s->posts[i]->subject, subject) != NULL;
	return n;
}

/* The turn ends by its deadline; only this person has sent orders. */
static void turn_passes(struct testbed *s, const char *who)
{
	testbed_reply_to(s, who, testbed_find(s, who, "orders due"), "popup none; whack none");
	testbed_run(s);
	testbed_wait(s, DAY_S + 120);
	testbed_run(s);
}

static struct testbed *begin(const char *seed)
{
	struct testbed *s = testbed_new(seed);

	expect_code(s, "game new whakka mole players 2 next 1D misses 0", 0);
	testbed_write(s, "ann", "join W1");
	testbed_write(s, "bob", "join W1");
	testbed_run(s);
	return s;
}

Test(bounces, six_points_pause_an_address_and_fewer_do_not)
{
	struct testbed *s = begin("six");

	for (unsigned n = 1; n <= 6; n++) {
		expect(s, "game show W1", 0, "seat 1  ann                  plays,");
		come_back(s, testbed_last(s, "ann"), "delayed", "4.4.1");
		come_back(s, testbed_last(s, "ann"), "delayed", "4.4.1");
		turn_passes(s, "bob");
	}
	expect(s, "game show W1", 0, "ann                  plays, mail comes back");
	cr_assert_eq(mails_to(s, "bob", "ann cannot be reached"), 1);
	testbed_free(s);
}

Test(bounces, an_unwanted_mail_counts_two_and_a_dead_address_all)
{
	struct testbed *s = begin("unwanted");

	come_back(s, testbed_last(s, "ann"), "failed", "5.7.1");
	testbed_run(s);
	expect(s, "player show ann@example.net", 0,
	       "came back or was late (status 5.7.1), the last on");
	turn_passes(s, "bob");
	come_back(s, testbed_last(s, "ann"), "failed", "5.1.1");
	testbed_run(s);
	expect(s, "player show ann@example.net", 0, "(status 5.1.1), so none is sent since");
	testbed_free(s);
}

/* It is nobody's mailbox that is counted then. */
Test(bounces, an_answer_to_a_stranger_that_comes_back_counts_for_nobody)
{
	struct testbed *s = begin("stranger");

	struct strbuf dump = STRBUF_INIT;

	testbed_write(s, "eve", "help");
	testbed_run(s);
	come_back(s, testbed_last(s, "eve"), "failed", "5.1.1");
	testbed_run(s);
	testbed_dump(s, &dump);
	cr_expect_not_null(strstr(dump.ptr, "a mail to a stranger"));
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM bounced_addresses"), 0);
	strbuf_release(&dump);
	testbed_free(s);
}

Test(bounces, the_clock_is_stopped_once_and_the_others_are_told_once_a_week)
{
	struct testbed *s = begin("once");
	const struct post *lost = testbed_last(s, "ann");

	come_back(s, lost, "failed", "5.1.1");
	testbed_run(s);
	expect(s, "game show W1", 0, "deadline Sat 14 Mar 2026 18:00 UTC");
	const struct post *told = testbed_last(s, "bob");
	cr_assert_not_null(strstr(told->text, "This is done once"), "%s", told->text);
	/* Ann writes, and is lost again in the same turn. */
	testbed_write(s, "ann", "status W1");
	testbed_run(s);
	expect(s, "game show W1", 0, "server: ann has written again");
	come_back(s, testbed_last(s, "ann"), "failed", "5.1.1");
	testbed_run(s);
	expect(s, "game show W1", 0, "plays, mail comes back");
	expect(s, "game show W1", 0, "deadline Sat 14 Mar 2026 18:00 UTC");
	cr_assert_eq(mails_to(s, "bob", "ann cannot be reached"), 1);
	/* And once more after a week. */
	testbed_wait(s, 8 * DAY_S);
	testbed_write(s, "ann", "status W1");
	testbed_run(s);
	come_back(s, testbed_last(s, "ann"), "failed", "5.1.1");
	testbed_run(s);
	cr_assert_eq(mails_to(s, "bob", "ann cannot be reached"), 2);
	told = testbed_find(s, "bob", "ann cannot be reached");
	cr_assert_not_null(strstr(told->text, "stays as it is"), "%s", told->text);
	expect_code(s, "fsck", 0);
	testbed_free(s);
}

Test(bounces, what_waits_comes_in_order_once_the_player_writes)
{
	struct testbed *s = begin("waits");

	come_back(s, testbed_last(s, "ann"), "failed", "5.1.1");
	testbed_run(s);
	size_t before = mails_to(s, "ann", "");
	testbed_wait(s, DAY_S);
	turn_passes(s, "bob");
	turn_passes(s, "bob");
	cr_assert_eq(mails_to(s, "ann", ""), before);
	expect(s, "doctor", 65, "mail to player 1 comes back (status 5.1.1); 2 mails wait");
	char *archive_before = output_of(s, "archive W1");
	cr_assert_not_null(strstr(archive_before, "mail to ann comes back"));
	free(archive_before);
	testbed_write(s, "ann", "I am back!");
	testbed_run(s);
	cr_assert_eq(mails_to(s, "ann", "orders due"), 3, "one before, two that waited");
	cr_assert_eq(mails_to(s, "ann", "mail to you came back"), 1);
	expect_code(s, "fsck", 0);
	struct strbuf archive = STRBUF_INIT;
	testbed_archive(s, "W1", &archive);
	cr_assert_eq(testbed_verify(s, strbuf_span(&archive)), 0);
	strbuf_release(&archive);
	testbed_free(s);
}

Test(bounces, a_seat_that_has_sent_its_orders_needs_no_more_time)
{
	struct testbed *s = begin("sent");

	testbed_reply(s, "ann", "popup none; whack none");
	testbed_run(s);
	come_back(s, testbed_last(s, "ann"), "failed", "5.1.1");
	testbed_run(s);
	expect(s, "game show W1", 0, "deadline Fri 13 Mar 2026 18:00 UTC");
	cr_assert_not_null(strstr(testbed_last(s, "bob")->text, "stays as it is"));
	testbed_free(s);
}

/* As if the player had moved. */
static void move_to(struct testbed *s, const char *sql)
{
	char *path = testbed_path(s, "molepost.db");
	sqlite3 *db;

	cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
	cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s",
	             sqlite3_errmsg(db));
	sqlite3_close(db);
	free(path);
}

Test(bounces, an_address_of_old_says_nothing_about_the_player)
{
	struct testbed *s = begin("old");

	move_to(s, "UPDATE players SET address = 'ann@new.example' WHERE id = 1");
	come_back(s, testbed_last(s, "ann"), "failed", "5.1.1");
	testbed_run(s);
	expect(s, "game show W1", 0, "seat 1  ann                  plays, orders awaited");
	expect(s, "game show W1", 0, "deadline Fri 13 Mar 2026 18:00 UTC");
	cr_assert_eq(mails_to(s, "bob", "ann cannot be reached"), 0);
	expect_code(s, "fsck", 0);
	testbed_free(s);
}

/* ---- what all our mails look like ---- */

static unsigned count_field(const struct header *h, const char *name, const char *value)
{
	unsigned n = 0;

	for (size_t i = 0; i < h->count; i++)
		n += span_eq_nocase(h->fields[i].name, name) &&
		     (!value || span_eq_str(h->fields[i].value, value));
	return n;
}

static void check_header(const struct post *p)
{
	static const char *const once[] = {"Date",         "From",
	                                   "To",           "Subject",
	                                   "Message-ID",   "Auto-Submitted",
	                                   "MIME-Version", "Content-Type",
	                                   "Return-Path",  "X-Molepost-Instance"};
	static const char *const never[] = {"Cc", "Bcc", "List-Id", "List-Unsubscribe",
	                                    "Precedence"};
	struct arena *arena = arena_new();
	struct header h;

	header_split((struct span){p->raw, p->raw_len}, arena, &h);
	for (size_t i = 0; i < sizeof(once) / sizeof(once[0]); i++)
		cr_expect_eq(count_field(&h, once[i], NULL), 1, "%s: %s", p->subject, once[i]);
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
		cr_expect_eq(count_field(&h, never[i], NULL), 0, "%s: %s", p->subject,
		             never[i]);
	cr_expect_eq(count_field(&h, "X-Auto-Response-Suppress", "All"), 1);
	unsigned answers = count_field(&h, "Auto-Submitted", "auto-replied");
	unsigned others = count_field(&h, "Auto-Submitted", "auto-generated");
	cr_expect_eq(answers + others, 1, "%s", p->subject);
	if (answers)
		cr_expect_eq(count_field(&h, "In-Reply-To", NULL), 1, "%s", p->subject);
	cr_expect_null(strchr(p->who, ','), "%s", p->who);
	cr_expect_null(strchr(p->who, ' '), "%s", p->who);
	cr_expect(strncmp(p->sender, "moles+b-", 8) == 0, "%s", p->sender);
	arena_free(arena);
}

Test(headers, every_mail_says_what_it_is_to_one_reader_from_an_address_of_its_own)
{
	struct testbed *s = begin("headers");

	turn_passes(s, "bob");
	testbed_reply(s, "ann", "popup 1; whack 1; pop up 3");
	testbed_reply(s, "ann", "what?");
	testbed_write(s, "ann",
	              "help\nlist\nstatus\nhistory W1\nsummary W1\narchive W1\nresend 1");
	testbed_write(s, "eve", "hello");
	testbed_write(s, "ann", "resign");
	testbed_run(s);
	come_back(s, testbed_last(s, "bob"), "failed", "5.1.1");
	testbed_run(s);
	testbed_wait(s, 3 * DAY_S);
	testbed_run(s);
	cr_assert_gt(s->nposts, 15, "%zu", s->nposts);
	for (size_t i = 0; i < s->nposts; i++) {
		check_header(s->posts[i]);
		for (size_t k = 0; k < i; k++)
			cr_expect_str_neq(s->posts[i]->sender, s->posts[k]->sender);
	}
	testbed_free(s);
}
