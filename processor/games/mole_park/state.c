/*
 * state.c - a state of Mole Park as text.
 *
 * Trusts nothing. What it lets through keeps every index in range, every mole and
 * every prize in exactly one place, and tells no story that cannot be told; the rest of this
 * folder does not look again.
 */
#include <string.h>

#include "processor/base/num.h"
#include "processor/games/mole_park/park.h"
#include "processor/games/registry.h"

/* ---- What must hold between lines that are each in order ---- */

/* Places of cards, counted: each must come to one. */
struct census {
	unsigned moles[PARK_MOLES + 1], prizes[PARK_PRIZES + 1];
};

static bool holds(bool fact, struct strbuf *why, const char *sentence)
{
	if (!fact && why->len == 0)
		strbuf_adds(why, sentence);
	return fact;
}

static void count_cards(unsigned *counts, const unsigned char *cards, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		counts[cards[i]]++;
}

static bool cards_hold(const struct game_state *s, struct strbuf *why)
{
	struct census c;

	memset(&c, 0, sizeof c);
	count_cards(c.moles, s->deck.cards, s->deck.count);
	count_cards(c.moles, s->hill.cards, s->hill.count);
	for (unsigned hole = 0; hole < PARK_HOLES; hole++)
		count_cards(c.moles, s->holes[hole].cards, s->holes[hole].count);
	for (unsigned shop = 0; shop < PARK_SHOPS; shop++) {
		count_cards(c.prizes, s->shops[shop].stock.cards, s->shops[shop].stock.count);
		c.prizes[s->shops[shop].up]++;
	}
	count_cards(c.prizes, s->gone, s->ngone);
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		count_cards(c.moles, s->seats[seat].hand.cards, s->seats[seat].hand.count);
		count_cards(c.prizes, s->seats[seat].prizes, s->seats[seat].nprizes);
	}
	for (unsigned mole = 1; mole <= PARK_MOLES; mole++)
		if (!holds(c.moles[mole] == 1, why, "Each mole should be in one place."))
			return false;
	for (unsigned prize = 1; prize <= PARK_PRIZES; prize++)
		if (!holds(c.prizes[prize] == (park_prize_shop(prize) < PARK_SHOPS), why,
		           "Each prize should be in one place, and no crown."))
			return false;
	for (unsigned shop = 0; shop < PARK_SHOPS; shop++)
		if (!holds(s->shops[shop].up || s->shops[shop].stock.count == 0 || park_over(s),
		           why, "A shop with prizes should show one."))
			return false;
	return true;
}

/* A seat that did not play the round has no deed in it; nor one that left in it. */
static bool is_idle(const struct park_deed *d)
{
	static const struct park_deed nothing;

	return d->die == nothing.die && d->declared == nothing.declared && !d->got.count &&
	       !d->dropped.count && !d->shown.count && !d->total && !d->pick && !d->won &&
	       !d->finalist;
}

static bool deed_holds(const struct game_state *s, unsigned seat, struct strbuf *why)
{
	const struct park_seat *p = &s->seats[seat];
	const struct park_deed *d = &p->last;
	bool whacks = d->die > PARK_NO_DIE && d->die < PARK_PRIZE_DIE;
	bool prize_die = d->die == PARK_PRIZE_DIE;

	return holds(!d->got.count || (whacks && d->face), why,
	             "Moles come out of the hole that the die showed.") &&
	       holds(d->got.count <= s->had[whacks && d->face ? d->face - 1 : 0], why,
	             "Nobody gets more moles than the hole had.") &&
	       holds(!d->declared || (prize_die && d->total), why,
	             "Whoever goes for the crown shows their moles.") &&
	       holds(!d->total == !d->shown.count && (!d->total || prize_die), why,
	             "A total comes of moles shown and a Prize die.") &&
	       holds(!d->pick == !(d->total && !d->declared), why,
	             "Whoever shows moles for a prize has a turn to choose.") &&
	       holds(!d->won || (d->pick && p->nprizes && p->prizes[p->nprizes - 1] == d->won),
	             why, "A prize that was won is the newest of its owner.") &&
	       holds(!d->finalist || (d->declared && d->total >= PARK_CROWN && s->winner), why,
	             "Finalists have shown 40 stars.");
}

static bool seat_holds(const struct game_state *s, unsigned seat, struct strbuf *why)
{
	const struct park_seat *p = &s->seats[seat];
	bool first = s->round == 1;

	return holds(!p->left || (!p->hand.count && !p->nprizes && !p->wishes.count &&
	                          !p->discard.count && p->discard.alone == PARK_LOW),
	             why, "Who left leaves nothing behind.") &&
	       holds((!p->left && !first) || is_idle(&p->last), why,
	             "Who did not play the round did nothing in it.") &&
	       holds(p->last.finalist || p->hand.count <= park_hand_limit(s, seat), why,
	             "A hand holds more moles than it may.") &&
	       deed_holds(s, seat, why);
}

static bool crown_holds(const struct game_state *s, struct strbuf *why)
{
	const struct park_deed *d = &s->seats[s->winner].last;
	unsigned finalists = 0;

	for (unsigned seat = 1; seat <= s->nseats; seat++)
		finalists += s->seats[seat].last.finalist;
	return holds(!s->winner || (d->declared && d->total >= PARK_CROWN), why,
	             "The crown goes to one who has shown 40 stars.") &&
	       holds(finalists == 0 || (finalists > 1 && d->finalist), why,
	             "The crown goes to a finalist.");
}

static bool picks_hold(const struct game_state *s, struct strbuf *why)
{
	bool seen[PARK_SEATS + 1] = {false};
	unsigned n = 0, last = 0;

	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		unsigned pick = s->seats[seat].last.pick;

		if (pick == 0)
			continue;
		if (!holds(!seen[pick], why, "Two cannot choose at once."))
			return false;
		seen[pick] = true;
		n++;
		last = pick > last ? pick : last;
	}
	return holds(n == last, why, "Prizes are chosen one after another.");
}

bool park_state_holds(const struct game_state *s, struct strbuf *why)
{
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (!seat_holds(s, seat, why))
			return false;
	return cards_hold(s, why) && picks_hold(s, why) && crown_holds(s, why) &&
	       holds(park_plays(s, s->king) || park_players_left(s) == 0, why,
	             "King Mole should be one who plays.");
}

/* ---- Lines ---- */

static bool take_options(struct game_state *s, const struct options *o, struct strbuf *why)
{
	(void)why;
	park_setup_read(&s->setup, o);
	return true;
}

/* "1 2 3", or "-"; no number twice. Room for `most`. */
static bool cards_words(struct fields *f, unsigned min, unsigned max, unsigned most,
                        unsigned char *cards, unsigned *count)
{
	bool seen[PARK_MOLES + 1] = {false};
	unsigned n = 0;

	for (; field_more(f, n < *count); n++) {
		if (n == most || !field_word_byte(f, &cards[n], min, max) ||
		    (seen[cards[n]] && !fields_writing(f)))
			return fields_bad(
			    f, "different numbers from %u to %u should stand here.", min, max);
		seen[cards[n]] = true;
	}
	*count = n;
	return true;
}

static bool moles_words(struct fields *f, struct park_pile *pile)
{
	return cards_words(f, 1, PARK_MOLES, PARK_MOLES, pile->cards, &pile->count);
}

static bool style_field(struct fields *f, struct park_style *style)
{
	struct span value = span_of(style->text[0] ? style->text : "-");

	if (!field_value(f, &value, "style"))
		return false;
	if (fields_writing(f) || span_eq_str(value, "-"))
		return true;
	if (!park_style_ok(value))
		return fields_bad(f, "this is no style.");
	memcpy(style->text, value.ptr, value.len);
	return true;
}

static bool favour_field(struct fields *f, struct game_state *s)
{
	if (!field_key(f, "favour") ||
	    !cards_words(f, 1, s->nseats, PARK_SEATS, s->favour.items, &s->favour.count))
		return false;
	for (unsigned i = 0; i < s->favour.count; i++)
		if (!fields_check(f, s->favour.items[i] != s->king,
		                  "the King does not favour himself."))
			return false;
	return true;
}

static bool shop_fields(struct fields *f, struct game_state *s, unsigned shop)
{
	unsigned first = shop * PARK_SHOP_CARDS + 1, last = first + PARK_SHOP_CARDS - 1;
	const char *key = park_shops[shop].key;
	struct park_shop *p = &s->shops[shop];

	return field_uint(f, &p->up, 0, last, "shop %s up", key) &&
	       fields_check(f, !p->up || p->up >= first, "this prize is not sold here.") &&
	       field_key(f, "shop %s stock", key) &&
	       cards_words(f, first, last, PARK_SHOP_CARDS, p->stock.cards, &p->stock.count);
}

/* As it is ordered. */
static bool list_field(struct fields *f, const struct game_state *s, unsigned seat,
                       const char *key, enum park_kind kind, struct order_value *list)
{
	struct order_table t = park_table(s, seat, false);
	struct order_set set = {.named = 0};
	struct span value = SPAN_EMPTY;

	if (!field_value(f, &value, "seat %u %s", seat, key))
		return false;
	set.rows[kind] = *list;
	if (fields_writing(f))
		order_row_write(&t, kind, &set, f->out);
	else if (!order_row_parse(&t, kind, value, list))
		return fields_bad(f, "this is no list of %s.", key);
	return true;
}

/* "X", or a number that this die can show. */
static bool face_word(struct fields *f, unsigned die, unsigned *face)
{
	static const char *const faces[] = {"X", "1", "2", "3", "4", "5", "6"};

	if (!field_word_choice(f, faces, PARK_FACES + 1, face))
		return false;
	for (unsigned side = 1; side <= PARK_FACES; side++)
		if (park_face((enum park_die)die, side) == *face)
			return true;
	return fields_writing(f);
}

/* "-", "PAN 3", "PAN X", or, thrown twice, "PAN X 3". */
static bool rolled_words(struct fields *f, const struct game_state *s, struct park_deed *d)
{
	unsigned die = d->die, first = d->again ? 0 : d->face;

	if (!field_more(f, die != PARK_NO_DIE))
		return true;
	if (!field_word_choice(f, park_die_keys, PARK_DICE_END, &die) || die == PARK_NO_DIE ||
	    !face_word(f, die, &first))
		return false;
	d->die = (enum park_die)die;
	d->again = field_more(f, d->again);
	if (!d->again)
		d->face = first;
	return !d->again || (first == 0 && die != PARK_PRIZE_DIE && s->setup.powers &&
	                     face_word(f, die, &d->face));
}

static bool showdown_words(struct fields *f, struct park_deed *d)
{
	unsigned die = PARK_GLOVE;

	for (; field_more(f, d->finalist && die < PARK_DICE_END); die++)
		if (die == PARK_DICE_END || !face_word(f, die, &d->faces[die]))
			return false;
	d->finalist = die == PARK_DICE_END;
	return d->finalist || die == PARK_GLOVE;
}

static bool deed_fields(struct fields *f, const struct game_state *s, unsigned seat,
                        struct park_deed *d)
{
	static const char *const words[] = {"-", "CROWN", "ANSWER"};
	unsigned declared = d->declared;

	if (!field_key(f, "seat %u rolled", seat))
		return false;
	if (!rolled_words(f, s, d))
		return fields_bad(f, "a die and its face should stand here.");
	if (!field_key(f, "seat %u declared", seat))
		return false;
	if (!field_word_choice(f, words, PARK_ANSWERED + 1, &declared))
		return fields_bad(f, "CROWN, ANSWER or - should stand here.");
	d->declared = (enum park_declared)declared;
	return field_key(f, "seat %u got", seat) && moles_words(f, &d->got) &&
	       field_key(f, "seat %u dropped", seat) && moles_words(f, &d->dropped) &&
	       field_key(f, "seat %u shown", seat) && moles_words(f, &d->shown) &&
	       field_uint(f, &d->total, 0, PARK_TOTAL, "seat %u total", seat) &&
	       field_uint(f, &d->pick, 0, s->nseats, "seat %u pick", seat) &&
	       field_uint(f, &d->won, 0, PARK_PRIZES, "seat %u won", seat) &&
	       field_key(f, "seat %u showdown", seat) &&
	       (showdown_words(f, d) || fields_bad(f, "four faces should stand here."));
}

static bool hand_field(struct fields *f, const struct game_state *s, unsigned seat,
                       struct park_pile *hand)
{
	struct park_pile sorted;

	if (!field_key(f, "seat %u hand", seat) || !moles_words(f, hand))
		return false;
	if (fields_writing(f))
		return true;
	sorted = *hand;
	park_pile_sort(&s->setup, &sorted);
	return memcmp(sorted.cards, hand->cards, hand->count) == 0 ||
	       fields_bad(f, "a hand stands in order, the most stars first.");
}

static bool seat_fields(struct fields *f, struct game_state *s, unsigned seat)
{
	struct park_seat *p = &s->seats[seat];

	return field_name(f, seat, &p->name) &&
	       field_uint(f, &p->left, 0, s->round - 1, "seat %u left", seat) &&
	       hand_field(f, s, seat, &p->hand) && field_key(f, "seat %u prizes", seat) &&
	       cards_words(f, 1, PARK_PRIZES, PARK_PRIZES, p->prizes, &p->nprizes) &&
	       list_field(f, s, seat, "wishes", PARK_WISHES, &p->wishes) &&
	       list_field(f, s, seat, "discard", PARK_DISCARD, &p->discard) &&
	       deed_fields(f, s, seat, &p->last);
}

static bool all_fields(struct fields *f, struct game_state *s)
{
	if (!(field_exact(f, "mole-park", "1") &&
	      field_options(f, s, s->setup.text, &mole_park_1, take_options) &&
	      field_uint(f, &s->nseats, 2, PARK_SEATS, "seats") &&
	      field_uint(f, &s->round, 1, s->setup.rounds + 1, "round") &&
	      field_ring(f, s->nseats, s->ring) &&
	      field_uint(f, &s->king, 1, s->nseats, "king") && style_field(f, &s->style) &&
	      favour_field(f, s) &&
	      field_uint(f, &s->crown, PARK_PRIZES - PARK_SHOP_CARDS + 1, PARK_PRIZES,
	                 "crown") &&
	      field_uint(f, &s->winner, 0, s->nseats, "winner") && field_key(f, "deck") &&
	      moles_words(f, &s->deck) && field_key(f, "hill") && moles_words(f, &s->hill)))
		return false;
	for (unsigned hole = 0; hole < PARK_HOLES; hole++)
		if (!field_key(f, "hole %u", hole + 1) || !moles_words(f, &s->holes[hole]))
			return false;
	if (!field_uints(f, s->had, PARK_HOLES, 0, s->round == 1 ? 0 : PARK_MOLES, "had"))
		return false;
	for (unsigned shop = 0; shop < PARK_SHOPS; shop++)
		if (!shop_fields(f, s, shop))
			return false;
	if (!field_key(f, "gone") ||
	    !cards_words(f, 1, PARK_PRIZES, PARK_PRIZES, s->gone, &s->ngone))
		return false;
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (!seat_fields(f, s, seat))
			return false;
	return fields_check(f, s->setup.king <= s->nseats, "the option king names nobody.") &&
	       fields_end(f) && (fields_writing(f) || park_state_holds(s, f->why));
}

void park_encode(const struct game_state *s, struct strbuf *out)
{
	fields_encode(s, sizeof *s, all_fields, out);
}

bool park_decode(struct span text, struct game_state **out, struct strbuf *why)
{
	return fields_decode(text, sizeof **out, all_fields, out, why);
}
