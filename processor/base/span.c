/*
 * span.c - looking at bytes without owning them.
 */
#include "processor/base/span.h"

#include <stdint.h>
#include <string.h>

struct span span_of(const char *cstr)
{
	return (struct span){cstr, cstr ? strlen(cstr) : 0};
}

bool span_eq(struct span a, struct span b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool span_same_str(struct span a, const char *cstr)
{
	return span_eq(a, span_of(cstr));
}

static bool same_nocase(const char *a, const char *b, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (ascii_lower(a[i]) != ascii_lower(b[i]))
			return false;
	return true;
}

bool span_alike(struct span a, struct span b)
{
	return a.len == b.len && same_nocase(a.ptr, b.ptr, a.len);
}

bool span_same_nocase(struct span a, const char *cstr)
{
	size_t i;

	for (i = 0; i < a.len; i++)
		if (cstr[i] == '\0' || ascii_lower(a.ptr[i]) != ascii_lower(cstr[i]))
			return false;
	return cstr[i] == '\0';
}

size_t span_index_nocase(struct span word, const char *const *words, size_t count)
{
	size_t i = 0;

	while (i < count && !span_eq_nocase(word, words[i]))
		i++;
	return i;
}

bool span_opens_nocase(struct span s, const char *prefix)
{
	struct span p = span_of(prefix);

	return s.len >= p.len && same_nocase(s.ptr, p.ptr, p.len);
}

int span_cmp(struct span a, struct span b)
{
	size_t common = a.len < b.len ? a.len : b.len;
	int order = common ? memcmp(a.ptr, b.ptr, common) : 0;

	if (order != 0)
		return order;
	return (a.len > b.len) - (a.len < b.len);
}

/* memmem() is not in POSIX; memchr does the skipping. */
size_t span_find(struct span s, struct span needle)
{
	if (needle.len == 0)
		return 0;
	for (size_t at = 0; at + needle.len <= s.len; at++) {
		struct span window = span_slice(s, at, s.len - needle.len + 1);
		size_t skip = span_find_char(window, needle.ptr[0]);

		if (skip == window.len)
			break;
		at += skip;
		if (memcmp(s.ptr + at, needle.ptr, needle.len) == 0)
			return at;
	}
	return s.len;
}

/* Of eight bytes: one for each that is zero. */
static unsigned count_zeroes(uint64_t bytes)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t others = (((bytes & 0x7f * ones) + 0x7f * ones) | bytes) & 0x80 * ones;

	return 8 - (unsigned)((others >> 7) * ones >> 56);
}

size_t span_count_char(struct span s, char c)
{
	const uint64_t wanted = UINT64_C(0x0101010101010101) * (unsigned char)c;
	uint64_t eight;
	size_t n = 0, i = 0;

	for (; i + sizeof(eight) <= s.len; i += sizeof(eight)) {
		memcpy(&eight, s.ptr + i, sizeof(eight));
		n += count_zeroes(eight ^ wanted);
	}
	for (; i < s.len; i++)
		n += s.ptr[i] == c;
	return n;
}

/* Of eight bytes: the top bit is set in one that is no printable ASCII, or in a later one. */
static uint64_t unprintable(uint64_t bytes)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);

	return ((bytes - ' ' * ones) | bytes | (bytes + ones)) & (0x80 * ones);
}

size_t span_printable(struct span s)
{
	uint64_t eight;
	size_t n = 0;

	for (; n + sizeof(eight) <= s.len; n += sizeof(eight)) {
		memcpy(&eight, s.ptr + n, sizeof(eight));
		if (unprintable(eight))
			break;
	}
	while (n < s.len && s.ptr[n] >= ' ' && s.ptr[n] <= '~')
		n++;
	return n;
}

static bool is_blank_or_line_end(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct span span_trim(struct span s)
{
	size_t from = 0, to = s.len;

	while (from < to && is_blank_or_line_end(s.ptr[from]))
		from++;
	while (to > from && is_blank_or_line_end(s.ptr[to - 1]))
		to--;
	return span_slice(s, from, to);
}

bool span_next_line(struct span *rest, struct span *line)
{
	size_t end;

	*line = SPAN_EMPTY;
	if (rest->len == 0)
		return false;
	end = span_find_char(*rest, '\n');
	*line = span_slice(*rest, 0, end);
	*rest = span_slice(*rest, end + (end < rest->len), rest->len);
	if (line->len > 0 && line->ptr[line->len - 1] == '\r')
		line->len--;
	return true;
}

/* Blank, tab and the ASCII bytes of `more`, as a set. */
struct byte_set {
	uint64_t bits[2];
};

static void byte_set_add(struct byte_set *set, char c)
{
	unsigned u = (unsigned char)c;

	if (u < 128)
		set->bits[u / 64] |= UINT64_C(1) << u % 64;
}

static struct byte_set separator_set(const char *more)
{
	struct byte_set set = {{0, 0}};

	byte_set_add(&set, ' ');
	byte_set_add(&set, '\t');
	for (; more != NULL && *more != '\0'; more++)
		byte_set_add(&set, *more);
	return set;
}

static bool byte_set_has(const struct byte_set *set, char c)
{
	unsigned u = (unsigned char)c;

	return u < 128 && (set->bits[u / 64] >> u % 64 & 1) != 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Nearly all who ask have no more separators: most of a position, of an order, of a mail. */
static bool next_blank_word(struct span *rest, struct span *word)
{
	const char *end = rest->ptr + rest->len, *from = rest->ptr, *to;

	while (from < end && is_blank(*from))
		from++;
	for (to = from; to < end && !is_blank(*to); to++)
		;
	*word = (struct span){from, (size_t)(to - from)};
	*rest = (struct span){to, (size_t)(end - to)};
	return to > from;
}

bool span_next_word(struct span *rest, const char *separators, struct span *word)
{
	if (rest->len > 0 && (separators == NULL || separators[0] == '\0'))
		return next_blank_word(rest, word);

	const struct byte_set ends = separator_set(separators);
	size_t from = 0, to;

	while (from < rest->len && byte_set_has(&ends, rest->ptr[from]))
		from++;
	for (to = from; to < rest->len && !byte_set_has(&ends, rest->ptr[to]); to++)
		;
	*word = span_slice(*rest, from, to);
	*rest = span_slice(*rest, to, rest->len);
	return word->len > 0;
}

/* The field after the last separator leaves rest.ptr NULL, so that "a," has two fields. */
bool span_next_field(struct span *rest, char sep, struct span *field)
{
	size_t end;

	*field = SPAN_EMPTY;
	if (rest->ptr == NULL)
		return false;
	end = span_find_char(*rest, sep);
	*field = span_slice(*rest, 0, end);
	if (end == rest->len)
		*rest = SPAN_EMPTY;
	else
		*rest = span_slice(*rest, end + 1, rest->len);
	return true;
}
