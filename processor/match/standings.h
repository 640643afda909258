/*
 * standings.h - what an ended game came to for the people who played it.
 *
 * A pure function of the record of the game, as it is written into or read from an archive, and of
 * who sat at which seat from which turn on; which archives do not say, since they hold names of
 * seats and no people. The rules:
 *
 *	Nothing counts in a game that was begun by fewer than two different people: nobody waits
 *	for somebody who plays against bots.
 *	Turns count, however the game ended, also those that were taken back later: orders that
 *	came until the deadline or were there already are in time, those in the grace late,
 *	default orders missed. Excused misses, resigning, turns that were broken off, and
 *	whatever bots have sent do not count. Each turn is that of who sat there when it was sealed.
 *	A game is rated when it was played to its end or ended by agreement, was begun here from
 *	its own set-up, and no person had two seats. Rated are those who began it; bots are not,
 *	nor who took a seat over. Who has left, lost the seat, or conceded to another shares the last
 *	rank; a game in which nobody else is left of those who began it is not rated.
 *	A game in which a master who plays acted alone is lost for the master, however it ended, and
 *	rated for nobody else: one place alone has a rank.
 */
#ifndef MOLEPOST_PROCESSOR_MATCH_STANDINGS_H
#define MOLEPOST_PROCESSOR_MATCH_STANDINGS_H

#include "processor/archive/archive.h"
#include "store/ratings.h"

/*
 * Of r the turns, with the position of the last one as text in its `state`, and the end are
 * looked at; `r->ended` must hold. game, ended_utc and kind are the caller's to set. ERR_INVALID
 * with a sentence in `e` when that position is none.
 */
enum err standings_record(const struct record *r, const struct rules *rules,
                          const struct seat_holder *holders, size_t n, struct arena *arena,
                          struct standings *out, struct failure *e) MUST_CHECK;

/*
 * The line of the public log, without time, that says that this seat's missed turn is excused. It
 * stands in the record among the actions of that turn; that is how the standings know.
 */
const char *standings_excuse(const char *seat_name, struct arena *arena);
/* The same, in any turn: the master, who plays as this seat, has done alone what the others decide on too. */
const char *standings_alone(const char *seat_name, struct arena *arena);
/* Who writes them. */
#define STANDINGS_ACTOR "server"

#endif
