/*
 * state.c - a state of Mole Park as text.
 *
 * Trusts nothing. What it lets through keeps every index in range, every mole and
 * every prize in exactly one place, and tells no story that cannot be told
 * (state_check.c); the rest of this folder does not look again.
 */
#include <string.h>

#include "processor/base/num.h"
#include "processor/games/mole_park/park.h"
#include "processor/games/registry.h"

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

static bool table_fields(struct fields *f, struct game_state *s)
{
	return field_exact(f, "mole-park", "1") &&
	       field_options(f, s, s->setup.text, &mole_park_1, take_options) &&
	       field_uint(f, &s->nseats, 2, PARK_SEATS, "seats") &&
	       field_uint(f, &s->round, 1, s->setup.rounds + 1, "round") &&
	       field_ring(f, s->nseats, s->ring) &&
	       field_uint(f, &s->king, 1, s->nseats, "king") && style_field(f, &s->style) &&
	       favour_field(f, s) &&
	       field_uint(f, &s->crown, PARK_PRIZES - PARK_SHOP_CARDS + 1, PARK_PRIZES,
	                  "crown") &&
	       field_uint(f, &s->winner, 0, s->nseats, "winner") && field_key(f, "deck") &&
	       moles_words(f, &s->deck) && field_key(f, "hill") && moles_words(f, &s->hill);
}

static bool all_fields(struct fields *f, struct game_state *s)
{
	if (!table_fields(f, s))
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
