/*
 * automatic.h - what is done with mail that no person wrote. The classes stand in mail/robot.h.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_AUTOMATIC_H
#define MOLEPOST_PROCESSOR_REQUEST_AUTOMATIC_H

#include "processor/request/incoming.h"
#include "processor/request/request.h"

/* As it stands in the quarantine of mails of ours that came back. */
extern const char automatic_loop_reason[];

/*
 * Says by the class of its writer whether the mail may be answered. *done: nothing is left to
 * do with it, and its verdict is set. A bounce has then been counted.
 */
enum err automatic_sort_out(struct request *req, bool *done) MUST_CHECK;
/* After it is known who speaks and with what proof: *done when that is not enough for such mail. */
void automatic_ask_for_proof(struct request *req, bool *done);
/*
 * One of our own mails, come back (ROBOT_LOOP): into quarantine and the log, ten a day, so that a loop
 * cannot fill the disk; the others are only noted.
 */
enum err automatic_stop_loop(struct server *srv, const struct incoming *in) MUST_CHECK;

/*
 * That mail of ours came back is believed only of a mail whose name stands in the report, a name
 * that nobody can know but who handled that mail: the address it was sent from,
 *
 *	moles+b-17-MAC@example.org
 *
 * (outbox row 17; MAC = 26 base32 characters of an HMAC under the server key over that number
 * and the Message-ID), or its Message-ID. So nobody can declare somebody else unreachable.
 *
 * What follows from it stands in unreachable.h.
 */

/* The speaker is surely the player: the address they write from is good, and used if none was. */
enum err bounces_forgive(struct request *req) MUST_CHECK;

#endif
