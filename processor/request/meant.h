/*
 * meant.h - the YES or NO to "did you mean ...?".
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_MEANT_H
#define MOLEPOST_PROCESSOR_REQUEST_MEANT_H

#include "processor/commandtext/yes_no.h"
#include "processor/request/confirmation.h"

/*
 * A mail to a seat's own address that answers the question asked there: a mail of ours that asks it is named
 * by In-Reply-To or References, or quoted. *done: it was a NO, or a YES after which the question has been
 * shown again. *use not NULL: a YES; the caller carries out what was proposed (identify_held_mail).
 */
enum err meant_answer(struct request *req, bool *done,
                      const struct confirmation **use) MUST_CHECK;
/* What the mail says to this question; `named` and `yes` too when it repeats what was proposed. */
struct said meant_said(struct request *req, const struct confirmation *q);
/* Whether such a YES is enough: some must say what they are to (unclear_must_be_named). */
bool meant_is_enough(struct request *req, const struct confirmation *q,
                     const struct said *said);
/* After a YES that was not enough. */
enum err meant_ask_to_name(struct request *req, const struct confirmation *q) MUST_CHECK;
/* A YES that answers nothing: the open question, if there is one and no more, is shown again. */
enum err meant_show_again(struct request *req, bool *done) MUST_CHECK;

#endif
