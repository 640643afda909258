/*
 * repair.h - examples of orders that work, made from the reader's own.
 *
 * What a game says of a wrong order comes with an example of its kind. Here it is replaced by the
 * order as it was written, with the verb spelt right or a word less, or by the turn without it:
 * "WHACK 4" for "whack 4 5", "PLAY N4; MOVE A2 B2" for a second step that the board does not allow.
 * Only what the strict reader takes is shown.
 */
#ifndef MOLEPOST_GAMES_REPAIR_H
#define MOLEPOST_GAMES_REPAIR_H

#include "processor/games/rules.h"

/* One reading of orders. */
struct order_attempt {
	const struct rules *rules;
	const struct game_state *state;
	unsigned seat;
	struct span before; /* as for read_orders */
	const struct tables *tables;
	struct span text;
	bool ok; /* what read_orders said of it */
};

/* Gives the errors in `diags`, which read_orders made of the attempt, better examples where it can. */
void orders_repair_examples(const struct order_attempt *a, struct diags *diags);

#endif
