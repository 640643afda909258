/*
 * write_back.h - plain answers to what people have read: whom they are for is asked.
 *
 * Of mails in which nothing was understood. *done: something was asked or told; what a YES sends is shown, and
 * it is written as if the player had sent PRESS or BROADCAST.
 */
#ifndef MOLEPOST_PROCESSOR_INTAKE_WRITE_BACK_H
#define MOLEPOST_PROCESSOR_INTAKE_WRITE_BACK_H

#include "processor/request/request.h"

/* An answer to a message of another player: shall they read it? Where it cannot be asked, how to say whom it is for. */
enum err write_back_to_message(struct request *req, bool *done) MUST_CHECK;
/* An answer to any mail of a game that has ended: shall all read it? Not when messages are passed on no more. */
enum err write_back_after_the_end(struct request *req, bool *done) MUST_CHECK;

#endif
