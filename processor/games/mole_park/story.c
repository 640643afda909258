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
	struct strbuf text;
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

/* "Ann", "Ann and Bob", "Ann, Bob and Cid" */
static void add_names(struct story *t, const unsigned *seats, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (i)
			strbuf_adds(&t->text, i + 1 == n ? " and " : ", ");
		strbuf_adds(&t->text, name_of(t->s, seats[i]));
	}
}

/* The sentence is told; the next begins. */
static void end_item(struct story *t)
{
	if (t->text.len)
		doc_item(t->out, "%s", t->text.ptr);
	strbuf_clear(&t->text);
}

static void add_moles_shown(struct story *t, const struct park_pile *moles)
{
	for (unsigned i = 0; i < moles->count; i++) {
		if (i)
			strbuf_adds(&t->text, i + 1 == moles->count ? " and " : ", ");
		strbuf_adds(&t->text, park_mole_name(moles->cards[i]));
		strbuf_adds(&t->text, " (");
		state_add_uint(&t->text, park_mole_stars(&t->s->setup, moles->cards[i]));
		strbuf_addc(&t->text, ')');
	}
}

/* --- before the dice ------------------------------------------------------ */

static void tell_leavers(struct story *t)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->s->seats[t->seats[i]].left) {
			strbuf_addf(
			    &t->text,
			    "%s leaves the park. The moles run off to the Mole Hill, the "
			    "winnings are out of the game.",
			    name_of(t->s, t->seats[i]));
			end_item(t);
		}
}

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
	if (nbold == 0)
		return;
	add_names(t, bold, nbold);
	strbuf_addf(&t->text, " reach%s for the CROWN this round!", nbold == 1 ? "es" : "");
	if (nanswering) {
		strbuf_adds(&t->text, " And ");
		add_names(t, answering, nanswering);
		strbuf_addf(&t->text, " had sworn to try as well, should anybody dare.");
	}
	end_item(t);
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
		strbuf_addf(&t->text, "%s brings the %s down on hole %u: nobody at home.", name,
		            die, hole);
	else if ((t->s->round + hole) % 3 == 0)
		strbuf_addf(&t->text,
		            had == 1 ? "%s clears hole %u with the %s: %u mole."
		                     : "%s clears hole %u with the %s: %u moles.",
		            name, hole, die, had);
	else if ((t->s->round + hole) % 3 == 1)
		strbuf_addf(&t->text,
		            had == 1 ? "%s swings the %s at hole %u and bags %u mole."
		                     : "%s swings the %s at hole %u and bags %u moles.",
		            name, die, hole, had);
	else
		strbuf_addf(&t->text,
		            had == 1 ? "Thump! %s hits hole %u with the %s and gets %u mole."
		                     : "Thump! %s hits hole %u with the %s and gets %u moles.",
		            name, hole, die, had);
}

static void tell_crowd(struct story *t, unsigned hole, const unsigned *seats, unsigned n)
{
	unsigned had = t->s->had[hole - 1];
	unsigned share = had / n;
	unsigned stay = had % n;

	add_names(t, seats, n);
	if (had == 0) {
		strbuf_addf(&t->text, " bump heads over hole %u, which is empty.", hole);
		return;
	}
	if (share == 0) {
		strbuf_addf(&t->text,
		            had == 1
		                ? " %s want hole %u at once, and the %u mole in it slips away."
		                : " %s want hole %u at once, and the %u moles in it slip away.",
		            n == 2 ? "both" : "all", hole, had);
		return;
	}
	strbuf_addf(&t->text, " split the %u moles of hole %u: %u each", had, hole, share);
	if (stay)
		strbuf_addf(&t->text,
		            stay == 1 ? ", and %u stays below" : ", and %u stay below", stay);
	strbuf_addc(&t->text, '.');
}

static void tell_hole(struct story *t, unsigned hole)
{
	unsigned seats[PARK_SEATS];
	unsigned n = 0;

	for (unsigned i = 0; i < t->n; i++)
		if (whacks(deed(t, i)) && deed(t, i)->face == hole)
			seats[n++] = t->seats[i];
	if (n == 1)
		tell_one_whacker(t, hole, seats[0]);
	else if (n > 1)
		tell_crowd(t, hole, seats, n);
	end_item(t);
}

/* Those who missed and those who did nothing, a sentence for each kind. */
static void tell_the_rest(struct story *t)
{
	unsigned missed[PARK_SEATS], idle[PARK_SEATS];
	unsigned nmissed = 0, nidle = 0;

	for (unsigned i = 0; i < t->n; i++) {
		const struct park_deed *d = deed(t, i);

		if (whacks(d) && d->again) {
			strbuf_addf(
			    &t->text,
			    "The %s of %s showed an X, but a steady hand threw it again.",
			    park_die_names[d->die], name_of(t->s, t->seats[i]));
			end_item(t);
		}
		if (whacks(d) && d->face == 0)
			missed[nmissed++] = t->seats[i];
		else if (d->die == PARK_NO_DIE && !t->s->seats[t->seats[i]].left)
			idle[nidle++] = t->seats[i];
	}
	if (nmissed) {
		add_names(t, missed, nmissed);
		strbuf_adds(&t->text, " threw an X and hit nothing but grass.");
	}
	end_item(t);
	if (nidle) {
		add_names(t, idle, nidle);
		strbuf_addf(&t->text, " watched with %s hands in the pockets.",
		            nidle == 1 ? "both" : "all");
	}
	end_item(t);
}

void park_add_mole(const struct game_state *s, unsigned mole, struct strbuf *out)
{
	unsigned stars = park_mole_stars(&s->setup, mole);

	strbuf_adds(out, "No. ");
	state_add_uint(out, mole);
	strbuf_adds(out, ", ");
	strbuf_adds(out, park_mole_name(mole));
	strbuf_adds(out, " (");
	state_add_uint(out, stars);
	strbuf_adds(out, stars == 1 ? " star)" : " stars)");
}

static void tell_dropped(struct story *t)
{
	for (unsigned i = 0; i < t->n; i++) {
		const struct park_pile *moles = &deed(t, i)->dropped;

		if (moles->count)
			strbuf_addf(&t->text,
			            moles->count == 1 ? "%s discards Mole "
			                              : "%s discards Moles ",
			            name_of(t->s, t->seats[i]));
		for (unsigned m = 0; m < moles->count; m++) {
			if (m)
				strbuf_adds(&t->text, m + 1 == moles->count ? " and " : ", ");
			park_add_mole(t->s, moles->cards[m], &t->text);
		}
		if (moles->count)
			strbuf_addc(&t->text, '.');
		end_item(t);
	}
}

/* --- prizes ----------------------------------------------------------------- */

/* "shows Percy Pinstripe (1) and Zoe Zigzag (5): 6 of moles + 4 on the die = 10 stars" */
static void add_total(struct story *t, unsigned seat)
{
	const struct park_deed *d = &t->s->seats[seat].last;
	unsigned moles = park_pile_stars(&t->s->setup, &d->shown);
	unsigned prizes = d->total - moles - d->face;

	strbuf_addf(&t->text, "%s shows ", name_of(t->s, seat));
	add_moles_shown(t, &d->shown);
	strbuf_addf(&t->text, ": %u of moles + %u on the die", moles, d->face);
	if (prizes)
		strbuf_addf(&t->text, " + %u of winnings", prizes);
	strbuf_addf(&t->text, " = %u stars", d->total);
}

static void add_prize_won(struct story *t, const struct park_deed *d)
{
	unsigned stars;

	if (d->won == 0) {
		strbuf_adds(&t->text, d->total < park_shops[0].price
		                          ? ", too little even for The Candy Bar."
		                          : ", and takes no prize for it.");
		return;
	}
	stars = park_prize_stars(&t->s->setup, d->won);
	strbuf_addf(&t->text,
	            stars == 1 ? ", and takes the %s (%u star) from %s."
	                       : ", and takes the %s (%u stars) from %s.",
	            park_prize_name(d->won), stars, park_shops[park_prize_shop(d->won)].name);
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

		add_total(t, seat);
		add_prize_won(t, d);
		if (before && t->s->seats[before].last.total == d->total)
			strbuf_addf(&t->text,
			            " (As many as %s, who went first by the word of %s.)",
			            name_of(t->s, before), park_king_title(t->s));
		end_item(t);
	}
	for (unsigned i = 0; i < t->n; i++)
		if (deed(t, i)->die == PARK_PRIZE_DIE && !deed(t, i)->total) {
			strbuf_addf(&t->text,
			            "%s has a %u on the Prize die and no mole to show.",
			            name_of(t->s, t->seats[i]), deed(t, i)->face);
			end_item(t);
		}
}

/* --- the crown --------------------------------------------------------------- */

static void tell_tries(struct story *t)
{
	for (unsigned i = 0; i < t->n; i++) {
		if (!deed(t, i)->declared)
			continue;
		add_total(t, t->seats[i]);
		strbuf_adds(&t->text, deed(t, i)->total >= PARK_CROWN
		                          ? ", which is enough!"
		                          : ", short of 40. All those moles for nothing.");
		end_item(t);
	}
}

static void add_faces(struct story *t, const struct park_deed *d)
{
	for (enum park_die die = PARK_GLOVE; die < PARK_DICE_END; die++) {
		strbuf_addf(&t->text, "%s%s ", die == PARK_GLOVE ? "" : ", ",
		            park_die_names[die]);
		if (d->faces[die])
			strbuf_addf(&t->text, "%u", d->faces[die]);
		else
			strbuf_addc(&t->text, 'X');
	}
}

static void tell_finalist(struct story *t, unsigned seat)
{
	const struct park_seat *p = &t->s->seats[seat];
	struct park_pile best = p->hand;

	strbuf_addf(&t->text, "%s throws ", name_of(t->s, seat));
	add_faces(t, &p->last);
	strbuf_adds(&t->text, " and has ");
	best.count = best.count > PARK_HAND ? PARK_HAND : best.count;
	if (best.count)
		add_moles_shown(t, &best);
	else
		strbuf_adds(&t->text, "no mole");
	if (p->hand.count > PARK_HAND)
		strbuf_addf(&t->text, ", the best five of %u", p->hand.count);
	strbuf_addf(&t->text, ": %u.", park_showdown_total(t->s, seat));
	end_item(t);
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
	strbuf_adds(&t->text, "Showdown! The CROWN cannot sit on several heads. ");
	add_names(t, finalists, n);
	strbuf_addf(&t->text,
	            " put their winnings aside, %u fresh moles dive into each hole, and all "
	            "throw all four dice at once.",
	            n);
	end_item(t);
	for (unsigned i = 0; i < n; i++) {
		tell_finalist(t, finalists[i]);
		best += park_showdown_total(t->s, finalists[i]) ==
		        park_showdown_total(t->s, t->s->winner);
	}
	if (best > 1)
		strbuf_addf(&t->text,
		            "It is a tie at the top! The King himself comes last in it, and by "
		            "the word of %s it is %s who wins.",
		            park_king_title(t->s), name_of(t->s, t->s->winner));
	end_item(t);
}

static void tell_crown(struct story *t)
{
	if (t->s->winner)
		doc_paragraph(t->out, "Trumpets! The %s goes to %s, who wins the game.",
		              park_prize_name(t->s->crown), name_of(t->s, t->s->winner));
}

/* --- the whole ---------------------------------------------------------------- */

static void tell_beginning(struct story *t)
{
	strbuf_adds(&t->text, "Seats: ");
	add_names(t, t->seats, t->n);
	strbuf_addf(&t->text,
	            ", in the order of the dice; the last of them is King Mole. In the "
	            "window of the castle shines the %s, for whoever can show %u stars.",
	            park_prize_name(t->s->crown), (unsigned)PARK_CROWN);
	doc_paragraph(t->out, "%s", t->text.ptr);
}

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
	add_names(t, winners, n);
	if (n == 0)
		strbuf_adds(&t->text, "Everybody has gone home, and nobody wins.");
	else if (park_players_left(t->s) == 1)
		strbuf_adds(&t->text, " alone is left in the park and wins the game.");
	else
		strbuf_addf(&t->text,
		            " %s the game: the park closes after %u rounds, and no winnings "
		            "shine brighter.",
		            n == 1 ? "wins" : "share", t->s->round - 1);
	doc_paragraph(t->out, "%s", t->text.ptr);
}

void park_tell_round(const struct game_state *s, struct doc *out)
{
	struct story t = {.s = s, .text = STRBUF_INIT, .out = out};

	t.n = park_round_table(s, t.seats);
	if (s->round == 1) {
		tell_beginning(&t);
	} else {
		tell_leavers(&t);
		tell_declarations(&t);
		for (unsigned hole = 1; hole <= PARK_HOLES; hole++)
			tell_hole(&t, hole);
		if (park_players_left(s) > 1)
			tell_the_rest(&t);
		tell_dropped(&t);
		tell_prizes(&t);
		tell_tries(&t);
		tell_showdown(&t);
		tell_crown(&t);
		tell_end(&t);
	}
	strbuf_release(&t.text);
}
