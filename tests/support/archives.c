/*
 * archives.c - what tests of archives share.
 */
#include "tests/support/archives.h"

#include "processor/base/env.h"
#include "processor/base/num.h"
#include "processor/games/registry.h"

bool archives_is_played(const struct rules *rules)
{
	return rules != &skeleton_1;
}

unsigned archives_env(const char *name, unsigned otherwise)
{
	const char *text = env_get(name);
	unsigned n;

	if (text == NULL)
		return otherwise;
	if (!num_parse_uint(span_of(text), 0, 1000000, &n))
		BUG("%s is no number", name);
	return n;
}
