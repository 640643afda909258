/*
 * sample.c - orders a person might write: bots, previews, property tests.
 *
 * Level 0 writes anything legal. Level 1 pops up a few moles anywhere. Level 2
 * pops up the number that pays best and whacks where the neighbour has often
 * been. Level 3 takes for a habit only what stands out from luck, and also keeps
 * away from the holes its own whacker likes.
 *
 * How many moles pay: against a whack at random, k moles in H holes keep k(H-k)/H
 * points and hand the whacker w*k/H, which hurts only as far as they are one of
 * n-1 rivals. The difference is best at k = (H - w/(n-1)) / 2.
 */
#include "processor/base/err.h"
#include "processor/games/whakka_mole/whakka.h"

unsigned whakka_best_moles(const struct whakka_setup *setup, unsigned players)
{
	unsigned rivals = players > 1 ? players - 1 : 1;
	unsigned worth = (setup->holes + 1) * rivals;
	/* One for each mole: about half a sheet. */
	unsigned hit = setup->whackpts ? setup->whackpts : setup->holes / 2;
	unsigned k = worth > hit ? (worth - hit) / (2 * rivals) : 0;

	/* Where no mole pays, one is still put up, or the game would stand still. */
	if (k == 0)
		k = 1;
	return k < setup->maxtokens ? k : setup->maxtokens;
}

/* Draws an index by weight; all weights zero: any index. */
static unsigned draw(struct chance *chance, const unsigned *weights, unsigned count,
                     const char *what, unsigned nth)
{
	unsigned total = 0;
	unsigned at;

	for (unsigned i = 0; i < count; i++)
		total += weights[i];
	if (total == 0)
		return chance_pick(chance, count, "%s %u", what, nth);
	at = chance_pick(chance, total, "%s %u", what, nth);
	for (unsigned i = 0; i < count; i++) {
		if (at < weights[i])
			return i;
		at -= weights[i];
	}
	BUG("weights do not add up");
}

/* Up to k different holes by weight; fewer when the weights leave no more. */
static uint32_t draw_holes(struct chance *chance, const unsigned *weights, unsigned nholes,
                           unsigned k)
{
	unsigned left[WHAKKA_HOLES];
	uint32_t holes = 0;

	for (unsigned h = 0; h < nholes; h++)
		left[h] = weights[h] ? weights[h] : 1;
	for (unsigned i = 0; i < k && i < nholes; i++) {
		unsigned h = draw(chance, left, nholes, "mole", i + 1);

		holes |= 1u << h;
		left[h] = 0;
	}
	return holes;
}

static unsigned mole_count(const struct game_state *s, unsigned level, struct chance *chance)
{
	unsigned players = seat_count(whakka_owes(s));
	unsigned max = s->setup.maxtokens;
	unsigned k;

	if (level == 0)
		return chance_pick(chance, max + 1, "moles");
	if (level == 1)
		return chance_pick(chance, max < 4 ? max : 4, "moles") + 1;
	k = whakka_best_moles(&s->setup, players);
	/* Now and then one more or one less, or the neighbour could count on it. */
	switch (chance_pick(chance, 6, "moles")) {
	case 0:
		return k > 1 ? k - 1 : k;
	case 1:
		return k < max ? k + 1 : k;
	default:
		return k;
	}
}

/* How far a hole's count lies above the average, less what is mere luck. */
static unsigned habit(const unsigned *counts, unsigned nholes, unsigned hole)
{
	unsigned sum = 0;

	for (unsigned h = 0; h < nholes; h++)
		sum += counts[h];
	return counts[hole] > sum / nholes + 1 ? counts[hole] - sum / nholes - 1 : 0;
}

/* Level 2 goes by where the neighbour was most; true: what stands there is a sure hit. */
static bool whack_weights(const struct game_state *s, unsigned seat, unsigned level,
                          unsigned *w)
{
	enum { SURE = 1000 };
	const struct whakka_seat *p = &s->seats[whakka_left_of(s, seat)];
	bool standing = s->setup.tokens_stay && s->turn > 1 &&
	                whakka_last_score(s, whakka_left_of(s, seat)).struck == 0;

	for (unsigned h = 0; h < s->setup.holes; h++)
		w[h] = 1 + (level == 2 ? 2 * p->popped[h] : 0) +
		       (level >= 2 && standing ? SURE * p->sheet[h] : 0);
	return standing;
}

/* --- version 2 --------------------------------------------------------- */

/*
 * Beginners are greedy: level 1 leaves two to four holes empty, level 2 puts up a number between that and
 * what pays best.
 */
static unsigned mole_count_2(const struct game_state *s, unsigned level, struct chance *chance)
{
	unsigned max = s->setup.maxtokens, greedy = s->setup.holes - 2;
	unsigned k = whakka_best_moles(&s->setup, seat_count(whakka_owes(s)));

	if (level == 0 || level >= 3)
		return mole_count(s, level, chance);
	k = level == 1 ? greedy - chance_pick(chance, 3, "moles")
	               : (k + greedy) / 2 + chance_pick(chance, 2, "moles");
	return k < max ? k : max;
}

/*
 * The hole that stands out in what somebody did so far, and how far it is to be believed, in percent. As if
 * ten more turns had gone evenly, and what luck may bring left out: a habit that is feigned costs
 * whoever feigns it more than they gain.
 */
static unsigned belief(const unsigned *counts, unsigned nholes, unsigned turns, unsigned *hole)
{
	enum { EVENLY = 10, LUCK = 100, SLOPE = 2, MOST = 80 };
	unsigned sum = 0, rate, mean;

	*hole = 0;
	for (unsigned h = 0; h < nholes; h++) {
		sum += counts[h];
		if (counts[h] > counts[*hole])
			*hole = h;
	}
	if (turns == 0)
		return 0;
	/* In thousandths of a turn. */
	mean = 1000 * sum / nholes / turns;
	rate = (1000 * counts[*hole] + EVENLY * mean) / (turns + EVENLY);
	rate = rate > mean + LUCK ? SLOPE * (rate - mean - LUCK) / 10 : 0;
	return rate < MOST ? rate : MOST;
}

static bool believes(const unsigned *counts, const struct game_state *s, struct chance *chance,
                     const char *what, unsigned *hole)
{
	unsigned percent = belief(counts, s->setup.holes, s->turn - 1, hole);

	return chance_pick(chance, 100, "%s", what) < percent;
}

/* Level 1 likes the holes it was in, level 3 stays out of the one that its whacker likes. */
static void popup_weights_2(const struct game_state *s, unsigned seat, unsigned level,
                            struct chance *chance, unsigned *w)
{
	enum { HARDLY = 1, USUALLY = 100 };
	const struct whakka_seat *whacker = &s->seats[whakka_right_of(s, seat)];
	unsigned liked;

	for (unsigned h = 0; h < s->setup.holes; h++)
		w[h] = level == 1 ? 1 + 2 * s->seats[seat].popped[h] : USUALLY;
	if (level >= 3 && believes(whacker->whacked, s, chance, "where they whack", &liked))
		w[liked] = HARDLY;
}

/* `hesitates`: one time in so many there is no whack; 0: always one. */
static void write_sample(const struct game_state *s, unsigned hesitates, unsigned moles,
                         const unsigned *popup, const unsigned *whack, struct chance *chance,
                         struct strbuf *canonical)
{
	struct whakka_orders o = {.resign = false, .popup = 0, .whack = 0};
	unsigned holes = s->setup.holes;

	o.popup = draw_holes(chance, popup, holes, moles);
	if (hesitates == 0 || chance_pick(chance, hesitates, "whack at all") > 0)
		o.whack = draw(chance, whack, holes, "whack", 1) + 1;
	whakka_write_orders(&o, canonical);
}

void whakka_sample_orders_1(const struct game_state *s, unsigned seat, unsigned level,
                            const struct tables *tables, struct chance *chance,
                            struct strbuf *canonical)
{
	const struct whakka_seat *whacker = &s->seats[whakka_right_of(s, seat)],
				 *p = &s->seats[whakka_left_of(s, seat)];
	unsigned popup[WHAKKA_HOLES], whack[WHAKKA_HOLES];

	(void)tables;
	whack_weights(s, seat, level, whack);
	/* Everywhere alike, or (level 3) where the neighbour was more than luck has it, and out of where the whacker likes to hit. */
	for (unsigned h = 0; h < s->setup.holes; h++) {
		popup[h] = level < 3 ? 1
		                     : 24 / (1 + habit(whacker->whacked, s->setup.holes, h));
		whack[h] += level < 3 ? 0 : habit(p->popped, s->setup.holes, h);
	}
	write_sample(s, level == 0 ? s->setup.holes + 1 : 0, mole_count(s, level, chance),
	             popup, whack, chance, canonical);
}

void whakka_sample_orders(const struct game_state *s, unsigned seat, unsigned level,
                          const struct tables *tables, struct chance *chance,
                          struct strbuf *canonical)
{
	enum { MOSTLY = 200 };
	/* In percent: how often a level above the best one plays the solution, else as usual. */
	static const unsigned solved[] = {40, 75, 100};
	const struct whakka_seat *neighbour = &s->seats[whakka_left_of(s, seat)];
	unsigned popup[WHAKKA_HOLES], whack[WHAKKA_HOLES];
	unsigned moles, liked;

	(void)tables;
	if (level > SAMPLE_LEVEL_BEST && !whakka_has_solution(s))
		level = SAMPLE_LEVEL_BEST;
	if (level > SAMPLE_LEVEL_BEST) {
		if (chance_pick(chance, 100, "solution") <
		    solved[level - SAMPLE_LEVEL_BEST - 1]) {
			/* As if nobody had habits, and with none. */
			unsigned counts[WHAKKA_HOLES + 1], anywhere[WHAKKA_HOLES] = {0};

			whakka_solve(s, seat, counts);
			write_sample(s, 0,
			             draw(chance, counts, s->setup.maxtokens + 1, "moles", 0),
			             anywhere, anywhere, chance, canonical);
			return;
		}
		level = BOT_LEVEL_USUAL;
	}
	moles = mole_count_2(s, level, chance);
	popup_weights_2(s, seat, level, chance, popup);
	if (!whack_weights(s, seat, level, whack) && level >= 3 &&
	    believes(neighbour->popped, s, chance, "where they are", &liked))
		whack[liked] += MOSTLY;
	write_sample(s,
	             level == 0   ? 2
	             : level == 1 ? 4
	                          : 0,
	             moles, popup, whack, chance, canonical);
}

/* --- what bots of the present version look at --------------------------- */

/*
 * Between two it is played as solved, more often the higher the level. Among more, searches on top of level 3
 * of whakka_sample_orders have brought nothing that 60 games showed.
 */
const struct bot_effort whakka_efforts[BOT_LEVEL_EXAMPLE + 1] = {
    {.policy = 0},
    {.policy = 1},
    {.policy = 2},
    {.policy = 4},
    {.policy = 5},
    {.policy = 6},
    {2, "3210", 150, 8, 20000, true},
    {.policy = SAMPLE_LEVEL_BEST}, /* those below are greedy */
};

/* The lead that doubles the odds shrinks as the target comes near. */
void whakka_estimate(const struct game_state *s, int64_t worth[MAX_SEATS + 1])
{
	unsigned most = 0, left;

	for (unsigned seat = 1; seat <= s->nseats; seat++)
		most = s->seats[seat].total > most ? s->seats[seat].total : most;
	left = most < s->setup.target ? s->setup.target - most : 0;
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		worth[seat] = 1000 * (int64_t)s->seats[seat].total / (3 + left / 8);
}
