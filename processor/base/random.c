/*
 * random.c - unpredictable bytes; in test builds, predictable ones on demand.
 */
#include "processor/base/random.h"

#include <sodium.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/seal.h"
#include "processor/base/strbuf.h"

#ifdef MOLEPOST_TEST_HOOKS
static void seeded_bytes(const char *seed, const char *label, void *out, size_t len)
{
	struct hash key = hash_of(span_of(seed));
	struct strbuf name = STRBUF_INIT;
	unsigned char *to = out;

	for (unsigned counter = 0; len > 0; counter++) {
		struct hash block;
		size_t n = len < HASH_LEN ? len : HASH_LEN;

		strbuf_clear(&name);
		strbuf_addf(&name, "%s\n%u\n", label, counter);
		block = hash_keyed(&key, strbuf_span(&name));
		memcpy(to, block.bytes, n);
		to += n;
		len -= n;
	}
	strbuf_release(&name);
}
#endif

void random_bytes(const char *label, void *out, size_t len)
{
#ifdef MOLEPOST_TEST_HOOKS
	const char *seed = env_get("MOLEPOST_TEST_SEED");

	if (seed != NULL) {
		seeded_bytes(seed, label, out, len);
		return;
	}
#endif
	(void)label;
	randombytes_buf(out, len);
}
