/*
 * guide.c - the rules of Whakka Mole in a screenful.
 */
#include "processor/games/whakka_mole/whakka.h"

/* What a player gains in a turn, by matches of bots: tests/bench/strength prints how many turns those have. */
enum { TURN_POINTS = 6 };

static void tell_goal(const struct whakka_setup *setup, struct doc *out)
{
	doc_paragraph(
	    out,
	    "Everybody has a sheet with %u holes. Each turn you choose in secret the "
	    "holes in which your moles pop up, and the one hole you whack on the sheet of "
	    "the player to your left. All orders are carried out at once.",
	    setup->holes);
	if (setup->whackpts)
		doc_item(
		    out,
		    "A whack into a hole with a mole is worth %u points to the whacker, and all "
		    "moles of that sheet are lost. Every whack falls at the same instant, so a "
		    "player who is hit still scores for their own hit.",
		    setup->whackpts);
	else
		doc_item(
		    out,
		    "A whack into a hole with a mole takes all moles of that sheet, and each of "
		    "them is worth 1 point to the whacker. Every whack falls at the same "
		    "instant, so a player who is hit still scores for their own hit.");
	doc_item(out, "Each mole on a sheet that was not hit is worth 1 point to its owner.");
	if (setup->tokens_stay)
		doc_item(
		    out,
		    "Moles stay up until they are whacked, and several may gather in one hole. "
		    "Popping up is then a losing move.");
	else
		doc_item(
		    out,
		    "Your list names every hole with a mole this turn; nothing stays up from "
		    "the turn before.");
	doc_item(
	    out,
	    setup->ties_by_whacks
		? "When a turn ends with somebody at %u points or more, or after %u turns, "
		  "the highest total wins; of equal totals more hits made, then fewer "
		  "taken, win. With two players each whacks the other."
		: "When a turn ends with somebody at %u points or more, or after %u turns, "
		  "the highest total wins; equal totals share the win. With two players "
		  "each whacks the other.",
	    setup->target, setup->turns);
	doc_item(out, "If you send nothing, no mole of yours pops up and you whack nothing. If "
	              "you leave, you rank "
	              "below all who stay, and the player to your right whacks the next one.");
}

void whakka_guide(const struct options *o, struct doc *out)
{
	struct whakka_setup setup;
	struct strbuf why = STRBUF_INIT;

	doc_in(out, DOC_HELP);
	doc_heading(out, "Whakka Mole");
	if (whakka_setup_read(&setup, o, &why)) {
		tell_goal(&setup, out);
		/* As a table: a row of it that comes back in a quoted mail is no valid order. */
		order_rows_tell(whakka_rows, WHAKKA_KINDS, out);
		doc_paragraph(
		    out,
		    "Holes are numbers from 1 to %u, counted row by row, %u to a row; at most %u "
		    "may be listed, with blanks or commas between them. Both orders may share a line. "
		    "The last good order of each kind counts, and a later mail replaces only the kind "
		    "it names. A kind that is missing means NONE.",
		    setup.holes, setup.holes > 9 ? 4U : 3U, setup.maxtokens);
		const char *moles = setup.maxtokens > 1 ? "1 3" : "1";
		unsigned n = setup.maxtokens > 1 ? 2 : 1;

		doc_heading(out, "Two turns");
		doc_example(out, "POPUP %s; WHACK 4", moles);
		doc_paragraph(
		    out,
		    "Ann writes this; Bob, to her left, has moles at 2 and 4. Ann hits: Bob "
		    "gets nothing for them. She gets %u for the hit and, if nobody hits her, %u "
		    "for her own sheet.",
		    setup.whackpts ? setup.whackpts : 2, n);
		doc_example(out, "whack 4");
		doc_paragraph(
		    out,
		    "Next turn she writes only this, and Bob's moles are at 1, 2 and 3. She "
		    "misses and had no mole up: 0 for her, 3 for Bob.");
		options_tell(o->rules, out);
		doc_heading(out, "House figures");
		doc_paragraph(
		    out,
		    "The old text names no number of holes, players or turns: 9 holes, 2 to 8 "
		    "players and the limit of 60 turns are ours.");
		if (setup.holes < 8)
			doc_paragraph(
			    out,
			    "With two players fewer than 8 holes make popping up a losing move.");
	} else {
		doc_paragraph(out, "%s", why.ptr);
	}
	strbuf_release(&why);
}

void whakka_basics(const struct options *o, struct doc *out)
{
	struct whakka_setup setup;
	struct strbuf why = STRBUF_INIT;

	doc_in(out, DOC_HELP);
	if (whakka_setup_read(&setup, o, &why)) {
		doc_item(
		    out,
		    "Each turn, order the holes in which your moles pop up (POPUP, 1 to %u%s) and "
		    "the one hole you hit on the next player's sheet (WHACK).",
		    setup.holes,
		    setup.maxtokens < setup.holes
			? arena_printf(out->arena, ", at most %u", setup.maxtokens)
			: "");
		if (setup.whackpts)
			doc_item(
			    out,
			    "If there is a mole in the hole you hit, you score %u points and "
			    "that player scores nothing for their moles. On a sheet nobody "
			    "hit, each mole is worth 1 point.",
			    setup.whackpts);
		else
			doc_item(
			    out,
			    "If there is a mole in the hole you hit, you score 1 point for "
			    "each mole on that sheet, and that player nothing. On a sheet "
			    "nobody hit, each mole is worth 1 point to its owner.");
		if (setup.tokens_stay)
			doc_item(out,
			         "Moles stay up from turn to turn until they are whacked.");
		if (setup.whackpts && setup.target / TURN_POINTS + 1 < setup.turns)
			doc_item(
			    out,
			    "The game ends when a player has %u points, after some %u turns "
			    "by mail, or after turn %u. The highest total wins.",
			    setup.target, setup.target / TURN_POINTS + 1, setup.turns);
		else
			doc_item(
			    out,
			    "The game ends when a player has %u points, or after %u turns. "
			    "The highest total wins.",
			    setup.target, setup.turns);
		doc_item(out,
		         setup.tokens_stay
		             ? "If you send nothing, no mole of yours is added and you hit "
		               "nothing."
		             : "If you send nothing, no mole of yours pops up and you hit "
		               "nothing.");
	}
	strbuf_release(&why);
}
