/*
 * carry.c - a whole PLAY, card by card.
 *
 * The one place where orders meet the board: checks on arrival, previews, bots and the turn
 * itself all run through here, so that what was accepted is what happens.
 */
#include "processor/games/mole_majority/majority.h"

/* ---- Which steps may stand under which card ---- */

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

/* Trusts: cards and verbs of the orders are in range; nothing else. */
static bool shape_ok(const struct mm_orders *o, struct mm_trouble *t)
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

/* ---- Card by card ---- */

static bool put_down(struct game_state *s, unsigned seat, unsigned card)
{
	struct mm_seat *p = &s->seats[seat];

	if (!mm_pile_take(&p->hand, card))
		return false;
	mm_pile_put(&p->discard, card);
	return true;
}

/* The card leaves the hand; a Gopher played as the action ends on the victim's pile. */
static bool play_card(struct game_state *s, unsigned seat, const struct mm_play *p, bool first)
{
	mm_note(s, first ? EVENT_PLAY : EVENT_STACK, p->card, 0, 0);
	if (first && p->card == CARD_GI)
		return mm_pile_take(&s->seats[seat].hand, CARD_GI);
	if (!put_down(s, seat, p->card))
		return false;
	if (!p->with)
		return true;
	mm_note(s, EVENT_WITH, p->with, 0, 0);
	return put_down(s, seat, p->with);
}

static unsigned roll_number(const struct mm_orders *o)
{
	unsigned roll = mm_cards[o->plays[0].with].number;

	for (unsigned i = 1; i < o->nplays; i++)
		if (o->plays[i].nsteps && o->plays[i].steps[0].verb == STEP_PLUSROLL)
			roll++;
	return roll;
}

/* The steps of one card that are done now, or (rule 28) at the end. */
static bool do_steps(struct game_state *s, unsigned seat, const struct mm_orders *o,
                     unsigned at, bool deferred, struct mm_trouble *t)
{
	const struct mm_play *p = &o->plays[at];

	t->play = at;
	for (unsigned i = 0; i < p->nsteps; i++) {
		if (mm_is_deferred(p, &p->steps[i]) != deferred)
			continue;
		t->step = (int)i;
		if (!mm_do_step(s, seat, &p->steps[i], roll_number(o), t))
			return false;
	}
	return true;
}

bool mm_carry_out(struct game_state *s, const struct mm_orders *o, struct mm_trouble *t)
{
	unsigned seat = s->active;

	if (!shape_ok(o, t))
		return false;
	for (unsigned i = 0; i < o->nplays; i++) {
		t->play = i;
		t->step = -1;
		if (!play_card(s, seat, &o->plays[i], i == 0)) {
			t->code = TROUBLE_NOT_HELD;
			return false;
		}
		if (!do_steps(s, seat, o, i, false, t))
			return false;
	}
	for (unsigned i = 0; i < o->nplays; i++)
		if (!do_steps(s, seat, o, i, true, t))
			return false;
	return true;
}
