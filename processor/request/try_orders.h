/*
 * try_orders.h - what a game makes of some lines, before anything is done with them.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_TRY_ORDERS_H
#define MOLEPOST_PROCESSOR_REQUEST_TRY_ORDERS_H

#include "processor/base/diag.h"
#include "processor/base/err.h"
#include "processor/games/rules.h"

struct request;

/* What a game makes of some lines. */
enum tried {
	TRIED_TALK,  /* nothing in them looks like an order, or the game takes none now */
	TRIED_WRONG, /* an order was meant, but none can be carried out */
	TRIED_GOOD
};

/* The last lines that orders_try was asked about, and what came of them. */
struct tried_orders {
	struct span lines;
	enum tried tried;
	bool flawed; /* TRIED_GOOD, but beside lines that are wrong */
	/* Read in the position of this match for this seat, as if nothing were stored; else NULL. */
	const struct game_state *position;
	unsigned seat;
	struct span canonical; /* in the arena of the mail */
	struct diags diags;
};

/* For intake when it chooses a text, and for lines that come without a game: what would the
   speaker's seat in `game` make of them? Changes nothing. */
enum err orders_try(struct request *req, int64_t game, struct span lines,
                    enum tried *out) MUST_CHECK;
/* Of lines that are TRIED_TALK. */
struct orders_meant {
	bool meant; /* they speak of orders of the game all the same (loose.h) */
	bool plain; /* in its own words */
	bool good;  /* and some are legal now */
};
/* For after the text was chosen. */
enum err orders_meant(struct request *req, int64_t game, struct span lines,
                      struct orders_meant *out) MUST_CHECK;
void tried_orders_clear(struct tried_orders *t);

#endif
