/*
 * lines.c - from where the mole lies, along which lines it could cross now.
 *
 * Nothing is reckoned here: every line is flicked, with full force and a steady finger.
 */
#include "processor/games/mole/lines.h"

#include <string.h>

enum { LINE_STEP = 10, BEYOND = 40 };

unsigned mole_lines_aim_mm(const struct game_state *s)
{
	return (unsigned)(s->setup.board.length / MOLE_MM) + BEYOND;
}

static bool crosses(const struct game_state *s, const struct mole_position *from, unsigned nth)
{
	struct mole_point at = {mole_nm(from->coins.coin[MOLE].x),
	                        mole_nm(from->coins.coin[MOLE].y)};
	struct mole_gad gad = mole_gad(&from->coins);
	struct mole_orders o;
	struct mole_played p;

	memset(&o, 0, sizeof o);
	o.nflicks = 1;
	o.flicks[0].coin = MOLE;
	o.flicks[0].to.x = (int64_t)nth * LINE_STEP * MOLE_MM;
	o.flicks[0].to.y = (int64_t)mole_lines_aim_mm(s) * MOLE_MM;
	o.flicks[0].range = s->setup.range[SIDE_MOLE];
	if (!mole_gad_allows(&gad, o.flicks[0].to.x - at.x, o.flicks[0].to.y - at.y))
		return false;
	mole_play(&s->setup, from, &o, NULL, NULL, NULL, &p);
	return p.end == END_CROSSED;
}

unsigned mole_open_lines(const struct game_state *s, struct mole_open *open, unsigned most)
{
	struct mole_position from = s->now;
	unsigned n = 0, lines = (unsigned)(s->setup.board.width / MOLE_MM) / LINE_STEP + 1;
	bool before = false;

	from.side = SIDE_MOLE;
	from.first_go = false;
	for (unsigned i = 0; i < lines; i++) {
		bool now = crosses(s, &from, i);

		if (now && !before && n == most)
			break;
		if (now && !before)
			open[n++].from_mm = i * LINE_STEP;
		if (now)
			open[n - 1].to_mm = i * LINE_STEP;
		before = now;
	}
	return n;
}
