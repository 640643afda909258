/*
 * boards.h - boards of the coin game to test on: those with a name, and any that can be played.
 */
#ifndef MOLEPOST_TESTS_SUPPORT_BOARDS_H
#define MOLEPOST_TESTS_SUPPORT_BOARDS_H

#include "processor/games/mole/board.h"

/* mole_boards[i] as it is played. */
struct mole_board boards_named(unsigned i);
/*
 * A board that nobody has seen before: any size, with up to twelve walls, posts, Rosseries, a ramp, a
 * loup line, as many as came to lie where they may. *dice as in play_draw.
 */
struct mole_board boards_any(uint64_t *dice);
/* One with a name or any, one time in two. */
struct mole_board boards_some(uint64_t *dice);

#endif
