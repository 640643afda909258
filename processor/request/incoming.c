/*
 * incoming.c - the row of a mail nobody has looked into, and mails that are set aside unread.
 */
#include "processor/request/incoming.h"

#include "processor/base/banned.h"

struct inbox_mail incoming_row(const struct server *srv, const struct incoming *in)
{
	return (struct inbox_mail){.source = in->source,
	                           .transport_id = in->transport_id,
	                           .content = in->content,
	                           .message_id = in->mail->message_id,
	                           .arrived_utc = in->arrived_utc,
	                           .handled_utc = srv->now_utc,
	                           .purge_utc = srv->now_utc + srv->cfg.keep_mail_s};
}

enum err incoming_quarantine(struct server *srv, const struct incoming *in, struct span raw,
                             const char *reason)
{
	struct inbox_mail row = incoming_row(srv, in);
	int64_t id;

	row.verdict = SPAN_LIT("quarantined");
	row.detail = span_of(reason);
	TRY(inbox_next_id(srv->store, &row.id));
	TRY(inbox_add(srv->store, &row, &id));
	return quarantine_add(srv->store, id, reason, raw, srv->now_utc);
}
