/*
 * fork.c - whether and how a game can go on from a position of another.
 */
#include "processor/match/fork.h"

#include "processor/archive/resolve.h"
#include "processor/base/utf8.h"

struct planning {
	struct server *srv;
	struct match *source;
	const struct fork_wish *wish;
	struct fork_plan *plan;
	struct strbuf *why;
	const char **example;
	unsigned serial;           /* of the turn with that number */
	struct game_result result; /* at the position */
};

static enum err refuse(struct planning *p, const char *example)
{
	*p->example = example;
	return ERR_INVALID;
}

static enum err refuse_for_new(struct planning *p)
{
	strbuf_addf(p->why, " To open a new %s, send:", p->source->rules->title);
	return refuse(p, arena_printf(p->source->arena, "create %s", p->source->rules->name));
}

/* The newest turn with a result; false when there is none. */
static bool newest_result(const struct match *match, unsigned *serial)
{
	bool there = match->has_turn && match->turn.state == TURN_REPORTED;

	*serial = there ? match->turn.serial : match->turn.parent;
	return there || (match->has_turn && match->turn.serial > 0);
}

static enum err refuse_for_now(struct planning *p)
{
	const struct match *match = p->source;
	unsigned newest;

	if (newest_result(match, &newest))
		strbuf_addf(
		    p->why,
		    "%s is still being played, and a game that went on from it would show "
		    "what is hidden there. As soon as it has ended, any of its turns will do.",
		    match->id);
	else
		strbuf_addf(p->why,
		            "%s has not begun, so there is no position from which a game "
		            "could go on.",
		            match->id);
	return refuse_for_new(p);
}

/* ---- The position ---- */

static enum err result_after(struct planning *p, unsigned serial, bool *over)
{
	struct game_state *state;

	TRY(match_result(p->srv, p->source, serial, &state));
	p->source->rules->result(state, &p->result);
	p->source->rules->free_state(state);
	*over = p->result.over;
	return ERR_NONE;
}

/* Steps from a turn back to the set-up. */
static enum err number_of(struct server *srv, struct arena *arena, int64_t game,
                          unsigned serial, unsigned *number)
{
	struct turn t;

	for (*number = 0; serial > 0; (*number)++) {
		TRY(turn_get(srv->store, game, serial, arena, &t));
		if (t.parent >= serial)
			return err_set(&srv->fail, ERR_CORRUPT,
			               "serial %u has no turn before it", serial);
		serial = t.parent;
	}
	return ERR_NONE;
}

static enum err check_turn(struct planning *p)
{
	const struct match *match = p->source;
	unsigned last, newest;
	struct turn t;
	bool over;

	if (!newest_result(match, &last))
		return refuse_for_now(p);
	/* The last turn after which a game can go on. */
	TRY(result_after(p, last, &over));
	if (over) {
		TRY(turn_get(p->srv->store, match->game.id, last, match->arena, &t));
		last = t.parent;
	}
	TRY(number_of(p->srv, match->arena, match->game.id, last, &newest));
	if (p->wish->number <= newest) {
		/* The turn with the number wished for, of `last` and those that led to it. */
		p->serial = last;
		for (unsigned n = newest; n > p->wish->number; n--) {
			TRY(turn_get(p->srv->store, match->game.id, p->serial, match->arena,
			             &t));
			p->serial = t.parent;
		}
		return ERR_NONE;
	}
	if (newest > 0)
		strbuf_addf(
		    p->why,
		    "A game can go on from the beginning of %s, with AT 0, or after one of "
		    "its turns up to %u; there is nothing to go on from after turn %u. One "
		    "that works:",
		    match->id, newest, p->wish->number);
	else
		strbuf_addf(p->why,
		            "A game can go on from the beginning of %s, with AT 0; there is "
		            "nothing to go on from after turn %u. One that works:",
		            match->id, p->wish->number);
	return refuse(p, arena_printf(match->arena, "fork %s at %u", match->id, newest));
}

static enum err load_position(struct planning *p)
{
	struct match *match = p->source;
	struct fork *f = &p->plan->row;
	struct strbuf text = STRBUF_INIT;
	struct turn turn, parent = {0};
	bool over;

	TRY(result_after(p, p->serial, &over)); /* checks its digest too */
	if (over) { /* in a record of branches also before its last turn */
		strbuf_addf(p->why, "After turn %u of %s the game is over. One that works:",
		            p->wish->number, match->id);
		return refuse(p, arena_printf(match->arena, "fork %s at 0", match->id));
	}
	TRY(turn_get(p->srv->store, match->game.id, p->serial, match->arena, &turn));
	if (turn.serial > 0)
		TRY(turn_get(p->srv->store, match->game.id, turn.parent, match->arena,
		             &parent));
	enum err rc = turn_result(p->srv->store, match->game.id, turn.serial, &text, NULL);
	*f = (struct fork){.source_game = match->game.id,
	                   .source = span_of(match->record_id),
	                   .serial = turn.serial,
	                   .label = turn.label,
	                   .instance = span_of(p->srv->cfg.instance),
	                   .key = keyring_public_key(match_keys(p->srv, match)),
	                   .state_hash = turn.result_hash,
	                   .parent_hash = parent.result_hash,
	                   .orders_hash = turn.orders_hash,
	                   .position = arena_dup(match->arena, strbuf_span(&text))};
	strbuf_release(&text);
	return rc;
}

/* Words are looked up in the list the other game was played with, or not at all. */
static enum err check_tables(struct planning *p)
{
	const struct match *match = p->source;
	const struct rules *rules = match->rules;
	struct options now = match->options;
	bool here = options_bind(&now, match->tables, match->arena, p->why);

	for (size_t i = 0; i < rules->noptions && here; i++) {
		struct span was = span_of(match->options.values[i]);

		here = !rules->options[i].hash_of || span_eq_str(was, now.values[i]) ||
		       span_eq_str(was, rules->options[i].default_value);
		if (!here)
			strbuf_addf(p->why,
			            "%s was played with another %s than this server has "
			            "now, so nobody could go on playing it.",
			            match->id, rules->options[i].hash_of);
	}
	return here ? ERR_NONE : refuse_for_new(p);
}

/* ---- The seats ---- */

static bool still_plays(const struct planning *p, unsigned seat)
{
	return !seat_in(p->result.eliminated, seat);
}

static bool had_bot(const struct planning *p, unsigned seat)
{
	return seat_was_bot(&p->source->seats[seat - 1]);
}

static unsigned own_seat(const struct planning *p)
{
	unsigned first = 0, first_person = 0;

	for (unsigned seat = p->source->game.nseats; seat >= 1; seat--) {
		if (!still_plays(p, seat))
			continue;
		first = seat;
		first_person = had_bot(p, seat) ? first_person : seat;
	}
	for (unsigned seat = 1; seat <= p->source->game.nseats; seat++)
		if (seat_was_of(&p->source->seats[seat - 1], p->wish->creator->id) &&
		    still_plays(p, seat))
			return seat;
	return first_person ? first_person : first;
}

static enum err seat_creator(struct planning *p)
{
	const struct match *match = p->source;
	struct span name = p->wish->seat_name;

	if (!p->wish->creator)
		return ERR_NONE;
	unsigned own = own_seat(p), seat = name.len > 0 ? 0 : own;
	for (unsigned s = 1; s <= match->game.nseats && seat == 0; s++)
		if (utf8_eq_folded(match->seats[s - 1].name, name) && still_plays(p, s))
			seat = s;
	if (seat > 0) {
		struct seat *taken = &p->plan->seats[seat];

		p->plan->creator_seat = seat;
		taken->player = p->wish->creator->id;
		taken->confirmed = p->wish->creator->confirmed;
		return ERR_NONE;
	}
	strbuf_addf(p->why,
	            "Seats keep their names in a game that goes on from another, and nobody "
	            "called \"%.*s\" plays on in %s after turn %u. One that works:",
	            SPAN_ARGS(name), match->id, p->wish->number);
	return refuse(p, arena_printf(match->arena, "fork %s at %u as %s", match->id,
	                              p->wish->number, match->names.names[own]));
}

static bool can_have_bot(const struct planning *p, unsigned seat)
{
	return still_plays(p, seat) && seat != p->plan->creator_seat &&
	       p->plan->seats[seat].bot_level < 0;
}

static void give_bot(struct planning *p, unsigned seat)
{
	p->plan->seats[seat].bot_level = (int)p->wish->bot_level;
	p->plan->seats[seat].confirmed = true;
	p->plan->new.bots++;
}

/* Where bots sat before; then, when more are wanted, from the last seat on. */
static enum err seat_bots(struct planning *p)
{
	unsigned n = p->source->game.nseats;
	bool more = p->wish->says_bots || p->wish->all_bots;
	unsigned left = p->wish->says_bots && !p->wish->all_bots ? p->wish->bots : MAX_SEATS;

	for (unsigned seat = 1; seat <= n && left > 0; seat++)
		if (can_have_bot(p, seat) && had_bot(p, seat)) {
			give_bot(p, seat);
			left--;
		}
	for (unsigned seat = n; seat >= 1 && more && left > 0; seat--)
		if (can_have_bot(p, seat)) {
			give_bot(p, seat);
			left--;
		}
	if (!p->wish->says_bots || p->wish->all_bots || left == 0)
		return ERR_NONE;
	strbuf_addf(
	    p->why,
	    p->plan->new.bots == 1
		? "In %s after turn %u there is only %u seat for bots. One that works:"
		: "In %s after turn %u there are only %u seats for bots. One that works:",
	    p->source->id, p->wish->number, p->plan->new.bots);
	return refuse(p, arena_printf(p->source->arena, "fork %s at %u bots %u", p->source->id,
	                              p->wish->number, p->plan->new.bots));
}

/* ---- The whole ---- */

static enum err plan_game(struct planning *p)
{
	struct match *match = p->source;
	struct press_rules press = p->srv->cfg.press; /* a record says nothing of it */

	if (match->game.origin != GAME_IMPORTED)
		TRY(press_rules_get(p->srv->store, match->game.id, &press));

	p->plan->new = (struct new_game){
	    .rules = match->rules,
	    .options = match->options,
	    .title = SPAN_LIT(""),
	    .players = match->game.nseats,
	    .bot_level = p->wish->bot_level,
	    .calendar = p->wish->calendar,
	    .is_private = p->wish->is_private || p->wish->key.len > 0 || match->game.is_private,
	    .key = p->wish->key,
	    .creator = p->wish->creator,
	    .mail = p->wish->mail,
	    .fork = &p->plan->row,
	    .fork_seats = p->plan->seats,
	    .press = press};
	return ERR_NONE;
}

enum err fork_plan(struct server *srv, struct match *source, const struct fork_wish *wish,
                   struct fork_plan *out, struct strbuf *why, const char **example)
{
	struct planning p = {srv, source, wish, out, why, example, 0, {0}};
	enum game_status status = source->game.status;
	struct import import;

	*out = (struct fork_plan){.creator_seat = 0};
	*example = "";
	if (status == GAME_GATHERING || ((status == GAME_RUNNING || status == GAME_PAUSED) &&
	                                 (source->rules->facts & FACT_HIDDEN)))
		return refuse_for_now(&p);
	TRY(check_turn(&p));
	TRY(check_tables(&p));
	TRY(load_position(&p));
	if (p.source->game.origin == GAME_IMPORTED) {
		TRY(import_get(p.srv->store, p.source->game.id, p.source->arena, &import));
		p.plan->row.instance = import.instance;
		p.plan->row.key = import.key;
	}
	TRY(plan_game(&p));
	for (unsigned seat = 1; seat <= p.source->game.nseats; seat++)
		p.plan->seats[seat] = (struct seat){.seat = seat,
		                                    .bot_level = -1,
		                                    .name = p.source->seats[seat - 1].name,
		                                    .joined_utc = p.srv->now_utc};
	TRY(seat_creator(&p));
	TRY(seat_bots(&p));
	/* Who is out stays out; the seat asks nobody for anything, so the server may as well hold it. */
	for (unsigned seat = 1; seat <= p.source->game.nseats; seat++)
		if (!still_plays(&p, seat))
			give_bot(&p, seat);
	return ERR_NONE;
}

/* "W17, after turn 4", "W17, from its beginning"; by the number the game has here. */
static const char *place(struct match *match, const struct fork *f)
{
	const char *id =
	    arena_printf(match->arena, "%c%lld", match->game.letter, (long long)f->source_game);

	return f->serial == 0
	           ? arena_printf(match->arena, "%s, from its beginning", id)
	           : arena_printf(match->arena, "%s, after %.*s", id, SPAN_ARGS(f->label));
}

enum err fork_story(struct server *srv, struct match *match, const char **out)
{
	struct fork f;

	*out = NULL;
	if (match->game.origin != GAME_FORKED)
		return ERR_NONE;
	TRY(match_fork(srv, match, &f, NULL));
	*out = arena_printf(
	    match->arena, "This game goes on from %s. Seats keep the names they had there.%s",
	    place(match, &f),
	    match->rules->facts & FACT_HIDDEN
		? " What was hidden then has become known since, so it is dealt anew when this "
		  "game starts: what was in a hand or face down there tells nobody what is now."
		: "");
	return ERR_NONE;
}

enum err game_provenance(struct server *srv, struct match *match, const char **out)
{
	struct fork f;
	struct import i;

	*out = NULL;
	if (match->game.origin == GAME_FORKED) {
		TRY(match_fork(srv, match, &f, NULL));
		*out = arena_printf(match->arena, "It goes on from %s.", place(match, &f));
	} else if (match->game.origin == GAME_IMPORTED) {
		TRY(import_get(srv->store, match->game.id, match->arena, &i));
		*out = arena_printf(match->arena, "Taken over from the record of %.*s of %.*s.",
		                    SPAN_ARGS(i.record_id), SPAN_ARGS(i.instance));
	}
	return ERR_NONE;
}

enum err fork_against_bots(struct server *srv, struct match *match, const char **out)
{
	struct game_result result = {0};
	struct game_state *from;
	struct fork f;
	unsigned number;

	*out = NULL;
	if (match->game.origin != GAME_FORKED)
		return ERR_NONE;
	TRY(match_fork(srv, match, &f, NULL));
	TRY(number_of(srv, match->arena, f.source_game, f.serial, &number));
	TRY(match_fork(srv, match, &f, &from));
	match->rules->result(from, &result);
	match->rules->free_state(from);
	*out = arena_printf(match->arena, "fork %c%lld at %u bots %u", match->game.letter,
	                    (long long)f.source_game, number,
	                    match->game.nseats - seat_count(result.eliminated) - 1);
	return ERR_NONE;
}
