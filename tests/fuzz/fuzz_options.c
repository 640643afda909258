/*
 * fuzz_options.c - any bytes as options of a game, and as a seat's name.
 *
 * Options that are accepted are written in one way, and read back to the same.
 */
#include <stdint.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/base/utf8.h"
#include "processor/games/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_options(struct span text)
{
	struct arena *arena = arena_new();
	struct strbuf why = STRBUF_INIT;
	struct strbuf once = STRBUF_INIT;
	struct strbuf twice = STRBUF_INIT;
	struct options o, again;

	options_init(&o, &whakka_mole_1);
	options_init(&again, &whakka_mole_1);
	if (options_parse(&o, text, arena, &why)) {
		options_format(&o, OPTIONS_ALL, &once);
		ENSURE(options_parse(&again, strbuf_span(&once), arena, &why));
		options_format(&again, OPTIONS_ALL, &twice);
		ENSURE(span_eq(strbuf_span(&once), strbuf_span(&twice)));
	} else {
		ENSURE(why.len > 0);
	}
	strbuf_release(&why);
	strbuf_release(&once);
	strbuf_release(&twice);
	arena_free(arena);
}

static void try_name(struct span text)
{
	struct strbuf why = STRBUF_INIT;

	if (seat_name_ok(text, &why)) {
		ENSURE(why.len == 0 && utf8_valid(text) && text.len <= SEAT_NAME_BYTES);
		ENSURE(utf8_width(text) <= SEAT_NAME_COLS);
		ENSURE(span_find_char(text, '\n') == text.len);
	} else {
		ENSURE(why.len > 0);
	}
	strbuf_release(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = {(const char *)data, size};

	try_options(text);
	try_name(text);
	rules_find(text);
	return 0;
}
