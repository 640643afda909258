/*
 * chosen.h - which games a test plays: GAMES=kind,kind, PLAYERS=n, SEED=n and the like from the environment.
 */
#ifndef MOLEPOST_TESTS_CHOSEN_H
#define MOLEPOST_TESTS_CHOSEN_H

#include <stdbool.h>

#include "processor/games/registry.h"

/* The number in this variable, or `otherwise` where it is not set; what is no number aborts. */
unsigned chosen_number(const char *variable, unsigned otherwise);
/* Whether there is time for a long property: in `make test`, that is with so large a GAMES_PER_KIND. */
enum { CHOSEN_LONG = 300 };
bool chosen_long(void);
/* Whether GAMES names this kind, or is not set. */
bool chosen_kind(const struct rules *r);
/* Whether PLAYERS is this number, or is not set. */
bool chosen_players(unsigned nseats);

/* A Criterion suite about one kind, whose tests are skipped where GAMES names others. */
#define SUITE_OF_KIND(suite, kind)                                     \
	static void suite##_if_chosen(void)                            \
	{                                                              \
		if (!chosen_kind(rules_find(SPAN_LIT(kind))))          \
			cr_skip_test("GAMES does not name this kind"); \
	}                                                              \
	TestSuite(suite, .init = suite##_if_chosen)

#endif
