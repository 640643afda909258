/*
 * board.c - what lies inside what, lengths as people write them, and whether a board can be played.
 *
 * It can: measures that physics.h can bear, everything within the edges, nothing on top of a zone, start places
 * that are legal, and ways: for the mole to the winning line and to a side, for the mignettes to the
 * mole. Ways are looked for from place to place on a grid, so a gap counts as one from 31 mm on
 * for the mole (26 mm wide) and from 26 mm on for a mignette.
 */
#include <string.h>

#include "processor/base/num.h"
#include "processor/games/mole/board.h"
#include "processor/games/mole/mole.h"

const struct mole_named_board mole_boards[MOLE_BOARDS] = {
#include "processor/games/mole/boards.inc"
};

bool mole_rect_holds(const struct mole_rect *r, int64_t x, int64_t y)
{
	return x >= r->x0 && x <= r->x1 && y >= r->y0 && y <= r->y1;
}

static bool holds_disc(const struct mole_rect *rect, int64_t x, int64_t y, int64_t r)
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
		if (holds_disc(&board->rosseries[i], x, y, r))
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

/* ---- Lengths ---- */

enum { STEPS_IN_MM = MOLE_MM / MOLE_STEP };

bool mole_parse_mm(struct span word, int64_t *nm)
{
	bool negative = word.len > 0 && word.ptr[0] == '-';
	size_t dot;
	struct span decimals;
	uint64_t whole, hundredths = 0;

	word = span_slice(word, negative ? 1 : 0, word.len);
	dot = span_find_char(word, '.');
	decimals = span_slice(word, dot + 1, word.len);
	if (!num_parse_u64(span_slice(word, 0, dot), TARGET_MM, &whole))
		return false;
	if (dot < word.len &&
	    (decimals.len > 2 || !num_parse_u64(decimals, STEPS_IN_MM - 1, &hundredths)))
		return false;
	if (decimals.len == 1)
		hundredths *= 10;
	*nm = (int64_t)whole * MOLE_MM + (int64_t)hundredths * MOLE_STEP;
	if (*nm > (int64_t)TARGET_MM * MOLE_MM)
		return false;
	if (negative)
		*nm = -*nm;
	return true;
}

void mole_add_mm(struct strbuf *out, int64_t nm)
{
	int64_t steps = (nm < 0 ? -nm : nm) / MOLE_STEP;
	int64_t hundredths = steps % STEPS_IN_MM;

	strbuf_addf(out, "%s%lld", nm < 0 ? "-" : "", (long long)(steps / STEPS_IN_MM));
	if (hundredths % 10)
		strbuf_addf(out, ".%02lld", (long long)hundredths);
	else if (hundredths)
		strbuf_addf(out, ".%lld", (long long)(hundredths / 10));
}

/* ---- Whether it can be played ---- */

enum {
	GRID_MM = 5,
	GRID_COLS = MOLE_WIDTH_MOST / GRID_MM + 1,
	GRID_ROWS = MOLE_LENGTH_MOST / GRID_MM + 1
};

/* Anything that lies on a board: a straight line or a rectangle, with a rim of r round it. */
struct thing {
	const char *name;
	struct mole_rect core;
	int64_t r;
	bool is_wall;
};

enum { THINGS_MOST = 3 + MOLE_MOST_ROSSERIES + MOLE_MOST_WALLS };

struct things {
	struct thing list[THINGS_MOST];
	size_t count;
};

static void add_thing(struct things *t, const char *name, struct mole_rect core, int64_t r)
{
	t->list[t->count++] = (struct thing){.name = name, .core = core, .r = r};
}

/* "post at 100 520" */
static void add_name(struct strbuf *out, const struct thing *t)
{
	struct strbuf x = STRBUF_INIT, y = STRBUF_INIT;

	mole_add_mm(&x, t->core.x0);
	mole_add_mm(&y, t->core.y0);
	strbuf_addf(out, "%s at %s %s", t->name, x.ptr, y.ptr);
	strbuf_release(&x);
	strbuf_release(&y);
}

/* --- measures ---------------------------------------------------------- */

static bool between(int64_t nm, int64_t least_mm, int64_t most_mm)
{
	return nm >= least_mm * MOLE_MM && nm <= most_mm * MOLE_MM;
}

static bool judge_measures(const struct mole_board *b, struct strbuf *why)
{
	int64_t coin = 2 * mole_radius(1);

	if (!between(b->width, MOLE_WIDTH_LEAST, MOLE_WIDTH_MOST) ||
	    !between(b->length, MOLE_LENGTH_LEAST, MOLE_LENGTH_MOST)) {
		strbuf_addf(why,
		            "A board is %d to %d mm wide (x) and %d to %d mm long (y), for "
		            "example \"size 300 600\".",
		            MOLE_WIDTH_LEAST, MOLE_WIDTH_MOST, MOLE_LENGTH_LEAST,
		            MOLE_LENGTH_MOST);
		return false;
	}
	for (size_t i = 0; i < b->nwalls; i++)
		if (!between(b->walls[i].h, MOLE_THIN, MOLE_THICK)) {
			strbuf_addf(why,
			            "Walls have %d to %d mm round their middle line, and "
			            "posts such a radius, for example \"post 100 520 6\".",
			            MOLE_THIN, MOLE_THICK);
			return false;
		}
	for (size_t i = 0; i < b->nrosseries; i++)
		if (b->rosseries[i].x1 - b->rosseries[i].x0 < coin ||
		    b->rosseries[i].y1 - b->rosseries[i].y0 < coin) {
			strbuf_adds(why, "No mignette fits into a Rosserie that is less than "
			                 "20.3 mm wide or long; large enough is, for "
			                 "example, \"rosserie 35 230 95 290\".");
			return false;
		}
	if (b->has_ramp && (b->ramp.x0 == b->ramp.x1 || b->ramp.y0 == b->ramp.y1)) {
		strbuf_adds(why, "The ramp has no extent; one that has is, for example, "
		                 "\"ramp 100 440 200 500\".");
		return false;
	}
	if (b->has_loup && (b->loup < 0 || b->loup >= b->start[MOLE].y)) {
		strbuf_adds(why, "The loup line lies between the rear (0) and where the mole "
		                 "starts, for example \"loup 70\".");
		return false;
	}
	return true;
}

/* --- who lies where ---------------------------------------------------- */

static bool judge_edges(const struct mole_board *b, const struct thing *t, struct strbuf *why)
{
	struct strbuf name = STRBUF_INIT;

	if (t->core.x0 - t->r >= 0 && t->core.y0 - t->r >= 0 && t->core.x1 + t->r <= b->width &&
	    t->core.y1 + t->r <= b->length)
		return true;
	add_name(&name, t);
	strbuf_addf(why,
	            "Part of the %s lies outside the board, which is %lld mm wide (x) and %lld "
	            "long (y).",
	            name.ptr, (long long)(b->width / MOLE_MM),
	            (long long)(b->length / MOLE_MM));
	strbuf_release(&name);
	return false;
}

static int64_t gap(int64_t low, int64_t high, int64_t other_low, int64_t other_high)
{
	int64_t after = low - other_high, before = other_low - high;

	return after > before ? after : before;
}

/* Rims may touch. */
static bool overlap(const struct thing *a, const struct thing *b)
{
	int64_t dx = gap(a->core.x0, a->core.x1, b->core.x0, b->core.x1);
	int64_t dy = gap(a->core.y0, a->core.y1, b->core.y0, b->core.y1);
	int64_t reach = a->r + b->r;

	if (reach == 0)
		return dx < 0 && dy < 0;
	dx = dx > 0 ? dx : 0;
	dy = dy > 0 ? dy : 0;
	return dx * dx + dy * dy < reach * reach;
}

/* Walls may meet and make angles. */
static bool judge_pair(const struct thing *a, const struct thing *b, struct strbuf *why)
{
	struct strbuf names[2] = {STRBUF_INIT, STRBUF_INIT};

	if ((a->is_wall && b->is_wall) || !overlap(a, b))
		return true;
	add_name(&names[0], a);
	add_name(&names[1], b);
	strbuf_addf(why, "On the board the %s and the %s lie on each other. Move one of them.",
	            names[0].ptr, names[1].ptr);
	strbuf_release(&names[0]);
	strbuf_release(&names[1]);
	return false;
}

static bool judge_things(const struct mole_board *board, struct strbuf *why)
{
	struct things t;

	const struct mole_disc *c = &board->circle;

	t.count = 0;
	add_thing(&t, "circle", (struct mole_rect){c->x, c->y, c->x, c->y}, c->r);
	for (size_t i = 0; i < board->nrosseries; i++)
		add_thing(&t, "Rosserie", board->rosseries[i], 0);
	add_thing(&t, "nichee", board->nichee, 0);
	if (board->has_ramp)
		add_thing(&t, "ramp", board->ramp, 0);
	for (size_t i = 0; i < board->nwalls; i++) {
		const struct mole_wall *w = &board->walls[i];
		bool post = w->x1 == w->x2 && w->y1 == w->y2;

		add_thing(&t, post ? "post" : "wall",
		          (struct mole_rect){w->x1, w->y1, w->x2, w->y2}, w->h);
		t.list[t.count - 1].is_wall = true;
	}
	for (size_t i = 0; i < t.count; i++) {
		if (!judge_edges(board, &t.list[i], why))
			return false;
		for (size_t k = 0; k < i; k++)
			if (!judge_pair(&t.list[k], &t.list[i], why))
				return false;
	}
	return true;
}

static void add_range(struct strbuf *out, int64_t low, int64_t high)
{
	mole_add_mm(out, low);
	strbuf_adds(out, " to ");
	mole_add_mm(out, high);
}

static void explain_nichee(const struct mole_rect *nichee, struct strbuf *why)
{
	struct strbuf x = STRBUF_INIT, y = STRBUF_INIT;
	int64_t r = mole_radius(1);

	add_range(&x, nichee->x0 + r, nichee->x1 - r);
	add_range(&y, nichee->y0 + r, nichee->y1 - r);
	strbuf_addf(
	    why,
	    "Every mignette must lie in the nichee with its whole disc: its centre at x "
	    "%s and y %s.",
	    x.ptr, y.ptr);
	strbuf_release(&x);
	strbuf_release(&y);
}

void mole_places_judge(const struct mole_board *board, const struct mole_point *centres,
                       struct strbuf *why)
{
	for (unsigned i = 1; i < MOLE_COINS; i++)
		if (!holds_disc(&board->nichee, centres[i].x, centres[i].y, mole_radius(i))) {
			explain_nichee(&board->nichee, why);
			return;
		}
	for (unsigned a = 1; a < MOLE_COINS; a++)
		for (unsigned b = a + 1; b < MOLE_COINS; b++) {
			int64_t dx = centres[b].x - centres[a].x;
			int64_t dy = centres[b].y - centres[a].y;

			if (dx * dx + dy * dy >= (int64_t)MOLE_APART * MOLE_APART)
				continue;
			strbuf_adds(why,
			            "The centres of two mignettes must be at least 20.4 mm "
			            "apart; one that is not placed lies where it always "
			            "starts.");
			return;
		}
}

static bool judge_start(const struct mole_board *b, struct strbuf *why)
{
	const struct mole_point *m = &b->start[MOLE];
	int64_t dx = m->x - b->circle.x, dy = m->y - b->circle.y;
	int64_t room = b->circle.r - mole_radius(MOLE);
	size_t before = why->len;

	if (dx < -room || dx > room || dy < -room || dy > room ||
	    dx * dx + dy * dy > room * room) {
		strbuf_adds(why, "The mole starts with its whole disc (radius 12.95 mm) in its "
		                 "circle, for example \"circle 150 130 30\".");
		return false;
	}
	mole_places_judge(b, b->start, why);
	return why->len == before;
}

/* --- ways -------------------------------------------------------------- */

/* The places of a grid where a disc may lie, and which of them it can come to. */
struct grid {
	int cols, rows;
	bool blocked[GRID_ROWS][GRID_COLS], reached[GRID_ROWS][GRID_COLS];
};

static int cell(int64_t nm)
{
	return (int)((nm + GRID_MM * MOLE_MM / 2) / (GRID_MM * MOLE_MM));
}

static void grid_from(const struct mole_board *b, unsigned coin, struct grid *g)
{
	memset(g, 0, sizeof *g);
	g->cols = (int)(b->width / (GRID_MM * MOLE_MM)) + 1;
	g->rows = (int)(b->length / (GRID_MM * MOLE_MM)) + 1;
	for (size_t i = 0; i < b->nwalls; i++) {
		int64_t reach = mole_radius(coin) + b->walls[i].h;

		for (int row = 0; row < g->rows; row++) {
			int64_t y = (int64_t)row * GRID_MM * MOLE_MM,
				dy = gap(b->walls[i].y1, b->walls[i].y2, y, y);

			for (int col = 0; col < g->cols && dy < reach; col++) {
				int64_t x = (int64_t)col * GRID_MM * MOLE_MM,
					dx = gap(b->walls[i].x1, b->walls[i].x2, x, x);

				g->blocked[row][col] |= (dx > 0 ? dx * dx : 0) +
				                            (dy > 0 ? dy * dy : 0) <
				                        reach * reach;
			}
		}
	}

	/* Fills from a place outwards, without recursion: a stack of places to look round from. */
	static const int steps[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
	int stack[GRID_ROWS * GRID_COLS];
	size_t depth = 0;

	stack[depth++] = cell(b->start[coin].y) * g->cols + cell(b->start[coin].x);
	g->reached[cell(b->start[coin].y)][cell(b->start[coin].x)] = true;
	while (depth > 0) {
		int at = stack[--depth];

		for (size_t i = 0; i < 4; i++) {
			int row = at / g->cols + steps[i][0], col = at % g->cols + steps[i][1];

			if (row < 0 || row >= g->rows || col < 0 || col >= g->cols ||
			    g->blocked[row][col] || g->reached[row][col])
				continue;
			g->reached[row][col] = true;
			stack[depth++] = row * g->cols + col;
		}
	}
}

static bool judge_ways(const struct mole_board *b, struct strbuf *why)
{
	struct grid g;
	bool side = false, line = false;

	if (b->nwalls == 0)
		return true;
	grid_from(b, MOLE, &g);
	for (int row = 0; row < g.rows; row++)
		side = side || g.reached[row][0] || g.reached[row][g.cols - 1];
	for (int col = 0; col < g.cols; col++)
		line = line || g.reached[g.rows - 1][col];
	if (!line || !side) {
		strbuf_adds(why, line
		                     ? "Walls leave the mole no way to either side, so the "
		                       "mignettes could not win. A gap of 31 mm is one."
		                     : "Walls leave the mole no way to the winning line. A gap "
		                       "of 31 mm is one.");
		return false;
	}
	for (unsigned coin = 1; coin < MOLE_COINS; coin++) {
		grid_from(b, coin, &g);
		if (g.reached[cell(b->start[MOLE].y)][cell(b->start[MOLE].x)])
			continue;
		strbuf_addf(
		    why, "Walls leave mignette %u no way to the mole. A gap of 26 mm is one.",
		    coin);
		return false;
	}
	return true;
}

bool mole_board_sound(const struct mole_board *b, struct strbuf *why)
{
	return judge_measures(b, why) && judge_things(b, why) && judge_start(b, why) &&
	       judge_ways(b, why);
}
