/*
 * coast.h - a coin that meets nothing, many ticks at once.
 */
#ifndef MOLEPOST_GAMES_MOLE_COAST_H
#define MOLEPOST_GAMES_MOLE_COAST_H

#include <stdint.h>

/*
 * Step 1 of the physics, up to `most` times: the coin moves and slows down. Returns how many
 * ticks it took until it stood, or `most`.
 */
unsigned mole_coast(int64_t *x, int64_t *y, int64_t *vx, int64_t *vy, unsigned most);

#endif
