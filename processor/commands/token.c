/*
 * token.c - TOKEN NEW, and whatever else makes a new reply address for a seat.
 */
#include "processor/commands/commands.h"
#include "processor/commands/mail.h"
#include "processor/outgoing/digest.h"
#include "processor/outgoing/seat_address.h"
#include "processor/request/which_game.h"
#include "store/addresses.h"

enum err seat_new_reply_address(struct request *req, struct match *match, struct seat *seat,
                                const char *subject, const char *lead)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	struct report_game game = report_values_game(req->srv, match, seat, &req->who.player);
	const char *text = arena_printf(req->arena, "%s%s", lead,
	                                seat_reply_address_sentence(req->srv, match));
	enum valve valve;

	TRY(request_may_send(req, match, seat, "token", NULL, &valve));
	if (!request_can_answer(req) || valve == VALVE_SHUT) {
		request_verdict(req, "refused", "no new reply address: no mail could bring it");
		return ERR_NONE;
	}
	TRY(seat_renew_token(req->srv, seat));
	report_notice(&(struct report_notice){.game = &game,
	                                      .subject = subject,
	                                      .paragraphs = (const char *const[]){text},
	                                      .nparagraphs = 1},
	              &out);
	enum err rc = request_answer(req, match, seat, "token", &out);
	report_out_release(&out);
	TRY(rc);
	return seat_update(req->srv->store, seat);
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
