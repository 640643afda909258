/*
 * test_compose.c - what we write is what everybody reads.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "mail/compose.h"
#include "mail/parser.h"
#include "processor/base/seal.h"

static struct compose sample(void)
{
	return (struct compose){
	    .from_name = "Molepost",
	    .from_address = "moles@example.org",
	    .to = SPAN_LIT("bob@example.org"),
	    .subject = SPAN_LIT("[W12 turn 5] 2 orders, 1 refused"),
	    .date_utc = 1773338520,
	    .message_id = "<k3j4h5@example.org>",
	    .in_reply_to = SPAN_LIT("<1@example.org>"),
	    .references = SPAN_LIT("<0@example.org> <1@example.org>"),
	    .reply_to = "moles+1.5.abcdefghijklmnopqrstuvwxyz@example.org",
	    .replied = true,
	    .instance = "play",
	    .text = SPAN_LIT("Stored: POPUP 3; WHACK 5.\n"),
	};
}

/* Every line short and printable; the mail read back. */
static void compose_and_parse(const struct compose *c, struct arena *arena,
                              struct mail_in *back)
{
	struct strbuf out = STRBUF_INIT;
	struct span rest, line;

	seal_start();
	mail_compose(c, &out);
	rest = strbuf_span(&out);
	while (span_next_line(&rest, &line)) {
		cr_expect_leq(line.len, 76, "%.*s", SPAN_ARGS(line));
		for (size_t i = 0; i < line.len; i++)
			cr_assert((line.ptr[i] >= ' ' && line.ptr[i] <= '~') ||
			          line.ptr[i] == '\t');
	}
	parser_parse_here(arena_dup(arena, strbuf_span(&out)), &mail_usual_limits, arena, back);
	strbuf_release(&out);
}

Test(compose, writes_every_field_of_our_mail)
{
	struct compose c = sample();
	struct strbuf out = STRBUF_INIT;

	mail_compose(&c, &out);
	cr_expect_str_eq(out.ptr,
	                 "Date: Thu, 12 Mar 2026 18:02:00 +0000\n"
	                 "From: \"Molepost\" <moles@example.org>\n"
	                 "To: bob@example.org\n"
	                 "Subject: [W12 turn 5] 2 orders, 1 refused\n"
	                 "Message-ID: <k3j4h5@example.org>\n"
	                 "In-Reply-To: <1@example.org>\n"
	                 "References: <0@example.org> <1@example.org>\n"
	                 "Reply-To: moles+1.5.abcdefghijklmnopqrstuvwxyz@example.org\n"
	                 "Auto-Submitted: auto-replied\n"
	                 "X-Auto-Response-Suppress: All\n"
	                 "X-Molepost-Instance: play\n"
	                 "MIME-Version: 1.0\n"
	                 "Content-Type: text/plain; charset=utf-8\n"
	                 "Content-Transfer-Encoding: quoted-printable\n"
	                 "\n"
	                 "Stored: POPUP 3; WHACK 5.\n",
	                 "%s", out.ptr);
	strbuf_release(&out);
}

Test(compose, leaves_out_what_is_not_there)
{
	struct compose c = sample();
	struct strbuf out = STRBUF_INIT;

	c.in_reply_to = c.references = SPAN_EMPTY;
	c.reply_to = NULL;
	c.replied = false;
	mail_compose(&c, &out);
	cr_expect_null(strstr(out.ptr, "In-Reply-To"));
	cr_expect_null(strstr(out.ptr, "References"));
	cr_expect_null(strstr(out.ptr, "Reply-To"));
	cr_expect(strstr(out.ptr, "Auto-Submitted: auto-generated\n"));
	strbuf_release(&out);
}

static void expect_same(struct span text, struct span subject)
{
	struct arena *arena = arena_new();
	struct compose c = sample();
	struct mail_in m;

	c.text = text;
	c.subject = subject;
	compose_and_parse(&c, arena, &m);
	cr_assert_eq(m.fault, MAIL_OK, "%s", mail_fault_name(m.fault));
	cr_expect(span_eq(m.texts[0].text, text), "\"%.*s\" came back as \"%.*s\"",
	          SPAN_ARGS(text), SPAN_ARGS(m.texts[0].text));
	cr_expect(span_eq(m.subject, subject), "\"%.*s\" came back as \"%.*s\"",
	          SPAN_ARGS(subject), SPAN_ARGS(m.subject));
	cr_expect(span_eq_str(m.from, "moles@example.org"));
	cr_expect(span_eq_str(m.from_name, "Molepost"));
	cr_expect(span_eq_str(m.message_id, c.message_id));
	cr_expect(span_eq(m.in_reply_to, c.in_reply_to));
	cr_expect_eq(m.references.count, 2);
	cr_expect_eq(m.recipients.count, 1);
	cr_expect_eq(m.flags, MAIL_AUTO_SUBMITTED | MAIL_AUTO_REPLIED | MAIL_AUTO_HINT |
	                          MAIL_SUPPRESS | MAIL_OUR_LOOP);
	cr_expect(span_eq_str(m.instance, "play"));
	arena_free(arena);
}

Test(compose, text_and_subject_come_back_as_they_were)
{
	static const char *const texts[] = {
	    "\n",
	    "a\n",
	    ".\n..\n.a\n",
	    "From here on\n>From\nFrom\n",
	    "trailing blank \ntab\t\n \n",
	    "= =3D =20 a=b\n",
	    "\xc3\xbc"
	    "bung \xe2\x80\x93 \xe2\x80\x9cquoted\xe2\x80\x9d \xf0\x9f\x90\xad\n",
	    "\n\n\nlines\n\n\n",
	    "-- \nsignature\n",
	    "1234567890123456789012345678901234567890123456789012345678901234567890123456789012"
	    "345"
	    "67890123456789 12345678901234567890 From x\n",
	};
	static const char *const subjects[] = {
	    "x",
	    "Re: gr\xc3\xbc\xc3\x9f"
	    "e",
	    "=?utf-8?q?not_encoded?=",
	    "a subject so long that it does not fit into one line of a mail and has to be "
	    "folded "
	    "somewhere, and then once more because it goes on",
	    "\xe4\xbd\xa0\xe5\xa5\xbd\xe4\xbd\xa0\xe5\xa5\xbd\xe4\xbd\xa0\xe5\xa5\xbd\xe4\xbd"
	    "\xa0"
	    "\xe5\xa5\xbd\xe4\xbd\xa0\xe5\xa5\xbd\xe4\xbd\xa0\xe5\xa5\xbd\xe4\xbd\xa0\xe5\xa5"
	    "\xbd"
	    "\xe4\xbd\xa0\xe5\xa5\xbd\xe4\xbd\xa0\xe5\xa5\xbd\xe4\xbd\xa0\xe5\xa5\xbd\xe4\xbd"
	    "\xa0",
	    "two  blanks",
	    "anextraordinarilylongwordthatcouldnotbefoldedanywherebecauseithasnoblankinitatall",
	    "gr\xc3\xbc\xc3\x9f"
	    "e aus M\xc3\xbcnchen, wo die Maulw\xc3\xbcrfe w\xc3\xbchlen und "
	    "die M\xc3\xa4use qu\xc3\xa4"
	    "ken, immer wieder, mit Verve",
	};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		expect_same(span_of(texts[i]), SPAN_LIT("x"));
	for (i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++)
		expect_same(SPAN_LIT("x\n"), span_of(subjects[i]));
}

Test(compose, the_start_of_no_line_can_be_taken_for_something_else)
{
	struct compose c = sample();
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	struct span rest, line;
	size_t i;

	/* Soft breaks at every place of a text made of nothing but the dangerous. */
	for (i = 0; i < 80; i++) {
		strbuf_add_repeat(&text, 'x', i);
		strbuf_adds(&text, "From ....From .From \n");
	}
	c.text = strbuf_span(&text);
	mail_compose(&c, &out);
	rest = span_slice(strbuf_span(&out), span_find(strbuf_span(&out), SPAN_LIT("\n\n")) + 2,
	                  out.len);
	while (span_next_line(&rest, &line)) {
		cr_expect_not(span_starts(line, "From "), "%.*s", SPAN_ARGS(line));
		cr_expect_not(span_starts(line, "."), "%.*s", SPAN_ARGS(line));
		cr_expect(line.len == 0 || line.ptr[line.len - 1] != ' ');
	}
	strbuf_release(&text);
	strbuf_release(&out);
}

Test(compose, nothing_from_outside_adds_a_field)
{
	static const char evil[] = "x\r\nBcc: eve@example.org\r\n\r\nbody";
	struct compose c = sample();
	struct arena *arena = arena_new();
	struct strbuf out = STRBUF_INIT;
	struct mail_in m;

	c.subject = SPAN_LIT(evil);
	c.in_reply_to = SPAN_LIT("<a@b>\nBcc: eve@example.org");
	c.references = SPAN_LIT("<a@b>\r\nBcc: eve@example.org <c@d>\n\n<e@f\x01>");
	c.from_name = evil;
	compose_and_parse(&c, arena, &m);
	mail_compose(&c, &out);
	cr_expect_null(strstr(out.ptr, "\nBcc"));
	cr_expect_null(strstr(out.ptr, "In-Reply-To"));
	cr_expect(strstr(out.ptr, "References: <a@b> <c@d>\n"));
	cr_expect(span_eq_str(m.subject, "x  Bcc: eve@example.org    body"), "%.*s",
	          SPAN_ARGS(m.subject));
	cr_expect_eq(m.recipients.count, 1);
	strbuf_release(&out);
	arena_free(arena);
}

Test(compose, references_are_the_first_and_the_last_twenty)
{
	struct compose c = sample();
	struct arena *arena = arena_new();
	struct strbuf ids = STRBUF_INIT;
	struct mail_in m;
	unsigned i;

	for (i = 0; i < 100; i++)
		strbuf_addf(&ids, "<%u.%s@example.org> ", i, "abcdefghijklmnop");
	c.references = strbuf_span(&ids);
	compose_and_parse(&c, arena, &m);
	cr_assert_eq(m.references.count, 21);
	cr_expect(span_starts(m.references.items[0], "<0."));
	cr_expect(span_starts(m.references.items[1], "<80."));
	cr_expect(span_starts(m.references.items[20], "<99."));
	strbuf_release(&ids);
	arena_free(arena);
}

Test(compose, can_be_plain_ascii)
{
	struct compose c = sample();
	struct arena *arena = arena_new();
	struct strbuf out = STRBUF_INIT;
	struct mail_in m;

	c.ascii = true;
	c.text = SPAN_LIT("M\xc3\xa4use \xe2\x80\x93 \xe2\x80\x9challo\xe2\x80\x9d\n");
	c.subject = SPAN_LIT("Gr\xc3\xbc\xc3\x9f"
	                     "e");
	mail_compose(&c, &out);
	cr_expect(strstr(out.ptr, "charset=us-ascii\n"));
	cr_expect_null(strstr(out.ptr, "=?"));
	compose_and_parse(&c, arena, &m);
	cr_expect_eq(m.fault, MAIL_OK);
	for (size_t i = 0; i < m.texts[0].text.len; i++)
		cr_expect_lt((unsigned char)m.texts[0].text.ptr[i], 0x80);
	strbuf_release(&out);
	arena_free(arena);
}

Test(compose, any_bytes_in_the_text_give_a_mail_of_printable_ascii)
{
	struct compose c = sample();
	struct arena *arena = arena_new();
	struct strbuf text = STRBUF_INIT;
	struct mail_in m;
	unsigned seed = 7, i;

	for (i = 0; i < 20000; i++) {
		seed = seed * 1664525u + 1013904223u;
		strbuf_addc(&text, (char)(seed >> 16));
	}
	c.text = c.subject = strbuf_span(&text);
	c.subject = span_slice(c.subject, 0, 300);
	compose_and_parse(&c, arena, &m);
	strbuf_release(&text);
	arena_free(arena);
}
