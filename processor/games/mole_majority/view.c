/*
 * view.c - the report of a turn: story, board, players, what is one's own; and examples.
 */
#include <string.h>

#include "processor/games/mole_majority/majority.h"

enum { WIDE_COLS = 60 }; /* room for what can be seen of decks and tokens */

static const char *name_of(const struct game_state *s, unsigned seat)
{
	return s->seats[seat].name.text;
}

/* ---- The end ---- */

static const struct {
	unsigned end;
	const char *why;
} endings[] = {
    {END_TOKENS, "a player has no claim token left to place"},
    {END_MOLES, "the player whose turn it was has no mole left to place"},
    {END_FULL, "every hex of the board is claimed"},
    {END_ALONE, "no two players have claims on the board"},
    {END_CAP, "the last round is over"},
};

/* Made of a turn that was never played: what lies face down is worth nobody knows what. */
static bool is_guess(const struct game_state *s)
{
	return mm_over(s) && s->imagined;
}

static unsigned players_in(const struct game_state *s)
{
	unsigned n = 0;

	for (unsigned seat = 1; seat <= s->nseats; seat++)
		n += mm_is_in(s, seat);
	return n;
}

static unsigned unknown_homes(const struct game_state *s, unsigned seat, unsigned viewer)
{
	const struct mm_seat *p = &s->seats[seat];
	unsigned n = 0;

	for (unsigned i = 0; i < p->nhomes; i++)
		n += p->homes[i].imagined || (seat != viewer && !p->homes[i].open);
	return n;
}

/* Points that this viewer can be sure of. */
static unsigned sure_points(const struct game_state *s, unsigned seat, unsigned viewer)
{
	const struct mm_seat *p = &s->seats[seat];
	unsigned points = mm_hex_points(s, seat);

	for (unsigned i = 0; i < p->nhomes; i++)
		if (p->homes[i].open || (seat == viewer && !p->homes[i].imagined))
			points += p->homes[i].value;
	return points;
}

/* Who wins whatever the tokens are worth; 0 when it depends on them. */
static unsigned sure_winner(const struct game_state *s, unsigned viewer)
{
	unsigned winner = 0, least = 0, most = 0;

	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		unsigned n = sure_points(s, seat, viewer) + unknown_homes(s, seat, viewer);

		if (!mm_is_in(s, seat) || (winner && n <= least))
			continue;
		winner = seat;
		least = n;
	}
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		unsigned n = sure_points(s, seat, viewer) +
		             MM_HOME_MOST * unknown_homes(s, seat, viewer);

		if (mm_is_in(s, seat) && seat != winner && n > most)
			most = n;
	}
	return players_in(s) == 1 || least > most ? winner : 0;
}

static void tell_winners(const struct game_state *s, struct doc *out)
{
	struct strbuf text = STRBUF_INIT;
	struct game_result result;

	mm_result(s, &result);
	unsigned n = seat_count(result.winners), done = 0;

	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		if (!seat_in(result.winners, seat))
			continue;
		strbuf_add_sep(&text, done++, n, " and ");
		strbuf_adds(&text, name_of(s, seat));
	}
	if (!result.winners.bits)
		doc_paragraph(out, "Nobody is left in the game, so nobody wins.");
	else if (seat_count(result.winners) == 1)
		doc_paragraph(out, "%s wins.", text.ptr);
	else
		doc_paragraph(out, "%s share the win.", text.ptr);
	strbuf_release(&text);
}

static void tell_end(const struct game_state *s, unsigned viewer, struct doc *out)
{
	struct strbuf text = STRBUF_INIT;
	unsigned ends = mm_ends(s);
	const char *between = "";

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		if (!(ends & endings[i].end))
			continue;
		strbuf_adds(&text, between);
		strbuf_adds(&text, endings[i].why);
		between = ", and ";
	}
	doc_paragraph(out,
	              is_guess(s) ? "The game would be over: %s." : "The game is over: %s.",
	              text.ptr);
	if (is_guess(s) && players_in(s)) {
		unsigned winner = sure_winner(s, viewer), unknown = 0;

		for (unsigned seat = 1; seat <= s->nseats; seat++)
			unknown += mm_is_in(s, seat) ? unknown_homes(s, seat, viewer) : 0;
		if (winner && unknown)
			doc_paragraph(
			    out,
			    "%s would win, whatever the home tokens are worth that lie face "
			    "down.",
			    name_of(s, winner));
		else if (winner)
			doc_paragraph(out, "%s would win.", name_of(s, winner));
		else
			doc_paragraph(
			    out,
			    "Who would win depends on what you cannot know: on the home tokens "
			    "that lie face down, worth 1 to 3 each, and in a tie on the number "
			    "cards in hand. So no winner and no total is named here.");
	} else
		tell_winners(s, out);
	strbuf_release(&text);
}

/* What was hidden, and counts: home tokens, and hands for the last tie-break (rule 25). */
static void show_final(const struct game_state *s, unsigned viewer, struct doc *out)
{
	struct strbuf homes = STRBUF_INIT, hand = STRBUF_INIT;

	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		if (!mm_is_in(s, seat))
			continue;
		strbuf_clear(&homes);
		strbuf_clear(&hand);
		/* ", 3 for home tokens", and in a guess also ", 2 more face down" */
		unsigned unknown = is_guess(s) ? unknown_homes(s, seat, viewer) : 0;
		unsigned known = s->seats[seat].nhomes - unknown;

		if (known)
			strbuf_addf(&homes, ", %u for home tokens",
			            (is_guess(s) ? sure_points(s, seat, viewer)
			                         : mm_hex_points(s, seat) +
			                               mm_home_points(s, seat, true)) -
			                mm_hex_points(s, seat));
		if (unknown)
			strbuf_addf(&homes,
			            unknown == 1 ? ", %u to %u for %u home token face down"
			                         : ", %u to %u for %u home tokens face down",
			            unknown, MM_HOME_MOST * unknown, unknown);
		for (unsigned i = 0; i < s->seats[seat].hand.count; i++) {
			strbuf_addc(&hand, ' ');
			strbuf_adds(&hand, mm_cards[s->seats[seat].hand.cards[i]].name);
		}
		if (is_guess(s))
			doc_item(out, "%s: %u for hexes%s; %u moles on the board.",
			         name_of(s, seat), mm_hex_points(s, seat), homes.ptr,
			         MM_MOLES - mm_supply(s, seat));
		else
			doc_item(out, "%s: %u for hexes%s; %u moles on the board; in hand%s.",
			         name_of(s, seat), mm_hex_points(s, seat), homes.ptr,
			         MM_MOLES - mm_supply(s, seat), hand.ptr);
	}
	strbuf_release(&homes);
	strbuf_release(&hand);
}

/* ---- Position and players ---- */

static void show_player(const struct game_state *s, unsigned seat, struct strbuf *text,
                        struct doc *out)
{
	const struct mm_seat *p = &s->seats[seat];

	doc_cell(out, "%c %s", mm_letter(seat), name_of(s, seat));
	if (mm_is_in(s, seat))
		doc_cell(out, "%d", p->hand.count);
	else
		doc_cell(out, "out");
	doc_cell(out, "%d", (int)mm_supply(s, seat));
	doc_cell(out, "%d", (int)mm_tokens_left(s, seat));
	if (out->cols >= WIDE_COLS) {
		doc_cell(out, "%d", p->deck.count);
		/* Top three discards, topmost first, "--" where there is none. */
		strbuf_clear(text);
		for (unsigned i = 0; i < MM_OPEN_DISCARDS; i++) {
			unsigned card = mm_pile_top(&p->discard, i);

			strbuf_adds(text, i ? " " : "");
			strbuf_adds(text, card ? mm_cards[card].name : "--");
		}
		doc_cell(out, "%s", text->ptr);
		doc_cell(out, "%d", p->caveins);
		doc_cell(out, "%d", p->nhomes);
	}
	doc_cell(out, "%d",
	         (int)(mm_hex_points(s, seat) +
	               mm_home_points(s, seat, mm_over(s) && !is_guess(s))));
}

static void show_players(const struct game_state *s, struct doc *out)
{
	static const struct doc_column wide[] = {
	    {"player", DOC_LEFT},  {"hand", DOC_RIGHT},  {"moles", DOC_RIGHT},
	    {"claims", DOC_RIGHT}, {"deck", DOC_RIGHT},  {"discards", DOC_LEFT},
	    {"caves", DOC_RIGHT},  {"homes", DOC_RIGHT}, {"points", DOC_RIGHT},
	};
	static const struct doc_column narrow[] = {{"player", DOC_LEFT},
	                                           {"hand", DOC_RIGHT},
	                                           {"moles", DOC_RIGHT},
	                                           {"claims", DOC_RIGHT},
	                                           {"points", DOC_RIGHT}};
	struct strbuf text = STRBUF_INIT;

	if (out->cols < WIDE_COLS)
		doc_table(out, narrow, sizeof narrow / sizeof *narrow);
	else
		doc_table(out, wide, sizeof wide / sizeof *wide);
	for (unsigned i = 0; i < s->nseats; i++)
		show_player(s, s->ring[i], &text, out);
	strbuf_release(&text);
	if (s->turn > s->nseats) /* they have read it by then */
		return;
	doc_paragraph(
	    out,
	    s->setup.homes_reveal
		? "Moles and claims are those left to place; the points hold the home tokens "
		  "that lay face up. Discards: the top three, the topmost first; caves are "
		  "Cave-Ins left, homes the home tokens taken."
		: "Moles and claims are those left to place; what home tokens are worth is not in "
		  "the points yet. Discards: the top three, the topmost first; caves are "
		  "Cave-Ins left, homes the home tokens taken.");
}

/* Moles that a roll sent back, and hexes that changed hands. */
static void show_highlights(const struct game_state *s, struct doc *out)
{
	unsigned taken = 0, back = 0;
	const char *where = "";

	for (unsigned i = 0; i < s->nevents; i++) {
		const struct mm_event *e = &s->events[i];

		taken += e->kind == EVENT_CLAIM && e->args[0] == s->last && e->args[2] != 0;
		if (e->kind == EVENT_ROLL && e->args[3] > back) {
			back = e->args[3];
			where = mm_hex_names[e->args[0]];
		}
	}
	if (back > 1)
		doc_highlight(out, 2 * back, "Luckiest roll: %s sent %u moles back from %s.",
		              s->seats[s->last].name.text, back, where);
	if (taken > 0)
		doc_highlight(out, 2 * taken + 1,
		              taken == 1
		                  ? "Boldest move: %s took %u hex from another player."
		                  : "Boldest move: %s took %u hexes from other players in one "
		                    "turn.",
		              s->seats[s->last].name.text, taken);
}

/* The first event of that kind in the last turn; NULL if there was none. */
static const struct mm_event *event_of(const struct game_state *s, enum mm_event_kind kind)
{
	for (unsigned i = 0; i < s->nevents; i++)
		if (s->events[i].kind == kind)
			return &s->events[i];
	return NULL;
}

/* Hexes that `by` claimed last turn and has still; of those taken from `from` if that is not 0. */
static uint32_t claimed_by(const struct game_state *s, unsigned by, unsigned from)
{
	uint32_t set = 0;

	for (unsigned i = 0; i < s->nevents; i++) {
		const struct mm_event *e = &s->events[i];

		if (e->kind == EVENT_CLAIM && e->args[0] == by && (!from || e->args[2] == from))
			set |= mm_bit(e->args[1]);
	}
	return set & mm_claims(s, by);
}

/* Hexes whose token went back to `seat` last turn, so that nobody has them now. */
static uint32_t claims_gone(const struct game_state *s, unsigned seat)
{
	uint32_t set = 0;

	for (unsigned i = 0; i < s->nevents; i++) {
		const struct mm_event *e = &s->events[i];

		if (e->kind == EVENT_EMPTY && e->args[1] == seat)
			set |= mm_bit(e->args[0]);
		if (e->kind == EVENT_BARE && e->args[2] == seat)
			set |= mm_bit(e->args[1]);
	}
	for (unsigned other = 1; other <= s->nseats; other++)
		set &= ~mm_claims(s, other);
	return set;
}

/*
 * What changed hands is told first of all to whom it was taken from. Whose turn it was need not
 * have it now: a roll or a move away gives a hex to whoever has most moles left on it.
 */
static bool tell_claims(const struct game_state *s, unsigned viewer, struct doc *out)
{
	struct strbuf hexes = STRBUF_INIT;
	uint32_t taken = 0;
	unsigned by = 0;

	while (!taken && by < s->nseats)
		if (++by != viewer)
			taken = claimed_by(s, by, viewer);
	out->concerns_viewer = taken || claims_gone(s, viewer) || !mm_is_in(s, viewer);
	if (taken) {
		mm_add_hexes(&hexes, taken);
		doc_paragraph(out, "%s took %s from you.", name_of(s, by), hexes.ptr);
	} else if (claims_gone(s, viewer)) {
		mm_add_hexes(&hexes, claims_gone(s, viewer));
		doc_paragraph(out, "You lost your claim on %s.", hexes.ptr);
	} else if (claimed_by(s, viewer, 0)) {
		mm_add_hexes(&hexes, claimed_by(s, viewer, 0));
		doc_paragraph(out, "You claimed %s.", hexes.ptr);
	} else if (claimed_by(s, s->last, 0)) {
		mm_add_hexes(&hexes, claimed_by(s, s->last, 0));
		doc_paragraph(out, "%s claimed %s.", name_of(s, s->last), hexes.ptr);
	}
	bool told = hexes.len > 0;

	strbuf_release(&hexes);
	return told;
}

void mm_view(const struct game_state *s, unsigned viewer, struct doc *out)
{
	show_highlights(s, out);
	const struct mm_event *first = event_of(s, EVENT_FIRST);

	doc_in(out, DOC_NEWS);
	if (viewer && s->last) {
		/* "Bob took C3 from you.", "You claimed D2 and E1.", "Bob played N4." */
		const char *who = s->last == viewer ? "You" : name_of(s, s->last);
		const struct mm_event *play = event_of(s, EVENT_PLAY);
		if (!tell_claims(s, viewer, out)) {
			if (play)
				doc_paragraph(out, "%s played %s.", who,
				              mm_cards[play->args[0]].title);
			else if (event_of(s, EVENT_DISCARD))
				doc_paragraph(out, "%s discarded the whole hand.", who);
			else if (event_of(s, EVENT_PASS))
				doc_paragraph(out, "%s passed.", who);
		}
	} else if (viewer && first && (out->concerns_viewer = true))
		doc_paragraph(out, "The board is built. First to play: %s.",
		              first->args[0] == viewer ? "you" : name_of(s, first->args[0]));
	doc_in(out, DOC_TASK);
	if (s->turn == 0)
		doc_paragraph(out, "choose your base and hexes");
	doc_in(out, DOC_STORY);
	mm_tell_story(s, viewer, out);
	if (mm_over(s))
		tell_end(s, viewer, out);
	doc_in(out, DOC_POSITION);
	if (s->turn == 0)
		doc_heading(out, "The board before the set-up");
	else if (mm_over(s))
		doc_heading(out, "The board at the end, after turn %u", s->turn - 1);
	else if (s->last == 0)
		doc_heading(out, "Turn 1, round 1 (of at most %u): %s begins", s->setup.rounds,
		            name_of(s, s->active));
	else
		doc_heading(out, "Turn %u, round %u (of at most %u): after %s it is up to %s",
		            s->turn, s->round, s->setup.rounds, name_of(s, s->last),
		            name_of(s, s->active));
	mm_show_map(s, out);
	if (s->turn == 0) {
		struct strbuf text = STRBUF_INIT;

		doc_paragraph(out, "What everybody lays, in the order of play:");
		for (unsigned i = 0; i < s->nseats; i++) {
			const struct mm_seat *p = &s->seats[s->ring[i]];

			strbuf_clear(&text);
			for (unsigned t = 0; t < p->ntiles; t++) {
				strbuf_add_sep(&text, t, p->ntiles, " and ");
				strbuf_addf(&text, "%u", p->tiles[t]);
			}
			doc_item(out, "%s: a base, and hexes of %s.", p->name.text, text.ptr);
		}
		strbuf_release(&text);
	}
	if (s->turn)
		show_players(s, out);
	doc_in(out, DOC_SCORES);
	if (mm_over(s))
		show_final(s, viewer, out);
	mm_show_own(s, viewer, out);
}
