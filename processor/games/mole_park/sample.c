/*
 * sample.c - orders a person might write: bots, previews, property tests.
 *
 * Level 0 writes anything legal. Level 1 whacks with any die, shows a full hand two times in five and reaches for
 * the crown at the first chance. Level 2 weighs the dice by what lies in the holes they may hit, fills
 * the hand, turns it into a prize, and once the prizes are worth enough collects for the crown.
 * Level 3 takes the die that brings most, and every prize in reach, for prizes make the next
 * ones easier. In version 1, level 1 showed four moles, and level 3 was level 2 with more patience.
 * Bots since version 4 do as level 3, as far as they look: one of a low level overlooks holes, the shops and the crown.
 */
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/mole_park/park.h"

/* What a seat has, in numbers. */
struct prospect {
	unsigned hand, moles, prizes; /* stars, cards, stars */
	unsigned lowest;              /* stars of the least mole in the hand */
	unsigned sixths;              /* faces of the Prize die that would win the crown now */
	bool full;
};

static struct prospect look_ahead(const struct game_state *s, unsigned seat)
{
	const struct park_seat *p = &s->seats[seat];
	struct prospect v = {.hand = park_pile_stars(&s->setup, &p->hand),
	                     .moles = p->hand.count,
	                     .prizes = park_prizes_worth(s, seat)};
	unsigned sure = v.hand + v.prizes;

	if (v.moles)
		v.lowest = park_mole_stars(&s->setup, p->hand.cards[v.moles - 1]);
	v.full = v.moles >= park_hand_limit(s, seat);
	if (v.moles && sure + PARK_FACES >= PARK_CROWN)
		v.sixths = sure + 1 >= PARK_CROWN ? PARK_FACES
		                                  : sure + PARK_FACES + 1 - PARK_CROWN;
	return v;
}

/* What a seat looks at in a turn, as bits: each hole, from 1 on, the shops, the crown. */
enum {
	SIGHTS = PARK_HOLES + 2,
	SEES_SHOPS = 1 << PARK_HOLES,
	SEES_CROWN = SEES_SHOPS << 1,
	SEES_ALL = (1 << SIGHTS) - 1,
	LOOKING =
	    16 /* a level of park_sample_orders: n more, and it is looked at in n of 16 turns */
};

/* Moles that a die may bring, as far as is seen: of each face a share, as every rival hits a hole once in six. */
static unsigned worth_of_die(const struct game_state *s, enum park_die die, unsigned seen)
{
	unsigned rivals = park_players_left(s) - 1;
	unsigned worth = 0;

	for (unsigned side = 1; side <= PARK_FACES; side++) {
		unsigned hole = park_face(die, side);

		if (hole && (seen >> (hole - 1) & 1))
			worth += s->holes[hole - 1].count * 60 / (6 + rivals);
	}
	return worth;
}

/* By weight, so that not everybody fights for the same hole. */
static enum park_die draw_whacking_die(const struct game_state *s, unsigned level,
                                       struct chance *chance)
{
	unsigned weights[PARK_DICE_END] = {0};
	unsigned total = 0;
	unsigned at;

	for (enum park_die die = PARK_GLOVE; die < PARK_PRIZE_DIE; die++) {
		unsigned worth = level >= 2 ? worth_of_die(s, die, SEES_ALL) : 0;

		weights[die] = 1 + worth * worth;
		total += weights[die];
	}
	at = chance_pick(chance, total, "whacking die");
	for (enum park_die die = PARK_GLOVE; die < PARK_PRIZE_DIE; die++) {
		if (at < weights[die])
			return die;
		at -= weights[die];
	}
	BUG("weights do not add up");
}

/* 0: nothing. */
static void take_item(struct order_value *v, unsigned item)
{
	*v = (struct order_value){.count = item > 0, .items = {(unsigned char)item}};
}

static void choose_well(const struct game_state *s, unsigned seat, unsigned level,
                        struct chance *chance, struct order_set *o)
{
	struct prospect v = look_ahead(s, seat);
	/* With prizes enough one collects for the crown, as long as better moles may come. */
	bool collects = v.prizes + 24 >= PARK_CROWN && v.lowest < 3;
	bool cashes_in = park_best_shop(s, v.hand + v.prizes + 3) != PARK_SHOPS &&
	                 (level == 1 ? v.moles >= 4 : v.full && !collects);

	take_item(&o->rows[PARK_ROLL],
	          cashes_in ? PARK_PRIZE_DIE : draw_whacking_die(s, level, chance));
	if (v.sixths >= (level < 3 || v.lowest >= 3 ? 3 : 4))
		o->rows[PARK_CLAIMS].alone = PARK_CLAIM;
	else if (v.sixths > 0)
		o->rows[PARK_CLAIMS].alone = PARK_CLAIM_IF_ANY;
	if (level == 1 && v.moles && chance_pick(chance, 4, "a die for when") == 0) {
		o->named |= 1U << PARK_ROLL_IF;
		take_item(&o->rows[PARK_ROLL_IF], PARK_PRIZE_DIE);
	}
}

static void draw_claim(const struct game_state *s, unsigned seat, struct chance *chance,
                       struct order_set *o)
{
	unsigned other = chance_pick(chance, s->nseats, "whom to answer") + 1;

	if (s->seats[seat].hand.count == 0)
		return;
	switch (chance_pick(chance, 12, "crown")) {
	case 0:
		o->rows[PARK_CLAIMS].alone = PARK_CLAIM;
		break;
	case 1:
		o->rows[PARK_CLAIMS].alone = PARK_CLAIM_IF_ANY;
		break;
	case 2:
		if (other == seat || !park_plays(s, other))
			break;
		take_item(&o->rows[PARK_CLAIMS], other);
		break;
	default:
		break;
	}
}

static void draw_wishes(struct chance *chance, struct order_value *w)
{
	unsigned order[PARK_SHOPS];

	memset(w, 0, sizeof *w);
	w->count = chance_pick(chance, PARK_SHOPS + 1, "number of wishes");
	chance_shuffle(chance, order, PARK_SHOPS, "wishes");
	for (unsigned i = 0; i < w->count; i++)
		w->items[i] = (unsigned char)order[i];
	if (chance_pick(chance, 8, "nothing else") == 0)
		w->items[w->count++] = PARK_SHOPS;
}

static void draw_discard(struct chance *chance, struct order_value *d)
{
	memset(d, 0, sizeof *d);
	switch (chance_pick(chance, 4, "discard")) {
	case 0:
		d->alone = PARK_HIGH;
		break;
	case 1:
		d->count = 1 + chance_pick(chance, 4, "number of values");
		for (unsigned i = 0; i < d->count; i++)
			d->items[i] =
			    (unsigned char)chance_die(chance, PARK_STARS, "value %u", i + 1);
		break;
	default:
		d->alone = PARK_LOW;
	}
}

static void draw_king(const struct game_state *s, struct chance *chance, struct order_set *o)
{
	static const struct park_style styles[] = {
	    {""}, {"The Old Digger"}, {"Queen of the Park"}, {"His Moleness"}};
	unsigned order[PARK_SEATS];

	chance_shuffle(chance, order, s->nseats, "favour");
	o->rows[PARK_FAVOUR].count = 0;
	for (unsigned i = 0; i < s->nseats; i++)
		if (order[i] + 1 != s->king)
			o->rows[PARK_FAVOUR].items[o->rows[PARK_FAVOUR].count++] =
			    (unsigned char)(order[i] + 1);
	memcpy(o->text, styles[chance_pick(chance, 4, "style")].text, sizeof o->text);
}

/* Anything that a careless player might try. */
static void choose_anything(const struct game_state *s, unsigned seat, struct chance *chance,
                            struct order_set *o)
{
	take_item(&o->rows[PARK_ROLL], chance_pick(chance, PARK_DICE_END, "die"));
	draw_claim(s, seat, chance, o);
	if (chance_pick(chance, 4, "a die for when") == 0) {
		o->named |= 1U << PARK_ROLL_IF;
		take_item(&o->rows[PARK_ROLL_IF],
		          chance_pick(chance, PARK_DICE_END, "die if crown"));
	}
	if (chance_pick(chance, 4, "lists") != 0)
		return;
	draw_wishes(chance, &o->rows[PARK_WISHES]);
	draw_discard(chance, &o->rows[PARK_DISCARD]);
	if (seat == s->king)
		draw_king(s, chance, o);
}

/* The King favours those who are furthest behind. */
static void favour_the_last(const struct game_state *s, struct order_set *o)
{
	o->rows[PARK_FAVOUR].count = 0;
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		unsigned at = o->rows[PARK_FAVOUR].count;

		if (seat == s->king || !park_plays(s, seat))
			continue;
		for (; at > 0 && park_prizes_worth(s, seat) <
		                     park_prizes_worth(s, o->rows[PARK_FAVOUR].items[at - 1]);
		     at--)
			o->rows[PARK_FAVOUR].items[at] = o->rows[PARK_FAVOUR].items[at - 1];
		o->rows[PARK_FAVOUR].items[at] = (unsigned char)seat;
		o->rows[PARK_FAVOUR].count++;
	}
}

void park_sample_orders_1(const struct game_state *s, unsigned seat, unsigned level,
                          const struct tables *tables, struct chance *chance,
                          struct strbuf *canonical)
{
	struct order_set o;

	(void)tables;
	park_no_orders(s, seat, &o);
	if (level == 0)
		choose_anything(s, seat, chance, &o);
	else
		choose_well(s, seat, level, chance, &o);
	if (level >= 2 && seat == s->king)
		favour_the_last(s, &o);
	park_write_orders(s, seat, &o, canonical);
}

/* --- since version 2 ---------------------------------------------------- */

/* The die that brings most, as far as is seen; among equals a drawn one. */
static enum park_die best_whacking_die(const struct game_state *s, unsigned seen,
                                       struct chance *chance)
{
	enum park_die best = PARK_NO_DIE;
	unsigned most = 0, equals = 0;

	for (enum park_die die = PARK_GLOVE; die < PARK_PRIZE_DIE; die++) {
		unsigned worth = worth_of_die(s, die, seen);

		if (best != PARK_NO_DIE && worth < most)
			continue;
		equals = best != PARK_NO_DIE && worth == most ? equals + 1 : 1;
		most = worth;
		if (equals == 1 || chance_pick(chance, equals, "equal die %u", die) == 0)
			best = die;
	}
	return best;
}

/* Any prize in reach of that throw, until they are so many that moles for the crown are worth more. */
static void choose_best(const struct game_state *s, unsigned seat, unsigned seen,
                        unsigned thrown, struct chance *chance, struct order_set *o)
{
	enum { COLLECTS_FROM = PARK_CROWN - 22, GOOD_MOLES = 4, NEARLY_SURE = 5 /* of 6 */ };
	struct prospect v = look_ahead(s, seat);
	bool cashes_in = (seen & SEES_SHOPS) && v.moles > 0 &&
	                 park_best_shop(s, v.hand + v.prizes + thrown) != PARK_SHOPS &&
	                 (v.prizes < COLLECTS_FROM || v.lowest >= GOOD_MOLES);

	take_item(&o->rows[PARK_ROLL],
	          cashes_in ? PARK_PRIZE_DIE : best_whacking_die(s, seen, chance));
	if ((seen & SEES_CROWN) && v.sixths > 0)
		o->rows[PARK_CLAIMS].alone = v.sixths >= NEARLY_SURE ? PARK_CLAIM
		                                                     : PARK_CLAIM_IF_ANY;
}

/* Throws any die, shows a full hand two times in five, and reaches for the crown at the first chance. */
static void choose_rashly(const struct game_state *s, unsigned seat, struct chance *chance,
                          struct order_set *o)
{
	struct prospect v = look_ahead(s, seat);

	take_item(&o->rows[PARK_ROLL],
	          PARK_GLOVE + chance_pick(chance, PARK_PRIZE_DIE - PARK_GLOVE, "any die"));
	if (v.full && chance_pick(chance, 5, "show the hand") < 2)
		take_item(&o->rows[PARK_ROLL], PARK_PRIZE_DIE);
	if (v.sixths > 0)
		o->rows[PARK_CLAIMS].alone = PARK_CLAIM;
}

void park_sample_orders(const struct game_state *s, unsigned seat, unsigned level,
                        const struct tables *tables, struct chance *chance,
                        struct strbuf *canonical)
{
	enum { USUAL_THROW = 3, LEAST_THROW = 1, BITS = 4 };
	struct order_set o;

	if (level != 1 && level < 3) {
		park_sample_orders_1(s, seat, level, tables, chance, canonical);
		return;
	}
	park_no_orders(s, seat, &o);
	if (level == 1) {
		choose_rashly(s, seat, chance, &o);
	} else if (level < LOOKING) {
		choose_best(s, seat, SEES_ALL, USUAL_THROW, chance, &o);
	} else {
		unsigned at = chance_pick(chance, 1U << SIGHTS * BITS, "what is looked at");
		unsigned seen = 0;

		for (unsigned i = 0; i < SIGHTS; i++, at >>= BITS)
			seen |= (unsigned)(at % (1U << BITS) < level - LOOKING) << i;
		choose_best(s, seat, seen, LEAST_THROW, chance, &o);
	}
	if (level != 1 && seat == s->king)
		favour_the_last(s, &o);
	park_write_orders(s, seat, &o, canonical);
}

/* --- what bots of the present version look at --------------------------- */

/* Searching on top of the last of them brought nothing that 100 games showed: nobody plays much better. */
const struct bot_effort park_efforts[BOT_LEVEL_EXAMPLE + 1] = {
    {.policy = 0},
    {.policy = LOOKING + 4},
    {.policy = LOOKING + 6},
    {.policy = LOOKING + 8},
    {.policy = LOOKING + 11},
    {.policy = LOOKING + 16},
    {3, "32100", 100, 8, 20000, true},
    {.policy = SAMPLE_LEVEL_BEST},
};

/* Prizes stay, moles are spent; near the crown both count, and what the die must bring. */
void park_estimate(const struct game_state *s, int64_t worth[MAX_SEATS + 1])
{
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		struct prospect v = look_ahead(s, seat);

		worth[seat] = 360 * (int64_t)v.prizes + 80 * (int64_t)v.hand +
		              400 * (int64_t)v.sixths;
	}
}
