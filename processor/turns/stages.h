/*
 * stages.h - moving games on: seal, resolve, report, until nothing is due.
 *
 * Works through the states of store/turns.h in batches: what can be computed is
 * computed first, then one transaction writes the batch. A game whose rows do
 * not check, or whose rules refuse them, is held with the reason; the others go on.
 */
#ifndef MOLEPOST_PROCESSOR_TURNS_STAGES_H
#define MOLEPOST_PROCESSOR_TURNS_STAGES_H

#include "processor/archive/resolve.h"
#include "processor/match/match.h"
#include "processor/match/press.h"
#include "processor/match/substitute_orders.h"
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

/* One turn on its way through a batch; shared with after_resolve.c. */
struct play_item {
	struct turn_id id;
	struct hand hand;
	struct order_set set;
	bool has_set;
	struct digest seal; /* of the seal stage */
	struct order_revision
	    *filled; /* of that stage: what steps in for seats without orders */
	size_t nfilled;
	struct turn_output out; /* of the resolve stage */
	bool skip;              /* nothing is to be written for it */
	bool failed;            /* the game is to be held: `why` */
	struct strbuf why;
	/* Of the report stage: */
	struct turn next; /* serial 0: no further turn */
	struct order_revision *bots;
	size_t nbots;
	struct opening opening; /* what players have laid down for it */
	struct outbox_mail *mails;
	size_t nmails;
	struct press_due press; /* what the reports bring of what players wrote */
	bool ended;
	uint32_t vacated; /* seats that became vacant with this report: bit seat-1 */
	uint32_t excused; /* seats whose missed turn is excused */
};

/* Holds a game that cannot go on, inside the open transaction, and logs why. */
enum err play_hold(struct server *srv, int64_t game, const char *why) MUST_CHECK;
/* The same in a transaction of its own, after one was taken back: `what` was to be done, and failed so. */
enum err play_hold_alone(struct server *srv, int64_t game, const char *what,
                         enum err failed) MUST_CHECK;
/*
 * Says what is in hand, so that the next run knows if this one dies. *condemned: this single turn
 * has killed too often. The deaths are counted on from what the last run left behind, since the
 * row itself has been used for mails and for other turns since this run began. The transaction that
 * writes what is in hand clears it.
 */
enum err play_mark_in_flight(struct server *srv, const struct play_limits *limits,
                             const struct turn_id *first, bool alone, struct arena *arena,
                             bool *condemned) MUST_CHECK;
/* Whether the last run died with turns in hand: then one at a time is taken. */
bool play_died_with_turns(const struct play_limits *limits);
/* Why a turn is condemned, a sentence. */
const char *play_why_condemned(const char *stage, struct arena *arena);

/* Fills item->set unless an earlier stage has; checked against the seal of the turn if it has one. */
enum err play_load_orders(struct server *srv, struct play_item *item) MUST_CHECK;
/* Everything the report of a resolved turn will write: mails, next turn, bots' orders, chain. */
enum err play_prepare_report(struct server *srv, struct play_item *item) MUST_CHECK;
/* Writes all that but the state of the turn itself. */
enum err play_write_outcome(struct server *srv, const struct play_item *item) MUST_CHECK;

#endif
