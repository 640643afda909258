/*
 * map.c - the board: drawn, listed, as shapes.
 *
 * Drawn, a place has 12 columns, or 8 for narrow mails, and two lines: name, value, claim, home token;
 * then its moles from space 1 on. Rows are shifted by half a place, so that neighbours touch as on
 * the table.
 */
#include <string.h>

#include "processor/games/mole_majority/majority.h"

enum {
	PLACE_COLS = 12,
	MARGIN_COLS = 4,
	NARROW_PLACE_COLS = 8, /* without a margin */
	NARROW_BELOW = MARGIN_COLS + 5 * PLACE_COLS,
	ROWS = 5,
	PLACE_UNITS = 60, /* of the picture */
	ROW_UNITS = 52,
	RADIUS_UNITS = 34
};

static const struct {
	uint8_t first, count, shift; /* shift: half places */
} rows[ROWS] = {{HEX_A1, 3, 2}, {HEX_B1, 4, 1}, {HEX_C1, 5, 0}, {HEX_D1, 4, 1}, {HEX_E1, 3, 2}};

/* ---- Drawn ---- */

/* The board is drawn for every reader of every report: straight into a line of blanks. */
struct line {
	char text[MARGIN_COLS + 5 * PLACE_COLS + 1];
};

static size_t write_moles(char *at, const struct mm_hex *x)
{
	for (unsigned i = 0; i < x->value; i++)
		at[i] = x->spaces[i] ? mm_letter(x->spaces[i]) : '.';
	return x->value;
}

/* "C3 4 A h", narrow "C3 4Ah"; "C3 ." where there is no hex. */
static size_t write_head(char *at, const struct game_state *s, unsigned h, bool narrow)
{
	const struct mm_hex *x = &s->hexes[h];
	size_t n = 3;

	memcpy(at, mm_hex_names[h], 2);
	at[2] = ' ';
	at[n++] = (char)(x->value ? '0' + x->value : '.');
	if (!x->value)
		return n;
	if (!narrow)
		at[n++] = ' ';
	at[n++] = mm_letter(x->claim);
	if (!x->home)
		return n;
	if (!narrow)
		at[n++] = ' ';
	at[n++] = 'h';
	if (x->home_open)
		at[n++] = (char)('0' + x->home);
	return n;
}

static void draw_line(const struct game_state *s, unsigned row, bool head, bool narrow,
                      struct line *line)
{
	size_t place = narrow ? NARROW_PLACE_COLS : PLACE_COLS;
	size_t at = (narrow ? 0 : MARGIN_COLS) + rows[row].shift * place / 2u;
	size_t end = 0;

	memset(line->text, ' ', sizeof line->text);
	for (unsigned i = 0; i < rows[row].count; i++, at += place) {
		unsigned h = rows[row].first + i;
		size_t n = head ? write_head(line->text + at, s, h, narrow)
		                : write_moles(line->text + at, &s->hexes[h]);

		if (n)
			end = at + n;
	}
	line->text[end] = '\0';
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

/* ---- Listed ---- */

static bool is_blank(const struct mm_hex *x)
{
	return !x->claim && mm_moles_on(x, 0) == x->value;
}

/* Empty hexes that nobody claims, in one sentence: those with a home token or those without. */
static void list_blanks(const struct game_state *s, bool home, struct strbuf *text,
                        struct doc *out)
{
	unsigned n = 0;

	strbuf_clear(text);
	for (unsigned h = 0; h < MM_HEXES; h++) {
		const struct mm_hex *x = &s->hexes[h];

		if (!x->value || !is_blank(x) || (x->home != 0) != home)
			continue;
		strbuf_adds(text, n++ ? ", " : "");
		if (x->home_open)
			strbuf_addf(text, "%s (%u, worth %u)", mm_hex_names[h], x->value,
			            x->home);
		else
			strbuf_addf(text, "%s (%u)", mm_hex_names[h], x->value);
	}
	if (n)
		doc_board_linear(out, home ? "Empty, with a home token: %s." : "Empty: %s.",
		                 text->ptr);
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

/* Moles in rows of three below the name, those of one player one after the other. */
static void shape_moles(const struct game_state *s, unsigned whose, struct doc *out)
{
	enum { ACROSS = 3, APART = 15, TOP = 1, MOLE = 6, EMPTY = 2, EMPTY_TONE = 8 };

	for (unsigned h = 0; h < MM_HEXES; h++) {
		const struct mm_hex *x = &s->hexes[h];
		struct point p = centre_of(h);

		for (int i = 0; i < (int)x->value; i++) {
			int in_row = i < ACROSS && x->value > ACROSS ? ACROSS
			             : i < ACROSS                    ? (int)x->value
			                                             : (int)x->value - ACROSS;
			int r = whose ? MOLE : EMPTY;

			if (x->spaces[i] != whose)
				continue;
			doc_board_shape(
			    out, (struct doc_shape){.kind = DOC_CIRCLE,
			                            .x = p.x + (2 * (i % ACROSS) - in_row + 1) *
			                                           APART / 2,
			                            .y = p.y + TOP + i / ACROSS * APART,
			                            .w = r,
			                            .h = r,
			                            .tone = whose ? (int)whose : EMPTY_TONE,
			                            .text = ""});
		}
	}
}

static void shape(const struct game_state *s, struct doc *out)
{
	enum { NAME_ABOVE = 15, NAME_HIGH = 11 };
	char text[PLACE_COLS + 1];

	for (unsigned h = 0; h < MM_HEXES; h++) {
		struct point p = centre_of(h);

		if (!s->hexes[h].value)
			continue;
		text[write_head(text, s, h, true)] = '\0';
		doc_board_shape(out, (struct doc_shape){.kind = DOC_HEXAGON,
		                                        .x = p.x,
		                                        .y = p.y,
		                                        .w = RADIUS_UNITS,
		                                        .tone = s->hexes[h].claim,
		                                        .text = ""});
		doc_board_shape(out, (struct doc_shape){.kind = DOC_LABEL,
		                                        .x = p.x,
		                                        .y = p.y - NAME_ABOVE,
		                                        .h = NAME_HIGH,
		                                        .text = text});
	}
	for (unsigned seat = 0; seat <= s->nseats; seat++)
		shape_moles(s, seat, out);
	/* On top of both hexes. */
	for (unsigned h = 0; h < MM_HEXES; h++)
		shape_caveins(s, h, out);
	doc_board_picture(
	    out, "Hexes in the colour of who claims them, with name, value, claim and h "
		 "where a home token lies; dots are moles, small ones empty spaces, "
		 "thick lines Cave-Ins");
	doc_board_size(out, 5 * PLACE_UNITS + RADIUS_UNITS / 2,
	               2 * RADIUS_UNITS + (ROWS - 1) * ROW_UNITS, 1);
}

void mm_show_map(const struct game_state *s, struct doc *out)
{
	struct strbuf text = STRBUF_INIT;

	doc_board(out, s->turn == 0 ? "Place and value; a point: no hex yet"
	               : s->round > 1
	                   ? ""
	                   : "Place, value, claim (- none), h home token; moles from space 1 "
	                     "clockwise");
	bool narrow = out->cols < NARROW_BELOW;
	struct line line;

	for (unsigned row = 0; row < ROWS; row++) {
		draw_line(s, row, true, narrow, &line);
		doc_board_line(out, "%s", line.text);
		draw_line(s, row, false, narrow, &line);
		doc_board_line(out, "%s", line.text);
	}
	/* Seven of "A2-B3, " to a line, or five. */
	enum { A_CAVEIN = 7, ON_A_LINE = 7, ON_A_NARROW_LINE = 5 };
	static const char lead[] = "Closed: ";
	size_t most = A_CAVEIN * (narrow ? ON_A_NARROW_LINE : ON_A_LINE);
	size_t indent = narrow ? 2 : sizeof lead - 1;

	strbuf_clear(&text);
	add_caveins(s, &text);
	if (narrow && text.len > 0)
		doc_board_line(out, "%s", lead);
	for (size_t at = 0; at < text.len; at += most) {
		struct span part = span_slice(strbuf_span(&text), at, at + most);

		doc_board_line(out, "%*s%.*s", (int)indent, at || narrow ? "" : lead,
		               SPAN_ARGS(part));
	}
	for (unsigned h = 0; h < MM_HEXES; h++) {
		if (!s->hexes[h].value || is_blank(&s->hexes[h]))
			continue;
		const struct mm_hex *x = &s->hexes[h];
		const char *hex = mm_hex_names[h], *owner = s->seats[x->claim].name.text;
		char moles[MM_SPACES + 1];

		moles[write_moles(moles, x)] = '\0';
		if (x->claim && x->home_open)
			doc_board_linear(
			    out, "%s, value %u: %s, claimed by %s, home token worth %u.", hex,
			    x->value, moles, owner, x->home);
		else if (x->claim)
			doc_board_linear(out,
			                 x->home
			                     ? "%s, value %u: %s, claimed by %s, home token."
			                     : "%s, value %u: %s, claimed by %s.",
			                 hex, x->value, moles, owner);
		else if (x->home_open)
			doc_board_linear(out, "%s, value %u: %s, home token worth %u.", hex,
			                 x->value, moles, x->home);
		else
			doc_board_linear(out,
			                 x->home ? "%s, value %u: %s, home token."
			                         : "%s, value %u: %s.",
			                 hex, x->value, moles);
	}
	list_blanks(s, true, &text, out);
	list_blanks(s, false, &text, out);
	strbuf_clear(&text);
	add_caveins(s, &text);
	if (text.len)
		doc_board_linear(out, "Cave-Ins lie on the borders %s.", text.ptr);
	shape(s, out);
	strbuf_release(&text);
}
