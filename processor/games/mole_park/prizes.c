/*
 * prizes.c - what the 48 prizes and 8 crowns are called, shop after shop.
 */
#include "processor/base/err.h"
#include "processor/games/mole_park/park.h"

static const char *const names[PARK_PRIZES] = {
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
	return names[prize - 1];
}
