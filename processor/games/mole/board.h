/*
 * board.h - a board: its size and what lies on it, in nm, and the text that it is written as.
 *
 * Players design boards. A board is a text of lines such as "post 100 520 6"; the four that have a
 * name are such texts too (boards.inc). A game keeps its board as the value of the option `board`:
 * the text on one line, so that a state and a record hold all of it. molepost-rules(7), MOLE,
 * says what may stand there.
 *
 * Trusts: whoever has a board from mole_board_read() may rely on the limits here, on everything lying
 * within the edges, on no zone overlapping another or a wall, on start places that are legal, and
 * on physics.h not overflowing. Borders count as inside.
 */
#ifndef MOLEPOST_GAMES_MOLE_BOARD_H
#define MOLEPOST_GAMES_MOLE_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processor/base/span.h"
#include "processor/base/strbuf.h"

enum {
	MOLE_MM = 1000000,
	MOLE_COINS = 4,
	MOLE_MOST_WALLS = 24,
	MOLE_MOST_ROSSERIES = 4,
	MOLE_BOARD_LINES = 60,
	MOLE_BOARD_BYTES = 2000, /* on one line */
	/* mm */
	MOLE_WIDTH_LEAST = 150,
	MOLE_WIDTH_MOST = 400,
	MOLE_LENGTH_LEAST = 300,
	MOLE_LENGTH_MOST = 900,
	MOLE_THIN = 1, /* half-thickness of a wall, radius of a post */
	MOLE_THICK = 40,
	MOLE_APART = 20400000 /* nm, least distance of mignettes at the start of a round */
};

struct mole_point {
	int64_t x, y;
};
struct mole_rect {
	int64_t x0, y0, x1, y1;
};
struct mole_disc {
	int64_t x, y, r;
};
/* Straight across the board or along it, with half-thickness h; of a post both ends are one. */
struct mole_wall {
	int64_t x1, y1, x2, y2, h;
};

/* Flat: copied by assignment. */
struct mole_board {
	int64_t width, length; /* x from 0, y from the rear, 0, to the winning line */
	struct mole_disc circle;
	struct mole_rect rosseries[MOLE_MOST_ROSSERIES];
	size_t nrosseries;
	struct mole_rect nichee;
	bool has_loup, has_ramp;
	int64_t loup; /* y */
	struct mole_wall walls[MOLE_MOST_WALLS];
	size_t nwalls;
	struct mole_rect ramp;
	struct mole_point start[MOLE_COINS];
};

/* The boards with a name: value of the option, and the text. */
enum { MOLE_BOARDS = 4 };
struct mole_named_board {
	const char *name, *text;
};
extern const struct mole_named_board mole_boards[MOLE_BOARDS];

/*
 * Reads a board, on lines or on one line, and judges whether it can be played. False with a sentence
 * in `why`, which ends in an example where the fault is in one line.
 */
bool mole_board_read(struct span text, struct mole_board *out, struct strbuf *why);
/* On one line, without blanks; mole_board_read gives the same board back. */
void mole_board_write(const struct mole_board *board, struct strbuf *out);
/* Whether it can be played; mole_board_read has asked this. */
bool mole_board_sound(const struct mole_board *board, struct strbuf *why);
/* Appends what is wrong with mignettes whose centres are these (index = coin), or nothing. */
void mole_places_judge(const struct mole_board *board, const struct mole_point *centres,
                       struct strbuf *why);

enum mole_zone {
	ZONE_NONE,
	ZONE_CIRCLE,
	ZONE_ROSSERIE, /* the first; then the others */
	ZONE_NICHEE = ZONE_ROSSERIE + MOLE_MOST_ROSSERIES
};
/* The mole circle or the Rosserie that holds the whole disc, or ZONE_NONE. */
enum mole_zone mole_zone_around(const struct mole_board *board, int64_t x, int64_t y,
                                int64_t r);
/* The disc lies in the circle or a Rosserie, with a part of it at least. */
bool mole_zone_touched(const struct mole_board *board, int64_t x, int64_t y, int64_t r);
/* The zone that holds this point. */
enum mole_zone mole_zone_at(const struct mole_board *board, int64_t x, int64_t y);
bool mole_rect_holds(const struct mole_rect *r, int64_t x, int64_t y);

/* Of a coin, in nm: the mole is a 2p, the mignettes are 1p. */
static inline int64_t mole_radius(unsigned coin)
{
	return coin == 0 ? 12950000 : 10150000;
}

/* Millimetres with up to two decimals, |mm| <= TARGET_MM; nm is then a multiple of MOLE_STEP. */
bool mole_parse_mm(struct span word, int64_t *nm);
void mole_add_mm(struct strbuf *out, int64_t nm); /* as short as it reads back */

#endif
