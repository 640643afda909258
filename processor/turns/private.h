/*
 * private.h - what follows from a turn that is over, shared by after_resolve.c (it was
 * resolved), abort_turn.c (it was broken off) and turn_mails.c. Nobody else includes this.
 */
#ifndef MOLEPOST_PROCESSOR_TURNS_PRIVATE_H
#define MOLEPOST_PROCESSOR_TURNS_PRIVATE_H

#include "processor/match/match_record.h"
#include "processor/match/substitute_orders.h"
#include "processor/turns/due_turn.h"
#include "reports/report.h"
#include "store/players.h"

enum { IDLE_TURNS = 3 }; /* nobody sends orders so often running: the game is abandoned */

struct resolved_turn {
	struct server *srv;
	struct due_turn *item;
	struct match *match;
	struct game_state
	    *state; /* from which play goes on, or the last one; given to the match */
	struct game_result result;
	struct record record; /* header and this turn; earlier turns only for the archive */
	struct record_turn turn;
	struct record_chain chain;
	const char *key;            /* of its mails: the serial that is over */
	const char *resolved_label; /* NULL for the set-up */
	const char *goes_on;        /* of a fork's set-up: from where */
	const char *aborted_label;  /* not NULL: the turn was broken off */
	struct report_commitment *commitments;
	size_t ncommitments;
	struct report_first *firsts;
	size_t nfirsts;
	unsigned char signature[SIGNATURE_LEN];
	struct standing_orders standing;
	bool put_off; /* the deadline of the next turn, since somebody is away */
	struct player players[MAX_SEATS]; /* who sat there during the turn; id 0: no person */
};

/* Fills `players` and `standing`; before any seat is given up. In turn_mails.c. */
enum err resolved_turn_load_seats(struct resolved_turn *r) MUST_CHECK;
/* Carries the chain on by this turn, and by the end if there is one; signs its head. */
void resolved_turn_extend_chain(struct resolved_turn *r);
/*
 * The turn that opens now, from r->state: r->item->next, the game's serial, the orders of bots and
 * what players have stored for it.
 */
enum err resolved_turn_open_next(struct resolved_turn *r) MUST_CHECK;
/*
 * All mails to all who get one; had_left: by seat - 1, who had left before. Hands r->state to
 * the match, which from then on shows the game as it stands now. In turn_mails.c.
 */
enum err resolved_turn_mails(struct resolved_turn *r, const bool *had_left) MUST_CHECK;

/* Asks ahead (store_ask_ahead) what due_turn_prepare_report reads of a turn that was resolved in this run. */
void due_turn_ask_for_report(struct server *srv, const struct due_turn *item,
                             struct arena *arena);
/* Everything the report of a resolved turn will write: mails, next turn, bots' orders, chain. */
enum err due_turn_prepare_report(struct server *srv, struct due_turn *item) MUST_CHECK;
/* Writes all that but the state of the turn itself. */
enum err due_turn_write_outcome(struct server *srv, const struct due_turn *item) MUST_CHECK;

#endif
