/*
 * seats.c - the commands of masters about who plays, and on what: EJECT, REPLACE, BECOME, PROMOTE,
 * DEMOTE, ROLLBACK, TERMINATE.
 */
#include <stdio.h>

#include "processor/master/master.h"
#include "processor/match/match_clock.h"
#include "processor/match/match_record.h"
#include "processor/match/substitute_orders.h"
#include "processor/match/votes.h"
#include "processor/request/master.h"
#include "processor/request/seats.h"
#include "processor/server/reply_address.h"
#include "processor/turns/abort_turn.h"
#include "processor/turns/missed_turns.h"
#include "store/press.h"

/* ---- putting somebody out ---- */

static const char *why_not_eject(struct master_request *m, const struct seat *seat)
{
	if (seat->bot_level >= 0)
		return "The server plays that seat; nobody can be removed from it.";
	if (seat->player == 0)
		return "Nobody sits on that seat at present.";
	if (seat->resigned)
		return "Whoever sat on that seat has left the game already.";
	if (seat->player == m->req->who.player.id)
		return "You cannot remove yourself; to leave the game write RESIGN.";
	if (seat->player == m->match->game.master && !m->agreed)
		return "That is the master of the game, who cannot be removed.";
	return NULL;
}

/* Asked for, agreed to, and everybody may be told: of the seat that is named. */
static enum err decide(struct master_request *m, const char *why_not, const char *line,
                       const char *effect, bool *go)
{
	*go = false;
	if (why_not)
		return master_refuse(
		    m, "status", "Nothing was done. %s To see who sits where, send:", why_not);
	TRY(master_with_others(
	    m,
	    &(struct decision){
		.line = line, .effect = effect, .seat = m->named->seat, .wants_yes = true},
	    go));
	return *go ? master_may_write(m, go) : ERR_NONE;
}

#define EJECTED                                                                             \
	"The master of %s has removed you from the game. Your seat is vacant; you get no "  \
	"more "                                                                             \
	"mail about it but this, and one if the master plays it. The public record of the " \
	"game says that it was done."
#define REPLACED                                                                         \
	"The server plays your seat in %s from now on, and you get no mail about it "    \
	"until it ends. As long as nobody else has the seat you can have it back: send " \
	"TAKEOVER %s."
#define EJECTED_BEFORE                                                                      \
	"The master of %s, which has not begun, has taken your seat away. You get no more " \
	"mail about it."

/*
 * Who was there hears it first, while the seat is still theirs. Before the start the seat goes to
 * whoever joins next; later its messages wait, for they may be the one who has it again.
 */
static enum err vacate(struct master_request *m, struct seat *seat)
{
	struct match *match = m->match;
	bool begun = match->game.status != GAME_GATHERING;
	bool replaced = m->item->verb == CMD_REPLACE;

	TRY(tell_one_player(
	    m->req, match, seat->player,
	    replaced ? "the server plays your seat" : "you were removed from the game",
	    replaced
		? arena_printf(m->req->arena, REPLACED, match->id, match->id)
		: arena_printf(m->req->arena, begun ? EJECTED : EJECTED_BEFORE, match->id)));
	seat->put_out = begun && !replaced;
	if (begun)
		TRY(missed_turns_note_gone(m->req->srv, match, seat));
	seat->former = begun ? seat->player : 0;
	seat->vacated_utc = begun ? m->req->srv->now_utc : 0;
	if (begun)
		TRY(missed_turns_stop_watching(m->req->srv, seat->game, seat->former));
	seat->player = 0;
	seat->missed = 0;
	seat->confirmed = begun;
	TRY(seat_renew_token(m->req->srv, seat));
	TRY(seat_update(m->req->srv->store, seat));
	return begun ? ERR_NONE
	             : press_leave(m->req->srv->store, match->game.id, seat->seat,
	                           m->req->srv->now_utc);
}

static enum err tell_of_vacancy(struct master_request *m, const struct seat *seat)
{
	struct arena *arena = m->req->arena;
	const char *name = m->match->names.names[seat->seat];
	bool begun = m->match->game.status != GAME_GATHERING;
	const char *now = arena_printf(
	    arena,
	    begun ? "Seat %u is vacant; until somebody plays it the default is used "
		    "when no orders are stored for it."
		  : "Seat %u is free for others.",
	    seat->seat);

	return tell_table(
	    m->req, m->match, m->seat,
	    &(struct table_news){
		.subject = begun ? "a seat is vacant" : "a seat is free",
		.done =
		    arena_printf(arena,
	                         "%s was removed from the game, and everybody has been told. "
	                         "%s",
	                         name, now),
		.heard = arena_printf(arena, "The game master has removed %s from the game. %s",
	                              name, now),
		.clock = begun,
	    });
}

enum err master_eject(struct master_request *m)
{
	struct request *req = m->req;
	struct match *match = m->match;
	struct seat *seat = m->named;
	const char *name = match->names.names[seat->seat];
	bool go;

	TRY(decide(m, why_not_eject(m, seat), arena_printf(req->arena, "eject %u", seat->seat),
	           arena_printf(req->arena,
	                        match->game.status == GAME_GATHERING
	                            ? "That takes the seat of %s away; it is free for others "
	                              "then."
	                            : "That removes %s from the game, and the seat is free "
	                              "then.",
	                        name),
	           &go));
	if (!go)
		return ERR_NONE;
	TRY(vacate(m, seat));
	TRY(master_log(m, seat->seat, "removed %s from the game (seat %u)", name, seat->seat));
	request_verdict(req, "master", "%s: seat %u is vacant", match->id, seat->seat);
	unsigned gone = seat->seat;
	TRY(tell_of_vacancy(m, seat));
	return votes_without(req, match, m->seat, gone);
}

/* ---- a bot in a seat ---- */

/* With orders for the open turn, also in the place of those that another has left there. */
static enum err order_as_bot(struct master_request *m, struct seat *seat)
{
	struct server *srv = m->req->srv;
	struct match *match = m->match;
	struct strbuf text = STRBUF_INIT, drawn = STRBUF_INIT;
	struct order_revision last = {0};

	seat->bot_level = BOT_LEVEL_USUAL;
	TRY(seat_update(srv->store, seat));
	if (!seat_in((struct seat_set){match->turn.owes}, seat->seat))
		return ERR_NONE;
	enum err rc = orders_last(srv->store, match->game.id, match->turn.serial, seat->seat,
	                          m->req->arena, &last);
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	TRY(match_secret(srv, match));
	TRY(match_position(srv, match));
	substitute_bot(match, match->state, match->turn.serial, seat->seat, BOT_LEVEL_USUAL,
	               &text, &drawn);
	rc =
	    orders_append(srv->store, &(struct order_revision){.game = match->game.id,
	                                                       .serial = match->turn.serial,
	                                                       .seat = seat->seat,
	                                                       .revision = last.revision + 1,
	                                                       .origin = ORDER_BOT,
	                                                       .received_utc = m->req->sure_utc,
	                                                       .canonical = strbuf_span(&text),
	                                                       .drawn = strbuf_span(&drawn)});
	strbuf_release(&text);
	strbuf_release(&drawn);
	TRY(rc);
	match->turn.have = seat_with((struct seat_set){match->turn.have}, seat->seat).bits;
	return turn_set_waiting(srv->store, match->game.id, match->turn.serial, seat->seat,
	                        false);
}

/* Players decide on nobody who plays; the master on whom they like. */
static const char *why_not_replace(struct master_request *m, const struct seat *seat)
{
	const struct turn *t = &m->match->turn;
	bool sent = seat_in((struct seat_set){t->have | t->covered}, seat->seat);
	bool late = seat_in((struct seat_set){t->owes}, seat->seat) && t->deadline_utc != 0 &&
	            match_came_after(m->match, m->req->sure_utc, t->deadline_utc);

	if (seat->player == 0 && seat->bot_level >= 0)
		return "The server plays that seat already.";
	if (seat->player != 0 && master_is_a_player(m) &&
	    (sent || (seat->missed == 0 && !late)))
		return arena_printf(m->req->arena,
		                    "%s has missed no turn, or has sent orders since. Players "
		                    "let the server play only for somebody who is missing, or "
		                    "on a vacant seat.",
		                    m->match->names.names[seat->seat]);
	if (seat_is_fixed(m->req, m->match, seat))
		return "The deadline has passed, and the orders that were sent for that seat "
		       "count.";
	return seat->player == 0 ? NULL : why_not_eject(m, seat);
}

enum err master_replace(struct master_request *m)
{
	struct request *req = m->req;
	struct match *match = m->match;
	struct seat *seat = m->named;
	const char *name = match->names.names[seat->seat];
	bool go;

	TRY(decide(m, why_not_replace(m, seat),
	           arena_printf(req->arena, "replace %u by bot", seat->seat),
	           arena_printf(req->arena,
	                        "The server plays seat %u (%s) then, until somebody takes it "
	                        "over with TAKEOVER %s.",
	                        seat->seat, name, match->id),
	           &go));
	if (!go)
		return ERR_NONE;
	if (seat->player != 0)
		TRY(vacate(m, seat));
	TRY(order_as_bot(m, seat));
	TRY(master_log(m, seat->seat,
	               "let the server play the seat of %s (seat %u), which TAKEOVER %s takes "
	               "over",
	               name, seat->seat, match->id));
	request_verdict(req, "master", "%s: a bot plays seat %u", match->id, seat->seat);
	const char *now = arena_printf(req->arena, "The server plays seat %u (%s) from now on.",
	                               seat->seat, name);
	TRY(tell_table(req, match, m->seat,
	               &(struct table_news){.subject = "the server plays a seat",
	                                    .done = now,
	                                    .heard = now,
	                                    .clock = true}));
	return votes_without(req, match, m->seat, seat->seat);
}

/* ---- playing a vacant seat ---- */

static enum err tell_former(struct master_request *m, const struct seat *seat)
{
	if (seat->former == 0)
		return ERR_NONE;
	return tell_one_player(
	    m->req, m->match, seat->former, "your former seat is played again",
	    arena_printf(m->req->arena,
	                 seat->put_out ? "The master of %s now plays seat %u, which was yours "
	                                 "before you were removed "
	                                 "from the game, and sees what that seat may see."
	                               : "The master of %s now plays seat %u, which was yours "
	                                 "before it became vacant, and sees what that seat "
	                                 "may see. So it cannot be taken over any more.",
	                 m->match->id, seat->seat));
}

enum err master_become(struct master_request *m)
{
	struct request *req = m->req;
	struct match *match = m->match;
	struct seat *seat = m->named;
	struct past past;
	bool withdrawn;
	const char *name = match->names.names[seat->seat];

	if (m->seat && !m->seat->resigned)
		return master_refuse(
		    m, "",
		    "You play seat %u yourself. Nobody may play two seats of one "
		    "game, because they would see what both may see. Nothing was done.",
		    m->seat->seat);
	if (seat->vacated_utc == 0) {
		const char *why = why_not_eject(m, seat);

		if (why)
			return master_refuse(
			    m, "status",
			    "Seat %u is not vacant, so nothing was done. %s To see "
			    "who sits where, send:",
			    seat->seat, why);
		return master_refuse(
		    m, arena_printf(m->req->arena, "eject %u", seat->seat),
		    "Seat %u (%s) is not vacant, so nothing was done. A player who "
		    "does not play any more can be removed first:",
		    seat->seat, name);
	}
	/* Also one they have resigned: they have seen what was hidden there. */
	TRY(missed_turns_past(req->srv, match, req->who.player.id, &past));
	if (seat_count(seat_without(past.seats, seat->seat)) > 0)
		return master_refuse(
		    m, "",
		    "You have played another seat of this game, and nobody may "
		    "know the secrets of two. Nothing was done.");
	if (seat_is_fixed(req, match, seat))
		return master_refuse(
		    m, "",
		    "The deadline of %.*s has passed, and orders were sent for that seat which "
		    "count now. Nothing was done; please write again when the turn has ended.",
		    SPAN_ARGS(match->turn.label));
	TRY(tell_former(m, seat));
	TRY(seat_fill(req, match, seat, &withdrawn));
	TRY(missed_turns_stop_watching(req->srv, match->game.id, req->who.player.id));
	seat->resigned = false;
	seat->token_generation++;
	TRY(seat_update(req->srv->store, seat));
	TRY(master_log(m, seat->seat, "plays seat %u (%s) now", seat->seat, name));
	m->seat = seat;
	request_verdict(req, "master", "%s: plays seat %u", match->id, seat->seat);
	return tell_table(
	    req, match, seat,
	    &(struct table_news){
		.subject = "the master plays a seat",
		.done = arena_printf(
		    req->arena,
		    withdrawn ? "You play seat %u, %s, from now on, and everybody has been "
				"told. What was sent for that seat in this turn is withdrawn. "
				"Reply with orders. To see the position, send:"
		    : seat_in((struct seat_set){match->turn.have}, seat->seat)
			? "You play seat %u, %s, from now on, and everybody has been told. "
			  "Reply with orders; until then those that the server gave for this "
			  "seat count. To see the position, send:"
			: "You play seat %u, %s, from now on, and everybody has been told. "
			  "Reply with orders. To see the position, send:",
		    seat->seat, name),
		.heard = arena_printf(req->arena,
	                              "The master of the game plays the vacant seat %u "
	                              "(%s) from now on, and sees what that seat may "
	                              "see.",
	                              seat->seat, name),
		.example = "status",
		.clock = true});
}

/* ---- another master ---- */

/* Why this seat's player cannot be one; NULL: they can. */
static const char *why_no_master(struct master_request *m)
{
	const struct seat *seat = m->named;

	if (seat->player == m->req->who.player.id)
		return "You are the master already, so nothing was done. To see what you can "
		       "do, "
		       "send:";
	if (seat->player == 0 || seat->resigned || !seat->confirmed)
		return arena_printf(
		    m->req->arena,
		    "No player who could be the master sits on seat %u (%s) at "
		    "present, so nothing was done. To see who sits where, send:",
		    seat->seat, m->match->names.names[seat->seat]);
	return NULL;
}

static enum err make_co_master(struct master_request *m)
{
	struct request *req = m->req;
	struct match *match = m->match;
	struct seat *seat = m->named;
	const char *name = match->names.names[seat->seat];

	if (seat->co_master)
		return master_refuse(m, "status",
		                     "%s is a co-master already. To see that, send:", name);
	seat->co_master = true;
	TRY(seat_set_co_master(req->srv->store, match->game.id, seat->seat, true));
	TRY(master_log(m, seat->seat, "made %s a co-master", name));
	request_verdict(req, "master", "%s: seat %u is a co-master", match->id, seat->seat);
	return tell_table(
	    req, match, m->seat,
	    &(struct table_news){
		.subject = "a co-master",
		.done =
		    arena_printf(req->arena,
	                         "%s is a co-master from now on, and everybody has been told. "
	                         "To take that back, send:",
	                         name),
		.example = arena_printf(req->arena, "demote %u", seat->seat),
		.heard = arena_printf(req->arena, "%s is a co-master of the game from now on.",
	                              name),
		.other = seat,
		.heard_by_other =
		    "You are a co-master of this game from now on: you can do what its master "
		    "can, but for naming masters. What a master who plays asks the others for, "
		    "you ask them for too. See \"HELP MASTER\".",
	    });
}

enum err master_promote(struct master_request *m)
{
	struct request *req = m->req;
	struct match *match = m->match;
	struct seat *seat = m->named;
	const char *name = match->names.names[seat->seat], *why = why_no_master(m);

	if (why)
		return master_refuse(
		    m, seat->player == req->who.player.id ? "help master" : "status", "%s",
		    why);
	if (m->item->number == 1)
		return make_co_master(m);
	seat->co_master = false;
	TRY(seat_set_co_master(req->srv->store, match->game.id, seat->seat, false));
	TRY(motion_close(req->srv->store, match->game.id)); /* it was the other one's */
	/* As the master, who is not any more below. */
	TRY(master_log(m, seat->seat, "made %s the master of the game", name));
	match->game.master = seat->player;
	TRY(game_update(req->srv->store, &match->game));
	request_verdict(req, "master", "%s: seat %u is the master", match->id, seat->seat);
	return tell_table(
	    req, match, m->seat,
	    &(struct table_news){
		.subject = "another master",
		.done = arena_printf(req->arena,
	                             "%s is the master of the game from now on, and "
	                             "you are not any more. Everybody has been told.",
	                             name),
		.heard =
		    arena_printf(req->arena, "%s is the master of the game from now on.", name),
		.other = seat,
		.heard_by_other = "You are the master of this game from now on. See \"HELP "
				  "MASTER\" for what a master can do.",
	    });
}

enum err master_demote(struct master_request *m)
{
	struct request *req = m->req;
	struct match *match = m->match;
	struct seat *seat = m->named;
	const char *name = match->names.names[seat->seat];

	if (!seat->co_master)
		return master_refuse(m, "status",
		                     "%s is no co-master, so nothing was done. To see who is, "
		                     "send:",
		                     name);
	seat->co_master = false;
	TRY(seat_set_co_master(req->srv->store, match->game.id, seat->seat, false));
	TRY(motion_close(req->srv->store, match->game.id)); /* it may be theirs */
	TRY(master_log(m, seat->seat, "%s is no co-master any more", name));
	request_verdict(req, "master", "%s: seat %u is no co-master", match->id, seat->seat);
	return tell_table(
	    req, match, m->seat,
	    &(struct table_news){
		.subject = "a co-master less",
		.done = arena_printf(
		    req->arena, "%s is no co-master any more. Everybody has been told.", name),
		.heard =
		    arena_printf(req->arena, "%s is no co-master of the game any more.", name),
		.other = seat,
		.heard_by_other = "You are no co-master of this game any more.",
	    });
}

/* ---- going back ---- */

static const char *label_of(struct master_request *m, const struct turn *turns, int64_t serial)
{
	return serial == 0 ? "the set-up" : arena_cstr(m->req->arena, turns[serial].label);
}

static enum err go_back(struct master_request *m, unsigned serial, const char *to)
{
	struct request *req = m->req;
	struct match *match = m->match;

	TRY(master_log(m, 0, "went back to the end of %s", to));
	TRY(tell_table(
	    req, match, m->seat,
	    &(struct table_news){
		.subject = "the game was rolled back",
		.done = match->game.status == GAME_PAUSED
	                    ? "It is done: the game goes on from there, but it is "
	                      "still paused: RESUME ends that. Everybody gets the "
	                      "position in a mail of its own, and so do you."
	                    : "It is done: the game goes on from there. Everybody "
	                      "gets the position in a mail of its own, and so do you."}));
	request_verdict(req, "master", "%s goes back to serial %u", match->id, serial);
	return abort_turn_back_to(req->srv, match, serial);
}

enum err master_rollback(struct master_request *m)
{
	struct request *req = m->req;
	struct match *match = m->match;
	unsigned number = m->item->number;
	int64_t *line;
	struct turn *turns;
	size_t n, nturns;
	bool go;

	TRY(lineage_load(req->srv, match, &line, &n));
	TRY(turn_list(req->srv->store, match->game.id, req->arena, &turns, &nturns));
	if (number + 1 >= n || line[number] == NO_SERIAL)
		return master_refuse(
		    m, arena_printf(req->arena, "rollback %u", (unsigned)n - 2),
		    "No turn with number %u has been resolved, so nothing was done. The newest "
		    "that has is %s, number %u. To begin the open turn anew write:",
		    number, label_of(m, turns, line[n - 2]), (unsigned)n - 2);
	const char *to = label_of(m, turns, line[number]);
	const char *from = arena_cstr(req->arena, match->turn.label);
	TRY(master_with_others(
	    m,
	    &(struct decision){
		.line = arena_printf(req->arena, "rollback %u", number),
		.effect =
		    arena_printf(req->arena,
	                         "That takes the game back to the position after %s. Whatever "
	                         "was done since, up to the orders sent for %s, no longer "
	                         "counts; it stays in the record. Everybody is told.",
	                         to, from),
		.wants_yes = true},
	    &go));
	return go ? go_back(m, (unsigned)line[number], to) : ERR_NONE;
}

/* ---- the end ---- */

enum err master_terminate(struct master_request *m)
{
	struct request *req = m->req;
	struct match *match = m->match;
	bool go, begun = match->game.status != GAME_GATHERING;

	if (begun && !turn_can_be_aborted(match))
		return master_refuse(
		    m, "",
		    "A turn is just being ended; its report follows. Nothing was "
		    "done: please write again when you have it.");
	TRY(master_with_others(
	    m,
	    &(struct decision){
		.line = "terminate",
		.effect =
		    "That ends the game for everybody, without a winner. Its secret and all "
		    "orders are revealed, and nobody can take it up again.",
		.wants_yes = true},
	    &go));
	if (!go)
		return ERR_NONE;
	TRY(master_log(m, 0, "ended the game"));
	request_verdict(req, "master", "%s is cancelled", match->id);
	if (!begun) { /* no turns: nothing to break off, and a record of a few lines */
		match->game.status = GAME_CANCELLED;
		match->game.ended_utc = req->srv->now_utc;
		TRY(game_update(req->srv->store, &match->game));
		return tell_table(
		    req, match, m->seat,
		    &(struct table_news){
			.subject = "the game will not be played",
			.done = arena_printf(req->arena,
		                             "The game is cancelled; whoever had joined has "
		                             "been told. Its record, with the secret, comes "
		                             "with \"ARCHIVE %s\".",
		                             match->id),
			.heard =
			    "The master has cancelled the game before it began. To see other "
			    "games, send LIST."});
	}
	TRY(tell_table(
	    req, match, m->seat,
	    &(struct table_news){.subject = "the game is ended",
	                         .done = "It is done. Everybody gets the last report and "
	                                 "the record, and so do you."}));
	return abort_game(req->srv, match, GAME_CANCELLED, (struct seat_set){0});
}
