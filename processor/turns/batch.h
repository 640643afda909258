/*
 * batch.h - one small thing that is done to many open turns.
 *
 * In batches of one transaction each; turn by turn when that fails because of one of them, or
 * when the last run died with turns in hand. A game that cannot be loaded or kills is held, as
 * play.h does.
 */
#ifndef MOLEPOST_PROCESSOR_TURNS_BATCH_H
#define MOLEPOST_PROCESSOR_TURNS_BATCH_H

#include "processor/turns/stages.h"

struct sweep {
	const char *name; /* of the step, and in the reason of a hold */
	/*
	 * The turns it is for, at most `max` behind `after`; those that are done no longer
	 * appear.
	 */
	enum err (*list)(struct store *s, void *ctx, struct turn_id after, size_t max,
	                 struct turn_id *out, size_t *n);
	/* The thing itself, inside the transaction, for a game whose newest turn is that one and open.
	   *done counts what it did. */
	enum err (*act)(struct server *srv, struct hand *h, void *ctx, unsigned *done);
	void *ctx;
};

/* *done: all counts of what was committed. An error is one that stops the whole run. */
enum err sweep_all(struct server *srv, const struct play_limits *limits,
                   const struct sweep *sweep, unsigned *done) MUST_CHECK;

#endif
