/*
 * test_init_mailbox.c - `molepost init --mailbox` at a real Dovecot and Postfix: what it asks, tries and writes.
 */
#define _GNU_SOURCE /* unshare */
#include <criterion/criterion.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "processor/base/subprocess.h"
#include "tests/support/authority.h"
#include "tests/support/dovecot.h"
#include "tests/support/name_server.h"
#include "tests/support/post_office.h"
#include "tests/support/postfix.h"
#include "tests/support/table.h"

TestSuite(mailbox, .timeout = 600);

struct place {
	struct dovecot *d;
	struct postfix *p;
	struct testbed *s;
	struct strbuf servers; /* the answers to where mail is read and sent */
	struct strbuf said, conf;
};

/* With a file that has the authorities of both servers. */
static struct place start(const struct dovecot_setup *setup)
{
	struct place w = {.d = dovecot_start(setup), .s = testbed_new("mailbox")};
	struct strbuf pem = STRBUF_INIT;
	char *both = testbed_path(w.s, "both.pem");

	signal(SIGPIPE, SIG_IGN);
	w.p = postfix_new_beside(w.d, 0);
	w.s->now_utc = INT64_MIN;
	strbuf_init(&w.servers);
	strbuf_init(&w.said);
	strbuf_init(&w.conf);
	strbuf_addf(&w.servers, "localhost:%u\nlocalhost:%u\n", w.d->imaps,
	            postfix_port(w.p, POSTFIX_SUBMITS));
	cr_assert_eq(file_read(w.d->ca_file, 1 << 16, &pem, NULL), ERR_NONE);
	cr_assert_eq(file_read(postfix_ca_file(w.p), 1 << 16, &pem, NULL), ERR_NONE);
	cr_assert_eq(file_create(both, strbuf_span(&pem), NULL), ERR_NONE);
	strbuf_release(&pem);
	free(both);
	return w;
}

static void stop(struct place *w)
{
	strbuf_release(&w->servers);
	strbuf_release(&w->said);
	strbuf_release(&w->conf);
	testbed_free(w->s);
	postfix_free(w->p);
	dovecot_stop(w->d);
}

/* With these answers. names: where the domain name system is asked; NULL: nobody answers. */
static void init(struct place *w, const char *options, const char *answers,
                 const struct name_server *names, int code)
{
	char *input = testbed_path(w->s, "answers"),
	     *file = testbed_path(w->s, "made/molepost.conf");
	const char *env[] = {"RES_OPTIONS=timeout:1 attempts:1", NULL, NULL};
	struct strbuf words = STRBUF_INIT;
	char ask[64];
	struct ran ran;

	if (names) {
		(void)snprintf(ask, sizeof(ask), "MOLEPOST_TEST_NAME_SERVER=%u",
		               name_server_port(names));
		env[1] = ask;
	}
	cr_assert_eq(file_replace(input, span_of(answers), NULL), ERR_NONE);
	w->s->input = input;
	strbuf_addf(&words, "init --mailbox moles@example.org --ca-file %s/both.pem %s %s/made",
	            w->s->dir, options, w->s->dir);
	testbed_do(w->s, words.ptr, env, &ran);
	w->s->input = NULL;
	cr_assert_eq(ran.code, code, "%d: %s%s", ran.code, ran.out.ptr, ran.err.ptr);
	strbuf_adds(&w->said, ran.out.ptr);
	strbuf_adds(&w->said, ran.err.ptr);
	cr_assert_eq(file_read(file, 1 << 20, &w->conf, NULL), ERR_NONE);
	ran_release(&ran);
	strbuf_release(&words);
	free(file);
	free(input);
}

static void expect_said(const struct place *w, const char *text)
{
	cr_expect_not_null(strstr(w->said.ptr, text), "\"%s\" is not in: %s", text,
	                   w->said.ptr);
}

/* `line`, or "": none of these keys. */
static void expect_lines(const struct place *w, const char *plus, const char *sender)
{
	const char *lines[] = {plus, sender}, *keys[] = {"\nplus_address = ", "\nsender = "};

	for (size_t i = 0; i < 2; i++)
		cr_expect(*lines[i] ? strstr(w->conf.ptr, lines[i]) != NULL
		                    : strstr(w->conf.ptr, keys[i]) == NULL,
		          "%s: %s", keys[i], w->conf.ptr);
}

/* A stranger's mail comes to the mailbox, and the server that was made answers it. */
static void expect_answer(struct place *w)
{
	struct strbuf words = STRBUF_INIT, raw = STRBUF_INIT;

	testbed_compose(w->s, &(struct mail_written){.who = "ann", .text = "help whakka mole"},
	                &raw);
	dovecot_deliver(w->d, strbuf_span(&raw), 1795000000);
	strbuf_addf(&words, "-C %s/made run", w->s->dir);
	expect_code(w->s, words.ptr, 0);
	cr_expect_eq(postfix_wait_mails(w->p, "ann", 1), 1);
	strbuf_release(&words);
	strbuf_release(&raw);
}

#define NEED_SERVERS()                                       \
	do {                                                 \
		const char *why_ = post_office_is_missing(); \
		if (!why_ && !authority_can_run())           \
			why_ = "Python is not installed";    \
		if (why_)                                    \
			cr_skip_test("skipped: %s", why_);   \
	} while (0)

Test(mailbox, a_password_and_two_servers_are_asked_tried_and_written)
{
	struct strbuf password = STRBUF_INIT;
	struct stat st;

	NEED_SERVERS();
	struct place w = start(NULL);
	char *file = testbed_path(w.s, "made/password");
	strbuf_adds(&w.servers, DOVECOT_PASSWORD "\n");
	init(&w, "", w.servers.ptr, NULL, 0);
	expect_said(&w, "A mail to itself has come to imaps://moles@example.org@localhost");
	expect_said(&w, "; addresses with a + work, its envelope sender was its own.\n");
	expect_said(&w, "Mail to moles@example.org is read from its mailbox");
	cr_expect_not_null(strstr(w.conf.ptr, "\npassword = file:password\n"));
	cr_expect_null(strstr(w.conf.ptr, "\nsource = maildir:"), "%s", w.conf.ptr);
	cr_expect_null(strstr(w.conf.ptr, DOVECOT_PASSWORD));
	expect_lines(&w, "", "");
	cr_assert_eq(file_read(file, 4096, &password, NULL), ERR_NONE);
	cr_expect(span_eq_str(span_trim(strbuf_span(&password)), DOVECOT_PASSWORD));
	cr_assert_eq(stat(file, &st), 0);
	cr_expect_eq(st.st_mode & 07777, 0600);
	expect_answer(&w);
	strbuf_release(&password);
	free(file);
	stop(&w);
}

Test(mailbox, a_person_agrees_in_a_browser)
{
	char authority[64];

	NEED_SERVERS();
	struct place w = start(&(struct dovecot_setup){.tokens = true});
	struct authority *a = authority_start(w.d, 0);
	strbuf_adds(&w.servers, "a client & more\n");
	(void)snprintf(authority, sizeof(authority), "--oauth https://localhost:%u", a->port);
	init(&w, authority, w.servers.ptr, NULL, 0);
	expect_said(&w, "A mail to itself has come to imaps://moles@example.org@localhost");
	cr_expect_not_null(strstr(w.conf.ptr, "\ntoken = oauth:oauth-token\n"), "%s",
	                   w.conf.ptr);
	expect_lines(&w, "", "");
	expect_answer(&w);
	authority_stop(a);
	stop(&w);
}

/* What one mail to itself finds out of a server that has this line; nothing that is not so is written. */
static void at_a_server_that(const char *line, const char *says, const char *plus,
                             const char *sender)
{
	NEED_SERVERS();
	struct place w = start(NULL);

	postfix_say(w.p, line);
	strbuf_adds(&w.servers, DOVECOT_PASSWORD "\n");
	init(&w, "", w.servers.ptr, NULL, 0);
	expect_said(&w, says);
	expect_lines(&w, plus, sender);
	expect_answer(&w);
	stop(&w);
}

Test(mailbox, its_mail_is_found_among_the_spam)
{
	at_a_server_that(
	    "virtual_mailbox_maps = inline:{moles@example.org=moles/Maildir/.Junk/, "
	    "ann@example.net=ann/Maildir/}",
	    "That is a folder for spam", "", "");
}

Test(mailbox, a_server_knows_no_addresses_with_a_plus)
{
	at_a_server_that("recipient_delimiter =",
	                 "The mail to an address with a + has not come, so molepost.conf says "
	                 "plus_address = off.",
	                 "\nplus_address = off\n", "");
}

Test(mailbox, a_server_loses_mail_to_addresses_with_a_plus)
{
	at_a_server_that(
	    "virtual_mailbox_maps = regexp:{{/[+]/ bob/Maildir/}, {/^moles@/ moles/Maildir/}, "
	    "{/^ann@/ ann/Maildir/}}",
	    "The mail to an address with a + has not come, so molepost.conf says "
	    "plus_address = off.",
	    "\nplus_address = off\n", "");
}

Test(mailbox, a_server_writes_another_sender_on_the_envelope)
{
	at_a_server_that(
	    "sender_canonical_maps = static:moles@example.org",
	    "; addresses with a + work, its envelope sender was the server's address.\n", "",
	    "");
}

Test(mailbox, a_server_takes_no_sender_but_the_address)
{
	at_a_server_that(
	    "smtpd_sender_restrictions = check_sender_access regexp:{{/[+]/ 553 5.7.1 "
	    "Sender address rejected: not owned by user moles}}",
	    "The server takes no sender but the address itself, so molepost.conf says "
	    "sender = fixed.",
	    "", "\nsender = fixed\n");
}

Test(mailbox, a_server_that_takes_nothing_changes_no_line)
{
	NEED_SERVERS();
	struct place w = start(NULL);

	postfix_say(w.p, "smtpd_sender_restrictions = reject");
	strbuf_adds(&w.servers, DOVECOT_PASSWORD "\n");
	init(&w, "", w.servers.ptr, NULL, 78);
	expect_said(&w, "554 5.7.1 <moles@example.org>: Sender address rejected");
	expect_lines(&w, "", "");
	stop(&w);
}

Test(mailbox, a_domain_says_by_srv_records_where_its_mailboxes_are)
{
	char in[64], worse[64], out[64], said[160];

	NEED_SERVERS();
	struct place w = start(NULL);
	unsigned submits = postfix_port(w.p, POSTFIX_SUBMITS);
	const struct name_record records[] = {{"_imaps._tcp.example.org", NAME_SRV, worse},
	                                      {"_imaps._tcp.example.org", NAME_SRV, in},
	                                      {"_submissions._tcp.example.org", NAME_SRV, out}};
	struct name_server *names = name_server_new(records, 3);

	(void)snprintf(worse, sizeof(worse), "20 %u worse.example.org", w.d->imap);
	(void)snprintf(in, sizeof(in), "10 %u localhost", w.d->imaps);
	(void)snprintf(out, sizeof(out), "0 %u localhost", submits);
	init(&w, "", DOVECOT_PASSWORD "\n", names, 0);
	(void)snprintf(
	    said, sizeof(said),
	    "Mail is read at localhost port %u and sent through localhost port %u (SRV "
	    "records of the domain).\n",
	    w.d->imaps, submits);
	expect_said(&w, said);
	expect_said(&w, "A mail to itself has come to ");
	expect_answer(&w);
	name_server_free(names);
	stop(&w);
}

/* This process and what it starts see another network, and another file of hosts. False: not here. */
static bool enter_own_network(void)
{
	static const char script[] =
	    "ip link set lo up && mount --make-rprivate / && d=$(mktemp -d) && mount -t tmpfs none $d && "
	    "echo 127.0.0.1 localhost autoconfig.example.org >$d/hosts && mount --bind $d/hosts /etc/hosts && "
	    "umount -l $d && rmdir $d";
	const char *const argv[] = {"/bin/sh", "-c", script, NULL};
	struct strbuf out = STRBUF_INIT;
	int code = 1;
	bool ok = unshare(CLONE_NEWNET | CLONE_NEWNS) == 0 &&
	          subprocess_run(argv, SPAN_EMPTY, 4096, 60000, &out, &code, NULL) ==
	              ERR_NONE &&
	          code == 0;

	strbuf_release(&out);
	return ok;
}

/* The login is not the address, which the file says and this Dovecot insists on. */
Test(mailbox, a_domain_says_by_its_autoconfig_file_where_its_mailboxes_are)
{
	static const char config[] =
	    "<clientConfig version=\"1.1\"><emailProvider id=\"example.org\">\n"
	    "<incomingServer type=\"imap\"><hostname>localhost</hostname><port>%u</port>"
	    "<socketType>SSL</socketType><username>%%EMAILLOCALPART%%</username></incomingServer>\n"
	    "<outgoingServer type=\"smtp\"><hostname>localhost</hostname><port>%u</port>"
	    "<socketType>SSL</socketType><username>%%EMAILLOCALPART%%</username></outgoingServer>"
	    "</emailProvider></clientConfig>\n";
	struct strbuf file = STRBUF_INIT;
	char said[200];

	NEED_SERVERS();
	if (!enter_own_network())
		cr_skip_test(
		    "skipped: no network namespace can be made here, for which root has iproute2");
	struct place w = start(NULL);
	unsigned submits = postfix_port(w.p, POSTFIX_SUBMITS);
	struct name_server *names = name_server_new(NULL, 0);
	struct authority *web = authority_start(w.d, 443);
	dovecot_say(w.d, "auth_username_format = %Lu");
	strbuf_addf(&file, config, w.d->imaps, submits);
	authority_say(web, "config-v1.1.xml", file.ptr);
	init(&w, "", DOVECOT_PASSWORD "\n", names, 0);
	(void)snprintf(said, sizeof(said),
	               "Mail is read at localhost port %u and sent through localhost port %u "
	               "(https://autoconfig.example.org/mail/config-v1.1.xml).\n",
	               w.d->imaps, submits);
	expect_said(&w, said);
	expect_said(&w, "A mail to itself has come to imaps://moles@localhost");
	cr_expect_not_null(strstr(w.conf.ptr, "\nsink = smtps://moles@localhost"), "%s",
	                   w.conf.ptr);
	expect_answer(&w);
	strbuf_release(&file);
	authority_stop(web);
	name_server_free(names);
	stop(&w);
}
