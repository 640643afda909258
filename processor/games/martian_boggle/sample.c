/*
 * sample.c - orders a person might write: bots, previews, property tests.
 *
 * A bot knows only a part of the list, another part each turn, and plays the best word of it
 * that it can reach: one word of 400 at level 0, of 120 at level 1, of 25 at level 2, of 8 at level 3,
 * of 3 at level 4, all of them at level 5. Where it finds none it walks somewhere. Without any list it now and then
 * takes the letters it stands on for a word, which is what reading then believes too. An example is found by
 * one that learns more until it knows a word.
 */
#include <string.h>

#include "processor/games/martian_boggle/boggle.h"

/* The levels of bots before the present version, then two between the last of them. */
enum { OLDER_BEST = 3, ONE_IN_8, ONE_IN_3, LEVELS, LEARNING = LEVELS };

static const unsigned knows_one_in[LEVELS] = {400, 120, 25, 1, 8, 3};

static unsigned draw_from(struct chance *chance, squares set, const char *what, unsigned nth)
{
	unsigned n = chance_pick(chance, (unsigned)__builtin_popcount(set), "%s %u", what, nth);

	for (; n > 0; n--)
		set &= set - 1;
	return boggle_first(set);
}

/* A move of one of `movable` by at most `steps`; false when that piece is boxed in. */
static bool draw_move(const struct game_state *s, squares own, squares movable, unsigned steps,
                      struct chance *chance, struct boggle_orders *o)
{
	unsigned nth = o->nmoves + 1;
	squares others = s->seats[boggle_other(boggle_mover(s, s->turn))].pieces;
	unsigned from = draw_from(chance, movable, "piece", nth);
	squares to = boggle_reach(~(own | others), from, steps, s->setup.diagonals);

	if (!to)
		return false;
	o->moves[o->nmoves++] =
	    (struct boggle_move){from, draw_from(chance, to, "square", nth)};
	return true;
}

/* No move, one, or two. */
static void walk(const struct game_state *s, struct chance *chance, struct boggle_orders *o)
{
	squares own = s->seats[boggle_mover(s, s->turn)].pieces;
	unsigned way = chance_pick(chance, 6, "way");
	unsigned turned = way % 2;
	squares moved;

	if (way == 0)
		return;
	if (way < 3) {
		draw_move(s, own, own, s->roll[0] + s->roll[1], chance, o);
		return;
	}
	if (!draw_move(s, own, own, s->roll[turned], chance, o))
		return;
	moved = (own & ~boggle_square(o->moves[0].from)) | boggle_square(o->moves[0].to);
	draw_move(s, moved, own & moved, s->roll[1 - turned], chance, o);
}

/* The letters where the walk ends, a blank as an E. */
static void take_for_word(const struct game_state *s, unsigned seat, struct boggle_orders *o)
{
	struct boggle_judgement j;
	char letters[BOGGLE_PIECES + 1];

	boggle_judge(s, seat, o, &j);
	memcpy(letters, j.letters, sizeof letters);
	for (char *c = letters; *c; c++)
		if (*c == '?')
			*c = 'E';
	if (strchr(letters, '.') == NULL && !boggle_word_is_used(s, seat, letters))
		memcpy(o->word, letters, sizeof letters);
}

void boggle_sample_orders(const struct game_state *s, unsigned seat, unsigned level,
                          const struct tables *tables, struct chance *chance,
                          struct strbuf *canonical)
{
	struct boggle_orders o = {.resign = false};
	const struct table *list = boggle_list(s, tables);
	unsigned known = level < LEVELS ? level : LEVELS - 1;
	bool learns = level == LEARNING, found = false;

	if (list) {
		struct boggle_sight sight = {.one_in = knows_one_in[learns ? 2 : known]};

		sight.salt = chance_pick(chance, 1u << 30, "words known");
		found = boggle_find_best(s, list->text, &sight, &o);
		for (; learns && !found && sight.one_in > 1; sight.one_in /= 5)
			found = boggle_find_best(s, list->text, &sight, &o);
	}
	if (!found)
		walk(s, chance, &o);
	if ((!tables || tables->count == 0) && chance_pick(chance, 5, "spell") < known + 1)
		take_for_word(s, seat, &o);
	boggle_write_orders(&o, canonical);
}

/* --- what bots of the present version do ------------------------------- */

/* Three turns of searching ahead with all words brought nothing that 30 games showed. */
const struct bot_effort boggle_efforts[BOT_LEVEL_EXAMPLE + 1] = {
    {.policy = 0},
    {.policy = 1},
    {.policy = 2},
    {.policy = ONE_IN_8},
    {.policy = ONE_IN_3},
    {.policy = OLDER_BEST},
    {2, "3454", 32, 3, 500, false},
    {.policy = LEARNING},
};

void boggle_estimate(const struct game_state *s, int64_t worth[MAX_SEATS + 1])
{
	for (unsigned seat = 1; seat <= BOGGLE_SEATS; seat++) {
		unsigned group =
		    boggle_largest_group(s->seats[seat].pieces, s->setup.diagonals);

		worth[seat] = 100 * (int64_t)boggle_score(s, seat) + 100 * group;
	}
}
