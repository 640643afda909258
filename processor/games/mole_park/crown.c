/*
 * crown.c - the crown and the Showdown for it (step 6 of a round).
 */
#include <string.h>

#include "processor/games/mole_park/park.h"

static void lose_prizes(struct game_state *s, struct park_seat *p)
{
	memcpy(s->gone + s->ngone, p->prizes, p->nprizes);
	s->ngone += p->nprizes;
	p->nprizes = 0;
}

static void roll_all(struct game_state *s, unsigned seat, struct chance *chance)
{
	for (enum park_die die = PARK_GLOVE; die < PARK_DICE_END; die++)
		s->seats[seat].last.faces[die] =
		    park_face(die, chance_die(chance, PARK_FACES, "showdown %s of seat %u",
		                              park_die_labels[die], seat));
}

/* Every whacking die is a claimant of its own. */
static void split_among_dice(struct game_state *s, const unsigned *seats, unsigned n)
{
	for (unsigned hole = 0; hole < PARK_HOLES; hole++) {
		struct park_claimants c = {.count = 0};

		for (unsigned i = 0; i < n; i++)
			for (unsigned die = PARK_GLOVE; die < PARK_PRIZE_DIE; die++)
				if (s->seats[seats[i]].last.faces[die] == hole + 1)
					c.seats[c.count++] = (unsigned char)seats[i];
		park_split(s, hole, &c);
	}
}

/* Finalists begin with nothing: moles and prizes are put away, new ones are dealt. */
static void begin_showdown(struct game_state *s, const unsigned *seats, unsigned n,
                           struct chance *chance)
{
	for (unsigned hole = 0; hole < PARK_HOLES; hole++)
		park_pile_move(&s->holes[hole], &s->hill);
	for (unsigned i = 0; i < n; i++) {
		s->seats[seats[i]].last.finalist = true;
		lose_prizes(s, &s->seats[seats[i]]);
	}
	for (unsigned pass = 0; pass < n; pass++)
		if (!park_deal_pass(s, chance, false))
			break;
	for (unsigned i = 0; i < n; i++)
		roll_all(s, seats[i], chance);
}

/* The highest total; of equal ones the King is struck out, then their word decides. */
static unsigned best_finalist(const struct game_state *s, const unsigned *seats, unsigned n)
{
	unsigned best = seats[0];

	for (unsigned i = 1; i < n; i++) {
		unsigned mine = park_showdown_total(s, seats[i]);
		unsigned high = park_showdown_total(s, best);

		if (mine > high || (mine == high && park_favour_place(s, seats[i]) <
		                                        park_favour_place(s, best)))
			best = seats[i];
	}
	return best;
}

void park_crown(struct game_state *s, struct chance *chance)
{
	unsigned seats[PARK_SEATS], finalists[PARK_SEATS];
	unsigned n = park_round_table(s, seats);
	unsigned nfinalists = 0;

	for (unsigned i = 0; i < n; i++) {
		if (!s->seats[seats[i]].last.declared)
			continue;
		park_show_moles(s, seats[i]);
		if (s->seats[seats[i]].last.total >= PARK_CROWN)
			finalists[nfinalists++] = seats[i];
	}
	if (nfinalists == 0)
		return;
	if (nfinalists > 1) {
		begin_showdown(s, finalists, nfinalists, chance);
		split_among_dice(s, finalists, nfinalists);
	}
	s->winner = nfinalists > 1 ? best_finalist(s, finalists, nfinalists) : finalists[0];
}
