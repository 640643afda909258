/*
 * shape.c - which steps may stand under which card, without a look at the board.
 *
 * Trusts: cards and verbs of the orders are in range; nothing else.
 */
#include "processor/games/mole_majority/majority.h"

static bool bad(struct mm_trouble *t, enum mm_trouble_code code, int step)
{
	t->code = code;
	t->step = step;
	return false;
}

static bool is_keeper(unsigned card)
{
	return card == CARD_GK1 || card == CARD_GK2;
}

bool mm_is_deferred(const struct mm_play *p, const struct mm_step *step)
{
	return step->verb == STEP_BREED && (is_keeper(p->card) || p->card == CARD_GI);
}

/* The step that CV, GK and GI stand for, or STEP_VERBS. */
static unsigned main_step(unsigned card)
{
	if (card == CARD_CV)
		return STEP_CONVERT;
	if (card == CARD_GI)
		return STEP_STEAL;
	return is_keeper(card) ? STEP_ROLL : STEP_VERBS;
}

static bool is_placement(unsigned verb)
{
	return verb == STEP_MOVE || verb == STEP_BREED;
}

/* N4, N3, N2, CH as the action: so many placements, then what the card adds. */
static bool number_ok(const struct mm_play *p, struct mm_trouble *t)
{
	const struct mm_card_facts *facts = &mm_cards[p->card];
	unsigned room = facts->steps + facts->bonus;
	unsigned used = 0;

	for (unsigned i = 0; i < p->nsteps; i++) {
		const struct mm_step *step = &p->steps[i];
		bool last = i + 1 == p->nsteps;

		if (p->card == CARD_CH &&
		    (step->verb == STEP_HOME || step->verb == STEP_CAVEIN)) {
			if (!last)
				return bad(t, TROUBLE_LAST, (int)i);
			continue;
		}
		if (!is_placement(step->verb))
			return bad(t, TROUBLE_STEP, (int)i);
		used += step->count;
		if (used > room)
			return bad(t, TROUBLE_TOO_MANY, (int)i);
		if (used > facts->steps && step->verb != STEP_BREED)
			return bad(t, TROUBLE_THIRD, (int)i);
	}
	return true;
}

/* So many BREEDs and nothing else, from step `from` on. */
static bool breeds_ok(const struct mm_play *p, unsigned from, struct mm_trouble *t)
{
	unsigned used = 0;

	for (unsigned i = from; i < p->nsteps; i++) {
		if (p->steps[i].verb != STEP_BREED)
			return bad(t, TROUBLE_STEP, (int)i);
		used += p->steps[i].count;
		if (used > mm_cards[p->card].bonus)
			return bad(t, TROUBLE_TOO_MANY, (int)i);
	}
	return true;
}

static bool action_ok(const struct mm_play *p, struct mm_trouble *t)
{
	unsigned verb = main_step(p->card);

	if (verb == STEP_VERBS)
		return number_ok(p, t);
	if (is_keeper(p->card) && !p->with)
		return bad(t, TROUBLE_NEEDS_WITH, -1);
	if (p->nsteps == 0)
		return bad(t, TROUBLE_NO_MAIN, -1);
	if (p->steps[0].verb != verb)
		return bad(t, p->steps[0].verb == STEP_BREED ? TROUBLE_NO_MAIN : TROUBLE_STEP,
		           0);
	return breeds_ok(p, 1, t);
}

static bool stacked_convert_ok(const struct mm_play *p, unsigned action, struct mm_trouble *t)
{
	const struct mm_step *step = &p->steps[0];

	if (p->nsteps != 1 || (is_placement(step->verb) && step->count != 1))
		return bad(t, TROUBLE_ONE_STEP, p->nsteps > 1 ? 1 : -1);
	if (is_placement(step->verb) || (step->verb == STEP_CONVERT && action == CARD_CV) ||
	    (step->verb == STEP_PLUSROLL && is_keeper(action)))
		return true;
	return bad(t, TROUBLE_STEP, 0);
}

bool mm_shape_ok(const struct mm_orders *o, struct mm_trouble *t)
{
	*t = (struct mm_trouble){.step = -1};
	for (unsigned i = 0; i < o->nplays; i++) {
		const struct mm_play *p = &o->plays[i];
		bool ok;

		t->play = i;
		if (p->with && (i > 0 || !is_keeper(p->card)))
			return bad(t, TROUBLE_WITH_NOTHING, -1);
		if (p->with && !mm_cards[p->with].number)
			return bad(t, TROUBLE_NO_NUMBER, -1);
		if (i > 0 && !mm_cards[p->card].stackable)
			return bad(t, TROUBLE_NOT_STACKABLE, -1);
		if (i == 0)
			ok = action_ok(p, t);
		else if (p->card == CARD_CV)
			ok = stacked_convert_ok(p, o->plays[0].card, t);
		else
			ok = breeds_ok(p, 0, t);
		if (!ok)
			return false;
	}
	return true;
}
