/*
 * turn.c - questions about a state: whose turn, what is left, who leads, whether it is over.
 */
#include <string.h>

#include "processor/games/martian_boggle/boggle.h"

enum { SCRABBLE_BONUS = 5, CRAFT_BONUS = 1 };

unsigned boggle_other(unsigned seat)
{
	return BOGGLE_SEATS + 1 - seat;
}

unsigned boggle_mover(const struct game_state *s, unsigned turn)
{
	return turn % 2 ? s->first : boggle_other(s->first);
}

squares boggle_open(const struct game_state *s)
{
	return ~(s->seats[1].pieces | s->seats[2].pieces);
}

/* The turn in which a seat made the last word needed; 0 = not yet. */
static unsigned completed(const struct game_state *s, unsigned seat)
{
	const struct boggle_seat *p = &s->seats[seat];

	return p->nwords >= s->setup.words ? p->words[s->setup.words - 1].turn : 0;
}

unsigned boggle_closer(const struct game_state *s)
{
	unsigned one = completed(s, 1);
	unsigned two = completed(s, 2);

	if (!one && !two)
		return 0;
	return one && (!two || one < two) ? 1 : 2;
}

/* Rules 12 and 15: the player at row 5 always has as many turns as the one at row 1. */
bool boggle_over(const struct game_state *s)
{
	unsigned first = completed(s, s->first);

	if (s->seats[1].left || s->seats[2].left || s->turn > 2 * s->setup.maxturns)
		return true;
	return completed(s, boggle_other(s->first)) || (first && s->turn > first + 1);
}

struct seat_set boggle_owes(const struct game_state *s)
{
	struct seat_set set = {0};

	return boggle_over(s) ? set : seat_with(set, boggle_mover(s, s->turn));
}

unsigned boggle_bonus(const struct boggle_setup *setup)
{
	return setup->craft ? CRAFT_BONUS : SCRABBLE_BONUS;
}

unsigned boggle_points(const struct boggle_setup *setup, const struct boggle_word *w)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < BOGGLE_LETTERS; i++)
		sum += boggle_value(w->tiles[i]);
	return (setup->craft ? 1 : sum) * boggle_multiplier(w->group);
}

unsigned boggle_score(const struct game_state *s, unsigned seat)
{
	const struct boggle_seat *p = &s->seats[seat];
	unsigned score = boggle_closer(s) == seat ? boggle_bonus(&s->setup) : 0;

	for (unsigned i = 0; i < p->nwords; i++)
		score += boggle_points(&s->setup, &p->words[i]);
	return score;
}

static bool take_out(const char *tiles, unsigned bag[BOGGLE_FACES])
{
	for (; *tiles; tiles++)
		if (*tiles != '.' && bag[boggle_face(*tiles)]-- == 0)
			return false;
	return true;
}

bool boggle_bag(const struct game_state *s, unsigned bag[BOGGLE_FACES], unsigned *sum)
{
	*sum = 0;
	for (unsigned face = 0; face < BOGGLE_FACES; face++)
		bag[face] = boggle_count(&s->setup, face);
	if (!take_out(s->board, bag))
		return false;
	for (unsigned seat = 1; seat <= BOGGLE_SEATS; seat++)
		for (unsigned i = 0; i < s->seats[seat].nwords; i++)
			if (!take_out(s->seats[seat].words[i].tiles, bag))
				return false;
	for (unsigned face = 0; face < BOGGLE_FACES; face++)
		*sum += bag[face];
	return true;
}

static bool has_word(const struct boggle_seat *p, const char *word)
{
	for (unsigned i = 0; i < p->nwords; i++)
		if (strcmp(p->words[i].letters, word) == 0)
			return true;
	return false;
}

bool boggle_word_is_used(const struct game_state *s, unsigned seat, const char *word)
{
	return has_word(&s->seats[seat], word) ||
	       (s->setup.unique_both && has_word(&s->seats[boggle_other(seat)], word));
}
