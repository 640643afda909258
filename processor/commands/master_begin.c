/*
 * master_begin.c - FORCE BEGIN: a game begins with those who are there.
 *
 * Seats nobody has taken for certain go, and those behind them move up; the server plays as many as
 * the rules need. In a game that goes on from another the seats are those of its position: none goes
 * or moves, and the server plays the open ones.
 */
#include "processor/commands/commands.h"
#include "processor/commands/master.h"
#include "processor/outgoing/seat_address.h"
#include "processor/request/master.h"
#include "processor/request/seats.h"
#include "store/seat_renumber.h"

#include "processor/base/banned.h"

static bool is_certain(const struct seat *s)
{
	return seat_is_taken(s) && s->confirmed;
}

static unsigned seats_for_certain(const struct hand *h)
{
	unsigned n = 0;

	for (size_t i = 0; i < h->nseats; i++)
		n += is_certain(&h->seats[i]);
	return n;
}

static bool anybody_is_there(const struct hand *h)
{
	for (size_t i = 0; i < h->nseats; i++)
		if (h->seats[i].player != 0 && h->seats[i].confirmed)
			return true;
	return false;
}

/* ---- the seats nobody has taken for certain ---- */

/* Who was asked to confirm one, and did not. */
static enum err tell_of_loss(struct mastering *m, const struct seat *s)
{
	struct hand *h = &m->hand;

	if (s->player == 0)
		return ERR_NONE;
	return news_to_player(
	    m->d, h, s->player, "your seat was given up",
	    arena_printf(m->d->arena,
	                 "%s begins now with those who are there. You had not "
	                 "confirmed your seat, so it has been given up.",
	                 h->id));
}

static enum err drop_open_seats(struct mastering *m)
{
	struct dealing *d = m->d;
	struct hand *h = &m->hand;

	for (size_t i = h->nseats; i > 0; i--) {
		struct seat *s = &h->seats[i - 1];
		if (is_certain(s))
			continue;
		TRY(tell_of_loss(m, s));
		TRY(seat_close_up(d->srv->store, h->game.id, s->seat, d->arena));
	}
	return ERR_NONE;
}

/* The position a fork goes on from has seats with these numbers and names, all of them. */
static enum err play_open_seats(struct mastering *m, struct seat_set *played)
{
	struct hand *h = &m->hand;

	*played = (struct seat_set){0};
	for (size_t i = 0; i < h->nseats; i++) {
		struct seat *s = &h->seats[i];
		if (is_certain(s))
			continue;
		TRY(tell_of_loss(m, s));
		s->player = 0;
		s->bot_level = BOT_LEVEL_USUAL;
		s->confirmed = true;
		s->salt = SPAN_EMPTY;
		s->joined_utc = m->d->srv->now_utc;
		TRY(seat_renew_token(m->d->srv, s));
		TRY(seat_update(m->d->srv->store, s));
		*played = seat_with(*played, s->seat);
	}
	return game_update(m->d->srv->store, &h->game);
}

/* Of all who are there, if one of them has moved: else it could be that of somebody who has left. */
static enum err renew_tokens(struct mastering *m, unsigned newest, bool moved)
{
	for (size_t i = 0; moved && i < m->hand.nseats; i++) {
		struct seat *s = &m->hand.seats[i];

		s->token_generation = newest + 1;
		TRY(seat_update(m->d->srv->store, s));
	}
	return ERR_NONE;
}

/* The newest generation of reply addresses there has been, and whether a seat before a taken one is open. */
static unsigned newest_token(const struct hand *h, bool *moved)
{
	unsigned newest = 0;
	bool gap = false;

	*moved = false;
	for (size_t i = 0; i < h->nseats; i++) {
		const struct seat *s = &h->seats[i];

		if (s->token_generation > newest)
			newest = s->token_generation;
		if (!is_certain(s))
			gap = true;
		else
			*moved = *moved || gap;
	}
	return newest;
}

static bool rules_take(struct hand *h, unsigned nseats)
{
	unsigned before = h->game.nseats;

	h->game.nseats = nseats;
	struct game_state *state = hand_trial_position(h);
	h->game.nseats = before;
	if (state)
		h->rules->free_state(state);
	return state != NULL;
}

/* By the number each seat will have when the open ones are gone: the one it has now, if another. */
static void note_numbers(const struct hand *h, unsigned was[static MAX_SEATS + 1])
{
	unsigned next = 1;

	for (size_t i = 0; i < h->nseats; i++)
		if (is_certain(&h->seats[i])) {
			was[next] = h->seats[i].seat != next ? h->seats[i].seat : 0;
			next++;
		}
}

/* Fewer seats or bots of its own; numbers of seats may change: from `was`. */
static enum err regroup(struct mastering *m, unsigned nseats, unsigned nbots,
                        unsigned was[static MAX_SEATS + 1])
{
	struct dealing *d = m->d;
	struct hand *h = &m->hand;
	int64_t id = h->game.id;
	bool moved;
	unsigned newest = newest_token(h, &moved);

	note_numbers(h, was);
	TRY(drop_open_seats(m));
	TRY(game_add_bots(d->srv, id, nseats - nbots + 1, nbots, BOT_LEVEL_USUAL));
	h->game.nseats = nseats;
	TRY(game_update(d->srv->store, &h->game));
	hand_release(h);
	TRY(hand_load(d->srv, id, d->arena, h));
	TRY(renew_tokens(m, newest, moved));
	m->seat = NULL;
	for (size_t i = 0; i < h->nseats && !m->seat; i++)
		if (h->seats[i].player == d->player.id)
			m->seat = &h->seats[i];
	if (d->game == id && d->seat != 0) /* a further line of his mail is about that seat */
		d->seat = m->seat ? m->seat->seat : 0;
	return ERR_NONE;
}

/* ---- the command ---- */

static enum err log_begin(struct mastering *m, unsigned nseats, unsigned nbots)
{
	return master_log(
	    m, 0, "let the game begin with %u seats%s", nseats,
	    nbots == 0 ? ""
		       : arena_printf(m->d->arena, ", %u of them played by the server", nbots));
}

/* `played`: by the server from now on, under the names they have; may be empty. */
static enum err tell_of_begin(struct mastering *m, struct seat_set played, const unsigned *was)
{
	struct arena *arena = m->d->arena;
	const char *by_server =
	    seat_count(played) == 0
		? ""
		: arena_printf(arena, " The server plays %s, whose seat%s nobody has taken.",
	                       hand_names_in(&m->hand, played),
	                       seat_count(played) == 1 ? "" : "s");

	return news_tell(
	    m->d, &m->hand, m->seat,
	    &(struct news){
		.subject = "the game begins",
		.moved_from = was,
		.done = arena_printf(arena, "The game begins now.%s The first report follows.",
	                             by_server),
		.heard = arena_printf(arena,
	                              "The master lets the game begin with those who are "
	                              "there.%s The first report follows.",
	                              by_server)});
}

static enum err begin_with(struct mastering *m, unsigned nseats, unsigned nbots)
{
	struct dealing *d = m->d;
	struct hand *h = &m->hand;
	struct seat_set played = {0};
	unsigned was[MAX_SEATS + 1] = {0};

	h->game.start_utc = 0;
	TRY(log_begin(m, nseats, nbots));
	if (h->game.origin == GAME_FORKED)
		TRY(play_open_seats(m, &played));
	else
		TRY(regroup(m, nseats, nbots, was));
	dealing_verdict(d, "master", "%s begins with %u seats", h->id, nseats);
	TRY(tell_of_begin(m, played, was));
	return game_start_if_full(d->srv, h);
}

static unsigned seats_to_begin_with(const struct hand *h, unsigned there)
{
	if (h->game.origin == GAME_FORKED)
		return h->game.nseats;
	return there < h->rules->min_seats ? h->rules->min_seats : there;
}

enum err master_force_begin(struct mastering *m)
{
	struct hand *h = &m->hand;
	unsigned there = seats_for_certain(h), nseats = seats_to_begin_with(h, there);

	if (h->game.status != GAME_GATHERING)
		return master_refuse(m, "status",
		                     "The game has begun already, so nothing was done. How it "
		                     "stands is shown by:");
	if (!anybody_is_there(h))
		return master_refuse(
		    m, arena_printf(m->d->arena, "join %s", h->id),
		    "Nobody has a seat yet who could play, so the game has not begun. Others "
		    "take a seat with:");
	if (h->game.origin != GAME_FORKED && !rules_take(h, nseats))
		return master_refuse(
		    m, "",
		    "With the options of this game its rules do not allow %u seats, "
		    "so it has not begun.",
		    nseats);
	return begin_with(m, nseats, nseats - there);
}
