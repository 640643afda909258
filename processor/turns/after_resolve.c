/*
 * after_resolve.c - what follows from a resolved turn: how the game stands, the next turn, the
 * orders of bots, the chain of its record. The mails are in turn_mails.c.
 */
#include "processor/archive/proof.h"
#include "processor/match/fork.h"
#include "processor/match/match_clock.h"
#include "processor/outgoing/outgoing.h"
#include "processor/outgoing/unreachable.h"
#include "processor/turns/missed_turns.h"
#include "processor/turns/private.h"

#include "processor/base/banned.h"

/* A seat that waits for somebody to take it over is a person who sends nothing. */
static bool belongs_to_people(const struct seat *s)
{
	return s->player != 0 || (s->vacated_utc != 0 && s->bot_level < 0);
}

/* Whether a person owed orders, and whether one sent any. */
static void count_idle(struct reporting *r)
{
	bool owed = false, sent = false;

	for (unsigned s = 1; s <= r->h->nseats; s++) {
		const struct seat_entry *e = &r->item->set.seats[s];
		if (!belongs_to_people(&r->h->seats[s - 1]) || !e->acts)
			continue;
		owed = true;
		sent = sent || !seat_entry_is_silent(e);
	}
	if (owed)
		r->h->game.idle_turns = sent ? 0 : r->h->game.idle_turns + 1;
}

static void note_leavers(struct reporting *r)
{
	for (unsigned s = 1; s <= r->h->nseats; s++) {
		const struct seat_entry *e = &r->item->set.seats[s];
		struct seat *seat = &r->h->seats[s - 1];
		if (e->acts && e->origin == ORDER_RESIGNED)
			seat->resigned = true;
	}
}

static void settle_end(struct reporting *r)
{
	struct game *g = &r->h->game;

	r->h->rules->result(r->state, &r->result);
	if (r->result.over)
		g->status = GAME_OVER;
	else if (g->idle_turns >= IDLE_TURNS)
		g->status = GAME_ABANDONED;
	r->item->ended = g->status != GAME_RUNNING;
	if (r->item->ended)
		g->ended_utc = r->srv->now_utc;
}

/*
 * What the turn came to: as the resolve stage of this run left it, else from the database. The
 * texts stay with the item, the position goes to r->state.
 */
static enum err position_after(struct reporting *r)
{
	struct turn_output *out = &r->item->out;
	struct hand *h = r->h;

	r->state = out->next;
	out->next = NULL;
	if (r->state)
		return ERR_NONE;
	TRY(turn_result(r->srv->store, h->game.id, h->turn.serial, &out->state_text,
	                &out->chance_text));
	return hand_result(r->srv, h, h->turn.serial, &r->state);
}

void reporting_extend_chain(struct reporting *r)
{
	struct hand *h = r->h;

	r->chain = (struct record_chain){h->game.record_lines, h->game.record_head};
	if (h->turn.serial == 0)
		archive_add_header(&r->record, false, &r->chain, NULL);
	archive_add_turn(&r->record, &r->turn, false, &r->chain, NULL);
	r->record.turns = &r->turn;
	r->record.nturns = 1;
	if (r->item->ended)
		archive_add_end(&r->record, &r->chain, NULL);
	h->game.record_lines = r->chain.lines;
	h->game.record_head = r->chain.head;
	proof_sign_head(h->id, r->chain.lines, &r->chain.head, r->srv->keys, r->signature);
}

/* The archive's lines of this turn, chained on. */
static enum err extend_chain(struct reporting *r)
{
	struct turn_output *result = &r->item->out;
	struct hand *h = r->h;
	enum err rc = record_header(r->srv, h, &r->record);

	if (rc == ERR_NONE) {
		record_turn_of(h, &h->turn, &r->item->set, strbuf_span(&result->chance_text),
		               strbuf_span(&result->state_text), &h->turn.result_digest,
		               &r->turn);
		rc = record_actions(r->srv, h, h->turn.serial, &r->turn);
		absence_add_actions(r->srv, h, r->item->excused, r->item->vacated, &r->turn);
	}
	if (rc == ERR_NONE)
		reporting_extend_chain(r);
	return rc;
}

/* People whose turns are held until the deadline from the start: option commit=deadline. */
static struct seat_set seats_held(const struct hand *h, struct seat_set owes)
{
	struct seat_set held = {0};

	for (size_t i = 0; i < h->nseats; i++)
		if (h->seats[i].bot_level < 0 && seat_in(owes, h->seats[i].seat))
			held = seat_with(held, h->seats[i].seat);
	return held;
}

static void open_next(struct reporting *r)
{
	struct strbuf label = STRBUF_INIT;
	struct hand *h = r->h;
	struct turn *t = &r->item->next;

	h->rules->label(r->state, &label);
	*t = (struct turn){
	    .game = h->game.id,
	    .serial = h->turn.serial + 1,
	    .parent = h->turn.serial,
	    .state = TURN_OPEN,
	    .label = arena_dup(h->arena, strbuf_span(&label)),
	    .owes = h->rules->owes(r->state).bits,
	    .opened_utc = r->srv->now_utc,
	};
	pace_open(r->srv, h, r->players, h->rules->phase(r->state), t);
	if (options_has(&h->options, "commit", "deadline"))
		t->waiting = seats_held(h, (struct seat_set){t->owes}).bits;
	h->game.serial = t->serial;
	strbuf_release(&label);
}

static void bot_orders(struct reporting *r, const struct seat *seat)
{
	struct turn *t = &r->item->next;
	struct strbuf text = STRBUF_INIT;

	stand_in_bot(r->h, r->state, t->serial, seat->seat, (unsigned)seat->bot_level, &text);
	r->item->bots[r->item->nbots++] = (struct order_revision){
	    .game = t->game,
	    .serial = t->serial,
	    .seat = seat->seat,
	    .revision = 1,
	    .origin = ORDER_BOT,
	    .received_utc = t->opened_utc,
	    .canonical = arena_dup(r->h->arena, strbuf_span(&text)),
	};
	t->have |= seat_with((struct seat_set){0}, seat->seat).bits;
	strbuf_release(&text);
}

static void all_bots_order(struct reporting *r)
{
	r->item->bots = arena_calloc(r->h->arena, r->h->nseats + 1, sizeof(*r->item->bots));
	for (size_t i = 0; i < r->h->nseats; i++)
		if (r->h->seats[i].bot_level >= 0 &&
		    seat_in((struct seat_set){r->item->next.owes}, r->h->seats[i].seat))
			bot_orders(r, &r->h->seats[i]);
}

/* For the turn that was resolved; that somebody leaves is written too. */
static bool somebody_wrote(const struct reporting *r)
{
	for (unsigned s = 1; s <= r->h->nseats; s++) {
		const struct seat_entry *e = &r->item->set.seats[s];

		if (e->acts && !seat_entry_is_silent(e) && e->origin != ORDER_STANDING &&
		    e->origin != ORDER_BOT)
			return true;
	}
	return false;
}

/* What players have queued for the turn, and standing orders that do not wait. */
static enum err open_laid_down(struct reporting *r)
{
	struct hand next = *r->h;

	next.turn = r->item->next;
	next.state = r->state;
	TRY(stand_in_open(r->srv, &next, r->resolved_label && !somebody_wrote(r),
	                  &r->item->opening));
	r->item->next.have = next.turn.have;
	r->item->next.covered = next.turn.covered;
	return ERR_NONE;
}

enum err reporting_open_next(struct reporting *r)
{
	open_next(r);
	all_bots_order(r);
	TRY(open_laid_down(r));
	return pace_put_off(r->srv, r->h, r->players, &r->item->next, &r->put_off);
}

enum err play_prepare_report(struct server *srv, struct play_item *item)
{
	struct reporting r = {.srv = srv, .item = item, .h = &item->hand};
	bool had_left[MAX_SEATS] = {false};

	TRY(play_load_orders(srv, item));
	TRY(position_after(&r));
	r.key = post_key_after(r.h->turn.serial, r.h->arena);
	for (size_t i = 0; i < r.h->nseats; i++)
		had_left[i] = r.h->seats[i].resigned;
	if (r.h->turn.serial > 0) {
		r.resolved_label = arena_cstr(r.h->arena, r.h->turn.label);
		count_idle(&r);
		note_leavers(&r);
		TRY(absence_count(srv, r.h, &item->set, &item->excused));
	} else {
		TRY(fork_story(srv, r.h, &r.goes_on));
	}
	settle_end(&r);
	TRY(reporting_load_players(&r));
	if (!item->ended && r.h->turn.serial > 0)
		item->vacated = absence_vacate(srv, r.h);
	TRY(extend_chain(&r));
	if (!item->ended)
		TRY(reporting_open_next(&r));
	return reporting_mails(&r, had_left);
}

static enum err write_opening(struct server *srv, const struct opening *o)
{
	for (size_t i = 0; i < o->nrevisions; i++)
		TRY(orders_append(srv->store, &o->revisions[i]));
	for (size_t i = 0; i < o->ngone; i++)
		TRY(provision_drop(srv->store, o->gone[i].game, o->gone[i].seat,
		                   o->gone[i].kind, o->gone[i].number));
	return ERR_NONE;
}

enum err play_write_outcome(struct server *srv, const struct play_item *item)
{
	const struct hand *h = &item->hand;

	for (size_t i = 0; i < item->nmails; i++)
		TRY(outbox_add(srv->store, &item->mails[i], NULL));
	TRY(absence_write(srv, h, h->seats, item->excused, item->vacated));
	for (size_t i = 0; i < h->nseats; i++)
		if (h->seats[i].player != 0 || h->seats[i].vacated_utc != 0)
			TRY(seat_update(srv->store, &h->seats[i]));
	TRY(game_update(srv->store, &h->game));
	TRY(press_due_done(srv, h, &item->press));
	if (item->next.serial == 0)
		return ERR_NONE;
	TRY(turn_open(srv->store, &item->next));
	for (size_t i = 0; i < item->nbots; i++)
		TRY(orders_append(srv->store, &item->bots[i]));
	TRY(write_opening(srv, &item->opening));
	return item->next.serial == 1 ? unreachable_at_start(srv, item->id.game, h->arena)
	                              : ERR_NONE;
}
