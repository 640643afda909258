/*
 * digest.h - digests: one mail with all that waits for a player, one answer for all their games.
 *
 *	mails that wait (digest_policy.h) -> one of them is due -> digest: their texts, a form for orders
 *
 * A digest is a mail to a person, not to a seat: it has no number in any game, but one of its own,
 * and its reply address is the player's, for all of their seats (reply_address.h). The mails in it keep
 * their numbers, bytes and proofs, and RESEND has them.
 *
 * The answer names each game by a SIGNON line (digest_form.h); orders count for the turn that
 * was open when the digest was written, and for no later one. Who has seen a digest from
 * elsewhere is treated as with any reply address (authenticate.h); TOKEN NEW in an answer to one
 * ends all that were sent.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_DIGEST_H
#define MOLEPOST_PROCESSOR_OUTGOING_DIGEST_H

#include "processor/match/match.h"
#include "reports/report.h"
#include "store/digests.h"
#include "store/inbox.h"
#include "store/players.h"

/*
 * Writes all digests that are due, after everything else a run does. Each, the marks on what it
 * brings and the turns it shows go into one transaction; a batch of players shares one. A player
 * whose digest kills the program gets their mails one by one instead. *mails counts.
 */
enum err digest_all_due(struct server *srv, const struct in_flight *left,
                        unsigned *mails) MUST_CHECK;

/* Who has asked for a digest, and how. */
struct digest_asked {
	int64_t player;
	int64_t mail;           /* row of the inbox */
	struct span message_id; /* of that mail */
	const char *postscript; /* a constant below the digest; NULL: none */
};

/*
 * A digest at once, in the caller's transaction: all games in which the player has a seat, those that
 * wait for players among them, and what waits of them, if anything. *any false when there is no such
 * game, and then nothing is written. Whether one more answer may be sent is for the caller to ask.
 */
enum err digest_now(struct server *srv, const struct digest_asked *asked, struct arena *arena,
                    bool *any) MUST_CHECK;

/* One mail that has waited, as a report shows it; match is its game as it stands now. */
struct report_digest_item digest_item(const struct queued_mail *k, const struct match *match);

/* When this player's digests come, a sentence or two. */
const char *digest_rhythm(struct server *srv, const struct player *p, struct arena *arena);

#endif
