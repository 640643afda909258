/*
 * fuzz_frame.c - any bytes as the answer of a parsing child that has been taken over.
 */
#include <stddef.h>
#include <stdint.h>

#include "mail/child/packet.h"
#include "processor/base/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct strbuf frame = STRBUF_INIT;
	struct mail_in m = {0};

	/* A subject and a name are taken only where the header has none that the program could read. */
	if (packet_read_result((struct span){(const char *)data, size}, &mail_usual_limits,
	                       arena, &m)) {
		packet_add_result(&frame, &m);
		ENSURE(frame.len <= size + PACKET_HEAD);
	}
	strbuf_release(&frame);
	arena_free(arena);
	return 0;
}
