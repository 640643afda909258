/*
 * mail.h - commands that are about the digest a mail answers.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDS_MAIL_H
#define MOLEPOST_PROCESSOR_COMMANDS_MAIL_H

#include "processor/request/request.h"

/* Whether a line that could be about a game is about the digest that is answered. */
bool digest_is_meant(const struct request *req, const struct command *item);
/* TOKEN NEW where that is so; `lead` before what the answer says. */
enum err digest_new_token(struct request *req, const char *lead) MUST_CHECK;

#endif
