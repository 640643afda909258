/*
 * clause.c - the words behind a verb.
 *
 * Small words that say no more than the hexes do ("from", "to") are passed over, so that
 * "move 2 moles from B2 to C3" is MOVE B2 C3 x2.
 */
#include "processor/games/mole_majority/clause.h"

#include "processor/base/num.h"

const char *const mm_verbs[VERBS] = {"MOVE",    "BREED", "CONVERT",  "ROLL",  "HOME",
                                     "CAVEIN",  "STEAL", "PLUSROLL", "PLAY",  "STACK",
                                     "DISCARD", "PASS",  "BASE",     "TILES", "RESIGN"};
const char *const mm_written_verbs[VERBS] = {
    "MOVE", "BREED", "CONVERT", "ROLL", "HOME", "CAVEIN", "STEAL", "PLUS ROLL",
    "PLAY", "STACK", "DISCARD", "PASS", "BASE", "TILES",  "RESIGN"};

const char *const mm_usage[VERBS] = {
    "MOVE takes two hexes, perhaps with spaces or a number: MOVE B2.6 C3.1, MOVE B2 C3 x2.",
    "BREED takes a hex, perhaps with a space or a number: BREED C2.5, BREED C2 x2.",
    "CONVERT takes a hex with a space (CONVERT C3.1) or with the player whose mole is meant.",
    "ROLL takes the space it starts from and a direction, CW or CCW (ROLL C3.1 CW).",
    "HOME takes one hex (HOME C3).",
    "CAVEIN takes two borders, the hex you claim first (CAVEIN B2-C3 B2-C2).",
    "STEAL takes a player and a card (STEAL B N4).",
    "PLUS ROLL takes nothing else.",
    "PLAY takes one card (PLAY N3); a Groundskeeper also a number card (PLAY GK1 WITH N3).",
    "STACK takes one card (STACK CV).",
    "DISCARD takes nothing else: it means the whole hand.",
    "PASS takes nothing else.",
    "BASE takes places for a base, the best first: A2, B1, B4, D1, D4 and E2 are possible.",
    "TILES takes outer places, the best first: A1 to A3, B1, B4, C1, C5, D1, D4, E1 to E3.",
    "RESIGN takes nothing else.",
};

static const char *const fillers[] = {"to",    "from", "in",    "on",   "at",
                                      "into",  "of",   "and",   "the",  "hex",
                                      "space", "mole", "moles", "card", "between"};

/* Words that a verb might be suggested for, were they not known. */
static bool is_noun(struct span word)
{
	return span_eq_nocase(word, "with") || span_eq_nocase(word, "mole") ||
	       span_eq_nocase(word, "moles");
}

static bool is_filler(struct span word)
{
	return span_in_nocase(word, fillers, sizeof fillers / sizeof *fillers);
}

/* "C3" or "C3.4"; space 0 = not named. */
static bool parse_place(struct span word, unsigned *hex, unsigned *space)
{
	*space = 0;
	if (word.len == 4 && word.ptr[2] == '.' &&
	    num_parse_uint(span_slice(word, 3, 4), 1, MM_SPACES, space))
		word.len = 2;
	return mm_hex_parse(word, hex);
}

/* "x2" or "2". */
static bool parse_count(struct span word, unsigned *n)
{
	if (word.len > 1 && (word.ptr[0] == 'x' || word.ptr[0] == 'X'))
		return num_parse_uint(span_slice(word, 1, word.len), 1, MM_SPACES, n);
	return num_parse_word(word, 1, MM_SPACES, n);
}

static bool parse_direction(struct span word, bool *clockwise)
{
	*clockwise = span_eq_nocase(word, "CW") || span_eq_nocase(word, "clockwise");
	return *clockwise || span_eq_nocase(word, "CCW") ||
	       span_eq_nocase(word, "counterclockwise") ||
	       span_eq_nocase(word, "anticlockwise");
}

/* "B2-C3" */
static bool parse_border(struct span word, unsigned *one, unsigned *other)
{
	return word.len == 5 && word.ptr[2] == '-' &&
	       mm_hex_parse(span_slice(word, 0, 2), one) &&
	       mm_hex_parse(span_slice(word, 3, 5), other);
}

bool mm_is_argument(struct span word)
{
	unsigned n, m;
	bool way;

	/* "F1" is written as a hex, though there is none. */
	return parse_place(word, &n, &m) || mm_card_parse(word, &n) ||
	       (word.len == 2 && num_parse_uint(span_slice(word, 1, 2), 0, 9, &n)) ||
	       parse_direction(word, &way) || parse_border(word, &n, &m) || is_noun(word);
}

bool mm_is_count(struct span word)
{
	unsigned n;

	return parse_count(word, &n);
}

bool mm_read_count(struct span word, uint8_t *count)
{
	unsigned n = 0;

	if (!parse_count(word, &n))
		return false;
	*count = (uint8_t)n;
	return true;
}

struct order_language mm_language(const struct game_state *s, const char **names)
{
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		names[seat - 1] = s->seats[seat].name.text;
	return (struct order_language){.verbs = mm_verbs,
	                               .nverbs = VERBS,
	                               .is_argument = mm_is_argument,
	                               .names = names,
	                               .nnames = s->nseats};
}

/* The words of a clause, taken one after another. */
struct words {
	const struct order_language *l;
	const struct order_word *at;
	size_t left;
};

static void skip_fillers(struct words *w)
{
	while (w->left && is_filler(w->at->text)) {
		w->at++;
		w->left--;
	}
}

static bool next_word(struct words *w, struct span *word)
{
	skip_fillers(w);
	if (!w->left)
		return false;
	*word = w->at->text;
	w->at++;
	w->left--;
	return true;
}

static bool at_end(struct words *w)
{
	skip_fillers(w);
	return w->left == 0;
}

static bool take_place(struct words *w, uint8_t *hex, uint8_t *space)
{
	struct words copy = *w;
	struct span word = SPAN_EMPTY;
	unsigned h = 0, n = 0;

	if (!next_word(&copy, &word) || !parse_place(word, &h, &n))
		return false;
	*hex = (uint8_t)h;
	*space = (uint8_t)n;
	*w = copy;
	return true;
}

static bool take_count(struct words *w, uint8_t *count)
{
	struct words copy = *w;
	struct span word = SPAN_EMPTY;

	if (!next_word(&copy, &word) || !mm_read_count(word, count))
		return false;
	*w = copy;
	return true;
}

/* A name in full, or the letter of a seat that nobody has for a name. */
static size_t player_at(const struct words *w, size_t *which)
{
	size_t n = order_name_length(w->l, w->at, w->left, which);

	if (n || !w->left || w->at->text.len != 1)
		return n;
	*which = (size_t)((w->at->text.ptr[0] & ~0x20) - 'A');
	return *which < w->l->nnames;
}

/* A player may be called "Mole": a name goes before a small word. */
static bool take_player(struct words *w, uint8_t *seat)
{
	struct words copy = *w;
	size_t which = 0, n = player_at(&copy, &which);

	while (!n && copy.left && is_filler(copy.at->text)) {
		copy.at++;
		copy.left--;
		n = player_at(&copy, &which);
	}
	if (!n)
		return false;
	*seat = (uint8_t)(which + 1);
	w->at = copy.at + n;
	w->left = copy.left - n;
	return true;
}

static bool take_card(struct words *w, uint8_t *card)
{
	struct span word = SPAN_EMPTY;
	unsigned n = 0;

	if (!next_word(w, &word) || !mm_card_parse(word, &n))
		return false;
	*card = (uint8_t)n;
	return true;
}

/* "B2 C3", with spaces or not; also "B2-C3". */
static bool take_route(struct words *w, struct mm_step *step)
{
	struct words copy = *w;
	struct span word = SPAN_EMPTY;
	unsigned from = 0, to = 0;

	if (!next_word(&copy, &word) || !parse_border(word, &from, &to))
		return take_place(w, &step->hex[0], &step->space[0]) &&
		       take_place(w, &step->hex[1], &step->space[1]);
	step->hex[0] = (uint8_t)from;
	step->hex[1] = (uint8_t)to;
	*w = copy;
	return true;
}

/* MOVE, BREED: the number of moles may stand before or behind the hexes. */
static bool read_placement(struct words *w, struct mm_step *step)
{
	bool counted = take_count(w, &step->count);

	if (!counted)
		step->count = 1;
	if (step->verb == STEP_MOVE ? !take_route(w, step)
	                            : !take_place(w, &step->hex[0], &step->space[0]))
		return false;
	if (!counted)
		(void)take_count(w, &step->count);
	return at_end(w) && (step->count == 1 || (!step->space[0] && !step->space[1]));
}

static bool read_convert(struct words *w, struct mm_step *step)
{
	if (!take_place(w, &step->hex[0], &step->space[0]))
		return false;
	if (!step->space[0] && !take_player(w, &step->seat) && !take_count(w, &step->space[0]))
		return false;
	return at_end(w);
}

static bool read_roll(struct words *w, struct mm_step *step)
{
	struct span word = SPAN_EMPTY;

	if (!take_place(w, &step->hex[0], &step->space[0]) ||
	    (!step->space[0] && !take_count(w, &step->space[0])))
		return false;
	return next_word(w, &word) && parse_direction(word, &step->clockwise) && at_end(w);
}

static bool take_border(struct words *w, uint8_t *two)
{
	struct words copy = *w;
	struct span word = SPAN_EMPTY;
	unsigned one = 0, other = 0;
	uint8_t space[2];

	if (!next_word(&copy, &word))
		return false;
	if (!parse_border(word, &one, &other))
		return take_place(w, &two[0], &space[0]) && take_place(w, &two[1], &space[1]) &&
		       !space[0] && !space[1];
	two[0] = (uint8_t)one;
	two[1] = (uint8_t)other;
	*w = copy;
	return true;
}

static bool read_step(struct words *w, struct mm_step *step)
{
	switch ((enum mm_verb)step->verb) {
	case STEP_MOVE:
	case STEP_BREED:
		return read_placement(w, step);
	case STEP_CONVERT:
		return read_convert(w, step);
	case STEP_ROLL:
		return read_roll(w, step);
	case STEP_HOME:
		return take_place(w, &step->hex[0], &step->space[0]) && !step->space[0] &&
		       at_end(w);
	case STEP_CAVEIN:
		return take_border(w, step->hex) && take_border(w, step->hex + 2) && at_end(w);
	case STEP_STEAL:
		return take_player(w, &step->seat) && take_card(w, &step->card) && at_end(w);
	case STEP_PLUSROLL:
		return at_end(w);
	case STEP_VERBS:
		break;
	}
	return false;
}

static bool add_step(struct words *w, int verb, struct mm_orders *o, const char **why)
{
	struct mm_step step = {.verb = (uint8_t)verb};
	struct mm_play *p;

	if (o->nplays == 0) {
		*why =
		    "A turn begins with PLAY and a card; what the card does stands below it.";
		return false;
	}
	if (!read_step(w, &step))
		return false;
	p = &o->plays[o->nplays - 1];
	if (p->nsteps == MM_STEPS) {
		*why = "No card has so many steps.";
		return false;
	}
	p->steps[p->nsteps++] = step;
	return true;
}

static bool add_card(struct words *w, int verb, struct mm_orders *o, const char **why)
{
	struct mm_play p = {.card = CARD_NONE};
	struct span word = SPAN_EMPTY;

	if ((verb == VERB_PLAY) != (o->nplays == 0)) {
		*why =
		    verb == VERB_PLAY
			? "Only one card is played in a turn; further ones are stacked: STACK "
			  "CV."
			: "The first card of a turn is played, not stacked: PLAY N2.";
		return false;
	}
	if (!take_card(w, &p.card))
		return false;
	if (next_word(w, &word) && (!span_eq_nocase(word, "with") || !take_card(w, &p.with)))
		return false;
	if (!at_end(w))
		return false;
	if (o->nplays == MM_PLAYS) {
		*why = "No hand has so many cards.";
		return false;
	}
	o->kind = ORDERS_PLAY;
	o->plays[o->nplays++] = p;
	return true;
}

bool mm_may_lie(int verb, unsigned hex)
{
	uint32_t middle = mm_ring | mm_bit(HEX_C3);

	return verb == VERB_BASE ? (mm_base_places & mm_bit(hex)) != 0
	                         : (middle & mm_bit(hex)) == 0;
}

/* A place named twice counts where it stands first. */
static bool read_list(struct words *w, int verb, struct mm_orders *o, const char **why)
{
	uint8_t *list = verb == VERB_BASE ? o->bases : o->tiles;
	uint8_t *count = verb == VERB_BASE ? &o->nbases : &o->ntiles;
	uint32_t seen = 0;
	uint8_t hex = 0, space = 0;

	if (*count) {
		*why = "BASE and TILES stand once each.";
		return false;
	}
	o->kind = ORDERS_SETUP;
	while (!at_end(w)) {
		if (!take_place(w, &hex, &space) || space || !mm_may_lie(verb, hex))
			return false;
		if (!(seen & mm_bit(hex)))
			list[(*count)++] = hex;
		seen |= mm_bit(hex);
	}
	return *count > 0;
}

bool mm_read_clause(const struct order_language *l, int verb, const struct order_word *args,
                    size_t nargs, struct mm_orders *o, const char **why)
{
	struct words w = {.l = l, .at = args, .left = nargs};

	*why = mm_usage[verb];
	if (verb < STEP_VERBS)
		return add_step(&w, verb, o, why);
	if (verb == VERB_PLAY || verb == VERB_STACK)
		return add_card(&w, verb, o, why);
	if (verb == VERB_BASE || verb == VERB_TILES)
		return read_list(&w, verb, o, why);
	if (verb == VERB_DISCARD)
		o->kind = ORDERS_DISCARD;
	else
		o->kind = verb == VERB_PASS ? ORDERS_PASS : ORDERS_RESIGN;
	return at_end(&w);
}
