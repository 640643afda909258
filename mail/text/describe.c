/*
 * describe.c - a parsed mail as lines people and golden files can read.
 */
#include "mail/mail.h"

static void add_value(struct strbuf *out, const char *name, struct span value)
{
	if (value.len == 0)
		return;
	strbuf_addf(out, "%s: %.*s\n", name, SPAN_ARGS(value));
}

static void add_under(struct strbuf *out, const char *heading, struct span text)
{
	strbuf_addf(out, "== %s\n%.*s", heading, SPAN_ARGS(text));
	if (out->ptr[out->len - 1] != '\n')
		strbuf_addc(out, '\n');
}

void mail_describe(const struct mail_in *m, struct strbuf *out)
{
	static const char *const kinds[] = {"", "delivery", "disposition", "feedback", "other"};
	static const struct {
		unsigned flag;
		const char *name;
	} flags[] = {
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

	add_value(out, "fault", span_of(mail_fault_name(m->fault)));
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (m->flags & flags[i].flag)
			add_value(out, "flag", span_of(flags[i].name));
	add_value(out, "from", m->from);
	add_value(out, "from-name", m->from_name);
	add_value(out, "subject", m->subject);
	add_value(out, "message-id", m->message_id);
	add_value(out, "in-reply-to", m->in_reply_to);
	for (size_t i = 0; i < m->references.count; i++)
		add_value(out, "reference", m->references.items[i]);
	for (size_t i = 0; i < m->recipients.count; i++)
		add_value(out, "recipient", m->recipients.items[i]);
	add_value(out, "date", m->date);
	add_value(out, "instance", m->instance);
	add_value(out, "authentication-results", m->auth_results);
	add_value(out, "dkim-domain", m->dkim.domain);
	add_value(out, "dkim-selector", m->dkim.selector);
	add_value(out, "dkim-signature", m->dkim.signature);
	add_value(out, "report", span_of(kinds[m->report.kind]));
	add_value(out, "report-action", m->report.action);
	add_value(out, "report-status", m->report.status);
	add_value(out, "report-recipient", m->report.recipient);
	add_value(out, "report-diagnostic", m->report.diagnostic);
	add_value(out, "returned-message-id", m->report.returned_id);
	for (size_t i = 0; i < m->nattachments; i++)
		strbuf_addf(out, "attachment: %.*s, %u bytes\n",
		            SPAN_ARGS(m->attachments[i].name), m->attachments[i].bytes);
	if (!m->has_message_id_or_date)
		add_value(out, "identity", SPAN_LIT("transport only"));
	for (size_t i = 0; i < m->ntexts; i++)
		add_under(out, m->texts[i].is_html ? "text from html" : "text",
		          m->texts[i].text);
	for (size_t i = 0; i < m->enclosed.count; i++)
		add_under(out, "enclosed", m->enclosed.items[i]);
}
