/*
 * board.c - holes and shops: drawn, in sentences, as shapes.
 */
#include "processor/games/mole_park/park.h"

enum { SHOP_COLS = 8, NO_NUMBER = 999, WIDE_COLS = 55 };
enum { HOLE_UNITS = 80, HOLE_RADIUS = 28, GAP_UNITS = 10 };
enum { SHOPS_ACROSS = 3, SHOP_UNITS = 134, SHOP_HEIGHT = 72 };

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

/* In rows of three: key and price; below it the prize in the window, and its stars. */
static void shape_shops(const struct game_state *s, int top, struct doc *out)
{
	enum { KEY_DOWN = 11, PRIZE_DOWN = 40 };
	struct strbuf text = STRBUF_INIT;

	for (int i = 0; i < PARK_SHOPS; i++) {
		unsigned up = s->shops[i].up;
		int x = i % SHOPS_ACROSS * SHOP_UNITS;
		int y = top + i / SHOPS_ACROSS * (SHOP_HEIGHT + GAP_UNITS);
		int middle = x + (SHOP_UNITS - GAP_UNITS) / 2;

		doc_board_shape(out, (struct doc_shape){.kind = DOC_RECT,
		                                        .x = x,
		                                        .y = y,
		                                        .w = SHOP_UNITS - GAP_UNITS,
		                                        .h = SHOP_HEIGHT,
		                                        .tone = up ? i + 2 : 0,
		                                        .text = park_shops[i].name});
		strbuf_clear(&text);
		strbuf_addf(&text, "%s\xc2\xa0%u", park_shops[i].key, park_shops[i].price);
		shape_label(middle, y + KEY_DOWN, text.ptr, out);
		if (!up)
			continue;
		strbuf_clear(&text);
		strbuf_addf(&text, "%s, %u\xc2\xa0stars", park_prize_name(up),
		            park_prize_stars(&s->setup, up));
		shape_label(middle, y + PRIZE_DOWN, text.ptr, out);
	}
	strbuf_release(&text);
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
