/*
 * abort_turn.c - an open turn is broken off: the game ends in it, or turns are taken back.
 */
#include "processor/turns/abort_turn.h"

#include "processor/turns/outage.h"
#include "processor/turns/private.h"

#include "processor/base/banned.h"

bool turn_can_be_broken(const struct hand *h)
{
	return (h->game.status == GAME_RUNNING || h->game.status == GAME_PAUSED) &&
	       h->has_turn && h->turn.serial > 0 && h->turn.state == TURN_OPEN;
}

/* Orders that came during a pause were in time, also in a turn that never went on. */
static enum err end_pause(struct server *srv, struct hand *h)
{
	int64_t moved_utc;

	if (h->game.status != GAME_PAUSED)
		return ERR_NONE;
	return outage_give_back(srv, h, h->game.paused_utc, &moved_utc);
}

/* The lines of the turn as the record will have them, and its orders. */
static enum err drop(struct reporting *r)
{
	struct server *srv = r->srv;
	struct hand *h = r->h;
	struct strbuf state = STRBUF_INIT;
	static const struct digest none = {{0}};

	TRY(reporting_load_players(r));
	TRY(end_pause(srv, h));
	TRY(play_load_orders(srv, r->item));
	h->turn.dropped_utc = srv->now_utc;
	enum err rc = turn_result(srv->store, h->game.id, h->turn.parent, &state, NULL);
	if (rc == ERR_NONE) {
		record_turn_of(h, &h->turn, &r->item->set, SPAN_EMPTY,
		               arena_dup(h->arena, strbuf_span(&state)), &none, &r->turn);
		rc = record_actions(srv, h, h->turn.serial, &r->turn);
	}
	strbuf_release(&state);
	r->key = arena_printf(h->arena, "broken off %u", h->turn.serial);
	r->broken_label = arena_cstr(h->arena, h->turn.label);
	return rc;
}

static enum err write(struct reporting *r, unsigned serial)
{
	TRY(turn_drop(r->srv->store, r->h->game.id, serial, r->srv->now_utc));
	return play_write_outcome(r->srv, r->item);
}

/* The hand is lent to the item while it is worked on. */
static void begin(struct reporting *r, struct server *srv, struct hand *h,
                  struct play_item *item)
{
	*item = (struct play_item){.hand = *h, .why = STRBUF_INIT};
	*r = (struct reporting){.srv = srv, .item = item, .h = &item->hand};
}

static enum err finish(struct reporting *r, unsigned serial, const bool *had_left)
{
	struct hand *h = r->h;
	enum err rc = record_header(r->srv, h, &r->record);

	if (rc != ERR_NONE) {
		h->rules->free_state(r->state);
		return rc;
	}
	reporting_extend_chain(r);
	if (!r->item->ended) {
		unsigned parent = h->turn.parent;
		TRY(reporting_open_next(r));
		r->item->next.parent = parent;
	}
	TRY(reporting_mails(r, had_left));
	return write(r, serial);
}

enum err break_for_good(struct server *srv, struct hand *h, enum game_status status,
                        struct seat_set agreed)
{
	struct play_item item;
	struct reporting r;
	bool had_left[MAX_SEATS] = {false};

	begin(&r, srv, h, &item);
	for (size_t i = 0; i < h->nseats; i++)
		had_left[i] = h->seats[i].resigned;
	enum err rc = drop(&r);
	if (rc == ERR_NONE)
		rc = hand_result(srv, r.h, r.h->turn.parent, &r.state);
	if (rc == ERR_NONE) {
		r.h->rules->result(r.state, &r.result);
		if (agreed.bits != 0)
			game_result_agree(&r.result, agreed);
		r.h->game.status = status;
		r.h->game.agreed = agreed.bits;
		r.h->game.ended_utc = srv->now_utc;
		r.h->game.paused_utc = 0;
		item.ended = true;
		rc = finish(&r, r.h->turn.serial, had_left);
	}
	*h = item.hand;
	return rc;
}

/* Whoever left in a turn that is taken back has not left, nor missed it. */
static void bring_back(struct reporting *r, bool *had_left)
{
	struct hand *h = r->h;

	r->h->rules->result(r->state, &r->result);
	for (size_t i = 0; i < h->nseats; i++) {
		h->seats[i].resigned = h->seats[i].resigned &&
		                       seat_in(r->result.eliminated, h->seats[i].seat);
		h->seats[i].missed = 0;
		had_left[i] = h->seats[i].resigned;
	}
}

enum err break_back_to(struct server *srv, struct hand *h, unsigned serial)
{
	struct play_item item;
	struct reporting r;
	bool had_left[MAX_SEATS] = {false};

	begin(&r, srv, h, &item);
	enum err rc = drop(&r);
	if (rc == ERR_NONE)
		rc = hand_result(srv, r.h, serial, &r.state);
	if (rc == ERR_NONE) {
		unsigned broken = r.h->turn.serial;
		bring_back(&r, had_left);
		r.h->game.idle_turns = 0;
		if (r.h->game.status == GAME_PAUSED)
			r.h->game.paused_utc = srv->now_utc;
		r.h->turn.parent = serial; /* of the turn that opens */
		rc = finish(&r, broken, had_left);
	}
	*h = item.hand;
	return rc;
}
