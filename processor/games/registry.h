/*
 * registry.h - every game there is, one line each.
 *
 * The one place, with registry.c, where games are named to the rest of the
 * program. A version that archives still need stays here for ever.
 */
#ifndef MOLEPOST_GAMES_REGISTRY_H
#define MOLEPOST_GAMES_REGISTRY_H

#include "processor/games/rules.h"

extern const struct rules whakka_mole_1;
extern const struct rules mole_park_1;
extern const struct rules martian_boggle_1;
extern const struct rules mole_1;
extern const struct rules mole_majority_1;
extern const struct rules skeleton_1; /* the null game: what a new game copies */

/* One more game for tests; NULL in the shipped program: the linker chooses, as in base/step.h. */
extern const struct rules *const extra_game;

/* The kind that examples in mails and messages name. */
#define EXAMPLE_KIND "whakka mole"

#endif
