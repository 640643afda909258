/*
 * search.h - orders found by playing on in the head.
 */
#ifndef MOLEPOST_BOTS_SEARCH_H
#define MOLEPOST_BOTS_SEARCH_H

#include "processor/base/chance.h"
#include "processor/base/strbuf.h"
#include "processor/games/rules.h"

/*
 * The orders of `seat`, which owes some, as a bot of this level chooses them. `seen` is a position that the
 * seat cannot tell from the real one. From `chance` it takes one number for all it imagines, and draws by
 * it; a level that compares nothing draws what its sample_orders draws.
 */
void search_orders(const struct rules *rules, const struct game_state *seen, unsigned seat,
                   unsigned level, const struct tables *tables, struct chance *chance,
                   struct strbuf *canonical);

#endif
