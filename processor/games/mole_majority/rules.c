/*
 * rules.c - Mole Majority as the registry sees it: options, the table, a new game.
 */
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/mole_majority/majority.h"
#include "processor/games/registry.h"

static const struct game_option option_list[] = {
    {.name = "routes",
     .default_value = "connected",
     .choices = "connected|free",
     .help = "a move needs an open route, or goes anywhere in the network"},
    {.name = "extra",
     .default_value = "4",
     .min = 4,
     .max = 5,
     .help = "hexes placed by two players; 5: the second seat places one more"},
    {.name = "moles-out",
     .default_value = "on",
     .choices = "on|off",
     .help = "the game ends when the active player has no mole left to place"},
    {.name = "homes",
     .default_value = "hidden",
     .choices = "hidden|reveal",
     .help = "reveal: a home token is turned up when its hex is first claimed"},
    {.name = "second",
     .default_value = "5",
     .min = 5,
     .max = 6,
     .help = "first hand of the second of two players"},
    {.name = "setup",
     .default_value = "mail",
     .choices = "mail|auto",
     .help = "everybody chooses places for bases and hexes, or the default lists do"},
    {.name = "commit",
     .default_value = "at-once",
     .choices = "at-once|deadline",
     .help = "a turn is played as soon as it comes in, or can be replaced until its deadline"},
    {.name = "rounds",
     .default_value = "60",
     .min = 1,
     .max = MM_ROUNDS,
     .help = "most rounds; then the score decides (60 is a house figure)"},
};

bool mm_setup_read(struct mm_setup *setup, const struct options *o, struct strbuf *why)
{
	(void)why;
	memset(setup, 0, sizeof *setup);
	setup->routes_free = options_is(o, "routes", "free");
	setup->extra_fifth = options_number(o, "extra") == 5;
	setup->moles_out = options_is(o, "moles-out", "on");
	setup->homes_reveal = options_is(o, "homes", "reveal");
	setup->second_six = options_number(o, "second") == 6;
	setup->auto_setup = options_is(o, "setup", "auto");
	setup->by_deadline = options_is(o, "commit", "deadline");
	setup->rounds = (unsigned)options_number(o, "rounds");
	options_keep(o, setup->text, sizeof setup->text);
	return true;
}

static unsigned max_phases(const struct options *o)
{
	return (unsigned)options_number(o, "rounds") * MM_SEATS + 2;
}

/* The cards of a deck in the order of the rules; the shuffle's first is the top. */
static void shuffle_deck(struct game_state *s, unsigned seat, struct chance *chance)
{
	uint8_t cards[MM_DECK];
	unsigned order[MM_DECK], n = 0;

	for (unsigned card = CARD_N4; card < CARD_KINDS; card++)
		for (unsigned i = 0; i < mm_cards[card].in_deck; i++)
			cards[n++] = (uint8_t)card;
	chance_shuffle(chance, order, MM_DECK, "deck of seat %u", seat);
	for (unsigned i = MM_DECK; i > 0; i--)
		mm_pile_put(&s->seats[seat].deck, cards[order[i - 1]]);
}

static bool may_begin(const struct game_state *s, const struct seat_names *names,
                      struct strbuf *why)
{
	if (!seats_fit(&mole_majority_1, names, why))
		return false;
	if (names->count > 2 && (s->setup.extra_fifth || s->setup.second_six)) {
		strbuf_addf(why, "The option %s is for two players only.",
		            s->setup.extra_fifth ? "extra=5" : "second=6");
		return false;
	}
	return true;
}

static bool new_game(const struct options *o, const struct seat_names *names,
                     struct chance *chance, struct game_state **out, struct strbuf *why)
{
	static const uint8_t middle[] = {HEX_C3, HEX_B2, HEX_B3, HEX_C2,
	                                 HEX_C4, HEX_D2, HEX_D3};
	unsigned order[MM_SEATS], values[4 * MM_OF_EACH_VALUE], next = 0;
	struct mm_orders lists[MM_SEATS + 1];
	struct game_state s;

	memset(&s, 0, sizeof s);
	if (!mm_setup_read(&s.setup, o, why) || !may_begin(&s, names, why))
		return false;
	s.nseats = names->count;
	for (unsigned seat = 1; seat <= names->count; seat++) {
		state_name_set(&s.seats[seat].name, span_of(names->names[seat]));
		s.seats[seat].caveins = MM_CAVEINS;
	}
	chance_shuffle(chance, order, names->count, "seats");
	for (unsigned i = 0; i < names->count; i++)
		s.ring[i] = (uint8_t)(order[i] + 1);

	/* The hexes but the bases, from value 3 to 6; the shuffle says in which order they come. */
	chance_shuffle(chance, values, 4 * MM_OF_EACH_VALUE - s.nseats, "hexes");
	for (unsigned i = 0; i < sizeof middle; i++)
		s.hexes[middle[i]].value = (uint8_t)(values[next++] / MM_OF_EACH_VALUE + 3);
	for (unsigned i = 0; i < s.nseats + s.setup.extra_fifth; i++) {
		struct mm_seat *p = &s.seats[s.ring[i < s.nseats ? i : 1]];

		for (unsigned n = i < s.nseats ? 2 : 1; n > 0; n--)
			p->tiles[p->ntiles++] =
			    (uint8_t)(values[next++] / MM_OF_EACH_VALUE + 3);
	}
	for (unsigned seat = 1; seat <= s.nseats; seat++) {
		shuffle_deck(&s, seat, chance);
		mm_default_lists(&lists[seat]);
	}
	if (s.setup.auto_setup) {
		mm_place_hexes(&s, lists);
		mm_begin_play(&s, chance);
	}
	*out = state_copy(&s, sizeof s);
	return true;
}

static unsigned phase(const struct game_state *s)
{
	return s->turn + !s->setup.auto_setup;
}

static void label(const struct game_state *s, struct strbuf *out)
{
	if (s->turn == 0)
		strbuf_adds(out, "set-up");
	else
		label_phase(out, "turn", s->turn, mm_over(s));
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

static sample_orders_fn *const older_bots[] = {mm_sample_orders_1, mm_sample_orders};

const struct rules mole_majority_1 = {
    .name = "mole-majority",
    .title = "Mole Majority",
    .about = "Your moles dig through a board of hexes, and whoever has most moles on a full "
	     "hex claims its "
	     "points. The players take turns with cards that move moles, breed new ones, win "
	     "over those of "
	     "others or send them home.",
    .letter = 'M',
    .version = 1,
    .bots_version = 3,
    .min_seats = 2,
    .max_seats = MM_SEATS,
    .usual_seats = 3,
    .facts = FACT_HIDDEN | FACT_CHANCE,
    .tips =
	{"Bases far from the others have more room; the middle has more to gain.",
         "A hex counts once its last space is filled: finish one before you begin the next.",
         "Keep a card with many steps for the turn in which it fills a hex."},
    .options = option_list,
    .noptions = sizeof option_list / sizeof *option_list,
    .max_phases = max_phases,
    .new_game = new_game,
    .free_state = state_free,
    .encode = mm_encode,
    .decode = mm_decode,
    .phase = phase,
    .label = label,
    .nseats = nseats,
    .seat_name = seat_name,
    .owes = mm_owes,
    .read_orders = mm_read_orders,
    .loose = &mm_loose,
    .default_orders = mm_default_orders,
    .sample_orders = mm_sample_orders,
    .older_bots = older_bots,
    .efforts = mm_efforts,
    .estimate = mm_estimate,
    .resample = mm_resample,
    .resolve = mm_resolve,
    .view = mm_view,
    .guide = mm_guide,
    .basics = mm_basics,
    .result = mm_result,
};
