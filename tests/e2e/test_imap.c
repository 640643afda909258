/*
 * test_imap.c - mail read from a real IMAP server, Dovecot, on loopback.
 */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "processor/base/clock.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/sanitized.h"
#include "tests/support/mailbox.h"
#include "tests/support/opened.h"
#include "tests/support/proxy.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

enum { DAY_S = 24 * 3600 };

static const char no_move[] =
    "IMAP4rev1 LITERAL+ SASL-IR ENABLE IDLE NAMESPACE UIDPLUS CHILDREN UNSELECT";
static const char no_uidplus[] = "IMAP4rev1 LITERAL+ SASL-IR ENABLE IDLE NAMESPACE";

/* ---- whole exchanges ---- */

SERVER_TEST(imap, plays_over_tls, 600)
{
	mailbox_exchange("imaps", NULL, 0, 4);
}

SERVER_TEST(imap, plays_in_clear_on_loopback, 600)
{
	mailbox_exchange("imap", NULL, 0, 4);
}

SERVER_TEST(imap, copies_and_expunges_where_there_is_no_move, 600)
{
	mailbox_exchange("imaps", no_move, 0, 4);
}

SERVER_TEST(imap, leaves_mail_where_it_is_without_uidplus, 600)
{
	mailbox_exchange("imaps", no_uidplus, 4, 0);
}

SERVER_TEST(imap, moves_mail_to_the_folder_that_is_named, 600)
{
	struct dovecot *d = dovecot_start(NULL);
	struct testbed *s = dovecot_site(d, "named", "imaps", 0, "/INBOX?processed=Games.Done");

	mailbox_creates(d, s, 1);
	mailbox_run(s);
	cr_assert_eq(dovecot_count(d, ".Games.Done"), 1);
	testbed_free(s);
	dovecot_stop(d);
}

/* ---- where folders lie ---- */

static void keeps_handled_mail(const char *names, const char *path, const char *folder)
{
	struct dovecot *d = dovecot_start(&(struct dovecot_setup){.names = names});
	struct testbed *s = dovecot_site(d, "namespace", "imaps", 0, path);

	mailbox_creates(d, s, 2);
	mailbox_run(s);
	cr_expect_eq(dovecot_count(d, folder), 2, "%s %s", names, path);
	mailbox_run(s);
	mailbox_expect_games(s, 2);
	testbed_free(s);
	dovecot_stop(d);
}

SERVER_TEST(imap, makes_its_folder_in_the_namespace_of_the_user, 600)
{
	static const char below_inbox[] = "prefix = INBOX.\nseparator = .\n";

	keeps_handled_mail(below_inbox, "", ".Processed");
	keeps_handled_mail(below_inbox, "/INBOX?processed=INBOX.Done", ".Done");
	keeps_handled_mail("prefix = Mail/\nseparator = /\n", "", ".Processed");
}

SERVER_TEST(imap, reads_a_slash_as_the_separator_of_the_server, 600)
{
	keeps_handled_mail("separator = .\n", "/INBOX?processed=Games/Done", ".Games.Done");
}

/* What cannot be tidied away has been read all the same: deadlines are acted on, nothing comes twice. */
SERVER_TEST(imap, plays_on_while_handled_mail_cannot_be_moved, 600)
{
	struct dovecot *d = dovecot_start(NULL);
	struct testbed *s = dovecot_site(d, "untidy", "imaps", 0, "");

	dovecot_bar_folder(d, "Processed", true);
	mailbox_deliver(d, s, "ann", "create whakka mole players 2 next 1D");
	expect(s, "run", 0, "mail that has been dealt with stays in the mailbox");
	expect(s, "run", 0, NULL); /* told once */
	expect(s, "doctor", 65, "1 mail has been dealt with and could not be moved out");
	mailbox_deliver(d, s, "bob", "join w1");
	expect(s, "-v run", 0, "stays in the mailbox");
	testbed_wait(s, DAY_S + 3600);
	expect(s, "run", 0, NULL);
	testbed_collect(s);
	cr_expect(testbed_find(s, "ann", "turn 2"), "the deadline was not acted on");
	mailbox_expect_games(s, 1);
	dovecot_bar_folder(d, "Processed", false);
	mailbox_run(s);
	cr_expect_eq(dovecot_count(d, ".Processed"), 2);
	expect(s, "doctor", 0, "0 mails waiting");
	testbed_free(s);
	dovecot_stop(d);
}

/* ---- tokens ---- */

SERVER_TEST(imap, logs_in_by_a_token, 600)
{
	mailbox_logs_in_by_token("imaps");
}

/* ---- whom it does not talk to ---- */

static void refuses(enum dovecot_certificate certificate, const char *words)
{
	struct dovecot *d = dovecot_start(&(struct dovecot_setup){.certificate = certificate});
	struct testbed *s = dovecot_site(d, "refuses", "imaps", 0, "");
	char *log = scratch_path(d->dir, "log");
	struct strbuf heard = STRBUF_INIT;

	mailbox_creates(d, s, 1);
	expect(s, "run", 75, words);
	expect(s, "doctor", 65, "to mend it: the host must be named as in its certificate");
	cr_assert_eq(file_read(log, 1 << 20, &heard, NULL), ERR_NONE);
	cr_assert_null(strstr(heard.ptr, "moles>"), "%s", heard.ptr);
	cr_assert_not_null(strstr(heard.ptr, "no auth attempts"), "%s", heard.ptr);
	cr_assert_eq(dovecot_count(d, ""), 1);
	strbuf_release(&heard);
	free(log);
	testbed_free(s);
	dovecot_stop(d);
}

SERVER_TEST(imap, sends_no_login_to_a_self_signed_certificate, 600)
{
	refuses(CERTIFICATE_SELF_SIGNED, "the certificate of localhost is not accepted");
}

SERVER_TEST(imap, sends_no_login_to_another_hosts_certificate, 600)
{
	refuses(CERTIFICATE_OTHER_HOST, "does not match target host name 'localhost'");
}

SERVER_TEST(imap, sends_no_login_to_an_expired_certificate, 600)
{
	refuses(CERTIFICATE_EXPIRED, "the certificate of localhost is not accepted");
}

SERVER_TEST(imap, trusts_no_unknown_authority, 600)
{
	struct dovecot *d = dovecot_start(NULL);
	struct testbed *s = dovecot_site(d, "authority", "imaps", 0, "");
	struct dovecot *stranger = dovecot_start(NULL);

	dovecot_set(s, "ca_file", stranger->ca_file);
	expect(s, "run", 75, "so nothing was sent");
	dovecot_set(s, "ca_file", d->ca_file);
	mailbox_run(s);
	dovecot_stop(stranger);
	testbed_free(s);
	dovecot_stop(d);
}

SERVER_TEST(imap, with_a_wrong_password_leaves_the_other_sources_working, 600)
{
	struct dovecot *d = dovecot_start(NULL);
	struct testbed *s = dovecot_site(d, "password", "imaps", 0, "");
	char *password = testbed_path(s, "password");
	struct ran r;

	cr_assert_eq(remove(password), 0);
	cr_assert_eq(file_create(password, SPAN_LIT("wrong-secret\n"), NULL), ERR_NONE);
	testbed_configure(s, "source = maildir:mail");
	testbed_write(s, "ann", "create whakka mole players 2");
	testbed_do(s, "run", NULL, &r);
	cr_assert_eq(r.code, 75);
	cr_assert_not_null(strstr(r.err.ptr, "logging in: the server refuses"), "%s",
	                   r.err.ptr);
	cr_assert_null(strstr(r.err.ptr, "wrong-secret"));
	ran_release(&r);
	cr_assert_eq(testbed_collect(s), 1);
	mailbox_expect_games(s, 1);
	expect(s, "doctor", 65, "check the user in the source line");
	free(password);
	testbed_free(s);
	dovecot_stop(d);
}

SERVER_TEST(imap, that_hangs_costs_its_own_turn_only, 600)
{
	struct dovecot *d = dovecot_start(NULL);
	char *log = scratch_path(d->dir, "heard");
	struct proxy *silent = proxy_start(&(struct proxy_setup){0}, log);
	static const char *const schemes[] = {"imaps", "imap", "pop3s", "pop3"};

	for (size_t i = 0; i < 4; i++) {
		struct testbed *s =
		    dovecot_site(d, "hangs", schemes[i], silent->port, "?timeout=2");
		int64_t began = clock_monotonic_ms();

		testbed_configure(s, "source = maildir:mail");
		testbed_write(s, "ann", "create whakka mole players 2");
		expect(s, "run", 75, "no deadline is acted on");
		cr_assert_lt(clock_monotonic_ms() - began, 8000);
		mailbox_expect_games(s, 1);
		testbed_free(s);
	}
	proxy_stop(silent);
	free(log);
	dovecot_stop(d);
}

static int listen_somewhere(unsigned *port)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
	                         .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	cr_assert_eq(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	cr_assert_eq(listen(fd, 4), 0);
	cr_assert_eq(getsockname(fd, (struct sockaddr *)&at, &len), 0);
	*port = ntohs(at.sin_port);
	return fd;
}

/* The process that reads the mailbox dies, hangs or lies, as a library could make it. */
SERVER_TEST(imap, whose_library_fails_costs_its_own_turn_only, 600)
{
	static const struct {
		const char *env, *words;
	} kinds[] = {{"MOLEPOST_TEST_FETCH=abort", "the process that reads the mailbox died"},
	             {"MOLEPOST_TEST_FETCH=junk", "talks nonsense"},
	             {"MOLEPOST_TEST_FETCH=hang", "no answer within"}};
	struct dovecot *d = dovecot_start(NULL);
	struct testbed *s = dovecot_site(d, "fails", "imap", 0, "?timeout=1");

	testbed_configure(s, "source = maildir:mail");
	mailbox_creates(d, s, 1);
	for (unsigned i = 0; i < 3; i++) {
		testbed_write(s, "ann", "create whakka mole players 2");
		expect_env(s, "-v run", kinds[i].env, 75, kinds[i].words);
		mailbox_expect_games(s, i + 1);
	}
	mailbox_run(s);
	mailbox_expect_games(s, 4);
	testbed_free(s);
	dovecot_stop(d);
}

/*
 * Code put into it by the server it talks to: it has that connection, and nothing else; it can open no
 * socket, and lead its own to nobody else. See tests/support/break_out.c.
 */
SERVER_TEST(imap, whose_library_is_taken_over_gets_at_nothing, 600)
{
	struct dovecot *d = dovecot_start(NULL);
	struct testbed *s = dovecot_site(d, "taken", "imap", 0, "");
	char *key = testbed_path(s, "molepost.key"), *database = testbed_path(s, "molepost.db");
	unsigned port;
	int listener = listen_somewhere(&port);
	struct strbuf env = STRBUF_INIT;
	const char *open_door = "got through:";
	struct ran r;

	if (IS_SANITIZED)
		cr_skip_test("a sanitizer needs what the walls forbid");
	strbuf_addf(&env, "MOLEPOST_TEST_FETCH=break-out %s %s %s %u %ld", key, database,
	            s->dir, port, (long)getpid());
	const char *const variables[] = {env.ptr, NULL};
	testbed_do(s, "run", variables, &r);
	cr_expect_eq(r.code, 75);
	const char *found = strstr(r.err.ptr, open_door);
	cr_assert(found, "%s", r.err.ptr);
	cr_expect_eq(found[strlen(open_door)], '\n', "%s", r.err.ptr);
	mailbox_run(s);
	expect_sound(s);
	ran_release(&r);
	close(listener);
	strbuf_release(&env);
	free(key);
	free(database);
	testbed_free(s);
	dovecot_stop(d);
}

SERVER_TEST(imap, is_asked_by_a_process_that_was_there_before_the_keys, 600)
{
	struct dovecot *d = dovecot_start(NULL);
	struct testbed *s = dovecot_site(d, "order", "imap", 0, "");
	struct strbuf opened = STRBUF_INIT;

	opened_by_run(s, &opened);
	cr_expect(strstr(opened.ptr, "program config program key database"), "%s", opened.ptr);
	strbuf_release(&opened);
	testbed_free(s);
	dovecot_stop(d);
}

/* ---- lines that break ---- */

SERVER_TEST(imap, that_breaks_anywhere_loses_and_repeats_nothing, 600)
{
	struct dovecot *d = dovecot_start(NULL);

	for (size_t bytes = 30; bytes < 8000; bytes += 400)
		mailbox_breaks_after(d, "imap", bytes);
	for (size_t bytes = 2000; bytes < 9000; bytes += 1500)
		mailbox_breaks_after(d, "imaps", bytes);
	dovecot_stop(d);
}

/* ---- runs that die ---- */

SERVER_TEST(imap, deals_with_each_mail_once_wherever_the_run_dies, 600)
{
	mailbox_dies_at_every_step("imap");
}

/* ---- what others do to the mailbox ---- */

SERVER_TEST(imap, knows_mails_by_content_when_the_mailbox_is_renumbered, 600)
{
	struct dovecot *d =
	    dovecot_start(&(struct dovecot_setup){.imap_capability = no_uidplus});
	struct testbed *s = dovecot_site(d, "renumbered", "imap", 0, "");

	mailbox_creates(d, s, 3);
	mailbox_run(s);
	dovecot_renumber(d);
	mailbox_creates(d, s, 2);
	mailbox_run(s);
	mailbox_expect_games(s, 5);
	cr_assert_eq(dovecot_count(d, ""), 5);
	mailbox_run(s);
	mailbox_expect_games(s, 5);
	testbed_free(s);
	dovecot_stop(d);
}

SERVER_TEST(imap, deals_once_with_a_mail_delivered_twice, 600)
{
	struct dovecot *d = dovecot_start(NULL);
	struct testbed *s = dovecot_site(d, "twice", "imap", 0, "");

	mailbox_creates(d, s, 1);
	s->written--;
	mailbox_creates(d, s, 1);
	mailbox_run(s);
	s->written--;
	mailbox_creates(d, s, 1);
	mailbox_run(s);
	mailbox_expect_games(s, 1);
	cr_assert_eq(dovecot_count(d, ".Processed"), 3);
	testbed_free(s);
	dovecot_stop(d);
}

SERVER_TEST(imap, marks_nothing_as_seen, 600)
{
	struct dovecot *d = dovecot_start(NULL);
	struct testbed *s = dovecot_site(d, "unseen", "imap", 0, "");

	mailbox_creates(d, s, 2);
	mailbox_run(s);
	mailbox_expect_games(s, 2);
	cr_assert_eq(dovecot_count(d, ".Processed"), 2);
	cr_assert_eq(dovecot_count_seen(d, ".Processed"), 0);
	testbed_free(s);
	dovecot_stop(d);
}

SERVER_TEST(imap, reads_mail_that_somebody_has_already_seen, 600)
{
	struct dovecot *d = dovecot_start(NULL);
	struct testbed *s = dovecot_site(d, "seen", "imap", 0, "");

	mailbox_creates(d, s, 2);
	dovecot_mark_seen(d);
	mailbox_run(s);
	mailbox_expect_games(s, 2);
	testbed_free(s);
	dovecot_stop(d);
}

/* The server lists a mail and cannot read its file. */
SERVER_TEST(imap, sets_aside_what_the_server_does_not_give_in_three_runs, 600)
{
	struct dovecot *d = dovecot_start(NULL);
	struct testbed *s = dovecot_site(d, "lacking", "imap", 0, "");

	mailbox_creates(d, s, 3);
	dovecot_lock_mail(d, 2, true);
	for (unsigned run = 1; run <= 2; run++) {
		expect(s, "run", 75, run == 1 ? "does not give it" : NULL); /* told once */
		mailbox_expect_games(s, 2);
		cr_assert_eq(dovecot_count(d, ""), 1);
	}
	mailbox_creates(d, s, 1);
	mailbox_run(s);
	mailbox_expect_games(s, 3);
	expect(s, "doctor", 65, "1 mail was set aside");
	cr_assert_eq(dovecot_count(d, ""), 0);
	mailbox_run(s);
	testbed_free(s);
	dovecot_stop(d);
}

SERVER_TEST(imap, lists_the_others_when_the_size_of_one_cannot_be_told, 600)
{
	struct dovecot *d = dovecot_start(NULL);
	struct testbed *s = dovecot_site(d, "no size", "imap", 0, "");

	mailbox_creates(d, s, 3);
	dovecot_hide_sizes(d);
	dovecot_lock_mail(d, 2, true);
	expect(s, "run", 75, "does not give it");
	mailbox_expect_games(s, 2);
	dovecot_lock_mail(d, 2, false);
	mailbox_run(s);
	mailbox_expect_games(s, 3);
	testbed_free(s);
	dovecot_stop(d);
}

SERVER_TEST(imap, reads_later_what_the_server_did_not_give_at_first, 600)
{
	struct dovecot *d = dovecot_start(NULL);
	struct testbed *s = dovecot_site(d, "later", "imap", 0, "");

	mailbox_creates(d, s, 3);
	dovecot_lock_mail(d, 2, true);
	expect(s, "run", 75, "does not give it");
	mailbox_expect_games(s, 2);
	dovecot_lock_mail(d, 2, false);
	mailbox_run(s);
	mailbox_expect_games(s, 3);
	testbed_free(s);
	dovecot_stop(d);
}

/* ---- large and many ---- */

SERVER_TEST(imap, fetches_only_the_beginning_of_a_mail_of_3_mb, 600)
{
	struct dovecot *d = dovecot_start(NULL);
	char *log = scratch_path(d->dir, "heard");
	struct proxy *p = proxy_start(&(struct proxy_setup){.to = d->imap}, log);
	struct testbed *s = dovecot_site(d, "large", "imap", p->port, "");
	struct strbuf text = STRBUF_INIT, heard = STRBUF_INIT;

	mailbox_creates(d, s, 1);
	strbuf_adds(&text, "create whakka mole players 2\n\n");
	while (text.len < 3 << 20)
		strbuf_adds(&text, "and a very long story about moles in many lines\n");
	mailbox_deliver(d, s, "p0", text.ptr);
	mailbox_run(s);
	mailbox_expect_games(s, 2); /* its first lines count */
	proxy_heard(p, &heard);
	cr_assert_not_null(strstr(heard.ptr, "BODY.PEEK[]<0.1048576>"), "%s", heard.ptr);
	cr_assert_eq(dovecot_count(d, ""), 0);
	strbuf_release(&text);
	strbuf_release(&heard);
	testbed_free(s);
	proxy_stop(p);
	free(log);
	dovecot_stop(d);
}

static unsigned commands_in(const char *heard)
{
	unsigned n = 0;

	for (const char *c = heard; *c; c++)
		n += *c == '\n';
	return n;
}

SERVER_TEST(imap, reads_300_mails_in_one_run_with_few_commands, 600)
{
	struct dovecot *d = dovecot_start(NULL);
	char *log = scratch_path(d->dir, "heard");
	struct proxy *p = proxy_start(&(struct proxy_setup){.to = d->imap}, log);
	struct testbed *s = dovecot_site(d, "many", "imap", p->port, "");
	struct strbuf heard = STRBUF_INIT;

	mailbox_creates(d, s, 300);
	mailbox_run(s);
	mailbox_expect_games(s, 300);
	cr_assert_eq(dovecot_count(d, ".Processed"), 300);
	proxy_heard(p, &heard);
	cr_assert_leq(commands_in(heard.ptr), 13, "%s", heard.ptr);
	cr_assert_null(strstr(heard.ptr, " EXPUNGE\r"), "%s", heard.ptr);
	strbuf_release(&heard);
	testbed_free(s);
	proxy_stop(p);
	free(log);
	dovecot_stop(d);
}

/* ---- mail that is kept ---- */

static void purges(const char *capability, size_t left)
{
	struct dovecot *d =
	    dovecot_start(&(struct dovecot_setup){.imap_capability = capability});
	struct testbed *s = dovecot_site(d, "purges", "imap", 0, "");

	mailbox_creates(d, s, 3);
	mailbox_run(s);
	testbed_wait(s, 4 * DAY_S);
	mailbox_creates(d, s, 2);
	mailbox_run(s);
	cr_assert_eq(dovecot_count(d, ".Processed") + dovecot_count(d, ""), 5);
	testbed_wait(s, 4 * DAY_S);
	mailbox_run(s);
	cr_assert_eq(dovecot_count(d, ".Processed"), left, "%zu",
	             dovecot_count(d, ".Processed"));
	expect_sound(s);
	testbed_free(s);
	dovecot_stop(d);
}

SERVER_TEST(imap, removes_kept_mail_when_its_time_has_come, 600)
{
	purges(NULL, 2);
	purges(no_move, 2);
	purges(no_uidplus, 0);
}

static void put_back(struct testbed *s, const char *copy)
{
	static const char *const names[] = {"molepost.db", "molepost.db-wal",
	                                    "molepost.db-shm"};

	for (size_t i = 0; i < 3; i++) {
		char *path = testbed_path(s, names[i]);

		remove(path);
		if (i == 0)
			cr_assert_eq(rename(copy, path), 0);
		free(path);
	}
}

/* A database from before is put back; the mail of the time since then is read again. */
static void rereads(const char *capability)
{
	struct dovecot *d =
	    dovecot_start(&(struct dovecot_setup){.imap_capability = capability});
	struct testbed *s = dovecot_site(d, "rereads", "imap", 0, "");
	char *copy = scratch_path(s->scratch, "copy.db");
	struct strbuf words = STRBUF_INIT;

	mailbox_creates(d, s, 2);
	mailbox_run(s);
	strbuf_addf(&words, "backup %s", copy);
	expect_code(s, words.ptr, 0);
	testbed_wait(s, 60);
	mailbox_creates(d, s, 3);
	mailbox_run(s);
	mailbox_expect_games(s, 5);
	put_back(s, copy);
	mailbox_expect_games(s, 2);
	expect_code(s, "run --reread", 0);
	mailbox_expect_games(s, 5);
	expect_code(s, "run --reread", 0);
	mailbox_run(s);
	mailbox_expect_games(s, 5);
	expect_sound(s);
	strbuf_release(&words);
	free(copy);
	testbed_free(s);
	dovecot_stop(d);
}

SERVER_TEST(imap, brings_a_restored_backup_up_to_date, 600)
{
	rereads(NULL);
	rereads(no_uidplus);
}

/* ---- several at once ---- */

SERVER_TEST(sources, of_four_kinds_are_read_in_one_run, 600)
{
	struct dovecot *d = dovecot_start(NULL), *other = dovecot_start(NULL);
	struct testbed *s = dovecot_site(d, "four", "imap", 0, "");
	struct strbuf line = STRBUF_INIT;

	strbuf_addf(&line, "source = pop3://moles@localhost:%u", other->pop3);
	testbed_configure(s, line.ptr);
	testbed_configure(s, "source = maildir:mail");
	expect_code(s, "game new whakka mole players 4", 0);
	s->now_utc += 1;
	mailbox_deliver(d, s, "ann", "join W1");
	s->now_utc += 1;
	mailbox_deliver(other, s, "bob", "join W1");
	s->now_utc += 1;
	testbed_write(s, "cleo", "join W1");
	mailbox_run(s);
	expect(s, "game show W1", 0, "seat 1  ann");
	expect(s, "game show W1", 0, "cleo");
	expect(s, "game show W1", 0, "bob");
	strbuf_release(&line);
	testbed_free(s);
	dovecot_stop(d);
	dovecot_stop(other);
}
