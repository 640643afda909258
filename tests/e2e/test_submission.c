/*
 * test_submission.c - mail handed to a real Postfix that wants a login, checked by a real
 * Dovecot.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "tests/support/crowd.h"
#include "tests/support/dovecot.h"
#include "tests/support/postfix.h"
#include "tests/support/table.h"

/* Skips by name where one of the two cannot be started. */
#define NEED_SERVERS()                                     \
	do {                                               \
		const char *why_ = postfix_is_missing();   \
		if (!why_ && !dovecot_is_installed())      \
			why_ = "Dovecot is not installed"; \
		if (why_)                                  \
			cr_skip_test("skipped: %s", why_); \
		signal(SIGPIPE, SIG_IGN);                  \
	} while (0)

struct pair {
	struct dovecot *d;
	struct postfix *p;
};

static struct pair start(const struct dovecot_setup *setup)
{
	struct pair x = {.d = dovecot_start(setup)};

	x.p = postfix_new_beside(x.d, 0);
	return x;
}

static void stop(struct pair *x)
{
	postfix_free(x->p);
	dovecot_stop(x->d);
}

/* A testbed with one mail for ann, to leave through this door with this login. */
static struct testbed *testbed_at(const struct pair *x, enum postfix_door door,
                                  const char *login)
{
	struct testbed *s = testbed_new("submission");
	struct strbuf line = STRBUF_INIT;

	strbuf_addf(&line, "%s://%slocalhost:%u/%s", door == POSTFIX_SUBMITS ? "smtps" : "smtp",
	            login, postfix_port(x->p, door),
	            door == POSTFIX_SUBMIT ? "?starttls=yes" : "");
	testbed_sink(s, line.ptr);
	dovecot_set_login(s, x->d);
	dovecot_set(s, "ca_file", postfix_ca_file(x->p));
	testbed_write(s, "ann", "help");
	expect_code(s, "run --no-send", 0);
	strbuf_release(&line);
	return s;
}

static void write_password(struct testbed *s, const char *password)
{
	char *path = testbed_path(s, "password");

	(void)unlink(path);
	cr_assert_eq(file_create(path, span_of(password), NULL), ERR_NONE);
	free(path);
}

static int64_t in_state(struct testbed *s, const char *state)
{
	char sql[80];

	(void)snprintf(sql, sizeof(sql), "SELECT count(*) FROM outbox WHERE state = %s", state);
	return crowd_number(s, sql);
}

static void expect_sent(const struct pair *x, enum postfix_door door, size_t n)
{
	struct testbed *s = testbed_at(x, door, "moles@");

	expect(s, "doctor", 0, "All is well.");
	expect(s, "run", 0, NULL);
	cr_expect_eq(in_state(s, "4"), 1);
	cr_expect_eq(postfix_wait_mails(x->p, "ann", n), n);
	testbed_free(s);
}

/* Neither mail nor attempt is lost, the password is shown nowhere, and the right one mends all. */
static void expect_wrong_password(const struct pair *x, enum postfix_door door, size_t n)
{
	struct testbed *s = testbed_at(x, door, "moles@");
	struct ran r;

	write_password(s, "swordfish\n");
	expect(s, "run", 75, "moles@localhost: the login was refused: 535 5.7.8");
	expect(s, "doctor", 65, "check user, password and ca_file");
	testbed_do(s, "run", NULL, &r);
	cr_expect_null(strstr(r.err.ptr, "swordfish"), "%s", r.err.ptr);
	cr_expect_null(strstr(r.err.ptr, "c3dvcmRmaXNo"), "%s", r.err.ptr);
	ran_release(&r);
	cr_expect_eq(in_state(s, "0"), 1);
	cr_expect_eq(crowd_number(s, "SELECT sum(attempts) FROM outbox"), 0);
	write_password(s, DOVECOT_PASSWORD "\n");
	expect(s, "run", 0, NULL);
	cr_expect_eq(postfix_wait_mails(x->p, "ann", n), n);
	testbed_free(s);
}

static void use_mechanism(const char *mechanism)
{
	struct pair x = start(&(struct dovecot_setup){.mechanisms = mechanism});

	expect_sent(&x, POSTFIX_SUBMIT, 1);
	expect_sent(&x, POSTFIX_SUBMITS, 2);
	expect_wrong_password(&x, POSTFIX_SUBMIT, 3);
	expect_wrong_password(&x, POSTFIX_SUBMITS, 4);
	stop(&x);
}

Test(submission, a_login_by_plain_behind_starttls_and_behind_tls, .timeout = 600)
{
	NEED_SERVERS();
	use_mechanism("plain");
}

Test(submission, a_login_by_login_behind_starttls_and_behind_tls, .timeout = 600)
{
	NEED_SERVERS();
	use_mechanism("login");
}

Test(submission, a_server_that_offers_no_login_we_know_is_told_no_password, .timeout = 600)
{
	struct pair x;
	struct testbed *s;

	NEED_SERVERS();
	x = start(&(struct dovecot_setup){.mechanisms = "cram-md5"});
	s = testbed_at(&x, POSTFIX_SUBMIT, "moles@");
	expect(s, "run", 75, "moles@localhost: the server offers no login by PLAIN or LOGIN");
	cr_expect_eq(in_state(s, "0"), 1);
	testbed_free(s);
	stop(&x);
}

Test(submission, without_a_login_every_mail_is_refused_and_kept, .timeout = 600)
{
	struct pair x;
	struct testbed *s;

	NEED_SERVERS();
	x = start(NULL);
	s = testbed_at(&x, POSTFIX_SUBMIT, "");
	/* Not the address is wrong: it is tried again, and the operator knows each time. */
	for (unsigned i = 0; i < 6; i++) {
		cr_expect_eq(in_state(s, "5"), 0);
		expect(s, "run", 75, "Client host rejected: Access denied");
		testbed_wait(s, 25 * 3600);
	}
	cr_expect_eq(in_state(s, "5"),
	             0); /* nothing was taken for anybody: nothing is given up */
	testbed_free(s);
	stop(&x);
}

Test(submission, a_token_is_a_login_too, .timeout = 600)
{
	struct strbuf line = STRBUF_INIT, token = STRBUF_INIT;
	struct pair x;
	struct testbed *s;
	char *path;

	NEED_SERVERS();
	x = start(&(struct dovecot_setup){.tokens = true});
	s = testbed_at(&x, POSTFIX_SUBMITS, "moles@");
	path = testbed_path(s, "token");
	cr_assert_eq(file_read(x.d->token_file, 1 << 16, &token, NULL), ERR_NONE);
	cr_assert_eq(file_create(path, strbuf_span(&token), NULL), ERR_NONE);
	strbuf_addf(&line, "token = moles@localhost file:%s", path);
	testbed_configure(s, line.ptr);
	expect(s, "run", 0, NULL);
	cr_expect_eq(postfix_wait_mails(x.p, "ann", 1), 1);
	/* One that has run out. */
	testbed_write(s, "ann", "list");
	cr_assert_eq(unlink(path), 0);
	strbuf_truncate(&token, token.len - 4);
	strbuf_adds(&token, "AAA\n");
	cr_assert_eq(file_create(path, strbuf_span(&token), NULL), ERR_NONE);
	expect(s, "run", 75, "the login was refused");
	cr_expect_eq(in_state(s, "0"), 1);
	strbuf_release(&line);
	strbuf_release(&token);
	free(path);
	testbed_free(s);
	stop(&x);
}
