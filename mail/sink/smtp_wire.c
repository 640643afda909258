/*
 * smtp_wire.c - a message as it goes over the line.
 *
 * A dot that begins a line is doubled, RFC 5321 4.5.2, and no line ends but by CRLF: behind a
 * bare LF or CR a lenient server might take a dot for the end of the mail, and the rest for
 * commands.
 */
#include <string.h>

#include "mail/sink/smtp_talk.h"

static void add_without_cr(struct strbuf *out, struct span line)
{
	while (line.len > 0) {
		size_t n = span_find_char(line, '\r');

		strbuf_add(out, line.ptr, n);
		line = span_slice(line, n + 1, line.len);
	}
}

/* The line that begins there has no CR any more: one before the dot would have hidden it. */
static void double_dot(struct strbuf *out, size_t begin)
{
	strbuf_addc(out, '.');
	memmove(out->ptr + begin + 1, out->ptr + begin, out->len - 1 - begin);
}

void smtp_wire(struct strbuf *out, struct span message)
{
	strbuf_clear(out);
	strbuf_grow(out, message.len + message.len / 32 + 2);
	while (message.len > 0) {
		size_t n = span_find_char(message, '\n');
		struct span line = span_slice(message, 0, n);
		size_t begin = out->len;

		if (memchr(line.ptr, '\r', line.len) != NULL)
			add_without_cr(out, line);
		else
			strbuf_add(out, line.ptr, line.len);
		if (out->len > begin && out->ptr[begin] == '.')
			double_dot(out, begin);
		strbuf_add(out, "\r\n", 2);
		message = span_slice(message, n + 1, message.len);
	}
	strbuf_adds(out, SMTP_DOT);
}
