/*
 * played.h - a game played with known secrets, as the record an archive is written from.
 */
#ifndef MOLEPOST_TESTS_PLAYED_H
#define MOLEPOST_TESTS_PLAYED_H

#include "processor/archive/archive.h"
#include "processor/base/arena.h"

struct played;

/*
 * What a server does that cheats: changes the header before the set-up is drawn, or the orders of a turn
 * before that is resolved. Either may be NULL. All that follows is made anew, with secret and key.
 */
struct cheat {
	unsigned version; /* of the record; 0: the newest */
	void (*with_header)(struct record *r);
	void (*with_turn)(struct played *p, struct record_turn *t);
};

struct played {
	struct arena *arena;
	struct keyring *keys;
	struct record record;
	struct game_state **states; /* one per turn of the record; NULL: broken off */
	struct hash *inputs;  /* one per turn, what its draws follow from; since version 2 */
	size_t at;            /* the turn whose outcome is the position now */
	uint64_t wild;        /* not 0: a game of played_wild_game */
	unsigned forged_from; /* not 0: a game of played_forged_game */
	struct cheat cheat;   /* of played_cheating_game */
};

/*
 * Sets up and plays a game of `nseats` to its end, at most `max_turns` turns: sample orders,
 * with superseded revisions, orders taken back, late or missing here and there, and bots.
 */
void played_game(struct played *p, const struct rules *rules, unsigned nseats,
                 unsigned max_turns, uint64_t seed);
/* The same with options ("target=10"), others as the rules have them. */
void played_game_with(struct played *p, const struct rules *rules, const char *options,
                      unsigned nseats, unsigned max_turns, uint64_t seed);
/*
 * The game of played_game_with up to turn `from`; from there on everybody sent other orders,
 * and all that follows from them is made anew under the same secret.
 */
void played_forged_game(struct played *p, const struct rules *rules, const char *options,
                        unsigned nseats, unsigned max_turns, uint64_t seed, unsigned from);
/* The game of played_game as a server keeps it that cheats. */
void played_cheating_game(struct played *p, const struct rules *rules, unsigned nseats,
                          unsigned max_turns, uint64_t seed, struct cheat cheat);
/*
 * A game in which everything is drawn from the seed: seats, options, and the secret too; seats
 * leave, orders are standing ones, turns are broken off and taken back. To the end, or 199
 * turns of it; every fifth ends by agreement or is cancelled. Even seeds give records of version 1
 * and 2 in turn, all else here is of the newest.
 */
void played_wild_game(struct played *p, const struct rules *rules, uint64_t seed);
void played_release(struct played *p);
/* A copy of the record as it was after n turns (the set-up is one), still running. */
struct record played_until(const struct played *p, size_t n);
/* The mail in which the report of that turn prints its head. */
void played_head(const struct played *p, size_t turn, struct strbuf *mail);

#endif
