/*
 * ready.h - before a game begins: is everybody still there?
 *
 * Where CREATE asks for it, a full table is asked first: who has taken the seat within a day, or says
 * YES within READY_S, is there; whoever is not loses the seat, to the queue or to whoever comes next. So
 * nobody waits in the first turn for somebody who has forgotten the game.
 */
#ifndef MOLEPOST_PROCESSOR_TURNS_READY_H
#define MOLEPOST_PROCESSOR_TURNS_READY_H

#include "processor/match/match.h"

enum { READY_S = 3 * 24 * 3600 };

/* Whether this game asks, and somebody has not said so. */
enum err ready_is_asked_for(struct server *srv, const struct match *match,
                            bool *yes) MUST_CHECK;
/*
 * Of a game that could begin: *wait, it does not yet; who has not said so is asked now, if that has not been
 * done.
 */
enum err ready_or_ask(struct server *srv, struct match *match, bool *wait) MUST_CHECK;
/* The seats that an answer is still awaited of. */
struct seat_set ready_awaited(const struct server *srv, const struct match *match);
/* The time to say so is over. */
enum err ready_expire(struct server *srv, struct match *match) MUST_CHECK;

#endif
