/*
 * test_pop3.c - mail read from a real POP3 server, Dovecot, on loopback.
 */
#include <criterion/criterion.h>

#include "processor/base/err.h"
#include "tests/support/mailbox.h"
#include "tests/support/table.h"

SERVER_TEST(pop3, logs_in_by_a_token, 600)
{
	mailbox_logs_in_by_token("pop3s");
}

SERVER_TEST(pop3, that_breaks_anywhere_loses_and_repeats_nothing, 600)
{
	struct dovecot *d = dovecot_start(NULL);

	for (size_t bytes = 1000; bytes < 16000; bytes += 1500)
		mailbox_breaks_after(d, "pop3s", bytes);
	dovecot_stop(d);
}

SERVER_TEST(pop3, deals_with_each_mail_once_wherever_the_run_dies, 600)
{
	mailbox_dies_at_every_step("pop3");
}

SERVER_TEST(pop3, plays_over_tls, 600)
{
	mailbox_exchange("pop3s", NULL, 0, 0);
}

SERVER_TEST(pop3, plays_in_clear_on_loopback, 600)
{
	mailbox_exchange("pop3", NULL, 0, 0);
}

SERVER_TEST(pop3, takes_the_arrival_from_the_topmost_received_field, 600)
{
	struct dovecot *d = dovecot_start(NULL);
	struct testbed *s = dovecot_site(d, "received", "pop3", 0, "");
	struct strbuf raw = STRBUF_INIT;
	struct mail_written m = {
	    .who = "ann",
	    .text = "list",
	    .more_header = "Received: from a.example by b.example\n"
			   "\twith ESMTP id 17; Wed, 11 Mar 2026 11:22:33 +0200\n"
			   "Received: from x by a.example; Tue, 10 Mar 2026 08:00:00 +0000\n"};

	testbed_compose(s, &m, &raw);
	s->written++;
	dovecot_deliver(d, strbuf_span(&raw), s->now_utc);
	mailbox_run(s);
	expect(s, "why m0@mua.example.net", 0, "came in Wed 11 Mar 2026 09:22 UTC");
	strbuf_release(&raw);
	testbed_free(s);
	dovecot_stop(d);
}

SERVER_TEST(pop3, deletes_nothing_before_it_has_been_dealt_with, 600)
{
	struct dovecot *d = dovecot_start(NULL);
	struct testbed *s = dovecot_site(d, "deletes", "pop3", 0, "");
	struct ran r;

	mailbox_creates(d, s, 2);
	testbed_do(s, "run --dry-run", NULL, &r);
	cr_assert_eq(r.code, 0, "%s", r.err.ptr);
	ran_release(&r);
	cr_assert_eq(dovecot_count(d, ""), 2);
	mailbox_run(s);
	cr_assert_eq(dovecot_count(d, ""), 0);
	mailbox_expect_games(s, 2);
	testbed_free(s);
	dovecot_stop(d);
}

SERVER_TEST(pop3, reads_300_mails_in_one_run, 600)
{
	struct dovecot *d = dovecot_start(NULL);
	struct testbed *s = dovecot_site(d, "many", "pop3s", 0, "");

	mailbox_creates(d, s, 300);
	mailbox_run(s);
	mailbox_expect_games(s, 300);
	cr_assert_eq(dovecot_count(d, ""), 0);
	testbed_free(s);
	dovecot_stop(d);
}
