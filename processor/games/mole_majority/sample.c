/*
 * sample.c - orders a person might write: bots, previews, property tests.
 *
 * A level is how many turns are made up and looked at before one is chosen. What
 * counts is the difference to the best of the others: value of hexes claimed, home tokens at
 * their average, a little for moles where they are many. Only what the player may know is
 * looked at.
 */
#include "processor/games/mole_majority/majority.h"

enum { WORTH_POINT = 60, WORTH_HOME = 120, WORTH_MOLE = 3, WORTH_END = 2000 };

/* What a hex is worth to each: all of it to its owner, a part to whoever leads as it fills. */
static void add_hex(const struct mm_hex *x, int *worth)
{
	unsigned count[MM_SEATS + 1] = {0};
	unsigned best = 1, taken;

	for (unsigned i = 0; i < x->value; i++)
		count[x->spaces[i]]++;
	for (unsigned seat = 2; seat <= MM_SEATS; seat++)
		if (count[seat] > count[best])
			best = seat;
	taken = x->value - count[0];
	for (unsigned seat = 1; seat <= MM_SEATS; seat++)
		worth[seat] += WORTH_MOLE * (int)count[seat];
	if (x->claim)
		worth[x->claim] += WORTH_POINT * x->value;
	if (taken && x->claim != best)
		worth[best] += WORTH_POINT / 2 * (int)taken;
}

static void add_board(const struct game_state *s, int *worth)
{
	for (unsigned h = 0; h < MM_HEXES; h++)
		if (s->hexes[h].value)
			add_hex(&s->hexes[h], worth);
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		worth[seat] += WORTH_HOME * (int)s->seats[seat].nhomes;
}

static int value_of(const struct game_state *s, unsigned seat)
{
	int worth[MM_SEATS + 1] = {0};
	int rival = 0;

	add_board(s, worth);
	for (unsigned other = 1; other <= s->nseats; other++)
		if (other != seat && worth[other] > rival)
			rival = worth[other];
	if (mm_claims(s, seat) == 0)
		return -WORTH_END * 10;
	if (mm_supply(s, seat) == 0 || mm_claims(s, 0) == 0)
		return worth[seat] - rival + (worth[seat] > rival ? WORTH_END : -WORTH_END);
	return 2 * worth[seat] - rival;
}

/* What the turn brings; a board that cannot be worked out is not worth having. */
static int try_out(const struct game_state *s, const struct mm_orders *o)
{
	struct game_state work = *s;
	struct mm_trouble t;

	work.nevents = 0;
	if (o->kind == ORDERS_PLAY && !mm_carry_out(&work, o, &t))
		return -WORTH_END * 100;
	return value_of(&work, s->active);
}

static void choose_play(const struct game_state *s, unsigned tries, uint32_t *dice,
                        struct mm_orders *out)
{
	int best = 0;

	for (unsigned i = 0; i < tries; i++) {
		struct mm_orders o;
		int value;

		mm_make_play(s, dice, true, &o);
		value = tries > 1 ? try_out(s, &o) : 0;
		if (i > 0 && value <= best)
			continue;
		best = value;
		*out = o;
	}
}

static void shuffle_list(uint8_t *list, unsigned n, uint32_t *dice)
{
	for (; n > 1; n--) {
		unsigned at = mm_roll_dice(dice, n);
		uint8_t kept = list[n - 1];

		list[n - 1] = list[at];
		list[at] = kept;
	}
}

static void sample(const struct game_state *s, unsigned seat, unsigned level,
                   const unsigned tries[SAMPLE_LEVEL_BEST + 1], struct chance *chance,
                   struct strbuf *canonical)
{
	uint32_t dice = chance_pick(chance, 1u << 30, "what seat %u thinks of", seat) + 1;
	struct mm_orders o = {.kind = ORDERS_PASS};

	if (level > SAMPLE_LEVEL_BEST)
		level = SAMPLE_LEVEL_BEST;
	if (s->turn == 0) {
		mm_default_lists(&o);
		shuffle_list(o.bases, o.nbases, &dice);
		shuffle_list(o.tiles, o.ntiles, &dice);
		o.nbases = (uint8_t)(1 + mm_roll_dice(&dice, 6));
		o.ntiles = (uint8_t)(1 + mm_roll_dice(&dice, 12));
	} else if (mm_roll_dice(&dice, level < 2 ? 24 : 48) == 0) {
		o.kind = ORDERS_DISCARD;
	} else if (level > 0 || mm_roll_dice(&dice, 24)) {
		choose_play(s, tries[level], &dice, &o);
	}
	mm_write_orders(s, &o, canonical);
}

void mm_sample_orders_1(const struct game_state *s, unsigned seat, unsigned level,
                        const struct tables *tables, struct chance *chance,
                        struct strbuf *canonical)
{
	static const unsigned tries[] = {1, 2, 4, 10};

	(void)tables;
	sample(s, seat, level, tries, chance, canonical);
}

void mm_sample_orders(const struct game_state *s, unsigned seat, unsigned level,
                      const struct tables *tables, struct chance *chance,
                      struct strbuf *canonical)
{
	static const unsigned tries[] = {1, 1, 3, 400};

	(void)tables;
	sample(s, seat, level, tries, chance, canonical);
}

/* --- what bots of the present version look at --------------------------- */

const struct bot_effort mm_efforts[BOT_LEVEL_EXAMPLE + 1] = {
    {.policy = 0},
    {.policy = 1},
    {.policy = 2},
    {1, "3", 8, 2, 60, false},
    {2, "3", 16, 4, 400, false},
    {2, "3", 32, 4, 3000, false},
    {2, "21012103", 300, 4, 12000, true},
    {.policy = 2},
};

void mm_estimate(const struct game_state *s, int64_t worth[MAX_SEATS + 1])
{
	int points[MM_SEATS + 1] = {0};

	add_board(s, points);
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		worth[seat] = 4 * (int64_t)points[seat];
}
