/*
 * view.c - what the players see of a round: its story, holes and shops, a line for everybody,
 * and for each their own hand and what it is good for.
 */
#include <string.h>

#include "processor/games/mole_park/park.h"

static const char *name_of(const struct game_state *s, unsigned seat)
{
	return s->seats[seat].name.text;
}

const char *park_king_title(const struct game_state *s)
{
	return s->style.text[0] ? s->style.text : "King Mole";
}

/* " (2 of 1 star, 3 of 5 stars)", nothing when the Mole Hill is empty. */
static void show_hill(const struct game_state *s, struct doc *out)
{
	unsigned counts[PARK_STARS + 1] = {0};
	struct strbuf moles = STRBUF_INIT;

	for (unsigned i = 0; i < s->hill.count; i++)
		counts[park_mole_stars(&s->setup, s->hill.cards[i])]++;
	for (unsigned stars = 1; stars <= PARK_STARS; stars++) {
		if (counts[stars] == 0)
			continue;
		strbuf_adds(&moles, moles.len ? ", " : "");
		strbuf_addf(&moles, stars == 1 ? "%u of %u star" : "%u of %u stars",
		            counts[stars], stars);
	}
	if (s->hill.count)
		doc_paragraph(out,
		              "%s: %s. Moles in the deck: %u. On the Mole Hill, open: %u (%s).",
		              park_king_title(s), name_of(s, s->king), s->deck.count,
		              s->hill.count, moles.ptr);
	else
		doc_paragraph(out, "%s: %s. Moles in the deck: %u. On the Mole Hill, open: 0.",
		              park_king_title(s), name_of(s, s->king), s->deck.count);
	strbuf_release(&moles);
}

static void show_position(const struct game_state *s, struct doc *out)
{
	doc_in(out, DOC_POSITION);
	if (s->round == 1)
		doc_heading(out, "Before round 1 (of at most %u)", s->setup.rounds);
	else
		doc_heading(out, "After round %u (of at most %u)", s->round - 1,
		            s->setup.rounds);
	show_hill(s, out);
	park_board(s, out);
}

/* --- everybody --------------------------------------------------------------- */

static void show_die(const struct park_deed *d, struct doc *out)
{
	static const char *const names[PARK_DICE_END] = {"-", "Glove", "Pan", "Mallet",
	                                                 "Prize"};

	if (d->die == PARK_NO_DIE)
		doc_cell(out, "-");
	else if (d->face == 0)
		doc_cell(out, "%s X", names[d->die]);
	else
		doc_cell(out, "%s %u", names[d->die], d->face);
}

static void show_won(const struct game_state *s, unsigned seat, struct doc *out)
{
	const struct park_deed *d = &s->seats[seat].last;

	if (s->winner == seat)
		doc_cell(out, "the game");
	else if (d->won)
		doc_cell(out, "%s %u", park_shops[park_prize_shop(d->won)].brief,
		         park_prize_stars(&s->setup, d->won));
	else
		doc_cell(out, "-");
}

static void show_row(const struct game_state *s, unsigned seat, struct doc *out)
{
	const struct park_seat *p = &s->seats[seat];

	doc_cell(out, "%s", p->name.text);
	if (p->left) {
		doc_cell(out, "left");
		for (int empty = 0; empty < 5; empty++)
			doc_cell(out, "-");
		return;
	}
	show_die(&p->last, out);
	doc_cell(out, "%u", p->last.got.count);
	doc_cell(out, "%u", p->hand.count);
	if (p->last.total)
		doc_cell(out, "%u", p->last.total);
	else
		doc_cell(out, "-");
	show_won(s, seat, out);
	doc_cell(out, "%u", park_prizes_worth(s, seat));
}

/* "Candy Cane (2)", "Toy Sack (5, BAG)" */
static void add_prize(const struct game_state *s, unsigned prize, struct strbuf *out)
{
	strbuf_addf(out, "%s (%u", park_prize_name(prize), park_prize_stars(&s->setup, prize));
	if (park_is_bag(&s->setup, prize))
		strbuf_adds(out, ", BAG");
	if (park_is_steady(&s->setup, prize))
		strbuf_adds(out, ", STEADY");
	strbuf_addc(out, ')');
}

static void show_prizes(const struct game_state *s, unsigned seat, struct doc *out)
{
	const struct park_seat *p = &s->seats[seat];
	struct strbuf prizes = STRBUF_INIT;

	for (unsigned i = 0; i < p->nprizes; i++) {
		strbuf_adds(&prizes, i ? ", " : "");
		add_prize(s, p->prizes[i], &prizes);
	}
	if (p->nprizes)
		doc_item(out, "%s owns: %s.", name_of(s, seat), prizes.ptr);
	strbuf_release(&prizes);
}

static void show_scores(const struct game_state *s, struct doc *out)
{
	static const struct doc_column columns[] = {
	    {"player", DOC_LEFT},    {"die", DOC_LEFT},    {"got", DOC_RIGHT},
	    {"hand", DOC_RIGHT},     {"total", DOC_RIGHT}, {"won", DOC_LEFT},
	    {"winnings", DOC_RIGHT},
	};

	doc_in(out, DOC_SCORES);
	if (s->round == 1)
		return;
	doc_table(out, columns, sizeof columns / sizeof *columns);
	for (unsigned i = 0; i < s->nseats; i++)
		show_row(s, s->ring[i], out);
	for (unsigned i = 0; i < s->nseats; i++)
		show_prizes(s, s->ring[i], out);
}

/* --- their own ------------------------------------------------------------------- */

static void add_moles(const struct game_state *s, const struct park_pile *moles,
                      struct strbuf *out)
{
	for (unsigned i = 0; i < moles->count; i++) {
		strbuf_adds(out, i ? "; " : "");
		park_add_mole(s, moles->cards[i], out);
	}
}

static void show_hand(const struct game_state *s, unsigned seat, struct doc *out)
{
	const struct park_seat *p = &s->seats[seat];
	unsigned stars = park_pile_stars(&s->setup, &p->hand);
	struct strbuf text = STRBUF_INIT;

	if (p->last.got.count) {
		add_moles(s, &p->last.got, &text);
		doc_paragraph(out, "Out of hole %u you got %s.", p->last.face, text.ptr);
		strbuf_clear(&text);
	}
	add_moles(s, &p->hand, &text);
	if (p->hand.count)
		doc_paragraph(out,
		              stars == 1
		                  ? "Your hand, %u of at most %u: %s. Together %u star."
		                  : "Your hand, %u of at most %u: %s. Together %u stars.",
		              p->hand.count, park_hand_limit(s, seat), text.ptr, stars);
	else
		doc_paragraph(out, "Your hand is empty; it can hold %u moles.",
		              park_hand_limit(s, seat));
	strbuf_release(&text);
}

/* "TOYS (15) for sure, INFLATION (20) with a 3 or more" */
static void add_reach(const struct game_state *s, unsigned sure, struct strbuf *out)
{
	for (unsigned i = 0; i < PARK_SHOPS; i++) {
		unsigned price = park_shops[i].price;

		if (!s->shops[i].up || price > sure + PARK_FACES)
			continue;
		strbuf_adds(out, out->len ? ", " : "");
		strbuf_addf(out,
		            price <= sure + 1            ? "%s for sure"
		            : price - sure == PARK_FACES ? "%s with a %u"
		                                         : "%s with a %u or more",
		            park_shops[i].key, price - sure);
	}
}

static void show_reach(const struct game_state *s, unsigned seat, struct doc *out)
{
	const struct park_seat *p = &s->seats[seat];
	unsigned sure = park_pile_stars(&s->setup, &p->hand) + park_prizes_worth(s, seat);
	struct strbuf text = STRBUF_INIT;

	if (p->hand.count == 0)
		return;
	add_reach(s, sure, &text);
	doc_paragraph(out,
	              text.len ? "With the Prize die you could show %u to %u next round, your "
	                         "winnings counted in: %s."
	                       : "With the Prize die you could show %u to %u next round, your "
	                         "winnings counted in: not enough for any prize.",
	              sure + 1, sure + PARK_FACES, text.ptr);
	if (sure + 1 >= PARK_CROWN)
		doc_paragraph(out, "That is enough for the CROWN, whatever the die shows!");
	else if (sure + PARK_FACES >= PARK_CROWN)
		doc_paragraph(
		    out,
		    PARK_CROWN - sure == PARK_FACES
			? "The CROWN is within reach: it takes a %u on the Prize die."
			: "The CROWN is within reach: it takes a %u or more on the Prize die.",
		    PARK_CROWN - sure);
	else
		doc_paragraph(out, "For the CROWN even a 6 would leave you %u short.",
		              PARK_CROWN - sure - PARK_FACES);
	strbuf_release(&text);
}

/* In words: an order in the middle of prose becomes one when a mail program breaks the line. */
static void show_lists(const struct game_state *s, unsigned seat, struct doc *out)
{
	struct strbuf text = STRBUF_INIT;
	struct order_set o;
	bool king = seat == s->king;

	park_no_orders(s, seat, &o);
	park_echo_lists(s, &o,
	                1U << PARK_WISHES | 1U << PARK_DISCARD | (unsigned)king << PARK_FAVOUR,
	                &text);
	doc_paragraph(out, "Until you say otherwise:%s", text.ptr);
	if (king)
		doc_paragraph(out, "You are King Mole: in any tie you come last, and your word "
		                   "decides among the others.");
	strbuf_release(&text);
}

static void show_own(const struct game_state *s, unsigned viewer, struct doc *out)
{
	if (!seat_in(park_owes(s), viewer))
		return;
	doc_in(out, DOC_OWN);
	show_hand(s, viewer, out);
	show_reach(s, viewer, out);
	show_lists(s, viewer, out);
}

/* "You whacked 3 moles." Its own lines of the story, which all may read. */
static void show_news(const struct game_state *s, unsigned viewer, struct doc *out)
{
	const struct park_deed *d = &s->seats[viewer].last;

	if (viewer == 0 || s->round == 1 || s->seats[viewer].left)
		return;
	doc_in(out, DOC_NEWS);
	if (d->won)
		doc_paragraph(out, "You won a prize: the %s.", park_prize_name(d->won));
	else if (d->got.count)
		doc_paragraph(
		    out, d->got.count == 1 ? "You whacked %u mole." : "You whacked %u moles.",
		    d->got.count);
	else if (d->total)
		doc_paragraph(out, "You showed %u stars and won no prize.", d->total);
	else
		doc_paragraph(out, "You got no mole and no prize this round.");
}

/* What the dice and the winnings came to. */
static void show_highlights(const struct game_state *s, struct doc *out)
{
	enum { OF_THE_CROWN = 100 };

	for (unsigned seat = 1; seat <= s->nseats && s->round > 1; seat++) {
		const struct park_deed *d = &s->seats[seat].last;
		const char *name = s->seats[seat].name.text;

		if (s->seats[seat].left)
			continue;
		if (d->finalist)
			doc_highlight(out, OF_THE_CROWN + park_showdown_total(s, seat),
			              "Closest call: the showdown, in which %s came to %u.",
			              name, park_showdown_total(s, seat));
		else if (d->declared && d->total >= PARK_CROWN)
			doc_highlight(
			    out, OF_THE_CROWN + d->face,
			    "Luckiest roll: %s threw a %u and showed %u stars for the "
			    "crown.",
			    name, d->face, d->total);
		else if (d->declared)
			doc_highlight(
			    out, d->total,
			    "So near: %s went for the crown and showed %u stars of %u.", name,
			    d->total, (unsigned)PARK_CROWN);
		else if (d->got.count > 1)
			doc_highlight(out, d->got.count,
			              "Best throw: %s whacked %u moles at once.", name,
			              d->got.count);
	}
}

void park_view(const struct game_state *s, unsigned viewer, struct doc *out)
{
	show_highlights(s, out);
	show_news(s, viewer, out);
	doc_in(out, DOC_STORY);
	park_tell_round(s, out);
	show_position(s, out);
	show_scores(s, out);
	show_own(s, viewer, out);
}

/* Something to whack with, and what the hand is good for. */
void park_examples(const struct game_state *s, unsigned seat, struct doc *out)
{
	const struct park_seat *p = &s->seats[seat];
	unsigned sure = park_pile_stars(&s->setup, &p->hand) + park_prizes_worth(s, seat);

	if (!seat_in(park_owes(s), seat))
		return;
	doc_in(out, DOC_HELP);
	doc_example(out, "ROLL PAN; PRIZES TOYS CANDY");
	if (p->hand.count && sure + 1 >= PARK_CROWN)
		doc_example(out, "crown");
	else if (p->hand.count && sure + PARK_FACES >= PARK_CROWN)
		doc_example(out, "roll mallet, crown if any");
	else if (p->hand.count)
		doc_example(out, "roll prize; discard low");
	else
		doc_example(out, "roll glove; discard low");
}
