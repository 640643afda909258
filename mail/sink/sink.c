/*
 * sink.c - from a URL to a driver, and what all drivers do alike.
 */
#include "mail/sink.h"

#include <stdlib.h>

#include "mail/mail.h"
#include "mail/sink/private.h"
#include "mail/text/scheme.h"

static const struct sink_driver *const drivers[] = {&sink_maildir, &sink_smtps, &sink_smtp,
                                                    &sink_sendmail};
enum { NDRIVERS = sizeof(drivers) / sizeof(drivers[0]), BATCH = 200 };

enum err sink_open(const char *url, const struct mail_settings *settings, struct sink **out,
                   struct failure *e)
{
	const char *schemes[NDRIVERS], *rest;
	struct sink *s;
	size_t which;
	enum err r;

	*out = NULL;
	for (which = 0; which < NDRIVERS; which++)
		schemes[which] = drivers[which]->scheme;
	r = scheme_find(url, "mail sink", schemes, NDRIVERS, &which, &rest, e);
	if (r != ERR_NONE)
		return r;
	s = xcalloc(1, sizeof(*s));
	s->driver = drivers[which];
	s->url = xstrdup(url);
	s->settings = settings;
	s->batch = BATCH;
	r = s->driver->open(s, rest, e);
	if (r != ERR_NONE)
		sink_close(s);
	else
		*out = s;
	return r;
}

void sink_close(struct sink *s)
{
	if (!s)
		return;
	s->driver->close(s);
	free(s->url);
	free(s);
}

enum err sink_ready(struct sink *s, struct failure *e)
{
	return s->driver->ready(s, e);
}

size_t sink_batch(const struct sink *s)
{
	return s->batch;
}

bool sink_knows_again(const struct sink *s)
{
	return s->driver->knows_again;
}

void sink_start(struct sink *s, struct sink_mail *mails, size_t n)
{
	s->mails = mails;
	s->n = n;
	for (size_t i = 0; i < n; i++) {
		mails[i].what = DELIVERY_UNTRIED;
		mails[i].no_such_address = mails[i].not_asked = false;
	}
	s->driver->start(s);
}

enum err sink_finish(struct sink *s, struct failure *e)
{
	enum err r = s->driver->finish(s, e);

	s->mails = NULL;
	s->n = 0;
	return r;
}
