/*
 * describe.c - a parsed mail as lines people and golden files can read.
 */
#include "mail/mail.h"

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
	static const struct {
		unsigned flag;
		const char *name;
	} names[] = {
	    {MAIL_AUTO_SUBMITTED, "auto-submitted"},
	    {MAIL_NULL_SENDER, "null-sender"},
	    {MAIL_BULK, "bulk"},
	    {MAIL_AUTO_HINT, "auto-hint"},
	    {MAIL_OUR_LOOP, "our-loop"},
	    {MAIL_FROM_HTML, "from-html"},
	    {MAIL_REPORT, "report"},
	    {MAIL_CHARSET_GUESSED, "charset-guessed"},
	    {MAIL_TEXT_CUT, "text-cut"},
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (flags & names[i].flag)
			add_value(out, "flag", span_of(names[i].name));
}

static void add_report(struct strbuf *out, const struct mail_report *r)
{
	static const char *const kinds[] = {"", "delivery", "disposition", "feedback", "other"};

	add_value(out, "report", span_of(kinds[r->kind]));
	add_value(out, "report-action", r->action);
	add_value(out, "report-status", r->status);
	add_value(out, "report-recipient", r->recipient);
	add_value(out, "report-diagnostic", r->diagnostic);
	add_value(out, "returned-message-id", r->returned_id);
}

static void add_under(struct strbuf *out, const char *heading, struct span text)
{
	strbuf_addf(out, "== %s\n%.*s", heading, SPAN_ARGS(text));
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
	add_value(out, "dkim-domain", m->dkim.domain);
	add_value(out, "dkim-selector", m->dkim.selector);
	add_value(out, "dkim-signature", m->dkim.signature);
	add_report(out, &m->report);
	if (!m->has_message_id_or_date)
		add_value(out, "identity", SPAN_LIT("transport only"));
	for (i = 0; i < m->ntexts; i++)
		add_under(out, m->texts[i].is_html ? "text from html" : "text",
		          m->texts[i].text);
	for (i = 0; i < m->enclosed.count; i++)
		add_under(out, "enclosed", m->enclosed.items[i]);
}
