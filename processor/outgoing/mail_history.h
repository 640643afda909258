/*
 * mail_history.h - what was tried with a mail and what was answered, for the operator.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_MAIL_HISTORY_H
#define MOLEPOST_PROCESSOR_OUTGOING_MAIL_HISTORY_H

#include <stdio.h>

#include "processor/server/server.h"
#include "store/outbox.h"

/*
 * Its number, kind and addressee, state, every attempt that failed with the time and the
 * answer, when it goes on, and what can be done. Nothing of the text.
 */
enum err mail_history_print(FILE *out, struct server *srv,
                            const struct outbox_mail *m) MUST_CHECK;

#endif
