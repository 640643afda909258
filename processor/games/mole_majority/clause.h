/*
 * clause.h - one line of orders into its part of mm_orders.
 */
#ifndef MOLEPOST_GAMES_MOLE_MAJORITY_CLAUSE_H
#define MOLEPOST_GAMES_MOLE_MAJORITY_CLAUSE_H

#include "processor/games/mole_majority/majority.h"
#include "processor/games/order_text.h"

/* The steps first, numbered as in enum mm_verb. */
enum {
	VERB_PLAY = STEP_VERBS,
	VERB_STACK,
	VERB_DISCARD,
	VERB_PASS,
	VERB_BASE,
	VERB_TILES,
	VERB_RESIGN,
	VERBS
};

/* Index = verb; as the reader of order lines wants them, and as canonical orders write them. */
extern const char *const mm_verbs[VERBS];
extern const char *const mm_written_verbs[VERBS];

/*
 * Whether a word stands behind verbs of this game and seldom elsewhere: a hex, a card, a
 * direction. Numbers do not count, for "rules 1" is no misspelt TILES.
 */
bool mm_is_argument(struct span word);
bool mm_is_count(struct span word); /* "x2", "2", "two" */
/* All of it but the language's names, which belong to a game. */
struct order_language mm_language(const struct game_state *s, const char **names);

/*
 * Adds the clause to `o`. False with one sentence in *why (static): what the verb takes.
 * Trusts nothing about the words; what is added is in range.
 */
bool mm_read_clause(const struct order_language *l, int verb, const struct order_word *args,
                    size_t nargs, struct mm_orders *o, const char **why);

#endif
