/*
 * incoming.h - one mail as it comes from its mailbox, before anybody has looked into it.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_INCOMING_H
#define MOLEPOST_PROCESSOR_REQUEST_INCOMING_H

#include "mail/mail.h"
#include "processor/server/reply_address.h"
#include "processor/server/server.h"
#include "store/inbox.h"

struct incoming {
	const struct mail_in *mail;
	struct span source, transport_id;
	struct mail_identity identity;
	const struct recipient *recipients; /* one for each of mail->recipients */
	int64_t arrived_utc;
};

/* Works out identity and recipients of a mail, in the arena. */
void incoming_identify(const struct server *srv, struct incoming *in, struct arena *arena);
/* Its row in the inbox as far as it is known before anybody has looked at it. */
struct inbox_mail incoming_row(const struct server *srv, const struct incoming *in);
/* Records a mail that is set aside unread, with its bytes sealed. */
enum err incoming_quarantine(struct server *srv, const struct incoming *in,
                             const char *reason) MUST_CHECK;

#endif
