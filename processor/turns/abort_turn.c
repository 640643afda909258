/*
 * abort_turn.c - an open turn is broken off: the game ends in it, or turns are taken back.
 */
#include "processor/turns/abort_turn.h"

#include "processor/turns/outage.h"
#include "processor/turns/private.h"

bool turn_can_be_aborted(const struct match *match)
{
	return (match->game.status == GAME_RUNNING || match->game.status == GAME_PAUSED) &&
	       match->has_turn && match->turn.serial > 0 && match->turn.state == TURN_OPEN;
}

/* The lines of the turn as the record will have them, and its orders. */
static enum err drop(struct resolved_turn *r)
{
	struct server *srv = r->srv;
	struct match *match = r->match;
	struct strbuf text = STRBUF_INIT;
	static const struct hash none = {{0}};
	int64_t moved_utc;

	TRY(resolved_turn_load_seats(r));
	/* Orders that came during a pause were in time, also in a turn that never went on. */
	if (match->game.status == GAME_PAUSED)
		TRY(outage_give_back(srv, match, match->game.paused_utc, &moved_utc));
	TRY(due_turn_load_orders(srv, r->item));
	match->turn.dropped_utc = srv->now_utc;
	enum err rc = turn_result(srv->store, match->game.id, match->turn.parent, &text, NULL);
	struct span state = arena_take(match->arena, &text);
	TRY(rc);
	record_turn_of(match, &match->turn, &r->item->set, SPAN_EMPTY, state, &none, &r->turn);
	r->key = arena_printf(match->arena, "broken off %u", match->turn.serial);
	r->aborted_label = arena_cstr(match->arena, match->turn.label);
	return record_actions(srv, match, match->turn.serial, &r->turn);
}

/* The match is lent to the item while it is worked on. */
static void begin(struct resolved_turn *r, struct server *srv, struct match *match,
                  struct due_turn *item)
{
	*item = (struct due_turn){.match = *match, .why = STRBUF_INIT};
	*r = (struct resolved_turn){.srv = srv, .item = item, .match = &item->match};
}

static enum err finish(struct resolved_turn *r, unsigned serial, const bool *had_left)
{
	struct match *match = r->match;
	enum err rc = record_header(r->srv, match, &r->record);

	if (rc != ERR_NONE) {
		match->rules->free_state(r->state);
		return rc;
	}
	resolved_turn_extend_chain(r);
	if (!r->item->ended) {
		unsigned parent = match->turn.parent;
		TRY(resolved_turn_open_next(r));
		r->item->next.parent = parent;
	}
	TRY(resolved_turn_mails(r, had_left));
	TRY(turn_drop(r->srv->store, r->match->game.id, serial, r->srv->now_utc));
	return due_turn_write_outcome(r->srv, r->item);
}

enum err abort_game(struct server *srv, struct match *match, enum game_status status,
                    struct seat_set agreed)
{
	struct due_turn item;
	struct resolved_turn r;
	bool had_left[MAX_SEATS] = {false};

	begin(&r, srv, match, &item);
	for (size_t i = 0; i < match->nseats; i++)
		had_left[i] = match->seats[i].resigned;
	enum err rc = drop(&r);
	if (rc == ERR_NONE)
		rc = match_result(srv, r.match, r.match->turn.parent, &r.state);
	if (rc == ERR_NONE) {
		r.match->rules->result(r.state, &r.result);
		if (agreed.bits != 0)
			game_result_agree(&r.result, agreed);
		r.match->game.status = status;
		r.match->game.agreed = agreed.bits;
		r.match->game.ended_utc = srv->now_utc;
		r.match->game.paused_utc = 0;
		item.ended = true;
		rc = finish(&r, r.match->turn.serial, had_left);
	}
	*match = item.match;
	return rc;
}

enum err abort_turn_back_to(struct server *srv, struct match *match, unsigned serial)
{
	struct due_turn item;
	struct resolved_turn r;
	bool had_left[MAX_SEATS] = {false};

	begin(&r, srv, match, &item);
	enum err rc = drop(&r);
	if (rc == ERR_NONE)
		rc = match_result(srv, r.match, serial, &r.state);
	if (rc == ERR_NONE) {
		unsigned broken = r.match->turn.serial;
		r.match->rules->result(r.state, &r.result);
		/* Whoever left in a turn that is taken back has not left, nor missed it. */
		for (size_t i = 0; i < r.match->nseats; i++) {
			struct seat *s = &r.match->seats[i];

			had_left[i] = s->resigned = s->resigned &&
			                            seat_in(r.result.eliminated, s->seat);
			s->missed = 0;
		}
		r.match->game.idle_turns = 0;
		if (r.match->game.status == GAME_PAUSED)
			r.match->game.paused_utc = srv->now_utc;
		r.match->turn.parent = serial; /* of the turn that opens */
		rc = finish(&r, broken, had_left);
	}
	*match = item.match;
	return rc;
}
