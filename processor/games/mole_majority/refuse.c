/*
 * refuse.c - why a turn cannot be played as it was written.
 *
 * Each sentence names the step, says what the rules want, and shows what would be legal at that
 * point of the turn.
 */
#include "processor/base/err.h"
#include "processor/games/mole_majority/majority.h"

/* What the sentences are made of. */
struct refusal {
	const struct game_state *now, *work;
	const struct mm_play *play;
	const struct mm_step *step; /* NULL: it is about the card */
	const struct mm_trouble *t;
	bool first; /* the action, not a stacked card */
	struct strbuf *out;
};

/* What is said behind a sentence: of the card, of what the step could name, of borders, of cards. */
enum shown { NOTHING, USE, TARGETS, BORDERS, HOMES, STEALS };

enum { ANY_STEP = STEP_VERBS };

/*
 * The first row of a trouble and verb holds. %h: the hex of the trouble, %f: the first of the step,
 * %c: the card, %w: the one with it, %x: the one to steal, %p: from whom, %s: the space named,
 * %v: how many there are.
 */
static const struct {
	enum mm_trouble_code code;
	unsigned verb;
	enum shown shown;
	const char *text;
} sentences[] = {
    {TROUBLE_NOT_STACKABLE, ANY_STEP, NOTHING,
     "%c cannot be stacked; N2, CV, GK1, GK2 and GI can."},
    {TROUBLE_WITH_NOTHING, ANY_STEP, NOTHING,
     "WITH belongs only behind a Groundskeeper that is played."},
    {TROUBLE_NO_NUMBER, ANY_STEP, NOTHING, "%w is no number card; N2, N3 and N4 are."},
    {TROUBLE_STEP, ANY_STEP, USE, "This step does not belong to that card."},
    {TROUBLE_TOO_MANY, ANY_STEP, USE, "With this step %c would do more than it can."},
    {TROUBLE_NO_MAIN, ANY_STEP, USE, "%c as the card played must do what it is for."},
    {TROUBLE_ONE_STEP, ANY_STEP, USE, "A stacked %c does one thing."},
    {TROUBLE_LAST, ANY_STEP, USE, "HOME or CAVEIN is the last step of CH."},
    {TROUBLE_THIRD, ANY_STEP, USE, "The third step of N2 can only be a BREED."},
    {TROUBLE_NO_HEX, ANY_STEP, TARGETS, "There is no hex at %h in this game."},
    {TROUBLE_NO_SPACE, ANY_STEP, TARGETS, "%h has only the spaces 1 to %v."},
    {TROUBLE_NOT_CLAIMED, STEP_MOVE, TARGETS,
     "You do not claim %h, and moles leave only hexes you claim."},
    {TROUBLE_NOT_CLAIMED, STEP_BREED, TARGETS,
     "You do not claim %h, and moles are bred only on hexes you claim."},
    {TROUBLE_NOT_CLAIMED, STEP_HOME, TARGETS,
     "You do not claim %h, and a home is made only on a hex you claim."},
    {TROUBLE_NOT_CLAIMED, STEP_CAVEIN, TARGETS,
     "You do not claim %h, and the hex you claim stands first in each border."},
    {TROUBLE_NO_MOLE, STEP_ROLL, TARGETS, "Space %s of %h is empty; a ROLL starts at a mole."},
    {TROUBLE_NO_MOLE, ANY_STEP, TARGETS, "You have no mole on %h."},
    {TROUBLE_NOT_YOURS, ANY_STEP, TARGETS, "Space %s of %h holds no mole of yours."},
    {TROUBLE_TAKEN, ANY_STEP, TARGETS, "Space %s of %h is taken."},
    {TROUBLE_FULL, ANY_STEP, TARGETS, "%h has no empty space."},
    {TROUBLE_SAME, ANY_STEP, TARGETS, "A mole that leaves %h must go to another hex."},
    {TROUBLE_NETWORK, STEP_MOVE, TARGETS,
     "%h is outside your network: you neither claim it nor have a mole on it, and no hex "
     "beside it with an open border has one."},
    {TROUBLE_NETWORK, ANY_STEP, TARGETS,
     "%h is outside your network: you neither claim it nor have a mole on it, and no hex "
     "beside it has one."},
    {TROUBLE_ROUTE, ANY_STEP, TARGETS,
     "There is no open route from %f to %h: every hex on the way must hold your mole or your "
     "claim, and no Cave-In may lie between."},
    {TROUBLE_SUPPLY, ANY_STEP, NOTHING,
     "You have no mole left in your supply. A MOVE needs none."},
    {TROUBLE_NO_OPPONENT, ANY_STEP, TARGETS, "No mole of another player stands there on %h."},
    {TROUBLE_NO_HOME, ANY_STEP, TARGETS, "There is no home token on %h."},
    {TROUBLE_NO_CAVEINS, ANY_STEP, HOMES, "You have no Cave-In tokens left."},
    {TROUBLE_NOT_BESIDE, ANY_STEP, BORDERS, "%h does not lie beside %f."},
    {TROUBLE_CAVED, ANY_STEP, BORDERS, "A Cave-In lies between %f and %h already."},
    {TROUBLE_TWICE, ANY_STEP, BORDERS, "The two borders must be different ones."},
    {TROUBLE_STEAL_WHOM, ANY_STEP, STEALS, "Nothing can be stolen from %p."},
    {TROUBLE_STEAL_CARD, ANY_STEP, STEALS, "%x is not among the top three discards of %p."},
};

/* What may stand below a card that is played, and that is stacked. */
static const char *const uses[CARD_KINDS][2] = {
    [CARD_N4] = {"up to 4 MOVE or BREED"},
    [CARD_N3] = {"up to 3 MOVE or BREED"},
    [CARD_N2] = {"up to two MOVE or BREED, then one BREED more", "one BREED"},
    [CARD_CH] = {"up to two MOVE or BREED, then one HOME or CAVEIN"},
    [CARD_CV] = {"exactly one CONVERT",
                 "exactly one MOVE, BREED, PLUS ROLL (if a Groundskeeper is played) or CONVERT "
                 "(if CV is played)"},
    [CARD_GK1] = {"one ROLL, then up to 1 BREED", "one BREED"},
    [CARD_GK2] = {"one ROLL, then up to 2 BREED", "two BREEDs"},
    [CARD_GI] = {"one STEAL, then up to 1 BREED", "one BREED"},
};

/* Of a CAVEIN that of the first of the two borders, unless nothing is wrong with it. */
static unsigned first_hex(const struct mm_step *step, const struct game_state *s)
{
	ENSURE(step);
	const uint8_t *h = step->hex;
	bool second = step->verb == STEP_CAVEIN && (mm_cavein_borders(s, h[0]) & mm_bit(h[1]));

	return h[second ? 2 : 0];
}

static void add_sentence(const struct refusal *r, const char *text)
{
	const struct mm_step *step = r->step;
	bool second = step && step->verb == STEP_MOVE && step->hex[1] == r->t->hex;

	for (; *text; text++) {
		if (*text != '%') {
			strbuf_addc(r->out, *text);
			continue;
		}
		text++;
		if (*text == 's')
			strbuf_addf(r->out, "%u", step->space[second]);
		else if (*text == 'v')
			strbuf_addf(r->out, "%u", r->work->hexes[r->t->hex].value);
		else
			strbuf_adds(r->out, *text == 'h' ? mm_hex_names[r->t->hex]
			                    : *text == 'f' && step
			                        ? mm_hex_names[first_hex(step, r->work)]
			                    : *text == 'c' ? mm_cards[r->play->card].name
			                    : *text == 'w' ? mm_cards[r->play->with].name
			                    : *text == 'x'
			                        ? mm_cards[step->card].name
			                        : r->work->seats[step->seat].name.text);
	}
}

/* ---- What would be legal ---- */

/* One more sentence: "Moves can start from: A1 and B2.", or "...: none." */
static void add_set(const struct refusal *r, const char *what, uint32_t set)
{
	strbuf_addf(r->out, " %s: ", what);
	mm_add_hexes(r->out, set);
	strbuf_addc(r->out, '.');
}

/* "Borders of A2 without a Cave-In lead to A1 and B2." */
static void add_ways(const struct refusal *r, const char *what, unsigned from,
                     const char *which, uint32_t set)
{
	struct strbuf to = STRBUF_INIT;

	if (set || r->step->verb != STEP_MOVE)
		mm_add_hexes(&to, set);
	else
		strbuf_adds(&to, "no hex with room");
	strbuf_addf(r->out, " %s %s%s lead to %s.", what, mm_hex_names[from], which, to.ptr);
	strbuf_release(&to);
}

static void add_choices(const struct refusal *r, const struct game_state *s, enum mm_choice of)
{
	strbuf_addc(r->out, ' ');
	mm_say_choices(s, s->active, of, r->out);
}

/* What this kind of step could have named instead. */
static void add_targets(const struct refusal *r)
{
	const struct game_state *w = r->work;
	unsigned seat = w->active, from = r->step->hex[0];
	uint32_t moles = 0;

	switch ((enum mm_verb)r->step->verb) {
	case STEP_MOVE:
		if (!(mm_move_sources(w, seat) & mm_bit(from)))
			add_set(r, "Moves can start from", mm_move_sources(w, seat));
		else
			add_ways(r, w->setup.routes_free ? "Tunnels from" : "Open routes from",
			         from, "", mm_move_targets(w, seat, from));
		break;
	case STEP_BREED:
		add_set(r, "There is room for BREED on", mm_breed_targets(w, seat));
		break;
	case STEP_CONVERT:
		add_choices(r, w, CHOICE_CONVERT);
		break;
	case STEP_ROLL:
		for (unsigned i = 1; i <= MM_SEATS; i++)
			moles |= mm_with_moles(w, i);
		add_set(r, "There are moles on", mm_board(w) & ~mm_bit(r->t->hex) & moles);
		break;
	case STEP_HOME:
		add_set(r, "Home tokens on hexes you claim lie on", mm_home_targets(w, seat));
		break;
	case STEP_CAVEIN:
		add_set(r, "You claim", mm_claims(w, seat));
		break;
	case STEP_STEAL:
	case STEP_PLUSROLL:
	case STEP_VERBS:
		break;
	}
}

static void add_shown(const struct refusal *r, enum shown shown)
{
	unsigned from;

	switch (shown) {
	case USE:
		strbuf_addf(r->out, " Below %s %s may stand %s.", r->first ? "PLAY" : "STACK",
		            mm_cards[r->play->card].name, uses[r->play->card][!r->first]);
		break;
	case TARGETS:
		add_targets(r);
		break;
	case BORDERS:
		from = first_hex(r->step, r->work);
		add_ways(r, "Borders of", from, " without a Cave-In",
		         mm_cavein_borders(r->work, from));
		break;
	case HOMES:
		add_set(r, "HOME is possible on", mm_home_targets(r->work, r->work->active));
		break;
	case STEALS:
		add_choices(r, r->work, CHOICE_STEAL);
		break;
	case NOTHING:
		break;
	}
}

/* ---- All of it ---- */

static void say_not_held(const struct refusal *r)
{
	const struct game_state *w = r->work;
	bool with = w->nevents && w->events[w->nevents - 1].kind == EVENT_WITH;
	unsigned card = with ? r->play->with : r->play->card;
	unsigned held = mm_pile_count(&r->now->seats[r->now->active].hand, card);

	if (held > 1)
		strbuf_addf(r->out, "You hold %s only %u times.", mm_cards[card].name, held);
	else if (held)
		strbuf_addf(r->out, "You hold %s only once.", mm_cards[card].name);
	else
		strbuf_addf(r->out, "You do not hold %s.", mm_cards[card].name);
	add_choices(r, r->now, CHOICE_CARD);
}

static void say_needs_number(const struct refusal *r)
{
	const struct mm_pile *hand = &r->now->seats[r->now->active].hand;
	const char *name = mm_cards[r->play->card].name;
	unsigned card = CARD_N4;

	while (card <= CARD_N2 && !mm_pile_count(hand, card))
		card++;
	strbuf_addf(r->out, "%s needs a number card from your hand", name);
	if (card <= CARD_N2)
		strbuf_addf(r->out, ": PLAY %s WITH %s.", name, mm_cards[card].name);
	else
		strbuf_adds(r->out, ", and you hold none.");
}

static void say(const struct refusal *r)
{
	unsigned verb = r->step ? r->step->verb : ANY_STEP, from;
	size_t i = 0;

	if (r->t->code == TROUBLE_NOT_HELD) {
		say_not_held(r);
		return;
	}
	if (r->t->code == TROUBLE_NEEDS_WITH) {
		say_needs_number(r);
		return;
	}
	from = r->step ? r->step->hex[0] : 0;
	if (verb == STEP_MOVE &&
	    (r->t->code == TROUBLE_NETWORK || r->t->code == TROUBLE_ROUTE) &&
	    (mm_beside[from] & r->work->cave[from] & mm_bit(r->t->hex))) {
		add_sentence(r, "%f to %h is blocked by the Cave-In: there is no open tunnel.");
		add_targets(r);
		return;
	}
	while (sentences[i].code != r->t->code ||
	       (sentences[i].verb != ANY_STEP && sentences[i].verb != verb))
		i++;
	add_sentence(r, sentences[i].text);
	add_shown(r, sentences[i].shown);
}

void mm_refuse(const struct game_state *now, const struct game_state *work,
               const struct mm_orders *o, const struct mm_trouble *t, const char *example,
               struct diags *diags)
{
	static const char *const nth[] = {"",
	                                  ", the second mole",
	                                  ", the third mole",
	                                  ", the fourth mole",
	                                  ", the fifth mole",
	                                  ", the sixth mole"};
	struct strbuf what = STRBUF_INIT, quoted = STRBUF_INIT;
	const struct mm_play *play = &o->plays[t->play];
	const struct mm_step *step = t->step < 0 ? NULL : &play->steps[t->step];
	struct refusal r = {now, work, play, step, t, t->play == 0, &what};
	struct strbuf card = STRBUF_INIT;

	ENSURE(t->play < o->nplays);
	strbuf_addf(&card, "%s %s", r.first ? "PLAY" : "STACK", mm_cards[play->card].name);
	if (step)
		mm_write_step(now, step, &quoted);
	/* "MOVE B2 C3 x3 (PLAY N3), the third mole: " */
	if (step)
		strbuf_addf(&what, "%s (%s)%s: ", quoted.ptr, card.ptr, nth[t->repeat]);
	else
		strbuf_addf(&what, "%s: ", card.ptr);
	say(&r);
	diags_add(diags, DIAG_ERROR, step ? step->line : play->line,
	          step ? step->column : play->column, strbuf_span(step ? &quoted : &card),
	          example, "%s", what.ptr);
	strbuf_release(&card);
	strbuf_release(&what);
	strbuf_release(&quoted);
}
