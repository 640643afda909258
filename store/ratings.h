/*
 * ratings.h - who sat where, what ended games came to, and the ratings that follow from it.
 *
 * Holders of seats are facts, written by triggers of the schema whenever a seat changes hands. Standings
 * follow from the record of a game and its holders, ratings from all standings in the order of the
 * ends of the games: both are kept so that a game that ends costs no more than its own rows, and
 * can be dropped and made anew. How they are worked out stands in rating.h and standings.h of the
 * processor; here are only rows.
 */
#ifndef MOLEPOST_STORE_RATINGS_H
#define MOLEPOST_STORE_RATINGS_H

#include "store/engine/store.h"

struct seat_holder {
	unsigned seat;
	unsigned serial; /* the first turn of it */
	int64_t player;  /* 0 = nobody, or a bot in somebody's place */
};
/* By seat, then by serial; none for a game that was taken over from an archive. */
enum err seat_holder_list(struct store *s, int64_t game, struct arena *arena,
                          struct seat_holder **out, size_t *n) MUST_CHECK;
/* Of such a list: whose this seat was in this turn; 0 = nobody's, or a bot's. */
int64_t seat_holder_player(const struct seat_holder *all, size_t n, unsigned seat,
                           unsigned serial);
/* Everybody who has had a seat in the game, once each, in the order of the seats. */
enum err seat_holder_players(struct store *s, int64_t game, struct arena *arena, int64_t **out,
                             size_t *n) MUST_CHECK;

/* One person at one seat of an ended game. */
struct standings_place {
	int64_t player;
	unsigned rank;     /* 1 = best; 0 = not rated */
	struct span marks; /* one letter per turn that counts: rating.h of the processor */
};
struct standings {
	int64_t game, ended_utc;
	struct span kind;
	bool counted; /* standings_get: by now */
	struct standings_place *places;
	size_t n;
};

struct standings_due {
	int64_t game, ended_utc;
	unsigned tries; /* how often it was begun before and not finished */
};
/* Ended games that are not counted yet, in the order in which they count; at most `max`. */
enum err standings_due_list(struct store *s, size_t max, struct standings_due *out,
                            size_t *n) MUST_CHECK;
/* One more try of this game. */
enum err standings_begin(struct store *s, int64_t game) MUST_CHECK;
/* Writes the rows and that the game is counted. */
enum err standings_add(struct store *s, const struct standings *t) MUST_CHECK;
/* Game and end of the last one counted in that order; zeros when there is none. */
enum err standings_last(struct store *s, struct standings_due *out) MUST_CHECK;
/* What there is of one game; no rows if it is not counted. ERR_NOT_FOUND: no such game. */
enum err standings_get(struct store *s, int64_t game, struct arena *arena,
                       struct standings *out) MUST_CHECK;
/* All that have rows, in the order in which they count; what `each` is given is its until it returns. */
enum err standings_each(struct store *s, void (*each)(void *ctx, const struct standings *t),
                        void *ctx) MUST_CHECK;
/* Forgets all standings: every ended game is to be counted. */
enum err standings_clear(struct store *s) MUST_CHECK;

struct rating {
	int64_t player;
	struct span kind; /* "" = all games */
	int64_t rating;   /* thousandths of a point */
	unsigned games, wins;
	bool provisional;
	/* With kind "" alone: millionths, and numbers of turns. */
	int64_t share;
	unsigned turns, missed, late;
};
/* ERR_NOT_FOUND when nothing has been counted for this player and kind. */
enum err rating_get(struct store *s, int64_t player, struct span kind, struct arena *arena,
                    struct rating *out) MUST_CHECK;
enum err rating_put(struct store *s, const struct rating *r) MUST_CHECK;
/* All rows of a player, or of everybody (0), by player and kind. */
enum err rating_list(struct store *s, int64_t player, struct arena *arena, struct rating **out,
                     size_t *n) MUST_CHECK;
/* Forgets all of them. */
enum err rating_clear(struct store *s) MUST_CHECK;

struct rating_named {
	struct rating r;
	struct span name;
	int64_t share; /* of all games */
};
/* The best of a kind ("" = all), those with enough games first; nobody who is forgotten. */
enum err rating_best(struct store *s, struct span kind, size_t max, struct arena *arena,
                     struct rating_named **out, size_t *n) MUST_CHECK;

/* Who may sit down in a game. */
struct entry_terms {
	unsigned reliability;  /* at least so many percent; 0 = any */
	bool without_operator; /* of the server */
	bool ready; /* begins when all have said that they are there (turns/ready.h) */
};
/* Once, when the game is made. */
enum err entry_terms_set(struct store *s, int64_t game,
                         const struct entry_terms *terms) MUST_CHECK;
enum err entry_terms_get(struct store *s, int64_t game, struct entry_terms *out) MUST_CHECK;

#endif
