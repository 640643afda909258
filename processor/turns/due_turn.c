/*
 * due_turn.c - the orders of a turn that is due, and whether its time is over.
 */
#include "processor/turns/due_turn.h"

void due_turn_ask_ahead(struct server *srv, const struct due_turn *item, struct arena *arena)
{
	struct order_revision *orders;
	size_t n;

	if (!item->match.rules)
		match_ask_ahead(srv, item->id.game, item->id.serial, false, arena);
	if (!item->has_set)
		store_only_asked(orders_list(srv->store, item->id.game, item->id.serial, arena,
		                             &orders, &n));
}

enum err due_turn_load_orders(struct server *srv, struct due_turn *item)
{
	struct match *match = &item->match;
	bool whole;

	if (item->has_set)
		return ERR_NONE;
	TRY(order_set_load(srv, match, &item->set));
	TRY(order_set_is_whole(srv, match, &item->set, &whole));
	if (!whole)
		return err_set(
		    &srv->fail, ERR_CORRUPT,
		    "%s: the orders of %.*s are not all those that were stored, so it "
		    "is not played; the database is damaged (molepost fsck)",
		    match->id, SPAN_ARGS(match->turn.label));
	if (match->turn.state != TURN_OPEN && !order_set_is_sealed(match, &item->set))
		return err_set(&srv->fail, ERR_CORRUPT,
		               "%s: the orders of serial %u are not those that were sealed",
		               match->id, match->turn.serial);
	item->has_set = true;
	return ERR_NONE;
}

bool turn_has_ended(const struct match *match, int64_t arrived_utc)
{
	const struct turn *t = &match->turn;

	return match_came_after(match, arrived_utc,
	                        t->grace_utc > t->deadline_utc ? t->grace_utc
	                                                       : t->deadline_utc);
}
