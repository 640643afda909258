/*
 * invite_answer.c - YES or NO to an invitation.
 */
#include "processor/commands/commands.h"
#include "processor/commandtext/yes_no.h"
#include "processor/outgoing/invitation.h"
#include "processor/request/join_rules.h"
#include "processor/request/which_game.h"
#include "store/invites.h"

/* An answer to this mail is one to the invitation as well, whatever else a mail program says of it. */
static enum err tell_invited(struct request *req, const struct invite *invite,
                             void (*write)(const struct match *match, struct report_out *out))
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	struct match *match;

	TRY(request_match(req, invite->game, &match));
	write(match, &out);
	return request_answer(req, match, NULL, "invite", &out);
}

static enum err answer_it(struct request *req, bool yes, struct span name,
                          const struct invite *invite, const struct outbox_mail *row)
{
	request_understood(req);
	if (!yes) {
		request_verdict(req, "command", "no to an invitation");
		TRY(invitation_answered(req->srv, invite, row, INVITE_DECLINED, NULL,
		                        req->arena));
		return tell_invited(req, invite, invitation_write_declined);
	}
	return do_join(req,
	               &(struct command){.verb = CMD_JOIN, .game = invite->game, .name = name});
}

enum err invite_answer(struct request *req, const struct command *item, bool *done)
{
	struct outbox_mail row;
	struct invite invite;

	TRY(invited_answers(req, &row, &invite, done));
	return *done ? answer_it(req, item->verb == CMD_YES, SPAN_EMPTY, &invite, &row)
	             : ERR_NONE;
}

enum err invite_explain(struct request *req, bool *done)
{
	struct outbox_mail row;
	struct invite invite;

	TRY(invited_answers(req, &row, &invite, done));
	if (!*done)
		return ERR_NONE;
	struct said said =
	    yes_no_to_invitation(req->mail, req->srv->cfg.max_commands, req->arena);
	if (said.yes != said.no)
		return answer_it(req, said.yes, said.name, &invite, &row);
	request_understood(req);
	request_verdict(req, "not-understood", "neither yes nor no to an invitation");
	return tell_invited(req, &invite, invitation_write_question);
}
