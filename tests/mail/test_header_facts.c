/*
 * test_header_facts.c - what is read out of a header, by name, and what its writer may try.
 *
 * Until November 2026 libetpan read address lists and encoded words. For all mails of the tests it gave the
 * same, but for one; what is read otherwise on purpose is marked "libetpan:" with what it said.
 */
#include <criterion/criterion.h>

#include "mail/text/address_list.h"
#include "mail/text/encoded_words.h"
#include "mail/text/header_facts.h"
#include "processor/base/clock.h"
#include "processor/base/strbuf.h"

/* ---- address lists ---- */

static const struct {
	const char *field, *mailboxes; /* each as "name|address" and a LF */
} lists[] = {
    {"ann@example.org", "|ann@example.org\n"},
    {"Ann <ann@example.org>", "Ann|ann@example.org\n"},
    {"<ann@example.org>", "|ann@example.org\n"},
    {"\"Smith, Ann\" <ann@example.org>, bob@b.org", "Smith, Ann|ann@example.org\n|bob@b.org\n"},
    {"\"An \\\"n\\\" \\\\\"  Smith<ann@example.org>", "An \"n\" \\ Smith|ann@example.org\n"},
    {"J. Smith <ann@example.org>", "J. Smith|ann@example.org\n"},
    {"M\xfcller <ann@example.org>", "M\xfcller|ann@example.org\n"},
    {"MAILER-DAEMON (Mail Delivery System)", "|MAILER-DAEMON\n"},
    {"Mail Delivery System", "|Mail Delivery System\n"}, /* libetpan: without blanks */
    /* Encoded words are decoded later; what separates other words is theirs here. */
    {"=?utf-8?Q?Smith, Ann?= <ann@example.org>", "=?utf-8?Q?Smith, Ann?=|ann@example.org\n"},
    {"\"=?utf-8?Q?Ann?= Smith\" <a@b.org>",
     "=?utf-8?Q?Ann?= Smith|a@b.org\n"}, /* libetpan: "Ann Smith */
    {"=?utf-8?Q?I_<3_moles?= <a@b.org>", "=?utf-8?Q?I_<3_moles?=|a@b.org\n"},
    {"=?utf-8?Q?Ann <ann@example.org>",
     "=?utf-8?Q?Ann|ann@example.org\n"}, /* libetpan: nobody */
    /* Groups. */
    {"friends: a@b.org, C <c@d.org>;, e@f.org", "|a@b.org\nC|c@d.org\n|e@f.org\n"},
    {"undisclosed-recipients:;", ""},
    {"friends: a@b.org", "|a@b.org\n"}, /* libetpan: an address "friends" */
    /* Obsolete, and older. */
    {"ann . smith @ example . org", "|ann.smith@example.org\n"},
    {"ann (a (nested) one) @example.org (Ann)", "|ann@example.org\n"}, /* libetpan: "ann" */
    {"Ann (at home) <ann@example.org>", "Ann (at home)|ann@example.org\n"},
    {"Ann <@relay.org,@b.org:ann@example.org>", "Ann|ann@example.org\n"}, /* libetpan: nobody */
    {",, a@b.org,,c@d.org,", "|a@b.org\n|c@d.org\n"}, /* libetpan: none, or the first */
    {"a@b.org; c@d.org", "|a@b.org\n|c@d.org\n"},     /* libetpan: the first */
    {"Ann < ann@example.org >", "Ann|ann@example.org\n"},
    {"Ann <ann@exam ple.org>", "Ann|ann@example.org\n"}, /* folded where nothing may be */
    /* Something is missing. */
    {"Ann ann@example.org", "|ann@example.org\n"}, /* libetpan: Annann@example.org */
    {"Ann <ann@example.org", "Ann|ann@example.org\n"},
    {"Ann <ann@example.org, Bob <bob@b.org>", "Ann|ann@example.org\nBob|bob@b.org\n"},
    {"Ann ann@example.org>", "|ann@example.org\n"},
    {"\"Ann <ann@example.org>", "\"Ann|ann@example.org\n"},
    {"Ann (at home <ann@example.org>", "Ann (at home|ann@example.org\n"},
    {"Ann <>", "Ann|\n"},
    {"", ""},
    {" , (nobody)", ""},
};

static void describe_list(struct span field, struct strbuf *out)
{
	struct arena *arena = arena_new();
	struct address_list list = address_list_of(field);
	struct mailbox m;

	while (address_list_next(&list, arena, &m))
		strbuf_addf(out, "%.*s|%.*s\n", SPAN_ARGS(m.name), SPAN_ARGS(m.address));
	arena_free(arena);
}

Test(header_facts, an_address_list_is_read_as_real_mail_has_it)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct strbuf got = STRBUF_INIT;

		describe_list(span_of(lists[i].field), &got);
		cr_expect_str_eq(got.ptr, lists[i].mailboxes, "%s\n%s", lists[i].field,
		                 got.ptr);
		strbuf_release(&got);
	}
}

/* ---- encoded words ---- */

static const struct {
	const char *value, *text;
} words[] = {
    {"plain", "plain"},
    {" M\xc3\xbcller ", "M\xc3\xbcller"},
    {"M\xfcller", "M\xc3\xbcller"},
    {"=?utf-8?Q?a=C3=BC_b?=", "a\xc3\xbc b"},
    {"=?ISO-8859-1?q?J=F6rg?= x", "J\xc3\xb6rg x"},
    {"=?utf-8*en?B?w7w=?=", "\xc3\xbc"},
    {"=?utf-8?Q?a?= =?utf-8?Q?b?= c", "ab c"},
    {"=?utf-8?Q?a?= =?no word?", "a =?no word?"}, /* libetpan: without the blank */
    /* A character, and a group of base64 letters, in two words. */
    {"=?utf-8?Q?=E2=82?= =?UTF-8?Q?=AC?=", "\xe2\x82\xac"},
    {"=?utf-8?B?4oI=?= =?utf-8?B?rA==?=", "\xe2\x82\xac"},
    {"=?utf-8?B?4o?= =?utf-8?B?Ks?=", "\xe2\x82\xac"},
    {"=?utf-8?Q?=E2=82?= =?utf-8?B?rA==?=", "\xe2\x82\xac"},
    {"=?gb2312?B?xOO6ww==?= =?utf-8?Q?!?=", "\xe4\xbd\xa0\xe5\xa5\xbd!"},
    /* What nobody should write. */
    {"a=?utf-8?Q?b?=c", "abc"},
    {"=?utf-8?Q?one two?=", "one two"},
    {"=?utf-8?Q?no end", "no end"},
    {"=?utf-8?Q?a=4?= =?utf-8?Q?=zz=?=", "a=4=zz="}, /* libetpan: cuts */
    {"=?utf-8?Q?a=00b?=", "a\xef\xbf\xbd"
                          "b"}, /* libetpan: a */
    {"=?utf-8?Q?a=0D=0ABcc:_x?=", "a Bcc: x"},
    {"=?utf-8?Q?=FF?=", "\xc3\xbf"},
    {"=?utf-8?X?a?=", "=?utf-8?X?a?="},
    {"=??Q?a?=", "=??Q?a?="},
    {"=?utf-8?Q?\?=", ""},
    {"=?=?=?", "=?=?=?"},
};

Test(header_facts, encoded_words_become_one_line_of_text)
{
	struct charsets *charsets = charsets_new(CHARSETS_ALL);
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct span got =
		    encoded_words_decode(span_of(words[i].value), charsets, arena);

		cr_expect(span_eq_str(got, words[i].text), "%s: %.*s", words[i].value,
		          SPAN_ARGS(got));
	}
	arena_free(arena);
	charsets_free(charsets);
}

/* ---- what somebody may try ---- */

struct read {
	struct arena *arena;
	struct charsets *charsets;
	struct mail_in facts;
};

static void read_open(struct read *r, struct span raw)
{
	r->arena = arena_new();
	r->charsets = charsets_new(CHARSETS_ALL);
	header_facts_read(raw, &mail_usual_limits, r->charsets, r->arena, &r->facts);
}

static void read_close(struct read *r)
{
	charsets_free(r->charsets);
	arena_free(r->arena);
}

/* Mallory would be taken for Ann, and Bob's address shown or checked by others. */
static const struct {
	const char *from, *believed;
} tricks[] = {
    {"Ann <ann@a.org>", "ann@a.org"},
    {"x: ann@a.org;", "ann@a.org"},
    /* What is quoted or in a comment is nobody's address. */
    {"\"ann@a.org\" <bob@b.org>", "bob@b.org"},
    {"\"<ann@a.org>\" <bob@b.org>", "bob@b.org"},
    {"(<ann@a.org>) bob@b.org", "bob@b.org"},
    {"Ann (x <ann@a.org>) <bob@b.org>", "bob@b.org"}, /* libetpan: ann@a.org */
    {"Ann \\(<bob@b.org>\\) <ann@a.org>", ""},
    {"\"ann@a.org\"", ""},
    {"\"x ann@a.org y\"", ""},
    {"\"x ann\"@a.org", ""},
    {"(ann@a.org)", ""},
    {"=?utf-8?Q?ann@a.org?=", ""},
    {"=?utf-8?Q?ann=40a.org?=", ""},
    /* Two in one field: none. */
    {"x: ann@a.org, bob@b.org;", ""},
    {"ann@a.org, bob@b.org", ""},
    {"ann@a.org bob@b.org", ""},
    {"<ann@a.org> <bob@b.org>", ""},                 /* libetpan: ann@a.org, and so on */
    {"<ann@a.org> bob@b.org", ""},                   /* */
    {"ann@a.org; bob@b.org", ""},                    /* */
    {"ann@a.org: bob@b.org", ""},                    /* */
    {"ann@a.org,, bob@b.org", ""},                   /* */
    {"<>, ann@a.org", ""},                           /* none there either */
    {"ann@a.org (x <bob@b.org>", ""},                /* */
    {"ann@a.org \"x <bob@b.org>", ""},               /* a quote without end */
    {"=?utf-8?q?x <ann@a.org>, ?= <bob@b.org>", ""}, /* libetpan: bob@b.org */
    {"=?a?q?( ?= <ann@a.org> ) <bob@b.org>", ""},
    {"=?a?q?\" ?= <ann@a.org>, \" <bob@b.org>", ""},
    {"<ann@a.org\\> <bob@b.org>", ""},
    /* No blank, quote or end makes another address of one. */
    {"ann@a.org Smith", ""},
    {"ann@a. org .b.org", "ann@a.org.b.org"},
    {"ann@a.org>.b.org", "ann@a.org.b.org"},
    {"ann@a.org@b.org", ""},
    {"<@ann@a.org>", ""},
    {"Ann <ann@a.org> Smith", "ann@a.org"},
    {"ann", ""},
    {"", ""},
};

Test(header_facts, a_sender_is_believed_only_where_a_field_names_one)
{
	for (size_t i = 0; i < sizeof(tricks) / sizeof(tricks[0]); i++) {
		struct strbuf raw = STRBUF_INIT;
		struct read r;

		strbuf_addf(&raw, "From: %s\nSubject: x\n\n", tricks[i].from);
		read_open(&r, strbuf_span(&raw));
		cr_expect(span_eq_str(r.facts.from, tricks[i].believed), "%s: %.*s",
		          tricks[i].from, SPAN_ARGS(r.facts.from));
		read_close(&r);
		strbuf_release(&raw);
	}
}

static struct span from_of(struct read *r, const char *raw, size_t len)
{
	read_open(r, (struct span){raw, len});
	return r->facts.from;
}
#define FROM_OF(r, literal) from_of(r, literal, sizeof(literal) - 1)

Test(header_facts, a_nul_a_second_field_and_a_body_hide_or_add_no_sender)
{
	struct read r;

	cr_expect(span_eq_str(FROM_OF(&r, "From: ann@a.org\0bob@b.org\n\n"), ""));
	read_close(&r);
	cr_expect(span_eq_str(FROM_OF(&r, "From: ann@a.org\0, bob@b.org\n\n"), ""));
	read_close(&r);
	cr_expect(span_eq_str(FROM_OF(&r, "From: ann@a.org\nfrom : bob@b.org\n\n"), ""));
	cr_expect_eq(r.facts.fault, MAIL_DUPLICATE_FIELD);
	read_close(&r);
	cr_expect(span_eq_str(FROM_OF(&r, "Subject: x\r\n\r\nFrom: ann@a.org\r\n"), ""));
	read_close(&r);
	cr_expect(span_eq_str(FROM_OF(&r, "From ann\r\nFrom:\r\n\tann@A.org\r\nTo: x\r\n"),
	                      "ann@a.org"));
	read_close(&r);
}

static void add_times(struct strbuf *out, const char *text, size_t times)
{
	while (times-- > 0)
		strbuf_adds(out, text);
}

/* Ten times as much would take a hundred times as long if anything were gone through again. */
Test(header_facts, what_is_repeated_without_end_takes_no_time_and_no_stack)
{
	static const char *const pieces[] = {"(",          ")",       "\"",        "\\\"",
	                                     "<",          ">",       "a@b.org,",  "a,",
	                                     "=?a?q?",     "=?a?q? ", "=?a?q?x< ", "=?",
	                                     "=?a?b?Q?= ", "x: ",     "(\"",       "\"(=?a?q?",
	                                     ";;",         "a@ ",     "\xff",      "((a)"};
	struct charsets *charsets = charsets_new(CHARSETS_ALL);

	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		struct arena *arena = arena_new();
		struct strbuf text = STRBUF_INIT, got = STRBUF_INIT;
		int64_t began = clock_monotonic_ms();

		add_times(&text, pieces[i], 100000);
		describe_list(strbuf_span(&text), &got);
		(void)encoded_words_decode(strbuf_span(&text), charsets, arena);
		cr_expect_lt(clock_monotonic_ms() - began, 1500, "%s", pieces[i]);
		strbuf_release(&got);
		strbuf_release(&text);
		arena_free(arena);
	}
	charsets_free(charsets);
}

Test(header_facts, of_10000_recipients_50_are_kept_and_all_are_counted)
{
	struct strbuf raw = STRBUF_INIT;
	struct read r;

	strbuf_adds(&raw, "To: moles+1.5.abc@example.org");
	add_times(&raw, ",\n a@b.c", 6000); /* those that fit into a header */
	read_open(&r, strbuf_span(&raw));
	cr_expect_eq(r.facts.recipients.count, 50);
	cr_expect(span_eq_str(r.facts.recipients.items[0], "moles+1.5.abc@example.org"));
	cr_expect_eq(r.facts.fault, MAIL_TOO_MANY_RECIPIENTS);
	read_close(&r);
	add_times(&raw, ",\n a@b.c", 4000);
	read_open(&r, strbuf_span(&raw));
	cr_expect_eq(r.facts.recipients.count, 50);
	cr_expect_eq(r.facts.fault, MAIL_HEADER_TOO_LARGE);
	read_close(&r);
	strbuf_release(&raw);
}

/* A mail is no other for having come with CRLF. */
Test(header_facts, a_line_end_counts_as_one_byte_whatever_it_is)
{
	static const char *const ends[] = {"\n", "\r\n"};
	struct mail_limits limits = mail_usual_limits;

	for (size_t i = 0; i < 2; i++) {
		struct charsets *charsets = charsets_new(CHARSETS_OF_ONE_BYTE);
		struct arena *arena = arena_new();
		struct strbuf raw = STRBUF_INIT;
		struct mail_in m;

		for (size_t n = 0; n < 11; n++)
			strbuf_addf(&raw, "X:a%s", ends[i]);
		strbuf_addf(&raw, "%sbody%s", ends[i], ends[i]);
		limits.header_bytes = 11 * 4;
		header_facts_read(strbuf_span(&raw), &limits, charsets, arena, &m);
		cr_expect_eq(m.fault, MAIL_OK);
		limits.header_bytes--;
		header_facts_read(strbuf_span(&raw), &limits, charsets, arena, &m);
		cr_expect_eq(m.fault, MAIL_HEADER_TOO_LARGE);
		charsets_free(charsets);
		arena_free(arena);
		strbuf_release(&raw);
	}
}
