/*
 * identify.h - who sends the mail in hand, and what it answers.
 *
 * Two things are looked at: a reply address among the recipients, with a good code, and the mail of
 * ours that is answered (In-Reply-To, References through the outbox). Each says which seat of which
 * game, and which turn; each proves more than the From address does, until TOKEN NEW ends that.
 * authenticate.h says what becomes of mail in which they disagree.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_IDENTIFY_H
#define MOLEPOST_PROCESSOR_REQUEST_IDENTIFY_H

#include "processor/request/request.h"

/* req->player by the From address; a stranger keeps id 0 and has that address. */
enum err identify_sender(struct request *req) MUST_CHECK;
/*
 * Fills game, seat, serial, has_serial and proven; of an answer to a digest, bundle and proven.
 * When the seat is somebody else's, req->strange is the sender's address and req->player the one
 * whose seat it is. *done: the mail named nothing that is still good, or two different turns;
 * whoever may be told has been.
 */
enum err identify_answered(struct request *req, bool *done) MUST_CHECK;

/* The speaker has lost this seat by silence: what he can do now. */
enum err identify_tell_of_loss(struct request *req, const struct seat *lost) MUST_CHECK;

#endif
