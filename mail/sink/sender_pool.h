/*
 * sender_pool.h - several sending children that hand over the mails of one batch. Private to mail/.
 *
 * Each has one connection (sender.h) and is given some mails ahead, since the one who gives out the batch
 * goes on with other work meanwhile. Where there are several, one mail of a lane is in hand at a time; what
 * stands behind a mail that did not get through stays untried.
 */
#ifndef MOLEPOST_MAIL_SINK_SENDER_POOL_H
#define MOLEPOST_MAIL_SINK_SENDER_POOL_H

#include <stdint.h>

#include "mail/sink.h"

/* The same for all connections of a sink. */
struct smtp_server {
	const char *scheme, *host, *helo; /* borrowed; helo: the name we greet with */
	uint16_t port;
	char *name;         /* "USER@HOST" or "HOST", for errors */
	const char *user;   /* "" = no login */
	struct login login; /* read before the first connection */
	bool tls;           /* from the first byte on, or by STARTTLS: never without */
	unsigned timeout_s; /* for one answer of the server */
};

struct sender_pool;

/* No child is started yet. */
struct sender_pool *sender_pool_new(const struct sink *sink, const struct smtp_server *server,
                                    unsigned connections);
/*
 * The first connection is there: it greets, secures and logs in, unless that is done. Not while a batch is
 * in hand. ERR_DENIED: certificate, login, a server without STARTTLS or AUTH. ERR_IO, ERR_TIMEOUT,
 * ERR_CONFIG, ERR_UNSUPPORTED.
 */
enum err sender_pool_ready(struct sender_pool *c, struct failure *e) MUST_CHECK;
/* The batch is that of the sink. */
void sender_pool_start(struct sender_pool *c);
/* Waits until each mail of the batch is settled; the first error of the sink. */
enum err sender_pool_finish(struct sender_pool *c, struct failure *e) MUST_CHECK;
/* Ends the children, which say QUIT. No batch is in hand. NULL is fine. */
void sender_pool_free(struct sender_pool *c);

#endif
