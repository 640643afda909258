/*
 * header_facts.c - what the header says: who, to whom, about what.
 */
#include "mail/text/header_facts.h"

#include "mail/text/address_list.h"
#include "mail/text/auth_results.h"
#include "mail/text/dkim.h"
#include "mail/text/encoded_words.h"
#include "mail/text/header_signs.h"

enum {
	MAX_RECIPIENTS = 50, /* kept of those that are counted */
	MAX_REFERENCES = 50
};

/* A header on its way to facts. */
struct reading {
	struct header header;
	struct arena *arena;
};

static struct span value(const struct reading *r, const char *name)
{
	return header_value(&r->header, name, r->arena);
}

/* Programs differ on which of two counts, so neither does (RFC 7103, 7.5.1). */
static bool has_doubled_field(const struct header *h)
{
	static const char *const once[] = {"from", "message-id", "content-type",
	                                   "content-transfer-encoding"};

	for (size_t i = 0; i < sizeof(once) / sizeof(once[0]); i++)
		if (header_count(h, once[i]) > 1)
			return true;
	return false;
}

/* ---- who ---- */

/* Not if there are two From fields, or somebody else stands in it: neither is believed then. */
static void read_from(const struct reading *r, struct mail_in *out)
{
	struct address_list list = address_list_of(value(r, "from"));
	struct mailbox from, another;

	if (header_count(&r->header, "from") != 1 || !address_list_next(&list, r->arena, &from))
		return;
	out->flags |= address_signs(from.address);
	if (!address_list_next(&list, r->arena, &another))
		out->from = mail_address_normalize(from.address, r->arena);
}

static void read_return_path(const struct reading *r, struct mail_in *out)
{
	struct address_list list = address_list_of(value(r, "return-path"));
	struct mailbox path;

	if (span_eq_str(span_trim(list.rest), "<>"))
		out->flags |= MAIL_NULL_SENDER | MAIL_NULL_PATH;
	else if (address_list_next(&list, r->arena, &path))
		out->flags |= address_signs(path.address) &
		              (MAIL_NULL_SENDER | MAIL_DAEMON | MAIL_LIST_SENDER);
}

/* Keeps those of one field that are addresses; returns how many there are, whatever they are. */
static size_t add_recipients(const struct reading *r, struct span field, struct span_list *out)
{
	struct address_list list = address_list_of(header_unfold(field, r->arena));
	struct mailbox mailbox;
	size_t seen = 0;

	for (; address_list_next(&list, r->arena, &mailbox); seen++) {
		struct span ok = mail_address_normalize(mailbox.address, r->arena);

		if (ok.len > 0 && out->count < MAX_RECIPIENTS)
			out->items[out->count++] = ok;
	}
	return seen;
}

/* Where the token may stand, the fields the last hop wrote before those the sender wrote. */
static void read_recipients(const struct reading *r, const struct mail_limits *limits,
                            struct mail_in *out)
{
	static const char *const order[] = {
	    "delivered-to", "x-original-to", "envelope-to", "x-gm-original-to", "to", "cc"};
	size_t named_by_sender = 0;

	out->recipients.items = arena_calloc(r->arena, MAX_RECIPIENTS, sizeof(struct span));
	for (size_t k = 0; k < sizeof(order) / sizeof(order[0]); k++) {
		for (size_t i = 0; i < r->header.count; i++) {
			const struct header_field *f = &r->header.fields[i];

			if (!span_eq_nocase(f->name, order[k]))
				continue;
			size_t seen = add_recipients(r, f->value, &out->recipients);
			if (k >= 4)
				named_by_sender += seen;
		}
	}
	if (out->fault == MAIL_OK && named_by_sender > limits->recipients)
		out->fault = MAIL_TOO_MANY_RECIPIENTS;
}

/* ---- ids ---- */

/* The next <...> of a field that may hold comments and debris between them. */
static bool next_id(struct span *rest, struct span *id)
{
	for (;;) {
		size_t open = span_find_char(*rest, '<'), close;

		*rest = span_slice(*rest, open, rest->len);
		close = span_find_char(*rest, '>');
		if (close == rest->len)
			return false;
		*id = span_slice(*rest, 0, close + 1);
		*rest = span_slice(*rest, close + 1, rest->len);
		if (mail_message_id_ok(*id))
			return true;
	}
}

static struct span first_id(const struct reading *r, const char *name)
{
	struct span rest = value(r, name), id;

	return next_id(&rest, &id) ? id : SPAN_EMPTY;
}

static void read_ids(const struct reading *r, struct mail_in *out)
{
	struct span rest = value(r, "references"), id;

	if (header_count(&r->header, "message-id") == 1)
		out->message_id = first_id(r, "message-id");
	out->in_reply_to = first_id(r, "in-reply-to");
	out->references.items = arena_calloc(r->arena, MAX_REFERENCES, sizeof(struct span));
	while (out->references.count < MAX_REFERENCES && next_id(&rest, &id))
		out->references.items[out->references.count++] = id;
	out->has_message_id_or_date =
	    header_count(&r->header, "message-id") + header_count(&r->header, "date") > 0;
}

/* Raw fields kept for display and checks: bytes that are no clean text are not. */
static struct span clean_field(const struct reading *r, const char *name)
{
	struct span line = value(r, name);

	return charset_line_is_clean(line) ? line : SPAN_EMPTY;
}

/* Not verified here. Of several the topmost counts that goes with the sender's domain, else the topmost. */
static void read_dkim(const struct reading *r, struct mail_in *out)
{
	struct span domain = auth_domain_of(out->from);

	for (size_t i = 0; i < r->header.count; i++) {
		struct mail_dkim one;

		if (!span_eq_nocase(r->header.fields[i].name, "dkim-signature") ||
		    !dkim_read(r->header.fields[i].value, r->arena, &one))
			continue;
		if (auth_domains_aligned(one.domain, domain)) {
			out->dkim = one;
			return;
		}
		if (out->dkim.domain.len == 0)
			out->dkim = one;
	}
}

void header_facts_read_words(const struct header *header, struct charsets *charsets,
                             struct arena *arena, struct mail_in *out)
{
	struct address_list list = address_list_of(header_value(header, "from", arena));
	struct mailbox from, another;

	out->subject =
	    encoded_words_decode(header_value(header, "subject", arena), charsets, arena);
	if (header_count(header, "from") == 1 && address_list_next(&list, arena, &from) &&
	    !address_list_next(&list, arena, &another))
		out->from_name = encoded_words_decode(from.name, charsets, arena);
}

static bool is_incomplete(struct span words)
{
	return span_find(words, SPAN_LIT("\xef\xbf\xbd")) < words.len;
}

void header_facts_add_words(struct mail_in *m, struct span subject, struct span from_name)
{
	if (is_incomplete(m->from_name) && from_name.len > 0)
		m->from_name = from_name;
	if (is_incomplete(m->subject) && subject.len > 0) {
		m->subject = subject;
		m->flags |= subject_signs(subject);
	}
}

void header_facts_read(struct span raw, const struct mail_limits *limits,
                       struct charsets *charsets, struct arena *arena, struct mail_in *out)
{
	struct reading r = {.arena = arena};

	*out = (struct mail_in){.fault = MAIL_OK, .raw = raw};
	header_split(header_skip_mbox_line(raw), arena, &r.header);
	if (r.header.len > limits->header_bytes || r.header.count > limits->header_fields)
		out->fault = MAIL_HEADER_TOO_LARGE;
	else if (r.header.fault != MAIL_OK)
		out->fault = r.header.fault;
	else if (has_doubled_field(&r.header))
		out->fault = MAIL_DUPLICATE_FIELD;
	for (size_t i = 0; i < r.header.count; i++)
		out->flags |= field_signs(&r.header.fields[i]);
	read_from(&r, out);
	read_return_path(&r, out);
	read_recipients(&r, limits, out);
	read_ids(&r, out);
	header_facts_read_words(&r.header, charsets, arena, out);
	out->flags |= subject_signs(out->subject);
	out->date = clean_field(&r, "date");
	out->instance = clean_field(&r, "x-molepost-instance");
	out->auth_results = clean_field(&r, "authentication-results");
	read_dkim(&r, out);
}
