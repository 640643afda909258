/*
 * env.c - the only caller of getenv.
 */
#include "processor/base/env.h"

#include <stdlib.h>

const char *env_get(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && value[0] != '\0' ? value : NULL;
}
