/*
 * rules.c - Mole, the coin game, as the registry sees it: options, set-up, the table.
 */
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/mole/mole.h"
#include "processor/games/registry.h"

static bool read_board(struct span text, struct strbuf *word, struct strbuf *why);

static const struct game_option option_list[] = {
    {.name = "board",
     .default_value = "classic",
     .choices = "classic|iracoubo|ghana|rembobiner",
     .read_text = read_board,
     .help = "bare, with a wall, with a gate, with a ramp, or one of your own"},
    {.name = "target",
     .default_value = "11",
     .min = 1,
     .max = MOLE_TARGET,
     .help = "points that win (3 makes a shorter match)"},
    {.name = "lead",
     .default_value = "2",
     .min = 1,
     .max = MOLE_LEAD,
     .help = "points the winner must be ahead"},
    {.name = "dexterity",
     .default_value = "0",
     .choices = "0|100|300|600",
     .help = "how unsteady fingers are; 300 is about 1 degree and 5 % of range"},
    {.name = "molerange",
     .default_value = "130",
     .min = MOLE_RANGE_LEAST,
     .max = MOLE_RANGE_MOST,
     .help = "longest free run of the mole in mm (130 is a house figure)"},
    {.name = "range",
     .default_value = "300",
     .min = MOLE_RANGE_LEAST,
     .max = MOLE_RANGE_MOST,
     .help = "longest free run of a mignette in mm (300 is a house figure)"},
    {.name = "loup",
     .default_value = "on",
     .choices = "on|off",
     .help = "whether crossing from behind the loup line loses"},
    {.name = "rounds",
     .default_value = "60",
     .min = 1,
     .max = MOLE_ROUNDS,
     .help = "most rounds; then more points win (60 is a house figure)"},
    {.name = "paths",
     .default_value = "off",
     .choices = "off|on",
     .help = "whether reports draw the way of each coin"},
};

static const char *named_board(const char *name)
{
	for (size_t i = 0; i < MOLE_BOARDS; i++)
		if (strcmp(mole_boards[i].name, name) == 0)
			return mole_boards[i].text;
	return NULL;
}

static bool read_board(struct span text, struct strbuf *word, struct strbuf *why)
{
	struct mole_board board;

	if (!mole_board_read(text, &board, why))
		return false;
	mole_board_write(&board, word);
	return true;
}

bool mole_setup_read(struct mole_setup *setup, const struct options *o, struct strbuf *why)
{
	const char *board = options_word(o, "board"), *text = named_board(board);

	memset(setup, 0, sizeof *setup);
	setup->own_board = !text;
	if (!mole_board_read(span_of(text ? text : board), &setup->board, why))
		return false;
	setup->target = (unsigned)options_number(o, "target");
	setup->lead = (unsigned)options_number(o, "lead");
	setup->dexterity = (unsigned)options_number(o, "dexterity");
	setup->range[SIDE_MOLE] = options_number(o, "molerange") * MOLE_MM;
	setup->range[SIDE_MIGNETTES] = options_number(o, "range") * MOLE_MM;
	setup->loup = options_is(o, "loup", "on") && setup->board.has_loup;
	setup->rounds = (unsigned)options_number(o, "rounds");
	setup->paths = options_is(o, "paths", "on");
	options_keep(o, setup->text, sizeof setup->text);
	return true;
}

/* Two mails a turn. */
static unsigned max_phases(const struct options *o)
{
	return (unsigned)options_number(o, "rounds") * MOLE_TURNS * 2 + 1;
}

static bool new_game(const struct options *o, const struct seat_names *names,
                     struct chance *chance, struct game_state **out, struct strbuf *why)
{
	struct game_state s;

	memset(&s, 0, sizeof s);
	if (!seats_fit(&mole_1, names, why) || !mole_setup_read(&s.setup, o, why))
		return false;
	for (unsigned seat = 1; seat <= SEATS; seat++)
		state_name_set(&s.seats[seat].name, span_of(names->names[seat]));
	s.phase = s.round = s.turn = 1;
	s.mole_seat = 1 + chance_pick(chance, SEATS, "who has the mole first");
	mole_start_round(&s.setup.board, &s.now);
	*out = state_copy(&s, sizeof s);
	return true;
}

static unsigned phase(const struct game_state *s)
{
	return s->phase;
}

static void label(const struct game_state *s, struct strbuf *out)
{
	if (mole_over(s))
		strbuf_adds(out, "end of the match");
	else
		strbuf_addf(out,
		            s->now.side == SIDE_MOLE ? "round %u turn %u, mole"
		                                     : "round %u turn %u, mignettes",
		            s->round, s->turn);
}

static unsigned nseats(const struct game_state *s)
{
	(void)s;
	return SEATS;
}

static const char *seat_name(const struct game_state *s, unsigned seat)
{
	ENSURE(seat >= 1 && seat <= SEATS);
	return s->seats[seat].name.text;
}

/* Who must move and does not, gives the round up; else every coin stays. */
static void default_orders(const struct game_state *s, unsigned seat, struct strbuf *canonical)
{
	struct mole_orders o;
	struct mole_gad gad = mole_gad(&s->now.coins);

	(void)seat;
	memset(&o, 0, sizeof o);
	o.concede = s->now.side == SIDE_MOLE && gad.count && !gad.stuck;
	mole_write_orders(&o, &s->now, canonical);
}

/* Everything but the chance to come is public. */
static struct game_state *resample(const struct game_state *s, unsigned viewer,
                                   struct chance *chance)
{
	(void)viewer;
	(void)chance;
	return state_copy(s, sizeof *s);
}

static sample_orders_fn *const older_bots[] = {mole_sample_orders};

const struct rules mole_1 = {
    .name = "mole",
    .title = "Mole",
    .played_with = "coin coins munzspiel munzen",
    .about = "One player flicks the mole, a large coin, to get it over the far end of a board; "
	     "the other flicks "
	     "three small coins, the mignettes, to knock it off a side. Only the mole scores, "
	     "and the players "
	     "change sides when the mignettes win a round.",
    .letter = 'C',
    .version = 1,
    .bots_version = 2,
    .min_seats = SEATS,
    .max_seats = SEATS,
    .usual_seats = SEATS,
    .facts = FACT_CHANCE,
    .tips =
	{"A mail that begins with TEST shows what steady fingers would do. It costs nothing.",
         "The nearer side decides: mignettes push the mole there, the mole keeps away from it.",
         "The line can wait: a mole that first gets away from the mignettes crosses later."},
    .options = option_list,
    .noptions = sizeof option_list / sizeof *option_list,
    .max_phases = max_phases,
    .new_game = new_game,
    .free_state = state_free,
    .encode = mole_encode,
    .decode = mole_decode,
    .phase = phase,
    .label = label,
    .nseats = nseats,
    .seat_name = seat_name,
    .owes = mole_owes,
    .read_orders = mole_read_orders,
    .loose = &mole_loose,
    .default_orders = default_orders,
    .sample_orders = mole_sample_orders,
    .older_bots = older_bots,
    .efforts = mole_efforts,
    .estimate = mole_estimate,
    .resample = resample,
    .resolve = mole_resolve,
    .view = mole_view,
    .guide = mole_guide,
    .basics = mole_basics,
    .result = mole_result,
};
