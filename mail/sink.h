/*
 * sink.h - where mail goes.
 *
 * A sink takes finished messages in batches and says of each what became of it. Whoever calls
 * it has committed the attempts before and commits the outcomes after; a message whose
 * outcome was lost is sent again with the same bytes.
 *
 *	maildir:DIR                         a folder that somebody else empties
 *	smtp://USER@HOST:PORT/HELO?...      a mail server; smtps:// with TLS from the first
 *	                                    byte on.
 *	                                    Options: starttls=yes|no, connections=1..8,
 *	                                    timeout=1..3600 (seconds for one answer)
 *	sendmail:COMMAND                    a program that takes one message
 */
#ifndef MOLEPOST_MAIL_SINK_H
#define MOLEPOST_MAIL_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mail/text/credentials.h"
#include "processor/base/err.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

enum delivery {
	DELIVERY_UNTRIED, /* certainly not handed over */
	DELIVERY_SENT,    /* accepted for good (SMTP 250, file durable) */
	DELIVERY_RETRY,   /* not now: 4xx, the line broke before the message was over */
	DELIVERY_DEAD,    /* never: 5xx for this recipient or message */
	DELIVERY_MAYBE    /* the line broke between the final dot and the answer */
};

struct sink_mail {
	int64_t outbox_id; /* unique and stable: a Maildir file name is made of it */
	int64_t created_utc;
	int64_t lane;              /* mails of one lane never overtake each other; 0 = none */
	struct span envelope_from; /* "" = the address of the configuration */
	struct span rcpt;          /* one address */
	struct span message; /* RFC 5322, LF line ends; the sink makes CRLF where needed */
	/* The sink's answer. */
	enum delivery what;
	bool no_such_address; /* DEAD: there is nobody of that address, says the sink */
	bool not_asked;       /* DEAD: found here; nobody was given it */
	struct strbuf answer; /* why, printable; begins and stays empty when SENT */
};

struct sink;

struct sink_driver {
	const char *scheme;
	/* What was handed over before is found there and not handed over twice. */
	bool knows_again;
	/* Reads the URL; touches no network. ERR_CONFIG, ERR_NOT_FOUND, ERR_DENIED, ERR_IO. */
	enum err (*open)(struct sink *s, const char *rest, struct failure *e);
	void (*close)(struct sink *s);
	/* See sink_ready; NULL: open has looked. */
	enum err (*ready)(struct sink *s, struct failure *e);
	/* May begin with s->mails at once, in processes of its own; NULL: all is done in finish. */
	void (*start)(struct sink *s);
	/* See sink_finish. */
	enum err (*finish)(struct sink *s, struct failure *e);
};

/* `access` is borrowed until sink_close. ERR_CONFIG, ERR_IO, ERR_NOT_FOUND, ERR_DENIED. */
enum err sink_open(const char *url, const struct mail_settings *settings, struct sink **out,
                   struct failure *e) MUST_CHECK;
void sink_close(struct sink *s); /* NULL is fine */
/*
 * Connects and logs in, or looks whether the program or folder is there: what can go wrong
 * with the sink as a whole is found out before a mail is touched. Nothing is handed over.
 * ERR_DENIED: the certificate, the login, a missing STARTTLS; ERR_IO, ERR_TIMEOUT,
 * ERR_CONFIG, ERR_NOT_FOUND, ERR_UNSUPPORTED (libcurl is not there).
 */
enum err sink_ready(struct sink *s, struct failure *e) MUST_CHECK;
/* How many mails it likes to be given next: few while each takes long. Ask again each time. */
size_t sink_batch(const struct sink *s);
/* A mail of which it is not known whether it was handed over can be handed over again at once. */
bool sink_knows_again(const struct sink *s);
/*
 * Takes `mails`, borrowed until sink_finish, and may return before they are sent. A mail
 * whose lane has an earlier one in this batch that was neither sent nor given up is left
 * UNTRIED.
 */
void sink_start(struct sink *s, struct sink_mail *mails, size_t n);
/*
 * Returns when each mail of the batch has its outcome. What is SENT is durable. An error
 * means that the sink as a whole is unusable now; the outcomes count all the same, and those
 * not tried are UNTRIED.
 */
enum err sink_finish(struct sink *s, struct failure *e) MUST_CHECK;

#endif
