/*
 * private.h - what sink.c and the drivers share. Private to them.
 */
#ifndef MOLEPOST_MAIL_SINK_PRIVATE_H
#define MOLEPOST_MAIL_SINK_PRIVATE_H

#include "mail/sink.h"

struct sink {
	const struct sink_driver *driver;
	char *url;
	const struct mail_settings *settings;
	size_t batch;            /* set by the driver's open; 0 = the usual number */
	struct sink_mail *mails; /* the batch in hand */
	size_t n;
	void *state; /* the driver's */
};

extern const struct sink_driver sink_maildir;
extern const struct sink_driver sink_sendmail;
extern const struct sink_driver sink_smtp;
extern const struct sink_driver sink_smtps;

/* Whether mail i must be passed over because an earlier one of its lane is not through. */
bool sink_would_overtake(const struct sink_mail *mails, size_t i);
/*
 * The envelope of a mail, checked: a mail with an address nobody should write to is DEAD, and
 * false is returned. The spans are those of the mail or the configured address.
 */
bool sink_envelope(const struct sink *s, struct sink_mail *m, struct span *from,
                   struct span *rcpt);
/* Appends a stranger's words to an answer: one line, printable, bounded. */
void sink_add_words(struct strbuf *out, struct span words);

#endif
