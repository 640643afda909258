/*
 * highlights.h - the three moments of a game that are worth telling again.
 *
 * What the game itself names (doc_highlight), the turn that brought most points, and how long it was
 * undecided; all of it what everybody may know after the end. Pure.
 */
#ifndef MOLEPOST_PROCESSOR_REPLAY_HIGHLIGHTS_H
#define MOLEPOST_PROCESSOR_REPLAY_HIGHLIGHTS_H

#include "processor/base/arena.h"
#include "processor/games/rules.h"

enum { HIGHLIGHTS = 3 };

struct highlights;

/* Lives in the arena, and so do the sentences. */
struct highlights *highlights_new(const struct rules *rules, struct arena *arena);
/* The next position on the line of play, the set-up first, and what its turn was called. */
void highlights_add(struct highlights *h, const struct game_state *state, const char *label);
/* At most HIGHLIGHTS sentences about all that was added. */
size_t highlights_choose(const struct highlights *h, const char *out[HIGHLIGHTS]);

#endif
