/*
 * test_oauth.c - a mailbox that wants OAuth 2.0: a person agrees in a browser, runs renew the tokens, the permission
 * is taken back. Dovecot, Postfix, and an authority of the test.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "processor/base/subprocess.h"
#include "tests/support/authority.h"
#include "tests/support/crowd.h"
#include "tests/support/dovecot.h"
#include "tests/support/mailbox.h"
#include "tests/support/postfix.h"
#include "tests/support/table.h"

#define NEED_SERVERS()                                                          \
	do {                                                                    \
		const char *why_ = postfix_is_missing();                        \
		if (!why_ && (!dovecot_is_installed() || !authority_can_run())) \
			why_ = "Dovecot or Python is not installed";            \
		if (why_)                                                       \
			cr_skip_test("skipped: %s", why_);                      \
		signal(SIGPIPE, SIG_IGN);                                       \
	} while (0)

#define TURN "SELECT max(serial) FROM turns"

struct world {
	struct dovecot *d;
	struct postfix *p;
	struct authority *a;
	struct testbed *s;
};

/* The server reads by `scheme` and sends through Postfix, with tokens for both. */
static struct world start(const char *scheme, const char *mechanism)
{
	struct world w = {.d = dovecot_start(&(struct dovecot_setup){.tokens = true,
	                                                             .mechanisms = mechanism})};
	struct strbuf line = STRBUF_INIT;

	w.p = postfix_new_beside(w.d, 0);
	w.a = authority_start(w.d, 0);
	w.s = dovecot_site(w.d, "oauth", scheme, 0, "");
	/* Three authorities have signed for three servers. */
	char *both = testbed_path(w.s, "both.pem");
	cr_assert_eq(file_read(w.d->ca_file, 1 << 16, &line, NULL), ERR_NONE);
	cr_assert_eq(file_read(postfix_ca_file(w.p), 1 << 16, &line, NULL), ERR_NONE);
	cr_assert_eq(file_create(both, strbuf_span(&line), NULL), ERR_NONE);
	dovecot_set(w.s, "ca_file", both);
	free(both);
	strbuf_clear(&line);
	strbuf_addf(&line, "smtps://moles@localhost:%u", postfix_port(w.p, POSTFIX_SUBMITS));
	testbed_sink(w.s, line.ptr);
	strbuf_clear(&line);
	strbuf_addf(&line, "https://localhost:%u a client & more", w.a->port);
	dovecot_set(w.s, "oauth", line.ptr);
	dovecot_set(w.s, "token", "moles@localhost oauth:tokens");
	dovecot_set(w.s, "password", "env:NOTHING");
	strbuf_release(&line);
	return w;
}

static void stop(struct world *w)
{
	testbed_free(w->s);
	authority_stop(w->a);
	postfix_free(w->p);
	dovecot_stop(w->d);
}

static void log_in(struct world *w)
{
	expect(w->s, "login", 0, "type this code: MOLE-HILL");
}

static void mail_in(struct world *w, const char *text)
{
	testbed_write(w->s, "ann", text);
	dovecot_take_over(w->d, w->s);
}

static void whole_way(const char *scheme, const char *mechanism)
{
	struct world w = start(scheme, mechanism);
	char *tokens = testbed_path(w.s, "tokens");
	struct stat st;

	expect(w.s, "run", 75, "molepost login makes it");
	log_in(&w);
	cr_expect_eq(stat(tokens, &st), 0);
	cr_expect_eq(st.st_mode & 07777, 0600);
	cr_expect_eq(authority_asked(w.a, "device_code"), 1);
	mail_in(&w, "help");
	expect(w.s, "-v run", 0, "mails in 1, ");
	cr_expect_eq(postfix_wait_mails(w.p, "ann", 1), 1);
	/* The last token is still good, for both halves and for the next run. */
	expect(w.s, "doctor", 0, "0 mails waiting");
	cr_expect_eq(authority_asked(w.a, "refresh_token"), 0);
	/* After an hour it is not, and one is asked for that serves both. */
	testbed_wait(w.s, 3600);
	mail_in(&w, "list");
	expect(w.s, "run", 0, NULL);
	cr_expect_eq(postfix_wait_mails(w.p, "ann", 2), 2);
	cr_expect_eq(authority_asked(w.a, "refresh_token"), 1);
	free(tokens);
	stop(&w);
}

Test(oauth, a_mailbox_is_opened_in_a_browser_and_by_imap_from_then_on, .timeout = 600)
{
	NEED_SERVERS();
	whole_way("imaps", "xoauth2");
}

Test(oauth, by_pop3_too, .timeout = 600)
{
	NEED_SERVERS();
	whole_way("pop3s", "xoauth2");
}

Test(oauth, a_server_may_know_the_standards_way_only, .timeout = 600)
{
	NEED_SERVERS();
	whole_way("imaps", "oauthbearer");
}

Test(oauth, by_pop3_too_the_standards_way_only, .timeout = 600)
{
	NEED_SERVERS();
	whole_way("pop3s", "oauthbearer");
}

Test(oauth, what_a_person_does_in_the_browser_is_waited_for_and_said, .timeout = 600)
{
	struct world w;

	NEED_SERVERS();
	w = start("imaps", NULL);
	authority_say(w.a, "device", "authorization_pending\nslow_down\nagree\n");
	expect(w.s, "login", 0, "Logged in.");
	cr_expect_eq(authority_asked(w.a, "device_code"), 3);
	authority_say(w.a, "device", "access_denied\n");
	expect(w.s, "login", 78, "the login was refused in the browser");
	authority_say(w.a, "device", "expired_token\n");
	expect(w.s, "login", 75, "the code has run out");
	dovecot_set(w.s, "oauth", "https://localhost:9 nobody");
	expect(w.s, "login", 75, "no connection to localhost port 9");
	stop(&w);
}

/* Its end came before what the authority had said: another one is asked for in the same run. */
Test(oauth, a_token_that_a_server_refuses_is_replaced_at_once, .timeout = 600)
{
	struct world w;

	NEED_SERVERS();
	w = start("imaps", NULL);
	authority_say(w.a, "good_for", "-100");
	log_in(&w);
	authority_say(w.a, "good_for", NULL);
	mail_in(&w, "help");
	expect(w.s, "run", 0, NULL);
	cr_expect_eq(authority_asked(w.a, "refresh_token"), 1);
	cr_expect_eq(postfix_wait_mails(w.p, "ann", 1), 1);
	stop(&w);
}

Test(oauth, a_permission_taken_back_is_told_once_and_loses_nothing, .timeout = 600)
{
	struct world w;

	NEED_SERVERS();
	w = start("imaps", NULL);
	log_in(&w);
	mail_in(&w, "create whakka mole players 2");
	expect(w.s, "run", 0, NULL);
	testbed_write(w.s, "bob", "join W1");
	dovecot_take_over(w.d, w.s);
	expect(w.s, "run", 0, NULL);
	cr_expect_eq(crowd_number(w.s, TURN), 1);
	authority_say(w.a, "revoked", "");
	testbed_wait(w.s, 3600);
	mail_in(&w, "list");
	expect(w.s, "run", 75, "Token has been revoked.); molepost login makes a new one");
	/* Said once; the turn, three days long, is still open after four. */
	expect(w.s, "run", 75, NULL);
	for (unsigned day = 0; day < 5; day++) {
		testbed_wait(w.s, 20 * 3600);
		expect_code(w.s, "run", 75);
	}
	cr_expect_eq(crowd_number(w.s, TURN), 1);
	int64_t before = crowd_number(w.s, "SELECT count(*) FROM inbox");
	authority_say(w.a, "revoked", NULL);
	log_in(&w);
	expect_code(w.s, "run", 0);
	cr_expect_eq(crowd_number(w.s, "SELECT count(*) FROM inbox"), before + 1);
	cr_expect_eq(crowd_number(w.s, TURN), 1);
	expect_sound(w.s);
	stop(&w);
}

/*
 * The authority takes the old refresh token back as it gives the new one. Killed between the two the login is lost, which
 * is said; killed once the new one is in its place nothing is. No mail is lost or doubled by either.
 */
Test(oauth, a_kill_at_the_file_of_tokens_loses_at_most_the_login, .timeout = 600)
{
	enum { STEPS_MOST = 6 };
	unsigned lost = 0, kept = 0;
	struct world w;

	NEED_SERVERS();
	w = start("imaps", NULL);
	char *file = testbed_path(w.s, "tokens");
	log_in(&w);
	for (unsigned at = 1; at <= STEPS_MOST; at++) {
		struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
		unsigned asked = authority_asked(w.a, "refresh_token");
		struct ran ran;
		char stop_at[40];

		testbed_wait(w.s, 3600);
		mail_in(&w, "help");
		cr_assert_eq(file_read(file, 1 << 16, &before, NULL), ERR_NONE);
		(void)snprintf(stop_at, sizeof(stop_at), "MOLEPOST_TEST_STOP_AT=%u", at);
		testbed_do(w.s, "run", (const char *const[]){stop_at, NULL}, &ran);
		cr_assert_eq(file_read(file, 1 << 16, &after, NULL), ERR_NONE);
		bool same = span_eq(strbuf_span(&before), strbuf_span(&after));
		if (ran.signal == SIGKILL && authority_asked(w.a, "refresh_token") > asked) {
			lost += same;
			kept += !same;
			if (same) {
				expect(w.s, "run", 75, "molepost login makes a new one");
				log_in(&w);
			}
		}
		expect(w.s, "run", 0, NULL);
		ran_release(&ran);
		strbuf_release(&before);
		strbuf_release(&after);
	}
	cr_expect_gt(lost, 0);
	cr_expect_gt(kept, 0);
	cr_expect_eq(crowd_number(w.s, "SELECT count(*) FROM inbox WHERE verdict = 'command'"),
	             STEPS_MOST);
	expect_sound(w.s);
	free(file);
	stop(&w);
}
