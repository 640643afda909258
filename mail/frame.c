/*
 * frame.c - struct mail_in as bytes and back.
 */
#include "mail/frame.h"

#include <string.h>

#include "mail/charset.h"

#include "processor/base/banned.h"

enum { LIST_MAX = 64, TEXTS_MAX = 256 };

void frame_put_u32(unsigned char to[4], uint32_t n)
{
	to[0] = (unsigned char)n;
	to[1] = (unsigned char)(n >> 8);
	to[2] = (unsigned char)(n >> 16);
	to[3] = (unsigned char)(n >> 24);
}

uint32_t frame_get_u32(const void *from)
{
	const unsigned char *p = from;

	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void add_u32(struct strbuf *out, size_t n)
{
	unsigned char bytes[4];

	frame_put_u32(bytes, (uint32_t)n);
	strbuf_add(out, bytes, sizeof(bytes));
}

static void add_span(struct strbuf *out, struct span s)
{
	add_u32(out, s.len);
	strbuf_add_span(out, s);
}

static void add_list(struct strbuf *out, const struct span_list *list)
{
	size_t i;

	add_u32(out, list->count);
	for (i = 0; i < list->count; i++)
		add_span(out, list->items[i]);
}

static void add_report(struct strbuf *out, const struct mail_report *r)
{
	add_u32(out, r->kind);
	add_span(out, r->action);
	add_span(out, r->status);
	add_span(out, r->recipient);
	add_span(out, r->diagnostic);
	add_span(out, r->returned_id);
}

void frame_add_result(struct strbuf *out, const struct mail_in *m)
{
	size_t start = out->len, i;
	unsigned char len[4];

	add_u32(out, 0);
	add_u32(out, m->fault);
	add_u32(out, m->flags);
	add_u32(out, m->has_message_id_or_date);
	strbuf_add(out, m->content_digest, sizeof(m->content_digest));
	add_span(out, m->from);
	add_span(out, m->from_name);
	add_span(out, m->subject);
	add_span(out, m->message_id);
	add_span(out, m->in_reply_to);
	add_span(out, m->date);
	add_span(out, m->instance);
	add_span(out, m->auth_results);
	add_list(out, &m->references);
	add_list(out, &m->recipients);
	add_report(out, &m->report);
	add_u32(out, m->ntexts);
	for (i = 0; i < m->ntexts; i++) {
		add_u32(out, m->texts[i].is_html);
		add_span(out, m->texts[i].text);
	}
	frame_put_u32(len, (uint32_t)(out->len - start - FRAME_RESULT_HEAD));
	memcpy(out->ptr + start, len, sizeof(len));
}

/* A place in a frame; once something did not fit, `bad` stays set and all reads give 0. */
struct cursor {
	struct span rest;
	struct arena *arena;
	bool bad;
};

static struct span take(struct cursor *c, size_t len)
{
	struct span s = span_slice(c->rest, 0, len);

	if (c->bad || len > c->rest.len) {
		c->bad = true;
		return SPAN_EMPTY;
	}
	c->rest = span_slice(c->rest, len, c->rest.len);
	return s;
}

static uint32_t take_u32(struct cursor *c, uint32_t max)
{
	struct span s = take(c, 4);
	uint32_t n = s.len == 4 ? frame_get_u32(s.ptr) : 0;

	c->bad = c->bad || n > max;
	return c->bad ? 0 : n;
}

static struct span take_span(struct cursor *c)
{
	return take(c, take_u32(c, FRAME_RESULT_MAX));
}

static struct span take_line(struct cursor *c)
{
	struct span s = take_span(c);

	c->bad = c->bad || !charset_line_is_clean(s);
	return s;
}

static struct span take_checked(struct cursor *c, bool (*ok)(struct span))
{
	struct span s = take_span(c);

	c->bad = c->bad || (s.len > 0 && !ok(s));
	return s;
}

static struct span_list take_list(struct cursor *c, bool (*ok)(struct span))
{
	struct span_list list = {NULL, take_u32(c, LIST_MAX)};
	size_t i;

	list.items = arena_calloc(c->arena, list.count, sizeof(*list.items));
	for (i = 0; i < list.count; i++)
		list.items[i] = take_checked(c, ok);
	return list;
}

static void take_report(struct cursor *c, struct mail_report *out)
{
	out->kind = (enum mail_report_kind)take_u32(c, MAIL_REPORT_OTHER);
	out->action = take_line(c);
	out->status = take_line(c);
	out->recipient = take_checked(c, mail_address_ok);
	out->diagnostic = take_line(c);
	out->returned_id = take_checked(c, mail_message_id_ok);
}

static void take_texts(struct cursor *c, struct mail_in *out)
{
	size_t i;

	out->ntexts = take_u32(c, TEXTS_MAX);
	out->texts = arena_calloc(c->arena, out->ntexts, sizeof(*out->texts));
	for (i = 0; i < out->ntexts; i++) {
		out->texts[i].is_html = take_u32(c, 1) == 1;
		out->texts[i].text = take_span(c);
		c->bad = c->bad || !charset_text_is_clean(out->texts[i].text);
	}
	/* mail.h: at least one text, or a fault. */
	c->bad = c->bad || (out->fault == MAIL_OK) != (out->ntexts > 0);
}

bool frame_read_result(struct span body, struct arena *arena, struct mail_in *out)
{
	struct cursor c = {.rest = arena_dup(arena, body), .arena = arena};
	struct span digest;

	memset(out, 0, sizeof(*out));
	out->fault = (enum mail_fault)take_u32(&c, MAIL_UNPARSABLE);
	out->flags = take_u32(&c, UINT32_MAX);
	out->has_message_id_or_date = take_u32(&c, 1) == 1;
	digest = take(&c, sizeof(out->content_digest));
	if (digest.len > 0)
		memcpy(out->content_digest, digest.ptr, digest.len);
	out->from = take_checked(&c, mail_address_ok);
	out->from_name = take_line(&c);
	out->subject = take_line(&c);
	out->message_id = take_checked(&c, mail_message_id_ok);
	out->in_reply_to = take_checked(&c, mail_message_id_ok);
	out->date = take_line(&c);
	out->instance = take_line(&c);
	out->auth_results = take_line(&c);
	out->references = take_list(&c, mail_message_id_ok);
	out->recipients = take_list(&c, mail_address_ok);
	take_report(&c, &out->report);
	take_texts(&c, out);
	return !c.bad && c.rest.len == 0;
}
