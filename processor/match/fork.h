/*
 * fork.h - FORK: a new game that goes on from a position of another one.
 *
 * The new game has the rules, options, seats and names of the other, and a secret of its own,
 * from which everything hidden in the position is dealt anew (archive/resolve.h). Nothing must be
 * learnt of a game that goes on: one with hidden facts must have ended. A fork of a private game
 * is private.
 */
#ifndef MOLEPOST_PROCESSOR_MATCH_FORK_H
#define MOLEPOST_PROCESSOR_MATCH_FORK_H

#include "processor/match/match.h"
#include "processor/match/setup.h"

struct fork_wish {
	unsigned
	    number; /* of the turn after which to go on, of those not taken back; 0 = the set-up */
	bool all_bots; /* on every seat but the creator's; else: */
	bool says_bots;
	unsigned bots; /* false: the seats that bots had go on having them */
	unsigned bot_level;
	struct proof_mail mail;   /* that asks for it; unless creator is NULL */
	struct calendar calendar; /* game_calendar */
	bool is_private;
	struct span key;
	struct span seat_name;        /* "" = the creator's own there, else the first */
	const struct player *creator; /* NULL = the operator, who takes no seat */
};

/* A fork that can be made; everything in the source's arena but `new`, which refers to it. */
struct fork_plan {
	struct new_game new;
	struct fork row;
	struct seat seats[MAX_SEATS + 1]; /* index = seat */
	unsigned creator_seat;            /* 0 = none */
};

/*
 * ERR_INVALID when it cannot be made: then `why` holds a sentence for the asker and *example a
 * line that works. Nothing is written.
 */
enum err fork_plan(struct server *srv, struct match *source, const struct fork_wish *wish,
                   struct fork_plan *out, struct strbuf *why, const char **example) MUST_CHECK;

/* "This game goes on from W17, after turn 4. ...", for who takes a seat; in the match's arena. */
enum err fork_story(struct server *srv, struct match *match, const char **out) MUST_CHECK;

/*
 * "It goes on from W17, after turn 4.", or where it was taken over from, for lists; NULL when it
 * began here.
 */
enum err game_provenance(struct server *srv, struct match *match, const char **out) MUST_CHECK;
/* The line that forks there once more with bots on all other seats; NULL when it is no fork. */
enum err fork_against_bots(struct server *srv, struct match *match,
                           const char **out) MUST_CHECK;

#endif
