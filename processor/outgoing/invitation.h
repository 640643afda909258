/*
 * invitation.h - the mail that asks somebody into a game, and what became of it, told to who sent it.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_INVITATION_H
#define MOLEPOST_PROCESSOR_OUTGOING_INVITATION_H

#include "processor/match/match.h"
#include "reports/report.h"
#include "store/invites.h"
#include "store/outbox.h"

/* The mail, in the name of who asks, with a text of theirs, plain, "" = none. */
void invitation_write(struct server *srv, const struct match *match, const char *inviter,
                      struct span text, struct report_out *out);
/* Of an answer that is neither yes nor no: who wrote it may never have heard of all this. */
void invitation_write_question(const struct match *match, struct report_out *out);
/* Of a no. */
void invitation_write_declined(const struct match *match, struct report_out *out);
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
