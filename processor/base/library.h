/*
 * library.h - libraries that are loaded when they are first needed, not linked.
 *
 * An idle run must not map them and the many behind them, and in the process with the database
 * those that read what strangers send have no place. Each user keeps the functions it wants in
 * a structure made from one list, X(name) per function, so that each has the type its header
 * gives it.
 */
#ifndef MOLEPOST_BASE_LIBRARY_H
#define MOLEPOST_BASE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "processor/base/err.h"

extern const char *const library_etpan[],
    *const library_curl[], *const library_pq[]; /* names, NULL behind the last */

/*
 * The first of `names` that can be had, with dlopen's `flags`; it stays mapped for the life of
 * the process. `package` is Debian's, for the sentence. ERR_UNSUPPORTED.
 */
enum err library_open(const char *const *names, const char *package, int flags, void **handle,
                      struct failure *e) MUST_CHECK;
/* Puts the address of a function into `fn`, a function pointer of `size` bytes. False: none. */
bool library_find(void *handle, const char *name, void *fn, size_t size);

/* A member of the structure; and in a function that has `lib`, `handle` and `missing`, its address. */
#define LIBRARY_MEMBER(fn) __typeof__(&fn) fn;
#define LIBRARY_FIND(fn)                                           \
	if (!library_find(handle, #fn, &lib->fn, sizeof(lib->fn))) \
		missing = #fn;

#endif
