/*
 * sound.h - whether what was read line by line makes a position of this game.
 */
#ifndef MOLEPOST_GAMES_MOLE_MAJORITY_SOUND_H
#define MOLEPOST_GAMES_MOLE_MAJORITY_SOUND_H

#include "processor/games/mole_majority/majority.h"

/*
 * Trusts: every field of `s` is in its own range. True: all sums are right (moles, claim
 * tokens, cave-ins, cards, home tokens, hexes), turn, round and active player fit together,
 * and the next turn gives a state that can be read again. False with a sentence in `why`.
 */
bool mm_is_sound(const struct game_state *s, struct strbuf *why);

#endif
