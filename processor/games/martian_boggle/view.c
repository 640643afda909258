/*
 * view.c - what the players see of a turn. All of it is public; only what helps to choose is
 * shown to the mover alone, since it is of no use to anybody else.
 */
#include <string.h>

#include "processor/games/martian_boggle/boggle.h"

enum { WIDE_COLS = 60 }; /* room for the tiles of each word */

static const char *name_of(const struct game_state *s, unsigned seat)
{
	return s->seats[seat].name.text;
}

/* "P H I A L" */
static void add_tiles(const char *tiles, struct strbuf *out)
{
	for (const char *t = tiles; *t; t++)
		strbuf_addf(out, "%s%c", t == tiles ? "" : " ", *t);
}

static unsigned sum_of(const char *tiles)
{
	unsigned sum = 0;

	for (; *tiles; tiles++)
		sum += boggle_value(*tiles);
	return sum;
}

/* --- the story ----------------------------------------------------------- */

static void tell_word(const struct game_state *s, const struct boggle_word *w, struct doc *out)
{
	unsigned points = boggle_points(&s->setup, w);
	struct strbuf sum = STRBUF_INIT;

	if (strchr(w->tiles, '?')) {
		add_tiles(w->tiles, &sum);
		doc_item(out, "The tiles of %s: %s.", w->letters, sum.ptr);
		strbuf_clear(&sum);
	}
	if (!s->setup.craft) {
		/* "(3+4+1+1+1) x 3 = " */
		unsigned times = boggle_multiplier(w->group);

		strbuf_adds(&sum, times > 1 ? "(" : "");
		for (const char *t = w->tiles; *t; t++)
			strbuf_addf(&sum, "%s%u", t == w->tiles ? "" : "+", boggle_value(*t));
		if (times > 1)
			strbuf_addf(&sum, ") x %u", times);
		strbuf_adds(&sum, " = ");
	}
	if (w->group == BOGGLE_PIECES)
		doc_item(out,
		         points == 1 ? "All five pieces are one group: %s%u point."
		                     : "All five pieces are one group: %s%u points.",
		         sum.ptr, points);
	else if (w->group == 1)
		doc_item(out,
		         points == 1 ? "No two pieces touch: %s%u point."
		                     : "No two pieces touch: %s%u points.",
		         sum.ptr, points);
	else
		doc_item(out,
		         points == 1 ? "The largest group has %u pieces: %s%u point."
		                     : "The largest group has %u pieces: %s%u points.",
		         w->group, sum.ptr, points);
	strbuf_release(&sum);
}

static void tell_orders(const struct game_state *s, unsigned seat, struct doc *out)
{
	const struct boggle_orders *o = &s->last;
	const struct boggle_seat *p = &s->seats[seat];
	const char *who = name_of(s, seat);
	struct strbuf moves = STRBUF_INIT;

	for (unsigned i = 0; i < o->nmoves; i++) {
		strbuf_add_sep(&moves, i, o->nmoves, " and ");
		boggle_add_square(&moves, o->moves[i].from);
		strbuf_addc(&moves, '-');
		boggle_add_square(&moves, o->moves[i].to);
	}
	if (o->word[0] && o->nmoves)
		doc_item(out, "%s moved %s and spelled %s.", who, moves.ptr, o->word);
	else if (o->word[0])
		doc_item(out, "%s spelled %s.", who, o->word);
	else if (o->nmoves)
		doc_item(out, "%s moved %s and spelled nothing.", who, moves.ptr);
	else
		doc_item(out, s->missed ? "%s sent nothing and so passed." : "%s passed.", who);
	if (o->word[0])
		tell_word(s, &p->words[p->nwords - 1], out);
	strbuf_release(&moves);
}

/* "a1=T, b1=O" */
static void tell_new_tiles(const struct game_state *s, struct doc *out)
{
	struct strbuf text = STRBUF_INIT;
	unsigned filled = 0;

	for (squares rest = boggle_fresh(s); rest; rest &= rest - 1) {
		unsigned square = boggle_first(rest);

		if (s->board[square] == '.')
			continue;
		strbuf_adds(&text, filled++ ? ", " : "");
		boggle_add_square(&text, square);
		strbuf_addc(&text, '=');
		strbuf_addc(&text, s->board[square]);
	}
	if (out->draws_imagined)
		doc_item(out,
		         "The five tiles are set aside. Which ones come from the bag in their "
		         "place is not known yet.");
	else if (filled)
		doc_item(out, "The five tiles are set aside; from the bag came %s.", text.ptr);
	else
		doc_item(out, "The five tiles are set aside, and the bag is empty.");
	strbuf_release(&text);
}

/* "Bob spelled GRAPE for 24 points." */
static void show_news(const struct game_state *s, unsigned viewer, struct doc *out)
{
	unsigned mover = s->turn > 1 ? boggle_mover(s, s->turn - 1) : 0;
	const char *who = mover == viewer ? "You" : mover ? name_of(s, mover) : "";

	if (viewer == 0 || mover == 0 || s->last.resign)
		return;
	doc_in(out, DOC_NEWS);
	if (s->last.word[0]) {
		const struct boggle_seat *p = &s->seats[mover];
		unsigned points = boggle_points(&s->setup, &p->words[p->nwords - 1]);

		doc_paragraph(out,
		              points == 1 ? "%s spelled %s for %u point."
		                          : "%s spelled %s for %u points.",
		              who, p->words[p->nwords - 1].letters, points);
	} else if (s->last.nmoves) {
		doc_paragraph(out, "%s moved and spelled nothing.", who);
	} else {
		doc_paragraph(out, "%s passed.", who);
	}
}

static void show_story(const struct game_state *s, struct doc *out)
{
	doc_in(out, DOC_STORY);
	if (s->turn == 1)
		doc_paragraph(
		    out,
		    s->setup.diagonals
			? "%s sits at row 1 and moves first, %s sits at row 5. The first to "
			  "spell %u words brings the game to its end; there are at most %u "
			  "turns each."
			: "%s sits at row 1 and moves first, %s sits at row 5. The first to "
			  "spell %u words brings the game to its end; there are at most %u "
			  "turns each. Nothing goes diagonally.",
		    name_of(s, s->first), name_of(s, boggle_other(s->first)), s->setup.words,
		    s->setup.maxturns);
	else {
		if (!s->last.resign)
			tell_orders(s, boggle_mover(s, s->turn - 1), out);
		if (s->last.word[0])
			tell_new_tiles(s, out);
		for (unsigned seat = 1; seat <= BOGGLE_SEATS; seat++)
			if (s->seats[seat].left)
				doc_item(out, "%s left the game.", name_of(s, seat));
		unsigned closer = boggle_closer(s);
		if (closer) {
			doc_item(
			    out,
			    boggle_bonus(&s->setup) == 1
				? "%s was first to spell %u words and gets %u point for it."
				: "%s was first to spell %u words and gets %u points for it.",
			    name_of(s, closer), s->setup.words, boggle_bonus(&s->setup));
			if (!boggle_over(s))
				doc_item(out, "One last turn is left, for the other player.");
		}
	}
	if (boggle_over(s)) {
		struct game_result result;
		unsigned winner;

		boggle_result(s, &result);
		winner = seat_in(result.winners, 1) ? 1 : 2;
		if (seat_count(result.winners) == 0)
			doc_paragraph(out,
			              "The game is over: both have left, and nobody wins.");
		else if (result.eliminated.bits)
			doc_paragraph(out, "The game is over: %s alone is left and wins.",
			              name_of(s, winner));
		else if (seat_count(result.winners) == 2)
			doc_paragraph(out,
			              "The game is over: with %u points each it is a draw.",
			              boggle_score(s, 1));
		else
			doc_paragraph(out, "The game is over: %s wins with %u to %u.",
			              name_of(s, winner), boggle_score(s, winner),
			              boggle_score(s, boggle_other(winner)));
	}
}

/* --- the board ------------------------------------------------------------ */

static void tell_letters(const struct game_state *s, unsigned seat, struct doc *out)
{
	squares pieces = s->seats[seat].pieces;
	unsigned times = boggle_multiplier(boggle_largest_group(pieces, s->setup.diagonals));
	const char *who = name_of(s, seat);
	struct strbuf groups = STRBUF_INIT, tiles = STRBUF_INIT;
	char letters[BOGGLE_PIECES + 1];

	boggle_add_groups(s, pieces, &groups);
	boggle_letters(s->board, pieces, letters);
	add_tiles(letters, &tiles);
	if (out->draws_imagined && (boggle_fresh(s) & pieces))
		doc_item(out, "Under the pieces of %s: new tiles; %s.", who, groups.ptr);
	else if (s->setup.craft)
		doc_item(out, "Under the pieces of %s: %s; %s (%u for a word).", who, tiles.ptr,
		         groups.ptr, times);
	else
		doc_item(out, "Under the pieces of %s: %s, worth %u; %s (x %u).", who,
		         tiles.ptr, sum_of(letters), groups.ptr, times);
	strbuf_release(&groups);
	strbuf_release(&tiles);
}

/* --- scores --------------------------------------------------------------- */

static void show_words(const struct game_state *s, struct doc *out)
{
	static const struct doc_column columns[] = {{"player", DOC_LEFT},
	                                            {"turn", DOC_RIGHT},
	                                            {"word", DOC_LEFT},
	                                            {"points", DOC_RIGHT},
	                                            {"tiles", DOC_LEFT}};

	if (s->seats[1].nwords + s->seats[2].nwords == 0)
		return;
	doc_table(out, columns, sizeof columns / sizeof *columns - (out->cols < WIDE_COLS));
	for (unsigned i = 0; i < BOGGLE_SEATS; i++) {
		unsigned seat = i ? boggle_other(s->first) : s->first;

		for (unsigned w = 0; w < s->seats[seat].nwords; w++) {
			struct strbuf text = STRBUF_INIT;

			doc_cell(out, "%s", name_of(s, seat));
			doc_cell(out, "%u", s->seats[seat].words[w].turn);
			doc_cell(out, "%s", s->seats[seat].words[w].letters);
			/* "10 x 3 = 30"; in craft scoring just "3". */
			unsigned times = boggle_multiplier(s->seats[seat].words[w].group);

			if (!s->setup.craft && times > 1)
				strbuf_addf(&text,
				            "%u x %u = ", sum_of(s->seats[seat].words[w].tiles),
				            times);
			strbuf_addf(&text, "%u",
			            boggle_points(&s->setup, &s->seats[seat].words[w]));
			doc_cell(out, "%s", text.ptr);
			strbuf_clear(&text);
			add_tiles(s->seats[seat].words[w].tiles, &text);
			if (out->cols >= WIDE_COLS)
				doc_cell(out, "%s", text.ptr);
			strbuf_release(&text);
		}
	}
}

static void show_scores(const struct game_state *s, struct doc *out)
{
	doc_in(out, DOC_SCORES);
	show_words(s, out);
	for (unsigned i = 0; i < BOGGLE_SEATS; i++) {
		unsigned seat = i ? boggle_other(s->first) : s->first;
		unsigned n = s->seats[seat].nwords;

		unsigned points = boggle_score(s, seat);
		bool bonus = boggle_closer(s) == seat;

		doc_item(out,
		         points == 1 ? bonus ? "%s: %u of %u words, %u point with the bonus."
		                             : "%s: %u of %u words, %u point."
		         : bonus     ? "%s: %u of %u words, %u points with the bonus."
		                     : "%s: %u of %u words, %u points.",
		         name_of(s, seat), n, s->setup.words, points);
	}
}

void boggle_view(const struct game_state *s, unsigned viewer, struct doc *out)
{
	unsigned mover = s->turn > 1 ? boggle_mover(s, s->turn - 1) : 0;
	if (mover != 0 && !s->last.resign && s->last.word[0]) {
		const struct boggle_seat *p = &s->seats[mover];
		const struct boggle_word *w = &p->words[p->nwords - 1];
		unsigned points = boggle_points(&s->setup, w);

		doc_highlight(out, points,
		              points == 1 ? "Best word: %s spelled %s for %u point."
		                          : "Best word: %s spelled %s for %u points.",
		              name_of(s, mover), w->letters, points);
	}
	show_news(s, viewer, out);
	show_story(s, out);
	unsigned bag[BOGGLE_FACES];
	unsigned left = 0;

	doc_in(out, DOC_POSITION);
	if (boggle_over(s))
		doc_heading(out, "The board at the end");
	else if (out->draws_imagined)
		doc_heading(out, "Then: %s to move", name_of(s, boggle_mover(s, s->turn)));
	else
		doc_heading(out, "Turn %u: %s to move with %u and %u", s->turn,
		            name_of(s, boggle_mover(s, s->turn)), s->roll[0], s->roll[1]);
	boggle_picture(s, out);
	if (!boggle_over(s))
		for (unsigned turn = 0; turn < BOGGLE_SEATS; turn++)
			tell_letters(s, boggle_mover(s, s->turn + turn), out);
	if (boggle_bag(s, bag, &left))
		doc_item(out,
		         left == 1 ? "%u tile left in the bag." : "%u tiles left in the bag.",
		         left);
	if (!s->setup.craft && s->turn <= BOGGLE_SEATS) /* later HELP has them */
		doc_item(out, s->setup.blanks
		                  ? "Values: D G are 2, B C M P 3, F H V W Y 4, K 5, J X 8, "
		                    "Q Z 10, all others 1, a blank 0."
		                  : "Values: D G are 2, B C M P 3, F H V W Y 4, K 5, J X 8, "
		                    "Q Z 10, all others 1.");
	show_scores(s, out);
	if (!seat_in(boggle_owes(s), viewer) || out->draws_imagined)
		return;
	doc_in(out, DOC_OWN);
	boggle_show_reach(s, out);
	if (s->turn <= BOGGLE_SEATS)
		doc_paragraph(
		    out, "To score, end your orders with SPELL and a word of exactly the five "
			 "letters that are then under your pieces.");
}
