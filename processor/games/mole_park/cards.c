/*
 * cards.c - dice, shops, what each card is worth and is called, and stacks of cards.
 *
 * All of it house figures but the prices of the shops and the 40 of the crown. Chosen by
 * playing many games: each hole has three of the eighteen faces of the whacking dice, a die
 * misses once in six, and prizes are small enough that a winner needs three or four.
 */
#include <string.h>

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

/* ---- Stacks of cards ---- */

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

/* ---- Names ---- */

/* A mole keeps its number and its name for ever: archives tell of them. */
static const char *const mole_names[PARK_MOLES] = {
    "Abel Acorn",        "Ada Applecart",    "Agnes Anvil",       "Albert Almanac",
    "Alma Anchovy",      "Amos Ampersand",   "Archie Artichoke",  "Aunt Augusta",
    "Barnaby Brick",     "Basil Bassoon",    "Bea Bumblebee",     "Bert Bathtub",
    "Betty Bonbon",      "Big Bruno",        "Blanche Bluebell",  "Boris Burrow",
    "Bridget Bridge",    "Cecil Custard",    "Celia Clover",      "Chester Chimney",
    "Clara Clarinet",    "Clement Clod",     "Colonel Cumin",     "Cora Compass",
    "Cousin Cuthbert",   "Cyril Crumpet",    "Daisy Dig",         "Daphne Dustpan",
    "Desmond Domino",    "Digby Drizzle",    "Dodo Doorbell",     "Dolly Dandelion",
    "Dora Dumpling",     "Douglas Ditch",    "Duke Dewdrop",      "Earl Earwax",
    "Ebenezer Echo",     "Edith Elbow",      "Edna Earthquake",   "Elmer Elm",
    "Percy Pinstripe",   "Elsie Envelope",   "Emil Eggcup",       "Ernest Earmuff",
    "Esme Emerald",      "Fanny Fiddle",     "Felix Flowerpot",   "Ferdinand Fern",
    "Fergus Fog",        "Flora Flannel",    "Florian Fudge",     "Francis Furrow",
    "Fred Featherbed",   "Gaston Gravel",    "George Ginger",     "Gilda Gumboot",
    "Gladys Gooseberry", "Gloria Glowworm",  "Granny Granite",    "Greta Galosh",
    "Gustav Gully",      "Hannah Haystack",  "Harold Hiccup",     "Harriet Hat",
    "Hector Hazelnut",   "Heidi Honeypot",   "Herbert Hump",      "Hilda Hedgerow",
    "Hugo Handstand",    "Ida Icicle",       "Igor Inkwell",      "Irma Ivy",
    "Jack Jackpot",      "Jasper Jellybean", "Jemima Jig",        "Joe Juniper",
    "Judith Jumper",     "Kaspar Kettle",    "Kate Kaleidoscope", "Kitty Kazoo",
    "Konrad Knapsack",   "Lady Lavender",    "Laszlo Lantern",    "Leo Loophole",
    "Lily Liquorice",    "Lionel Lump",      "Little Lou",        "Lottie Lettuce",
    "Ludwig Lawn",       "Mabel Marigold",   "Magnus Muddle",     "Major Marble",
    "Martha Mitten",     "Max Molehill",     "Mildred Mothball",  "Minnie Marzipan",
    "Monty Mud",         "Muriel Muffin",    "Nellie Nettle",     "Nigel Nightcap",
    "Norbert Noodle",    "Olga Onion",       "Olive Overcoat",    "Oscar Oatcake",
    "Otto Outcrop",      "Paula Parsnip",    "Penny Pebble",      "Peregrine Pie",
    "Pip Puddle",        "Quincy Quilt",     "Ralph Radish",      "Rita Rhubarb",
    "Roland Rubble",     "Rosa Rutabaga",    "Rufus Root",        "Sally Spade",
    "Sir Soil",          "Sophie Squash",    "Stanley Stump",     "Tilda Turnip",
    "Toby Tunnel",       "Uncle Umber",      "Vera Velvet",       "Walter Worm",
    "Zoe Zigzag",
};

const char *park_mole_name(unsigned mole)
{
	ENSURE(mole >= 1 && mole <= PARK_MOLES);
	return mole_names[mole - 1];
}

/* Shop after shop, and the crowns. */
static const char *const prize_names[PARK_PRIZES] = {
    /* The Candy Bar */
    "Bag of Pear Drops",
    "Stick of Rock",
    "Box of Toffees",
    "Tower of Nougat",
    "Jar of Gobstoppers",
    "Marzipan Pig",
    "Chocolate Shovel",
    "Six-Foot Liquorice",
    /* House of Toys */
    "Tin Whistle",
    "Wooden Yo-yo",
    "Clockwork Beetle",
    "Spinning Top",
    "Kite with a Long Tail",
    "Set of Skittles",
    "Doll's Tea Set",
    "Brass Steam Engine",
    /* Inflation Nation */
    "Balloon Sausage",
    "Blow-up Banana",
    "Rubber Dolphin",
    "Floating Armchair",
    "Beach Ball Globe",
    "Air Guitar",
    "Bouncing Toadstool",
    "Inflatable Castle",
    /* Furry Friends */
    "Moth-eaten Rabbit",
    "One-eyed Bear",
    "Fluffy Badger",
    "Purring Cushion",
    "Velvet Hedgehog",
    "Woolly Walrus",
    "Giant Plush Mole",
    "Yak for Cuddling",
    /* Ready for Action */
    "Left Roller Skate",
    "Rubber Sabre",
    "Pogo Stick",
    "Miner's Helmet",
    "Snorkel for Puddles",
    "Stilts",
    "Rocket Sledge",
    "Drilling Machine",
    /* King Mole's Collection */
    "Chipped Royal Teacup",
    "Portrait of a Great-Uncle",
    "Golden Trowel",
    "Velvet Slippers",
    "Sceptre with a Torch",
    "Music Box of the Moles",
    "Ruby Spectacles",
    "Carriage with Six Voles",
    /* the crown */
    "Coronet of Tin",
    "Coronet of Roots",
    "Coronet of Amber",
    "Coronet of Marbles",
    "Coronet of Copper",
    "Coronet of Moonstone",
    "Coronet of Tickets",
    "Coronet of Pure Gold",
};

const char *park_prize_name(unsigned prize)
{
	ENSURE(prize >= 1 && prize <= PARK_PRIZES);
	return prize_names[prize - 1];
}
