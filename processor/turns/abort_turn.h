/*
 * abort_turn.h - an open turn is broken off: the game ends in it, or turns are taken back.
 *
 * The turn becomes DROPPED: its orders stay where they are, are listed in the record, and are
 * opened with all others at the end; nothing is used or drawn. What is done here goes into the
 * transaction the caller has open, the mails about it too. Entries of the public log that shall
 * stand in the record of this turn, and in those mails, must have been written before.
 *
 * Needs a game that has begun, whose newest turn is OPEN and not the set-up. The match shows the
 * game as it stands afterwards.
 */
#ifndef MOLEPOST_PROCESSOR_TURNS_ABORT_TURN_H
#define MOLEPOST_PROCESSOR_TURNS_ABORT_TURN_H

#include "processor/match/match.h"

/* Whether that is so. */
bool turn_can_be_aborted(const struct match *match);
/*
 * The game is over and `agreed` have won, because all agreed to it; or, with none agreed, it is
 * CANCELLED. The secret is revealed, everybody gets the last report and the record.
 */
enum err abort_game(struct server *srv, struct match *match, enum game_status status,
                    struct seat_set agreed) MUST_CHECK;
/*
 * Play goes on after turn `serial`, which came out with a result: a new turn opens, with a
 * serial of its own, so that all that is drawn from then on is drawn anew. Everybody gets the
 * position.
 */
enum err abort_turn_back_to(struct server *srv, struct match *match,
                            unsigned serial) MUST_CHECK;

#endif
