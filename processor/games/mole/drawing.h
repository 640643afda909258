/*
 * drawing.h - a board in text, in words and as shapes.
 */
#ifndef MOLEPOST_GAMES_MOLE_DRAWING_H
#define MOLEPOST_GAMES_MOLE_DRAWING_H

#include "processor/games/mole/mole.h"

enum { TRACE_MOST = 260, TRACE_TICKS = 1280 /* 80 ms */ };

/* Where the coins were: at first, then, while they moved, one look every TRACE_TICKS. */
struct mole_trace {
	struct mole_coins seen[TRACE_MOST];
	size_t count;
};
/* Plays the last mail again and looks. */
void mole_trace(const struct game_state *s, struct mole_trace *t, struct mole_played *p);

/* One board; `trace` gives the paths and the frames, NULL for a still. */
struct mole_drawing {
	const char *caption;
	const struct mole_setup *setup;
	const struct mole_coins *coins;
	const struct mole_trace *trace;
};
void mole_draw(const struct mole_drawing *d, struct doc *out);
/* "Places: M at 229.555 226.360; 2 at 150.000 360.000, nichee, touches 3." For orders the drawing is too coarse. */
void mole_tell_places(const char *lead, const struct mole_board *board,
                      const struct mole_coins *coins, struct doc *out);
/* Only the board, without coins and words, for the guide. */
void mole_draw_bare(const struct mole_setup *setup, struct doc *out);

/* "150.000", from a position in raw units; three decimals, to the nearest. */
void mole_add_place(struct strbuf *out, int64_t raw);
const char *mole_zone_name(enum mole_zone z);

#endif
