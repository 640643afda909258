/*
 * test_own_mailbox.c - "Your own mailbox in four lines" of molepost.conf(5), followed line by
 * line.
 *
 * The examples are taken out of the manual page; only the names of machines and folders in them
 * become those of the servers of the test, whose authority has to be named besides.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "tests/support/crowd.h"
#include "tests/support/post_office.h"
#include "tests/support/smtp_client.h"
#include "tests/support/table.h"

#define PAGE "processor/man/molepost.conf.5"
#define CHAPTER ".Ss Your own mailbox in four lines"

#define NEED_POST_OFFICE()                                   \
	do {                                                 \
		const char *why_ = post_office_is_missing(); \
		if (why_)                                    \
			cr_skip_test("skipped: %s", why_);   \
	} while (0)

/* What an example says, and what is there in its place. */
struct names {
	const char *said;
	const char *is;
};

/* The n-th example of the chapter, from 0, with LF line ends. */
static void add_example(unsigned n, struct strbuf *out)
{
	struct strbuf page = STRBUF_INIT;
	const char *at, *end;

	cr_assert_eq(file_read(PAGE, 1 << 20, &page, NULL), ERR_NONE);
	at = strstr(page.ptr, CHAPTER);
	for (unsigned i = 0; at && i <= n; i++)
		at = strstr(at + 1, "\n.Bd ");
	cr_assert_not_null(at, "example %u", n);
	at = strchr(at + 1, '\n') + 1;
	end = strstr(at, ".Ed\n");
	cr_assert_not_null(end);
	strbuf_add(out, at, (size_t)(end - at));
	strbuf_release(&page);
}

static void put_names(struct span text, const struct names *names, struct strbuf *out)
{
	while (text.len > 0) {
		const struct names *n = names;

		while (n->said && !span_starts(text, n->said))
			n++;
		if (n->said)
			strbuf_adds(out, n->is);
		else
			strbuf_addc(out, text.ptr[0]);
		text = span_slice(text, n->said ? strlen(n->said) : 1, text.len);
	}
}

/* As the chapter says: the lines take the place of those with the same keys. */
static unsigned follow(struct testbed *s, unsigned example, const struct names *names)
{
	struct strbuf lines = STRBUF_INIT, real = STRBUF_INIT;
	struct span rest, line;
	unsigned n = 0;

	add_example(example, &lines);
	put_names(strbuf_span(&lines), names, &real);
	rest = strbuf_span(&real);
	while (span_next_line(&rest, &line)) {
		size_t at = span_find(line, SPAN_LIT(" = "));
		char key[40], value[300];

		cr_assert_lt(at, line.len, "%.*s", (int)line.len, line.ptr);
		(void)snprintf(key, sizeof(key), "%.*s", (int)at, line.ptr);
		(void)snprintf(value, sizeof(value), "%.*s", (int)(line.len - at - 3),
		               line.ptr + at + 3);
		dovecot_set(s, key, value);
		n++;
	}
	strbuf_release(&lines);
	strbuf_release(&real);
	return n;
}

/* Somebody new opens a game, confirms, plays a turn, and everything comes to his mailbox. */
static void expect_a_game(struct post_office *o, const char *to)
{
	const struct post *p;

	expect(o->testbed, "doctor", 0, "All is well.");
	post_office_submit(o, "ann", to, NULL, "create whakka mole players 2 bots 1");
	post_office_run(o, 0, NULL);
	p = testbed_last(o->testbed, "ann");
	cr_assert_not_null(strstr(p->subject, "please confirm"), "%s", p->subject);
	post_office_submit(o, "ann", NULL, p, "yes");
	post_office_run(o, 0, NULL);
	p = testbed_find(o->testbed, "ann", "turn 1]");
	cr_assert_not_null(p);
	cr_assert_not_null(strchr(p->reply_to, '+'), "%s", p->reply_to);
	post_office_submit(o, "ann", NULL, p, "popup 3, whack 5");
	post_office_run(o, 0, NULL);
	cr_expect_not_null(testbed_find(o->testbed, "ann", "turn 2]"));
	cr_expect_eq(crowd_unsent(o->testbed), 0);
	expect_sound(o->testbed);
}

static char *door(const char *format, unsigned port)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "%s:%u", format, port);
	return strbuf_detach(&text);
}

Test(own_mailbox, at_a_provider_in_four_lines, .timeout = 600)
{
	struct post_office o;

	NEED_POST_OFFICE();
	post_office_open(&o);
	char *imap = door("localhost", o.dovecot->imaps),
	     *smtp = door("localhost", postfix_port(o.postfix, POSTFIX_SUBMITS));
	const struct names names[] = {
	    {"imap.example.org", imap}, {"smtp.example.org", smtp}, {NULL, NULL}};

	cr_expect_eq(follow(o.testbed, 0, names), 4);
	expect_a_game(&o, NULL);
	free(imap);
	free(smtp);
	post_office_close(&o);
}

Test(own_mailbox, with_postfix_and_dovecot_on_the_same_machine_in_four_lines, .timeout = 600)
{
	struct post_office o;

	NEED_POST_OFFICE();
	post_office_open(&o);
	char *imap = door("@localhost", o.dovecot->imap),
	     *smtp = door("//localhost", postfix_port(o.postfix, POSTFIX_PLAIN));
	const struct names names[] = {
	    {"@localhost", imap}, {"//localhost", smtp}, {NULL, NULL}};

	cr_expect_eq(follow(o.testbed, 1, names), 4);
	expect_a_game(&o, NULL);
	free(imap);
	free(smtp);
	post_office_close(&o);
}

Test(own_mailbox, in_a_maildir_of_postfix, .timeout = 600)
{
	struct post_office o;
	char *keep;

	NEED_POST_OFFICE();
	post_office_open(&o);
	char *smtp = door("//localhost", postfix_port(o.postfix, POSTFIX_PLAIN));
	const struct names names[] = {
	    {"/home/moles/Maildir", postfix_maildir(o.postfix, "moles", &keep)},
	    {"//localhost", smtp},
	    {NULL, NULL}};

	cr_expect_eq(follow(o.testbed, 2, names), 5);
	expect_a_game(&o, NULL);
	free(keep);
	free(smtp);
	post_office_close(&o);
}

/* While anything is wrong the mail server keeps the mail: here the configuration is gone. */
static void keeps_what_cannot_be_put_down(struct post_office *o)
{
	char *conf = testbed_path(o->testbed, "molepost.conf"),
	     *away = testbed_path(o->testbed, "away");
	size_t before = o->testbed->nposts;
	struct strbuf raw = STRBUF_INIT;

	cr_assert_eq(rename(conf, away), 0);
	testbed_compose(o->testbed, &(struct mail_written){.who = "bob", .text = "list"}, &raw);
	smtp_client_send(postfix_port(o->postfix, POSTFIX_PLAIN), "bob@example.net",
	                 "fwd@example.org", strbuf_span(&raw));
	postfix_wait_kept(o->postfix);
	cr_assert_eq(rename(away, conf), 0);
	postfix_flush(o->postfix);
	postfix_wait_queue(o->postfix);
	post_office_run(o, 0, NULL);
	cr_expect_eq(o->testbed->nposts, before + 1);
	strbuf_release(&raw);
	free(conf);
	free(away);
}

/* Postfix starts `molepost receive` as the user whose .forward it is, here "nobody". */
Test(own_mailbox, by_a_forward_file_in_four_lines, .timeout = 600)
{
	struct strbuf line = STRBUF_INIT, real = STRBUF_INIT;
	struct post_office o;

	NEED_POST_OFFICE();
	post_office_open(&o);
	char *smtp = door("smtp://localhost", postfix_port(o.postfix, POSTFIX_PLAIN)),
	     *program = testbed_path(o.testbed, "../molepost");
	const struct names names[] = {{"moles@example.org", "fwd@example.org"},
	                              {"sendmail:/usr/sbin/sendmail", smtp},
	                              {"/usr/local/bin/molepost", program},
	                              {"/home/moles/play", o.testbed->dir},
	                              {NULL, NULL}};

	cr_expect_eq(follow(o.testbed, 3, names), 4);
	add_example(4, &line);
	put_names(span_trim(strbuf_span(&line)), names, &real);
	testbed_without_rights(o.testbed);
	postfix_forward(o.postfix, real.ptr);
	expect_a_game(&o, "fwd@example.org");
	keeps_what_cannot_be_put_down(&o);
	free(smtp);
	free(program);
	strbuf_release(&line);
	strbuf_release(&real);
	post_office_close(&o);
}
