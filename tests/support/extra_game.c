/*
 * extra_game.c - the null game, for tests and never for players.
 */
#include "processor/games/registry.h"

const struct rules *const extra_game = &skeleton_1;
