/*
 * view.c - what the players see of a round: its story, holes and shops, a line for everybody,
 * and for each their own hand and what it is good for.
 */
#include <string.h>

#include "processor/games/mole_park/park.h"

enum { PARK_NEAR = 10, WIDE_COLS = 55 };

static const char *name_of(const struct game_state *s, unsigned seat)
{
	return s->seats[seat].name.text;
}

/* --- everybody --------------------------------------------------------------- */

static void show_row(const struct game_state *s, unsigned seat, struct doc *out)
{
	const struct park_seat *p = &s->seats[seat];
	bool wide = out->cols >= WIDE_COLS;

	doc_cell(out, "%s", p->name.text);
	if (p->left) {
		doc_cell(out, "left");
		for (int empty = 0; empty < (wide ? 5 : 3); empty++)
			doc_cell(out, "-");
		return;
	}
	static const char *const names[PARK_DICE_END] = {"-", "Glove", "Pan", "Mallet",
	                                                 "Prize"};

	if (p->last.die == PARK_NO_DIE)
		doc_cell(out, "-");
	else if (p->last.face == 0)
		doc_cell(out, "%s X", names[p->last.die]);
	else
		doc_cell(out, "%s %u", names[p->last.die], p->last.face);
	doc_cell(out, "%u", p->hand.count);
	const struct park_deed *d = &s->seats[seat].last;

	if (s->winner == seat)
		doc_cell(out, "the game");
	else if (d->won)
		doc_cell(out, "%s %u", park_shops[park_prize_shop(d->won)].brief,
		         park_prize_stars(&s->setup, d->won));
	else
		doc_cell(out, "-");
	if (wide) {
		doc_cell(out, "%u", p->last.got.count);
		if (p->last.total)
			doc_cell(out, "%u", p->last.total);
		else
			doc_cell(out, "-");
	}
	doc_cell(out, "%u", park_prizes_worth(s, seat));
}

/* "ann owns: Toy Sack (BAG)": of what lies in the table as stars those prizes that do something. */
static void show_prizes(const struct game_state *s, unsigned seat, struct doc *out)
{
	const struct park_seat *p = &s->seats[seat];
	struct strbuf prizes = STRBUF_INIT;

	for (unsigned i = 0; i < p->nprizes; i++) {
		bool bag = park_is_bag(&s->setup, p->prizes[i]);

		if (bag || park_is_steady(&s->setup, p->prizes[i]))
			strbuf_addf(&prizes, "%s%s (%s)", prizes.len ? ", " : "",
			            park_prize_name(p->prizes[i]), bag ? "BAG" : "STEADY");
	}
	if (prizes.len)
		doc_item(out, "%s owns: %s.", name_of(s, seat), prizes.ptr);
	strbuf_release(&prizes);
}

static void show_scores(const struct game_state *s, struct doc *out)
{
	static const struct doc_column wide[] = {
	    {"player", DOC_LEFT}, {"die", DOC_LEFT},    {"hand", DOC_RIGHT},  {"won", DOC_LEFT},
	    {"got", DOC_RIGHT},   {"shown", DOC_RIGHT}, {"stars", DOC_RIGHT},
	};
	static const struct doc_column narrow[] = {{"player", DOC_LEFT},
	                                           {"die", DOC_LEFT},
	                                           {"hand", DOC_RIGHT},
	                                           {"won", DOC_LEFT},
	                                           {"stars", DOC_RIGHT}};

	doc_in(out, DOC_SCORES);
	if (s->round == 1)
		return;
	if (out->cols < WIDE_COLS)
		doc_table(out, narrow, sizeof narrow / sizeof *narrow);
	else
		doc_table(out, wide, sizeof wide / sizeof *wide);
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

static void show_reach(const struct game_state *s, unsigned seat, struct doc *out)
{
	const struct park_seat *p = &s->seats[seat];
	unsigned sure = park_pile_stars(&s->setup, &p->hand) + park_prizes_worth(s, seat);
	unsigned nsure = 0, told = 0;
	struct strbuf text = STRBUF_INIT;

	if (p->hand.count == 0)
		return;
	/* "CANDY and TOYS for sure, INFLATION with a 3 or more": the dear ones come last. */
	for (unsigned i = 0; i < PARK_SHOPS; i++)
		nsure += s->shops[i].up && park_shops[i].price <= sure + 1;
	for (unsigned i = 0; i < PARK_SHOPS; i++) {
		unsigned price = park_shops[i].price;

		if (!s->shops[i].up || price > sure + PARK_FACES)
			continue;
		if (price <= sure + 1) {
			strbuf_add_sep(&text, told++, nsure, " and ");
			strbuf_addf(&text, told == nsure ? "%s for sure" : "%s",
			            park_shops[i].key);
		} else {
			strbuf_adds(&text, text.len ? ", " : "");
			strbuf_addf(&text,
			            price - sure == PARK_FACES ? "%s with a %u"
			                                       : "%s with a %u or more",
			            park_shops[i].key, price - sure);
		}
	}
	if (sure + 1 >= PARK_CROWN)
		strbuf_adds(&text, "; enough for the CROWN, whatever the die shows");
	else if (sure + PARK_FACES >= PARK_CROWN)
		strbuf_addf(&text, "; the CROWN with a %u%s", PARK_CROWN - sure,
		            PARK_CROWN - sure == PARK_FACES ? "" : " or more");
	else if (sure + PARK_FACES + PARK_NEAR >= PARK_CROWN)
		strbuf_addf(&text, "; for the CROWN even a 6 leaves you %u short",
		            PARK_CROWN - sure - PARK_FACES);
	doc_item(out, "With the Prize die %u to %u: %s.", sure + 1, sure + PARK_FACES,
	         text.len ? text.ptr : "not enough for any prize");
	strbuf_release(&text);
}

/*
 * In words: an order in the middle of prose becomes one when a mail program breaks the line. What is so from the
 * beginning is said once.
 */
static void show_lists(const struct game_state *s, unsigned seat, struct doc *out)
{
	struct strbuf text = STRBUF_INIT;
	struct order_set o;
	bool king = seat == s->king;
	unsigned told = 0;

	park_no_orders(s, seat, &o);
	if (o.rows[PARK_WISHES].count || s->round == 1)
		told |= 1U << PARK_WISHES;
	if (o.rows[PARK_DISCARD].count || o.rows[PARK_DISCARD].alone != PARK_LOW ||
	    s->round == 1)
		told |= 1U << PARK_DISCARD;
	park_echo_lists(s, &o, told, &text);
	if (king)
		strbuf_adds(&text, " You are King Mole: in any tie you come last, and decide "
		                   "among the others.");
	if (king)
		park_echo_lists(s, &o, 1U << PARK_FAVOUR, &text);
	if (text.len > 0)
		doc_item(out, "%s", text.ptr + 1);
	strbuf_release(&text);
}

/* What the round brought them. */
static void show_news(const struct game_state *s, unsigned viewer, struct doc *out)
{
	const struct park_deed *d = &s->seats[viewer].last;

	if (viewer == 0 || s->round == 1 || s->seats[viewer].left)
		return;
	doc_in(out, DOC_NEWS);
	if (d->won)
		doc_paragraph(out, "You won a prize: the %s.", park_prize_name(d->won));
	else if (d->got.count) {
		/* "Out of hole 4 you got No. 57, Gladys Gooseberry (2 stars)." */
		struct strbuf text = STRBUF_INIT;

		add_moles(s, &d->got, &text);
		if (d->got.count == 1)
			doc_paragraph(out, "Out of hole %u you got %s.", d->face, text.ptr);
		else
			doc_paragraph(out, "Out of hole %u you got %u moles of %u stars.",
			              d->face, d->got.count,
			              park_pile_stars(&s->setup, &d->got));
		strbuf_release(&text);
	} else if (d->total)
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
	doc_in(out, DOC_POSITION);
	struct park_style king, go;

	park_style_read(s->style.text, &king, &go);
	if (s->round == 1)
		doc_heading(out, "Before round 1 (of at most %u)", s->setup.rounds);
	else
		doc_heading(out, "After round %u (of at most %u)", s->round - 1,
		            s->setup.rounds);
	/* " (2 of 1 star, 3 of 5 stars)", nothing when the Mole Hill is empty. */
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
	if (s->hill.count && out->cols >= WIDE_COLS)
		doc_paragraph(
		    out, "%s: %s. Moles in the deck: %u. On the Mole Hill, open: %u (%s).",
		    king.text, name_of(s, s->king), s->deck.count, s->hill.count, moles.ptr);
	else
		doc_paragraph(out, "%s: %s. Moles in the deck: %u. On the Mole Hill, open: %u.",
		              king.text, name_of(s, s->king), s->deck.count, s->hill.count);
	strbuf_release(&moles);
	park_board(s, out);
	show_scores(s, out);
	if (!seat_in(park_owes(s), viewer))
		return;
	doc_in(out, DOC_OWN);
	const struct park_seat *p = &s->seats[viewer];
	unsigned stars = park_pile_stars(&s->setup, &p->hand);
	struct strbuf text = STRBUF_INIT;

	add_moles(s, &p->hand, &text);
	if (p->hand.count)
		doc_item(out,
		         stars == 1 ? "Your hand, %u of at most %u: %s. Together %u star."
		                    : "Your hand, %u of at most %u: %s. Together %u stars.",
		         p->hand.count, park_hand_limit(s, viewer), text.ptr, stars);
	else
		doc_item(out, "Your hand is empty; it can hold %u moles.",
		         park_hand_limit(s, viewer));
	strbuf_release(&text);
	show_reach(s, viewer, out);
	show_lists(s, viewer, out);
}
