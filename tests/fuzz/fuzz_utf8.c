/*
 * fuzz_utf8.c - any bytes through every function of utf8.h; what must hold is checked.
 */
#include <stddef.h>
#include <stdint.h>

#include "processor/base/err.h"
#include "processor/base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef void add_fn(struct strbuf *out, struct span s);

/* The output is well formed, and putting it through again changes nothing. */
static void check_settles(add_fn *add, struct span s)
{
	struct strbuf once = STRBUF_INIT, twice = STRBUF_INIT;

	add(&once, s);
	add(&twice, strbuf_span(&once));
	ENSURE(utf8_valid(strbuf_span(&once)));
	ENSURE(span_eq(strbuf_span(&once), strbuf_span(&twice)));
	strbuf_release(&once);
	strbuf_release(&twice);
}

static void check_walk(struct span s)
{
	struct strbuf clean = STRBUF_INIT;
	struct span rest = s;
	uint32_t cp;

	while (utf8_next(&rest, &cp))
		utf8_add(&clean, cp);
	ENSURE(utf8_valid(strbuf_span(&clean)));
	ENSURE(!utf8_valid(s) || span_eq(s, strbuf_span(&clean)));
	strbuf_release(&clean);
}

static void check_clip(struct span s)
{
	size_t width = utf8_width(s);

	for (size_t ncols = 0; ncols <= width && ncols < 20; ncols++) {
		struct span clipped = utf8_clip(s, ncols);

		ENSURE(utf8_width(clipped) <= ncols);
		ENSURE(!utf8_valid(s) || utf8_valid(clipped));
	}
	ENSURE(utf8_clip(s, width).len == s.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span s = {(const char *)data, size};

	check_walk(s);
	check_clip(s);
	check_settles(utf8_add_nfc, s);
	check_settles(utf8_add_folded, s);
	check_settles(utf8_add_ascii, s);
	check_settles(utf8_add_plain, s);
	ENSURE(utf8_eq_folded(s, s));
	return 0;
}
