/*
 * guide.c - the rules of Mole Majority in a screenful.
 */
#include "processor/games/mole_majority/clause.h"

/* By matches of bots: tests/bench/strength. */
enum { BOARD_ROUNDS = 20 };

static void tell_goal(const struct mm_setup *setup, struct doc *out)
{
	doc_paragraph(
	    out, "Your moles dig through a board of hexes. A hex of value v has v spaces and "
		 "is worth v points to the one who claims it: whoever has most moles on it "
		 "when its last space is filled. Of those tied, the player whose turn it is "
		 "comes first, then whoever played most recently.");
	doc_item(
	    out,
	    "A turn belongs to one player: one card as the action and any number of cards "
	    "stacked on it, each with its steps. Then one card is drawn, or %u if the hand "
	    "is empty.",
	    (unsigned)MM_NEW_HAND);
	doc_item(out,
	         "A mole moves (MOVE) from a hex you claim to a hex of your network with room: "
	         "one you claim, one with your moles, or one beside these%s.",
	         setup->routes_free
	             ? ""
	             : ". Every hex on the way must hold your mole or your claim, "
	               "and Cave-Ins block the way");
	doc_item(out,
	         "New moles (BREED) come on hexes you claim. A mole of another in your network "
	         "becomes yours (CONVERT). The Groundskeeper (ROLL) sends moles home, space by "
	         "space, until an empty space or the number of the card spent.");
	doc_item(out,
	         "A claim lasts while any mole is on the hex and goes to whoever has most each "
	         "time the full hex changes. A player without a claim after a turn is out: the "
	         "moles stay where they are and fill spaces, but count for nobody; cards and "
	         "home tokens leave the game.");
	doc_item(
	    out,
	    "With CONVERT a mole of another goes home and one of your supply takes its space; "
	    "a full hex is judged again. The network counts for it as if there were no "
	    "Cave-Ins.");
	doc_item(out,
	         setup->routes_free
	             ? "The old text says only that a mole moves within the network, and so "
	               "it is in this game (routes=free)."
	             : "The old text says only that a mole moves within the network. Taken at "
	               "its word (routes=free) a Cave-In would stop nobody, so that is an "
	               "option.");
	doc_item(out, "A base lies on A2, B1, B4, D1, D4 or E2.");
	doc_item(out,
	         "Everybody has %d moles, %d claim tokens, %d Cave-In tokens and a deck of %d "
	         "cards. A deck that is empty when a card is needed is made of the own "
	         "discards, shuffled.",
	         MM_MOLES, MM_CLAIMS, MM_CAVEINS, MM_DECK);
	doc_item(out,
	         "The game ends after a turn with all hexes claimed, with a player whose %d "
	         "claim tokens are out, with claims of one player only, or after %u rounds.",
	         MM_CLAIMS, setup->rounds);
	if (setup->moles_out)
		doc_item(out,
		         "It also ends when the player of the turn has no mole left in the "
		         "supply.");
	doc_item(out,
	         "The points of hexes and home tokens are added; ties go to more moles on the "
	         "board, then to the higher number cards in hand.");
}

static void tell_cards(struct doc *out)
{
	doc_heading(out, "Cards");
	doc_item(out, "Number cards N4 and N3: up to 4 or 3 steps, each a MOVE or a BREED.");
	doc_item(out, "Number card N2: up to 2 steps, then one BREED. Stacked: one BREED.");
	doc_item(
	    out,
	    "Card CH: up to 2 steps, then one HOME or one CAVEIN. A home is the home token "
	    "of a hex you claim; a Cave-In closes two borders of hexes you claim for good "
	    "(no mole moves across) and brings an unused home token. These are worth 1 to 3.");
	doc_item(
	    out,
	    "Card CV: one CONVERT. Stacked: one MOVE, one BREED, one more CONVERT if CV was "
	    "played, or one more for the roll (PLUS ROLL) if a Groundskeeper was.");
	doc_item(out,
	         "Cards GK1 and GK2, the Groundskeepers: one ROLL with a number card from your "
	         "hand; at the end of the turn up to 1 or 2 BREED. Stacked: only these.");
	doc_item(
	    out,
	    "Card GI, Gopher It: one STEAL, which brings one of the top three discards of "
	    "another player to yours and leaves them the GI; at the end of the turn one BREED. "
	    "Stacked: only that.");
}

void mm_guide(const struct options *o, struct doc *out)
{
	struct strbuf why = STRBUF_INIT;
	struct mm_setup setup;

	doc_in(out, DOC_HELP);
	doc_heading(out, "Mole Majority");
	if (mm_setup_read(&setup, o, &why)) {
		tell_goal(&setup, out);
		tell_cards(out);
		/* As a table: a row of it that comes back in a quoted mail is no valid order. */
		doc_grammar(out, NULL, 0);
		order_forms_tell(&mm_forms, VERB_PLAY, 2, out);
		order_forms_tell(&mm_forms, STEP_MOVE, STEP_VERBS, out);
		order_forms_tell(&mm_forms, VERB_DISCARD, VERB_RESIGN - VERB_DISCARD, out);
		doc_paragraph(
		    out,
		    "Steps go below their card. A mail is a whole turn and is taken as a "
		    "whole: if one line is wrong, nothing is done and you are told why. Moles "
		    "leave the highest and enter the lowest space unless you name one.");
		doc_heading(out, "Two turns");
		doc_example(out, "PLAY N3; MOVE B2 C3 x2; BREED B2; STACK N2; BREED B2");
		doc_paragraph(
		    out,
		    "Ann claims B2, with six moles, and C3 of 4 has one of Bob's and one of "
		    "hers: with two more it is full, she has three of four and claims it. Then "
		    "two new moles fill B2 again.");
		doc_example(out, "PLAY GK1 WITH N4; ROLL C3.2 CW; BREED B2");
		doc_paragraph(
		    out,
		    "From space 2 of C3 on, up to four moles go home, whoever they belong to, "
		    "as far as the first empty space; at the end Ann breeds one mole on B2.");
		/* "A1: A2, B1 and B2." for each hex of the board. */
		struct strbuf text = STRBUF_INIT;

		doc_heading(out, "Which hex lies beside which");
		for (unsigned hex = 0; hex < MM_HEXES; hex++) {
			strbuf_addf(&text, "%s%.2s: ", hex ? ". " : "", mm_hex_names[hex]);
			mm_add_hexes(&text, mm_beside[hex]);
		}
		doc_paragraph(out, "%s.", text.ptr);
		strbuf_release(&text);
		options_tell(o->rules, out);
		doc_heading(out, "House figures");
		struct strbuf deck = STRBUF_INIT;

		for (unsigned card = CARD_N4; card < CARD_KINDS; card++)
			strbuf_addf(&deck, "%s%u %s", card == CARD_N4 ? "" : ", ",
			            mm_cards[card].in_deck, mm_cards[card].name);
		doc_paragraph(
		    out,
		    "The old texts name no composition of the deck, the hexes and the home tokens. "
		    "Ours: %u cards each (%s), %u hexes of each value from 3 to %u, %u home tokens of "
		    "each value from 1 to %u, and a limit of %u rounds.",
		    (unsigned)MM_DECK, deck.ptr, (unsigned)MM_OF_EACH_VALUE,
		    (unsigned)MM_SPACES, (unsigned)MM_OF_EACH_HOME, (unsigned)MM_HOME_MOST,
		    setup.rounds);
		strbuf_release(&deck);
		if (setup.by_deadline)
			doc_paragraph(
			    out, "In this game a turn is played at its deadline, so it can be "
				 "replaced until then.");
	}
	strbuf_release(&why);
}

void mm_basics(const struct options *o, struct doc *out)
{
	struct mm_setup setup;
	struct strbuf why = STRBUF_INIT;

	doc_in(out, DOC_HELP);
	if (mm_setup_read(&setup, o, &why)) {
		doc_item(
		    out,
		    "In your turn you play one card and may stack more on it, each with its "
		    "steps in the lines below it. Then you draw one card, or %u if your hand "
		    "is empty.",
		    (unsigned)MM_NEW_HAND);
		doc_item(out,
		         "Steps: MOVE moles from a hex you claim through your tunnels, BREED "
		         "new ones on it, CONVERT a mole of another player, ROLL to send "
		         "moles home.");
		doc_item(out,
		         "A hex of 4 has 4 spaces and 4 points. When the last space is "
		         "filled, whoever has most moles there claims it. If you claim none "
		         "after a turn, you are out.");
		doc_item(out,
		         "The game ends when all hexes are claimed, a player's %d claims are "
		         "placed%s (some %u rounds by mail), or after round %u.",
		         MM_CLAIMS, setup.moles_out ? " or moles used up" : "",
		         setup.rounds < BOARD_ROUNDS ? setup.rounds : (unsigned)BOARD_ROUNDS,
		         setup.rounds);
		doc_item(out, "Send a whole turn in one mail. If you send nothing, your turn "
		              "is skipped.");
	}
	strbuf_release(&why);
}
