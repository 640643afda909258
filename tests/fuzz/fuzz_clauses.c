/*
 * fuzz_clauses.c - any bytes as what somebody wrote: clauses lie in the text, in their order.
 */
#include <stdint.h>

#include "processor/base/err.h"
#include "processor/clauses/clauses.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = {(const char *)data, size};
	struct arena *arena = arena_new();
	const char *at = text.ptr;
	size_t n;
	const struct clause *c = clauses_split(text, arena, &n);

	for (size_t i = 0; i < n; i++) {
		const char *end = c[i].text.ptr + c[i].text.len;

		ENSURE(c[i].text.len > 0 && c[i].text.ptr >= at && end <= text.ptr + size);
		ENSURE(c[i].marker.len == 0 || (c[i].marker.ptr >= c[i].text.ptr &&
		                                c[i].marker.ptr + c[i].marker.len <= end));
		at = end;
	}
	arena_free(arena);
	return 0;
}
