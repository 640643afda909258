/*
 * read_back.c - the body of a mail of our own, from its finished bytes.
 *
 * Trusts: only messages that mail_compose made are read here, so a blank line ends the
 * header and the body is quoted-printable; anything else is refused.
 */
#include <string.h>

#include "mail/compose.h"

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* One "=XX" or "=" at a line end; the number of bytes used after '=', or -1. */
static int decode_escape(struct span rest, struct strbuf *text)
{
	if (rest.len >= 1 && rest.ptr[0] == '\n')
		return 1;
	if (rest.len < 2 || hex_value(rest.ptr[0]) < 0 || hex_value(rest.ptr[1]) < 0)
		return -1;
	strbuf_addc(text, (char)(hex_value(rest.ptr[0]) * 16 + hex_value(rest.ptr[1])));
	return 2;
}

static bool decode_body(struct span body, struct strbuf *text)
{
	for (size_t i = 0; i < body.len; i++) {
		if (body.ptr[i] != '=') {
			strbuf_addc(text, body.ptr[i]);
			continue;
		}
		int used = decode_escape(span_slice(body, i + 1, body.len), text);
		if (used < 0)
			return false;
		i += (size_t)used;
	}
	return true;
}

/* What compose.c puts in front of lines of flowed text. */
static void add_unstuffed(struct span body, struct strbuf *text)
{
	struct span line;

	while (span_next_line(&body, &line)) {
		strbuf_add_span(text, line.len > 0 && line.ptr[0] == ' '
		                          ? span_slice(line, 1, line.len)
		                          : line);
		strbuf_addc(text, '\n');
	}
}

/* The first of several parts, header and all; false when the body is one. */
static bool first_part(struct span *message)
{
	size_t body = span_find(*message, SPAN_LIT("\n\n")) + strlen("\n\n");
	struct span rest = span_slice(*message, body, message->len), boundary;

	if (!span_starts(rest, "--=_molepost_") || !span_next_line(&rest, &boundary))
		return false;
	/* A text is never empty: the line end before the next boundary stands behind some of it. */
	for (size_t i = 0; i < rest.len; i++)
		if (rest.ptr[i] == '\n' &&
		    span_eq(span_slice(rest, i + 1, i + 1 + boundary.len), boundary)) {
			*message = span_slice(rest, 0, i);
			return true;
		}
	return false;
}

bool mail_read_back(struct span message, struct strbuf *text)
{
	while (first_part(&message))
		;
	size_t end = span_find(message, SPAN_LIT("\n\n"));
	struct span header = span_slice(message, 0, end);
	struct strbuf body = STRBUF_INIT;
	bool ok;

	if (end == message.len)
		return false;
	if (span_find(header, SPAN_LIT("; format=flowed")) == header.len)
		return decode_body(span_slice(message, end + 2, message.len), text);
	ok = decode_body(span_slice(message, end + 2, message.len), &body);
	add_unstuffed(strbuf_span(&body), text);
	strbuf_release(&body);
	return ok;
}

void mail_read_file(struct span message, struct strbuf *text)
{
	const struct span boundary = SPAN_LIT("\n--=_molepost_mixed\n");

	for (int part = 0; part < 2; part++) { /* the text is the first */
		size_t at = span_find(message, boundary);

		if (at == message.len)
			return;
		message = span_slice(message, at + boundary.len, message.len);
	}
	/* A file ends in a line end of its own before that of the boundary. */
	message = span_slice(message, 0, span_find(message, SPAN_LIT("\n--=_molepost_mixed")));
	size_t end = span_find(message, SPAN_LIT("\n\n"));
	if (span_find(span_slice(message, 0, end), SPAN_LIT("quoted-printable")) < end)
		(void)decode_body(span_slice(message, end + 2, message.len), text);
}

/* ---- the subject ---- */

static int base64_value(char c)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

static void decode_b(struct span text, struct strbuf *out)
{
	unsigned v = 0, bits = 0;

	for (size_t i = 0; i < text.len && base64_value(text.ptr[i]) >= 0; i++) {
		v = (v << 6 | (unsigned)base64_value(text.ptr[i])) & 0xffff;
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			strbuf_addc(out, (char)(v >> bits & 0xff));
		}
	}
}

static void decode_q(struct span text, struct strbuf *out)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] != '=') {
			strbuf_addc(out, text.ptr[i] == '_' ? ' ' : text.ptr[i]);
			continue;
		}
		int used = decode_escape(span_slice(text, i + 1, text.len), out);
		i += used > 0 ? (size_t)used : 0;
	}
}

/* A word that compose.c encoded, all of it; false when it is none. */
static bool decode_word(struct span word, struct strbuf *out)
{
	static const char q[] = "=?utf-8?q?", b[] = "=?utf-8?b?";
	bool is_q = span_starts(word, q);

	if ((!is_q && !span_starts(word, b)) || word.len < sizeof q + 1)
		return false;
	word = span_slice(word, sizeof q - 1, word.len - strlen("?="));
	if (is_q)
		decode_q(word, out);
	else
		decode_b(word, out);
	return true;
}

void mail_read_subject(struct span message, struct strbuf *subject)
{
	static const char name[] = "\nSubject: ";
	size_t at = span_find(message, span_of(name));
	struct span rest, line, word;
	bool encoded = false, any = false;

	if (at > span_find(message, SPAN_LIT("\n\n")))
		return;
	rest = span_slice(message, at + sizeof name - 1, message.len);
	for (bool first = true; span_next_line(&rest, &line); first = false) {
		if (!first && (line.len == 0 || line.ptr[0] != ' '))
			return;
		while (span_next_word(&line, "", &word)) {
			struct strbuf text = STRBUF_INIT;
			bool is_word = decode_word(word, &text);

			/* Between two encoded words a blank means nothing (RFC 2047, section 6.2). */
			if (any && !(is_word && encoded))
				strbuf_addc(subject, ' ');
			strbuf_add_span(subject, is_word ? strbuf_span(&text) : word);
			encoded = is_word;
			any = true;
			strbuf_release(&text);
		}
	}
}
