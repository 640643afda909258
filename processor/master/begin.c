/*
 * begin.c - FORCE BEGIN, START WITH BOTS: a game begins with those who are there.
 *
 * Seats nobody has taken for certain go, and those behind them move up; the server plays as many
 * as the rules need, or all that are free. In a game that goes on from another the seats are those
 * of its position: none goes or moves, and the server plays the open ones.
 */
#include "processor/master/master.h"
#include "processor/request/identify.h"
#include "processor/request/master.h"
#include "processor/request/seats.h"
#include "processor/server/reply_address.h"
#include "store/ratings.h"

static bool is_certain(const struct seat *s)
{
	return seat_is_taken(s) && s->confirmed;
}

/* ---- the seats nobody has taken for certain ---- */

/* Who was asked to confirm one, and did not. */
static enum err tell_of_loss(struct master_request *m, const struct seat *s)
{
	struct match *match = m->match;

	if (s->player == 0)
		return ERR_NONE;
	return tell_one_player(
	    m->req, match, s->player, "your seat was given up",
	    arena_printf(m->req->arena,
	                 "%s begins now with those who are there. You had not "
	                 "confirmed your seat, so it has been given up.",
	                 match->id));
}

/* The position a fork goes on from has seats with these numbers and names, all of them. */
static enum err play_open_seats(struct master_request *m, struct seat_set *played)
{
	struct match *match = m->match;

	*played = (struct seat_set){0};
	for (size_t i = 0; i < match->nseats; i++) {
		struct seat *s = &match->seats[i];
		if (is_certain(s))
			continue;
		TRY(tell_of_loss(m, s));
		s->player = 0;
		s->bot_level = BOT_LEVEL_USUAL;
		s->is_operator = false;
		s->confirmed = true;
		s->salt = SPAN_EMPTY;
		s->contribution = (struct hash){{0}};
		s->joins = 0;
		s->first_joined_utc = 0;
		s->joined_utc = m->req->srv->now_utc;
		TRY(seat_renew_token(m->req->srv, s));
		TRY(seat_update(m->req->srv->store, s));
		*played = seat_with(*played, s->seat);
	}
	return game_update(m->req->srv->store, &match->game);
}

/* The newest generation of reply addresses there has been, and whether a seat before a taken one is open. */
static unsigned newest_token(const struct match *match, bool *moved)
{
	unsigned newest = 0;
	bool gap = false;

	*moved = false;
	for (size_t i = 0; i < match->nseats; i++) {
		const struct seat *s = &match->seats[i];

		if (s->token_generation > newest)
			newest = s->token_generation;
		if (!is_certain(s))
			gap = true;
		else
			*moved = *moved || gap;
	}
	return newest;
}

static bool rules_take(struct match *match, unsigned nseats)
{
	unsigned before = match->game.nseats;

	match->game.nseats = nseats;
	struct game_state *state = match_trial_position(match);
	match->game.nseats = before;
	if (state)
		match->rules->free_state(state);
	return state != NULL;
}

/* Fewer seats or bots of its own, `played`; numbers of seats may change: from `was`. */
static enum err regroup(struct master_request *m, unsigned nseats, unsigned nbots,
                        unsigned was[static MAX_SEATS + 1], struct seat_set *played)
{
	struct request *req = m->req;
	struct match *match = m->match;
	int64_t id = match->game.id;
	bool moved;
	unsigned newest = newest_token(match, &moved), next = 1;

	/* By the number each seat will have when the open ones are gone: the one it has now, if another. */
	for (size_t i = 0; i < match->nseats; i++)
		if (is_certain(&match->seats[i])) {
			was[next] = match->seats[i].seat != next ? match->seats[i].seat : 0;
			next++;
		}
	for (size_t i = match->nseats; i > 0; i--) {
		struct seat *s = &match->seats[i - 1];
		if (is_certain(s))
			continue;
		TRY(tell_of_loss(m, s));
		TRY(seat_close_up(req->srv->store, match->game.id, s->seat, req->arena));
	}
	TRY(game_add_bots(req->srv, id, nseats - nbots + 1, nbots, BOT_LEVEL_USUAL));
	for (unsigned seat = nseats - nbots + 1; seat <= nseats; seat++)
		*played = seat_with(*played, seat);
	match->game.nseats = nseats;
	TRY(game_update(req->srv->store, &match->game));
	match_release(match);
	TRY(match_load(req->srv, id, req->arena, match));
	/* Of all who are there, if one of them has moved: else it could be that of somebody who has left. */
	for (size_t i = 0; moved && i < match->nseats; i++) {
		match->seats[i].token_generation = newest + 1;
		TRY(seat_update(req->srv->store, &match->seats[i]));
	}
	m->seat = NULL;
	for (size_t i = 0; i < match->nseats && !m->seat; i++)
		if (match->seats[i].player == req->who.player.id)
			m->seat = &match->seats[i];
	if (req->about.game == id &&
	    req->about.seat != 0) /* a further line of their mail is about that seat */
		identify_game(req, id, m->seat ? m->seat->seat : 0);
	return ERR_NONE;
}

/* ---- the command ---- */

/* `played`: by the server from now on; may be empty. */
static enum err tell_of_begin(struct master_request *m, struct seat_set played,
                              const unsigned *was)
{
	struct arena *arena = m->req->arena;
	const char *names = match_names_in(m->match, played);
	const char *by_server =
	    seat_count(played) == 0 ? "The first report follows."
	    : seat_count(played) == 1
		? arena_printf(
		      arena,
		      "The server plays %s, on a seat nobody has taken. The first report "
		      "follows.",
		      names)
		: arena_printf(
		      arena,
		      "The server plays %s, on seats nobody has taken. The first report "
		      "follows.",
		      names);

	return tell_table(
	    m->req, m->match, m->seat,
	    &(struct table_news){
		.subject = "the game begins",
		.moved_from = was,
		.done = arena_printf(arena, "The game begins now. %s", by_server),
		.heard = arena_printf(arena,
	                              "The master lets the game begin with those who are "
	                              "there. %s",
	                              by_server)});
}

enum err master_force_begin(struct master_request *m)
{
	struct request *req = m->req;
	struct match *match = m->match;
	struct seat_set played = {0};
	struct entry_terms terms;
	unsigned was[MAX_SEATS + 1] = {0}, there = 0, nseats, nbots;
	bool anybody = false;

	for (size_t i = 0; i < match->nseats; i++) {
		there += is_certain(&match->seats[i]);
		anybody = anybody || (match->seats[i].player != 0 && match->seats[i].confirmed);
	}
	nseats = there < match->rules->min_seats ? match->rules->min_seats : there;
	if (match->game.origin == GAME_FORKED || m->item->verb == CMD_START_WITH_BOTS)
		nseats = match->game.nseats;
	nbots = nseats - there;
	if (match->game.status != GAME_GATHERING)
		return master_refuse(m, "status",
		                     "The game has begun already, so nothing was done. To see "
		                     "how it stands, send:");
	if (!anybody)
		return master_refuse(m, arena_printf(m->req->arena, "join %s", match->id),
		                     "Nobody has a seat yet who could play, so the game has "
		                     "not begun. For others to take a seat:");
	if (match->game.origin != GAME_FORKED && !rules_take(match, nseats))
		return master_refuse(
		    m, "",
		    "With the options of this game its rules do not allow %u seats, "
		    "so it has not begun.",
		    nseats);
	match->game.start_utc = match->game.ready_until_utc = 0;
	/* Whether they are still there: the master says they are. */
	TRY(entry_terms_get(req->srv->store, match->game.id, &terms));
	for (size_t i = 0; i < match->nseats && terms.ready; i++) {
		match->seats[i].ready = true;
		TRY(seat_update(req->srv->store, &match->seats[i]));
	}
	TRY(nbots == 0 ? master_log(m, 0, "let the game begin with %u seats", nseats)
	               : master_log(m, 0,
	                            "let the game begin with %u seats, %u of them played by "
	                            "the server",
	                            nseats, nbots));
	if (match->game.origin == GAME_FORKED)
		TRY(play_open_seats(m, &played));
	else
		TRY(regroup(m, nseats, nbots, was, &played));
	request_verdict(req, "master", "%s begins with %u seats", match->id, nseats);
	TRY(tell_of_begin(m, played, was));
	return game_start_if_full(req->srv, match);
}
