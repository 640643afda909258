/*
 * receipt_notes.c - what a receipt adds about the mail it answers.
 */
#include "processor/request/receipt_notes.h"

#include "processor/server/zones.h"
#include "store/inbox.h"

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
	if (req->who.settled)
		return arena_printf(req->arena,
		                    r->cleared
		                        ? "The mail you have said yes to is older than the one "
		                          "that withdrew your "
		                          "orders as #%u: it came %s. Your yes came last."
		                        : "The mail you have said yes to is older than the one "
		                          "that brought your "
		                          "orders #%u: it came %s. Your yes came last.",
		                    r->revision, when(req, req->arrived_utc));
	return arena_printf(
	    req->arena,
	    r->cleared
		? "An older mail has come after a newer one: this mail is dated %s, and the "
		  "one that withdrew your orders as #%u is dated %s. Mails count in the order "
		  "in "
		  "which they arrive."
		: "An older mail has come after a newer one: this mail is dated %s, and the "
		  "one that brought your orders #%u is dated %s. Mails count in the order in "
		  "which they arrive.",
	    when(req, req->sent_utc), r->revision, when(req, sent));
}

static const char *sentence(struct request *req, const struct order_revision *r, int64_t sent,
                            bool clears)
{
	const char *what = arena_printf(req->arena,
	                                clears ? "%s Your orders are withdrawn now."
	                                       : "%s The orders above count now.",
	                                how_it_came(req, r, sent));

	if (r->cleared)
		return arena_printf(req->arena, "%s To withdraw them, reply with \"CLEAR\".",
		                    what);
	return arena_printf(req->arena,
	                    "%s If you want the orders of the newer mail, which are in the "
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
