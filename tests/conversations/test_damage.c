/*
 * test_damage.c - one game, or one mail that waits, which cannot be read: it is set aside, and nobody else
 * waits for it.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>

#include "tests/support/crash.h"
#include "tests/support/crowd.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

enum { HOUR_S = 3600, DAY_S = 24 * HOUR_S };

static struct testbed *testbed_of(const char *const *lines)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("damage");
	for (; *lines; lines += 2) {
		testbed_write(s, lines[0], lines[1]);
		testbed_run(s);
	}
	return s;
}

static void expect_complaint(const struct testbed *s, const char *what)
{
	cr_expect(strstr(s->complaints.ptr, what), "%s is not in: %s", what, s->complaints.ptr);
}

Test(damage, a_game_that_cannot_begin_stops_no_other)
{
	struct testbed *s = testbed_of((const char *const[]){
	    "ann", "create whakka mole players 2", "bob", "create whakka mole players 2", "cy",
	    "create whakka mole players 2 bots 1 next 1d", NULL});

	testbed_reply(s, "ann", "set start +2D");
	testbed_reply(s, "bob", "set start +2D");
	testbed_run(s);
	testbed_write(s, "dan", "join w1");
	testbed_write(s, "eve", "join w2");
	testbed_run(s);
	crowd_sql(s, "UPDATE games SET rules_version = 99 WHERE id = 1");
	testbed_wait(s, 2 * DAY_S);
	testbed_run_noting(s);
	expect_complaint(s, "game 1 is held: begin: W1 needs the rules");
	cr_expect(testbed_find(s, "eve", "[W2 turn 1]"), "W2 begins");
	cr_expect(testbed_find(s, "cy", "[W3 turn 2]"), "the others go on");
	strbuf_clear(&s->complaints);
	testbed_run(s); /* says it once */
	crowd_sql(s, "UPDATE games SET rules_version = 1 WHERE id = 1");
	expect_code(s, "game resume W1", 0);
	testbed_run(s);
	cr_expect(testbed_find(s, "dan", "[W1 turn 1]"));
	expect_code(s, "fsck", 0);
	testbed_free(s);
}

Test(damage, a_game_nobody_can_be_seated_in_stops_no_queue)
{
	struct testbed *s = testbed_of((const char *const[]){
	    "ann", "create whakka mole players 3", "bob", "create whakka mole players 2", "eve",
	    "join mole wait", NULL});

	crowd_sql(s, "UPDATE games SET rules_version = 99 WHERE id = 1");
	crowd_sql(s, "UPDATE waiting SET kind = 'whakka-mole'");
	testbed_run_noting(s);
	expect_complaint(s, "game 1 is held: seats from the queue: W1 needs the rules");
	cr_expect(testbed_find(s, "eve", "[W2] Whakka Mole: you are in, seat 2"),
	          "eve has a seat");
	strbuf_clear(&s->complaints);
	testbed_run(s);
	testbed_free(s);
}

/* The next mail to this person has the Message-ID of one that is there. */
static void take_next_message_id(struct testbed *s, const char *who)
{
	struct strbuf sql = STRBUF_INIT;
	struct testbed *ahead = testbed_clone(s);

	testbed_run(ahead);
	strbuf_addf(&sql, "UPDATE outbox SET message_id = '%s' WHERE id = 1",
	            testbed_last(ahead, who)->message_id);
	crowd_sql(s, sql.ptr);
	strbuf_release(&sql);
	testbed_free(ahead);
}

/* Turn 1 of W1, W2 and W3 is over, and the report of W2 cannot be written. */
static struct testbed *testbed_with_a_bad_report(void)
{
	struct testbed *s = testbed_of(
	    (const char *const[]){"ann", "create whakka mole players 2 bots 1 next 1d", "bob",
	                          "create whakka mole players 2 bots 1 next 1d", "cy",
	                          "create whakka mole players 2 bots 1 next 1d", NULL});

	testbed_wait(s, DAY_S + 60);
	take_next_message_id(s, "bob");
	return s;
}

Test(damage, a_report_that_cannot_be_written_stops_no_other)
{
	struct testbed *s = testbed_with_a_bad_report();

	testbed_run_noting(s);
	expect_complaint(s, "game 2 is held: report: no new mail: another has its Message-ID");
	cr_expect(testbed_find(s, "ann", "[W1 turn 2]"), "the game before it goes on");
	cr_expect(testbed_find(s, "cy", "[W3 turn 2]"), "the game behind it goes on");
	cr_expect_not(testbed_find(s, "bob", "[W2 turn 2]"));
	strbuf_clear(&s->complaints);
	testbed_run(s); /* says it once */
	crowd_sql(s, "UPDATE outbox SET message_id = '<another@example.org>' WHERE id = 1");
	expect_code(s, "game resume W2", 0);
	testbed_run(s);
	cr_expect(testbed_find(s, "bob", "[W2 turn 2]"), "nothing of it was lost");
	testbed_free(s);
}

Test(damage, a_mail_to_send_that_cannot_be_read_stops_no_other)
{
	struct testbed *s = testbed_of((const char *const[]){
	    "ann", "create whakka mole players 2", "bob", "create mole players 2", NULL});

	testbed_write(s, "ann", "list");
	testbed_write(s, "bob", "list");
	expect_code(s, "run --no-send", 0);
	crowd_sql(s, "UPDATE outbox_messages SET sealed_message = zeroblob(900) WHERE id ="
	             " (SELECT min(id) FROM outbox WHERE next_try_utc = 0)");
	testbed_run_noting(s);
	expect_complaint(s, "(list to player 1) could not be delivered and is given up");
	cr_expect(testbed_find(s, "bob", "Open games"), "the mail behind it is sent");
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM outbox WHERE state = 5"), 1);
	strbuf_clear(&s->complaints);
	testbed_run(s); /* says it once */
	testbed_free(s);
}

static void take_mails(struct testbed *s, struct strbuf *out)
{
	strbuf_clear(&s->complaints);
	testbed_settle(s);
	testbed_mails(s, out);
	expect_code(s, "game resume W2", 0); /* held it is */
}

Test(damage, whenever_a_run_dies_over_it_one_such_report_is_set_aside)
{
	struct testbed *s = testbed_with_a_bad_report(), *calm = testbed_clone(s);
	struct strbuf killed = STRBUF_INIT, whole = STRBUF_INIT;
	struct trial t = {.at = 0};
	struct ran r;
	bool died = true;

	testbed_run_noting(calm);
	take_mails(calm, &whole);
	while (died) {
		struct testbed *one = testbed_clone(s);

		t.at++;
		disturb_by_step(&t, one, 0, &r);
		died = r.signal == SIGKILL;
		testbed_run_noting(one);
		strbuf_clear(&killed);
		take_mails(one, &killed);
		cr_expect_str_eq(killed.ptr, whole.ptr, "killed at step %u", t.at);
		ran_release(&r);
		testbed_free(one);
	}
	cr_expect_gt(t.at, 20);
	strbuf_release(&killed);
	strbuf_release(&whole);
	testbed_free(calm);
	testbed_free(s);
}

Test(damage, a_mail_that_cannot_be_read_stops_nobodys_digest)
{
	struct testbed *s = testbed_of((const char *const[]){
	    "ann", "create whakka mole players 2 bots 1\nset mail digest", "bob",
	    "create whakka mole players 2 bots 1\nset mail digest", NULL});

	crowd_sql(s, "UPDATE enclosed_mails SET sealed_text = zeroblob(80) WHERE game = 1");
	testbed_wait(s, DAY_S);
	testbed_run_noting(s);
	expect_complaint(s, "no digest for player 1");
	cr_expect(testbed_find(s, "ann", "[W1 turn 1]"), "ann gets her mail by itself");
	cr_expect(testbed_find(s, "bob", "[digest 1]"), "bob gets his digest");
	strbuf_clear(&s->complaints);
	testbed_run(s);
	expect_code(s, "fsck", 0);
	testbed_free(s);
}

Test(damage, what_waits_of_a_game_that_cannot_be_loaded_is_not_lost)
{
	struct testbed *s = testbed_of(
	    (const char *const[]){"ann", "create whakka mole players 2 bots 1\nset mail digest",
	                          "ann", "create whakka mole players 2 bots 1", NULL});

	crowd_sql(s, "UPDATE games SET rules_version = 99 WHERE id = 1");
	testbed_wait(s, DAY_S);
	testbed_run_noting(s);
	expect_complaint(s, "W1 needs the rules");
	expect_complaint(s, "goes out mail by mail");
	cr_expect(testbed_find(s, "ann", "[W1 turn 1]"), "the report comes by itself");
	const struct post *hash = testbed_find(s, "ann", "[digest 1]");
	cr_assert(hash, "the other game is in a digest");
	cr_expect(strstr(hash->text, "Game W2"), "%s", hash->text);
	cr_expect_eq(strstr(hash->text, "W1"), NULL, "%s", hash->text);
	crowd_sql(s, "UPDATE games SET rules_version = 1 WHERE id = 1");
	expect_code(s, "fsck", 0);
	strbuf_clear(&s->complaints);
	testbed_run(s);
	testbed_free(s);
}

Test(damage, a_digest_of_nothing_is_not_sent)
{
	struct testbed *s = testbed_of((const char *const[]){
	    "ann", "create whakka mole players 2 bots 1\nset mail digest", NULL});

	crowd_sql(s, "UPDATE games SET rules_version = 99 WHERE id = 1");
	testbed_wait(s, DAY_S);
	testbed_run_noting(s);
	cr_expect(testbed_find(s, "ann", "[W1 turn 1]"), "the report comes by itself");
	testbed_wait(s, DAY_S);
	testbed_run_noting(s);
	expect_complaint(s, "game 1 is held: remind: W1 needs the rules");
	cr_expect_not(testbed_find(s, "ann", "[digest 1]"));
	strbuf_clear(&s->complaints);
	testbed_wait(s, DAY_S);
	testbed_run(s); /* says it once */
	testbed_free(s);
}
