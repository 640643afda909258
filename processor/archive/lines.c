/*
 * lines.c - from any bytes to chained lines.
 *
 * Trusts nothing. After archive_split every line is valid UTF-8 without control
 * characters, was folded in the one way there is, and is public, hidden with a
 * leaf, or revealed; chain and signature lines have been read. What the lines say
 * is the business of read.c.
 */
#include "processor/archive/private.h"

#include <stdarg.h>

#include "processor/base/num.h"
#include "processor/base/utf8.h"

bool archive_fault(struct archive *a, unsigned file_line, const char *fmt, ...)
{
	va_list ap;

	if (a->why.len > 0)
		return false;
	a->bad_line = file_line;
	va_start(ap, fmt);
	strbuf_vaddf(&a->why, fmt, ap);
	va_end(ap);

	/* A fault may quote what stood there, and is read on terminals. */
	for (size_t i = 0; i < a->why.len; i++)
		if ((unsigned char)a->why.ptr[i] < 0x20 || a->why.ptr[i] == 0x7f)
			a->why.ptr[i] = '?';
	return false;
}

unsigned archive_line_number(const struct archive *a, size_t i)
{
	return i < a->nlines ? a->lines[i].number : a->chain_line;
}

/* Where we are in the file, and the chained line whose pieces are being collected. */
struct splitter {
	struct archive *a;
	size_t cap;
	unsigned number;       /* of the file's line in hand */
	unsigned first_number; /* of the collected line's first piece */
	struct strbuf whole;   /* the collected line; empty: none */
	struct strbuf printed; /* its pieces as they stood there */
};

/* The collected line, if there is one, is complete. */
static bool finish_line(struct splitter *s)
{
	struct archive *a = s->a;

	if (s->whole.len == 0)
		return true;

	struct strbuf again = STRBUF_INIT;
	bool same;

	archive_add_folded(&again, strbuf_span(&s->whole));
	same = span_eq(strbuf_span(&again), strbuf_span(&s->printed));
	strbuf_release(&again);
	if (!same)
		return archive_fault(a, s->first_number,
		                     "it is not folded at 160 bytes as it should be");
	a->lines = xgrow(a->lines, &s->cap, a->nlines + 1, sizeof(a->lines[0]));
	a->lines[a->nlines] = (struct archive_line){0};

	struct span text = arena_dup(a->arena, strbuf_span(&s->whole));
	struct archive_line *line = &a->lines[a->nlines];

	line->number = s->first_number;
	line->form = LINE_PUBLIC;
	line->text = text;
	if (span_starts(text, "revealed ")) {
		line->form = LINE_REVEALED;
		line->text = span_slice(text, 9, text.len);
	} else if (span_starts(text, "hidden ")) {
		line->form = LINE_HIDDEN;
		line->text = SPAN_EMPTY;
		if (!hash_parse(span_slice(text, 7, text.len), &line->leaf))
			return archive_fault(a, line->number,
			                     "a hidden line is 'hidden' and 64 digits 0-9 a-f");
	}
	a->nlines++;
	strbuf_clear(&s->whole);
	strbuf_clear(&s->printed);
	return true;
}

static bool collect(struct splitter *s, struct span line)
{
	bool continues = line.ptr[0] == '+';

	if (continues && s->whole.len == 0)
		return archive_fault(s->a, s->number, "it continues no line");
	if (!continues) {
		if (!finish_line(s))
			return false;
		s->first_number = s->number;
	}
	strbuf_add_span(&s->whole, span_slice(line, continues, line.len));
	strbuf_add_span(&s->printed, line);
	strbuf_addc(&s->printed, '\n');
	return true;
}

bool archive_parse_number(struct span text, int64_t min, int64_t max, int64_t *out)
{
	struct span digits = span_slice(text, text.len > 0 && text.ptr[0] == '-', text.len);

	if (digits.len > 0 && digits.ptr[0] == '0' && text.len > 1)
		return false;
	return num_parse_i64(text, min, max, out);
}

/* "chain COUNT HEAD", the first line after the chained ones. */
static bool read_chain(struct splitter *s, struct span line)
{
	struct archive *a = s->a;
	struct span rest = span_slice(line, 6, line.len), count;
	int64_t n;

	if (!finish_line(s))
		return false;
	if (!span_next_field(&rest, ' ', &count) ||
	    !archive_parse_number(count, 0, INT32_MAX, &n) || !hash_parse(rest, &a->head))
		return archive_fault(
		    a, s->number, "the chain line is 'chain', a number and 64 digits 0-9 a-f");
	a->chain_line = s->number;
	a->chain_count = (unsigned)n;
	return true;
}

static bool read_signature(struct splitter *s, struct span line)
{
	struct archive *a = s->a;

	if (a->is_signed || !span_starts(line, "signature "))
		return archive_fault(a, s->number,
		                     "after the chain line there is at most a signature line");
	if (!num_parse_hex(span_slice(line, 10, line.len), a->signature, SIGNATURE_LEN))
		return archive_fault(a, s->number, "a signature has 128 digits 0-9 a-f");
	a->is_signed = true;
	a->signature_line = s->number;
	return true;
}

static bool take_line(struct splitter *s, struct span line)
{
	for (size_t i = 0; i < line.len; i++) {
		unsigned char c = (unsigned char)line.ptr[i];

		if (c < 0x20 || c == 0x7f)
			return archive_fault(s->a, s->number,
			                     "it holds a control character (byte %02x)", c);
	}
	if (!utf8_valid(line))
		return archive_fault(s->a, s->number, "it is not valid UTF-8");
	if (line.len == 0)
		return archive_fault(s->a, s->number, "an archive has no empty lines");
	if (s->a->chain_line != 0)
		return read_signature(s, line);
	if (span_starts(line, "chain "))
		return read_chain(s, line);
	return collect(s, line);
}

/* Everything from the line after the begin line to the end line. */
static bool split_body(struct splitter *s, struct span *rest)
{
	struct span line;

	while (span_next_line(rest, &line)) {
		s->number++;
		if (archive_ends(line) == s->a->record.version) {
			if (s->a->chain_line == 0)
				return archive_fault(s->a, s->number,
				                     "the chain line is missing");
			return true;
		}
		if (!take_line(s, line))
			return false;
	}
	return archive_fault(s->a, s->number,
	                     "the archive breaks off: its end line is missing");
}

/* The version of the archive that begins next; 0: none does. */
static unsigned find_begin(struct splitter *s, struct span *rest)
{
	struct span line;

	while (span_next_line(rest, &line)) {
		s->number++;
		unsigned version = archive_begins(line);
		if (version > 0)
			return version;
	}
	return 0;
}

bool archive_split(struct archive *a, struct span file)
{
	struct splitter s = {.a = a, .whole = STRBUF_INIT, .printed = STRBUF_INIT};
	bool ok;

	a->record.version = find_begin(&s, &file);
	if (a->record.version == 0)
		ok = archive_fault(a, 0, "there is no line '%s', and none of an older version",
		                   archive_begin(RECORD_VERSION_NEWEST));
	else
		ok = split_body(&s, &file);
	if (ok && find_begin(&s, &file) > 0)
		ok = archive_fault(a, s.number, "a second archive begins here");
	strbuf_release(&s.whole);
	strbuf_release(&s.printed);
	return ok;
}
