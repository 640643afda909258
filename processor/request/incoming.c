/*
 * incoming.c - the row of a mail nobody has looked into, and mails that are set aside unread.
 */
#include "processor/request/incoming.h"

#include <string.h>

#include "mail/text/date.h"
#include "processor/commandtext/same_words.h"

static struct span code_of(const struct recipient *r)
{
	switch (r->kind) {
	case RECIPIENT_SEAT:
		return r->seat.mac;
	case RECIPIENT_DIGEST:
		return r->digest.mac;
	case RECIPIENT_CONFIRMATION:
		return r->confirmation.mac;
	case RECIPIENT_BOUNCE:
		return r->bounce.mac;
	case RECIPIENT_OTHER:
		break;
	}
	return SPAN_EMPTY;
}

static bool is_before(struct span a, struct span b)
{
	int r = memcmp(a.ptr, b.ptr, a.len < b.len ? a.len : b.len);

	return r < 0 || (r == 0 && a.len < b.len);
}

/*
 * In order and each once, since the way adds and moves fields that name recipients. Without the code
 * somebody who guesses when another writes could make their mail pass for a copy of a forged one.
 */
static void add_codes(struct quick_hasher *h, const struct incoming *in)
{
	struct span last = SPAN_EMPTY, next;

	do {
		next = SPAN_EMPTY;
		for (size_t i = 0; i < in->mail->recipients.count; i++) {
			struct span code = code_of(&in->recipients[i]);

			if (code.len > 0 && (last.len == 0 || is_before(last, code)) &&
			    (next.len == 0 || is_before(code, next)))
				next = code;
		}
		quick_hasher_add(h, next);
		last = next;
	} while (next.len > 0);
}

/* Some programs on the way change the case of a Message-ID's host, or of all of it. */
static void add_field(struct quick_hasher *h, struct span value)
{
	quick_hasher_add_nocase(h, value);
	quick_hasher_add(h, SPAN_LIT("\n"));
}

/* Whose and which mail it claims to be. */
static struct hash claim_of(const struct incoming *in, struct arena *arena)
{
	const struct mail_in *m = in->mail;
	struct quick_hasher h;
	int64_t sent_utc;
	struct span date = m->date;

	if (date_parse(m->date, &sent_utc))
		date = span_of(arena_printf(arena, "%lld", (long long)sent_utc));
	quick_hasher_start(&h);
	add_field(&h, m->from);
	add_field(&h, m->message_id);
	add_field(&h, date);
	add_field(&h, m->in_reply_to);
	add_codes(&h, in);
	return quick_hasher_end(&h);
}

void incoming_identify(const struct server *srv, struct incoming *in, struct arena *arena)
{
	const struct mail_in *m = in->mail;

	in->recipients = address_read_all(srv, &m->recipients, arena);
	in->identity = (struct mail_identity){0};
	if (m->has_message_id_or_date)
		mail_content_hash(m->raw, in->identity.bytes.bytes);
	/* Reports of machines are known by their bytes: they say nothing in words, and many at once. */
	if (m->fault == MAIL_OK && m->from.len > 0 && m->message_id.len > 0 &&
	    m->date.len > 0 && m->report.kind == MAIL_REPORT_NONE) {
		in->identity.claim = claim_of(in, arena);
		in->identity.words = same_words_digest(m, arena);
	}
}

struct inbox_mail incoming_row(const struct server *srv, const struct incoming *in)
{
	return (struct inbox_mail){.source = in->source,
	                           .transport_id = in->transport_id,
	                           .identity = in->identity,
	                           .message_id = in->mail->message_id,
	                           .arrived_utc = in->arrived_utc,
	                           .handled_utc = srv->now_utc,
	                           .purge_utc = srv->now_utc + srv->cfg.keep_mail_s};
}

enum err incoming_quarantine(struct server *srv, const struct incoming *in, const char *reason)
{
	struct inbox_mail row = incoming_row(srv, in);
	int64_t id;

	row.verdict = SPAN_LIT("quarantined");
	row.detail = span_of(reason);
	TRY(inbox_next_id(srv->store, &row.id));
	TRY(inbox_add(srv->store, &row, &id));
	return quarantine_add(srv->store, id, reason, in->mail->raw, srv->now_utc);
}
