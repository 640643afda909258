/*
 * test_boards.c - boards of the coin game as text: what is read, what is refused and with which words.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/games/mole/mole.h"
#include "processor/games/registry.h"
#include "tests/support/boards.h"
#include "tests/support/chosen.h"
#include "tests/support/play.h"

SUITE_OF_KIND(boards, "mole");

static const char ground[] = "size 300 600\ncircle 150 130 30\nnichee 60 330 240 420\n";

static const char ground_word[] =
    "size,300,600;circle,150,130,30;nichee,60,330,240,420;mole,150,130;mignette,1,90,360;"
    "mignette,2,150,360;mignette,3,210,360";

static void expect_word(const char *text, const char *word)
{
	struct strbuf why = STRBUF_INIT, out = STRBUF_INIT;
	struct mole_board board;

	cr_expect(mole_board_read(span_of(text), &board, &why), "%s: %s", text, why.ptr);
	if (why.len == 0)
		mole_board_write(&board, &out);
	cr_expect_str_eq(out.ptr, word, "%s", text);
	strbuf_release(&out);
	strbuf_release(&why);
}

Test(boards, are_read_as_people_write_them)
{
	static const char *const ways[] = {
	    "size 300 600\ncircle 150 130 30\nnichee 60 330 240 420",
	    "SIZE: 300 x 600 mm\r\nCircle at 150, 130 radius 30\r\n\r\nnichee 60 330 to 240 "
	    "420\r\n",
	    "# mine\nnichee = 240 420 60 330\ncircle (150, 130) 30\nsize 300.0 600.00\n",
	    "size,300,600;circle,150,130,30;nichee,60,330,240,420",
	    "size 300 600\ncircle 150 130 30\nnichee 60 330 240 420\n\nCheers,\nAnn\n",
	};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		expect_word(ways[i], ground_word);
	expect_word(ground_word, ground_word);
}

/* Names are for people: a gate is two posts, corners come in order, and walls keep theirs. */
Test(boards, have_one_form)
{
	expect_word(
	    "size 300 600\ncircle 150 130 30\nnichee 60 330 240 420\nramp 200 500 100.5 "
	    "440\ngate 100 520 200 520 6\nwall 180 550 120 550 3\nrosserie 35 230 95 290\n"
	    "loup 70\nmole 151 130\nmignette 2 150 370.25",
	    "size,300,600;circle,150,130,30;rosserie,35,230,95,290;nichee,60,330,240,420;"
	    "loup,70;post,100,520,6;post,200,520,6;wall,120,550,180,550,3;"
	    "ramp,100.5,440,200,500;mole,151,130;mignette,1,90,360;"
	    "mignette,2,150,370.25;mignette,3,210,360");
}

/* molepost-rules(7), MOLE: the house figures. */
Test(boards, with_a_name_have_the_measures_of_the_rules)
{
	const struct mole_board classic = boards_named(0), iracoubo = boards_named(1),
				ghana = boards_named(2), rembobiner = boards_named(3);
	const struct mole_wall wall = {120000000, 450000000, 180000000, 450000000, 3000000},
			       posts[] = {
				   {100000000, 520000000, 100000000, 520000000, 6000000},
				   {200000000, 520000000, 200000000, 520000000, 6000000}};
	const struct mole_rect ramp = {100000000, 440000000, 200000000, 500000000},
			       rosseries[] = {{35000000, 230000000, 95000000, 290000000},
	                                      {205000000, 230000000, 265000000, 290000000}},
			       nichee = {60000000, 330000000, 240000000, 420000000};
	const struct mole_point start[] = {{150000000, 130000000},
	                                   {90000000, 360000000},
	                                   {150000000, 360000000},
	                                   {210000000, 360000000}};

	for (unsigned i = 0; i < MOLE_BOARDS; i++) {
		const struct mole_board b = boards_named(i);

		cr_expect(b.width == 300000000 && b.length == 600000000);
		cr_expect(b.circle.x == 150000000 && b.circle.y == 130000000 &&
		          b.circle.r == 30000000);
		cr_expect_eq(b.nrosseries, 2);
		cr_expect_arr_eq(b.rosseries, rosseries, sizeof rosseries);
		cr_expect_arr_eq(&b.nichee, &nichee, sizeof nichee);
		cr_expect_arr_eq(b.start, start, sizeof start);
		cr_expect(b.has_loup && b.loup == 70000000);
	}
	cr_expect(classic.nwalls == 0 && !classic.has_ramp);
	cr_expect(iracoubo.nwalls == 1 && !iracoubo.has_ramp);
	cr_expect_arr_eq(iracoubo.walls, &wall, sizeof wall);
	cr_expect(ghana.nwalls == 2 && !ghana.has_ramp);
	cr_expect_arr_eq(ghana.walls, posts, sizeof posts);
	cr_expect(rembobiner.nwalls == 0 && rembobiner.has_ramp);
	cr_expect_arr_eq(&rembobiner.ramp, &ramp, sizeof ramp);
}

/* Up to its last corner, under the sanitizers. */
Test(boards, of_the_largest_size_can_be_played)
{
	static const char text[] = "size 400 900\ncircle 150 130 30\nnichee 60 330 240 420\n"
				   "wall 300 896 395 896 3\nwall 396 500 396 880 3";
	struct strbuf why = STRBUF_INIT;
	struct mole_board board;

	cr_expect(mole_board_read(span_of(text), &board, &why), "%s", why.ptr);
	strbuf_release(&why);
}

Test(boards, that_cannot_be_played_are_refused_with_a_reason)
{
	static const struct {
		const char *added; /* to the ground; with '!' the whole board */
		const char *why;
	} cases[] = {
	    {"!circle 150 130 30\nnichee 60 330 240 420", "no line for its size"},
	    {"!size 300 600\nnichee 60 330 240 420", "no line for its circle"},
	    {"!size 300 600\ncircle 150 130 30", "no line for its nichee"},
	    {"!", "no line for its size"},
	    {"!size 140 600\ncircle 70 130 30\nnichee 20 330 120 420", "150 to 400 mm wide"},
	    {"!size 300 901\ncircle 150 130 30\nnichee 60 330 240 420", "300 to 900 mm long"},
	    {"psot 100 520 6", "\"psot 100 520 6\" of the board is none that a board has"},
	    {"post 100 520", "needs three numbers"},
	    {"post 100 520 6 7", "needs three numbers"},
	    {"post 100 520 6.123", "two decimals"},
	    {"post 100 520 half", "needs three numbers"},
	    {"post 100 520 0.99", "1 to 40 mm"},
	    {"post 100 520 41", "1 to 40 mm"},
	    {"post 3 520 6", "Part of the post at 3 520 lies outside the board"},
	    {"wall 120 450 180 460 3", "goes aslant"},
	    {"wall 120 450 320 450 3", "outside the board"},
	    {"size 300 600", "is there twice"},
	    {"mole 150 130\nmole 150 131", "is there twice"},
	    {"mignette 1 90 360\nmignette 1 95 360", "is there twice"},
	    {"mignette 4 90 360", "1 to 3"},
	    {"mignette 1.5 90 360", "1 to 3"},
	    {"mignette 1 65 360", "in the nichee with its whole disc: its centre at x 70.15 to "
	                          "229.85 and y 340.15 to 409.85."},
	    {"mignette 1 140 360", "at least 20.4 mm apart"},
	    {"mole 170 130", "whole disc (radius 12.95 mm) in its circle"},
	    {"loup 130", "between the rear (0) and where the mole starts"},
	    {"loup -1", "between the rear (0) and where the mole starts"},
	    {"rosserie 10 10 30 60", "No mignette fits"},
	    {"ramp 100 440 100 500", "no extent"},
	    {"rosserie 100 400 130 430",
	     "the Rosserie at 100 400 and the nichee at 60 330 lie on each other"},
	    {"post 150 165 6",
	     "the circle at 150 130 and the post at 150 165 lie on each other"},
	    {"post 150 325 6", "the nichee at 60 330 and the post at 150 325"},
	    {"ramp 100 440 200 500\nwall 120 450 180 450 3",
	     "the ramp at 100 440 and the wall"},
	    {"wall 1 500 299 500 1", "no way to the winning line"},
	    {"wall 1 1 1 599 1\nwall 299 1 299 599 1", "no way to either side"},
	    {"wall 1 300 299 300 1", "no way to the winning line"},
	    {"wall 35 320 265 320 2\nwall 35 430 265 430 2\nwall 35 320 35 430 2\n"
	     "wall 265 320 265 430 2",
	     "leave mignette 1 no way to the mole"},
	    {"hello\npost 100 520 6", "\"hello\" of the board is none that a board has"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf why = STRBUF_INIT, text = STRBUF_INIT;
		struct mole_board board;

		strbuf_adds(&text, cases[i].added[0] == '!' ? "" : ground);
		strbuf_adds(&text, cases[i].added + (cases[i].added[0] == '!'));
		cr_expect_not(mole_board_read(strbuf_span(&text), &board, &why), "%s",
		              text.ptr);
		cr_expect(strstr(why.ptr, cases[i].why), "%s\nsays: %s", text.ptr, why.ptr);
		strbuf_release(&text);
		strbuf_release(&why);
	}
}

Test(boards, have_sixty_lines_and_twenty_four_walls_at_most)
{
	struct strbuf text = STRBUF_INIT, why = STRBUF_INIT;
	struct mole_board board;

	strbuf_adds(&text, ground);
	for (unsigned i = 0; i < MOLE_MOST_WALLS; i++)
		strbuf_addf(&text, "post %u 550 1\n", 10 + 10 * i);
	cr_expect(mole_board_read(strbuf_span(&text), &board, &why), "%s", why.ptr);
	cr_expect_eq(board.nwalls, MOLE_MOST_WALLS);
	strbuf_adds(&text, "post 280 550 1\n");
	cr_expect_not(mole_board_read(strbuf_span(&text), &board, &why));
	cr_expect(strstr(why.ptr, "24 walls and posts"), "%s", why.ptr);
	strbuf_clear(&text);
	strbuf_clear(&why);
	strbuf_adds(&text, ground);
	for (unsigned i = 3; i < MOLE_BOARD_LINES; i++)
		strbuf_adds(&text, "# a remark\n");
	cr_expect(mole_board_read(strbuf_span(&text), &board, &why), "%s", why.ptr);
	strbuf_adds(&text, "# one more\n");
	cr_expect_not(mole_board_read(strbuf_span(&text), &board, &why));
	cr_expect(strstr(why.ptr, "at most 60 lines"), "%s", why.ptr);
	strbuf_release(&text);
	strbuf_release(&why);
}

/* A gap is one from 31 mm on; the narrowest that may be refused is wider than the mole by the grid. */
Test(boards, tell_a_gap_from_a_closed_wall)
{
	for (int gap = 20; gap <= 60; gap += 5) {
		struct strbuf text = STRBUF_INIT, why = STRBUF_INIT;
		struct mole_board board;

		strbuf_adds(&text, ground);
		strbuf_addf(&text, "wall 1 500 %d 500 1\nwall %d 500 299 500 1\n",
		            149 - gap / 2, 151 + gap - gap / 2);
		bool open = mole_board_read(strbuf_span(&text), &board, &why);

		if (gap < 26)
			cr_expect_not(open, "%d", gap);
		else if (gap >= 31)
			cr_expect(open, "%d: %s", gap, why.ptr);
		strbuf_release(&text);
		strbuf_release(&why);
	}
}

Test(boards, of_any_kind_come_back_from_their_text)
{
	uint64_t dice = 11;
	size_t walls = 0, ramps = 0, longest = 0;

	for (unsigned n = 0; n < 300; n++) {
		struct mole_board board = boards_any(&dice), again;
		struct strbuf word = STRBUF_INIT, second = STRBUF_INIT, why = STRBUF_INIT;

		mole_board_write(&board, &word);
		cr_assert(mole_board_read(strbuf_span(&word), &again, &why), "%s", why.ptr);
		mole_board_write(&again, &second);
		cr_assert_str_eq(second.ptr, word.ptr);
		walls += board.nwalls;
		ramps += board.has_ramp && board.nwalls > 1;
		longest = word.len > longest ? word.len : longest;
		strbuf_release(&word);
		strbuf_release(&second);
		strbuf_release(&why);
	}
	cr_assert(walls > 300 && ramps > 30 && longest <= MOLE_BOARD_BYTES, "%zu %zu %zu",
	          walls, ramps, longest);
}

/* Whatever is cut off or changed: refused with a reason, or a board with one form. */
Test(boards, of_damaged_texts_are_refused_or_have_one_form)
{
	unsigned texts = chosen_long() ? 2000 : 400;
	uint64_t dice = 12;

	for (unsigned n = 0; n < texts; n++) {
		struct mole_board board = boards_any(&dice), read;
		struct strbuf word = STRBUF_INIT, form = STRBUF_INIT, again = STRBUF_INIT,
			      why = STRBUF_INIT;

		mole_board_write(&board, &word);
		play_spoil(&dice, &word);
		if (mole_board_read(strbuf_span(&word), &read, &why)) {
			mole_board_write(&read, &form);
			cr_assert(mole_board_read(strbuf_span(&form), &read, &why), "%s",
			          form.ptr);
			mole_board_write(&read, &again);
			cr_assert_str_eq(again.ptr, form.ptr);
		} else {
			cr_assert_gt(why.len, 0, "%s", word.ptr);
		}
		strbuf_release(&word);
		strbuf_release(&form);
		strbuf_release(&again);
		strbuf_release(&why);
	}
}
