/*
 * arena.c - blocks of doubling size, each handed out from front to back.
 *
 * Under AddressSanitizer the bytes not yet handed out are poisoned and a gap
 * is left behind each object, so that an overrun is found as it would be
 * with malloc.
 */
#include "processor/base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"
#include "processor/base/strbuf.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(ARENA_ASAN)
#define ARENA_ASAN 1
#endif
#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(p, n) ASAN_POISON_MEMORY_REGION((p), (n))
#define UNPOISON(p, n) ASAN_UNPOISON_MEMORY_REGION((p), (n))
enum { GAP = 16 };
#else
#define POISON(p, n) ((void)(p), (void)(n))
#define UNPOISON(p, n) ((void)(p), (void)(n))
enum { GAP = 0 };
#endif

enum {
	ALIGN = _Alignof(max_align_t),
	FIRST_BLOCK = 4096,
	DOUBLING_ENDS = 1 << 20, /* larger blocks waste more than they save */
	KEEP_USUALLY = 256 << 10 /* one huge mail must not pin its memory for the whole run */
};

struct block {
	struct block *older;
	size_t size, used;
	_Alignas(max_align_t) unsigned char bytes[];
};

struct arena {
	struct block *newest;
	struct block *spare; /* empty ones, for the next time */
	size_t keep;         /* bytes that these may have together */
};

struct arena *arena_new(void)
{
	struct arena *a = xcalloc(1, sizeof(*a));

	a->keep = KEEP_USUALLY;
	return a;
}

void arena_keep(struct arena *a, size_t bytes)
{
	a->keep = bytes;
}

static void block_free(struct block *b)
{
	UNPOISON(b->bytes, b->size);
	free(b);
}

static void blocks_free(struct block *b)
{
	while (b != NULL) {
		struct block *older = b->older;

		block_free(b);
		b = older;
	}
}

void arena_free(struct arena *a)
{
	if (a == NULL)
		return;
	blocks_free(a->newest);
	blocks_free(a->spare);
	free(a);
}

/* The newest blocks are the largest: what is of a like size next time then needs no malloc. */
void arena_clear(struct arena *a)
{
	size_t kept = 0;

	for (struct block *b = a->spare; b != NULL; b = b->older)
		kept += b->size;
	while (a->newest != NULL) {
		struct block *b = a->newest;

		a->newest = b->older;
		if (b->size > a->keep - kept) {
			block_free(b);
			continue;
		}
		kept += b->size;
		b->used = 0;
		b->older = a->spare;
		a->spare = b;
		POISON(b->bytes, b->size);
	}
}

/* NULL when none is large enough. */
static struct block *take_spare(struct arena *a, size_t need)
{
	struct block **at = &a->spare, *b;

	while (*at != NULL && (*at)->size < need)
		at = &(*at)->older;
	b = *at;
	if (b != NULL)
		*at = b->older;
	return b;
}

static void add_block(struct arena *a, size_t need)
{
	size_t size = a->newest ? a->newest->size : FIRST_BLOCK / 2;
	struct block *b = take_spare(a, need);

	if (b != NULL) {
		b->older = a->newest;
		a->newest = b;
		return;
	}
	size = size < DOUBLING_ENDS / 2 ? size * 2 : DOUBLING_ENDS;
	if (size < need)
		size = need;
	b = xmalloc(sizeof(*b) + size);
	b->older = a->newest;
	b->size = size;
	b->used = 0;
	POISON(b->bytes, b->size);
	a->newest = b;
}

/* Not zeroed: for what is filled at once. */
static void *take(struct arena *a, size_t size)
{
	size_t room;
	unsigned char *p;

	ENSURE(size < SIZE_MAX / 4);
	room = (size + GAP + ALIGN - 1) / ALIGN * ALIGN;
	if (room == 0)
		room = ALIGN;
	if (a->newest == NULL || a->newest->size - a->newest->used < room)
		add_block(a, room);
	p = a->newest->bytes + a->newest->used;
	a->newest->used += room;
	UNPOISON(p, size);
	return p;
}

void *arena_alloc(struct arena *a, size_t size)
{
	void *p = take(a, size);

	return size ? memset(p, 0, size) : p;
}

void *arena_calloc(struct arena *a, size_t count, size_t size)
{
	ENSURE(size == 0 || count <= SIZE_MAX / 4 / size);
	return arena_alloc(a, count * size);
}

char *arena_cstr(struct arena *a, struct span s)
{
	char *copy = take(a, s.len + 1);

	if (s.len > 0)
		memcpy(copy, s.ptr, s.len);
	copy[s.len] = '\0';
	return copy;
}

char *arena_strdup(struct arena *a, const char *cstr)
{
	return arena_cstr(a, span_of(cstr));
}

struct span arena_dup(struct arena *a, struct span s)
{
	return (struct span){arena_cstr(a, s), s.len};
}

struct span arena_take(struct arena *a, struct strbuf *text)
{
	struct span copy = arena_dup(a, strbuf_span(text));

	strbuf_release(text);
	return copy;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;
	char *copy;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	copy = arena_cstr(a, strbuf_span(&text));
	strbuf_release(&text);
	return copy;
}
