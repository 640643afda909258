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
/*
 * Counts one more answer, by the domain of the address (answers_per_domain) and for all
 * (answers_to_strangers). False in *may: that would be one too many.
 */
enum err strangers_may_be_answered(struct request *req, bool *may) MUST_CHECK;
/* This one was not: for the operator, who reads how many they were. */
enum err strangers_note_silence(struct request *req) MUST_CHECK;
/* Nobody among them, or nobody of this domain, is answered any more today. Counts nothing. */
enum err strangers_are_spent(struct request *req, bool *yes) MUST_CHECK;

/* How many answers were left out on the day of srv->now_utc. */
enum err strangers_unanswered(struct server *srv, unsigned *n) MUST_CHECK;

#endif
