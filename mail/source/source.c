/*
 * source.c - from a URL to a driver.
 */
#include "mail/source.h"

#include <stdlib.h>

#include "mail/source/private.h"
#include "mail/text/net_url.h"

static const struct source_driver *const drivers[] = {
    &source_maildir, &source_imaps, &source_imap, &source_pop3s, &source_pop3};
enum { NDRIVERS = sizeof(drivers) / sizeof(drivers[0]) };

enum err source_open(const char *url, const struct mail_settings *settings, struct source **out,
                     struct failure *e)
{
	const char *schemes[NDRIVERS], *rest;
	size_t which;

	*out = NULL;
	for (which = 0; which < NDRIVERS; which++)
		schemes[which] = drivers[which]->scheme;
	TRY(url_find_scheme(url, "mail source", schemes, NDRIVERS, &which, &rest, e));
	struct source *s = xcalloc(1, sizeof(*s));
	*s = (struct source){
	    .driver = drivers[which], .url = xstrdup(url), .settings = settings};
	enum err r = s->driver->open(s, rest, e);
	if (r != ERR_NONE)
		source_close(s);
	else
		*out = s;
	return r;
}

void source_close(struct source *s)
{
	if (!s)
		return;
	s->driver->close(s);
	free(s->url);
	free(s);
}

void source_start(struct source *s)
{
	s->driver->start(s);
}

bool source_is_local(const struct source *s)
{
	return s->driver == &source_maildir;
}

const char *source_url(const struct source *s)
{
	return s->url;
}

enum err source_next(struct source *s, size_t max, struct arena *arena,
                     struct source_mail **out, size_t *n, bool *complete, struct failure *e)
{
	*out = NULL;
	*n = 0;
	*complete = false;
	return s->driver->next(s, max, arena, out, n, complete, e);
}

enum err source_fetch(struct source *s, const struct source_mail *m, size_t max,
                      struct strbuf *raw, struct failure *e)
{
	return s->driver->fetch(s, m, max, raw, e);
}

bool source_is_here(struct source *s, const struct source_mail *m)
{
	return !s->driver->is_here || s->driver->is_here(s, m);
}

size_t source_unmoved(const struct source *s)
{
	return s->driver->unmoved ? s->driver->unmoved(s) : 0;
}

enum err source_settle(struct source *s, const struct source_mail *m, struct failure *e)
{
	return s->driver->settle(s, m, e);
}

enum err source_sync(struct source *s, struct failure *e)
{
	return s->driver->sync(s, e);
}

enum err source_purge(struct source *s, struct span id, struct failure *e)
{
	return s->driver->purge ? s->driver->purge(s, id, e) : ERR_NONE;
}

void source_reread(struct source *s)
{
	if (s->driver->reread)
		s->driver->reread(s);
}

enum err source_resume(struct source *s, struct span state, struct failure *e)
{
	if (s->driver->resume(s, state))
		return ERR_NONE;
	return err_set(e, ERR_CORRUPT, "%s: what is remembered of this mailbox cannot be read",
	               s->url);
}

void source_note(struct source *s, const struct source_mail *const *done, size_t n,
                 struct strbuf *state)
{
	s->driver->note(s, done, n, state);
}

void source_tell_waiting(struct source *s, source_waiting_fn *fn, void *ctx)
{
	s->on_waiting = fn;
	s->waiting_ctx = ctx;
}

enum err source_watch(struct source *s, unsigned most_s, int *fd, bool *mail, struct failure *e)
{
	*mail = false;
	if (!s->driver->watch)
		return err_set(e, ERR_UNSUPPORTED, "%s tells nobody of mail that comes",
		               s->url);
	return s->driver->watch(s, most_s, fd, mail, e);
}

void source_poll(struct source *s)
{
	if (s->driver->poll)
		s->driver->poll(s);
}
