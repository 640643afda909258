/*
 * sink.c - from a URL to a driver, and what all drivers do alike.
 */
#include "mail/sink.h"

#include <stdlib.h>

#include "mail/mail.h"
#include "mail/sink/private.h"
#include "mail/text/net_url.h"

static const struct sink_driver *const drivers[] = {&sink_maildir, &sink_smtps, &sink_smtp,
                                                    &sink_sendmail};
enum { NDRIVERS = sizeof(drivers) / sizeof(drivers[0]), BATCH = 200, WORDS_MAX = 400 };

enum err sink_open(const char *url, const struct mail_settings *settings, struct sink **out,
                   struct failure *e)
{
	const char *schemes[NDRIVERS], *rest;
	size_t which;

	*out = NULL;
	for (which = 0; which < NDRIVERS; which++)
		schemes[which] = drivers[which]->scheme;
	TRY(url_find_scheme(url, "mail sink", schemes, NDRIVERS, &which, &rest, e));
	struct sink *s = xcalloc(1, sizeof(*s));
	*s = (struct sink){.driver = drivers[which],
	                   .url = xstrdup(url),
	                   .settings = settings,
	                   .batch = BATCH};
	enum err r = s->driver->open(s, rest, e);
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
	return s->driver->ready ? s->driver->ready(s, e) : ERR_NONE;
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
	if (s->driver->start)
		s->driver->start(s);
}

enum err sink_finish(struct sink *s, struct failure *e)
{
	enum err r = s->driver->finish(s, e);

	s->mails = NULL;
	s->n = 0;
	return r;
}

/* ---- for the drivers ---- */

bool sink_would_overtake(const struct sink_mail *mails, size_t i)
{
	for (size_t k = 0; mails[i].lane != 0 && k < i; k++)
		if (mails[k].lane == mails[i].lane && mails[k].what != DELIVERY_SENT &&
		    mails[k].what != DELIVERY_DEAD)
			return true;
	return false;
}

bool sink_envelope(const struct sink *s, struct sink_mail *m, struct span *from,
                   struct span *rcpt)
{
	*from = m->envelope_from.len > 0 ? m->envelope_from : span_of(s->settings->address);
	*rcpt = m->rcpt;
	if (mail_address_ok(*from) && mail_address_ok(*rcpt))
		return true;
	m->what = DELIVERY_DEAD;
	m->not_asked = true;
	m->no_such_address = !mail_address_ok(*rcpt);
	strbuf_adds(&m->answer, mail_address_ok(*rcpt)
	                            ? "the envelope sender is no plain mail address"
	                            : "the recipient is no plain mail address");
	return false;
}

void sink_add_words(struct strbuf *out, struct span words)
{
	words = span_trim(words);
	for (size_t i = 0; i < words.len && i < WORDS_MAX; i++) {
		char c = words.ptr[i];

		strbuf_addc(out, c >= 0x20 && c < 0x7f ? c : ' ');
	}
}
