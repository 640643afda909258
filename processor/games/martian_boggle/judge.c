/*
 * judge.c - whether orders are legal in a position, and if not, what is wrong with them.
 *
 * Moves are judged in the order written, the second on the board as the first left it (rules
 * 5 and 6). Depends on nothing but the public position.
 */
#include <string.h>

#include "processor/games/martian_boggle/boggle.h"

static enum boggle_verdict judge_move(const struct game_state *s, squares others,
                                      const struct boggle_orders *o, unsigned i,
                                      struct boggle_judgement *j)
{
	const struct boggle_move *m = &o->moves[i];
	squares open = ~(others | j->pieces);

	if (i == 1 && m->from == o->moves[0].to)
		return BOGGLE_SAME_PIECE;
	if (!(j->pieces & boggle_square(m->from)))
		return BOGGLE_NOT_YOURS;
	if (!(open & boggle_square(m->to)))
		return BOGGLE_OCCUPIED;
	j->steps[i] = boggle_distance(open, m->from, m->to, s->setup.diagonals);
	j->pieces ^= boggle_square(m->from) | boggle_square(m->to);
	return j->steps[i] ? BOGGLE_FINE : BOGGLE_BOXED_IN;
}

/* Rule 5: one piece has both dice, two have one each, whichever way fits. */
static enum boggle_verdict judge_dice(const struct game_state *s, const struct boggle_orders *o,
                                      struct boggle_judgement *j)
{
	unsigned x = s->roll[0], y = s->roll[1];
	unsigned a = j->steps[0], b = j->steps[1];
	unsigned larger = x > y ? x : y;

	j->move = 0;
	if (o->nmoves == 1)
		return a <= x + y ? BOGGLE_FINE : BOGGLE_TOO_FAR;
	j->move = a > larger ? 0 : 1;
	if (a > larger || b > larger)
		return BOGGLE_DIE_TOO_FAR;
	return (a <= x && b <= y) || (a <= y && b <= x) ? BOGGLE_FINE : BOGGLE_DICE_DO_NOT;
}

static enum boggle_verdict judge_word(const struct game_state *s, unsigned seat,
                                      const char *word, struct boggle_judgement *j)
{
	struct boggle_word *w = &j->word;

	if (!boggle_spells(j->letters, word, w->tiles, &j->lacking))
		return BOGGLE_LETTER_LACKS;
	memcpy(w->letters, word, sizeof w->letters);
	w->group = boggle_largest_group(j->pieces, s->setup.diagonals);
	w->turn = s->turn;
	if (!boggle_word_is_used(s, seat, word))
		return BOGGLE_FINE;
	for (unsigned i = 0; i < s->seats[seat].nwords; i++)
		if (strcmp(s->seats[seat].words[i].letters, word) == 0)
			return BOGGLE_USED_OWN;
	return BOGGLE_USED_OTHER;
}

void boggle_judge(const struct game_state *s, unsigned seat, const struct boggle_orders *o,
                  struct boggle_judgement *j)
{
	squares others = s->seats[boggle_other(seat)].pieces;

	memset(j, 0, sizeof *j);
	j->pieces = s->seats[seat].pieces;
	for (unsigned i = 0; i < o->nmoves && j->verdict == BOGGLE_FINE; i++) {
		j->move = i;
		j->verdict = judge_move(s, others, o, i, j);
	}
	if (j->verdict == BOGGLE_FINE && o->nmoves)
		j->verdict = judge_dice(s, o, j);
	boggle_letters(s->board, j->pieces, j->letters);
	if (j->verdict == BOGGLE_FINE && o->word[0])
		j->verdict = judge_word(s, seat, o->word, j);
}
