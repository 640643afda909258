/*
 * incoming.h - one mail as it comes from its mailbox, before anybody has looked into it.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_INCOMING_H
#define MOLEPOST_PROCESSOR_REQUEST_INCOMING_H

#include "mail/mail.h"
#include "processor/base/seal.h"
#include "processor/server/server.h"
#include "store/inbox.h"

struct incoming {
	const struct mail_in *mail;
	struct span source, transport_id;
	struct hash
	    content; /* mail_content_hash, zero if the mail has no identity of its own */
	int64_t arrived_utc;
	struct span raw; /* its bytes, borrowed */
};

/* Its row in the inbox as far as it is known before anybody has looked at it. */
struct inbox_mail incoming_row(const struct server *srv, const struct incoming *in);
/* Records a mail that is set aside unread, with its bytes sealed. */
enum err incoming_quarantine(struct server *srv, const struct incoming *in, struct span raw,
                             const char *reason) MUST_CHECK;

#endif
