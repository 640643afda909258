/*
 * flowed.c - joining flowed lines; linear in the text.
 */
#include "mail/text/flowed.h"

static size_t quote_depth(struct span line)
{
	size_t n = 0;

	while (n < line.len && line.ptr[n] == '>')
		n++;
	return n;
}

bool flowed_goes_on(struct span line)
{
	return line.len > 0 && line.ptr[line.len - 1] == ' ' && !span_eq_str(line, "-- ");
}

static void open_line(struct strbuf *out, size_t depth)
{
	strbuf_add_repeat(out, '>', depth);
	if (depth > 0)
		strbuf_addc(out, ' ');
}

void flowed_join(struct span text, bool delsp, struct strbuf *out)
{
	struct span line;
	size_t open_depth = 0;
	bool open = false;

	while (span_next_line(&text, &line)) {
		size_t depth = quote_depth(line);
		bool flows;

		line = span_slice(line, depth, line.len);
		if (line.len > 0 && line.ptr[0] == ' ')
			line = span_slice(line, 1, line.len); /* stuffed by the sender */
		/* A change of depth ends a paragraph, and so does the signature line. */
		if (open && (depth != open_depth || span_eq_str(line, "-- "))) {
			strbuf_addc(out, '\n');
			open = false;
		}
		if (!open)
			open_line(out, depth);
		flows = flowed_goes_on(line);
		if (flows && delsp)
			line.len--;
		strbuf_add_span(out, line);
		if (!flows)
			strbuf_addc(out, '\n');
		open = flows;
		open_depth = depth;
	}
	if (open)
		strbuf_addc(out, '\n');
}
