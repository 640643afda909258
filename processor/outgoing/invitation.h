/*
 * invitation.h - what became of an invitation, told to who sent it.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_INVITATION_H
#define MOLEPOST_PROCESSOR_OUTGOING_INVITATION_H

#include "processor/match/match.h"
#include "store/invites.h"
#include "store/outbox.h"

/*
 * Writes down the answer and mails it to who has sent the invitation; they typed the address `mail` went
 * to, nobody else is told it. `name`: who has joined by it, NULL for the other answers. Once for each
 * answer: the same again changes and tells nothing.
 */
enum err invitation_answered(struct server *srv, const struct invite *invite,
                             const struct outbox_mail *mail, enum invite_answer answer,
                             const char *name, struct arena *arena) MUST_CHECK;
/* A mail of ours came back, or was refused: if it was an invitation, that is its answer. */
enum err invitation_came_back(struct server *srv, const struct outbox_mail *mail,
                              struct arena *arena) MUST_CHECK;

#endif
