/*
 * test_compose.c - what we write is what everybody reads.
 */
#include <criterion/criterion.h>
#include <string.h>
#include <zlib.h>

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
	                 "Content-Type: text/plain; charset=utf-8; format=flowed\n"
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
	struct strbuf whole = STRBUF_INIT, back = STRBUF_INIT;
	mail_compose(&c, &whole);
	cr_expect(mail_read_back(strbuf_span(&whole), &back));
	cr_expect(span_eq(strbuf_span(&back), text), "\"%.*s\" came back as \"%s\"",
	          SPAN_ARGS(text), back.ptr);
	strbuf_clear(&back);
	mail_read_subject(strbuf_span(&whole), &back);
	cr_expect(span_eq(strbuf_span(&back), subject), "\"%.*s\" was read back as \"%s\"",
	          SPAN_ARGS(subject), back.ptr);
	strbuf_release(&whole);
	strbuf_release(&back);
	/* Lines that go on are one for who reads it. */
	if (span_find(text, SPAN_LIT(" \n")) == text.len || span_starts(text, "-- "))
		cr_expect(span_eq(m.texts[0].text, text), "\"%.*s\" was read as \"%.*s\"",
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
	cr_expect(strstr(out.ptr, "charset=us-ascii; format=flowed\n"));
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

/* A board stays straight where nobody knows of flowed text; what leads to it is not moved. */
Test(compose, a_drawing_is_stuffed_as_one)
{
	struct compose c = sample();
	struct strbuf out = STRBUF_INIT;

	c.text = SPAN_LIT("One paragraph that \ngoes on.\n\nFor example:\n  | popup 3\n\n"
	                  "     a    b\n5   <U>  <E>\n\nFrom here\n> quoted\nplain\n");
	mail_compose(&c, &out);
	cr_expect(strstr(out.ptr, "format=flowed\n"));
	cr_expect_str_eq(strstr(out.ptr, "\n\n") + 2,
	                 "One paragraph that=20\ngoes on.\n\nFor example:\n   | popup 3\n\n"
	                 "      a    b\n 5   <U>  <E>\n\n From here\n > quoted\n plain\n");
	strbuf_release(&out);
}

/* ---- files, and another form of the text ---- */

static void add_parts(size_t nfiles, struct span html, struct span large, struct strbuf *out)
{
	struct compose c = sample();
	struct strbuf plain = STRBUF_INIT;
	struct mail_file files[] = {
	    {"W1-replay.html", "text/html; charset=utf-8", large},
	    {"W1-record.txt", "text/plain; charset=utf-8",
	     SPAN_LIT("-----BEGIN-----\nFrom here\n.\nS\xc3\xb6ren = 3|\n-----END-----\n")}};

	c.text = SPAN_LIT("Stored: POPUP 3; WHACK 5.\n\n-- \nS\xc3\xb6ren\n");
	mail_compose(&c, &plain);
	mail_add_parts(strbuf_span(&plain), &(struct mail_page){.html = html}, files, nfiles,
	               out);
	strbuf_release(&plain);
}

Test(compose, a_picture_goes_with_the_page_that_names_it_and_is_no_attachment)
{
	struct mail_page page = {.html = SPAN_LIT("<img src=\"cid:board.1@x\"/>\n"),
	                         .picture = SPAN_LIT("\x89PNG\r\n\x1a\n"),
	                         .picture_id = SPAN_LIT("board.1@x")};
	struct compose c = sample();
	struct strbuf plain = STRBUF_INIT, out = STRBUF_INIT, text = STRBUF_INIT;
	struct mail_limits limits = mail_usual_limits;
	struct arena *arena = arena_new();
	struct mail_in back;

	mail_compose(&c, &plain);
	mail_add_parts(strbuf_span(&plain), &page, NULL, 0, &out);
	cr_expect_not_null(strstr(out.ptr, "\n--=_molepost_alternative\n"
	                                   "Content-Type: multipart/related; "
	                                   "type=\"text/html\";\n"));
	cr_expect_not_null(strstr(out.ptr, "\nContent-Type: image/png\nContent-ID: "
	                                   "<board.1@x>\nContent-Disposition: inline;"));
	cr_expect_not_null(strstr(out.ptr, "\n\niVBORw0KGgo=\n--=_molepost_related--\n"));
	cr_expect(mail_read_back(strbuf_span(&out), &text));
	parser_parse_here(strbuf_span(&out), &limits, arena, &back);
	cr_expect_eq(back.fault, MAIL_OK);
	cr_expect_eq(back.ntexts, 2);
	arena_free(arena);
	strbuf_release(&plain);
	strbuf_release(&out);
	strbuf_release(&text);
}

Test(compose, parts_leave_the_text_to_be_read_first)
{
	struct mail_limits limits = mail_usual_limits;

	for (size_t nfiles = 0; nfiles <= 2; nfiles += 2)
		for (int html = 0; html < 2; html++) {
			struct strbuf out = STRBUF_INIT, text = STRBUF_INIT;
			struct arena *arena = arena_new();
			struct mail_in back;

			add_parts(nfiles,
			          html ? SPAN_LIT("<p>Stored: <b>POPUP 3</b></p>\n")
			               : SPAN_EMPTY,
			          SPAN_LIT("<html><p>page</p></html>\n"), &out);
			cr_expect(mail_read_back(strbuf_span(&out), &text));
			cr_expect_str_eq(text.ptr,
			                 "Stored: POPUP 3; WHACK 5.\n\n-- \nS\xc3\xb6ren\n");
			parser_parse_here(strbuf_span(&out), &limits, arena, &back);
			cr_expect_eq(back.fault, MAIL_OK);
			cr_assert_gt(back.ntexts, 0);
			cr_expect(span_starts(back.texts[0].text, "Stored: POPUP 3"));
			arena_free(arena);
			strbuf_release(&out);
			strbuf_release(&text);
		}
}

/* As a proof goes out: attached when it is written, and the rest when it is sent. */
Test(compose, parts_join_a_file_that_is_there)
{
	static const char proof[] = "Game W1, Whakka Mole.\n\n sig 1  00ff\nS\xc3\xb6ren = 3\n";
	struct mail_limits limits = mail_usual_limits;
	struct compose c = sample();
	struct strbuf plain = STRBUF_INIT, one = STRBUF_INIT;

	c.text = SPAN_LIT("Stored: POPUP 3.\n");
	mail_compose(&c, &plain);
	mail_add_parts(
	    strbuf_span(&plain), &(struct mail_page){.html = SPAN_EMPTY},
	    &(struct mail_file){"W1-proof-3.txt", "text/plain; charset=utf-8", span_of(proof)},
	    1, &one);
	for (int i = 0; i < 4; i++) {
		struct strbuf out = STRBUF_INIT, text = STRBUF_INIT, file = STRBUF_INIT;
		struct arena *arena = arena_new();
		struct mail_file page = {"W1-replay.html", "text/html; charset=utf-8",
		                         SPAN_LIT("<p>page</p>\n")};
		struct mail_in back;

		mail_add_parts(strbuf_span(&one),
		               &(struct mail_page){.html = i & 1 ? SPAN_LIT("<p>Stored</p>\n")
		                                                 : SPAN_EMPTY},
		               &page, i & 2 ? 1 : 0, &out);
		cr_expect(mail_read_back(strbuf_span(&out), &text));
		cr_expect_str_eq(text.ptr, "Stored: POPUP 3.\n");
		mail_read_file(strbuf_span(&out), &file);
		cr_expect_str_eq(file.ptr, proof);
		parser_parse_here(strbuf_span(&out), &limits, arena, &back);
		cr_assert_eq(back.fault, MAIL_OK);
		cr_expect_eq(back.ntexts, i & 1 ? 2 : 1);
		cr_assert_eq(back.enclosed.count, 1);
		cr_expect(span_eq_str(back.enclosed.items[0], proof));
		arena_free(arena);
		strbuf_release(&out);
		strbuf_release(&text);
		strbuf_release(&file);
	}
	strbuf_release(&plain);
	strbuf_release(&one);
}

static int value_of(char c)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* What stands in base64 behind this header, without the library that wrote it. */
static void decode(const char *text, struct strbuf *out)
{
	unsigned v = 0, n = 0;

	for (; *text && strncmp(text, "\n--", 3) != 0; text++) {
		if (value_of(*text) < 0)
			continue;
		v = v << 6 | (unsigned)value_of(*text);
		if (++n % 4 == 0)
			for (int shift = 16; shift >= 0; shift -= 8)
				strbuf_addc(out, (char)(v >> shift & 0xff));
		v &= n % 4 == 0 ? 0 : ~0u;
	}
	if (n % 4 == 3) {
		strbuf_addc(out, (char)(v >> 10 & 0xff));
		strbuf_addc(out, (char)(v >> 2 & 0xff));
	} else if (n % 4 == 2) {
		strbuf_addc(out, (char)(v >> 4 & 0xff));
	}
}

Test(compose, a_large_file_is_packed)
{
	struct strbuf large = STRBUF_INIT, out = STRBUF_INIT, packed = STRBUF_INIT,
		      back = STRBUF_INIT;

	for (unsigned i = 0; large.len <= MAIL_PACK_ABOVE; i++)
		strbuf_addf(&large, "<p>turn %u</p>\n", i);
	add_parts(2, SPAN_EMPTY, strbuf_span(&large), &out);
	const char *at = strstr(out.ptr, "filename=\"W1-replay.html.gz\"");
	cr_assert_not_null(at);
	cr_expect_lt(out.len, large.len / 2);
	decode(strstr(at, "\n\n"), &packed);
	strbuf_grow(&back, large.len + 1);
	z_stream z = {.next_in = (Bytef *)packed.ptr,
	              .avail_in = (uInt)packed.len,
	              .next_out = (Bytef *)back.ptr,
	              .avail_out = (uInt)(large.len + 1)};
	cr_assert_eq(inflateInit2(&z, 15 + 16), Z_OK);
	cr_expect_eq(inflate(&z, Z_FINISH), Z_STREAM_END);
	cr_expect_eq(z.total_out, large.len);
	cr_expect_eq(memcmp(back.ptr, large.ptr, large.len), 0);
	cr_expect_eq(inflateEnd(&z), Z_OK);
	strbuf_release(&large);
	strbuf_release(&out);
	strbuf_release(&packed);
	strbuf_release(&back);
}
