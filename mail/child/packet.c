/*
 * packet.c - numbers, texts and struct mail_in as bytes and back.
 */
#include "mail/child/packet.h"

#include <string.h>

#include "mail/text/charset.h"
#include "mail/text/header_facts.h"

/* What the child makes of a mail never comes to more: parse/ has the same bounds. */
enum {
	TEXTS_MAX = 16,
	ENCLOSED_MAX = 8,
	WORDS_MAX = 3 * HEADER_MAX_BYTES, /* each byte as U+FFFD */
	REPORT_MAX = 200,
	SENTENCE_MAX = 1000,
	FORGET_BYTES = 64 * 1024
};

void packet_put_u32(unsigned char to[4], uint32_t n)
{
	to[0] = (unsigned char)n;
	to[1] = (unsigned char)(n >> 8);
	to[2] = (unsigned char)(n >> 16);
	to[3] = (unsigned char)(n >> 24);
}

static uint32_t packet_get_u32(const void *from)
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

void packet_add_result(struct strbuf *out, const struct mail_in *m)
{
	size_t start = out->len, i;
	unsigned char len[4];

	packet_add_u32(out, 0);
	packet_add_u32(out, m->fault);
	packet_add_u32(out, m->flags & MAIL_BODY_FLAGS);
	packet_add_span(out, m->subject);
	packet_add_span(out, m->from_name);
	packet_add_u32(out, m->report.kind);
	packet_add_span(out, m->report.action);
	packet_add_span(out, m->report.status);
	packet_add_span(out, m->report.recipient);
	packet_add_span(out, m->report.diagnostic);
	packet_add_span(out, m->report.returned_id);
	packet_add_u32(out, m->ntexts);
	for (i = 0; i < m->ntexts; i++) {
		packet_add_u32(out, m->texts[i].is_html);
		packet_add_span(out, m->texts[i].text);
	}
	packet_add_u32(out, m->enclosed.count);
	for (i = 0; i < m->enclosed.count; i++)
		packet_add_span(out, m->enclosed.items[i]);
	packet_add_u32(out, m->nattachments);
	for (i = 0; i < m->nattachments; i++) {
		packet_add_span(out, m->attachments[i].name);
		packet_add_u32(out, m->attachments[i].bytes);
	}
	packet_put_u32(len, (uint32_t)(out->len - start - PACKET_HEAD));
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

char *packet_take_text(struct packet_cursor *c)
{
	struct span s = packet_take_span(c);

	return s.ptr ? strndup(s.ptr, s.len) : xstrdup("");
}

void packet_add_failure(struct strbuf *out, const struct failure *e)
{
	packet_add_u32(out, e->code);
	packet_add_span(out, strbuf_span(&e->text));
}

enum err packet_take_failure(struct packet_cursor *c, struct failure *e)
{
	uint32_t code = packet_take_u32(c, ERR_CRASHED);
	struct span why = packet_take_span(c);

	if (c->bad || code == ERR_NONE || why.len > SENTENCE_MAX || !charset_line_is_clean(why))
		return ERR_NONE;
	return err_set(e, (enum err)code, "%.*s", SPAN_ARGS(why));
}

bool packet_stream_next(const struct packet_stream *s, size_t most, struct span *packet,
                        bool *bad)
{
	struct span rest = span_slice(strbuf_span(&s->in), s->taken, s->in.len);
	size_t len = rest.len < sizeof(uint32_t) ? 0 : packet_get_u32(rest.ptr);

	*bad = len > most;
	if (*bad || rest.len < sizeof(uint32_t) || rest.len - sizeof(uint32_t) < len)
		return false;
	*packet = span_slice(rest, sizeof(uint32_t), sizeof(uint32_t) + len);
	return true;
}

void packet_stream_forget(struct packet_stream *s)
{
	if (s->taken < s->in.len && (s->taken < FORGET_BYTES || s->taken < s->in.len / 2))
		return;
	memmove(s->in.ptr, s->in.ptr + s->taken, s->in.len - s->taken);
	strbuf_truncate(&s->in, s->in.len - s->taken);
	s->taken = 0;
}

static struct span take_clean(struct packet_cursor *c, size_t most,
                              bool (*is_clean)(struct span))
{
	struct span s = packet_take_span(c);

	c->bad = c->bad || s.len > most || !is_clean(s);
	return s;
}

static struct span take_line(struct packet_cursor *c, size_t most)
{
	return take_clean(c, most, charset_line_is_clean);
}

static struct span take_checked(struct packet_cursor *c, bool (*ok)(struct span))
{
	struct span s = packet_take_span(c);

	c->bad = c->bad || (s.len > 0 && !ok(s));
	return s;
}

bool packet_read_result(struct span body, const struct mail_limits *limits, struct arena *arena,
                        struct mail_in *out)
{
	struct packet_cursor c = {.rest = arena_dup(arena, body)};
	struct mail_in m = *out;
	struct mail_report *report = &m.report;
	struct span subject, from_name;
	uint32_t flags;

	m.fault = (enum mail_fault)packet_take_u32(&c, MAIL_UNPARSABLE);
	flags = packet_take_u32(&c, MAIL_BODY_FLAGS);
	c.bad = c.bad || (flags & ~(uint32_t)MAIL_BODY_FLAGS) != 0;
	m.flags |= flags;
	subject = take_line(&c, WORDS_MAX);
	from_name = take_line(&c, WORDS_MAX);
	report->kind = (enum mail_report_kind)packet_take_u32(&c, MAIL_REPORT_OTHER);
	report->action = take_line(&c, REPORT_MAX);
	report->status = take_line(&c, REPORT_MAX);
	report->recipient = take_checked(&c, mail_address_ok);
	report->diagnostic = take_line(&c, REPORT_MAX);
	report->returned_id = take_checked(&c, mail_message_id_ok);
	m.ntexts = packet_take_u32(&c, TEXTS_MAX);
	m.texts = arena_calloc(arena, m.ntexts, sizeof(*m.texts));
	for (size_t i = 0; i < m.ntexts; i++) {
		m.texts[i].is_html = packet_take_u32(&c, 1) == 1;
		m.texts[i].text = take_clean(&c, limits->text_bytes, charset_text_is_clean);
		c.bad = c.bad || span_count_char(m.texts[i].text, '\n') > limits->text_lines;
	}
	m.enclosed.count = packet_take_u32(&c, ENCLOSED_MAX);
	m.enclosed.items = arena_calloc(arena, m.enclosed.count, sizeof(*m.enclosed.items));
	for (size_t i = 0; i < m.enclosed.count; i++)
		m.enclosed.items[i] = take_clean(&c, MAIL_ENCLOSED_MOST, charset_text_is_clean);
	m.nattachments = packet_take_u32(&c, MAIL_ATTACHMENTS_MOST);
	m.attachments = arena_calloc(arena, m.nattachments, sizeof(*m.attachments));
	for (size_t i = 0; i < m.nattachments; i++) {
		m.attachments[i].name = take_line(&c, MAIL_ATTACHMENT_NAME_MOST);
		m.attachments[i].bytes = packet_take_u32(&c, UINT32_MAX);
	}
	/* mail.h: at least one text, or a fault. */
	if (c.bad || c.rest.len > 0 || (m.fault == MAIL_OK) != (m.ntexts > 0))
		return false;
	header_facts_add_words(&m, subject, from_name);
	*out = m;
	return true;
}
