/*
 * strbuf.c - text that grows, and the allocator that does not return NULL.
 */
#include "processor/base/strbuf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"

char strbuf_empty[1];

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (p == NULL)
		out_of_memory();
	return p;
}

void *xcalloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);

	if (p == NULL)
		out_of_memory();
	return p;
}

static void *xrealloc(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);

	if (p == NULL)
		out_of_memory();
	return p;
}

char *xstrdup(const char *cstr)
{
	size_t size = strlen(cstr) + 1;

	return memcpy(xmalloc(size), cstr, size);
}

void *xgrow(void *items, size_t *cap, size_t need, size_t size)
{
	size_t room = *cap ? *cap : 8;

	if (need <= *cap)
		return items;
	ENSURE(size > 0 && need <= SIZE_MAX / 2 / size);
	while (room < need)
		room *= 2;
	*cap = room;
	return xrealloc(items, room * size);
}

void strbuf_init(struct strbuf *sb)
{
	*sb = (struct strbuf)STRBUF_INIT;
}

void strbuf_release(struct strbuf *sb)
{
	if (sb->cap > 0)
		free(sb->ptr);
	strbuf_init(sb);
}

void strbuf_clear(struct strbuf *sb)
{
	strbuf_truncate(sb, 0);
}

void strbuf_grow_more(struct strbuf *sb, size_t extra)
{
	size_t need, room;

	ENSURE(extra < SIZE_MAX / 4 && sb->len < SIZE_MAX / 4);
	need = sb->len + extra + 1;
	if (need <= sb->cap)
		return;
	room = sb->cap < 32 ? 64 : sb->cap * 2;
	if (room < need)
		room = need;
	sb->ptr = xrealloc(sb->cap ? sb->ptr : NULL, room);
	sb->cap = room;
	sb->ptr[sb->len] = '\0';
}

/* The shared empty text must not be written to, not even with the NUL it holds. */
static void set_len(struct strbuf *sb, size_t len)
{
	sb->len = len;
	if (sb->cap > 0)
		sb->ptr[len] = '\0';
}

void strbuf_truncate(struct strbuf *sb, size_t len)
{
	ENSURE(len <= sb->len);
	set_len(sb, len);
}

void strbuf_trim_end(struct strbuf *sb)
{
	while (sb->len > 0 && sb->ptr[sb->len - 1] == ' ')
		strbuf_truncate(sb, sb->len - 1);
}

void strbuf_add(struct strbuf *sb, const void *bytes, size_t len)
{
	if (len == 0)
		return;
	strbuf_grow(sb, len);
	memcpy(sb->ptr + sb->len, bytes, len);
	set_len(sb, sb->len + len);
}

void strbuf_adds(struct strbuf *sb, const char *cstr)
{
	strbuf_add(sb, cstr, strlen(cstr));
}

void strbuf_add_span(struct strbuf *sb, struct span s)
{
	strbuf_add(sb, s.ptr, s.len);
}

void strbuf_add_sep(struct strbuf *sb, size_t i, size_t n, const char *last)
{
	strbuf_adds(sb, i == 0 ? "" : i + 1 == n ? last : ", ");
}

void strbuf_add_repeat(struct strbuf *sb, char c, size_t times)
{
	if (times == 0)
		return;
	strbuf_grow(sb, times);
	memset(sb->ptr + sb->len, c, times);
	set_len(sb, sb->len + times);
}

void strbuf_add_hex(struct strbuf *sb, const void *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *b = bytes;

	ENSURE(len < SIZE_MAX / 8);
	strbuf_grow(sb, 2 * len);
	for (size_t i = 0; i < len; i++) {
		sb->ptr[sb->len + 2 * i] = digits[b[i] >> 4];
		sb->ptr[sb->len + 2 * i + 1] = digits[b[i] & 15];
	}
	set_len(sb, sb->len + 2 * len);
}

void strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(sb, fmt, ap);
	va_end(ap);
}

void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list ap)
{
	va_list again;
	size_t room;
	int n;

	va_copy(again, ap);
	strbuf_grow(sb, 63);
	room = sb->cap - sb->len;
	n = vsnprintf(sb->ptr + sb->len, room, fmt, ap);
	ENSURE(n >= 0);
	if ((size_t)n >= room) {
		strbuf_grow(sb, (size_t)n);
		n = vsnprintf(sb->ptr + sb->len, (size_t)n + 1, fmt, again);
		ENSURE(n >= 0);
	}
	va_end(again);
	set_len(sb, sb->len + (size_t)n);
}

void strbuf_swap(struct strbuf *a, struct strbuf *b)
{
	struct strbuf tmp = *a;

	*a = *b;
	*b = tmp;
}

char *strbuf_detach(struct strbuf *sb)
{
	char *text = sb->cap ? sb->ptr : xstrdup("");

	strbuf_init(sb);
	return text;
}

struct span strbuf_span(const struct strbuf *sb)
{
	return (struct span){sb->ptr, sb->len};
}
