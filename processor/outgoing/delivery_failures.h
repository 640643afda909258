/*
 * delivery_failures.h - mail that was refused for good when it was handed over.
 *
 * The sender notes in the outbox what a refusal says of the address and nothing more, since it
 * does not hold the lock under which games are changed. The next run counts it before any mail
 * is read, as it would count a mail that came back (unreachable.h):
 *
 *	no such address    the address is given up at once
 *	refused for good   2 points
 *	attempts used up   1 point
 *
 * Mail to strangers is not counted.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_DELIVERY_FAILURES_H
#define MOLEPOST_PROCESSOR_OUTGOING_DELIVERY_FAILURES_H

#include "processor/server/server.h"
#include "store/inbox.h"

/*
 * Follows up all that is noted, each in a transaction of its own: whatever happens, each is
 * followed up once. One that cannot be, because its game is damaged or the program has died
 * over it again and again, is logged and left out. `left`: what the last run had in hand.
 */
enum err delivery_failures_follow_up(struct server *srv,
                                     const struct in_flight *left) MUST_CHECK;

#endif
