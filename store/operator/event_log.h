/*
 * event_log.h - what has happened here, out of the tables in which it stands, in the order of time.
 *
 * Nothing is written for it: a mail taken in is a row of inbox, a sent one of outbox, and so on. No
 * texts, no orders, no addresses but those that another server puts into its answer.
 */
#ifndef MOLEPOST_STORE_OPERATOR_EVENT_LOG_H
#define MOLEPOST_STORE_OPERATOR_EVENT_LOG_H

#include "store/engine/store.h"

enum event_kind {
	EVENT_TAKEN_IN, /* a mail: id, player, game, seat; text: its verdict */
	EVENT_NOTED,    /* audit: game, seat; name: who did it; text: what */
	EVENT_TURN,     /* a turn was sealed: id is its serial, game; text: its label */
	EVENT_SENT,     /* a mail went out: id, player, game, seat; text: its kind */
	EVENT_FAILED,   /* one did not: the same; name: its kind; text: the answer */
	EVENT_TOLD,     /* the operator was told; text: the line */
	EVENT_RUN       /* a run ended that did something */
};

struct event {
	enum event_kind kind;
	int64_t at_utc, id;
	int64_t player, game; /* 0 = none */
	unsigned seat;        /* 0 = none */
	struct span name, text;
	unsigned mails, turns, sent, failed; /* of EVENT_RUN */
};

/* Borrows the event; anything but ERR_NONE ends the listing with that. */
typedef enum err event_fn(void *ctx, const struct event *e);

/*
 * All since then, oldest first; `game` not 0: only what is about that game. Goes through whole tables:
 * for a command, not for a run.
 */
enum err event_log(struct store *s, int64_t since_utc, int64_t game, event_fn *each,
                   void *ctx) MUST_CHECK;

#endif
