/*
 * mole_plain.h - the physics of the coin game, as plainly as its rules say it.
 *
 * Every tick, every coin, every pair, a root and divisions each time: slow, and easy to hold
 * against molepost-rules(7). Tests compare the real thing with it; benchmarks use
 * the loop that only moves coins and slows them down.
 */
#ifndef MOLEPOST_TESTS_SUPPORT_MOLE_PLAIN_H
#define MOLEPOST_TESTS_SUPPORT_MOLE_PLAIN_H

#include "processor/games/mole/physics.h"

/*
 * As mole_slide, without contacts. *growth, unless NULL, gets the most by which the energy of all
 * coins grew in one tick, as a part of what it was: never more than what rounding does.
 */
void mole_plain_slide(const struct mole_board *board, struct mole_coins *coins,
                      const struct mole_launch *launch, struct mole_run *run, double *growth);
/* One coin that meets nothing, for so many ticks; one that stands, stands. */
void mole_plain_coast(int64_t *x, int64_t *y, int64_t *vx, int64_t *vy, unsigned ticks);

/* Four coins that all started like `launch`, moved and slowed down for so many ticks. */
int64_t mole_plain_loop(const struct mole_launch *launch, unsigned ticks);

#endif
