/*
 * send.h - from the outbox to the sink.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_SEND_H
#define MOLEPOST_PROCESSOR_OUTGOING_SEND_H

#include "processor/server/server.h"

struct send_result {
	unsigned sent, failed;
	bool hangs; /* another sender has been at work for too long */
	bool
	    in_doubt; /* something was refused, and nothing taken for others after it (send.c) */
};

/*
 * Sends what is due under a lock of its own, so that a hanging mail server never delays
 * intake; leaves at once when another process is sending. Each attempt is committed before
 * and its outcome after. Where a refusal counts (send.c): 5 min, 30 min, 2 h, 6 h, 24 h, then DEAD
 * and a line for the operator. A sink that cannot be used at all, or takes nothing (send.c), is an error
 * and leaves the mails as they were.
 */
enum err send_due(struct server *srv, struct send_result *out) MUST_CHECK;

#endif
