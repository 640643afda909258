/*
 * sample.c - orders a person might write: bots, previews, property tests.
 *
 * Level 0 writes anything legal. Level 1 pops up a few moles anywhere. Level 2
 * pops up the number that pays best and whacks where the neighbour has often
 * been. Level 3 takes for a habit only what stands out from luck, and also keeps
 * away from the holes its own whacker likes. LOOKING + 1 to + 5 do so too, and differ
 * by how many numbers of moles they compare.
 *
 * What moles pay: against a whack at random, k of them in H holes keep k(H-k)/H
 * points and hand the whacker w*k/H, which hurts only as far as they are one of
 * n-1 rivals. The difference is best at k = (H - w/(n-1)) / 2.
 */
#include "processor/base/err.h"
#include "processor/games/whakka_mole/whakka.h"

enum { LOOKING = 10 };

static int worth_of(const struct whakka_setup *setup, unsigned players, unsigned k)
{
	const int rivals = players > 1 ? (int)players - 1 : 1, moles = (int)k;
	/* One for each mole: about half a sheet. */
	const int hit = (int)(setup->whackpts ? setup->whackpts : setup->holes / 2);

	return moles * (((int)setup->holes - moles) * rivals - hit);
}

/* The larger of equals; where no mole pays, one is still put up, or the game would stand still. */
unsigned whakka_best_moles(const struct whakka_setup *setup, unsigned players)
{
	unsigned best = 1;

	for (unsigned k = 2; k <= setup->maxtokens; k++)
		if (worth_of(setup, players, k) >= worth_of(setup, players, best))
			best = k;
	return best;
}

static unsigned draw(struct chance *chance, const uint64_t *weights, unsigned count,
                     const char *what, unsigned nth)
{
	unsigned total = 0;

	for (unsigned i = 0; i < count; i++)
		total += (unsigned)weights[i];
	return place_by_weight(weights, count,
	                       chance_pick(chance, total ? total : count, "%s %u", what, nth));
}

/* Up to k different holes by weight; fewer when the weights leave no more. */
static uint32_t draw_holes(struct chance *chance, const uint64_t *weights, unsigned nholes,
                           unsigned k)
{
	uint64_t left[WHAKKA_HOLES];
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
	const unsigned way = chance_pick(chance, 6, "moles");

	return way == 0 && k > 1 ? k - 1 : way == 1 && k < max ? k + 1 : k;
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
                          uint64_t *w)
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
 * The hole that stands out in what somebody did so far, and whether it is believed, the sooner the more it does. As
 * if ten more turns had gone evenly, and what luck may bring left out: a habit that is feigned costs
 * whoever feigns it more than they gain.
 */
static bool believes(const unsigned *counts, const struct game_state *s, struct chance *chance,
                     const char *what, unsigned *hole)
{
	enum { EVENLY = 10, LUCK = 100, SLOPE = 2, MOST = 80 };
	const unsigned turns = s->turn - 1;
	unsigned sum = 0, rate, mean;

	*hole = 0;
	for (unsigned h = 0; h < s->setup.holes; h++) {
		sum += counts[h];
		if (counts[h] > counts[*hole])
			*hole = h;
	}
	/* In thousandths of a turn, then in percent. */
	mean = turns ? 1000 * sum / s->setup.holes / turns : 0;
	rate = (1000 * counts[*hole] + EVENLY * mean) / (turns + EVENLY);
	rate = turns && rate > mean + LUCK ? SLOPE * (rate - mean - LUCK) / 10 : 0;
	return chance_pick(chance, 100, "%s", what) < (rate < MOST ? rate : MOST);
}

/* Level 1 likes the holes it was in, level 3 stays out of the one that its whacker likes. */
static void popup_weights_2(const struct game_state *s, unsigned seat, unsigned level,
                            struct chance *chance, uint64_t *w)
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
                         const uint64_t *popup, const uint64_t *whack, struct chance *chance,
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
	uint64_t popup[WHAKKA_HOLES], whack[WHAKKA_HOLES];

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

/* As if nobody had habits, and with none. */
static void write_solution(const struct game_state *s, unsigned seat, struct chance *chance,
                           struct strbuf *canonical)
{
	uint64_t counts[WHAKKA_HOLES + 1], anywhere[WHAKKA_HOLES] = {0};

	whakka_solve(s, seat, counts);
	write_sample(s, 0, draw(chance, counts, s->setup.maxtokens + 1, "moles", 0), anywhere,
	             anywhere, chance, canonical);
}

/* A beginner's first thought, at least half of the holes; and the best of it and of the numbers that are looked at. */
static unsigned compare_counts(const struct game_state *s, unsigned level,
                               struct chance *chance)
{
	/* In percent: how many others, any of them. */
	static const unsigned others[] = {0, 0, 60, 130, 285};
	const unsigned most = s->setup.maxtokens, players = seat_count(whakka_owes(s));
	unsigned best = most - chance_pick(chance, most / 2 + 1, "moles"), left;

	if (level == BOT_LEVEL_BEST)
		return whakka_best_moles(&s->setup, players);
	for (left = others[level]; left > 0; left -= left < 100 ? left : 100) {
		unsigned k = 1 + chance_pick(chance, most, "moles, with %u to come", left);

		if ((left >= 100 || chance_pick(chance, 100, "looks on") < left) &&
		    worth_of(&s->setup, players, k) > worth_of(&s->setup, players, best))
			best = k;
	}
	return best;
}

void whakka_sample_orders(const struct game_state *s, unsigned seat, unsigned level,
                          const struct tables *tables, struct chance *chance,
                          struct strbuf *canonical)
{
	enum { MOSTLY = 200 };
	const struct whakka_seat *neighbour = &s->seats[whakka_left_of(s, seat)];
	const bool looks = level > LOOKING;
	uint64_t popup[WHAKKA_HOLES], whack[WHAKKA_HOLES];
	unsigned moles, liked;

	(void)tables;
	level -= looks ? LOOKING : 0;
	if (looks && level == BOT_LEVEL_BEST && whakka_has_solution(s)) {
		write_solution(s, seat, chance, canonical);
		return;
	}
	moles = looks ? compare_counts(s, level, chance) : mole_count_2(s, level, chance);
	popup_weights_2(s, seat, level, chance, popup);
	if (!whack_weights(s, seat, level, whack) && level >= 3 &&
	    believes(neighbour->popped, s, chance, "where they are", &liked))
		whack[liked] += MOSTLY;
	write_sample(s,
	             level == 0             ? 2
	             : level == 1 && !looks ? 4
	                                    : 0,
	             moles, popup, whack, chance, canonical);
}

/* Between two the solution, more often the higher the level; else as usual. */
void whakka_sample_orders_3(const struct game_state *s, unsigned seat, unsigned level,
                            const struct tables *tables, struct chance *chance,
                            struct strbuf *canonical)
{
	static const unsigned percent[] = {0, 0, 0, 40, 75, 100};

	if (level >= 3 && whakka_has_solution(s)) {
		if (chance_pick(chance, 100, "solution") < percent[level]) {
			write_solution(s, seat, chance, canonical);
			return;
		}
		level = BOT_LEVEL_USUAL;
	}
	whakka_sample_orders(s, seat, level < 3 ? level : 3, tables, chance, canonical);
}

/* --- what bots of the present version look at --------------------------- */

/*
 * Nobody plays much better than the last: between two it is the solution, and who knows just how three others of
 * that level draw wins .28 of the games, not .25.
 */
const struct bot_effort whakka_efforts[BOT_LEVEL_EXAMPLE + 1] = {
    {.policy = 0},
    {.policy = LOOKING + 1},
    {.policy = LOOKING + 2},
    {.policy = LOOKING + 3},
    {.policy = LOOKING + 4},
    {.policy = LOOKING + 5},
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
