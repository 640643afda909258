/*
 * guide.c - the short guide, for who has written nothing that was understood.
 */
#include "processor/games/registry.h"
#include "processor/request/answered_mails.h"
#include "processor/request/request.h"

/* The first command of a stranger that was nearly right; NULL if none. */
static const struct diag *nearly_right(const struct request *req)
{
	if (req->who.player.id != 0 || !req->text)
		return NULL;
	for (size_t i = 0; i < req->text->diags.count; i++)
		if (req->text->diags.items[i].level == DIAG_ERROR)
			return &req->text->diags.items[i];
	return NULL;
}

/*
 * Their line is not shown to them: it may be somebody else's, who gets this mail. That holds since no
 * message of the grammar has words of the line in it.
 */
static const char *why_wrong(const struct request *req, const struct diag *near)
{
	if (near->line == 0)
		return arena_printf(req->arena,
		                    "The subject of your mail was not understood. %s",
		                    near->message);
	return arena_printf(req->arena, "Line %u of your mail was not understood. %s",
	                    near->line, near->message);
}

static bool has_command(const struct command_text *text)
{
	for (size_t i = 0; text && i < text->nitems; i++)
		if (text->items[i].verb != CMD_ORDERS)
			return true;
	return false;
}

/* Which of a stranger's mails it is, whatever its number. */
static struct span same_mail(struct request *req)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "%.*s\n", SPAN_ARGS(req->who.player.address));
	for (size_t i = 0; req->text && i < req->text->nlines; i++)
		strbuf_addf(&text, "%.*s\n", SPAN_ARGS(req->text->lines[i].text));
	return arena_take(req->arena, &text);
}

/*
 * A From address is anybody's to write, and most of what comes from strangers is no mail to us: where
 * nothing in it attempts a command, it is answered only if the border server vouches for the sender. And
 * the same mail is answered once a week, different ones three times.
 */
static enum err may_guide_stranger(struct request *req, bool attempts, bool *may)
{
	bool answers;

	TRY(answered_mail_is_theirs(req, &answers));
	*may = answers || attempts || req->who.auth.state == AUTH_PASSED;
	if (!*may) {
		request_verdict(req, "stranger", "nothing in it asks for anything here");
		return ERR_NONE;
	}
	TRY(budget_allows(req->srv, BUDGET_SAME_GUIDE, same_mail(req), may));
	if (*may && !answers)
		TRY(budget_allows(req->srv, BUDGET_GUIDE, req->who.player.address, may));
	if (!*may)
		request_verdict(req, "stranger",
		                "no line was understood; this address was sent the guide less "
		                "than a week ago");
	return ERR_NONE;
}

enum err request_guide(struct request *req, const char *reason)
{
	static const char usual[] = "CREATE " EXAMPLE_KIND " PLAYERS 3 BOTS 1 NEXT 2D";
	const struct diag *near = reason ? NULL : nearly_right(req);
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	struct strbuf table = STRBUF_INIT, unread = STRBUF_INIT;
	const char *example = NULL;
	bool allowed = true;

	request_verdict(req, req->who.player.id ? "not-understood" : "stranger",
	                "no line was understood");
	if (!req->answer.allowed)
		return ERR_NONE;
	if (req->who.player.id == 0)
		TRY(may_guide_stranger(req, near != NULL || has_command(req->text), &allowed));
	if (!allowed)
		return ERR_NONE;
	if (near) /* one made of their line has its words */
		TRY(request_example(req, near->column == 0 ? near->example : usual, &example));
	grammar_add_table(&table);
	for (size_t i = 0; req->who.player.id && req->text && i < req->text->nlines && i < 5;
	     i++)
		if (req->text->lines[i].text.len > 0)
			strbuf_addf(&unread, "%.*s\n", SPAN_ARGS(req->text->lines[i].text));
	report_guide(&(struct report_guide){.topic = GUIDE_SHORT,
	                                    .command_table = strbuf_span(&table),
	                                    .unread = strbuf_span(&unread),
	                                    .reason = near ? why_wrong(req, near) : reason,
	                                    .example = example,
	                                    .address = req->srv->cfg.address},
	             &out);
	enum err rc = request_answer(req, NULL, NULL, "guide", &out);
	strbuf_release(&table);
	strbuf_release(&unread);
	return rc;
}
