/*
 * board.c - measures of the boards, and what lies inside what.
 */
#include "processor/games/mole/board.h"

const struct mole_rect mole_rosseries[2] = {
    {35 * MOLE_MM, 230 * MOLE_MM, 95 * MOLE_MM, 290 * MOLE_MM},
    {205 * MOLE_MM, 230 * MOLE_MM, 265 * MOLE_MM, 290 * MOLE_MM},
};
const struct mole_rect mole_nichee = {60 * MOLE_MM, 330 * MOLE_MM, 240 * MOLE_MM,
                                      420 * MOLE_MM};
const struct mole_rect mole_ramp = {100 * MOLE_MM, 440 * MOLE_MM, 200 * MOLE_MM, 500 * MOLE_MM};

const struct mole_board mole_boards[MOLE_BOARDS] = {
    {.name = "classic"},
    {.name = "iracoubo",
     .walls = {{120 * MOLE_MM, 180 * MOLE_MM, 450 * MOLE_MM, 3 * MOLE_MM}},
     .nwalls = 1},
    {.name = "ghana",
     .walls = {{100 * MOLE_MM, 100 * MOLE_MM, 520 * MOLE_MM, 6 * MOLE_MM},
               {200 * MOLE_MM, 200 * MOLE_MM, 520 * MOLE_MM, 6 * MOLE_MM}},
     .nwalls = 2},
    {.name = "rembobiner", .ramp = true},
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
static int64_t from_circle(int64_t x, int64_t y)
{
	x -= MOLE_CIRCLE_X;
	y -= MOLE_CIRCLE_Y;
	return x * x + y * y;
}

enum mole_zone mole_zone_around(int64_t x, int64_t y, int64_t r)
{
	int64_t room = MOLE_CIRCLE_R - r;

	if (from_circle(x, y) <= room * room)
		return ZONE_CIRCLE;
	if (mole_rect_holds_disc(&mole_rosseries[0], x, y, r))
		return ZONE_ROSSERIE_1;
	if (mole_rect_holds_disc(&mole_rosseries[1], x, y, r))
		return ZONE_ROSSERIE_2;
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

bool mole_zone_touched(int64_t x, int64_t y, int64_t r)
{
	int64_t reach = MOLE_CIRCLE_R + r;

	return from_circle(x, y) < reach * reach || rect_touched(&mole_rosseries[0], x, y, r) ||
	       rect_touched(&mole_rosseries[1], x, y, r);
}

enum mole_zone mole_zone_at(int64_t x, int64_t y)
{
	if (mole_zone_around(x, y, 0) != ZONE_NONE)
		return mole_zone_around(x, y, 0);
	return mole_rect_holds(&mole_nichee, x, y) ? ZONE_NICHEE : ZONE_NONE;
}
