/*
 * puzzles.h - the puzzle of each week: what was shown, and what solves it.
 *
 * A week has a row once somebody has begun to look for its puzzle, one that is done once
 * that is found and its mails are in the outbox, in one transaction; or when there is none.
 */
#ifndef MOLEPOST_STORE_PUZZLES_H
#define MOLEPOST_STORE_PUZZLES_H

#include "store/engine/store.h"

struct puzzle {
	int64_t week; /* from the one of Monday, 5 January 1970, which is 0 */
	unsigned tries;
	bool done;
	int64_t game;         /* 0: there is none */
	unsigned seat;        /* whose orders are asked for */
	struct span position; /* encoded, as the game's rules do */
	struct span orders;   /* canonical, the best */
	unsigned wins, gain;  /* see struct advice (bots.h) */
};

/* ERR_NOT_FOUND. */
enum err puzzle_get(struct store *s, int64_t week, struct arena *arena,
                    struct puzzle *out) MUST_CHECK;
/* The newest that was shown before that week; week 0 and no game when there was none. */
enum err puzzle_before(struct store *s, int64_t week, struct arena *arena,
                       struct puzzle *out) MUST_CHECK;
/* One more try of this week. */
enum err puzzle_begin(struct store *s, int64_t week) MUST_CHECK;
/* Writes all but `tries`, and that it is done. */
enum err puzzle_end(struct store *s, const struct puzzle *p) MUST_CHECK;
/* Who wants puzzles, by id. */
enum err puzzle_readers(struct store *s, struct arena *arena, int64_t **out,
                        size_t *n) MUST_CHECK;
/*
 * Public games that were played here and have ended, and of which no puzzle was made, the
 * last end first.
 */
enum err puzzle_games(struct store *s, size_t max, int64_t *out, size_t *n) MUST_CHECK;

#endif
