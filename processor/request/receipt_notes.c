/*
 * receipt_notes.c - what a receipt adds about the mail it answers.
 */
#include "processor/request/receipt_notes.h"

#include "processor/server/zones.h"
#include "store/inbox.h"

#include "processor/base/banned.h"

static const char *when(struct request *req, int64_t t_utc)
{
	return zone_human(zone_of_reader(req->srv, &req->who.player), t_utc, req->arena);
}

/* The newest revision of this seat; NULL when there is none. */
static const struct order_revision *newest(const struct order_entry *s)
{
	const struct order_revision *last = NULL;

	for (size_t i = 0; i < s->set.nrevisions; i++)
		if (s->set.revisions[i].seat == s->seat->seat)
			last = &s->set.revisions[i];
	return last;
}

static const char *how_it_came(struct request *req, const struct order_revision *r,
                               int64_t sent)
{
	const char *other = arena_printf(
	    req->arena, "the one that %s #%u",
	    r->cleared ? "withdrew your orders as" : "brought your orders", r->revision);

	if (req->who.settled)
		return arena_printf(
		    req->arena,
		    "The mail you have said yes to is older than %s: it came %s. "
		    "As your yes came last,",
		    other, when(req, req->arrived_utc));
	return arena_printf(
	    req->arena,
	    "An older mail has come after a newer one: this mail is dated %s, and "
	    "%s is dated %s. Mails count in the order in which they arrive, so",
	    when(req, req->sent_utc), other, when(req, sent));
}

static const char *sentence(struct request *req, const struct order_revision *r, int64_t sent,
                            bool clears)
{
	const char *what = arena_printf(req->arena, "%s %s.", how_it_came(req, r, sent),
	                                clears ? "your orders are withdrawn now"
	                                       : "the orders above stand now");

	if (r->cleared)
		return arena_printf(req->arena, "%s To withdraw them, reply with \"CLEAR\".",
		                    what);
	return arena_printf(req->arena,
	                    "%s If you want the orders of the newer mail, which stand in the "
	                    "receipt #%u, please send them once more.",
	                    what, r->revision);
}

/* `sent`: the Date of the mail that brought this revision. */
static bool is_overtaken(const struct request *req, const struct order_revision *r,
                         int64_t sent)
{
	if (req->who.settled)
		return req->arrived_utc < r->received_utc;
	return req->sent_utc != 0 && req->sent_utc < sent;
}

enum err receipt_note_overtaken(struct request *req, const struct order_entry *s, bool clears,
                                const char **out)
{
	const struct order_revision *last = newest(s);
	int64_t sent = 0;

	*out = NULL;
	if (!last || last->mail == 0 || (clears && last->cleared))
		return ERR_NONE;
	if (last->mail ==
	    req->inbox_id) /* what another had sent, withdrawn with the TAKEOVER */
		return ERR_NONE;
	enum err rc = inbox_sent(req->srv->store, last->mail, &sent);
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	if (is_overtaken(req, last, sent))
		*out = sentence(req, last, sent, clears);
	return ERR_NONE;
}
