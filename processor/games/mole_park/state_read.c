/*
 * state_read.c - a state of Mole Park from text.
 *
 * Trusts nothing. What it lets through keeps every index in range, every mole and
 * every prize in exactly one place, and tells no story that cannot be told; the rest of
 * this folder does not look again.
 */
#include <string.h>

#include "processor/base/num.h"
#include "processor/games/mole_park/park.h"
#include "processor/games/registry.h"

/* "1 2 3", or "-"; no number twice. Room for `most`. */
static bool read_cards(struct state_reader *r, struct span value, unsigned min, unsigned max,
                       unsigned most, unsigned char *cards, unsigned *count)
{
	bool seen[PARK_MOLES + 1] = {false};
	struct span word;
	unsigned card;

	*count = 0;
	if (span_eq_str(value, "-"))
		return true;
	while (span_next_word(&value, "", &word)) {
		if (!num_parse_uint(word, min, max, &card) || seen[card] || *count == most)
			return state_bad(
			    r, "different numbers from %u to %u should stand here.", min, max);
		seen[card] = true;
		cards[(*count)++] = (unsigned char)card;
	}
	return true;
}

static bool read_moles(struct state_reader *r, struct park_pile *pile, struct span value)
{
	return read_cards(r, value, 1, PARK_MOLES, PARK_MOLES, pile->cards, &pile->count);
}

static bool take_options(struct game_state *s, const struct options *o, struct strbuf *why)
{
	(void)why;
	park_setup_read(&s->setup, o);
	return true;
}

static bool decode_style(struct state_reader *r, struct game_state *s)
{
	struct span value;

	if (!state_value(r, &value, "style"))
		return false;
	if (span_eq_str(value, "-"))
		return true;
	if (!park_style_ok(value))
		return state_bad(r, "this is no style.");
	memcpy(s->style.text, value.ptr, value.len);
	return true;
}

static bool decode_favour(struct state_reader *r, struct game_state *s)
{
	struct span value;

	if (!state_value(r, &value, "favour") ||
	    !read_cards(r, value, 1, s->nseats, PARK_SEATS, s->favour.seats, &s->favour.count))
		return false;
	for (unsigned i = 0; i < s->favour.count; i++)
		if (s->favour.seats[i] == s->king)
			return state_bad(r, "the King does not favour himself.");
	return true;
}

static bool decode_moles(struct state_reader *r, struct game_state *s)
{
	struct span value;

	if (!state_value(r, &value, "deck") || !read_moles(r, &s->deck, value) ||
	    !state_value(r, &value, "hill") || !read_moles(r, &s->hill, value))
		return false;
	for (unsigned hole = 0; hole < PARK_HOLES; hole++)
		if (!state_value(r, &value, "hole %u", hole + 1) ||
		    !read_moles(r, &s->holes[hole], value))
			return false;
	return state_value(r, &value, "had") &&
	       state_uints(r, value, 0, s->round == 1 ? 0 : PARK_MOLES, PARK_HOLES, s->had);
}

static bool read_shop_line(struct state_reader *r, unsigned shop, const char *what,
                           struct span *value)
{
	struct strbuf key = STRBUF_INIT;
	size_t at;

	strbuf_adds(&key, "shop ");
	strbuf_adds(&key, park_shops[shop].key);
	strbuf_adds(&key, what);
	/* state_value knows numbers only, so the line is taken and cut here. */
	r->line++;
	at = span_find_char(r->rest, '\n');
	*value = span_slice(r->rest, 0, at);
	if (at == r->rest.len || !span_starts(*value, key.ptr)) {
		state_bad(r, "\"%s...\" should stand here.", key.ptr);
		strbuf_release(&key);
		return false;
	}
	*value = span_slice(*value, key.len, value->len);
	r->rest = span_slice(r->rest, at + 1, r->rest.len);
	strbuf_release(&key);
	return true;
}

static bool decode_shop(struct state_reader *r, struct game_state *s, unsigned shop)
{
	unsigned first = shop * PARK_SHOP_CARDS + 1;
	struct park_shop *p = &s->shops[shop];
	struct span value;

	if (!read_shop_line(r, shop, " up: ", &value) ||
	    !state_uints(r, value, 0, first + PARK_SHOP_CARDS - 1, 1, &p->up))
		return false;
	if (p->up && p->up < first)
		return state_bad(r, "this prize is not sold here.");
	return read_shop_line(r, shop, " stock: ", &value) &&
	       read_cards(r, value, first, first + PARK_SHOP_CARDS - 1, PARK_SHOP_CARDS,
	                  p->stock.cards, &p->stock.count);
}

static bool decode_shops(struct state_reader *r, struct game_state *s)
{
	struct span value;

	for (unsigned shop = 0; shop < PARK_SHOPS; shop++)
		if (!decode_shop(r, s, shop))
			return false;
	return state_value(r, &value, "gone") &&
	       read_cards(r, value, 1, PARK_PRIZES, PARK_PRIZES, s->gone, &s->ngone);
}

static bool parse_wishes(struct span value, struct park_wishes *w)
{
	struct span word;

	if (span_eq_str(value, "ANY"))
		return true;
	while (span_next_word(&value, "", &word)) {
		unsigned shop = 0;

		if (w->nothing_else)
			return false;
		if (span_eq_str(word, "NONE")) {
			w->nothing_else = true;
			continue;
		}
		while (shop < PARK_SHOPS && !span_eq_str(word, park_shops[shop].key))
			shop++;
		if (shop == PARK_SHOPS || w->count == PARK_SHOPS ||
		    memchr(w->shops, (int)shop, w->count))
			return false;
		w->shops[w->count++] = (unsigned char)shop;
	}
	return w->count || w->nothing_else;
}

static bool parse_discard(struct span value, struct park_discard *d)
{
	struct span word;
	unsigned stars;

	if (span_eq_str(value, "LOW") || span_eq_str(value, "HIGH")) {
		d->way = span_eq_str(value, "LOW") ? PARK_LOW : PARK_HIGH;
		return true;
	}
	d->way = PARK_VALUES;
	while (span_next_word(&value, "", &word)) {
		if (d->count == PARK_DISCARDS || !num_parse_uint(word, 1, PARK_STARS, &stars))
			return false;
		d->values[d->count++] = (unsigned char)stars;
	}
	return d->count > 0;
}

static bool read_face(struct span word, enum park_die die, unsigned *face)
{
	*face = 0;
	if (!span_eq_str(word, "X") && !num_parse_uint(word, 1, PARK_FACES, face))
		return false;
	for (unsigned side = 1; side <= PARK_FACES; side++)
		if (park_face(die, side) == *face)
			return true;
	return false;
}

/* "-", "PAN 3", "PAN X", or, thrown twice, "PAN X 3". */
static bool parse_rolled(const struct game_state *s, struct span value, struct park_deed *d)
{
	struct span words[3] = {SPAN_EMPTY, SPAN_EMPTY, SPAN_EMPTY};
	struct span word;
	unsigned n = 0;

	if (span_eq_str(value, "-"))
		return true;
	while (span_next_word(&value, "", &word)) {
		if (n == 3)
			return false;
		words[n++] = word;
	}
	for (d->die = PARK_GLOVE; d->die < PARK_DICE_END; d->die++)
		if (span_eq_str(words[0], park_die_keys[d->die]))
			break;
	d->again = n == 3;
	if (n < 2 || d->die == PARK_DICE_END)
		return false;
	if (d->again &&
	    (!s->setup.powers || d->die == PARK_PRIZE_DIE || !span_eq_str(words[1], "X")))
		return false;
	return read_face(words[n - 1], d->die, &d->face);
}

static bool parse_showdown(struct span value, struct park_deed *d)
{
	struct span word;
	enum park_die die = PARK_GLOVE;

	if (span_eq_str(value, "-"))
		return true;
	d->finalist = true;
	while (span_next_word(&value, "", &word)) {
		if (die == PARK_DICE_END || !read_face(word, die, &d->faces[die]))
			return false;
		die++;
	}
	return die == PARK_DICE_END;
}

static bool parse_declared(struct span value, struct park_deed *d)
{
	d->declared = span_eq_str(value, "CROWN")    ? PARK_DECLARED
	              : span_eq_str(value, "ANSWER") ? PARK_ANSWERED
	                                             : PARK_SILENT;
	return d->declared != PARK_SILENT || span_eq_str(value, "-");
}

static bool decode_deed(struct state_reader *r, const struct game_state *s, unsigned seat,
                        struct park_deed *d)
{
	struct span value;

	if (!state_value(r, &value, "seat %u rolled", seat))
		return false;
	if (!parse_rolled(s, value, d))
		return state_bad(r, "a die and its face should stand here.");
	if (!state_value(r, &value, "seat %u declared", seat))
		return false;
	if (!parse_declared(value, d))
		return state_bad(r, "CROWN, ANSWER or - should stand here.");
	if (!state_value(r, &value, "seat %u got", seat) || !read_moles(r, &d->got, value) ||
	    !state_value(r, &value, "seat %u dropped", seat) ||
	    !read_moles(r, &d->dropped, value) ||
	    !state_value(r, &value, "seat %u shown", seat) ||
	    !read_moles(r, &d->shown, value) ||
	    !state_uint(r, 0, PARK_TOTAL, &d->total, "seat %u total", seat) ||
	    !state_uint(r, 0, s->nseats, &d->pick, "seat %u pick", seat) ||
	    !state_uint(r, 0, PARK_PRIZES, &d->won, "seat %u won", seat) ||
	    !state_value(r, &value, "seat %u showdown", seat))
		return false;
	return parse_showdown(value, d) || state_bad(r, "four faces should stand here.");
}

static bool decode_hand(struct state_reader *r, const struct game_state *s, unsigned seat,
                        struct park_seat *p)
{
	struct park_pile sorted;
	struct span value;

	if (!state_value(r, &value, "seat %u hand", seat) || !read_moles(r, &p->hand, value))
		return false;
	sorted = p->hand;
	park_pile_sort(&s->setup, &sorted);
	if (p->hand.count && memcmp(sorted.cards, p->hand.cards, p->hand.count) != 0)
		return state_bad(r, "a hand stands in order, the most stars first.");
	return state_value(r, &value, "seat %u prizes", seat) &&
	       read_cards(r, value, 1, PARK_PRIZES, PARK_PRIZES, p->prizes, &p->nprizes);
}

static bool decode_seat(struct state_reader *r, struct game_state *s, unsigned seat)
{
	struct park_seat *p = &s->seats[seat];
	struct span value;

	if (!state_name(r, seat, &p->name))
		return false;
	if (!state_uint(r, 0, s->round - 1, &p->left, "seat %u left", seat) ||
	    !decode_hand(r, s, seat, p) || !state_value(r, &value, "seat %u wishes", seat))
		return false;
	if (!parse_wishes(value, &p->wishes))
		return state_bad(r, "shops, NONE or ANY should stand here.");
	if (!state_value(r, &value, "seat %u discard", seat))
		return false;
	if (!parse_discard(value, &p->discard))
		return state_bad(r, "LOW, HIGH or values should stand here.");
	return decode_deed(r, s, seat, &p->last);
}

static bool decode_all(struct state_reader *r, struct game_state *s)
{
	struct seat_names names = {.count = 0};

	if (!state_exact(r, "mole-park", "1") ||
	    !state_options(r, s, &mole_park_1, take_options) ||
	    !state_uint(r, 2, PARK_SEATS, &s->nseats, "seats") ||
	    !state_uint(r, 1, s->setup.rounds + 1, &s->round, "round") ||
	    !state_ring(r, s->nseats, s->ring) ||
	    !state_uint(r, 1, s->nseats, &s->king, "king") || !decode_style(r, s) ||
	    !decode_favour(r, s) ||
	    !state_uint(r, PARK_PRIZES - PARK_SHOP_CARDS + 1, PARK_PRIZES, &s->crown,
	                "crown") ||
	    !state_uint(r, 0, s->nseats, &s->winner, "winner") || !decode_moles(r, s) ||
	    !decode_shops(r, s))
		return false;
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		if (!decode_seat(r, s, seat))
			return false;
		names.names[seat] = s->seats[seat].name.text;
	}
	names.count = s->nseats;
	if (s->setup.king > s->nseats)
		return state_bad(r, "the option king names nobody.");
	return state_end(r) && seat_names_ok(&names, r->why) && park_state_holds(s, r->why);
}

bool park_decode(struct span text, struct game_state **out, struct strbuf *why)
{
	return state_decode(text, sizeof **out, decode_all, park_encode, out, why);
}
