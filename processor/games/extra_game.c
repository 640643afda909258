/*
 * extra_game.c - the shipped program has no games but those of registry.c. Nothing else may be
 * defined here: test programs link tests/support/extra_game.c instead of this file.
 */
#include "processor/games/registry.h"

const struct rules *const extra_game = NULL;
