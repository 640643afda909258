/*
 * due_turn.h - one turn on its way through a run, and how far the run may go.
 */
#ifndef MOLEPOST_PROCESSOR_TURNS_DUE_TURN_H
#define MOLEPOST_PROCESSOR_TURNS_DUE_TURN_H

#include "processor/archive/resolve.h"
#include "processor/match/match.h"
#include "processor/match/press.h"
#include "processor/match/substitute_orders.h"
#include "store/inbox.h"
#include "store/outbox.h"

/* How far a run may go. */
struct run_limits {
	int64_t read_through_utc; /* no deadline after this moment is acted on */
	const struct in_flight
	    *left; /* what the last run died with; turns: one at a time. NULL: none */
};

/* One turn on its way through a batch. */
struct due_turn {
	struct turn_id id;
	struct match match;
	struct order_set set;
	bool has_set;
	struct hash seal;   /* of the seal stage */
	struct hash inputs; /* of the resolve stage: turns.h; zero in records of version 1 */
	struct order_revision
	    *filled; /* of that stage: what steps in for seats without orders */
	size_t nfilled;
	struct resolve_output out; /* of the resolve stage */
	bool skip;                 /* nothing is to be written for it */
	bool failed;               /* the game is to be held: `why` */
	struct strbuf why;
	/* Of the report stage: */
	struct turn next; /* serial 0: no further turn */
	struct order_revision *bots;
	size_t nbots;
	struct opening opening; /* what players have stored for it */
	struct outbox_mail *mails;
	size_t nmails;
	struct press_due press; /* what the reports bring of what players wrote */
	bool ended;
	uint32_t vacated; /* seats that became vacant with this report: bit seat-1 */
	uint32_t excused; /* seats whose missed turn is excused */
};

/* Asks ahead (store_ask_ahead) what seal and resolve read of it. */
void due_turn_ask_ahead(struct server *srv, const struct due_turn *item, struct arena *arena);
/* Fills item->set unless an earlier stage has; checked against the seal of the turn if it has one. */
enum err due_turn_load_orders(struct server *srv, struct due_turn *item) MUST_CHECK;
/* Whether a mail that arrived then comes too late for it: it is OPEN only until this run acts on its end. */
bool turn_has_ended(const struct match *match, int64_t arrived_utc);

#endif
