/*
 * test_html.c - the text of HTML, and format=flowed.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "mail/text/charset.h"
#include "mail/text/flowed.h"
#include "mail/text/html.h"
#include "tests/support/processor_time.h"

static void expect_text(const char *html, const char *text)
{
	struct strbuf out = STRBUF_INIT;

	html_to_text(span_of(html), HTML_WITHOUT_QUOTES, &out);
	cr_expect_str_eq(out.ptr, text, "%s gives \"%s\"", html, out.ptr);
	strbuf_release(&out);
}

struct pair {
	const char *html, *text;
};

static void expect_all(const struct pair *pairs, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		expect_text(pairs[i].html, pairs[i].text);
}

#define EXPECT_ALL(pairs) expect_all(pairs, sizeof(pairs) / sizeof((pairs)[0]))

Test(html, blocks_and_breaks_make_lines_and_blanks_collapse)
{
	static const struct pair pairs[] = {
	    {"", ""},
	    {"popup 3", "popup 3\n"},
	    {"a<br>b<br/>c", "a\nb\nc\n"},
	    {"a<br><br>b", "a\n\nb\n"},
	    {"<p>a</p>\n\n<p>b</p>", "a\nb\n"},
	    {"  a \n\t b  ", "a b\n"},
	    {"<div>a<div>b</div>c</div>", "a\nb\nc\n"},
	    {"<ul><li>a<li>b</ul>", "a\nb\n"},
	    {"<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc\n"},
	    {"<pre>a\n  b\r\nc</pre> d", "a\n  b\nc\nd\n"},
	    {"pop<b>up</b> <i>3</i>", "popup 3\n"},
	    {"<P CLASS=x>A</P><DIV>b", "A\nb\n"},
	    {"see <a href='http://x/?a>b'>the list</a> now", "see the list now\n"},
	};

	EXPECT_ALL(pairs);
}

Test(html, character_references_are_resolved)
{
	static const struct pair pairs[] = {
	    {"&lt;b&gt; &amp;amp; &quot;&apos;", "<b> &amp; \"'\n"},
	    {"&#51;&#x33;&#X33;", "333\n"},
	    {"&eacute;&Eacute;&szlig;&euro;&hellip;",
	     "\xc3\xa9\xc3\x89\xc3\x9f\xe2\x82\xac\xe2\x80\xa6\n"},
	    {"a&nbsp;b", "a\xc2\xa0"
	                 "b\n"},
	    {"&#150;", "\xe2\x80\x93\n"},
	    {"&#0;&#27;&#xd800;&#x110000;&#99999999999999;",
	     "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\n"},
	    {"a&#10;b", "a b\n"},
	    {"AT&T &unknown; &; &#; &#x; &", "AT&T &unknown; &; &#; &#x; &\n"},
	    {"&ampx", "&ampx\n"},
	};

	EXPECT_ALL(pairs);
}

Test(html, what_is_quoted_or_no_text_is_left_out)
{
	static const struct pair pairs[] = {
	    {"a<blockquote>b<blockquote>c</blockquote>d</blockquote>e", "a\n>\ne\n"},
	    {"<style>p { x: \"<p>\" }</style>a<script>if (a<b) '</p>'</script>b", "a\nb\n"},
	    {"<head><title>t</title><meta x></head><body>a", "a\n"},
	    {"a<div class=\"x gmail_quote y\">b<div>c</div>d</div>e", "a\n>\ne\n"},
	    {"a<div class='not_gmail_quote'>b</div>", "a\nb\n"},
	    {"a<div id=divRplyFwdMsg>From: x</div>b", "a\n>\nb\n"},
	    {"a<!-- b > c -->d<!DOCTYPE x><?php e ?>f", "adf\n"},
	    /* Gmail's button for more indent */
	    {"a<blockquote style=\"margin:0 0 0 40px;border:none;padding:0px\">b</blockquote>c",
	     "a\nb\nc\n"},
	    {"a<blockquote class=\"gmail_quote\" style=\"border:none\">b</blockquote>c",
	     "a\n>\nc\n"},
	    {"a<blockquote style=\"border-left:1px solid\">b</blockquote>c", "a\n>\nc\n"},
	    {"<blockquote type=cite>a</blockquote>b<blockquote type=cite>c</blockquote>d",
	     "b\n>\nd\n"},
	    {"a<blockquote>never closed", "a\n>\n"},
	    {"a<style>never closed", "a\n"},
	    {"a</blockquote>b", "a\nb\n"},
	};

	EXPECT_ALL(pairs);
}

Test(html, broken_markup_loses_as_little_as_possible)
{
	static const struct pair pairs[] = {
	    {"3 < 5 and 5 > 3", "3 < 5 and 5 > 3\n"},
	    {"a<b", "a<b\n"},
	    {"a<!-- never closed > b", "a b\n"},
	    {"<a href=\"never closed>text", "text\n"},
	    {"<p title='>'>a", "a\n"},
	    {"<", "<\n"},
	    {"</>a", "a\n"},
	};

	EXPECT_ALL(pairs);
}

/* Text that makes a careless reader start over and over again. */
Test(html, takes_time_in_proportion_to_its_length_only)
{
	static const char *const pieces[] = {"<a",      "<!--",       "<p x=\"", "</",
	                                     "&#",      "&",          "<div>",   "<blockquote>",
	                                     "<style>", "<script></", "<b \"'",  "</style",
	                                     "<a b=c ", "<pre>",      "<!",      "&amp"};
	size_t i, k;

	for (i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		struct strbuf html = STRBUF_INIT, out = STRBUF_INIT;
		double start = processor_seconds();

		for (k = 0; html.len < 1 << 20; k++)
			strbuf_adds(&html, pieces[i]);
		html_to_text(strbuf_span(&html), HTML_WITHOUT_QUOTES, &out);
		cr_expect_lt(processor_seconds() - start, 5.0, "%s", pieces[i]);
		strbuf_release(&html);
		strbuf_release(&out);
	}
}

static void expect_joined(const char *text, bool delsp, const char *expected)
{
	struct strbuf out = STRBUF_INIT;

	flowed_join(span_of(text), delsp, &out);
	cr_expect_str_eq(out.ptr, expected, "\"%s\" gives \"%s\"", text, out.ptr);
	strbuf_release(&out);
}

Test(flowed, joins_lines_that_end_in_a_blank)
{
	expect_joined("popup 3, \nwhack 5\n", false, "popup 3, whack 5\n");
	expect_joined("popup 3, wha \nck 5\n", true, "popup 3, whack 5\n");
	expect_joined("a\nb\n", false, "a\nb\n");
	expect_joined("a ", false, "a \n");
	expect_joined("", false, "");
}

Test(flowed, takes_off_the_blank_that_was_stuffed)
{
	expect_joined(" >not quoted\n From x\n  two\n", false, ">not quoted\nFrom x\n two\n");
}

Test(flowed, never_joins_the_signature_or_another_depth)
{
	expect_joined("a \n-- \nb\n", false, "a \n-- \nb\n");
	expect_joined("> a \n> b \n>> c \n d\n", false, "> a b \n>> c \nd\n");
}

/* Nothing a stranger has sent reaches the C library's converter. */
Test(charset, of_more_than_a_byte_a_character_is_not_read_where_only_tables_are)
{
	static const char *const names[] = {"gb2312",      "GBK",    "big5",        "shift_jis",
	                                    "iso-2022-jp", "euc-kr", "windows-1255"};
	struct charsets *c = charsets_new(CHARSETS_OF_ONE_BYTE);
	struct strbuf out = STRBUF_INIT;
	bool guessed = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		cr_expect_not(charsets_has(c, span_of(names[i])));
		cr_expect_not(
		    charset_decode(c, span_of(names[i]), SPAN_LIT("abc"), &out, &guessed));
	}
	cr_expect_eq(out.len, 0u);
	charsets_free(c);
	strbuf_release(&out);
}

/* Of each byte and of all in a row; a few by hand, so that it is not the library that says it. */
Test(charset, of_one_byte_a_character_is_read_by_a_table)
{
	static const struct {
		const char *name, *bytes, *text;
	} some[] = {
	    {"iso-8859-15", "\xa4", "\xe2\x82\xac"},
	    {"windows-1252", "a\x80z", "a\xe2\x82\xacz"},
	    {"windows-1251", "\xcf\xf0\xe8", "\xd0\x9f\xd1\x80\xd0\xb8"},
	    {"koi8-r", "\xf0\xd2\xc9", "\xd0\x9f\xd1\x80\xd0\xb8"},
	    {"iso-8859-7", "\xe1", "\xce\xb1"},
	    {"windows-1256", "\xc8", "\xd8\xa8"},
	    {"cp850", "\x84", "\xc3\xa4"},
	    {"iso-8859-2", "\xb1", "\xc4\x85"},
	};
	struct charsets *c = charsets_new(CHARSETS_OF_ONE_BYTE);

	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
		struct strbuf out = STRBUF_INIT;
		bool guessed = false;

		cr_expect(charset_decode(c, span_of(some[i].name), span_of(some[i].bytes), &out,
		                         &guessed));
		cr_expect_str_eq(out.ptr, some[i].text, "%s", some[i].name);
		cr_expect_not(guessed);
		strbuf_release(&out);
	}
	charsets_free(c);
}

Test(charset, tries_declared_then_utf8_then_windows_1252)
{
	struct charsets *c = charsets_new(CHARSETS_ALL);
	struct strbuf out = STRBUF_INIT;
	bool guessed = false;

	cr_expect(charset_decode(c, SPAN_LIT("latin1"), SPAN_LIT("\xfc"), &out, &guessed));
	cr_expect_not(guessed);
	cr_expect(
	    charset_decode(c, SPAN_LIT("us-ascii"), SPAN_LIT("\xc3\xbc"), &out, &guessed));
	cr_expect(guessed);
	guessed = false;
	cr_expect(charset_decode(c, SPAN_EMPTY, SPAN_LIT("\xfc\r\n\r"), &out, &guessed));
	cr_expect(guessed);
	cr_expect_str_eq(out.ptr, "\xc3\xbc\xc3\xbc\xc3\xbc\n\n");
	/* 0x81 is nothing in windows-1252; a control character is nothing anywhere. */
	cr_expect_not(charset_decode(c, SPAN_LIT("utf-8"), SPAN_LIT("\x81"), &out, &guessed));
	cr_expect_not(
	    charset_decode(c, SPAN_LIT("utf-8"), SPAN_LIT("\033[2J"), &out, &guessed));
	cr_expect_not(
	    charset_decode(c, SPAN_LIT("utf-8"), SPAN_LIT("\xc2\x9b"), &out, &guessed));
	cr_expect_str_eq(out.ptr, "\xc3\xbc\xc3\xbc\xc3\xbc\n\n");
	strbuf_release(&out);
	charsets_free(c);
}

Test(html, quotes_are_kept_for_who_asks_for_them)
{
	static const char html[] = "<p>mine</p><blockquote>&gt; his</blockquote>"
				   "<div class=\"gmail_quote\">hers</div><style>none</style>";
	struct strbuf out = STRBUF_INIT;

	html_to_text(span_of(html), HTML_WITH_QUOTES, &out);
	cr_assert_str_eq(out.ptr, "mine\n> his\nhers\n");
	strbuf_release(&out);
}
