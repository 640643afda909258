/*
 * boards.c - boards drawn at random: something is laid down, and stays when the board can still be
 * played with it.
 */
#include "tests/support/boards.h"

#include "processor/base/err.h"
#include "tests/support/play.h"

enum { THINGS_TRIED = 12, STEP_NM = 10000 };

struct mole_board boards_named(unsigned i)
{
	struct strbuf why = STRBUF_INIT;
	struct mole_board board;

	ENSURE(mole_board_read(span_of(mole_boards[i].text), &board, &why));
	strbuf_release(&why);
	return board;
}

/* From `low` to `high` mm, in hundredths. */
static int64_t draw(uint64_t *dice, int64_t low, int64_t high)
{
	return low * MOLE_MM +
	       (int64_t)play_draw(dice, (unsigned)(high - low) * 100 + 1) * STEP_NM;
}

static struct mole_rect draw_rect(uint64_t *dice, const struct mole_board *b)
{
	struct mole_rect r;

	r.x0 = draw(dice, 0, b->width / MOLE_MM - 30);
	r.y0 = draw(dice, 0, b->length / MOLE_MM - 30);
	r.x1 = r.x0 + draw(dice, 21, 120);
	r.y1 = r.y0 + draw(dice, 21, 120);
	return r;
}

static void draw_wall(uint64_t *dice, struct mole_board *b)
{
	struct mole_rect r = draw_rect(dice, b);
	struct mole_wall w = {r.x0, r.y0, r.x0, r.y0, draw(dice, 1, 20)};
	unsigned how = play_draw(dice, 3);

	if (how == 1)
		w.x2 = r.x1;
	else if (how == 2)
		w.y2 = r.y1;
	b->walls[b->nwalls++] = w;
}

static void draw_thing(uint64_t *dice, struct mole_board *b)
{
	switch (play_draw(dice, 6)) {
	case 0:
		b->has_ramp = true;
		b->ramp = draw_rect(dice, b);
		break;
	case 1:
		if (b->nrosseries < MOLE_MOST_ROSSERIES)
			b->rosseries[b->nrosseries++] = draw_rect(dice, b);
		break;
	case 2:
		b->has_loup = true;
		b->loup = draw(dice, 0, b->length / MOLE_MM / 5);
		break;
	default:
		draw_wall(dice, b);
	}
}

struct mole_board boards_any(uint64_t *dice)
{
	struct mole_board b = {.width = draw(dice, MOLE_WIDTH_LEAST, MOLE_WIDTH_MOST),
	                       .length = draw(dice, MOLE_LENGTH_LEAST, MOLE_LENGTH_MOST)};
	int64_t fifth_x = b.width / 5 / STEP_NM * STEP_NM,
		tenth_y = b.length / 10 / STEP_NM * STEP_NM;
	struct strbuf why = STRBUF_INIT;

	b.circle = (struct mole_disc){2 * fifth_x, 2 * tenth_y, 28 * MOLE_MM};
	b.nichee = (struct mole_rect){fifth_x, 5 * tenth_y, 4 * fifth_x, 7 * tenth_y};
	b.start[0] = (struct mole_point){b.circle.x, b.circle.y};
	for (unsigned i = 1; i < MOLE_COINS; i++)
		b.start[i] = (struct mole_point){b.nichee.x0 + fifth_x / 2 + (i - 1) * fifth_x,
		                                 6 * tenth_y};
	ENSURE(mole_board_sound(&b, &why));
	for (unsigned i = 0; i < THINGS_TRIED; i++) {
		struct mole_board with = b;

		draw_thing(dice, &with);
		if (mole_board_sound(&with, &why))
			b = with;
	}
	strbuf_release(&why);
	return b;
}

struct mole_board boards_some(uint64_t *dice)
{
	if (play_draw(dice, 2))
		return boards_any(dice);
	return boards_named(play_draw(dice, MOLE_BOARDS));
}
