/*
 * word_scan.h - the plain way to find the best word: every word of the list against every way
 * to use the roll. What the finder of Martian Boggle is compared with, and measured against.
 */
#ifndef MOLEPOST_TESTS_WORD_SCAN_H
#define MOLEPOST_TESTS_WORD_SCAN_H

#include "processor/games/martian_boggle/boggle.h"

struct word_scan {
	unsigned points; /* of the best word, 0 = there is none */
	unsigned count;  /* different words that can be reached */
};
void word_scan(const struct game_state *s, struct span list, struct word_scan *out);

/* A position some turns into a game, from a seed; free with martian_boggle_1.free_state. */
struct game_state *word_scan_position(uint64_t seed, const char *options, struct span list);

#endif
