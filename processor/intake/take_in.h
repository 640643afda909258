/*
 * take_in.h - reading every source through and handling each mail once.
 */
#ifndef MOLEPOST_PROCESSOR_INTAKE_TAKE_IN_H
#define MOLEPOST_PROCESSOR_INTAKE_TAKE_IN_H

#include "processor/server/server.h"
#include "store/inbox.h"

struct arrivals; /* arrivals.h */

struct take_in_result {
	unsigned mails;
	/* Every source has been read up to this moment, nothing left over: deadlines up to it may
	   be acted on. INT64_MIN when a source could not be read. */
	int64_t read_through_utc;
};

/*
 * Moves the games on as far as srv->now_utc and the mail read so far allow; every mail that
 * arrived before through_utc has been dealt with.
 */
typedef enum err catch_up_fn(struct server *srv, int64_t through_utc);

/*
 * Deals with all new mail, oldest first, in batches of one transaction each: up to 1,000
 * mails, 8 MiB or one second. `left` (may be NULL) is what the last run died with: if it was
 * mails, each is worked off alone, and one that keeps killing is set aside. `reread`: handled
 * mail that is still kept is read again, for a database restored from a backup; mail that the
 * database does not know is dealt with as of the time it arrived. NULL: only what is new.
 */
enum err take_in(struct server *srv, struct arrivals *from, const struct in_flight *left,
                 catch_up_fn *reread, struct take_in_result *out) MUST_CHECK;

#endif
