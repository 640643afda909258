/*
 * describe.c - a parsed mail as lines people and golden files can read.
 */
#include "mail/mail.h"

#include "processor/base/banned.h"

static void add_value(struct strbuf *out, const char *name, struct span value)
{
	if (value.len == 0)
		return;
	strbuf_adds(out, name);
	strbuf_adds(out, ": ");
	strbuf_add_span(out, value);
	strbuf_addc(out, '\n');
}

static void add_values(struct strbuf *out, const char *name, const struct span_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		add_value(out, name, list->items[i]);
}

static void add_flags(struct strbuf *out, unsigned flags)
{
	static const char *const names[] = {"auto-submitted", "null-sender",    "bulk",
	                                    "auto-hint",      "our-loop",       "from-html",
	                                    "report",         "charset-guessed"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (flags & 1u << i)
			add_value(out, "flag", span_of(names[i]));
}

static void add_text(struct strbuf *out, const struct mail_text *t)
{
	strbuf_adds(out, t->is_html ? "== text from html\n" : "== text\n");
	strbuf_add_span(out, t->text);
	if (out->ptr[out->len - 1] != '\n')
		strbuf_addc(out, '\n');
}

void mail_describe(const struct mail_in *m, struct strbuf *out)
{
	size_t i;

	add_value(out, "fault", span_of(mail_fault_name(m->fault)));
	add_flags(out, m->flags);
	add_value(out, "from", m->from);
	add_value(out, "from-name", m->from_name);
	add_value(out, "subject", m->subject);
	add_value(out, "message-id", m->message_id);
	add_value(out, "in-reply-to", m->in_reply_to);
	add_values(out, "reference", &m->references);
	add_values(out, "recipient", &m->recipients);
	add_value(out, "date", m->date);
	add_value(out, "instance", m->instance);
	add_value(out, "authentication-results", m->auth_results);
	if (!m->has_message_id_or_date)
		add_value(out, "identity", SPAN_LIT("transport only"));
	for (i = 0; i < m->ntexts; i++)
		add_text(out, &m->texts[i]);
}
