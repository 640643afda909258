/*
 * bounces.h - mail of ours that came back.
 *
 * Believed only of a mail whose name stands in the report, a name that nobody can know but who
 * handled that mail: the address it was sent from,
 *
 *	moles+b-17-MAC@example.org
 *
 * (outbox row 17; MAC = 26 base32 characters of an HMAC under the server key over that number
 * and the Message-ID), or its Message-ID. So nobody can declare somebody else unreachable.
 *
 * Each mail that comes back counts against its address once: 2 points if it can never be delivered,
 * 1 otherwise. At 6 points, or at once when a report says that the address is none, the address
 * is paused: another address of the player is used in its place, or if there is none
 *
 *	mail to it waits in the outbox;
 *	the other players of each running game are told by mail, at most once a week and seat, and
 *	by the public log that the next report shows;
 *	the deadline of a turn that waits for the player is moved by the interval of the game, once
 *	in a game for each seat.
 *
 * A mail that is surely the player's ends it, for the address it comes from: whoever writes from the
 * address that was used instead goes on to be written to there. While a mail may be somebody
 * else's (speaker.h), the address stays paused, and only what answers it is sent.
 */
#ifndef MOLEPOST_PROCESSOR_BOUNCES_H
#define MOLEPOST_PROCESSOR_BOUNCES_H

#include "mail/robot.h"
#include "processor/dealing.h"

/* The address a mail is sent from, without plus_address the server's own. */
void bounces_add_sender(const struct server *srv, const struct outbox_mail *m,
                        struct strbuf *out);
/* Whether the mail in hand came to such an address, its MAC checked, and of which mail. */
enum err bounces_addressed(struct dealing *d, struct outbox_mail *row, bool *found) MUST_CHECK;

/*
 * Deals with the mail in hand, a bounce by its class or by its recipient: counts it, and does what
 * follows. Never answers.
 */
enum err bounces_take(struct dealing *d) MUST_CHECK;
/* The speaker is surely the player: the address he writes from is good, and used if none was. */
enum err bounces_forgive(struct dealing *d) MUST_CHECK;

#endif
