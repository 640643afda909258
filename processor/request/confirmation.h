/*
 * confirmation.h - questions by mail, and the reply addresses that answer them.
 *
 *	moles+y-7.1.MAC@example.org
 *
 * player 7, end 1 (the player; 2 = the address in question). MAC = 26 base32 characters of an
 * HMAC under the server key over everything the question is about, so that a yes is to exactly
 * this: once it is answered, replaced or too old its row is gone, and no other question has the
 * same. The code stands in the reply address only, never in a body, and not in the database. Where
 * reply addresses are off, a question is known by the Message-ID that is answered.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_CONFIRMATION_H
#define MOLEPOST_PROCESSOR_REQUEST_CONFIRMATION_H

#include "processor/request/request.h"
#include "processor/server/reply_address.h"
#include "store/confirmations.h"

/* How long an answer is waited for, seconds, and how many questions one player gets in a day. */
enum { CONFIRMATION_OPEN_S = 48 * 3600 };

/* The reply address that answers this question from this end. */
void confirmation_add_reply(const struct server *srv, const struct confirmation *q,
                            enum confirmation_end end, struct strbuf *out);
/*
 * Puts the question to one end into the outbox: about the game in hand and numbered among its
 * mails when match and seat are not NULL. req->who.player is the one asked.
 */
enum err confirmation_post(struct request *req, struct match *match, struct seat *seat,
                           const struct confirmation *q, enum confirmation_end end,
                           const struct report_out *report) MUST_CHECK;
/*
 * Whether one more question of this kind may go to this address today; counts it. What others can
 * bring about (held mail) does not use up what the player may ask for.
 */
enum err confirmation_allowed(struct request *req, enum confirmation_kind kind,
                              struct span address, bool *yes) MUST_CHECK;

enum confirmation_found {
	CONFIRMATION_NONE,  /* the mail answers no question */
	CONFIRMATION_OPEN,  /* *q and *end say which, from which end */
	CONFIRMATION_CLOSED /* it answers one that is no longer open */
};
/* What a YES to a "did you mean" carries out. */
struct span confirmation_proposal(const struct confirmation *q);
/* Which question the mail in hand answers, by its recipients, else by the mail answered. */
enum err confirmation_find(struct request *req, struct confirmation *q,
                           enum confirmation_end *end,
                           enum confirmation_found *found) MUST_CHECK;
/* The open question this outbox row has asked; ERR_NOT_FOUND. */
enum err confirmation_of_row(struct request *req, const struct outbox_mail *row,
                             struct confirmation *q, enum confirmation_end *end) MUST_CHECK;

#endif
