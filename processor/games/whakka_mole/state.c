/*
 * state.c - the state of Whakka Mole as text, and questions about it.
 *
 * Trusts: whakka_decode takes any bytes; what it lets through keeps every
 * index in range, so that the rest of this folder need not look again.
 */
#include <string.h>

#include "processor/games/registry.h"
#include "processor/games/whakka_mole/whakka.h"

static bool take_options(struct game_state *s, const struct options *o, struct strbuf *why)
{
	return whakka_setup_read(&s->setup, o, why);
}

static bool last_field(struct fields *f, struct game_state *s, unsigned seat)
{
	struct whakka_seat *p = &s->seats[seat];
	struct span value = whakka_played(s, seat) ? SPAN_EMPTY : SPAN_LIT("-");

	if (!field_value(f, &value, "seat %u last", seat))
		return false;
	if (!whakka_played(s, seat))
		return fields_check(f, span_eq_str(value, "-"), "this seat had no last turn.");
	if (fields_writing(f))
		whakka_write_orders(&p->last, f->out);
	else if (!whakka_parse_orders(value, s->setup.holes, &p->last))
		return fields_bad(f, "orders should stand here.");
	return fields_check(f, p->last.resign == (p->left != 0),
	                    "a seat leaves in the turn in which it resigns.");
}

/* Where tokens move, the sheet is what was popped up; where they stay, it is written down. */
static bool sheet_field(struct fields *f, struct game_state *s, unsigned seat)
{
	struct whakka_seat *p = &s->seats[seat];

	if (s->setup.tokens_stay &&
	    !field_uints(f, p->sheet, s->setup.holes, 0, s->turn - 1, "seat %u sheet", seat))
		return false;
	for (unsigned h = 0; h < s->setup.holes; h++) {
		bool popped = (p->last.popup >> h) & 1u;

		if (!s->setup.tokens_stay)
			p->sheet[h] = popped;
		else if (!fields_check(f, whakka_played(s, seat) || !p->sheet[h],
		                       "the sheet of a seat that left is gone.") ||
		         !fields_check(f, p->sheet[h] || !popped,
		                       "a mole that popped up should stand on the sheet."))
			return false;
	}
	return true;
}

static bool seat_fields(struct fields *f, struct game_state *s, unsigned seat)
{
	struct whakka_seat *p = &s->seats[seat];
	unsigned holes = s->setup.holes, played = s->turn - 1;

	return field_name(f, seat, &p->name) &&
	       field_uint(f, &p->total, 0, WHAKKA_TOTAL, "seat %u total", seat) &&
	       field_uint(f, &p->hits, 0, played, "seat %u hits", seat) &&
	       field_uint(f, &p->struck, 0, played, "seat %u struck", seat) &&
	       field_uint(f, &p->left, 0, played, "seat %u left", seat) &&
	       field_uints(f, p->popped, holes, 0, played, "seat %u popped", seat) &&
	       field_uints(f, p->whacked, holes, 0, played, "seat %u whacked", seat) &&
	       last_field(f, s, seat) && sheet_field(f, s, seat);
}

static bool all_fields(struct fields *f, struct game_state *s)
{
	if (!field_exact(f, "whakka-mole", "1") ||
	    !field_options(f, s, s->setup.text, &whakka_mole_1, take_options) ||
	    !field_uint(f, &s->nseats, 2, WHAKKA_SEATS, "seats") ||
	    !field_uint(f, &s->turn, 1, s->setup.turns + 1, "turn") ||
	    !field_ring(f, s->nseats, s->ring))
		return false;
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (!seat_fields(f, s, seat))
			return false;
	return fields_end(f);
}

void whakka_encode(const struct game_state *s, struct strbuf *out)
{
	fields_encode(s, sizeof *s, all_fields, out);
}

bool whakka_decode(struct span text, struct game_state **out, struct strbuf *why)
{
	return fields_decode(text, sizeof **out, all_fields, out, why);
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
	unsigned target, whacker, hole, tokens = 0, taken = 0;

	memset(&score, 0, sizeof score);
	if (!whakka_played(s, seat))
		return score;
	target = whakka_was_left_of(s, seat);
	whacker = next_in_ring(s, seat, s->nseats - 1, whakka_played);
	hole = whacker == seat ? 0 : s->seats[whacker].last.whack;
	score.hit = target != seat && p->last.whack &&
	            s->seats[target].sheet[p->last.whack - 1];
	for (unsigned h = 0; score.hit && h < s->setup.holes; h++)
		taken += s->seats[target].sheet[h];
	score.whack = score.hit && s->setup.whackpts ? s->setup.whackpts : taken;
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
