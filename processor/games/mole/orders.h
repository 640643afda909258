/*
 * orders.h - the rows that declare the orders of Mole; shared by orders.c, canonical.c and guide.c.
 */
#ifndef MOLEPOST_GAMES_MOLE_ORDERS_H
#define MOLEPOST_GAMES_MOLE_ORDERS_H

#include "processor/games/mole/mole.h"
#include "processor/games/order_forms.h"

enum mole_verb {
	VERB_PLACE,
	VERB_FLICK,
	VERB_NASDAQ,
	VERB_TAUPINIERE,
	VERB_CONCEDE,
	VERB_RESIGN,
	VERB_TEST,
	VERB_ACCENTED, /* the call as the French write it, in small letters and in capitals */
	VERB_ACCENTED_CAPITAL,
	VERBS
};

extern const char *const mole_verbs[VERBS];
extern const struct order_forms mole_forms; /* up to VERB_RESIGN; of a struct mole_order */
bool mole_parse_coin(struct span word, unsigned *coin);

#endif
