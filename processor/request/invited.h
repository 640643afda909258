/*
 * invited.h - the mail in hand as the answer to an invitation (commands/invite.c), and whether its
 * sender may come in.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_INVITED_H
#define MOLEPOST_PROCESSOR_REQUEST_INVITED_H

#include "processor/request/request.h"
#include "store/invites.h"

/*
 * *row and *invite, if the mail in hand answers an invitation, or what we have answered to an answer,
 * from the address it went to.
 */
enum err invited_answers(struct request *req, struct outbox_mail *row, struct invite *invite,
                         bool *is) MUST_CHECK;
/*
 * Whoever answers an invitation from where it went has shown whose address that is: the player, made
 * known if need be, is confirmed. `game`: that they are about to join.
 */
enum err invited_confirm(struct request *req, int64_t game) MUST_CHECK;
/* Whether this sender's address was invited into the game, so that no key is needed. */
enum err invited_into(struct request *req, int64_t game, bool *yes) MUST_CHECK;
/* What the master of the game has said of the speaker, whichever of their addresses was meant. */
enum err invited_entry(struct request *req, int64_t game, enum entry *entry) MUST_CHECK;
/* What who is ENTRY_DENIED is told, a sentence that ends before "list". */
const char *invited_kept_out(struct request *req, const char *game_id);
/* If the speaker has a seat in the game now: who invited them, if anybody has, is told. */
enum err invited_has_joined(struct request *req, int64_t game) MUST_CHECK;

#endif
