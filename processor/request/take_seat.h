/*
 * take_seat.h - somebody sits down where another has sat: TAKEOVER, and the master's BECOME.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_TAKE_SEAT_H
#define MOLEPOST_PROCESSOR_REQUEST_TAKE_SEAT_H

#include "processor/request/request.h"

/*
 * Whether the speaker cannot have the seat before the turn ends: the deadline has passed, so the orders
 * that somebody else has given there count, and are nobody's to see or to change. What was asked before
 * it and answered with YES behind it comes behind it.
 */
bool seat_is_fixed(const struct request *req, const struct match *match,
                   const struct seat *seat);
/*
 * The speaker, who is another person or has lost it, plays a vacant seat from now on: what was missed
 * does not count against them, and what was written to another, or by them, is not theirs to read. Nor are
 * orders of another for the open turn: they are withdrawn (*withdrawn), for to let them stand they would
 * have to be told what they are. Those of the server stand. In the store but for the row of the seat,
 * which the caller writes.
 */
enum err seat_fill(struct request *req, struct match *match, struct seat *seat,
                   bool *withdrawn) MUST_CHECK;

#endif
