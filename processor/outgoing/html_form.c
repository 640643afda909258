/*
 * html_form.c - whether, and with which links.
 */
#include "processor/outgoing/html_form.h"

#include "mail/compose.h"
#include "mail/mail.h"
#include "mail/text/header.h"
#include "processor/base/mailto.h"
#include "processor/outgoing/end_files.h"
#include "reports/report.h"

enum { TEXT_MOST = 40 * 1024 }; /* with its tags below 100 KB */

void html_form_ask_ahead(struct server *srv, const struct outbox_mail *row, struct arena *arena)
{
	struct player p;

	if (srv->cfg.html != HTML_OFF && row->player != 0)
		store_only_asked(player_get(srv->store, row->player, arena, &p));
}

bool html_form_is_wanted(const struct server *srv, const struct player *p)
{
	return srv->cfg.html != HTML_OFF &&
	       (p->form.html == HTML_YES ||
	        (p->form.html == HTML_AS_SERVER && srv->cfg.html == HTML_ON));
}

static struct span field(const struct header *h, const char *name)
{
	for (size_t i = 0; i < h->count; i++)
		if (span_eq_nocase(h->fields[i].name, name))
			return span_trim(h->fields[i].value);
	return SPAN_EMPTY;
}

/* "Answer YES": a question, unless YES stands there as an example, which is a link already. */
static bool asks(struct span text)
{
	struct span news = span_slice(text, 0, span_find(text, SPAN_LIT("\n-- \n")));

	return span_find(news, SPAN_LIT(" YES")) < news.len &&
	       span_find(news, SPAN_LIT("\n  | yes\n")) == news.len;
}

static const char *commands_for(const struct outbox_mail *row, struct span text)
{
	if (asks(text))
		return "yes,no,help";
	if (span_eq_str(row->kind, END_KIND))
		return "summary,ratings,list";
	if (span_eq_str(row->kind, "receipt"))
		return "status,clear,help";
	if (row->seat != 0)
		return "status,summary,help";
	return row->game != 0 ? "help" : "status,list,help";
}

void html_form_add_commands(const struct outbox_mail *row, struct strbuf *text)
{
	struct span all = strbuf_span(text), rest = span_of(commands_for(row, all)), word;
	size_t end = span_find(all, SPAN_LIT("\n-- \n"));
	struct strbuf with = STRBUF_INIT;

	if (end == all.len)
		return;
	strbuf_add_span(&with, span_slice(all, 0, end));
	strbuf_adds(&with, "\n-- \n");
	while (span_next_word(&rest, ",", &word))
		strbuf_addf(&with, "| %.*s ", SPAN_ARGS(word));
	strbuf_add_span(&with, span_slice(all, end, all.len));
	strbuf_swap(text, &with);
	strbuf_release(&with);
}

static void add_form(struct server *srv, const struct outbox_mail *row, struct span text,
                     struct arena *arena, struct strbuf *out)
{
	struct strbuf subject = STRBUF_INIT;
	struct mailto answer = {.in_reply_to = row->message_id};
	struct header h;

	header_split(row->message, arena, &h);
	answer.address = field(&h, "Reply-To");
	if (answer.address.len == 0)
		answer.address = span_of(srv->cfg.address);
	strbuf_adds(&subject, "Re: ");
	mail_read_subject(row->message, &subject);
	answer.subject = strbuf_span(&subject);
	report_html(text, &answer, commands_for(row, text), out);
	strbuf_release(&subject);
}

enum err html_form_add(struct server *srv, const struct outbox_mail *row, struct arena *arena,
                       struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;
	struct player p = {0};
	enum err rc = ERR_NONE;

	if (srv->cfg.html != HTML_OFF && row->player != 0)
		rc = player_get(srv->store, row->player, arena, &p);
	if (rc != ERR_NONE)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	if (html_form_is_wanted(srv, &p) && mail_read_back(row->message, &text) &&
	    text.len <= TEXT_MOST)
		add_form(srv, row, strbuf_span(&text), arena, out);
	strbuf_release(&text);
	return ERR_NONE;
}
