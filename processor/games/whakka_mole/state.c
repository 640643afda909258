/*
 * state.c - the state of Whakka Mole as text, and questions about it.
 *
 * Trusts: whakka_decode takes any bytes; what it lets through keeps every
 * index in range, so that the rest of this folder need not look again.
 */
#include <string.h>

#include "processor/games/registry.h"
#include "processor/games/whakka_mole/whakka.h"

static void add_key(struct strbuf *out, unsigned seat, const char *key)
{
	strbuf_adds(out, "seat ");
	state_add_uint(out, seat);
	strbuf_adds(out, key);
}

static void add_number(struct strbuf *out, unsigned seat, const char *key, unsigned number)
{
	add_key(out, seat, key);
	state_add_uint(out, number);
	strbuf_addc(out, '\n');
}

static void add_numbers(struct strbuf *out, unsigned seat, const char *key,
                        const unsigned *numbers, size_t count)
{
	add_key(out, seat, key);
	state_add_uints(out, numbers, count);
	strbuf_addc(out, '\n');
}

static void encode_seat(const struct game_state *s, unsigned seat, struct strbuf *out)
{
	const struct whakka_seat *p = &s->seats[seat];

	add_key(out, seat, " name: ");
	strbuf_adds(out, p->name.text);
	strbuf_addc(out, '\n');
	add_number(out, seat, " total: ", p->total);
	add_number(out, seat, " hits: ", p->hits);
	add_number(out, seat, " struck: ", p->struck);
	add_number(out, seat, " left: ", p->left);
	add_numbers(out, seat, " popped: ", p->popped, s->setup.holes);
	add_numbers(out, seat, " whacked: ", p->whacked, s->setup.holes);
	add_key(out, seat, " last: ");
	if (whakka_played(s, seat))
		whakka_write_orders(&p->last, out);
	else
		strbuf_addc(out, '-');
	strbuf_addc(out, '\n');
	if (s->setup.tokens_stay)
		add_numbers(out, seat, " sheet: ", p->sheet, s->setup.holes);
}

void whakka_encode(const struct game_state *s, struct strbuf *out)
{
	strbuf_addf(out,
	            "whakka-mole: 1\noptions: %s\nseats: %u\nturn: %u\nring: ", s->setup.text,
	            s->nseats, s->turn);
	state_add_uints(out, s->ring, s->nseats);
	strbuf_addc(out, '\n');
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		encode_seat(s, seat, out);
}

static bool take_options(struct game_state *s, const struct options *o, struct strbuf *why)
{
	return whakka_setup_read(&s->setup, o, why);
}

static bool decode_habits(struct state_reader *r, const struct game_state *s, unsigned seat,
                          struct whakka_seat *p)
{
	struct span value;

	return state_value(r, &value, "seat %u popped", seat) &&
	       state_uints(r, value, 0, s->turn - 1, s->setup.holes, p->popped) &&
	       state_value(r, &value, "seat %u whacked", seat) &&
	       state_uints(r, value, 0, s->turn - 1, s->setup.holes, p->whacked);
}

static bool decode_last(struct state_reader *r, const struct game_state *s, unsigned seat,
                        struct whakka_seat *p)
{
	struct span value;

	if (!state_value(r, &value, "seat %u last", seat))
		return false;
	if (!whakka_played(s, seat))
		return span_eq_str(value, "-") || state_bad(r, "this seat had no last turn.");
	if (!whakka_parse_orders(value, s->setup.holes, &p->last))
		return state_bad(r, "orders should stand here.");
	if (p->last.resign != (p->left != 0))
		return state_bad(r, "a seat leaves in the turn in which it resigns.");
	return true;
}

/* Where tokens move, the sheet is what was popped up; where they stay, it is written down. */
static bool decode_sheet(struct state_reader *r, const struct game_state *s, unsigned seat,
                         struct whakka_seat *p)
{
	struct span value;

	if (!s->setup.tokens_stay) {
		for (unsigned h = 0; h < s->setup.holes; h++)
			p->sheet[h] = (p->last.popup >> h) & 1u;
		return true;
	}
	if (!state_value(r, &value, "seat %u sheet", seat) ||
	    !state_uints(r, value, 0, s->turn - 1, s->setup.holes, p->sheet))
		return false;
	for (unsigned h = 0; h < s->setup.holes; h++) {
		if (!whakka_played(s, seat) && p->sheet[h])
			return state_bad(r, "the sheet of a seat that left is gone.");
		if (((p->last.popup >> h) & 1u) && !p->sheet[h])
			return state_bad(r, "a mole that popped up should stand on the sheet.");
	}
	return true;
}

static bool decode_seat(struct state_reader *r, struct game_state *s, unsigned seat)
{
	struct whakka_seat *p = &s->seats[seat];

	return state_name(r, seat, &p->name) &&
	       state_uint(r, 0, WHAKKA_TOTAL, &p->total, "seat %u total", seat) &&
	       state_uint(r, 0, s->turn - 1, &p->hits, "seat %u hits", seat) &&
	       state_uint(r, 0, s->turn - 1, &p->struck, "seat %u struck", seat) &&
	       state_uint(r, 0, s->turn - 1, &p->left, "seat %u left", seat) &&
	       decode_habits(r, s, seat, p) && decode_last(r, s, seat, p) &&
	       decode_sheet(r, s, seat, p);
}

static bool decode_all(struct state_reader *r, struct game_state *s)
{
	struct seat_names names = {.count = 0};

	if (!state_exact(r, "whakka-mole", "1") ||
	    !state_options(r, s, &whakka_mole_1, take_options) ||
	    !state_uint(r, 2, WHAKKA_SEATS, &s->nseats, "seats") ||
	    !state_uint(r, 1, s->setup.turns + 1, &s->turn, "turn") ||
	    !state_ring(r, s->nseats, s->ring))
		return false;
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		if (!decode_seat(r, s, seat))
			return false;
		names.names[seat] = s->seats[seat].name.text;
	}
	names.count = s->nseats;
	return state_end(r) && seat_names_ok(&names, r->why);
}

bool whakka_decode(struct span text, struct game_state **out, struct strbuf *why)
{
	return state_decode(text, sizeof **out, decode_all, whakka_encode, out, why);
}

bool whakka_plays(const struct game_state *s, unsigned seat)
{
	return seat >= 1 && seat <= s->nseats && s->seats[seat].left == 0;
}

bool whakka_played(const struct game_state *s, unsigned seat)
{
	unsigned left = s->seats[seat].left;

	return s->turn > 1 && (left == 0 || left == s->turn - 1);
}

/* The next seat round the table for which `in` holds, in steps of `by`. */
static unsigned next_in_ring(const struct game_state *s, unsigned seat, unsigned by,
                             bool (*in)(const struct game_state *, unsigned))
{
	unsigned at = 0;

	while (s->ring[at] != seat)
		at++;
	do
		at = (at + by) % s->nseats;
	while (s->ring[at] != seat && !in(s, s->ring[at]));
	return s->ring[at];
}

unsigned whakka_left_of(const struct game_state *s, unsigned seat)
{
	return next_in_ring(s, seat, 1, whakka_plays);
}

unsigned whakka_was_left_of(const struct game_state *s, unsigned seat)
{
	return next_in_ring(s, seat, 1, whakka_played);
}

unsigned whakka_right_of(const struct game_state *s, unsigned seat)
{
	return next_in_ring(s, seat, s->nseats - 1, whakka_plays);
}

static unsigned whakka_was_right_of(const struct game_state *s, unsigned seat)
{
	return next_in_ring(s, seat, s->nseats - 1, whakka_played);
}

bool whakka_over(const struct game_state *s)
{
	unsigned playing = 0;

	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		if (s->seats[seat].total >= s->setup.target)
			return true;
		playing += s->seats[seat].left == 0;
	}
	return playing < 2 || s->turn > s->setup.turns;
}

struct seat_set whakka_owes(const struct game_state *s)
{
	struct seat_set set = {0};

	if (whakka_over(s))
		return set;
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (whakka_plays(s, seat))
			set = seat_with(set, seat);
	return set;
}

struct whakka_score whakka_last_score(const struct game_state *s, unsigned seat)
{
	const struct whakka_seat *p = &s->seats[seat];
	struct whakka_score score;
	unsigned target, whacker, hole, tokens = 0;

	memset(&score, 0, sizeof score);
	if (!whakka_played(s, seat))
		return score;
	target = whakka_was_left_of(s, seat);
	whacker = whakka_was_right_of(s, seat);
	hole = whacker == seat ? 0 : s->seats[whacker].last.whack;
	score.hit = target != seat && p->last.whack &&
	            s->seats[target].sheet[p->last.whack - 1];
	score.whack = score.hit ? s->setup.whackpts : 0;
	for (unsigned h = 0; h < s->setup.holes; h++)
		tokens += p->sheet[h];
	if (hole && p->sheet[hole - 1]) {
		score.struck = hole;
		score.lost = tokens;
	} else {
		score.moles = tokens;
	}
	return score;
}
