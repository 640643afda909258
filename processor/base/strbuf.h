/*
 * strbuf.h - text that grows.
 *
 * buf.ptr is never NULL after STRBUF_INIT and always ends in a NUL that does
 * not count in len, so it can be handed to printf. Bytes before the NUL may
 * hold NULs themselves. Running out of memory aborts the process: the store's
 * transactions are what makes that survivable.
 *
 *	struct strbuf sb = STRBUF_INIT;
 *	strbuf_addf(&sb, "turn %u", n);
 *	strbuf_release(&sb);
 */
#ifndef MOLEPOST_BASE_STRBUF_H
#define MOLEPOST_BASE_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

#include "processor/base/span.h"

struct strbuf {
	char *ptr;
	size_t len; /* bytes, without the final NUL */
	size_t cap; /* bytes allocated; 0 while ptr is the shared empty text */
};

extern char strbuf_empty[1]; /* always ""; never written to */
/* clang-format off */
#define STRBUF_INIT { strbuf_empty, 0, 0 }
/* clang-format on */

void strbuf_init(struct strbuf *sb);
/* Frees the memory; the buffer is empty and usable again. */
void strbuf_release(struct strbuf *sb);
/* Empties it and keeps the memory. */
void strbuf_clear(struct strbuf *sb);
/* Makes room for `extra` more bytes. */
void strbuf_grow_more(struct strbuf *sb, size_t extra);
static inline void strbuf_grow(struct strbuf *sb, size_t extra)
{
	if (extra >= sb->cap - sb->len)
		strbuf_grow_more(sb, extra);
}
/* Cuts to `len` bytes, which must not exceed the present length. */
void strbuf_truncate(struct strbuf *sb, size_t len);
/* Without blanks at the end. */
void strbuf_trim_end(struct strbuf *sb);
/* The bytes added must not lie in sb itself. */
void strbuf_add(struct strbuf *sb, const void *bytes, size_t len);
void strbuf_adds(struct strbuf *sb, const char *cstr);
static inline void strbuf_addc(struct strbuf *sb, char c)
{
	strbuf_grow(sb, 1);
	sb->ptr[sb->len++] = c;
	sb->ptr[sb->len] = '\0';
}
void strbuf_add_span(struct strbuf *sb, struct span s);
/* What stands before item i (from 0) of a list of n: "", ", ", or `last`, say " and ", before the last. */
void strbuf_add_sep(struct strbuf *sb, size_t i, size_t n, const char *last);
void strbuf_add_repeat(struct strbuf *sb, char c, size_t times);
void strbuf_add_hex(struct strbuf *sb, const void *bytes, size_t len);
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));
/* Exchanges two buffers. */
void strbuf_swap(struct strbuf *a, struct strbuf *b);
/* Hands the NUL-ended text over (free with free()); the buffer is empty after. */
char *strbuf_detach(struct strbuf *sb);
/* Borrowed until the next change of sb. */
struct span strbuf_span(const struct strbuf *sb);

/* malloc family that aborts instead of returning NULL. */
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
char *xstrdup(const char *cstr);
/* Grows *items (element size `size`) so that it holds at least `need`; *cap in elements. */
void *xgrow(void *items, size_t *cap, size_t need, size_t size);

#endif
