/*
 * toy_game.c - the toy game of toy_game.h. Only what archives need is more than
 * the least that compiles.
 */
#include "tests/support/toy_game.h"

#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"
#include "processor/base/num.h"
#include "processor/games/loose.h"

enum { TOY_TURNS = 3 };

struct game_state {
	unsigned nseats, turn;
	unsigned card[MAX_SEATS + 1];
	int64_t total[MAX_SEATS + 1];
	bool out[MAX_SEATS + 1];
};

static unsigned toy_max_phases(const struct options *o)
{
	(void)o;
	return TOY_TURNS + 1;
}

static bool toy_new_game(const struct options *o, const struct seat_names *names,
                         struct chance *chance, struct game_state **out, struct strbuf *why)
{
	struct game_state *s = xcalloc(1, sizeof(*s));
	unsigned deck[MAX_SEATS];

	(void)o;
	(void)why;
	s->nseats = names->count;
	s->turn = 1;
	chance_shuffle(chance, deck, names->count, "deck");
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		s->card[seat] = deck[seat - 1];
	*out = s;
	return true;
}

static void toy_free(struct game_state *s)
{
	free(s);
}

static void toy_encode(const struct game_state *s, struct strbuf *out)
{
	strbuf_addf(out, "seats: %u\nturn: %u\n", s->nseats, s->turn);
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		strbuf_addf(out, "seat %u: %u %lld %d\n", seat, s->card[seat],
		            (long long)s->total[seat], s->out[seat]);
}

static bool toy_number(struct span *rest, unsigned max, unsigned *out)
{
	struct span word;

	return span_next_word(rest, ":", &word) && num_parse_uint(word, 0, max, out);
}

static bool toy_decode(struct span text, struct game_state **out, struct strbuf *why)
{
	struct game_state s = {0};
	struct span line, word;
	unsigned seat = 0, total, is_out;

	for (unsigned n = 0; span_next_line(&text, &line); n++) {
		bool ok = span_next_word(&line, ":", &word);

		if (n < 2) {
			ok = ok && toy_number(&line, MAX_SEATS, n == 0 ? &s.nseats : &s.turn);
		} else {
			ok = ok && toy_number(&line, s.nseats, &seat) && seat > 0 &&
			     toy_number(&line, 99, &s.card[seat]) &&
			     toy_number(&line, 999, &total) && toy_number(&line, 1, &is_out);
			s.total[seat] = ok ? total : 0;
			s.out[seat] = ok && is_out;
		}
		if (!ok) {
			strbuf_adds(why, "This is no toy state.");
			return false;
		}
	}
	*out = xmalloc(sizeof(s));
	memcpy(*out, &s, sizeof(s));
	return true;
}

static unsigned toy_phase(const struct game_state *s)
{
	return s->turn;
}

static void toy_label(const struct game_state *s, struct strbuf *out)
{
	strbuf_addf(out, "turn %u", s->turn);
}

static unsigned toy_nseats(const struct game_state *s)
{
	return s->nseats;
}

static const char *toy_seat_name(const struct game_state *s, unsigned seat)
{
	(void)s;
	(void)seat;
	return "somebody";
}

static struct seat_set toy_owes(const struct game_state *s)
{
	struct seat_set set = {0};

	for (unsigned seat = 1; seat <= s->nseats && s->turn <= TOY_TURNS; seat++)
		if (!s->out[seat])
			set = seat_with(set, seat);
	return set;
}

static bool toy_read_orders(const struct game_state *s, unsigned seat, struct span before,
                            const struct tables *tables, struct span text,
                            struct strbuf *canonical, struct diags *diags)
{
	struct span word;
	unsigned bid;

	(void)s;
	(void)seat;
	(void)before;
	(void)tables;
	(void)diags;
	text = span_trim(text);
	if (span_eq_str(text, ORDER_RESIGN_TEXT)) {
		strbuf_adds(canonical, ORDER_RESIGN_TEXT);
		return true;
	}
	if (!span_next_word(&text, "", &word) || !span_eq_str(word, "BID") ||
	    !span_next_word(&text, "", &word) || !num_parse_uint(word, 1, 9, &bid))
		return false;
	strbuf_addf(canonical, "BID %u\n", bid);
	return true;
}

static void toy_guess(const struct game_state *s, unsigned seat, struct loose_text *text,
                      struct order_guesses *out)
{
	(void)s;
	(void)seat;
	(void)text;
	(void)out;
}

static const struct loose_language toy_loose = {.guess = toy_guess};

static void toy_default_orders(const struct game_state *s, unsigned seat,
                               struct strbuf *canonical)
{
	(void)s;
	(void)seat;
	strbuf_adds(canonical, "BID 1\n");
}

static void toy_sample_orders(const struct game_state *s, unsigned seat, unsigned level,
                              const struct tables *tables, struct chance *chance,
                              struct strbuf *canonical)
{
	(void)s;
	(void)seat;
	(void)level;
	(void)tables;
	strbuf_addf(canonical, "BID %u\n", chance_die(chance, 9, "bid"));
}

static const struct bot_effort toy_efforts[BOT_LEVEL_EXAMPLE + 1];

static void toy_estimate(const struct game_state *s, int64_t worth[MAX_SEATS + 1])
{
	(void)s;
	worth[1] = 0;
}

static struct game_state *toy_resample(const struct game_state *s, unsigned viewer,
                                       struct chance *chance)
{
	struct game_state *copy = xmalloc(sizeof(*copy));

	(void)viewer;
	(void)chance;
	memcpy(copy, s, sizeof(*copy));
	return copy;
}

static bool toy_resolve(const struct game_state *now, const struct seat_orders *orders,
                        struct chance *chance, struct game_state **next, struct strbuf *why)
{
	struct game_state s = *now;

	for (unsigned seat = 1; seat <= s.nseats; seat++) {
		struct span text = span_trim(orders[seat].canonical);
		unsigned bid;

		if (s.out[seat])
			continue;
		if (span_eq_str(text, ORDER_RESIGN_TEXT)) {
			s.out[seat] = true;
			continue;
		}
		if (!num_parse_uint(span_slice(text, 4, text.len), 1, 9, &bid)) {
			strbuf_adds(why, "These are no toy orders.");
			return false;
		}
		s.total[seat] += bid + chance_die(chance, 6, "die of seat %u", seat);
	}
	s.turn++;
	*next = xmalloc(sizeof(s));
	memcpy(*next, &s, sizeof(s));
	return true;
}

static void toy_view(const struct game_state *s, unsigned viewer, struct doc *out)
{
	doc_paragraph(out, "Turn %u.", s->turn);
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		doc_item(out, "seat %u: %lld", seat, (long long)s->total[seat]);
	if (viewer != SEAT_PUBLIC)
		doc_item(out, "your card: %u", s->card[viewer]);
}

static void toy_guide(const struct options *o, struct doc *out)
{
	(void)o;
	doc_paragraph(out, "Bid high.");
}

static void toy_basics(const struct options *o, struct doc *out)
{
	(void)o;
	doc_in(out, DOC_HELP);
	doc_item(out, "BID a number from 0 to 9. If you send nothing, you bid nothing.");
}

static void toy_result(const struct game_state *s, struct game_result *out)
{
	*out = (struct game_result){.over = s->turn > TOY_TURNS, .nseats = s->nseats};
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		out->scores[seat] = s->total[seat];
		if (s->out[seat])
			out->eliminated = seat_with(out->eliminated, seat);
		if (!out->over)
			continue;
		out->ranks[seat] = 1;
		for (unsigned other = 1; other <= s->nseats; other++)
			out->ranks[seat] += s->total[other] > s->total[seat];
		if (out->ranks[seat] == 1)
			out->winners = seat_with(out->winners, seat);
	}
}

static const struct game_option toy_options[] = {
    {.name = "colour", .default_value = "red", .choices = "red|blue", .help = "of the table"},
    {.name = "size", .default_value = "7", .min = 1, .max = 20, .help = "of the table"},
};

#define TOY_GAME(kind, what)                                                                   \
	{                                                                                      \
		.name = kind, .title = "Toy",                                                  \
		.about = "All bid at once. The most points win.", .letter = 'T', .version = 3, \
		.bots_version = 1, .min_seats = 2, .max_seats = 8, .usual_seats = 2,           \
		.facts = what, .options = toy_options, .noptions = 2,                          \
		.max_phases = toy_max_phases, .new_game = toy_new_game,                        \
		.free_state = toy_free, .encode = toy_encode, .decode = toy_decode,            \
		.phase = toy_phase, .label = toy_label, .nseats = toy_nseats,                  \
		.seat_name = toy_seat_name, .owes = toy_owes, .read_orders = toy_read_orders,  \
		.loose = &toy_loose, .default_orders = toy_default_orders,                     \
		.sample_orders = toy_sample_orders, .efforts = toy_efforts,                    \
		.estimate = toy_estimate, .resample = toy_resample, .resolve = toy_resolve,    \
		.view = toy_view, .guide = toy_guide, .basics = toy_basics,                    \
		.result = toy_result                                                           \
	}

const struct rules toy_open = TOY_GAME("toy-open", FACT_SIMULTANEOUS | FACT_CHANCE);
const struct rules toy_hidden =
    TOY_GAME("toy-hidden", FACT_SIMULTANEOUS | FACT_CHANCE | FACT_HIDDEN);
const struct rules toy_secret = TOY_GAME(
    "toy-secret", FACT_SIMULTANEOUS | FACT_CHANCE | FACT_HIDDEN | FACT_ORDERS_STAY_HIDDEN);

const struct rules *toy_find(struct span name, unsigned version)
{
	const struct rules *all[] = {&toy_open, &toy_hidden, &toy_secret};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (span_eq_str(name, all[i]->name) && version == all[i]->version)
			return all[i];
	return NULL;
}
