/*
 * automatic.c - what is done with mail that no person wrote, and with mail of ours that came back.
 */
#include "processor/request/automatic.h"

#include <ctype.h>
#include <string.h>

#include "processor/base/utf8.h"
#include "processor/outgoing/invitation.h"
#include "processor/outgoing/unreachable.h"
#include "processor/request/answered_mails.h"
#include "processor/server/reply_address.h"
#include "store/audit.h"
#include "store/players.h"

/* ---- the address mail is sent from ---- */

/* Whether the mail in hand came to such an address, its MAC checked, and of which mail. */
static enum err bounces_addressed(struct request *req, struct outbox_mail *row, bool *found)
{
	*found = false;
	for (size_t i = 0; i < req->mail->recipients.count && !*found; i++) {
		const struct recipient *to = &req->recipients[i];

		if (to->kind != RECIPIENT_BOUNCE)
			continue;
		enum err rc = outbox_by_id(req->srv->store, to->bounce.outbox, req->arena, row);
		*found = rc == ERR_NONE && address_check_bounce(req->srv, &to->bounce, row);
		TRY(rc == ERR_NOT_FOUND ? ERR_NONE : rc);
	}
	return ERR_NONE;
}

/* ---- which mail came back ---- */

static enum err tell_found(struct request *req, const struct unreachable_until_now *was)
{
	const char *since =
	    zone_human(zone_of_reader(req->srv, &req->who.player), was->since_utc, req->arena);

	if (was->silent)
		return request_notice(
		    req, NULL, NULL, "good to hear from you", "resend",
		    "Nothing was sent to you since %s, for we had heard nothing "
		    "from you for long. Now that you have written, all that has "
		    "waited follows. To get the last report again, send:",
		    since);
	if (utf8_eq_folded(was->address, req->mail->from))
		return request_notice(
		    req, NULL, NULL, "mail to you came back", "resend",
		    "Since %s mail to this address came back to us, so nothing "
		    "was sent any more. Now that you have written, all that "
		    "has waited follows. Look whether your mailbox is full or "
		    "refuses mail. To get the last report again, send:",
		    since);
	return request_notice(
	    req, NULL, NULL, "mail to you came back", "resend",
	    "Since %s mail to %.*s came back to us, so nothing was sent any more. Now "
	    "that you have written from here, it is sent to this address, and all that "
	    "has waited follows. To get the last report again, send:",
	    since, SPAN_ARGS(was->address));
}

enum err bounces_forgive(struct request *req)
{
	struct unreachable_until_now was;

	if (req->who.player.id == 0 || !req->who.player.bounced)
		return ERR_NONE;
	TRY(unreachable_end(req->srv, req->who.player.id, req->mail->from, req->arena, &was));
	return was.since_utc == 0 ? ERR_NONE : tell_found(req, &was);
}

/* ---- taking a report ---- */

static struct span what_was_said(struct request *req)
{
	const struct mail_report *r = &req->mail->report;

	if (r->diagnostic.len > 0) {
		struct strbuf text = STRBUF_INIT;

		strbuf_add_span(&text, r->diagnostic);
		address_redact(req->srv, &text);
		return arena_take(req->arena, &text);
	}
	if (req->who.robot.status.len > 0)
		return span_of(
		    arena_printf(req->arena, "status %.*s", SPAN_ARGS(req->who.robot.status)));
	return span_of("no reason was given");
}

static enum err count(struct request *req, const struct outbox_mail *row,
                      const struct robot *robot)
{
	struct unreached_outcome o;
	struct unreached u = {
	    .mail = row,
	    .key = arena_printf(req->arena, "inbox %lld", (long long)req->inbox_id),
	    .report = req->inbox_id,
	    .points = robot->class == ROBOT_HARD ? 2 : 1,
	    .address_is_dead = robot->address_is_dead,
	    .may_yet_arrive = span_eq_str(req->mail->report.action, "delayed"),
	    .said = what_was_said(req),
	};

	TRY(unreachable_count(req->srv, &u, req->arena, &o));
	request_verdict(
	    req, "bounce",
	    o.known      ? "%s (mail %lld to player %lld: %.*s); its address has %u of %d "
			   "points and was given up before"
	    : o.given_up ? "%s (mail %lld to player %lld: %.*s); its address has %u of %d "
			   "points and is given up"
			 : "%s (mail %lld to player %lld: %.*s); its address has %u of %d "
			   "points",
	    robot->why, (long long)row->id, (long long)row->player, SPAN_ARGS(u.said), o.score,
	    (int)UNREACHABLE_SCORE);
	return ERR_NONE;
}

/* Not a bounce by its class, but sent to where only bounces belong: counts unless it shows life. */
static bool shows_life(const struct request *req, const struct outbox_mail *row)
{
	if (robot_is_bounce(req->who.robot.class))
		return false;
	return req->who.robot.class != ROBOT_PERSON ||
	       utf8_eq_folded(req->mail->from, row->rcpt);
}

/*
 * Deals with the mail in hand, a bounce by its class or by its recipient: counts it, and does what
 * follows. Never answers.
 */
static enum err bounces_take(struct request *req)
{
	struct outbox_mail row;
	const struct span *ids;
	size_t n = answered_ids(req, &ids);
	bool found;

	TRY(bounces_addressed(req, &row, &found));
	if (!found)
		TRY(mail_of_ours(req, robot_returned_id(req->mail), &row, &found));
	for (size_t i = 0; i < n && !found; i++)
		TRY(mail_of_ours(req, ids[i], &row, &found));
	if (!found) {
		request_verdict(req, "bounce",
		                "a delivery report about no mail of ours; nothing "
		                "was carried out");
		return ERR_NONE;
	}
	request_note_game(req, row.game);
	request_note_seat(req, row.seat);
	request_note_serial(req, row.serial);
	if (shows_life(req, &row)) {
		request_verdict(req, "automatic",
		                "%s; it came to the address for returned mail, where nothing "
		                "is carried out",
		                req->who.robot.why);
		return ERR_NONE;
	}
	TRY(invitation_came_back(req->srv, &row, req->arena));
	if (row.player == 0 || row.rcpt.len == 0) {
		request_verdict(req, "bounce", "%s, a mail to a stranger", req->who.robot.why);
		return ERR_NONE;
	}
	struct robot robot = req->who.robot;
	if (!robot_is_bounce(robot.class)) {
		robot.class = ROBOT_UNCLEAR;
		robot.why = "something came to the address for returned mail";
	}
	return count(req, &row, &robot);
}

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

enum err automatic_stop_loop(struct server *srv, const struct incoming *in)
{
	bool kept;

	TRY(budget_allows(srv, BUDGET_LOOPS, SPAN_LIT("ourselves"), &kept));
	if (!kept) {
		struct inbox_mail row = incoming_row(srv, in);
		int64_t id;

		row.verdict = SPAN_LIT("loop");
		row.detail = span_of(automatic_loop_reason);
		TRY(inbox_next_id(srv->store, &row.id));
		return inbox_add(srv->store, &row, &id);
	}
	TRY(audit_add(srv->store, 0, 0, "server", false, srv->now_utc,
	              "one of our own mails came back and was set aside"));
	return incoming_quarantine(srv, in, automatic_loop_reason);
}
