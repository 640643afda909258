/*
 * test_html.c - mails with an HTML form: who gets them, and that tapping a link, or answering with the
 * whole mail quoted, does what the plain mail would.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "mail/compose.h"
#include "processor/base/file.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

static struct testbed *begun(const char *seed, const char *kind, const char *line)
{
	struct testbed *s;
	struct strbuf text = STRBUF_INIT;

	scratch_in_memory();
	s = testbed_new(seed);
	if (line)
		testbed_configure(s, line);
	strbuf_addf(&text, "create %s", kind);
	testbed_write(s, "ann", text.ptr);
	testbed_run(s);
	strbuf_release(&text);
	return s;
}

static bool has_html(const struct post *p)
{
	return strstr(p->raw, "Content-Type: text/html") != NULL;
}

/* The HTML part, decoded; it begins like a mail. */
static void html_of(const struct post *p, struct strbuf *out)
{
	const char *from = strstr(p->raw, "\nContent-Type: text/html");
	const char *to = from ? strstr(from, "\n--=_molepost_") : NULL;

	cr_assert(from && to, "%s has no HTML", p->subject);
	cr_assert(mail_read_back((struct span){from + 1, (size_t)(to - from)}, out));
}

static int nibble(char c)
{
	return c <= '9' ? c - '0' : c - 'A' + 10;
}

static void unescape(struct span s, struct strbuf *out)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] == '%') {
			char c = (char)(nibble(s.ptr[i + 1]) * 16 + nibble(s.ptr[i + 2]));
			if (c != '\r')
				strbuf_addc(out, c);
			i += 2;
		} else {
			strbuf_addc(out, s.ptr[i]);
		}
}

/* What tapping link n of a mail would send, address and text; false when there are not so many. */
static bool tapped(struct span html, unsigned n, struct strbuf *to, struct strbuf *body)
{
	static const char link[] = "href=\"mailto:", subject[] = "?subject=",
			  text[] = "&amp;body=";
	struct span url;

	for (unsigned i = 0; i <= n; i++) {
		size_t at = span_find(html, span_of(link));

		if (at == html.len)
			return false;
		html = span_slice(html, at + sizeof link - 1, html.len);
	}
	url = span_slice(html, 0, span_find_char(html, '"'));
	strbuf_clear(to);
	strbuf_clear(body);
	unescape(span_slice(url, 0, span_find(url, span_of(subject))), to);
	unescape(span_slice(url, span_find(url, span_of(text)) + sizeof text - 1, url.len),
	         body);
	return true;
}

static void tap(struct testbed *s, const struct strbuf *to, const struct strbuf *body)
{
	testbed_mail(s, &(struct mail_written){.who = "ann", .to = to->ptr, .text = body->ptr});
	testbed_run(s);
}

/* A mail of ann's whose only text is HTML. */
static void write_html(struct testbed *s, const char *to, const char *in_reply_to,
                       const char *text)
{
	static const char plain[] = "text/plain", html[] = "text/html";
	struct strbuf raw = STRBUF_INIT, out = STRBUF_INIT;

	testbed_compose(s,
	                &(struct mail_written){
			    .who = "ann", .to = to, .in_reply_to = in_reply_to, .text = text},
	                &raw);
	size_t at = span_find(strbuf_span(&raw), span_of(plain));
	cr_assert_lt(at, raw.len, "%s", raw.ptr);
	strbuf_addf(&out, "%.*s%s%s", (int)at, raw.ptr, html, raw.ptr + at + strlen(plain));
	testbed_drop(s, "html", strbuf_span(&out), TESTBED_BEGAN_UTC);
	strbuf_release(&raw);
	strbuf_release(&out);
}

/* To the server's own address, from `who`, as HTML alone or as text. */
static bool answer_has_html(struct testbed *s, const char *who, bool html, const char *text)
{
	if (html) {
		struct strbuf raw = STRBUF_INIT;

		testbed_compose(s, &(struct mail_written){.who = who, .text = text}, &raw);
		size_t at = span_find(strbuf_span(&raw), SPAN_LIT("text/plain"));
		memcpy(raw.ptr + at + strlen("text/"), "html ", strlen("plain"));
		testbed_drop(s, text, strbuf_span(&raw), TESTBED_BEGAN_UTC);
		strbuf_release(&raw);
	} else {
		testbed_write(s, who, text);
	}
	testbed_run(s);
	return has_html(testbed_last(s, who));
}

static const char *const kinds[] = {"whakka mole players 2 bots 1",
                                    "mole park players 2 bots 1",
                                    "martian boggle players 2 bots 1", "mole players 2 bots 1",
                                    "mole majority players 2 bots 1 setup=auto"};

Test(html, a_tapped_example_is_exactly_that_order)
{
	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
		for (unsigned n = 0; n < 2; n++) {
			struct testbed *s = begun("tap", kinds[k], "html = on");
			const struct post *p = testbed_find(s, "ann", "orders due");
			struct strbuf html = STRBUF_INIT, to = STRBUF_INIT, body = STRBUF_INIT,
				      checked = STRBUF_INIT;

			cr_assert_not_null(p, "%s", kinds[k]);
			html_of(p, &html);
			cr_assert(tapped(strbuf_span(&html), n, &to, &body), "%s", kinds[k]);
			cr_expect_str_eq(to.ptr, p->reply_to);
			/* The answer names what was stored; the same words by an ordinary answer. */
			struct testbed *other = testbed_clone(s);
			testbed_reply_to(other, "ann", p, body.ptr);
			testbed_run(other);
			tap(s, &to, &body);
			cr_expect(
			    strstr(testbed_last(s, "ann")->proof, "BEGIN MOLEPOST RECEIPT"),
			    "%s: %s\n%s", kinds[k], body.ptr, testbed_last(s, "ann")->text);
			cr_expect_str_eq(testbed_last(s, "ann")->subject,
			                 testbed_last(other, "ann")->subject);
			testbed_free(other);
			testbed_free(s);
			strbuf_release(&html);
			strbuf_release(&to);
			strbuf_release(&body);
			strbuf_release(&checked);
		}
}

Test(html, every_link_of_a_mail_is_answered)
{
	struct testbed *s = begun("links", kinds[0], "html = on");
	const struct post *p = testbed_find(s, "ann", "orders due");
	struct strbuf html = STRBUF_INIT, to = STRBUF_INIT, body = STRBUF_INIT;
	unsigned n = 0;

	html_of(p, &html);
	for (; tapped(strbuf_span(&html), n, &to, &body); n++) {
		struct testbed *one = testbed_clone(s);

		tap(one, &to, &body);
		cr_expect_null(strstr(testbed_last(one, "ann")->subject, "not carried out"),
		               "%s", body.ptr);
		cr_expect_null(strstr(testbed_last(one, "ann")->subject, "nothing was stored"),
		               "%s", body.ptr);
		cr_expect_gt(one->nposts, s->nposts, "%s", body.ptr);
		testbed_free(one);
	}
	cr_expect_geq(n, 5, "two orders, and what fits now");
	testbed_free(s);
	strbuf_release(&html);
	strbuf_release(&to);
	strbuf_release(&body);
}

/* As an HTML mail program writes it: the answer on top, the whole mail of ours below. */
Test(html, an_answer_with_the_mail_quoted_is_the_answer_alone)
{
	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
		struct testbed *s = begun("quoting", kinds[k], "html = on");
		const struct post *p = testbed_find(s, "ann", "orders due");
		struct strbuf html = STRBUF_INIT, to = STRBUF_INIT, body = STRBUF_INIT,
			      text = STRBUF_INIT;

		html_of(p, &html);
		cr_assert(tapped(strbuf_span(&html), 0, &to, &body));
		strbuf_addf(
		    &text,
		    "<html><body><div>%s</div><br><div>On Thu, 12 Mar 2026, Molepost "
		    "&lt;moles@example.org&gt; wrote:<br></div><blockquote>%s</blockquote>"
		    "</body></html>\n",
		    body.ptr, html.ptr);
		write_html(s, to.ptr, p->message_id, text.ptr);
		testbed_run(s);
		const struct post *answer = testbed_last(s, "ann");
		cr_expect(strstr(answer->proof, "BEGIN MOLEPOST RECEIPT"), "%s: %s\n%s",
		          kinds[k], body.ptr, answer->text);
		cr_expect_null(strstr(answer->text, "Ignored:"), "%s\n%s", kinds[k],
		               answer->text);
		testbed_free(s);
		strbuf_release(&html);
		strbuf_release(&to);
		strbuf_release(&body);
		strbuf_release(&text);
	}
}

Test(html, comes_to_whoever_asks_and_to_nobody_else)
{
	struct testbed *s = begun("ask", kinds[0], NULL);

	for (size_t i = 0; i < s->nposts; i++)
		cr_expect_not(has_html(s->posts[i]), "%s", s->posts[i]->subject);
	testbed_write(s, "ann", "set mail html");
	testbed_run(s);
	cr_expect(has_html(testbed_last(s, "ann")));
	testbed_write(s, "ann", "resend w1");
	testbed_run(s);
	cr_expect(has_html(testbed_last(s, "ann")), "a mail of before has it too");
	testbed_write(s, "ann", "set mail plain");
	testbed_run(s);
	cr_expect_not(has_html(testbed_last(s, "ann")));
	testbed_free(s);

	s = begun("off", kinds[0], "html = off");
	testbed_write(s, "ann", "set mail html");
	testbed_run(s);
	cr_expect_not_null(strstr(testbed_last(s, "ann")->text, "plain text alone"));
	cr_expect_not(has_html(testbed_last(s, "ann")));
	testbed_free(s);
}

Test(html, is_as_the_last_mail_of_a_person_was_until_they_say_it)
{
	static const char kind[] = "create whakka mole players 2 bots 1";
	struct testbed *s = begun("writes", kinds[0], NULL);

	cr_expect(answer_has_html(s, "ann", true, "status w1"));
	cr_expect_not(answer_has_html(s, "ann", false, "status w1"));
	cr_expect(answer_has_html(s, "bob", true, kind), "the first mail of all");
	cr_expect_not(answer_has_html(s, "cy", false, kind));
	cr_expect(answer_has_html(s, "cy", false, "set mail html"));
	cr_expect(answer_has_html(s, "cy", false, "status w3"));
	cr_expect_not(answer_has_html(s, "bob", true, "set mail plain"));
	cr_expect_not(answer_has_html(s, "bob", true, "status w2"));
	testbed_free(s);
}

/* Else whoever writes in another's name would choose what their mail looks like. */
Test(html, is_not_changed_by_a_mail_that_only_says_whom_it_is_from)
{
	struct testbed *s = begun("claims", kinds[0], "known_senders = confirm");

	cr_expect_not(answer_has_html(s, "ann", true, "status w1"));
	struct testbed *open = begun("claims", kinds[0], "known_senders = accept");
	cr_expect(answer_has_html(open, "ann", true, "status w1"));
	testbed_free(open);
	testbed_free(s);
}

/* From a program that keeps the HTML alone when it forwards. */
Test(html, a_receipt_is_verified_from_its_html)
{
	struct testbed *s = begun("proof", "whakka mole players 1 turns=5", "html = on");
	const struct post *p;
	struct strbuf html = STRBUF_INIT, mail = STRBUF_INIT;

	testbed_write(s, "ann", "create whakka mole players 2 next 3D");
	testbed_write(s, "bob", "join w1");
	testbed_write(s, "ann", "set proof shown");
	testbed_run(s);
	testbed_reply_to(s, "ann", testbed_find(s, "ann", "orders due"), "popup 1; whack 2");
	testbed_run(s);
	p = testbed_find(s, "ann", "stored");
	cr_assert_not_null(p, "%s", testbed_last(s, "ann")->subject);
	html_of(p, &html);
	strbuf_addf(&mail, "verify\n%s", html.ptr);
	write_html(s, NULL, NULL, mail.ptr);
	testbed_run(s);
	cr_expect_not_null(strstr(testbed_last(s, "ann")->text, "The server signed it"), "%s",
	                   testbed_last(s, "ann")->text);
	testbed_free(s);
	strbuf_release(&html);
	strbuf_release(&mail);
}
