/*
 * picture.c - the board: drawn, in sentences, as shapes.
 *
 * [T] is a tile under a piece of the player who began at row 1, <T> under one of the other;
 * "?" is a blank, "." no tile, "*" one that has yet to be drawn (previews only). Values are
 * not drawn: "E1" would be a tile and a square.
 */
#include <string.h>

#include "processor/games/martian_boggle/boggle.h"

enum { CELL_COLS = 5, CELL_UNITS = 40, MARGIN_UNITS = 20 };

squares boggle_fresh(const struct game_state *s)
{
	if (s->turn == 1 || !s->last.word[0])
		return 0;
	return s->seats[boggle_mover(s, s->turn - 1)].pieces;
}

/* Whose piece stands there: the seat, or 0. */
static unsigned owner_of(const struct game_state *s, unsigned square)
{
	for (unsigned seat = 1; seat <= BOGGLE_SEATS; seat++)
		if (s->seats[seat].pieces & boggle_square(square))
			return seat;
	return 0;
}

static void add_label(const struct game_state *s, unsigned square, bool imagined,
                      struct strbuf *out)
{
	if (imagined && (boggle_fresh(s) & boggle_square(square)))
		strbuf_addc(out, '*');
	else
		strbuf_addc(out, s->board[square]);
}

static void draw_square(const struct game_state *s, unsigned square, bool imagined,
                        struct strbuf *line)
{
	unsigned owner = owner_of(s, square);
	size_t start = line->len;

	strbuf_addc(line, !owner ? ' ' : owner == s->first ? '[' : '<');
	add_label(s, square, imagined, line);
	if (owner)
		strbuf_addc(line, owner == s->first ? ']' : '>');
	strbuf_add_repeat(line, ' ', CELL_COLS - (line->len - start));
}

static void draw_rows(const struct game_state *s, struct doc *out)
{
	struct strbuf line = STRBUF_INIT;

	doc_board_line(out, "%s", "     a    b    c    d    e");
	for (unsigned row = BOGGLE_SIDE; row > 0; row--) {
		strbuf_clear(&line);
		strbuf_addf(&line, "%u   ", row);
		for (unsigned column = 0; column < BOGGLE_SIDE; column++)
			draw_square(s, (row - 1) * BOGGLE_SIDE + column, out->draws_imagined,
			            &line);
		strbuf_trim_end(&line);
		doc_board_line(out, "%s", line.ptr);
	}
	strbuf_release(&line);
}

/* "Row 5: a5 S1 (Bob), b5 T1, ..." */
static void list_rows(const struct game_state *s, struct doc *out)
{
	struct strbuf text = STRBUF_INIT;

	for (unsigned row = BOGGLE_SIDE; row > 0; row--) {
		strbuf_clear(&text);
		for (unsigned column = 0; column < BOGGLE_SIDE; column++) {
			unsigned square = (row - 1) * BOGGLE_SIDE + column;
			unsigned owner = owner_of(s, square);

			strbuf_adds(&text, column ? ", " : "");
			boggle_add_square(&text, square);
			strbuf_addc(&text, ' ');
			add_label(s, square, out->draws_imagined, &text);
			if (owner)
				strbuf_addf(&text, " (%s)", s->seats[owner].name.text);
		}
		doc_board_linear(out, "Row %u: %s.", row, text.ptr);
	}
	strbuf_release(&text);
}

static void shape_square(const struct game_state *s, unsigned square, struct doc *out)
{
	unsigned owner = owner_of(s, square);
	int x = MARGIN_UNITS + (int)(square % BOGGLE_SIDE) * CELL_UNITS;
	int y = MARGIN_UNITS + (int)(BOGGLE_SIDE - 1 - square / BOGGLE_SIDE) * CELL_UNITS;
	struct doc_shape shape = {
	    .kind = DOC_RECT, .x = x, .y = y, .w = CELL_UNITS, .h = CELL_UNITS, .text = ""};
	struct strbuf label = STRBUF_INIT;

	doc_board_shape(out, shape);
	shape.x += CELL_UNITS / 2;
	shape.y += CELL_UNITS / 2;
	shape.h = 0;
	if (owner) {
		shape.kind = DOC_CIRCLE;
		shape.w = CELL_UNITS / 2 - 2;
		shape.tone = (int)owner;
		shape.text = s->seats[owner].name.text;
		doc_board_shape(out, shape);
	}
	add_label(s, square, out->draws_imagined, &label);
	shape.kind = DOC_LABEL;
	shape.w = 0;
	shape.tone = 0;
	shape.text = label.ptr;
	doc_board_shape(out, shape);
	strbuf_release(&label);
}

static void shape_mark(int x, int y, char mark, struct doc *out)
{
	const char text[] = {mark, '\0'};

	doc_board_shape(out,
	                (struct doc_shape){.kind = DOC_LABEL, .x = x, .y = y, .text = text});
}

void boggle_picture(const struct game_state *s, struct doc *out)
{
	struct strbuf caption = STRBUF_INIT;
	int side = BOGGLE_SIDE * CELL_UNITS + 2 * MARGIN_UNITS;

	strbuf_addf(&caption, "[ ] %s (from row 1), < > %s (from row 5)",
	            s->seats[s->first].name.text, s->seats[boggle_other(s->first)].name.text);
	if (strchr(s->board, '?'))
		strbuf_adds(&caption, ", ? is a blank");
	if (strchr(s->board, '.'))
		strbuf_adds(&caption, ", . has no tile");
	if (out->draws_imagined && boggle_fresh(s))
		strbuf_adds(&caption, ", * will be filled from the bag");
	doc_board(out, caption.ptr);
	doc_board_picture(out, "Tiles; the coloured ones lie under the players' pieces");
	draw_rows(s, out);
	list_rows(s, out);
	for (unsigned square = 0; square < BOGGLE_SQUARES; square++)
		shape_square(s, square, out);
	/* Letters of the columns below, numbers of the rows at the left. */
	for (int i = 0; i < BOGGLE_SIDE; i++) {
		int along = MARGIN_UNITS + i * CELL_UNITS + CELL_UNITS / 2;
		int end = MARGIN_UNITS + BOGGLE_SIDE * CELL_UNITS + MARGIN_UNITS / 2;

		shape_mark(along, end, (char)('a' + i), out);
		shape_mark(MARGIN_UNITS / 2, along, (char)('0' + BOGGLE_SIDE - i), out);
	}
	doc_board_size(out, side, side, 1);
	strbuf_release(&caption);
}
