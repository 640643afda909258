/*
 * guide.c - the rules of Mole Park in a screenful.
 */
#include "processor/games/mole_park/park.h"

/* By matches of bots: tests/bench/strength. */
enum { CROWN_ROUNDS = 18 };

/* "1 1 1 2 2 X" */
static const char *faces(const struct doc *out, enum park_die die)
{
	struct strbuf text = STRBUF_INIT;

	for (unsigned side = 1; side <= PARK_FACES; side++) {
		unsigned hole = park_face(die, side);

		strbuf_adds(&text, side > 1 ? " " : "");
		if (hole)
			strbuf_addf(&text, "%u", hole);
		else
			strbuf_adds(&text, "X");
	}
	const char *copy = arena_strdup(out->arena, text.ptr);
	strbuf_release(&text);
	return copy;
}

static void tell_goal(const struct park_setup *setup, struct doc *out)
{
	doc_paragraph(
	    out, "Whack moles out of five holes, trade them for a prize now and then, and "
		 "with enough of those go for the CROWN of the park. Everybody throws one of "
		 "four dice a round, all at once. A mole is worth 1 to 5 stars; nobody sees "
		 "the moles in the holes, and only you see your hand.");
	doc_item(
	    out,
	    "To whack: the die says which hole you hit. Glove %s, Pan %s, Mallet %s; X is a "
	    "miss. All who hit a hole get as many moles each, the oldest first, and the rest "
	    "stays. A hand holds %u moles; what is too much goes. After each round new moles "
	    "come, one a hole: with two or three players none where five sit, with six or "
	    "more two a hole.",
	    faces(out, PARK_GLOVE), faces(out, PARK_PAN), faces(out, PARK_MALLET),
	    (unsigned)PARK_HAND);
	doc_item(
	    out,
	    "To win a prize: throw the Prize die (1 to 6). Your moles, the die and what you "
	    "have won before make a total, and your moles are gone. The highest total "
	    "chooses first, one prize each, at a shop that asks no more stars. What you "
	    "win stays yours and counts from then on. Without a mole you show nothing, and "
	    "cannot go for the CROWN. When the deck is empty, the open moles of the Mole Hill "
	    "are shuffled into a new one.");
	doc_item(
	    out,
	    "To win the game: go for the CROWN and throw the Prize die for it. A total of %u "
	    "wins; with less you only lose your moles. Others may have ordered to try as "
	    "well if you do. If several reach %u there is a Showdown: winnings aside, as "
	    "many fresh moles a hole as there are finalists, all four dice at once, every "
	    "die a hit of its own; the best five moles and the Prize die count. With no "
	    "crown after round %u the most stars of prizes win.",
	    (unsigned)PARK_CROWN, (unsigned)PARK_CROWN, setup->rounds);
	doc_item(
	    out,
	    "King Mole comes last in every tie and says who comes first among the others; "
	    "those not named follow round the table, from the King's left. If the King leaves, "
	    "the next to the left is King. In the scores the left of each is the next.");
	doc_item(
	    out,
	    "Not played by mail: the King's \"Go!\", in whose place the server ends the "
	    "round for all (STYLE may have a word for it), and the colours of players, who "
	    "have names here.");
}

void park_guide(const struct options *o, struct doc *out)
{
	struct park_setup setup;

	park_setup_read(&setup, o);
	doc_in(out, DOC_HELP);
	doc_heading(out, "Mole Park");
	tell_goal(&setup, out);
	static const struct doc_column columns[] = {{"shop", DOC_LEFT},
	                                            {"name", DOC_LEFT},
	                                            {"asks", DOC_RIGHT},
	                                            {"a prize is worth", DOC_LEFT}};

	doc_heading(out, "Shops");
	doc_table(out, columns, sizeof columns / sizeof *columns);
	for (unsigned i = 0; i < PARK_SHOPS; i++) {
		unsigned first = i * PARK_SHOP_CARDS + 1;
		unsigned low = park_prize_stars(&setup, first);
		unsigned high = park_prize_stars(&setup, first + PARK_SHOP_CARDS - 1);

		doc_cell(out, "%s", park_shops[i].key);
		doc_cell(out, "%s", park_shops[i].name);
		doc_cell(out, "%u", park_shops[i].price);
		if (low == high)
			doc_cell(out, "%u stars", low);
		else
			doc_cell(out, "%u to %u stars", low, high);
	}
	/* As a table: a row of it that comes back in a quoted mail is no valid order. */
	order_rows_tell(park_rows, PARK_KINDS, out);
	doc_paragraph(
	    out,
	    "One mail holds all of it, in any order, also on one line. The last good line of "
	    "each kind counts; a later mail replaces only the kinds it names. The lists "
	    "behind PRIZES, DISCARD, FAVOUR and STYLE stay from round to round, the others "
	    "do not: if you send nothing, you throw nothing and keep your moles. Nothing is "
	    "final before the round is played; until then even a CROWN can be taken back.");
	doc_heading(out, "Two rounds");
	doc_example(out, "ROLL PAN; PRIZES TOYS CANDY; DISCARD LOW");
	doc_paragraph(
	    out, "Ann writes this and throws a 3. Five moles sit in hole 3, and Bob has hit "
		 "it too: 2 moles each, 1 stays.");
	doc_example(out, "roll prize; roll mallet if crown");
	doc_paragraph(out,
	              "Next round she shows moles of 5, 4 and 2 stars, throws a 4 and owns a "
	              "prize of 3: 18, enough for House of Toys (15). Had somebody gone "
	              "for the CROWN, she would have thrown her Mallet instead.");
	options_tell(o->rules, out);
	doc_heading(out, "House figures");
	doc_paragraph(
	    out,
	    "The text this was made from names neither the faces of the dice nor what "
	    "the cards are worth. Those faces, %s, what each prize is worth, and the limit "
	    "of %u rounds are ours.",
	    setup.pyramid ? "40, 35, 25, 15 and 10 moles of 1 to 5 stars"
			  : "25 moles of each value",
	    setup.rounds);
	if (setup.powers)
		doc_paragraph(
		    out,
		    "So are the powers of this game: in every shop two of eight cards are a "
		    "BAG (one more mole in your hand, eight at most) and one is STEADY (an X "
		    "of yours is thrown once more). They work from the next round on, not in a "
		    "Showdown.");
}

void park_basics(const struct options *o, struct doc *out)
{
	struct park_setup setup;

	park_setup_read(&setup, o);
	doc_in(out, DOC_HELP);
	doc_item(out,
	         "Each round you order one die. The glove (%s), pan (%s) or mallet (%s) whacks "
	         "the hole it shows; X misses. You get moles of 1 to %u stars and can hold %u.",
	         faces(out, PARK_GLOVE), faces(out, PARK_PAN), faces(out, PARK_MALLET),
	         (unsigned)PARK_STARS, (unsigned)PARK_HAND);
	doc_item(out, "The prize die trades your moles: their stars, the die and what you won "
	              "before make a total. The highest total is the first to choose from the "
	              "shops it has listed.");
	doc_item(
	    out,
	    "With CROWN you go for the crown with such a total. With %u you win the game, "
	    "with less you lose your moles. That takes some %u rounds by mail. If there is "
	    "no crown after round %u, the most stars of prizes win.",
	    (unsigned)PARK_CROWN,
	    setup.rounds < CROWN_ROUNDS ? setup.rounds : (unsigned)CROWN_ROUNDS, setup.rounds);
	doc_item(out, "If you send nothing, you throw nothing and keep your moles.");
}
