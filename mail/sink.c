/*
 * sink.c - from a URL to a driver.
 */
#include "mail/sink.h"

#include <stdlib.h>

#include "mail/scheme.h"
#include "mail/sink_parts.h"

#include "processor/base/banned.h"

static const struct sink_driver *const drivers[] = {&sink_maildir};
enum { NDRIVERS = sizeof(drivers) / sizeof(drivers[0]) };

enum err sink_open(const char *url, const struct mail_access *access, struct sink **out,
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
	s->access = access;
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

enum err sink_send(struct sink *s, const struct sink_mail *m, enum delivery *what,
                   struct strbuf *answer, struct failure *e)
{
	return s->driver->send(s, m, what, answer, e);
}

enum err sink_flush(struct sink *s, struct failure *e)
{
	return s->driver->flush(s, e);
}
