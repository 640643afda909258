/*
 * play.h - random play that holds any game to its contract (games/rules.h).
 *
 * A play is one game of one kind from one seed: options, names, orders and
 * resignations are all drawn from it. Every turn the promises of rules.h are
 * checked; the first that does not hold ends the play with a sentence in `problem`.
 * Nothing here knows a game, and a new game must pass unchanged.
 *
 *	struct play p;
 *	play_start(&p, rules, 3, seed);
 *	while (play_goes_on(&p))
 *		play_turn(&p);
 *	cr_assert_eq(p.problem.len, 0, "%s", p.problem.ptr);
 *	play_release(&p);
 */
#ifndef MOLEPOST_TESTS_SUPPORT_PLAY_H
#define MOLEPOST_TESTS_SUPPORT_PLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "processor/base/arena.h"
#include "processor/base/strbuf.h"
#include "processor/games/rules.h"

struct play {
	const struct rules *rules;
	uint64_t seed;
	unsigned nseats;
	bool resignations; /* seats leave at random */
	struct seat_set gone;
	unsigned levels[MAX_SEATS + 1];
	uint64_t dice;         /* the harness's own draws, apart from the game's chance */
	struct arena *arena;   /* options; lives as long as the play */
	struct arena *scratch; /* docs; emptied after each look */
	struct options options;
	unsigned max_phases;
	struct game_state *now;
	struct strbuf text;    /* `now` encoded */
	struct strbuf record;  /* all chance drawn so far */
	struct strbuf problem; /* "" while everything holds */
};

/* False with `problem` set when no game could be made of any options drawn. */
bool play_start(struct play *p, const struct rules *rules, unsigned nseats, uint64_t seed);
bool play_goes_on(const struct play *p);
/* Checks the position, plays one turn, checks what came of it. */
bool play_turn(struct play *p);
/* What must hold once a game is over. */
bool play_check_end(struct play *p);
void play_release(struct play *p);

/* Always false; notes the first problem only, with what plays this game again. */
bool play_fail(struct play *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A number below n from a generator of its own; *dice is its state. */
unsigned play_draw(uint64_t *dice, unsigned n);
/* Spoils a text in one of several ways a person or a mailer might. */
void play_spoil(uint64_t *dice, struct strbuf *text);

#endif
