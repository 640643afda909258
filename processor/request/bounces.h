/*
 * bounces.h - mail of ours that came back.
 *
 * Believed only of a mail whose name stands in the report, a name that nobody can know but who
 * handled that mail: the address it was sent from,
 *
 *	moles+b-17-MAC@example.org
 *
 * (outbox row 17; MAC = 26 base32 characters of an HMAC under the server key over that number
 * and the Message-ID), or its Message-ID. So nobody can declare somebody else unreachable.
 *
 * What follows from it stands in unreachable.h.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_BOUNCES_H
#define MOLEPOST_PROCESSOR_REQUEST_BOUNCES_H

#include "mail/robot.h"
#include "processor/request/request.h"

/* Whether the mail in hand came to such an address, its MAC checked, and of which mail. */
enum err bounces_addressed(struct request *req, struct outbox_mail *row,
                           bool *found) MUST_CHECK;

/*
 * Deals with the mail in hand, a bounce by its class or by its recipient: counts it, and does what
 * follows. Never answers.
 */
enum err bounces_take(struct request *req) MUST_CHECK;
/* The speaker is surely the player: the address they write from is good, and used if none was. */
enum err bounces_forgive(struct request *req) MUST_CHECK;

#endif
