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

#include "processor/base/banned.h"

enum {
	ALIGN = _Alignof(max_align_t),
	FIRST_BLOCK = 4096,
	DOUBLING_ENDS = 1 << 20, /* larger blocks waste more than they save */
	KEEP_AT_MOST = 256 << 10 /* one huge mail must not pin its memory for the whole run */
};

struct block {
	struct block *older;
	size_t size, used;
	_Alignas(max_align_t) unsigned char bytes[];
};

struct arena {
	struct block *newest;
};

struct arena *arena_new(void)
{
	return xcalloc(1, sizeof(struct arena));
}

static void block_free(struct block *b)
{
	UNPOISON(b->bytes, b->size);
	free(b);
}

void arena_free(struct arena *a)
{
	if (a == NULL)
		return;
	while (a->newest != NULL) {
		struct block *b = a->newest;

		a->newest = b->older;
		block_free(b);
	}
	free(a);
}

/* The block kept is the largest reasonable one: mails of a like size then need no malloc. */
static struct block *block_to_keep(const struct arena *a)
{
	struct block *best = NULL;

	for (struct block *b = a->newest; b != NULL; b = b->older)
		if (b->size <= KEEP_AT_MOST && (best == NULL || b->size > best->size))
			best = b;
	return best;
}

void arena_clear(struct arena *a)
{
	struct block *keep = block_to_keep(a);

	for (struct block *b = a->newest, *older; b != NULL; b = older) {
		older = b->older;
		if (b != keep)
			block_free(b);
	}
	a->newest = keep;
	if (keep != NULL) {
		keep->older = NULL;
		keep->used = 0;
		POISON(keep->bytes, keep->size);
	}
}

static void add_block(struct arena *a, size_t need)
{
	size_t size = a->newest ? a->newest->size : FIRST_BLOCK / 2;
	struct block *b;

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
