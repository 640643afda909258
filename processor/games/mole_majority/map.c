/*
 * map.c - the board: drawn, listed, as shapes.
 *
 * Drawn, a place has 12 columns and two lines: name, value, claim and home token; then its moles
 * from space 1 on. Rows are shifted by half a place, so that neighbours touch as on the table.
 */
#include "processor/games/mole_majority/majority.h"

enum {
	PLACE_COLS = 12,
	MARGIN_COLS = 4,
	ROWS = 5,
	PLACE_UNITS = 60, /* of the picture */
	ROW_UNITS = 52,
	RADIUS_UNITS = 34
};

static const struct {
	uint8_t first, count, shift; /* shift: half places */
} rows[ROWS] = {{HEX_A1, 3, 2}, {HEX_B1, 4, 1}, {HEX_C1, 5, 0}, {HEX_D1, 4, 1}, {HEX_E1, 3, 2}};

/* ---- Drawn ---- */

static void add_moles(struct strbuf *out, const struct mm_hex *x)
{
	for (unsigned i = 0; i < x->value; i++)
		strbuf_addc(out, x->spaces[i] ? mm_letter(x->spaces[i]) : '.');
}

/* "C3 4 A h"; "C3 ." where there is no hex; in the set-up where one may come. */
static void add_head(struct strbuf *out, const struct game_state *s, unsigned h)
{
	const struct mm_hex *x = &s->hexes[h];

	strbuf_add(out, mm_hex_names[h], 2);
	if (!x->value) {
		strbuf_adds(out, " .");
		return;
	}
	strbuf_addc(out, ' ');
	strbuf_addc(out, (char)('0' + x->value));
	strbuf_addc(out, ' ');
	strbuf_addc(out, mm_letter(x->claim));
	if (x->home)
		strbuf_adds(out, " h");
	if (x->home_open)
		strbuf_addc(out, (char)('0' + x->home));
}

static void draw_line(const struct game_state *s, unsigned row, bool head, struct strbuf *line)
{
	strbuf_clear(line);
	strbuf_add_repeat(line, ' ', MARGIN_COLS + rows[row].shift * PLACE_COLS / 2u);
	for (unsigned i = 0; i < rows[row].count; i++) {
		unsigned h = rows[row].first + i;
		size_t start = line->len;

		if (head)
			add_head(line, s, h);
		else
			add_moles(line, &s->hexes[h]);
		strbuf_add_repeat(line, ' ', PLACE_COLS - (line->len - start));
	}
	while (line->len && line->ptr[line->len - 1] == ' ')
		strbuf_truncate(line, line->len - 1);
}

/* "A2-B3, B2-C3" */
static void add_caveins(const struct game_state *s, struct strbuf *out)
{
	const char *between = "";

	for (unsigned h = 0; h < MM_HEXES; h++) {
		uint32_t later = s->cave[h] >> h >> 1 << 1 << h;

		for (; later; later &= later - 1) {
			strbuf_adds(out, between);
			strbuf_add(out, mm_hex_names[h], 2);
			strbuf_addc(out, '-');
			strbuf_add(out, mm_hex_names[__builtin_ctz(later)], 2);
			between = ", ";
		}
	}
}

static void draw(const struct game_state *s, struct strbuf *text, struct doc *out)
{
	for (unsigned row = 0; row < ROWS; row++) {
		draw_line(s, row, true, text);
		doc_board_line(out, "%s", text->ptr);
		draw_line(s, row, false, text);
		doc_board_line(out, "%s", text->ptr);
	}
	strbuf_clear(text);
	add_caveins(s, text);
	if (text->len)
		doc_board_line(out, "Cave-Ins: %s", text->ptr);
}

/* ---- Listed ---- */

static void list_hex(const struct game_state *s, unsigned h, struct strbuf *text)
{
	const struct mm_hex *x = &s->hexes[h];

	strbuf_clear(text);
	strbuf_add(text, mm_hex_names[h], 2);
	strbuf_adds(text, " of ");
	strbuf_addc(text, (char)('0' + x->value));
	strbuf_adds(text, ": ");
	if (mm_moles_on(x, 0) == x->value)
		strbuf_adds(text, "empty");
	else
		add_moles(text, x);
	if (x->claim) {
		strbuf_adds(text, ", claimed by ");
		strbuf_adds(text, s->seats[x->claim].name.text);
	}
	if (x->home)
		strbuf_adds(text, ", home token");
	if (x->home_open) {
		strbuf_adds(text, " worth ");
		strbuf_addc(text, (char)('0' + x->home));
	}
	strbuf_addc(text, '.');
}

static void list(const struct game_state *s, struct strbuf *text, struct doc *out)
{
	for (unsigned h = 0; h < MM_HEXES; h++) {
		if (!s->hexes[h].value)
			continue;
		list_hex(s, h, text);
		doc_board_linear(out, "%s", text->ptr);
	}
	strbuf_clear(text);
	add_caveins(s, text);
	if (text->len)
		doc_board_linear(out, "Cave-Ins lie between %s.", text->ptr);
}

/* ---- As shapes ---- */

struct point {
	int x, y;
};

static struct point centre_of(unsigned hex)
{
	unsigned row = 0;
	struct point p;

	while (hex >= rows[row].first + rows[row].count)
		row++;
	p.x = PLACE_UNITS / 2 * (1 + rows[row].shift) +
	      PLACE_UNITS * (int)(hex - rows[row].first) + RADIUS_UNITS / 4;
	p.y = RADIUS_UNITS + ROW_UNITS * (int)row;
	return p;
}

/* A Cave-In is a line across the middle of the border. */
static void shape_caveins(const struct game_state *s, unsigned hex, struct doc *out)
{
	uint32_t later = s->cave[hex] >> hex >> 1 << 1 << hex;
	struct point a = centre_of(hex);

	for (; later; later &= later - 1) {
		struct point b = centre_of((unsigned)__builtin_ctz(later));
		int w = (a.y - b.y) / 2, h = (b.x - a.x) / 2;

		doc_board_shape(out, (struct doc_shape){.kind = DOC_LINE,
		                                        .x = (a.x + b.x - w) / 2,
		                                        .y = (a.y + b.y - h) / 2,
		                                        .w = w,
		                                        .h = h,
		                                        .text = "Cave-In"});
	}
}

static void shape(const struct game_state *s, struct strbuf *text, struct doc *out)
{
	for (unsigned h = 0; h < MM_HEXES; h++) {
		struct point p = centre_of(h);

		if (!s->hexes[h].value)
			continue;
		strbuf_clear(text);
		add_head(text, s, h);
		strbuf_addc(text, ' ');
		add_moles(text, &s->hexes[h]);
		doc_board_shape(out, (struct doc_shape){.kind = DOC_HEXAGON,
		                                        .x = p.x,
		                                        .y = p.y,
		                                        .w = RADIUS_UNITS,
		                                        .tone = s->hexes[h].claim,
		                                        .text = text->ptr});
		shape_caveins(s, h, out);
	}
	doc_board_size(out, 5 * PLACE_UNITS + RADIUS_UNITS / 2,
	               2 * RADIUS_UNITS + (ROWS - 1) * ROW_UNITS, 1);
}

void mm_show_map(const struct game_state *s, struct doc *out)
{
	struct strbuf text = STRBUF_INIT;

	doc_board(out, s->turn == 0
	                   ? "Place and value; a point: no hex yet"
	                   : "Place, value, claim (- none), h: home token; below it the moles "
	                     "from space 1 clockwise");
	draw(s, &text, out);
	list(s, &text, out);
	shape(s, &text, out);
	strbuf_release(&text);
}
