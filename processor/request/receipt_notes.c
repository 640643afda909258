/*
 * receipt_notes.c - what a receipt adds about the mail it answers.
 */
#include "processor/request/receipt_notes.h"

#include "processor/server/zones.h"
#include "store/inbox.h"

#include "processor/base/banned.h"

static const char *when(struct dealing *d, int64_t t_utc)
{
	return zone_human(zone_of_reader(d->srv, &d->player), t_utc, d->arena);
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

static const char *how_it_came(struct dealing *d, const struct order_revision *r, int64_t sent)
{
	const char *other = arena_printf(
	    d->arena, "the one that %s #%u",
	    r->cleared ? "withdrew your orders as" : "brought your orders", r->revision);

	if (d->settled)
		return arena_printf(
		    d->arena,
		    "The mail you have said yes to is older than %s: it came %s. "
		    "As your yes came last,",
		    other, when(d, d->arrived_utc));
	return arena_printf(
	    d->arena,
	    "An older mail has come after a newer one: this mail is dated %s, and "
	    "%s is dated %s. Mails count in the order in which they arrive, so",
	    when(d, d->sent_utc), other, when(d, sent));
}

static const char *sentence(struct dealing *d, const struct order_revision *r, int64_t sent,
                            bool clears)
{
	const char *what = arena_printf(d->arena, "%s %s.", how_it_came(d, r, sent),
	                                clears ? "your orders are withdrawn now"
	                                       : "the orders above stand now");

	if (r->cleared)
		return arena_printf(
		    d->arena, "%s If you want them withdrawn, answer with \"CLEAR\".", what);
	return arena_printf(d->arena,
	                    "%s If you want the orders of the newer mail, which stand in the "
	                    "receipt #%u, please send them once more.",
	                    what, r->revision);
}

/* `sent`: the Date of the mail that brought this revision. */
static bool is_overtaken(const struct dealing *d, const struct order_revision *r, int64_t sent)
{
	if (d->settled)
		return d->arrived_utc < r->received_utc;
	return d->sent_utc != 0 && d->sent_utc < sent;
}

enum err remark_overtaken(struct dealing *d, const struct sitting *s, bool clears,
                          const char **out)
{
	const struct order_revision *last = newest(s);
	int64_t sent = 0;

	*out = NULL;
	if (!last || last->mail == 0 || (clears && last->cleared))
		return ERR_NONE;
	if (last->mail == d->inbox_id) /* what another had sent, withdrawn with the TAKEOVER */
		return ERR_NONE;
	enum err rc = inbox_sent(d->srv->store, last->mail, &sent);
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	if (is_overtaken(d, last, sent))
		*out = sentence(d, last, sent, clears);
	return ERR_NONE;
}
