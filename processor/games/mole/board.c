/*
 * board.c - what lies inside what.
 */
#include "processor/games/mole/board.h"

const struct mole_named_board mole_boards[MOLE_BOARDS] = {
#include "processor/games/mole/boards.inc"
};

bool mole_rect_holds(const struct mole_rect *r, int64_t x, int64_t y)
{
	return x >= r->x0 && x <= r->x1 && y >= r->y0 && y <= r->y1;
}

bool mole_rect_holds_disc(const struct mole_rect *rect, int64_t x, int64_t y, int64_t r)
{
	return x >= rect->x0 + r && x <= rect->x1 - r && y >= rect->y0 + r && y <= rect->y1 - r;
}

/* Square of the distance from the centre of the circle. */
static int64_t from_circle(const struct mole_board *board, int64_t x, int64_t y)
{
	x -= board->circle.x;
	y -= board->circle.y;
	return x * x + y * y;
}

enum mole_zone mole_zone_around(const struct mole_board *board, int64_t x, int64_t y, int64_t r)
{
	int64_t room = board->circle.r - r;

	if (from_circle(board, x, y) <= room * room)
		return ZONE_CIRCLE;
	for (size_t i = 0; i < board->nrosseries; i++)
		if (mole_rect_holds_disc(&board->rosseries[i], x, y, r))
			return (enum mole_zone)(ZONE_ROSSERIE + i);
	return ZONE_NONE;
}

/* How far a number lies outside [low, high]. */
static int64_t outside(int64_t n, int64_t low, int64_t high)
{
	if (n < low)
		return low - n;
	return n > high ? n - high : 0;
}

static bool rect_touched(const struct mole_rect *rect, int64_t x, int64_t y, int64_t r)
{
	int64_t dx = outside(x, rect->x0, rect->x1);
	int64_t dy = outside(y, rect->y0, rect->y1);

	return dx * dx + dy * dy < r * r;
}

bool mole_zone_touched(const struct mole_board *board, int64_t x, int64_t y, int64_t r)
{
	int64_t reach = board->circle.r + r;

	if (from_circle(board, x, y) < reach * reach)
		return true;
	for (size_t i = 0; i < board->nrosseries; i++)
		if (rect_touched(&board->rosseries[i], x, y, r))
			return true;
	return false;
}

enum mole_zone mole_zone_at(const struct mole_board *board, int64_t x, int64_t y)
{
	enum mole_zone zone = mole_zone_around(board, x, y, 0);

	if (zone == ZONE_NONE && mole_rect_holds(&board->nichee, x, y))
		return ZONE_NICHEE;
	return zone;
}
