/*
 * takeover.c - TAKEOVER: a seat whose player has gone gets another one.
 *
 * The seat stays what it is, name and position, for orders and positions name it; only the person
 * behind it changes, and with them the reply addresses. Under which name they play it stands beside
 * it. What another has sent for the open turn is withdrawn, and shown to nobody. Who knows what is
 * hidden from another seat may not have it: somebody who has lost a seat can only have that one
 * back. authenticate.h sees to it that whoever is not known yet has said YES before they are shown
 * anything.
 */
#include "processor/base/utf8.h"
#include "processor/commands/commands.h"
#include "processor/match/match_clock.h"
#include "processor/request/join_rules.h"
#include "processor/request/request.h"
#include "processor/request/seats.h"
#include "processor/request/which_game.h"
#include "processor/server/reply_address.h"
#include "processor/turns/abort_turn.h"
#include "processor/turns/due_turn.h"
#include "processor/turns/missed_turns.h"
#include "store/audit.h"

static enum err refuse(struct request *req, const char *why)
{
	request_verdict(req, "refused", "TAKEOVER: %s", why);
	return request_notice(req, NULL, NULL, "no seat was taken over", "list", "%s", why);
}

static bool is_vacant(const struct seat *s)
{
	return s->vacated_utc != 0;
}

/* The one that is named, else the speaker's former one, else the lowest. */
static struct seat *seat_wanted(const struct match *match, const struct past *past,
                                unsigned number)
{
	if (number != 0)
		return match_seat(match, number);
	for (size_t i = 0; i < match->nseats; i++)
		if (seat_in(past->seats, match->seats[i].seat))
			return &match->seats[i];
	for (size_t i = 0; i < match->nseats; i++)
		if (is_vacant(&match->seats[i]))
			return &match->seats[i];
	return NULL;
}

/* ... for what they have had to do with the game before, or have still. */
static const char *objection_to_past(struct request *req, const struct match *match,
                                     const struct past *past, const struct seat *seat)
{
	struct seat_set others = seat ? seat_without(past->seats, seat->seat) : past->seats;
	bool sits = false;

	for (size_t i = 0; i < match->nseats; i++)
		sits = sits || (req->who.player.id != 0 &&
		                match->seats[i].player == req->who.player.id);
	if (sits)
		return arena_printf(req->arena,
		                    "You have a seat in %s, or have left it, and nobody may "
		                    "know the secrets of two. To see the open games, send:",
		                    match->id);
	if (past->put_out)
		return arena_printf(req->arena,
		                    "The master of %s removed you from it, so no seat of it "
		                    "can be yours. To see the open games, send:",
		                    match->id);
	if (seat_count(others) > 0)
		return arena_printf(req->arena,
		                    "You have played another seat of %s, and nobody may know "
		                    "the secrets of two. To see the open games, send:",
		                    match->id);
	if (seat && !is_vacant(seat) && seat_count(past->seats) > 0)
		return arena_printf(
		    req->arena,
		    "Somebody else plays the seat of %s that was yours, and as nobody may know "
		    "the secrets of two, you cannot have another. To see the open games, send:",
		    match->id);
	return NULL;
}

/* Why this speaker cannot have this seat; NULL when nothing speaks against it. */
static const char *objection(struct request *req, const struct match *match,
                             const struct command *item, const struct past *past,
                             const struct seat *seat, enum entry entry)
{
	const char *why;
	size_t vacant = 0;

	for (size_t i = 0; i < match->nseats; i++)
		vacant += is_vacant(&match->seats[i]);
	if (match->game.is_private && seat_count(past->seats) == 0 && entry != ENTRY_ALLOWED &&
	    !game_key_fits(req->srv, &match->game, item->key))
		return arena_printf(req->arena,
		                    "%s is private: its key is needed, as in \"TAKEOVER %s KEY "
		                    "word\". To see the open games, send:",
		                    match->id, match->id);
	if (match->game.status != GAME_RUNNING && match->game.status != GAME_PAUSED) {
		if (match->game.status == GAME_GATHERING)
			return arena_printf(
			    req->arena,
			    "%s has not begun: \"JOIN %s\" takes a seat. To see the open "
			    "games, send:",
			    match->id, match->id);
		return arena_printf(req->arena,
		                    "%s has ended. To see the open games, send:", match->id);
	}
	if (vacant == 0)
		return arena_printf(req->arena,
		                    "No seat of %s is vacant, so there is none to take over. "
		                    "To see the open games, send:",
		                    match->id);
	if (entry == ENTRY_DENIED)
		return invited_kept_out(req, match->id);
	why = objection_to_past(req, match, past, seat);
	if (why)
		return why;
	if (!seat || !is_vacant(seat))
		return arena_printf(
		    req->arena,
		    "That seat of %s is not vacant. To see the open games, send:", match->id);
	if (seat_is_fixed(req, match, seat))
		return arena_printf(req->arena,
		                    "The deadline of %.*s has passed, and orders were sent for "
		                    "that seat which count now. Please write again when the "
		                    "turn has ended. To see the open games, send:",
		                    SPAN_ARGS(match->turn.label));
	return NULL;
}

static const char *lead_for(struct request *req, const struct match *match,
                            const struct seat *seat, bool withdrawn)
{
	const char *reply = turn_has_ended(match, req->srv->now_utc)
	                        ? "The turn is just ending; reply to the next report with your "
	                          "orders."
	                        : "Just reply with your orders.";
	const char *before =
	    withdrawn ? " What the player before you had sent for this turn is withdrawn."
	    : seat_in((struct seat_set){match->turn.have}, seat->seat)
		? " The orders below come from the server and count until then."
		: "";

	const char *name = match->names.names[seat->seat];
	const char *as =
	    seat->played_by.len > 0
		? arena_printf(
		      req->arena,
		      "It keeps its name, %s, in orders and reports; the list of seats "
		      "says that %.*s plays it.",
		      name, SPAN_ARGS(seat->played_by))
		: arena_printf(req->arena, "You play it as %s.", name);

	return arena_printf(req->arena,
	                    "The seat is yours. %s %s%s \"HISTORY %s\" shows what happened "
	                    "before, as far as you may see it; earlier reply addresses of this "
	                    "seat are void.",
	                    as, reply, before, match->id);
}

/* False, with a sentence in `why`: that name will not do. Who is back has the seat's own again. */
static bool choose_name(struct request *req, const struct match *match, const struct past *past,
                        struct seat *seat, struct span asked, struct strbuf *why)
{
	struct span name;

	seat->played_by = SPAN_EMPTY;
	if ((asked.len == 0 && seat_in(past->seats, seat->seat)) ||
	    utf8_eq_folded(asked, seat->name))
		return true;
	if (!seats_name(req, match, asked, &name, why))
		return false;
	seat->played_by = utf8_eq_folded(name, seat->name) ? SPAN_EMPTY : name;
	return true;
}

static enum err take_over(struct request *req, struct match *match, const struct past *past,
                          struct seat *seat)
{
	struct report_status s;
	bool withdrawn;

	TRY(seats_make_known(req));
	TRY(missed_turns_stop_watching(req->srv, match->game.id, req->who.player.id));
	if (!req->who.player.confirmed && req->who.settled)
		TRY(player_set_confirmed(req->srv->store, req->who.player.id));
	const char *name = match->names.names[seat->seat];
	const char *what =
	    seat_in(past->seats, seat->seat)
		? arena_printf(req->arena, "%s is back", name)
		: arena_printf(req->arena, "%.*s has taken over the seat of %s",
	                       SPAN_ARGS(seat->played_by.len > 0 ? seat->played_by
	                                                         : req->who.player.name),
	                       name);
	TRY(audit_add(req->srv->store, match->game.id, seat->seat, "server", true,
	              req->srv->now_utc, what));
	TRY(seat_renew_token(req->srv, seat));
	TRY(seat_fill(req, match, seat, &withdrawn));
	TRY(missed_turns_excuse_new(req->srv, match, seat->seat));
	request_note_game(req, match->game.id);
	request_note_seat(req, seat->seat);
	request_verdict(req, "command", "took over seat %u of %s", seat->seat, match->id);
	/* The whole position, as after a turn. */
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	struct report_fair fair = {match->game.secret_hash,
	                           keyring_public_key(match_keys(req->srv, match))};
	const char *lead = lead_for(req, match, seat, withdrawn);
	TRY(status_of(req, match, seat, &s));
	s.subject = arena_printf(req->arena, "you have taken over seat %u", seat->seat);
	s.lead = &lead;
	s.nlead = 1;
	s.fair = &fair;
	report_status(&s, &out);
	TRY(request_answer(req, match, seat, "welcome", &out));
	return seat_update(req->srv->store, seat);
}

static enum err decide(struct request *req, const struct command *item, struct match *match)
{
	enum entry entry;
	struct past past;

	TRY(missed_turns_past(req->srv, match, req->who.player.id, &past));
	struct seat *seat = seat_wanted(match, &past, item->seat);
	TRY(invited_entry(req, match->game.id, &entry));
	const char *why = objection(req, match, item, &past, seat, entry);

	if (!why && seat_count(past.seats) == 0 && entry != ENTRY_ALLOWED)
		TRY(join_rules_objection_to_seat(req, match, &why));
	if (why)
		return refuse(req, why);
	struct strbuf name = STRBUF_INIT;
	bool fits = choose_name(req, match, &past, seat, item->name, &name);
	enum err rc =
	    fits ? take_over(req, match, &past, seat)
		 : refuse(req,
	                  arena_printf(req->arena,
	                               "%s Choose another name behind AS, or none. To see the "
	                               "open games, send:",
	                               name.ptr));
	strbuf_release(&name);
	return rc;
}

enum err do_takeover(struct request *req, const struct command *item)
{
	struct match match;
	enum err rc = match_load(req->srv, item->game, req->arena, &match);

	request_understood(req);
	if (rc == ERR_NOT_FOUND || (rc == ERR_NONE && !fits_letter(item, &match.game)))
		rc = refuse(req, "There is no such game. To see the open games, send:");
	else if (rc == ERR_NONE)
		rc = decide(req, item, &match);
	match_release(&match);
	return rc;
}
