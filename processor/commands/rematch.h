/*
 * rematch.h - a game that has ended is played again by the same people.
 *
 * The first who writes REMATCH makes the new game: kind, options, clocks, number of seats, bots
 * and what JOIN asks for are those of the old one, the rules the newest of that kind. Everybody
 * else who has had a seat in the old game is asked by mail, unless mail to them comes back; they
 * join with YES in answer to that mail, with REMATCH, or with JOIN. For a week nobody else can
 * take a seat, or until one of those asked says NO. There is one rematch of a game at a time:
 * only when it was given up before it began can another be made, and then nobody is written to
 * twice in a week.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDS_REMATCH_H
#define MOLEPOST_PROCESSOR_COMMANDS_REMATCH_H

#include "processor/request/request.h"

/* YES or NO, when the mail answers an invitation to its writer: joins, or gives the seat up. */
enum err rematch_answer(struct request *req, const struct command *item, bool *done) MUST_CHECK;

/* The same mail without a line that was understood: says what to write. */
enum err rematch_explain(struct request *req, bool *done) MUST_CHECK;

#endif
