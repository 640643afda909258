/*
 * fuzz_smtp.c - any bytes as what a mail server says: a mail counts as sent only if each of the
 * server's answers to it said so, and no command is said where a text is waited for.
 *
 * The first byte chooses what the server has announced, the second in which pieces it speaks.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "mail/sink/smtp_talk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct span server; /* what it has still to say */
static size_t piece;
static struct strbuf heard; /* by the server */

static CURLcode fake_getinfo(CURL *easy, CURLINFO what, ...)
{
	(void)easy;
	(void)what;
	return CURLE_OK;
}

static CURLcode fake_send(CURL *easy, const void *bytes, size_t n, size_t *done)
{
	(void)easy;
	*done = n < 50 + piece ? n : 50 + piece;
	strbuf_add(&heard, bytes, *done);
	return CURLE_OK;
}

static CURLcode fake_recv(CURL *easy, void *to, size_t room, size_t *n)
{
	struct span now = span_slice(server, 0, piece < room ? piece : room);

	(void)easy;
	memcpy(to, now.ptr, now.len);
	*n = now.len;
	server = span_slice(server, now.len, server.len);
	return CURLE_OK;
}

/* The first three figures of an answer's last line, as they are; *text moves behind it. */
static struct span code_of_next(struct span *text)
{
	struct span line = SPAN_EMPTY;

	while (span_next_line(text, &line))
		if (line.len < 4 || line.ptr[3] != '-')
			return span_slice(line, 0, 3);
	return SPAN_EMPTY;
}

static bool says_so(struct span text)
{
	for (int stage = SMTP_AT_MAIL; stage <= SMTP_AT_DOT; stage++) {
		struct span code;

		if (stage == SMTP_AT_TEXT)
			continue;
		code = code_of_next(&text);
		if (code.len < 3 || code.ptr[0] != (stage == SMTP_AT_DATA ? '3' : '2'))
			return false;
	}
	return true;
}

static void check(const struct smtp_end *end, struct span said, struct span wire)
{
	struct span text = strbuf_span(&heard);
	size_t at = span_find(text, wire);
	bool whole = at < text.len;

	ENSURE(end->code == 0 || (end->code >= 100 && end->code <= 999));
	if (smtp_end_judge(end) == SMTP_SENT)
		ENSURE(whole && says_so(said));
	if (end->stage == SMTP_AT_DOT)
		ENSURE(whole);
	if (!whole && span_find(said, SPAN_LIT("354")) == said.len)
		ENSURE(span_find(text, SPAN_LIT("hello")) == text.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct libcurl fake = {.curl_easy_getinfo = fake_getinfo,
	                                    .curl_easy_send = fake_send,
	                                    .curl_easy_recv = fake_recv};
	struct span said = {(const char *)data, size}, text;
	struct strbuf wire = STRBUF_INIT;
	struct smtp_talk t;
	struct smtp_end end;

	if (size < 2)
		return 0;
	said = span_slice(said, 2, size);
	server = said;
	piece = 1 + data[1];
	strbuf_init(&heard);
	smtp_wire(&wire, SPAN_LIT("Subject: hi\n\nhello\n.\n"));
	smtp_talk_init(&t, &fake);
	smtp_talk_forget(&t);
	t.pipelining = data[0] & 1;
	t.takes_size = data[0] & 2;
	/* TLS: nothing is asked of a socket before reading. */
	ENSURE(smtp_talk_begin(&t, (CURL *)&t, true, 1));
	do {
		strbuf_clear(&heard);
		text = span_slice(said, said.len - server.len - (t.held - t.looked), said.len);
		end = smtp_talk_mail(&t, SPAN_LIT("a@b.org"), SPAN_LIT("c@d.org"),
		                     strbuf_span(&wire));
		check(&end, text, strbuf_span(&wire));
	} while (smtp_end_judge(&end) == SMTP_SENT);
	strbuf_clear(&heard);
	smtp_talk_quit(&t);
	ENSURE(heard.len == 0 || strcmp(heard.ptr, "QUIT\r\n") == 0);
	ENSURE(heard.len == 0 || end.stage != SMTP_AT_TEXT);
	smtp_talk_release(&t);
	strbuf_release(&wire);
	strbuf_release(&heard);
	return 0;
}
