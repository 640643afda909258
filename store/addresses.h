/*
 * addresses.h - further addresses of players, and reply addresses declared void.
 *
 * A player has one address mail goes to (struct player.address) and any number of others from
 * which they may write. player_by_address() finds them by all of them.
 */
#ifndef MOLEPOST_STORE_ADDRESSES_H
#define MOLEPOST_STORE_ADDRESSES_H

#include "store/players.h"

/* How many a player may have besides the one mail goes to. */
enum { PLAYER_ADDRESSES_MAX = 5 };

/* Oldest first, in `arena`; not the one mail goes to. */
enum err address_list(struct store *s, int64_t player, struct arena *arena, struct span **out,
                      size_t *n) MUST_CHECK;
/* ERR_EXISTS when somebody, this player included, has it already. */
enum err address_add(struct store *s, int64_t player, struct span address,
                     int64_t now_utc) MUST_CHECK;
/*
 * Mail goes to `address` from now on, also what has not left yet; the former address stays one
 * of the others. ERR_EXISTS when another player has it.
 */
enum err address_replace(struct store *s, int64_t player, struct span address,
                         int64_t now_utc) MUST_CHECK;
/*
 * Takes away one of the others: from now on nothing is sent there, not even what waits for it,
 * and no question is open that may have gone there. ERR_NOT_FOUND.
 */
enum err address_drop(struct store *s, int64_t player, struct span address) MUST_CHECK;

/*
 * From now on the mails sent to this seat so far prove nothing, however they are answered. Who
 * calls this raises the seat's token_generation too.
 */
enum err reply_revoke(struct store *s, int64_t game, unsigned seat) MUST_CHECK;
/* Whether outbox row `outbox`, to this seat, was written before the last reply_revoke(). */
enum err reply_is_revoked(struct store *s, int64_t game, unsigned seat, int64_t outbox,
                          bool *yes) MUST_CHECK;

#endif
