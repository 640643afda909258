/*
 * lines.h - the open lines to the winning line.
 */
#ifndef MOLEPOST_GAMES_MOLE_LINES_H
#define MOLEPOST_GAMES_MOLE_LINES_H

#include "processor/games/mole/mole.h"

enum { LINES_MOST = 8 };

/* The y, in mm, that lines are aimed at: a little beyond the winning line. */
unsigned mole_lines_aim_mm(const struct game_state *s);
/* Aimed there, with x from from_mm to to_mm the mole crosses and wins. */
struct mole_open {
	unsigned from_mm, to_mm;
};
/* As the coins lie, whoever is to play. Fills at most `most`, returns how many. */
unsigned mole_open_lines(const struct game_state *s, struct mole_open *open, unsigned most);

#endif
