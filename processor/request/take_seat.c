/*
 * take_seat.c - somebody sits down where another has sat.
 */
#include "processor/request/take_seat.h"

#include "processor/outgoing/unreachable.h"
#include "store/bounces.h"
#include "store/orders.h"
#include "store/press.h"

/* Orders of the open turn that whoever sat there has given, and this player has not. */
static bool left_orders(const struct request *req, const struct match *match,
                        const struct seat *seat)
{
	return match->has_turn && match->turn.state == TURN_OPEN &&
	       seat->former != req->who.player.id && seat->bot_level < 0 &&
	       seat_in((struct seat_set){match->turn.have}, seat->seat);
}

bool seat_is_fixed(const struct request *req, const struct match *match,
                   const struct seat *seat)
{
	return left_orders(req, match, seat) &&
	       match_came_after(match, req->sure_utc, match->turn.deadline_utc);
}

static enum err withdraw_orders(struct request *req, struct match *match,
                                const struct seat *seat)
{
	struct turn *t = &match->turn;
	struct order_revision last;
	struct hash contribution;

	TRY(request_contribution(req, match, seat->seat, &contribution));
	TRY(orders_last(req->srv->store, t->game, t->serial, seat->seat, req->arena, &last));
	TRY(orders_append(req->srv->store,
	                  &(struct order_revision){.game = t->game,
	                                           .serial = t->serial,
	                                           .seat = seat->seat,
	                                           .revision = last.revision + 1,
	                                           .origin = ORDER_SENT,
	                                           .cleared = true,
	                                           .received_utc = req->sure_utc,
	                                           .mail = req->inbox_id,
	                                           .contribution = contribution}));
	t->have = seat_without((struct seat_set){t->have}, seat->seat).bits;
	return ERR_NONE;
}

enum err seat_fill(struct request *req, struct match *match, struct seat *seat, bool *withdrawn)
{
	struct server *srv = req->srv;

	*withdrawn = left_orders(req, match, seat);
	if (*withdrawn)
		TRY(withdraw_orders(req, match, seat));
	if (seat->former != req->who.player.id)
		TRY(press_leave(srv->store, seat->game, seat->seat, srv->now_utc));
	TRY(unreachable_set(srv->store, seat->game, seat->seat,
	                    &(struct unreachable_seat){0})); /* that was another person */
	seat->player = req->who.player.id;
	seat->bot_level = -1;
	seat->is_operator = config_shows_operator(&srv->cfg, req->who.player.address);
	seat->vacated_utc = 0;
	seat->missed = seat->missed_all = seat->excused_all = seat->late_all = 0;
	return ERR_NONE;
}
