/*
 * encoding.c - quoted-printable, as a mail needs it.
 */
#include "mail/sink/encoding.h"

enum { LINE_COLS = 76 };

static const char hex_digits[] = "0123456789ABCDEF";

/* Bytes that stand for themselves anywhere in a line; blanks are decided where they stand. */
static bool qp_is_plain(unsigned char c)
{
	return c > ' ' && c <= '~' && c != '=';
}

/* What some mailbox or mail server on the way would change at the start of a line. */
static bool needs_guard(struct span line)
{
	return line.len > 0 && (line.ptr[0] == '.' || span_starts(line, "From "));
}

/* Most lines of most mails: as they are, they are quoted-printable already. */
static bool qp_is_itself(struct span line)
{
	return line.len < LINE_COLS && span_printable(line) == line.len &&
	       span_find_char(line, '=') == line.len && !needs_guard(line) &&
	       (line.len == 0 || line.ptr[line.len - 1] != ' ');
}

static void add_qp_byte(struct strbuf *out, unsigned char c, bool plain, size_t *col)
{
	size_t width = plain ? 1 : 3;

	if (*col + width > LINE_COLS - 1) {
		strbuf_adds(out, "=\n");
		*col = 0;
	}
	if (plain) {
		strbuf_addc(out, (char)c);
	} else {
		strbuf_addc(out, '=');
		strbuf_addc(out, hex_digits[c >> 4]);
		strbuf_addc(out, hex_digits[c & 15]);
	}
	*col += width;
}

static void add_qp_line(struct strbuf *out, struct span line)
{
	size_t col = 0, i;

	for (i = 0; i < line.len; i++) {
		unsigned char c = (unsigned char)line.ptr[i];
		bool blank = c == ' ' || c == '\t';
		bool plain = qp_is_plain(c) || (blank && i + 1 < line.len);

		/* A soft break can put any byte at the start of a line. */
		if (col == 0 || col + 1 > LINE_COLS - 1)
			plain = plain && !needs_guard(span_slice(line, i, line.len));
		add_qp_byte(out, c, plain, &col);
	}
	strbuf_addc(out, '\n');
}

void quoted_printable_add(struct strbuf *out, struct span text)
{
	struct span line;

	strbuf_grow(out, text.len + text.len / 4);
	while (span_next_line(&text, &line)) {
		if (qp_is_itself(line)) {
			strbuf_add_span(out, line);
			strbuf_addc(out, '\n');
		} else {
			add_qp_line(out, line);
		}
	}
}
