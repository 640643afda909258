/*
 * test_invitations.c - INVITE within its limits: whatever is written, few mails go to people who have not
 * written, nobody but who typed it reads an address, and a mail that comes back is told.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "processor/base/strbuf.h"
#include "tests/support/crowd.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

enum { DAY_S = 24 * 3600 };

static void run(struct testbed *s)
{
	testbed_wait(s, 60);
	testbed_run(s);
}

static unsigned invitations(const struct testbed *s, const char *who)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->nposts; i++)
		n += strstr(s->posts[i]->subject, " invites you to a game of ") != NULL &&
		     (!who || strcmp(s->posts[i]->who, who) == 0);
	return n;
}

Test(invitations, a_thousand_lines_are_ten_mails_a_day)
{
	struct strbuf text = STRBUF_INIT;
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("invitations");
	testbed_write(s, "ann", "create whakka mole players 3 target=20");
	run(s);
	for (unsigned mail = 0; mail < 10; mail++) {
		strbuf_clear(&text);
		for (unsigned i = 0; i < 100; i++)
			strbuf_addf(&text, "invite guest%u@example.net\n", mail * 100 + i);
		testbed_reply(s, "ann", text.ptr);
		run(s);
	}
	cr_expect_eq(invitations(s, NULL), 10);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM invites"), 10);
	testbed_wait(s, DAY_S);
	testbed_reply(s, "ann", "invite guest999@example.net");
	run(s);
	cr_expect_eq(invitations(s, "guest999"), 1);
	strbuf_release(&text);
	expect_sound(s);
	testbed_free(s);
}

Test(invitations, an_address_gets_three_a_week_whoever_sends_them)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("invitations");
	for (unsigned i = 0; i < 12; i++) {
		char who[16];

		(void)snprintf(who, sizeof(who), "host%u", i);
		testbed_write(s, who, "create whakka mole players 3");
		run(s);
		testbed_reply(s, who, "invite bob@example.net\ninvite BOB@example.net");
		run(s);
	}
	cr_expect_eq(invitations(s, "bob"), 3);
	testbed_wait(s, 8 * DAY_S);
	testbed_reply(s, "host11", "invite bob@example.net");
	run(s);
	cr_expect_eq(invitations(s, "bob"), 4);
	expect_sound(s);
	testbed_free(s);
}

Test(invitations, that_come_back_are_told_and_the_address_to_nobody_else)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("invitations");
	testbed_write(s, "ann", "create whakka mole players 3");
	run(s);
	testbed_write(s, "cy", "join w1");
	run(s);
	testbed_reply(s, "ann", "invite bob@example.net Hello!");
	run(s);
	const struct post *p = testbed_last(s, "bob");
	testbed_bounce(s, p->sender, "bob", "failed", "5.1.1", s->now_utc);
	run(s);
	cr_expect_neq(testbed_find(s, "ann", "your invitation came back"), NULL);
	testbed_reply(s, "ann", "invite dan@example.net");
	run(s);
	testbed_reply(s, "dan", "yes");
	run(s);
	cr_expect_neq(testbed_find(s, "ann", "your invitation was accepted"), NULL);
	for (size_t i = 0; i < s->nposts; i++) {
		if (strcmp(s->posts[i]->who, "cy") != 0)
			continue;
		cr_expect_null(strstr(s->posts[i]->text, "dan@"), "%s", s->posts[i]->text);
		cr_expect_null(strstr(s->posts[i]->text, "bob@"), "%s", s->posts[i]->text);
	}
	expect_sound(s);
	testbed_free(s);
}

Test(invitations, only_from_where_it_went_is_an_answer_one)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("invitations");
	testbed_write(s, "ann", "create whakka mole players 3 private");
	run(s);
	testbed_reply(s, "ann", "invite bob@example.net");
	run(s);
	testbed_reply_to(s, "mallory", testbed_last(s, "bob"), "yes");
	testbed_write(s, "mallory", "join w1");
	run(s);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM seats WHERE game = 1"), 1);
	testbed_reply(s, "bob", "yes");
	run(s);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM seats WHERE game = 1 AND confirmed"),
	             2);
	testbed_configure(s, "invites_per_day = 0");
	testbed_reply(s, "ann", "invite cy@example.net");
	run(s);
	cr_expect_null(testbed_find(s, "cy", "invites you"));
	expect_sound(s);
	testbed_free(s);
}

Test(invitations, somebody_who_plays_here_already_says_yes_like_anybody)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("invitations");
	testbed_write(s, "bob", "create mole park players 2");
	testbed_write(s, "ann", "create whakka mole players 3 private");
	run(s);
	testbed_reply(s, "ann", "invite bob@example.net");
	run(s);
	testbed_reply(s, "bob", "Yes, gladly!");
	run(s);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM seats WHERE game = 2 AND confirmed"),
	             2);
	cr_expect_neq(testbed_find(s, "ann", "your invitation was accepted"), NULL);
	expect_sound(s);
	testbed_free(s);
}

Test(invitations, the_answer_confirms_who_has_joined_elsewhere_but_not_confirmed_it)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("invitations");
	testbed_write(s, "ann", "create whakka mole players 3 private");
	run(s);
	testbed_configure(s, "unknown_senders = confirm");
	testbed_write(s, "bob", "create mole park players 2");
	testbed_reply(s, "ann", "invite bob@example.net");
	run(s);
	cr_assert_neq(testbed_find(s, "bob", "invites you"), NULL);
	cr_assert_eq(crowd_number(s, "SELECT count(*) FROM players WHERE confirmed"), 1);
	testbed_reply_to(s, "bob", testbed_find(s, "bob", "invites you"), "yes");
	run(s);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM players WHERE confirmed"), 2);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM seats WHERE game = 1 AND confirmed"),
	             2);
	cr_expect_neq(testbed_find(s, "ann", "your invitation was accepted"), NULL);
	expect_sound(s);
	testbed_free(s);
}

Test(invitations, do_not_go_to_who_is_blocked)
{
	struct testbed *s;
	struct ran r;

	scratch_in_memory();
	s = testbed_new("invitations");
	testbed_write(s, "bob", "create mole park players 2");
	testbed_write(s, "ann", "create whakka mole players 3");
	run(s);
	testbed_do(s, "player block bob@example.net", NULL, &r);
	cr_assert_eq(r.code, 0, "%s", r.err.ptr);
	ran_release(&r);
	testbed_reply(s, "ann", "invite bob@example.net");
	run(s);
	cr_expect_eq(invitations(s, "bob"), 0);
	cr_expect_neq(strstr(testbed_last(s, "ann")->text, "wants no invitations"), NULL);
	testbed_free(s);
}
