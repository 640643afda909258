/*
 * invite_answer.c - YES or NO to an invitation.
 */
#include "processor/commands/commands.h"
#include "processor/commands/invited.h"
#include "processor/outgoing/invitation.h"
#include "processor/request/yes_no.h"
#include "store/invites.h"

#include "processor/base/banned.h"

static enum err decline(struct request *req, const struct invite *invite,
                        const struct outbox_mail *row)
{
	request_verdict(req, "command", "no to an invitation");
	TRY(invitation_answered(req->srv, invite, row, INVITE_DECLINED, NULL, req->arena));
	return request_notice(
	    req, NULL, NULL, "thank you for the answer", "set invites off",
	    "You have said no, and whoever has invited you is told. No further mail comes to "
	    "you about this game. If you want no invitations from here at all, send:");
}

enum err invite_answer(struct request *req, const struct command *item, bool *done)
{
	struct outbox_mail row;
	struct invite invite;

	TRY(invited_answers(req, &row, &invite, done));
	if (!*done)
		return ERR_NONE;
	request_understood(req);
	if (item->verb == CMD_NO)
		return decline(req, &invite, &row);
	const struct command join = {
	    .verb = CMD_JOIN, .text = item->text, .line = item->line, .game = invite.game};
	return do_join(req, &join);
}

enum err invite_explain(struct request *req, bool *done)
{
	struct outbox_mail row;
	struct invite invite;
	struct said said = yes_no_said(req);

	TRY(invited_answers(req, &row, &invite, done));
	if (!*done)
		return ERR_NONE;
	if (said.yes != said.no)
		return invite_answer(
		    req, &(struct command){.verb = said.yes ? CMD_YES : CMD_NO}, done);
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	request_understood(req);
	request_verdict(req, "not-understood", "neither yes nor no to an invitation");
	report_notice(
	    &(struct report_notice){
		.subject = "yes or no?",
		.paragraphs =
		    (const char *const[]){
			"You have answered an invitation, but there was neither a YES nor a NO "
			"in your mail. Please answer it with one of these lines; HELP tells "
			"more "
			"about the games:"},
		.nparagraphs = 1,
		.examples = (const char *const[]){"yes", "no", "help"},
		.nexamples = 3,
	    },
	    &out);
	enum err rc = request_answer(req, NULL, NULL, "notice", &out);
	report_out_release(&out);
	return rc;
}
