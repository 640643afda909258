/*
 * test_outbox.c - mails on their way out of a server that is killed, to servers that misbehave.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "processor/base/file.h"
#include "tests/support/crowd.h"
#include "tests/support/smtp_server.h"
#include "tests/support/table.h"

enum { MIN_S = 60, HOUR_S = 3600 };

#define RULES(...)                               \
	(const struct smtp_rule[]){__VA_ARGS__}, \
	    sizeof((struct smtp_rule[]){__VA_ARGS__}) / sizeof(struct smtp_rule)

struct stage {
	struct testbed *s;
	struct smtp_server *server;
};

/* One mail for each of these people waits; the server follows the rules. */
static void stage_open(struct stage *g, const char *people, const struct smtp_rule *rules,
                       size_t n, const char *options)
{
	struct span rest = span_of(people), who;
	char name[32];

	signal(SIGPIPE, SIG_IGN);
	g->s = testbed_new("stage");
	g->server = smtp_server_new(rules, n, NULL);
	smtp_server_announce_pipelining(g->server); /* as most do */
	testbed_smtp(g->s, "", smtp_server_port(g->server), options);
	while (span_next_word(&rest, "", &who)) {
		(void)snprintf(name, sizeof(name), "%.*s", SPAN_ARGS(who));
		testbed_write(g->s, name, "help");
	}
	expect_code(g->s, "run --no-send", 0);
}

/* Somebody else gets a mail behind those that wait, so that what those are refused counts. */
static void another_asks(struct stage *g)
{
	char name[32];

	(void)snprintf(name, sizeof(name), "zoe%u", g->s->written);
	testbed_write(g->s, name, "help");
}

static void stage_close(struct stage *g)
{
	expect_sound(g->s);
	smtp_server_free(g->server);
	testbed_free(g->s);
}

static int64_t in_state(const struct stage *g, int state)
{
	char sql[80];

	(void)snprintf(sql, sizeof(sql), "SELECT count(*) FROM outbox WHERE state = %d", state);
	return crowd_number(g->s, sql);
}
enum { NEW, SENDING, RETRY, MAYBE, SENT, DEAD };

/* Each Message-ID always had the same bytes; how many different ones there were. */
static size_t different_mails(struct smtp_server *server)
{
	size_t n = smtp_server_taken(server), different = 0;

	for (size_t i = 0; i < n; i++) {
		const struct strbuf *a = &smtp_server_mail(server, i)->bytes;
		const char *id = strstr(a->ptr, "\r\nMessage-ID: ");
		bool seen = false;

		cr_assert_not_null(id);
		for (size_t k = 0; k < i; k++) {
			const struct strbuf *b = &smtp_server_mail(server, k)->bytes;
			const char *other = strstr(b->ptr, "\r\nMessage-ID: ");

			if (strncmp(id, other, strcspn(id + 2, "\r") + 2) != 0)
				continue;
			seen = true;
			cr_expect_str_eq(a->ptr, b->ptr, "one Message-ID, two texts");
		}
		different += !seen;
	}
	return different;
}

/* ------------------------------------------------------------------ refusals */

Test(outbox, one_of_three_refused_for_good_is_shown_until_the_operator_decides)
{
	struct stage g;
	const char *dead = "550 5.1.1 nobody of that name";

	stage_open(&g, "ann bob cy",
	           RULES({.at = "RCPT",
	                  .with = "bob",
	                  .times = 2,
	                  .say = "550 5.1.1 nobody of that name\r\n"}),
	           "");
	expect(g.s, "run", 0, dead);
	cr_expect_eq(in_state(&g, SENT), 2);
	cr_expect_eq(in_state(&g, DEAD), 1);
	expect(g.s, "doctor", 65, "1 mail could not be delivered");
	expect(g.s, "doctor", 65, "outbox retry, or outbox drop");
	expect(g.s, "outbox list", 0, "bob@example.net, dead after 1 attempt,");
	expect(g.s, "outbox list", 0, "tried Thu 12 Mar 2026 18:00 UTC: 550 5.1.1 nobody");
	expect(g.s, "outbox list", 0, "given up; molepost outbox retry 2");
	expect(g.s, "why m1@mua.example.net", 0, dead);
	expect(g.s, "outbox retry all", 0, "mail 2 goes out again");
	expect(g.s, "doctor", 65, "1 mail waits for another attempt");
	another_asks(&g);
	expect(g.s, "run", 0, dead);
	expect(g.s, "outbox drop 2", 0, "mail 2 is put aside");
	expect(g.s, "doctor", 0, "All is well.");
	expect(g.s, "outbox list", 0, "Every mail has got through.");
	expect(g.s, "outbox retry 1", 65, "mail 1 is sent");
	expect(g.s, "outbox retry 99", 65, "no mail '99'");
	expect(g.s, "outbox retry 2", 0, "goes out again");
	expect(g.s, "run", 0, NULL);
	cr_expect_eq(in_state(&g, SENT), 4);
	cr_expect_eq(different_mails(g.server), 4);
	stage_close(&g);
}

/* The only player of a game, so that "player show" has somebody to show. */
Test(outbox, a_mail_refused_for_now_is_tried_for_a_day_and_a_half_and_then_given_up)
{
	static const int64_t waits[] = {5 * MIN_S, 30 * MIN_S, 2 * HOUR_S, 6 * HOUR_S,
	                                24 * HOUR_S};
	struct stage g;

	stage_open(&g, "",
	           RULES({.at = "RCPT", .with = "ann", .say = "451 4.7.1 Greylisted\r\n"}), "");
	testbed_write(g.s, "ann", "create whakka mole players 2");
	another_asks(&g);
	expect_code(g.s, "run", 0);
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		cr_expect_eq(in_state(&g, RETRY), 1, "attempt %zu", i);
		testbed_wait(g.s, waits[i] - 1);
		expect(g.s, "run", 0, NULL);
		cr_expect_eq(crowd_number(g.s, "SELECT max(attempts) FROM outbox"),
		             (int64_t)i + 1);
		testbed_wait(g.s, 1);
		another_asks(&g);
		expect_code(g.s, "run", 0);
	}
	cr_expect_eq(in_state(&g, DEAD), 1);
	expect(g.s, "player show ann@example.net", 0, "mail that has not got through");
	expect(g.s, "player show ann@example.net", 0,
	       "tried Thu 12 Mar 2026 18:05 UTC: 451 4.7.1 Greylisted");
	expect(g.s, "player show ann@example.net", 0, "dead after 6 attempts");
	cr_expect_eq(smtp_server_taken(g.server), 6);
	stage_close(&g);
}

Test(outbox, a_mail_behind_one_that_waits_goes_out_after_it)
{
	struct stage g;

	stage_open(&g, "ann ann bob ann",
	           RULES({.at = "RCPT", .with = "ann", .times = 1, .say = "451 later\r\n"}),
	           "");
	/* Strangers have no order among their mails; a player has. */
	crowd_sql(g.s, "INSERT INTO players (id, address, name, created_utc)"
	               " VALUES (1, 'ann@example.net', 'ann', 1);"
	               "UPDATE outbox SET player = 1 WHERE rcpt = 'ann@example.net'");
	expect_code(g.s, "run", 0);
	cr_expect_eq(in_state(&g, SENT), 1);
	expect(g.s, "outbox list", 0, "waits behind an earlier mail to the same player");
	testbed_wait(g.s, 5 * MIN_S);
	expect_code(g.s, "run", 0);
	cr_expect_eq(in_state(&g, SENT), crowd_number(g.s, "SELECT count(*) FROM outbox"));
	stage_close(&g);
}

/* One that nobody wants must not keep the reports of a week. */
Test(outbox, a_mail_that_waits_holds_up_others_for_an_hour_at_most)
{
	struct stage g;

	stage_open(&g, "ann bob",
	           RULES({.at = "RCPT", .with = "ann", .times = 3, .say = "451 later\r\n"}),
	           "");
	crowd_sql(g.s, "INSERT INTO players (id, address, name, created_utc)"
	               " VALUES (1, 'ann@example.net', 'ann', 1);"
	               "UPDATE outbox SET player = 1 WHERE rcpt = 'ann@example.net'");
	expect_code(g.s, "run", 0);
	testbed_wait(g.s, 5 * MIN_S);
	another_asks(&g);
	testbed_run_noting(g.s);
	testbed_wait(g.s, 30 * MIN_S);
	another_asks(&g);
	testbed_run_noting(g.s); /* the next attempt is two hours away */
	cr_expect_eq(in_state(&g, SENT), 3);
	testbed_write(g.s, "ann", "list");
	testbed_run_noting(g.s);
	cr_expect_eq(in_state(&g, SENT), 3);
	testbed_wait(g.s, 30 * MIN_S);
	expect_code(g.s, "run", 0);
	cr_expect_eq(in_state(&g, SENT), 4);
	cr_expect_eq(in_state(&g, RETRY), 1);
	stage_close(&g);
}

/* ---------------------------------------------------------- the server, not the mail */

static void expect_untouched(struct stage *g, int code, const char *why)
{
	expect(g->s, "-v run", code, why);
	expect(g->s, "doctor", 65, why);
	cr_expect_eq(in_state(g, NEW), 2);
	cr_expect_eq(crowd_number(g->s, "SELECT sum(attempts) + sum(next_try_utc) FROM outbox"),
	             0);
	cr_expect_eq(smtp_server_taken(g->server), 0);
}

Test(outbox, a_server_that_is_down_costs_no_mail_an_attempt)
{
	struct stage g;
	unsigned port;

	stage_open(&g, "ann bob", RULES({.at = "connect", .times = 2, .close = true}), "");
	port = smtp_server_port(g.server);
	expect_untouched(&g, 75, "127.0.0.1: ");
	testbed_smtp(g.s, "", 1, "");
	expect_untouched(&g, 75, "connect");
	testbed_smtp(g.s, "", port, "");
	expect(g.s, "doctor", 0, "All is well.");
	expect(g.s, "run", 0, NULL);
	cr_expect_eq(smtp_server_taken(g.server), 2);
	stage_close(&g);
}

Test(outbox, a_wrong_password_costs_no_mail_an_attempt_and_is_not_shown)
{
	struct stage g;
	struct ran r;
	char *path;

	stage_open(&g, "ann bob", NULL, 0, "");
	smtp_server_free(g.server);
	g.server =
	    smtp_server_new(RULES({.at = "AUTH", .say = "535 no: swordfish\r\n"}), "PLAIN");
	testbed_smtp(g.s, "moles@", smtp_server_port(g.server), "");
	expect_untouched(&g, 78, "no password for moles@127.0.0.1");
	path = testbed_path(g.s, "password");
	cr_assert_eq(file_create(path, SPAN_LIT("swordfish\n"), NULL), ERR_NONE);
	testbed_configure(g.s, "password = file:password");
	expect_untouched(&g, 75, "the login was refused");
	testbed_do(g.s, "run", NULL, &r);
	cr_expect_null(strstr(r.err.ptr, "swordfish"), "%s", r.err.ptr);
	ran_release(&r);
	testbed_do(g.s, "doctor", NULL, &r);
	cr_expect_null(strstr(r.out.ptr, "swordfish"), "%s", r.out.ptr);
	ran_release(&r);
	free(path);
	stage_close(&g);
}

Test(outbox, a_server_that_breaks_down_in_the_middle_leaves_the_rest_as_it_was)
{
	struct stage g;

	stage_open(&g, "ann bob cy dee eve",
	           RULES({.at = "connect", .after = 1, .times = 2, .close = true},
	                 {.at = "MAIL", .after = 2, .times = 1, .close = true}),
	           "");
	expect_code(g.s, "run", 75);
	cr_expect_eq(in_state(&g, SENT), 2);
	cr_expect_eq(in_state(&g, NEW), 3);
	cr_expect_eq(crowd_number(g.s, "SELECT sum(attempts) FROM outbox"), 2);
	testbed_wait(g.s, MIN_S);
	expect_code(g.s, "run", 75);
	expect(g.s, "run", 0, NULL);
	cr_expect_eq(smtp_server_taken(g.server), 5);
	cr_expect_eq(different_mails(g.server), 5);
	stage_close(&g);
}

Test(outbox, the_code_in_the_sender_s_address_is_shown_to_nobody)
{
	struct stage g;
	const char *shown = "<moles+b-1-...@example.org>: Sender address rejected";

	stage_open(&g, "ann",
	           RULES({.at = "RCPT",
	                  .with = "ann",
	                  .say = "550 <moles+b-1-abcdefghijklmnopqrstuvwxyz@example.org>:"
	                         " Sender address rejected\r\n"}),
	           "");
	another_asks(&g);
	expect(g.s, "run", 0, shown);
	expect(g.s, "outbox list", 0, shown);
	cr_expect_eq(
	    crowd_number(g.s, "SELECT count(*) FROM outbox WHERE answer LIKE '%xyz@%'"), 0);
	cr_expect_eq(crowd_number(g.s, "SELECT count(*) FROM outbox_failures"
	                               " WHERE answer LIKE '%xyz@%'"),
	             0);
	stage_close(&g);
	/* A server that will not take anything is reported by itself. */
	stage_open(&g, "ann",
	           RULES({.at = "MAIL",
	                  .say = "530 5.7.0 <moles+b-1-abcdefghijklmnopqrstuvwxyz@example.org>:"
	                         " log in first\r\n"}),
	           "");
	expect(g.s, "run", 75, "<moles+b-1-...@example.org>: log in first");
	stage_close(&g);
}

/* ------------------------------------------------------------------ answers that are lost */

/*
 * A Maildir knows a mail again, so nobody waits after a kill: the next run, at the same moment, leaves
 * nothing to send, and each mail lies there once.
 */
Test(outbox, after_a_kill_while_a_maildir_is_filled_the_next_run_sends_at_once, .timeout = 120)
{
	bool killed = true;
	unsigned n;

	for (n = 1; killed && n < 60; n++) {
		struct testbed *s = testbed_new("maildir kill");
		struct ran r;
		char stop[64];
		const char *const env[] = {stop, NULL};

		testbed_write(s, "ann", "create whakka mole players 2");
		testbed_write(s, "bob", "create mole park players 2");
		(void)snprintf(stop, sizeof(stop), "MOLEPOST_TEST_STOP_AT=%u", n);
		testbed_do(s, "run", env, &r);
		killed = r.signal == SIGKILL;
		ran_release(&r);
		testbed_do(s, "run", NULL, &r); /* a mail that was in hand is taken alone */
		cr_assert_eq(r.code, 0, "%s", r.err.ptr);
		ran_release(&r);
		cr_expect_eq(files_in(s, "outbox/new"), 2, "stopped at %u", n);
		expect(s, "doctor", 0, "mails to send: 0");
		testbed_free(s);
	}
	cr_expect_gt(n, 10);
	cr_expect_not(killed);
}

Test(outbox, a_mail_whose_answer_was_lost_is_repeated_once_after_a_quarter_of_an_hour)
{
	struct stage g;

	stage_open(&g, "ann", RULES({.at = "dot", .times = 1, .close = true}), "");
	another_asks(&g);
	expect_code(g.s, "run", 0);
	cr_expect_eq(in_state(&g, MAYBE), 1);
	expect(g.s, "doctor", 0, "handed over without an answer");
	testbed_wait(g.s, 15 * MIN_S - 1);
	expect(g.s, "run", 0, NULL);
	cr_expect_eq(smtp_server_taken(g.server), 2);
	testbed_wait(g.s, 1);
	expect(g.s, "run", 0, NULL);
	cr_expect_eq(in_state(&g, SENT), 2);
	cr_expect_eq(smtp_server_taken(g.server), 3);
	cr_expect_eq(different_mails(g.server), 2);
	stage_close(&g);
}

/* If it takes what others are sent; else it is asked again, ever more rarely, and nobody loses a turn meanwhile. */
Test(outbox, a_mail_whose_answer_was_lost_twice_is_taken_for_sent)
{
	struct stage g;

	stage_open(&g, "ann", RULES({.at = "dot", .times = 4, .close = true}), "");
	expect_code(g.s, "run", 75);
	testbed_wait(g.s, 15 * MIN_S);
	expect_code(g.s, "run", 75);
	testbed_wait(g.s, 15 * MIN_S);
	expect_code(g.s, "run", 75);
	cr_expect_eq(smtp_server_taken(g.server), 2);
	testbed_wait(g.s, 15 * MIN_S);
	expect_code(g.s, "run", 75);
	cr_expect_eq(in_state(&g, MAYBE), 1);
	testbed_wait(g.s, HOUR_S);
	another_asks(&g);
	expect_code(g.s, "run", 0);
	cr_expect_eq(in_state(&g, SENT), 2);
	testbed_wait(g.s, 4 * HOUR_S);
	expect(g.s, "run", 0, NULL);
	cr_expect_eq(smtp_server_taken(g.server), 5);
	expect(g.s, "why m0@mua.example.net", 0, "no answer after the mail was handed over");
	stage_close(&g);
}

Test(outbox, a_sender_killed_while_the_server_thinks_repeats_the_same_bytes)
{
	static const char *const run[] = {"run", NULL};
	struct stage g;
	struct ran r;
	pid_t pid;

	stage_open(&g, "ann", RULES({.at = "dot", .times = 1, .delay_ms = 300, .usual = true}),
	           "");
	pid = testbed_start(g.s, run, NULL);
	smtp_server_wait_dots(g.server, 1);
	cr_assert_eq(kill(pid, SIGKILL), 0);
	testbed_finish(g.s, pid, &r);
	cr_expect_eq(r.signal, SIGKILL);
	ran_release(&r);
	expect(g.s, "run", 0, NULL);
	cr_expect_eq(smtp_server_taken(g.server), 1);
	testbed_wait(g.s, 15 * MIN_S);
	expect(g.s, "run", 0, NULL);
	cr_expect_eq(in_state(&g, SENT), 1);
	cr_expect_eq(smtp_server_taken(g.server), 2);
	cr_expect_eq(different_mails(g.server), 1);
	stage_close(&g);
}

/* Killed at its n-th step, then run until all is sent. False when it had fewer steps. */
static bool kill_at(struct stage *g, unsigned n)
{
	char stop[48];
	const char *const env[] = {stop, NULL};
	struct ran r;
	bool killed;

	(void)snprintf(stop, sizeof(stop), "MOLEPOST_TEST_STOP_AT=%u", n);
	testbed_do(g->s, "run", env, &r);
	killed = r.signal == SIGKILL;
	cr_assert(killed || r.code == 0, "%s", r.err.ptr);
	ran_release(&r);
	for (int i = 0; i < 6; i++) {
		expect(g->s, "run", 0, NULL);
		testbed_wait(g->s, 15 * MIN_S);
	}
	return killed;
}

static void kill_at_each(bool pipelining)
{
	struct stage g;
	unsigned steps = 0;
	bool killed = true;

	stage_open(&g, "ann bob cy", NULL, 0, "");
	while (killed) {
		struct testbed *whole = g.s;

		g.s = testbed_clone(whole);
		smtp_server_free(g.server);
		g.server = smtp_server_new(NULL, 0, NULL);
		if (pipelining)
			smtp_server_announce_pipelining(g.server);
		testbed_smtp(g.s, "", smtp_server_port(g.server),
		             steps % 2 ? "" : "?connections=3");
		killed = kill_at(&g, ++steps);
		cr_expect_eq(in_state(&g, SENT), 3, "step %u", steps);
		cr_expect_eq(different_mails(g.server), 3, "step %u", steps);
		cr_expect_leq(smtp_server_taken(g.server), 6, "step %u", steps);
		expect_sound(g.s);
		testbed_free(g.s);
		g.s = whole;
	}
	cr_expect_gt(steps, 13);
	stage_close(&g);
}

Test(outbox, a_sender_killed_at_any_step_loses_nothing_and_repeats_only_the_same,
     .timeout = 600)
{
	kill_at_each(true);
}

Test(outbox, nor_one_that_gives_its_commands_one_by_one, .timeout = 600)
{
	kill_at_each(false);
}

/* ------------------------------------------------------------------ several at a time */

Test(outbox, several_connections_send_everything_once_and_each_player_s_mails_in_order)
{
	struct stage g;
	unsigned last[10] = {0};

	stage_open(&g, "", RULES({.at = "RCPT", .with = "p3@", .delay_ms = 1, .usual = true}),
	           "?connections=4");
	crowd_games(g.s, 40);
	crowd_orders(g.s, 40);
	expect_code(g.s, "run --no-send", 0);
	crowd_sql(g.s, "UPDATE outbox SET player = 1 + id % 10, rcpt = 'p' || (id % 10) ||"
	               " '@example.net'");
	int64_t all = crowd_number(g.s, "SELECT count(*) FROM outbox");
	cr_assert_gt(all, 100);
	expect(g.s, "run", 0, NULL);
	cr_expect_eq(in_state(&g, SENT), all);
	cr_expect_eq(smtp_server_taken(g.server), (size_t)all);
	cr_expect_eq(different_mails(g.server), (size_t)all);
	for (size_t i = 0; i < smtp_server_taken(g.server); i++) {
		const struct smtp_taken *t = smtp_server_mail(g.server, i);
		const char *id = strstr(t->bytes.ptr, "\r\nMessage-ID: ") + 14;
		char sql[160];
		unsigned row, lane = (unsigned)(t->rcpt.ptr[1] - '0');

		(void)snprintf(sql, sizeof(sql),
		               "SELECT id FROM outbox WHERE message_id = '%.*s'",
		               (int)strcspn(id, "\r"), id);
		row = (unsigned)crowd_number(g.s, sql);
		cr_expect_gt(row, last[lane]);
		last[lane] = row;
	}
	smtp_server_free(g.server);
	testbed_free(g.s);
}

/* ------------------------------------------------------------------ one mail for a turn */

/* ann has sent orders, and the receipt has not left. */
static struct testbed *testbed_with_a_waiting_receipt(void)
{
	struct testbed *s = testbed_new("one mail");

	table_begin(s, "ann bob");
	testbed_reply(s, "ann", "popup 1; whack 2");
	expect(s, "run --no-send", 0, NULL);
	return s;
}

static size_t posts_to(const struct testbed *s, const char *who, const char *words)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nposts; i++)
		n += strcmp(s->posts[i]->who, who) == 0 && strstr(s->posts[i]->text, words);
	return n;
}

Test(outbox, a_receipt_that_has_not_left_when_its_turn_ends_stands_in_the_report)
{
	struct testbed *s = testbed_with_a_waiting_receipt();

	testbed_reply(s, "bob", "popup 3; whack 4");
	testbed_run(s);
	cr_expect_eq(posts_to(s, "ann", "stored"), 0);
	cr_expect_not_null(strstr(testbed_find(s, "ann", "turn 2] orders due")->proof,
	                          "Your orders, stored (mail 3 of this game):\n"
	                          "  > POPUP 1; WHACK 2\n"));
	cr_expect_eq(crowd_unsent(s), 0);
	cr_expect_eq(
	    crowd_number(s, "SELECT count(*) FROM enclosed_mails WHERE brought_by > 0"), 2);
	expect(s, "fsck", 0, "sound");
	testbed_reply(s, "ann", "resend 3");
	testbed_run(s);
	cr_expect_not_null(strstr(testbed_last(s, "ann")->text, "Stored for turn 1"));
	testbed_free(s);
}

Test(outbox, a_receipt_that_does_not_open_holds_no_game)
{
	struct testbed *s = testbed_with_a_waiting_receipt();

	crowd_sql(s, "UPDATE outbox_outlines SET sealed_outline = zeroblob(200)");
	testbed_reply(s, "bob", "popup 3; whack 4");
	struct ran r;
	testbed_do(s, "run", NULL, &r);
	ran_release(&r);
	(void)testbed_collect(s);
	cr_expect_not_null(testbed_find(s, "ann", "turn 2] orders due"));
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM games WHERE held_since_utc > 0"), 0);
	testbed_free(s);
}

/* ------------------------------------------------------------------ a program */

static void expect_sendmail(const char *script, int code, const char *said, int state)
{
	struct stage g;
	struct strbuf url = STRBUF_INIT, text = STRBUF_INIT;
	char *path;

	stage_open(&g, "ann", NULL, 0, "");
	path = testbed_path(g.s, "program");
	strbuf_addf(&text, "#!/bin/sh\n%s\n", script);
	cr_assert_eq(file_create(path, strbuf_span(&text), NULL), ERR_NONE);
	cr_assert_eq(chmod(path, 0700), 0);
	strbuf_addf(&url, "sendmail:%s -x", path);
	testbed_sink(g.s, url.ptr);
	expect(g.s, "run", code, said);
	cr_expect_eq(in_state(&g, state), 1, "%s", script);
	strbuf_release(&url);
	strbuf_release(&text);
	free(path);
	stage_close(&g);
}

Test(outbox, a_program_s_exit_code_says_what_became_of_a_mail)
{
	expect_sendmail("cat >/dev/null; exit 0", 0, NULL, SENT);
	expect_sendmail("cat >/dev/null; exit 75", 75, "exit code 75 (not now)", RETRY);
	expect_sendmail("echo no such man; exit 67", 75,
	                "exit code 67 (addressee unknown): no such man", RETRY);
	expect_sendmail("exit 64", 75, "wrong usage", RETRY);
	expect_sendmail("exit 78", 75, "its configuration is wrong", NEW);
	expect_sendmail("kill -9 $$", 75, "it died of signal 9", MAYBE);
}

/* The envelope's sender, whose code differs from mail to mail, between what stands around it. */
static void expect_words(const char *text, const char *before, const char *behind)
{
	struct span rest = span_of(text), line;

	cr_assert(span_starts(rest, before), "%s", text);
	rest = span_slice(rest, strlen(before), rest.len);
	line = span_slice(rest, 0, span_find_char(rest, '\n'));
	cr_expect(span_starts(line, "moles+b-"), "%s", text);
	cr_expect_eq(span_find(line, SPAN_LIT("@example.org")), line.len - 12, "%s", text);
	cr_expect(span_starts(span_slice(rest, line.len, rest.len), behind), "%s", text);
}

Test(outbox, a_program_gets_the_mail_and_the_envelope_without_a_shell)
{
	struct stage g;
	struct strbuf url = STRBUF_INIT, text = STRBUF_INIT;
	char *path, *out;

	stage_open(&g, "ann", NULL, 0, "");
	path = testbed_path(g.s, "program");
	out = testbed_path(g.s, "got");
	strbuf_addf(&text, "#!/bin/sh\nprintf '%%s\\n' \"$@\" >'%s'\ncat >>'%s'\n", out, out);
	cr_assert_eq(file_create(path, strbuf_span(&text), NULL), ERR_NONE);
	cr_assert_eq(chmod(path, 0700), 0);
	strbuf_addf(&url, "sendmail:%s  $(id) ;x", path);
	testbed_sink(g.s, url.ptr);
	expect(g.s, "run", 0, NULL);
	strbuf_clear(&text);
	cr_assert_eq(file_read(out, 1 << 20, &text, NULL), ERR_NONE);
	expect_words(text.ptr, "$(id)\n;x\n-i\n-f\n", "\n--\nann@example.net\n");
	cr_expect(strstr(text.ptr, "\nSubject: ") && !strchr(text.ptr, '\r'), "%s", text.ptr);
	strbuf_clear(&url);
	strbuf_addf(&url, "sendmail:%s to=RCPT RCPT by FROM", path);
	crowd_sql(g.s, "UPDATE outbox SET state = 0, attempts = 0, next_try_utc = 0");
	testbed_sink(g.s, url.ptr);
	expect(g.s, "run", 0, NULL);
	strbuf_clear(&text);
	cr_assert_eq(file_read(out, 1 << 20, &text, NULL), ERR_NONE);
	expect_words(text.ptr, "to=RCPT\nann@example.net\nby\n", "\nDate: ");
	testbed_sink(g.s, "sendmail:/nowhere/sendmail");
	expect(g.s, "doctor", 65, "there is no program /nowhere/sendmail");
	free(path);
	free(out);
	strbuf_release(&url);
	strbuf_release(&text);
	stage_close(&g);
}
