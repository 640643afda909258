/*
 * cards.c - dice, shops, and what each card is worth.
 *
 * All of it house figures but the prices of the shops and the 40 of the crown. Chosen by
 * playing many games: each hole has three of the eighteen faces of the whacking dice, a die
 * misses once in six, and prizes are small enough that a winner needs three or four.
 */
#include "processor/base/err.h"
#include "processor/games/mole_park/park.h"

const struct park_shop_facts park_shops[PARK_SHOPS] = {
    {"CANDY", "The Candy Bar", "CANDY", 10},
    {"TOYS", "House of Toys", "TOYS", 15},
    {"INFLATION", "Inflation Nation", "INFL", 20},
    {"FURRY", "Furry Friends", "FURRY", 25},
    {"ACTION", "Ready for Action", "ACTION", 30},
    {"KINGS", "King Mole's Collection", "KINGS", 35},
};

const char *const park_die_keys[PARK_DICE_END] = {"NONE", "GLOVE", "PAN", "MALLET", "PRIZE"};
const char *const park_die_names[PARK_DICE_END] = {"nothing", "Boxing Glove", "Frying Pan",
                                                   "Mallet", "Prize die"};

const char *const park_die_labels[PARK_DICE_END] = {"", "glove", "pan", "mallet", "prize die"};

unsigned park_face(enum park_die die, unsigned side)
{
	static const unsigned char faces[PARK_DICE_END][PARK_FACES] = {
	    [PARK_GLOVE] = {1, 1, 1, 2, 2, 0},
	    [PARK_PAN] = {2, 3, 3, 3, 4, 0},
	    [PARK_MALLET] = {4, 4, 5, 5, 5, 0},
	    [PARK_PRIZE_DIE] = {1, 2, 3, 4, 5, 6},
	};

	ENSURE(die > PARK_NO_DIE && die < PARK_DICE_END && side >= 1 && side <= PARK_FACES);
	return faces[die][side - 1];
}

/* Flat: 25 of each. Pyramid: 40, 35, 25, 15, 10, which is 8, 7, 5, 3, 2 in each 25. */
unsigned park_mole_stars(const struct park_setup *setup, unsigned mole)
{
	static const unsigned char pyramid[] = {1, 2, 3, 1, 2, 4, 1, 3, 2, 1, 5, 2, 1,
	                                        3, 2, 4, 1, 3, 2, 1, 5, 2, 1, 3, 4};

	ENSURE(mole >= 1 && mole <= PARK_MOLES);
	return setup->pyramid ? pyramid[(mole - 1) % sizeof pyramid]
	                      : (mole - 1) % PARK_STARS + 1;
}

/* The place of a prize among the eight of its shop: two below, four at, two above the base. */
static unsigned place_of(unsigned prize)
{
	ENSURE(prize >= 1 && prize <= PARK_PRIZES);
	return (prize - 1) % PARK_SHOP_CARDS;
}

unsigned park_prize_shop(unsigned prize)
{
	ENSURE(prize >= 1 && prize <= PARK_PRIZES);
	return (prize - 1) / PARK_SHOP_CARDS;
}

unsigned park_prize_stars(const struct park_setup *setup, unsigned prize)
{
	static const unsigned base[PARK_SHOPS] = {3, 4, 5, 6, 7, 8};
	unsigned shop = park_prize_shop(prize);
	unsigned place = place_of(prize);

	if (shop == PARK_SHOPS)
		return 0;
	if (setup->short_game)
		return park_shops[shop].price;
	return place < 2 ? base[shop] - 1 : base[shop] + (place >= 6);
}

bool park_is_bag(const struct park_setup *setup, unsigned prize)
{
	return setup->powers && park_prize_shop(prize) < PARK_SHOPS && place_of(prize) < 2;
}

bool park_is_steady(const struct park_setup *setup, unsigned prize)
{
	return setup->powers && park_prize_shop(prize) < PARK_SHOPS && place_of(prize) == 2;
}
