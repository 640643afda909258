/*
 * batch.h - one small thing that is done to many open turns.
 *
 * In batches of one transaction each; turn by turn when that fails because of one of them, or
 * when the last run died with turns in hand. A game that cannot be loaded or kills is held, as
 * play.h does.
 */
#ifndef MOLEPOST_PROCESSOR_TURNS_BATCH_H
#define MOLEPOST_PROCESSOR_TURNS_BATCH_H

#include "processor/turns/due_turn.h"

/* Holds a game that cannot go on, inside the open transaction, and logs why. */
enum err game_hold_now(struct server *srv, int64_t game, const char *why) MUST_CHECK;
/*
 * The same in a transaction of its own, with nothing in hand any more: `what` was to be done and failed so, and
 * has been taken back; or the program has died of it too often.
 */
enum err game_hold_alone(struct server *srv, int64_t game, const char *what,
                         enum err failed) MUST_CHECK;
enum err game_hold_condemned(struct server *srv, int64_t game, const char *what) MUST_CHECK;
/* What server_mark_in_flight and server_died_with call them. */
#define TURNS_IN_HAND "turns"
/* Says what is in hand. *condemned: this single turn has killed too often. */
enum err batch_mark_in_flight(struct server *srv, const struct run_limits *limits,
                              const struct turn_id *first, bool alone, struct arena *arena,
                              bool *condemned) MUST_CHECK;

struct batch_job {
	const char *name; /* of the step, and in the reason of a hold */
	/*
	 * The turns it is for, at most `max` behind `after`; those that are done no longer
	 * appear.
	 */
	enum err (*list)(struct store *s, void *ctx, struct turn_id after, size_t max,
	                 struct turn_id *out, size_t *n);
	bool wants_position; /* match_position has been called before `act` */
	/* Asks ahead (store_ask_ahead) what `act` reads of the game beside that; NULL: nothing. */
	void (*ask_ahead)(struct server *srv, const struct match *match);
	/* The thing itself, inside the transaction, for a game whose newest turn is that one and open.
	   *done counts what it did. */
	enum err (*act)(struct server *srv, struct match *match, void *ctx, unsigned *done);
	void *ctx;
};

/* *done: all counts of what was committed. An error is one that stops the whole run. */
enum err batch_run_all(struct server *srv, const struct run_limits *limits,
                       const struct batch_job *batch_job, unsigned *done) MUST_CHECK;

#endif
