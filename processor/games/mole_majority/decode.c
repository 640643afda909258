/*
 * decode.c - reading a state, line by line.
 *
 * Trusts: any bytes may come. Here every line is read and kept in range; whether the whole
 * makes a position of this game is for sound.c.
 */

#include "processor/base/num.h"
#include "processor/games/mole_majority/sound.h"
#include "processor/games/registry.h"

static bool take_options(struct game_state *s, const struct options *o, struct strbuf *why)
{
	return mm_setup_read(&s->setup, o, why);
}

static bool decode_order(struct state_reader *r, struct game_state *s)
{
	struct seat_set seen = {0};
	unsigned ring[MM_SEATS];
	struct span value = SPAN_EMPTY;

	if (!state_value(r, &value, "order") ||
	    !state_uints(r, value, 1, s->nseats, s->nseats, ring))
		return false;
	for (unsigned i = 0; i < s->nseats; i++) {
		s->ring[i] = (uint8_t)ring[i];
		seen = seat_with(seen, ring[i]);
	}
	return seat_count(seen) == s->nseats || state_bad(r, "each seat plays once a round.");
}

/* "-", "2" or, face up, "2o". */
static bool parse_home(struct span word, uint8_t *value, bool *open)
{
	unsigned n = 0;

	*open = word.len == 2 && word.ptr[1] == 'o';
	if (*open)
		word.len--;
	if (!*open && span_eq_str(word, "-")) {
		*value = 0;
		return true;
	}
	if (!num_parse_uint(word, 1, 3, &n))
		return false;
	*value = (uint8_t)n;
	return true;
}

/* 'A' -> 1; `empty` -> 0. */
static bool parse_letter(const struct game_state *s, char c, char empty, uint8_t *seat)
{
	*seat = 0;
	if (c == empty)
		return true;
	if (c < 'A' || c >= 'A' + (int)s->nseats)
		return false;
	*seat = (uint8_t)(c - 'A' + 1);
	return true;
}

static bool parse_hex(const struct game_state *s, struct span rest, struct mm_hex *x)
{
	struct span value = SPAN_EMPTY, claim = SPAN_EMPTY, spaces = SPAN_EMPTY;
	struct span home = SPAN_EMPTY;
	unsigned n = 0;

	if (!span_next_word(&rest, "", &value) || !span_next_word(&rest, "", &claim) ||
	    !span_next_word(&rest, "", &spaces) || !span_next_word(&rest, "", &home) ||
	    !num_parse_uint(value, 3, MM_SPACES, &n) || claim.len != 1 || spaces.len != n ||
	    !parse_letter(s, claim.ptr[0], '-', &x->claim) ||
	    !parse_home(home, &x->home, &x->home_open))
		return false;
	x->value = (uint8_t)n;
	for (unsigned i = 0; i < n; i++)
		if (!parse_letter(s, spaces.ptr[i], '.', &x->spaces[i]))
			return false;
	return true;
}

static bool decode_hexes(struct state_reader *r, struct game_state *s)
{
	struct span rest = SPAN_EMPTY, name = SPAN_EMPTY;

	for (unsigned h = 0; h < MM_HEXES; h++) {
		if (!state_value(r, &rest, "hex"))
			return false;
		if (!span_next_word(&rest, "", &name) || !span_eq_str(name, mm_hex_names[h]))
			return state_bad(r, "hex %s should stand here.", mm_hex_names[h]);
		if (!span_eq_str(span_trim(rest), "-") && !parse_hex(s, rest, &s->hexes[h]))
			return state_bad(r, "value, claim, moles and home token should stand "
			                    "here.");
	}
	return true;
}

static bool decode_caveins(struct state_reader *r, struct game_state *s)
{
	struct span rest = SPAN_EMPTY, word = SPAN_EMPTY;
	unsigned one = 0, other = 0;

	if (!state_value(r, &rest, "cave-ins"))
		return false;
	if (span_eq_str(rest, "-"))
		return true;
	while (span_next_word(&rest, "", &word)) {
		if (word.len != 5 || !mm_hex_parse(span_slice(word, 0, 2), &one) ||
		    !mm_hex_parse(span_slice(word, 3, 5), &other) ||
		    !(mm_beside[one] & mm_bit(other)))
			return state_bad(r, "two hexes side by side should stand here.");
		s->cave[one] |= mm_bit(other);
		s->cave[other] |= mm_bit(one);
	}
	return true;
}

static bool decode_spare(struct state_reader *r, struct game_state *s)
{
	struct span rest = SPAN_EMPTY, word = SPAN_EMPTY;
	bool open;

	if (!state_value(r, &rest, "spare"))
		return false;
	if (span_eq_str(rest, "-"))
		return true;
	while (span_next_word(&rest, "", &word))
		if (s->nspare == MM_HOMES || !parse_home(word, &s->spare[s->nspare++], &open) ||
		    open || s->spare[s->nspare - 1] == 0)
			return state_bad(r,
			                 "at most 24 numbers from 1 to 3 should stand here.");
	return true;
}

static bool decode_standing(struct state_reader *r, const struct game_state *s, unsigned seat,
                            struct mm_seat *p)
{
	static const char *const words[] = {"in", "leaving", "beaten", "left"};
	struct span rest = SPAN_EMPTY, word = SPAN_EMPTY;
	unsigned standing = 0;

	if (!state_value(r, &rest, "seat %u standing", seat))
		return false;
	if (!span_next_word(&rest, "", &word))
		return state_bad(r, "a standing should be here.");
	while (standing <= STANDING_LEFT && !span_eq_str(word, words[standing]))
		standing++;
	if (standing > STANDING_LEFT)
		return state_bad(r, "there is no standing \"%.*s\".", SPAN_ARGS(word));
	p->standing = (enum mm_standing)standing;
	if (standing < STANDING_BEATEN)
		return true;
	return (s->turn > 1 && span_next_word(&rest, "", &word) &&
	        num_parse_uint(word, 1, s->turn - 1, &p->out)) ||
	       state_bad(r, "a turn that has been played should stand here.");
}

static bool decode_tiles(struct state_reader *r, const struct game_state *s, unsigned seat,
                         struct mm_seat *p)
{
	unsigned values[MM_TILES];
	unsigned n = s->setup.extra_fifth && seat == s->ring[1] ? 3 : 2;
	struct span value = SPAN_EMPTY;

	if (s->turn)
		return true;
	if (!state_value(r, &value, "seat %u tiles", seat) ||
	    !state_uints(r, value, 3, MM_SPACES, n, values))
		return false;
	p->ntiles = (uint8_t)n;
	for (unsigned i = 0; i < n; i++)
		p->tiles[i] = (uint8_t)values[i];
	return true;
}

static bool parse_pile(struct state_reader *r, struct span rest, struct mm_pile *pile)
{
	struct span word = SPAN_EMPTY;
	unsigned card = 0;

	if (span_eq_str(rest, "-"))
		return true;
	while (span_next_word(&rest, "", &word)) {
		if (!mm_card_parse(word, &card))
			return state_bad(r, "there is no card \"%.*s\".", SPAN_ARGS(word));
		if (pile->count == MM_DECK)
			return state_bad(r, "there are more than 18 cards.");
		mm_pile_put(pile, card);
	}
	return true;
}

static bool decode_homes(struct state_reader *r, unsigned seat, struct mm_seat *p)
{
	struct span rest = SPAN_EMPTY, word = SPAN_EMPTY;

	if (!state_value(r, &rest, "seat %u homes", seat))
		return false;
	if (span_eq_str(rest, "-"))
		return true;
	while (span_next_word(&rest, "", &word)) {
		struct mm_home *home = &p->homes[p->nhomes];

		if (p->nhomes == MM_HOMES || !parse_home(word, &home->value, &home->open) ||
		    !home->value)
			return state_bad(r, "home tokens, 1 to 3, should stand here.");
		p->nhomes++;
	}
	return true;
}

static bool decode_seat(struct state_reader *r, struct game_state *s, unsigned seat)
{
	struct mm_seat *p = &s->seats[seat];
	struct span value = SPAN_EMPTY;
	unsigned caveins = 0;

	if (!state_name(r, seat, &p->name) || !decode_standing(r, s, seat, p) ||
	    !state_uint(r, 0, MM_CAVEINS, &caveins, "seat %u cave-ins", seat) ||
	    !decode_tiles(r, s, seat, p) || !state_value(r, &value, "seat %u hand", seat) ||
	    !parse_pile(r, value, &p->hand) || !state_value(r, &value, "seat %u deck", seat) ||
	    !parse_pile(r, value, &p->deck) ||
	    !state_value(r, &value, "seat %u discard", seat) ||
	    !parse_pile(r, value, &p->discard) || !decode_homes(r, seat, p))
		return false;
	p->caveins = (uint8_t)caveins;
	return true;
}

static bool decode_head(struct state_reader *r, struct game_state *s)
{
	return state_exact(r, "mole-majority", "1") &&
	       state_options(r, s, &mole_majority_1, take_options) &&
	       state_uint(r, 2, MM_SEATS, &s->nseats, "seats") &&
	       state_uint(r, 0, s->setup.rounds * s->nseats + 1, &s->turn, "turn") &&
	       state_uint(r, 0, s->setup.rounds + 1, &s->round, "round") &&
	       decode_order(r, s) && state_uint(r, 0, s->nseats, &s->first, "first") &&
	       state_uint(r, 0, s->nseats, &s->active, "active") &&
	       state_uint(r, 0, s->nseats, &s->last, "last");
}

static bool decode_all(struct state_reader *r, struct game_state *s)
{
	struct seat_names names = {.count = 0};

	if (!decode_head(r, s) || !decode_hexes(r, s) || !decode_caveins(r, s) ||
	    !decode_spare(r, s))
		return false;
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		if (!decode_seat(r, s, seat))
			return false;
		names.names[seat] = s->seats[seat].name.text;
	}
	names.count = s->nseats;
	return mm_decode_events(r, s) && state_end(r) && seat_names_ok(&names, r->why) &&
	       mm_is_sound(s, r->why);
}

bool mm_decode(struct span text, struct game_state **out, struct strbuf *why)
{
	return state_decode(text, sizeof **out, decode_all, mm_encode, out, why);
}
