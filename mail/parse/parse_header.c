/*
 * parse_header.c - what the header says: who, to whom, about what.
 */
#include "mail/parse/private.h"

#include "mail/text/auth_results.h"
#include "mail/text/dkim.h"
#include "mail/text/header_signs.h"

#include <string.h>

/* Longer address fields are cut at this: 50 recipients fit many times over. */
enum { ADDRESS_FIELD_MAX = 16 * 1024 };

/* Programs differ on which of two counts, so neither does (RFC 7103, 7.5.1). */
static bool has_doubled_field(const struct header *h)
{
	static const char *const once[] = {"from", "message-id", "content-type",
	                                   "content-transfer-encoding"};
	size_t i;

	for (i = 0; i < sizeof(once) / sizeof(once[0]); i++)
		if (header_count(h, once[i]) > 1)
			return true;
	return false;
}

/* ---- addresses ---- */

struct addresses {
	struct arena *arena;
	struct span items[MAX_RECIPIENTS]; /* as written, not checked */
	struct span name;                  /* of the first, raw */
	size_t count;
	unsigned seen; /* those that did not fit too */
};

static void add_address(struct addresses *a, const char *name, struct span address)
{
	a->seen++;
	if (a->count == MAX_RECIPIENTS)
		return;
	if (a->count == 0 && name)
		a->name = arena_dup(a->arena, span_of(name));
	a->items[a->count++] = arena_dup(a->arena, address);
}

static void add_mailbox_list(struct addresses *a, const clist *list)
{
	clistiter *at;

	for (at = clist_begin(list); at; at = clist_next(at)) {
		const struct mailimf_mailbox *m = clist_content(at);

		add_address(a, m->mb_display_name, span_of(m->mb_addr_spec));
	}
}

static void add_address_list(struct addresses *a, const clist *list)
{
	clistiter *at;

	for (at = clist_begin(list); at; at = clist_next(at)) {
		const struct mailimf_address *one = clist_content(at);

		if (one->ad_type == MAILIMF_ADDRESS_MAILBOX)
			add_address(a, one->ad_data.ad_mailbox->mb_display_name,
			            span_of(one->ad_data.ad_mailbox->mb_addr_spec));
		else if (one->ad_type == MAILIMF_ADDRESS_GROUP &&
		         one->ad_data.ad_group->grp_mb_list)
			add_mailbox_list(a, one->ad_data.ad_group->grp_mb_list->mb_list);
	}
}

/*
 * For what the library refuses, a bare "MAILER-DAEMON" or 8-bit names: the last <...>, or all.
 */
static struct span address_in_angles(struct span value)
{
	size_t end = value.len, start;

	while (end > 0 && value.ptr[end - 1] != '>')
		end--;
	if (end == 0)
		return span_trim(value);
	for (start = end - 1; start > 0 && value.ptr[start - 1] != '<'; start--)
		;
	return span_trim(span_slice(value, start, end - 1));
}

/* Letters, digits and what often stands between them, with single dots between those. */
static bool is_plain_name(struct span s)
{
	char before = '.';

	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];
		bool dot = c == '.';

		if ((dot && before == '.') ||
		    (!dot && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
		     !(c >= '0' && c <= '9') && c != '-' && c != '_' && c != '+'))
			return false;
		before = c;
	}
	return before != '.';
}

/* As the servers on the way write it: nothing that has to be taken apart. */
static bool is_bare_address(struct span value)
{
	size_t at = span_find_char(value, '@');

	return is_plain_name(span_slice(value, 0, at)) &&
	       is_plain_name(span_slice(value, at + 1, value.len));
}

static void read_addresses(struct parse *p, struct span value, struct addresses *a)
{
	struct mailimf_address_list *list = NULL;
	size_t at = 0, before = a->count;

	if (value.len > ADDRESS_FIELD_MAX)
		value = span_slice(value, 0, ADDRESS_FIELD_MAX);
	if (value.len == 0)
		return;
	if (is_bare_address(value)) {
		add_address(a, NULL, value);
		return;
	}
	if (p->lib.mailimf_address_list_parse(value.ptr, value.len, &at, &list) ==
	    MAILIMF_NO_ERROR) {
		add_address_list(a, list->ad_list);
		p->lib.mailimf_address_list_free(list);
	}
	if (a->count == before)
		add_address(a, NULL, address_in_angles(value));
}

static struct span checked_address(struct span address, struct arena *arena)
{
	struct strbuf sb = STRBUF_INIT;
	struct span ok = SPAN_EMPTY;

	if (mail_address_normalize(address, &sb))
		ok = arena_dup(arena, strbuf_span(&sb));
	strbuf_release(&sb);
	return ok;
}

/* ---- who ---- */

/* The library leaves the quotes on where encoded words stand inside them. */
static struct span without_quotes(struct span name)
{
	if (name.len >= 2 && name.ptr[0] == '"' && name.ptr[name.len - 1] == '"')
		return span_slice(name, 1, name.len - 1);
	return name;
}

static void read_from(struct parse *p, const struct header *h, struct arena *arena,
                      struct mail_in *out)
{
	struct addresses a = {.arena = arena};

	/* With two From fields neither is believed. */
	if (header_count(h, "from") != 1)
		return;
	read_addresses(p, header_value(h, "from", arena), &a);
	if (a.count == 0)
		return;
	out->flags |= address_signs(a.items[0]);
	if (a.count != 1)
		return;
	out->from = checked_address(a.items[0], arena);
	out->from_name = parse_words(p, without_quotes(a.name), arena);
}

static void read_return_path(const struct header *h, struct arena *arena, struct mail_in *out)
{
	struct span path = span_trim(header_value(h, "return-path", arena));

	if (span_eq_str(path, "<>"))
		out->flags |= MAIL_NULL_SENDER | MAIL_NULL_PATH;
	else if (path.len > 0)
		out->flags |= address_signs(address_in_angles(path)) &
		              (MAIL_NULL_SENDER | MAIL_DAEMON | MAIL_LIST_SENDER);
}

/* Where the token may stand, the fields the last hop wrote before those the sender wrote. */
static void read_recipients(struct parse *p, const struct header *h, struct arena *arena,
                            struct mail_in *out)
{
	static const char *const order[] = {
	    "delivered-to", "x-original-to", "envelope-to", "x-gm-original-to", "to", "cc"};
	struct addresses a = {.arena = arena};
	unsigned on_the_way = 0;
	size_t i, k, n = 0;

	for (k = 0; k < sizeof(order) / sizeof(order[0]); k++) {
		if (span_eq_str(span_of(order[k]), "to"))
			on_the_way = a.seen;
		for (i = 0; i < h->count; i++)
			if (span_eq_nocase(h->fields[i].name, order[k]))
				read_addresses(p, header_unfold(h->fields[i].value, arena), &a);
	}
	if (out->fault == MAIL_OK && a.seen - on_the_way > p->limits.recipients)
		out->fault = MAIL_TOO_MANY_RECIPIENTS;
	out->recipients.items = arena_calloc(arena, a.count, sizeof(struct span));
	for (i = 0; i < a.count; i++) {
		struct span ok = checked_address(a.items[i], arena);

		if (ok.len > 0)
			out->recipients.items[n++] = ok;
	}
	out->recipients.count = n;
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

static struct span first_id(const struct header *h, const char *name, struct arena *arena)
{
	struct span value = header_value(h, name, arena), id;

	return next_id(&value, &id) ? id : SPAN_EMPTY;
}

static void read_ids(const struct header *h, struct arena *arena, struct mail_in *out)
{
	struct span value = header_value(h, "references", arena), id;

	if (header_count(h, "message-id") == 1)
		out->message_id = first_id(h, "message-id", arena);
	out->in_reply_to = first_id(h, "in-reply-to", arena);
	out->references.items = arena_calloc(arena, MAX_REFERENCES, sizeof(struct span));
	while (out->references.count < MAX_REFERENCES && next_id(&value, &id))
		out->references.items[out->references.count++] = id;
	out->has_message_id_or_date = header_count(h, "message-id") + header_count(h, "date") >
	                              0;
}

/* Raw fields kept for display and checks: bytes that are no clean text are not. */
static struct span clean_field(const struct header *h, const char *name, struct arena *arena)
{
	struct span value = header_value(h, name, arena);

	return charset_line_is_clean(value) ? value : SPAN_EMPTY;
}

/* Not verified here. Of several the topmost counts that goes with the sender's domain, else the topmost. */
static void read_dkim(const struct header *h, struct arena *arena, struct mail_in *out)
{
	struct span domain = auth_domain_of(out->from);

	for (size_t i = 0; i < h->count; i++) {
		struct mail_dkim one;

		if (!span_eq_nocase(h->fields[i].name, "dkim-signature") ||
		    !dkim_read(h->fields[i].value, arena, &one))
			continue;
		if (auth_domains_aligned(one.domain, domain)) {
			out->dkim = one;
			return;
		}
		if (out->dkim.domain.len == 0)
			out->dkim = one;
	}
}

void parse_header(struct parse *p, const struct header *h, struct arena *arena,
                  struct mail_in *out)
{
	size_t i;

	if (out->fault == MAIL_OK && has_doubled_field(h))
		out->fault = MAIL_DUPLICATE_FIELD;
	for (i = 0; i < h->count; i++)
		out->flags |= field_signs(&h->fields[i]);
	read_from(p, h, arena, out);
	read_return_path(h, arena, out);
	read_recipients(p, h, arena, out);
	read_ids(h, arena, out);
	out->subject = parse_words(p, header_value(h, "subject", arena), arena);
	out->flags |= subject_signs(out->subject);
	out->date = clean_field(h, "date", arena);
	out->instance = clean_field(h, "x-molepost-instance", arena);
	out->auth_results = clean_field(h, "authentication-results", arena);
	read_dkim(h, arena, out);
}
