/*
 * rematches.h - games that are played again, who was asked into them, and who waits for a game.
 */
#ifndef MOLEPOST_STORE_REMATCHES_H
#define MOLEPOST_STORE_REMATCHES_H

#include "store/engine/store.h"

enum { REMATCH_KEPT_S = 7 * 24 * 3600 }; /* so long seats are kept for who was asked */

struct rematch {
	int64_t game;     /* the new one */
	int64_t of;       /* the one that is played again */
	int64_t kept_utc; /* until when its seats are for those who were asked */
};
enum err rematch_add(struct store *s, const struct rematch *r) MUST_CHECK;
/* ERR_NOT_FOUND when the game follows no other. */
enum err rematch_get(struct store *s, int64_t game, struct rematch *out) MUST_CHECK;
/* The newest one that was made to follow this game; ERR_NOT_FOUND. */
enum err rematch_of(struct store *s, int64_t of, struct rematch *out) MUST_CHECK;
/* From now on anybody may join. */
enum err rematch_open(struct store *s, int64_t game, int64_t now_utc) MUST_CHECK;

/* Asks somebody; the same person again takes back their no. */
enum err invitation_set(struct store *s, int64_t game, int64_t player,
                        bool declined) MUST_CHECK;
/* Whether they were asked, whatever they have said. */
enum err invitation_exists(struct store *s, int64_t game, int64_t player, bool *yes) MUST_CHECK;

/* Somebody in the queue for a kind of game. */
struct waiter {
	int64_t player;
	int64_t since_utc, until_utc;
	int64_t n; /* tells apart those since the same second; waiting_add sets it itself */
	struct span name; /* wanted at the table, "" if they have not said */
};
/* At the end of the queue; who is in it keeps their place and gets the new time and name. */
enum err waiting_add(struct store *s, struct span kind, const struct waiter *w) MUST_CHECK;
/* *was: they were in it; NULL: nobody asks. */
enum err waiting_drop(struct store *s, struct span kind, int64_t player, bool *was) MUST_CHECK;
enum err waiting_any(struct store *s, bool *yes) MUST_CHECK;
/*
 * Those whose time is not over, first come first; at most `max`, beginning behind `after`, who
 * may have left the queue meanwhile (all zero: from the front).
 */
enum err waiting_list(struct store *s, struct span kind, int64_t now_utc,
                      const struct waiter *after, size_t max, struct arena *arena,
                      struct waiter **out, size_t *n) MUST_CHECK;
/* How many of them stand before somebody in the queue, and are not blocked, and reached by mail. */
enum err waiting_before(struct store *s, struct span kind, int64_t now_utc, int64_t player,
                        size_t *n) MUST_CHECK;
/* Those whose time is over. */
enum err waiting_list_old(struct store *s, struct span kind, int64_t now_utc, size_t max,
                          struct arena *arena, struct waiter **out, size_t *n) MUST_CHECK;

#endif
