/*
 * token.c - TOKEN NEW, and whatever else makes a new reply address for a seat.
 */
#include "processor/commands/commands.h"
#include "processor/commands/mail.h"
#include "processor/outgoing/digest.h"
#include "processor/outgoing/seat_address.h"
#include "processor/request/which_game.h"
#include "store/addresses.h"

#include "processor/base/banned.h"

enum err seat_new_reply_address(struct dealing *d, struct hand *h, struct seat *seat,
                                const char *subject, const char *lead)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct report_game game = brief_game(d->srv, h, seat, &d->player);
	const char *text =
	    arena_printf(d->arena, "%s%s", lead, seat_reply_address_sentence(d->srv, h));
	enum valve valve;

	TRY(dealing_may_send(d, h, seat, "token", NULL, &valve));
	if (!dealing_can_answer(d) || valve == VALVE_SHUT) {
		dealing_verdict(d, "refused", "no new reply address: no mail could bring it");
		return ERR_NONE;
	}
	TRY(seat_renew_token(d->srv, seat));
	report_notice(&(struct report_notice){.game = &game,
	                                      .subject = subject,
	                                      .paragraphs = (const char *const[]){text},
	                                      .nparagraphs = 1},
	              &out);
	enum err rc = dealing_answer(d, h, seat, "token", &out);
	letter_out_release(&out);
	TRY(rc);
	return seat_update(d->srv->store, seat);
}

static enum err new_token(struct dealing *d, const struct letter_item *item, struct hand *h,
                          struct seat *seat)
{
	(void)item;
	if (!seat)
		return dealing_notice(d, h, NULL, "you have no seat there", "list",
		                      "A new reply address is made for a seat of yours, and "
		                      "you have none in %s. Your games are shown by:",
		                      h->id);
	dealing_verdict(d, "command", "a new reply address for %s seat %u", h->id, seat->seat);
	return seat_new_reply_address(d, h, seat, "your new reply address", "");
}

enum err do_token(struct dealing *d, const struct letter_item *item)
{
	if (bundle_is_meant(d, item))
		return bundle_new_token(d, "");
	return dealing_with_game(d, item, new_token);
}
