/*
 * test_damage.c - one game, or one mail that waits, which cannot be read: it is set aside, and nobody else
 * waits for it.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/crowd.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

enum { HOUR_S = 3600, DAY_S = 24 * HOUR_S };

static struct site *site_of(const char *const *lines)
{
	struct site *s;

	scratch_in_memory();
	s = site_new("damage");
	for (; *lines; lines += 2) {
		site_write(s, lines[0], lines[1]);
		site_run(s);
	}
	return s;
}

static void expect_complaint(const struct site *s, const char *what)
{
	cr_expect(strstr(s->complaints.ptr, what), "%s is not in: %s", what, s->complaints.ptr);
}

Test(damage, a_game_that_cannot_begin_stops_no_other)
{
	struct site *s = site_of((const char *const[]){
	    "ann", "create whakka mole players 2", "bob", "create whakka mole players 2", "cy",
	    "create whakka mole players 2 bots 1 next 1d", NULL});

	site_reply(s, "ann", "set start +2D");
	site_reply(s, "bob", "set start +2D");
	site_run(s);
	site_write(s, "dan", "join w1");
	site_write(s, "eve", "join w2");
	site_run(s);
	crowd_sql(s, "UPDATE games SET rules_version = 99 WHERE id = 1");
	site_wait(s, 2 * DAY_S);
	site_run_noting(s);
	expect_complaint(s, "game 1 is held: begin: W1 needs the rules");
	cr_expect(site_find(s, "eve", "[W2 turn 1]"), "W2 begins");
	cr_expect(site_find(s, "cy", "[W3 turn 2]"), "the others go on");
	strbuf_clear(&s->complaints);
	site_run(s); /* says it once */
	crowd_sql(s, "UPDATE games SET rules_version = 1 WHERE id = 1");
	expect_code(s, "game resume W1", 0);
	site_run(s);
	cr_expect(site_find(s, "dan", "[W1 turn 1]"));
	expect_code(s, "fsck", 0);
	site_free(s);
}

Test(damage, a_game_nobody_can_be_seated_in_stops_no_queue)
{
	struct site *s = site_of((const char *const[]){"ann", "create whakka mole players 3",
	                                               "bob", "create whakka mole players 2",
	                                               "eve", "join mole wait", NULL});

	crowd_sql(s, "UPDATE games SET rules_version = 99 WHERE id = 1");
	crowd_sql(s, "UPDATE waiting SET kind = 'whakka-mole'");
	site_run_noting(s);
	expect_complaint(s, "game 1 is held: seats from the queue: W1 needs the rules");
	cr_expect(site_find(s, "eve", "[W2] Whakka Mole: you are in, seat 2"),
	          "eve has a seat");
	strbuf_clear(&s->complaints);
	site_run(s);
	site_free(s);
}

Test(damage, a_mail_that_cannot_be_read_stops_nobodys_digest)
{
	struct site *s = site_of((const char *const[]){
	    "ann", "create whakka mole players 2 bots 1\nset mail digest", "bob",
	    "create whakka mole players 2 bots 1\nset mail digest", NULL});

	crowd_sql(s, "UPDATE kept_mails SET sealed_text = zeroblob(80) WHERE game = 1");
	site_wait(s, DAY_S);
	site_run_noting(s);
	expect_complaint(s, "no digest for player 1");
	cr_expect(site_find(s, "ann", "[W1 turn 1]"), "ann gets her mail by itself");
	cr_expect(site_find(s, "bob", "[digest 1]"), "bob gets his digest");
	strbuf_clear(&s->complaints);
	site_run(s);
	expect_code(s, "fsck", 0);
	site_free(s);
}

Test(damage, what_waits_of_a_game_that_cannot_be_loaded_is_not_lost)
{
	struct site *s = site_of(
	    (const char *const[]){"ann", "create whakka mole players 2 bots 1\nset mail digest",
	                          "ann", "create whakka mole players 2 bots 1", NULL});

	crowd_sql(s, "UPDATE games SET rules_version = 99 WHERE id = 1");
	site_wait(s, DAY_S);
	site_run_noting(s);
	expect_complaint(s, "W1 needs the rules");
	expect_complaint(s, "goes out mail by mail");
	cr_expect(site_find(s, "ann", "[W1 turn 1]"), "the report comes by itself");
	const struct post *digest = site_find(s, "ann", "[digest 1]");
	cr_assert(digest, "the other game is in a digest");
	cr_expect(strstr(digest->text, "Game W2"), "%s", digest->text);
	cr_expect_eq(strstr(digest->text, "W1"), NULL, "%s", digest->text);
	crowd_sql(s, "UPDATE games SET rules_version = 1 WHERE id = 1");
	expect_code(s, "fsck", 0);
	strbuf_clear(&s->complaints);
	site_run(s);
	site_free(s);
}

Test(damage, a_digest_of_nothing_is_not_sent)
{
	struct site *s = site_of((const char *const[]){
	    "ann", "create whakka mole players 2 bots 1\nset mail digest", NULL});

	crowd_sql(s, "UPDATE games SET rules_version = 99 WHERE id = 1");
	site_wait(s, DAY_S);
	site_run_noting(s);
	cr_expect(site_find(s, "ann", "[W1 turn 1]"), "the report comes by itself");
	site_wait(s, DAY_S);
	site_run_noting(s);
	expect_complaint(s, "game 1 is held: remind: W1 needs the rules");
	cr_expect_not(site_find(s, "ann", "[digest 1]"));
	strbuf_clear(&s->complaints);
	site_wait(s, DAY_S);
	site_run(s); /* says it once */
	site_free(s);
}
