/*
 * arena.h - many small allocations with one end.
 *
 * One arena per mail and one per turn: everything read or computed for it
 * goes in, and all of it goes away in one call. Blocks are zeroed.
 */
#ifndef MOLEPOST_BASE_ARENA_H
#define MOLEPOST_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#include "processor/base/span.h"

struct arena;
struct strbuf;

struct arena *arena_new(void);
void arena_free(struct arena *a); /* NULL is fine */
/* Gives everything back but keeps some memory for the next use. */
void arena_clear(struct arena *a);
/* How many bytes arena_clear may keep, 256 KiB unless said otherwise. */
void arena_keep(struct arena *a, size_t bytes);
/* Zeroed, aligned for any object; good until arena_clear or arena_free. */
void *arena_alloc(struct arena *a, size_t size);
void *arena_calloc(struct arena *a, size_t count, size_t size);
/* NUL-ended copies. */
char *arena_strdup(struct arena *a, const char *cstr);
struct span arena_dup(struct arena *a, struct span s); /* ptr[len] is NUL */
char *arena_cstr(struct arena *a, struct span s);
/* The same of a buffer's text, and releases that. */
struct span arena_take(struct arena *a, struct strbuf *text);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
