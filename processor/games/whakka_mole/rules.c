/*
 * rules.c - Whakka Mole as the registry sees it: options, set-up, the table.
 */
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/registry.h"
#include "processor/games/whakka_mole/whakka.h"

static const struct game_option option_list[] = {
    {.name = "holes",
     .default_value = "9",
     .min = 4,
     .max = WHAKKA_HOLES,
     .help = "holes of a sheet (9 is a house figure)"},
    {.name = "whackpts",
     .default_value = "6",
     .choices = "moles",
     .min = 1,
     .max = WHAKKA_POINTS,
     .help =
         "points for a hit (10 was the designer's first figure); moles: one for each it takes"},
    {.name = "target",
     .default_value = "50",
     .min = 1,
     .max = WHAKKA_TARGET,
     .help = "points that end the game"},
    {.name = "tokens",
     .default_value = "move",
     .choices = "move|stay",
     .help = "moles stay up only if listed again, or until whacked"},
    {.name = "maxtokens",
     .default_value = "all",
     .choices = "all",
     .min = 1,
     .max = WHAKKA_HOLES,
     .help = "most holes one POPUP may list"},
    {.name = "ties",
     .default_value = "shared",
     .choices = "shared|whacks",
     .help = "equal totals share the rank, or more hits made, then fewer taken, go first"},
    {.name = "seats",
     .default_value = "random",
     .choices = "random|join",
     .help = "order round the table: drawn, or as players joined"},
    {.name = "turns",
     .default_value = "60",
     .min = 1,
     .max = WHAKKA_TURNS,
     .help = "most turns; then the highest total wins (60 is a house figure)"},
};

bool whakka_setup_read(struct whakka_setup *setup, const struct options *o, struct strbuf *why)
{
	memset(setup, 0, sizeof *setup);
	setup->holes = (unsigned)options_number(o, "holes");
	setup->whackpts = (unsigned)options_number(o, "whackpts"); /* a word: 0 */
	setup->target = (unsigned)options_number(o, "target");
	setup->turns = (unsigned)options_number(o, "turns");
	setup->maxtokens = (unsigned)options_number(o, "maxtokens");
	setup->tokens_stay = options_is(o, "tokens", "stay");
	setup->ties_by_whacks = options_is(o, "ties", "whacks");
	setup->join_order = options_is(o, "seats", "join");
	if (setup->maxtokens > setup->holes) {
		strbuf_addf(why, "With holes=%u the option maxtokens can be at most %u.",
		            setup->holes, setup->holes);
		return false;
	}
	if (setup->maxtokens == 0)
		setup->maxtokens = setup->holes;
	options_keep(o, setup->text, sizeof setup->text);
	return true;
}

static unsigned max_phases(const struct options *o)
{
	return (unsigned)options_number(o, "turns") + 1;
}

static bool new_game(const struct options *o, const struct seat_names *names,
                     struct chance *chance, struct game_state **out, struct strbuf *why)
{
	struct game_state s;

	memset(&s, 0, sizeof s);
	if (!seats_fit(&whakka_mole_1, names, why) || !whakka_setup_read(&s.setup, o, why))
		return false;

	unsigned order[WHAKKA_SEATS];

	s.nseats = names->count;
	for (unsigned i = 0; i < names->count; i++) {
		order[i] = i;
		state_name_set(&s.seats[i + 1].name, span_of(names->names[i + 1]));
	}
	if (!s.setup.join_order)
		chance_shuffle(chance, order, names->count, "seats round the table");
	for (unsigned i = 0; i < names->count; i++)
		s.ring[i] = order[i] + 1;
	s.turn = 1;
	*out = state_copy(&s, sizeof s);
	return true;
}

static unsigned phase(const struct game_state *s)
{
	return s->turn;
}

static void label(const struct game_state *s, struct strbuf *out)
{
	label_phase(out, "turn", s->turn, whakka_over(s));
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

static void default_orders(const struct game_state *s, unsigned seat, struct strbuf *canonical)
{
	const struct whakka_orders nothing = {.resign = false, .popup = 0, .whack = 0};

	(void)s;
	(void)seat;
	whakka_write_orders(&nothing, canonical);
}

/* Between turns everything is public, so what a viewer cannot know is nothing. */
static struct game_state *resample(const struct game_state *s, unsigned viewer,
                                   struct chance *chance)
{
	(void)viewer;
	(void)chance;
	return state_copy(s, sizeof *s);
}

static sample_orders_fn *const older_bots[] = {whakka_sample_orders_1, whakka_sample_orders};

const struct rules whakka_mole_1 = {
    .name = "whakka-mole",
    .title = "Whakka Mole",
    .about = "Hide your moles in the holes of your sheet, and guess where your neighbour's "
	     "moles are. "
	     "Everyone decides in secret, everything happens at once, and the most points win.",
    .letter = 'W',
    .version = 1,
    .bots_version = 3,
    .min_seats = 2,
    .max_seats = WHAKKA_SEATS,
    .usual_seats = 3,
    .facts = FACT_SIMULTANEOUS,
    .tips = {"Most beginners hide all their moles; two that pop up are the usual compromise.",
             "A mole in the same hole twice is easy to foresee. Change your holes.",
             "Your neighbour has favourite holes too: look where their moles were up before."},
    .options = option_list,
    .noptions = sizeof option_list / sizeof *option_list,
    .max_phases = max_phases,
    .new_game = new_game,
    .free_state = state_free,
    .encode = whakka_encode,
    .decode = whakka_decode,
    .phase = phase,
    .label = label,
    .nseats = nseats,
    .seat_name = seat_name,
    .owes = whakka_owes,
    .read_orders = whakka_read_orders,
    .loose = &whakka_loose,
    .default_orders = default_orders,
    .sample_orders = whakka_sample_orders,
    .older_bots = older_bots,
    .efforts = whakka_efforts,
    .estimate = whakka_estimate,
    .resample = resample,
    .resolve = whakka_resolve,
    .view = whakka_view,
    .guide = whakka_guide,
    .basics = whakka_basics,
    .result = whakka_result,
};
