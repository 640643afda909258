/*
 * automatic.c - what is done with mail that no person wrote.
 */
#include "processor/request/automatic.h"

#include "processor/request/bounces.h"
#include "store/audit.h"
#include "store/players.h"

#include "processor/base/banned.h"

enum { DAY_S = 24 * 3600, LOOPS_KEPT = 10 };

const char robots_loop_reason[] = "one of our own mails came back";

/* Heard and answered like a person, or at least heard. */
static enum err sort_out_writer(struct dealing *d, bool *done)
{
	if (d->mail->from.len == 0) {
		dealing_verdict(d, "no-sender", "no usable From address");
		return ERR_NONE;
	}
	d->may_answer = d->robot.class == ROBOT_PERSON;
	*done = false;
	return ERR_NONE;
}

enum err robots_sort_out(struct dealing *d, bool *done)
{
	struct outbox_mail row;
	bool returned;

	robot_classify(d->mail, d->srv->cfg.instance, &d->robot);
	d->may_answer = false;
	*done = true;
	TRY(bounces_addressed(d, &row, &returned));
	if (returned)
		return bounces_take(d);
	switch (d->robot.class) {
	case ROBOT_PERSON:
	case ROBOT_DOUBTFUL:
	case ROBOT_BULK:
		return sort_out_writer(d, done);
	case ROBOT_LIST:
		if (!(d->mail->flags & MAIL_LIST_SENDER))
			return sort_out_writer(d, done);
		dealing_verdict(d, "bulk", "%s", d->robot.why);
		return ERR_NONE;
	case ROBOT_DELIVERED:
	case ROBOT_HARD:
	case ROBOT_SOFT:
	case ROBOT_UNCLEAR:
		return bounces_take(d);
	case ROBOT_AUTO_REPLY:
	case ROBOT_AUTO_SENT:
	case ROBOT_RECEIPT:
	case ROBOT_COMPLAINT:
	case ROBOT_CALENDAR:
	case ROBOT_LOOP:
		break;
	}
	dealing_verdict(d, "automatic", "%s; nothing was carried out", d->robot.why);
	return ERR_NONE;
}

void robots_ask_for_proof(struct dealing *d, bool *done)
{
	enum robot_class c = d->robot.class;

	*done = (c == ROBOT_LIST || c == ROBOT_BULK) && !d->proven;
	if (*done)
		dealing_verdict(d, "bulk", "%s, and answers no mail of ours", d->robot.why);
	d->may_answer = d->may_answer || d->proven ||
	                (c == ROBOT_DOUBTFUL && d->player.id != 0);
}

static enum err note_loop(struct server *srv, const struct incoming *in)
{
	struct inbox_mail row = incoming_row(srv, in);
	int64_t id;

	row.verdict = SPAN_LIT("loop");
	row.detail = span_of(robots_loop_reason);
	TRY(inbox_next_id(srv->store, &row.id));
	return inbox_add(srv->store, &row, &id);
}

enum err robots_stop_loop(struct server *srv, const struct incoming *in, bool *done)
{
	struct robot robot;
	bool kept;

	robot_classify(in->mail, srv->cfg.instance, &robot);
	*done = robot.class == ROBOT_LOOP;
	if (!*done)
		return ERR_NONE;
	TRY(stranger_allow(srv->store, SPAN_LIT("ourselves"), "loop", srv->now_utc - DAY_S,
	                   LOOPS_KEPT, srv->now_utc, &kept));
	if (!kept)
		return note_loop(srv, in);
	TRY(audit_add(srv->store, 0, 0, "server", false, srv->now_utc,
	              "one of our own mails came back and was set aside"));
	return intake_quarantine(srv, in, in->raw, robots_loop_reason);
}
