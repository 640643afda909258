/*
 * digests.h - digests that were sent: whose, and which turns were open when they were written.
 */
#ifndef MOLEPOST_STORE_DIGESTS_H
#define MOLEPOST_STORE_DIGESTS_H

#include "store/engine/store.h"

struct digest {
	int64_t outbox; /* its row there */
	int64_t player;
	unsigned number;     /* the how many-th of this player's, from 1 */
	unsigned generation; /* their token_generation then */
};

enum err digest_add(struct store *s, const struct digest *b) MUST_CHECK;
/* The number of this player's newest; 0: there is none. */
enum err digest_last(struct store *s, int64_t player, unsigned *number) MUST_CHECK;
/* ERR_NOT_FOUND. */
enum err digest_by_number(struct store *s, int64_t player, unsigned number,
                          struct digest *out) MUST_CHECK;
enum err digest_by_outbox(struct store *s, int64_t outbox, struct digest *out) MUST_CHECK;
/* This turn was open when the digest was written. */
enum err digest_turn_add(struct store *s, const struct digest *b, int64_t game,
                         unsigned serial) MUST_CHECK;
/* Which was; 0: none of this game, or the player did not sit in it. */
enum err digest_turn(struct store *s, int64_t player, unsigned number, int64_t game,
                     unsigned *serial) MUST_CHECK;

#endif
