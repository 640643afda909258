/*
 * round_trip.h - once a day the server mails itself, which shows whether mail leaves, arrives, and how.
 *
 * The mail goes through the sink to the server's own address, as a reply to a seat that does not exist
 * (moles+w0-64.DAY.MAC@host; without plus_address to the address as it is), and comes back through a source. It is
 * answered by nobody, whoever sends it, and counts for nothing; like other mail it is then moved, and deleted after
 * keep_mail. Only where mail goes to a server or program and comes from a mailbox elsewhere: in a Maildir that somebody
 * else empties it would only lie.
 *
 * Trusts: the mail that came back has a code of ours, so nobody else made it; what its header says of its way is the
 * provider's word, and is only shown.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_ROUND_TRIP_H
#define MOLEPOST_PROCESSOR_OUTGOING_ROUND_TRIP_H

#include "mail/mail.h"
#include "processor/server/reply_address.h"
#include "processor/server/server.h"
#include "store/operator/outages.h"

/* Where such a mail lies, all in the arena. */
struct round_trip_place {
	const char *url; /* NULL: nowhere */
	bool spam;
	/* What had become of its envelope's sender, as the end of a sentence. */
	const char *sender;
};

/* Whether there is such a mail every day. */
bool round_trip_is_made(const struct config *cfg);
/* Adds the mail to the outbox, in a transaction of its own, if the last one was a day ago, or `now`. */
enum err round_trip_start(struct server *srv, bool now) MUST_CHECK;
/*
 * Sends one now, with what else is due, and looks for it until it has arrived, at most wait_s.
 * What sending ended with; *refused: with a refusal of all mails, which may be for their
 * addresses. For doctor, and init.
 */
enum err round_trip_try(struct server *srv, unsigned wait_s, struct round_trip_place *place,
                        bool *refused) MUST_CHECK;
/*
 * *yes: this is such a mail, which came from the source `url`; then it is noted and nothing else is to be done with it.
 * Inside a transaction.
 */
enum err round_trip_end(struct server *srv, const struct mail_in *mail,
                        const struct recipient *recipients, struct span url,
                        int64_t arrived_utc, bool *yes) MUST_CHECK;
/*
 * Looks for the mail that is on its way where it may lie: in each source, and at an IMAP server in its folders for spam.
 * Nothing is moved. For doctor.
 */
enum err round_trip_find(struct server *srv, struct round_trip_place *place) MUST_CHECK;

#endif
