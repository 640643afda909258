/*
 * keyring_private.h - what keyring.c and key_file.c share; nobody else includes it.
 */
#ifndef MOLEPOST_BASE_KEYRING_PRIVATE_H
#define MOLEPOST_BASE_KEYRING_PRIVATE_H

#include "processor/base/seal.h"

struct secrets {
	struct hash master, sign_seed;
};

/* Memory that is locked, left out of core dumps and wiped by sodium_free; zeros. */
void *secret_alloc(size_t size);
/* The keyring whose newest key comes from these secrets, with `older` (owned, NULL = none) behind it. */
struct keyring *keyring_on_top(struct keyring *older, const struct secrets *s);

#endif
