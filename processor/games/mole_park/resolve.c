/*
 * resolve.c - one round: who leaves, declarations, dice, moles, prizes, crown, the next deal.
 */
#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/mole_park/park.h"

static const struct order_set no_orders;

/* Every seat's orders into `out`, which is all zero; resignations have none. */
static bool take_orders(const struct game_state *now, const struct seat_orders *orders,
                        struct order_set *out, struct strbuf *why)
{
	for (unsigned seat = 1; seat <= now->nseats; seat++) {
		if (!park_plays(now, seat))
			continue;
		out[seat].resign = orders[seat].origin == ORDER_RESIGNED;
		if (out[seat].resign ||
		    park_parse_orders(now, seat, orders[seat].canonical, &out[seat]))
			continue;
		strbuf_addf(why, "The orders of seat %u are not Mole Park orders.", seat);
		return false;
	}
	return true;
}

/* Moles go to the Mole Hill, prizes out of the game. */
static void leave(struct game_state *s, unsigned seat)
{
	struct park_seat *p = &s->seats[seat];

	park_pile_move(&p->hand, &s->hill);
	memcpy(s->gone + s->ngone, p->prizes, p->nprizes);
	s->ngone += p->nprizes;
	p->nprizes = 0;
	memset(&p->wishes, 0, sizeof p->wishes);
	memset(&p->discard, 0, sizeof p->discard);
	p->left = s->round;
}

/*
 * Leaving takes effect at once. If the King leaves, the next to their left is King; whom the old
 * one favoured and what they were called goes with them.
 */
static void part_with_leavers(struct game_state *s, struct order_set *orders)
{
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		if (!orders[seat].resign)
			continue;
		leave(s, seat);
		orders[seat] = no_orders;
	}
	if (park_plays(s, s->king) || park_players_left(s) == 0)
		return;
	s->king = park_left_of(s, s->king);
	s->favour.count = 0;
	memset(&s->style, 0, sizeof s->style);
}

static void keep_lists(struct game_state *s, const struct order_set *orders)
{
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		const struct order_set *o = &orders[seat];

		if (o->named >> PARK_WISHES & 1)
			s->seats[seat].wishes = o->rows[PARK_WISHES];
		if (o->named >> PARK_DISCARD & 1)
			s->seats[seat].discard = o->rows[PARK_DISCARD];
		if ((o->named >> PARK_FAVOUR & 1) && seat == s->king)
			s->favour = o->rows[PARK_FAVOUR];
		if ((o->named >> PARK_STYLE & 1) && seat == s->king)
			memcpy(s->style.text, o->text, sizeof o->text);
	}
}

/* The die of each: the Prize die for the crown, else as ordered, knowing who declared. */
static void take_up_dice(struct game_state *s, const struct order_set *orders)
{
	bool anybody = false;

	for (unsigned seat = 1; seat <= s->nseats; seat++)
		anybody = anybody || s->seats[seat].last.declared;
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		const struct order_set *o = &orders[seat];
		struct park_deed *d = &s->seats[seat].last;

		if (d->declared)
			d->die = PARK_PRIZE_DIE;
		else
			d->die =
			    o->rows[anybody && (o->named >> PARK_ROLL_IF & 1) ? PARK_ROLL_IF
			                                                      : PARK_ROLL]
				.items[0];
	}
}

static void turn_up_prizes(struct game_state *s)
{
	for (unsigned shop = 0; shop < PARK_SHOPS; shop++)
		if (s->shops[shop].up == 0 && s->shops[shop].stock.count)
			s->shops[shop].up = park_pile_take(&s->shops[shop].stock);
}

static void play_round(struct game_state *s, const struct order_set *orders,
                       struct chance *chance)
{
	keep_lists(s, orders);
	park_declare(s, orders);
	take_up_dice(s, orders);
	park_whack(s, chance);
	park_drop_extras(s);
	park_win_prizes(s);
	park_crown(s, chance);
}

bool park_resolve(const struct game_state *now, const struct seat_orders *orders,
                  struct chance *chance, struct game_state **next, struct strbuf *why)
{
	struct order_set said[PARK_SEATS + 1];
	struct game_state *s;

	if (park_over(now)) {
		strbuf_adds(why, "The game is over.");
		return false;
	}
	memset(said, 0, sizeof said);
	if (!take_orders(now, orders, said, why))
		return false;
	s = xmalloc(sizeof *s);
	*s = *now;
	memset(s->had, 0, sizeof s->had);
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		memset(&s->seats[seat].last, 0, sizeof s->seats[seat].last);
	part_with_leavers(s, said);
	if (park_players_left(s) > 1)
		play_round(s, said, chance);
	s->round++;
	if (!park_over(s)) {
		turn_up_prizes(s);
		park_deal_round(s, chance);
	}
	*next = s;
	return true;
}
