/*
 * flowed.c - joining flowed lines; linear in the text.
 */
#include "mail/text/flowed.h"

bool flowed_goes_on(struct span line)
{
	return line.len > 0 && line.ptr[line.len - 1] == ' ' && !span_eq_str(line, "-- ");
}

void flowed_join(struct span text, bool delsp, struct strbuf *out)
{
	struct span line;
	size_t open_depth = 0;
	bool open = false;

	while (span_next_line(&text, &line)) {
		size_t depth = 0;

		while (depth < line.len && line.ptr[depth] == '>')
			depth++;
		line = span_slice(line, depth, line.len);
		if (line.len > 0 && line.ptr[0] == ' ')
			line = span_slice(line, 1, line.len); /* stuffed by the sender */
		/* A change of depth ends a paragraph, and so does the signature line. */
		if (open && (depth != open_depth || span_eq_str(line, "-- "))) {
			strbuf_addc(out, '\n');
			open = false;
		}
		if (!open)
			strbuf_add_repeat(out, '>', depth);
		if (!open && depth > 0)
			strbuf_addc(out, ' ');
		bool flows = flowed_goes_on(line);
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
