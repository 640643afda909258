/*
 * private.h - what source.c and the drivers share. Private to them.
 */
#ifndef MOLEPOST_MAIL_SOURCE_PRIVATE_H
#define MOLEPOST_MAIL_SOURCE_PRIVATE_H

#include "mail/source.h"

struct source {
	const struct source_driver *driver;
	char *url;
	const struct mail_settings *settings;
	void *state; /* the driver's */
	source_waiting_fn *on_waiting;
	void *waiting_ctx;
};

enum { LISTING_MAX = 32768 }; /* files of a Maildir that are known at a time, the oldest */

extern const struct source_driver source_maildir, source_imaps, source_imap, source_pop3s,
    source_pop3;

#endif
