/*
 * board.c - holes and shops: drawn, in sentences, as shapes.
 */
#include "processor/games/mole_park/park.h"

enum { HOLE_UNITS = 80, SHOP_UNITS = 70, HOLE_RADIUS = 28, SHOP_HEIGHT = 60, GAP_UNITS = 20 };

static unsigned cards_left(const struct park_shop *shop)
{
	return shop->stock.count + (shop->up != 0);
}

static const char *power_of(const struct game_state *s, unsigned prize)
{
	if (park_is_bag(&s->setup, prize))
		return " BAG";
	return park_is_steady(&s->setup, prize) ? " STEADY" : "";
}

static void draw_holes(const struct game_state *s, struct doc *out)
{
	struct strbuf line = STRBUF_INIT;

	doc_board_line(out, "  hole       1      2      3      4      5");
	strbuf_adds(&line, "  moles ");
	for (unsigned hole = 0; hole < PARK_HOLES; hole++)
		strbuf_addf(&line, s->holes[hole].count > 9 ? "   [%u]" : "    [%u]",
		            s->holes[hole].count);
	strbuf_adds(&line, "  (face down)");
	doc_board_line(out, "%s", line.ptr);
	doc_board_line(out, "%s", "");
	strbuf_release(&line);
}

/* The four lines of the shops, each with a number, or "-" where a shop is closed. */
static void draw_shops(const struct game_state *s, struct doc *out)
{
	struct strbuf keys = STRBUF_INIT, from = STRBUF_INIT, stars = STRBUF_INIT,
	              left = STRBUF_INIT;

	strbuf_adds(&keys, "  shop ");
	strbuf_adds(&from, "  needs");
	strbuf_adds(&stars, "  stars");
	strbuf_adds(&left, "  left ");
	for (unsigned i = 0; i < PARK_SHOPS; i++) {
		const struct park_shop *shop = &s->shops[i];

		strbuf_addf(&keys, "%8s", park_shops[i].brief);
		strbuf_addf(&from, "%8u", park_shops[i].price);
		if (shop->up)
			strbuf_addf(&stars, "%8u", park_prize_stars(&s->setup, shop->up));
		else
			strbuf_addf(&stars, "%8s", "-");
		strbuf_addf(&left, "%8u", cards_left(shop));
	}
	doc_board_line(out, "%s", keys.ptr);
	doc_board_line(out, "%s", from.ptr);
	doc_board_line(out, "%s", stars.ptr);
	doc_board_line(out, "%s", left.ptr);
	strbuf_release(&keys);
	strbuf_release(&from);
	strbuf_release(&stars);
	strbuf_release(&left);
}

static void list_all(const struct game_state *s, struct doc *out)
{
	doc_board_linear(out, "Moles in holes 1 to 5, face down: %u, %u, %u, %u, %u.",
	                 s->holes[0].count, s->holes[1].count, s->holes[2].count,
	                 s->holes[3].count, s->holes[4].count);
	for (unsigned i = 0; i < PARK_SHOPS; i++) {
		const struct park_shop *shop = &s->shops[i];

		if (shop->up)
			doc_board_linear(out, "%s (%s), from %u: %s, %u stars%s; %u left.",
			                 park_shops[i].name, park_shops[i].key,
			                 park_shops[i].price, park_prize_name(shop->up),
			                 park_prize_stars(&s->setup, shop->up),
			                 power_of(s, shop->up), cards_left(shop));
		else
			doc_board_linear(out, "%s (%s), from %u: no prize in the window; %u left.",
			                 park_shops[i].name, park_shops[i].key,
			                 park_shops[i].price, cards_left(shop));
	}
}

static void shape_all(const struct game_state *s, struct doc *out)
{
	struct strbuf text = STRBUF_INIT;
	int top = HOLE_UNITS + GAP_UNITS;

	for (unsigned hole = 0; hole < PARK_HOLES; hole++) {
		struct doc_shape shape = {.kind = DOC_CIRCLE,
		                          .x = (int)hole * HOLE_UNITS + HOLE_UNITS / 2,
		                          .y = HOLE_UNITS / 2,
		                          .w = HOLE_RADIUS,
		                          .h = HOLE_RADIUS};

		strbuf_clear(&text);
		strbuf_addf(&text, "hole %u, moles: %u", hole + 1, s->holes[hole].count);
		shape.tone = s->holes[hole].count ? 1 : 0;
		shape.text = text.ptr;
		doc_board_shape(out, shape);
	}
	for (unsigned i = 0; i < PARK_SHOPS; i++) {
		struct doc_shape shape = {.kind = DOC_RECT,
		                          .x = (int)i * SHOP_UNITS,
		                          .y = top,
		                          .w = SHOP_UNITS - GAP_UNITS,
		                          .h = SHOP_HEIGHT,
		                          .tone = s->shops[i].up ? (int)i + 2 : 0};

		strbuf_clear(&text);
		strbuf_addf(&text, "%s: %s", park_shops[i].key,
		            s->shops[i].up ? park_prize_name(s->shops[i].up) : "-");
		shape.text = text.ptr;
		doc_board_shape(out, shape);
	}
	doc_board_size(out, PARK_SHOPS * SHOP_UNITS, top + SHOP_HEIGHT + GAP_UNITS, 1);
	strbuf_release(&text);
}

void park_board(const struct game_state *s, struct doc *out)
{
	doc_board(out, "Moles in the holes; for each shop the stars it needs, those of the prize "
	               "in its window, and the prizes left");
	draw_holes(s, out);
	draw_shops(s, out);
	list_all(s, out);
	shape_all(s, out);
}
