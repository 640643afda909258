/*
 * test_parse.c - from raw bytes to text, or a named refusal.
 *
 * Each tests/mail/fixtures/NAME.eml is a mail; NAME.expected is what mail_describe() says of
 * it. UPDATE=1 rewrites them; a person reads the difference.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mail/mail.h"
#include "mail/parser.h"
#include "mail/text/charset.h"
#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/base/seal.h"

#define FIXTURES "tests/mail/fixtures"

enum { MAX_SIZE = 1 << 20 };

static void read_fixture(const char *name, const char *suffix, struct strbuf *out)
{
	struct strbuf path = STRBUF_INIT;
	struct failure e = ERR_INIT;

	strbuf_addf(&path, "%s/%s%s", FIXTURES, name, suffix);
	cr_assert_eq(file_read(path.ptr, MAX_SIZE * 4, out, &e), ERR_NONE, "%s", e.text.ptr);
	strbuf_release(&path);
	err_release(&e);
}

static void write_expected(const char *name, struct span text)
{
	struct strbuf path = STRBUF_INIT;
	FILE *f;

	strbuf_addf(&path, "%s/%s.expected", FIXTURES, name);
	f = fopen(path.ptr, "w");
	cr_assert(f && fwrite(text.ptr, 1, text.len, f) == text.len && fclose(f) == 0);
	strbuf_release(&path);
}

static void describe(struct span raw, struct strbuf *out)
{
	struct arena *arena = arena_new();
	struct mail_in m;

	parser_parse_here(raw, &mail_usual_limits, arena, &m);
	mail_describe(&m, out);
	arena_free(arena);
}

static void check_fixture(const char *name)
{
	struct strbuf raw = STRBUF_INIT, got = STRBUF_INIT, expected = STRBUF_INIT;

	read_fixture(name, ".eml", &raw);
	describe(strbuf_span(&raw), &got);
	if (env_get("UPDATE"))
		write_expected(name, strbuf_span(&got));
	read_fixture(name, ".expected", &expected);
	cr_expect_str_eq(got.ptr, expected.ptr, "%s:\n%s", name, got.ptr);
	strbuf_release(&raw);
	strbuf_release(&got);
	strbuf_release(&expected);
}

Test(parse, every_fixture_gives_the_text_or_the_refusal_written_beside_it)
{
	DIR *d = opendir(FIXTURES);
	struct dirent *entry;
	unsigned n = 0;

	seal_start();
	cr_assert(d);
	while ((entry = readdir(d)) != NULL) {
		struct strbuf name = STRBUF_INIT;
		size_t len = strlen(entry->d_name);

		if (len > 4 && strcmp(entry->d_name + len - 4, ".eml") == 0) {
			strbuf_add(&name, entry->d_name, len - 4);
			check_fixture(name.ptr);
			n++;
		}
		strbuf_release(&name);
	}
	closedir(d);
	cr_expect_gt(n, 60);
}

/* The fault of a mail made of a header, a filling repeated, and a body. */
static enum mail_fault fault_of(const char *start, const char *fill, size_t times,
                                const char *end)
{
	struct strbuf raw = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct mail_in m;
	size_t i;

	seal_start();
	strbuf_adds(&raw, start);
	for (i = 0; i < times; i++)
		strbuf_adds(&raw, fill);
	strbuf_adds(&raw, end);
	parser_parse_here(strbuf_span(&raw), &mail_usual_limits, arena, &m);
	cr_expect((m.fault == MAIL_OK) == (m.ntexts > 0));
	strbuf_release(&raw);
	arena_free(arena);
	return m.fault;
}

static const char plain_head[] = "From: bob@example.org\nMessage-ID: <1@x>\n\n";

Test(parse, a_mail_of_the_largest_size_is_read_and_one_byte_more_is_refused)
{
	size_t room = MAX_SIZE - (sizeof(plain_head) - 1);

	cr_expect_eq(fault_of(plain_head, "x", room, ""), MAIL_OK);
	cr_expect_eq(fault_of(plain_head, "x", room, "x"), MAIL_TOO_LARGE);
}

Test(parse, a_mail_that_is_too_large_still_says_who_sent_it)
{
	struct strbuf raw = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct mail_in m;

	seal_start();
	strbuf_adds(&raw, plain_head);
	strbuf_add_repeat(&raw, 'x', MAX_SIZE);
	parser_parse_here(strbuf_span(&raw), &mail_usual_limits, arena, &m);
	cr_expect_eq(m.fault, MAIL_TOO_LARGE);
	cr_expect(span_eq_str(m.from, "bob@example.org"));
	cr_expect(span_eq_str(m.message_id, "<1@x>"));
	strbuf_release(&raw);
	arena_free(arena);
}

/* The fault of a mail within limits that differ from the usual ones. */
static enum mail_fault fault_within(const struct mail_limits *l, const char *raw)
{
	struct arena *arena = arena_new();
	struct mail_in m;

	seal_start();
	parser_parse_here(span_of(raw), l, arena, &m);
	arena_free(arena);
	return m.fault;
}

#define WITHIN(member, value, raw) \
	(l = mail_usual_limits, l.member = (value), fault_within(&l, raw))

/* One level of parts around a text, two around it: 2 and 3 Content-Type lines. */
#define ONE_DEEP                                                                               \
	"From: a@b\nTo: c@d, e@f\nCc: g@h\nContent-Type: multipart/mixed; boundary=b\n\n--b\n" \
	"Content-Type: text/plain\n\nx\n--b--\n"
#define TWO_DEEP                                             \
	"Content-Type: multipart/mixed; boundary=b\n\n--b\n" \
	"Content-Type: multipart/mixed; boundary=c\n\n--c\n" \
	"Content-Type: text/plain\n\nx\n--c--\n--b--\n"

Test(parse, each_limit_lets_through_what_is_at_it_and_refuses_what_is_one_beyond)
{
	struct mail_limits l;

	cr_expect_eq(WITHIN(max_size, strlen(ONE_DEEP), ONE_DEEP), MAIL_OK);
	cr_expect_eq(WITHIN(max_size, 12, "From: a@b\n\nhi"), MAIL_TOO_LARGE);
	cr_expect_eq(WITHIN(header_bytes, 10, "From: a@b\n\nx"), MAIL_OK);
	cr_expect_eq(WITHIN(header_bytes, 9, "From: a@b\n\nx"), MAIL_HEADER_TOO_LARGE);
	cr_expect_eq(WITHIN(header_fields, 4, ONE_DEEP), MAIL_OK);
	cr_expect_eq(WITHIN(header_fields, 3, ONE_DEEP), MAIL_HEADER_TOO_LARGE);
	cr_expect_eq(WITHIN(parts, 3, TWO_DEEP), MAIL_OK);
	cr_expect_eq(WITHIN(parts, 2, TWO_DEEP), MAIL_TOO_MANY_PARTS);
	cr_expect_eq(WITHIN(depth, 2, TWO_DEEP), MAIL_OK);
	cr_expect_eq(WITHIN(depth, 1, TWO_DEEP), MAIL_TOO_DEEP);
	cr_expect_eq(WITHIN(recipients, 3, ONE_DEEP), MAIL_OK);
	cr_expect_eq(WITHIN(recipients, 2, ONE_DEEP), MAIL_TOO_MANY_RECIPIENTS);
	cr_expect_eq(WITHIN(text_bytes, 3, "From: a@b\n\nx\ny"), MAIL_OK);
	cr_expect_eq(WITHIN(text_lines, 2, "From: a@b\n\nx\ny"), MAIL_OK);
}

Test(parse, where_a_mail_was_delivered_to_is_not_counted_among_its_recipients)
{
	static const char raw[] = "Delivered-To: a@b\nX-Original-To: c@d\nEnvelope-To: e@f\n"
				  "To: g@h\n\nx\n";
	struct mail_limits l;

	cr_expect_eq(WITHIN(recipients, 1, raw), MAIL_OK);
}

Test(parse, limits_of_the_header_are_64_KiB_and_500_fields)
{
	cr_expect_eq(fault_of("X: ", "x", 65000, "\n\nhi\n"), MAIL_OK);
	cr_expect_eq(fault_of("X: ", "x", 66000, "\n\nhi\n"), MAIL_HEADER_TOO_LARGE);
	cr_expect_eq(fault_of("", "X: y\n", 500, "\nhi\n"), MAIL_OK);
	cr_expect_eq(fault_of("", "X: y\n", 501, "\nhi\n"), MAIL_HEADER_TOO_LARGE);
}

/* How much is read of a text of so many times `unit`, and whether that is said. */
/* A photograph that is larger than what is read: its name, and no size. */
Test(parse, a_mail_that_is_too_large_still_says_what_is_attached)
{
	static const char part[] = "--b\nContent-Type: image/jpeg; name=board.jpg\n"
				   "Content-Transfer-Encoding: base64\n\n";
	struct strbuf raw = STRBUF_INIT, said = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct mail_in m;

	seal_start();
	strbuf_adds(&raw, "From: bob@example.org\nMIME-Version: 1.0\n"
	                  "Content-Type: multipart/mixed; boundary=b\n\n");
	strbuf_adds(&raw, part);
	strbuf_add_repeat(&raw, 'A', 1600);
	strbuf_adds(&raw, "\n");
	strbuf_adds(&raw, part);
	for (size_t i = 0; i < MAX_SIZE / 60; i++)
		strbuf_adds(&raw,
		            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n");
	for (int i = 0; i < 2; i++) { /* the second is cut; the only one is */
		parser_parse_here(strbuf_span(&raw), &mail_usual_limits, arena, &m);
		strbuf_clear(&said);
		mail_add_attachments(&m, &said);
		cr_expect_eq(m.fault, MAIL_TOO_LARGE);
		cr_expect_str_eq(said.ptr,
		                 i == 0 ? "board.jpg (1 kB) and board.jpg" : "board.jpg", "%s",
		                 said.ptr);
		strbuf_clear(&raw);
		strbuf_adds(&raw, "From: bob@example.org\nMIME-Version: 1.0\n"
		                  "Content-Type: multipart/mixed; boundary=b\n\n");
		strbuf_adds(&raw, part);
		strbuf_add_repeat(&raw, 'A', MAX_SIZE);
	}
	strbuf_release(&raw);
	strbuf_release(&said);
	arena_free(arena);
}

static size_t read_of(const char *unit, unsigned times, bool *cut)
{
	struct strbuf raw = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct mail_in m;

	strbuf_adds(&raw, plain_head);
	for (unsigned i = 0; i < times; i++)
		strbuf_adds(&raw, unit);
	parser_parse_here(strbuf_span(&raw), &mail_usual_limits, arena, &m);
	cr_assert_eq(m.fault, MAIL_OK);
	cr_assert_eq(m.ntexts, 1);
	size_t len = m.texts[0].text.len;
	*cut = (m.flags & MAIL_TEXT_CUT) != 0;
	strbuf_release(&raw);
	arena_free(arena);
	return len;
}

Test(parse, of_a_longer_text_64_KiB_and_2000_lines_are_read)
{
	bool cut;

	cr_expect_eq(read_of("x\n", 2000, &cut), 4000);
	cr_expect(!cut);
	cr_expect_eq(read_of("x\n", 2001, &cut), 4000);
	cr_expect(cut);
	cr_expect_eq(read_of("1234567 ", 8192, &cut), 65536);
	cr_expect(!cut);
	cr_expect_eq(read_of("1234567 ", 8193, &cut), 65536);
	cr_expect(cut);
	cr_expect_eq(read_of("123456789012345678901234567890\n", 2114, &cut), 2000 * 31);
	cr_expect(cut);
	cr_expect_eq(read_of("\xc3\xa4", 40000, &cut), 65536);
	cr_expect(cut);
}

/* Nothing that can be read is refused; what cannot is U+FFFD, which no order has. */
static void expect_text(const char *type, const char *body, const char *text)
{
	struct strbuf raw = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct mail_in m;

	strbuf_addf(&raw, "From: a@b\nContent-Type: %s\n\n%s", type, body);
	parser_parse_here(strbuf_span(&raw), &mail_usual_limits, arena, &m);
	cr_expect_eq(m.fault, MAIL_OK, "%s", type);
	struct span read = m.ntexts > 0 ? m.texts[0].text : SPAN_EMPTY;
	cr_expect(span_eq_str(read, text), "%s: %zu texts, \"%.*s\"", type, m.ntexts,
	          SPAN_ARGS(read));
	strbuf_release(&raw);
	arena_free(arena);
}

Test(parse, what_can_be_read_is_read)
{
	expect_text("text/plain; charset=utf-8", "popup 3\n\xff\xfe \xc3\xa4\n",
	            "popup 3\n\xef\xbf\xbd\xef\xbf\xbd \xc3\xa4\n");
	expect_text("text/plain; charset=windows-1252", "popup 3 \x81\x80\n",
	            "popup 3 \xef\xbf\xbd\xe2\x82\xac\n");
	expect_text("text/plain; charset=cp50221", "popup 3 \033$B$\"\033(B\n",
	            "popup 3 \xe3\x81\x82\n");
	expect_text("text/plain; charset=big5-hkscs", "popup 3 \x87\x41\n",
	            "popup 3 \xe4\xb0\xb2\n");
	expect_text("text/plain; charset=utf-8", "popup 3\xe2\x80\xa8whack 5\xe2\x80\xa9\n",
	            "popup 3\nwhack 5\n\n");
	expect_text("text/plain; charset=utf-8", "popup 3\033[2J\n",
	            "popup 3\xef\xbf\xbd[2J\n");
	expect_text("text/markdown", "popup 3\n", "popup 3\n");
	expect_text("text/enriched", "<bold>popup</bold> 3\n", "popup 3\n");
	expect_text("multipart/mixed;; boundary=b", "--b\n\npopup 3\n--b--\n", "popup 3");
	expect_text("multipart/mixed; boundary=b; protected-headers", "--b\n\npopup 3\n--b--\n",
	            "popup 3");
	expect_text("multipart/mixed", "--b\nContent-Type: text/plain\n\npopup 3\n--b--\n",
	            "popup 3\n");
	expect_text("multipart/mixed; boundary=other",
	            "--b\nContent-Type: text/plain; charset=utf-8\n"
	            "Content-Transfer-Encoding: quoted-printable\n\npop=75p 3\n--b--\n",
	            "popup 3\n");
}

#define MIXED                                                                       \
	"From: bob@example.org\nMessage-ID: <1@x>\nContent-Type: multipart/mixed; " \
	"boundary=b\n\n"
#define TEXT_PART(text) "--b\nContent-Type: text/plain\n\n" text "\n"
#define PHOTO_PART \
	"--b\nContent-Type: image/jpeg; name=mole.jpg\nContent-Transfer-Encoding: base64\n\n"
#define BASE64_LINE "/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgK\n"

/* A mail whose photograph makes it larger than allowed: `before` and `after` it. NULL: no text. */
static void expect_beside_photo(const char *before, size_t lines, const char *after,
                                const char *expected)
{
	struct strbuf raw = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct mail_in m;

	seal_start();
	strbuf_addf(&raw, MIXED "%s" PHOTO_PART, before);
	for (size_t i = 0; i < lines; i++)
		strbuf_adds(&raw, BASE64_LINE);
	strbuf_adds(&raw, after);
	strbuf_adds(&raw, "--b--\n");
	cr_assert_gt(raw.len, MAX_SIZE);
	parser_parse_here(strbuf_span(&raw), &mail_usual_limits, arena, &m);
	cr_expect_eq(m.fault, expected ? MAIL_OK : MAIL_TOO_LARGE);
	if (expected) {
		cr_assert_eq(m.ntexts, 1);
		cr_expect(span_eq_str(m.texts[0].text, expected), "%.*s",
		          SPAN_ARGS(m.texts[0].text));
		cr_expect(m.flags & MAIL_TEXT_CUT);
	}
	cr_expect(span_eq_str(m.from, "bob@example.org"));
	strbuf_release(&raw);
	arena_free(arena);
}

Test(parse, a_photograph_beside_an_order_never_costs_the_order)
{
	size_t most = MAX_SIZE / (sizeof BASE64_LINE - 1);

	expect_beside_photo(TEXT_PART("popup 1 3"), 3 * most, "", "popup 1 3");
	/* Parts beyond the limit are not there; what is cut in two is nothing. */
	expect_beside_photo(TEXT_PART("popup 1 3"), 3 * most, TEXT_PART("whack 5"),
	                    "popup 1 3");
	expect_beside_photo("", 3 * most, TEXT_PART("whack 5"), NULL);
	expect_beside_photo(
	    "", most - 2,
	    TEXT_PART("whack 52, whack 52, whack 52, whack 52\nwhack 5\n-- \nBob"), NULL);
}

Test(parse, of_a_text_larger_than_a_mail_may_be_the_beginning_is_read)
{
	struct strbuf raw = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct mail_in m;

	seal_start();
	strbuf_addf(&raw, "%spopup 1 3\n", plain_head);
	while (raw.len <= MAX_SIZE)
		strbuf_adds(&raw, "and they lived happily ever after\n");
	parser_parse_here(strbuf_span(&raw), &mail_usual_limits, arena, &m);
	cr_expect_eq(m.fault, MAIL_OK);
	cr_assert_eq(m.ntexts, 1);
	cr_expect(span_starts(m.texts[0].text, "popup 1 3\n"));
	cr_expect_leq(m.texts[0].text.len, mail_usual_limits.text_bytes);
	cr_expect(m.flags & MAIL_TEXT_CUT);
	strbuf_release(&raw);
	arena_free(arena);
}

Test(parse, more_than_64_content_type_lines_are_refused_before_the_library_sees_them)
{
	cr_expect_eq(fault_of(plain_head, "Content-Type: text/plain\n", 64, ""), MAIL_OK);
	cr_expect_eq(fault_of(plain_head, "content-type : x\n", 65, ""), MAIL_TOO_MANY_PARTS);
}

Test(parse, parts_nested_5000_deep_are_refused)
{
	struct strbuf raw = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct mail_in m;
	unsigned i;

	seal_start();
	for (i = 0; i < 5000; i++)
		strbuf_addf(&raw, "Content-Type: multipart/mixed; boundary=b%u\n\n--b%u\n", i,
		            i);
	parser_parse_here(strbuf_span(&raw), &mail_usual_limits, arena, &m);
	cr_expect_eq(m.fault, MAIL_TOO_MANY_PARTS);
	strbuf_release(&raw);
	arena_free(arena);
}

Test(parse, parts_nested_20_deep_are_read)
{
	struct strbuf raw = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct mail_in m;
	unsigned i;

	seal_start();
	for (i = 0; i < 20; i++)
		strbuf_addf(&raw, "Content-Type: multipart/mixed; boundary=b%ux\n\n--b%ux\n", i,
		            i);
	strbuf_adds(&raw, "Content-Type: text/plain\n\npopup 3\n");
	while (i-- > 0)
		strbuf_addf(&raw, "\n--b%ux--\n", i);
	parser_parse_here(strbuf_span(&raw), &mail_usual_limits, arena, &m);
	cr_assert_eq(m.fault, MAIL_OK);
	cr_expect(span_eq_str(span_trim(m.texts[0].text), "popup 3"));
	strbuf_release(&raw);
	arena_free(arena);
}

Test(parse, a_million_empty_parts_cost_no_crash)
{
	fault_of("Content-Type: multipart/mixed; boundary=b\n\n", "--b\n", 250000, "--b--\n");
	fault_of("Content-Type: multipart/digest; boundary=b\n\n", "--b\n\n", 200000,
	         "--b--\n");
}

Test(parse, four_hundred_thousand_parentheses_in_the_sender_are_refused)
{
	cr_expect_eq(fault_of("From: ", "(", 400000, "\n\nhi\n"), MAIL_HEADER_TOO_LARGE);
}

Test(parse, parentheses_up_to_the_header_limit_do_no_harm)
{
	cr_expect_eq(fault_of("From: ", "(", 60000, "\nTo: (((\n\nhi\n"), MAIL_OK);
	cr_expect_eq(fault_of("Content-Type: ", "(", 20000, "\n\nhi\n"), MAIL_OK);
}

Test(parse, a_broken_first_part_is_not_replaced_by_a_footer)
{
	static const char mixed[] =
	    "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n\033[2J\n"
	    "--b\n\nfooter\n--b--\n";

	cr_expect_eq(fault_of(mixed, "", 0, ""), MAIL_OK);
}

Test(parse, a_piece_that_would_make_a_text_too_long_stands_alone)
{
	static const char mixed[] =
	    "Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\ntwo\n"
	    "--b\n\nthree\nfour\n--b\n\nfive\n--b--\n";
	struct mail_limits l = mail_usual_limits;
	struct arena *arena = arena_new();
	struct mail_in m;

	l.text_lines = 3;
	parser_parse_here(span_of(mixed), &l, arena, &m);
	cr_assert_eq(m.fault, MAIL_OK);
	cr_assert_eq(m.ntexts, 2);
	cr_expect(span_eq_str(m.texts[0].text, "one\ntwo"));
	cr_expect(span_eq_str(m.texts[1].text, "three\nfour\nfive"));
	arena_free(arena);
}

Test(parse, an_unreadable_plain_part_gives_way_to_the_html_beside_it)
{
	static const char both[] = "Content-Type: multipart/alternative; boundary=b\n\n"
				   "--b\n\n\033[2J\n"
				   "--b\nContent-Type: text/html\n\n<p>popup 3\n--b--\n";

	cr_expect_eq(fault_of(both, "", 0, ""), MAIL_OK);
}

/* How many enclosed texts a mail has whose attachment is that long. */
static size_t enclosed_of_length(size_t len)
{
	struct arena *arena = arena_new();
	struct strbuf raw = STRBUF_INIT;
	struct mail_in m;

	strbuf_adds(&raw,
	            "From: bob@example.org\nContent-Type: multipart/mixed; boundary=cut\n\n"
	            "--cut\n\nverify\n--cut\nContent-Disposition: attachment\n\n");
	strbuf_add_repeat(&raw, 'x', len);
	strbuf_adds(&raw, "\n--cut--\n");
	parser_parse_here(strbuf_span(&raw), &mail_usual_limits, arena, &m);
	cr_assert_eq(m.fault, MAIL_OK);
	cr_assert_eq(m.ntexts, 1);
	len = m.enclosed.count;
	strbuf_release(&raw);
	arena_free(arena);
	return len;
}

Test(parse, an_attachment_of_more_than_512_KiB_is_left_out_and_the_mail_is_read)
{
	cr_expect_eq(enclosed_of_length(MAIL_ENCLOSED_MOST), 1);
	cr_expect_eq(enclosed_of_length(MAIL_ENCLOSED_MOST + 1), 0);
}

/* mail.h promises it, and everything behind relies on it. */
static void check_evidence(const struct mail_in *m)
{
	size_t i;

	cr_expect((m->fault == MAIL_OK) == (m->ntexts > 0));
	for (i = 0; i < m->ntexts; i++)
		cr_expect(charset_text_is_clean(m->texts[i].text));
	for (i = 0; i < m->enclosed.count; i++)
		cr_expect(charset_text_is_clean(m->enclosed.items[i]));
	cr_expect(charset_line_is_clean(m->subject));
	cr_expect(charset_line_is_clean(m->from_name));
	cr_expect(charset_line_is_clean(m->auth_results));
	cr_expect(m->from.len == 0 || mail_address_ok(m->from));
	cr_expect(m->message_id.len == 0 || mail_message_id_ok(m->message_id));
	for (i = 0; i < m->recipients.count; i++)
		cr_expect(mail_address_ok(m->recipients.items[i]));
	for (i = 0; i < m->references.count; i++)
		cr_expect(mail_message_id_ok(m->references.items[i]));
}

static unsigned next_random(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static void mutate(struct strbuf *raw, unsigned *seed)
{
	unsigned changes = 1 + next_random(seed) % 8;

	while (changes-- > 0 && raw->len > 0) {
		size_t at = next_random(seed) % raw->len;

		if (next_random(seed) % 8 == 0)
			strbuf_truncate(raw, at);
		else
			raw->ptr[at] = (char)next_random(seed);
	}
}

static void check_sentence(enum mail_fault fault)
{
	struct strbuf why = STRBUF_INIT;

	mail_fault_explain(fault, &mail_usual_limits, &why);
	cr_expect_gt(why.len, 10);
	cr_expect_eq(why.ptr[why.len - 1], '.');
	strbuf_release(&why);
}

Test(parse, every_mutated_fixture_gives_text_or_a_named_fault)
{
	static const char *const names[] = {"gmail-alternative",  "apple-mixed-related",
	                                    "words-hostile",      "charset-iso-2022-jp",
	                                    "thunderbird-flowed", "bounce",
	                                    "addresses"};
	struct arena *arena = arena_new();
	unsigned seed = 1, i;

	seal_start();
	for (i = 0; i < 7000; i++) {
		struct strbuf raw = STRBUF_INIT;
		struct mail_in m;

		read_fixture(names[i % 7], ".eml", &raw);
		mutate(&raw, &seed);
		parser_parse_here(strbuf_span(&raw), &mail_usual_limits, arena, &m);
		check_evidence(&m);
		check_sentence(m.fault);
		arena_clear(arena);
		strbuf_release(&raw);
	}
	arena_free(arena);
}

Test(parse, the_library_calls_our_function_for_the_boundary)
{
	void *program = dlopen(NULL, RTLD_NOW);
	void *lib = dlopen("libetpan.so.20", RTLD_NOW | RTLD_GLOBAL);

	/*
	 * First in the search order is the program's; the killer fixtures prove that it is
	 * called.
	 */
	cr_assert(program && lib);
	cr_assert(dlsym(program, "mailmime_extract_boundary"));
	cr_expect_neq(dlsym(lib, "mailmime_extract_boundary"),
	              dlsym(program, "mailmime_extract_boundary"));
	dlclose(lib);
	dlclose(program);
}

/* Of the body alone, however its lines end, and whatever empty lines stand at its end. */
Test(body_hash, is_that_of_what_the_sender_kept)
{
	static const char *const same[] = {
	    "From: a@b\n\nwhack 5\n\npopup 3\n", "From: a@b\r\n\r\nwhack 5\r\n\r\npopup 3\r\n",
	    "Received: by x\nFrom: a@b\nSubject: other\n\nwhack 5\n\npopup 3\n\n\n",
	    "From someone Thu Mar 12 18:02:00 2026\nFrom: a@b\n\nwhack 5\n\npopup 3"};
	struct hash expected;
	unsigned char hash[32];

	seal_start();
	expected = hash_of(SPAN_LIT("whack 5\n\npopup 3"));
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		mail_body_hash(span_of(same[i]), hash);
		cr_expect_eq(memcmp(hash, expected.bytes, 32), 0, "%s", same[i]);
	}
	mail_body_hash(SPAN_LIT("From: a@b\n\nwhack 5\n\npopup 4\n"), hash);
	cr_expect_neq(memcmp(hash, expected.bytes, 32), 0);
	expected = hash_of(SPAN_EMPTY);
	mail_body_hash(SPAN_LIT("From: a@b\n"), hash);
	cr_expect_eq(memcmp(hash, expected.bytes, 32), 0);
}

static void hash_of_text(const char *raw, unsigned char hash[32])
{
	mail_content_hash(span_of(raw), hash);
}

/* "From: a@b", an empty line and three lines, the second of so many bytes; `end` ends each. */
static void add_mail_of_long_line(struct strbuf *raw, size_t len, const char *end)
{
	strbuf_addf(raw, "From: a@b%s%sone%s", end, end, end);
	strbuf_add_repeat(raw, 'x', len);
	strbuf_addf(raw, "%sthree%s", end, end);
}

Test(content_hash, is_the_same_however_lines_end)
{
	static const char *const ends[] = {"\n", "\r\n", "\r", "\r\r\n"};
	static const size_t lengths[] = {0, 1, 4000, 4095, 4096, 4097, 20000};

	seal_start();
	for (size_t l = 0; l < sizeof(lengths) / sizeof(lengths[0]); l++) {
		unsigned char with_lf[32], hash[32];

		for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
			struct strbuf raw = STRBUF_INIT;

			add_mail_of_long_line(&raw, lengths[l], ends[i]);
			mail_content_hash(strbuf_span(&raw), hash);
			if (i == 0)
				memcpy(with_lf, hash, sizeof(hash));
			cr_expect_eq(memcmp(hash, with_lf, 32) == 0, i < 2,
			             "%zu bytes, end %zu", lengths[l], i);
			strbuf_release(&raw);
		}
	}
}

Test(content_hash, ignores_what_the_way_adds_and_nothing_else)
{
	static const char mail[] = "From: a@b\nSubject: x\n\nbody\nReceived: in the body\n";
	static const char *const same[] = {
	    "Received: from x\n\tby y\nFrom: a@b\nSubject: x\n\nbody\nReceived: in the body\n",
	    "From: a@b\nDelivered-To: z\nARC-Seal: q\n more\nSubject: x\n\nbody\nReceived: in "
	    "the "
	    "body\n",
	    "From: a@b\r\nSubject: x\r\nreturn-path: <>\r\n\r\nbody\r\nReceived: in the "
	    "body\r\n",
	    "From bob Thu\nFrom: a@b\nSubject: x\nX-Original-To: x\n\nbody\nReceived: in the "
	    "body\n",
	    "From: a@b\nSubject: x\nAuthentication-Results: x;\n\ty\n\nbody\nReceived: in the "
	    "body\n",
	};
	static const char *const different[] = {
	    "From: a@b\nSubject: x\n\nbody\n",
	    "From: a@b\nSubject: x\n y\n\nbody\nReceived: in the body\n",
	    "Received: x\nFrom: a@c\nSubject: x\n\nbody\nReceived: in the body\n",
	    "",
	};
	unsigned char d[32], other[32];
	size_t i;

	seal_start();
	hash_of_text(mail, d);
	for (i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		hash_of_text(same[i], other);
		cr_expect_eq(memcmp(d, other, 32), 0, "same[%zu]", i);
	}
	for (i = 0; i < sizeof(different) / sizeof(different[0]); i++) {
		hash_of_text(different[i], other);
		cr_expect_neq(memcmp(d, other, 32), 0, "different[%zu]", i);
	}
}

Test(address, is_a_local_part_and_a_domain_of_harmless_bytes)
{
	static const char *const good[] = {"a@b", "moles+1.5.ABC@example.org", "o'neil@x-y.org",
	                                   "a.b..c@d.e", "=?x@d"};
	static const char *const bad[] = {
	    "",     "a",    "@b",     "a@",   "a@b@c", "a b@c",       "<a@b>",  "\"a\"@b",
	    "-a@b", "a@-b", "a@b..c", "a@b.", "a\n@b", "a@[1.2.3.4]", "a\x80@b"};
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		cr_expect(mail_address_ok(span_of(good[i])), "%s", good[i]);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_expect_not(mail_address_ok(span_of(bad[i])), "%s", bad[i]);
	struct arena *arena = arena_new();
	struct span address = mail_address_normalize(SPAN_LIT("Bob@Example.ORG"), arena);
	cr_expect_str_eq(address.ptr, "Bob@example.org");
	cr_expect_eq(mail_address_normalize(SPAN_LIT("Bob"), arena).len, 0u);
	arena_free(arena);
	strbuf_add_repeat(&sb, 'a', 253);
	strbuf_adds(&sb, "@b");
	cr_expect_not(mail_address_ok(strbuf_span(&sb)));
	strbuf_release(&sb);
}

Test(message_id, is_printable_ascii_in_angle_brackets)
{
	cr_expect(mail_message_id_ok(SPAN_LIT("<a@b>")));
	cr_expect_not(mail_message_id_ok(SPAN_LIT("<>")));
	cr_expect_not(mail_message_id_ok(SPAN_LIT("<a b>")));
	cr_expect_not(mail_message_id_ok(SPAN_LIT("<a>\n")));
	cr_expect_not(mail_message_id_ok(SPAN_LIT("<a<b>")));
	cr_expect_not(mail_message_id_ok(SPAN_LIT("a@b")));
}
