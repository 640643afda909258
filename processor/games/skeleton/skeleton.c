/*
 * skeleton.c - the null game: what a new game copies.
 *
 * Each turn every seat calls heads or tails, a coin is thrown, a right call is a
 * point. Each seat holds a lucky charm worth 0 to 2 points that only its owner
 * knows until the end. After `turns` turns the highest sum wins. That is
 * hardly a game, but it has one of everything: an option, chance, a secret, orders,
 * a board in its three forms, an end. Only tests play it (extra_game.c).
 *
 * To make a game of it: copy the folder, rename, add a line to registry.h and
 * registry.c, make tests/games/test_contract.c green with GAMES=your-kind, then write the
 * scenarios of its rules document one by one. Split the file by subject (state,
 * orders, resolve, view) as soon as it passes 300 lines; whakka_mole/ shows how.
 */
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/fields.h"
#include "processor/games/loose.h"
#include "processor/games/order_text.h"
#include "processor/games/registry.h"

enum { SEATS = 4, TURNS = 30, CHARM_MAX = 2, OPTIONS_BYTES = 32 };
enum side { SIDE_NONE, SIDE_HEADS, SIDE_TAILS, SIDES };

static const char *const side_names[SIDES] = {"NONE", "HEADS", "TAILS"};

/*
 * A state is flat if it can be: then `*copy = *s` copies it, and memset before
 * filling leaves nothing undefined. Everything a report tells about the last turn is kept here,
 * since a report is made from the state alone.
 */
struct game_state {
	char options[OPTIONS_BYTES]; /* as options_format writes them; the game reads `turns` */
	unsigned turns;
	unsigned nseats, turn;
	unsigned coin; /* side thrown last turn, SIDE_NONE before the first */
	struct seat {
		struct state_name name;
		unsigned points, charm, left; /* left: turn of the resignation, 0 = plays */
		unsigned called;              /* last turn */
	} seats[SEATS + 1];
};

/* --- options and set-up ------------------------------------------------ */

static const struct game_option option_list[] = {
    {.name = "turns", .default_value = "5", .min = 1, .max = TURNS, .help = "turns to play"},
};

/* A promise: the contract test plays against it. */
static unsigned max_phases(const struct options *o)
{
	return (unsigned)options_number(o, "turns") + 1;
}

static bool read_options(struct game_state *s, const struct options *o, struct strbuf *why)
{
	(void)why; /* for options that do not go together */
	s->turns = (unsigned)options_number(o, "turns");
	options_keep(o, s->options, sizeof s->options);
	return true;
}

static bool new_game(const struct options *o, const struct seat_names *names,
                     struct chance *chance, struct game_state **out, struct strbuf *why)
{
	struct game_state s;

	memset(&s, 0, sizeof s);
	if (!seats_fit(&skeleton_1, names, why) || !read_options(&s, o, why))
		return false;
	s.nseats = names->count;
	s.turn = 1;
	for (unsigned seat = 1; seat <= s.nseats; seat++) {
		state_name_set(&s.seats[seat].name, span_of(names->names[seat]));
		/* A label, unique within the turn, says what is drawn: archives list it. */
		s.seats[seat].charm =
		    chance_pick(chance, CHARM_MAX + 1, "charm of seat %u", seat);
	}
	*out = state_copy(&s, sizeof s);
	return true;
}

/* --- state and text ---------------------------------------------------- */

static bool side_word(struct fields *f, unsigned *side)
{
	return field_word_choice(f, side_names, SIDES, side) ||
	       fields_bad(f, "a side should stand here.");
}

/*
 * One row a field, in the order of the lines: it writes the state and reads it. Every number that is
 * later used as an index or a bound is checked here, and only here.
 */
static bool seat_fields(struct fields *f, struct game_state *s, unsigned seat)
{
	struct seat *p = &s->seats[seat];

	return field_name(f, seat, &p->name) &&
	       field_uint(f, &p->points, 0, s->turn - 1, "seat %u points", seat) &&
	       field_uint(f, &p->charm, 0, CHARM_MAX, "seat %u charm", seat) &&
	       field_uint(f, &p->left, 0, s->turn - 1, "seat %u left", seat) &&
	       field_key(f, "seat %u called", seat) && side_word(f, &p->called);
}

static bool all_fields(struct fields *f, struct game_state *s)
{
	if (!field_exact(f, "skeleton", "1") ||
	    !field_options(f, s, s->options, &skeleton_1, read_options) ||
	    !field_uint(f, &s->nseats, skeleton_1.min_seats, SEATS, "seats") ||
	    !field_uint(f, &s->turn, 1, s->turns + 1, "turn") || !field_key(f, "coin") ||
	    !side_word(f, &s->coin))
		return false;
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (!seat_fields(f, s, seat))
			return false;
	return fields_end(f);
}

static void encode(const struct game_state *s, struct strbuf *out)
{
	fields_encode(s, sizeof *s, all_fields, out);
}

static bool decode(struct span text, struct game_state **out, struct strbuf *why)
{
	return fields_decode(text, sizeof **out, all_fields, out, why);
}

/* --- what the processor asks ------------------------------------------- */

static unsigned phase(const struct game_state *s)
{
	return s->turn;
}

/* Those that are still in. */
static struct seat_set playing(const struct game_state *s)
{
	struct seat_set set = {0};

	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (s->seats[seat].left == 0)
			set = seat_with(set, seat);
	return set;
}

static bool over(const struct game_state *s)
{
	return seat_count(playing(s)) < 2 || s->turn > s->turns;
}

static struct seat_set owes(const struct game_state *s)
{
	struct seat_set nobody = {0};

	return over(s) ? nobody : playing(s);
}

static void label(const struct game_state *s, struct strbuf *out)
{
	label_phase(out, "turn", s->turn, over(s));
}

static unsigned nseats(const struct game_state *s)
{
	return s->nseats;
}

static const char *seat_name(const struct game_state *s, unsigned seat)
{
	ENSURE(seat >= 1 && seat <= s->nseats);
	return s->seats[seat].name.text;
}

/* --- orders ------------------------------------------------------------ */

enum verb { VERB_CALL, VERB_RESIGN, VERBS };

static const char *const verbs[VERBS] = {"CALL", ORDER_RESIGN_TEXT};

static bool parse_side(struct span word, unsigned *side)
{
	*side = (unsigned)span_index_nocase(word, side_names, SIDES);
	return *side < SIDES;
}

static bool is_argument(struct span word)
{
	unsigned side;

	return parse_side(word, &side);
}

static const struct order_language language = {
    .verbs = verbs,
    .nverbs = VERBS,
    .is_argument = is_argument,
};

/* True when the clause set `canonical`. A mistake becomes a diagnostic, never an abort. */
static bool read_clause(const struct order_clause *c, struct strbuf *canonical,
                        struct diags *diags)
{
	unsigned side;

	if (c->verb == VERB_CALL && c->nargs == 1 && parse_side(c->args[0].text, &side)) {
		strbuf_clear(canonical);
		strbuf_addf(canonical, "CALL %s", side_names[side]);
		return true;
	}
	if (c->verb == VERB_RESIGN && order_resigns(c, diags)) {
		strbuf_clear(canonical);
		strbuf_adds(canonical, ORDER_RESIGN_TEXT);
		return true;
	}
	if (c->verb == ORDER_PROSE)
		order_ignore(c, diags);
	else if (c->verb == ORDER_MISSPELT)
		order_tell_misspelt(c, "CALL HEADS", diags);
	else if (c->verb == VERB_CALL)
		diags_add(diags, DIAG_ERROR, c->line, c->head.column, order_quote(c->text),
		          "CALL HEADS", "CALL takes HEADS, TAILS or NONE.");
	return false;
}

/*
 * This game takes a mail as the whole turn, so `before` does not matter; a game
 * that merges reads it first. Diagnostics may depend on the text and on what this
 * seat knows, on nothing else.
 */
static bool read_orders(const struct game_state *s, unsigned seat, struct span before,
                        const struct tables *tables, struct span text, struct strbuf *canonical,
                        struct diags *diags)
{
	struct order_reader reader;
	struct order_clause clause;
	bool understood = false;

	(void)before;
	(void)tables;
	strbuf_clear(canonical);
	order_reader_start(&reader, &language, text);
	while (order_next_clause(&reader, &clause))
		understood = read_clause(&clause, canonical, diags) || understood;
	order_reader_release(&reader);
	if (!understood || seat_in(owes(s), seat) ||
	    span_eq_str(strbuf_span(canonical), ORDER_RESIGN_TEXT))
		return understood;
	diags_add(diags, DIAG_ERROR, 0, 0, SPAN_EMPTY, "", "You owe no orders now.");
	return false;
}

/* What is said of a side, not judged yet. */
static void guess(const struct game_state *s, unsigned seat, struct loose_text *text,
                  struct order_guesses *out)
{
	(void)s;
	(void)seat;
	for (size_t i = 0; i < text->count; i++) {
		struct strbuf order = STRBUF_INIT;

		if (text->items[i].kind != LOOSE_KNOWN)
			continue;
		strbuf_addf(&order, "CALL %s", side_names[text->items[i].code]);
		out->meant = true;
		order_guess_add(out, strbuf_span(&order));
		strbuf_release(&order);
	}
}

/* Two words only; a game for people has a list of them in several languages. */
static const struct loose_word words[] = {{"heads", SIDE_HEADS}, {"tails", SIDE_TAILS}};
static const struct loose_language loose = {.words = words, .nwords = 2, .guess = guess};

static void default_orders(const struct game_state *s, unsigned seat, struct strbuf *canonical)
{
	(void)s;
	(void)seat;
	strbuf_adds(canonical, "CALL NONE");
}

static void sample_orders(const struct game_state *s, unsigned seat, unsigned level,
                          const struct tables *tables, struct chance *chance,
                          struct strbuf *canonical)
{
	unsigned least = level == 0 ? SIDE_NONE : SIDE_HEADS;
	unsigned drawn = chance_pick(chance, SIDES - least, "call of seat %u", seat);

	(void)s;
	(void)tables;
	strbuf_addf(canonical, "CALL %s", side_names[least + drawn]);
}

/* Nothing can be foreseen of a coin: all levels but the careless one call as they draw. */
static const struct bot_effort efforts[BOT_LEVEL_EXAMPLE + 1] = {
    {.policy = 0}, {.policy = 1}, {.policy = 1}, {.policy = 1},
    {.policy = 1}, {.policy = 1}, {.policy = 1}, {.policy = 1}};

static void estimate(const struct game_state *s, int64_t worth[MAX_SEATS + 1])
{
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		worth[seat] = 300 * (int64_t)s->seats[seat].points;
}

/* --- the turn ---------------------------------------------------------- */

/* Works on a copy; `now` is never touched, and on a refusal *next is not either. */
static bool resolve(const struct game_state *now, const struct seat_orders *orders,
                    struct chance *chance, struct game_state **next, struct strbuf *why)
{
	struct game_state s = *now;

	if (over(now)) {
		strbuf_adds(why, "The game is over.");
		return false;
	}
	s.coin = SIDE_HEADS + chance_pick(chance, 2, "coin");
	for (unsigned seat = 1; seat <= s.nseats; seat++) {
		struct span text = orders[seat].canonical;
		struct seat *p = &s.seats[seat];

		p->called = SIDE_NONE;
		if (p->left)
			continue;
		if (span_eq_str(text, ORDER_RESIGN_TEXT)) {
			p->left = now->turn;
		} else if (!span_starts(text, "CALL ") ||
		           !parse_side(span_slice(text, 5, text.len), &p->called)) {
			strbuf_addf(why, "Seat %u has orders of another game.", seat);
			return false;
		}
		p->points += p->called == s.coin;
	}
	s.turn++;
	*next = state_copy(&s, sizeof s);
	return true;
}

/*
 * What `viewer` cannot know is drawn anew: the charms of the others. Once the game is over
 * they are shown, so then nothing is left to draw.
 */
static struct game_state *resample(const struct game_state *s, unsigned viewer,
                                   struct chance *chance)
{
	struct game_state *copy = state_copy(s, sizeof *s);

	for (unsigned seat = 1; seat <= s->nseats && !over(s); seat++)
		if (seat != viewer)
			copy->seats[seat].charm =
			    chance_pick(chance, CHARM_MAX + 1, "charm of seat %u", seat);
	return copy;
}

/* --- what people see --------------------------------------------------- */

/* Hidden points must not show in a score that everybody sees. */
static unsigned score_of(const struct game_state *s, unsigned seat)
{
	return s->seats[seat].points + (over(s) ? s->seats[seat].charm : 0);
}

/* The same thing three times: drawn, as sentences, as shapes. No meaning by place alone. */
static void show_board(const struct game_state *s, struct doc *out)
{
	struct doc_shape shape = {.kind = DOC_RECT, .h = 10, .tone = 1};

	doc_board(out, "Points so far");
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		unsigned score = score_of(s, seat);

		doc_board_line(out, "%u %.*s", seat, (int)score,
		               "################################");
		doc_board_linear(out, "%s has %u.", s->seats[seat].name.text, score);
		shape.y = (int)seat * 20;
		shape.w = (int)score * 10;
		shape.text = s->seats[seat].name.text;
		doc_board_shape(out, shape);
	}
	doc_board_size(out, (TURNS + CHARM_MAX) * 10, SEATS * 20 + 20, 1);
}

static void view(const struct game_state *s, unsigned viewer, struct doc *out)
{
	doc_in(out, DOC_STORY);
	if (s->coin == SIDE_NONE)
		doc_paragraph(out, "The coin is still in the hand.");
	else
		doc_paragraph(out, "The coin fell on %s.", side_names[s->coin]);
	doc_in(out, DOC_POSITION);
	show_board(s, out);
	doc_in(out, DOC_OWN);
	if (viewer != SEAT_PUBLIC && viewer <= s->nseats)
		doc_paragraph(out, "Your charm is worth %u.", s->seats[viewer].charm);
}

static void guide(const struct options *o, struct doc *out)
{
	doc_in(out, DOC_HELP);
	doc_heading(out, "The null game");
	doc_paragraph(
	    out,
	    "Call the side on which the coin will fall, %lld times. A right call is a "
	    "point (a house figure, like everything here).",
	    (long long)options_number(o, "turns"));
	doc_example(out, "CALL HEADS");
	doc_example(out, "CALL NONE");
	options_tell(o->rules, out);
}

static void basics(const struct options *o, struct doc *out)
{
	doc_in(out, DOC_HELP);
	doc_item(out, "CALL HEADS or CALL TAILS, %lld times. A right call is a point.",
	         (long long)options_number(o, "turns"));
	doc_item(out, "If you send nothing, you call nothing.");
}

static void result(const struct game_state *s, struct game_result *out)
{
	memset(out, 0, sizeof *out);
	out->over = over(s);
	out->nseats = s->nseats;
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		out->scores[seat] = score_of(s, seat);
		if (s->seats[seat].left)
			out->eliminated = seat_with(out->eliminated, seat);
	}
	result_rank(out, s, NULL); /* by scores, who left behind all others */
}

/* Every member is mandatory; designated initialisers keep this readable. */
const struct rules skeleton_1 = {
    .name = "skeleton",
    .title = "Skeleton",
    .about = "A coin is thrown, and all players call it before. The most right calls win.",
    .letter = 'X',
    .version = 1,
    .bots_version = 1,
    .min_seats = 2,
    .max_seats = SEATS,
    .usual_seats = 2,
    .facts = FACT_SIMULTANEOUS | FACT_HIDDEN | FACT_CHANCE,
    .options = option_list,
    .noptions = sizeof option_list / sizeof *option_list,
    .max_phases = max_phases,
    .new_game = new_game,
    .free_state = state_free,
    .encode = encode,
    .decode = decode,
    .phase = phase,
    .label = label,
    .nseats = nseats,
    .seat_name = seat_name,
    .owes = owes,
    .read_orders = read_orders,
    .loose = &loose,
    .default_orders = default_orders,
    .sample_orders = sample_orders,
    .efforts = efforts,
    .estimate = estimate,
    .resample = resample,
    .resolve = resolve,
    .view = view,
    .guide = guide,
    .basics = basics,
    .result = result,
};
