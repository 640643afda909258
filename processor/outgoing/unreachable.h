/*
 * unreachable.h - a player whom mail does not reach, and what their games do about it.
 *
 * Mail fails in two ways, and both count alike: it comes back later (bounces.h), or a mail
 * server refuses it for good when it is handed over. Each mail counts against its
 * address once: 2 points if it can never be delivered, 1 otherwise. At 6 points, or at once
 * when the other side says that the address is none, the address is given up: another address
 * of the player is used in its place, or if there is none
 *
 *	mail to it waits in the outbox;
 *	the other players of each running game are told by mail, at most once a week and seat, and
 *	by the public log that the next report shows;
 *	the deadline of a turn that waits for the player is moved by the interval of the game, once
 *	in a game for each seat.
 *
 * A mail that is surely the player's ends it, for the address it comes from: whoever writes from
 * the address that was used instead goes on to be written to there. While a mail may be somebody
 * else's (authenticate.h), the address stays paused, and only what answers it is sent.
 *
 * Of whom nothing is heard, though mail goes to them: most silent seats end by missed turns. Who watches, has
 * standing orders or plays where nothing is missed could be written to for ever, at an address that somebody else has
 * by now. After BUDGET_SILENCE mails without a word from their reader one more says so, and once that is delivered
 * the address is paused (store/bounces.h, with no words of the other side).
 *
 * An address is given up once, however many mails to it fail, so that telling people who cannot be
 * reached either comes to an end.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_UNREACHABLE_H
#define MOLEPOST_PROCESSOR_OUTGOING_UNREACHABLE_H

#include "processor/server/server.h"
#include "processor/server/zones.h"
#include "store/inbox.h"
#include "store/outbox.h"

/* A mail to a player that did not arrive; all is borrowed. */
struct unreached {
	const struct outbox_mail *mail;
	const char *key;      /* what the mails caused by it are named after: "inbox 17" */
	int64_t report;       /* the inbox mail that says so; 0 = it was refused at our door */
	unsigned points;      /* 1 or 2 */
	bool address_is_dead; /* says the other side; not that this mail was unwanted */
	bool may_yet_arrive;  /* it is only late */
	struct span said;     /* by the other side, one line */
};

enum { UNREACHABLE_SCORE = 6 };

struct unreached_outcome {
	unsigned score;  /* of the address, afterwards */
	bool known;      /* the address had been given up before */
	bool given_up;   /* now */
	bool redirected; /* ... and another address of the player is used */
};

/* Inside a transaction. Counts the mail and does what follows. */
enum err unreachable_count(struct server *srv, const struct unreached *u, struct arena *arena,
                           struct unreached_outcome *out) MUST_CHECK;
/* Whether mail to this player comes back, so that they cannot know what is wanted of them. */
enum err unreachable_now(struct server *srv, int64_t player, struct arena *arena,
                         bool *yes) MUST_CHECK;

/* Inside the transaction that opens the first turn: players whose address was given up before. */
enum err unreachable_at_start(struct server *srv, int64_t game, struct arena *arena) MUST_CHECK;

struct unreachable_until_now {
	int64_t since_utc;   /* mail to the player has waited since; 0 = it has not */
	struct span address; /* the address that none was sent to; in the arena */
	bool silent;         /* none came back: nothing was heard from there */
};
/* The player has surely written, from this address: nothing is held against it any more. */
enum err unreachable_end(struct server *srv, int64_t player, struct span from,
                         struct arena *arena, struct unreachable_until_now *out) MUST_CHECK;

/*
 * Counts what was refused when it was handed over, which the sender has only noted, since it does not hold the lock
 * under which games are changed: no such address ends it at once, a refusal for good is 2 points, attempts used up 1.
 * Each in a transaction of its own, before any mail is read: whatever happens, each is followed up once. One that
 * cannot be, because its game is damaged or the program has died over it again and again, is logged and left out.
 * `left`: what the last run had in hand.
 */
enum err delivery_failures_follow_up(struct server *srv,
                                     const struct in_flight *left) MUST_CHECK;
/* Ends mail to the silent. Once a day, in a transaction of its own. */
enum err silence_look(struct server *srv) MUST_CHECK;

#endif
