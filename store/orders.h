/*
 * orders.h - sealed orders: append-only revisions per (game, serial, seat).
 *
 * Revision numbers count from 1 within (game, serial, seat). A CLEAR is a revision
 * too: an empty text with `cleared` set. The one in force is the last.
 */
#ifndef MOLEPOST_STORE_ORDERS_H
#define MOLEPOST_STORE_ORDERS_H

#include "store/engine/store.h"

struct order_revision {
	int64_t game;
	unsigned serial, seat, revision;
	int origin;               /* enum order_origin of rules.h, as a number */
	bool cleared;             /* orders withdrawn; canonical is empty */
	int64_t received_utc;     /* arrival of the mail */
	int64_t mail;             /* inbox id, 0 for bots and the server's own */
	struct hash contribution; /* of that mail (proof.h); zero if none */
	bool quotes_head;         /* that mail quoted the words of the report before the turn */
	struct hash dkim;         /* of its signature (proof.h); zero if it had none */
	bool dkim_verified;       /* by the receiving mail server */
	bool by_operator;         /* of the server, who wants that shown */
	struct span salt;         /* SALT of this revision, "" if none */
	struct span canonical;    /* opened */
	struct span drawn; /* what a bot drew to choose them, opened; ptr NULL: of nobody */
};

/*
 * Appends the next revision and keeps turn.have and turn.orders_sum up to date. ERR_INVALID when the turn is not
 * OPEN or `revision` is not the next one.
 */
enum err orders_append(struct store *s, const struct order_revision *r) MUST_CHECK;
/* The last revision of this seat; ERR_NOT_FOUND when there is none. */
enum err orders_last(struct store *s, int64_t game, unsigned serial, unsigned seat,
                     struct arena *arena, struct order_revision *out) MUST_CHECK;
/* Whether another mail than this one has brought orders of this seat with that signature. */
enum err orders_have_signature(struct store *s, const struct order_revision *r,
                               bool *yes) MUST_CHECK;
/* All revisions of a turn by seat, then revision. */
enum err orders_list(struct store *s, int64_t game, unsigned serial, struct arena *arena,
                     struct order_revision **out, size_t *n) MUST_CHECK;

/*
 * What an open turn counts its orders by: a number, never 0, that follows from the head of the record as it was
 * signed before the turn, and from which revisions there are, how and when they came, under the server's key.
 */
int64_t orders_sum(struct store *s, int64_t game, unsigned serial, const struct hash *head,
                   const struct order_revision *all, size_t n);
/* Takes the orders of the turn, if it is open, as they are stored, and counts them no more. */
enum err orders_take_as_stored(struct store *s, int64_t game, unsigned serial) MUST_CHECK;

#endif
