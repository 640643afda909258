/*
 * random.h - the only source of unpredictable bytes (libsodium).
 *
 * `label` says what the bytes are for ("game secret 17"). In tests
 * (base/step.h) the bytes can be made from a seed and the label instead, so that a scripted
 * game can be run twice and compared; labels must therefore name the object, not the call.
 * Nothing in a game's course comes from here: dice come from chance.h.
 */
#ifndef MOLEPOST_BASE_RANDOM_H
#define MOLEPOST_BASE_RANDOM_H

#include <stddef.h>

void random_bytes(const char *label, void *out, size_t len);

#endif
