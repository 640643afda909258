/*
 * strangers.h - what people who have proved nothing yet get from this server, all of them together.
 *
 * A From address is anybody's to write, so each answer to one may hit somebody who never wrote here.
 * Who has answered a mail of ours once, from their address, is no stranger, nor is anybody where
 * unknown_senders = accept takes addresses as they are, once they have a seat.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_STRANGERS_H
#define MOLEPOST_PROCESSOR_REQUEST_STRANGERS_H

#include "processor/request/request.h"

/* Whether the speaker is one, in this mail. */
bool is_stranger(const struct request *req);
/* Counts one more answer, by the domain of the address and for all. False in *may: that would be one too many. */
enum err strangers_may_be_answered(struct request *req, bool *may) MUST_CHECK;
/* Nobody among them, or nobody of this domain, is answered any more today. Counts nothing. */
enum err strangers_are_spent(struct request *req, bool *yes) MUST_CHECK;

#endif
