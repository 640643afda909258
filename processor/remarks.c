/*
 * remarks.c - what a receipt adds about the mail it answers.
 */
#include "processor/remarks.h"

#include "processor/base/clock.h"
#include "store/inbox.h"

#include "processor/base/banned.h"

static const char *when(struct dealing *d, int64_t t_utc)
{
	struct strbuf text = STRBUF_INIT;

	utc_format_human(&text, t_utc);
	const char *copy = arena_strdup(d->arena, text.ptr);
	strbuf_release(&text);
	return copy;
}

/* The newest revision of this seat; NULL when there is none. */
static const struct order_revision *newest(const struct sitting *s)
{
	const struct order_revision *last = NULL;

	for (size_t i = 0; i < s->set.nrevisions; i++)
		if (s->set.revisions[i].seat == s->seat->seat)
			last = &s->set.revisions[i];
	return last;
}

static const char *sentence(struct dealing *d, const struct order_revision *r, int64_t sent,
                            bool clears)
{
	const char *dates = arena_printf(
	    d->arena,
	    "An older mail has come after a newer one: this mail is dated %s, and the one that "
	    "%s #%u is dated %s. Mails count in the order in which they arrive, so %s.",
	    when(d, d->sent_utc),
	    r->cleared ? "withdrew your orders as" : "brought your orders", r->revision,
	    when(d, sent),
	    clears ? "your orders are withdrawn now" : "the orders above stand now");

	if (r->cleared)
		return arena_printf(
		    d->arena, "%s If you want them withdrawn, answer with \"CLEAR\".", dates);
	return arena_printf(d->arena,
	                    "%s If you want the orders of the newer mail, which stand in the "
	                    "receipt #%u, please send them once more.",
	                    dates, r->revision);
}

enum err remark_overtaken(struct dealing *d, const struct sitting *s, bool clears,
                          const char **out)
{
	const struct order_revision *last = newest(s);
	int64_t sent = 0;

	*out = NULL;
	if (!last || last->mail == 0 || d->sent_utc == 0 || (clears && last->cleared))
		return ERR_NONE;
	enum err rc = inbox_sent(d->srv->store, last->mail, &sent);
	if (rc != ERR_NONE || sent <= d->sent_utc)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	*out = sentence(d, last, sent, clears);
	return ERR_NONE;
}
