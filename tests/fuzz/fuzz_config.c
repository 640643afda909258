/*
 * fuzz_config.c - any bytes as molepost.conf: a configuration with all it needs, or a sentence.
 */
#include <stddef.h>
#include <stdint.h>

#include "processor/server/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct failure e = ERR_INIT;
	struct config c;
	enum err err = config_parse((struct span){(const char *)data, size}, "molepost.conf",
	                            "play", arena, &c, &e);

	ENSURE(err == ERR_NONE || (err == ERR_CONFIG && e.text.len > 0));
	if (err == ERR_NONE)
		ENSURE(c.instance && c.address && c.nsources > 0 && c.sink && c.next_s >= 60);
	err_release(&e);
	arena_free(arena);
	return 0;
}
