/*
 * drawing.c - the board: columns of 10 mm along y, rows of 20 mm along x, and one and a half times
 * that on a board longer than 600 mm. For a narrow reader it stands upright, the winning line on top, in cells
 * of 15 mm along x and 30 mm along y, or larger ones on a larger board.
 *
 * A cell belongs to a coin when its centre lies in the disc, and always when the disc's own
 * centre lies in the cell. Coins lie over paths, walls, ramp, Rosserie, circle, nichee,
 * loup line, in this order.
 */
#include "processor/games/mole/drawing.h"

#include <stdlib.h>
#include <string.h>

enum {
	COLS_MOST = 60,
	ROWS_MOST = 60,
	NARROW_COLS = 32, /* of a board that stands upright */
	COL_MM = 10,
	LONG_COL_MM = 15, /* on a board longer than LONG_MM */
	LONG_MM = 600,
	NM_IN_UM = 1000,
	TENTH = 10, /* columns between two numbers of y */
	PATH_STEPS = 16,
	DRAWN_COLS = 70,   /* the board lying */
	FRAME_MARGIN = 36, /* mm around the board in the picture, for its axes */
	TICK_MM = 100,
	LETTERS_HIGH = 17, /* of numbers and names, for a phone */
	WALL_TONE = 8,
	NAME_ABOVE = 11 /* mm from what has a name to the middle of that */
};

static const char letters[] = "M123";

struct canvas {
	bool upright; /* to be printed with its rows across */
	int col_mm, row_mm, cols, rows;
	char cell[ROWS_MOST][COLS_MOST + 1];
};

const char *mole_zone_name(enum mole_zone z)
{
	static const char *const names[] = {"no zone",    "mole circle", "Rosserie 1",
	                                    "Rosserie 2", "Rosserie 3",  "Rosserie 4",
	                                    "nichee"};

	return names[z];
}

void mole_add_place(struct strbuf *out, int64_t raw)
{
	int64_t half = (int64_t)NM_IN_UM * MOLE_SCALE / 2;
	int64_t um = (raw + (raw < 0 ? -half : half)) / ((int64_t)NM_IN_UM * MOLE_SCALE);

	if (um < 0) {
		strbuf_addc(out, '-');
		um = -um;
	}
	strbuf_addf(out, "%lld.%03lld", (long long)(um / 1000), (long long)(um % 1000));
}

static void watch(void *ctx, unsigned tick, const struct mole_coins *coins)
{
	struct mole_trace *t = ctx;

	(void)tick;
	if (t->count < TRACE_MOST)
		t->seen[t->count++] = *coins;
}

void mole_trace(const struct game_state *s, struct mole_trace *t, struct mole_played *p)
{
	struct mole_watch w = {.see = watch, .ctx = t, .every = TRACE_TICKS};

	t->seen[0] = s->last.before.coins;
	if (s->last.before.first_go)
		mole_put(&t->seen[0], &s->last.orders);
	t->count = 1;
	mole_replay(s, &w, p);
}

/* --- cells ------------------------------------------------------------- */

static int parts(int64_t nm, int of_mm)
{
	return (int)((nm + (int64_t)of_mm * MOLE_MM - 1) / ((int64_t)of_mm * MOLE_MM));
}

static int64_t cell_x(const struct canvas *c, int row)
{
	return (int64_t)(row * c->row_mm + c->row_mm / 2) * MOLE_MM;
}

static int64_t cell_y(const struct canvas *c, int col)
{
	return (int64_t)col * c->col_mm * MOLE_MM + (int64_t)c->col_mm * MOLE_MM / 2;
}

static int clip(int64_t n, int most)
{
	if (n < 0)
		return 0;
	return n >= most ? most - 1 : (int)n;
}

static int row_at(const struct canvas *c, int64_t x)
{
	return clip(x / MOLE_MM / c->row_mm, c->rows);
}

static int col_at(const struct canvas *c, int64_t y)
{
	return clip(y / MOLE_MM / c->col_mm, c->cols);
}

/* The cell that holds a point; beyond the board, the nearest. */
static char *cell_at(struct canvas *c, int64_t x, int64_t y)
{
	return &c->cell[row_at(c, x)][col_at(c, y)];
}

/* The cells whose centres lie in a rectangle; its borders count as inside. */
static void lay_rect(struct canvas *c, const struct mole_rect *r, char mark)
{
	for (int row = row_at(c, r->x0); row < c->rows && cell_x(c, row) <= r->x1; row++)
		for (int col = col_at(c, r->y0); col < c->cols && cell_y(c, col) <= r->y1;
		     col++)
			if (mole_rect_holds(r, cell_x(c, row), cell_y(c, col)))
				c->cell[row][col] = mark;
}

static void lay_disc(struct canvas *c, int64_t x, int64_t y, int64_t r, char mark)
{
	int first = col_at(c, y - r);

	for (int row = row_at(c, x - r); row < c->rows && cell_x(c, row) <= x + r; row++)
		for (int col = first; col < c->cols && cell_y(c, col) <= y + r; col++) {
			int64_t dx = cell_x(c, row) - x, dy = cell_y(c, col) - y;

			if (dx * dx + dy * dy <= r * r)
				c->cell[row][col] = mark;
		}
}

/* From the lowest to the highest. */
static void lay_ground(struct canvas *c, const struct mole_setup *setup, bool upright)
{
	const struct mole_board *board = &setup->board;

	memset(c, 0, sizeof *c);
	c->upright = upright;
	c->col_mm = board->length > (int64_t)LONG_MM * MOLE_MM ? LONG_COL_MM : COL_MM;
	c->row_mm = 2 * c->col_mm;
	if (upright) {
		c->row_mm = LONG_COL_MM;
		while (parts(board->width, c->row_mm) > NARROW_COLS)
			c->row_mm += COL_MM / 2;
		c->col_mm = 2 * c->row_mm;
	}
	c->cols = parts(board->length, c->col_mm);
	c->rows = parts(board->width, c->row_mm);
	for (int row = 0; row < c->rows; row++)
		memset(c->cell[row], ' ', (size_t)c->cols);
	for (int row = 0; setup->loup && row < c->rows; row++)
		c->cell[row][col_at(c, board->loup)] = upright ? '-' : '|';
	lay_rect(c, &board->nichee, '\'');
	lay_disc(c, board->circle.x, board->circle.y, board->circle.r, '.');
	for (size_t i = 0; i < board->nrosseries; i++)
		lay_rect(c, &board->rosseries[i], ':');
	if (board->has_ramp)
		lay_rect(c, &board->ramp, '/');
	for (size_t i = 0; i < board->nwalls; i++) {
		/* Along its middle line; how thick it is, the measures say. */
		for (int64_t y = board->walls[i].y1;
		     y == board->walls[i].y1 || y < board->walls[i].y2; y += MOLE_MM)
			for (int64_t x = board->walls[i].x1;
			     x == board->walls[i].x1 || x < board->walls[i].x2; x += MOLE_MM)
				*cell_at(c, x, y) = 'H';
	}
}

/* Between two looks a coin went straight, or nearly. */
static void lay_path(struct canvas *c, const struct mole_coin *was, const struct mole_coin *now)
{
	if (!was->on || !now->on || (now->x == was->x && now->y == was->y))
		return;
	for (int i = 0; i <= PATH_STEPS; i++)
		*cell_at(c, mole_nm(was->x + (now->x - was->x) / PATH_STEPS * i),
		         mole_nm(was->y + (now->y - was->y) / PATH_STEPS * i)) = '*';
}

/* The centres last, so that no coin hides another altogether. */
static void lay_coins(struct canvas *c, const struct mole_coins *coins)
{
	for (unsigned i = 0; i < MOLE_COINS; i++)
		if (coins->coin[i].on)
			lay_disc(c, mole_nm(coins->coin[i].x), mole_nm(coins->coin[i].y),
			         mole_radius(i), letters[i]);
	for (unsigned i = 0; i < MOLE_COINS; i++)
		if (coins->coin[i].on)
			*cell_at(c, mole_nm(coins->coin[i].x), mole_nm(coins->coin[i].y)) =
			    letters[i];
}

/* x goes to the right, y up. */
static void print_upright(const struct canvas *c, struct doc *out)
{
	char line[ROWS_MOST + 1] = "";
	struct strbuf numbers = STRBUF_INIT;

	memset(line, '-', (size_t)c->rows);
	doc_board_line(out, " win +%s+", line);
	for (int col = c->cols - 1; col >= 0; col--) {
		for (int row = 0; row < c->rows; row++)
			line[row] = c->cell[row][col];
		doc_board_line(out, "%4d |%s|", (int)(cell_y(c, col) / MOLE_MM), line);
	}
	memset(line, '-', (size_t)c->rows);
	doc_board_line(out, "rear +%s+", line);
	for (int row = TENTH; row <= c->rows; row += TENTH)
		strbuf_addf(&numbers, "%*d", TENTH, row * c->row_mm);
	doc_board_line(out, "   x 0%s", numbers.ptr);
	strbuf_release(&numbers);
}

static void print_canvas(const struct canvas *c, struct doc *out)
{
	if (c->upright) {
		print_upright(c, out);
		return;
	}
	char rule[COLS_MOST + 1] = "";
	struct strbuf numbers = STRBUF_INIT;

	memset(rule, '-', (size_t)c->cols);
	doc_board_line(out, "  rear +%s+win", rule);
	for (int row = 0; row < c->rows; row++)
		doc_board_line(out, "%6d |%s|", row * c->row_mm + c->row_mm / 2, c->cell[row]);
	doc_board_line(out, "       +%s+", rule);
	for (int col = TENTH; col <= c->cols; col += TENTH)
		strbuf_addf(&numbers, "%10d", col * c->col_mm);
	doc_board_line(out, "     y 0%s", numbers.ptr);
	strbuf_release(&numbers);
}

static void print_key(const struct mole_drawing *d, struct doc *out)
{
	const struct mole_board *board = &d->setup->board;
	bool walls = board->nwalls > 0;
	bool paths = d->setup->paths && d->trace && d->trace->count > 1;

	doc_board_line(out, ". circle%s  ' nichee%s", board->nrosseries ? "  : Rosserie" : "",
	               !d->setup->loup          ? ""
	               : out->cols < DRAWN_COLS ? "  - loup"
	                                        : "  | loup line");
	if (walls || board->has_ramp || paths)
		doc_board_line(out, "%s%s%s", walls ? "  H wall or post" : "",
		               board->has_ramp ? "  / ramp" : "",
		               !paths                   ? ""
		               : out->cols < DRAWN_COLS ? "  * path"
		                                        : "  * path of a coin");
}

/* --- words ------------------------------------------------------------- */

static bool touch(const struct mole_coins *coins, unsigned a, unsigned b)
{
	int64_t dx = mole_nm(coins->coin[b].x - coins->coin[a].x);
	int64_t dy = mole_nm(coins->coin[b].y - coins->coin[a].y);
	int64_t reach = mole_radius(a) + mole_radius(b) + MOLE_GAP;

	return coins->coin[a].on && coins->coin[b].on && dx * dx + dy * dy <= reach * reach;
}

/* Behind the lead "1, 2 and M", if there is one. */
static void add_touching(struct strbuf *text, const char *lead, const struct mole_coins *coins,
                         unsigned coin)
{
	unsigned n = 0, done = 0;

	for (unsigned i = 0; i < MOLE_COINS; i++)
		n += i != coin && touch(coins, coin, i);
	strbuf_adds(text, n > 0 ? lead : "");
	for (unsigned i = 0; i < MOLE_COINS; i++)
		if (i != coin && touch(coins, coin, i)) {
			strbuf_add_sep(text, done++, n, " and ");
			strbuf_addc(text, letters[i]);
		}
}

static void list_coin(const struct mole_board *board, const struct mole_coins *coins,
                      unsigned coin, struct doc *out)
{
	const struct mole_coin *c = &coins->coin[coin];
	const char *name = coin == MOLE ? "the mole M"
	                                : arena_printf(out->arena, "mignette %u", coin);
	struct strbuf text = STRBUF_INIT;

	if (c->on) {
		strbuf_adds(&text, "x ");
		mole_add_place(&text, c->x);
		strbuf_adds(&text, ", y ");
		mole_add_place(&text, c->y);
		strbuf_adds(&text, "; ");
		strbuf_adds(&text,
		            mole_zone_name(mole_zone_at(board, mole_nm(c->x), mole_nm(c->y))));
		add_touching(&text, "; touches ", coins, coin);
	}
	doc_board_linear(out, "%s: %s", name, c->on ? text.ptr : "off the board");
	strbuf_release(&text);
}

void mole_tell_places(const char *lead, const struct mole_board *board,
                      const struct mole_coins *coins, struct doc *out)
{
	struct strbuf text = STRBUF_INIT;

	for (unsigned i = 0; i < MOLE_COINS; i++) {
		const struct mole_coin *c = &coins->coin[i];

		if (!c->on)
			continue;
		strbuf_adds(&text, text.len ? "; " : "");
		strbuf_addf(&text, "%c at", letters[i]);
		strbuf_addc(&text, ' ');
		mole_add_place(&text, c->x);
		strbuf_addc(&text, ' ');
		mole_add_place(&text, c->y);
		enum mole_zone zone = mole_zone_at(board, mole_nm(c->x), mole_nm(c->y));
		if (zone != ZONE_NONE)
			strbuf_addf(&text, ", %s", mole_zone_name(zone));
		add_touching(&text, ", touches ", coins, i);
	}
	doc_paragraph(out, "%s: %s.", lead, text.ptr);
	strbuf_release(&text);
}

/* --- shapes: 1 unit is 1 mm, y of the game runs to the right --------------- */

static int mm(int64_t nm)
{
	return (int)(nm / MOLE_MM) + FRAME_MARGIN;
}

static void add_shape(struct doc *out, enum doc_shape_kind kind, int x, int y, int w, int h,
                      const char *text)
{
	struct doc_shape s = {.kind = kind, .x = x, .y = y, .w = w, .h = h, .text = text};

	doc_board_shape(out, s);
}

static void shape_name(int x, int y, const char *text, struct doc *out)
{
	add_shape(out, DOC_LABEL, x, y, 0, LETTERS_HIGH, text);
}

static void shape_rect(const struct mole_rect *r, int tone, const char *text, struct doc *out)
{
	doc_board_shape(out, (struct doc_shape){.kind = DOC_RECT,
	                                        .x = mm(r->y0),
	                                        .y = mm(r->x0),
	                                        .w = (int)((r->y1 - r->y0) / MOLE_MM),
	                                        .h = (int)((r->x1 - r->x0) / MOLE_MM),
	                                        .tone = tone,
	                                        .text = text});
}

static void shape_zone(const struct mole_rect *r, enum mole_zone zone, struct doc *out)
{
	shape_rect(r, 0, mole_zone_name(zone), out);
	shape_name(mm((r->y0 + r->y1) / 2), mm(r->x0) - NAME_ABOVE, mole_zone_name(zone), out);
}

static void shape_coins(const struct mole_coins *coins, int frame, struct doc *out)
{
	for (unsigned i = 0; i < MOLE_COINS; i++) {
		char name[2] = {letters[i], '\0'};
		struct doc_shape s = {.kind = DOC_CIRCLE,
		                      .frame = frame,
		                      .x = mm(mole_nm(coins->coin[i].y)),
		                      .y = mm(mole_nm(coins->coin[i].x)),
		                      .w = (int)(mole_radius(i) / MOLE_MM),
		                      .tone = (int)i + 1,
		                      .text = name};

		if (!coins->coin[i].on)
			continue;
		doc_board_shape(out, s);
		s.kind = DOC_LABEL;
		s.w = 0;
		doc_board_shape(out, s);
	}
}

/* The way of a coin in the last mail, in its colour: a line from turn to turn of it. One that fell lies nowhere. */
static void shape_way(const struct mole_drawing *d, unsigned coin, struct doc *out)
{
	enum { BEND = 2 }; /* mm off the straight line that make another one */
	const struct mole_trace *t = d->trace;
	const struct mole_coin *from = &t->seen[0].coin[coin], *last = from;

	for (size_t i = 1; i <= t->count; i++) {
		const struct mole_coin *now = i < t->count ? &t->seen[i].coin[coin]
		                                           : &d->coins->coin[coin];
		int dx = mm(mole_nm(last->y)) - mm(mole_nm(from->y)),
		    dy = mm(mole_nm(last->x)) - mm(mole_nm(from->x)),
		    nx = mm(mole_nm(now->y)) - mm(mole_nm(last->y)),
		    ny = mm(mole_nm(now->x)) - mm(mole_nm(last->x));

		bool both = from->on && now->on;

		if (i < t->count && both &&
		    abs(dx * ny - dy * nx) <= BEND * (abs(dx) + abs(dy))) {
			last = now;
			continue;
		}
		if (i == t->count && now->on)
			last = now;
		dx = mm(mole_nm(last->y)) - mm(mole_nm(from->y));
		dy = mm(mole_nm(last->x)) - mm(mole_nm(from->x));
		if (from->on && (dx || dy))
			doc_board_shape(out, (struct doc_shape){.kind = DOC_LINE,
			                                        .x = mm(mole_nm(from->y)),
			                                        .y = mm(mole_nm(from->x)),
			                                        .w = dx,
			                                        .h = dy,
			                                        .tone = (int)coin + 1,
			                                        .text = "way"});
		from = both ? last : now;
		last = now;
	}
}

static void shape_all(const struct mole_drawing *d, struct doc *out)
{
	int frames = 0;

	doc_board_picture(
	    out, "The board in millimetres: M is the mole, 1 to 3 are the mignettes; lines "
		 "in their colours are the ways of the last flicks. The mole wins at the "
		 "right.");
	const struct mole_board *board = &d->setup->board;
	const struct mole_rect all = {0, 0, board->width, board->length};

	shape_rect(&all, 0, "board", out);
	for (unsigned i = 0; d->trace && i < MOLE_COINS; i++) /* below all names */
		shape_way(d, i, out);
	shape_zone(&board->nichee, ZONE_NICHEE, out);
	for (size_t i = 0; i < board->nrosseries; i++)
		shape_zone(&board->rosseries[i], ZONE_ROSSERIE + (enum mole_zone)i, out);
	add_shape(out, DOC_CIRCLE, mm(board->circle.y), mm(board->circle.x),
	          (int)(board->circle.r / MOLE_MM), 0, mole_zone_name(ZONE_CIRCLE));
	shape_name(mm(board->circle.y), mm(board->circle.x - board->circle.r) - NAME_ABOVE,
	           mole_zone_name(ZONE_CIRCLE), out);
	if (d->setup->loup) {
		add_shape(out, DOC_LINE, mm(board->loup), mm(0), 0,
		          (int)(board->width / MOLE_MM), "loup line");
		shape_name(mm(board->loup), mm(0) - NAME_ABOVE, "loup", out);
	}
	if (board->has_ramp) {
		shape_rect(&board->ramp, 0, "ramp", out);
		shape_name(mm((board->ramp.y0 + board->ramp.y1) / 2),
		           mm(board->ramp.x0) - NAME_ABOVE, "ramp", out);
	}
	for (size_t i = 0; i < board->nwalls; i++) {
		const struct mole_wall *w = &board->walls[i];
		const struct mole_rect around = {w->x1 - w->h, w->y1 - w->h, w->x2 + w->h,
		                                 w->y2 + w->h};

		shape_rect(&around, WALL_TONE, "wall", out);
	}
	/* Where it is won, and the millimetres that orders speak of: y to the right, x down. */
	add_shape(out, DOC_LINE, mm(board->length), mm(0), 0, (int)(board->width / MOLE_MM),
	          "winning line");
	shape_name(mm(board->length), mm(0) - NAME_ABOVE, "win", out);
	for (int at = 0; at <= board->length / MOLE_MM; at += TICK_MM)
		shape_name(at + FRAME_MARGIN, mm(board->width) + FRAME_MARGIN / 2,
		           arena_printf(out->arena, at ? "%d" : "y%d", at), out);
	for (int at = 0; at <= board->width / MOLE_MM; at += TICK_MM)
		shape_name(FRAME_MARGIN / 2, at + FRAME_MARGIN,
		           arena_printf(out->arena, at ? "%d" : "x%d", at), out);
	for (size_t i = 0; d->trace && i < d->trace->count; i++)
		shape_coins(&d->trace->seen[i], ++frames, out);
	shape_coins(d->coins, ++frames, out);
	doc_board_size(out, mm(board->length) + FRAME_MARGIN, mm(board->width) + FRAME_MARGIN,
	               frames);
}

void mole_draw(const struct mole_drawing *d, struct doc *out)
{
	struct canvas c;

	doc_board(out, d->caption);
	lay_ground(&c, d->setup, out->cols < DRAWN_COLS);
	if (d->setup->paths && d->trace) {
		const struct mole_trace *t = d->trace;

		for (size_t i = 0; i < t->count; i++)
			for (unsigned k = 0; k < MOLE_COINS; k++)
				lay_path(&c, &t->seen[i].coin[k],
				         i + 1 < t->count ? &t->seen[i + 1].coin[k]
				                          : &d->coins->coin[k]);
	}
	lay_coins(&c, d->coins);
	print_canvas(&c, out);
	print_key(d, out);
	for (unsigned i = 0; i < MOLE_COINS; i++)
		list_coin(&d->setup->board, d->coins, i, out);
	shape_all(d, out);
}

void mole_draw_bare(const struct mole_setup *setup, struct doc *out)
{
	struct mole_drawing d = {.setup = setup};
	struct mole_position start;
	struct canvas c;

	mole_start_round(&setup->board, &start);
	doc_board(out, "The board at the start of a round");
	lay_ground(&c, setup, out->cols < DRAWN_COLS);
	lay_coins(&c, &start.coins);
	print_canvas(&c, out);
	print_key(&d, out);
	d.coins = &start.coins;
	shape_all(&d, out);
}
