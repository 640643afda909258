/*
 * clause.h - one line of orders into its part of mm_orders; and lines that only look like talk.
 */
#ifndef MOLEPOST_GAMES_MOLE_MAJORITY_CLAUSE_H
#define MOLEPOST_GAMES_MOLE_MAJORITY_CLAUSE_H

#include "processor/games/mole_majority/majority.h"
#include "processor/games/order_forms.h"

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

extern const char *const mm_verbs[VERBS];
extern const struct order_forms mm_forms;

/*
 * Whether a word stands behind verbs of this game and seldom elsewhere: a hex, a card, a
 * direction. Numbers do not count, for "rules 1" is no misspelt TILES.
 */
bool mm_is_argument(struct span word);
bool mm_names_place(struct span word); /* "C3", "C3.9", "C3-F1": one hex there is */
bool mm_is_count(struct span word);    /* "x2", "2", "two" */
bool mm_read_count(struct span word, uint8_t *count);
/* All of it but the language's names, which belong to a game. */
struct order_language mm_language(const struct game_state *s, const char **names);

/* Whether a base, or with VERB_TILES an outer hex, may be placed there. */
bool mm_may_lie(int verb, unsigned hex);
/*
 * Adds the clause to `o`. NULL, or one sentence: what its row takes, or another static one.
 * Trusts nothing about the words; what is added is in range.
 */
const char *mm_read_clause(const struct order_language *l, int verb,
                           const struct order_word *args, size_t nargs, struct mm_orders *o);

/* ---- outline.c: lines that are no orders, beside orders ---- */

/* The mail as a whole, for judging one line of it. */
struct mm_outline {
	bool plays, builds;   /* there is a PLAY; a BASE or TILES */
	bool bare;            /* some card has no step below it */
	unsigned first, last; /* lines of the PLAY and of the last order behind it */
};
void mm_outline_mail(const struct order_language *l, struct span text, struct mm_outline *out);

/* Prose, or words behind a verb that belong to none: "Home at last". */
bool mm_is_talk(const struct order_language *l, const struct order_clause *c);

/* A line, or the rest of one, that is talk. */
struct mm_talk {
	const struct order_word *words;
	size_t nwords;
	unsigned line;
	bool below_bare; /* the card above it has no step */
	bool introduces; /* ends with a colon */
};
/*
 * Whether this was probably meant as a part of the turn or of the lists: a turn played without it
 * could not be taken back.
 */
bool mm_is_meant(const struct mm_outline *o, const struct mm_talk *t);

#endif
