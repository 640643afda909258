/*
 * utf8.c - UTF-8 without a locale, with a short way for plain ASCII.
 */
#include "processor/base/utf8.h"

#include <stdlib.h>
#include <utf8proc.h>

#include "processor/base/err.h"

enum { REPLACEMENT = 0xFFFD, NO_CHAR = 0 };

static bool is_ascii(struct span s)
{
	unsigned char all = 0;

	for (size_t i = 0; i < s.len; i++)
		all |= (unsigned char)s.ptr[i];
	return all < 0x80;
}

/* How many bytes the next code point takes, or -1 when they are not UTF-8. */
static utf8proc_ssize_t peek(struct span s, utf8proc_int32_t *cp)
{
	utf8proc_ssize_t len = s.len < 4 ? (utf8proc_ssize_t)s.len : 4;

	len = utf8proc_iterate((const utf8proc_uint8_t *)s.ptr, len, cp);
	return len > 0 ? len : -1;
}

bool utf8_valid(struct span s)
{
	if (is_ascii(s))
		return true;
	while (s.len > 0) {
		utf8proc_int32_t cp;
		utf8proc_ssize_t len = peek(s, &cp);

		if (len < 0)
			return false;
		s = span_slice(s, (size_t)len, s.len);
	}
	return true;
}

bool utf8_next(struct span *rest, uint32_t *cp)
{
	utf8proc_int32_t c;
	utf8proc_ssize_t len;

	if (rest->len == 0)
		return false;
	if ((unsigned char)rest->ptr[0] < 0x80) {
		*cp = (unsigned char)rest->ptr[0];
		*rest = span_slice(*rest, 1, rest->len);
		return true;
	}
	len = peek(*rest, &c);
	*cp = len < 0 ? REPLACEMENT : (uint32_t)c;
	*rest = span_slice(*rest, len < 0 ? 1 : (size_t)len, rest->len);
	return true;
}

void utf8_add(struct strbuf *out, uint32_t cp)
{
	utf8proc_uint8_t bytes[4];
	bool is_char = cp <= 0x10FFFF && !(cp >= 0xD800 && cp <= 0xDFFF);
	utf8proc_int32_t c = is_char ? (utf8proc_int32_t)cp : REPLACEMENT;

	if (cp < 0x80) {
		strbuf_addc(out, (char)cp);
		return;
	}
	strbuf_add(out, bytes, (size_t)utf8proc_encode_char(c, bytes));
}

static size_t char_width(uint32_t cp)
{
	int width;

	if (cp < 0x80)
		return cp >= ' ' && cp < 0x7f;
	width = utf8proc_charwidth((utf8proc_int32_t)cp);
	return width > 0 ? (size_t)width : 0;
}

size_t utf8_width(struct span s)
{
	size_t width = span_printable(s);
	uint32_t cp;

	s = span_slice(s, width, s.len);
	while (utf8_next(&s, &cp))
		width += char_width(cp);
	return width;
}

struct span utf8_clip(struct span s, size_t ncols)
{
	struct span rest = s, before = s;
	size_t width = 0;
	uint32_t cp;

	while (utf8_next(&rest, &cp)) {
		width += char_width(cp);
		if (width > ncols)
			return span_slice(s, 0, s.len - before.len);
		before = rest;
	}
	return s;
}

/* utf8proc refuses bad bytes, we never do: they become U+FFFD first. */
static void add_mapped(struct strbuf *out, struct span s, utf8proc_option_t options)
{
	struct strbuf clean = STRBUF_INIT;
	utf8proc_uint8_t *mapped = NULL;
	utf8proc_ssize_t len;
	uint32_t cp;

	while (utf8_next(&s, &cp))
		utf8_add(&clean, cp);
	len = utf8proc_map((const utf8proc_uint8_t *)clean.ptr, (utf8proc_ssize_t)clean.len,
	                   &mapped, options);
	if (len < 0)
		BUG("utf8proc: %s", utf8proc_errmsg(len));
	strbuf_add(out, mapped, (size_t)len);
	free(mapped);
	strbuf_release(&clean);
}

void utf8_add_nfc(struct strbuf *out, struct span s)
{
	if (is_ascii(s))
		strbuf_add_span(out, s);
	else
		add_mapped(out, s, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}

static void add_lower_ascii(struct strbuf *out, struct span s)
{
	strbuf_grow(out, s.len);
	for (size_t i = 0; i < s.len; i++)
		strbuf_addc(out, ascii_lower(s.ptr[i]));
}

/* Ignorable marks (joiners, variation selectors) go too: they would make twins of one name. */
void utf8_add_folded(struct strbuf *out, struct span s)
{
	if (is_ascii(s))
		add_lower_ascii(out, s);
	else
		add_mapped(out, s,
		           UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD |
		               UTF8PROC_IGNORE);
}

static bool eq_folded_ascii(struct span a, struct span b)
{
	bool equal = a.len == b.len;

	for (size_t i = 0; equal && i < a.len; i++)
		equal = ascii_lower(a.ptr[i]) == ascii_lower(b.ptr[i]);
	return equal;
}

bool utf8_eq_folded(struct span a, struct span b)
{
	struct strbuf fa = STRBUF_INIT, fb = STRBUF_INIT;
	bool equal;

	if (is_ascii(a) && is_ascii(b))
		return eq_folded_ascii(a, b);
	utf8_add_folded(&fa, a);
	utf8_add_folded(&fb, b);
	equal = span_eq(strbuf_span(&fa), strbuf_span(&fb));
	strbuf_release(&fa);
	strbuf_release(&fb);
	return equal;
}

static const struct {
	const char *look, *letters;
} confusables[] = {
#include "processor/base/confusables.inc"
};

/* What it looks like, character by character; punctuation and blanks look like nothing. */
static void add_skeleton(struct strbuf *out, struct span s,
                         utf8proc_int32_t (*in_case)(utf8proc_int32_t))
{
	struct strbuf parts = STRBUF_INIT, one = STRBUF_INIT;
	uint32_t cp;

	add_mapped(&parts, s, UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_IGNORE);
	struct span rest = strbuf_span(&parts);
	while (utf8_next(&rest, &cp)) {
		utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)cp);

		if (category > UTF8PROC_CATEGORY_NO || category == UTF8PROC_CATEGORY_LM)
			continue;
		strbuf_clear(&one);
		utf8_add(&one, in_case ? (uint32_t)in_case((utf8proc_int32_t)cp) : cp);
		const char *look = one.ptr;
		for (size_t i = 0; i < sizeof(confusables) / sizeof(confusables[0]); i++)
			if (strstr(confusables[i].letters, one.ptr))
				look = confusables[i].look;
		strbuf_adds(out, look);
	}
	strbuf_release(&parts);
	strbuf_release(&one);
}

bool utf8_looks_alike(struct span a, struct span b)
{
	utf8proc_int32_t (*const cases[])(utf8proc_int32_t) = {NULL, utf8proc_tolower,
	                                                       utf8proc_toupper};
	struct strbuf sa = STRBUF_INIT, sb = STRBUF_INIT;
	bool alike = utf8_eq_folded(a, b);

	for (size_t i = 0; i < 3 && !alike; i++) {
		strbuf_clear(&sa);
		strbuf_clear(&sb);
		add_skeleton(&sa, a, cases[i]);
		add_skeleton(&sb, b, cases[i]);
		alike = sa.len > 0 && span_eq(strbuf_span(&sa), strbuf_span(&sb));
	}
	strbuf_release(&sa);
	strbuf_release(&sb);
	return alike;
}

struct range {
	uint32_t first, last;
	const char *ascii; /* "" makes it vanish */
};

/* What mail programs and keyboards put in place of ASCII, in order of code points. */
static const struct range typography[] = {
    {0x0080, 0x0084, ""},  {0x0085, 0x0085, " "},  {0x0086, 0x009F, ""},
    {0x00A0, 0x00A0, " "}, {0x00AB, 0x00AB, "\""}, {0x00AD, 0x00AD, ""},
    {0x00B4, 0x00B4, "'"}, {0x00BB, 0x00BB, "\""}, {0x02BC, 0x02BC, "'"},
    {0x034F, 0x034F, ""},  {0x060C, 0x060C, ","},  {0x061B, 0x061B, ";"},
    {0x061C, 0x061C, ""},  {0x1680, 0x1680, " "},  {0x180E, 0x180E, ""},
    {0x2000, 0x200A, " "}, {0x200B, 0x200F, ""},   {0x2010, 0x2015, "-"},
    {0x2018, 0x201B, "'"}, {0x201C, 0x201F, "\""}, {0x2026, 0x2026, "..."},
    {0x2028, 0x2029, " "}, {0x202A, 0x202E, ""},   {0x202F, 0x202F, " "},
    {0x2032, 0x2032, "'"}, {0x2033, 0x2033, "\""}, {0x2039, 0x203A, "'"},
    {0x205F, 0x205F, " "}, {0x2060, 0x2064, ""},   {0x2066, 0x206F, ""},
    {0x2212, 0x2212, "-"}, {0x3000, 0x3000, " "},  {0x3001, 0x3001, ","},
    {0x3002, 0x3002, "."}, {0xFE00, 0xFE0F, ""},   {0xFE58, 0xFE58, "-"},
    {0xFE63, 0xFE63, "-"}, {0xFEFF, 0xFEFF, ""},   {0xFF61, 0xFF61, "."},
    {0xFF64, 0xFF64, ","},
};

/* Letters that no decomposition takes apart, and the signs of our own reports. */
static const struct range spellings[] = {
    {0x00A9, 0x00A9, "(c)"}, {0x00B0, 0x00B0, "o"},  {0x00B1, 0x00B1, "+-"},
    {0x00B7, 0x00B7, "."},   {0x00C6, 0x00C6, "AE"}, {0x00D0, 0x00D0, "D"},
    {0x00D7, 0x00D7, "x"},   {0x00D8, 0x00D8, "O"},  {0x00DE, 0x00DE, "Th"},
    {0x00DF, 0x00DF, "ss"},  {0x00E6, 0x00E6, "ae"}, {0x00F0, 0x00F0, "d"},
    {0x00F7, 0x00F7, "/"},   {0x00F8, 0x00F8, "o"},  {0x00FE, 0x00FE, "th"},
    {0x0110, 0x0110, "D"},   {0x0111, 0x0111, "d"},  {0x0126, 0x0126, "H"},
    {0x0127, 0x0127, "h"},   {0x0131, 0x0131, "i"},  {0x0141, 0x0141, "L"},
    {0x0142, 0x0142, "l"},   {0x014A, 0x014A, "N"},  {0x014B, 0x014B, "n"},
    {0x0152, 0x0152, "OE"},  {0x0153, 0x0153, "oe"}, {0x0166, 0x0166, "T"},
    {0x0167, 0x0167, "t"},   {0x1E9E, 0x1E9E, "SS"}, {0x2022, 0x2022, "*"},
    {0x20AC, 0x20AC, "EUR"}, {0x2190, 0x2190, "<-"}, {0x2192, 0x2192, "->"},
    {0x2500, 0x2501, "-"},   {0x2502, 0x2503, "|"},  {0x2504, 0x2505, "-"},
    {0x2506, 0x2507, "|"},   {0x2508, 0x2509, "-"},  {0x250A, 0x250B, "|"},
    {0x250C, 0x254B, "+"},   {0x2550, 0x2550, "="},  {0x2551, 0x2551, "|"},
    {0x2552, 0x256C, "+"},   {0x25CB, 0x25CB, "o"},  {0x25CF, 0x25CF, "*"},
};

static const char *look_up(const struct range *table, size_t count, uint32_t cp)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (cp < table[middle].first)
			high = middle;
		else if (cp > table[middle].last)
			low = middle + 1;
		else
			return table[middle].ascii;
	}
	return NULL;
}

#define LOOK_UP(table, cp) look_up((table), sizeof(table) / sizeof((table)[0]), (cp))

static const char *typography_of(uint32_t cp)
{
	return LOOK_UP(typography, cp);
}

/* Full-width forms stand in the order of ASCII. */
static char narrowed(uint32_t cp)
{
	return cp >= 0xFF01 && cp <= 0xFF5E ? (char)(cp - 0xFF01 + '!') : NO_CHAR;
}

/* Accents are what decomposition puts behind a base letter; what is no ASCII then is '?'. */
static void add_ascii_char(struct strbuf *out, uint32_t cp)
{
	enum { LONGEST = 32 }; /* no character decomposes into more than 18 */
	const char *text = typography_of(cp);
	utf8proc_int32_t parts[LONGEST];
	utf8proc_ssize_t n;
	int boundary = 0;

	if (text == NULL)
		text = LOOK_UP(spellings, cp);
	if (text != NULL) {
		strbuf_adds(out, text);
		return;
	}
	n = utf8proc_decompose_char((utf8proc_int32_t)cp, parts, LONGEST,
	                            UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_STRIPMARK,
	                            &boundary);
	for (utf8proc_ssize_t i = 0; i < n && i < LONGEST; i++)
		strbuf_addc(out, parts[i] > 0 && parts[i] < 0x80 ? (char)parts[i] : '?');
	if (n < 0)
		strbuf_addc(out, '?');
}

void utf8_add_ascii(struct strbuf *out, struct span s)
{
	uint32_t cp;

	if (is_ascii(s)) {
		strbuf_add_span(out, s);
		return;
	}
	while (utf8_next(&s, &cp)) {
		if (cp < 0x80)
			strbuf_addc(out, (char)cp);
		else
			add_ascii_char(out, cp);
	}
}

/* One piece of a plain line; `start` is where the line begins in out. */
static void add_plain_ascii(struct strbuf *out, size_t start, char c)
{
	bool is_blank = c == ' ' || (c >= '\t' && c <= '\r');

	if (is_blank && out->len > start && out->ptr[out->len - 1] != ' ')
		strbuf_addc(out, ' ');
	else if (c > ' ' && c != 0x7f)
		strbuf_addc(out, c);
}

static void add_plain_char(struct strbuf *out, size_t start, uint32_t cp)
{
	const char *text = typography_of(cp);

	if (narrowed(cp) != NO_CHAR)
		add_plain_ascii(out, start, narrowed(cp));
	else if (text == NULL)
		utf8_add(out, cp);
	else
		for (; *text != '\0'; text++)
			add_plain_ascii(out, start, *text);
}

/* How many bytes at the start stand for themselves, single blanks between them too. */
static size_t plain_run(struct span s)
{
	size_t n = 0;

	while (n < s.len && s.ptr[n] < 0x7f &&
	       (s.ptr[n] > ' ' ||
	        (s.ptr[n] == ' ' && n > 0 && n + 1 < s.len && s.ptr[n + 1] > ' ')))
		n++;
	return n;
}

void utf8_add_plain(struct strbuf *out, struct span line)
{
	size_t start = out->len;
	uint32_t cp;

	strbuf_grow(out, line.len);
	while (line.len > 0) {
		size_t run = plain_run(line);

		strbuf_add(out, line.ptr, run);
		line = span_slice(line, run, line.len);
		if (line.len == 0)
			break;
		if ((unsigned char)line.ptr[0] < 0x80) {
			add_plain_ascii(out, start, line.ptr[0]);
			line = span_slice(line, 1, line.len);
		} else if (utf8_next(&line, &cp)) {
			add_plain_char(out, start, cp);
		}
	}
	if (out->len > start && out->ptr[out->len - 1] == ' ')
		strbuf_truncate(out, out->len - 1);
}

struct span utf8_dup_ascii(struct span s, struct arena *arena)
{
	struct strbuf out = STRBUF_INIT;

	utf8_add_ascii(&out, s);
	for (size_t i = 0; i < out.len; i++)
		if (out.ptr[i] >= 'A' && out.ptr[i] <= 'Z')
			out.ptr[i] = (char)(out.ptr[i] - 'A' + 'a');
	return arena_take(arena, &out);
}
