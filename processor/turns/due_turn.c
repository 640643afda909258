/*
 * due_turn.c - the orders of a turn that is due, and whether its time is over.
 */
#include "processor/turns/due_turn.h"

#include "processor/base/banned.h"

enum err play_load_orders(struct server *srv, struct play_item *item)
{
	struct hand *h = &item->hand;

	if (item->has_set)
		return ERR_NONE;
	TRY(order_set_load(srv, h, &item->set));
	if (h->turn.state != TURN_OPEN && !order_set_is_sealed(h, &item->set))
		return err_set(&srv->fail, ERR_CORRUPT,
		               "%s: the orders of serial %u are not those that were sealed",
		               h->id, h->turn.serial);
	item->has_set = true;
	return ERR_NONE;
}

bool turn_has_ended(const struct hand *h, int64_t arrived_utc)
{
	const struct turn *t = &h->turn;

	return hand_came_after(h, arrived_utc,
	                       t->grace_utc > t->deadline_utc ? t->grace_utc : t->deadline_utc);
}
