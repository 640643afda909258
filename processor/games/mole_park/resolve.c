/*
 * resolve.c - one round: who leaves, declarations, dice, moles, prizes, crown, the next deal.
 */
#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/mole_park/park.h"

/* ---- Moles into the holes, and from the holes to those who whacked ---- */

/* Who takes a share of a hole: a seat, in the Showdown once for each of their dice. */
struct claimants {
	unsigned count;
	unsigned char seats[PARK_SEATS * PARK_DICE];
};

/* The Mole Hill becomes the deck when a mole is wanted and the deck is empty, not before. */
static bool refill(struct game_state *s, struct chance *chance)
{
	unsigned order[PARK_MOLES];

	if (s->deck.count == 0 && s->hill.count > 0) {
		chance_shuffle(chance, order, s->hill.count, "Mole Hill into a new deck");
		for (unsigned i = 0; i < s->hill.count; i++)
			park_pile_put(&s->deck, s->hill.cards[order[i]]);
		s->hill.count = 0;
	}
	return s->deck.count > 0;
}

/* One mole for each hole; false when there are no more. */
static bool deal_pass(struct game_state *s, struct chance *chance, bool spare_full_holes)
{
	enum { FULL = 5 };

	for (unsigned hole = 0; hole < PARK_HOLES; hole++) {
		if (spare_full_holes && s->holes[hole].count >= FULL)
			continue;
		if (!refill(s, chance))
			return false;
		park_pile_put(&s->holes[hole], park_pile_take(&s->deck));
	}
	return true;
}

/* How many deal is a matter of who began, not of who is left. */
void park_deal_round(struct game_state *s, struct chance *chance)
{
	unsigned passes = s->nseats >= 6 ? 2 : 1;

	for (unsigned i = 0; i < passes; i++)
		if (!deal_pass(s, chance, s->nseats <= 3))
			return;
}

/*
 * Everybody gets as many, the remainder stays. A hole is a queue: its moles go round the
 * claimants one at a time, the oldest first, so what stays are the newest.
 */
static void split_hole(struct game_state *s, unsigned hole, const struct claimants *c)
{
	struct park_pile *moles = &s->holes[hole];
	unsigned share = c->count ? moles->count / c->count : 0;

	for (unsigned round = 0; round < share; round++)
		for (unsigned i = 0; i < c->count; i++) {
			struct park_seat *p = &s->seats[c->seats[i]];
			unsigned mole = park_pile_take(moles);

			park_pile_put(&p->hand, mole);
			if (!p->last.finalist)
				park_pile_put(&p->last.got, mole);
		}
	for (unsigned i = 0; i < c->count; i++)
		park_pile_sort(&s->setup, &s->seats[c->seats[i]].hand);
}

/* ---- Declarations, dice, moles out of holes, prizes (steps 2 to 5): all go round the table, the King last ---- */

static bool answers(const struct game_state *s, const struct order_set *o)
{
	const struct order_value *claim = &o->rows[PARK_CLAIMS];

	if (claim->count)
		return s->seats[claim->items[0]].last.declared != PARK_SILENT;
	if (claim->alone != PARK_CLAIM_IF_ANY)
		return false;
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (s->seats[seat].last.declared != PARK_SILENT)
			return true;
	return false;
}

/* Nobody can try for the crown without a mole. */
static bool may_declare(const struct game_state *s, unsigned seat)
{
	return park_plays(s, seat) && s->seats[seat].hand.count > 0 &&
	       s->seats[seat].last.declared == PARK_SILENT;
}

static void declare(struct game_state *s, const struct order_set *orders)
{
	bool more = true;

	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (may_declare(s, seat) && orders[seat].rows[PARK_CLAIMS].alone == PARK_CLAIM)
			s->seats[seat].last.declared = PARK_DECLARED;
	while (more) {
		more = false;
		for (unsigned seat = 1; seat <= s->nseats; seat++) {
			if (!may_declare(s, seat) || !answers(s, &orders[seat]))
				continue;
			s->seats[seat].last.declared = PARK_ANSWERED;
			more = true;
		}
	}
}

static void whack_hole(struct game_state *s, unsigned hole)
{
	unsigned seats[PARK_SEATS];
	unsigned n = park_round_table(s, seats);
	struct claimants c = {.count = 0};

	for (unsigned i = 0; i < n; i++) {
		const struct park_deed *d = &s->seats[seats[i]].last;

		if (d->die > PARK_NO_DIE && d->die < PARK_PRIZE_DIE && d->face == hole + 1)
			c.seats[c.count++] = (unsigned char)seats[i];
	}
	split_hole(s, hole, &c);
}

static void roll(struct game_state *s, unsigned seat, struct chance *chance)
{
	struct park_deed *d = &s->seats[seat].last;

	if (d->die == PARK_NO_DIE)
		return;
	d->face = park_face(d->die, chance_die(chance, PARK_FACES, "%s of seat %u",
	                                       park_die_labels[d->die], seat));
	if (d->face != 0 || !park_has_steady(s, seat))
		return;
	d->again = true;
	d->face = park_face(d->die, chance_die(chance, PARK_FACES, "%s of seat %u again",
	                                       park_die_labels[d->die], seat));
}

static void whack_holes(struct game_state *s, struct chance *chance)
{
	unsigned seats[PARK_SEATS];
	unsigned n = park_round_table(s, seats);

	for (unsigned i = 0; i < n; i++)
		roll(s, seats[i], chance);
	for (unsigned hole = 0; hole < PARK_HOLES; hole++) {
		s->had[hole] = s->holes[hole].count;
		whack_hole(s, hole);
	}
}

/* The place in the hand of the mole to drop next; `at` counts through the list of values. */
static unsigned next_to_drop(const struct game_state *s, const struct park_seat *p,
                             unsigned *at)
{
	const struct order_value *d = &p->discard;

	while (*at < d->count) {
		unsigned stars = d->items[(*at)++];

		for (unsigned i = p->hand.count; i-- > 0;)
			if (park_mole_stars(&s->setup, p->hand.cards[i]) == stars)
				return i;
	}
	return d->alone == PARK_HIGH ? 0 : p->hand.count - 1;
}

static void drop_all_extras(struct game_state *s)
{
	unsigned seats[PARK_SEATS];
	unsigned n = park_round_table(s, seats);

	for (unsigned i = 0; i < n; i++) {
		struct park_seat *p = &s->seats[seats[i]];
		unsigned at = 0;

		while (p->hand.count > park_hand_limit(s, seats[i])) {
			unsigned place = next_to_drop(s, p, &at);
			unsigned mole = p->hand.cards[place];

			for (unsigned k = place; k + 1 < p->hand.count; k++)
				p->hand.cards[k] = p->hand.cards[k + 1];
			p->hand.count--;
			park_pile_put(&p->last.dropped, mole);
			park_pile_put(&s->hill, mole);
		}
	}
}

/* And what they come to. */
static void show_moles(struct game_state *s, unsigned seat)
{
	struct park_seat *p = &s->seats[seat];
	struct park_pile copy = p->hand;

	p->last.total = park_pile_stars(&s->setup, &p->hand) + p->last.face +
	                park_prizes_worth(s, seat);
	p->last.shown = p->hand;
	p->hand.count = 0;
	park_pile_move(&copy, &s->hill);
}

/* Whether a chooses before b: the higher total, then the King's word. */
static bool chooses_before(const struct game_state *s, unsigned a, unsigned b)
{
	unsigned total_a = s->seats[a].last.total;
	unsigned total_b = s->seats[b].last.total;

	if (total_a != total_b)
		return total_a > total_b;
	return park_favour_place(s, a) < park_favour_place(s, b);
}

static unsigned chosen_shop(const struct game_state *s, const struct park_seat *p)
{
	for (unsigned i = 0; i < p->wishes.count; i++) {
		unsigned shop = p->wishes.items[i];

		if (shop == PARK_SHOPS) /* nothing else */
			return shop;
		if (s->shops[shop].up && park_shops[shop].price <= p->last.total)
			return shop;
	}
	return park_best_shop(s, p->last.total);
}

static void win_prizes(struct game_state *s)
{
	unsigned line[PARK_SEATS];
	unsigned n = 0;

	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		const struct park_seat *p = &s->seats[seat];
		unsigned at;

		if (p->last.die != PARK_PRIZE_DIE || p->last.declared || p->hand.count == 0)
			continue;
		show_moles(s, seat);
		for (at = n++; at > 0 && chooses_before(s, seat, line[at - 1]); at--)
			line[at] = line[at - 1];
		line[at] = seat;
	}
	for (unsigned i = 0; i < n; i++) {
		struct park_seat *p = &s->seats[line[i]];
		unsigned shop = chosen_shop(s, p);

		p->last.pick = i + 1;
		if (shop != PARK_SHOPS) {
			p->last.won = s->shops[shop].up;
			p->prizes[p->nprizes++] = (unsigned char)s->shops[shop].up;
			s->shops[shop].up = 0;
		}
	}
}

/* ---- The crown and the Showdown for it (step 6) ---- */

/* Finalists begin with nothing: moles and prizes are put away, new ones are dealt. */
static void begin_showdown(struct game_state *s, const unsigned *seats, unsigned n,
                           struct chance *chance)
{
	for (unsigned hole = 0; hole < PARK_HOLES; hole++)
		park_pile_move(&s->holes[hole], &s->hill);
	for (unsigned i = 0; i < n; i++) {
		s->seats[seats[i]].last.finalist = true;

		struct park_seat *p = &s->seats[seats[i]];
		memcpy(s->gone + s->ngone, p->prizes, p->nprizes);
		s->ngone += p->nprizes;
		p->nprizes = 0;
	}
	for (unsigned pass = 0; pass < n; pass++)
		if (!deal_pass(s, chance, false))
			break;
	for (unsigned i = 0; i < n; i++) {
		for (enum park_die die = PARK_GLOVE; die < PARK_DICE_END; die++)
			s->seats[seats[i]].last.faces[die] = park_face(
			    die, chance_die(chance, PARK_FACES, "showdown %s of seat %u",
			                    park_die_labels[die], seats[i]));
	}
}

/* The highest total; of equal ones the King is struck out, then their word decides. */
static unsigned best_finalist(const struct game_state *s, const unsigned *seats, unsigned n)
{
	unsigned best = seats[0];

	for (unsigned i = 1; i < n; i++) {
		unsigned mine = park_showdown_total(s, seats[i]);
		unsigned high = park_showdown_total(s, best);

		if (mine > high || (mine == high && park_favour_place(s, seats[i]) <
		                                        park_favour_place(s, best)))
			best = seats[i];
	}
	return best;
}

static void crown_somebody(struct game_state *s, struct chance *chance)
{
	unsigned seats[PARK_SEATS], finalists[PARK_SEATS];
	unsigned n = park_round_table(s, seats);
	unsigned nfinalists = 0;

	for (unsigned i = 0; i < n; i++) {
		if (!s->seats[seats[i]].last.declared)
			continue;
		show_moles(s, seats[i]);
		if (s->seats[seats[i]].last.total >= PARK_CROWN)
			finalists[nfinalists++] = seats[i];
	}
	if (nfinalists == 0)
		return;
	if (nfinalists > 1) {
		begin_showdown(s, finalists, nfinalists, chance);

		/* Every whacking die is a claimant of its own. */
		for (unsigned hole = 0; hole < PARK_HOLES; hole++) {
			struct claimants c = {.count = 0};

			for (unsigned i = 0; i < nfinalists; i++)
				for (unsigned die = PARK_GLOVE; die < PARK_PRIZE_DIE; die++)
					if (s->seats[finalists[i]].last.faces[die] == hole + 1)
						c.seats[c.count++] =
						    (unsigned char)finalists[i];
			split_hole(s, hole, &c);
		}
	}
	s->winner = nfinalists > 1 ? best_finalist(s, finalists, nfinalists) : finalists[0];
}

static const struct order_set no_orders;

/*
 * Leaving takes effect at once. If the King leaves, the next to their left is King; whom the old
 * one favoured and what they were called goes with them.
 */
static void part_with_leavers(struct game_state *s, struct order_set *orders)
{
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		if (!orders[seat].resign)
			continue;

		/* Moles go to the Mole Hill, prizes out of the game. */
		struct park_seat *p = &s->seats[seat];

		park_pile_move(&p->hand, &s->hill);
		memcpy(s->gone + s->ngone, p->prizes, p->nprizes);
		s->ngone += p->nprizes;
		p->nprizes = 0;
		memset(&p->wishes, 0, sizeof p->wishes);
		memset(&p->discard, 0, sizeof p->discard);
		p->left = s->round;
		orders[seat] = no_orders;
	}
	if (park_plays(s, s->king) || park_players_left(s) == 0)
		return;
	s->king = park_left_of(s, s->king);
	s->favour.count = 0;
	memset(&s->style, 0, sizeof s->style);
}

bool park_resolve(const struct game_state *now, const struct seat_orders *orders,
                  struct chance *chance, struct game_state **next, struct strbuf *why)
{
	struct order_set said[PARK_SEATS + 1];
	struct game_state *s;

	if (park_over(now)) {
		strbuf_adds(why, "The game is over.");
		return false;
	}
	memset(said, 0, sizeof said);

	/* Resignations have no orders. */
	for (unsigned seat = 1; seat <= now->nseats; seat++) {
		if (!park_plays(now, seat))
			continue;
		said[seat].resign = orders[seat].origin == ORDER_RESIGNED;
		if (said[seat].resign ||
		    park_parse_orders(now, seat, orders[seat].canonical, &said[seat]))
			continue;
		strbuf_addf(why, "The orders of seat %u are not Mole Park orders.", seat);
		return false;
	}
	s = xmalloc(sizeof *s);
	*s = *now;
	memset(s->had, 0, sizeof s->had);
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		memset(&s->seats[seat].last, 0, sizeof s->seats[seat].last);
	part_with_leavers(s, said);
	if (park_players_left(s) > 1) {
		for (unsigned seat = 1; seat <= s->nseats; seat++) {
			const struct order_set *o = &said[seat];

			if (o->named >> PARK_WISHES & 1)
				s->seats[seat].wishes = o->rows[PARK_WISHES];
			if (o->named >> PARK_DISCARD & 1)
				s->seats[seat].discard = o->rows[PARK_DISCARD];
			if ((o->named >> PARK_FAVOUR & 1) && seat == s->king)
				s->favour = o->rows[PARK_FAVOUR];
			if ((o->named >> PARK_STYLE & 1) && seat == s->king)
				memcpy(s->style.text, o->text, sizeof o->text);
		}
		declare(s, said);

		/* The die of each: the Prize die for the crown, else as ordered, knowing who declared. */
		bool anybody = false;

		for (unsigned seat = 1; seat <= s->nseats; seat++)
			anybody = anybody || s->seats[seat].last.declared;
		for (unsigned seat = 1; seat <= s->nseats; seat++) {
			const struct order_set *o = &said[seat];
			struct park_deed *d = &s->seats[seat].last;

			if (d->declared)
				d->die = PARK_PRIZE_DIE;
			else
				d->die = o->rows[anybody && (o->named >> PARK_ROLL_IF & 1)
				                     ? PARK_ROLL_IF
				                     : PARK_ROLL]
				             .items[0];
		}
		whack_holes(s, chance);
		drop_all_extras(s);
		win_prizes(s);
		crown_somebody(s, chance);
	}
	s->round++;
	if (!park_over(s)) {
		for (unsigned shop = 0; shop < PARK_SHOPS; shop++)
			if (s->shops[shop].up == 0 && s->shops[shop].stock.count)
				s->shops[shop].up = park_pile_take(&s->shops[shop].stock);
		park_deal_round(s, chance);
	}
	*next = s;
	return true;
}
