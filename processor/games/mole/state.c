/*
 * state.c - the state as text and back.
 *
 * Trusts nothing: decode checks every number that physics.h or an index rests on, and that
 * what goes together does.
 */
#include <string.h>

#include "processor/base/num.h"
#include "processor/games/mole/mole.h"
#include "processor/games/registry.h"

static const char *const side_names[] = {"mignettes", "mole"};
static const char coin_letters[] = "M123";

/* --- writing ----------------------------------------------------------- */

static void encode_coins(const struct mole_coins *coins, const char *before, struct strbuf *out)
{
	for (unsigned i = 0; i < MOLE_COINS; i++) {
		const struct mole_coin *c = &coins->coin[i];

		strbuf_addf(out, "%scoin %c: ", before, coin_letters[i]);
		if (c->on)
			strbuf_addf(out, "%lld %lld\n", (long long)c->x, (long long)c->y);
		else
			strbuf_adds(out, "off\n");
	}
}

static void encode_last(const struct game_state *s, struct strbuf *out)
{
	const struct mole_last *l = &s->last;

	if (!l->any) {
		strbuf_adds(out, "last: -\n");
		return;
	}
	strbuf_addf(out, "last: %u %u %u %s\nlast orders: ", l->round, l->turn, l->mole_seat,
	            side_names[l->before.side]);
	mole_write_orders(&l->orders, &l->before, out);
	strbuf_addc(out, '\n');
	encode_coins(&l->before.coins, "last ", out);
	for (unsigned i = 0; i < FLICKS; i++)
		strbuf_addf(out, "last wobble %u: %lld %lld\n", i + 1,
		            (long long)l->wobble[i].aside, (long long)l->wobble[i].range);
}

void mole_encode(const struct game_state *s, struct strbuf *out)
{
	strbuf_addf(out, "mole: 1\noptions: %s\nphase: %u\nround: %u\nturn: %u\nendless: %u\n",
	            s->setup.text, s->phase, s->round, s->turn, s->endless);
	for (unsigned seat = 1; seat <= SEATS; seat++)
		strbuf_addf(out, "seat %u name: %s\nseat %u points: %u\nseat %u left: %u\n",
		            seat, s->seats[seat].name.text, seat, s->seats[seat].points, seat,
		            s->seats[seat].left);
	strbuf_addf(out, "mole seat: %u\nto play: %s\n", s->mole_seat, side_names[s->now.side]);
	encode_coins(&s->now.coins, "", out);
	encode_last(s, out);
}

/* --- reading ----------------------------------------------------------- */

static bool take_options(struct game_state *s, const struct options *o, struct strbuf *why)
{
	return mole_setup_read(&s->setup, o, why);
}

static bool decode_side(struct state_reader *r, struct span word, enum mole_side *side)
{
	if (span_eq_str(word, side_names[SIDE_MOLE]))
		*side = SIDE_MOLE;
	else if (span_eq_str(word, side_names[SIDE_MIGNETTES]))
		*side = SIDE_MIGNETTES;
	else
		return state_bad(r, "mole or mignettes should stand here.");
	return true;
}

static bool next_raw(struct span *rest, int64_t length, int64_t *out)
{
	const int64_t beyond = (int64_t)BEYOND_MM * MOLE_MM;
	struct span word;

	return span_next_word(rest, "", &word) &&
	       num_parse_i64(word, -beyond * MOLE_SCALE, (length + beyond) * MOLE_SCALE, out);
}

static bool decode_coin(struct state_reader *r, const struct mole_board *board,
                        struct span value, struct mole_coin *c)
{
	memset(c, 0, sizeof *c);
	if (span_eq_str(value, "off"))
		return true;
	c->on = true;
	if (!next_raw(&value, board->width, &c->x) || !next_raw(&value, board->length, &c->y))
		return state_bad(r, "a place on the board should stand here.");
	return true;
}

static bool same_coins(const struct mole_coins *a, const struct mole_coins *b)
{
	for (unsigned i = 0; i < MOLE_COINS; i++)
		if (a->coin[i].on != b->coin[i].on || a->coin[i].x != b->coin[i].x ||
		    a->coin[i].y != b->coin[i].y)
			return false;
	return true;
}

/* A round goes on only while the mole and a mignette lie on the board. */
static bool check_position(struct state_reader *r, const struct mole_board *board,
                           struct mole_position *p, unsigned turn)
{
	struct mole_position start;

	p->first_go = turn == 1 && p->side == SIDE_MIGNETTES;
	mole_start_round(board, &start);
	if (!p->coins.coin[MOLE].on || mole_alive(&p->coins) == 0)
		return state_bad(r, "the mole and a mignette should lie on the board.");
	if (p->first_go && !same_coins(&p->coins, &start.coins))
		return state_bad(r, "a round starts with every coin in its place.");
	return true;
}

static bool coin_line(struct state_reader *r, bool last, unsigned coin, struct span *value)
{
	if (coin == MOLE)
		return last ? state_value(r, value, "last coin M")
		            : state_value(r, value, "coin M");
	return last ? state_value(r, value, "last coin %u", coin)
	            : state_value(r, value, "coin %u", coin);
}

static bool decode_coins(struct state_reader *r, const struct mole_board *board, bool last,
                         struct mole_coins *coins)
{
	struct span value;

	for (unsigned i = 0; i < MOLE_COINS; i++)
		if (!coin_line(r, last, i, &value) ||
		    !decode_coin(r, board, value, &coins->coin[i]))
			return false;
	return true;
}

static bool decode_seat(struct state_reader *r, struct game_state *s, unsigned seat)
{
	struct mole_seat *p = &s->seats[seat];

	if (!state_name(r, seat, &p->name))
		return false;
	if (!state_uint(r, 0, s->round - 1, &p->points, "seat %u points", seat) ||
	    !state_uint(r, 0, s->phase - 1, &p->left, "seat %u left", seat))
		return false;
	if (p->left && p->left + 1 != s->phase)
		return state_bad(r, "the match ends when somebody leaves.");
	return true;
}

static bool decode_seats(struct state_reader *r, struct game_state *s)
{
	struct seat_names names = {.count = SEATS};

	for (unsigned seat = 1; seat <= SEATS; seat++) {
		if (!decode_seat(r, s, seat))
			return false;
		names.names[seat] = s->seats[seat].name.text;
	}
	if (s->seats[1].points + s->seats[2].points >= s->round)
		return state_bad(r, "a round gives one point at most.");
	return seat_names_ok(&names, r->why);
}

static bool decode_wobble(struct state_reader *r, const struct mole_setup *setup,
                          struct mole_last *l)
{
	int64_t k = setup->dexterity;
	struct span value, word[2];

	for (unsigned i = 0; i < FLICKS; i++) {
		struct mole_wobble *w = &l->wobble[i];

		if (!state_value(r, &value, "last wobble %u", i + 1))
			return false;
		if (!span_next_word(&value, "", &word[0]) ||
		    !span_next_word(&value, "", &word[1]) ||
		    !num_parse_i64(word[0], -2 * k, 2 * k, &w->aside) ||
		    !num_parse_i64(word[1], -6 * k, 6 * k, &w->range))
			return state_bad(r, "a wobble should stand here.");
	}
	return true;
}

/* "ROUND TURN MOLE-SEAT SIDE" */
static bool decode_when(struct state_reader *r, const struct game_state *s, struct span value,
                        struct mole_last *l)
{
	struct span round, turn, seat, side;

	if (!span_next_word(&value, "", &round) || !span_next_word(&value, "", &turn) ||
	    !span_next_word(&value, "", &seat) || !span_next_word(&value, "", &side) ||
	    !num_parse_uint(round, 1, s->setup.rounds, &l->round) ||
	    !num_parse_uint(turn, 1, MOLE_TURNS, &l->turn) ||
	    !num_parse_uint(seat, 1, SEATS, &l->mole_seat))
		return state_bad(r, "round, turn, a seat and a side should stand here.");
	if (l->round != s->round && l->round + 1 != s->round)
		return state_bad(r, "the last mail was of this round or the one before.");
	return decode_side(r, side, &l->before.side);
}

static bool decode_last(struct state_reader *r, struct game_state *s)
{
	struct mole_last *l = &s->last;
	bool none = s->phase == 1 || s->seats[1].left || s->seats[2].left;
	struct span value, orders;

	if (!state_value(r, &value, "last"))
		return false;
	if (none || span_eq_str(value, "-"))
		return (none && span_eq_str(value, "-")) ||
		       state_bad(r, "nothing or something should stand here.");
	l->any = true;
	if (!decode_when(r, s, value, l) || !state_value(r, &orders, "last orders"))
		return false;
	if (!decode_coins(r, &s->setup.board, true, &l->before.coins) ||
	    !check_position(r, &s->setup.board, &l->before, l->turn))
		return false;
	if (!mole_parse_orders(orders, &s->setup.board, &l->before, &l->orders) ||
	    l->orders.resign)
		return state_bad(r, "orders of that position should stand here.");
	return decode_wobble(r, &s->setup, l);
}

static bool decode_head(struct state_reader *r, struct game_state *s)
{
	unsigned rounds;

	if (!state_exact(r, "mole", "1") || !state_options(r, s, &mole_1, take_options))
		return false;
	rounds = s->setup.rounds;
	if (!state_uint(r, 1, rounds * MOLE_TURNS * 2 + 1, &s->phase, "phase") ||
	    !state_uint(r, 1, rounds + 1, &s->round, "round") ||
	    !state_uint(r, 1, MOLE_TURNS, &s->turn, "turn") ||
	    !state_uint(r, 0, MOLE_ENDLESS - 1, &s->endless, "endless"))
		return false;
	if (s->endless >= s->round)
		return state_bad(r, "more rounds ran out than were played.");
	return true;
}

/* Every mail is a phase: a round before this one took 1 to 50, this one is known. */
static bool check_phase(struct state_reader *r, const struct game_state *s)
{
	unsigned here = 2 * (s->turn - 1) + (s->now.side == SIDE_MOLE);
	unsigned left = s->seats[1].left || s->seats[2].left;

	if (s->phase < s->round + here + left ||
	    s->phase > (s->round - 1) * 2 * MOLE_TURNS + 1 + here + left)
		return state_bad(r, "phase, round and turn do not go together.");
	return true;
}

static bool decode_all(struct state_reader *r, struct game_state *s)
{
	struct span side;

	if (!decode_head(r, s) || !decode_seats(r, s) ||
	    !state_uint(r, 1, SEATS, &s->mole_seat, "mole seat") ||
	    !state_value(r, &side, "to play") || !decode_side(r, side, &s->now.side) ||
	    !decode_coins(r, &s->setup.board, false, &s->now.coins) ||
	    !check_position(r, &s->setup.board, &s->now, s->turn))
		return false;
	return check_phase(r, s) && decode_last(r, s) && state_end(r);
}

bool mole_decode(struct span text, struct game_state **out, struct strbuf *why)
{
	return state_decode(text, sizeof **out, decode_all, mole_encode, out, why);
}
