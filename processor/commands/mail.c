/*
 * mail.c - SET MAIL, and TOKEN NEW in an answer to a digest.
 */
#include <stdio.h>

#include "processor/commands/commands.h"
#include "processor/commands/mail.h"
#include "processor/outgoing/digest.h"
#include "processor/request/identify.h"
#include "processor/server/reply_address.h"
#include "processor/server/zones.h"
#include "store/digests.h"

enum { HOUR_MIN = 60 };

/* ---- SET MAIL ---- */

static const char *how_it_is_set(struct request *req)
{
	switch (req->who.player.mail_mode) {
	case MAIL_ROUND:
		return "You get one mail for each turn of a game: its report. Receipts for "
		       "orders that were taken, messages of other players and news of them "
		       "wait for it and are in it. At once come reminders, questions, what a "
		       "vote or a master changes, what you ask for, and everything that was "
		       "not carried out: when you hear nothing, your orders are stored.";
	case MAIL_DIGEST:
		return arena_printf(
		    req->arena,
		    "You get one mail a day for all your games, a digest, whenever there is "
		    "something new. %s Receipts for orders that were taken are part of the "
		    "next one. At once come questions, what a vote or a master changes, what "
		    "you ask for, and everything that was not carried out: when you hear "
		    "nothing, your orders are stored.",
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

/* What waits does so no longer than they want it to. */
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

	changed.mail_mode = (enum mail_mode)(item->number - SET_MAIL_ALL);
	if (item->to)
		changed.digest_min = (int)item->from;
	identify_player(req, &changed);
	TRY(player_set_mail(req->srv->store, p->id, p->mail_mode, p->digest_min));
	TRY(settle_what_waits(req, &waiting));
	request_verdict(req, "command", "mail: %s", subjects[p->mail_mode]);
	return request_notice(req, NULL, NULL, subjects[p->mail_mode], other_setting(p),
	                      "%s%s To choose another way, for example:", how_it_is_set(req),
	                      waiting > 0 && p->mail_mode == MAIL_ALL
	                          ? " What has waited so far comes in a last digest."
	                          : "");
}

enum err do_mail(struct request *req, const struct command *item)
{
	request_understood(req);
	if (req->who.player.id == 0)
		return request_notice(req, NULL, NULL, "for players only", "list",
		                      "Only players can say how their mail is to come. To see "
		                      "the games you can join, send:");
	if (item->number == SET_MAIL_HTML || item->number == SET_MAIL_PLAIN)
		return do_form(req, item);
	if (item->number > 0)
		return change_mode(req, item);
	return request_notice(req, NULL, NULL, "how your mail comes",
	                      other_setting(&req->who.player),
	                      "%s To choose another way, for example:", how_it_is_set(req));
}

/* ---- in answers to a digest ---- */

bool digest_is_meant(const struct request *req, const struct command *item)
{
	return req->about.digest != 0 && req->about.game == 0 && item->game == 0;
}

enum err digest_new_token(struct request *req, const char *lead)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);
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
