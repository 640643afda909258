/*
 * header.c - splitting a header block.
 */
#include "mail/header.h"

#include "processor/base/banned.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* A field starts at the left margin and has a name of printable ASCII before its colon. */
static bool line_opens_field(struct span line, struct header_field *f)
{
	size_t colon = span_find_char(line, ':');
	size_t i;

	if (colon == line.len || colon == 0 || is_blank(line.ptr[0]))
		return false;
	f->name = span_trim(span_slice(line, 0, colon));
	for (i = 0; i < f->name.len; i++)
		if (f->name.ptr[i] <= ' ' || f->name.ptr[i] > '~')
			return false;
	f->value = span_slice(line, colon + 1, line.len);
	return f->name.len > 0;
}

static void extend_to(struct span *s, const char *end)
{
	s->len = (size_t)(end - s->ptr);
}

/* The block's length in bytes, empty line excluded, how many lines it has, and what lies behind it. */
static size_t find_body(struct span raw, size_t *nlines, struct span *body)
{
	struct span rest = raw, line;

	*nlines = 0;
	while (span_next_line(&rest, &line)) {
		++*nlines;
		if (line.len > 0)
			continue;
		*body = rest;
		return (size_t)(line.ptr - raw.ptr);
	}
	*body = SPAN_EMPTY;
	return raw.len;
}

void header_split(struct span raw, struct arena *arena, struct header *out)
{
	size_t nlines, len = find_body(raw, &nlines, &out->body);
	struct span rest, line;
	struct header_field *open = NULL;

	out->fault = len > HEADER_MAX_BYTES ? MAIL_HEADER_TOO_LARGE : MAIL_OK;
	out->count = 0;
	out->len = len;
	out->fields = arena_calloc(arena,
	                           nlines < HEADER_MAX_FIELDS ? nlines : HEADER_MAX_FIELDS,
	                           sizeof(*out->fields));
	rest = span_slice(raw, 0, len > HEADER_MAX_BYTES ? HEADER_MAX_BYTES : len);
	while (span_next_line(&rest, &line)) {
		struct header_field f;

		if (line.len > 0 && is_blank(line.ptr[0])) {
			if (open)
				extend_to(&open->value, line.ptr + line.len);
			continue;
		}
		open = NULL;
		if (!line_opens_field(line, &f))
			continue;
		if (out->count == HEADER_MAX_FIELDS) {
			out->fault = MAIL_HEADER_TOO_LARGE;
			break;
		}
		open = &out->fields[out->count++];
		*open = f;
	}
	for (size_t i = 0; i < out->count; i++)
		out->fields[i].value = span_trim(out->fields[i].value);
}

struct span header_skip_mbox_line(struct span raw)
{
	struct span line;

	if (span_starts(raw, "From ") || span_starts(raw, ">From "))
		span_next_line(&raw, &line);
	return raw;
}

struct span header_unfold(struct span value, struct arena *arena)
{
	char *to = arena_alloc(arena, value.len + 1);
	size_t n = 0, i;

	for (i = 0; i < value.len; i++) {
		unsigned char c = (unsigned char)value.ptr[i];

		if (c == '\r' || c == '\n')
			continue;
		to[n++] = (char)(c < ' ' || c == 0x7f ? ' ' : c);
	}
	return (struct span){to, n};
}

bool header_is_trace(struct span name)
{
	static const char *const trace[] = {"received", "delivered-to", "x-original-to",
	                                    "return-path", "authentication-results"};
	size_t i;

	for (i = 0; i < sizeof(trace) / sizeof(trace[0]); i++)
		if (span_eq_nocase(name, trace[i]))
			return true;
	return span_starts_nocase(name, "arc-");
}
