/*
 * rules.c - Martian Boggle as the registry sees it: options, set-up, the table.
 */
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/martian_boggle/boggle.h"
#include "processor/games/registry.h"

static const struct game_option option_list[] = {
    {.name = "diagonals",
     .default_value = "on",
     .choices = "on|off",
     .help = "steps and groups also go diagonally, or only along rows and columns"},
    {.name = "scoring",
     .default_value = "scrabble",
     .choices = "scrabble|craft",
     .help = "letter values times 1, 2 or 3, or just 1, 2 or 3 points a word"},
    {.name = "blanks",
     .default_value = "in",
     .choices = "in|out",
     .help = "whether the two blank tiles are in the bag"},
    {.name = "unique",
     .default_value = "own",
     .choices = "own|both",
     .help = "no word twice in your own list, or in both lists together"},
    {.name = "words",
     .default_value = "5",
     .min = 2,
     .max = BOGGLE_WORDS,
     .help = "how many words end the game"},
    {.name = "wordlist",
     .default_value = "american",
     .choices = "american|british|both|large",
     .help = "which words count"},
    {.name = "maxturns",
     .default_value = "40",
     .min = 1,
     .max = BOGGLE_TURNS,
     .help = "most turns a player (40 is a house figure)"},
    {.name = "hints",
     .default_value = "0",
     .min = 0,
     .max = BOGGLE_HINTS,
     .help = "reports say how many words can be reached, counted up to this; 0 = not"},
    {.name = "list",
     .default_value = "none",
     .choices = "none",
     .hash_of = "wordlist",
     .help = "the digest of the word list, set by the server"},
};

static void copy_value(char *to, size_t size, const struct options *o, const char *name)
{
	const char *value = options_word(o, name);
	size_t len = strlen(value);

	ENSURE(len < size);
	memcpy(to, value, len + 1);
}

void boggle_setup_read(struct boggle_setup *setup, const struct options *o)
{
	memset(setup, 0, sizeof *setup);
	setup->diagonals = options_is(o, "diagonals", "on");
	setup->craft = options_is(o, "scoring", "craft");
	setup->blanks = options_is(o, "blanks", "in");
	setup->unique_both = options_is(o, "unique", "both");
	setup->words = (unsigned)options_number(o, "words");
	setup->maxturns = (unsigned)options_number(o, "maxturns");
	setup->hints = (unsigned)options_number(o, "hints");
	copy_value(setup->wordlist, sizeof setup->wordlist, o, "wordlist");
	copy_value(setup->hash, sizeof setup->hash, o, "list");
	options_keep(o, setup->text, sizeof setup->text);
}

static unsigned max_phases(const struct options *o)
{
	return 2 * (unsigned)options_number(o, "maxturns") + 1;
}

static bool new_game(const struct options *o, const struct seat_names *names,
                     struct chance *chance, struct game_state **out, struct strbuf *why)
{
	struct game_state s;

	memset(&s, 0, sizeof s);
	if (!seats_fit(&martian_boggle_1, names, why))
		return false;
	boggle_setup_read(&s.setup, o);
	for (unsigned seat = 1; seat <= BOGGLE_SEATS; seat++)
		state_name_set(&s.seats[seat].name, span_of(names->names[seat]));

	/* Draws: who sits at row 1, the 25 tiles, the first roll. */
	s.turn = 1;
	s.first = chance_pick(chance, BOGGLE_SEATS, "seat at row 1") + 1;
	memset(s.board, '.', BOGGLE_SQUARES);
	for (unsigned i = 0; i < BOGGLE_PIECES; i++) {
		s.seats[s.first].pieces |= boggle_square(i);
		s.seats[boggle_other(s.first)].pieces |= boggle_square(BOGGLE_SQUARES - 1 - i);
	}
	boggle_refill(&s, chance);
	boggle_roll(&s, chance);
	*out = state_copy(&s, sizeof s);
	return true;
}

static unsigned phase(const struct game_state *s)
{
	return s->turn;
}

static void label(const struct game_state *s, struct strbuf *out)
{
	label_phase(out, "turn", s->turn, boggle_over(s));
}

static unsigned nseats(const struct game_state *s)
{
	(void)s;
	return BOGGLE_SEATS;
}

static const char *seat_name(const struct game_state *s, unsigned seat)
{
	ENSURE(seat >= 1 && seat <= BOGGLE_SEATS);
	return s->seats[seat].name.text;
}

static void default_orders(const struct game_state *s, unsigned seat, struct strbuf *canonical)
{
	const struct boggle_orders nothing = {.resign = false};

	(void)s;
	(void)seat;
	boggle_write_orders(&nothing, canonical);
}

/* Tiles are drawn when they are needed, so there is nothing that a viewer cannot know. */
static struct game_state *resample(const struct game_state *s, unsigned viewer,
                                   struct chance *chance)
{
	(void)viewer;
	(void)chance;
	return state_copy(s, sizeof *s);
}

static sample_orders_fn *const older_bots[] = {boggle_sample_orders};

const struct rules martian_boggle_1 = {
    .name = "martian-boggle",
    .title = "Martian Boggle",
    .played_with = "words letters worter buchstaben wortspiel mots lettres palabras letras",
    .about = "Walk your five pieces over a board of letters until the letters under them make "
	     "a word, then "
	     "spell it. Two players take turns, and the higher score wins.",
    .letter = 'B',
    .version = 1,
    .bots_version = 2,
    .min_seats = BOGGLE_SEATS,
    .max_seats = BOGGLE_SEATS,
    .usual_seats = BOGGLE_SEATS,
    .facts = FACT_CHANCE,
    .tips = {"Keep your pieces together: when all five touch, a word counts three times.",
             "A turn without a word is no loss if it brings good letters under your pieces.",
             "Vowels are worth little and needed always: stand on two of them."},
    .options = option_list,
    .noptions = sizeof option_list / sizeof *option_list,
    .max_phases = max_phases,
    .new_game = new_game,
    .free_state = state_free,
    .encode = boggle_encode,
    .decode = boggle_decode,
    .phase = phase,
    .label = label,
    .nseats = nseats,
    .seat_name = seat_name,
    .owes = boggle_owes,
    .read_orders = boggle_read_orders,
    .loose = &boggle_loose,
    .default_orders = default_orders,
    .sample_orders = boggle_sample_orders,
    .older_bots = older_bots,
    .efforts = boggle_efforts,
    .estimate = boggle_estimate,
    .resample = resample,
    .resolve = boggle_resolve,
    .view = boggle_view,
    .guide = boggle_guide,
    .basics = boggle_basics,
    .result = boggle_result,
};
