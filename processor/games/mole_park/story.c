/*
 * story.c - the round just played, told: who whacked where, who shared what, who won which
 * prize, who went for the crown.
 *
 * Told to everybody, so of the moles out of the holes only how many they were. No
 * sentence ends in a word that would be an order at the beginning of a line.
 */
#include <string.h>

#include "processor/games/mole_park/park.h"

/* What all parts of the story want at hand. */
struct story {
	const struct game_state *s;
	unsigned seats[PARK_SEATS]; /* round the table */
	unsigned n;
	struct park_style king, go; /* park_style_read */
	struct strbuf list;         /* names or moles, for one sentence at a time */
	struct doc *out;
};

static const char *name_of(const struct game_state *s, unsigned seat)
{
	return s->seats[seat].name.text;
}

static const struct park_deed *deed(const struct story *t, unsigned i)
{
	return &t->s->seats[t->seats[i]].last;
}

/* "Ann", "Ann and Bob", "Ann, Bob and Cid"; until the next list. */
static const char *names_of(struct story *t, const unsigned *seats, unsigned n)
{
	strbuf_clear(&t->list);
	for (unsigned i = 0; i < n; i++) {
		strbuf_add_sep(&t->list, i, n, " and ");
		strbuf_adds(&t->list, name_of(t->s, seats[i]));
	}
	return t->list.ptr;
}

/* "Percy Pinstripe (1) and Zoe Zigzag (5)"; until the next list. */
static const char *moles_shown(struct story *t, const struct park_pile *moles)
{
	strbuf_clear(&t->list);
	for (unsigned i = 0; i < moles->count; i++) {
		strbuf_add_sep(&t->list, i, moles->count, " and ");
		strbuf_addf(&t->list, "%s (%u)", park_mole_name(moles->cards[i]),
		            park_mole_stars(&t->s->setup, moles->cards[i]));
	}
	return t->list.ptr;
}

/* --- before the dice ------------------------------------------------------ */

static void tell_declarations(struct story *t)
{
	unsigned bold[PARK_SEATS], answering[PARK_SEATS];
	unsigned nbold = 0, nanswering = 0;

	for (unsigned i = 0; i < t->n; i++) {
		if (deed(t, i)->declared == PARK_DECLARED)
			bold[nbold++] = t->seats[i];
		if (deed(t, i)->declared == PARK_ANSWERED)
			answering[nanswering++] = t->seats[i];
	}
	if (nbold)
		doc_item(t->out,
		         nbold == 1 ? "%s reaches for the CROWN this round!"
		                    : "%s reach for the CROWN this round!",
		         names_of(t, bold, nbold));
	if (nbold && nanswering)
		doc_item(t->out,
		         nanswering == 1
		             ? "%s had sworn to try as well, should anybody dare, and does."
		             : "%s had sworn to try as well, should anybody dare, and do.",
		         names_of(t, answering, nanswering));
}

/* --- moles ------------------------------------------------------------------ */

static bool whacks(const struct park_deed *d)
{
	return d->die > PARK_NO_DIE && d->die < PARK_PRIZE_DIE;
}

static void tell_one_whacker(struct story *t, unsigned hole, unsigned seat)
{
	const char *die = park_die_names[t->s->seats[seat].last.die];
	const char *name = name_of(t->s, seat);
	unsigned had = t->s->had[hole - 1];

	if (had == 0)
		doc_item(t->out, "%s brings the %s down on hole %u: nobody at home.", name, die,
		         hole);
	else if ((t->s->round + hole) % 3 == 0)
		doc_item(t->out,
		         had == 1 ? "%s clears hole %u with the %s: %u mole."
		                  : "%s clears hole %u with the %s: %u moles.",
		         name, hole, die, had);
	else if ((t->s->round + hole) % 3 == 1)
		doc_item(t->out,
		         had == 1 ? "%s swings the %s at hole %u and bags %u mole."
		                  : "%s swings the %s at hole %u and bags %u moles.",
		         name, die, hole, had);
	else
		doc_item(t->out,
		         had == 1 ? "Thump! %s hits hole %u with the %s and gets %u mole."
		                  : "Thump! %s hits hole %u with the %s and gets %u moles.",
		         name, hole, die, had);
}

static void tell_crowd(struct story *t, unsigned hole, const unsigned *seats, unsigned n)
{
	const char *names = names_of(t, seats, n);
	unsigned had = t->s->had[hole - 1];
	unsigned share = had / n;
	unsigned stay = had % n;

	if (had == 0)
		doc_item(t->out, "%s bump heads over hole %u, which is empty.", names, hole);
	else if (share == 0)
		doc_item(t->out,
		         had == 1
		             ? "%s want hole %u at once, and the %u mole in it slips away."
		             : "%s want hole %u at once, and the %u moles in it slip away.",
		         names, hole, had);
	else if (stay == 0)
		doc_item(t->out, "%s split the %u moles of hole %u: %u each.", names, had, hole,
		         share);
	else
		doc_item(t->out,
		         stay == 1
		             ? "%s split the %u moles of hole %u: %u each, and %u stays below."
		             : "%s split the %u moles of hole %u: %u each, and %u stay below.",
		         names, had, hole, share, stay);
}

/* Those who missed and those who did nothing, a sentence for each kind. */
static void tell_the_rest(struct story *t)
{
	unsigned missed[PARK_SEATS], idle[PARK_SEATS];
	unsigned nmissed = 0, nidle = 0;

	for (unsigned i = 0; i < t->n; i++) {
		const struct park_deed *d = deed(t, i);

		if (whacks(d) && d->again)
			doc_item(t->out,
			         "The %s of %s showed an X, but a steady hand threw it again.",
			         park_die_names[d->die], name_of(t->s, t->seats[i]));
		if (whacks(d) && d->face == 0)
			missed[nmissed++] = t->seats[i];
		else if (d->die == PARK_NO_DIE && !t->s->seats[t->seats[i]].left)
			idle[nidle++] = t->seats[i];
	}
	if (nmissed)
		doc_item(t->out, "%s threw an X and hit nothing but grass.",
		         names_of(t, missed, nmissed));
	if (nidle)
		doc_item(t->out,
		         nidle == 1 ? "%s watched with both hands in the pockets."
		                    : "%s watched with all hands in the pockets.",
		         names_of(t, idle, nidle));
}

void park_add_mole(const struct game_state *s, unsigned mole, struct strbuf *out)
{
	unsigned stars = park_mole_stars(&s->setup, mole);

	strbuf_addf(out, stars == 1 ? "No. %u, %s (%u star)" : "No. %u, %s (%u stars)", mole,
	            park_mole_name(mole), stars);
}

/* --- prizes ----------------------------------------------------------------- */

/* What a show of moles is worth: "6 of moles + 4 on the die = 10 stars". */
static void add_total(const struct story *t, unsigned seat, struct strbuf *out)
{
	const struct park_deed *d = &t->s->seats[seat].last;
	unsigned moles = park_pile_stars(&t->s->setup, &d->shown);
	unsigned prizes = d->total - moles - d->face;

	if (prizes)
		strbuf_addf(out, "%u of moles + %u on the die + %u of winnings = %u stars",
		            moles, d->face, prizes, d->total);
	else
		strbuf_addf(out, "%u of moles + %u on the die = %u stars", moles, d->face,
		            d->total);
}

/* The seat that chose as n-th, 0 if nobody did. */
static unsigned chose_as(const struct story *t, unsigned n)
{
	for (unsigned i = 0; i < t->n; i++)
		if (deed(t, i)->pick == n)
			return t->seats[i];
	return 0;
}

static void tell_prizes(struct story *t)
{
	unsigned before = 0;
	unsigned seat;

	for (unsigned n = 1; (seat = chose_as(t, n)) != 0; n++, before = seat) {
		const struct park_deed *d = &t->s->seats[seat].last;
		const char *name = name_of(t->s, seat), *shown = moles_shown(t, &d->shown);
		unsigned stars = d->won ? park_prize_stars(&t->s->setup, d->won) : 0;
		struct strbuf total = STRBUF_INIT;

		add_total(t, seat, &total);
		if (d->won)
			doc_item(t->out,
			         stars == 1
			             ? "%s shows %s: %s, and takes the %s (%u star) from %s."
			             : "%s shows %s: %s, and takes the %s (%u stars) from %s.",
			         name, shown, total.ptr, park_prize_name(d->won), stars,
			         park_shops[park_prize_shop(d->won)].name);
		else if (d->total < park_shops[0].price)
			doc_item(t->out, "%s shows %s: %s, too little even for The Candy Bar.",
			         name, shown, total.ptr);
		else
			doc_item(t->out, "%s shows %s: %s, and takes no prize for it.", name,
			         shown, total.ptr);
		strbuf_release(&total);
		if (before && t->s->seats[before].last.total == t->s->seats[seat].last.total)
			doc_item(t->out,
			         "(That is as many as %s, who went first by the word of %s.)",
			         name_of(t->s, before), t->king.text);
	}
	for (unsigned i = 0; i < t->n; i++)
		if (deed(t, i)->die == PARK_PRIZE_DIE && !deed(t, i)->total)
			doc_item(t->out, "%s has a %u on the Prize die and no mole to show.",
			         name_of(t->s, t->seats[i]), deed(t, i)->face);
}

/* --- the crown --------------------------------------------------------------- */

static void tell_finalist(struct story *t, unsigned seat)
{
	const struct park_seat *p = &t->s->seats[seat];
	unsigned total = park_showdown_total(t->s, seat);
	struct park_pile best = p->hand;

	const struct park_deed *d = &t->s->seats[seat].last;

	strbuf_clear(&t->list);
	for (enum park_die die = PARK_GLOVE; die < PARK_DICE_END; die++)
		if (d->faces[die])
			strbuf_addf(&t->list, die == PARK_GLOVE ? "%s %u" : ", %s %u",
			            park_die_names[die], d->faces[die]);
		else
			strbuf_addf(&t->list, die == PARK_GLOVE ? "%s X" : ", %s X",
			            park_die_names[die]);
	doc_item(t->out, "%s throws %s.", name_of(t->s, seat), t->list.ptr);
	best.count = best.count > PARK_HAND ? PARK_HAND : best.count;
	if (best.count == 0)
		doc_item(t->out, "%s has no mole: %u.", name_of(t->s, seat), total);
	else if (p->hand.count > PARK_HAND)
		doc_item(t->out, "The best five of %s's %u moles are %s: %u.",
		         name_of(t->s, seat), p->hand.count, moles_shown(t, &best), total);
	else
		doc_item(t->out, "%s has %s: %u.", name_of(t->s, seat), moles_shown(t, &best),
		         total);
}

static void tell_showdown(struct story *t)
{
	unsigned finalists[PARK_SEATS];
	unsigned n = 0, best = 0;

	for (unsigned i = 0; i < t->n; i++)
		if (deed(t, i)->finalist)
			finalists[n++] = t->seats[i];
	if (n == 0)
		return;
	doc_item(t->out,
	         "Showdown! The CROWN cannot sit on several heads. %s put their winnings "
	         "aside, %u fresh moles dive into each hole, and all throw all four dice at "
	         "once.",
	         names_of(t, finalists, n), n);
	for (unsigned i = 0; i < n; i++) {
		tell_finalist(t, finalists[i]);
		best += park_showdown_total(t->s, finalists[i]) ==
		        park_showdown_total(t->s, t->s->winner);
	}
	if (best > 1)
		doc_item(
		    t->out,
		    "It is a tie at the top! The King comes last in it, and by the word of "
		    "%s it is %s who wins.",
		    t->king.text, name_of(t->s, t->s->winner));
}

/* --- the whole ---------------------------------------------------------------- */

static void tell_end(struct story *t)
{
	struct game_result result;
	unsigned winners[PARK_SEATS];
	unsigned n = 0;

	if (!park_over(t->s) || t->s->winner)
		return;
	park_result(t->s, &result);
	for (unsigned seat = 1; seat <= t->s->nseats; seat++)
		if (seat_in(result.winners, seat))
			winners[n++] = seat;
	if (n == 0)
		doc_paragraph(t->out, "Everybody has gone home, and nobody wins.");
	else if (park_players_left(t->s) == 1)
		doc_paragraph(t->out, "%s alone is left in the park and wins the game.",
		              names_of(t, winners, n));
	else
		doc_paragraph(t->out,
		              n == 1
		                  ? "%s wins the game: the park closes after %u rounds, and "
		                    "no winnings shine brighter."
		                  : "%s share the game: the park closes after %u rounds, and "
		                    "no winnings shine brighter.",
		              names_of(t, winners, n), t->s->round - 1);
}

void park_tell_round(const struct game_state *s, struct doc *out)
{
	struct story t = {.s = s, .list = STRBUF_INIT, .out = out};

	t.n = park_round_table(s, t.seats);
	park_style_read(s->style.text, &t.king, &t.go);
	if (s->round == 1) {
		doc_paragraph(
		    t.out,
		    "Seats: %s, in the order of the dice; the last of them is King Mole. In "
		    "the window of the castle shines the %s, for whoever can show %u stars.",
		    names_of(&t, t.seats, t.n), park_prize_name(t.s->crown),
		    (unsigned)PARK_CROWN);
	} else {
		for (unsigned i = 0; i < t.n; i++)
			if (t.s->seats[t.seats[i]].left)
				doc_item(
				    t.out,
				    "%s leaves the park. The moles run off to the Mole Hill, the "
				    "winnings are out of the game.",
				    name_of(t.s, t.seats[i]));
		if (t.go.text[0])
			doc_item(t.out, "\"%s!\" calls %s, and the dice fly.", t.go.text,
			         t.king.text);
		tell_declarations(&t);
		for (unsigned hole = 1; hole <= PARK_HOLES; hole++) {
			unsigned seats[PARK_SEATS];
			unsigned n = 0;

			for (unsigned i = 0; i < t.n; i++)
				if (whacks(deed(&t, i)) && deed(&t, i)->face == hole)
					seats[n++] = t.seats[i];
			if (n == 1)
				tell_one_whacker(&t, hole, seats[0]);
			else if (n > 1)
				tell_crowd(&t, hole, seats, n);
		}
		if (park_players_left(s) > 1)
			tell_the_rest(&t);
		for (unsigned i = 0; i < t.n; i++) {
			const struct park_pile *moles = &deed(&t, i)->dropped;

			if (moles->count == 0)
				continue;
			strbuf_clear(&t.list);
			for (unsigned m = 0; m < moles->count; m++) {
				strbuf_add_sep(&t.list, m, moles->count, " and ");
				park_add_mole(t.s, moles->cards[m], &t.list);
			}
			doc_item(t.out,
			         moles->count == 1 ? "%s discards Mole %s."
			                           : "%s discards Moles %s.",
			         name_of(t.s, t.seats[i]), t.list.ptr);
		}
		tell_prizes(&t);
		struct strbuf total = STRBUF_INIT;

		for (unsigned i = 0; i < t.n; i++) {
			const struct park_deed *d = deed(&t, i);

			if (!d->declared)
				continue;
			strbuf_clear(&total);
			add_total(&t, t.seats[i], &total);
			doc_item(
			    t.out,
			    d->total >= PARK_CROWN
				? "%s shows %s: %s, which is enough!"
				: "%s shows %s: %s, short of 40. All those moles for nothing.",
			    name_of(t.s, t.seats[i]), moles_shown(&t, &d->shown), total.ptr);
		}
		strbuf_release(&total);
		tell_showdown(&t);
		if (t.s->winner)
			doc_paragraph(t.out, "Trumpets! The %s goes to %s, who wins the game.",
			              park_prize_name(t.s->crown), name_of(t.s, t.s->winner));
		tell_end(&t);
	}
	strbuf_release(&t.list);
}
