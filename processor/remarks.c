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

/* The mail of the orders in force; 0 when none is. */
static int64_t mail_in_force(const struct sitting *s)
{
	const struct order_revision *last = NULL;

	for (size_t i = 0; s->before.ptr && i < s->set.nrevisions; i++)
		if (s->set.revisions[i].seat == s->seat->seat)
			last = &s->set.revisions[i];
	return last ? last->mail : 0;
}

enum err remark_overtaken(struct dealing *d, const struct sitting *s, bool clears,
                          const char **out)
{
	int64_t mail = mail_in_force(s), sent = 0;

	*out = NULL;
	if (mail == 0 || d->sent_utc == 0)
		return ERR_NONE;
	enum err rc = inbox_sent(d->srv->store, mail, &sent);
	if (rc != ERR_NONE || sent <= d->sent_utc)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	*out = arena_printf(
	    d->arena,
	    "An older mail has come after a newer one: this mail is dated %s, and the one that "
	    "brought your orders #%u is dated %s. Mails count in the order in which they "
	    "arrive, so %s. If you want the orders of the newer mail, which stand in the "
	    "receipt #%u, please send them once more.",
	    when(d, d->sent_utc), s->set.seats[s->seat->seat].revision, when(d, sent),
	    clears ? "your orders are withdrawn now" : "the orders above stand now",
	    s->set.seats[s->seat->seat].revision);
	return ERR_NONE;
}
