/*
 * standing_orders.h - the orders of a player for turns in which they send nothing.
 *
 * Sealed like orders. They are orders of no turn yet: what is used of them becomes a revision
 * of the turn it is used in (orders.h). The rows of a seat go with its player and with the
 * game, drafts when their turn is sealed.
 */
#ifndef MOLEPOST_STORE_STANDING_ORDERS_H
#define MOLEPOST_STORE_STANDING_ORDERS_H

#include "store/engine/store.h"

enum standing_order_kind {
	STANDING_DRAFT,   /* `number` = serial of the turn it was checked in */
	STANDING_QUEUED,  /* `number` = what players call the turn it is for */
	STANDING_ALWAYS,  /* standing orders; `number` 0 */
	STANDING_FALLBACK /* text "repeat" or "bot"; `number` 0 */
};

struct standing_order {
	int64_t game;
	unsigned seat;
	enum standing_order_kind kind;
	unsigned number;
	bool nowait;              /* STANDING_ALWAYS: in force as soon as a turn opens */
	int64_t received_utc;     /* arrival of the mail */
	int64_t mail;             /* inbox id */
	struct hash contribution; /* of that mail (proof.h); zero if none */
	struct span text;         /* opened */
};

/* Takes the place of an earlier one of the same kind and number. */
enum err standing_order_set(struct store *s, const struct standing_order *p) MUST_CHECK;
/* No error when there is none. */
enum err standing_order_drop(struct store *s, int64_t game, unsigned seat,
                             enum standing_order_kind kind, unsigned number) MUST_CHECK;
/* All of a game, by seat, kind and number. */
enum err standing_order_list(struct store *s, int64_t game, struct arena *arena,
                             struct standing_order **out, size_t *n) MUST_CHECK;

#endif
