/*
 * result.c - who is first, and what a phase is called: the same in all games.
 */
#include "processor/games/rules.h"

static bool stands_before(const struct game_result *out, const struct game_state *s, unsigned a,
                          unsigned b,
                          int (*compare)(const struct game_state *s, unsigned a, unsigned b))
{
	if (seat_in(out->eliminated, a) != seat_in(out->eliminated, b))
		return seat_in(out->eliminated, b);
	return compare ? compare(s, a, b) > 0 : out->scores[a] > out->scores[b];
}

void result_rank(struct game_result *out, const struct game_state *s,
                 int (*compare)(const struct game_state *s, unsigned a, unsigned b))
{
	for (unsigned seat = 1; seat <= out->nseats && out->over; seat++) {
		out->ranks[seat] = 1;
		for (unsigned other = 1; other <= out->nseats; other++)
			out->ranks[seat] += stands_before(out, s, other, seat, compare);
		if (out->ranks[seat] == 1 && !seat_in(out->eliminated, seat))
			out->winners = seat_with(out->winners, seat);
	}
}

void label_phase(struct strbuf *out, const char *unit, unsigned number, bool over)
{
	if (over)
		strbuf_addf(out, "end, after %s %u", unit, number - 1);
	else
		strbuf_addf(out, "%s %u", unit, number);
}
