/*
 * token.c - TOKEN NEW, and whatever else makes a new reply address: for a seat, or for digests.
 */
#include "processor/commands/commands.h"
#include "processor/outgoing/digest.h"
#include "processor/request/which_game.h"
#include "processor/server/reply_address.h"
#include "store/addresses.h"

enum err seat_new_reply_address(struct request *req, struct match *match, struct seat *seat,
                                const char *subject, const char *lead)
{
	const char *text =
	    arena_printf(req->arena, "%s%s", lead,
	                 seat_reply_address_sentence(req->srv, match->id, match->arena));
	enum valve valve;

	TRY(request_may_send(req, match, seat, "token", NULL, &valve));
	if (!request_can_answer(req) || valve == VALVE_SHUT) {
		request_verdict(req, "refused", "no new reply address: no mail could bring it");
		return ERR_NONE;
	}
	TRY(seat_renew_token(req->srv, seat));
	TRY(request_answer_notice(
	    req, match, seat, "token",
	    &(struct report_notice){.subject = subject, .paragraphs = TEXTS(text)}));
	return seat_update(req->srv->store, seat);
}

bool digest_is_meant(const struct request *req, const struct command *item)
{
	return req->about.digest != 0 && req->about.game == 0 && item->game == 0;
}

enum err digest_new_token(struct request *req, const char *lead)
{
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
	return request_answer_notice(
	    req, NULL, NULL, "token",
	    &(struct report_notice){
		.subject = codes ? "your new reply address for digests"
	                         : "older digests are no longer answered",
		.paragraphs = TEXTS(arena_printf(
		    req->arena,
		    "%sFrom now on answers to the digests you have had so far are no longer "
		    "taken as yours. %s",
		    lead,
		    codes ? "The next digest comes with a new reply address, and this "
			    "mail has it already. The reply addresses of your games "
			    "stay as they are."
			  : "Answers to the next one are, and so are answers to mails "
			    "about a single game."))});
}

static enum err new_token(struct request *req, const struct command *item, struct match *match,
                          struct seat *seat)
{
	(void)item;
	if (!seat)
		return request_notice(req, match, NULL, "you have no seat there", "list",
		                      "A new reply address is made for a seat of yours, and "
		                      "you have none in %s. To see your games, send:",
		                      match->id);
	request_verdict(req, "command", "a new reply address for %s seat %u", match->id,
	                seat->seat);
	return seat_new_reply_address(req, match, seat, "your new reply address", "");
}

enum err do_token(struct request *req, const struct command *item)
{
	if (digest_is_meant(req, item))
		return digest_new_token(req, "");
	return request_with_game(req, item, new_token);
}
