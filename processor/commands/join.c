/*
 * join.c - JOIN.
 */
#include "processor/base/utf8.h"
#include "processor/commands/commands.h"
#include "processor/match/fork.h"
#include "processor/request/join_rules.h"
#include "processor/request/seats.h"
#include "processor/request/waiting_list.h"
#include "processor/request/welcome.h"
#include "processor/request/which_game.h"
#include "store/rematches.h"

/* Why nobody, or not this speaker, can join this game; NULL when nothing speaks against it. */
static const char *join_objection(struct request *req, const struct match *match,
                                  const struct command *item, bool asked)
{
	bool vacant = false;

	for (size_t i = 0; i < match->nseats; i++)
		vacant = vacant || match->seats[i].vacated_utc != 0;
	if (match->game.status == GAME_RUNNING && vacant)
		return arena_printf(req->arena,
		                    "%s has begun, but a seat is vacant: \"TAKEOVER %s\" takes "
		                    "it. To see the open games, send:",
		                    match->id, match->id);
	if (match->game.status != GAME_GATHERING)
		return arena_printf(
		    req->arena,
		    "%s has %s, so nobody can join it now. To see the open games, send:",
		    match->id, match->game.status == GAME_RUNNING ? "begun" : "ended");
	if (!asked && !game_key_fits(req->srv, &match->game, item->key))
		return arena_printf(
		    req->arena,
		    "%s is private: joining needs the key that its creator was given, as in "
		    "\"JOIN %s KEY word\". To see the open games, send:",
		    match->id, match->id);
	if (!req->srv->cfg.shared_address && req->who.player.id != 0)
		for (size_t i = 0; i < match->nseats; i++)
			if (match->seats[i].player == req->who.player.id)
				return arena_printf(
				    req->arena,
				    "You are in %s already, on seat %zu as %s. To leave it "
				    "write \"RESIGN %s\". To see the open games, send:",
				    match->id, i + 1, match->names.names[i + 1], match->id);
	if (seats_free_seat(req->srv, match) == 0)
		return arena_printf(
		    req->arena,
		    "%s is full: all its %u seats are taken. To see the open games, send:",
		    match->id, match->game.nseats);
	return NULL;
}

static const char *salt_note(const struct request *req)
{
	struct span salt = request_salt(req);

	return salt.len == 0
	           ? NULL
	           : arena_printf(req->arena,
	                          "Your salt \"%.*s\" goes into the chance of the set-up.",
	                          SPAN_ARGS(salt));
}

static enum err join_with_name(struct request *req, struct match *match, unsigned number,
                               struct span name, const char *note)
{
	struct match fresh = {0};
	int64_t game = match->game.id;

	struct hash contribution;

	enum err rc = waiting_drop(req->srv->store, match->game.kind, req->who.player.id, NULL);
	if (rc == ERR_NONE)
		rc = request_contribution(req, match, number, &contribution);
	if (rc == ERR_NONE)
		rc = seats_take_seat(req->srv, match, number, &req->who.player, name,
		                     request_salt(req), &contribution);
	if (rc == ERR_NONE)
		rc = match_load(req->srv, game, req->arena, &fresh);
	if (rc == ERR_NONE)
		rc = welcome_send(req, &fresh, match_seat(&fresh, number), false, "", note);
	if (rc == ERR_NONE)
		rc = game_start_if_full(req->srv, &fresh);
	request_note_game(req, game);
	request_note_seat(req, number);
	request_verdict(req, "command", "joined %s as seat %u", fresh.id, number);
	match_release(&fresh);
	return rc;
}

/* In a fork: the seat that is asked for, else the one this person had, else any. 0 = not free. */
static enum err seat_in_fork(struct request *req, const struct match *match,
                             const struct command *item, unsigned *number)
{
	struct span asked = item->name;
	struct fork f;
	struct seat *old;
	size_t nold;

	*number = item->seat; /* which is free */
	if (*number != 0)
		return ERR_NONE;
	for (unsigned s = 1; s <= match->nseats && asked.len > 0; s++)
		if (seats_seat_is_free(req->srv, match, s) &&
		    utf8_eq_folded(match->seats[s - 1].name, asked))
			*number = s;
	if (asked.len > 0)
		return ERR_NONE;
	*number = seats_free_seat(req->srv, match);
	if (req->who.player.id == 0)
		return ERR_NONE;
	TRY(match_fork(req->srv, match, &f, NULL));
	TRY(seat_list(req->srv->store, f.source_game, req->arena, &old, &nold));
	for (size_t i = 0; i < nold && i < match->nseats; i++)
		if (seat_was_of(&old[i], req->who.player.id) &&
		    seats_seat_is_free(req->srv, match, old[i].seat))
			*number = old[i].seat;
	return ERR_NONE;
}

static enum err join_fork(struct request *req, const struct command *item, struct match *match)
{
	const char *story, *salt = salt_note(req);
	unsigned number;

	TRY(seat_in_fork(req, match, item, &number));
	if (number == 0) {
		struct strbuf free_names = STRBUF_INIT;
		const char *first = NULL;

		for (unsigned s = 1; s <= match->nseats; s++) {
			if (!seats_seat_is_free(req->srv, match, s))
				continue;
			strbuf_addf(&free_names, "%s%s", first ? ", " : "",
			            match->names.names[s]);
			first = first ? first : match->names.names[s];
		}
		enum err rc = seats_refuse(
		    req, arena_printf(req->arena, "join %s as %s", match->id, first),
		    arena_printf(
			req->arena,
			"%s goes on from another game, and its seats keep the names they had "
			"there. Free are: %s. Take one of them, for example:",
			match->id, free_names.ptr));
		strbuf_release(&free_names);
		return rc;
	}
	TRY(fork_story(req->srv, match, &story));
	TRY(seats_make_known(req));
	return join_with_name(req, match, number, match->seats[number - 1].name,
	                      salt ? arena_printf(req->arena, "%s %s", story, salt) : story);
}

/* objection: to the name that was asked for; "" if there is none. */
static enum err join_named(struct request *req, const struct command *item, struct match *match,
                           struct span name, const char *objection)
{
	const struct seat_join *before =
	    match_join_of(req->srv, match, req->who.player.id, name, true);
	const char *salt = salt_note(req), *note = salt;
	unsigned seat = item->seat;

	if (seat == 0)
		seat = before && seats_seat_is_free(req->srv, match, before->seat)
		           ? before->seat
		           : seats_free_seat(req->srv, match);
	if (before && !span_eq(before->name, name)) {
		name = before->name; /* match_note_join */
		objection = "Whoever joins a game again has the name they had there first.";
	}
	if (*objection != '\0')
		note = arena_printf(req->arena, "%s So you are in as %.*s.%s%s", objection,
		                    SPAN_ARGS(name), salt ? " " : "", salt ? salt : "");
	TRY(seats_register(req, name));
	TRY(seats_open_below(req->srv, match, seat));
	return join_with_name(req, match, seat, name, note);
}

static enum err join_open(struct request *req, const struct command *item, struct match *match)
{
	struct span name;
	struct strbuf why = STRBUF_INIT;
	bool may;
	enum err rc;

	TRY(seats_stranger_may_sit(req, &may));
	if (!may)
		return ERR_NONE;
	if (match->game.origin == GAME_FORKED) {
		rc = join_fork(req, item, match);
	} else if (!seats_name(req, match, item->name, &name, &why) && name.len == 0) {
		strbuf_adds(&why, " Choose another name, for example:");
		rc = seats_refuse(req, arena_printf(req->arena, "join %s as Cleo", match->id),
		                  why.ptr);
	} else {
		rc = join_named(req, item, match, name, why.ptr);
	}
	strbuf_release(&why);
	return rc;
}

static enum err judge_join(struct request *req, const struct command *item, struct match *match)
{
	const char *why;
	enum entry entry;
	bool asked;

	TRY(invitation_exists(req->srv->store, match->game.id, req->who.player.id, &asked));
	if (!asked)
		TRY(invited_into(req, match->game.id, &asked));
	TRY(invited_entry(req, match->game.id, &entry));
	why = join_objection(req, match, item, asked || entry == ENTRY_ALLOWED);
	if (!why && entry == ENTRY_DENIED)
		why = invited_kept_out(req, match->id);
	if (!why && entry != ENTRY_ALLOWED)
		TRY(join_rules_objection(req, match, &why));
	if (!why && item->seat != 0 && !seats_seat_is_free(req->srv, match, item->seat)) {
		/* The seat that was chosen is somebody's, or there is none such. */
		struct strbuf others = STRBUF_INIT;
		unsigned first = seats_free_seat(req->srv, match), nfree = 0, n = 0;

		for (unsigned s = 1; s <= match->game.nseats; s++)
			nfree += seats_seat_is_free(req->srv, match, s);
		for (unsigned s = 1; s <= match->game.nseats; s++)
			if (seats_seat_is_free(req->srv, match, s)) {
				strbuf_add_sep(&others, n++, nfree, " and ");
				strbuf_addf(&others, "%u", s);
			}
		/* A name that was not confirmed is for nobody else to read, here as in LIST. */
		const struct seat *s = match_seat(match, item->seat);
		why = !s ? arena_printf(req->arena, "%s has %u seats, and no seat %u.",
		                        match->id, match->game.nseats, item->seat)
		         : arena_printf(req->arena, "Seat %u of %s is taken, by %s.",
		                        item->seat, match->id,
		                        s->player != 0 && !s->confirmed
		                            ? "somebody who has yet to confirm it"
		                            : match->names.names[item->seat]);
		enum err rc = seats_refuse(
		    req, arena_printf(req->arena, "join %s seat %u", match->id, first),
		    arena_printf(req->arena,
		                 nfree == 1
		                     ? "%s Seat %s is free. To take it, send:"
		                     : "%s Seats %s are free. To take one of them, send:",
		                 why, others.ptr));
		strbuf_release(&others);
		return rc;
	}
	return why ? seats_refuse(req, "list", why) : join_open(req, item, match);
}

enum err seats_join(struct request *req, const struct command *item, int64_t game)
{
	struct match match;

	TRY(invited_confirm(req, game));
	enum err rc = match_load(req->srv, game, req->arena, &match);

	if (rc == ERR_NOT_FOUND || (rc == ERR_NONE && !fits_letter(item, &match.game)))
		rc = seats_refuse(req, "list",
		                  "There is no such game. To see the open games, send:");
	else if (rc == ERR_NONE)
		rc = judge_join(req, item, &match);
	match_release(&match);
	return rc == ERR_NONE ? invited_has_joined(req, game) : rc;
}

enum err do_join(struct request *req, const struct command *item)
{
	struct game open;

	request_understood(req);
	if (item->game != 0)
		return seats_join(req, item, item->game);
	if (item->wait == WAIT_NO_MORE)
		return waiting_list_leave(req, item);
	enum err rc = join_rules_open_game(req, item->kind, &open);
	if (rc == ERR_NOT_FOUND && item->seat != 0)
		return seats_refuse(req,
		                    arena_printf(req->arena, "join %s",
		                                 join_rules_kind_words(item->kind, req->arena)),
		                    "No such game is open in which you could choose a seat. To "
		                    "open one, in which seat 1 is yours, send:");
	if (rc == ERR_NOT_FOUND)
		return item->wait == WAIT_FOR_IT ? waiting_list_enter(req, item)
		                                 : seats_create_usual(req, item);
	TRY(rc);
	return seats_join(req, item, open.id);
}
