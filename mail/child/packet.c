/*
 * packet.c - numbers, texts and struct mail_in as bytes and back.
 */
#include "mail/child/packet.h"

#include <string.h>

#include "mail/text/charset.h"
#include "mail/text/dkim.h"

enum { LIST_MAX = 64, TEXTS_MAX = 256 };

void packet_put_u32(unsigned char to[4], uint32_t n)
{
	to[0] = (unsigned char)n;
	to[1] = (unsigned char)(n >> 8);
	to[2] = (unsigned char)(n >> 16);
	to[3] = (unsigned char)(n >> 24);
}

uint32_t packet_get_u32(const void *from)
{
	const unsigned char *p = from;

	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

void packet_add_u32(struct strbuf *out, size_t n)
{
	unsigned char bytes[4];

	packet_put_u32(bytes, (uint32_t)n);
	strbuf_add(out, bytes, sizeof(bytes));
}

void packet_add_u64(struct strbuf *out, uint64_t n)
{
	packet_add_u32(out, (size_t)(n & UINT32_MAX));
	packet_add_u32(out, (size_t)(n >> 32));
}

void packet_add_span(struct strbuf *out, struct span s)
{
	packet_add_u32(out, s.len);
	strbuf_add_span(out, s);
}

static void add_list(struct strbuf *out, const struct span_list *list)
{
	size_t i;

	packet_add_u32(out, list->count);
	for (i = 0; i < list->count; i++)
		packet_add_span(out, list->items[i]);
}

static void add_report(struct strbuf *out, const struct mail_report *r)
{
	packet_add_u32(out, r->kind);
	packet_add_span(out, r->action);
	packet_add_span(out, r->status);
	packet_add_span(out, r->recipient);
	packet_add_span(out, r->diagnostic);
	packet_add_span(out, r->returned_id);
}

void packet_add_result(struct strbuf *out, const struct mail_in *m)
{
	size_t start = out->len, i;
	unsigned char len[4];

	packet_add_u32(out, 0);
	packet_add_u32(out, m->fault);
	packet_add_u32(out, m->flags);
	packet_add_u32(out, m->has_message_id_or_date);
	strbuf_add(out, m->content_hash, sizeof(m->content_hash));
	strbuf_add(out, m->body_hash, sizeof(m->body_hash));
	packet_add_span(out, m->from);
	packet_add_span(out, m->from_name);
	packet_add_span(out, m->subject);
	packet_add_span(out, m->message_id);
	packet_add_span(out, m->in_reply_to);
	packet_add_span(out, m->date);
	packet_add_span(out, m->instance);
	packet_add_span(out, m->auth_results);
	packet_add_span(out, m->dkim.domain);
	packet_add_span(out, m->dkim.selector);
	packet_add_span(out, m->dkim.signature);
	add_list(out, &m->references);
	add_list(out, &m->recipients);
	add_report(out, &m->report);
	packet_add_u32(out, m->ntexts);
	for (i = 0; i < m->ntexts; i++) {
		packet_add_u32(out, m->texts[i].is_html);
		packet_add_span(out, m->texts[i].text);
	}
	add_list(out, &m->enclosed);
	packet_put_u32(len, (uint32_t)(out->len - start - PACKET_RESULT_HEAD));
	memcpy(out->ptr + start, len, sizeof(len));
}

static struct span packet_take(struct packet_cursor *c, size_t len)
{
	struct span s = span_slice(c->rest, 0, len);

	if (c->bad || len > c->rest.len) {
		c->bad = true;
		return SPAN_EMPTY;
	}
	c->rest = span_slice(c->rest, len, c->rest.len);
	return s;
}

uint32_t packet_take_u32(struct packet_cursor *c, uint32_t max)
{
	struct span s = packet_take(c, 4);
	uint32_t n = s.len == 4 ? packet_get_u32(s.ptr) : 0;

	c->bad = c->bad || n > max;
	return c->bad ? 0 : n;
}

uint64_t packet_take_u64(struct packet_cursor *c)
{
	uint64_t low = packet_take_u32(c, UINT32_MAX);

	return low | (uint64_t)packet_take_u32(c, UINT32_MAX) << 32;
}

struct span packet_take_span(struct packet_cursor *c)
{
	return packet_take(c, packet_take_u32(c, UINT32_MAX));
}

static struct span take_line(struct packet_cursor *c)
{
	struct span s = packet_take_span(c);

	c->bad = c->bad || !charset_line_is_clean(s);
	return s;
}

static struct span take_checked(struct packet_cursor *c, bool (*ok)(struct span))
{
	struct span s = packet_take_span(c);

	c->bad = c->bad || (s.len > 0 && !ok(s));
	return s;
}

static struct span_list take_list(struct packet_cursor *c, struct arena *arena,
                                  bool (*ok)(struct span))
{
	struct span_list list = {NULL, packet_take_u32(c, LIST_MAX)};
	size_t i;

	list.items = arena_calloc(arena, list.count, sizeof(*list.items));
	for (i = 0; i < list.count; i++)
		list.items[i] = take_checked(c, ok);
	return list;
}

static void take_report(struct packet_cursor *c, struct mail_report *out)
{
	out->kind = (enum mail_report_kind)packet_take_u32(c, MAIL_REPORT_OTHER);
	out->action = take_line(c);
	out->status = take_line(c);
	out->recipient = take_checked(c, mail_address_ok);
	out->diagnostic = take_line(c);
	out->returned_id = take_checked(c, mail_message_id_ok);
}

static void take_texts(struct packet_cursor *c, struct arena *arena, struct mail_in *out)
{
	size_t i;

	out->ntexts = packet_take_u32(c, TEXTS_MAX);
	out->texts = arena_calloc(arena, out->ntexts, sizeof(*out->texts));
	for (i = 0; i < out->ntexts; i++) {
		out->texts[i].is_html = packet_take_u32(c, 1) == 1;
		out->texts[i].text = packet_take_span(c);
		c->bad = c->bad || !charset_text_is_clean(out->texts[i].text);
	}
	/* mail.h: at least one text, or a fault. */
	c->bad = c->bad || (out->fault == MAIL_OK) != (out->ntexts > 0);
}

bool packet_read_result(struct span body, struct arena *arena, struct mail_in *out)
{
	struct packet_cursor c = {.rest = arena_dup(arena, body)};
	struct span hash;

	memset(out, 0, sizeof(*out));
	out->fault = (enum mail_fault)packet_take_u32(&c, MAIL_UNPARSABLE);
	out->flags = packet_take_u32(&c, UINT32_MAX);
	out->has_message_id_or_date = packet_take_u32(&c, 1) == 1;
	hash = packet_take(&c, sizeof(out->content_hash));
	if (hash.len > 0)
		memcpy(out->content_hash, hash.ptr, hash.len);
	hash = packet_take(&c, sizeof(out->body_hash));
	if (hash.len > 0)
		memcpy(out->body_hash, hash.ptr, hash.len);
	out->from = take_checked(&c, mail_address_ok);
	out->from_name = take_line(&c);
	out->subject = take_line(&c);
	out->message_id = take_checked(&c, mail_message_id_ok);
	out->in_reply_to = take_checked(&c, mail_message_id_ok);
	out->date = take_line(&c);
	out->instance = take_line(&c);
	out->auth_results = take_line(&c);
	out->dkim.domain = take_checked(&c, dkim_name_ok);
	out->dkim.selector = take_checked(&c, dkim_name_ok);
	out->dkim.signature = take_checked(&c, dkim_signature_ok);
	out->references = take_list(&c, arena, mail_message_id_ok);
	out->recipients = take_list(&c, arena, mail_address_ok);
	take_report(&c, &out->report);
	take_texts(&c, arena, out);
	out->enclosed = take_list(&c, arena, charset_text_is_clean);
	return !c.bad && c.rest.len == 0;
}
