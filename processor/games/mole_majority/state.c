/*
 * state.c - the state of Mole Majority as text.
 *
 * Trusts: any bytes may come. Every line is read and kept in range; whether the whole makes a
 * position of this game is asked last: that all sums are right (moles, claim tokens, cave-ins, cards,
 * home tokens, hexes), turn, round and active player fit together, and the next turn gives a state
 * that can be read again.
 */
#include "processor/games/mole_majority/majority.h"
#include "processor/games/registry.h"

/* ---- Whether the whole makes a position ---- */

enum { HOME_VALUES = 3 };

static bool bad(struct strbuf *why, const char *what)
{
	strbuf_addf(why, "This is no position of Mole Majority: %s.", what);
	return false;
}

static bool values_ok(const struct game_state *s)
{
	/* Before the board is built the bases are still to come. */
	unsigned of_value[MM_SPACES + 1] = {[MM_SPACES] = s->turn == 0 ? s->nseats : 0};

	for (unsigned h = 0; h < MM_HEXES; h++)
		of_value[s->hexes[h].value]++;
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		for (unsigned i = 0; i < s->seats[seat].ntiles; i++)
			of_value[s->seats[seat].tiles[i]]++;
	for (unsigned v = 3; v <= MM_SPACES; v++)
		if (of_value[v] > MM_OF_EACH_VALUE)
			return false;
	return true;
}

static bool board_ok(const struct game_state *s, struct strbuf *why)
{
	uint32_t middle = mm_ring | mm_bit(HEX_C3);
	uint32_t board = mm_board(s);
	unsigned size = (unsigned)__builtin_popcount(board);

	if ((board & middle) != middle)
		return bad(why, "C3 and the six hexes round it are always there");
	if (size != (s->turn ? 7 + 3 * s->nseats + s->setup.extra_fifth : 7)) /* rule 4 */
		return bad(why, "the number of hexes does not fit the number of players");
	if (!values_ok(s))
		return bad(why, "there are only six hexes of each value");
	return true;
}

static bool hex_ok(const struct game_state *s, const struct mm_hex *x, struct strbuf *why)
{
	if (x->claim && !mm_is_in(s, x->claim))
		return bad(why, "a player who is out claims a hex");
	if (x->claim && mm_moles_on(x, 0) == x->value)
		return bad(why, "an empty hex is claimed");
	if (x->home_open && (!x->home || !s->setup.homes_reveal))
		return bad(why, "a home token lies face up");
	if (x->home && x->claim && s->setup.homes_reveal && !x->home_open)
		return bad(why, "a home token on a claimed hex lies face down");
	if (s->turn == 0 && (x->home || mm_moles_on(x, 0) < x->value))
		return bad(why, "there are tokens on the board before it is built");
	return true;
}

static bool tokens_ok(const struct game_state *s, struct strbuf *why)
{
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		unsigned claims = (unsigned)__builtin_popcount(mm_claims(s, seat));

		if (mm_supply(s, seat) > MM_MOLES)
			return bad(why, "a player has more than 30 moles");
		if (claims > MM_CLAIMS)
			return bad(why, "a player has more than 10 claim tokens");
		if (s->turn && mm_is_in(s, seat) && claims == 0)
			return bad(why, "a player without a claim is out");
	}
	return true;
}

static bool caveins_ok(const struct game_state *s, struct strbuf *why)
{
	unsigned borders = 0, used = 0;

	for (unsigned h = 0; h < MM_HEXES; h++) {
		if (s->cave[h] && (!s->hexes[h].value || (s->cave[h] & ~mm_board(s))))
			return bad(why, "a Cave-In lies outside the board");
		borders += (unsigned)__builtin_popcount(s->cave[h]);
	}
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		if (s->seats[seat].caveins % 2)
			return bad(why, "Cave-Ins come two at a time");
		used += MM_CAVEINS - s->seats[seat].caveins;
	}
	return borders == 2 * used || bad(why, "Cave-Ins are missing, or too many");
}

static bool seat_cards_ok(const struct game_state *s, unsigned seat, struct strbuf *why)
{
	const struct mm_seat *p = &s->seats[seat];
	unsigned all = 0u + p->hand.count + p->deck.count + p->discard.count;

	if (!mm_is_in(s, seat))
		return (all == 0 && p->nhomes == 0) ||
		       bad(why, "a player who is out has cards or home tokens");
	if (all != MM_DECK)
		return bad(why, "a player has 18 cards");
	if (s->turn == 0)
		return p->deck.count == MM_DECK || bad(why, "nobody has a hand yet");
	return (p->hand.count >= 1 && p->hand.count <= MM_HAND) ||
	       bad(why, "a hand has 1 to 6 cards");
}

static bool anybody_out(const struct game_state *s)
{
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (!mm_is_in(s, seat))
			return true;
	return false;
}

/* Who goes out takes cards with them, and which ones is forgotten. */
static bool cards_ok(const struct game_state *s, struct strbuf *why)
{
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (!seat_cards_ok(s, seat, why))
			return false;
	for (unsigned card = CARD_N4; card < CARD_KINDS; card++) {
		unsigned n = 0, most = s->nseats * mm_cards[card].in_deck;

		for (unsigned seat = 1; seat <= s->nseats; seat++) {
			const struct mm_seat *p = &s->seats[seat];

			n += mm_pile_count(&p->hand, card) + mm_pile_count(&p->deck, card) +
			     mm_pile_count(&p->discard, card);
		}
		if (n > most || (n < most && !anybody_out(s)))
			return bad(why, "the cards are not those of the decks");
	}
	return true;
}

static bool homes_ok(const struct game_state *s, struct strbuf *why)
{
	unsigned of_value[HOME_VALUES + 1] = {0};

	for (unsigned h = 0; h < MM_HEXES; h++)
		of_value[s->hexes[h].home]++;
	for (unsigned i = 0; i < s->nspare; i++)
		of_value[s->spare[i]]++;
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		for (unsigned i = 0; i < s->seats[seat].nhomes; i++) {
			if (s->seats[seat].homes[i].open && !s->setup.homes_reveal)
				return bad(why, "a home token was seen by everybody");
			of_value[s->seats[seat].homes[i].value]++;
		}
	for (unsigned v = 1; v <= HOME_VALUES; v++) {
		if (of_value[v] > (s->turn ? MM_OF_EACH_HOME : 0))
			return bad(why, "there are eight home tokens of each value");
		if (s->turn && of_value[v] < MM_OF_EACH_HOME && !anybody_out(s))
			return bad(why, "home tokens are missing");
	}
	return true;
}

static bool setup_ok(const struct game_state *s, struct strbuf *why)
{
	if (s->setup.auto_setup)
		return bad(why, "with setup=auto there is no set-up by mail");
	if (s->round || s->first || s->active || s->last || anybody_out(s))
		return bad(why, "nobody has played yet");
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (s->seats[seat].standing != STANDING_IN)
			return bad(why, "nobody has left yet");
	return true;
}

static unsigned place_after_first(const struct game_state *s, unsigned seat)
{
	unsigned first = 0, at = 0;

	while (s->ring[first] != s->first)
		first++;
	while (s->ring[(first + at) % s->nseats] != seat)
		at++;
	return at;
}

/* No more turns than rounds have room for: so it stays until the end. */
static bool clock_ok(const struct game_state *s, struct strbuf *why)
{
	if (s->round < 1 || s->first < 1 || (s->last == 0) != (s->turn == 1))
		return bad(why, "turn and round do not fit together");
	if ((s->active == 0) != (mm_ends(s) != 0))
		return bad(why, "it should be somebody's turn until the end");
	if (s->active == 0)
		return true;
	if (!mm_is_in(s, s->active))
		return bad(why, "it is the turn of a player who is out");
	return s->turn <= (s->round - 1) * s->nseats + place_after_first(s, s->active) + 1 ||
	       bad(why, "there were more turns than rounds have room for");
}

static bool standings_ok(const struct game_state *s, struct strbuf *why)
{
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (s->seats[seat].standing == STANDING_LEAVING && s->turn != 1)
			return bad(why, "who resigns in the set-up leaves in turn 1");
	return true;
}

static bool is_sound(const struct game_state *s, struct strbuf *why)
{
	for (unsigned h = 0; h < MM_HEXES; h++)
		if (s->hexes[h].value && !hex_ok(s, &s->hexes[h], why))
			return false;
	return board_ok(s, why) && (s->turn ? clock_ok(s, why) : setup_ok(s, why)) &&
	       tokens_ok(s, why) && caveins_ok(s, why) && cards_ok(s, why) &&
	       homes_ok(s, why) && standings_ok(s, why);
}

/*
 * ---- What happened last turn ----
 *
 * An event is a word and its arguments; a letter for each argument says what may stand there:
 * s seat, o seat or nobody, h hex, v value, p space, d direction, c card, n number.
 */

enum { MOST_OF_ANYTHING = MM_HOMES };

static const struct {
	const char *word, *args;
} kinds[EVENT_KINDS] = {
    [EVENT_BASE] = {"base", "sh"},      [EVENT_TILE] = {"tile", "shv"},
    [EVENT_LEAVING] = {"leaving", "s"}, [EVENT_FIRST] = {"first", "s"},
    [EVENT_PASS] = {"pass", ""},        [EVENT_DISCARD] = {"discard", "n"},
    [EVENT_PLAY] = {"play", "c"},       [EVENT_WITH] = {"with", "c"},
    [EVENT_STACK] = {"stack", "c"},     [EVENT_MOVE] = {"move", "hhn"},
    [EVENT_BREED] = {"breed", "hn"},    [EVENT_CONVERT] = {"convert", "hps"},
    [EVENT_ROLL] = {"roll", "hpdnn"},   [EVENT_STEAL] = {"steal", "sc"},
    [EVENT_HOME] = {"home", "h"},       [EVENT_CAVEIN] = {"cavein", "hh"},
    [EVENT_TOKEN] = {"token", "n"},     [EVENT_CLAIM] = {"claim", "sho"},
    [EVENT_BARE] = {"bare", "sho"},     [EVENT_EMPTY] = {"empty", "hs"},
    [EVENT_REVEAL] = {"reveal", "hn"},  [EVENT_REFILL] = {"refill", ""},
    [EVENT_DRAW] = {"draw", "n"},       [EVENT_BEATEN] = {"beaten", "s"},
    [EVENT_LEFT] = {"left", "s"},
};

static bool arg_word(struct fields *f, const struct game_state *s, char type, uint8_t *arg)
{
	static const char *const directions[] = {"CCW", "CW"};
	struct span word = SPAN_EMPTY;
	unsigned n = *arg;
	bool ok = false;

	if (type == 'h') {
		word = (struct span){mm_hex_names[n], 2};
		ok = field_word(f, &word) && (fields_writing(f) || mm_hex_parse(word, &n));
	} else if (type == 'c') {
		word = span_of(mm_cards[n].name);
		ok = field_word(f, &word) && (fields_writing(f) || mm_card_parse(word, &n));
	} else if (type == 'd') {
		ok = field_word_choice(f, directions, 2, &n);
	} else if (type == 's' || type == 'o') {
		ok = field_word_uint(f, &n, type == 's', s->nseats);
	} else if (type == 'v') {
		ok = field_word_uint(f, &n, 3, 6);
	} else if (type == 'p') {
		ok = field_word_uint(f, &n, 1, MM_SPACES);
	} else if (type == 'n') {
		ok = field_word_uint(f, &n, 0, MOST_OF_ANYTHING);
	}
	*arg = (uint8_t)n;
	return ok;
}

static bool event_field(struct fields *f, const struct game_state *s, struct mm_event *e)
{
	struct span word = span_of(kinds[e->kind].word);
	unsigned kind = 0;

	if (!field_key(f, "event"))
		return false;
	if (!field_word(f, &word))
		return fields_bad(f, "an event should stand here.");
	while (kind < EVENT_KINDS && !span_eq_str(word, kinds[kind].word))
		kind++;
	if (kind == EVENT_KINDS)
		return fields_bad(f, "there is no event \"%.*s\".", SPAN_ARGS(word));
	e->kind = (uint8_t)kind;
	for (unsigned a = 0; kinds[kind].args[a]; a++)
		if (!arg_word(f, s, kinds[kind].args[a], &e->args[a]))
			return fields_bad(f, "the event does not say what it should.");
	return true;
}

static bool event_fields(struct fields *f, struct game_state *s)
{
	if (!field_uint(f, &s->nevents, 0, MM_EVENTS, "events"))
		return false;
	for (unsigned i = 0; i < s->nevents; i++)
		if (!event_field(f, s, &s->events[i]))
			return false;
	return true;
}

/* ---- Lines ---- */

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
	return event_fields(f, s) && fields_end(f) &&
	       (fields_writing(f) || is_sound(s, f->why));
}

void mm_encode(const struct game_state *s, struct strbuf *out)
{
	fields_encode(s, sizeof *s, all_fields, out);
}

bool mm_decode(struct span text, struct game_state **out, struct strbuf *why)
{
	return fields_decode(text, sizeof **out, all_fields, out, why);
}
