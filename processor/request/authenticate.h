/*
 * authenticate.h - mail whose sender may not be who they seem.
 *
 * Three things speak for a sender: a reply address (or the Message-ID of a mail of ours that is
 * answered), which only those know who have seen a mail to that player; the From address; and,
 * where the operator has named a mail server to believe, what that server found out. A mail that
 * lacks one of them and would change something is not carried out: its text is sealed, the player
 * is asked at the address they are known by, and their yes carries it out as of its arrival; what takes
 * effect for others too (a seat taken over, a vote, a master's command) as of the yes. At most one
 * mail waits so for each seat, or for each player when none is named; the newest counts.
 *
 *	reply address   From            results          what happens
 *	good            the player's    vouch, or are    carried out
 *	                                not required
 *	good            the player's    required, lack   the player is asked
 *	good            somebody's      any              the player is asked; NO makes a new
 *	                                                 reply address
 *	none            the player's    vouch, or are    carried out with known_senders =
 *	                                not required     accept, else the player is asked
 *	none            the player's    required, lack   the player is asked
 *
 * A reply address speaks for the seat it belongs to: for lines about another game, named in
 * them or by a SIGNON above, it is as good as none.
 *
 * What only shows something is always answered, to the address the player is known by.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_AUTHENTICATE_H
#define MOLEPOST_PROCESSOR_REQUEST_AUTHENTICATE_H

#include "processor/request/confirmation.h"
#include "processor/request/request.h"

/* A sentence for the receipt when they do not vouch for the sender, or NULL. */
const char *authenticate_remark(struct request *req);
/* ... and for `molepost why`: added to the verdict. */
void authenticate_note_results(struct request *req);

/*
 * Whether the speaker, where it is about this game, is surely who they seem: nothing need be
 * asked.
 */
bool authenticate_is_sure(const struct request *req, int64_t about);
/* Whether the mail must wait for the player's yes. */
enum err authenticate_must_ask(struct request *req, bool *yes) MUST_CHECK;
/*
 * Keeps the mail, read from `text`, and asks req->who.player about it. Nothing of it is carried
 * out. A flood of such mails is recorded and not asked about.
 */
enum err authenticate_ask(struct request *req, struct span text) MUST_CHECK;
/* Nothing worth asking about came to their reply address from elsewhere: they are told that much. */
enum err authenticate_tell_of_strange(struct request *req) MUST_CHECK;

#endif
