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

static bool take_options(struct game_state *s, const struct options *o, struct strbuf *why)
{
	return mole_setup_read(&s->setup, o, why);
}

static bool side_word(struct fields *f, enum mole_side *side)
{
	static const char *const names[] = {"mignettes", "mole"};
	unsigned n = *side;

	if (!field_word_choice(f, names, 2, &n))
		return fields_bad(f, "mole or mignettes should stand here.");
	*side = (enum mole_side)n;
	return true;
}

static bool number_word(struct fields *f, int64_t *number, int64_t min, int64_t max)
{
	struct span word = SPAN_EMPTY;

	if (!field_word(f, &word))
		return false;
	if (!fields_writing(f))
		return num_parse_i64(word, min, max, number);
	strbuf_addf(f->out, "%lld", (long long)*number);
	return true;
}

/* "coin M: 150000000 130000000", or "off". */
static bool coins_fields(struct fields *f, const struct mole_board *board, const char *before,
                         struct mole_coins *coins)
{
	static const char *const letters[] = {"M", "1", "2", "3"};
	const int64_t beyond = (int64_t)BEYOND_MM * MOLE_MM;
	struct span off = SPAN_LIT("off");

	for (unsigned i = 0; i < MOLE_COINS; i++) {
		struct mole_coin *c = &coins->coin[i];

		if (!field_key(f, "%scoin %s", before, letters[i]))
			return false;
		if (!fields_writing(f))
			c->on = !span_eq_str(f->words, "off");
		if (!c->on ? !field_word(f, &off)
		           : !number_word(f, &c->x, -beyond * MOLE_SCALE,
		                          (board->width + beyond) * MOLE_SCALE) ||
		                 !number_word(f, &c->y, -beyond * MOLE_SCALE,
		                              (board->length + beyond) * MOLE_SCALE))
			return fields_bad(f, "a place on the board should stand here.");
	}
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
static bool check_position(struct fields *f, const struct mole_board *board,
                           struct mole_position *p, unsigned turn)
{
	struct mole_position start;

	p->first_go = turn == 1 && p->side == SIDE_MIGNETTES;
	mole_start_round(board, &start);
	if (!p->coins.coin[MOLE].on || mole_alive(&p->coins) == 0)
		return fields_bad(f, "the mole and a mignette should lie on the board.");
	if (p->first_go && !same_coins(&p->coins, &start.coins))
		return fields_bad(f, "a round starts with every coin in its place.");
	return true;
}

static bool seat_fields(struct fields *f, struct game_state *s, unsigned seat)
{
	struct mole_seat *p = &s->seats[seat];

	return field_name(f, seat, &p->name) &&
	       field_uint(f, &p->points, 0, s->round - 1, "seat %u points", seat) &&
	       field_uint(f, &p->left, 0, s->phase - 1, "seat %u left", seat) &&
	       fields_check(f, !p->left || p->left + 1 == s->phase,
	                    "the match ends when somebody leaves.");
}

/* "ROUND TURN MOLE-SEAT SIDE", or "-". */
static bool when_words(struct fields *f, const struct game_state *s, struct mole_last *l)
{
	bool none = s->phase == 1 || s->seats[1].left || s->seats[2].left;

	l->any = field_more(f, l->any);
	if (!fields_check(f, l->any == !none, "nothing or something should stand here."))
		return false;
	if (!l->any)
		return true;
	if (!field_word_uint(f, &l->round, 1, s->setup.rounds) ||
	    !field_word_uint(f, &l->turn, 1, MOLE_TURNS) ||
	    !field_word_uint(f, &l->mole_seat, 1, SEATS))
		return fields_bad(f, "round, turn, a seat and a side should stand here.");
	return side_word(f, &l->before.side) &&
	       fields_check(f, l->round == s->round || l->round + 1 == s->round,
	                    "the last mail was of this round or the one before.");
}

static bool last_fields(struct fields *f, struct game_state *s)
{
	const struct mole_board *board = &s->setup.board;
	struct mole_last *l = &s->last;
	struct span orders = SPAN_EMPTY;

	if (!field_key(f, "last") || !when_words(f, s, l))
		return false;
	if (!l->any)
		return true;
	if (!field_value(f, &orders, "last orders"))
		return false;
	if (fields_writing(f))
		mole_write_orders(&l->orders, &l->before, f->out);
	if (!coins_fields(f, board, "last ", &l->before.coins))
		return false;
	if (!fields_writing(f)) {
		if (!check_position(f, board, &l->before, l->turn))
			return false;
		if (!mole_parse_orders(orders, board, &l->before, &l->orders) ||
		    l->orders.resign)
			return fields_bad(f, "orders of that position should stand here.");
	}
	int64_t k = s->setup.dexterity;

	for (unsigned i = 0; i < FLICKS; i++) {
		if (!field_key(f, "last wobble %u", i + 1))
			return false;
		if (!number_word(f, &l->wobble[i].aside, -2 * k, 2 * k) ||
		    !number_word(f, &l->wobble[i].range, -6 * k, 6 * k))
			return fields_bad(f, "a wobble should stand here.");
	}
	return true;
}

/* Every mail is a phase: a round before this one took 1 to 50, this one is known. */
static bool check_phase(struct fields *f, const struct game_state *s)
{
	unsigned here = 2 * (s->turn - 1) + (s->now.side == SIDE_MOLE);
	unsigned left = s->seats[1].left || s->seats[2].left;

	if (s->phase < s->round + here + left ||
	    s->phase > (s->round - 1) * 2 * MOLE_TURNS + 1 + here + left)
		return fields_bad(f, "phase, round and turn do not go together.");
	return true;
}

static bool all_fields(struct fields *f, struct game_state *s)
{
	if (!field_exact(f, "mole", "1") ||
	    !field_options(f, s, s->setup.text, &mole_1, take_options) ||
	    !field_uint(f, &s->phase, 1, s->setup.rounds * MOLE_TURNS * 2 + 1, "phase") ||
	    !field_uint(f, &s->round, 1, s->setup.rounds + 1, "round") ||
	    !field_uint(f, &s->turn, 1, MOLE_TURNS, "turn") ||
	    !field_uint(f, &s->endless, 0, MOLE_ENDLESS - 1, "endless") ||
	    !fields_check(f, s->endless < s->round, "more rounds ran out than were played."))
		return false;
	for (unsigned seat = 1; seat <= SEATS; seat++)
		if (!seat_fields(f, s, seat))
			return false;
	return fields_check(f, s->seats[1].points + s->seats[2].points < s->round,
	                    "a round gives one point at most.") &&
	       field_uint(f, &s->mole_seat, 1, SEATS, "mole seat") && field_key(f, "to play") &&
	       side_word(f, &s->now.side) &&
	       coins_fields(f, &s->setup.board, "", &s->now.coins) &&
	       (fields_writing(f) ||
	        (check_position(f, &s->setup.board, &s->now, s->turn) && check_phase(f, s))) &&
	       last_fields(f, s) && fields_end(f);
}

void mole_encode(const struct game_state *s, struct strbuf *out)
{
	fields_encode(s, sizeof *s, all_fields, out);
}

bool mole_decode(struct span text, struct game_state **out, struct strbuf *why)
{
	return fields_decode(text, sizeof **out, all_fields, out, why);
}
