/*
 * random.h - the only source of unpredictable bytes (libsodium).
 *
 * `label` says what the bytes are for ("game secret 17"). In test builds
 * (MOLEPOST_TEST_HOOKS) with MOLEPOST_TEST_SEED set, the bytes are
 * HMAC-SHA-256(seed, label, counter block) instead, so that a scripted game can be
 * run twice and compared; labels must therefore name the object, not the call.
 * Nothing in a game's course comes from here: dice come from chance.h.
 */
#ifndef MOLEPOST_BASE_RANDOM_H
#define MOLEPOST_BASE_RANDOM_H

#include <stddef.h>

void random_bytes(const char *label, void *out, size_t len);

#endif
