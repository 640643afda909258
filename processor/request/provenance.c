/*
 * provenance.c - the quoted head, and the signature of the sender's mail server.
 */
#include "processor/request/provenance.h"

#include "processor/base/paper_words.h"

/* Letters in lower case, and one '-' for whatever is between them and at both ends. */
static void add_letters(struct strbuf *out, struct span text)
{
	strbuf_addc(out, '-');
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (c >= 'a' && c <= 'z')
			strbuf_addc(out, c);
		else if (out->ptr[out->len - 1] != '-')
			strbuf_addc(out, '-');
	}
	if (out->ptr[out->len - 1] != '-')
		strbuf_addc(out, '-');
}

/* However they were quoted, broken into lines or typed. */
static bool has_words(struct span text, const struct strbuf *words)
{
	struct strbuf letters = STRBUF_INIT;
	bool has;

	add_letters(&letters, text);
	has = span_find(strbuf_span(&letters), strbuf_span(words)) < letters.len;
	strbuf_release(&letters);
	return has;
}

static bool quotes_head(const struct mail_in *mail, const struct hash *head)
{
	struct strbuf words = STRBUF_INIT;
	bool quotes = false;

	strbuf_addc(&words, '-');
	paper_words_add_four(head, &words);
	strbuf_addc(&words, '-');
	for (size_t i = 0; i < mail->ntexts && !quotes; i++)
		quotes = has_words(mail->texts[i].text, &words);
	for (size_t i = 0; i < mail->enclosed.count && !quotes; i++)
		quotes = has_words(mail->enclosed.items[i], &words);
	strbuf_release(&words);
	return quotes;
}

void provenance_note(struct request *req, const struct match *match, struct order_revision *row)
{
	const struct mail_dkim *dkim = &req->mail->dkim;
	const struct config *cfg = &req->srv->cfg;

	if (match->game.record_version == 1)
		return;
	row->quotes_head = quotes_head(req->whole, &match->game.record_head);
	if (dkim->domain.len == 0)
		return;
	row->dkim = proof_dkim(dkim->domain, dkim->selector, dkim->signature);
	row->dkim_verified = cfg->authserv_id && cfg->authentication != AUTHENTICATION_IGNORE &&
	                     auth_results_verified(req->mail->auth_results,
	                                           span_of(cfg->authserv_id), dkim, req->arena);
}
