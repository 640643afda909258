/*
 * state.c - the state of Mole Majority as text.
 *
 * Trusts: any bytes may come. Here every line is read and kept in range; whether the whole
 * makes a position of this game is for sound.c.
 */
#include "processor/games/mole_majority/sound.h"
#include "processor/games/registry.h"

static bool take_options(struct game_state *s, const struct options *o, struct strbuf *why)
{
	return mm_setup_read(&s->setup, o, why);
}

/* At most MM_SEATS numbers, which the state keeps in bytes. */
static bool bytes_words(struct fields *f, uint8_t *bytes, unsigned count, unsigned min,
                        unsigned max)
{
	unsigned numbers[MM_SEATS];

	for (unsigned i = 0; i < count; i++)
		numbers[i] = bytes[i];
	if (!field_words_uint(f, numbers, count, min, max))
		return false;
	for (unsigned i = 0; i < count; i++)
		bytes[i] = (uint8_t)numbers[i];
	return true;
}

static bool order_field(struct fields *f, struct game_state *s)
{
	struct seat_set seen = {0};

	if (!field_key(f, "order") || !bytes_words(f, s->ring, s->nseats, 1, s->nseats))
		return false;
	for (unsigned i = 0; i < s->nseats; i++)
		seen = seat_with(seen, s->ring[i]);
	return fields_check(f, seat_count(seen) == s->nseats, "each seat plays once a round.");
}

/* "-", "2" or, face up, "2o". */
static bool home_word(struct fields *f, uint8_t *value, bool *open)
{
	static const char *const words[] = {"-", "1", "2", "3", "", "1o", "2o", "3o"};
	unsigned n = *value + (*open ? 4u : 0u);
	bool ok = field_word_choice(f, words, 8, &n);

	*value = (uint8_t)(n % 4);
	*open = n > 4;
	return ok;
}

/* One letter for each space. */
static bool spaces_word(struct fields *f, const struct game_state *s, struct mm_hex *x)
{
	struct span word = SPAN_EMPTY;

	if (!field_word(f, &word) || (!fields_writing(f) && word.len != x->value))
		return false;
	for (unsigned i = 0; i < x->value; i++)
		if (fields_writing(f))
			strbuf_addc(f->out, x->spaces[i] ? mm_letter(x->spaces[i]) : '.');
		else if (word.ptr[i] >= 'A' && word.ptr[i] < 'A' + (int)s->nseats)
			x->spaces[i] = (uint8_t)(word.ptr[i] - 'A' + 1);
		else if (word.ptr[i] != '.')
			return false;
	return true;
}

static bool hex_field(struct fields *f, struct game_state *s, unsigned h)
{
	static const char *const values[] = {"-", "", "", "3", "4", "5", "6"};
	static const char *const claims[] = {"-", "A", "B", "C", "D"};
	struct mm_hex *x = &s->hexes[h];
	struct span name = {mm_hex_names[h], 2};
	unsigned value = x->value, claim = x->claim;
	bool ok;

	if (!field_key(f, "hex"))
		return false;
	if (!field_word(f, &name) || !span_eq_str(name, mm_hex_names[h]))
		return fields_bad(f, "hex %s should stand here.", mm_hex_names[h]);
	ok = field_word_choice(f, values, MM_SPACES + 1, &value);
	x->value = (uint8_t)value;
	if (ok && value)
		ok = field_word_choice(f, claims, s->nseats + 1, &claim) &&
		     spaces_word(f, s, x) && home_word(f, &x->home, &x->home_open);
	x->claim = (uint8_t)claim;
	return ok || fields_bad(f, "value, claim, moles and home token should stand here.");
}

static bool caveins_field(struct fields *f, struct game_state *s)
{
	struct span word = SPAN_EMPTY;
	unsigned one = 0, other = 0;

	if (!field_key(f, "cave-ins"))
		return false;
	for (unsigned h = 0; h < MM_HEXES && fields_writing(f); h++)
		for (uint32_t later = s->cave[h] >> h >> 1 << 1 << h; later;
		     later &= later - 1) {
			(void)field_word(f, &word);
			strbuf_add(f->out, mm_hex_names[h], 2);
			strbuf_addc(f->out, '-');
			strbuf_add(f->out, mm_hex_names[__builtin_ctz(later)], 2);
		}
	while (field_more(f, false)) {
		if (!field_word(f, &word) || word.len != 5 ||
		    !mm_hex_parse(span_slice(word, 0, 2), &one) ||
		    !mm_hex_parse(span_slice(word, 3, 5), &other) ||
		    !(mm_beside[one] & mm_bit(other)))
			return fields_bad(f, "two hexes side by side should stand here.");
		s->cave[one] |= mm_bit(other);
		s->cave[other] |= mm_bit(one);
	}
	return true;
}

static bool spare_field(struct fields *f, struct game_state *s)
{
	uint8_t n = 0;

	if (!field_key(f, "spare"))
		return false;
	for (; field_more(f, n < s->nspare); n++)
		if (n == MM_HOMES || !field_word_byte(f, &s->spare[n], 1, 3))
			return fields_bad(f,
			                  "at most 24 numbers from 1 to 3 should stand here.");
	s->nspare = n;
	return true;
}

static bool standing_field(struct fields *f, const struct game_state *s, unsigned seat,
                           struct mm_seat *p)
{
	static const char *const words[] = {"in", "leaving", "beaten", "left"};
	unsigned standing = p->standing;
	struct span said;

	if (!field_key(f, "seat %u standing", seat))
		return false;
	said = f->words;
	if (!field_word_choice(f, words, STANDING_LEFT + 1, &standing))
		return fields_bad(f, "there is no standing \"%.*s\".", SPAN_ARGS(said));
	p->standing = (enum mm_standing)standing;
	return standing < STANDING_BEATEN ||
	       (s->turn > 1 && field_word_uint(f, &p->out, 1, s->turn - 1)) ||
	       fields_bad(f, "a turn that has been played should stand here.");
}

/* In the set-up only. */
static bool tiles_field(struct fields *f, const struct game_state *s, unsigned seat,
                        struct mm_seat *p)
{
	if (s->turn)
		return true;
	if (!field_key(f, "seat %u tiles", seat))
		return false;
	p->ntiles = s->setup.extra_fifth && seat == s->ring[1] ? 3 : 2;
	return bytes_words(f, p->tiles, p->ntiles, 3, MM_SPACES);
}

static bool pile_field(struct fields *f, unsigned seat, const char *key, struct mm_pile *pile)
{
	struct span word;
	unsigned n = 0, card;

	if (!field_key(f, "seat %u %s", seat, key))
		return false;
	for (; field_more(f, n < pile->count); n++) {
		card = pile->cards[n % MM_DECK];
		word = span_of(mm_cards[card].name);
		(void)field_word(f, &word);
		if (!fields_writing(f) && !mm_card_parse(word, &card))
			return fields_bad(f, "there is no card \"%.*s\".", SPAN_ARGS(word));
		if (n == MM_DECK)
			return fields_bad(f, "there are more than 18 cards.");
		pile->cards[n] = (uint8_t)card;
	}
	pile->count = (uint8_t)n;
	return true;
}

static bool homes_field(struct fields *f, unsigned seat, struct mm_seat *p)
{
	uint8_t n = 0;

	if (!field_key(f, "seat %u homes", seat))
		return false;
	for (; field_more(f, n < p->nhomes); n++)
		if (n == MM_HOMES || !home_word(f, &p->homes[n].value, &p->homes[n].open) ||
		    !p->homes[n].value)
			return fields_bad(f, "home tokens, 1 to 3, should stand here.");
	p->nhomes = n;
	return true;
}

static bool seat_fields(struct fields *f, struct game_state *s, unsigned seat)
{
	struct mm_seat *p = &s->seats[seat];
	unsigned caveins = p->caveins;

	if (!field_name(f, seat, &p->name) || !standing_field(f, s, seat, p) ||
	    !field_uint(f, &caveins, 0, MM_CAVEINS, "seat %u cave-ins", seat))
		return false;
	p->caveins = (uint8_t)caveins;
	return tiles_field(f, s, seat, p) && pile_field(f, seat, "hand", &p->hand) &&
	       pile_field(f, seat, "deck", &p->deck) &&
	       pile_field(f, seat, "discard", &p->discard) && homes_field(f, seat, p);
}

static bool all_fields(struct fields *f, struct game_state *s)
{
	if (!field_exact(f, "mole-majority", "1") ||
	    !field_options(f, s, s->setup.text, &mole_majority_1, take_options) ||
	    !field_uint(f, &s->nseats, 2, MM_SEATS, "seats") ||
	    !field_uint(f, &s->turn, 0, s->setup.rounds * s->nseats + 1, "turn") ||
	    !field_uint(f, &s->round, 0, s->setup.rounds + 1, "round") || !order_field(f, s) ||
	    !field_uint(f, &s->first, 0, s->nseats, "first") ||
	    !field_uint(f, &s->active, 0, s->nseats, "active") ||
	    !field_uint(f, &s->last, 0, s->nseats, "last"))
		return false;
	for (unsigned h = 0; h < MM_HEXES; h++)
		if (!hex_field(f, s, h))
			return false;
	if (!caveins_field(f, s) || !spare_field(f, s))
		return false;
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (!seat_fields(f, s, seat))
			return false;
	return mm_event_fields(f, s) && fields_end(f) &&
	       (fields_writing(f) || mm_is_sound(s, f->why));
}

void mm_encode(const struct game_state *s, struct strbuf *out)
{
	fields_encode(s, sizeof *s, all_fields, out);
}

bool mm_decode(struct span text, struct game_state **out, struct strbuf *why)
{
	return fields_decode(text, sizeof **out, all_fields, out, why);
}
