/*
 * key_use.h - the server's keys, and how many games each has signed.
 */
#ifndef MOLEPOST_STORE_OPERATOR_KEY_USE_H
#define MOLEPOST_STORE_OPERATOR_KEY_USE_H

#include "store/engine/store.h"

struct key_use {
	unsigned number;
	struct hash public_key;
	int64_t since_utc;
	int64_t games, live; /* made with it, and of these not over */
};

/* In order, in `arena`. */
enum err key_use_list(struct store *s, struct arena *arena, struct key_use **out,
                      size_t *n) MUST_CHECK;

#endif
