/*
 * analysis.h - how the chances to win went up and down in a game that has ended, and by what.
 *
 * From each position bots play the game to its end, many times; how often a seat wins is its chance there.
 * The same with the orders that were given and everything else drawn anew tells what was chosen from what
 * was luck. The work is counted in turns of bots, so a game is analysed alike on any machine. Pure.
 *
 * Trusts: the archive is one that archive_verify found to hold.
 */
#ifndef MOLEPOST_PROCESSOR_REPLAY_ANALYSIS_H
#define MOLEPOST_PROCESSOR_REPLAY_ANALYSIS_H

#include "processor/archive/archive.h"

enum { ANALYSIS_MOMENTS = 3, ANALYSIS_TURNS = 40 };
/*
 * As many turns played in the head as an answer may cost; and at a glance, by positions a few turns on, as many as a
 * mail may.
 */
enum { ANALYSIS_WORK = 20000, GLANCE_WORK = 400, GLANCE_TURNS = 3 };

/* A turn on the line that led to the end; chances in thousandths, index = seat. */
struct analysis_turn {
	size_t index, parent;      /* of the archive's turns */
	unsigned number;           /* steps from the set-up, 0: that itself */
	const char *label;         /* borrowed from the archive */
	int chance[MAX_SEATS + 1]; /* after it */
	/* What it changed: by the orders of all, and by what was drawn then. */
	int by_orders[MAX_SEATS + 1], by_luck[MAX_SEATS + 1];
};

struct analysis {
	unsigned nseats;
	unsigned games; /* played on from each position, ... */
	unsigned ahead; /* ... so many turns; 0: to the end */
	unsigned
	    margin; /* thousandths that a chance may be off, two standard errors at the most */
	/* The last ANALYSIS_TURNS and the position before them; of a shorter game all, the set-up first. */
	struct analysis_turn *turns;
	size_t nturns;
};

/*
 * Of a game that has ended; in `arena`. At least ten games a position, at a glance as many as GLANCE_WORK is
 * enough for. False with a sentence in `why`.
 */
bool analysis_make(struct archive *a, bool at_a_glance, struct arena *arena,
                   struct analysis *out, struct strbuf *why);

/* A turn that moved a seat's chance much, and what would have been better in it for who could not know more. */
struct analysis_moment {
	const struct analysis_turn *turn;
	struct span ordered;        /* canonical, "" if the seat gave none */
	struct span advised;        /* "": nothing is known to be better */
	unsigned gain, error, wins; /* thousandths; see struct advice */
};
/*
 * The turns that moved this seat's chance most, at most ANALYSIS_MOMENTS, in their order; returns how many.
 * Turns that moved it by no more than the error of that are none. `tables`: without those of a game that
 * has some, nothing is advised.
 */
size_t analysis_moments(struct archive *a, const struct analysis *all, unsigned seat,
                        const struct tables *tables, struct arena *arena,
                        struct analysis_moment out[ANALYSIS_MOMENTS]);

#endif
