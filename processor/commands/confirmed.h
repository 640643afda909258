/*
 * confirmed.h - the answers to our questions: YES, NO, or neither.
 *
 * An answer counts only from the end that was asked, by the code in its reply address or the
 * Message-ID it answers, and from an address of that end. Nothing but YES or NO is read of it.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDS_CONFIRMED_H
#define MOLEPOST_PROCESSOR_COMMANDS_CONFIRMED_H

#include "processor/request/confirmation.h"

/*
 * *done: the mail in hand was an answer and has been dealt with, unless *use is not NULL: then it
 * said yes to a held mail, which the caller carries out (authenticate_take_up).
 */
enum err confirmed_answer(struct request *req, bool *done,
                          const struct confirmation **use) MUST_CHECK;

#endif
