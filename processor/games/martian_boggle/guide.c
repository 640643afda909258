/*
 * guide.c - the rules of Martian Boggle in a screenful.
 */
#include "processor/games/martian_boggle/reading.h"

/* Of both players, for a word of each, by matches of bots: tests/bench/strength. */
enum { WORD_TURNS = 3 };

static void tell_turn(const struct boggle_setup *setup, struct doc *out)
{
	doc_item(
	    out,
	    "Each report tells your roll of two dice with the numbers 1 to %u. Walk one piece "
	    "by up to the sum, or two different pieces by up to one die each, whichever die "
	    "for whichever. You need not use it all, or any of it.",
	    (unsigned)BOGGLE_DIE);
	doc_item(out,
	         setup->diagonals
	             ? "A step goes to one of the eight squares around, diagonals included."
	             : "A step goes to a square beside, above or below, not diagonally.");
	doc_item(out, "No piece may be passed or landed on; the shortest way counts. The first "
	              "move is finished before the second begins and may open its way.");
	doc_item(out, "Then you may spell one word: exactly the letters under your five "
	              "pieces, in any order.");
	if (setup->blanks)
		doc_item(out, "A blank (?) stands for any letter and is worth 0.");
	doc_item(out,
	         setup->unique_both
	             ? "The word must be in the word list, and neither of you may have "
	               "spelled it before."
	             : "The word must be in the word list, and you may not have spelled it "
	               "before.");
	doc_item(
	    out,
	    "The five tiles are set aside and their squares filled from the bag; when that "
	    "is empty they stay empty and give no letter. Your pieces stay. The turn is "
	    "over.");
}

void boggle_guide(const struct options *o, struct doc *out)
{
	struct boggle_setup setup;

	boggle_setup_read(&setup, o);
	doc_in(out, DOC_HELP);
	doc_heading(out, "Martian Boggle");
	doc_paragraph(
	    out,
	    "Two players, %u pieces each, on a board of %u by %u letters. You walk your "
	    "pieces so that the letters under them make a word, and spell it. The first to "
	    "spell %u words brings the game to its end; the higher score wins.",
	    (unsigned)BOGGLE_PIECES, (unsigned)BOGGLE_SIDE, (unsigned)BOGGLE_SIDE, setup.words);
	tell_turn(&setup, out);
	if (setup.craft)
		doc_item(out,
		         "A word counts 3 points when all five pieces are one group, 2 when "
		         "the largest group has four, else 1.");
	else
		doc_item(out,
		         "A word counts the values of its tiles: three times when all five "
		         "pieces are one group, twice when the largest group has four.");
	doc_item(out, setup.diagonals
	                  ? "A group is pieces on squares that touch, diagonally too."
	                  : "A group is pieces on squares side by side, not diagonally.");
	doc_item(out,
	         "The first to spell %u words gets %u more. If that is the player who began, "
	         "the other has one last turn. After %u turns each the game ends as it is; "
	         "equal scores are a draw. Whoever leaves loses.",
	         setup.words, boggle_bonus(&setup), setup.maxturns);
	doc_item(out, "If nothing comes from you, your turn is skipped.");
	/* As a table: a row of it that comes back in a quoted mail is no valid order. */
	doc_grammar(out, NULL, 0);
	order_forms_tell(&boggle_forms, VERB_MOVE, VERB_RESIGN, out);
	doc_paragraph(out,
	              "Columns are a to e, rows 1 to 5. A mail is a whole turn, with up to two "
	              "moves and a word: it replaces what you sent before, and if one line of "
	              "it is wrong, none of it counts and you are told why. A word that is not "
	              "in the list costs nothing; just try another. Write PREVIEW above them "
	              "to see where orders lead without giving them.");
	doc_heading(out, "Two turns");
	doc_paragraph(
	    out, "The bottom rows of a board are G H N A T (row 2) and P L A I R (row 1), your "
		 "pieces stand on row 1, and your roll is 1 and 2.");
	doc_example(out, "MOVE e1 b2; SPELL PHIAL");
	doc_paragraph(
	    out, "From e1 to b2 are three steps, the sum of the dice. Under your pieces are "
		 "then P, L, A, I and H, worth 3+1+1+1+4 = 10; all five are one group, so the "
		 "word counts 30 points.");
	doc_example(out, "move b1-a2, d1-b2; spell graph");
	doc_paragraph(
	    out,
	    "One step and two steps, a die each: P, G, A, H and R are worth 11. The piece on "
	    "e1 stands alone, so the largest group has four: 22 points.");
	options_tell(o->rules, out);
	doc_heading(out, "Words, and house figures");
	doc_paragraph(
	    out,
	    "Words are the five-letter words in small letters of a public list. The tiles are the usual "
	    "English set of %s: D G are worth 2, B C M P 3, F H V W Y 4, K 5, J X 8, Q Z "
	    "10, all others 1. The limit of %u turns each is ours, no old text has one.",
	    setup.blanks ? "100 with its two blanks" : "98, without its two blanks",
	    setup.maxturns);
}

void boggle_basics(const struct options *o, struct doc *out)
{
	struct boggle_setup setup;

	boggle_setup_read(&setup, o);
	doc_in(out, DOC_HELP);
	doc_item(
	    out,
	    "Each turn you get a roll of two dice (1 to %u). Walk one piece by up to the sum, or "
	    "two pieces, each by up to one die. Steps go straight%s diagonally, never through a "
	    "piece.",
	    (unsigned)BOGGLE_DIE, setup.diagonals ? " or" : ", not");
	doc_item(out,
	         "Then spell a word with the letters under your %u pieces, in any order%s.",
	         (unsigned)BOGGLE_PIECES, setup.blanks ? "; a blank (?) is any letter" : "");
	doc_item(out, setup.unique_both ? "It must be in the list and new to both players."
	                                : "It must be in the list and new among your words.");
	if (setup.craft)
		doc_item(out,
		         "A word is worth 3 points if all your pieces touch, 2 if four do, "
		         "else 1.");
	else
		doc_item(out,
		         "A word is worth the values of its letters: three times if all your "
		         "pieces touch, twice if four do.");
	doc_item(
	    out,
	    "The first to spell %u words gets %u more. Then the game ends, after some %u turns "
	    "by mail, or after %u turns each. The higher score wins.",
	    setup.words, boggle_bonus(&setup),
	    WORD_TURNS * setup.words < 2 * setup.maxturns ? WORD_TURNS * setup.words
							  : 2 * setup.maxturns,
	    setup.maxturns);
	doc_item(out,
	         "Send a whole turn in one mail. If you send nothing, your turn is skipped.");
}
