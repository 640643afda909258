/*
 * bots.h - what the server plays.
 *
 * Bots stand on the rules interface alone: what a game adds is how it draws orders a person might
 * write (sample_orders), what a position is worth (estimate), and how much a level looks at (effort).
 * Pure: the same orders on every machine, so that records of games with bots can be checked. Work is
 * counted in turns played in the head, never in time.
 */
#ifndef MOLEPOST_BOTS_BOTS_H
#define MOLEPOST_BOTS_BOTS_H

#include <stdbool.h>

#include "processor/base/seal.h"
#include "processor/base/strbuf.h"
#include "processor/games/rules.h"

/* Whether bots of that version of a game can still be played. */
bool bots_known(const struct rules *rules, unsigned version);
/*
 * What such a bot does in this seat, which owes orders: it knows what its seat knows, and chooses by `key`
 * alone. The same bytes for the same input, so that a record's bots can be checked. `drawn`, if not NULL,
 * gets what it drew for its choice (chance_add_ranges), without what the position was dealt to it by.
 */
void bot_orders(const struct rules *rules, unsigned version, const struct game_state *position,
                unsigned seat, unsigned level, const struct tables *tables,
                const struct hash *key, struct strbuf *canonical, struct strbuf *drawn);
/*
 * Two different orders that a person might write in this seat, if they are found easily, as DOC_EXAMPLE of
 * DOC_HELP; none if it owes none. They depend on the position as the seat knows it, and on out->tables.
 */
void bot_examples(const struct rules *rules, const struct game_state *position, unsigned seat,
                  struct doc *out);
/*
 * What each seat wins, in 65536ths, of a game that bots of the usual level play on from there for so many turns at
 * most; if it has not ended then, as the position is worth. `orders`: of the first turn, NULL: theirs too. Returns how
 * many turns it took. Another `seed`: another game.
 */
enum { BOT_CHANCES_ALL = 65536 };
unsigned bot_chances(const struct rules *rules, const struct game_state *position,
                     const struct seat_orders *orders, unsigned turns, uint64_t seed,
                     uint32_t share[MAX_SEATS + 1]);
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
 * The best of many orders held against `ordered` of this seat, which owed them, in the same worlds. Says nothing where
 * the game has no search for BOT_LEVEL_ADVICE.
 */
void bot_advice(const struct rules *rules, const struct game_state *position, unsigned seat,
                const struct tables *tables, struct span ordered, const struct hash *key,
                struct advice *out);
/*
 * Whether a position is a puzzle for this seat: orders that nearly always win at once, or are far better than what is
 * done without any (advice_is_win tells which), and hardly another of those that people might write does as well.
 */
bool bot_puzzle(const struct rules *rules, const struct game_state *position, unsigned seat,
                const struct tables *tables, const struct hash *key, struct advice *out);
static inline bool advice_is_win(unsigned wins)
{
	return wins >= 950;
}
/*
 * Of a thousand games: how many more the orders `best` of a puzzle win than `ordered`, at once or in the end. No more
 * than BOT_AS_GOOD: these are as good.
 */
enum { BOT_AS_GOOD = 100 };
unsigned bot_falls_short(const struct rules *rules, const struct game_state *position,
                         unsigned seat, const struct tables *tables, struct span best,
                         bool at_once, struct span ordered, const struct hash *key);

#endif
