/*
 * steps.c - one step on the board: MOVE, BREED, CONVERT, ROLL, HOME, CAVEIN, STEAL.
 *
 * A step that cannot be done changes nothing and says why; what it does is noted among the
 * events, and so is what follows from it: claims made, tokens gone home.
 */
#include "processor/base/err.h"
#include "processor/games/mole_majority/majority.h"

/* One step being done. */
struct act {
	struct game_state *s;
	unsigned seat;
	const struct mm_step *step;
	struct mm_trouble *t;
};

static bool fail(const struct act *a, enum mm_trouble_code code, unsigned hex)
{
	a->t->code = code;
	a->t->hex = hex;
	return false;
}

/* ---- Majority ---- */

static bool is_full(const struct mm_hex *x)
{
	return mm_moles_on(x, 0) == 0;
}

/* Rules 19 and 21: most moles of those still in; ties go backwards from the active one. */
static unsigned majority(const struct game_state *s, const struct mm_hex *x, unsigned active)
{
	unsigned at = 0, best = 0, most = 0;

	while (s->ring[at] != active)
		at++;
	for (unsigned i = 0; i < s->nseats; i++) {
		unsigned seat = s->ring[(at + s->nseats - i) % s->nseats];
		unsigned n = mm_is_in(s, seat) ? mm_moles_on(x, seat) : 0;

		if (n > most) {
			most = n;
			best = seat;
		}
	}
	return best;
}

/* Rule 17. */
static void judge(struct game_state *s, unsigned hex, unsigned active)
{
	struct mm_hex *x = &s->hexes[hex];
	unsigned old = x->claim;
	unsigned winner;

	if (!is_full(x))
		return;
	winner = majority(s, x, active);
	if (winner == 0 || winner == old)
		return;
	x->claim = 0;
	if (mm_tokens_left(s, winner) == 0) {
		mm_note(s, EVENT_BARE, winner, hex, old);
		return;
	}
	x->claim = (uint8_t)winner;
	mm_note(s, EVENT_CLAIM, winner, hex, old);
	if (!s->setup.homes_reveal || !x->home || x->home_open)
		return;
	x->home_open = true;
	mm_note(s, EVENT_REVEAL, hex, x->home, 0);
}

/* Rule 18: a token stays while any mole is on the hex. */
static void drop_empty_claim(struct game_state *s, unsigned hex)
{
	struct mm_hex *x = &s->hexes[hex];

	if (!x->claim || mm_moles_on(x, 0) < x->value)
		return;
	mm_note(s, EVENT_EMPTY, hex, x->claim, 0);
	x->claim = 0;
}

/* ---- Spaces ---- */

/* The space named, counted from 1, or else by the default of rule 10; 0 if there is none. */
static unsigned lowest(const struct mm_hex *x, unsigned who)
{
	for (unsigned i = 0; i < x->value; i++)
		if (x->spaces[i] == who)
			return i + 1;
	return 0;
}

static unsigned highest(const struct mm_hex *x, unsigned who)
{
	for (unsigned i = x->value; i > 0; i--)
		if (x->spaces[i - 1] == who)
			return i;
	return 0;
}

static bool space_exists(const struct act *a, unsigned which)
{
	unsigned hex = a->step->hex[which];

	if (!a->s->hexes[hex].value)
		return fail(a, TROUBLE_NO_HEX, hex);
	if (a->step->space[which] > a->s->hexes[hex].value)
		return fail(a, TROUBLE_NO_SPACE, hex);
	return true;
}

static bool find_own_mole(const struct act *a, unsigned *space)
{
	unsigned hex = a->step->hex[0];
	const struct mm_hex *x = &a->s->hexes[hex];

	if (!space_exists(a, 0))
		return false;
	if (x->claim != a->seat)
		return fail(a, TROUBLE_NOT_CLAIMED, hex);
	*space = a->step->space[0] ? a->step->space[0] : highest(x, a->seat);
	if (*space == 0)
		return fail(a, TROUBLE_NO_MOLE, hex);
	return x->spaces[*space - 1] == a->seat || fail(a, TROUBLE_NOT_YOURS, hex);
}

static bool find_room(const struct act *a, unsigned which, unsigned *space)
{
	unsigned hex = a->step->hex[which];
	const struct mm_hex *x = &a->s->hexes[hex];

	*space = a->step->space[which] ? a->step->space[which] : lowest(x, 0);
	if (is_full(x))
		return fail(a, TROUBLE_FULL, hex);
	return x->spaces[*space - 1] == 0 || fail(a, TROUBLE_TAKEN, hex);
}

/* ---- The steps ---- */

static bool move_one(const struct act *a)
{
	struct game_state *s = a->s;
	unsigned from = a->step->hex[0], to = a->step->hex[1];
	unsigned leaves = 0, enters = 0;

	if (!find_own_mole(a, &leaves) || !space_exists(a, 1))
		return false;
	if (from == to)
		return fail(a, TROUBLE_SAME, to);
	if (!find_room(a, 1, &enters))
		return false;
	if (!(mm_move_targets(s, a->seat, from) & mm_bit(to)))
		return fail(a,
		            mm_network(s, a->seat, true) & mm_bit(to) ? TROUBLE_ROUTE
		                                                      : TROUBLE_NETWORK,
		            to);
	s->hexes[from].spaces[leaves - 1] = 0;
	drop_empty_claim(s, from);
	s->hexes[to].spaces[enters - 1] = (uint8_t)a->seat;
	judge(s, to, a->seat);
	return true;
}

static bool breed_one(const struct act *a)
{
	struct game_state *s = a->s;
	unsigned hex = a->step->hex[0];
	unsigned space = 0;

	if (!space_exists(a, 0))
		return false;
	if (s->hexes[hex].claim != a->seat)
		return fail(a, TROUBLE_NOT_CLAIMED, hex);
	if (!find_room(a, 0, &space))
		return false;
	if (mm_supply(s, a->seat) == 0)
		return fail(a, TROUBLE_SUPPLY, hex);
	s->hexes[hex].spaces[space - 1] = (uint8_t)a->seat;
	judge(s, hex, a->seat);
	return true;
}

/* MOVE and BREED, each once or as often as x<n> says. */
static bool repeat(const struct act *a, bool (*one)(const struct act *))
{
	bool moves = a->step->verb == STEP_MOVE;

	mm_note(a->s, moves ? EVENT_MOVE : EVENT_BREED, a->step->hex[0],
	        moves ? a->step->hex[1] : a->step->count, moves ? a->step->count : 0);
	for (unsigned i = 0; i < a->step->count; i++) {
		a->t->repeat = i;
		if (!one(a))
			return false;
	}
	return true;
}

static bool convert(const struct act *a)
{
	struct game_state *s = a->s;
	unsigned hex = a->step->hex[0], space = a->step->space[0], whose;

	if (!space_exists(a, 0))
		return false;
	if (!(mm_network(s, a->seat, false) & mm_bit(hex)))
		return fail(a, TROUBLE_NETWORK, hex);
	if (!space)
		space = lowest(&s->hexes[hex], a->step->seat);
	whose = space ? s->hexes[hex].spaces[space - 1] : 0;
	if (whose == 0 || whose == a->seat)
		return fail(a, TROUBLE_NO_OPPONENT, hex);
	if (mm_supply(s, a->seat) == 0)
		return fail(a, TROUBLE_SUPPLY, hex);
	mm_note(s, EVENT_CONVERT, hex, space, whose);
	s->hexes[hex].spaces[space - 1] = (uint8_t)a->seat;
	judge(s, hex, a->seat);
	return true;
}

/* Rule 16: on until an empty space, the roll number, or once round. */
static bool groundskeeper(const struct act *a, unsigned roll)
{
	struct game_state *s = a->s;
	unsigned hex = a->step->hex[0];
	struct mm_hex *x = &s->hexes[hex];
	unsigned gone = 0, at = a->step->space[0] - 1u;

	if (!space_exists(a, 0))
		return false;
	if (x->spaces[at] == 0)
		return fail(a, TROUBLE_NO_MOLE, hex);
	while (gone < roll && x->spaces[at]) {
		x->spaces[at] = 0;
		gone++;
		at = (at + (a->step->clockwise ? 1u : x->value - 1u)) % x->value;
	}
	mm_note(s, EVENT_ROLL, hex, a->step->space[0], a->step->clockwise);
	s->events[s->nevents - 1].args[3] = (uint8_t)gone;
	s->events[s->nevents - 1].args[4] = (uint8_t)roll;
	drop_empty_claim(s, hex);
	return true;
}

static void take_home(struct game_state *s, unsigned seat, unsigned value, bool open)
{
	struct mm_seat *p = &s->seats[seat];

	ENSURE(p->nhomes < MM_HOMES);
	p->homes[p->nhomes++] = (struct mm_home){
	    .value = (uint8_t)value, .open = open, .imagined = s->imagined && !open};
}

static bool make_home(const struct act *a)
{
	unsigned hex = a->step->hex[0];
	struct mm_hex *x = &a->s->hexes[hex];

	if (!space_exists(a, 0))
		return false;
	if (x->claim != a->seat)
		return fail(a, TROUBLE_NOT_CLAIMED, hex);
	if (!x->home)
		return fail(a, TROUBLE_NO_HOME, hex);
	mm_note(a->s, EVENT_HOME, hex, 0, 0);
	take_home(a->s, a->seat, x->home, x->home_open);
	x->home = 0;
	x->home_open = false;
	return true;
}

static bool border_ok(const struct act *a, unsigned inner, unsigned outer)
{
	const struct game_state *s = a->s;

	if (!s->hexes[inner].value || !s->hexes[outer].value)
		return fail(a, TROUBLE_NO_HEX, s->hexes[inner].value ? outer : inner);
	if (s->hexes[inner].claim != a->seat)
		return fail(a, TROUBLE_NOT_CLAIMED, inner);
	if (!(mm_beside[inner] & mm_bit(outer)))
		return fail(a, TROUBLE_NOT_BESIDE, outer);
	return !(s->cave[inner] & mm_bit(outer)) || fail(a, TROUBLE_CAVED, outer);
}

static void put_cave(struct game_state *s, unsigned one, unsigned other)
{
	s->cave[one] |= mm_bit(other);
	s->cave[other] |= mm_bit(one);
}

/* Rule 13. */
static bool cave_in(const struct act *a)
{
	struct game_state *s = a->s;
	const uint8_t *h = a->step->hex;

	if (s->seats[a->seat].caveins < 2)
		return fail(a, TROUBLE_NO_CAVEINS, h[0]);
	if (!border_ok(a, h[0], h[1]) || !border_ok(a, h[2], h[3]))
		return false;
	if ((h[0] == h[2] && h[1] == h[3]) || (h[0] == h[3] && h[1] == h[2]))
		return fail(a, TROUBLE_TWICE, h[1]);
	put_cave(s, h[0], h[1]);
	put_cave(s, h[2], h[3]);
	s->seats[a->seat].caveins -= 2;
	mm_note(s, EVENT_CAVEIN, h[0], h[1], 0);
	mm_note(s, EVENT_CAVEIN, h[2], h[3], 0);
	mm_note(s, EVENT_TOKEN, s->nspare > 0, 0, 0);
	if (s->nspare > 0)
		take_home(s, a->seat, s->spare[--s->nspare], false);
	s->spare[s->nspare] = 0;
	return true;
}

static bool is_on_top(const struct mm_pile *pile, unsigned card)
{
	for (unsigned depth = 0; depth < MM_OPEN_DISCARDS; depth++)
		if (mm_pile_top(pile, depth) == card)
			return true;
	return false;
}

/* Rule 29: the stolen card and the Gopher change places. */
static bool steal(const struct act *a)
{
	unsigned victim = a->step->seat, card = a->step->card;
	struct mm_seat *p = &a->s->seats[victim];

	if (!mm_can_steal_from(a->s, a->seat, victim))
		return fail(a, TROUBLE_STEAL_WHOM, 0);
	if (!is_on_top(&p->discard, card))
		return fail(a, TROUBLE_STEAL_CARD, 0);
	ENSURE(mm_pile_take(&p->discard, card));
	mm_pile_put(&p->discard, CARD_GI);
	mm_pile_put(&a->s->seats[a->seat].discard, card);
	mm_note(a->s, EVENT_STEAL, victim, card, 0);
	return true;
}

bool mm_do_step(struct game_state *s, unsigned seat, const struct mm_step *step, unsigned roll,
                struct mm_trouble *t)
{
	const struct act a = {.s = s, .seat = seat, .step = step, .t = t};

	t->repeat = 0;
	switch ((enum mm_verb)step->verb) {
	case STEP_MOVE:
		return repeat(&a, move_one);
	case STEP_BREED:
		return repeat(&a, breed_one);
	case STEP_CONVERT:
		return convert(&a);
	case STEP_ROLL:
		return groundskeeper(&a, roll);
	case STEP_HOME:
		return make_home(&a);
	case STEP_CAVEIN:
		return cave_in(&a);
	case STEP_STEAL:
		return steal(&a);
	case STEP_PLUSROLL:
	case STEP_VERBS:
		break;
	}
	return true;
}
