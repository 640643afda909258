/*
 * answered_mails.c - the mails of ours that the mail in hand answers or may quote, and what it quotes of them.
 */
#include "processor/request/answered_mails.h"

#include "mail/compose.h"
#include "processor/base/utf8.h"
#include "processor/outgoing/html_form.h"
#include "processor/outgoing/retention.h"
#include "processor/quotes/quoted_lines.h"

enum {
	REFERENCES_READ = 4,
	GLUED_LINES = 6,   /* of HTML, beside a plain text of one */
	NEWEST_READ = 150, /* where nothing says which is answered */
	MAILS_MOST = NEWEST_READ
};

struct answered {
	struct answered_mail items[MAILS_MOST];
	int64_t ids[MAILS_MOST];
	size_t count;
};

/* Once, if it went to whoever writes, and its text, or at least its lines' hashes, are still kept. */
static enum err add(const struct request *req, struct answered *a,
                    const struct outbox_mail *row)
{
	struct answered_mail *m = &a->items[a->count];
	struct strbuf text = STRBUF_INIT, subject = STRBUF_INIT;
	bool theirs = (row->player != 0 && row->player == req->who.player.id) ||
	              span_eq_nocase(row->rcpt, arena_cstr(req->arena, req->mail->from));
	struct span proofs;

	for (size_t i = 0; i < a->count; i++)
		theirs = theirs && a->ids[i] != row->id;
	if (!theirs || a->count == MAILS_MOST)
		return ERR_NONE;
	*m = (struct answered_mail){.to = row->rcpt, .date_utc = row->created_utc};
	if (row->is_dropped) {
		TRY(retention_proofs_of(req->srv, row, req->arena, &proofs, &m->lines));
	} else if (row->message.len > 0 && mail_read_back(row->message, &text)) {
		mail_read_subject(row->message, &subject);
		if (html_form_is_wanted(req->srv, &req->who.player) ||
		    mail_has_html(req->whole))
			html_form_add_commands(row, &text);
		m->text = arena_dup(req->arena, strbuf_span(&text));
		m->subject = arena_dup(req->arena, strbuf_span(&subject));
	}
	a->ids[a->count] = row->id;
	a->count += m->text.len > 0 || m->lines.count > 0;
	strbuf_release(&text);
	strbuf_release(&subject);
	return ERR_NONE;
}

static enum err add_newest(struct request *req, struct answered *a)
{
	struct outbox_mail *rows;
	size_t n;

	TRY(outbox_newest(req->srv->store, req->who.player.id, req->mail->from, NEWEST_READ,
	                  req->arena, &rows, &n));
	for (size_t i = 0; i < n; i++)
		if (!rows[i].is_dropped)
			TRY(add(req, a, &rows[i]));
	return ERR_NONE;
}

size_t answered_ids(const struct request *req, const struct span **ids)
{
	const struct span_list *refs = &req->mail->references;
	struct span *all = arena_calloc(req->arena, 1 + refs->count, sizeof(*all));

	all[0] = req->mail->in_reply_to;
	for (size_t i = 0; i < refs->count; i++)
		all[1 + i] = refs->items[refs->count - 1 - i];
	*ids = all;
	return 1 + refs->count;
}

/* Of these the ones that are looked at: the mail that is answered, if the program says which, and a few more. */
static bool is_read(const struct span *ids, size_t i)
{
	return i <= REFERENCES_READ && ids[i].len > 0 && (i == 0 || !span_eq(ids[i], ids[0]));
}

static enum err find(struct request *req, struct answered *a)
{
	const struct span *ids;
	size_t n = answered_ids(req, &ids);

	req->quotes_unknown = false;
	for (size_t i = 0; i < n; i++) {
		size_t before = a->count;
		struct outbox_mail row;
		enum err rc = is_read(ids, i)
		                  ? outbox_opened(req->srv->store, ids[i], req->arena, &row)
		                  : ERR_NOT_FOUND;

		if (rc == ERR_NONE)
			rc = add(req, a, &row);
		if (rc == ERR_NOT_FOUND)
			continue;
		TRY(rc);
		/* It is a mail of ours, the one that is answered, and its text cannot be had. */
		if (span_eq(ids[i], req->mail->in_reply_to))
			req->quotes_unknown = a->count == before ||
			                      a->items[before].text.len == 0;
	}
	return a->count > 0 ? ERR_NONE : add_newest(req, a);
}

static bool may_quote(const struct mail_in *mail, struct arena *arena)
{
	bool may = false;

	for (size_t i = 0; i < mail->ntexts && !may; i++)
		may = quoted_lines_may_repeat(mail->texts[i].text, arena);
	return may;
}

void answered_mails_ask_ahead(const struct request *req)
{
	const struct span *ids;
	size_t n = may_quote(req->mail, req->arena) ? answered_ids(req, &ids) : 0;
	struct outbox_mail row;

	for (size_t i = 0; i < n; i++)
		if (is_read(ids, i))
			store_only_asked(
			    outbox_opened(req->srv->store, ids[i], req->arena, &row));
}

enum err answered_mails_take_out(struct request *req)
{
	struct mail_in *mail = arena_calloc(req->arena, 1, sizeof(*mail));
	struct answered a = {.count = 0};

	*mail = *req->mail;
	/* Some programs make plain text of their HTML without ends of lines. */
	if (mail->ntexts > 1 && !mail->texts[0].is_html && mail->texts[1].is_html &&
	    span_count_char(span_trim(mail->texts[0].text), '\n') == 0 &&
	    span_count_char(mail->texts[1].text, '\n') >= GLUED_LINES) {
		mail->texts++;
		mail->ntexts--;
	}
	req->mail = mail;
	if (may_quote(mail, req->arena))
		TRY(find(req, &a));
	const struct text_origin origin = {
	    .mails = a.items,
	    .nmails = a.count,
	    .address = span_of(req->srv->cfg.address),
	    .name = span_of(req->srv->cfg.from_name),
	    .writer = mail->from,
	    .program = mail->program,
	};
	const struct mail_text *whole = mail->texts;
	mail->texts = arena_calloc(req->arena, mail->ntexts, sizeof(*mail->texts));
	for (size_t i = 0; i < mail->ntexts; i++) {
		mail->texts[i] = whole[i];
		mail->texts[i].text =
		    quoted_lines_mark(whole[i].text, &origin, req->arena, NULL);
	}
	return ERR_NONE;
}

enum err mail_of_ours(struct request *req, struct span id, struct outbox_mail *row, bool *found)
{
	*found = false;
	if (id.len == 0)
		return ERR_NONE;
	enum err rc = outbox_by_message_id(req->srv->store, id, req->arena, row);
	*found = rc == ERR_NONE;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

enum err answered_mail(struct request *req, struct outbox_mail *row, bool *found)
{
	const struct span *ids;
	size_t n = answered_ids(req, &ids);

	return mail_of_ours(req, ids[ids[0].len == 0 && n > 1 ? 1 : 0], row, found);
}

enum err answered_mail_is_theirs(struct request *req, bool *yes)
{
	struct outbox_mail row;

	TRY(answered_mail(req, &row, yes));
	*yes = *yes && row.game == 0 && utf8_eq_folded(row.rcpt, req->mail->from);
	return ERR_NONE;
}

enum err answered_mails_none(struct request *req, bool *yes)
{
	bool theirs = req->who.proven;

	if (!theirs)
		TRY(answered_mail_is_theirs(req, &theirs));
	*yes = !theirs;
	return ERR_NONE;
}
