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

static void extend_to(struct span *s, const char *end)
{
	s->len = (size_t)(end - s->ptr);
}

/* The fields on their way into the arena, when it is known how many there are. */
struct fields {
	struct header_field all[HEADER_MAX_FIELDS];
	size_t n;
	struct header_field *open; /* a folded line goes on with it; NULL = with none of them */
	bool too_many;
};

static void take_line(struct fields *f, struct span line)
{
	struct header_field field;

	if (f->too_many)
		return;
	if (ascii_is_blank(line.ptr[0])) {
		if (f->open)
			extend_to(&f->open->value, line.ptr + line.len);
		return;
	}
	f->open = NULL;
	if (!line_opens_field(line, &field))
		return;
	f->too_many = f->n == HEADER_MAX_FIELDS;
	if (f->too_many)
		return;
	f->open = &f->all[f->n++];
	*f->open = field;
}

static struct header_field *keep(struct fields *f, struct arena *arena)
{
	struct header_field *kept = arena_calloc(arena, f->n, sizeof(*kept));

	for (size_t i = 0; i < f->n; i++)
		kept[i] = (struct header_field){f->all[i].name, span_trim(f->all[i].value)};
	return kept;
}

void header_split(struct span raw, struct arena *arena, struct header *out)
{
	struct span rest = raw, line;
	struct fields f;

	f.n = 0;
	f.open = NULL;
	f.too_many = false;
	out->len = 0;
	out->body = SPAN_EMPTY;
	while (span_next_line(&rest, &line)) {
		if (line.len == 0) {
			out->body = rest;
			break;
		}
		if (out->len < HEADER_MAX_BYTES)
			take_line(&f, line);
		out->len += line.len + 1;
	}
	out->fault = f.too_many || out->len > HEADER_MAX_BYTES ? MAIL_HEADER_TOO_LARGE
	                                                       : MAIL_OK;
	out->count = f.n;
	out->fields = keep(&f, arena);
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
	size_t i;

	for (i = 0; i < sizeof(trace) / sizeof(trace[0]); i++)
		if (span_eq_nocase(name, trace[i]))
			return true;
	return span_starts_nocase(name, "arc-");
}
