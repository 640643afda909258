/*
 * test_smtp.c - mail handed to servers that behave, and to servers that do not.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mail/child/packet.h"
#include "mail/sink.h"
#include "mail/sink/sender.h"
#include "mail/sink/smtp_talk.h"
#include "processor/base/clock.h"
#include "processor/base/env.h"
#include "processor/base/file.h"
#include "tests/support/send_child.h"
#include "tests/support/smtp_server.h"

static const struct login_rule password = {.where = "env:SMTP_TEST_SECRET"};
static const struct login_rule token = {.where = "env:SMTP_TEST_SECRET", .is_token = true};

struct bench {
	struct smtp_server *server;
	struct mail_settings settings;
	struct sink *sink;
	struct failure e;
};

static void open_sink(struct bench *b, const char *user, const char *options)
{
	struct strbuf url = STRBUF_INIT;

	send_child_use();
	strbuf_addf(&url, "smtp://%s127.0.0.1:%u/%s", user, smtp_server_port(b->server),
	            options);
	cr_assert_eq(sink_open(url.ptr, &b->settings, &b->sink, &b->e), ERR_NONE, "%s",
	             b->e.text.ptr);
	strbuf_release(&url);
}

/*
 * A conversation that goes the same way with a server that takes commands together, and with one that
 * wants them one by one.
 */
static bool pipelining;

#define BOTH_WAYS(name)             \
	static void name(void);     \
	Test(smtp, name)            \
	{                           \
		name();             \
	}                           \
	Test(smtp_pipelining, name) \
	{                           \
		pipelining = true;  \
		name();             \
	}                           \
	static void name(void)

static void bench_open(struct bench *b, const struct smtp_rule *rules, size_t n,
                       const char *options)
{
	signal(SIGPIPE, SIG_IGN);
	*b = (struct bench){
	    .settings = {.base = ".", .instance = "test", .address = "moles@example.org"},
	    .e = ERR_INIT};
	b->server = smtp_server_new(rules, n, NULL);
	if (pipelining)
		smtp_server_announce_pipelining(b->server);
	open_sink(b, "", options);
}

/* The answer to a mail does not wait for the end of its connection. */
static void take_leave(struct bench *b)
{
	sink_close(b->sink);
	b->sink = NULL;
}

static void bench_close(struct bench *b)
{
	sink_close(b->sink);
	smtp_server_free(b->server);
	err_release(&b->e);
}

#define RULES(...)                               \
	(const struct smtp_rule[]){__VA_ARGS__}, \
	    sizeof((struct smtp_rule[]){__VA_ARGS__}) / sizeof(struct smtp_rule)

static struct sink_mail mail_to(int64_t id, const char *rcpt)
{
	return (struct sink_mail){.outbox_id = id,
	                          .created_utc = 1000,
	                          .rcpt = span_of(rcpt),
	                          .message = SPAN_LIT("Subject: hi\n\nhello\n"),
	                          .answer = STRBUF_INIT};
}

static void mails_to_ann(struct sink_mail *mails, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		mails[i] = mail_to(i + 1, "ann@example.net");
}

static enum err send_mails(struct bench *b, struct sink_mail *mails, size_t n)
{
	enum err r = sink_ready(b->sink, &b->e);

	if (r != ERR_NONE)
		return r;
	sink_start(b->sink, mails, n);
	return sink_finish(b->sink, &b->e);
}

/* One mail, no error of the sink wanted; the answer must hold `words`. */
static enum delivery send_one(struct bench *b, const char *words)
{
	struct sink_mail m = mail_to(1, "ann@example.net");
	enum err r = send_mails(b, &m, 1);

	cr_assert_eq(r, ERR_NONE, "%s", b->e.text.ptr);
	cr_expect_eq(m.answer.len == 0, m.what == DELIVERY_SENT);
	cr_expect(strstr(m.answer.ptr, words) != NULL, "%s", m.answer.ptr);
	strbuf_release(&m.answer);
	return m.what;
}

/* ------------------------------------------------------------------ as it should be */

BOTH_WAYS(a_mail_arrives_as_it_was_written)
{
	struct bench b;
	struct sink_mail m = mail_to(1, "ann@example.net");

	bench_open(&b, NULL, 0, "");
	m.message = SPAN_LIT("Subject: dots\n\n.\n..two\n.one\nno dot.\nend without line end");
	cr_assert_eq(send_mails(&b, &m, 1), ERR_NONE, "%s", b.e.text.ptr);
	cr_assert_eq(m.what, DELIVERY_SENT);
	cr_assert_eq(smtp_server_taken(b.server), 1);
	cr_expect_str_eq(smtp_server_mail(b.server, 0)->bytes.ptr,
	                 "Subject: dots\r\n\r\n.\r\n..two\r\n.one\r\nno dot.\r\n"
	                 "end without line end\r\n");
	cr_expect_str_eq(smtp_server_mail(b.server, 0)->from.ptr, "moles@example.org");
	cr_expect_str_eq(smtp_server_mail(b.server, 0)->rcpt.ptr, "ann@example.net");
	bench_close(&b);
}

Test(smtp, only_crlf_ends_a_line_on_the_wire)
{
	struct strbuf out = STRBUF_INIT;

	smtp_wire(&out, SPAN_LIT("a\r\nb\rc\n\r\n.\r.\n\n"));
	cr_expect_str_eq(out.ptr, "a\r\nbc\r\n\r\n...\r\n\r\n.\r\n");
	smtp_wire(&out, SPAN_LIT("x"));
	cr_expect_str_eq(out.ptr, "x\r\n.\r\n");
	strbuf_release(&out);
}

Test(smtp, the_envelope_sender_of_a_mail_goes_before_the_usual_one)
{
	struct bench b;
	struct sink_mail m = mail_to(1, "ann@example.net");
	char *heard;

	bench_open(&b, NULL, 0, "games.example.org");
	m.envelope_from = SPAN_LIT("moles+b-17-abc@example.org");
	cr_assert_eq(send_mails(&b, &m, 1), ERR_NONE);
	cr_expect_str_eq(smtp_server_mail(b.server, 0)->from.ptr, "moles+b-17-abc@example.org");
	heard = smtp_server_heard(b.server);
	cr_expect(strstr(heard, "EHLO games.example.org\n"), "%s", heard);
	free(heard);
	bench_close(&b);
}

BOTH_WAYS(many_mails_go_over_one_connection)
{
	struct bench b;
	struct sink_mail mails[20];

	bench_open(&b, NULL, 0, "");
	for (int round = 0; round < 3; round++) {
		mails_to_ann(mails, 20);
		cr_assert_eq(send_mails(&b, mails, 20), ERR_NONE);
	}
	cr_expect_eq(smtp_server_taken(b.server), 60);
	cr_expect_eq(smtp_server_connections(b.server), 1);
	bench_close(&b);
}

BOTH_WAYS(several_connections_keep_each_player_s_mails_in_order)
{
	struct bench b;
	struct sink_mail mails[64];
	unsigned last[8] = {0};
	char text[64][48];

	bench_open(&b, RULES({.at = "dot", .with = "p3@", .delay_ms = 5, .usual = true}),
	           "?connections=4");
	for (unsigned i = 0; i < 64; i++) {
		static const char *const who[] = {"p0@x.org", "p1@x.org", "p2@x.org",
		                                  "p3@x.org", "p4@x.org", "p5@x.org",
		                                  "p6@x.org", "p7@x.org"};

		mails[i] = mail_to(i + 1, who[i % 8]);
		mails[i].lane = 1 + i % 8;
		(void)snprintf(text[i], sizeof(text[i]), "X: %03u\n\nhello\n", i);
		mails[i].message = span_of(text[i]);
	}
	cr_assert_eq(send_mails(&b, mails, 64), ERR_NONE, "%s", b.e.text.ptr);
	cr_assert_eq(smtp_server_taken(b.server), 64);
	for (size_t i = 0; i < 64; i++) {
		const struct smtp_taken *t = smtp_server_mail(b.server, i);
		unsigned lane = (unsigned)(t->rcpt.ptr[1] - '0');
		unsigned n = (unsigned)strtoul(t->bytes.ptr + 3, NULL, 10) + 1;

		cr_expect_gt(n, last[lane]);
		last[lane] = n;
	}
	cr_expect_gt(smtp_server_connections(b.server), 1);
	bench_close(&b);
}

Test(smtp, a_connection_too_many_is_done_without)
{
	struct bench b;
	struct sink_mail mails[32];

	bench_open(
	    &b, RULES({.at = "connect", .after = 1, .say = "421 too many\r\n", .close = true}),
	    "?connections=4");
	mails_to_ann(mails, 32);
	cr_assert_eq(send_mails(&b, mails, 32), ERR_NONE, "%s", b.e.text.ptr);
	cr_expect_eq(smtp_server_taken(b.server), 32);
	bench_close(&b);
}

/* ------------------------------------------------------------------ commands and answers */

static unsigned pieces_for_mails(unsigned n)
{
	struct bench b;
	struct sink_mail mails[20];
	unsigned pieces;

	bench_open(&b, NULL, 0, "");
	mails_to_ann(mails, n);
	cr_assert_eq(send_mails(&b, mails, n), ERR_NONE, "%s", b.e.text.ptr);
	cr_assert_eq(smtp_server_taken(b.server), n);
	pieces = smtp_server_pieces(b.server);
	bench_close(&b);
	return pieces;
}

Test(smtp, commands_go_out_together_where_that_is_announced)
{
	unsigned one_by_one = pieces_for_mails(20) - pieces_for_mails(10), together;

	pipelining = true;
	together = pieces_for_mails(20) - pieces_for_mails(10);
	cr_expect_eq(one_by_one, 10 * 4);
	cr_expect_eq(together, 10 * 2);
}

Test(smtp, what_was_announced_in_clear_counts_no_more_behind_starttls)
{
	struct smtp_talk t;

	smtp_talk_init(&t, NULL);
	smtp_talk_hear(&t, SPAN_LIT("220 hello\r\n"));
	smtp_talk_hear(&t, SPAN_LIT("250-mail.example.org\r\n"));
	smtp_talk_hear(&t, SPAN_LIT("250-PIPELININGS\r\n"));
	smtp_talk_hear(&t, SPAN_LIT("250-size 1000\r\n"));
	cr_expect(t.takes_size && !t.pipelining);
	smtp_talk_hear(&t, SPAN_LIT("250 pipelining\r\n"));
	cr_expect(t.takes_size && t.pipelining);
	smtp_talk_hear(&t, SPAN_LIT("220 go ahead\r\n"));
	cr_expect(!t.takes_size && !t.pipelining);
	smtp_talk_hear(&t, SPAN_LIT("250 SIZE\r\n"));
	cr_expect(t.takes_size && !t.pipelining);
	smtp_talk_release(&t);
}

BOTH_WAYS(the_size_is_told_where_that_is_announced)
{
	struct bench b;
	struct sink_mail m = mail_to(1, "ann@example.net");
	char *heard;

	bench_open(&b, NULL, 0, "");
	cr_assert_eq(send_mails(&b, &m, 1), ERR_NONE);
	heard = smtp_server_heard(b.server);
	/* "Subject: hi\r\n\r\nhello\r\n" and no dot */
	cr_expect(strstr(heard, "MAIL FROM:<moles@example.org> SIZE=22\n"), "%s", heard);
	free(heard);
	bench_close(&b);
}

BOTH_WAYS(answers_that_come_in_pieces_are_put_together)
{
	struct bench b;
	struct sink_mail mails[3];

	bench_open(&b,
	           RULES({.at = "MAIL", .say = "250-fine,\r\n250 go on\r\n", .slowly = true},
	                 {.at = "RCPT", .slowly = true, .usual = true},
	                 {.at = "DATA", .slowly = true, .usual = true},
	                 {.at = "dot", .slowly = true, .usual = true}),
	           "");
	mails_to_ann(mails, 3);
	cr_assert_eq(send_mails(&b, mails, 3), ERR_NONE, "%s", b.e.text.ptr);
	cr_expect_eq(smtp_server_taken(b.server), 3);
	cr_expect_eq(smtp_server_connections(b.server), 1);
	bench_close(&b);
}

/* Nothing that is said may become part of a text that the server waits for. */
BOTH_WAYS(after_a_refusal_quit_is_said_where_it_is_understood)
{
	struct bench b;
	char *heard;

	bench_open(&b, RULES({.at = "RCPT", .say = "550 nobody\r\n"}), "");
	cr_expect_eq(send_one(&b, "550 nobody"), DELIVERY_DEAD);
	take_leave(&b);
	heard = smtp_server_heard(b.server);
	cr_expect_eq(strstr(heard, "QUIT") != NULL, !pipelining, "%s", heard);
	free(heard);
	bench_close(&b);
	bench_open(&b,
	           RULES({.at = "RCPT", .say = "550 nobody\r\n"},
	                 {.at = "DATA", .say = "503 to whom?\r\n"}),
	           "");
	cr_expect_eq(send_one(&b, "550 nobody"), DELIVERY_DEAD);
	take_leave(&b);
	heard = smtp_server_heard(b.server);
	cr_expect(strstr(heard, "QUIT"), "%s", heard);
	free(heard);
	bench_close(&b);
}

/* One mail to a server that says this to RCPT, or behind the dot. */
static void expect_nonsense(const char *said)
{
	struct smtp_rule rule = {.at = "RCPT", .say = said};
	struct bench b;

	bench_open(&b, &rule, 1, "");
	cr_expect_eq(send_one(&b, "the connection broke: Weird"), DELIVERY_RETRY, "%s", said);
	bench_close(&b);
	rule.at = "dot";
	bench_open(&b, &rule, 1, "");
	cr_expect_eq(send_one(&b, "no answer after the mail was handed over: Weird"),
	             DELIVERY_MAYBE, "%s", said);
	bench_close(&b);
}

BOTH_WAYS(an_answer_that_is_none_or_never_ends_is_no_delivery)
{
	struct strbuf text = STRBUF_INIT;

	expect_nonsense("hello\r\n");
	expect_nonsense("\r\n");
	expect_nonsense("25\r\n");
	expect_nonsense("2500 ok\r\n");
	expect_nonsense(" 250 ok\r\n");
	expect_nonsense("350 and?\r\n");
	strbuf_adds(&text, "250 ");
	strbuf_add_repeat(&text, 'x', 9000);
	expect_nonsense(text.ptr);
	strbuf_clear(&text);
	for (int i = 0; i < 1000; i++)
		strbuf_adds(&text, "250-on\r\n");
	expect_nonsense(text.ptr);
	strbuf_release(&text);
}

BOTH_WAYS(an_answer_before_the_dot_is_none_to_it)
{
	struct bench b;

	bench_open(&b, RULES({.at = "DATA", .say = "354 go on\r\n250 taken\r\n"}), "");
	cr_expect_eq(send_one(&b, "the connection broke: Weird"), DELIVERY_RETRY);
	cr_expect_eq(smtp_server_taken(b.server), 0);
	bench_close(&b);
}

/* ------------------------------------------------------------------ refusals */

BOTH_WAYS(what_is_refused_for_now_is_tried_later_and_the_rest_goes_on)
{
	struct bench b;
	struct sink_mail mails[3] = {mail_to(1, "ann@example.net"),
	                             mail_to(2, "bob@example.net"),
	                             mail_to(3, "cy@example.net")};

	bench_open(&b, RULES({.at = "RCPT", .with = "bob", .say = "451 4.7.1 Greylisted\r\n"}),
	           "");
	cr_assert_eq(send_mails(&b, mails, 3), ERR_NONE);
	cr_expect_eq(mails[0].what, DELIVERY_SENT);
	cr_expect_eq(mails[1].what, DELIVERY_RETRY);
	cr_expect_str_eq(mails[1].answer.ptr, "451 4.7.1 Greylisted");
	cr_expect_eq(mails[2].what, DELIVERY_SENT);
	strbuf_release(&mails[1].answer);
	bench_close(&b);
}

BOTH_WAYS(one_of_three_that_is_refused_for_good_is_dead_and_the_others_arrive)
{
	struct bench b;
	struct sink_mail mails[3] = {mail_to(1, "ann@example.net"),
	                             mail_to(2, "bob@example.net"),
	                             mail_to(3, "cy@example.net")};

	bench_open(&b,
	           RULES({.at = "RCPT",
	                  .with = "bob",
	                  .say = "550-5.1.1 nobody of\r\n550 5.1.1 that\tname\x07here\r\n"}),
	           "");
	cr_assert_eq(send_mails(&b, mails, 3), ERR_NONE);
	cr_expect_eq(mails[0].what, DELIVERY_SENT);
	cr_expect_eq(mails[1].what, DELIVERY_DEAD);
	cr_expect_str_eq(mails[1].answer.ptr, "550-5.1.1 nobody of 550 5.1.1 that name here");
	cr_expect_eq(mails[2].what, DELIVERY_SENT);
	strbuf_release(&mails[1].answer);
	bench_close(&b);
}

BOTH_WAYS(a_refusal_is_judged_by_the_command_it_answers)
{
	static const struct {
		const char *at, *say;
		enum delivery what;
	} cases[] = {
	    {"dot", "451 4.3.0 later\r\n", DELIVERY_RETRY},
	    {"dot", "554 5.7.1 no such text here\r\n", DELIVERY_DEAD},
	    {"DATA", "451 later\r\n", DELIVERY_RETRY},
	    {"DATA", "554 no\r\n", DELIVERY_DEAD},
	    {"RCPT", "552 too many recipients\r\n", DELIVERY_RETRY},
	    {"MAIL", "552 5.3.4 too large\r\n", DELIVERY_DEAD},
	    {"MAIL", "550 5.7.1 we do not like your sender\r\n", DELIVERY_RETRY},
	    {"MAIL", "451 4.1.8 later\r\n", DELIVERY_RETRY},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct smtp_rule rule = {.at = cases[i].at, .say = cases[i].say};
		struct bench b;

		bench_open(&b, &rule, 1, "");
		cr_expect_eq(send_one(&b, ""), cases[i].what, "%s %s", cases[i].at,
		             cases[i].say);
		bench_close(&b);
	}
}

BOTH_WAYS(a_server_that_wants_a_login_first_is_not_the_mail_s_fault)
{
	struct bench b;
	struct sink_mail m = mail_to(1, "ann@example.net");

	bench_open(&b, RULES({.at = "MAIL", .say = "530 5.7.0 Authentication required\r\n"}),
	           "");
	cr_expect_eq(send_mails(&b, &m, 1), ERR_DENIED);
	cr_expect(strstr(b.e.text.ptr, "530 5.7.0 Authentication required"), "%s",
	          b.e.text.ptr);
	cr_expect_eq(m.what, DELIVERY_UNTRIED);
	bench_close(&b);
}

Test(smtp, addresses_that_would_be_commands_never_reach_the_server)
{
	static const char *const bad[] = {"ann@example.net>\r\nRCPT TO:<eve@example.net",
	                                  "ann",
	                                  "",
	                                  "a b@example.net",
	                                  "ann@example.net\n",
	                                  "<ann@example.net>",
	                                  "\xc3\xa4@example.net"};
	struct bench b;

	bench_open(&b, NULL, 0, "");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct sink_mail m = mail_to(1, bad[i]);

		cr_expect_eq(send_mails(&b, &m, 1), ERR_NONE);
		cr_expect_eq(m.what, DELIVERY_DEAD, "%s", bad[i]);
		strbuf_release(&m.answer);
		m = mail_to(2, "ann@example.net");
		m.envelope_from = *bad[i] ? span_of(bad[i]) : SPAN_LIT("x");
		cr_expect_eq(send_mails(&b, &m, 1), ERR_NONE);
		cr_expect_eq(m.what, DELIVERY_DEAD, "%s", bad[i]);
		strbuf_release(&m.answer);
	}
	char *heard = smtp_server_heard(b.server);
	cr_expect_null(strstr(heard, "RCPT"));
	free(heard);
	bench_close(&b);
}

/* ------------------------------------------------------------------ lines that break */

BOTH_WAYS(a_line_that_breaks_before_the_mail_is_over_is_no_delivery)
{
	static const char *const at[] = {"MAIL", "RCPT", "DATA"};

	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		struct smtp_rule rule = {.at = at[i], .close = true};
		struct bench b;

		bench_open(&b, &rule, 1, "");
		cr_expect_eq(send_one(&b, "the connection broke"), DELIVERY_RETRY, "%s", at[i]);
		cr_expect_eq(smtp_server_taken(b.server), 0);
		bench_close(&b);
	}
}

BOTH_WAYS(a_line_that_breaks_behind_the_dot_leaves_the_mail_in_doubt)
{
	struct bench b;

	bench_open(&b, RULES({.at = "dot", .close = true}), "");
	cr_expect_eq(send_one(&b, "no answer"), DELIVERY_MAYBE);
	cr_expect_eq(smtp_server_taken(b.server), 1);
	bench_close(&b);
}

BOTH_WAYS(a_server_that_closes_between_two_mails_gets_the_next_one_on_a_new_line)
{
	struct bench b;
	struct sink_mail mails[6];

	bench_open(&b,
	           RULES({.at = "dot",
	                  .after = 1,
	                  .times = 1,
	                  .close = true,
	                  .say = "250 taken, and that is enough\r\n"},
	                 {.at = "MAIL",
	                  .after = 3,
	                  .times = 1,
	                  .close = true,
	                  .say = "421 4.7.0 too many mails\r\n"}),
	           "");
	mails_to_ann(mails, 6);
	cr_assert_eq(send_mails(&b, mails, 6), ERR_NONE, "%s", b.e.text.ptr);
	for (int i = 0; i < 6; i++)
		cr_expect_eq(mails[i].what, DELIVERY_SENT, "%d: %s", i, mails[i].answer.ptr);
	cr_expect_eq(smtp_server_taken(b.server), 6);
	cr_expect_eq(smtp_server_connections(b.server), 3);
	bench_close(&b);
}

BOTH_WAYS(an_answer_given_twice_is_never_taken_for_that_to_the_next_mail)
{
	struct bench b;
	struct sink_mail mails[4];

	bench_open(&b,
	           RULES({.at = "dot", .times = 1, .say = "250 taken\r\n250 taken\r\n"},
	                 {.at = "RCPT", .with = "bob", .say = "550 nobody\r\n"}),
	           "");
	mails[0] = mail_to(1, "ann@example.net");
	mails[1] = mail_to(2, "bob@example.net");
	mails[2] = mail_to(3, "cy@example.net");
	mails[3] = mail_to(4, "ann@example.net");
	cr_assert_eq(send_mails(&b, mails, 4), ERR_NONE, "%s", b.e.text.ptr);
	cr_expect_eq(mails[0].what, DELIVERY_SENT);
	cr_expect_eq(mails[1].what, DELIVERY_DEAD, "%d", (int)mails[1].what);
	cr_expect_eq(mails[2].what, DELIVERY_SENT);
	cr_expect_eq(mails[3].what, DELIVERY_SENT);
	cr_expect_eq(smtp_server_taken(b.server), 3);
	strbuf_release(&mails[1].answer);
	bench_close(&b);
}

BOTH_WAYS(a_late_answer_leaves_the_mail_in_doubt_and_the_rest_untried)
{
	struct bench b;
	struct sink_mail mails[2] = {mail_to(1, "ann@example.net"),
	                             mail_to(2, "bob@example.net")};

	bench_open(&b, RULES({.at = "dot", .delay_ms = 1500, .usual = true}), "?timeout=1");
	cr_expect_eq(send_mails(&b, mails, 2), ERR_TIMEOUT);
	cr_expect_eq(mails[0].what, DELIVERY_MAYBE);
	cr_expect_eq(mails[1].what, DELIVERY_UNTRIED);
	strbuf_release(&mails[0].answer);
	bench_close(&b);
}

BOTH_WAYS(a_server_that_breaks_line_after_line_is_left_alone)
{
	struct bench b;
	struct sink_mail mails[10];
	unsigned tried = 0;

	bench_open(&b, RULES({.at = "RCPT", .close = true}), "");
	mails_to_ann(mails, 10);
	cr_expect_eq(send_mails(&b, mails, 10), ERR_IO);
	for (int i = 0; i < 10; i++) {
		tried += mails[i].what != DELIVERY_UNTRIED;
		strbuf_release(&mails[i].answer);
	}
	cr_expect_eq(tried, 3);
	bench_close(&b);
}

BOTH_WAYS(a_mail_behind_one_that_did_not_get_through_waits)
{
	struct bench b;
	struct sink_mail mails[4] = {
	    mail_to(1, "ann@example.net"), mail_to(2, "bob@example.net"),
	    mail_to(3, "ann@example.net"), mail_to(4, "bob@example.net")};

	bench_open(&b, RULES({.at = "RCPT", .with = "ann", .times = 1, .say = "450 later\r\n"}),
	           "");
	for (int i = 0; i < 4; i++)
		mails[i].lane = 1 + i % 2;
	cr_assert_eq(send_mails(&b, mails, 4), ERR_NONE);
	cr_expect_eq(mails[0].what, DELIVERY_RETRY);
	cr_expect_eq(mails[1].what, DELIVERY_SENT);
	cr_expect_eq(mails[2].what, DELIVERY_UNTRIED);
	cr_expect_eq(mails[3].what, DELIVERY_SENT);
	strbuf_release(&mails[0].answer);
	bench_close(&b);
}

/* ------------------------------------------------------------------ before the first mail */

static void expect_not_ready(struct bench *b, enum err wanted, const char *words)
{
	struct sink_mail m = mail_to(1, "ann@example.net");

	cr_expect_eq(send_mails(b, &m, 1), wanted, "%s", b->e.text.ptr);
	cr_expect(strstr(b->e.text.ptr, words) != NULL, "%s", b->e.text.ptr);
	cr_expect_eq(m.what, DELIVERY_UNTRIED);
	cr_expect_eq(smtp_server_taken(b->server), 0);
}

Test(smtp, a_server_that_is_not_there_is_said_so)
{
	struct bench b;

	bench_open(&b, RULES({.at = "connect", .close = true}), "");
	expect_not_ready(&b, ERR_IO, "127.0.0.1: ");
	bench_close(&b);
	bench_open(&b, RULES({.at = "connect", .say = "554 go away\r\n", .close = true}), "");
	expect_not_ready(&b, ERR_DENIED, "554 go away");
	bench_close(&b);
}

Test(smtp, a_server_without_starttls_gets_nothing)
{
	struct bench b;
	struct sink_mail m = mail_to(1, "ann@example.net");
	char *heard;

	setenv("SMTP_TEST_SECRET", "open sesame", 1);
	bench_open(&b, NULL, 0, "");
	sink_close(b.sink);
	b.settings.logins = &password;
	b.settings.nlogins = 1;
	open_sink(&b, "moles@", "?starttls=yes");
	expect_not_ready(&b, ERR_DENIED, "STARTTLS");
	cr_expect_eq(m.what, DELIVERY_UNTRIED);
	heard = smtp_server_heard(b.server);
	cr_expect_null(strstr(heard, "AUTH"));
	cr_expect_null(strstr(heard, "MAIL"));
	free(heard);
	bench_close(&b);
}

static void expect_login(const char *offered, const struct login_rule *rule, const char *said)
{
	struct bench b;
	char *heard;

	setenv("SMTP_TEST_SECRET", "open sesame", 1);
	bench_open(&b, NULL, 0, "");
	smtp_server_free(b.server);
	sink_close(b.sink);
	b.server = smtp_server_new(NULL, 0, offered);
	b.settings.logins = rule;
	b.settings.nlogins = 1;
	open_sink(&b, "moles%40example.org@", "");
	cr_expect_eq(send_one(&b, ""), DELIVERY_SENT);
	heard = smtp_server_heard(b.server);
	cr_expect(strstr(heard, said), "%s", heard);
	free(heard);
	bench_close(&b);
}

Test(smtp, a_login_goes_by_plain_by_login_or_by_a_token)
{
	/* base64 of "\0moles@example.org\0open sesame" */
	expect_login("CRAM-MD5 PLAIN LOGIN", &password,
	             "AUTH PLAIN AG1vbGVzQGV4YW1wbGUub3JnAG9wZW4gc2VzYW1l\n");
	expect_login("LOGIN", &password,
	             "AUTH LOGIN bW9sZXNAZXhhbXBsZS5vcmc=\nb3BlbiBzZXNhbWU=\n");
	/* "user=moles@example.org\1auth=Bearer open sesame\1\1" */
	expect_login("PLAIN XOAUTH2", &token,
	             "AUTH XOAUTH2 dXNlcj1tb2xlc0BleGFtcGxlLm9yZwFhdXRoPUJlYXJlciBvcGVuIHNlc"
	             "2FtZQEB\n");
}

static void expect_no_login(const char *offered, const struct smtp_rule *rules, size_t n,
                            const char *words)
{
	struct bench b;

	setenv("SMTP_TEST_SECRET", "open sesame", 1);
	bench_open(&b, NULL, 0, "");
	smtp_server_free(b.server);
	sink_close(b.sink);
	b.server = smtp_server_new(rules, n, offered);
	b.settings.logins = &password;
	b.settings.nlogins = 1;
	open_sink(&b, "moles@", "");
	expect_not_ready(&b, ERR_DENIED, words);
	cr_expect_null(strstr(b.e.text.ptr, "sesame"), "%s", b.e.text.ptr);
	bench_close(&b);
}

Test(smtp, a_login_that_fails_or_is_not_offered_sends_nothing_and_shows_no_password)
{
	expect_no_login("PLAIN", RULES({.at = "AUTH", .say = "535 5.7.8 not you\r\n"}),
	                "535 5.7.8 not you");
	expect_no_login("PLAIN",
	                RULES({.at = "AUTH", .say = "535 wrong password: open sesame\r\n"}),
	                "refused");
	expect_no_login("CRAM-MD5", NULL, 0, "offers no login by PLAIN or LOGIN");
	expect_no_login(NULL, NULL, 0, "offers no login");
}

Test(smtp, a_url_that_cannot_be_meant_is_refused_with_a_reason)
{
	static const struct {
		const char *url, *why;
	} bad[] = {
	    {"smtp://mail.example.org/?starttls=no", "only for a server on this machine"},
	    {"smtps://mail.example.org/?starttls=yes", "smtps://"},
	    {"smtp://127.0.0.1/?starttls=maybe", "yes or no"},
	    {"smtp://127.0.0.1/?connections=9", "from 1 to 8"},
	    {"smtp://127.0.0.1/?timeout=0", "from 1 to 3600"},
	    {"smtp://127.0.0.1/?conections=2", "conections"},
	    {"smtp://127.0.0.1/a/b", "behind the host"},
	    {"smtps://moles:secret@mail.example.org", "password"},
	    {"sendmail: ", "program is missing"},
	};
	struct mail_settings settings = {
	    .base = ".", .instance = "t", .address = "m@example.org"};
	struct failure e = ERR_INIT;
	struct sink *s;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		cr_expect_eq(sink_open(bad[i].url, &settings, &s, &e), ERR_CONFIG, "%s",
		             bad[i].url);
		cr_expect_null(s);
		cr_expect(strstr(e.text.ptr, bad[i].why), "%s", e.text.ptr);
		cr_expect_null(strstr(e.text.ptr, "secret"));
	}
	err_release(&e);
}

Test(smtp, a_server_that_goes_away_between_two_mails_leaves_the_rest_untried)
{
	struct bench b;
	struct sink_mail mails[3];

	bench_open(&b, RULES({.at = "dot", .delay_ms = 300, .usual = true}), "");
	mails_to_ann(mails, 3);
	cr_assert_eq(sink_ready(b.sink, &b.e), ERR_NONE);
	sink_start(b.sink, mails, 3);
	smtp_server_wait_dots(b.server, 1);
	smtp_server_free(b.server);
	cr_expect_eq(sink_finish(b.sink, &b.e), ERR_IO);
	cr_expect(strstr(b.e.text.ptr, "no connection to 127.0.0.1 port "), "%s", b.e.text.ptr);
	cr_expect_eq(mails[2].what, DELIVERY_UNTRIED);
	for (int i = 0; i < 3; i++)
		strbuf_release(&mails[i].answer);
	b.server = smtp_server_new(NULL, 0, NULL);
	bench_close(&b);
}

/* ------------------------------------------------------------------ a child that fails or lies */

/* Two mails to a child that is told to misbehave; the first one's answer must hold `words` too. */
static void expect_lost(const char *variable, const char *how, enum delivery what,
                        enum err wanted, const char *words)
{
	struct bench b;
	struct sink_mail mails[2];

	bench_open(&b, NULL, 0, "?timeout=1");
	mails_to_ann(mails, 2);
	setenv(variable, how, 1);
	cr_expect_eq(send_mails(&b, mails, 2), wanted, "%s", how);
	unsetenv(variable);
	cr_expect(strstr(b.e.text.ptr, words), "%s: %s", how, b.e.text.ptr);
	cr_expect_eq(mails[0].what, what, "%s: %d", how, (int)mails[0].what);
	cr_expect_eq(mails[1].what, DELIVERY_UNTRIED, "%s", how);
	if (what == DELIVERY_RETRY || what == DELIVERY_MAYBE)
		cr_expect(strstr(mails[0].answer.ptr, words), "%s", mails[0].answer.ptr);
	strbuf_release(&mails[0].answer);
	/* The next run has another child. */
	mails_to_ann(mails, 2);
	cr_expect_eq(send_mails(&b, mails, 2), ERR_NONE, "%s: %s", how, b.e.text.ptr);
	cr_expect_eq(mails[0].what, DELIVERY_SENT, "%s", how);
	cr_expect_eq(smtp_server_taken(b.server), 2, "%s", how);
	bench_close(&b);
}

Test(sending_child, that_dies_hangs_or_talks_nonsense_costs_its_run_only, .timeout = 120)
{
	setenv("MOLEPOST_TEST_BREAK", "impatient", 1);
	expect_lost("MOLEPOST_TEST_CONNECT", "abort", DELIVERY_UNTRIED, ERR_IO, "died");
	expect_lost("MOLEPOST_TEST_CONNECT", "junk", DELIVERY_UNTRIED, ERR_IO, "nonsense");
	expect_lost("MOLEPOST_TEST_CONNECT", "hang", DELIVERY_UNTRIED, ERR_TIMEOUT,
	            "does not answer");
	expect_lost("MOLEPOST_TEST_SEND", "abort", DELIVERY_RETRY, ERR_IO, "died");
	expect_lost("MOLEPOST_TEST_SEND", "junk", DELIVERY_RETRY, ERR_IO, "nonsense");
	expect_lost("MOLEPOST_TEST_SEND", "hang", DELIVERY_RETRY, ERR_TIMEOUT,
	            "does not answer");
}

/* What a child says, byte for byte. */
static void say(struct strbuf *out, enum send_answer kind, struct span body)
{
	packet_add_u32(out, sizeof(uint32_t) + body.len);
	packet_add_u32(out, kind);
	strbuf_add_span(out, body);
}

static void say_text(struct strbuf *out, uint64_t number)
{
	struct strbuf body = STRBUF_INIT;

	packet_add_u64(&body, number);
	say(out, SEND_TEXT, strbuf_span(&body));
	strbuf_release(&body);
}

static void say_ended(struct strbuf *out, uint64_t number, unsigned stage, unsigned code,
                      unsigned result, struct span words)
{
	struct strbuf body = STRBUF_INIT;

	packet_add_u64(&body, number);
	packet_add_u32(&body, stage);
	packet_add_u32(&body, code);
	packet_add_u32(&body, result);
	packet_add_span(&body, words);
	say(out, SEND_ENDED, strbuf_span(&body));
	strbuf_release(&body);
}

/* Two mails, 1 and 2, to a child that says this with the first in hand, and leaves. */
static void expect_lie(const char *name, const char *variable, struct strbuf *lie,
                       enum delivery what, const char *words)
{
	struct strbuf how = STRBUF_INIT;
	struct bench b;
	struct sink_mail mails[2];

	strbuf_adds(&how, "say ");
	for (size_t i = 0; i < lie->len; i++)
		strbuf_addf(&how, "%02x", (unsigned char)lie->ptr[i]);
	bench_open(&b, NULL, 0, "");
	mails_to_ann(mails, 2);
	setenv(variable, how.ptr, 1);
	cr_expect_eq(send_mails(&b, mails, 2), ERR_IO, "%s", name);
	unsetenv(variable);
	cr_expect(strstr(b.e.text.ptr, words), "%s: %s", name, b.e.text.ptr);
	cr_expect_eq(mails[0].what, what, "%s: %d", name, (int)mails[0].what);
	/* Behind a mail that was taken it was in hand itself. */
	cr_expect_eq(mails[1].what, what == DELIVERY_SENT ? DELIVERY_RETRY : DELIVERY_UNTRIED,
	             "%s: %d", name, (int)mails[1].what);
	strbuf_release(&mails[1].answer);
	cr_expect_eq(smtp_server_taken(b.server), 0);
	strbuf_release(&mails[0].answer);
	bench_close(&b);
	strbuf_release(&how);
	strbuf_clear(lie);
}

#define NONSENSE(name, what) expect_lie(name, "MOLEPOST_TEST_SEND", &l, what, "nonsense")

Test(sending_child, is_believed_of_the_mail_in_its_hand_and_nothing_else, .timeout = 120)
{
	const struct span ok = SPAN_LIT("No error");
	struct strbuf l = STRBUF_INIT, many = STRBUF_INIT;

	strbuf_add_repeat(&many, 'x', 1001);
	say_text(&l, 2);
	NONSENSE("the text of another mail", DELIVERY_RETRY);
	say_text(&l, 1);
	say_text(&l, 1);
	NONSENSE("a text twice", DELIVERY_MAYBE);
	say_ended(&l, 1, SMTP_AT_DOT, 250, 0, ok);
	NONSENSE("taken, and no text", DELIVERY_RETRY);
	say_text(&l, 1);
	say_ended(&l, 2, SMTP_AT_DOT, 250, 0, ok);
	NONSENSE("another mail taken", DELIVERY_MAYBE);
	say_text(&l, 1);
	say_ended(&l, UINT64_MAX, SMTP_AT_DOT, 250, 0, ok);
	NONSENSE("no mail of ours taken", DELIVERY_MAYBE);
	say_ended(&l, 1, SMTP_AT_DOT + 1, 250, 0, ok);
	NONSENSE("no such stage", DELIVERY_RETRY);
	say_ended(&l, 1, SMTP_AT_RCPT, 1000, 0, ok);
	NONSENSE("no such code", DELIVERY_RETRY);
	say_ended(&l, 1, SMTP_AT_RCPT, 550, UINT32_MAX, ok);
	NONSENSE("no such result", DELIVERY_RETRY);
	say_ended(&l, 1, SMTP_AT_RCPT, 550, 0, strbuf_span(&many));
	NONSENSE("many words", DELIVERY_RETRY);
	say_ended(&l, 1, SMTP_AT_RCPT, 550, 0, SPAN_LIT("550 \033[2J"));
	NONSENSE("words that are none", DELIVERY_RETRY);
	say_ended(&l, 1, SMTP_AT_RCPT, 550, 0, SPAN_LIT("550 \xff\xfe"));
	NONSENSE("words that are no UTF-8", DELIVERY_RETRY);
	say(&l, SEND_ENDED, SPAN_LIT("\1\0\0\0\0\0\0\0\1\0\0\0"));
	NONSENSE("half an end", DELIVERY_RETRY);
	say(&l, SEND_TEXT, SPAN_LIT("\1\0\0\0\0\0\0\0\0"));
	NONSENSE("more than there is to say", DELIVERY_RETRY);
	say(&l, SEND_READY, SPAN_EMPTY);
	NONSENSE("ready twice", DELIVERY_RETRY);
	say(&l, SEND_FAILED, SPAN_LIT("\5\0\0\0\2\0\0\0no"));
	NONSENSE("failed once ready", DELIVERY_RETRY);
	say(&l, (enum send_answer)0, SPAN_EMPTY);
	NONSENSE("no kind", DELIVERY_RETRY);
	say(&l, (enum send_answer)77, SPAN_EMPTY);
	NONSENSE("no such kind", DELIVERY_RETRY);
	strbuf_add(&l, "\0\0\0\0", 4);
	NONSENSE("nothing", DELIVERY_RETRY);
	strbuf_add(&l, "\1\20\0\0", 4);
	NONSENSE("an answer too long", DELIVERY_RETRY);
	/* What it could have done itself is believed, once. */
	say_text(&l, 1);
	say_ended(&l, 1, SMTP_AT_DOT, 250, 0, ok);
	say_ended(&l, 1, SMTP_AT_DOT, 250, 0, ok);
	NONSENSE("taken twice", DELIVERY_SENT);
	say_ended(&l, 1, SMTP_AT_RCPT, 550, 0, SPAN_LIT("550 nobody"));
	say_ended(&l, 2, SMTP_AT_RCPT, 550, 0, SPAN_LIT("550 nobody"));
	NONSENSE("a connection it has hung up", DELIVERY_DEAD);
	say_text(&l, 1);
	expect_lie("a text", "MOLEPOST_TEST_SEND", &l, DELIVERY_MAYBE, "died");
	say(&l, SEND_ENDED, SPAN_EMPTY);
	expect_lie("an end before the beginning", "MOLEPOST_TEST_CONNECT", &l, DELIVERY_UNTRIED,
	           "nonsense");
	say(&l, SEND_FAILED, SPAN_LIT("\0\0\0\0\2\0\0\0no"));
	expect_lie("failed of nothing", "MOLEPOST_TEST_CONNECT", &l, DELIVERY_UNTRIED,
	           "nonsense");
	say(&l, SEND_FAILED, SPAN_LIT("\5\0\0\0\2\0\0\0\xff\n"));
	expect_lie("failed in no words", "MOLEPOST_TEST_CONNECT", &l, DELIVERY_UNTRIED,
	           "nonsense");
	strbuf_release(&l);
	strbuf_release(&many);
}

/* By SIGKILL, while the server thinks about the first mail. */
static void expect_killed(const char *at, enum delivery what)
{
	const struct smtp_rule rule = {.at = at, .delay_ms = 3000, .usual = true, .times = 1};
	struct bench b;
	struct sink_mail mails[3];
	struct strbuf children = STRBUF_INIT;
	char path[64], *heard = NULL;

	bench_open(&b, &rule, 1, "");
	mails_to_ann(mails, 3);
	cr_assert_eq(sink_ready(b.sink, &b.e), ERR_NONE);
	sink_start(b.sink, mails, 3);
	if (strcmp(at, "dot") == 0)
		smtp_server_wait_dots(b.server, 1);
	while (!heard || !strstr(heard, "RCPT")) {
		free(heard);
		heard = smtp_server_heard(b.server);
	}
	free(heard);
	(void)snprintf(path, sizeof(path), "/proc/self/task/%ld/children", (long)getpid());
	cr_assert_eq(file_read(path, 4096, &children, NULL), ERR_NONE);
	cr_assert_eq(kill((pid_t)strtol(children.ptr, NULL, 10), SIGKILL), 0);
	cr_expect_eq(sink_finish(b.sink, &b.e), ERR_IO);
	cr_expect_eq(mails[0].what, what, "%s: %d", at, (int)mails[0].what);
	cr_expect_eq(mails[1].what, DELIVERY_UNTRIED);
	cr_expect_eq(mails[2].what, DELIVERY_UNTRIED);
	strbuf_release(&mails[0].answer);
	strbuf_release(&children);
	bench_close(&b);
}

Test(sending_child, that_is_killed_leaves_at_most_the_mail_in_doubt_whose_text_had_begun)
{
	expect_killed("dot", DELIVERY_MAYBE);
	expect_killed("RCPT", DELIVERY_RETRY);
}

/* ------------------------------------------------------------------ the table */

Test(smtp, only_what_was_refused_in_words_or_never_handed_over_counts_as_not_sent)
{
	static const struct {
		struct smtp_end end;
		enum smtp_verdict verdict;
	} cases[] = {
	    {{SMTP_AT_DOT, 250, CURLE_OK}, SMTP_SENT},
	    {{SMTP_AT_DOT, 354, CURLE_WEIRD_SERVER_REPLY}, SMTP_MAYBE},
	    {{SMTP_AT_DOT, 0, CURLE_WEIRD_SERVER_REPLY}, SMTP_MAYBE},
	    {{SMTP_AT_DOT, 0, CURLE_GOT_NOTHING}, SMTP_MAYBE},
	    {{SMTP_AT_DOT, 0, CURLE_RECV_ERROR}, SMTP_MAYBE},
	    {{SMTP_AT_DOT, 0, CURLE_OPERATION_TIMEDOUT}, SMTP_MAYBE},
	    {{SMTP_AT_DOT, 421, CURLE_OK}, SMTP_RETRY},
	    {{SMTP_AT_DOT, 554, CURLE_OK}, SMTP_DEAD},
	    {{SMTP_AT_TEXT, 0, CURLE_SEND_ERROR}, SMTP_AGAIN},
	    {{SMTP_AT_TEXT, 0, CURLE_OPERATION_TIMEDOUT}, SMTP_AGAIN},
	    {{SMTP_AT_DATA, 250, CURLE_WEIRD_SERVER_REPLY}, SMTP_AGAIN},
	    {{SMTP_AT_DATA, 554, CURLE_OK}, SMTP_DEAD},
	    {{SMTP_AT_RCPT, 550, CURLE_OK}, SMTP_DEAD},
	    {{SMTP_AT_RCPT, 552, CURLE_OK}, SMTP_RETRY},
	    {{SMTP_AT_MAIL, 550, CURLE_OK}, SMTP_RETRY},
	    {{SMTP_AT_MAIL, 552, CURLE_OK}, SMTP_DEAD},
	    {{SMTP_AT_MAIL, 0, CURLE_GOT_NOTHING}, SMTP_AGAIN},
	    {{SMTP_AT_MAIL, 421, CURLE_OK}, SMTP_AGAIN},
	    {{SMTP_AT_MAIL, 503, CURLE_OK}, SMTP_AGAIN},
	    {{SMTP_AT_RCPT, 530, CURLE_OK}, SMTP_UNUSABLE},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(smtp_end_judge(&cases[i].end), cases[i].verdict, "case %zu", i);
}
