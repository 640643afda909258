/*
 * votes.h - what the seats of a game have voted for in one turn, and what its master asks them for. With
 * the turn both are gone.
 *
 * Kept from every eye but the counting: until a vote has passed nobody learns who gave it, so
 * the rows are sealed, and all of them have one length.
 */
#ifndef MOLEPOST_STORE_VOTES_H
#define MOLEPOST_STORE_VOTES_H

#include "store/engine/store.h"

enum vote_kind {
	VOTE_DRAW,
	VOTE_CONCEDE,
	VOTE_PAUSE,
	VOTE_RESUME,
	VOTE_CANCEL,
	VOTE_MOTION,
	VOTE_KINDS
};
const char *vote_kind_name(enum vote_kind k); /* "draw", ... */

struct votes {
	unsigned seat;
	unsigned revision; /* 0: this seat has not voted yet */
	struct vote {
		bool stands; /* given and not taken back */
		bool
		    was_seen; /* others have been told that somebody gave it; of a motion: answered */
		unsigned whom; /* VOTE_CONCEDE: the seat that is to win */
	} of[VOTE_KINDS];
};

/* Of the seats that have voted, by seat; at most `max`. */
enum err votes_list(struct store *s, int64_t game, unsigned serial, struct votes *out,
                    size_t max, size_t *n) MUST_CHECK;
/* Writes the votes of a seat anew and raises v->revision. */
enum err votes_put(struct store *s, int64_t game, unsigned serial, struct votes *v) MUST_CHECK;

/* What a master who plays asks the others for, or a player who wants more time. */
struct motion {
	int64_t game;
	unsigned serial;   /* of the turn with which it ends */
	struct span line;  /* the command, as it would be written */
	unsigned seat;     /* that it names; 0 = none */
	unsigned asker;    /* the seat of who wants more time; 0 = it is a master's */
	unsigned proposer; /* the seat of the co-master who asks; 0 = the master does */
	int64_t at_utc;    /* the moment that it names; 0 = none */
	int64_t asked_utc;
};
/* In the place of an earlier one. */
enum err motion_put(struct store *s, const struct motion *m) MUST_CHECK;
/* The open one of this turn; ERR_NOT_FOUND. */
enum err motion_get(struct store *s, int64_t game, unsigned serial, struct arena *arena,
                    struct motion *out) MUST_CHECK;
/* Agreed to, refused, or no longer possible. */
enum err motion_close(struct store *s, int64_t game) MUST_CHECK;

#endif
