/*
 * refused_run.h - what was refused in one run of the sender, and whether that was the server's fault.
 *
 * A provider that has closed an account, or whose quota is used up, refuses mail after mail. That is no
 * fault of a player's address: when a run has got nothing through, and the refusals were for two
 * people or more, or came before a recipient was named, the mails are as if they had not been tried.
 * What says that the mailbox is full, or that there is none, counts at once. As long as a run has got
 * nothing through, all other refusals are open: stored as if not tried, and decided at its end. So a kill
 * in between makes nobody pay for the server.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_REFUSED_RUN_H
#define MOLEPOST_PROCESSOR_OUTGOING_REFUSED_RUN_H

#include "mail/sink.h"
#include "processor/server/server.h"
#include "store/outbox.h"

struct refused_mail {
	struct outbox_mail row; /* after the attempt; its texts live in the arena */
	enum blame blame;
	bool open; /* stored as not tried */
};
/* Zeroed before use. */
struct refused_run {
	struct refused_mail *mails;
	size_t n, cap;
};
void refused_run_release(struct refused_run *r);
void refused_run_add(struct refused_run *r, const struct outbox_mail *row, enum blame blame,
                     struct arena *arena);
/*
 * The outcome of an attempt that failed is to be stored: false when it stays open, and *row is then
 * as it is to be stored.
 */
bool refused_run_counts(struct refused_run *r, unsigned sent, int64_t now_utc,
                        struct outbox_mail *row);
/*
 * At the end: decides what is open, in a transaction of its own. When nothing was sent and that was the
 * server's fault, ERR_DENIED with the server's words, and *for_now if it only puts off. `rc` is how the sink
 * ended, and is returned if it did not end well. The operator hears of what is given up, and of what is
 * refused for good because of us.
 */
enum err refused_run_settle(struct server *srv, struct refused_run *r, enum err rc,
                            unsigned sent, bool *for_now) MUST_CHECK;

#endif
