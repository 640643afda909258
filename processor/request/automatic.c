/*
 * automatic.c - what is done with mail that no person wrote.
 */
#include "processor/request/automatic.h"

#include "processor/request/bounces.h"
#include "store/audit.h"
#include "store/players.h"

const char automatic_loop_reason[] = "one of our own mails came back";

/* Heard and answered like a person, or at least heard. */
static enum err sort_out_writer(struct request *req, bool *done)
{
	if (req->mail->from.len == 0) {
		request_verdict(req, "no-sender", "no usable From address");
		return ERR_NONE;
	}
	request_allow_answers(req, req->who.robot.class == ROBOT_PERSON);
	*done = false;
	return ERR_NONE;
}

enum err automatic_sort_out(struct request *req, bool *done)
{
	struct outbox_mail row;
	bool returned;

	request_allow_answers(req, false);
	*done = true;
	TRY(bounces_addressed(req, &row, &returned));
	if (returned)
		return bounces_take(req);
	switch (req->who.robot.class) {
	case ROBOT_PERSON:
	case ROBOT_DOUBTFUL:
	case ROBOT_BULK:
		return sort_out_writer(req, done);
	case ROBOT_LIST:
		if (!(req->mail->flags & MAIL_LIST_SENDER))
			return sort_out_writer(req, done);
		request_verdict(req, "bulk", "%s", req->who.robot.why);
		return ERR_NONE;
	case ROBOT_DELIVERED:
	case ROBOT_HARD:
	case ROBOT_SOFT:
	case ROBOT_UNCLEAR:
		return bounces_take(req);
	case ROBOT_AUTO_REPLY:
	case ROBOT_AUTO_SENT:
	case ROBOT_RECEIPT:
	case ROBOT_COMPLAINT:
	case ROBOT_CALENDAR:
	case ROBOT_LOOP:
		break;
	}
	request_verdict(req, "automatic", "%s; nothing was carried out", req->who.robot.why);
	return ERR_NONE;
}

void automatic_ask_for_proof(struct request *req, bool *done)
{
	enum robot_class c = req->who.robot.class;

	*done = (c == ROBOT_LIST || c == ROBOT_BULK) && !req->who.proven;
	if (*done)
		request_verdict(req, "bulk", "%s, and answers no mail of ours",
		                req->who.robot.why);
	request_allow_answers(req, req->answer.allowed || req->who.proven ||
	                               (c == ROBOT_DOUBTFUL && req->who.player.id != 0));
}

static enum err note_loop(struct server *srv, const struct incoming *in)
{
	struct inbox_mail row = incoming_row(srv, in);
	int64_t id;

	row.verdict = SPAN_LIT("loop");
	row.detail = span_of(automatic_loop_reason);
	TRY(inbox_next_id(srv->store, &row.id));
	return inbox_add(srv->store, &row, &id);
}

enum err automatic_stop_loop(struct server *srv, const struct incoming *in)
{
	bool kept;

	TRY(budget_allows(srv, BUDGET_LOOPS, SPAN_LIT("ourselves"), &kept));
	if (!kept)
		return note_loop(srv, in);
	TRY(audit_add(srv->store, 0, 0, "server", false, srv->now_utc,
	              "one of our own mails came back and was set aside"));
	return incoming_quarantine(srv, in, automatic_loop_reason);
}
