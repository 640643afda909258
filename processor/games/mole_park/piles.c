/*
 * piles.c - stacks of cards.
 */
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/mole_park/park.h"

void park_pile_put(struct park_pile *pile, unsigned card)
{
	ENSURE(pile->count < PARK_MOLES);
	pile->cards[pile->count++] = (unsigned char)card;
}

unsigned park_pile_take(struct park_pile *pile)
{
	unsigned card = pile->cards[0];

	ENSURE(pile->count > 0);
	pile->count--;
	memmove(pile->cards, pile->cards + 1, pile->count);
	return card;
}

bool park_pile_has(const struct park_pile *pile, unsigned card)
{
	return pile->count && memchr(pile->cards, (int)card, pile->count) != NULL;
}

void park_pile_move(struct park_pile *from, struct park_pile *to)
{
	ENSURE(to->count + from->count <= PARK_MOLES);
	memcpy(to->cards + to->count, from->cards, from->count);
	to->count += from->count;
	from->count = 0;
}

/* <0 when mole a stands before mole b in a hand. */
static int compare(const struct park_setup *setup, unsigned a, unsigned b)
{
	unsigned of_a = park_mole_stars(setup, a);
	unsigned of_b = park_mole_stars(setup, b);

	return of_a != of_b ? (int)of_b - (int)of_a : (int)a - (int)b;
}

void park_pile_sort(const struct park_setup *setup, struct park_pile *pile)
{
	for (unsigned i = 1; i < pile->count; i++) {
		unsigned char card = pile->cards[i];
		unsigned at = i;

		for (; at > 0 && compare(setup, card, pile->cards[at - 1]) < 0; at--)
			pile->cards[at] = pile->cards[at - 1];
		pile->cards[at] = card;
	}
}

unsigned park_pile_stars(const struct park_setup *setup, const struct park_pile *pile)
{
	unsigned stars = 0;

	for (unsigned i = 0; i < pile->count; i++)
		stars += park_mole_stars(setup, pile->cards[i]);
	return stars;
}
