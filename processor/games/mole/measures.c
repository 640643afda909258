/*
 * measures.c - where everything on a board lies, as a table in mm.
 */
#include "processor/games/mole/mole.h"

/* "35 to 95", or "150" when both are one. */
static const char *range(struct doc *out, int64_t low, int64_t high)
{
	struct strbuf text = STRBUF_INIT;
	const char *kept;

	mole_add_mm(&text, low);
	if (high != low) {
		strbuf_adds(&text, " to ");
		mole_add_mm(&text, high);
	}
	kept = arena_strdup(out->arena, text.ptr);
	strbuf_release(&text);
	return kept;
}

static void row(struct doc *out, const char *what, const struct mole_rect *r, const char *more)
{
	doc_cell(out, "%s", what);
	doc_cell(out, "%s", range(out, r->x0, r->x1));
	doc_cell(out, "%s", range(out, r->y0, r->y1));
	doc_cell(out, "%s", more);
}

static void point_row(struct doc *out, const char *what, int64_t x, int64_t y, const char *more)
{
	row(out, what, &(struct mole_rect){x, y, x, y}, more);
}

void mole_tell_measures(const struct mole_setup *setup, struct doc *out)
{
	static const struct doc_column columns[] = {
	    {"in mm", DOC_LEFT}, {"x", DOC_LEFT}, {"y", DOC_LEFT}, {"", DOC_LEFT}};
	const struct mole_board *b = &setup->board;
	const char *radius = range(out, b->circle.r, b->circle.r);

	doc_table(out, columns, sizeof columns / sizeof *columns);
	row(out, "board", &(struct mole_rect){0, 0, b->width, b->length},
	    arena_printf(out->arena, "rear y 0, winning line y %s",
	                 range(out, b->length, b->length)));
	point_row(out, "mole circle", b->circle.x, b->circle.y,
	          arena_printf(out->arena, "radius %s", radius));
	for (unsigned i = 0; i < b->nrosseries; i++)
		row(out, arena_printf(out->arena, "Rosserie %u", i + 1), &b->rosseries[i], "");
	row(out, "nichee", &b->nichee, "");
	if (setup->loup)
		row(out, "loup line", &(struct mole_rect){0, b->loup, b->width, b->loup}, "");
	for (size_t i = 0; i < b->nwalls; i++) {
		bool post = b->walls[i].x1 == b->walls[i].x2 &&
		            b->walls[i].y1 == b->walls[i].y2;
		const char *h = range(out, b->walls[i].h, b->walls[i].h);

		row(out, post ? "post" : "wall",
		    &(struct mole_rect){b->walls[i].x1, b->walls[i].y1, b->walls[i].x2,
		                        b->walls[i].y2},
		    arena_printf(out->arena, post ? "radius %s" : "%s on each side", h));
	}
	if (b->has_ramp)
		row(out, "ramp", &b->ramp, "rises with y");
	point_row(out, "M starts at", b->start[MOLE].x, b->start[MOLE].y, "");
	for (unsigned i = 1; i < MOLE_COINS; i++)
		point_row(out, arena_printf(out->arena, "%u starts at", i), b->start[i].x,
		          b->start[i].y, "");
}
