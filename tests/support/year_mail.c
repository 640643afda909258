/*
 * year_mail.c - a mail of the server as a player sees it, and what players are going to do.
 */
#include <stdlib.h>
#include <string.h>

#include "mail/compose.h"
#include "processor/base/err.h"
#include "processor/base/num.h"
#include "tests/support/year_parts.h"

/* ---- reading ---- */

/* A header field of a mail of ours; folded lines are joined by a blank. */
static char *field(struct span raw, const char *name)
{
	struct strbuf value = STRBUF_INIT;
	struct span line;
	bool inside = false;

	while (span_next_line(&raw, &line) && line.len > 0) {
		bool goes_on = line.ptr[0] == ' ' || line.ptr[0] == '\t';

		if (!goes_on)
			inside = span_starts(line, name);
		if (inside && goes_on)
			strbuf_addc(&value, ' ');
		if (inside)
			strbuf_add_span(
			    &value,
			    span_trim(span_slice(line, goes_on ? 0 : strlen(name), line.len)));
	}
	return strbuf_detach(&value);
}

/* "[W12 turn 3] ...": number and label. */
static void read_tag(struct year_mail *m)
{
	struct span rest = span_of(m->subject), word;
	size_t end = span_find(rest, SPAN_LIT("]"));

	if (m->subject[0] != '[' || end >= rest.len)
		return;
	rest = span_slice(rest, 1, end);
	if (!span_next_word(&rest, "", &word) ||
	    !num_parse_uint(span_slice(word, 1, word.len), 1, UINT32_MAX, &m->game))
		return;
	rest = span_trim(rest);
	for (size_t i = 0; i < rest.len && i + 1 < sizeof(m->label); i++) {
		m->label[i] = rest.ptr[i];
		m->label[i + 1] = '\0';
	}
}

/* "(in 24 h)", "(in 3 d)", "(in 45 min)" after the first deadline that is named. */
static int64_t read_time_left(const char *text)
{
	const char *at = strstr(text, "Orders for ");
	struct span rest, word;
	unsigned n;

	if (!at)
		at = strstr(text, "Deadline: ");
	at = at ? strstr(at, "(in ") : NULL;
	if (!at)
		return 0;
	rest = span_of(at + 4);
	if (!span_next_word(&rest, "", &word) || !num_parse_uint(word, 0, 10000, &n))
		return 0;
	while (rest.len > 0 && (rest.ptr[0] == ' ' || rest.ptr[0] == '\n'))
		rest = span_slice(rest, 1, rest.len);
	if (span_starts(rest, "d"))
		return (int64_t)n * YEAR_DAY_S;
	return (int64_t)n * (span_starts(rest, "h") ? YEAR_HOUR_S : 60);
}

/* "moles+w1-SEAT.SERIAL.MAC@example.org" */
static unsigned read_serial(const char *reply_to)
{
	struct span rest = span_of(reply_to), part;
	unsigned serial = 0;

	if (!span_starts(rest, "moles+") || !span_next_field(&rest, '.', &part) ||
	    !span_next_field(&rest, '.', &part) ||
	    !num_parse_uint(part, 0, UINT32_MAX, &serial))
		return 0;
	return serial;
}

static char *bare(char *address)
{
	size_t len = strlen(address);

	if (len > 1 && address[0] == '<' && address[len - 1] == '>') {
		memmove(address, address + 1, len - 2);
		address[len - 2] = '\0';
	}
	return address;
}

/* "p17@example.net" */
static bool read_player(struct span to, unsigned *player)
{
	size_t at = span_find(to, SPAN_LIT("@"));

	return at > 1 && num_parse_uint(span_slice(to, 1, at), 0, UINT32_MAX, player);
}

bool year_mail_read(struct span raw, int64_t now_utc, struct year_mail *out)
{
	char *to = field(raw, "To: ");
	bool fine;

	*out = (struct year_mail){.text = STRBUF_INIT, .at_utc = now_utc};
	fine = read_player(span_of(to), &out->player);
	free(to);
	out->subject = field(raw, "Subject: ");
	out->reply_to = field(raw, "Reply-To: ");
	out->message_id = field(raw, "Message-ID: ");
	out->sender = bare(field(raw, "Return-Path: "));
	out->serial = read_serial(out->reply_to);
	read_tag(out);
	if (!fine || !mail_read_back(raw, &out->text))
		return false;
	mail_read_file(raw, &out->text);
	out->wants_orders = strstr(out->subject, "orders due") != NULL;
	out->seats_him = strstr(out->subject, "you have taken over seat") != NULL;
	out->reminds = strstr(out->subject, "your orders are due") ||
	               strstr(out->subject, "you are late");
	out->left_s = read_time_left(out->text.ptr);
	return true;
}

void year_mail_release(struct year_mail *m)
{
	free(m->subject);
	free(m->reply_to);
	free(m->message_id);
	free(m->sender);
	strbuf_release(&m->text);
}

/* ---- a heap by time ---- */

static bool is_before(const struct year_event *a, const struct year_event *b)
{
	return a->at_utc != b->at_utc ? a->at_utc < b->at_utc : a->n < b->n;
}

static void swap(struct year_event *a, struct year_event *b)
{
	struct year_event c = *a;

	*a = *b;
	*b = c;
}

void year_queue_add(struct year_queue *q, struct year_event e)
{
	size_t at = q->n;

	e.n = q->made++;
	q->heap = xgrow(q->heap, &q->cap, q->n + 1, sizeof(*q->heap));
	q->heap[q->n++] = e;
	while (at > 0 && is_before(&q->heap[at], &q->heap[(at - 1) / 2])) {
		swap(&q->heap[at], &q->heap[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
}

static void sink_down(struct year_queue *q)
{
	size_t at = 0;

	for (;;) {
		size_t least = at, left = 2 * at + 1;

		if (left < q->n && is_before(&q->heap[left], &q->heap[least]))
			least = left;
		if (left + 1 < q->n && is_before(&q->heap[left + 1], &q->heap[least]))
			least = left + 1;
		if (least == at)
			return;
		swap(&q->heap[at], &q->heap[least]);
		at = least;
	}
}

bool year_queue_take(struct year_queue *q, int64_t until_utc, struct year_event *out)
{
	if (q->n == 0 || q->heap[0].at_utc > until_utc)
		return false;
	*out = q->heap[0];
	q->heap[0] = q->heap[--q->n];
	sink_down(q);
	return true;
}

void year_event_release(struct year_event *e)
{
	free(e->to);
	free(e->subject);
	free(e->answers);
	free(e->text);
	free(e->quoted);
}

void year_queue_release(struct year_queue *q)
{
	for (size_t i = 0; i < q->n; i++)
		year_event_release(&q->heap[i]);
	free(q->heap);
}
