/*
 * play.h - moving games on: seal, resolve, report, until nothing is due.
 *
 * Works through the states of store/turns.h in batches: what can be computed is
 * computed first, then one transaction writes the batch. A game whose rows do
 * not check, or whose rules refuse them, is held with the reason; the others go on.
 */
#ifndef MOLEPOST_PROCESSOR_PLAY_H
#define MOLEPOST_PROCESSOR_PLAY_H

#include "processor/hand.h"
#include "processor/turn.h"
#include "store/inbox.h"
#include "store/outbox.h"

/* How far a run may go. */
struct play_limits {
	int64_t read_through_utc; /* no deadline after this moment is acted on */
	const struct in_flight
	    *left; /* what the last run died with; turns: one at a time. NULL: none */
};

/* *turns counts reports. An error is one that stops the whole run. */
enum err play_all_due(struct server *srv, const struct play_limits *limits,
                      unsigned *turns) MUST_CHECK;

/* One turn on its way through a batch; shared with play_report.c. */
struct play_item {
	struct turn_id id;
	struct hand hand;
	struct order_set set;
	bool has_set;
	struct digest seal;     /* of the seal stage */
	struct turn_output out; /* of the resolve stage */
	bool skip;              /* nothing is to be written for it */
	bool failed;            /* the game is to be held: `why` */
	struct strbuf why;
	/* Of the report stage: */
	struct turn next; /* serial 0: no further turn */
	struct order_revision *bots;
	size_t nbots;
	struct outbox_mail *mails;
	size_t nmails;
	bool ended;
};

/* Fills item->set unless an earlier stage has; checked against the seal of the turn if it has one. */
enum err play_load_orders(struct server *srv, struct play_item *item) MUST_CHECK;
/* Everything the report of a resolved turn will write: mails, next turn, bots' orders, chain. */
enum err play_prepare_report(struct server *srv, struct play_item *item) MUST_CHECK;
/* Writes all that but the state of the turn itself. */
enum err play_write_outcome(struct server *srv, const struct play_item *item) MUST_CHECK;

#endif
