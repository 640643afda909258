/*
 * ratings_update.h - ended games become figures in the database: as they end, all anew, and checked.
 *
 * A game is counted in the run in which it ends, after its reports are written. Games count in
 * the order of their ends, those that ended together by number; should one turn up that belongs
 * before others (an operator's step at the very second of a run, a clock that was set back),
 * everything is worked out again from what is kept of each game. So the figures are at any time
 * those that `molepost ratings rebuild` would come to.
 */
#ifndef MOLEPOST_PROCESSOR_MATCH_RATINGS_UPDATE_H
#define MOLEPOST_PROCESSOR_MATCH_RATINGS_UPDATE_H

#include "processor/match/match.h"
#include "processor/match/match_record.h"
#include "processor/match/rating.h"

/*
 * Counts what has ended since. A game whose record cannot be read, or over which the program
 * has died twice, counts as nothing and is named in the log.
 */
enum err ratings_update_due(struct server *srv) MUST_CHECK;
/* Drops all figures and makes them anew from the records; *games says from how many. */
enum err ratings_update_rebuild(struct server *srv, unsigned *games) MUST_CHECK;

/* One game more, inside a transaction: only the rows of its people, if it is the last so far. */
enum err ratings_update_add(struct server *srv, const struct standings *t,
                            struct arena *arena) MUST_CHECK;
/* What one ended game comes to by its record; empty for one that was taken over. */
enum err ratings_update_game(struct server *srv, struct match *match, const struct record *r,
                             struct standings *out) MUST_CHECK;
/*
 * Whether the rows of this game are those; true for a game that is still to be counted.
 */
enum err ratings_update_agrees(struct server *srv, const struct standings *t,
                               struct arena *arena, bool *yes) MUST_CHECK;
/*
 * Compares all ratings with what the standings come to; `report` is told of each player whose row
 * is another.
 */
enum err ratings_update_check(struct server *srv, void (*report)(void *ctx, int64_t player),
                              void *ctx) MUST_CHECK;

/* The figures of one player around one game. */
struct rating_change {
	struct rating before, after;                    /* in games of that kind */
	unsigned reliability_before, reliability_after; /* percent, over all games */
	bool rated;
	bool counted; /* its turns count for the reliability */
};
/*
 * What a game that ends now brings a player, before it is counted. Where two games of one player end in
 * the same run, each is told as if it were alone.
 */
enum err ratings_update_change(struct server *srv, const struct standings *t, int64_t player,
                               struct arena *arena, struct rating_change *out) MUST_CHECK;

/* The reliability in percent of this player (0 = somebody new). */
enum err ratings_update_reliability(struct server *srv, int64_t player,
                                    unsigned *percent) MUST_CHECK;

#endif
