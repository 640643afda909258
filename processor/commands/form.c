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

static void change_board(bool words_first, struct changed *c)
{
	c->player.form.words_first = words_first;
	c->subject = words_first ? "boards in words first" : "boards drawn first";
	c->says = words_first
	              ? "Boards are now told in words first, and drawn below that. This "
	                "line undoes it:"
	              : "Boards are now drawn first, and told in words below that. This "
	                "line undoes it:";
	c->back = words_first ? "set board drawn" : "set board words";
}

static void change_proof(bool shown, struct changed *c)
{
	c->player.form.proof_shown = shown;
	c->subject = shown ? "proofs in the mail" : "proofs attached";
	c->says =
	    shown ? "The proof of a mail now stands below its small print. This line undoes "
		    "it:"
		  : "The proof of a mail is now in a small text attached to it. This line "
		    "undoes it:";
	c->back = shown ? "set proof attached" : "set proof shown";
}

static void change_html(bool html, struct changed *c)
{
	c->player.form.html = html ? HTML_YES : HTML_NO;
	c->subject = html ? "mails with an HTML form" : "mails as plain text";
	c->says =
	    html ? "Your mails now have two forms: the text as before, and HTML, in which an "
		   "order or a command is sent by tapping it. This line undoes it:"
		 : "Your mails are plain text alone. This line undoes it:";
	c->back = html ? "set mail plain" : "set mail html";
}

static void change_reminders(bool off, struct changed *c)
{
	c->player.no_reminders = off;
	c->subject = off ? "no reminders" : "reminders come";
	c->says =
	    off ? "You get no reminders any more: if you forget a deadline, the default orders "
		  "are used, or what you have stored. This line undoes it:"
		: "Reminders come again, when your orders are due soon. This line undoes it:";
	c->back = off ? "set reminders on" : "set reminders off";
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
		change_board(item->number == 1, &c);
	else if (item->verb == CMD_SET_PROOF)
		change_proof(item->number == 1, &c);
	else if (item->verb == CMD_SET_REMINDERS)
		change_reminders(item->number == 1, &c);
	else if (req->srv->cfg.html == HTML_OFF && item->number == SET_MAIL_HTML)
		return request_notice(
		    req, NULL, NULL, "no HTML here", "set width 40",
		    "This server sends plain text alone. To get shorter lines, for example:");
	else
		change_html(item->number == SET_MAIL_HTML, &c);
	identify_player(req, &c.player);
	TRY(player_set_form(req->srv->store, &req->who.player));
	request_verdict(req, "command", "%s", c.subject);
	return request_notice(req, NULL, NULL, c.subject, c.back, "%s", c.says);
}
