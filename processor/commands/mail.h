/*
 * mail.h - commands that are about the digest a mail answers.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDS_MAIL_H
#define MOLEPOST_PROCESSOR_COMMANDS_MAIL_H

#include "processor/request/request.h"

/* Whether a line that could be about a game is about the digest that is answered. */
bool bundle_is_meant(const struct dealing *d, const struct letter_item *item);
/* TOKEN NEW (`lead` before what the answer says) and RESEND [n], where that is so. */
enum err bundle_new_token(struct dealing *d, const char *lead) MUST_CHECK;
enum err bundle_resend(struct dealing *d, const struct letter_item *item) MUST_CHECK;

#endif
