/*
 * charset.c - strict conversion, by tables or over iconv.
 */
#include "mail/text/charset.h"

#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/utf8.h"

enum { NAMES_MOST = 3 };

/*
 * The names mail uses and the charset iconv is asked for. A wider charset stands in for
 * a narrow one where senders mix the two up and the wider agrees on every byte of the narrow.
 */
static const struct {
	const char *names[NAMES_MOST], *iconv_name;
	bool multibyte; /* or it has states: no table of bytes says it all */
} known[] = {
    {{"utf-8", "utf8"}, NULL, false}, /* the first: UTF8 below */
    {{"us-ascii", "ascii", "ansi_x3.4-1968"}, NULL, false},
    {{"iso-8859-1", "iso8859-1", "latin1"}, "ISO-8859-1", false},
    {{"iso-8859-2"}, "ISO-8859-2", false},
    {{"iso-8859-3"}, "ISO-8859-3", false},
    {{"iso-8859-4"}, "ISO-8859-4", false},
    {{"iso-8859-5"}, "ISO-8859-5", false},
    {{"iso-8859-6"}, "ISO-8859-6", false},
    {{"iso-8859-7"}, "ISO-8859-7", false},
    {{"iso-8859-8", "iso-8859-8-i"}, "ISO-8859-8", false},
    {{"iso-8859-9"}, "ISO-8859-9", false},
    {{"iso-8859-10"}, "ISO-8859-10", false},
    {{"iso-8859-11"}, "ISO-8859-11", false},
    {{"iso-8859-13"}, "ISO-8859-13", false},
    {{"iso-8859-14"}, "ISO-8859-14", false},
    {{"iso-8859-15", "iso8859-15"}, "ISO-8859-15", false},
    {{"iso-8859-16"}, "ISO-8859-16", false},
    {{"windows-1250", "cp1250"}, "CP1250", false},
    {{"windows-1251", "cp1251"}, "CP1251", false},
    {{"windows-1252", "cp1252"}, "CP1252", false},
    {{"windows-1253"}, "CP1253", false},
    {{"windows-1254"}, "CP1254", false},
    {{"windows-1255"}, "CP1255", true},
    {{"windows-1256"}, "CP1256", false},
    {{"windows-1257"}, "CP1257", false},
    {{"windows-1258"}, "CP1258", true},
    {{"koi8-r"}, "KOI8-R", false},
    {{"koi8-u"}, "KOI8-U", false},
    {{"gb18030", "gbk", "gb2312"}, "GB18030", true},
    {{"big5"}, "BIG5", true},
    {{"big5-hkscs"}, "BIG5-HKSCS", true},
    {{"shift_jis", "shift-jis"}, "CP932", true},
    {{"euc-jp"}, "EUC-JP", true},
    {{"euc-kr", "ks_c_5601-1987"}, "CP949", true},
    {{"iso-2022-jp"}, "ISO-2022-JP", true},
    /* Microsoft's, with half-width katakana */
    {{"cp50220", "cp50221", "cp50222"}, "ISO-2022-JP-3", true},
    {{"cp850", "cp-850"}, "CP850", false},
};

enum { UTF8, NKNOWN = sizeof(known) / sizeof(known[0]), UNKNOWN = NKNOWN };
enum { REPLACEMENT = 0xfffd };

struct charsets {
	enum charsets_read which;
	iconv_t open[NKNOWN]; /* if tried */
	bool tried[NKNOWN];
	uint16_t *tables
	    [NKNOWN]; /* what the bytes from 0x80 on mean, 0 = nothing; NULL = not yet needed */
	struct strbuf work; /* what was converted, before it is looked at */
};

static bool is_open(iconv_t cd)
{
	return cd != (iconv_t)-1;
}

struct charsets *charsets_new(enum charsets_read which)
{
	struct charsets *c = xcalloc(1, sizeof(*c));

	c->which = which;
	strbuf_init(&c->work);
	return c;
}

void charsets_free(struct charsets *c)
{
	size_t i;

	if (!c)
		return;
	for (i = 0; i < NKNOWN; i++) {
		if (c->tried[i] && is_open(c->open[i]))
			iconv_close(c->open[i]);
		free(c->tables[i]);
	}
	strbuf_release(&c->work);
	free(c);
}

static size_t find_charset(struct span declared)
{
	for (size_t i = 0; i < NKNOWN; i++)
		for (size_t k = 0; k < NAMES_MOST && known[i].names[k]; k++)
			if (span_eq_nocase(declared, known[i].names[k]))
				return i;
	return UNKNOWN;
}

/* ASCII never stands inside a character, so each stretch beyond it can be looked at alone. */
static bool is_clean(struct span s, bool lines)
{
	const unsigned char *p = (const unsigned char *)s.ptr;
	size_t i = 0, start;

	while ((i += span_printable(span_slice(s, i, s.len))) < s.len) {
		unsigned char c = p[i];

		if (c < 0x80) {
			if (!lines || (c != '\n' && c != '\t' && c != '\f'))
				return false;
			i++;
			continue;
		}
		/* A stretch beyond ASCII: characters, none of them U+0080 to U+009F. */
		for (start = i; i < s.len && p[i] >= 0x80; i++)
			if (p[i] == 0xc2 && i + 1 < s.len && p[i + 1] >= 0x80 &&
			    p[i + 1] < 0xa0)
				return false;
		if (!utf8_valid(span_slice(s, start, i)))
			return false;
	}
	return true;
}

bool charset_text_is_clean(struct span s)
{
	return is_clean(s, true);
}

bool charset_line_is_clean(struct span s)
{
	return is_clean(s, false);
}

static void add_with_lf(struct strbuf *out, struct span s)
{
	while (s.len > 0) {
		size_t cr = span_find_char(s, '\r');

		strbuf_add(out, s.ptr, cr);
		if (cr == s.len)
			break;
		strbuf_addc(out, '\n');
		s = span_slice(s, cr + 1, s.len);
		if (s.len > 0 && s.ptr[0] == '\n')
			s = span_slice(s, 1, s.len);
	}
}

/* Appends when the bytes are clean text; true then. */
static bool add_if_clean(struct strbuf *out, struct span utf8)
{
	size_t before = out->len;

	add_with_lf(out, utf8);
	if (charset_text_is_clean(span_slice(strbuf_span(out), before, out->len)))
		return true;
	strbuf_truncate(out, before);
	return false;
}

/* The bytes before the first that is none of ASCII's. */
size_t charset_ascii_length(struct span s)
{
	uint64_t eight;
	size_t n = 0;

	for (; n + sizeof(eight) <= s.len; n += sizeof(eight)) {
		memcpy(&eight, s.ptr + n, sizeof(eight));
		if (eight & UINT64_C(0x8080808080808080))
			break;
	}
	while (n < s.len && (unsigned char)s.ptr[n] < 0x80)
		n++;
	return n;
}

/* One call of iconv with room to write; from == NULL flushes what a converter still holds. */
static size_t convert_some(iconv_t cd, char **from, size_t *from_left, struct strbuf *out)
{
	char *to;
	size_t room, left, n;

	strbuf_grow(out, *from_left * 2 + 64);
	to = out->ptr + out->len;
	room = left = out->cap - out->len - 1;
	n = iconv(cd, from, from_left, &to, &left);
	out->len += room - left;
	out->ptr[out->len] = '\0';
	return n;
}

static bool convert_all(iconv_t cd, struct span bytes, struct strbuf *out)
{
	char *from = (char *)bytes.ptr; /* iconv's prototype lacks a const */
	size_t left = bytes.len, n = 0;

	iconv(cd, NULL, NULL, NULL, NULL);
	while (left > 0) {
		n = convert_some(cd, &from, &left, out);
		/* Anything but 0 is illegal, cut short, or replaced by something like it. */
		if (n != 0 && !(n == (size_t)-1 && errno == E2BIG))
			return false;
	}
	return convert_some(cd, NULL, &left, out) == 0;
}

/* All that iconv sees of it where the library must not see what strangers send. */
static const uint16_t *table_of(struct charsets *c, size_t which)
{
	if (c->tables[which])
		return c->tables[which];
	uint16_t *table = c->tables[which] = xcalloc(128, sizeof(*table));
	iconv_t cd = iconv_open("UTF-8", known[which].iconv_name);
	for (size_t i = 0; i < 128 && is_open(cd); i++) {
		const char byte = (char)(i + 128);
		struct strbuf utf8 = STRBUF_INIT;
		uint32_t cp;

		if (convert_all(cd, (struct span){&byte, 1}, &utf8)) {
			struct span rest = strbuf_span(&utf8);
			if (utf8_next(&rest, &cp) && rest.len == 0)
				table[i] = (uint16_t)cp;
		}
		strbuf_release(&utf8);
	}
	if (is_open(cd))
		iconv_close(cd);
	return table;
}

static bool convert_bytes(const uint16_t *table, struct span bytes, struct strbuf *out)
{
	while (bytes.len > 0) {
		size_t ascii = charset_ascii_length(bytes);

		strbuf_add(out, bytes.ptr, ascii);
		for (; ascii < bytes.len && (unsigned char)bytes.ptr[ascii] >= 0x80; ascii++) {
			uint16_t cp = table[(unsigned char)bytes.ptr[ascii] - 0x80];

			if (cp == 0)
				return false;
			utf8_add(out, cp);
		}
		bytes = span_slice(bytes, ascii, bytes.len);
	}
	return true;
}

static bool open_charset(struct charsets *c, size_t which)
{
	if (!c->tried[which]) {
		c->open[which] = iconv_open("UTF-8", known[which].iconv_name);
		c->tried[which] = true;
	}
	return is_open(c->open[which]);
}

void charsets_open_all(struct charsets *c)
{
	for (size_t i = 0; i < NKNOWN; i++)
		if (known[i].multibyte)
			(void)open_charset(c, i);
		else if (known[i].iconv_name)
			(void)table_of(c, i);
}

bool charsets_has(const struct charsets *c, struct span declared)
{
	size_t which = find_charset(declared);

	return c->which == CHARSETS_ALL || which == UNKNOWN || !known[which].multibyte;
}

static bool decode_with(struct charsets *c, size_t which, struct span bytes, struct strbuf *out)
{
	if (!known[which].iconv_name)
		return add_if_clean(out, bytes);
	if (known[which].multibyte && !open_charset(c, which))
		return false;
	strbuf_clear(&c->work);
	return (known[which].multibyte ? convert_all(c->open[which], bytes, &c->work)
	                               : convert_bytes(table_of(c, which), bytes, &c->work)) &&
	       add_if_clean(out, strbuf_span(&c->work));
}

/* Some sequence of it is well-formed and longer than a byte: then it was meant as UTF-8. */
static bool looks_like_utf8(struct span bytes)
{
	uint32_t cp;

	while (bytes.len > 0) {
		bool ascii = (unsigned char)*bytes.ptr < 0x80;

		if (utf8_next(&bytes, &cp) && !ascii && cp != REPLACEMENT)
			return true;
	}
	return false;
}

bool charset_decode(struct charsets *c, struct span declared, struct span bytes,
                    struct strbuf *out, bool *guessed)
{
	size_t which = find_charset(declared);

	if (!charsets_has(c, declared))
		return false;
	if (which != UNKNOWN && known[which].iconv_name && decode_with(c, which, bytes, out))
		return true;
	if (add_if_clean(out, bytes)) {
		if (declared.len > 0 && which != UTF8 &&
		    charset_ascii_length(bytes) < bytes.len)
			*guessed = true;
		return true;
	}
	/*
	 * Well-formed UTF-8 that is not clean is not windows-1252 either: that would be noise.
	 */
	if (utf8_valid(bytes) || looks_like_utf8(bytes))
		return false;
	if (!decode_with(c, find_charset(SPAN_LIT("windows-1252")), bytes, out))
		return false;
	*guessed = true;
	return true;
}

static void add_char(struct strbuf *out, uint32_t cp)
{
	bool keep = cp == '\t' || cp == '\n' || cp == '\r' || cp == '\f' ||
	            (cp >= 0x20 && !(cp >= 0x7f && cp < 0xa0));

	utf8_add(out, keep ? cp : REPLACEMENT);
}

void charset_decode_broken(struct charsets *c, struct span bytes, struct strbuf *out)
{
	const uint16_t *table = table_of(c, find_charset(SPAN_LIT("windows-1252")));
	struct strbuf text = STRBUF_INIT;
	uint32_t cp;

	if (looks_like_utf8(bytes)) {
		while (utf8_next(&bytes, &cp))
			add_char(&text, cp);
	} else {
		for (size_t i = 0; i < bytes.len; i++) {
			cp = (unsigned char)bytes.ptr[i];
			cp = cp < 0x80 ? cp : table[cp - 0x80];
			add_char(&text, cp);
		}
	}
	add_with_lf(out, strbuf_span(&text));
	strbuf_release(&text);
}

void charset_end_lines(struct strbuf *text)
{
	struct span all = strbuf_span(text);
	size_t n = 0;

	if (span_find(all, SPAN_LIT("\xe2\x80")) == all.len) /* of nearly all */
		return;
	for (size_t i = 0; i < all.len; i++) {
		struct span rest = span_slice(all, i, all.len);
		bool ends = span_starts(rest, "\xe2\x80\xa8") ||
		            span_starts(rest, "\xe2\x80\xa9");

		text->ptr[n++] = ends ? '\n' : text->ptr[i];
		i += ends ? 2 : 0;
	}
	strbuf_truncate(text, n);
}
