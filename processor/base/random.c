/*
 * random.c - unpredictable bytes.
 */
#include "processor/base/random.h"

#include <sodium.h>

#include "processor/base/step.h"

void random_bytes(const char *label, void *out, size_t len)
{
	if (step_hooks && step_hooks->random_bytes(label, out, len))
		return;
	randombytes_buf(out, len);
}
