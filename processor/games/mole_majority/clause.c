/*
 * clause.c - the orders of Mole Majority, declared; a set of them as it is stored, sealed and resolved.
 *
 * "move 2 moles from B2 to C3" is MOVE B2 C3 x2. A canonical set is one line, the cards in order, each
 * with its steps: "PLAY N3; MOVE B2 C3 x2; STACK N2". What a player left to the defaults stays so:
 * the position it is for cannot change.
 */
#include "processor/games/mole_majority/clause.h"

#include "processor/base/num.h"

const char *const mm_verbs[VERBS] = {"MOVE",    "BREED", "CONVERT",  "ROLL",  "HOME",
                                     "CAVEIN",  "STEAL", "PLUSROLL", "PLAY",  "STACK",
                                     "DISCARD", "PASS",  "BASE",     "TILES", "RESIGN"};

static const struct order_form rows[VERBS] = {
    [STEP_MOVE] = {.form = "[before] route [count]",
                   .takes = "MOVE takes two hexes, perhaps with spaces or a number: MOVE B2.6 "
                            "C3.1, MOVE B2 C3 x2.",
                   .guide = {{"MOVE <hex> <hex> [x<n>]",
                              "n moles; <hex>.<space> names spaces"}}},
    [STEP_BREED] = {.form = "[before] place [count]",
                    .takes = "BREED takes a hex, perhaps with a space or a number: BREED C2.5, "
                             "BREED C2 x2.",
                    .guide = {{"BREED <hex> [x<n>]", "n new moles"}}},
    [STEP_CONVERT] = {.form = "place whose",
                      .takes = "CONVERT takes a hex with a space (CONVERT C3.1) or with the "
                               "player whose mole is meant.",
                      .guide = {{"CONVERT <hex>.<space>", "or CONVERT <hex> <player>"}}},
    [STEP_ROLL] = {.form = "place space way",
                   .takes = "ROLL takes the space it starts from and a direction, CW or CCW "
                            "(ROLL C3.1 CW).",
                   .guide = {{"ROLL <hex>.<space> CW", "clockwise from there; or CCW"}}},
    [STEP_HOME] = {.form = "hex",
                   .takes = "HOME takes one hex (HOME C3).",
                   .guide = {{"HOME <hex>", "take its home token"}}},
    [STEP_CAVEIN] = {.form = "border second",
                     .takes = "CAVEIN takes two borders, the hex you claim first (CAVEIN B2-C3 "
                              "B2-C2).",
                     .guide = {{"CAVEIN <hex>-<hex> <hex>-<hex>",
                                "two borders, your hex first"}}},
    [STEP_STEAL] = {.form = "player stolen",
                    .takes = "STEAL takes a player and a card (STEAL B N4).",
                    .guide = {{"STEAL <player> <card>", "one of their top three discards"}}},
    [STEP_PLUSROLL] = {.written = "PLUS ROLL",
                       .form = "",
                       .takes = "PLUS ROLL takes nothing else.",
                       .guide = {{"PLUS ROLL", "below STACK CV"}}},
    [VERB_PLAY] = {.form = "card [WITH with]",
                   .takes = "PLAY takes one card (PLAY N3); a Groundskeeper also a number card "
                            "(PLAY GK1 WITH N3).",
                   .guide = {{"PLAY <card>", "the action, first line of a turn"},
                             {"PLAY <GK> WITH <number>", "a Groundskeeper and a number card"}}},
    [VERB_STACK] = {.form = "card [WITH with]",
                    .takes = "STACK takes one card (STACK CV).",
                    .guide = {{"STACK <card>", "one more card"}}},
    [VERB_DISCARD] = {.form = "",
                      .takes = "DISCARD takes nothing else: it means the whole hand.",
                      .guide = {{"DISCARD", "the whole hand, and draw five"}}},
    [VERB_PASS] = {.form = "",
                   .takes = "PASS takes nothing else.",
                   .guide = {{"PASS", "nothing; also what silence means"}}},
    [VERB_BASE] = {.form = "bases",
                   .takes = "BASE takes places for a base, the best first: A2, B1, B4, D1, D4 "
                            "and E2 are possible.",
                   .guide = {{"BASE <hex> <hex> ...", "set-up: places for your base"}}},
    [VERB_TILES] = {.form = "tiles",
                    .takes = "TILES takes outer places, the best first: A1 to A3, B1, B4, C1, "
                             "C5, D1, D4, E1 to E3.",
                    .guide = {{"TILES <hex> <hex> ...", "set-up: places for your hexes"}}},
    [VERB_RESIGN] = {.form = "", .takes = "RESIGN takes nothing else."},
};

/* ---- Words ---- */

/* "C3" or "C3.4"; space 0 = not named. */
static bool parse_place(struct span word, uint8_t *hex, uint8_t *space)
{
	unsigned h, n = 0;

	if (word.len == 4 && word.ptr[2] == '.' &&
	    num_parse_uint(span_slice(word, 3, 4), 1, MM_SPACES, &n))
		word.len = 2;
	if (!mm_hex_parse(word, &h))
		return false;
	*hex = (uint8_t)h;
	*space = (uint8_t)n;
	return true;
}

/* "x2" or "2". */
bool mm_read_count(struct span word, uint8_t *count)
{
	bool times = word.len > 1 && (word.ptr[0] == 'x' || word.ptr[0] == 'X');
	unsigned n;

	if (times ? !num_parse_uint(span_slice(word, 1, word.len), 1, MM_SPACES, &n)
	          : !num_parse_word(word, 1, MM_SPACES, &n))
		return false;
	*count = (uint8_t)n;
	return true;
}

bool mm_is_count(struct span word)
{
	uint8_t n;

	return mm_read_count(word, &n);
}

static bool parse_direction(struct span word, bool *clockwise)
{
	*clockwise = span_eq_nocase(word, "CW") || span_eq_nocase(word, "clockwise");
	return *clockwise || span_eq_nocase(word, "CCW") ||
	       span_eq_nocase(word, "counterclockwise") ||
	       span_eq_nocase(word, "anticlockwise");
}

/* "B2-C3" */
static bool parse_border(struct span word, uint8_t two[2])
{
	uint8_t space;

	return word.len == 5 && word.ptr[2] == '-' &&
	       parse_place(span_slice(word, 0, 2), &two[0], &space) &&
	       parse_place(span_slice(word, 3, 5), &two[1], &space);
}

bool mm_names_place(struct span word)
{
	uint8_t two[2];

	return parse_place(word.len == 4 && word.ptr[2] == '.' ? span_slice(word, 0, 2) : word,
	                   &two[0], &two[1]) ||
	       (word.len == 5 && word.ptr[2] == '-' &&
	        parse_place(span_slice(word, 0, 2), &two[0], &two[1]));
}

bool mm_is_argument(struct span word)
{
	static const char *const nouns[] = {"with", "mole", "moles"};
	uint8_t two[2];
	unsigned n;
	bool way;

	/* "F1" is written as a hex, though there is none. Of nouns a verb might be suggested. */
	return parse_place(word, &two[0], &two[1]) || mm_card_parse(word, &n) ||
	       (word.len == 2 && num_parse_uint(span_slice(word, 1, 2), 0, 9, &n)) ||
	       parse_direction(word, &way) || parse_border(word, two) ||
	       span_in_nocase(word, nouns, sizeof nouns / sizeof *nouns);
}

/* ---- Slots: of a struct mm_step, but for cards and lists ---- */

/* Of a hex: with spaces, unless `which`. */
static int take_place(const struct order_place *p)
{
	struct mm_step *step = p->order;

	return p->n && parse_place(p->words->text, &step->hex[0], &step->space[0]) &&
	               !(p->which && step->space[0])
	           ? 1
	           : -1;
}

static void write_hex(const struct order_place *p, unsigned which)
{
	const struct mm_step *step = p->order;

	strbuf_add(p->out, mm_hex_names[step->hex[which]], 2);
	if (which < 2 && step->space[which])
		strbuf_addf(p->out, ".%u", step->space[which]);
}

static void write_place(const struct order_place *p)
{
	write_hex(p, 0);
}

/* "B2-C3", "B2 to C3"; of a MOVE with spaces. */
static int take_two(const struct order_place *p)
{
	struct mm_step *step = p->order;
	uint8_t none[2], *space = step->verb == STEP_MOVE ? step->space : none;
	size_t at = 1;

	if (p->n && parse_border(p->words->text, step->hex + p->which))
		return 1;
	at += p->n ? order_fillers(&mm_forms, p->words + 1, p->n - 1) : 0;
	if (at >= p->n || !parse_place(p->words[0].text, &step->hex[p->which], &space[0]) ||
	    !parse_place(p->words[at].text, &step->hex[p->which + 1], &space[1]) ||
	    (space == none && (none[0] || none[1])))
		return -1;
	return (int)at + 1;
}

static void write_two(const struct order_place *p)
{
	const struct mm_step *step = p->order;

	write_hex(p, p->which);
	strbuf_addc(p->out, step->verb == STEP_MOVE ? ' ' : '-');
	write_hex(p, p->which + 1);
}

static int take_count(const struct order_place *p)
{
	struct mm_step *step = p->order;

	return p->n && !step->count && mm_read_count(p->words->text, &step->count) ? 1 : -1;
}

static void write_count(const struct order_place *p)
{
	const struct mm_step *step = p->order;

	if (step->count > 1)
		strbuf_addf(p->out, "x%u", step->count);
}

/* A name in full, or the letter of a seat that nobody has for a name. */
static int take_player(const struct order_place *p)
{
	const struct order_language *l = p->game;
	struct mm_step *step = p->order;
	size_t seat = 0, used = order_name_length(l, p->words, p->n, &seat);

	if (!used && p->n && p->words->text.len == 1) {
		seat = (size_t)((p->words->text.ptr[0] & ~0x20) - 'A');
		used = seat < l->nnames;
	}
	if (!used)
		return -1;
	step->seat = (uint8_t)(seat + 1);
	return (int)used;
}

static void write_player(const struct order_place *p)
{
	const struct order_language *l = p->game;
	const struct mm_step *step = p->order;

	if (step->seat)
		strbuf_adds(p->out, l->names[step->seat - 1]);
}

/* Where the place named no space: its number, or, if `which`, the player whose mole stands there. */
static int take_space(const struct order_place *p)
{
	struct mm_step *step = p->order;
	int used = -1;

	if (step->space[0])
		return 0;
	if (p->which)
		used = take_player(p);
	if (used < 0 && p->n && mm_read_count(p->words->text, &step->space[0]))
		used = 1;
	return used;
}

static int take_way(const struct order_place *p)
{
	struct mm_step *step = p->order;

	return p->n && parse_direction(p->words->text, &step->clockwise) ? 1 : -1;
}

static void write_way(const struct order_place *p)
{
	const struct mm_step *step = p->order;

	strbuf_adds(p->out, step->clockwise ? "CW" : "CCW");
}

/* `which`: the byte of a step or of a card played. */
static int take_card(const struct order_place *p)
{
	unsigned card;

	if (!p->n || !mm_card_parse(p->words->text, &card))
		return -1;
	((uint8_t *)p->order)[p->which] = (uint8_t)card;
	return 1;
}

static void write_card(const struct order_place *p)
{
	unsigned card = ((const uint8_t *)p->order)[p->which];

	if (card)
		strbuf_adds(p->out, mm_cards[card].name);
}

bool mm_may_lie(int verb, unsigned hex)
{
	uint32_t middle = mm_ring | mm_bit(HEX_C3);

	return ((verb == VERB_BASE ? mm_base_places : ~middle) & mm_bit(hex)) != 0;
}

/* Of BASE and TILES; `which`: the number of hexes in struct mm_orders, and these right behind it. */
static int take_list(const struct order_place *p)
{
	int verb = p->which == offsetof(struct mm_orders, nbases) ? VERB_BASE : VERB_TILES;
	uint32_t seen = 0;
	uint8_t *list = (uint8_t *)p->order + p->which, hex, space;

	for (size_t at = 0; (at += order_fillers(&mm_forms, p->words + at, p->n - at)) < p->n;
	     at++) {
		if (!parse_place(p->words[at].text, &hex, &space) || space ||
		    !mm_may_lie(verb, hex))
			return -1;
		if (!(seen &
		      mm_bit(hex))) /* a place named twice counts where it stands first */
			list[++*list] = hex;
		seen |= mm_bit(hex);
	}
	return *list ? (int)p->n : -1;
}

static void write_list(const struct order_place *p)
{
	const uint8_t *list = (const uint8_t *)p->order + p->which;

	for (unsigned i = 1; i <= *list; i++)
		strbuf_addf(p->out, i > 1 ? " %s" : "%s", mm_hex_names[list[i]]);
}

static const struct order_slot slots[] = {
    {"place", 0, take_place, write_place, NULL, NULL},
    {"hex", 1, take_place, write_place, NULL, NULL},
    {"route", 0, take_two, write_two, NULL, NULL},
    {"border", 0, take_two, write_two, NULL, NULL},
    {"second", 2, take_two, write_two, NULL, NULL},
    {"before", 0, take_count, NULL, NULL, NULL},
    {"count", 0, take_count, write_count, NULL, NULL},
    {"space", 0, take_space, NULL, NULL, NULL},
    {"whose", 1, take_space, write_player, NULL, NULL},
    {"player", 0, take_player, write_player, NULL, NULL},
    {"way", 0, take_way, write_way, NULL, NULL},
    {"stolen", offsetof(struct mm_step, card), take_card, write_card, NULL, NULL},
    {"card", offsetof(struct mm_play, card), take_card, write_card, NULL, NULL},
    {"with", offsetof(struct mm_play, with), take_card, write_card, NULL, NULL},
    {"bases", offsetof(struct mm_orders, nbases), take_list, write_list, NULL, NULL},
    {"tiles", offsetof(struct mm_orders, ntiles), take_list, write_list, NULL, NULL},
};

static const char *const fillers[] = {"to",    "from", "in",    "on",   "at",
                                      "into",  "of",   "and",   "the",  "hex",
                                      "space", "mole", "moles", "card", "between"};

const struct order_forms mm_forms = {mm_verbs,
                                     rows,
                                     VERBS,
                                     slots,
                                     sizeof slots / sizeof *slots,
                                     fillers,
                                     sizeof fillers / sizeof *fillers};

/* ---- Orders ---- */

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

static const char *add_step(const struct order_language *l, int verb,
                            const struct order_word *args, size_t nargs, struct mm_orders *o)
{
	struct mm_step step = {.verb = (uint8_t)verb};
	struct mm_play *p = &o->plays[o->nplays ? o->nplays - 1 : 0];
	bool counts = verb == STEP_MOVE || verb == STEP_BREED;
	const char *why;

	if (o->nplays == 0)
		return "A turn begins with PLAY and a card; what the card does stands below it.";
	why = order_form_take(&mm_forms, (size_t)verb, l, &step, args, nargs);
	if (!why && step.count > 1 && (step.space[0] || step.space[1]))
		why = rows[verb].takes;
	if (why)
		return why;
	if (p->nsteps == MM_STEPS)
		return "No card has so many steps.";
	step.count = counts && !step.count ? 1 : step.count;
	p->steps[p->nsteps++] = step;
	return NULL;
}

static const char *add_card(const struct order_language *l, int verb,
                            const struct order_word *args, size_t nargs, struct mm_orders *o)
{
	struct mm_play p = {.card = CARD_NONE};
	const char *why;

	if (verb == VERB_PLAY && o->nplays)
		return "Only one card is played in a turn; further ones are stacked: STACK CV.";
	if (verb == VERB_STACK && !o->nplays)
		return "The first card of a turn is played, not stacked: PLAY N2.";
	why = order_form_take(&mm_forms, (size_t)verb, l, &p, args, nargs);
	if (why)
		return why;
	if (o->nplays == MM_PLAYS)
		return "No hand has so many cards.";
	o->plays[o->nplays++] = p;
	return NULL;
}

const char *mm_read_clause(const struct order_language *l, int verb,
                           const struct order_word *args, size_t nargs, struct mm_orders *o)
{
	static const enum mm_orders_kind kinds[VERBS] = {[VERB_DISCARD] = ORDERS_DISCARD,
	                                                 [VERB_PASS] = ORDERS_PASS,
	                                                 [VERB_BASE] = ORDERS_SETUP,
	                                                 [VERB_TILES] = ORDERS_SETUP,
	                                                 [VERB_RESIGN] = ORDERS_RESIGN};

	if (verb < STEP_VERBS)
		return add_step(l, verb, args, nargs, o);
	o->kind = verb == VERB_PLAY || verb == VERB_STACK ? ORDERS_PLAY : kinds[verb];
	if (o->kind == ORDERS_PLAY)
		return add_card(l, verb, args, nargs, o);
	if ((verb == VERB_BASE && o->nbases) || (verb == VERB_TILES && o->ntiles))
		return "BASE and TILES stand once each.";
	return order_form_take(&mm_forms, (size_t)verb, l, o, args, nargs);
}

void mm_write_step(const struct game_state *s, const struct mm_step *step, struct strbuf *out)
{
	const char *names[MM_SEATS];
	struct order_language language = mm_language(s, names);

	order_form_write(&mm_forms, step->verb, &language, step, out);
}

void mm_write_orders(const struct game_state *s, const struct mm_orders *o,
                     struct strbuf *canonical)
{
	static const uint8_t verbs[] = {[ORDERS_PASS] = VERB_PASS,
	                                [ORDERS_DISCARD] = VERB_DISCARD,
	                                [ORDERS_SETUP] = VERB_BASE,
	                                [ORDERS_RESIGN] = VERB_RESIGN};

	if (o->kind != ORDERS_PLAY)
		order_form_write(&mm_forms, verbs[o->kind], NULL, o, canonical);
	if (o->kind == ORDERS_SETUP) {
		strbuf_adds(canonical, "; ");
		order_form_write(&mm_forms, VERB_TILES, NULL, o, canonical);
	}
	for (unsigned i = 0; o->kind == ORDERS_PLAY && i < o->nplays; i++) {
		const struct mm_play *p = &o->plays[i];

		strbuf_adds(canonical, i ? "; " : "");
		order_form_write(&mm_forms, i ? VERB_STACK : VERB_PLAY, NULL, p, canonical);
		for (unsigned k = 0; k < p->nsteps; k++) {
			strbuf_adds(canonical, "; ");
			mm_write_step(s, &p->steps[k], canonical);
		}
	}
}

bool mm_parse_orders(const struct game_state *s, struct span canonical, struct mm_orders *out)
{
	const char *names[MM_SEATS];
	struct order_language language = mm_language(s, names);
	struct order_word words[ORDER_FORM_WORDS];
	struct strbuf written = STRBUF_INIT;
	struct span rest = canonical;
	size_t verb, n;
	bool ok = canonical.len > 0;

	*out = (struct mm_orders){.kind = ORDERS_PASS};
	while (ok && order_form_next(&mm_forms, &rest, &verb, words, &n))
		ok = verb < VERBS && !mm_read_clause(&language, (int)verb, words, n, out);
	if (ok)
		mm_write_orders(s, out, &written);
	ok = ok && span_eq(strbuf_span(&written), canonical);
	strbuf_release(&written);
	return ok;
}
