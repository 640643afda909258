/*
 * fuzz_rules_frames.c - any bytes as the frames that the test- commands read.
 */
#include <stdint.h>

#include "processor/frames/rules_frames.h"
#include "processor/games/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = {(const char *)data, size};
	struct frames frames = FRAMES_INIT;
	struct failure e = ERR_INIT;
	struct strbuf out = STRBUF_INIT;
	enum err rc = frames_read(text, &frames, &e);

	if (!rc)
		rc = rules_frames_resolve(&whakka_mole_1, &frames, &out, &e);
	ENSURE(rc == ERR_NONE || e.text.len > 0);
	frames_release(&frames);
	err_release(&e);
	strbuf_release(&out);
	return 0;
}
