/*
 * digests.h - digests that were sent: whose, and which turns were open when they were written.
 */
#ifndef MOLEPOST_STORE_DIGESTS_H
#define MOLEPOST_STORE_DIGESTS_H

#include "store/engine/store.h"

struct bundle {
	int64_t outbox; /* its row there */
	int64_t player;
	unsigned number;     /* the how many-th of this player's, from 1 */
	unsigned generation; /* his token_generation then */
};

enum err bundle_add(struct store *s, const struct bundle *b) MUST_CHECK;
/* The number of this player's newest; 0: there is none. */
enum err bundle_last(struct store *s, int64_t player, unsigned *number) MUST_CHECK;
/* ERR_NOT_FOUND. */
enum err bundle_by_number(struct store *s, int64_t player, unsigned number,
                          struct bundle *out) MUST_CHECK;
enum err bundle_by_outbox(struct store *s, int64_t outbox, struct bundle *out) MUST_CHECK;
/* This turn was open when the digest was written. */
enum err bundle_turn_add(struct store *s, const struct bundle *b, int64_t game,
                         unsigned serial) MUST_CHECK;
/* Which was; 0: none of this game, or the player did not sit in it. */
enum err bundle_turn(struct store *s, int64_t player, unsigned number, int64_t game,
                     unsigned *serial) MUST_CHECK;

#endif
