/*
 * refused_run.h - what a sink has refused in one run of the sender, and when that counts.
 *
 * One rule, whatever the code of the refusal says and however the sink refuses: has anything been taken?
 *
 *	A refusal counts against a mail and its address only when the same sink has taken a mail for
 *	another address after it, in the same run. Else the mail is as if it had not been tried.
 *
 * A mail taken for an address of our own domain says nothing of one elsewhere, since a provider that
 * relays for us no more takes those all the same. Addresses whose refusals do not count are in doubt.
 *
 * The sink takes nothing, so that clocks stand (turns/outage.h), when REFUSED_MANY addresses are in doubt, or
 * when nobody else is left: no other player of a running game has been sent a mail since the sink or the
 * address in molepost.conf was changed, but such as mail comes back from. With fewer in doubt the games go on,
 * and bring mail to others, which decides. In either case the run leaves with 75, and the operator is told.
 *
 * An answer that was lost is no refusal, but the mail has not been taken either: it is in doubt, and goes out again
 * after ever longer waits.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_REFUSED_RUN_H
#define MOLEPOST_PROCESSOR_OUTGOING_REFUSED_RUN_H

#include "processor/server/server.h"
#include "store/outbox.h"

enum { REFUSED_MANY = 3 };

struct refused_mail {
	struct outbox_mail
	    row;        /* as it is to be if the refusal counts; its texts live in the arena */
	unsigned at;    /* the place among all outcomes of the run */
	bool is_known;  /* the server said the same the last time */
	bool not_asked; /* the server has not seen it: it counts */
	bool open;      /* does not count so far, and is stored so */
};
struct taken_mail {
	struct span rcpt;
	unsigned at;
};
/* Zeroed before use, but for srv. */
struct refused_run {
	struct server *srv;
	struct refused_mail *mails;
	size_t n, cap;
	unsigned outcomes;
	struct taken_mail
	    taken[2][2]; /* elsewhere, then of our domain: the last, and the last for another */
};
void refused_run_release(struct refused_run *r);
void refused_run_taken(struct refused_run *r, struct span rcpt);
/* `row` is as it is to be if the refusal counts. */
void refused_run_add(struct refused_run *r, const struct outbox_mail *row, bool is_known,
                     bool not_asked);
/* Stores the outcome of a mail that was added, as far as it is known now. Inside a transaction. */
enum err refused_run_store(struct refused_run *r, int64_t id) MUST_CHECK;
/*
 * At the end: stores what counts by now, in a transaction of its own. ERR_DENIED with the server's words when the
 * sink takes nothing; *in_doubt: some address is. `rc` is how the sink ended, and is returned if it did not
 * end well. The operator hears of what is given up.
 */
enum err refused_run_settle(struct refused_run *r, enum err rc, bool *in_doubt) MUST_CHECK;

#endif
