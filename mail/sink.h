/*
 * sink.h - where mail goes.
 *
 * A sink takes finished messages and says of each what became of it. Whoever
 * calls it has committed the attempt before and commits the answer after; a
 * message whose answer was lost is sent again with the same bytes.
 */
#ifndef MOLEPOST_MAIL_SINK_H
#define MOLEPOST_MAIL_SINK_H

#include <stdint.h>

#include "mail/access.h"
#include "processor/base/err.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

enum delivery {
	DELIVERY_SENT,  /* accepted for good (SMTP 250, file durable) */
	DELIVERY_RETRY, /* not now: 4xx, connection refused */
	DELIVERY_DEAD,  /* never: 5xx for this recipient or message */
	DELIVERY_MAYBE  /* the line broke between the final dot and the answer */
};

struct sink_mail {
	int64_t outbox_id; /* unique and stable: a Maildir file name is made of it */
	int64_t created_utc;
	struct span envelope_from; /* "" = the sink's configured default */
	struct span rcpt;          /* one address */
	struct span message; /* RFC 5322, LF line ends; the sink makes CRLF where needed */
};

struct sink;

struct sink_driver {
	const char *scheme;
	enum err (*open)(struct sink *s, const char *rest, struct failure *e);
	void (*close)(struct sink *s);
	/*
	 * Hands one mail over. ERR_NONE with *what set and a reason appended to `answer` for
	 * anything but SENT; an error means that the sink as a whole is unusable now.
	 */
	enum err (*send)(struct sink *s, const struct sink_mail *m, enum delivery *what,
	                 struct strbuf *answer, struct failure *e);
	/* Everything reported as sent so far is durable when this returns. */
	enum err (*flush)(struct sink *s, struct failure *e);
};

/* "maildir:DIR"; later "smtp://...", "smtps://...", "sendmail:COMMAND". `access` is
 * borrowed until sink_close. ERR_CONFIG, ERR_IO. */
enum err sink_open(const char *url, const struct mail_access *access, struct sink **out,
                   struct failure *e) MUST_CHECK;
void sink_close(struct sink *s);
enum err sink_send(struct sink *s, const struct sink_mail *m, enum delivery *what,
                   struct strbuf *answer, struct failure *e) MUST_CHECK;
enum err sink_flush(struct sink *s, struct failure *e) MUST_CHECK;

#endif
