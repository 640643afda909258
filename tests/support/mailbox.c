/*
 * mailbox.c - what the tests of IMAP and POP3 do over and over.
 */
#include "tests/support/mailbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "tests/support/proxy.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

#ifdef __SANITIZE_ADDRESS__
/*
 * The process in which Criterion 2.4.1 looks after the tests leaks 48 bytes here and there when
 * many of them take long, and nothing of ours runs in it. Each test is a process of its own, in
 * which this variable is set and leaks are looked for as ever.
 */
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
int __lsan_is_turned_off(void);

/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
int __lsan_is_turned_off(void)
{
	return env_get("BXFI_MAP") == NULL;
}
#endif

bool mailbox_lacks_server(void)
{
	if (dovecot_is_installed())
		return false;
	fputs("skipped: Dovecot (dovecot-imapd, dovecot-pop3d) or openssl is not installed\n",
	      stderr);
	return true;
}

void mailbox_deliver(struct dovecot *d, struct testbed *s, const char *who, const char *text)
{
	struct strbuf raw = STRBUF_INIT;

	testbed_compose(s, &(struct mail_written){.who = who, .text = text}, &raw);
	s->written++;
	dovecot_deliver(d, strbuf_span(&raw), s->now_utc);
	strbuf_release(&raw);
}

void mailbox_creates(struct dovecot *d, struct testbed *s, unsigned n)
{
	char who[16];

	for (unsigned i = 0; i < n; i++) {
		snprintf(who, sizeof(who), "p%u", s->written);
		mailbox_deliver(d, s, who, "create whakka mole players 2");
	}
}

void mailbox_expect_games(struct testbed *s, unsigned n)
{
	char words[32], text[32];

	snprintf(words, sizeof(words), "game show W%u", n);
	expect_code(s, words, 0);
	snprintf(text, sizeof(text), "game show W%u", n + 1);
	expect_code(s, text, 65);
}

void mailbox_run(struct testbed *s)
{
	struct ran r;

	testbed_do(s, "run", NULL, &r);
	if (r.code != 0 || r.err.len > 0)
		BUG("run ended with %d: %s", r.code, r.err.ptr);
	ran_release(&r);
	testbed_collect(s);
}

static void expect_count(const struct dovecot *d, const char *folder, size_t want,
                         const char *when)
{
	size_t n = dovecot_count(d, folder);

	if (n != want)
		BUG("%s: %zu mails in \"%s\", not %zu", when, n, folder, want);
}

static void play_a_turn(struct dovecot *d, struct testbed *s)
{
	testbed_write(s, "ann", "create whakka mole players 2 target=100");
	dovecot_take_over(d, s);
	mailbox_run(s);
	testbed_write(s, "bob", "join W1");
	dovecot_take_over(d, s);
	mailbox_run(s);
	testbed_reply(s, "ann", "popup 3, whack 5");
	testbed_reply(s, "bob", "popup 2, whack 4");
	dovecot_take_over(d, s);
	mailbox_run(s);
	expect(s, "game show W1", 0, "serial 2 is open");
}

void mailbox_exchange(const char *scheme, const char *capability, size_t left, size_t kept)
{
	struct dovecot *d =
	    dovecot_start(&(struct dovecot_setup){.imap_capability = capability});
	struct testbed *s = dovecot_site(d, "exchange", scheme, 0, "");

	expect(s, "doctor", 0, "0 mails waiting");
	play_a_turn(d, s);
	expect_count(d, "", left, scheme);
	expect_count(d, ".Processed", kept, scheme);
	mailbox_run(s);
	expect_sound(s);
	expect(s, "doctor", 0, "0 mails waiting");
	testbed_free(s);
	dovecot_stop(d);
}

void mailbox_logs_in_by_token(const char *scheme)
{
	struct dovecot *d = dovecot_start(&(struct dovecot_setup){.tokens = true});
	struct testbed *s = dovecot_site(d, "token", scheme, 0, "");
	char *mine = testbed_path(s, "token");
	struct strbuf token = STRBUF_INIT;

	expect(s, "run", 75, "logging in");
	ENSURE(file_read(d->token_file, 4096, &token, NULL) == ERR_NONE);
	ENSURE(file_create(mine, strbuf_span(&token), NULL) == ERR_NONE);
	dovecot_set(s, "password", "env:NOTHING");
	dovecot_set(s, "token", "moles@localhost file:token");
	mailbox_creates(d, s, 2);
	mailbox_run(s);
	mailbox_expect_games(s, 2);
	ENSURE(remove(mine) == 0);
	ENSURE(file_create(mine, SPAN_LIT("a.stolen.token\n"), NULL) == ERR_NONE);
	expect(s, "-v run", 75, "logging in with the token");
	strbuf_release(&token);
	free(mine);
	testbed_free(s);
	dovecot_stop(d);
}

void mailbox_breaks_after(struct dovecot *d, const char *scheme, size_t bytes)
{
	char *log = scratch_path(d->dir, "heard");
	unsigned to = strcmp(scheme, "imaps") == 0   ? d->imaps
	              : strcmp(scheme, "pop3s") == 0 ? d->pop3s
	                                             : d->imap;
	struct proxy *p =
	    proxy_start(&(struct proxy_setup){.to = to, .cut_after = bytes, .cuts = 2}, log);
	struct testbed *s = dovecot_site(d, "breaks", scheme, p->port, "?timeout=5");
	unsigned runs = 0;
	int code = 75;

	mailbox_creates(d, s, 12);
	for (; code != 0; runs++) {
		struct ran r;

		testbed_do(s, "run", NULL, &r);
		code = r.code;
		if ((code != 0 && code != 75) || runs >= 4)
			BUG("after %zu bytes: %d: %s", bytes, code, r.err.ptr);
		ran_release(&r);
	}
	mailbox_expect_games(s, 12);
	expect_count(d, "", 0, scheme);
	testbed_free(s);
	proxy_stop(p);
	free(log);
}

void mailbox_dies_at_every_step(const char *scheme)
{
	struct dovecot *d = dovecot_start(NULL);
	unsigned at = 1, deaths = 0;

	for (bool died = true; died; at++) {
		struct testbed *s = dovecot_site(d, "dies", scheme, 0, "");
		char stop[48];
		struct ran r;

		snprintf(stop, sizeof(stop), "MOLEPOST_TEST_STOP_AT=%u", at);
		mailbox_creates(d, s, 3);
		testbed_do(s, "run", (const char *const[]){stop, NULL}, &r);
		died = r.signal != 0;
		deaths += died;
		ran_release(&r);
		mailbox_run(s);
		mailbox_run(s);
		mailbox_expect_games(s, 3);
		expect_sound(s);
		expect_count(d, "", 0, stop);
		ENSURE(testbed_mails_agree(s));
		testbed_free(s);
	}
	ENSURE(deaths > 8);
	dovecot_stop(d);
}
