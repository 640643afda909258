/*
 * digest_policy.h - which mail a player gets at once, and which waits for another.
 *
 *	                      ALL    ROUND              DIGEST
 *	turn report           now    now, with all      with the digest
 *	                             that waits
 *	reminder              now    now                makes the digest leave at once
 *	message, notice on    now    with the report    with the digest
 *	another player
 *	receipt for what was  now    with the report    with the next digest there is
 *	taken as it was meant                           anyway
 *	all else              now    now                now
 *
 * All else is what somebody waits for or must know: refusals and objections, questions, welcomes,
 * new reply addresses, a seat that is lost, answers to what was asked for, mails asked for again.
 * What only confirms that all is well never makes a mail of its own: without a reminder the orders
 * have arrived.
 *
 * With ALL nothing waits, but a receipt that has not left when its turn ends goes with the report of the turn; and
 * with ALL and ROUND a report that asks for nothing waits for the next one when nothing happened to its reader, or bots
 * move at once (turns/turn_mails.c).
 *
 * A digest comes at the player's hour, after their quiet hours if that lies in them. It leaves earlier
 * when orders are wanted less than DIGEST_LEAST_S after that: at once, or after the quiet hours if
 * that leaves time enough. So no digest costs a turn.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_DIGEST_POLICY_H
#define MOLEPOST_PROCESSOR_OUTGOING_DIGEST_POLICY_H

#include "processor/server/server.h"
#include "reports/report.h"
#include "store/outbox.h"
#include "store/players.h"

enum {
	DIGEST_LEAST_S = 12 * 3600,      /* so long before a deadline its digest has come */
	DIGEST_LONGEST_S = 7 * 24 * 3600 /* so long a mail waits for a report */
};

enum outgoing_sort { OUTGOING_REPORT, OUTGOING_REMINDER, OUTGOING_MESSAGE, OUTGOING_RECEIPT };

struct digest_policy {
	bool waits;      /* false: it leaves at once */
	int64_t due_utc; /* when a digest brings it if nothing else has before */
};

/* `orders_utc`: until when the reader's orders are wanted, if the mail says so; else 0. */
struct digest_policy digest_policy_of(struct server *srv, const struct player *reader,
                                      enum outgoing_sort sort, int64_t orders_utc);
/* When this player's next digest comes, after now. */
int64_t digest_policy_next(struct server *srv, const struct player *p);
/*
 * Orders are wanted of them earlier than their mails have said: what waits for a digest waits no longer than
 * that leaves time.
 */
enum err digest_policy_hurry(struct server *srv, const struct player *p,
                             int64_t orders_utc) MUST_CHECK;
/*
 * Makes a finished row one that waits; `carried` is how another mail shows it: its body, and its proof, if any,
 * below a line "-- ", which no such body has.
 */
void digest_policy_prepare(const struct server *srv, const struct digest_policy *keep,
                           const struct report_out *carried, struct arena *arena,
                           struct outbox_mail *out);
/* Game and clock as a mail needs them that is read later, inside another mail. */
void digest_policy_carry(struct report_game *game, struct report_clock *clock);

#endif
