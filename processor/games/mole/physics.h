/*
 * physics.h - coins that slide, meet and fall, in whole numbers.
 *
 * Normative (molepost-rules(7), MOLE, Physics): a flick gives the same bytes on every machine.
 * Positions are in nm * 4096, velocities in nm * 4096 a tick, a tick is 1/16 ms, lengths are
 * in nm; `/` is C's division toward zero. x runs to the right, y from the rear to the
 * winning line. Coins count M, 1, 2, 3 as 0..3.
 *
 * No product passes 2^63 for coins within 1 m of the board, targets within 2 m of the coin
 * and ranges up to 1 m; who reads states and orders sees to that.
 */
#ifndef MOLEPOST_GAMES_MOLE_PHYSICS_H
#define MOLEPOST_GAMES_MOLE_PHYSICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processor/games/mole/board.h"

enum {
	MOLE_SCALE = 4096,     /* position units in a nm */
	MOLE_FRICTION = 32768, /* speed lost in a tick: 2,048 mm/s^2 */
	MOLE_SLOPE = 16384,    /* what the ramp takes from the speed up the board in a tick */
	MOLE_COIN_BOUNCE = 80, /* percent of the speed that is left when coins meet */
	MOLE_WALL_BOUNCE = 60, /* ... at a wall */
	MOLE_MOST_TICKS = 200000,
	MOLE_TICKS_IN_S = 16000,
	MOLE_MOST_CONTACTS = 16 /* told of one flick */
};

enum mole_edge { EDGE_NONE, EDGE_WIN, EDGE_REAR, EDGE_LEFT, EDGE_RIGHT };

struct mole_coin {
	bool on; /* on the board; else the rest is 0 */
	int64_t x, y;
};
struct mole_coins {
	struct mole_coin coin[MOLE_COINS];
};

/* q(P): a position in whole nm. */
static inline int64_t mole_nm(int64_t position)
{
	return position / MOLE_SCALE;
}
/* The largest whole number whose square is at most n; n >= 0. */
int64_t mole_root(int64_t n);

/* The speed with which a coin leaves the finger. */
struct mole_launch {
	unsigned coin;
	int64_t vx, vy;
};

/* What a finger's unsteadiness does to a flick; zeros when it is steady. */
struct mole_wobble {
	int64_t aside; /* ten thousandths of the way, to the left when looking along it */
	int64_t range; /* ten thousandths of the range */
};
enum { MOLE_WOBBLE_ONE = 10000 };
/*
 * A flick of `coin` towards (tx, ty) that would run `run` nm with nothing in its way. False, and
 * no launch, when it stands on that very point.
 */
bool mole_aim(const struct mole_coins *coins, unsigned coin, int64_t tx, int64_t ty,
              int64_t run, struct mole_wobble wobble, struct mole_launch *out);

/*
 * Two coins, or a coin and a wall, that met. Contacts of one pair that follow on each other
 * closely are told as one.
 */
struct mole_contact {
	unsigned tick;
	unsigned a, b;  /* b == MOLE_COINS: a wall or post */
	int64_t x, y;   /* where the rims met, nm */
	int64_t ax, ay; /* centre of a then, nm */
	int64_t bx, by; /* centre of b then, nm; of a wall the nearest point of it */
	unsigned last;  /* tick of the last contact told here */
	bool glancing;  /* more along each other than at each other */
};

/* What came of a flick, beside where the coins are now. */
struct mole_run {
	unsigned ticks;
	enum mole_edge fell[MOLE_COINS]; /* EDGE_NONE: did not fall */
	unsigned fell_at[MOLE_COINS];    /* tick */
	unsigned toucher;                /* the mignette that met the mole last, 0 = none did */
	struct mole_contact contacts[MOLE_MOST_CONTACTS];
	size_t ncontacts; /* later ones are not told */
};

/* Looks at the coins now and then while they move; never needed for the outcome. */
struct mole_watch {
	void (*see)(void *ctx, unsigned tick, const struct mole_coins *coins);
	void *ctx;
	unsigned every; /* ticks, > 0 */
};

/* Moves the coins until all are at rest. `watch` may be NULL. */
void mole_slide(const struct mole_board *board, struct mole_coins *coins,
                const struct mole_launch *launch, const struct mole_watch *watch,
                struct mole_run *run);

#endif
