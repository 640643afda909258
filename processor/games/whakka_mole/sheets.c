/*
 * sheets.c - the sheets of the turn just played: drawn, listed, as shapes.
 *
 * Drawn, a sheet is a block 22 columns wide, three to a row: its owner and who is whacked,
 * then the holes in rows of three (of four when there are more than nine). [n] is a mole
 * that scored, (n) one that was lost, X the hole that was hit.
 */
#include <string.h>

#include "processor/base/utf8.h"
#include "processor/games/whakka_mole/whakka.h"

enum {
	BLOCK_COLS = 22,
	NARROW_BLOCK_COLS = 20, /* two beside each other on a phone */
	BLOCKS_IN_ROW = 3,
	CELL_UNITS = 40, /* of the picture */
	GAP_UNITS = 60,
	TITLE_UNITS = 15
};

/* How the holes of a sheet lie. */
struct grid {
	unsigned holes, cols, rows;
	int digits;
};

static struct grid grid_of(const struct game_state *s)
{
	struct grid g;

	g.holes = s->setup.holes;
	g.cols = g.holes > 9 ? 4 : 3;
	g.rows = (g.holes + g.cols - 1) / g.cols;
	g.digits = g.holes > 9 ? 2 : 1;
	return g;
}

/* The seats whose sheets are shown, in order round the table. */
static unsigned shown_seats(const struct game_state *s, unsigned *seats)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->nseats; i++)
		if (whakka_played(s, s->ring[i]))
			seats[n++] = s->ring[i];
	return n;
}

static void add_hole(struct strbuf *line, const struct game_state *s, unsigned seat,
                     unsigned struck, unsigned hole)
{
	struct grid g = grid_of(s);
	bool mole = s->seats[seat].sheet[hole - 1] != 0;

	if (hole == struck)
		strbuf_addf(line, "[%*s]", g.digits, "X");
	else if (!mole)
		strbuf_addf(line, "[%*s]", g.digits, "");
	else if (struck)
		strbuf_addf(line, "(%*u)", g.digits, hole);
	else
		strbuf_addf(line, "[%*u]", g.digits, hole);
}

/* Line `row` of a block: 0 is the header, then the holes, then room for a remark. */
static void add_block_line(struct strbuf *out, const struct game_state *s, unsigned seat,
                           unsigned row, unsigned cols)
{
	struct strbuf line = STRBUF_INIT;
	struct grid g = grid_of(s);
	unsigned struck = whakka_last_score(s, seat).struck;
	unsigned first = row ? (row - 1) * g.cols + 1 : 0;

	if (row == 0)
		strbuf_addf(&line, "%s -> %s", s->seats[seat].name.text,
		            s->seats[whakka_was_left_of(s, seat)].name.text);
	for (unsigned hole = first; row && hole < first + g.cols && hole <= g.holes; hole++)
		add_hole(&line, s, seat, struck, hole);
	if (struck && g.holes <= 9 && row == (struck - 1) / g.cols + 1)
		strbuf_addf(&line, "  hit at %u", struck);
	if (struck && g.holes > 9 && row == g.rows + 1)
		strbuf_addf(&line, "hit at %u", struck);
	struct span clipped = utf8_clip(strbuf_span(&line), cols - 1);

	strbuf_add_span(out, clipped);
	strbuf_add_repeat(out, ' ', cols - utf8_width(clipped));
	strbuf_release(&line);
}

static void list_sheet(const struct game_state *s, unsigned seat, struct doc *out)
{
	const char *name = s->seats[seat].name.text;
	struct whakka_score score = whakka_last_score(s, seat);
	struct strbuf moles = STRBUF_INIT;

	/* "3, 7 (2 moles)" */
	const char *between = "";

	for (unsigned h = 0; h < s->setup.holes; h++) {
		unsigned n = s->seats[seat].sheet[h];

		if (!n)
			continue;
		strbuf_addf(&moles, "%s%u", between, h + 1);
		if (n > 1)
			strbuf_addf(&moles, " (%u moles)", n);
		between = ", ";
	}
	if (!moles.len)
		doc_board_linear(out, "Sheet of %s: empty.", name);
	else if (score.struck)
		doc_board_linear(out, "Sheet of %s: moles at %s; hit at %u, all lost.", name,
		                 moles.ptr, score.struck);
	else
		doc_board_linear(out, "Sheet of %s: moles at %s; not hit.", name, moles.ptr);
	strbuf_release(&moles);
}

static struct doc_shape shape(enum doc_shape_kind kind, int frame, int x, int y, int w, int h,
                              int tone, const char *text)
{
	struct doc_shape s = {.kind = kind,
	                      .frame = frame,
	                      .x = x,
	                      .y = y,
	                      .w = w,
	                      .h = h,
	                      .tone = tone,
	                      .text = text};

	return s;
}

static void shape_number(unsigned hole, int frame, int x, int y, struct doc *out)
{
	struct strbuf number = STRBUF_INIT;

	strbuf_addf(&number, "%u", hole);
	doc_board_shape(out, shape(DOC_LABEL, frame, x, y, 0, 0, 0, number.ptr));
	strbuf_release(&number);
}

/* `colour`: of the seat's moles, or 0 for those lost. */
static void shape_mole(int colour, unsigned hole, int frame, int x, int y, struct doc *out)
{
	int r = CELL_UNITS / 3;

	doc_board_shape(out, shape(DOC_CIRCLE, frame, x, y, r, r, colour, "mole"));
	shape_number(hole, frame, x, y, out);
}

/* Frame 1: the moles are up. Frame 2: after the whacks, what was lost without its colour. */
static void shape_hole(const struct game_state *s, unsigned seat, unsigned hole, int x, int y,
                       struct doc *out)
{
	unsigned struck = whakka_last_score(s, seat).struck;
	bool mole = s->seats[seat].sheet[hole - 1] != 0;

	doc_board_shape(out, shape(DOC_RECT, 0, x, y, CELL_UNITS, CELL_UNITS, 0, ""));
	x += CELL_UNITS / 2;
	y += CELL_UNITS / 2;
	if (mole)
		shape_mole((int)seat, hole, 1, x, y, out);
	if (hole == struck) {
		int r = CELL_UNITS / 3;

		doc_board_shape(out, shape(DOC_LINE, 2, x - r, y - r, 2 * r, 2 * r, 0, "hit"));
		doc_board_shape(out, shape(DOC_LINE, 2, x - r, y + r, 2 * r, -2 * r, 0, "hit"));
	} else if (mole)
		shape_mole(struck ? 0 : (int)seat, hole, 2, x, y, out);
}

static void shape_sheets(const struct game_state *s, const unsigned *seats, unsigned n,
                         struct doc *out)
{
	struct grid g = grid_of(s);
	int wide = (int)g.cols * CELL_UNITS + GAP_UNITS;
	int high = (int)g.rows * CELL_UNITS + GAP_UNITS;
	int across = n < BLOCKS_IN_ROW ? 2 : BLOCKS_IN_ROW;

	doc_board_picture(
	    out, "Above each sheet its owner, below it who whacked it and where. Moles in "
		 "colour scored, pale ones were lost, a cross is a hit.");
	for (unsigned i = 0; i < n; i++) {
		int x = (int)(i % BLOCKS_IN_ROW) * wide + GAP_UNITS / 2;
		int y = (int)(i / BLOCKS_IN_ROW) * high + GAP_UNITS / 2;

		int middle = x + wide / 2 - GAP_UNITS / 2;

		doc_board_shape(out, shape(DOC_LABEL, 0, middle, y - GAP_UNITS / 4, 0,
		                           TITLE_UNITS, 0, s->seats[seats[i]].name.text));
		for (unsigned k = 0; k < n; k++) {
			const struct whakka_seat *by = &s->seats[seats[k]];

			if (k == i || whakka_was_left_of(s, seats[k]) != seats[i] ||
			    !by->last.whack)
				continue;
			const char *what = arena_printf(out->arena,
			                                whakka_last_score(s, seats[k]).hit
			                                    ? "%s hits %u"
			                                    : "%s misses at %u",
			                                by->name.text, by->last.whack);
			doc_board_shape(out, shape(DOC_LABEL, 2, middle,
			                           y + high - GAP_UNITS * 3 / 4, 0, TITLE_UNITS,
			                           0, what));
		}
		for (unsigned hole = 1; hole <= g.holes; hole++)
			shape_hole(s, seats[i], hole,
			           x + (int)((hole - 1) % g.cols) * CELL_UNITS,
			           y + (int)((hole - 1) / g.cols) * CELL_UNITS, out);
	}
	doc_board_size(out, across * wide, ((int)(n - 1) / BLOCKS_IN_ROW + 1) * high, 2);
}

/* Before the first turn there is nothing to show but how the holes are numbered. */
static void empty_sheet(const struct game_state *s, struct doc *out)
{
	struct strbuf line = STRBUF_INIT;
	struct grid g = grid_of(s);

	doc_board(out, "The holes of every sheet");
	for (unsigned row = 0; row < g.rows; row++) {
		strbuf_clear(&line);
		for (unsigned col = 0; col < g.cols && row * g.cols + col < g.holes; col++) {
			unsigned hole = row * g.cols + col + 1;
			int x = (int)col * CELL_UNITS;
			int y = (int)row * CELL_UNITS;

			strbuf_addf(&line, "[%*u]", g.digits, hole);
			doc_board_shape(
			    out, shape(DOC_RECT, 0, x, y, CELL_UNITS, CELL_UNITS, 0, ""));
			shape_number(hole, 0, x + CELL_UNITS / 2, y + CELL_UNITS / 2, out);
		}
		doc_board_line(out, "%s", line.ptr);
	}
	strbuf_release(&line);
	doc_board_linear(out, "Every sheet has holes 1 to %u in rows of %u; all are empty.",
	                 g.holes, g.cols);
	doc_board_size(out, (int)g.cols * CELL_UNITS, (int)g.rows * CELL_UNITS, 1);
}

void whakka_board(const struct game_state *s, struct doc *out)
{
	unsigned seats[WHAKKA_SEATS];
	unsigned n = shown_seats(s, seats);

	if (n == 0) {
		empty_sheet(s, out);
		return;
	}
	doc_board(out, "Owner -> target. [n] scored, (n) lost, X whacked");
	struct strbuf line = STRBUF_INIT;
	struct grid g = grid_of(s);
	unsigned rows = 1 + g.rows + (g.holes > 9 ? 1 : 0);
	unsigned cols = out->cols < 2 * BLOCK_COLS ? NARROW_BLOCK_COLS : BLOCK_COLS;
	unsigned across = out->cols / cols;

	across = across < 1 ? 1 : across < BLOCKS_IN_ROW ? across : BLOCKS_IN_ROW;
	for (unsigned first = 0; first < n; first += across) {
		if (first)
			doc_board_line(out, "%s", "");
		for (unsigned row = 0; row < rows; row++) {
			strbuf_clear(&line);
			for (unsigned i = first; i < n && i < first + across; i++)
				add_block_line(&line, s, seats[i], row, cols);
			strbuf_trim_end(&line);
			doc_board_line(out, "%s", line.ptr);
		}
	}
	strbuf_release(&line);
	for (unsigned i = 0; i < n; i++)
		list_sheet(s, seats[i], out);
	shape_sheets(s, seats, n, out);
}
