/*
 * header.c - splitting a header block.
 */
#include "mail/text/header.h"

/* A field starts at the left margin and has a name of printable ASCII before its colon. */
static bool line_opens_field(struct span line, struct header_field *f)
{
	size_t colon = span_find_char(line, ':');
	size_t i;

	if (colon == line.len || colon == 0 || ascii_is_blank(line.ptr[0]))
		return false;
	f->name = span_trim(span_slice(line, 0, colon));
	for (i = 0; i < f->name.len; i++)
		if (f->name.ptr[i] <= ' ' || f->name.ptr[i] > '~')
			return false;
	f->value = span_slice(line, colon + 1, line.len);
	return f->name.len > 0;
}

void header_split(struct span raw, struct arena *arena, struct header *out)
{
	/* On their way into the arena, when it is known how many there are. */
	struct header_field all[HEADER_MAX_FIELDS], next;
	struct header_field *open = NULL; /* a folded line goes on with it; NULL = with none */
	struct span rest = raw, line;
	bool too_many = false;
	size_t count = 0;

	*out = (struct header){.fault = MAIL_OK};
	while (span_next_line(&rest, &line)) {
		if (line.len == 0) {
			out->body = rest;
			break;
		}
		bool counts = !too_many && out->len < HEADER_MAX_BYTES;
		out->len += line.len + 1;
		if (!counts)
			continue;
		if (ascii_is_blank(line.ptr[0])) {
			if (open)
				open->value.len =
				    (size_t)(line.ptr + line.len - open->value.ptr);
			continue;
		}
		open = NULL;
		if (!line_opens_field(line, &next))
			continue;
		too_many = count == HEADER_MAX_FIELDS;
		if (!too_many) {
			open = &all[count++];
			*open = next;
		}
	}
	if (too_many || out->len > HEADER_MAX_BYTES)
		out->fault = MAIL_HEADER_TOO_LARGE;
	out->count = count;
	out->fields = arena_calloc(arena, count, sizeof(*out->fields));
	for (size_t i = 0; i < count; i++)
		out->fields[i] = (struct header_field){all[i].name, span_trim(all[i].value)};
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
	size_t n = 0;

	for (size_t i = 0; i < value.len; i++) {
		unsigned char c = (unsigned char)value.ptr[i];

		if (c == '\r' || c == '\n')
			continue;
		to[n++] = (char)(c < ' ' || c == 0x7f ? ' ' : c);
	}
	return (struct span){to, n};
}

struct span header_value(const struct header *h, const char *name, struct arena *arena)
{
	for (size_t i = 0; i < h->count; i++)
		if (span_eq_nocase(h->fields[i].name, name))
			return header_unfold(h->fields[i].value, arena);
	return SPAN_EMPTY;
}

size_t header_count(const struct header *h, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < h->count; i++)
		n += span_eq_nocase(h->fields[i].name, name);
	return n;
}

bool header_is_trace(struct span name)
{
	static const char *const trace[] = {"received", "delivered-to", "x-original-to",
	                                    "return-path", "authentication-results"};

	return span_in_nocase(name, trace, sizeof(trace) / sizeof(trace[0])) ||
	       span_starts_nocase(name, "arc-");
}
