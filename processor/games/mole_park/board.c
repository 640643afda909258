/*
 * board.c - holes and shops: drawn, in sentences, as shapes.
 */
#include "processor/games/mole_park/park.h"

enum { SHOP_COLS = 8, NO_NUMBER = 999, WIDE_COLS = 55 };
enum { HOLE_UNITS = 80, HOLE_RADIUS = 28, GAP_UNITS = 10 };
enum { SHOPS_ACROSS = 3, SHOP_UNITS = 134, SHOP_HEIGHT = 92 };

static unsigned cards_left(const struct park_shop *shop)
{
	return shop->stock.count + (shop->up != 0);
}

static const char *power_of(const struct game_state *s, unsigned prize)
{
	if (park_is_bag(&s->setup, prize))
		return ", BAG";
	return park_is_steady(&s->setup, prize) ? ", STEADY" : "";
}

/* Right-aligned; not through printf, since a board is made for each reader. */
static void add_in_columns(struct strbuf *line, unsigned ncols, unsigned number)
{
	size_t before = line->len;

	state_add_uint(line, number);
	if (line->len - before < ncols) {
		unsigned pad = ncols - (unsigned)(line->len - before);

		strbuf_truncate(line, before);
		strbuf_add_repeat(line, ' ', pad);
		state_add_uint(line, number);
	}
}

static void draw_row(const struct game_state *s, const char *title,
                     unsigned (*number)(const struct game_state *, unsigned), struct doc *out)
{
	struct strbuf line = STRBUF_INIT;

	strbuf_adds(&line, title);
	for (unsigned shop = 0; shop < PARK_SHOPS; shop++) {
		unsigned n = number(s, shop);

		if (n == NO_NUMBER)
			strbuf_adds(&line, "       -");
		else
			add_in_columns(&line, SHOP_COLS, n);
	}
	doc_board_line(out, "%s", line.ptr);
	strbuf_release(&line);
}

static unsigned price_of(const struct game_state *s, unsigned shop)
{
	(void)s;
	return park_shops[shop].price;
}

static unsigned stars_of(const struct game_state *s, unsigned shop)
{
	unsigned up = s->shops[shop].up;

	return up ? park_prize_stars(&s->setup, up) : NO_NUMBER;
}

static unsigned left_in(const struct game_state *s, unsigned shop)
{
	return cards_left(&s->shops[shop]);
}

/* In lines of 34 columns: a line for each shop. */
static void draw_narrow(const struct game_state *s, struct doc *out)
{
	enum { HOLE_COLS = 5, WORD_COLS = 9, NUMBER_COLS = 7 };
	struct strbuf line = STRBUF_INIT;

	doc_board_line(out, "%s", "  hole      1    2    3    4    5");
	strbuf_adds(&line, "  moles ");
	for (unsigned hole = 0; hole < PARK_HOLES; hole++)
		add_in_columns(&line, HOLE_COLS, s->holes[hole].count);
	doc_board_line(out, "%s", line.ptr);
	doc_board_line(out, "%s", "");
	doc_board_line(out, "%s", "  shop       needs  stars   left");
	for (unsigned shop = 0; shop < PARK_SHOPS; shop++) {
		strbuf_clear(&line);
		strbuf_adds(&line, "  ");
		strbuf_add_span(&line, span_slice(span_of(park_shops[shop].key), 0, WORD_COLS));
		strbuf_add_repeat(&line, ' ', 2 + WORD_COLS - line.len);
		add_in_columns(&line, NUMBER_COLS, price_of(s, shop));
		if (stars_of(s, shop) == NO_NUMBER)
			strbuf_adds(&line, "      -");
		else
			add_in_columns(&line, NUMBER_COLS, stars_of(s, shop));
		add_in_columns(&line, NUMBER_COLS, left_in(s, shop));
		doc_board_line(out, "%s", line.ptr);
	}
	strbuf_release(&line);
}

static void shape_label(int x, int y, const char *text, struct doc *out)
{
	doc_board_shape(out,
	                (struct doc_shape){.kind = DOC_LABEL, .x = x, .y = y, .text = text});
}

/*
 * What each shop has in its window, in a square of PRIZE_UNITS: a sweet in its paper, an engine, a balloon, a bear, a
 * scooter, a crown. Tone 1 is the shop's.
 */
enum { PRIZE_UNITS = 48, GREY = 8, YELLOW = 4 };
static const struct part {
	unsigned shop;
	enum doc_shape_kind kind;
	int x, y, w, h, tone;
} parts[] = {{0, DOC_LINE, 12, 20, -10, -8, 1},     {0, DOC_LINE, 12, 28, -10, 8, 1},
             {0, DOC_LINE, 2, 12, 0, 24, 1},        {0, DOC_LINE, 36, 20, 10, -8, 1},
             {0, DOC_LINE, 36, 28, 10, 8, 1},       {0, DOC_LINE, 46, 12, 0, 24, 1},
             {0, DOC_CIRCLE, 24, 24, 13, 0, 1},     {1, DOC_RECT, 8, 12, 7, 10, 1},
             {1, DOC_RECT, 4, 22, 26, 14, 1},       {1, DOC_RECT, 26, 8, 18, 28, 1},
             {1, DOC_CIRCLE, 12, 39, 6, 0, GREY},   {1, DOC_CIRCLE, 36, 39, 6, 0, GREY},
             {2, DOC_LINE, 24, 31, -4, 8, 0},       {2, DOC_LINE, 20, 39, 6, 8, 0},
             {2, DOC_CIRCLE, 24, 17, 15, 0, 1},     {3, DOC_CIRCLE, 11, 11, 8, 0, 1},
             {3, DOC_CIRCLE, 37, 11, 8, 0, 1},      {3, DOC_CIRCLE, 24, 26, 18, 0, 1},
             {3, DOC_CIRCLE, 18, 22, 3, 0, YELLOW}, {3, DOC_CIRCLE, 30, 22, 3, 0, YELLOW},
             {3, DOC_CIRCLE, 24, 32, 4, 0, GREY},   {4, DOC_LINE, 36, 34, -6, -28, 0},
             {4, DOC_LINE, 22, 6, 14, 0, 0},        {4, DOC_RECT, 4, 32, 34, 5, 1},
             {4, DOC_CIRCLE, 9, 41, 6, 0, GREY},    {4, DOC_CIRCLE, 36, 41, 6, 0, GREY},
             {5, DOC_LINE, 6, 34, -3, -22, 1},      {5, DOC_LINE, 3, 12, 12, 12, 1},
             {5, DOC_LINE, 15, 24, 9, -16, 1},      {5, DOC_LINE, 24, 8, 9, 16, 1},
             {5, DOC_LINE, 33, 24, 12, -12, 1},     {5, DOC_LINE, 45, 12, -3, 22, 1},
             {5, DOC_RECT, 6, 34, 36, 9, 1},        {5, DOC_CIRCLE, 4, 11, 4, 0, YELLOW},
             {5, DOC_CIRCLE, 24, 7, 4, 0, YELLOW},  {5, DOC_CIRCLE, 44, 11, 4, 0, YELLOW}};

/* In rows of three: on the sign key and price; in the window the prize, its name and its stars. */
static void shape_shops(const struct game_state *s, int top, struct doc *out)
{
	enum { SIGN = 24, PRIZE_RIGHT = 4, NAME_RIGHT = 25, WIDE = SHOP_UNITS - GAP_UNITS };

	for (int i = 0; i < PARK_SHOPS; i++) {
		unsigned up = s->shops[i].up;
		int x = i % SHOPS_ACROSS * SHOP_UNITS;
		int y = top + i / SHOPS_ACROSS * (SHOP_HEIGHT + GAP_UNITS);
		int middle = y + SIGN + (SHOP_HEIGHT - SIGN) / 2;
		struct doc_shape rect = {.kind = DOC_RECT,
		                         .x = x,
		                         .y = y + SIGN,
		                         .w = WIDE,
		                         .h = SHOP_HEIGHT - SIGN,
		                         .text = ""};

		doc_board_shape(out, rect);
		rect.y = y;
		rect.h = SIGN;
		rect.tone = up ? i + 2 : 0;
		rect.text = park_shops[i].name;
		doc_board_shape(out, rect);
		shape_label(x + WIDE / 2, y + SIGN / 2,
		            arena_printf(out->arena, "%s\xc2\xa0%u", park_shops[i].key,
		                         park_shops[i].price),
		            out);
		if (!up)
			continue;
		for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
			if (parts[k].shop == (unsigned)i)
				doc_board_shape(
				    out, (struct doc_shape){
					     .kind = parts[k].kind,
					     .x = x + PRIZE_RIGHT + parts[k].x,
					     .y = middle - PRIZE_UNITS / 2 + parts[k].y,
					     .w = parts[k].w,
					     .h = parts[k].h,
					     .tone = parts[k].tone == 1 ? i + 2 : parts[k].tone,
					     .text = ""});
		shape_label(x + WIDE / 2 + NAME_RIGHT, middle,
		            arena_printf(out->arena, "%s, %u\xc2\xa0stars", park_prize_name(up),
		                         park_prize_stars(&s->setup, up)),
		            out);
	}
}

void park_board(const struct game_state *s, struct doc *out)
{
	int top = HOLE_UNITS + GAP_UNITS;

	doc_board(out, s->round > 1
	                   ? ""
	                   : "Moles in the holes; for each shop the stars it needs, those of "
	                     "what lies in its window, and how many are left");
	if (out->cols < WIDE_COLS) {
		draw_narrow(s, out);
	} else {
		struct strbuf line = STRBUF_INIT;

		doc_board_line(out, "%s", "  hole       1      2      3      4      5");
		strbuf_adds(&line, "  moles ");
		for (unsigned hole = 0; hole < PARK_HOLES; hole++) {
			unsigned n = s->holes[hole].count;

			strbuf_adds(&line, n > 99 ? "  [" : n > 9 ? "   [" : "    [");
			state_add_uint(&line, n);
			strbuf_addc(&line, ']');
		}
		strbuf_adds(&line, "  (face down)");
		doc_board_line(out, "%s", line.ptr);
		doc_board_line(out, "%s", "");
		strbuf_release(&line);
		doc_board_line(out, "%s",
		               "  shop    CANDY    TOYS    INFL   FURRY  ACTION   KINGS");
		draw_row(s, "  needs", price_of, out);
		draw_row(s, "  stars", stars_of, out);
		draw_row(s, "  left ", left_in, out);
	}
	struct strbuf counts = STRBUF_INIT;

	for (unsigned hole = 0; hole < PARK_HOLES; hole++)
		strbuf_addf(&counts, hole ? ", %u" : "%u", s->holes[hole].count);
	doc_board_linear(out, "Face down in holes 1 to 5: moles %s.", counts.ptr);
	strbuf_release(&counts);
	for (unsigned i = 0; i < PARK_SHOPS; i++) {
		const struct park_shop *shop = &s->shops[i];
		const char *name = park_shops[i].name, *key = park_shops[i].key;
		unsigned stars = shop->up ? park_prize_stars(&s->setup, shop->up) : 0;

		if (shop->up)
			doc_board_linear(out, "%s (%s), from %u: %s, %s%s; %u left.", name, key,
			                 park_shops[i].price, park_prize_name(shop->up),
			                 arena_printf(out->arena,
			                              stars == 1 ? "%u star" : "%u stars",
			                              stars),
			                 power_of(s, shop->up), cards_left(shop));
		else
			doc_board_linear(out,
			                 "%s (%s), from %u: no prize in the window; %u left.",
			                 name, key, park_shops[i].price, cards_left(shop));
	}
	doc_board_picture(
	    out, "Holes with the number of moles in them; shops with the stars they ask for, "
		 "and what lies in the window");
	static const char *const names[PARK_HOLES] = {"hole 1", "hole 2", "hole 3", "hole 4",
	                                              "hole 5"};
	struct strbuf count = STRBUF_INIT;

	for (unsigned hole = 0; hole < PARK_HOLES; hole++) {
		int x = (int)hole * HOLE_UNITS + HOLE_UNITS / 2;

		doc_board_shape(out, (struct doc_shape){.kind = DOC_CIRCLE,
		                                        .x = x,
		                                        .y = HOLE_UNITS / 2,
		                                        .w = HOLE_RADIUS,
		                                        .h = HOLE_RADIUS,
		                                        .text = names[hole]});
		strbuf_clear(&count);
		state_add_uint(&count, s->holes[hole].count);
		doc_board_shape(out, (struct doc_shape){.kind = DOC_LABEL,
		                                        .x = x,
		                                        .y = HOLE_UNITS / 2,
		                                        .text = count.ptr});
	}
	strbuf_release(&count);
	shape_shops(s, top, out);
	doc_board_size(out, PARK_HOLES * HOLE_UNITS,
	               top + PARK_SHOPS / SHOPS_ACROSS * (SHOP_HEIGHT + GAP_UNITS), 1);
}
