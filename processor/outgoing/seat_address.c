/*
 * seat_address.c - a new reply address for a seat.
 */
#include "processor/outgoing/seat_address.h"

#include "store/addresses.h"

enum err seat_renew_token(struct server *srv, struct seat *seat)
{
	seat->token_generation++;
	return reply_revoke(srv->store, seat->game, seat->seat);
}

const char *seat_reply_address_sentence(const struct server *srv, const struct match *match)
{
	return arena_printf(
	    match->arena,
	    srv->cfg.plus_address
		? "From now on your reply address for %s is the one this mail comes with: just "
		  "reply to this mail or any later one. Replies to older mails are no longer "
		  "accepted."
		: "From now on only replies to this mail or to a later one about %s are taken "
		  "as yours. Replies to older mails are no longer accepted.",
	    match->id);
}
