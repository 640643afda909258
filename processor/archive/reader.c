/*
 * reader.c - taking an archive's lines and fields one by one.
 *
 * Trusts lines as archive_split leaves them. Numbers, times, digests and texts
 * come back in range and in their one form, or the reader's `ok` is false.
 */
#include "processor/archive/reader.h"

#include "processor/base/clock.h"

void reader_refuse(struct reader *r, const char *what)
{
	if (r->ok && r->at > 0)
		archive_fault(r->a, archive_line_number(r->a, r->at - 1), "%s", what);
	r->ok = false;
}

/* Lines. */

bool reader_has_keyword(const struct reader *r, size_t i, const char *keyword)
{
	struct span k = span_of(keyword), text;

	if (i >= r->a->nlines)
		return false;
	text = r->a->lines[i].text;
	return text.len > k.len && span_starts(text, keyword) && text.ptr[k.len] == ' ';
}

/* How many lines with this keyword follow. */
size_t reader_count(const struct reader *r, const char *keyword)
{
	size_t n = 0;

	while (r->ok && reader_has_keyword(r, r->at + n, keyword))
		n++;
	return n;
}

size_t reader_count_hidden(const struct reader *r)
{
	size_t n = 0;

	while (r->at + n < r->a->nlines && r->a->lines[r->at + n].form == LINE_HIDDEN)
		n++;
	return n;
}

static bool form_fits(struct reader *r, const char *keyword, bool hidden)
{
	enum line_form expected = !hidden    ? LINE_PUBLIC
	                          : r->ended ? LINE_REVEALED
	                                     : LINE_HIDDEN;
	static const char *const forms[] = {"in clear", "as 'hidden'", "as 'revealed'"};

	if (r->at >= r->a->nlines)
		return archive_fault(r->a, r->a->chain_line,
		                     "a line '%s' is missing before this one", keyword);
	if (r->a->lines[r->at].form == expected)
		return true;
	return archive_fault(r->a, archive_line_number(r->a, r->at),
	                     "a line '%s' should stand here, %s", keyword, forms[expected]);
}

/* Takes the next line in hand; hidden_by as archive_is_hidden. */
void reader_begin(struct reader *r, const char *keyword, unsigned hidden_by)
{
	r->is_hidden = !r->ended && archive_is_hidden(r->a->facts, hidden_by);
	r->rest = SPAN_EMPTY;
	if (!r->ok)
		return;
	r->ok = form_fits(r, keyword, archive_is_hidden(r->a->facts, hidden_by));
	if (r->ok && !r->is_hidden && !reader_has_keyword(r, r->at, keyword))
		r->ok = archive_fault(r->a, archive_line_number(r->a, r->at),
		                      "a line '%s' should stand here", keyword);
	if (!r->ok)
		return;
	if (!r->is_hidden)
		r->rest = span_slice(r->a->lines[r->at].text, span_of(keyword).len + 1,
		                     r->a->lines[r->at].text.len);
	r->at++;
}

void reader_end(struct reader *r)
{
	if (r->ok && r->rest.ptr != NULL)
		reader_refuse(r, "it has more fields than it should");
}

/* Fields. */

struct span take_field(struct reader *r)
{
	struct span f = SPAN_EMPTY;

	if (r->ok && !span_next_field(&r->rest, ' ', &f))
		reader_refuse(r, "it has fewer fields than it should");
	return f;
}

/* All that is left of the line, blanks and all. */
struct span take_rest(struct reader *r)
{
	struct span f = r->rest;

	if (r->ok && f.ptr == NULL)
		reader_refuse(r, "it has fewer fields than it should");
	r->rest = SPAN_EMPTY;
	return f;
}

int64_t take_number(struct reader *r, int64_t min, int64_t max)
{
	struct span f = take_field(r);
	int64_t n = min;

	if (r->ok && !archive_parse_number(f, min, max, &n))
		reader_refuse(r,
		              "a number in it is not written as it should be, or out of range");
	return n;
}

unsigned take_small(struct reader *r, unsigned min, unsigned max)
{
	return (unsigned)take_number(r, min, max);
}

unsigned take_seat(struct reader *r)
{
	return take_small(r, 1, r->record->nseats);
}

int64_t take_time(struct reader *r)
{
	struct span f = take_field(r);
	int64_t t = 0;

	if (r->ok && !utc_parse_iso(f, &t))
		reader_refuse(r, "a time in it is not written as 2026-03-12T18:02:00Z");
	return t;
}

struct hash take_hash(struct reader *r)
{
	struct span f = take_field(r);
	struct hash d = {{0}};

	if (r->ok && !hash_parse(f, &d))
		reader_refuse(r, "a digest in it does not have 64 digits 0-9 a-f");
	return d;
}

struct span take_word(struct reader *r)
{
	struct span f = take_field(r), word = SPAN_EMPTY;

	if (r->ok && !archive_read_word(f, r->a->arena, &word))
		reader_refuse(r, "a word in it is not escaped as it should be");
	return word;
}

struct span take_text(struct reader *r)
{
	struct span f = take_rest(r), text = SPAN_EMPTY;

	if (r->ok && !archive_read_text(f, r->a->arena, &text))
		reader_refuse(r, "the text in it is not escaped as it should be");
	return text;
}

/* For what becomes a C string: an escaped NUL would cut it short unseen. */
const char *reader_cstr(struct reader *r, struct span text)
{
	if (r->ok && span_find_char(text, '\0') < text.len)
		reader_refuse(r, "it holds a NUL byte");
	return arena_cstr(r->a->arena, text);
}

/* One of two words. */
bool take_choice(struct reader *r, const char *yes, const char *no)
{
	struct span f = take_field(r);

	if (r->ok && !span_eq_str(f, yes) && !span_eq_str(f, no))
		reader_refuse(r, "a word in it is none of those that can stand there");
	return r->ok && span_eq_str(f, yes);
}

/* Lines with one field. */

const char *read_text_line(struct reader *r, const char *keyword)
{
	reader_begin(r, keyword, 0);
	return arena_cstr(r->a->arena, take_rest(r));
}

int64_t read_time_line(struct reader *r, const char *keyword, bool optional)
{
	int64_t t = 0;

	reader_begin(r, keyword, 0);
	if (optional && span_eq_str(r->rest, "-"))
		r->rest = SPAN_EMPTY;
	else
		t = take_time(r);
	reader_end(r);
	return t;
}

/* Zero when the line is hidden. */
struct hash read_hash_line(struct reader *r, const char *keyword, unsigned hidden_by)
{
	struct hash d = {{0}};

	reader_begin(r, keyword, hidden_by);
	if (!r->is_hidden)
		d = take_hash(r);
	reader_end(r);
	return d;
}
