/*
 * cmd_board.c - `molepost board check FILE`: a board of the coin game drawn, and judged by bots that play
 * rounds on it and on the usual board.
 *
 * Only the rules are asked, as for any game: a match of one round has a winner when the mole won it.
 */
#include <stdio.h>
#include <string.h>

#include "processor/base/chance.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/bots/bots.h"
#include "processor/cli/command_line.h"
#include "processor/games/registry.h"
#include "reports/report.h"

enum { TEXT_MOST = 64 * 1024, ROUNDS_USUAL = 200, ROUNDS_MOST = 100000 };

/* What came of so many rounds. */
struct rounds {
	unsigned played, won;    /* won by the mole */
	unsigned turns, longest; /* of all rounds together, of one */
};

struct trial {
	const struct rules *rules;
	struct strbuf options; /* those asked for, with blanks between */
	unsigned level, rounds;
};

static const struct seat_names two = {.count = 2, .names = {"", "Mole", "Mignettes"}};

/* A match on this board, at its beginning. */
static bool begin(const struct trial *t, struct span board, struct chance *chance,
                  struct arena *arena, struct game_state **state, struct strbuf *why)
{
	struct options options;

	options_init(&options, t->rules);
	return options_parse(&options, strbuf_span(&t->options), arena, why) &&
	       options_parse(&options, SPAN_LIT("target=1 lead=1 rounds=1"), arena, why) &&
	       options_set(&options, SPAN_LIT("board"), board, arena, why) &&
	       t->rules->new_game(&options, &two, chance, state, why);
}

static bool play_mail(const struct trial *t, uint64_t seed, struct game_state **state,
                      struct strbuf *why)
{
	struct chance *chance =
	    chance_from_seed(seed << 32 | t->rules->phase(*state), "board check");
	struct seat_orders orders[MAX_SEATS + 1] = {0};
	struct strbuf text = STRBUF_INIT;
	struct game_state *next = NULL;

	for (unsigned seat = 1; seat <= two.count; seat++)
		if (seat_in(t->rules->owes(*state), seat)) {
			strbuf_addf(&text, "board check %llu %u %u", (unsigned long long)seed,
			            t->rules->phase(*state), seat);
			const struct hash key = hash_of(strbuf_span(&text));
			strbuf_clear(&text);
			bot_orders(t->rules, t->rules->bots_version, *state, seat, t->level,
			           NULL, &key, &text, NULL);
			orders[seat] = (struct seat_orders){strbuf_span(&text), ORDER_BOT};
		}
	bool ok = t->rules->resolve(*state, orders, chance, &next, why);
	chance_free(chance);
	strbuf_release(&text);
	if (ok) {
		t->rules->free_state(*state);
		*state = next;
	}
	return ok;
}

static bool play_round(const struct trial *t, struct span board, unsigned seed,
                       struct rounds *sum, struct strbuf *why)
{
	struct chance *chance = chance_from_seed(seed, "board check");
	struct arena *arena = arena_new();
	struct game_state *state = NULL;
	struct game_result result = {0};
	bool ok = begin(t, board, chance, arena, &state, why);

	while (ok && !result.over) {
		ok = play_mail(t, seed, &state, why);
		if (ok)
			t->rules->result(state, &result);
	}
	if (ok) {
		unsigned turns = t->rules->phase(state) / 2;

		sum->played++;
		sum->won += seat_count(result.winners) == 1;
		sum->turns += turns;
		sum->longest = turns > sum->longest ? turns : sum->longest;
	}
	t->rules->free_state(state);
	arena_free(arena);
	chance_free(chance);
	return ok;
}

static bool play_rounds(const struct trial *t, struct span board, struct rounds *sum,
                        struct strbuf *why)
{
	*sum = (struct rounds){0};
	for (unsigned i = 0; i < t->rounds; i++)
		if (!play_round(t, board, i + 1, sum, why))
			return false;
	return true;
}

/* As the first report shows it: the drawing and the measures. */
static bool draw(struct cli *cli, const struct trial *t, struct span board, struct strbuf *why)
{
	struct chance *chance = chance_from_seed(1, "board check");
	struct arena *arena = arena_new();
	struct strbuf text = STRBUF_INIT;
	struct game_state *state = NULL;
	struct doc doc;
	bool ok = begin(t, board, chance, arena, &state, why);

	if (ok) {
		doc_init(&doc, arena);
		t->rules->view(state, SEAT_PUBLIC, &doc);
		for (struct doc_block **at = &doc.first; *at;)
			if ((*at)->part == DOC_POSITION && (*at)->kind != DOC_HEADING)
				at = &(*at)->next;
			else
				*at = (*at)->next;
		report_text(&doc, &text);
		fprintf(cli->out, "%s\n", text.ptr);
	}
	t->rules->free_state(state);
	strbuf_release(&text);
	arena_free(arena);
	chance_free(chance);
	return ok;
}

static unsigned percent(const struct rounds *r)
{
	return r->played ? (100 * r->won + r->played / 2) / r->played : 0;
}

static double mean(const struct rounds *r)
{
	return r->played ? (double)r->turns / r->played : 0;
}

static const char *verdict(const struct rounds *r)
{
	enum { FEW = 30, MANY = 70 };
	const double long_turns = 15;

	if (percent(r) > MANY)
		return "It is easy for the mole. A shorter run makes it harder, for example "
		       "molerange=100.";
	if (percent(r) < FEW)
		return "It is hard for the mole. A longer run makes it easier, for example "
		       "molerange=160.";
	if (mean(r) > long_turns)
		return "Neither side has it easy, but rounds take long.";
	return "Neither side has it easy.";
}

static int check(struct cli *cli, const struct trial *t, const char *path)
{
	const struct game_option *option = options_text_option(t->rules, SPAN_LIT("board"));
	struct strbuf text = STRBUF_INIT, word = STRBUF_INIT, why = STRBUF_INIT,
		      name = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct rounds here, usual;
	enum err rc = strcmp(path, "-") == 0
	                  ? file_read_fd(fileno(cli->in), TEXT_MOST, &text, &e)
	                  : file_read(path, TEXT_MOST, &text, &e);

	if (rc != ERR_NONE) {
		log_warnx(&cli->log, "board: %s", e.text.ptr);
	} else if (!option->read_text(strbuf_span(&text), &word, &why) ||
	           !draw(cli, t, strbuf_span(&word), &why) ||
	           !play_rounds(t, strbuf_span(&word), &here, &why) ||
	           !play_rounds(t, SPAN_LIT("classic"), &usual, &why)) {
		log_warnx(&cli->log, "board: %s", why.ptr);
		rc = ERR_INVALID;
	} else {
		options_text_name(strbuf_span(&word), &name);
		fprintf(cli->out,
		        "Bots of level %u played %u rounds on it, and as many on the classic "
		        "board:\n\n"
		        "                          here  classic\n"
		        "  the mole wins        %6u %%  %5u %%\n"
		        "  turns in a round     %8.1f %8.1f\n"
		        "  in the longest       %8u %8u\n\n%s\n"
		        "On a server that has seen it the board is called %s.\n",
		        t->level, t->rounds, percent(&here), percent(&usual), mean(&here),
		        mean(&usual), here.longest, usual.longest, verdict(&here), name.ptr);
	}
	strbuf_release(&text);
	strbuf_release(&word);
	strbuf_release(&why);
	strbuf_release(&name);
	err_release(&e);
	return rc == ERR_INVALID ? EXIT_DATA : (int)err_exit_code(rc);
}

int cmd_board(struct cli *cli, int argc, char **argv)
{
	struct trial t = {.rules = rules_find(SPAN_LIT("mole")),
	                  .options = STRBUF_INIT,
	                  .level = BOT_LEVEL_USUAL,
	                  .rounds = ROUNDS_USUAL};
	int at = 2, code;

	if (argc < 3 || strcmp(argv[1], "check") != 0)
		return cli_usage(cli);
	for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2)
		if (!(strcmp(argv[at], "--rounds") == 0 &&
		      num_parse_uint(span_of(argv[at + 1]), 1, ROUNDS_MOST, &t.rounds)) &&
		    !(strcmp(argv[at], "--level") == 0 &&
		      num_parse_uint(span_of(argv[at + 1]), 0, BOT_LEVEL_BEST, &t.level)))
			return cli_usage(cli);
	if (at >= argc)
		return cli_usage(cli);
	for (int i = at + 1; i < argc; i++)
		strbuf_addf(&t.options, "%s ", argv[i]);
	code = check(cli, &t, argv[at]);
	strbuf_release(&t.options);
	return code;
}
