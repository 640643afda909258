/*
 * parse_report.c - what a mail holds for programs: delivery reports and the mail that came back.
 *
 * Fields of machines for machines, so a value that is not of the form the standard wants is
 * left out, and with it nothing is lost that counts (robot.c looks at the prose then).
 */
#include <string.h>
#include <strings.h>

#include "mail/parse/private.h"
#include "processor/base/num.h"
#include "processor/base/utf8.h"

enum {
	MAX_DEPTH = 128, /* beyond the deepest tree that mail_limits lets through */
	MAX_GROUPS = 20, /* our mails have one recipient each */
	DIAGNOSTIC_MAX = 200,
	WORD_MAX = 20
};

/* ---- message/delivery-status ---- */

/* "rfc822; ann@example.net" -> "ann@example.net" */
static struct span behind_type(struct span value)
{
	size_t semicolon = span_find_char(value, ';');

	return semicolon == value.len ? span_trim(value)
	                              : span_trim(span_slice(value, semicolon + 1, value.len));
}

static struct span read_recipient(struct span value, struct arena *arena)
{
	struct span address = behind_type(value);

	if (address.len > 2 && address.ptr[0] == '<' && address.ptr[address.len - 1] == '>')
		address = span_slice(address, 1, address.len - 1);
	return mail_address_normalize(address, arena);
}

/* "failed", in lower case; any other word of letters too. */
static struct span read_action(struct span value, struct arena *arena)
{
	struct span word = SPAN_EMPTY;
	char *copy;
	size_t i;

	span_next_word(&value, "(;", &word);
	if (word.len > WORD_MAX)
		return SPAN_EMPTY;
	copy = arena_cstr(arena, word);
	for (i = 0; i < word.len; i++) {
		copy[i] = ascii_lower(copy[i]);
		if ((copy[i] < 'a' || copy[i] > 'z') && copy[i] != '-')
			return SPAN_EMPTY;
	}
	return (struct span){copy, word.len};
}

/* "5.1.1" (RFC 3463), whatever comment stands behind it. */
static struct span read_status(struct span value, struct arena *arena)
{
	struct span word = SPAN_EMPTY, rest, class, subject, detail;
	unsigned n;

	span_next_word(&value, "(;", &word);
	rest = word;
	if (!span_next_field(&rest, '.', &class) || !span_next_field(&rest, '.', &subject) ||
	    !span_next_field(&rest, '.', &detail) || rest.ptr != NULL)
		return SPAN_EMPTY;
	if (class.len != 1 || subject.len > 3 || detail.len > 3 ||
	    !num_parse_uint(class, 2, 5, &n) || !num_parse_uint(subject, 0, 999, &n) ||
	    !num_parse_uint(detail, 0, 999, &n))
		return SPAN_EMPTY;
	return arena_dup(arena, word);
}

/* The fields about one recipient. */
static void read_group(const struct header *h, struct arena *arena, struct mail_report *out)
{
	struct strbuf plain = STRBUF_INIT;

	*out = (struct mail_report){.kind = MAIL_REPORT_DELIVERY};
	out->action = read_action(header_value(h, "action", arena), arena);
	out->status = read_status(header_value(h, "status", arena), arena);
	out->recipient = read_recipient(header_value(h, "final-recipient", arena), arena);
	if (out->recipient.len == 0)
		out->recipient =
		    read_recipient(header_value(h, "original-recipient", arena), arena);
	utf8_add_plain(&plain, behind_type(header_value(h, "diagnostic-code", arena)));
	struct span text = utf8_clip(strbuf_span(&plain), DIAGNOSTIC_MAX / 2);
	if (charset_line_is_clean(text) && text.len <= DIAGNOSTIC_MAX)
		out->diagnostic = arena_dup(arena, text);
	strbuf_release(&plain);
}

static bool is_failed(const struct mail_report *r)
{
	return span_eq_str(r->action, "failed");
}

void parse_delivery_status(struct span text, struct arena *arena, struct mail_report *out)
{
	struct span id = out->returned_id;

	for (unsigned n = 0; text.len > 0 && n < MAX_GROUPS; n++) {
		struct mail_report group;
		struct header h;
		size_t before = text.len;

		header_split(text, arena, &h);
		text = h.body;
		read_group(&h, arena, &group);
		if (group.action.len > 0 &&
		    (out->action.len == 0 || (is_failed(&group) && !is_failed(out))))
			*out = group;
		if (text.len >= before || h.fault != MAIL_OK)
			break;
	}
	out->kind = MAIL_REPORT_DELIVERY;
	out->returned_id = id;
}

/* ---- the mail that came back ---- */

static struct span checked_id(struct span id, struct arena *arena)
{
	return mail_message_id_ok(id) ? arena_dup(arena, id) : SPAN_EMPTY;
}

static struct span id_of_message(const struct mailmime *message, struct arena *arena)
{
	const struct mailimf_fields *fields = message->mm_data.mm_message.mm_fields;
	clist *all = fields ? fields->fld_list : NULL;

	for (clistiter *at = all ? clist_begin(all) : NULL; at; at = clist_next(at)) {
		const struct mailimf_field *f = clist_content(at);

		if (f->fld_type == MAILIMF_FIELD_MESSAGE_ID &&
		    f->fld_data.fld_message_id->mid_value)
			return checked_id(
			    span_of(arena_printf(arena, "<%s>",
			                         f->fld_data.fld_message_id->mid_value)),
			    arena);
	}
	return SPAN_EMPTY;
}

/* ---- the parts ---- */

static bool is_message(const struct mailmime_content *c, const char *subtype)
{
	return c && c->ct_type->tp_type == MAILMIME_TYPE_COMPOSITE_TYPE &&
	       c->ct_type->tp_data.tp_composite_type->ct_type ==
	           MAILMIME_COMPOSITE_TYPE_MESSAGE &&
	       strcasecmp(c->ct_subtype, subtype) == 0;
}

static bool has_parameter(const struct mailmime_content *c, const char *name, const char *value)
{
	return span_eq_nocase(parse_parameter(c, name), value);
}

static struct span leaf_text(struct parse *p, const struct mailmime *leaf)
{
	const struct mailmime_data *body = leaf->mm_data.mm_single;
	struct parse_use use;

	if (!body || body->dt_type != MAILMIME_DATA_TEXT)
		return SPAN_EMPTY;
	return parse_transfer(p, body, parse_encoding(p, leaf, &use));
}

/* The types that say more than "a report" alone. */
static void note_kind(struct mail_report *r, enum mail_report_kind kind)
{
	if (r->kind == MAIL_REPORT_NONE || r->kind == MAIL_REPORT_OTHER)
		r->kind = kind;
}

/* A mail inside is looked at for its name only: whatever reports it holds are old. */
static void visit(struct parse *p, const struct mailmime *node, unsigned depth,
                  struct arena *arena, struct mail_in *out)
{
	const struct mailmime_content *c = node->mm_content_type;
	struct mail_report *r = &out->report;
	clist *within = NULL;

	if (depth > MAX_DEPTH)
		return;
	if (node->mm_type == MAILMIME_MULTIPLE)
		within = node->mm_data.mm_multipart.mm_mp_list;
	for (clistiter *at = within ? clist_begin(within) : NULL; at; at = clist_next(at))
		visit(p, clist_content(at), depth + 1, arena, out);
	if (node->mm_type == MAILMIME_MESSAGE && r->returned_id.len == 0)
		r->returned_id = id_of_message(node, arena);
	if (node->mm_type != MAILMIME_SINGLE)
		return;
	if (r->kind != MAIL_REPORT_DELIVERY &&
	    (is_message(c, "delivery-status") || is_message(c, "global-delivery-status")))
		parse_delivery_status(leaf_text(p, node), arena, r);
	else if (is_message(c, "disposition-notification"))
		note_kind(r, MAIL_REPORT_DISPOSITION);
	else if (is_message(c, "feedback-report"))
		note_kind(r, MAIL_REPORT_FEEDBACK);
	else if (r->returned_id.len == 0 &&
	         (parse_is_text(c, "rfc822-headers") || is_message(c, "rfc822") ||
	          is_message(c, "global"))) {
		struct header h;

		header_split(leaf_text(p, node), arena, &h);
		r->returned_id =
		    checked_id(span_trim(header_value(&h, "message-id", arena)), arena);
	} else if (parse_is_text(c, "calendar") && (has_parameter(c, "method", "reply") ||
	                                            has_parameter(c, "method", "counter")))
		out->flags |= MAIL_CALENDAR;
}

void parse_report(struct parse *p, const struct mailmime *root, struct arena *arena,
                  struct mail_in *out)
{
	const struct mailmime_content *c = root->mm_content_type;

	visit(p, root, 0, arena, out);
	if (!(out->flags & MAIL_REPORT))
		return;
	if (has_parameter(c, "report-type", "delivery-status"))
		note_kind(&out->report, MAIL_REPORT_DELIVERY);
	else if (has_parameter(c, "report-type", "disposition-notification"))
		note_kind(&out->report, MAIL_REPORT_DISPOSITION);
	else if (has_parameter(c, "report-type", "feedback-report"))
		note_kind(&out->report, MAIL_REPORT_FEEDBACK);
	else
		note_kind(&out->report, MAIL_REPORT_OTHER);
}
