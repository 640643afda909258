/*
 * rating.h - how reliable and how strong somebody is: the arithmetic, and all of it at once.
 *
 * Whole numbers alone, so that the same games in the same order give the same figures on every
 * machine; division drops what is behind the point, towards zero. molepost-orders(7), RATINGS,
 * and HELP RATINGS say the same in words, with an example that a test works out.
 *
 * Reliability: a share in millionths that begins at RELIABILITY_START. Each turn that counts
 * moves it by a 32nd of the way to 1 (in time), to 1/2 (in the grace) or to 0 (missed).
 *
 * Rating: thousandths of a point, beginning at RATING_START. Everybody is compared with
 * everybody else of the game, pair by pair: 1 for who ranks higher, 0 for the other, 1/2 each
 * for a shared rank. From the difference of two ratings follows the part expected of each
 * (rating_expected). What somebody got beyond what was expected, taken on average over their
 * pairs, times their step, is added: 60 points in their first five games, 24 from then on. All of a
 * game's changes are worked out from the ratings before it. Who alone has a rank has lost to all others,
 * whose ratings stay as they are. There is one rating for each kind
 * of game and one for all of them.
 */
#ifndef MOLEPOST_PROCESSOR_MATCH_RATING_H
#define MOLEPOST_PROCESSOR_MATCH_RATING_H

#include "store/ratings.h"

enum {
	RATING_WHOLE = 1000000, /* shares, and what is expected, are millionths */
	RELIABILITY_START = 900000,
	RELIABILITY_PARTS = 32,
	RATING_POINT = 1000,
	RATING_START = 1500 * RATING_POINT,
	RATING_STEP = 24, /* points */
	RATING_FIRST_STEP = 60,
	RATING_FIRST_GAMES = 5 /* so many are provisional */
};

/* What became of a turn that somebody owed orders in; as it stands in the standings. */
enum mark { MARK_IN_TIME = '+', MARK_LATE = '~', MARK_MISSED = '-' };

/* The share after one more turn. */
int64_t reliability_after(int64_t share, enum mark mark);
/* In whole percent, rounded. */
unsigned reliability_percent(int64_t share);

/*
 * The part, in millionths, that is expected of somebody whose rating is `ahead` thousandths above
 * the other's (below 0: behind). Both parts of a pair add up to a whole.
 */
int64_t rating_expected(int64_t ahead);
/* In whole points, rounded. */
long rating_points(int64_t rating);

/* One game, seen by one list of ratings. */
struct rated {
	unsigned rank;  /* 1 = best */
	int64_t rating; /* before the game */
	unsigned games; /* rated before it */
	int64_t change; /* set by rating_game */
};
/* Nothing changes with fewer than two. */
void rating_game(struct rated *all, size_t n);

/* Everybody's figures, or some people's. */
struct ladder;
struct ladder *ladder_new(void);
void ladder_free(struct ladder *l);
/* The row of this player and kind, made if there is none; good until the next call. */
struct rating *ladder_row(struct ladder *l, int64_t player, struct span kind);
/* One game more. Those before it must have been added: all of them that its people played. */
void ladder_add(struct ladder *l, const struct standings *t);
/* By index, in no order that means anything. */
size_t ladder_count(const struct ladder *l);
const struct rating *ladder_at(const struct ladder *l, size_t i);

#endif
