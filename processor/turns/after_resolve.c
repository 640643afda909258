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
#include "store/absences.h"
#include "store/audit.h"

void resolved_turn_extend_chain(struct resolved_turn *r)
{
	struct match *match = r->match;

	r->chain = (struct record_chain){match->game.record_lines, match->game.record_head};
	if (match->turn.serial == 0)
		archive_add_header(&r->record, false, &r->chain, NULL);
	archive_add_turn(&r->record, &r->turn, false, &r->chain, NULL);
	r->record.turns = &r->turn;
	r->record.nturns = 1;
	if (r->item->ended)
		archive_add_end(&r->record, &r->chain, NULL);
	match->game.record_lines = r->chain.lines;
	match->game.record_head = r->chain.head;
	proof_sign_head(&(struct proof_head){match->game.record_version, match->id,
	                                     match->turn.serial, r->chain.lines, r->chain.head},
	                match_keys(r->srv, match), r->signature);
}

static void open_next(struct resolved_turn *r)
{
	struct strbuf label = STRBUF_INIT;
	struct match *match = r->match;
	struct turn *t = &r->item->next;

	match->rules->label(r->state, &label);
	*t = (struct turn){
	    .game = match->game.id,
	    .serial = match->turn.serial + 1,
	    .parent = match->turn.serial,
	    .state = TURN_OPEN,
	    .label = arena_take(match->arena, &label),
	    .owes = match->rules->owes(r->state).bits,
	    .opened_utc = r->srv->now_utc,
	};
	t->orders_sum =
	    orders_sum(r->srv->store, t->game, t->serial, &match->game.record_head, NULL, 0);
	match_clock_open(r->srv, match, r->players, match->rules->phase(r->state), t);
	/* The turns of people are held until the deadline from the start. */
	if (options_has(&match->options, "commit", "deadline"))
		for (size_t i = 0; i < match->nseats; i++)
			if (match->seats[i].bot_level < 0)
				t->waiting |= t->owes & 1u << i;
	match->game.serial = t->serial;
}

static void bot_orders(struct resolved_turn *r, const struct seat *seat)
{
	struct turn *t = &r->item->next;
	struct strbuf text = STRBUF_INIT, drawn = STRBUF_INIT;

	substitute_bot(r->match, r->state, t->serial, seat->seat, (unsigned)seat->bot_level,
	               &text, &drawn);
	r->item->bots[r->item->nbots++] = (struct order_revision){
	    .game = t->game,
	    .serial = t->serial,
	    .seat = seat->seat,
	    .revision = 1,
	    .origin = ORDER_BOT,
	    .received_utc = t->opened_utc,
	    .canonical = arena_take(r->match->arena, &text),
	    .drawn = arena_take(r->match->arena, &drawn),
	};
	t->have |= seat_with((struct seat_set){0}, seat->seat).bits;
}

/* For the turn that was resolved; that somebody leaves is written too. */
static bool somebody_wrote(const struct resolved_turn *r)
{
	for (unsigned s = 1; s <= r->match->nseats; s++) {
		const struct seat_entry *e = &r->item->set.seats[s];

		if (e->acts && !seat_entry_is_silent(e) && e->origin != ORDER_STANDING &&
		    e->origin != ORDER_BOT)
			return true;
	}
	return false;
}

enum err resolved_turn_open_next(struct resolved_turn *r)
{
	open_next(r);
	r->item->bots =
	    arena_calloc(r->match->arena, r->match->nseats + 1, sizeof(*r->item->bots));
	for (size_t i = 0; i < r->match->nseats; i++)
		if (r->match->seats[i].bot_level >= 0 &&
		    seat_in((struct seat_set){r->item->next.owes}, r->match->seats[i].seat))
			bot_orders(r, &r->match->seats[i]);
	/* What players have queued for the turn, and standing orders that do not wait. */
	struct match next = *r->match;

	next.turn = r->item->next;
	next.state = r->state;
	substitute_open(&next, &r->standing, r->resolved_label && !somebody_wrote(r),
	                &r->item->opening);
	r->item->next.have = next.turn.have;
	r->item->next.covered = next.turn.covered;
	return match_clock_put_off(r->srv, r->match, r->players, &r->item->next, &r->put_off);
}

void due_turn_ask_for_report(struct server *srv, const struct due_turn *item,
                             struct arena *arena)
{
	struct standing_order *standing;
	struct observer *observers;
	struct audit_entry *events;
	struct press *press;
	size_t n;

	due_turn_ask_ahead(srv, item, arena);
	for (size_t i = 0; i < item->match.nseats; i++)
		if (item->match.seats[i].player != 0) {
			struct outbox_outline *outlines;
			struct absence *absences;
			struct player p;

			store_only_asked(
			    player_get(srv->store, item->match.seats[i].player, arena, &p));
			store_only_asked(absence_list(srv->store, item->match.seats[i].player,
			                              srv->now_utc, arena, &absences, &n));
			store_only_asked(outbox_new_outlines(
			    srv->store, item->id.game, item->id.serial,
			    item->match.seats[i].seat, item->match.seats[i].player, arena,
			    &outlines, &n));
		}
	store_only_asked(audit_list(srv->store, item->id.game, arena, &events, &n));
	store_only_asked(standing_order_list(srv->store, item->id.game, arena, &standing, &n));
	store_only_asked(press_waiting(srv->store, item->id.game, false, arena, &press, &n));
	store_only_asked(observer_list(srv->store, item->id.game, arena, &observers, &n));
}

enum err due_turn_prepare_report(struct server *srv, struct due_turn *item)
{
	struct resolved_turn r = {.srv = srv, .item = item, .match = &item->match};
	bool had_left[MAX_SEATS] = {false};

	TRY(due_turn_load_orders(srv, item));
	/*
	 * What the turn came to: as the resolve stage of this run left it, else from the database. The
	 * texts stay with the item, the position goes to r.state.
	 */
	struct resolve_output *result = &item->out;
	struct match *match = r.match;
	r.state = result->next;
	result->next = NULL;
	if (!r.state) {
		TRY(turn_result(srv->store, match->game.id, match->turn.serial,
		                &result->state_text, &result->chance_text));
		TRY(match_result(srv, match, match->turn.serial, &r.state));
	}
	r.key = outgoing_key_after(r.match->turn.serial, r.match->arena);
	for (size_t i = 0; i < r.match->nseats; i++)
		had_left[i] = r.match->seats[i].resigned;
	if (r.match->turn.serial > 0) {
		r.resolved_label = arena_cstr(r.match->arena, r.match->turn.label);
		/* Whether a person owed orders, and whether one sent any. */
		bool owed = false, sent = false;
		for (unsigned s = 1; s <= r.match->nseats; s++) {
			const struct seat_entry *e = &r.item->set.seats[s];
			struct seat *seat = &r.match->seats[s - 1];

			/* A seat that waits for somebody to take it over is a person who sends nothing. */
			if (e->acts && (seat->player != 0 ||
			                (seat->vacated_utc != 0 && seat->bot_level < 0))) {
				owed = true;
				sent = sent || !seat_entry_is_silent(e);
			}
			if (e->acts && e->origin == ORDER_RESIGNED)
				seat->resigned = true;
		}
		if (owed)
			r.match->game.idle_turns = sent ? 0 : r.match->game.idle_turns + 1;
		TRY(missed_turns_count(srv, r.match, &item->set, &item->excused));
	} else {
		TRY(fork_story(srv, r.match, &r.goes_on));
	}
	struct game *g = &r.match->game;
	r.match->rules->result(r.state, &r.result);
	if (r.result.over)
		g->status = GAME_OVER;
	else if (g->idle_turns >= IDLE_TURNS)
		g->status = GAME_ABANDONED;
	r.item->ended = g->status != GAME_RUNNING;
	if (r.item->ended)
		g->ended_utc = r.srv->now_utc;
	TRY(resolved_turn_load_seats(&r));
	if (!item->ended && r.match->turn.serial > 0)
		item->vacated = missed_turns_vacate(srv, r.match);
	/* The archive's lines of this turn, chained on. */
	TRY(record_header(srv, match, &r.record));
	record_turn_of(match, &match->turn, &item->set, strbuf_span(&result->chance_text),
	               strbuf_span(&result->state_text), &match->turn.result_hash, &r.turn);
	TRY(record_actions(srv, match, match->turn.serial, &r.turn));
	missed_turns_add_actions(srv, match, item->excused, item->vacated, &r.turn);
	resolved_turn_extend_chain(&r);
	if (!item->ended)
		TRY(resolved_turn_open_next(&r));
	return resolved_turn_mails(&r, had_left);
}

enum err due_turn_write_outcome(struct server *srv, const struct due_turn *item)
{
	const struct match *match = &item->match;

	for (size_t i = 0; i < item->nmails; i++)
		TRY(outbox_add_new(srv->store, &item->mails[i]));
	TRY(missed_turns_write(srv, match, match->seats, item->excused, item->vacated));
	for (size_t i = 0; i < match->nseats; i++)
		if (match->seats[i].player != 0 || match->seats[i].vacated_utc != 0)
			TRY(seat_update(srv->store, &match->seats[i]));
	TRY(game_update(srv->store, &match->game));
	TRY(press_due_done(srv, match, &item->press));
	if (item->next.serial == 0)
		return ERR_NONE;
	TRY(turn_open(srv->store, &item->next));
	for (size_t i = 0; i < item->nbots; i++)
		TRY(orders_append(srv->store, &item->bots[i]));
	for (size_t i = 0; i < item->opening.nrevisions; i++)
		TRY(orders_append(srv->store, &item->opening.revisions[i]));
	for (size_t i = 0; i < item->opening.ngone; i++)
		TRY(standing_order_drop(srv->store, item->opening.gone[i].game,
		                        item->opening.gone[i].seat, item->opening.gone[i].kind,
		                        item->opening.gone[i].number));
	return item->next.serial == 1 ? unreachable_at_start(srv, item->id.game, match->arena)
	                              : ERR_NONE;
}
