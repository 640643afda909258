/*
 * budget.h - how much one address, table or domain gets from this server, whoever causes it: the only such table.
 *
 * A From address is anybody's to write, and a program that answers mail answers ours. So every answer is asked
 * for here before it is written, and what is too much is held back: the mail that caused it is dealt with all
 * the same, the last answer before says so, and status counts it. What each row limits stands in molepost.conf(5),
 * LIMITS, where the numbers are; answers_per_day scales most of them.
 *
 * "Proven" is a mail that answers one of ours, was confirmed, or for which the border server vouches. What is not is
 * counted apart, by the address that it claims: else anybody could use up what a player is answered.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_BUDGET_H
#define MOLEPOST_PROCESSOR_OUTGOING_BUDGET_H

#include "processor/server/server.h"

enum budget {
	/* Answers, by address: */
	BUDGET_UNPROVEN,               /* to what nobody proved, of any kind */
	BUDGET_REFUSED,                /* to proven mail that was refused or not understood */
	BUDGET_NOT_UNDERSTOOD,         /* of these the second; UNHEARD_MOST in a row */
	BUDGET_CLAIMED_NOT_UNDERSTOOD, /* the same for what a player has not proved */
	BUDGET_SAME_MAIL, /* of these, to mails that begin alike, as away texts do */
	BUDGET_SAME,      /* in the same words */
	BUDGET_UNASKED,   /* to strangers who may never have written */
	BUDGET_GUIDE,
	BUDGET_SAME_GUIDE, /* to the same mail */
	BUDGET_SHOWN,      /* to newcomers, by address and what is shown or proposed */
	BUDGET_RECEIPTS,   /* by seat: counted from the outbox, see request.c */
	/* Answers to all who have proved nothing: */
	BUDGET_DOMAIN,
	BUDGET_STRANGERS,
	/* Questions, by address: */
	BUDGET_ASK_MAIL,
	BUDGET_ASK_MEANT,
	BUDGET_ASK_ADDRESS,
	BUDGET_ASKED_ADDRESS, /* by the address asked */
	/* Games: */
	BUDGET_SEATS_UNPROVEN, /* begun or joined, by address */
	BUDGET_SEATS,          /* the same, by proven mails */
	BUDGET_SEATS_WAIT,     /* the notice that seats wait for a yes */
	/* Mails to others than the writer: */
	BUDGET_INVITES,       /* by player */
	BUDGET_INVITED,       /* by the address invited */
	BUDGET_INVITED_AGAIN, /* the invitation repeated */
	BUDGET_NUDGES,        /* by game */
	BUDGET_VOTE_NEWS,     /* by seat */
	BUDGET_MASTER_NEWS,   /* by game */
	BUDGET_MORE_TIME,     /* by seat and player */
	BUDGET_LOOPS,         /* mails of ours that came back and are kept */
	BUDGET_SILENCE,       /* mails to a player since they were heard of: see silence_look */
	BUDGETS
};

/* Answers in a row that say a mail was not understood; then none until one is. */
enum { UNHEARD_MOST = 6, GAMES_OF_A_MAIL = 10 };

/* The next is a last one when only one is left. */
enum valve { VALVE_SHUT, VALVE_OPEN, VALVE_LAST };

unsigned budget_limit(const struct server *srv, enum budget b);
/* Counts one more for `who` unless that would be too many: then VALVE_SHUT, and nothing is counted. */
enum err budget_take(struct server *srv, enum budget b, struct span who,
                     enum valve *out) MUST_CHECK;
/* The same for callers to whom a last one is like any. */
enum err budget_allows(struct server *srv, enum budget b, struct span who,
                       bool *yes) MUST_CHECK;
/* Counts nothing. Asked ahead (store_ask_ahead) it asks what those two will read. */
enum err budget_is_spent(struct server *srv, enum budget b, struct span who,
                         bool *yes) MUST_CHECK;

/* An answer was held back; and how many on the day of srv->now_utc. */
enum err budget_note_held(struct server *srv) MUST_CHECK;
enum err budget_held(struct server *srv, unsigned *n) MUST_CHECK;

#endif
