/*
 * form.c - SET WIDTH, SET BOARD, SET PROOF, SET MAIL HTML and SET REMINDERS: what mails look like, and
 * whether reminders come.
 */
#include "processor/commands/commands.h"
#include "processor/request/identify.h"
#include "processor/request/request.h"

struct changed {
	struct player player;
	const char *subject, *says, *back; /* a sentence or more; the line that undoes it */
};

static void change_width(struct request *req, unsigned cols, struct changed *c)
{
	c->player.form.cols = cols == REPORT_COLS ? 0 : cols;
	c->subject = arena_printf(req->arena, "lines of %u columns", cols ? cols : REPORT_COLS);
	c->says = c->player.form.cols == 0
	              ? "Your mails have lines of 72 columns again, as at first. To get "
	                "shorter ones for a narrow screen, for example:"
	              : arena_printf(req->arena,
	                             "Your mails now have lines of at most %u columns, and "
	                             "boards and tables are drawn for them. A board that "
	                             "cannot be so narrow is told in words. This line "
	                             "undoes it:",
	                             cols);
	c->back = c->player.form.cols == 0 ? "set width 40" : "set width off";
}

/* What has two ways: of each, the first is that of `number` 1. */
struct way {
	const char *subject, *says, *back;
};
static const struct way boards[] = {
    {"boards in words",
     "Boards are now told in words. This line undoes it:", "set board drawn"},
    {"boards drawn", "Boards are now drawn. This line undoes it:", "set board words"}};
static const struct way proofs[] = {
    {"proofs in the mail",
     "The proof of a mail now stands below its small print. This line undoes it:",
     "set proof attached"},
    {"proofs attached",
     "The proof of a mail is now in a small text attached to it. This line undoes it:",
     "set proof shown"}};
static const struct way reminders[] = {
    {"no reminders",
     "You get no reminders any more: if you forget a deadline, the default orders are used, or "
     "what you have stored. This line undoes it:",
     "set reminders on"},
    {"reminders come",
     "Reminders come again, when your orders are due soon. This line undoes it:",
     "set reminders off"}};
static const struct way forms[] = {
    {"mails with an HTML form",
     "Your mails now have two forms: the text as before, and HTML, in which an order or a "
     "command is sent by tapping it. This line undoes it:",
     "set mail plain"},
    {"mails as plain text",
     "Your mails are plain text alone. This line undoes it:", "set mail html"}};

/* Whether it is the first. */
static bool change_to(struct changed *c, const struct way *ways, bool first)
{
	const struct way *w = &ways[first ? 0 : 1];

	c->subject = w->subject;
	c->says = w->says;
	c->back = w->back;
	return first;
}

enum err do_form(struct request *req, const struct command *item)
{
	struct changed c = {.player = req->who.player};

	request_understood(req);
	if (req->who.player.id == 0)
		return request_notice(req, NULL, NULL, "for players only", "list",
		                      "Only players can say how their mails look. To see the "
		                      "games you can join, send:");
	if (item->verb == CMD_SET_WIDTH)
		change_width(req, item->number, &c);
	else if (item->verb == CMD_SET_BOARD)
		c.player.form.words_first = change_to(&c, boards, item->number == 1);
	else if (item->verb == CMD_SET_PROOF)
		c.player.form.proof_shown = change_to(&c, proofs, item->number == 1);
	else if (item->verb == CMD_SET_REMINDERS)
		c.player.no_reminders = change_to(&c, reminders, item->number == 1);
	else if (req->srv->cfg.html == HTML_OFF && item->number == SET_MAIL_HTML)
		return request_notice(
		    req, NULL, NULL, "no HTML here", "set width 40",
		    "This server sends plain text alone. To get shorter lines, for example:");
	else
		c.player.form.html =
		    change_to(&c, forms, item->number == SET_MAIL_HTML) ? HTML_YES : HTML_NO;
	identify_player(req, &c.player);
	TRY(player_set_form(req->srv->store, &req->who.player));
	request_verdict(req, "command", "%s", c.subject);
	return request_notice(req, NULL, NULL, c.subject, c.back, "%s", c.says);
}
