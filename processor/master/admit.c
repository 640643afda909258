/*
 * admit.c - ALLOW and DENY: whom the master lets into a game that has a free or a vacant seat.
 *
 * Kept by mail address, as a digest, and of a player for all addresses they have. Nobody loses a seat by it,
 * and nobody is told before they want to come in.
 */
#include "processor/master/master.h"

#include <string.h>

#include "processor/turns/missed_turns.h"
#include "store/addresses.h"
#include "store/invites.h"

static enum err set_for_player(struct master_request *m, const struct player *p, bool allowed)
{
	struct request *req = m->req;
	struct span *others;
	size_t n;

	if (!allowed)
		TRY(missed_turns_stop_watching(req->srv, m->match->game.id, p->id));
	TRY(entry_set(req->srv->store, m->match->game.id, p->address, p->id, allowed));
	TRY(address_list(req->srv->store, p->id, req->arena, &others, &n));
	for (size_t i = 0; i < n; i++)
		TRY(entry_set(req->srv->store, m->match->game.id, others[i], p->id, allowed));
	return ERR_NONE;
}

static enum err set_for_address(struct master_request *m, struct span address, bool allowed)
{
	struct request *req = m->req;
	struct player p;
	enum err rc = player_by_address(req->srv->store, address, req->arena, &p);

	if (rc == ERR_NONE)
		return set_for_player(m, &p, allowed);
	if (rc != ERR_NOT_FOUND)
		return rc;
	return entry_set(req->srv->store, m->match->game.id, address, 0, allowed);
}

static enum err tell(struct master_request *m, const char *who, bool sits, bool deny)
{
	struct request *req = m->req;
	const char *id = m->match->id;

	request_verdict(req, "master", "%s: %s", id, deny ? "somebody is kept out" : "let in");
	if (!deny)
		return request_notice(
		    req, m->match, m->seat, "they may come in", "",
		    "Whoever writes from %s may take a free seat of %s, without its key and "
		    "however reliable they are. They have not been told; INVITE and a mail "
		    "address "
		    "asks somebody in.",
		    who, id);
	if (sits)
		return request_notice(
		    req, m->match, m->seat, "they stay out",
		    arena_printf(req->arena, "eject %s", who),
		    "%s keeps the seat in %s. Once without it, they get no seat of that game "
		    "and cannot watch it. To take the seat away, send:",
		    who, id);
	return request_notice(req, m->match, m->seat, "they stay out",
	                      arena_printf(req->arena, "allow %s", who),
	                      "Whoever writes from %s gets no seat of %s from now on and "
	                      "cannot watch it. They have "
	                      "not been told. To take that back, send:",
	                      who, id);
}

enum err master_admit(struct master_request *m)
{
	struct request *req = m->req;
	bool deny = m->item->verb == CMD_DENY;
	struct seat *seat = NULL;
	struct player p;

	if (span_find_char(m->item->name, '@') < m->item->name.len) {
		TRY(set_for_address(m, m->item->name, !deny));
		TRY(master_log(m, 0, deny ? "keeps somebody out" : "lets somebody in"));
		return tell(m, arena_cstr(req->arena, m->item->name), false, deny);
	}
	TRY(seat_named(req, m->match, m->seat, m->item, &seat));
	if (!seat)
		return ERR_NONE;
	int64_t player = seat->player != 0 ? seat->player : seat->former;
	const char *name = m->match->names.names[seat->seat];
	if (player == 0)
		return master_refuse(
		    m, "",
		    "Nobody is known to sit on seat %u, or to have sat there, so "
		    "nothing was done. Write the mail address of who is meant "
		    "instead.",
		    seat->seat);
	if (player == req->who.player.id || player == m->match->game.master)
		return master_refuse(
		    m, "status",
		    "%s is a master of the game and cannot be let in or kept out, "
		    "so nothing was done. To see who sits where, send:",
		    name);
	TRY(player_get(req->srv->store, player, req->arena, &p));
	TRY(set_for_player(m, &p, !deny));
	TRY(master_log(m, 0, deny ? "keeps %s out" : "lets %s in", name));
	return tell(m, name, seat->player != 0 && !seat->resigned, deny);
}
