/*
 * span.h - a borrowed stretch of bytes.
 *
 * A span never owns what it points at and need not end in NUL. An empty span
 * may have ptr == NULL. Whoever hands one out says how long it stays good.
 */
#ifndef MOLEPOST_BASE_SPAN_H
#define MOLEPOST_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct span {
	const char *ptr;
	size_t len; /* bytes */
};

#define SPAN_LIT(literal) ((struct span){(literal), sizeof(literal) - 1})
#define SPAN_EMPTY ((struct span){NULL, 0})
/* For printf("%.*s", SPAN_ARGS(s)). */
#define SPAN_ARGS(s) (int)(s).len, ((s).ptr ? (s).ptr : "")

/* Of ASCII: isdigit and its kin ask the locale, and orders must not depend on it. */
static inline bool ascii_is_digit(char c)
{
	return c >= '0' && c <= '9';
}
static inline bool ascii_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static inline bool ascii_is_alnum(char c)
{
	return ascii_is_digit(c) || ascii_is_letter(c);
}
static inline bool ascii_is_blank(char c)
{
	return c == ' ' || c == '\t';
}
/* -1: it is no hexadecimal digit. */
static inline int ascii_hex_value(char c)
{
	if (ascii_is_digit(c))
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}
static inline char ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The bytes of a C string, without its NUL; NULL gives the empty span. */
struct span span_of(const char *cstr);
/* s[from, to), clipped to what is there. */
static inline struct span span_slice(struct span s, size_t from, size_t to)
{
	if (to > s.len)
		to = s.len;
	if (from > to)
		from = to;
	return (struct span){from > 0 ? s.ptr + from : s.ptr, to - from};
}
bool span_eq(struct span a, struct span b);
bool span_same_str(struct span a, const char *cstr);
/* ASCII letters compare without case; all other bytes exactly. */
bool span_same_nocase(struct span a, const char *cstr);
bool span_alike(struct span a, struct span b);
/* Both are asked of long tables of words, nearly all of which begin otherwise. */
static inline bool span_eq_str(struct span a, const char *cstr)
{
	return (a.len == 0 || a.ptr[0] == cstr[0]) && span_same_str(a, cstr);
}
static inline bool span_eq_nocase(struct span a, const char *cstr)
{
	return (a.len == 0 || ((a.ptr[0] ^ cstr[0]) & ~0x20) == 0) && span_same_nocase(a, cstr);
}
/* Which of `count` words this is, without regard to case; `count` when it is none of them. */
size_t span_index_nocase(struct span word, const char *const *words, size_t count);
static inline bool span_in_nocase(struct span word, const char *const *words, size_t count)
{
	return span_index_nocase(word, words, count) < count;
}
bool span_opens_nocase(struct span s, const char *prefix);
static inline bool span_starts_nocase(struct span s, const char *prefix)
{
	return (s.len == 0 || ((s.ptr[0] ^ prefix[0]) & ~0x20) == 0) &&
	       span_opens_nocase(s, prefix);
}
static inline bool span_starts(struct span s, const char *prefix)
{
	if (s.len == 0 || s.ptr[0] != prefix[0])
		return prefix[0] == '\0';
	return s.len >= strlen(prefix) && memcmp(s.ptr, prefix, strlen(prefix)) == 0;
}
/* <0, 0, >0 as memcmp; a prefix sorts before the longer text. */
int span_cmp(struct span a, struct span b);
/* Offset of the first occurrence, or s.len when there is none. */
static inline size_t span_find_char(struct span s, char c)
{
	const char *hit = s.len ? memchr(s.ptr, c, s.len) : NULL;

	return hit ? (size_t)(hit - s.ptr) : s.len;
}
size_t span_find(struct span s, struct span needle);
/* How many of its bytes are c. */
size_t span_count_char(struct span s, char c);
/* How many bytes at its beginning are printable ASCII, blanks included. */
size_t span_printable(struct span s);
/* Without leading and trailing blanks, tabs, CR, LF. */
struct span span_trim(struct span s);
/*
 * Takes the next line off *rest into *line (without LF or CRLF). False when
 * nothing is left. A last line without LF counts; an empty rest gives none.
 */
bool span_next_line(struct span *rest, struct span *line);
/*
 * Takes the next word off *rest: bytes up to a blank, tab or any byte of
 * `separators` (ASCII); leading ones are skipped. False when no word is left.
 */
bool span_next_word(struct span *rest, const char *separators, struct span *word);
/* Takes everything up to the first `sep` off *rest. False when rest.ptr is NULL. */
bool span_next_field(struct span *rest, char sep, struct span *field);

#endif
