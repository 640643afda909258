/*
 * view.c - what the players see. Everything is public; who is to play is told besides along
 * which lines the mole can cross.
 */
#include <string.h>

#include "processor/games/mole/drawing.h"
#include "processor/games/mole/lines.h"

static const char *name_of(const struct game_state *s, unsigned seat)
{
	return s->seats[seat].name.text;
}

/* --- the board --------------------------------------------------------- */

/*
 * A round that ended is shown as it ended; what comes next starts from where it always does. No
 * `p` and no `t` where nothing was played last.
 */
static void show_boards(const struct game_state *s, const struct mole_played *p,
                        const struct mole_trace *t, struct doc *out)
{
	bool ended = p && mole_last_end(s, p) != END_NONE;
	struct mole_drawing d = {.caption = "",
	                         .setup = &s->setup,
	                         .coins = p ? &p->after : &s->now.coins,
	                         .trace = t};

	if (ended) {
		doc_heading(out, "The end of round %u", s->last.round);
		mole_draw(&d, out);
	}
	if (ended && mole_over(s))
		return;
	if (!ended && !mole_over(s)) {
		unsigned seat = mole_seat_to_play(s);

		doc_heading(out,
		            s->now.side == SIDE_MOLE
		                ? "Round %u turn %u: mole to play (%s)"
		                : "Round %u turn %u: mignettes to play (%s)",
		            s->round, s->turn, name_of(s, seat));
	}
	if (!ended)
		mole_draw(&d, out);
	mole_tell_places(ended ? "Next round" : "Places", &s->setup.board, &s->now.coins, out);
}

/* Who leads is told by the result, and who has the mole by the heading. */
static void tell_match(const struct game_state *s, struct doc *out)
{
	if (mole_over(s) || s->phase > 2)
		return;
	if (s->setup.lead > 1)
		doc_paragraph(
		    out,
		    "The match goes to %u points with a lead of %u; this is round %u of at "
		    "most %u.",
		    s->setup.target, s->setup.lead, s->round, s->setup.rounds);
	else
		doc_paragraph(
		    out,
		    s->setup.target == 1
			? "The match goes to %u point; this is round %u of at most %u."
			: "The match goes to %u points; this is round %u of at most %u.",
		    s->setup.target, s->round, s->setup.rounds);
}

/* --- hints for who is to play ------------------------------------------ */

static void tell_lines(const struct game_state *s, struct doc *out)
{
	bool yours = s->now.side == SIDE_MOLE;
	int64_t y = mole_nm(s->now.coins.coin[MOLE].y), limit = s->setup.range[SIDE_MOLE];
	struct mole_open open[LINES_MOST];
	struct strbuf text = STRBUF_INIT;
	unsigned n;

	if (s->setup.board.length - y >= limit)
		return;
	n = mole_open_lines(s, open, LINES_MOST);
	for (unsigned i = 0; i < n; i++) {
		strbuf_adds(&text, i ? ", " : "");
		if (open[i].to_mm == open[i].from_mm)
			strbuf_addf(&text, "%u", open[i].from_mm);
		else
			strbuf_addf(&text, "%u to %u", open[i].from_mm, open[i].to_mm);
	}
	if (n)
		doc_paragraph(
		    out,
		    yours ? "Open lines: you could cross now with full force and a steady "
			    "finger, aiming at y %u with x %s."
			  : "Open lines: the mole could cross now with full force and a steady "
			    "finger, aiming at y %u with x %s.",
		    mole_lines_aim_mm(s), text.ptr);
	else
		doc_paragraph(
		    out, yours
			     ? "You could not cross the winning line now and win: no straight "
			       "line to it is open."
			     : "The mole could not cross the winning line now and win: no "
			       "straight line to it is open.");
	strbuf_release(&text);
}

void mole_view(const struct game_state *s, unsigned viewer, struct doc *out)
{
	const struct mole_played *played = NULL;
	const struct mole_trace *seen = NULL;
	struct mole_trace trace;
	struct mole_played p;

	out->draws_decided = out->draws_imagined && s->setup.dexterity > 0;
	doc_in(out, DOC_TASK);
	doc_paragraph(out, "%s",
	              s->now.side == SIDE_MOLE ? "flick the mole"
	              : s->now.first_go ? "flick your mignettes; you may place them first"
	                                : "flick your mignettes");
	doc_in(out, DOC_STORY);
	if (s->last.any) {
		mole_trace(s, &trace, &p);
		played = &p;
		seen = &trace;
		mole_tell_highlight(s, &p, out);
		if (viewer > 0) {
			mole_tell_news(s, &p, viewer, out);
			doc_in(out, DOC_STORY);
		}
		mole_tell(s, &p, viewer, out);
	} else if (s->phase == 1) {
		doc_paragraph(
		    out,
		    "%s has the mole first, %s the mignettes. Only the mole scores: a round that it "
		    "wins is a point for its player, and after a round that the mignettes win the "
		    "players change sides.",
		    name_of(s, s->mole_seat), name_of(s, mole_other(s->mole_seat)));
	}
	for (unsigned seat = 1; seat <= SEATS; seat++)
		if (s->seats[seat].left)
			doc_paragraph(out, "%s has left the match.", name_of(s, seat));
	if (mole_over(s)) {
		struct game_result r;
		unsigned winner;

		mole_result(s, &r);
		winner = seat_in(r.winners, 1) ? 1 : 2;
		if (seat_count(r.winners) == 0)
			doc_paragraph(out, "Both players have left; nobody wins.");
		else if (seat_count(r.winners) == 2)
			doc_paragraph(out, "The match is over after %u rounds: a draw, %u all.",
			              s->setup.rounds, s->seats[1].points);
		else
			doc_paragraph(out, "The match is over: %s wins it, %u to %u.",
			              name_of(s, winner), s->seats[winner].points,
			              s->seats[mole_other(winner)].points);
	}
	doc_in(out, DOC_POSITION);
	show_boards(s, played, seen, out);
	if (s->setup.own_board && s->round == 1 && s->turn == 1) /* later HELP has them */
		mole_tell_measures(&s->setup, out);
	doc_in(out, DOC_SCORES);
	tell_match(s, out);
	if (!seat_in(mole_owes(s), viewer))
		return;
	doc_in(out, DOC_OWN);
	struct mole_gad gad = mole_gad(&s->now.coins);
	if (s->now.side == SIDE_MOLE && gad.count != 0) {
		if (gad.stuck)
			doc_paragraph(
			    out,
			    "Gad: mignettes touch the mole on all sides. No flick is allowed, "
			    "and it may stay.");
		else
			doc_paragraph(
			    out,
			    "Gad: a mignette touches the mole, so it must be flicked, away from "
			    "it or along it. Without orders the round is given up.");
	}
	tell_lines(s, out);
}
