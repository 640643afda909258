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

#include "processor/request/confirmation.h"
#include "processor/request/request.h"

/* req->who.player by the From address; a stranger keeps id 0 and has that address. */
enum err identify_sender(struct request *req) MUST_CHECK;
/*
 * Fills game, seat, serial, has_serial and proven; of an answer to a digest, its number and proven.
 * When the seat is somebody else's, req->who.strange is the sender's address and req->who.player the one
 * whose seat it is. *done: the mail named nothing that is still good, or two different turns;
 * whoever may be told has been.
 */
enum err identify_answered(struct request *req, bool *done) MUST_CHECK;

/* The speaker has lost this seat by silence: what they can do now. */
enum err identify_tell_of_loss(struct request *req, const struct seat *lost) MUST_CHECK;

/* Judges the Authentication-Results as configured: req->who.auth and req->who.doubtful. */
void identify_judge(struct request *req);

/*
 * Puts the held mail in the place of the mail in hand, which said yes to it: who speaks, what is
 * answered, when it came. The caller carries it out. False in *fits: the seat is no longer theirs, and
 * they have been told.
 */
enum err identify_held_mail(struct request *req, const struct confirmation *q,
                            bool *fits) MUST_CHECK;

/* What sort of writer: before anything else is known. */
void identify_robot(struct request *req, const struct robot *robot);
/* Nothing need be asked about this mail: whoever wrote it has shown that the address is theirs. */
void identify_settled(struct request *req);
/* The speaker as they are now: registered by this mail, changed by a command, or asked. */
void identify_player(struct request *req, const struct player *p);
/* The game and seat that further lines are about; 0 = none. */
void identify_game(struct request *req, int64_t game, unsigned seat);
/* The same by a SIGNON, which names no turn. */
void identify_signed_on(struct request *req, int64_t game, unsigned seat);
/* A question about a mail to this digest's address was answered: it is about that digest. */
void identify_digest(struct request *req, unsigned number);
/* The server's own, with or without a part behind '+': mail to it would come back, and it is nobody's. */
bool address_is_ours(const struct server *srv, struct span address);

#endif
