/*
 * test_copies.c - one mail is one mail, however it comes and whenever.
 *
 * Ann has sent orders and then others; copies of the first mail that come later, with whatever the
 * way has done to them, change nothing. Mails that share its Message-ID and say something else are
 * dealt with.
 */
#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/table.h"

static const char date[] = "Thu, 12 Mar 2026 18:03:00 +0000";
static const char older[] = "popup 1 3\nwhack 5", newer[] = "popup 2 4\nwhack 6";

/* The mail with the older orders, in parts that a test puts together in its own way. */
struct first_mail {
	struct testbed *s;
	const struct post *report;
	unsigned copies;
};

static struct first_mail *begin(void)
{
	struct first_mail *m = xcalloc(1, sizeof(*m));

	m->s = testbed_new("copies");
	table_begin(m->s, "ann bob");
	m->report = testbed_last(m->s, "ann");
	return m;
}

static void end(struct first_mail *m)
{
	expect_sound(m->s);
	testbed_free(m->s);
	free(m);
}

/* header: what the way has added or changed, whole lines; body: with its own MIME header. */
static void arrives(struct first_mail *m, const char *header, const char *subject,
                    const char *body)
{
	struct strbuf raw = STRBUF_INIT;
	char name[32];

	strbuf_addf(&raw,
	            "%sFrom: Ann <ann@example.net>\nTo: %s\nSubject: %s\n"
	            "Message-ID: <orders@mua.example.net>\nDate: %s\nIn-Reply-To: %s\n%s\n",
	            header, m->report->reply_to, subject, date, m->report->message_id, body);
	snprintf(name, sizeof(name), "copy%u", m->copies++);
	testbed_wait(m->s, 60);
	testbed_drop(m->s, name, strbuf_span(&raw), m->s->now_utc);
	strbuf_release(&raw);
}

static const char plain[] = "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n";

static char *in_plain(const char *text)
{
	struct strbuf body = STRBUF_INIT;

	strbuf_addf(&body, "%s%s\n", plain, text);
	return body.ptr;
}

static void arrives_plain(struct first_mail *m, const char *header, const char *text)
{
	char *body = in_plain(text);

	arrives(m, header, "Re: your turn", body);
	free(body);
}

/* The older orders, and then newer ones, which are in force. */
static void send_both(struct first_mail *m)
{
	arrives_plain(m, "", older);
	cr_assert_eq(testbed_run(m->s), 1);
	testbed_wait(m->s, 60);
	testbed_reply_to(m->s, "ann", m->report, newer);
	cr_assert_eq(testbed_run(m->s), 1);
}

static void expect_stored(struct first_mail *m, const char *orders)
{
	testbed_wait(m->s, 60);
	testbed_write(m->s, "ann", "status W1");
	testbed_run(m->s);
	cr_expect(strstr(testbed_last(m->s, "ann")->text, orders), "not %s:\n%s", orders,
	          testbed_last(m->s, "ann")->text);
}

static void expect_copy(struct first_mail *m, const char *what)
{
	size_t answers = testbed_run(m->s);

	cr_expect_eq(answers, 0, "%s: answered with\n%s", what,
	             testbed_last(m->s, "ann")->text);
}

Test(copies, with_what_relays_write_above_them_are_copies, .timeout = 120)
{
	static const char *const fields[] = {
	    "Received: from a by b; Thu, 12 Mar 2026 18:09:00 +0000",
	    "Return-Path: <a@b.c>",
	    "Delivered-To: moles@example.org",
	    "X-Original-To: moles@example.org",
	    "Authentication-Results: mx.example.org; spf=pass",
	    "ARC-Seal: i=1; a=rsa-sha256",
	    "ARC-Message-Signature: i=1",
	    "DKIM-Signature: v=1; a=rsa-sha256; d=example.net",
	    "Received-SPF: pass",
	    "X-Spam-Status: No, score=0.1",
	    "X-Spam-Level: *",
	    "X-Spam-Flag: NO",
	    "X-Spam-Score: 0.1",
	    "X-Spam-Checker-Version: SpamAssassin 3.4",
	    "X-Virus-Scanned: clamav-milter",
	    "X-Rspamd-Queue-Id: 4T1",
	    "X-Rspamd-Server: a",
	    "X-Greylist: delayed 300 seconds",
	    "X-Mailman-Version: 2.1.39",
	    "X-BeenThere: moles@lists.example.org",
	    "X-Forwarded-To: moles@example.org",
	    "X-Forwarded-For: a@b.c d@e.f",
	    "X-Gm-Message-State: ABC",
	    "X-Google-Smtp-Source: A",
	    "X-Received: by 10.0.0.1",
	    "X-MS-Exchange-Organization-SCL: 0",
	    "X-MS-Has-Attach: no",
	    "X-Originating-IP: [10.0.0.1]",
	    "X-Proofpoint-ORIG-GUID: a",
	    "X-Barracuda-Connect: a",
	    "X-Sieve: CMU Sieve 3.0",
	    "X-UIDL: 77",
	    "Status: RO",
	    "X-Status: A",
	    "X-Mozilla-Status: 0001",
	    "X-Keywords: moles",
	    "X-Delivery-Time: 1",
	    "X-Envelope-To: moles@example.org",
	    "Thread-Index: AQH",
	    "X-Round: 7",
	    "Resent-From: ann@example.net"};
	struct first_mail *m = begin();

	cr_assert_geq(sizeof(fields) / sizeof(fields[0]), 40);
	send_both(m);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		struct strbuf header = STRBUF_INIT;

		strbuf_addf(&header, "%s\n", fields[i]);
		arrives_plain(m, header.ptr, older);
		expect_copy(m, fields[i]);
		strbuf_release(&header);
	}
	expect_stored(m, "POPUP 2 4; WHACK 6");
	end(m);
}

static char *in_base64(const char *text)
{
	struct strbuf body = STRBUF_INIT;
	char code[256];

	sodium_bin2base64(code, sizeof(code), (const unsigned char *)text, strlen(text),
	                  sodium_base64_VARIANT_ORIGINAL);
	strbuf_addf(&body,
	            "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
	            "Content-Transfer-Encoding: base64\n\n%s\n",
	            code);
	return body.ptr;
}

Test(copies, encoded_anew_are_copies)
{
	static const char *const bodies[] = {
	    /* quoted-printable, another charset, flowed, spaced out, lower and upper case */
	    "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
	    "Content-Transfer-Encoding: quoted-printable\n\npopup =31 3=\n\nwhack 5=20\n",
	    "MIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\n\npopup 1 "
	    "3\nwhack 5\n",
	    "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8; format=flowed\n\n"
	    "popup 1 \n3\nwhack 5\n",
	    "Content-Type: text/plain; charset=utf-8\n\n\n\npopup  1\t3  \n\n\nwhack 5\n\n\n",
	    "\npopup 1 3\nwhack 5\n",
	    "\nPopup 1 3\nWhack 5\n",
	    /* in a multipart, and with an HTML twin */
	    "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
	    "Content-Type: text/plain\n\npopup 1 3\nwhack 5\n--b--\n",
	    "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n--b\n"
	    "Content-Type: text/plain\n\npopup 1 3\nwhack 5\n--b\nContent-Type: text/html\n\n"
	    "<p>popup 1 3<br>whack 5</p>\n--b--\n",
	};
	struct first_mail *m = begin();
	char *base64 = in_base64("popup 1 3\r\nwhack 5\r\n");

	send_both(m);
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		arrives(m, "", "Re: your turn", bodies[i]);
		expect_copy(m, bodies[i]);
	}
	arrives(m, "", "Re: your turn", base64);
	expect_copy(m, "base64");
	expect_stored(m, "POPUP 2 4; WHACK 6");
	free(base64);
	end(m);
}

Test(copies, that_a_list_passed_on_are_copies)
{
	static const char *const footers[] = {
	    "_______________________________________________\nMoles mailing list\n"
	    "Moles@lists.example.org\nhttps://lists.example.org/mailman/listinfo/moles",
	    "_______________________________________________\n"
	    "Moles mailing list -- moles@lists.example.org\n"
	    "To unsubscribe send an email to moles-leave@lists.example.org",
	    "-- \nYou received this message because you are subscribed to the group "
	    "\"Moles\".\n"
	    "To unsubscribe from this group, send an email to moles+unsubscribe@example.org.",
	    "---------------------------------------------------------------------\n"
	    "To unsubscribe, e-mail: moles-unsubscribe@example.org\n"
	    "For additional commands, e-mail: moles-help@example.org",
	    "########################################################################\n\n"
	    "To unsubscribe from the MOLES list, click the following link:\n"
	    "https://listserv.example.org/cgi-bin/wa?SUBED1=MOLES&A=1",
	    "------------------------------------\nPosted by: Ann\n"
	    "------------------------------------",
	    "This message is confidential and meant for the person it is addressed to only.",
	    "=====================\nScanned by the border of example.net",
	};
	struct first_mail *m = begin();

	send_both(m);
	for (size_t i = 0; i < sizeof(footers) / sizeof(footers[0]); i++) {
		struct strbuf text = STRBUF_INIT;

		strbuf_addf(&text, "%s\n\n%s", older, footers[i]);
		char *body = in_plain(text.ptr);
		arrives(m, "List-Id: <moles.lists.example.org>\nPrecedence: list\n",
		        "[Moles] Re: your turn", body);
		expect_copy(m, footers[i]);
		free(body);
		strbuf_release(&text);
	}
	expect_stored(m, "POPUP 2 4; WHACK 6");
	end(m);
}

/* Some lists put theirs into a part of its own, or mark it by something shorter. */
Test(copies, with_a_footer_of_another_shape_are_copies)
{
	static const char *const footers[] = {
	    "---\nYou are subscribed to moles.\nTo leave: moles-leave@lists.example.org",
	    "--\nYou received this message because you are subscribed to the group \"Moles\".",
	    "__._,_.___\nPosted by: Ann <ann@example.net>\nReply via web post\n__,_._,___",
	    "-=-=-=-=-=-=-=-=-=-=-=-\nGroups.io Links: https://groups.io/g/moles/message/77\n-=-=-=-=-",
	    "***\nMoles mailing list\n***",
	};
	static const char parts[] =
	    "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
	    "Content-Type: text/plain\n\npopup 1 3\nwhack 5\n--b\nContent-Type: text/plain; "
	    "charset=us-ascii\nContent-Disposition: inline\n\n"
	    "_______________________________________________\nMoles mailing list\n"
	    "Moles@lists.example.org\nhttps://lists.example.org/mailman/listinfo/moles\n--b--\n";
	struct first_mail *m = begin();

	send_both(m);
	for (size_t i = 0; i < sizeof(footers) / sizeof(footers[0]); i++) {
		struct strbuf text = STRBUF_INIT;

		strbuf_addf(&text, "%s\n\n%s", older, footers[i]);
		arrives_plain(m, "List-Id: <moles.lists.example.org>\n", text.ptr);
		expect_copy(m, footers[i]);
		strbuf_release(&text);
	}
	arrives(m, "List-Id: <moles.lists.example.org>\n", "[Moles] Re: your turn", parts);
	expect_copy(m, "a footer that is a part");
	expect_stored(m, "POPUP 2 4; WHACK 6");
	end(m);
}

/* Programs on the way write hosts small, and some the whole of it. */
Test(copies, whose_message_id_has_another_case_are_copies)
{
	struct first_mail *m = begin();
	struct strbuf raw = STRBUF_INIT;

	send_both(m);
	strbuf_addf(&raw,
	            "From: Ann <ann@example.net>\nTo: %s\nSubject: x\n"
	            "Message-ID: <Orders@MUA.example.net>\nDate: %s\nIn-Reply-To: %s\n%s%s\n",
	            m->report->reply_to, date, m->report->message_id, plain, older);
	testbed_drop(m->s, "cased", strbuf_span(&raw), m->s->now_utc);
	expect_copy(m, "another case");
	expect_stored(m, "POPUP 2 4; WHACK 6");
	strbuf_release(&raw);
	end(m);
}

/* The copy from the list comes first. */
Test(copies, are_copies_whichever_comes_first)
{
	struct first_mail *m = begin();

	arrives_plain(m, "X-BeenThere: moles@lists.example.org\n",
	              "popup 1 3\nwhack 5\n\n____________________\nMoles mailing list");
	cr_assert_eq(testbed_run(m->s), 1);
	testbed_wait(m->s, 60);
	testbed_reply_to(m->s, "ann", m->report, newer);
	cr_assert_eq(testbed_run(m->s), 1);
	arrives_plain(m, "", older);
	expect_copy(m, "the original");
	expect_stored(m, "POPUP 2 4; WHACK 6");
	end(m);
}

/* A broken program, or somebody who knows the Message-ID. */
Test(copies, are_no_mails_that_say_something_else)
{
	static const char *const others[] = {
	    "popup 1 3\nwhack 4", "popup 1 3", "popup 1 3\nwhack 5\n\n--------\nwhack 7",
	    "popup 1 3\nwhack 5\n\n__________\nclear", "whack 5\npopup 1 3\nset wait"};
	struct first_mail *m = begin();

	arrives_plain(m, "", older);
	cr_assert_eq(testbed_run(m->s), 1);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		arrives_plain(m, "", others[i]);
		cr_expect_geq(testbed_run(m->s), 1, "no answer to: %s", others[i]);
	}
	end(m);
}

/* Sent before the real one, by somebody who guesses its Message-ID and Date but has no code. */
Test(copies, are_not_made_of_real_mails_by_forged_ones)
{
	struct first_mail *m = begin();
	struct strbuf raw = STRBUF_INIT;

	strbuf_addf(&raw,
	            "From: Ann <ann@example.net>\nTo: moles@example.org\nSubject: x\n"
	            "Message-ID: <orders@mua.example.net>\nDate: %s\n%s%s\n",
	            date, plain, older);
	testbed_configure(m->s, "known_senders = confirm");
	testbed_drop(m->s, "forged", strbuf_span(&raw), m->s->now_utc);
	testbed_run(m->s);
	arrives_plain(m, "", older);
	cr_assert_eq(testbed_run(m->s), 1);
	cr_expect(strstr(testbed_last(m->s, "ann")->text, "POPUP 1 3; WHACK 5"), "%s",
	          testbed_last(m->s, "ann")->text);
	strbuf_release(&raw);
	end(m);
}

/* Words that differ in a message to another player are words for him. */
Test(copies, are_no_mails_with_another_message)
{
	struct first_mail *m = begin();

	arrives_plain(m, "", "press to bob\nHello, how are you?\nendpress");
	size_t first = testbed_run(m->s);
	arrives_plain(m, "", "press to bob\nHello, how are you today?\nendpress");
	cr_expect_eq(testbed_run(m->s), first);
	arrives_plain(m, "X-Relay: 1\n", "press to bob\nHello, how are you today?\nendpress");
	expect_copy(m, "the same message");
	end(m);
}
