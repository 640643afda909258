/*
 * test_refusals.c - what follows in a game when a mail is refused at our own door.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "tests/support/crowd.h"
#include "tests/support/smtp_server.h"
#include "tests/support/table.h"

enum { MIN_S = 60, DAY_S = 24 * 3600 };

#define NOBODY "550 5.1.1 <bob@example.net>: User unknown\r\n"

/* A game of Whakka Mole, a day a turn, whose mails go through a server that follows the rules. */
struct scene {
	struct testbed *s;
	struct smtp_server *server;
};

static void open_scene(struct scene *c, const char *people, const struct smtp_rule *rules,
                       size_t n)
{
	struct span rest = span_of(people), who, count = rest;
	char text[64];
	unsigned players = 0;

	signal(SIGPIPE, SIG_IGN);
	c->s = testbed_new("refusals");
	while (span_next_word(&count, "", &who))
		players++;
	(void)snprintf(text, sizeof(text), "game new whakka mole players %u next 1D", players);
	expect_code(c->s, text, 0);
	while (span_next_word(&rest, "", &who)) {
		(void)snprintf(text, sizeof(text), "%.*s", SPAN_ARGS(who));
		testbed_write(c->s, text, "join W1");
	}
	testbed_run(c->s);
	c->server = smtp_server_new(rules, n, NULL);
	smtp_server_announce_pipelining(c->server); /* as most do */
	testbed_smtp(c->s, "", smtp_server_port(c->server), "");
}

static void close_scene(struct scene *c)
{
	expect(c->s, "fsck", 0, "");
	smtp_server_free(c->server);
	testbed_free(c->s);
}

/* Whether the server has taken a mail to this person that says so; lines end in CRLF there. */
static unsigned taken(const struct scene *c, const char *who, const char *text)
{
	unsigned n = 0;

	for (size_t i = 0; i < smtp_server_taken(c->server); i++) {
		const struct smtp_taken *t = smtp_server_mail(c->server, i);

		n += strncmp(t->rcpt.ptr, who, strlen(who)) == 0 &&
		     strstr(t->bytes.ptr, text) != NULL;
	}
	return n;
}

/* Somebody who is in no game gets a mail after all that waits, so that what the others are refused counts. */
static void zoe_asks(const struct scene *c)
{
	testbed_write(c->s, "zoe", "list");
}

/* Has everybody's status sent: one mail each. */
static void ask(const struct scene *c, const char *who)
{
	testbed_write(c->s, who, "status W1");
	zoe_asks(c);
	expect_code(c->s, "run", 0);
}

static const struct smtp_rule bob_is_nobody[] = {
    {.at = "RCPT", .with = "<bob@example.net>", .times = 1, .say = NOBODY}};

Test(refusals, an_address_that_is_none_has_the_consequences_of_a_returned_mail)
{
	struct scene c;

	open_scene(&c, "ann bob cy", bob_is_nobody, 1);
	expect(c.s, "game show W1", 0, "deadline Fri 13 Mar 2026 18:00 UTC");
	testbed_write(c.s, "bob", "status W1");
	zoe_asks(&c);
	expect(c.s, "run", 0,
	       "status to player 2) could not be delivered and is given up (molepost outbox "
	       "list shows it): 550 5.1.1");
	expect(c.s, "run", 0, NULL);
	expect(c.s, "game show W1", 0, "bob                  plays, mail comes back");
	expect(c.s, "game show W1", 0, "deadline Sat 14 Mar 2026 18:00 UTC");
	expect(c.s, "game show W1", 0, "to player 2 was refused; its address is given up");
	cr_expect_eq(taken(&c, "ann@", "Subject: [W1] bob cannot be reached\r\n"), 1);
	cr_expect_eq(taken(&c, "cy@", "Subject: [W1] bob cannot be reached\r\n"), 1);
	cr_expect_eq(taken(&c, "bob@", ""), 0);
	expect(c.s, "doctor", 65, "mail to player 2 comes back (550 5.1.1 <bob@example.net>");
	expect(c.s, "outbox list", 0, "was refused when it was handed over; that counts 2");
	/* Once: the next report waits for him, and nobody is told again. */
	testbed_wait(c.s, DAY_S);
	expect(c.s, "run", 0, NULL);
	expect(c.s, "run", 0, NULL);
	cr_expect_eq(taken(&c, "", "bob cannot be reached"), 2);
	cr_expect_eq(crowd_number(c.s, "SELECT count(*) FROM bounced_mails"), 1);
	/* He writes, and everything that has waited comes. */
	testbed_write(c.s, "bob", "status W1");
	expect(c.s, "run", 0, NULL);
	cr_expect_eq(taken(&c, "bob@", "mail to you came back"), 1);
	expect(c.s, "game show W1", 0, "bob has written again");
	close_scene(&c);
}

Test(refusals, what_is_wrong_with_the_mail_counts_two_points_and_six_are_enough)
{
	static const struct smtp_rule spam[] = {
	    {.at = "RCPT", .with = "<bob@", .times = 1, .say = "554 5.6.0 no such text\r\n"},
	    {.at = "RCPT", .with = "<ann@", .times = 1, .say = "554 5.7.1 nor this\r\n"}};
	struct scene c;

	open_scene(&c, "ann bob", spam, 2);
	ask(&c, "bob");
	expect(c.s, "run", 0, NULL);
	expect(c.s, "game show W1", 0, "its address is used as before");
	cr_expect_eq(crowd_number(c.s, "SELECT score FROM bounced_addresses"), 2);
	testbed_wait(c.s, MIN_S);
	ask(&c, "ann");
	expect(c.s, "run", 0, NULL);
	cr_expect_eq(crowd_number(c.s, "SELECT count(*) FROM bounced_addresses"
	                               " WHERE paused_utc > 0"),
	             0);
	cr_expect_eq(crowd_number(c.s, "SELECT sum(score) FROM bounced_addresses"), 4);
	cr_expect_eq(taken(&c, "", "cannot be reached"), 0);
	close_scene(&c);
}

Test(refusals, three_mails_refused_in_one_run_are_six_points)
{
	static const struct smtp_rule full[] = {
	    {.at = "RCPT", .with = "<bob@", .say = "550 5.2.2 over quota\r\n"}};
	struct scene c;

	open_scene(&c, "ann bob", full, 1);
	testbed_write(c.s, "bob", "status W1");
	testbed_write(c.s, "bob", "list");
	testbed_write(c.s, "bob", "help whakka mole");
	zoe_asks(&c);
	expect_code(c.s, "run", 0);
	expect(c.s, "run", 0, NULL);
	expect(c.s, "game show W1", 0, "bob                  plays, mail comes back");
	cr_expect_eq(crowd_number(c.s, "SELECT score FROM bounced_addresses"), 6);
	cr_expect_eq(taken(&c, "ann@", "bob cannot be reached"), 1);
	close_scene(&c);
}

Test(refusals, a_mail_whose_attempts_are_used_up_counts_one_point)
{
	static const int64_t waits[] = {300, 1800, 7200, 21600, 86400, 0};
	static const struct smtp_rule later[] = {
	    {.at = "RCPT", .with = "<bob@", .say = "451 4.2.1 come back later\r\n"}};
	struct scene c;

	open_scene(&c, "ann bob", later, 1);
	ask(&c, "bob");
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		cr_expect_eq(crowd_number(c.s, "SELECT count(*) FROM bounced_mails"), 0);
		testbed_wait(c.s, waits[i]);
		testbed_write(c.s, "ann", "list");
		expect_code(c.s, "run", 0);
	}
	expect_code(c.s, "run", 0);
	cr_expect_eq(crowd_number(c.s, "SELECT points FROM bounced_mails"), 1);
	close_scene(&c);
}

Test(refusals, a_refused_mail_to_a_stranger_is_the_operator_s_to_see_and_nobody_else_s)
{
	static const struct smtp_rule nobody[] = {
	    {.at = "RCPT", .with = "<eve@", .say = "550 5.1.1 nobody\r\n"}};
	struct scene c;

	open_scene(&c, "ann bob", nobody, 1);
	testbed_write(c.s, "eve", "help");
	zoe_asks(&c);
	expect(c.s, "run", 0, "to a stranger) could not be delivered");
	int64_t before = crowd_number(c.s, "SELECT count(*) FROM outbox");
	expect(c.s, "run", 0, NULL);
	cr_expect_eq(crowd_number(c.s, "SELECT count(*) FROM outbox"), before);
	cr_expect_eq(crowd_number(c.s, "SELECT count(*) FROM bounced_mails"), 0);
	expect(c.s, "doctor", 65, "1 mail could not be delivered");
	close_scene(&c);
}

Test(refusals, two_who_cannot_be_reached_do_not_tell_each_other_for_ever)
{
	static const struct smtp_rule nobody[] = {
	    {.at = "RCPT", .with = "<ann@", .say = "550 5.1.1 nobody\r\n"},
	    {.at = "RCPT", .with = "<bob@", .say = "550 5.1.1 nobody\r\n"}};
	struct scene c;

	open_scene(&c, "ann bob", nobody, 2);
	ask(&c, "bob");
	for (unsigned i = 0; i < 5; i++) {
		zoe_asks(&c);
		expect_code(c.s, "run", 0);
	}
	/* Bob's receipt and the note to Ann are dead; the note to Bob waits for him. */
	cr_expect_eq(crowd_number(c.s, "SELECT count(*) FROM outbox WHERE state = 5"), 2);
	cr_expect_eq(crowd_number(c.s, "SELECT count(*) FROM outbox WHERE state < 4"), 1);
	cr_expect_eq(taken(&c, "ann@", "") + taken(&c, "bob@", ""), 0);
	expect(c.s, "run", 0, NULL);
	close_scene(&c);
}

Test(refusals, the_second_address_of_a_player_is_used_and_nobody_is_disturbed)
{
	struct scene c;

	open_scene(&c, "ann bob", bob_is_nobody, 1);
	crowd_sql(c.s, "INSERT INTO player_addresses (address, player, since_utc)"
	               " VALUES ('bob@home.example', 2, 1)");
	ask(&c, "bob");
	expect(c.s, "run", 0, NULL);
	cr_expect_eq(taken(&c, "bob@home.example", "once more"), 1);
	cr_expect_eq(taken(&c, "ann@", "cannot be reached"), 0);
	expect(c.s, "game show W1", 0, "its address is given up, and another is used");
	expect(c.s, "game show W1", 0, "deadline Fri 13 Mar 2026 18:00 UTC");
	close_scene(&c);
}

Test(refusals, all_that_was_refused_in_one_run_goes_to_the_second_address)
{
	static const struct smtp_rule nobody[] = {
	    {.at = "RCPT", .with = "<bob@example.net>", .say = NOBODY}};
	struct scene c;

	open_scene(&c, "ann bob", nobody, 1);
	crowd_sql(c.s, "INSERT INTO player_addresses (address, player, since_utc)"
	               " VALUES ('bob@home.example', 2, 1)");
	testbed_write(c.s, "bob", "status W1");
	testbed_reply(c.s, "bob", "popup none; whack none");
	zoe_asks(&c);
	expect_code(c.s, "run", 0);
	expect(c.s, "run", 0, NULL);
	cr_expect_eq(crowd_number(c.s, "SELECT count(*) FROM outbox WHERE state = 5"), 2);
	cr_expect_eq(taken(&c, "bob@home.example", "once more"), 2);
	expect(c.s, "run", 0, NULL);
	cr_expect_eq(taken(&c, "bob@home.example", "once more"), 2);
	close_scene(&c);
}

Test(refusals, the_operator_s_retry_lifts_what_was_held_against_the_address)
{
	struct scene c;

	open_scene(&c, "ann bob", bob_is_nobody, 1);
	ask(&c, "bob");
	expect(c.s, "run", 0, NULL);
	expect(c.s, "doctor", 65, "unreachable");
	expect(c.s, "outbox retry all", 0, "goes out again with the next run");
	expect(c.s, "run", 0, NULL);
	cr_expect_eq(taken(&c, "bob@", ""), 1);
	expect(c.s, "doctor", 0, "All is well.");
	close_scene(&c);
}

Test(refusals, an_exit_code_of_sendmail_that_names_the_address_counts_as_much)
{
	struct strbuf text = STRBUF_INIT;
	struct scene c;
	char *path;

	open_scene(&c, "ann bob", NULL, 0);
	path = testbed_path(c.s, "program");
	strbuf_adds(&text, "#!/bin/sh\ncat >/dev/null\ncase $5 in bob@*) exit 67; esac\n");
	cr_assert_eq(file_create(path, strbuf_span(&text), NULL), ERR_NONE);
	cr_assert_eq(chmod(path, 0700), 0);
	strbuf_clear(&text);
	strbuf_addf(&text, "sendmail:%s", path);
	testbed_sink(c.s, text.ptr);
	testbed_write(c.s, "bob", "status W1");
	zoe_asks(&c);
	expect(c.s, "run", 0, "exit code 67 (addressee unknown)");
	expect(c.s, "run", 0, NULL);
	expect(c.s, "game show W1", 0, "bob                  plays, mail comes back");
	strbuf_release(&text);
	free(path);
	close_scene(&c);
}

/* ------------------------------------------------------------------ not the player's fault */

/* The same game, with a server that takes everything. */
static void mend(struct scene *c)
{
	smtp_server_free(c->server);
	c->server = smtp_server_new(NULL, 0, NULL);
	testbed_smtp(c->s, "", smtp_server_port(c->server), "");
	testbed_wait(c->s, 1);
}

/* Two days of a day a turn in which nothing leaves: nobody loses a turn, an address, a game. */
static void refuses_all(const char *at, const char *say)
{
	const struct smtp_rule rule = {.at = at, .say = say};
	unsigned told = 0;
	struct scene c;

	open_scene(&c, "ann bob cy", &rule, 1);
	testbed_write(c.s, "ann", "status W1");
	testbed_write(c.s, "bob", "status W1");
	expect_code(c.s, "run", 75);
	for (unsigned i = 0; i < 96; i++) {
		struct ran r;

		testbed_wait(c.s, 30 * MIN_S);
		testbed_do(c.s, "run", NULL, &r);
		cr_expect_eq(r.code, 75, "%s", say);
		told += strstr(r.err.ptr, "could not be sent: the mail server took none of ") !=
		        NULL;
		ran_release(&r);
	}
	cr_expect(told >= 1 && told <= 2, "%s %u", say, told); /* each day once */
	expect(c.s, "doctor", 65, "the mail server has taken nothing from ");
	mend(&c);
	expect_code(c.s, "run", 0);
	cr_expect_eq(taken(&c, "ann@", "W1"), 1, "%s", say);
	cr_expect_eq(taken(&c, "bob@", "W1"), 1, "%s", say);
	cr_expect_eq(crowd_number(c.s, "SELECT count(*) FROM bounced_mails"), 0, "%s", say);
	cr_expect_eq(crowd_number(c.s, "SELECT count(*) FROM seats WHERE missed_all > 0"), 0,
	             "%s", say);
	expect_code(c.s, "run", 0);
	expect(c.s, "game show W1", 0, "deadline Sun 15 Mar 2026 18:01 UTC");
	close_scene(&c);
}

Test(refusals, a_provider_that_takes_nothing_costs_nobody_anything, .timeout = 600)
{
	refuses_all("RCPT", "554 5.7.1 account suspended\r\n");
	refuses_all("RCPT", "550 5.4.5 daily quota exceeded\r\n");
	refuses_all("RCPT", "451 try again later\r\n");
	refuses_all("RCPT", "452 insufficient system storage\r\n");
	refuses_all("dot", "550 this message looks like spam\r\n");
	refuses_all("MAIL", "550 5.7.1 you may not send as this\r\n");
}

/* Refused without a word why, killed at each step of that run: nothing of it sticks to anybody. */
Test(refusals, a_kill_while_a_provider_takes_nothing_costs_nobody_anything, .timeout = 600)
{
	static const struct smtp_rule rule = {.at = "RCPT", .say = "550 no\r\n"};
	bool killed = true;

	for (unsigned at = 1; killed; at++) {
		char stop[48];
		struct scene c;
		struct ran r;

		open_scene(&c, "ann bob cy", &rule, 1);
		testbed_write(c.s, "ann", "status W1");
		testbed_write(c.s, "bob", "status W1");
		expect_code(c.s, "run --no-send", 0);
		(void)snprintf(stop, sizeof(stop), "MOLEPOST_TEST_STOP_AT=%u", at);
		testbed_do(c.s, "run", (const char *const[]){stop, NULL}, &r);
		killed = r.signal == SIGKILL;
		ran_release(&r);
		mend(&c);
		testbed_wait(c.s, 20 * MIN_S); /* a mail that was in hand waits for 15 */
		expect_code(c.s, "run", 0);
		expect_code(c.s, "run", 0);
		cr_expect_eq(taken(&c, "ann@", "W1"), 1, "killed at step %u", at);
		cr_expect_eq(taken(&c, "bob@", "W1"), 1, "killed at step %u", at);
		cr_expect_eq(crowd_number(c.s, "SELECT count(*) FROM bounced_mails"), 0,
		             "killed at step %u", at);
		close_scene(&c);
	}
}

/* The last mail of a run is refused: nobody knows why, until somebody else's mail is taken or refused. */
Test(refusals, the_last_of_a_run_waits_for_what_becomes_of_others)
{
	static const struct smtp_rule policy[] = {{.at = "RCPT",
	                                           .with = "<bob@example.net>",
	                                           .say = "554 5.7.1 blocked by policy\r\n"}};
	struct scene c;

	open_scene(&c, "ann bob cy", policy, 1);
	testbed_wait(c.s, MIN_S);
	testbed_write(c.s, "ann", "status W1");
	testbed_write(c.s, "cy", "status W1");
	testbed_write(c.s, "bob", "status W1");
	zoe_asks(&c);
	expect(c.s, "run", 0, "could not be delivered and is given up");
	testbed_wait(c.s, MIN_S);
	testbed_write(c.s, "ann", "list");
	testbed_write(c.s, "bob", "status W1");
	expect(c.s, "run", 75, "was refused, and none for others was taken since; it is");
	testbed_wait(c.s, 1);
	expect(c.s, "run", 75, NULL);
	testbed_wait(c.s, DAY_S); /* one address: no clock stands for it */
	expect(c.s, "run", 0, "could not be delivered and is given up");
	expect(c.s, "run", 0, NULL);
	expect(c.s, "game show W1", 0, "turn 2");
	cr_expect_eq(crowd_number(c.s, "SELECT score FROM bounced_addresses"), 4);
	close_scene(&c);
}

/* A provider that delivers at home and relays no more. */
Test(refusals, what_is_taken_for_our_own_domain_says_nothing_of_others)
{
	static const struct smtp_rule relays_not[] = {
	    {.at = "RCPT", .with = "@example.net>", .say = "550 5.1.1 relaying denied\r\n"}};
	struct scene c;

	open_scene(&c, "ann bob cy", relays_not, 1);
	testbed_write(c.s, "ann", "status W1");
	testbed_write(c.s, "bob", "status W1");
	testbed_write(c.s, "kim@example.org", "list");
	expect(c.s, "run", 75, "the mail server took none of 2: 550 5.1.1");
	cr_expect_eq(taken(&c, "kim@", ""), 1);
	cr_expect_eq(crowd_number(c.s, "SELECT count(*) FROM outbox WHERE refused > 0"), 0);
	close_scene(&c);
}

/* It takes some and no more: those after them have nothing against them. */
Test(refusals, a_quota_that_is_used_up_in_a_run_costs_nobody_anything)
{
	static const struct smtp_rule quota[] = {
	    {.at = "RCPT", .after = 1, .say = "550 5.1.1 daily quota exceeded\r\n"}};
	struct scene c;

	open_scene(&c, "ann bob cy", quota, 1);
	zoe_asks(&c);
	testbed_write(c.s, "ann", "status W1");
	testbed_write(c.s, "bob", "status W1");
	testbed_write(c.s, "cy", "status W1");
	expect(c.s, "run", 75, "the mail server took none of 3: 550 5.1.1");
	expect(c.s, "doctor", 65, "the mail server has taken nothing from ");
	cr_expect_eq(crowd_number(c.s, "SELECT count(*) FROM outbox WHERE refused > 0"), 0);
	close_scene(&c);
}

/* Full today: the same refusals by one mailbox alone do not stop the games of the others. */
Test(refusals, a_mailbox_that_is_full_stops_no_clock)
{
	static const struct smtp_rule full[] = {
	    {.at = "RCPT", .with = "<bob@example.net>", .say = "452 4.2.2 mailbox full\r\n"}};
	struct scene c;

	open_scene(&c, "ann bob cy", full, 1);
	ask(&c, "bob");
	testbed_wait(c.s, DAY_S + 60);
	testbed_run_noting(c.s);
	expect(c.s, "game show W1", 0, "turn 2");
	close_scene(&c);
}

/* ------------------------------------------------------------------ deaths */

/* Killed at its n-th step, then run until nothing is left. False when it had fewer steps. */
static bool kill_at(struct testbed *s, unsigned n)
{
	char stop[48];
	const char *const env[] = {stop, NULL};
	struct ran r;
	bool killed;

	(void)snprintf(stop, sizeof(stop), "MOLEPOST_TEST_STOP_AT=%u", n);
	testbed_do(s, "run --no-send", env, &r);
	killed = r.signal == SIGKILL;
	ran_release(&r);
	expect(s, "run --no-send", 0, NULL);
	return killed;
}

Test(refusals, a_run_killed_at_any_step_does_what_follows_once, .timeout = 600)
{
	struct strbuf wanted = STRBUF_INIT, got = STRBUF_INIT;
	struct scene c;
	unsigned steps = 0;
	bool killed = true;

	open_scene(&c, "ann bob cy", bob_is_nobody, 1);
	ask(&c, "bob");
	struct testbed *calm = testbed_clone(c.s);
	expect(calm, "run --no-send", 0, NULL);
	testbed_dump(calm, &wanted);
	cr_assert_not_null(strstr(wanted.ptr, "bounced_mails"));
	while (killed) {
		struct testbed *copy = testbed_clone(c.s);

		killed = kill_at(copy, ++steps);
		strbuf_clear(&got);
		testbed_dump(copy, &got);
		cr_expect_str_eq(got.ptr, wanted.ptr, "step %u", steps);
		expect(copy, "fsck", 0, "");
		testbed_free(copy);
	}
	cr_expect_gt(steps, 4);
	testbed_free(calm);
	strbuf_release(&wanted);
	strbuf_release(&got);
	close_scene(&c);
}

/* From the sender's first step on: the refusal may be heard again, but never counts twice. */
Test(refusals, a_sender_killed_at_any_step_of_a_refusal_leaves_the_same_behind, .timeout = 600)
{
	static const struct smtp_rule nobody[] = {
	    {.at = "RCPT", .with = "<bob@example.net>", .say = NOBODY}};
	struct scene c;
	unsigned steps = 0;
	bool killed = true;

	open_scene(&c, "ann bob", nobody, 1);
	testbed_write(c.s, "bob", "status W1");
	zoe_asks(&c);
	expect(c.s, "run --no-send", 0, NULL);
	while (killed) {
		struct testbed *copy = testbed_clone(c.s);
		char stop[48];
		const char *const env[] = {stop, NULL};
		struct ran r;

		(void)snprintf(stop, sizeof(stop), "MOLEPOST_TEST_STOP_AT=%u", ++steps);
		testbed_do(copy, "run", env, &r);
		killed = r.signal == SIGKILL;
		ran_release(&r);
		for (unsigned i = 0; i < 3; i++) {
			testbed_wait(copy, 16 * MIN_S);
			testbed_write(copy, "zoe", "list");
			expect_code(copy, "run", 0);
		}
		expect(copy, "game show W1", 0, "bob                  plays, mail comes back");
		expect(copy, "game show W1", 0, "deadline Sat 14 Mar 2026 18:00 UTC");
		cr_expect_eq(crowd_number(copy, "SELECT count(*) FROM bounced_mails"), 1);
		cr_expect_eq(crowd_number(copy, "SELECT count(*) FROM outbox WHERE kind ="
		                                " 'notice' AND state = 4"),
		             1, "step %u", steps);
		expect(copy, "fsck", 0, "");
		testbed_free(copy);
	}
	cr_expect_gt(steps, 6);
	close_scene(&c);
}

Test(refusals, one_that_kills_the_program_is_left_out_at_the_fourth_time)
{
	struct scene c;
	char poison[200];
	const char *const env[] = {poison, NULL};

	open_scene(&c, "ann bob", bob_is_nobody, 1);
	ask(&c, "bob");
	char *list = output_of(c.s, "outbox list"), *id = strchr(list, '<');
	cr_assert_not_null(id);
	(void)snprintf(poison, sizeof(poison), "MOLEPOST_TEST_ABORT_ON=%.*s",
	               (int)strcspn(id, "\n"), id);
	for (unsigned i = 0; i < 3; i++) {
		struct ran r;

		testbed_do(c.s, "run", env, &r);
		cr_expect_eq(r.code, 70, "%s", poison);
		ran_release(&r);
	}
	testbed_write(c.s, "ann", "status W1");
	expect(c.s, "run", 0, "molepost crashed each time on it");
	cr_expect_eq(taken(&c, "ann@", ""), 1);
	expect(c.s, "run", 0, NULL);
	cr_expect_eq(crowd_number(c.s, "SELECT count(*) FROM bounced_mails"), 0);
	free(list);
	close_scene(&c);
}
