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

static const char *hex_name(const struct refusal *r)
{
	return mm_hex_names[r->t->hex];
}

static const char *card_name(const struct refusal *r)
{
	return mm_cards[r->play->card].name;
}

/* One more sentence: "Moves can start from: A1 and B2.", or "...: none." */
static void add_set(const struct refusal *r, const char *what, uint32_t set)
{
	strbuf_addf(r->out, " %s: ", what);
	mm_add_hexes(r->out, set);
	strbuf_addc(r->out, '.');
}

/* ---- Cards ---- */

static void add_choices(const struct refusal *r, const struct game_state *s, enum mm_choice of)
{
	strbuf_addc(r->out, ' ');
	mm_say_choices(s, s->active, of, r->out);
}

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
	const char *name = card_name(r);

	for (unsigned card = CARD_N4; card <= CARD_N2; card++)
		if (mm_pile_count(hand, card)) {
			strbuf_addf(r->out,
			            "%s needs a number card from your hand: PLAY %s WITH %s.",
			            name, name, mm_cards[card].name);
			return;
		}
	strbuf_addf(r->out, "%s needs a number card from your hand, and you hold none.", name);
}

/* What may be below the card. */
static void add_card_use(const struct refusal *r)
{
	const struct mm_card_facts *facts = &mm_cards[r->play->card];

	if (!r->first && r->play->card == CARD_CV)
		strbuf_adds(r->out,
		            " Below STACK CV may stand exactly one MOVE, BREED, PLUS ROLL "
		            "(if a Groundskeeper is played) or CONVERT (if CV is "
		            "played).");
	else if (!r->first)
		strbuf_addf(r->out,
		            facts->bonus == 1 ? " Below STACK %s may stand one BREED."
		                              : " Below STACK %s may stand two BREEDs.",
		            facts->name);
	else if (r->play->card == CARD_CV)
		strbuf_adds(r->out, " Below PLAY CV may stand exactly one CONVERT.");
	else if (r->play->card == CARD_CH)
		strbuf_adds(r->out,
		            " Below PLAY CH may stand up to two MOVE or BREED, then one "
		            "HOME or CAVEIN.");
	else if (r->play->card == CARD_N2)
		strbuf_adds(r->out,
		            " Below PLAY N2 may stand up to two MOVE or BREED, then one "
		            "BREED more.");
	else if (facts->steps)
		strbuf_addf(r->out, " Below PLAY %s may stand up to %u MOVE or BREED.",
		            facts->name, facts->steps);
	else
		strbuf_addf(r->out,
		            r->play->card == CARD_GI
		                ? " Below PLAY %s may stand one STEAL, then up to %u BREED."
		                : " Below PLAY %s may stand one ROLL, then up to %u BREED.",
		            facts->name, facts->bonus);
}

static void say_card(const struct refusal *r)
{
	const char *name = card_name(r);

	switch ((int)r->t->code) {
	case TROUBLE_NOT_HELD:
		say_not_held(r);
		return;
	case TROUBLE_NOT_STACKABLE:
		strbuf_addf(r->out, "%s cannot be stacked; N2, CV, GK1, GK2 and GI can.", name);
		return;
	case TROUBLE_NEEDS_WITH:
		say_needs_number(r);
		return;
	case TROUBLE_WITH_NOTHING:
		strbuf_adds(r->out, "WITH belongs only behind a Groundskeeper that is played.");
		return;
	case TROUBLE_NO_NUMBER:
		strbuf_addf(r->out, "%s is no number card; N2, N3 and N4 are.",
		            mm_cards[r->play->with].name);
		return;
	case TROUBLE_STEP:
		strbuf_adds(r->out, "This step does not belong to that card.");
		break;
	case TROUBLE_TOO_MANY:
		strbuf_addf(r->out, "With this step %s would do more than it can.", name);
		break;
	case TROUBLE_NO_MAIN:
		strbuf_addf(r->out, "%s as the card played must do what it is for.", name);
		break;
	case TROUBLE_LAST:
		strbuf_adds(r->out, "HOME or CAVEIN is the last step of CH.");
		break;
	case TROUBLE_THIRD:
		strbuf_adds(r->out, "The third step of N2 can only be a BREED.");
		break;
	default:
		strbuf_addf(r->out, "A stacked %s does one thing.", name);
	}
	add_card_use(r);
}

/* ---- The board ---- */

static void add_move_targets(const struct refusal *r)
{
	unsigned from = r->step->hex[0];
	uint32_t set = mm_move_targets(r->work, r->work->active, from);
	struct strbuf hexes = STRBUF_INIT;

	if (set)
		mm_add_hexes(&hexes, set);
	else
		strbuf_adds(&hexes, "no hex with room");
	strbuf_addf(r->out,
	            r->work->setup.routes_free ? " Tunnels from %s lead to %s."
	                                       : " Open routes from %s lead to %s.",
	            mm_hex_names[from], hexes.ptr);
	strbuf_release(&hexes);
}

/* What this kind of step could have named instead. */
static void add_targets(const struct refusal *r)
{
	const struct game_state *w = r->work;
	unsigned seat = w->active;

	switch ((enum mm_verb)r->step->verb) {
	case STEP_MOVE:
		if (mm_move_sources(w, seat) & mm_bit(r->step->hex[0]))
			add_move_targets(r);
		else
			add_set(r, "Moves can start from", mm_move_sources(w, seat));
		break;
	case STEP_BREED:
		add_set(r, "There is room for BREED on", mm_breed_targets(w, seat));
		break;
	case STEP_CONVERT:
		add_choices(r, w, CHOICE_CONVERT);
		break;
	case STEP_ROLL:
		add_set(r, "There are moles on",
		        mm_board(w) & ~mm_bit(r->t->hex) &
		            (mm_with_moles(w, 1) | mm_with_moles(w, 2) | mm_with_moles(w, 3) |
		             mm_with_moles(w, 4)));
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

static void say_blocked(const struct refusal *r)
{
	unsigned from = r->step->hex[0];
	bool beside = r->step->verb == STEP_MOVE && (mm_beside[from] & mm_bit(r->t->hex));

	if (beside && (r->work->cave[from] & mm_bit(r->t->hex)))
		strbuf_addf(r->out,
		            "%s to %s is blocked by the Cave-In: there is no open tunnel.",
		            mm_hex_names[from], hex_name(r));
	else if (r->t->code == TROUBLE_ROUTE)
		strbuf_addf(
		    r->out,
		    "There is no open route from %s to %s: every hex on the way must hold "
		    "your mole or your claim, and no Cave-In may lie between.",
		    mm_hex_names[from], hex_name(r));
	else
		strbuf_addf(
		    r->out,
		    r->step->verb == STEP_MOVE
			? "%s is outside your network: you neither claim it nor have a mole on "
			  "it, and no hex beside it with an open border has one."
			: "%s is outside your network: you neither claim it nor have a mole on "
			  "it, and no hex beside it has one.",
		    hex_name(r));
}

static void say_steal(const struct refusal *r)
{
	const char *name = r->work->seats[r->step->seat].name.text;

	if (r->t->code == TROUBLE_STEAL_WHOM)
		strbuf_addf(r->out, "Nothing can be stolen from %s.", name);
	else
		strbuf_addf(r->out, "%s is not among the top three discards of %s.",
		            mm_cards[r->step->card].name, name);
	add_choices(r, r->work, CHOICE_STEAL);
}

static void say_claim(const struct refusal *r)
{
	const char *hex = hex_name(r);

	switch ((int)r->step->verb) {
	case STEP_MOVE:
		strbuf_addf(r->out,
		            "You do not claim %s, and moles leave only hexes you claim.", hex);
		break;
	case STEP_BREED:
		strbuf_addf(r->out,
		            "You do not claim %s, and moles are bred only on hexes you claim.",
		            hex);
		break;
	case STEP_HOME:
		strbuf_addf(r->out,
		            "You do not claim %s, and a home is made only on a hex you claim.",
		            hex);
		break;
	case STEP_CAVEIN:
		strbuf_addf(r->out,
		            "You do not claim %s, and the hex you claim stands first in each "
		            "border.",
		            hex);
		break;
	default:
		strbuf_addf(r->out, "You do not claim %s, and must.", hex);
	}
}

/* The space that the step names in the hex of the trouble. */
static unsigned space_named(const struct refusal *r)
{
	return r->step->space[r->step->verb == STEP_MOVE && r->step->hex[1] == r->t->hex];
}

/* ROLL names a space that must hold any mole, MOVE needs one of the player's own. */
static void say_no_mole(const struct refusal *r)
{
	if (r->step->verb == STEP_ROLL)
		strbuf_addf(r->out, "Space %u of %s is empty; a ROLL starts at a mole.",
		            r->step->space[0], hex_name(r));
	else
		strbuf_addf(r->out, "You have no mole on %s.", hex_name(r));
}

static void say_place(const struct refusal *r)
{
	const char *hex = hex_name(r);
	unsigned space = space_named(r);

	switch ((int)r->t->code) {
	case TROUBLE_NO_HEX:
		strbuf_addf(r->out, "There is no hex at %s in this game.", hex);
		break;
	case TROUBLE_NO_SPACE:
		strbuf_addf(r->out, "%s has only the spaces 1 to %u.", hex,
		            r->work->hexes[r->t->hex].value);
		break;
	case TROUBLE_NO_MOLE:
		say_no_mole(r);
		break;
	case TROUBLE_NOT_YOURS:
		strbuf_addf(r->out, "Space %u of %s holds no mole of yours.", space, hex);
		break;
	case TROUBLE_TAKEN:
		strbuf_addf(r->out, "Space %u of %s is taken.", space, hex);
		break;
	case TROUBLE_FULL:
		strbuf_addf(r->out, "%s has no empty space.", hex);
		break;
	case TROUBLE_SAME:
		strbuf_addf(r->out, "A mole that leaves %s must go to another hex.", hex);
		break;
	case TROUBLE_SUPPLY:
		strbuf_adds(r->out, "You have no mole left in your supply. A MOVE needs none.");
		break;
	case TROUBLE_NO_OPPONENT:
		strbuf_addf(r->out, "No mole of another player stands there on %s.", hex);
		break;
	default:
		strbuf_addf(r->out, "There is no home token on %s.", hex);
	}
}

/* The first of the two borders unless nothing is wrong with it. */
static const uint8_t *failing_border(const struct refusal *r)
{
	const uint8_t *h = r->step->hex;
	bool good = (mm_cavein_borders(r->work, h[0]) & mm_bit(h[1])) != 0;

	return good ? h + 2 : h;
}

static void say_cavein(const struct refusal *r)
{
	unsigned inner = failing_border(r)[0];

	switch ((int)r->t->code) {
	case TROUBLE_NO_CAVEINS:
		strbuf_adds(r->out, "You have no Cave-In tokens left.");
		add_set(r, "HOME is possible on", mm_home_targets(r->work, r->work->active));
		return;
	case TROUBLE_TWICE:
		strbuf_adds(r->out, "The two borders must be different ones.");
		break;
	case TROUBLE_CAVED:
		strbuf_addf(r->out, "A Cave-In lies between %s and %s already.",
		            mm_hex_names[inner], hex_name(r));
		break;
	default:
		strbuf_addf(r->out, "%s does not lie beside %s.", hex_name(r),
		            mm_hex_names[inner]);
	}
	struct strbuf beyond = STRBUF_INIT;
	mm_add_hexes(&beyond, mm_cavein_borders(r->work, inner));
	strbuf_addf(r->out, " Borders of %s without a Cave-In lead to %s.", mm_hex_names[inner],
	            beyond.ptr);
	strbuf_release(&beyond);
}

static void say_board(const struct refusal *r)
{
	switch ((int)r->t->code) {
	case TROUBLE_STEAL_WHOM:
	case TROUBLE_STEAL_CARD:
		say_steal(r);
		return;
	case TROUBLE_NO_CAVEINS:
	case TROUBLE_TWICE:
	case TROUBLE_CAVED:
	case TROUBLE_NOT_BESIDE:
		say_cavein(r);
		return;
	case TROUBLE_NETWORK:
	case TROUBLE_ROUTE:
		say_blocked(r);
		break;
	case TROUBLE_NOT_CLAIMED:
		say_claim(r);
		break;
	default:
		say_place(r);
	}
	if (r->t->code != TROUBLE_SUPPLY)
		add_targets(r);
}

/* "MOVE B2 C3 x3 (PLAY N3), the third mole: " */
static void add_step_name(const struct refusal *r, struct strbuf *out)
{
	static const char *const nth[] = {"",
	                                  ", the second mole",
	                                  ", the third mole",
	                                  ", the fourth mole",
	                                  ", the fifth mole",
	                                  ", the sixth mole"};
	const char *card = r->first ? "PLAY" : "STACK";

	if (r->step) {
		mm_write_step(r->now, r->step, out);
		strbuf_addf(out, " (%s %s)%s: ", card, card_name(r), nth[r->t->repeat]);
	} else {
		strbuf_addf(out, "%s %s: ", card, card_name(r));
	}
}

void mm_refuse(const struct game_state *now, const struct game_state *work,
               const struct mm_orders *o, const struct mm_trouble *t, const char *example,
               struct diags *diags)
{
	struct strbuf what = STRBUF_INIT, quoted = STRBUF_INIT;
	const struct mm_play *play = &o->plays[t->play];
	struct refusal r = {.now = now,
	                    .work = work,
	                    .play = play,
	                    .step = t->step < 0 ? NULL : &play->steps[t->step],
	                    .t = t,
	                    .first = t->play == 0,
	                    .out = &what};

	ENSURE(t->play < o->nplays);
	add_step_name(&r, &what);
	if (r.step && t->code >= TROUBLE_NO_HEX)
		say_board(&r);
	else
		say_card(&r);
	if (r.step)
		mm_write_step(now, r.step, &quoted);
	else
		strbuf_addf(&quoted, "%s %s", r.first ? "PLAY" : "STACK",
		            mm_cards[play->card].name);
	diags_add(diags, DIAG_ERROR, r.step ? r.step->line : play->line,
	          r.step ? r.step->column : play->column, strbuf_span(&quoted), example, "%s",
	          what.ptr);
	strbuf_release(&what);
	strbuf_release(&quoted);
}
