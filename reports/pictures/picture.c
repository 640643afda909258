/*
 * picture.c - shapes into letters.
 *
 * A later shape covers an earlier one; shapes that are always shown come first.
 */
#include "reports/pictures/picture.h"

#include <stdint.h>
#include <stdlib.h>

#include "processor/base/utf8.h"

enum { COLS = 72, ROWS_MOST = 36, FILLS = 8, BLANK = ' ' };

struct grid {
	int cols, rows;
	int width, height; /* of the board, in its units */
	uint32_t cells[ROWS_MOST][COLS];
};

static int col_of(const struct grid *g, int x)
{
	return (int)((int64_t)x * g->cols / g->width);
}

static int row_of(const struct grid *g, int y)
{
	return (int)((int64_t)y * g->rows / g->height);
}

static void put(struct grid *g, int col, int row, uint32_t mark)
{
	if (col >= 0 && col < g->cols && row >= 0 && row < g->rows)
		g->cells[row][col] = mark;
}

static char fill_of(int tone)
{
	static const char fills[FILLS + 1] = "#o%@*=x&";

	return tone >= 1 ? fills[(tone - 1) % FILLS] : ' ';
}

static void draw_line(struct grid *g, int x, int y, int w, int h)
{
	int steps =
	    2 * (abs(col_of(g, x + w) - col_of(g, x)) + abs(row_of(g, y + h) - row_of(g, y))) +
	    1;
	bool level = abs(row_of(g, y + h) - row_of(g, y)) == 0;
	bool upright = col_of(g, x + w) == col_of(g, x);
	uint32_t mark = level ? '-' : upright ? '|' : ((w > 0) == (h > 0) ? '\\' : '/');

	for (int i = 0; i <= steps; i++)
		put(g, col_of(g, x + (int)((int64_t)w * i / steps)),
		    row_of(g, y + (int)((int64_t)h * i / steps)), mark);
}

static void draw_rect(struct grid *g, const struct doc_shape *s)
{
	int left = col_of(g, s->x), right = col_of(g, s->x + s->w);
	int top = row_of(g, s->y), bottom = row_of(g, s->y + s->h);

	for (int row = top; s->tone > 0 && row <= bottom; row++)
		for (int col = left; col <= right; col++)
			put(g, col, row, (uint32_t)fill_of(s->tone));
	draw_line(g, s->x, s->y, s->w, 0);
	draw_line(g, s->x, s->y + s->h, s->w, 0);
	draw_line(g, s->x, s->y, 0, s->h);
	draw_line(g, s->x + s->w, s->y, 0, s->h);
	put(g, left, top, '+');
	put(g, right, top, '+');
	put(g, left, bottom, '+');
	put(g, right, bottom, '+');
}

/* Distance of a cell's middle from the centre, squared, against the radius. */
static int64_t beyond(const struct grid *g, const struct doc_shape *s, int col, int row)
{
	int64_t dx = (int64_t)(2 * col + 1) * g->width / (2 * g->cols) - s->x;
	int64_t dy = (int64_t)(2 * row + 1) * g->height / (2 * g->rows) - s->y;

	return dx * dx + dy * dy - (int64_t)s->w * s->w;
}

/* With a corner up; 7/8 is near enough to the half of the root of three. */
static void draw_hexagon(struct grid *g, const struct doc_shape *s)
{
	int half = s->w / 2, side = s->w * 7 / 8;

	draw_line(g, s->x, s->y - s->w, side, half);
	draw_line(g, s->x, s->y - s->w, -side, half);
	draw_line(g, s->x, s->y + s->w, side, -half);
	draw_line(g, s->x, s->y + s->w, -side, -half);
	draw_line(g, s->x + side, s->y - half, 0, s->w);
	draw_line(g, s->x - side, s->y - half, 0, s->w);
}

static void draw_label(struct grid *g, const struct doc_shape *s)
{
	struct span rest = span_of(s->text);
	int col = col_of(g, s->x) - (int)utf8_width(rest) / 2;
	uint32_t cp;

	while (utf8_next(&rest, &cp))
		put(g, col++, row_of(g, s->y),
		    cp < ' ' || (cp >= 0x7f && cp < 0xa0) ? '?' : cp);
}

static void draw(struct grid *g, const struct doc_shape *s)
{
	switch (s->kind) {
	case DOC_LINE:
		draw_line(g, s->x, s->y, s->w, s->h);
		break;
	case DOC_RECT:
		draw_rect(g, s);
		break;
	case DOC_HEXAGON:
		draw_hexagon(g, s);
		break;
	case DOC_CIRCLE:
		/* Filled, or its rim in dots; however small, its centre. */
		for (int row = row_of(g, s->y - s->w); row <= row_of(g, s->y + s->w); row++)
			for (int col = col_of(g, s->x - s->w); col <= col_of(g, s->x + s->w);
			     col++) {
				if (s->tone > 0 && beyond(g, s, col, row) <= 0)
					put(g, col, row, (uint32_t)fill_of(s->tone));
				else if (s->tone == 0 && (beyond(g, s, col, row) <= 0 &&
				                          (beyond(g, s, col - 1, row) > 0 ||
				                           beyond(g, s, col + 1, row) > 0 ||
				                           beyond(g, s, col, row - 1) > 0 ||
				                           beyond(g, s, col, row + 1) > 0)))
					put(g, col, row, '.');
			}
		if (s->tone > 0)
			put(g, col_of(g, s->x), row_of(g, s->y), (uint32_t)fill_of(s->tone));
		break;
	case DOC_LABEL:
		draw_label(g, s);
		break;
	}
}

static void draw_frame(struct grid *g, const struct doc_board *b, int frame)
{
	for (size_t i = 0; i < b->nshapes; i++)
		if (b->shapes[i].frame == frame)
			draw(g, &b->shapes[i]);
}

const struct doc_board *report_moving_board(const struct doc *d)
{
	for (const struct doc_block *b = d->first; b; b = b->next)
		if (b->kind == DOC_BOARD && b->board.nframes > 1 && b->board.width > 0 &&
		    b->board.height > 0)
			return &b->board;
	return NULL;
}

void report_picture(const struct doc_board *b, int frame, struct strbuf *out)
{
	struct grid g = {.cols = COLS, .width = b->width, .height = b->height};
	int64_t rows;

	if (b->width <= 0 || b->height <= 0)
		return;
	rows = (int64_t)b->height * COLS / (2 * (int64_t)b->width) + 1;
	g.rows = rows > ROWS_MOST ? ROWS_MOST : (int)rows;
	if (rows > ROWS_MOST)
		g.cols = (int)((int64_t)COLS * ROWS_MOST / rows);
	if (g.cols < 1)
		g.cols = 1;
	for (int row = 0; row < g.rows; row++)
		for (int col = 0; col < g.cols; col++)
			g.cells[row][col] = BLANK;
	draw_frame(&g, b, 0);
	if (frame > 0)
		draw_frame(&g, b, frame);
	for (int row = 0; row < g.rows; row++) {
		int end = g.cols;

		while (end > 0 && g.cells[row][end - 1] == BLANK)
			end--;
		for (int col = 0; col < end; col++)
			utf8_add(out, g.cells[row][col]);
		strbuf_addc(out, '\n');
	}
}
