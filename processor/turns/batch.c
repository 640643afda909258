/*
 * batch.c - batches of turns, and what becomes of one that kills.
 */
#include "processor/turns/batch.h"

#include "processor/base/step.h"
#include "store/audit.h"

enum { BATCH = 200, AHEAD = 20, MOST_TRIES = 3 };

enum err game_hold_now(struct server *srv, int64_t game, const char *why)
{
	log_event(srv->log, "game %lld is held: %s", (long long)game, why);
	TRY(game_hold(srv->store, game, why, "server", srv->now_utc));
	return audit_add(srv->store, game, 0, "server", false, srv->now_utc, why);
}

/* `why` is released. */
static enum err hold(struct server *srv, int64_t game, struct strbuf *why)
{
	enum err rc = store_begin(srv->store);

	if (rc == ERR_NONE) {
		rc = game_hold_now(srv, game, why->ptr);
		if (rc == ERR_NONE)
			rc = in_flight_clear(srv->store);
		rc = store_end(srv->store, rc);
	}
	strbuf_release(why);
	return rc;
}

enum err game_hold_alone(struct server *srv, int64_t game, const char *what, enum err failed)
{
	struct strbuf why = STRBUF_INIT;

	strbuf_addf(&why, "%s: %s", what, server_why(srv, failed));
	return hold(srv, game, &why);
}

enum err game_hold_condemned(struct server *srv, int64_t game, const char *what)
{
	struct strbuf why = STRBUF_INIT;

	strbuf_addf(&why, "%s: the program died %d times with this turn in hand", what,
	            MOST_TRIES);
	return hold(srv, game, &why);
}

enum err batch_mark_in_flight(struct server *srv, const struct run_limits *limits,
                              const struct turn_id *first, bool alone, struct arena *arena,
                              bool *condemned)
{
	const char *object =
	    alone ? arena_printf(arena, "%lld/%u", (long long)first->game, first->serial) : "";
	unsigned tries;

	TRY(server_mark_in_flight(srv, limits->left, TURNS_IN_HAND, object, &tries));
	*condemned = tries > MOST_TRIES;
	return ERR_NONE;
}

/* ---- sweeps ---- */

/* What every function here is about. */
struct batch_state {
	struct server *srv;
	const struct run_limits *limits;
	const struct batch_job *batch_job;
	struct arena *arena; /* of the batch in hand */
};

static bool is_open(const struct match *match, const struct turn_id *id)
{
	return match->turn.serial == id->serial && match->turn.state == TURN_OPEN;
}

static enum err look_at(const struct batch_state *s, const struct turn_id *ids,
                        struct match *matches, size_t n, unsigned *done)
{
	if (store_ask_ahead(s->srv->store)) {
		for (size_t i = 0; i < n; i++)
			match_ask_ahead(s->srv, ids[i].game, ids[i].serial, false, s->arena);
		store_asked_ahead(s->srv->store);
	}
	for (size_t i = 0; i < n; i++) {
		TRY(match_load(s->srv, ids[i].game, s->arena, &matches[i]));
		if (s->batch_job->wants_position)
			TRY(match_position(s->srv, &matches[i]));
	}
	if (s->batch_job->ask_ahead && store_ask_ahead(s->srv->store)) {
		for (size_t i = 0; i < n; i++) {
			store_about(s->srv->store, i + 1, ids[i].game);
			if (is_open(&matches[i], &ids[i]))
				s->batch_job->ask_ahead(s->srv, &matches[i]);
		}
		store_asked_ahead(s->srv->store);
	}
	for (size_t i = 0; i < n; i++) {
		step_in_hand(span_of(matches[i].id), ids[i].serial);
		store_about(s->srv->store, i + 1, ids[i].game);
		if (is_open(&matches[i], &ids[i]))
			TRY(s->batch_job->act(s->srv, &matches[i], s->batch_job->ctx, done));
	}
	return ERR_NONE;
}

/* Some games, each of which is loaded before anything is done to one. */
static enum err look_at_group(const struct batch_state *s, const struct turn_id *ids, size_t n,
                              unsigned *done)
{
	struct match matches[AHEAD] = {0};
	enum err rc = look_at(s, ids, matches, n, done);

	store_about(s->srv->store, 0, 0);
	for (size_t i = 0; i < n; i++)
		match_release(&matches[i]);
	return rc;
}

static enum err look_at_batch(const struct batch_state *s, const struct turn_id *ids, size_t n,
                              unsigned *done)
{
	struct store *store = s->srv->store;
	unsigned now = 0;

	TRY(store_begin(store));
	enum err rc = ERR_NONE;
	for (size_t i = 0; i < n && rc == ERR_NONE; i += AHEAD)
		rc = look_at_group(s, &ids[i], n - i < AHEAD ? n - i : AHEAD, &now);
	if (rc == ERR_NONE)
		rc = in_flight_clear(store);
	rc = store_end(store, rc);
	if (rc == ERR_NONE) {
		step(s->batch_job->name);
		*done += now;
	}
	return rc;
}

static enum err look_at_marked(const struct batch_state *s, const struct turn_id *ids, size_t n,
                               bool alone, unsigned *done)
{
	bool condemned;

	TRY(batch_mark_in_flight(s->srv, s->limits, ids, alone, s->arena, &condemned));
	return condemned ? game_hold_condemned(s->srv, ids->game, s->batch_job->name)
	                 : look_at_batch(s, ids, n, done);
}

/* All together; each by itself when that fails because of one of them. */
static enum err look_at_some(const struct batch_state *s, const struct turn_id *ids, size_t n,
                             unsigned *done)
{
	enum err rc = n > 1 ? look_at_marked(s, ids, n, false, done) : ERR_NONE;

	if (n > 1 && !server_blames_game(rc))
		return rc;
	for (size_t i = 0; i < n; i++) {
		rc = look_at_marked(s, &ids[i], 1, true, done);
		TRY(server_blames_game(rc)
		        ? game_hold_alone(s->srv, ids[i].game, s->batch_job->name, rc)
		        : rc);
	}
	return ERR_NONE;
}

enum err batch_run_all(struct server *srv, const struct run_limits *limits,
                       const struct batch_job *batch_job, unsigned *done)
{
	struct batch_state s = {.srv = srv, .limits = limits, .batch_job = batch_job};
	struct turn_id ids[BATCH], after = {0};
	size_t n, most, alone = server_died_with(limits->left, TURNS_IN_HAND) ? BATCH : 0;
	enum err rc;

	*done = 0;
	do {
		most = alone > 0 ? 1 : BATCH; /* what the dead run had in hand was one batch */
		alone -= alone > 0;
		TRY(batch_job->list(srv->store, batch_job->ctx, after, most, ids, &n));
		if (n == 0)
			break;
		after = ids[n - 1];
		s.arena = arena_new();
		rc = look_at_some(&s, ids, n, done);
		arena_free(s.arena);
		TRY(rc);
	} while (n == most);
	return ERR_NONE;
}
