/*
 * make.c - a legal PLAY, made up step by step on a copy of the board.
 *
 * Every step is chosen among those the board allows at that moment and carried out at once,
 * in the order in which the turn will be carried out, so nothing is ever taken back. What is
 * unknown to the player (home tokens, decks) is never looked at.
 */
#include "processor/base/err.h"
#include "processor/games/mole_majority/majority.h"

struct maker {
	struct game_state work;
	unsigned seat;
	uint32_t *dice;
	struct mm_orders *o;
};

unsigned mm_roll_dice(uint32_t *dice, unsigned n)
{
	*dice ^= *dice << 13;
	*dice ^= *dice >> 17;
	*dice ^= *dice << 5;
	return *dice % n;
}

static bool likely(struct maker *m, unsigned of_eight)
{
	return mm_roll_dice(m->dice, 8) < of_eight;
}

/* One of the hexes of a set that is not empty. */
static uint8_t pick(struct maker *m, uint32_t set)
{
	unsigned skip = mm_roll_dice(m->dice, (unsigned)__builtin_popcount(set));

	for (; skip; skip--)
		set &= set - 1;
	return (uint8_t)__builtin_ctz(set);
}

/* A space of the hex with a mole of somebody but `not_of`; 0 if there is none. */
static uint8_t pick_mole(struct maker *m, unsigned hex, unsigned not_of)
{
	const struct mm_hex *x = &m->work.hexes[hex];
	unsigned at = mm_roll_dice(m->dice, x->value);

	for (unsigned i = 0; i < x->value; i++, at = (at + 1) % x->value)
		if (x->spaces[at] && x->spaces[at] != not_of)
			return (uint8_t)(at + 1);
	return 0;
}

/* ---- Each step: false when the board allows none ---- */

/* The hex of a set with the fewest empty spaces. */
static uint8_t fullest(const struct maker *m, uint32_t set)
{
	unsigned best = (unsigned)__builtin_ctz(set), least = MM_SPACES + 1;

	for (; set; set &= set - 1) {
		unsigned h = (unsigned)__builtin_ctz(set);
		unsigned empty = mm_moles_on(&m->work.hexes[h], 0);

		if (empty >= least)
			continue;
		least = empty;
		best = h;
	}
	return (uint8_t)best;
}

/* Moves go more often to hexes of others' and nobody's than to own ones, and fill them up. */
static bool make_move(struct maker *m, struct mm_step *step)
{
	uint32_t from = mm_move_sources(&m->work, m->seat);
	uint32_t to = 0, fresh;

	while (from && !to) {
		step->hex[0] = pick(m, from);
		from &= ~mm_bit(step->hex[0]);
		to = mm_move_targets(&m->work, m->seat, step->hex[0]);
	}
	if (!to)
		return false;
	fresh = to & ~mm_claims(&m->work, m->seat);
	if (fresh && likely(m, 7))
		to = fresh;
	step->hex[1] = likely(m, 5) ? fullest(m, to) : pick(m, to);
	step->count = 1;
	return true;
}

static bool make_breed(struct maker *m, struct mm_step *step)
{
	uint32_t to = mm_breed_targets(&m->work, m->seat);

	if (!to)
		return false;
	step->hex[0] = pick(m, to);
	step->count = 1;
	return true;
}

static bool make_convert(struct maker *m, struct mm_step *step)
{
	uint32_t on = mm_convert_targets(&m->work, m->seat);

	if (!on)
		return false;
	step->hex[0] = pick(m, on);
	step->space[0] = pick_mole(m, step->hex[0], m->seat);
	return true;
}

/* Somewhere with moles of others, if there is such a place: there always is a mole. */
static bool make_roll(struct maker *m, struct mm_step *step)
{
	uint32_t others = 0;

	for (unsigned seat = 1; seat <= m->work.nseats; seat++)
		if (seat != m->seat)
			others |= mm_with_moles(&m->work, seat);
	if (!others)
		others = mm_with_moles(&m->work, m->seat);
	if (!others)
		return false;
	step->hex[0] = pick(m, others);
	step->space[0] = pick_mole(m, step->hex[0], likely(m, 7) ? m->seat : 0);
	if (!step->space[0])
		step->space[0] = pick_mole(m, step->hex[0], 0);
	step->clockwise = likely(m, 4);
	return true;
}

static bool make_home(struct maker *m, struct mm_step *step)
{
	uint32_t on = mm_home_targets(&m->work, m->seat);

	if (!on)
		return false;
	step->hex[0] = pick(m, on);
	return true;
}

static bool make_cavein(struct maker *m, struct mm_step *step)
{
	uint32_t claims = mm_claims(&m->work, m->seat), out;

	if (m->work.seats[m->seat].caveins < 2 || !claims)
		return false;
	step->hex[0] = step->hex[2] = pick(m, claims);
	out = mm_cavein_borders(&m->work, step->hex[0]);
	if (!(out & (out - 1)))
		return false;
	step->hex[1] = pick(m, out);
	step->hex[3] = pick(m, out & ~mm_bit(step->hex[1]));
	return true;
}

static bool make_steal(struct maker *m, struct mm_step *step)
{
	unsigned at = mm_roll_dice(m->dice, m->work.nseats);
	const struct mm_pile *pile;
	unsigned open;

	for (unsigned i = 0; i < m->work.nseats; i++) {
		unsigned victim = (at + i) % m->work.nseats + 1;

		if (!mm_can_steal_from(&m->work, m->seat, victim))
			continue;
		pile = &m->work.seats[victim].discard;
		open = pile->count < MM_OPEN_DISCARDS ? pile->count : MM_OPEN_DISCARDS;
		step->seat = (uint8_t)victim;
		step->card = (uint8_t)mm_pile_top(pile, mm_roll_dice(m->dice, open));
		return true;
	}
	return false;
}

static bool make_step(struct maker *m, unsigned verb, struct mm_step *step)
{
	static bool (*const makers[STEP_VERBS])(struct maker *, struct mm_step *) = {
	    [STEP_MOVE] = make_move,  [STEP_BREED] = make_breed, [STEP_CONVERT] = make_convert,
	    [STEP_ROLL] = make_roll,  [STEP_HOME] = make_home,   [STEP_CAVEIN] = make_cavein,
	    [STEP_STEAL] = make_steal};

	*step = (struct mm_step){.verb = (uint8_t)verb};
	return makers[verb](m, step);
}

/* ---- Cards ---- */

/* The same step twice in a row is written once. */
static void add_step(struct mm_play *p, const struct mm_step *step)
{
	struct mm_step *last = p->nsteps ? &p->steps[p->nsteps - 1] : NULL;

	if (last && last->verb == step->verb &&
	    (step->verb == STEP_BREED || step->verb == STEP_MOVE) &&
	    last->hex[0] == step->hex[0] && last->hex[1] == step->hex[1])
		last->count++;
	else
		p->steps[p->nsteps++] = *step;
}

static bool try_step(struct maker *m, struct mm_play *p, unsigned verb, unsigned roll)
{
	struct mm_trouble t;
	struct mm_step step;

	if (!make_step(m, verb, &step))
		return false;
	m->work.nevents = 0;
	ENSURE(mm_do_step(&m->work, m->seat, &step, roll, &t));
	add_step(p, &step);
	return true;
}

static bool place_one(struct maker *m, struct mm_play *p)
{
	bool move = likely(m, 5);

	return try_step(m, p, move ? STEP_MOVE : STEP_BREED, 0) ||
	       try_step(m, p, move ? STEP_BREED : STEP_MOVE, 0);
}

static void add_number_steps(struct maker *m, struct mm_play *p)
{
	const struct mm_card_facts *facts = &mm_cards[p->card];
	unsigned done = 0;

	while (done < facts->steps && place_one(m, p))
		done++;
	if (done == facts->steps && facts->bonus)
		(void)try_step(m, p, STEP_BREED, 0);
	if (p->card != CARD_CH)
		return;
	if (likely(m, 5))
		(void)(try_step(m, p, STEP_HOME, 0) || try_step(m, p, STEP_CAVEIN, 0));
	else
		(void)(try_step(m, p, STEP_CAVEIN, 0) || try_step(m, p, STEP_HOME, 0));
}

/* Takes a card out of the hand that is still to be used. */
static bool use_card(struct maker *m, unsigned card)
{
	return mm_pile_take(&m->work.seats[m->seat].hand, card);
}

/* The number card of a Groundskeeper: any one that is held, 0 if none. */
static uint8_t use_number(struct maker *m)
{
	static const uint8_t numbers[] = {CARD_N2, CARD_N3, CARD_N4};
	unsigned at = mm_roll_dice(m->dice, 3);

	for (unsigned i = 0; i < 3; i++)
		if (use_card(m, numbers[(at + i) % 3]))
			return numbers[(at + i) % 3];
	return 0;
}

static struct mm_play *add_play(struct maker *m, unsigned card)
{
	struct mm_play *p = &m->o->plays[m->o->nplays++];

	*p = (struct mm_play){.card = (uint8_t)card};
	return p;
}

/* PLUS ROLL is decided before the roll. */
static unsigned stack_rolls(struct maker *m)
{
	unsigned n = 0;

	while (likely(m, 3) && use_card(m, CARD_CV)) {
		struct mm_play *p = add_play(m, CARD_CV);

		p->steps[p->nsteps++] = (struct mm_step){.verb = STEP_PLUSROLL};
		n++;
	}
	return n;
}

/* The action; false when this card can do nothing now, and nothing is changed. */
static bool play_card(struct maker *m, unsigned card)
{
	const struct maker before = *m;
	struct mm_play *p = add_play(m, card);
	bool ok = use_card(m, card);

	if (card == CARD_CV) {
		ok = ok && try_step(m, p, STEP_CONVERT, 0);
	} else if (card == CARD_GI) {
		ok = ok && try_step(m, p, STEP_STEAL, 0);
	} else if (card == CARD_GK1 || card == CARD_GK2) {
		p->with = use_number(m);
		ok = ok && p->with &&
		     try_step(m, p, STEP_ROLL, mm_cards[p->with].number + stack_rolls(m));
	} else if (ok) {
		add_number_steps(m, p);
		ok = p->nsteps > 0;
	}
	if (!ok) {
		*m = before;
		m->o->nplays--;
	}
	return ok;
}

static void stack_convert(struct maker *m, struct mm_play *p)
{
	bool converts = m->o->plays[0].card == CARD_CV;

	if (converts && likely(m, 4) && try_step(m, p, STEP_CONVERT, 0))
		return;
	(void)place_one(m, p);
}

static void stack_cards(struct maker *m)
{
	static const uint8_t cards[] = {CARD_N2, CARD_CV, CARD_GK1, CARD_GK2, CARD_GI};

	for (unsigned i = 0; i < sizeof cards; i++) {
		struct mm_play *p;

		if (m->o->nplays == MM_PLAYS || !likely(m, 4) || !use_card(m, cards[i]))
			continue;
		p = add_play(m, cards[i]);
		if (cards[i] == CARD_CV)
			stack_convert(m, p);
		else if (cards[i] == CARD_N2)
			(void)try_step(m, p, STEP_BREED, 0);
		if (p->nsteps == 0 && (cards[i] == CARD_CV || cards[i] == CARD_N2)) {
			mm_pile_put(&m->work.seats[m->seat].hand, cards[i]);
			m->o->nplays--;
		}
	}
}

/* Rule 28: the BREEDs that come last. */
static void breed_at_end(struct maker *m)
{
	for (unsigned i = 0; i < m->o->nplays; i++) {
		struct mm_play *p = &m->o->plays[i];
		const struct mm_step breed = {.verb = STEP_BREED};

		for (unsigned n = 0; mm_is_deferred(p, &breed) && n < mm_cards[p->card].bonus;
		     n++)
			(void)try_step(m, p, STEP_BREED, 0);
	}
}

void mm_make_play(const struct game_state *s, uint32_t *dice, bool stacks,
                  struct mm_orders *out)
{
	struct maker m = {.work = *s, .seat = s->active, .dice = dice, .o = out};
	const struct mm_pile *hand = &s->seats[s->active].hand;
	unsigned at = mm_roll_dice(dice, hand->count);
	bool played = false;

	*out = (struct mm_orders){.kind = ORDERS_PLAY};
	for (unsigned i = 0; i < hand->count && !played; i++)
		played = play_card(&m, hand->cards[(at + i) % hand->count]);
	if (!played) {
		out->kind = ORDERS_DISCARD;
		return;
	}
	if (stacks)
		stack_cards(&m);
	breed_at_end(&m);
}
