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

/* --- what happened ----------------------------------------------------- */

static void tell_start(const struct game_state *s, struct doc *out)
{
	doc_paragraph(
	    out,
	    "%s has the mole first, %s the mignettes. Only the mole scores: a round that it "
	    "wins is a point for its player, and after a round that the mignettes win the "
	    "players change sides.",
	    name_of(s, s->mole_seat), name_of(s, mole_other(s->mole_seat)));
}

static void tell_left(const struct game_state *s, struct doc *out)
{
	for (unsigned seat = 1; seat <= SEATS; seat++)
		if (s->seats[seat].left)
			doc_paragraph(out, "%s has left the match.", name_of(s, seat));
}

static void tell_over(const struct game_state *s, struct doc *out)
{
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

/* --- the board --------------------------------------------------------- */

static void add_heading(const struct game_state *s, struct doc *out)
{
	unsigned seat = mole_seat_to_play(s);

	doc_heading(out,
	            s->now.side == SIDE_MOLE ? "Round %u turn %u: mole to play (%s)"
	                                     : "Round %u turn %u: mignettes to play (%s)",
	            s->round, s->turn, name_of(s, seat));
}

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
		d.coins = &s->now.coins;
		d.trace = NULL;
	}
	if (mole_over(s) && ended)
		return;
	if (!mole_over(s))
		add_heading(s, out);
	mole_draw(&d, out);
}

static void show_scores(const struct game_state *s, struct doc *out)
{
	static const struct doc_column columns[] = {
	    {"player", DOC_LEFT}, {"has", DOC_LEFT}, {"points", DOC_RIGHT}};

	doc_table(out, columns, sizeof columns / sizeof *columns);
	for (unsigned seat = 1; seat <= SEATS; seat++) {
		doc_cell(out, "%s", name_of(s, seat));
		if (s->seats[seat].left)
			doc_cell(out, "left");
		else
			doc_cell(out, "%s",
			         seat == s->mole_seat ? "the mole" : "the mignettes");
		doc_cell(out, "%u", s->seats[seat].points);
	}
	if (mole_over(s))
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

static void add_ranges(const struct mole_open *open, unsigned n, struct strbuf *text)
{
	for (unsigned i = 0; i < n; i++) {
		strbuf_adds(text, i ? ", " : "");
		if (open[i].to_mm == open[i].from_mm)
			strbuf_addf(text, "%u", open[i].from_mm);
		else
			strbuf_addf(text, "%u to %u", open[i].from_mm, open[i].to_mm);
	}
}

static void tell_lines(const struct game_state *s, struct doc *out)
{
	bool yours = s->now.side == SIDE_MOLE;
	int64_t y = mole_nm(s->now.coins.coin[MOLE].y), limit = s->setup.range[SIDE_MOLE];
	struct mole_open open[LINES_MOST];
	struct strbuf text = STRBUF_INIT;
	unsigned n;

	if (s->setup.board.length - y >= limit) {
		doc_paragraph(
		    out,
		    "The winning line is %lld mm from the mole's centre, and the mole runs "
		    "%lld mm at most: its next flick cannot cross it.",
		    (long long)((s->setup.board.length - y) / MOLE_MM),
		    (long long)(limit / MOLE_MM));
		return;
	}
	n = mole_open_lines(s, open, LINES_MOST);
	add_ranges(open, n, &text);
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

static void tell_gad(const struct game_state *s, struct doc *out)
{
	struct mole_gad gad = mole_gad(&s->now.coins);

	if (s->now.side != SIDE_MOLE || gad.count == 0)
		return;
	if (gad.stuck)
		doc_paragraph(
		    out, "Gad: mignettes touch the mole on all sides. No flick is allowed, "
			 "and it may stay.");
	else
		doc_paragraph(
		    out, "Gad: a mignette touches the mole, so it must be flicked, away from "
			 "it or along it. Without orders the round is given up.");
}

static void show_own(const struct game_state *s, unsigned viewer, struct doc *out)
{
	if (!seat_in(mole_owes(s), viewer))
		return;
	doc_in(out, DOC_OWN);
	if (s->now.side == SIDE_MOLE)
		doc_paragraph(out, "You play the mole, M.");
	else if (s->now.first_go)
		doc_paragraph(out, "You play the mignettes. This mail may place them first.");
	else
		doc_paragraph(out, "You play the mignettes.");
	tell_gad(s, out);
	tell_lines(s, out);
	if (s->setup.dexterity == 0)
		doc_paragraph(
		    out, "A mail that begins with TEST brings back what your orders would come "
			 "to, and stores nothing. Ask as often as you like.");
}

void mole_view(const struct game_state *s, unsigned viewer, struct doc *out)
{
	const struct mole_played *played = NULL;
	const struct mole_trace *seen = NULL;
	struct mole_trace trace;
	struct mole_played p;

	out->draws_decided = out->draws_imagined && s->setup.dexterity > 0;
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
		mole_tell(s, &p, out);
	} else if (s->phase == 1) {
		tell_start(s, out);
	}
	tell_left(s, out);
	if (mole_over(s))
		tell_over(s, out);
	doc_in(out, DOC_POSITION);
	show_boards(s, played, seen, out);
	if (s->setup.own_board && s->round == 1 && s->turn == 1) /* later HELP has them */
		mole_tell_measures(&s->setup, out);
	doc_in(out, DOC_SCORES);
	show_scores(s, out);
	show_own(s, viewer, out);
}

/* --- examples ---------------------------------------------------------- */

/* A mm near a coin's centre, in whole numbers. */
static struct mole_point whole_mm(const struct mole_coins *coins, unsigned coin)
{
	struct mole_point p = {(mole_nm(coins->coin[coin].x) + MOLE_MM / 2) / MOLE_MM,
	                       (mole_nm(coins->coin[coin].y) + MOLE_MM / 2) / MOLE_MM};

	return p;
}

static bool may_go(const struct mole_coins *coins, const struct mole_gad *g, int64_t x,
                   int64_t y)
{
	return mole_gad_allows(g, x * MOLE_MM - mole_nm(coins->coin[MOLE].x),
	                       y * MOLE_MM - mole_nm(coins->coin[MOLE].y));
}

/* Forward if that is allowed, else round a square about the mole. */
static bool find_way(const struct mole_coins *coins, struct mole_point *to)
{
	enum { SIDE_MM = 40, STEP_MM = 5 };
	struct mole_gad g = mole_gad(coins);
	struct mole_point at = whole_mm(coins, MOLE);

	*to = (struct mole_point){at.x, at.y + SIDE_MM};
	if (may_go(coins, &g, to->x, to->y))
		return true;
	for (int t = -SIDE_MM; t <= SIDE_MM; t += STEP_MM) {
		const struct mole_point tried[] = {{at.x + t, at.y + SIDE_MM},
		                                   {at.x + SIDE_MM, at.y + t},
		                                   {at.x - SIDE_MM, at.y + t},
		                                   {at.x + t, at.y - SIDE_MM}};

		for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
			*to = tried[i];
			if (may_go(coins, &g, to->x, to->y))
				return true;
		}
	}
	return false;
}

static void mole_line(const struct game_state *s, unsigned which, struct strbuf *out)
{
	struct mole_gad g = mole_gad(&s->now.coins);
	struct mole_point to;
	bool way = find_way(&s->now.coins, &to);

	if (which == 0 && way)
		strbuf_addf(out, "FLICK M TO %lld %lld", (long long)to.x, (long long)to.y);
	else if (g.count == 0 || g.stuck)
		strbuf_adds(out, "NASDAQ");
	else if (way)
		strbuf_addf(out, "FLICK M TO %lld %lld RANGE 30", (long long)to.x,
		            (long long)to.y);
	else
		strbuf_adds(out, "CONCEDE");
}

static unsigned nth_alive(const struct mole_coins *coins, unsigned n)
{
	unsigned found = 0;

	for (unsigned i = 1; i < MOLE_COINS; i++)
		if (coins->coin[i].on) {
			found = i;
			if (n-- == 0)
				break;
		}
	return found;
}

/* A little aside of where mignette 1 starts, or, where that may not be, there. */
static void add_place(const struct game_state *s, struct strbuf *out)
{
	enum { ASIDE_MM = 10 };
	struct mole_coins coins = s->now.coins;
	struct mole_orders o = {.placed = {false, true}};

	o.place[1] = s->setup.board.start[1];
	o.place[1].x += ASIDE_MM * MOLE_MM;
	o.place[1].y -= ASIDE_MM * MOLE_MM;
	mole_put(&coins, &o);
	if (!mole_places_ok(&s->setup.board, &coins, NULL))
		o.place[1] = s->setup.board.start[1];
	strbuf_adds(out, "PLACE 1 ");
	mole_add_mm(out, o.place[1].x);
	strbuf_addc(out, ' ');
	mole_add_mm(out, o.place[1].y);
	strbuf_adds(out, "; ");
}

static void mignette_line(const struct game_state *s, unsigned which, struct strbuf *out)
{
	struct mole_point mole = whole_mm(&s->now.coins, MOLE);
	unsigned coin = nth_alive(&s->now.coins, which);

	if (which == 1 && s->now.first_go)
		add_place(s, out);
	strbuf_addf(out, "FLICK %u TO %lld %lld", coin, (long long)mole.x, (long long)mole.y);
	if (which == 1)
		strbuf_adds(out, " RANGE 50");
}

void mole_example(const struct game_state *s, unsigned which, struct strbuf *out)
{
	if (s->now.side == SIDE_MOLE)
		mole_line(s, which, out);
	else
		mignette_line(s, which, out);
}

void mole_examples(const struct game_state *s, unsigned seat, struct doc *out)
{
	if (!seat_in(mole_owes(s), seat))
		return;
	doc_in(out, DOC_HELP);
	for (unsigned i = 0; i < 2; i++) {
		struct strbuf text = STRBUF_INIT;

		mole_example(s, i, &text);
		doc_example(out, "%s", text.ptr);
		strbuf_release(&text);
	}
}
