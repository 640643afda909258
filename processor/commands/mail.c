/*
 * mail.c - SET MAIL, and what belongs to digests: RESEND and TOKEN NEW in answers to one.
 */
#include <stdio.h>

#include "mail/compose.h"
#include "processor/commands/commands.h"
#include "processor/commands/mail.h"
#include "processor/outgoing/digest.h"
#include "processor/request/identify.h"
#include "processor/server/reply_address.h"
#include "processor/server/zones.h"
#include "store/digest_queue.h"
#include "store/digests.h"

#include "processor/base/banned.h"

enum { HOUR_MIN = 60 };

/* ---- SET MAIL ---- */

static const char *how_it_is_set(struct request *req)
{
	switch (req->who.player.mail_mode) {
	case MAIL_ROUND:
		return "You get one mail for each turn of a game: its report. Receipts for "
		       "orders "
		       "that were taken, messages of other players and news of them wait for "
		       "it "
		       "and stand in it. At once come reminders, questions, what a vote or a "
		       "master changes, what you ask for, and everything that was not carried "
		       "out: when you hear nothing, your orders are stored.";
	case MAIL_DIGEST:
		return arena_printf(
		    req->arena,
		    "You get one mail a day for all your games, a digest, whenever there is "
		    "something new. %s Receipts for orders that were taken stand in the next "
		    "one. At once come questions, what a vote or a master changes, what you "
		    "ask for, and everything that was not carried out: when you hear nothing, "
		    "your orders are stored.",
		    digest_rhythm(req->srv, &req->who.player, req->arena));
	case MAIL_ALL:
		break;
	}
	return "You get every mail at once: receipts, reports, messages, reminders.";
}

static const char *other_setting(const struct player *p)
{
	return p->mail_mode == MAIL_ALL ? "set mail digest" : "set mail all";
}

/* What waits does so no longer than he wants it to. */
static enum err settle_what_waits(struct request *req, unsigned *waiting)
{
	int64_t due = req->srv->now_utc;

	if (req->who.player.mail_mode == MAIL_ROUND)
		due += DIGEST_LONGEST_S;
	else if (req->who.player.mail_mode == MAIL_DIGEST)
		due = digest_policy_next(req->srv, &req->who.player);
	return digest_queue_hurry(req->srv->store, req->who.player.id, due, waiting);
}

static enum err change_mode(struct request *req, const struct command *item)
{
	static const char *const subjects[] = {[MAIL_ALL] = "each mail comes at once",
	                                       [MAIL_ROUND] = "one mail for each turn",
	                                       [MAIL_DIGEST] = "one mail a day"};
	const struct player *p = &req->who.player;
	struct player changed = *p;
	unsigned waiting;

	changed.mail_mode = (enum mail_mode)(item->number - 1);
	if (item->to)
		changed.digest_min = (int)item->from;
	identify_player(req, &changed);
	TRY(player_set_mail(req->srv->store, p->id, p->mail_mode, p->digest_min));
	TRY(settle_what_waits(req, &waiting));
	request_verdict(req, "command", "mail: %s", subjects[p->mail_mode]);
	return request_notice(
	    req, NULL, NULL, subjects[p->mail_mode], other_setting(p),
	    "%s%s Another way is chosen with a line such as:", how_it_is_set(req),
	    waiting > 0 && p->mail_mode == MAIL_ALL
		? " What has waited so far comes in a last digest."
		: "");
}

enum err do_mail(struct request *req, const struct command *item)
{
	request_understood(req);
	if (req->who.player.id == 0)
		return request_notice(req, NULL, NULL, "for players only", "list",
		                      "Only players can say how their mail is to come. The "
		                      "games you can join are shown by:");
	if (item->number > 0)
		return change_mode(req, item);
	return request_notice(
	    req, NULL, NULL, "how your mail comes", other_setting(&req->who.player),
	    "%s Another way is chosen with a line such as:", how_it_is_set(req));
}

/* ---- in answers to a digest ---- */

bool digest_is_meant(const struct request *req, const struct command *item)
{
	return req->about.digest != 0 && req->about.game == 0 && item->game == 0;
}

enum err digest_new_token(struct request *req, const char *lead)
{
	struct report_out out = REPORT_OUT_INIT;
	bool codes = req->srv->cfg.plus_address;
	enum valve valve;

	request_understood(req);
	TRY(request_may_send(req, NULL, NULL, "token", NULL, &valve));
	if (!request_can_answer(req) || valve == VALVE_SHUT) {
		request_verdict(req, "refused", "no new reply address: no mail could bring it");
		return ERR_NONE;
	}
	TRY(player_next_token(req->srv->store, req->who.player.id));
	req->who.player.token_generation++;
	request_verdict(req, "command", "a new reply address for digests");
	report_notice(
	    &(struct report_notice){
		.subject = codes ? "your new reply address for digests"
	                         : "older digests are no longer answered",
		.paragraphs = (const char *const[]){arena_printf(
		    req->arena,
		    "%sFrom now on answers to the digests you have had so far are no longer "
		    "taken as yours. %s",
		    lead,
		    codes ? "The next digest comes with a new reply address, and this "
			    "mail has it already. The reply addresses of your games "
			    "stay as they are."
			  : "Answers to the next one are, and so are answers to mails "
			    "about a single game.")},
		.nparagraphs = 1,
	    },
	    &out);
	enum err rc = request_answer(req, NULL, NULL, "token", &out);
	report_out_release(&out);
	return rc;
}

/* The text of the newest digest, or of the one with this number, under a new Message-ID. */
static enum err repeat(struct request *req, unsigned number, const struct outbox_mail *old)
{
	struct report_out out = REPORT_OUT_INIT;
	struct strbuf reply = STRBUF_INIT;
	enum err rc = ERR_NONE;

	strbuf_addf(&out.subject, "[digest %u] once more", number);
	if (!mail_read_back(old->message, &out.body))
		rc = err_set(&req->srv->fail, ERR_CORRUPT, "outbox row %lld does not read back",
		             (long long)old->id);
	if (req->srv->cfg.plus_address)
		address_add_digest(req->srv, &req->who.player, number, &reply);
	struct outgoing outgoing = {
	    .kind = "resend",
	    .key = request_next_key(req),
	    .player = req->who.player.id,
	    .address = req->who.player.address,
	    .ascii = req->who.player.ascii,
	    .report = &out,
	    .cause = req->inbox_id,
	    .in_reply_to = req->mail->message_id,
	    .reply_to = reply.len > 0 ? reply.ptr : NULL,
	    .replied = true,
	    .resend = true,
	};
	enum valve valve = VALVE_SHUT;
	if (rc == ERR_NONE && req->answer.allowed)
		rc = request_may_send(req, NULL, NULL, outgoing.kind, &out, &valve);
	outgoing.postscript = request_last_words(valve);
	if (rc == ERR_NONE && valve != VALVE_SHUT)
		rc = outgoing_add(req->srv, &outgoing, req->arena);
	report_out_release(&out);
	strbuf_release(&reply);
	return rc;
}

enum err digest_resend(struct request *req, const struct command *item)
{
	struct digest b;
	struct outbox_mail old;
	unsigned last;

	request_understood(req);
	TRY(digest_last(req->srv->store, req->who.player.id, &last));
	unsigned number = item->number != 0 ? item->number : last;
	enum err rc = digest_by_number(req->srv->store, req->who.player.id, number, &b);
	if (rc == ERR_NOT_FOUND)
		return request_notice(
		    req, NULL, NULL, "no such digest", "resend",
		    "The last digest you were sent has number %u; there is no "
		    "number %u. A mail about a game comes again when its number is "
		    "followed by that of the game. The last digest comes again "
		    "with:",
		    last, number);
	TRY(rc);
	TRY(outbox_message(req->srv->store, b.outbox, req->arena, &old));
	return repeat(req, number, &old);
}
