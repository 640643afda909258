/*
 * board.h - the boards and what lies on them, in nm.
 *
 * All of it is house figures: the old text has no measures. Borders count as inside.
 */
#ifndef MOLEPOST_GAMES_MOLE_BOARD_H
#define MOLEPOST_GAMES_MOLE_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	MOLE_MM = 1000000,
	MOLE_WIDTH = 300 * MOLE_MM,
	MOLE_LENGTH = 600 * MOLE_MM,
	MOLE_CIRCLE_X = 150 * MOLE_MM,
	MOLE_CIRCLE_Y = 130 * MOLE_MM,
	MOLE_CIRCLE_R = 30 * MOLE_MM,
	MOLE_LOUP_Y = 70 * MOLE_MM,
	MOLE_MOST_WALLS = 2
};

struct mole_rect {
	int64_t x0, y0, x1, y1;
};
extern const struct mole_rect mole_rosseries[2];
extern const struct mole_rect mole_nichee;
extern const struct mole_rect mole_ramp; /* where a board has one */

/* From (x1, y) to (x2, y) with half-thickness h; a post has x1 == x2. */
struct mole_wall {
	int64_t x1, x2, y, h;
};

struct mole_board {
	const char *name; /* value of the option `board` */
	struct mole_wall walls[MOLE_MOST_WALLS];
	size_t nwalls;
	bool ramp;
};
enum { MOLE_BOARDS = 4 };
extern const struct mole_board mole_boards[MOLE_BOARDS];

enum mole_zone { ZONE_NONE, ZONE_CIRCLE, ZONE_ROSSERIE_1, ZONE_ROSSERIE_2, ZONE_NICHEE };
/* The mole circle or the Rosserie that holds the whole disc, or ZONE_NONE. */
enum mole_zone mole_zone_around(int64_t x, int64_t y, int64_t r);
/* The disc lies in the circle or a Rosserie, with a part of it at least. */
bool mole_zone_touched(int64_t x, int64_t y, int64_t r);
/* The zone that holds this point. */
enum mole_zone mole_zone_at(int64_t x, int64_t y);
bool mole_rect_holds(const struct mole_rect *r, int64_t x, int64_t y);
/* The whole disc. */
bool mole_rect_holds_disc(const struct mole_rect *rect, int64_t x, int64_t y, int64_t r);

#endif
