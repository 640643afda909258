/*
 * guide.c - the rules of Mole, the coin game, in two screenfuls, with the board.
 */
#include "processor/games/mole/drawing.h"
#include "processor/games/mole/orders.h"

static long long mm(int64_t nm)
{
	return (long long)(nm / MOLE_MM);
}

static void tell_mignettes(struct doc *out)
{
	doc_heading(out, "The mignettes' mail");
	doc_item(
	    out,
	    "Each mignette on the board is flicked or stays, in the order written. They win "
	    "the round when the mole goes off a side and the mignette that touched it last "
	    "in that flick lives at the end of the mail.");
	doc_item(
	    out,
	    "A mignette that goes off the board is dead; so is one that lies, after all "
	    "flicks, in the circle or a Rosserie with its whole disc. A comrade may knock it "
	    "out in time.");
	doc_item(
	    out,
	    "The mole wins when it is sent over the winning line or off the rear, when the "
	    "mignette that brought it down dies, and when none is left.");
	doc_item(
	    out,
	    "In the first mail of a round, and while any part of it lies in the circle or a "
	    "Rosserie, the mole cannot be knocked off: that flick is annulled.");
	doc_item(
	    out,
	    "When the same flick brings down the mole and the last mignettes, the round is "
	    "played again (Yekini).");
}

static void tell_mole(const struct mole_setup *setup, struct doc *out)
{
	doc_heading(out, "The mole's mail");
	doc_item(
	    out,
	    "The mole is flicked once, or stays. Over the winning line it wins the round, but "
	    "not from a place with its whole disc in the circle or a Rosserie,%s nor with a "
	    "kill in that flick. Off any other edge it loses the round.",
	    setup->loup ? arena_printf(out->arena, " nor from behind the loup line (y %lld),",
	                               mm(setup->board.loup))
			: "");
	doc_item(
	    out,
	    "One kill is fine. Two need the call TAUPINIERE with the flick; and the call needs "
	    "exactly two. Anything else loses the round. Without mignettes it has won.");
	doc_item(
	    out,
	    "Gad: a mignette that touches the mole (%.2f mm) forbids it to stay, and to go "
	    "towards the mignette. If no direction is left, the mole stays.",
	    (double)MOLE_GAP / MOLE_MM);
	doc_item(
	    out,
	    "Not played by mail, where the board is flat: coins that come to lie on others "
	    "(the winning Gad, on top), and shots through the air.");
	doc_paragraph(
	    out,
	    setup->target == 1
		? "Only the mole scores. If it wins a round, its player gets a point and keeps "
		  "it; if the mignettes win, the players change sides. First to %u point, %u "
		  "or "
		  "more ahead, wins the match."
		: "Only the mole scores. If it wins a round, its player gets a point and "
		  "keeps it; if the mignettes win, the players change sides. First to %u "
		  "points, %u or more ahead, wins the match.",
	    setup->target, setup->lead);
}

/* On a board of one's own the lines of a report are as good as any. */
static void tell_examples(const struct mole_setup *setup, struct doc *out)
{
	if (setup->own_board)
		return;
	doc_heading(out, "Two mails");
	doc_example(out, "PLACE 1 100 350; FLICK 2 TO 150 130 RANGE 300; FLICK 1 TO 60 320");
	doc_paragraph(
	    out, "Mignette 1 is placed; 2 goes straight at the mole with all force; then 1 is "
		 "laid in the way to Rosserie 1. 3 stays.");
	doc_example(out, "flick m to 107 245");
	doc_paragraph(
	    out, "From its circle the mole goes to the edge of Rosserie 1, where it cannot be "
		 "knocked off, and may cross later, since only a part of it is inside.");
}

static void tell_own_boards(struct doc *out)
{
	static const struct doc_column columns[] = {{"a line of a board", DOC_LEFT},
	                                            {"which is", DOC_LEFT}};
	static const char *const rows[][2] = {
	    {"size 300 600", "width (x) and length (y)"},
	    {"circle 150 130 30", "the mole's: centre and radius"},
	    {"nichee 60 330 240 420", "two corners"},
	    {"rosserie 35 230 95 290", "two corners; four of them at most"},
	    {"loup 70", "the y of the loup line"},
	    {"wall 120 450 180 450 3", "two ends, and how thick on each side"},
	    {"post 100 520 6", "centre and radius"},
	    {"gate 100 520 200 520 6", "two posts"},
	    {"ramp 100 440 200 500", "two corners"},
	    {"mole 150 130", "where it starts"},
	    {"mignette 1 90 360", "where it starts if it is not placed"},
	};

	doc_heading(out, "A board of your own");
	doc_paragraph(
	    out,
	    "Write board=below behind CREATE MOLE and the board under it, a line for each "
	    "thing on it, all in mm; or attach it as a text. Size, circle and nichee must "
	    "be there. %d lines at most, of them %d walls and posts; %d to %d mm wide, %d "
	    "to %d long.",
	    MOLE_BOARD_LINES, MOLE_MOST_WALLS, MOLE_WIDTH_LEAST, MOLE_WIDTH_MOST,
	    MOLE_LENGTH_LEAST, MOLE_LENGTH_MOST);
	doc_table(out, columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		doc_cell(out, "%s", rows[i][0]);
		doc_cell(out, "%s", rows[i][1]);
	}
	doc_paragraph(
	    out,
	    "A mignette without such a line starts a third into the nichee, at a sixth, the "
	    "middle or five sixths of its width, rounded down to 0.01 mm. "
	    "Nothing may lie on a zone or over the edge, and walls must leave the mole a "
	    "way to the winning line and to a side. The answer names your board with "
	    "twelve letters and digits; with those (board=3f9a2c1b77de) anybody can open "
	    "another match on it.");
}

void mole_guide(const struct options *o, struct doc *out)
{
	struct mole_setup setup;
	struct strbuf why = STRBUF_INIT;

	doc_in(out, DOC_HELP);
	doc_heading(out, "Mole (the coin game)");
	if (mole_setup_read(&setup, o, &why)) {
		doc_paragraph(
		    out,
		    "Coins are flicked over a board of %lld by %lld mm. One player has the mole M, a "
		    "large coin, and wants it over the winning line (y %lld). The other has the "
		    "mignettes 1, 2 and 3, small coins half as heavy, and wants the mole off the left "
		    "or right side.",
		    mm(setup.board.width), mm(setup.board.length), mm(setup.board.length));
		mole_draw_bare(&setup, out);
		doc_paragraph(
		    out,
		    "In the picture the board lies on its side. The numbers at its left are x, from "
		    "the left side (0, above) to the right side (%lld, below); those under it are y, "
		    "from the rear (0) to the winning line (%lld).%s%s",
		    mm(setup.board.width), mm(setup.board.length),
		    setup.board.nwalls ? " Coins bounce off what is drawn as H." : "",
		    setup.board.has_ramp
			? " The ramp / rises towards the winning line: on it a moving coin is "
			  "pulled back to the rear."
			: "");
		doc_paragraph(
		    out,
		    "The mole starts in its circle, the mignettes in the nichee, where their "
		    "player may place them with the first mail of a round. Then the mignettes "
		    "play, then the mole, and so on: a mail each.");
		tell_mignettes(out);
		tell_mole(&setup, out);
		/* As a table: a row of it that comes back in a quoted mail is no valid order. */
		doc_grammar(out, NULL, 0);
		order_forms_tell(&mole_forms, VERB_FLICK, 1, out);
		order_forms_tell(&mole_forms, VERB_PLACE, 1, out);
		order_forms_tell(&mole_forms, VERB_NASDAQ, VERB_RESIGN - VERB_NASDAQ, out);
		doc_cell(out, "TEST");
		doc_cell(out, "first line of a mail: only try it");
		doc_paragraph(
		    out,
		    "A flick ends on the point when nothing is in its way. Lengths are mm "
		    "with a point and two decimals at most. A point to aim at may lie off the "
		    "board. A mignette runs %lld mm at most, the mole %lld. One wrong order "
		    "refuses the whole mail.",
		    mm(setup.range[SIDE_MIGNETTES]), mm(setup.range[SIDE_MOLE]));
		if (setup.dexterity)
			doc_paragraph(
			    out,
			    "Fingers are unsteady in this match (dexterity=%u), so TEST is refused.",
			    setup.dexterity);
		doc_heading(out, "Measures");
		mole_tell_measures(&setup, out);
		tell_examples(&setup, out);
		options_tell(o->rules, out);
		tell_own_boards(out);
		doc_heading(out, "House figures");
		doc_paragraph(
		    out,
		    "The old text gives no measure. Ours: the board and all that is drawn on it, "
		    "runs of at most %lld and %lld mm, friction 2,048 mm/s2, a bounce of 0.%d "
		    "between coins and 0.%d at walls, %.1f mm between mignettes placed, %.2f mm "
		    "for Gad, %u turns a round (then it is played again, and after %u such rounds in "
		    "a row the sides change), %u rounds a match. Coins have the radius %.2f mm (mole) "
		    "and %.2f mm.",
		    mm(setup.range[SIDE_MIGNETTES]), mm(setup.range[SIDE_MOLE]),
		    MOLE_COIN_BOUNCE / 10, MOLE_WALL_BOUNCE / 10, (double)MOLE_APART / MOLE_MM,
		    (double)MOLE_GAP / MOLE_MM, (unsigned)MOLE_TURNS, (unsigned)MOLE_ENDLESS,
		    setup.rounds, (double)mole_radius(MOLE) / MOLE_MM,
		    (double)mole_radius(1) / MOLE_MM);
	} else {
		doc_paragraph(out, "%s", why.ptr);
	}
	strbuf_release(&why);
}

enum { LONG_TARGET = 9 };

void mole_basics(const struct options *o, struct doc *out)
{
	struct mole_setup setup;
	struct strbuf why = STRBUF_INIT;

	doc_in(out, DOC_HELP);
	if (mole_setup_read(&setup, o, &why)) {
		if (setup.own_board) {
			mole_draw_bare(&setup, out);
			mole_tell_measures(&setup, out);
		}
		doc_item(
		    out,
		    "The board is %lld mm wide (x) and %lld long (y). FLICK M TO 150 300 sends "
		    "the mole to that point, %lld mm at most; mignettes 1, 2 and 3 go %lld.",
		    mm(setup.board.width), mm(setup.board.length), mm(setup.range[SIDE_MOLE]),
		    mm(setup.range[SIDE_MIGNETTES]));
		doc_item(out,
		         "In turn, each mignette is flicked once at most, then the mole once. "
		         "The mole wins the round beyond y %lld; the mignettes win by "
		         "knocking it off the left or right side, but not out of the circle "
		         "or a Rosserie.",
		         mm(setup.board.length));
		doc_item(out,
		         "A mignette off the board, or at rest in the circle or a Rosserie, "
		         "is dead. To kill two with one flick, the mole must call "
		         "TAUPINIERE.");
		doc_item(
		    out,
		    "Each round the mole wins is a point. The first to %u, %u or more ahead, "
		    "wins the match%s.",
		    setup.target, setup.lead,
		    setup.target >= LONG_TARGET ? ": some 240 turns by mail, 70 with target=3"
						: "");
		doc_item(
		    out,
		    "If you send nothing, your coins stay where they are. A mole touched by a "
		    "mignette may not stay and gives the round up.");
	}
	strbuf_release(&why);
}
