/*
 * moles.c - what the 125 moles are called. A mole keeps its number and its name for
 * ever: archives tell of them.
 */
#include "processor/base/err.h"
#include "processor/games/mole_park/park.h"

static const char *const names[PARK_MOLES] = {
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
	return names[mole - 1];
}
