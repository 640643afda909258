/*
 * read_back.c - the body of a mail of our own, from its finished bytes.
 *
 * Trusts: only messages that mail_compose made are read here, so a blank line ends the
 * header and the body is quoted-printable; anything else is refused.
 */
#include <string.h>

#include "mail/compose.h"
#include "mail/text/encoded_words.h"
#include "mail/text/header.h"

/* False: a '=' has neither two digits nor a line end behind it. */
static bool decode_body(struct span body, struct strbuf *text)
{
	for (size_t i = 0; i < body.len; i++) {
		struct span escape = span_slice(body, i + 1, i + 3);

		if (body.ptr[i] != '=') {
			strbuf_addc(text, body.ptr[i]);
		} else if (escape.len > 0 && escape.ptr[0] == '\n') {
			i++;
		} else if (escape.len == 2 && ascii_hex_value(escape.ptr[0]) >= 0 &&
		           ascii_hex_value(escape.ptr[1]) >= 0) {
			strbuf_addc(text, (char)(ascii_hex_value(escape.ptr[0]) * 16 +
			                         ascii_hex_value(escape.ptr[1])));
			i += 2;
		} else {
			return false;
		}
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

void mail_read_subject(struct span message, struct strbuf *subject)
{
	struct charsets *charsets = charsets_new(CHARSETS_OF_ONE_BYTE);
	struct arena *arena = arena_new();
	struct header header;

	header_split(message, arena, &header);
	strbuf_add_span(subject, encoded_words_decode(header_value(&header, "subject", arena),
	                                              charsets, arena));
	arena_free(arena);
	charsets_free(charsets);
}
