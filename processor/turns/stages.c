/*
 * stages.c - the three stages of a turn, in batches.
 */
#include "processor/turns/stages.h"

#include <stdlib.h>
#include <string.h>

#include "processor/archive/proof.h"
#include "processor/base/step.h"
#include "processor/calendar/deadline.h"
#include "processor/turns/batch.h"
#include "processor/turns/private.h"

enum { BATCH = 400, AHEAD = 40, MOST_ROUNDS = 500 };

/* One stage: what is listed, computed, written. */
struct stage {
	const char *name;
	enum turn_due due;
	enum turn_state from; /* the turns that it is for */
	/* What `prepare` will read; it may be of no use. */
	void (*ask_ahead)(struct server *srv, const struct due_turn *item, struct arena *arena);
	enum err (*prepare)(struct server *srv, const struct run_limits *limits,
	                    struct due_turn *item);
	enum err (*write)(struct server *srv, const struct due_turn *item);
	/* What was written, in memory too, for the next stage; NULL: there is none. */
	void (*advance)(const struct server *srv, struct due_turn *item);
};

static enum err prepare_seal(struct server *srv, const struct run_limits *limits,
                             struct due_turn *item)
{
	const struct turn *t = &item->match.turn;
	struct deadline_answer a = deadline_decide(&(struct deadline_input){
	    .now_utc = srv->now_utc,
	    .read_through_utc = limits->read_through_utc,
	    .deadline_utc = t->deadline_utc,
	    .owes = t->owes,
	    .have = t->have,
	    .waiting = t->waiting,
	    .covered = t->covered,
	    .vacant = t->vacant,
	    .held = item->match.game.held,
	    .grace_utc = t->grace_utc,
	    .settle_utc = t->settle_utc,
	});

	item->skip = a.verdict == DEADLINE_WAIT;
	if (item->skip)
		return ERR_NONE;
	TRY(due_turn_load_orders(srv, item));
	if ((t->owes & ~t->have) != 0)
		TRY(substitute_seal(srv, &item->match, &item->set, &item->filled,
		                    &item->nfilled));
	item->seal = order_set_hash(&item->match, &item->set);
	return ERR_NONE;
}

static enum err write_seal(struct server *srv, const struct due_turn *item)
{
	for (size_t i = 0; i < item->nfilled; i++)
		TRY(orders_append(srv->store, &item->filled[i]));
	return turn_seal(srv->store, item->id.game, item->id.serial, &item->seal, srv->now_utc);
}

static void advance_sealed(const struct server *srv, struct due_turn *item)
{
	item->match.turn.state = TURN_SEALED;
	item->match.turn.orders_hash = item->seal;
	item->match.turn.sealed_utc = srv->now_utc;
	for (size_t i = 0; i < item->nfilled; i++)
		item->match.turn.have =
		    seat_with((struct seat_set){item->match.turn.have}, item->filled[i].seat)
			.bits;
}

/* Notes what the draws follow from, which the next turn's go on from. */
static struct hash turn_key(struct due_turn *item)
{
	const struct match *match = &item->match;

	if (match->game.record_version == 1)
		return proof_turn_key(&match->secret, match->id, match->turn.serial,
		                      &match->turn.orders_hash);
	item->inputs = order_set_inputs_hash(match, &item->set);
	return proof_inputs_key(&match->secret, &item->inputs);
}

static enum err prepare_resolve(struct server *srv, const struct run_limits *limits,
                                struct due_turn *item)
{
	struct match *match = &item->match;
	struct seat_orders orders[MAX_SEATS + 1] = {0};
	struct fork fork;

	(void)limits;
	TRY(due_turn_load_orders(srv, item));
	if (match->turn.serial == 0 && match->game.origin == GAME_FORKED && !match->state)
		TRY(match_fork(srv, match, &fork, &match->state));
	for (unsigned s = 1; s <= match->nseats; s++)
		if (item->set.seats[s].acts)
			orders[s] = (struct seat_orders){item->set.seats[s].canonical,
			                                 item->set.seats[s].origin};
	struct resolve_input in = {.rules = match->rules,
	                           .options = &match->options,
	                           .game = match->id,
	                           .serial = match->turn.serial,
	                           .names = &match->names,
	                           .now = match->state,
	                           .orders = orders,
	                           .key = turn_key(item),
	                           .parent_hash = match->parent.result_hash,
	                           .orders_hash = match->turn.orders_hash};
	struct strbuf why = STRBUF_INIT;
	enum err rc = ERR_NONE;
	if (!resolve_compute(&in, &item->out, &why))
		rc = err_set(&srv->fail, ERR_CORRUPT, "%s: serial %u does not resolve: %s",
		             match->id, match->turn.serial, why.ptr);
	strbuf_release(&why);
	return rc;
}

static enum err write_resolve(struct server *srv, const struct due_turn *item)
{
	return turn_resolved(
	    srv->store, item->id.game, item->id.serial, strbuf_span(&item->out.state_text),
	    strbuf_span(&item->out.chance_text), &item->out.hash, &item->inputs);
}

static void advance_resolved(const struct server *srv, struct due_turn *item)
{
	(void)srv;
	item->match.turn.state = TURN_RESOLVED;
	item->match.turn.result_hash = item->out.hash;
	item->match.turn.inputs_hash = item->inputs;
}

static enum err prepare_report(struct server *srv, const struct run_limits *limits,
                               struct due_turn *item)
{
	(void)limits;
	return due_turn_prepare_report(srv, item);
}

static enum err write_report(struct server *srv, const struct due_turn *item)
{
	TRY(turn_reported(srv->store, item->id.game, item->id.serial));
	return due_turn_write_outcome(srv, item);
}

static const struct stage stages[] = {
    {"seal", DUE_SEAL, TURN_OPEN, due_turn_ask_ahead, prepare_seal, write_seal, advance_sealed},
    {"resolve", DUE_RESOLVE, TURN_SEALED, due_turn_ask_ahead, prepare_resolve, write_resolve,
     advance_resolved},
    {"report", DUE_REPORT, TURN_RESOLVED, due_turn_ask_for_report, prepare_report, write_report,
     NULL},
};
enum { NSTAGES = sizeof(stages) / sizeof(stages[0]) };

static enum err prepare_item(struct server *srv, const struct stage *stage,
                             const struct run_limits *limits, struct due_turn *item,
                             struct arena *arena)
{
	enum err rc = ERR_NONE;

	if (!item->match.rules) /* the first stage that it goes through here */
		rc = match_load(srv, item->id.game, arena, &item->match);
	if (rc == ERR_NONE)
		step_in_hand(span_of(item->match.id), item->id.serial);
	if (rc == ERR_NONE &&
	    (item->match.game.held || item->match.turn.serial != item->id.serial ||
	     item->match.turn.state != stage->from))
		item->skip = true;
	else if (rc == ERR_NONE)
		rc = stage->prepare(srv, limits, item);
	if (rc == ERR_NONE || !server_blames_game(rc))
		return rc;
	item->failed = true;
	strbuf_addf(&item->why, "%s: %s", stage->name, server_why(srv, rc));
	return ERR_NONE;
}

static enum err write_items(struct server *srv, const struct stage *stage,
                            struct due_turn *items, size_t n, unsigned *written)
{
	for (size_t i = 0; i < n; i++) {
		if (items[i].failed)
			TRY(game_hold_now(srv, items[i].id.game, items[i].why.ptr));
		else if (!items[i].skip)
			TRY(stage->write(srv, &items[i]));
		*written += !items[i].failed && !items[i].skip;
	}
	/* Where no stage follows nothing is in hand any more. */
	return !stage->advance || *written == 0 ? in_flight_clear(srv->store) : ERR_NONE;
}

static void release_items(struct due_turn *items, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (items[i].match.rules)
			resolve_output_release(items[i].match.rules, &items[i].out);
		match_release(&items[i].match);
		strbuf_release(&items[i].why);
	}
}

static void ask_ahead(struct server *srv, const struct stage *stage,
                      const struct due_turn *items, size_t n, struct arena *arena)
{
	if (!store_ask_ahead(srv->store))
		return;
	for (size_t i = 0; i < n; i++)
		stage->ask_ahead(srv, &items[i], arena);
	store_asked_ahead(srv->store);
}

/* What goes through the stages together, and how far it has come. */
struct batch {
	const struct stage *stage;
	struct turn_id *ids;
	size_t n; /* of those still under way */
};

/* Takes a batch through this stage and all behind it: games are loaded and checked once for all. */
static enum err run_through(struct server *srv, const struct run_limits *limits,
                            struct batch *b, struct due_turn *items, struct arena *arena,
                            unsigned *done)
{
	for (;;) {
		/* One transaction: one stage of all items that are still under way. */
		for (size_t i = 0; i < b->n; i++) {
			if (i % AHEAD == 0)
				ask_ahead(srv, b->stage, &items[i],
				          b->n - i < AHEAD ? b->n - i : AHEAD, arena);
			TRY(prepare_item(srv, b->stage, limits, &items[i], arena));
		}
		bool any = false;
		unsigned written = 0;

		for (size_t i = 0; i < b->n; i++)
			any = any || items[i].failed || !items[i].skip;
		if (any) {
			TRY(store_begin(srv->store));
			TRY(store_end(srv->store,
			              write_items(srv, b->stage, items, b->n, &written)));
			step(b->stage->name);
			done[b->stage - stages] += written;
		}
		if (!b->stage->advance)
			return ERR_NONE;
		/* Drops what is held or has nothing to do; the others go on to the next stage. */
		size_t kept = 0;
		for (size_t i = 0; i < b->n; i++) {
			if (items[i].failed || items[i].skip) {
				release_items(&items[i], 1);
				continue;
			}
			b->stage->advance(srv, &items[i]);
			items[kept++] = items[i];
		}
		b->n = kept;
		if (b->n == 0)
			return ERR_NONE;
		b->stage++;
	}
}

static enum err run_batch(struct server *srv, const struct run_limits *limits, struct batch *b,
                          bool alone, unsigned *done)
{
	struct arena *arena = arena_new();
	struct due_turn *items = arena_calloc(arena, b->n, sizeof(*items));
	bool condemned;

	for (size_t i = 0; i < b->n; i++) {
		items[i].id = b->ids[i];
		strbuf_init(&items[i].why);
	}
	enum err rc = batch_mark_in_flight(srv, limits, &b->ids[0], alone, arena, &condemned);
	if (rc == ERR_NONE && condemned)
		rc = game_hold_condemned(srv, b->ids[0].game, b->stage->name);
	else if (rc == ERR_NONE)
		rc = run_through(srv, limits, b, items, arena, done);
	for (size_t i = 0; i < b->n; i++)
		b->ids[i] = items[i].id;
	release_items(items, b->n);
	arena_free(arena);
	return rc;
}

/* All together; each by itself when that cannot be written because of one of them. */
static enum err run_some(struct server *srv, const struct stage *first,
                         const struct run_limits *limits, struct turn_id *ids, size_t n,
                         bool alone, unsigned *done)
{
	struct batch b = {.stage = first, .ids = ids, .n = n};

	if (!alone) {
		enum err rc = run_batch(srv, limits, &b, false, done);

		if (!server_blames_game(rc))
			return rc;
	}
	for (size_t i = 0; i < b.n; i++) {
		struct batch one = {.stage = b.stage, .ids = &ids[i], .n = 1};
		enum err rc = run_batch(srv, limits, &one, true, done);

		TRY(server_blames_game(rc)
		        ? game_hold_alone(srv, ids[i].game, one.stage->name, rc)
		        : rc);
	}
	return ERR_NONE;
}

/* ---- all of them ---- */

enum err turns_run_all_due(struct server *srv, const struct run_limits *limits, unsigned *turns)
{
	*turns = 0;
	for (unsigned round = 0; round < MOST_ROUNDS; round++) {
		unsigned done[NSTAGES] = {0}, all = 0;
		for (size_t i = 0; i < NSTAGES; i++) {
			/* All turns due in this stage, each at most once. */
			enum err rc;
			struct turn_id *ids = xcalloc(BATCH, sizeof(*ids));
			struct turn_id after = {0};
			size_t n, most,
			    alone = server_died_with(limits->left, TURNS_IN_HAND) ? BATCH : 0;

			do {
				/* What the dead run had in hand was one batch. */
				most = alone > 0 ? 1 : BATCH;
				alone -= alone > 0;
				rc = turn_due_list(srv->store, stages[i].due,
				                   limits->read_through_utc, after, most, ids,
				                   &n);
				if (rc != ERR_NONE || n == 0)
					break;
				after = ids[n - 1];
				rc = run_some(srv, &stages[i], limits, ids, n, most == 1, done);
			} while (rc == ERR_NONE && n == most);
			free(ids);
			TRY(rc);
		}
		for (size_t i = 0; i < NSTAGES; i++)
			all += done[i];
		*turns += done[NSTAGES - 1];
		server_progress(srv, *turns, "turns played");
		if (all == 0)
			return ERR_NONE;
		TRY(store_checkpoint_if_large(srv->store));
	}
	return ERR_NONE;
}
