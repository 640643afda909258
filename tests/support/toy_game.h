/*
 * toy_game.h - a tiny game in three flavours, for tests of archives: everything in
 * the open, hidden positions, and orders that stay hidden as well.
 *
 * Each turn every seat bids 1 to 9, adds a die, and after three turns the
 * highest total wins. Each seat holds a card dealt at the set-up.
 */
#ifndef MOLEPOST_TESTS_TOY_GAME_H
#define MOLEPOST_TESTS_TOY_GAME_H

#include "processor/games/rules.h"

extern const struct rules toy_open;   /* "toy-open", letter T */
extern const struct rules toy_hidden; /* "toy-hidden" */
extern const struct rules toy_secret; /* "toy-secret": orders stay hidden */

/* As rules_find_version, for these three. */
const struct rules *toy_find(struct span name, unsigned version);

#endif
