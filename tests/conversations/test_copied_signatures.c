/*
 * test_copied_signatures.c - a provider's signature that is copied onto another mail vouches for nothing: neither in
 * the record, nor before whoever holds the mail.
 *
 * Mails are really signed here: DKIM (RFC 6376) with simple/simple and Ed25519 (RFC 8463), checked by a mail server
 * of the test, which writes what it found above them, as Authentication-Results.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/archive/archive.h"
#include "processor/base/seal.h"
#include "tests/support/table.h"
#include "tests/support/transfer.h"

static void setup(void)
{
	seal_start();
}

TestSuite(copied_signatures, .init = setup);

static const char *const signed_fields[] = {"From", "To", "Subject", "Date", "Message-ID"};

static void add_base64(struct strbuf *out, const void *bytes, size_t n)
{
	struct strbuf lines = STRBUF_INIT;

	transfer_add_base64(&lines, (struct span){bytes, n});
	for (size_t i = 0; i < lines.len; i++)
		if (lines.ptr[i] != '\n' && lines.ptr[i] != '\r')
			strbuf_addc(out, lines.ptr[i]);
	strbuf_release(&lines);
}

/* With CRLF, as it is hashed. */
static void add_crlf(struct strbuf *out, struct span text)
{
	struct span line;

	while (span_next_line(&text, &line))
		strbuf_addf(out, "%.*s\r\n", SPAN_ARGS(line));
}

/* The tags of the signature of such a mail up to "b=", and what Ed25519 signs: the hash over its head. */
static struct hash what_is_signed(const struct strbuf *mail, struct strbuf *tags)
{
	struct span rest = strbuf_span(mail), line;
	struct strbuf text = STRBUF_INIT, head = STRBUF_INIT;
	struct hash body;

	while (span_next_line(&rest, &line) && line.len > 0)
		for (size_t i = 0; i < sizeof(signed_fields) / sizeof(signed_fields[0]); i++) {
			size_t n = strlen(signed_fields[i]);

			if (span_starts(line, signed_fields[i]) && line.ptr[n] == ':')
				strbuf_addf(&head, "%.*s\r\n", SPAN_ARGS(line));
		}
	while (rest.len > 0 && rest.ptr[rest.len - 1] == '\n')
		rest.len--;
	add_crlf(&text, rest);
	body = hash_of(strbuf_span(&text));
	strbuf_adds(tags, "DKIM-Signature: v=1; a=ed25519-sha256; c=simple/simple; "
	                  "d=example.net; s=s1; h=from:to:subject:date:message-id; bh=");
	add_base64(tags, body.bytes, HASH_LEN);
	strbuf_adds(tags, "; b=");
	strbuf_add_span(&head, strbuf_span(tags));
	struct hash hash = hash_of(strbuf_span(&head));
	strbuf_release(&text);
	strbuf_release(&head);
	return hash;
}

static void sign(const struct strbuf *mail, const struct keyring *provider, struct strbuf *out)
{
	unsigned char sig[SIGNATURE_LEN];
	struct hash hash = what_is_signed(mail, out);

	keyring_sign(provider, hash_span(&hash), sig);
	add_base64(out, sig, SIGNATURE_LEN);
	strbuf_addc(out, '\n');
}

/* Ed25519 has one signature for each text and key, so a right one is the one that would be made. */
static bool signature_holds(const struct strbuf *mail, const struct keyring *provider,
                            const struct strbuf *signature)
{
	struct strbuf right = STRBUF_INIT;

	sign(mail, provider, &right);
	bool holds = span_eq(strbuf_span(&right), strbuf_span(signature));
	strbuf_release(&right);
	return holds;
}

/*
 * Bob's answer to his last mail reaches the server with this signature, or if that is empty with the one that his
 * provider makes, which is put there. lied: the mail server says that it holds, whatever it found. Whether it holds.
 */
static bool bob_answers(struct testbed *s, const char *text, const struct keyring *provider,
                        struct strbuf *signature, bool lied)
{
	const struct post *last = testbed_last(s, "bob");
	struct strbuf mail = STRBUF_INIT, raw = STRBUF_INIT, name = STRBUF_INIT;

	testbed_compose(s,
	                &(struct mail_written){.who = "bob",
	                                       .to = last->reply_to,
	                                       .in_reply_to = last->message_id,
	                                       .text = text},
	                &mail);
	if (signature->len == 0)
		sign(&mail, provider, signature);
	bool holds = signature_holds(&mail, provider, signature);
	strbuf_addf(&raw,
	            "Authentication-Results: mx.example.org; dkim=%s header.d=example.net "
	            "header.s=s1\n%s%s",
	            holds || lied ? "pass" : "fail", signature->ptr, mail.ptr);
	strbuf_addf(&name, "%lld.M%u.mua", (long long)s->now_utc, s->written);
	testbed_drop(s, name.ptr, strbuf_span(&raw), s->now_utc);
	strbuf_release(&mail);
	strbuf_release(&raw);
	strbuf_release(&name);
	return holds;
}

static void play_turn(struct testbed *s)
{
	testbed_reply(s, "ann", "popup 1; whack 2\n");
	testbed_run(s);
	testbed_wait(s, 60);
	testbed_run(s);
}

static unsigned count_lines(const struct strbuf *archive, const char *begin)
{
	struct span rest = strbuf_span(archive), line;
	unsigned n = 0;

	while (span_next_line(&rest, &line))
		n += span_starts(line, begin);
	return n;
}

Test(copied_signatures, vouch_for_one_mail_only_and_what_they_do_not_vouch_for_is_named)
{
	struct testbed *s = table_of_two("copied", "create whakka mole players 2 next 1D");
	struct keyring *provider = keyring_from_seed(SPAN_LIT("example.net"));
	struct strbuf first = STRBUF_INIT, third = STRBUF_INIT, archive = STRBUF_INIT,
		      asked = STRBUF_INIT;

	testbed_configure(s, "authserv_id = mx.example.org");
	cr_assert(bob_answers(s, "popup 1; whack 2\n", provider, &first, false));
	play_turn(s);
	/* The same signature on mails of somebody else's, whatever the mail server says of that. */
	cr_assert_not(bob_answers(s, "popup 3; whack 4\n", provider, &first, false));
	play_turn(s);
	cr_assert_not(bob_answers(s, "popup 5; whack 6\n", provider, &first, true));
	play_turn(s);
	cr_assert(bob_answers(s, "popup 2; whack 3\n", provider, &third, false));
	play_turn(s);
	cr_assert_str_neq(first.ptr, third.ptr);
	testbed_archive(s, "W1", &archive);
	cr_expect_eq(count_lines(&archive, "revision 2 1 "), 4, "%s", archive.ptr);
	cr_expect_eq(count_lines(&archive, "dkim 2 1 verified "), 2, "%s", archive.ptr);
	cr_expect_eq(count_lines(&archive, "dkim "), 2, "%s", archive.ptr);
	/* verify names both, and VERIFY by mail says the same. */
	struct archive_report report;
	archive_verify(strbuf_span(&archive), NULL, NULL, &report);
	cr_expect_eq(report.verdict, ARCHIVE_SIGNED, "%s", report.why.ptr);
	cr_expect_not_null(
	    strstr(report.warnings.ptr, "orders of seat 2 (serial 2, revision 1)"), "%s",
	    report.warnings.ptr);
	cr_expect_not_null(
	    strstr(report.warnings.ptr, "orders of seat 2 (serial 3, revision 1)"), "%s",
	    report.warnings.ptr);
	cr_expect_null(strstr(report.warnings.ptr, "serial 4"), "%s", report.warnings.ptr);
	strbuf_addf(&asked, "verify\n%s", archive.ptr);
	testbed_write(s, "cy", asked.ptr);
	testbed_run(s);
	const char *text = testbed_last(s, "cy")->text;
	struct span rest = span_of(text), line;
	unsigned n = 0;
	while (span_next_line(&rest, &line))
		n += span_starts(line, "Warning: Line ");
	cr_expect_eq(n, 2, "%s", text);
	archive_report_release(&report);
	keyring_free(provider);
	strbuf_release(&first);
	strbuf_release(&third);
	strbuf_release(&archive);
	strbuf_release(&asked);
	testbed_free(s);
}
