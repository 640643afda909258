/*
 * seat_address.h - a new reply address for a seat.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_SEAT_ADDRESS_H
#define MOLEPOST_PROCESSOR_OUTGOING_SEAT_ADDRESS_H

#include "processor/match/match.h"
#include "processor/server/server.h"

/*
 * A new reply address for this seat; what was sent to it before proves nothing any more. The
 * caller writes the seat, after the mail that brings the new address.
 */
enum err seat_renew_token(struct server *srv, struct seat *seat) MUST_CHECK;
/* What the mail that brings it says, in the match's arena. */
const char *seat_reply_address_sentence(const struct server *srv, const struct match *match);

#endif
