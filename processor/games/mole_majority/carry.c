/*
 * carry.c - a whole PLAY, card by card.
 *
 * The one place where orders meet the board: checks on arrival, previews, bots and the turn
 * itself all run through here, so that what was accepted is what happens.
 */
#include "processor/games/mole_majority/majority.h"

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

	if (!mm_shape_ok(o, t))
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
