/*
 * sink_parts.h - what sink.c and the drivers share. Private to them.
 */
#ifndef MOLEPOST_MAIL_SINK_PARTS_H
#define MOLEPOST_MAIL_SINK_PARTS_H

#include "mail/sink.h"

struct sink {
	const struct sink_driver *driver;
	char *url;
	const struct mail_access *access;
	void *state; /* the driver's */
};

extern const struct sink_driver sink_maildir;

#endif
