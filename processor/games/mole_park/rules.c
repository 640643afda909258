/*
 * rules.c - Mole Park as the registry sees it: options, set-up, the table.
 */
#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/mole_park/park.h"
#include "processor/games/registry.h"

static const struct game_option option_list[] = {
    {.name = "length",
     .default_value = "normal",
     .choices = "normal|short",
     .help = "what prizes are worth: house figures from 2 to 9, or in a short game the "
             "stars they cost"},
    {.name = "deck",
     .default_value = "flat",
     .choices = "flat|pyramid",
     .help = "25 moles of each value, or 40, 35, 25, 15, 10 from 1 star to 5 (house figures)"},
    {.name = "powers",
     .default_value = "off",
     .choices = "off|on",
     .help = "some prizes are a BAG (one more mole in the hand) or STEADY (an X is thrown "
             "again); a house rule"},
    {.name = "king",
     .default_value = "random",
     .choices = "random",
     .min = 1,
     .max = PARK_SEATS,
     .help = "who is King Mole: drawn, or by the order of joining (1 joined first)"},
    {.name = "rounds",
     .default_value = "60",
     .min = 1,
     .max = PARK_ROUNDS,
     .help = "most rounds; then the most stars of prizes win (60 is a house figure)"},
};

void park_setup_read(struct park_setup *setup, const struct options *o)
{
	memset(setup, 0, sizeof *setup);
	setup->short_game = options_is(o, "length", "short");
	setup->pyramid = options_is(o, "deck", "pyramid");
	setup->powers = options_is(o, "powers", "on");
	setup->king = (unsigned)options_number(o, "king");
	setup->rounds = (unsigned)options_number(o, "rounds");
	options_keep(o, setup->text, sizeof setup->text);
}

static unsigned max_phases(const struct options *o)
{
	return (unsigned)options_number(o, "rounds") + 1;
}

static void take_seats(struct game_state *s, const struct seat_names *names,
                       struct chance *chance)
{
	unsigned order[PARK_SEATS];

	s->nseats = names->count;
	for (unsigned seat = 1; seat <= names->count; seat++)
		state_name_set(&s->seats[seat].name, span_of(names->names[seat]));
	chance_shuffle(chance, order, names->count, "seats round the table");
	for (unsigned i = 0; i < names->count; i++)
		s->ring[i] = order[i] + 1;
	s->king = s->setup.king ? s->setup.king
	                        : chance_pick(chance, names->count, "King Mole") + 1;
}

static bool new_game(const struct options *o, const struct seat_names *names,
                     struct chance *chance, struct game_state **out, struct strbuf *why)
{
	unsigned order[PARK_MOLES], prizes[PARK_SHOP_CARDS];
	struct park_setup setup;
	struct game_state *s;

	if (!seats_fit(&mole_park_1, names, why))
		return false;
	park_setup_read(&setup, o);
	if (setup.king > names->count) {
		strbuf_addf(why, "With %u players the option king can be at most %u.",
		            names->count, names->count);
		return false;
	}
	s = xcalloc(1, sizeof *s);
	s->setup = setup;
	s->round = 1;
	take_seats(s, names, chance);
	chance_shuffle(chance, order, PARK_MOLES, "mole deck");
	for (unsigned i = 0; i < PARK_MOLES; i++)
		park_pile_put(&s->deck, order[i] + 1);

	/* Every shop shows its first card; of the crowns one is enough. */
	for (unsigned shop = 0; shop < PARK_SHOPS; shop++) {
		chance_shuffle(chance, prizes, PARK_SHOP_CARDS, "prizes of %s",
		               park_shops[shop].key);
		for (unsigned i = 0; i < PARK_SHOP_CARDS; i++)
			park_pile_put(&s->shops[shop].stock,
			              shop * PARK_SHOP_CARDS + prizes[i] + 1);
		s->shops[shop].up = park_pile_take(&s->shops[shop].stock);
	}
	s->crown = PARK_SHOPS * PARK_SHOP_CARDS + 1 +
	           chance_pick(chance, PARK_SHOP_CARDS, "crown");
	park_deal_round(s, chance);
	*out = s;
	return true;
}

static unsigned phase(const struct game_state *s)
{
	return s->round;
}

static void label(const struct game_state *s, struct strbuf *out)
{
	label_phase(out, "round", s->round, park_over(s));
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

/* Rolls nothing; the lists stay as they are. */
static void default_orders(const struct game_state *s, unsigned seat, struct strbuf *canonical)
{
	struct order_set o;

	park_no_orders(s, seat, &o);
	park_write_orders(s, seat, &o, canonical);
}

static sample_orders_fn *const older_bots[] = {park_sample_orders_1, park_sample_orders,
                                               park_sample_orders};

const struct rules mole_park_1 = {
    .name = "mole-park",
    .title = "Mole Park",
    .about = "Throw dice to whack moles out of five holes, trade them in six shops, and go for "
	     "the crown when "
	     "you dare. All throw at once, and nobody sees the moles in the holes or in "
	     "another player's "
	     "hand.",
    .letter = 'P',
    .version = 1,
    .bots_version = 4,
    .min_seats = 2,
    .max_seats = PARK_SEATS,
    .usual_seats = 4,
    .facts = FACT_SIMULTANEOUS | FACT_HIDDEN | FACT_CHANCE | FACT_ORDERS_STAY_HIDDEN,
    .tips = {"Everybody wants the hole with most moles; the second best is often left to you.",
             "A small prize early is worth having: its stars count in every total after that.",
             "A full hand gets you nothing more from the holes. Show it with the Prize die."},
    .options = option_list,
    .noptions = sizeof option_list / sizeof *option_list,
    .max_phases = max_phases,
    .new_game = new_game,
    .free_state = state_free,
    .encode = park_encode,
    .decode = park_decode,
    .phase = phase,
    .label = label,
    .nseats = nseats,
    .seat_name = seat_name,
    .owes = park_owes,
    .read_orders = park_read_orders,
    .loose = &park_loose,
    .default_orders = default_orders,
    .sample_orders = park_sample_orders,
    .older_bots = older_bots,
    .efforts = park_efforts,
    .estimate = park_estimate,
    .resample = park_resample,
    .resolve = park_resolve,
    .view = park_view,
    .guide = park_guide,
    .basics = park_basics,
    .result = park_result,
};
