/*
 * sound.c - the sums of a position.
 */
#include "processor/games/mole_majority/sound.h"

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
	if (size != (s->turn ? mm_board_size(s) : 7u))
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

bool mm_is_sound(const struct game_state *s, struct strbuf *why)
{
	for (unsigned h = 0; h < MM_HEXES; h++)
		if (s->hexes[h].value && !hex_ok(s, &s->hexes[h], why))
			return false;
	return board_ok(s, why) && (s->turn ? clock_ok(s, why) : setup_ok(s, why)) &&
	       tokens_ok(s, why) && caveins_ok(s, why) && cards_ok(s, why) &&
	       homes_ok(s, why) && standings_ok(s, why);
}
