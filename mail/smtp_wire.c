/*
 * smtp_wire.c - a message as it goes over the line.
 *
 * libcurl doubles a dot only behind CRLF. A bare LF or CR before one would go through as it
 * is, and a lenient server might take it for the end of the mail and the rest for commands.
 */
#include <string.h>

#include "mail/smtp.h"

#include "processor/base/banned.h"

static void add_without_cr(struct strbuf *out, struct span line)
{
	while (line.len > 0) {
		size_t n = span_find_char(line, '\r');

		strbuf_add(out, line.ptr, n);
		line = span_slice(line, n + 1, line.len);
	}
}

void smtp_wire(struct strbuf *out, struct span message)
{
	strbuf_clear(out);
	strbuf_grow(out, message.len + message.len / 32 + 2);
	while (message.len > 0) {
		size_t n = span_find_char(message, '\n');
		struct span line = span_slice(message, 0, n);

		if (memchr(line.ptr, '\r', line.len) != NULL)
			add_without_cr(out, line);
		else
			strbuf_add(out, line.ptr, line.len);
		strbuf_add(out, "\r\n", 2);
		message = span_slice(message, n + 1, message.len);
	}
}
