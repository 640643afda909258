/*
 * test_told_once.c - what the operator hears of a trouble, how often, and on which ways.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "processor/outgoing/operator.h"
#include "tests/support/crowd.h"
#include "tests/support/crowd_parts.h"
#include "tests/support/smtp_server.h"
#include "tests/support/table.h"

enum { MIN_S = 60, HOUR_S = 3600, DAY_S = 24 * HOUR_S };

#define UNREAD "mail could not be read, so no deadline is acted on"
#define UNSENT "mail could not be sent"

/* A server with an operator, boss@example.net. */
static struct testbed *testbed_with_operator(void)
{
	struct testbed *s = testbed_new("told once");

	testbed_configure(s, "operator = boss@example.net");
	return s;
}

/* An alarm that writes down what it gets, and then ends with this code. */
static void set_alarm(struct testbed *s, int code)
{
	char *path = testbed_path(s, "ring"), *log = testbed_path(s, "rang");
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "#!/bin/sh\n{ echo \"subject: $1\"; cat; } >> '%s'\nexit %d\n", log,
	            code);
	cr_assert_eq(file_create(path, strbuf_span(&text), NULL), ERR_NONE);
	cr_assert_eq(chmod(path, 0700), 0);
	strbuf_clear(&text);
	strbuf_addf(&text, "alarm = command:%s", path);
	testbed_configure(s, text.ptr);
	strbuf_release(&text);
	free(log);
	free(path);
}

/* How often the alarm has got this text. */
static unsigned rang(struct testbed *s, const char *words)
{
	char *path = testbed_path(s, "rang");
	struct strbuf text = STRBUF_INIT;
	unsigned n = 0;

	if (file_read(path, 1 << 20, &text, NULL) == ERR_NONE)
		for (const char *at = text.ptr; (at = strstr(at, words)) != NULL; at++)
			n++;
	strbuf_release(&text);
	free(path);
	return n;
}

static void move_away(struct testbed *s, bool away)
{
	char *here = testbed_path(s, "mail"), *there = testbed_path(s, "away");

	cr_assert_eq(rename(away ? here : there, away ? there : here), 0);
	free(here);
	free(there);
}

/* Mails to the operator with these words in the subject. */
static unsigned mails(struct testbed *s, const char *subject)
{
	unsigned n = 0;

	testbed_collect(s);
	for (size_t i = 0; i < s->nposts; i++)
		n += strcmp(s->posts[i]->who, "boss") == 0 &&
		     strstr(s->posts[i]->subject, subject) != NULL;
	return n;
}

/* ------------------------------------------------------------------ what lasts */

Test(told_once, a_mailbox_that_is_away_is_told_once_and_again_after_a_day)
{
	struct testbed *s = testbed_with_operator();

	move_away(s, true);
	expect(s, "run", 75, UNREAD);
	for (unsigned minutes = 5; minutes < 24 * 60; minutes += 95) {
		testbed_wait(s, 95 * MIN_S);
		expect(s, "run", 75, minutes + 95 < 24 * 60 ? NULL : UNREAD);
	}
	expect(s, "-v run", 75, UNREAD); /* who asks is told */
	cr_expect_eq(mails(s, "mail cannot be read"), 2);
	move_away(s, false);
	expect(s, "run", 0, NULL);
	cr_expect_eq(mails(s, "mail can be read again"), 1);
	expect(s, "run", 0, NULL);
	cr_expect_eq(mails(s, ""), 3);
	testbed_free(s);
}

/* Words that differ from run to run are the same trouble. */
Test(told_once, a_trouble_that_comes_and_goes_is_told_once_an_hour)
{
	struct testbed *s = testbed_with_operator();
	unsigned said = 0;

	for (unsigned i = 0; i < 24; i++) { /* two hours */
		struct ran r;

		move_away(s, true);
		testbed_do(s, "run", NULL, &r);
		cr_expect_eq(r.code, 75);
		said += r.err.len > 0;
		ran_release(&r);
		testbed_wait(s, 150);
		move_away(s, false);
		expect(s, "run", 0, NULL);
		testbed_wait(s, 150);
	}
	cr_expect_leq(said, 3, "%u", said);
	cr_expect_leq(mails(s, "mail cannot be read"), 3);
	cr_expect_eq(mails(s, "again"), said);
	testbed_free(s);
}

/* The operator's own mail waits with the others, so the alarm is the way out. */
Test(told_once, a_provider_that_takes_nothing_is_told_by_the_alarm_at_once)
{
	const struct smtp_rule no = {.at = "MAIL", .say = "554 5.7.1 account suspended\r\n"};
	struct testbed *s = testbed_with_operator();
	struct smtp_server *server = smtp_server_new(&no, 1, NULL);

	signal(SIGPIPE, SIG_IGN);
	set_alarm(s, 0);
	testbed_smtp(s, "", smtp_server_port(server), "");
	testbed_write(s, "ann", "help");
	testbed_write(s, "bob", "help");
	expect(s, "run", 75, UNSENT);
	cr_expect_eq(rang(s, "mail cannot be sent"), 1);
	cr_expect_eq(rang(s, "account suspended"), 1);
	for (unsigned i = 0; i < 20; i++) { /* also when it is tried again */
		struct ran r;

		testbed_wait(s, 30 * MIN_S);
		testbed_do(s, "run", NULL, &r);
		cr_expect_null(strstr(r.err.ptr, UNSENT), "%s", r.err.ptr);
		ran_release(&r);
	}
	cr_expect_eq(rang(s, "subject:"), 1);
	smtp_server_free(server);
	server = smtp_server_new(NULL, 0, NULL);
	testbed_smtp(s, "", smtp_server_port(server), "");
	testbed_wait(s, 12 * HOUR_S);
	expect(s, "run", 0, NULL);
	cr_expect_eq(rang(s, "mail can be sent again"), 1);
	expect(s, "run", 0, NULL); /* brings that by mail too */
	unsigned to_boss = 0;
	for (size_t i = 0; i < smtp_server_taken(server); i++)
		to_boss += strncmp(smtp_server_mail(server, i)->rcpt.ptr, "boss@", 5) == 0;
	cr_expect_eq(to_boss, 2);
	expect_sound(s);
	smtp_server_free(server);
	testbed_free(s);
}

/* Told by a run whose clock was a year ahead: the same is news when the clock is right. */
Test(told_once, a_wrong_clock_silences_nothing)
{
	struct testbed *s = testbed_with_operator();
	int64_t right_utc = s->now_utc;

	move_away(s, true);
	s->now_utc = right_utc + 365 * DAY_S;
	expect(s, "run", 75, UNREAD);
	s->now_utc = right_utc;
	expect(s, "run", 75, "this clock says");
	expect(s, "run", 75, NULL);
	expect(s, "run --clock-is-right", 75, UNREAD);
	expect(s, "run", 75, NULL);
	testbed_free(s);
}

/* ------------------------------------------------------------------ single lines */

/* Each is another line; so they come by mail together, an hour after the last. */
Test(told_once, single_lines_go_by_mail_once_an_hour)
{
	struct testbed *s = testbed_with_operator();
	const struct smtp_rule nobody = {
	    .at = "RCPT", .with = "nobody", .say = "550 5.1.1 User unknown\r\n"};
	struct smtp_server *server = smtp_server_new(&nobody, 1, NULL);
	unsigned to_boss = 0;

	signal(SIGPIPE, SIG_IGN);
	testbed_smtp(s, "", smtp_server_port(server), "");
	for (unsigned i = 0; i < 24; i++) { /* two hours */
		char who[16];

		(void)snprintf(who, sizeof(who), "nobody%u", i);
		testbed_write(s, who, "help");
		(void)snprintf(who, sizeof(who), "zoe%u", i);
		testbed_write(s, who, "help");
		expect(s, "run", 0, "could not be delivered and is given up");
		testbed_wait(s, 5 * MIN_S);
	}
	testbed_wait(s, HOUR_S);
	expect(s, "run", 0, NULL);
	expect(s, "run", 0, NULL);
	for (size_t i = 0; i < smtp_server_taken(server); i++)
		to_boss += strncmp(smtp_server_mail(server, i)->rcpt.ptr, "boss@", 5) == 0;
	cr_expect(to_boss == 3 || to_boss == 4, "%u", to_boss);
	smtp_server_free(server);
	testbed_free(s);
}

/* An address of the operator that is none begets no mail about mail. */
Test(told_once, an_operator_who_cannot_be_reached_is_one_line_a_day)
{
	struct testbed *s = testbed_with_operator();
	const struct smtp_rule no = {
	    .at = "RCPT", .with = "boss", .say = "550 5.1.1 User unknown\r\n"};
	struct smtp_server *server = smtp_server_new(&no, 1, NULL);
	unsigned said = 0;

	signal(SIGPIPE, SIG_IGN);
	testbed_smtp(s, "", smtp_server_port(server), "");
	move_away(s, true);
	expect_code(s, "run", 75);
	move_away(s, false);
	testbed_write(s, "ann", "help");
	/* That it can be read again, too: it is the last mail of this run. */
	expect(s, "run", 75, "mail to the operator could not be delivered");
	for (unsigned i = 0; i < 44; i++) { /* eleven hours */
		struct ran r;

		testbed_wait(s, 15 * MIN_S);
		testbed_do(s, "run", NULL, &r);
		said += strstr(r.err.ptr, "mail to the operator could not be delivered") !=
		        NULL;
		ran_release(&r);
	}
	cr_expect_eq(said, 0);
	cr_expect_leq(crowd_number(s, "SELECT count(*) FROM outbox WHERE kind = 'operator'"),
	              4);
	smtp_server_free(server);
	testbed_free(s);
}

Test(told_once, an_alarm_that_fails_is_a_line_of_its_own)
{
	struct testbed *s = testbed_new("no alarm");
	char *path;

	set_alarm(s, 3);
	path = testbed_path(s, "ring");
	move_away(s, true);
	expect(s, "run", 75, "the alarm could not be given");
	expect(s, "run", 75, NULL);
	cr_expect_eq(rang(s, "mail cannot be read"), 1);
	cr_assert_eq(unlink(path), 0);
	expect(s, "doctor", 65, "ring cannot be run");
	testbed_wait(s, DAY_S);
	expect(s, "run", 75, "the alarm could not be given");
	free(path);
	testbed_free(s);
}

/* ------------------------------------------------------------------ kills, nowhere to write */

/* At every step of a run that has news the kill loses none of it, on either way. */
Test(told_once, a_kill_loses_no_news, .timeout = 300)
{
	for (unsigned at = 1;; at++) {
		struct testbed *s = testbed_with_operator();
		char step[40];
		struct ran r;

		set_alarm(s, 0);
		move_away(s, true);
		(void)snprintf(step, sizeof(step), "MOLEPOST_TEST_STOP_AT=%u", at);
		testbed_do(s, "run", (const char *const[]){step, NULL}, &r);
		bool killed = r.code != 75;
		ran_release(&r);
		testbed_do(s, "run", NULL, &r);
		ran_release(&r);
		cr_expect_geq(rang(s, "mail cannot be read"), 1, "killed at step %u", at);
		cr_expect_eq(mails(s, "mail cannot be read"), 1, "killed at step %u", at);
		expect_sound(s);
		testbed_free(s);
		if (!killed)
			break;
	}
}

/* The database is locked while a run tells its news, and free again when it tells the rest. */
Test(told_once, news_that_cannot_be_written_down_are_news_still, .timeout = 120)
{
	struct testbed *s = testbed_with_operator();
	struct crowd_place place = {.dir = s->dir, .now_utc = s->now_utc};
	struct operator_news *o;
	struct server srv, other;
	struct log log, other_log;

	set_alarm(s, 0);
	expect(s, "run", 0, NULL);
	crowd_open(&place, &log, &srv);
	crowd_open(&place, &other_log, &other);
	crowd_must(&srv, operator_new(&srv, &o));
	operator_warn(o, TROUBLE_UNREAD, "no mail today");
	crowd_must(&other, store_begin(other.store));
	cr_expect_eq(operator_tell(o), ERR_BUSY);
	cr_expect_eq(rang(s, "subject:"), 0);
	store_rollback(other.store);
	crowd_must(&srv, operator_tell(o));
	operator_free(o);
	server_close(&other);
	server_close(&srv);
	cr_expect_eq(rang(s, "no mail today"), 1);
	expect(s, "run", 0, NULL);
	cr_expect_eq(mails(s, "mail cannot be read"), 1);
	cr_expect_eq(mails(s, "again"), 1);
	testbed_free(s);
}

/* An ordinary run notes nothing here. */
Test(told_once, a_run_without_trouble_writes_no_row)
{
	struct testbed *s = testbed_with_operator();

	testbed_write(s, "ann", "help");
	expect(s, "run", 0, NULL);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM troubles"), 0);
	move_away(s, true);
	expect(s, "run", 75, UNREAD);
	move_away(s, false);
	expect(s, "run", 0, NULL);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM troubles"), 1);
	testbed_wait(s, DAY_S);
	expect(s, "run", 0, NULL);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM troubles"), 0);
	testbed_free(s);
}
