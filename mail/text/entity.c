/*
 * entity.c - &#233; &#xe9; &eacute;
 */
#include "mail/text/entity.h"

#include <string.h>

enum { NAME_MAX_LEN = 8, REPLACEMENT = 0xfffd };

/* U+00A0 to U+00FF in order. */
static const char *const latin1_names[] = {
    "nbsp",   "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",
    "copy",   "ordf",   "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn",
    "sup2",   "sup3",   "acute",  "micro",  "para",   "middot", "cedil",  "sup1",   "ordm",
    "raquo",  "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc",  "Atilde",
    "Auml",   "Aring",  "AElig",  "Ccedil", "Egrave", "Eacute", "Ecirc",  "Euml",   "Igrave",
    "Iacute", "Icirc",  "Iuml",   "ETH",    "Ntilde", "Ograve", "Oacute", "Ocirc",  "Otilde",
    "Ouml",   "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute", "THORN",
    "szlig",  "agrave", "aacute", "acirc",  "atilde", "auml",   "aring",  "aelig",  "ccedil",
    "egrave", "eacute", "ecirc",  "euml",   "igrave", "iacute", "icirc",  "iuml",   "eth",
    "ntilde", "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide", "oslash", "ugrave",
    "uacute", "ucirc",  "uuml",   "yacute", "thorn",  "yuml",
};

static const struct {
	const char *name;
	uint32_t cp;
} other_names[] = {
    {"amp", 0x26},      {"lt", 0x3c},      {"gt", 0x3e},       {"quot", 0x22},
    {"apos", 0x27},     {"OElig", 0x152},  {"oelig", 0x153},   {"Scaron", 0x160},
    {"scaron", 0x161},  {"Yuml", 0x178},   {"circ", 0x2c6},    {"tilde", 0x2dc},
    {"ensp", 0x2002},   {"emsp", 0x2003},  {"thinsp", 0x2009}, {"zwnj", 0x200c},
    {"zwj", 0x200d},    {"lrm", 0x200e},   {"rlm", 0x200f},    {"ndash", 0x2013},
    {"mdash", 0x2014},  {"lsquo", 0x2018}, {"rsquo", 0x2019},  {"sbquo", 0x201a},
    {"ldquo", 0x201c},  {"rdquo", 0x201d}, {"bdquo", 0x201e},  {"dagger", 0x2020},
    {"Dagger", 0x2021}, {"bull", 0x2022},  {"hellip", 0x2026}, {"permil", 0x2030},
    {"prime", 0x2032},  {"Prime", 0x2033}, {"lsaquo", 0x2039}, {"rsaquo", 0x203a},
    {"euro", 0x20ac},   {"trade", 0x2122}, {"minus", 0x2212},  {"larr", 0x2190},
    {"uarr", 0x2191},   {"rarr", 0x2192},  {"darr", 0x2193},   {"harr", 0x2194},
};

/* What &#128; to &#159; mean to everybody: the bytes of windows-1252. */
static uint32_t from_windows(uint32_t n)
{
	static const uint16_t windows[32] = {
	    0x20ac, 0xfffd, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
	    0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0xfffd, 0x017d, 0xfffd,
	    0xfffd, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
	    0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0xfffd, 0x017e, 0x0178,
	};

	return windows[n - 0x80];
}

static uint32_t allowed(uint32_t n)
{
	if (n == '\t' || n == '\n' || n == '\r')
		return ' ';
	if (n >= 0x80 && n <= 0x9f)
		return from_windows(n);
	if (n < ' ' || n == 0x7f || n > 0x10ffff || (n >= 0xd800 && n <= 0xdfff))
		return REPLACEMENT;
	return n;
}

/* "&#123;", "&#x7b;", the semicolon optional. */
static size_t read_number(struct span s, uint32_t *cp)
{
	unsigned base = s.len > 2 && (s.ptr[2] == 'x' || s.ptr[2] == 'X') ? 16 : 10;
	size_t start = base == 16 ? 3 : 2, i;
	uint32_t n = 0;

	for (i = start; i < s.len; i++) {
		int d = ascii_hex_value(s.ptr[i]);

		if (d < 0 || d >= (int)base)
			break;
		if (n <= 0x10ffff) /* far enough to know that it is too much */
			n = n * base + (uint32_t)d;
	}
	if (i == start)
		return 0;
	*cp = allowed(n);
	return i + (i < s.len && s.ptr[i] == ';');
}

/* Asked at every '&', of all names: most differ in their first letter. */
static bool is_name(struct span name, const char *known)
{
	return name.ptr[0] == known[0] && span_eq_str(name, known);
}

static bool find_name(struct span name, uint32_t *cp)
{
	size_t i;

	if (name.len == 0)
		return false;
	for (i = 0; i < sizeof(other_names) / sizeof(other_names[0]); i++)
		if (is_name(name, other_names[i].name)) {
			*cp = other_names[i].cp;
			return true;
		}
	for (i = 0; i < sizeof(latin1_names) / sizeof(latin1_names[0]); i++)
		if (is_name(name, latin1_names[i])) {
			*cp = 0xa0 + (uint32_t)i;
			return true;
		}
	return false;
}

size_t entity_read(struct span s, uint32_t *cp)
{
	size_t n = 1;

	if (s.len > 1 && s.ptr[1] == '#')
		return read_number(s, cp);
	while (n < s.len && n <= NAME_MAX_LEN && ascii_is_alnum(s.ptr[n]))
		n++;
	if (!find_name(span_slice(s, 1, n), cp))
		return 0;
	return n + (n < s.len && s.ptr[n] == ';');
}
