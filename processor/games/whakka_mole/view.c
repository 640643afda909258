/*
 * view.c - what the players see of a turn. Everything is public but the hint
 * who sits beside the reader, which is only of use to them.
 */
#include <string.h>

#include "processor/base/strbuf.h"
#include "processor/games/whakka_mole/whakka.h"

static const char *name_of(const struct game_state *s, unsigned seat)
{
	return s->seats[seat].name.text;
}

static void tell_turn(const struct game_state *s, struct doc *out)
{
	struct strbuf text = STRBUF_INIT;

	for (unsigned i = 0; i < s->nseats; i++) {
		unsigned seat = s->ring[i];

		if (!whakka_played(s, seat))
			continue;
		strbuf_clear(&text);
		if (s->seats[seat].last.resign)
			strbuf_addf(&text, "%s left the game.", name_of(s, seat));
		else {
			/* "Ann whacked hole 4 on the sheet of Bob and hit: 6 points, and Bob lost 2 moles." */
			const struct whakka_orders *last = &s->seats[seat].last;
			unsigned target = whakka_was_left_of(s, seat),
				 points = whakka_last_score(s, seat).whack;
			unsigned lost = whakka_last_score(s, target).lost;

			if (!last->whack)
				strbuf_addf(&text, "%s did not whack.", name_of(s, seat));
			else if (!whakka_last_score(s, seat).hit)
				strbuf_addf(&text,
				            "%s whacked hole %u on the sheet of %s and missed.",
				            name_of(s, seat), last->whack, name_of(s, target));
			else
				strbuf_addf(
				    &text,
				    points == 1
					? lost == 1
				              ? "%s whacked hole %u on the sheet of %s and hit: %u "
				                "point, and %s lost %u mole."
				              : "%s whacked hole %u on the sheet of %s and hit: %u "
				                "point, and %s lost %u moles."
				    : lost == 1
					? "%s whacked hole %u on the sheet of %s and hit: %u points, and "
					  "%s lost %u mole."
					: "%s whacked hole %u on the sheet of %s and hit: %u points, and "
					  "%s lost %u moles.",
				    name_of(s, seat), last->whack, name_of(s, target), points,
				    name_of(s, target), lost);
		}
		struct whakka_score score = whakka_last_score(s, seat);

		if (score.moles)
			strbuf_addf(&text,
			            score.moles == 1 ? " %u mole of %s scored."
			                             : " %u moles of %s scored.",
			            score.moles, name_of(s, seat));
		else if (!score.struck)
			strbuf_addf(&text, " No mole of %s was up.", name_of(s, seat));
		doc_item(out, "%s", text.ptr);
	}
	strbuf_release(&text);
}

static void tell_end(const struct game_state *s, struct doc *out)
{
	struct strbuf names = STRBUF_INIT;
	struct game_result result;
	unsigned winner = 1;

	whakka_result(s, &result);
	/* "Ann", "Ann and Bob", "Ann, Bob and Cid" */
	unsigned n = seat_count(result.winners);
	unsigned done = 0;

	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		if (!seat_in(result.winners, seat))
			continue;
		strbuf_add_sep(&names, done++, n, " and ");
		strbuf_adds(&names, name_of(s, seat));
	}
	while (winner < s->nseats && !seat_in(result.winners, winner))
		winner++;
	if (seat_count(result.winners) == 0)
		doc_paragraph(out, "The game is over: everybody has left, and nobody wins.");
	else if (seat_count(result.eliminated) + 1 == s->nseats)
		doc_paragraph(out, "The game is over: %s alone is left and wins.", names.ptr);
	else if (seat_count(result.winners) == 1)
		doc_paragraph(out, "The game is over: %s wins with %u points.", names.ptr,
		              s->seats[winner].total);
	else
		doc_paragraph(out, "The game is over: %s share the win with %u points each.",
		              names.ptr, s->seats[winner].total);
	strbuf_release(&names);
}

/* What the board does not show: what the moles and whacks came to. */
static void show_scores(const struct game_state *s, struct doc *out)
{
	static const struct doc_column columns[] = {
	    {"player", DOC_LEFT}, {"moles", DOC_RIGHT}, {"whack", DOC_RIGHT},
	    {"turn", DOC_RIGHT},  {"total", DOC_RIGHT},
	};

	doc_in(out, DOC_SCORES);
	if (s->turn == 1)
		return;
	doc_table(out, columns, sizeof columns / sizeof *columns);
	for (unsigned i = 0; i < s->nseats; i++) {
		unsigned seat = s->ring[i];
		struct whakka_score score = whakka_last_score(s, seat);

		doc_cell(out, "%s", name_of(s, seat));
		if (whakka_played(s, seat)) {
			doc_cell(out, "%u", score.moles);
			doc_cell(out, "%u", score.whack);
			doc_cell(out, "%u", score.moles + score.whack);
		} else {
			doc_cell(out, "left");
			doc_cell(out, "-");
			doc_cell(out, "-");
		}
		doc_cell(out, "%u", s->seats[seat].total);
	}
}

/* "You scored 8 and hit Cy at hole 7. Bob hit you at hole 3." */
static void show_news(const struct game_state *s, unsigned viewer, struct doc *out)
{
	struct strbuf text = STRBUF_INIT;

	if (viewer == 0 || s->turn == 1 || !whakka_played(s, viewer) ||
	    s->seats[viewer].last.resign)
		return;
	struct whakka_score score = whakka_last_score(s, viewer);
	unsigned target = whakka_was_left_of(s, viewer), by = 1;
	if (score.hit)
		strbuf_addf(&text, "You scored %u and hit %s at hole %u.",
		            score.moles + score.whack, name_of(s, target),
		            s->seats[viewer].last.whack);
	else
		strbuf_addf(&text, "You scored %u.", score.moles + score.whack);
	while (by < s->nseats &&
	       (by == viewer || !whakka_played(s, by) || whakka_was_left_of(s, by) != viewer))
		by++;
	if (score.struck)
		strbuf_addf(&text, " %s hit you at hole %u.", name_of(s, by), score.struck);
	doc_in(out, DOC_NEWS);
	doc_paragraph(out, "%s", text.ptr);
	strbuf_release(&text);
}

void whakka_view(const struct game_state *s, unsigned viewer, struct doc *out)
{
	for (unsigned i = 0; i < s->nseats && s->turn > 1; i++) {
		unsigned seat = s->ring[i], target;

		if (!whakka_played(s, seat) || !whakka_last_score(s, seat).hit)
			continue;
		target = whakka_was_left_of(s, seat);
		struct whakka_score struck = whakka_last_score(s, target);
		doc_highlight(out, struck.lost,
		              struck.lost == 1
		                  ? "Hardest hit: %s struck hole %u, and %s lost %u mole."
		                  : "Hardest hit: %s struck hole %u, and %s lost %u moles.",
		              name_of(s, seat), s->seats[seat].last.whack, name_of(s, target),
		              struck.lost);
	}
	show_news(s, viewer, out);
	doc_in(out, DOC_STORY);
	if (s->turn == 1) {
		struct strbuf text = STRBUF_INIT;

		for (unsigned i = 0; i < s->nseats; i++)
			strbuf_addf(&text, "%s%s", i ? ", " : "", name_of(s, s->ring[i]));
		/* Two are told so below. */
		if (s->nseats > 2 || !seat_in(whakka_owes(s), viewer))
			doc_paragraph(out,
			              "Seats: %s. Each player whacks the next one's sheet; %s "
			              "whacks %s's.",
			              text.ptr, name_of(s, s->ring[s->nseats - 1]),
			              name_of(s, s->ring[0]));
		strbuf_release(&text);
		if (s->nseats == 2 && s->setup.holes < 8)
			doc_paragraph(
			    out,
			    "Take care: with two players and fewer than 8 holes a mole that pops "
			    "up loses more than it wins.");
	} else
		tell_turn(s, out);
	if (whakka_over(s))
		tell_end(s, out);
	struct strbuf worth = STRBUF_INIT;

	if (s->setup.whackpts)
		strbuf_addf(&worth, "%u", s->setup.whackpts);
	else
		strbuf_adds(&worth, "the moles it takes");
	doc_in(out, DOC_POSITION);
	if (s->turn == 1)
		doc_heading(out,
		            s->setup.turns == 1
		                ? "First to %u, a hit is worth %s, at most %u turn"
		                : "First to %u, a hit is worth %s, at most %u turns",
		            s->setup.target, worth.ptr, s->setup.turns);
	else
		doc_heading(out, "Turn %u (of at most %u), first to %u, a hit is worth %s",
		            s->turn - 1, s->setup.turns, s->setup.target, worth.ptr);
	strbuf_release(&worth);
	whakka_board(s, out);
	show_scores(s, out);
	unsigned left, right;

	if (!seat_in(whakka_owes(s), viewer))
		return;
	left = whakka_left_of(s, viewer);
	right = whakka_right_of(s, viewer);
	doc_in(out, DOC_OWN);
	/* Later the board says it, unless somebody has left. */
	if (s->turn > 1 && left == whakka_was_left_of(s, viewer) &&
	    viewer == whakka_was_left_of(s, right))
		return;
	if (left == right)
		doc_paragraph(out, "You and %s whack each other's sheet.", name_of(s, left));
	else
		doc_paragraph(out, "You whack on the sheet of %s; %s whacks on yours.",
		              name_of(s, left), name_of(s, right));
	if (s->setup.maxtokens < s->setup.holes)
		doc_paragraph(out,
		              s->setup.maxtokens == 1
		                  ? "At most %u mole may pop up in a turn."
		                  : "At most %u moles may pop up in a turn.",
		              s->setup.maxtokens);
}
