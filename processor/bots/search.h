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

/*
 * Orders that are better than those that were given, as far as the seat could know; or that mostly win at once,
 * where those do so less often, and are not known to be worse.
 */
struct advice {
	struct strbuf orders; /* "": none are known to be */
	/*
	 * Of a thousand games: how many more they win, how far that may be off (two standard errors; where the
	 * game has an estimate asked, as far as that is right), ...
	 */
	unsigned gain, error;
	unsigned wins; /* ... and how many they end at once with a victory */
};
#define ADVICE_INIT ((struct advice){.orders = STRBUF_INIT})
/*
 * The best of many orders held against `ordered` in the same worlds. Says nothing where the game has no search
 * for BOT_LEVEL_ADVICE.
 */
void search_advise(const struct rules *rules, const struct game_state *seen, unsigned seat,
                   const struct tables *tables, struct span ordered, struct chance *chance,
                   struct advice *out);

#endif
