/*
 * nearest.h - "did you mean": how far two words are apart for somebody typing.
 *
 * Used for suggestions only; nothing is ever carried out because it was near.
 */
#ifndef MOLEPOST_BASE_NEAREST_H
#define MOLEPOST_BASE_NEAREST_H

#include <stddef.h>

#include "processor/base/span.h"

/*
 * Letters left out, put in, mistaken or exchanged with their neighbour, each counted once;
 * ASCII case does not matter. Anything above `max`, and words over 40 bytes that are not
 * equal, give max + 1.
 */
unsigned typing_errors(struct span a, struct span b, unsigned max);
/* How many errors in a word of this length still leave it recognisable: 0, 1 or 2. */
unsigned typing_errors_allowed(size_t len);

#endif
