/*
 * votes.h - what the seats of a game have voted for in one turn. With the turn they are gone.
 *
 * Kept from every eye but the counting: until a vote has passed nobody learns who gave it, so
 * the rows are sealed, and all of them have one length.
 */
#ifndef MOLEPOST_STORE_VOTES_H
#define MOLEPOST_STORE_VOTES_H

#include "store/engine/store.h"

enum vote_kind { VOTE_DRAW, VOTE_CONCEDE, VOTE_PAUSE, VOTE_RESUME, VOTE_CANCEL, VOTE_KINDS };
const char *vote_kind_name(enum vote_kind k); /* "draw", ... */

struct votes {
	unsigned seat;
	unsigned revision; /* 0: this seat has not voted yet */
	struct vote {
		bool stands;   /* given and not taken back */
		bool was_seen; /* others have been told that somebody gave it */
		unsigned whom; /* VOTE_CONCEDE: the seat that is to win */
	} of[VOTE_KINDS];
};

/* Of the seats that have voted, by seat; at most `max`. */
enum err votes_list(struct store *s, int64_t game, unsigned serial, struct votes *out,
                    size_t max, size_t *n) MUST_CHECK;
/* Writes the votes of a seat anew and raises v->revision. */
enum err votes_put(struct store *s, int64_t game, unsigned serial, struct votes *v) MUST_CHECK;

#endif
