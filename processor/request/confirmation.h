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
#include "store/questions.h"

/* How long an answer is waited for, seconds, and how many questions one player gets in a day. */
enum { QUESTION_OPEN_S = 48 * 3600, QUESTIONS_A_DAY = 6 };

enum question_end { QUESTION_TO_PLAYER = 1, QUESTION_TO_ADDRESS = 2 };

/* The reply address that answers this question from this end. */
void question_add_reply(const struct server *srv, const struct question *q,
                        enum question_end end, struct strbuf *out);
/*
 * Puts the question to one end into the outbox: about the game in hand and numbered among its
 * mails when h and seat are not NULL. d->player is the one asked.
 */
enum err question_post(struct dealing *d, struct hand *h, struct seat *seat,
                       const struct question *q, enum question_end end,
                       const struct letter_out *letter) MUST_CHECK;
/*
 * Whether one more question of this kind may go to this address today; counts it. What others can
 * bring about (held mail) does not use up what the player himself may ask for.
 */
enum err question_allowed(struct dealing *d, enum question_kind kind, struct span address,
                          bool *yes) MUST_CHECK;

enum question_found {
	QUESTION_NONE,  /* the mail answers no question */
	QUESTION_OPEN,  /* *q and *end say which, from which end */
	QUESTION_CLOSED /* it answers one that is no longer open */
};
/* Which question the mail in hand answers, by its recipients, else by In-Reply-To. */
enum err question_find(struct dealing *d, struct question *q, enum question_end *end,
                       enum question_found *found) MUST_CHECK;
/* The open question this outbox row has asked; ERR_NOT_FOUND. */
enum err question_of_row(struct dealing *d, const struct outbox_mail *row, struct question *q,
                         enum question_end *end) MUST_CHECK;

#endif
