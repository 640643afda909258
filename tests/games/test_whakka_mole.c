/*
 * test_whakka_mole.c - what scenarios do not show: reports, samples, diagnostics.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/base/utf8.h"
#include "processor/bots/bots.h"
#include "processor/games/registry.h"
#include "processor/games/whakka_mole/whakka.h"
#include "reports/report.h"
#include "tests/support/chosen.h"
#include "tests/support/play.h"

SUITE_OF_KIND(whakka_mole, "whakka mole");

static const struct rules *const rules = &whakka_mole_1;
static const struct tables no_tables = {NULL, 0};

static struct game_state *game(unsigned players, const char *option_text,
                               const char *first_name)
{
	struct seat_names names = {
	    .count = players,
	    .names = {NULL, first_name, "Bob", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal"}};
	struct chance *chance = chance_from_seed(7, "test");
	struct arena *arena = arena_new();
	struct strbuf why = STRBUF_INIT;
	struct options options;
	struct game_state *s = NULL;

	options_init(&options, rules);
	cr_assert(options_parse(&options, span_of(option_text), arena, &why), "%s", why.ptr);
	cr_assert(rules->new_game(&options, &names, chance, &s, &why), "%s", why.ptr);
	strbuf_release(&why);
	chance_free(chance);
	arena_free(arena);
	return s;
}

/* Resolves with these orders, NULL = none, and frees the state it came from. */
static struct game_state *turn(struct game_state *now, const char *const *texts)
{
	struct seat_orders orders[MAX_SEATS + 1];
	struct game_state *next = NULL;
	struct strbuf why = STRBUF_INIT;

	memset(orders, 0, sizeof orders);
	for (unsigned seat = 1; seat <= rules->nseats(now); seat++)
		orders[seat].canonical = span_of(texts[seat - 1]);
	cr_assert(rules->resolve(now, orders, NULL, &next, &why), "%s", why.ptr);
	strbuf_release(&why);
	rules->free_state(now);
	return next;
}

static const struct doc_board *board_of(const struct doc *d)
{
	for (const struct doc_block *b = d->first; b; b = b->next)
		if (b->kind == DOC_BOARD)
			return &b->board;
	cr_assert_fail("no board");
	return NULL;
}

static void expect_lines(const struct doc_board *b, const char *const *lines, size_t n)
{
	cr_assert_eq(b->nlines, n);
	for (size_t i = 0; i < n; i++)
		cr_expect_str_eq(b->lines[i], lines[i], "line %zu is \"%s\"", i, b->lines[i]);
}

Test(whakka_mole, sheets_are_drawn_as_in_the_rules)
{
	static const char *const orders[] = {"POPUP 1 5; WHACK 4", "POPUP 2 4 6; WHACK 3",
	                                     "POPUP 9; WHACK 5"};
	static const char *const lines[] = {
	    "Ann -> Bob            Bob -> Cid            Cid -> Ann",
	    "(1)[ ][ ]             [ ](2)[ ]             [ ][ ][ ]",
	    "[ ][X][ ]  hit at 5   [X][ ](6)  hit at 4   [ ][ ][ ]",
	    "[ ][ ][ ]             [ ][ ][ ]             [ ][ ][9]",
	};
	struct game_state *s = turn(game(3, "seats=join", "Ann"), orders);
	struct arena *arena = arena_new();
	struct doc doc;

	doc_init(&doc, arena);
	rules->view(s, SEAT_PUBLIC, &doc);
	expect_lines(board_of(&doc), lines, 4);
	cr_assert_eq(board_of(&doc)->nlinear, 3);
	cr_assert_str_eq(board_of(&doc)->linear[0],
	                 "Sheet of Ann: moles at 1, 5; hit at 5, all lost.");
	arena_free(arena);
	rules->free_state(s);
}

Test(whakka_mole, big_sheets_have_four_holes_to_a_row_and_the_hit_below)
{
	static const char *const orders[] = {"POPUP 2 10 16; WHACK NONE", "POPUP 3; WHACK 10"};
	static const char *const lines[] = {
	    "Ann -> Bob            Bob -> Ann",       "[  ]( 2)[  ][  ]      [  ][  ][ 3][  ]",
	    "[  ][  ][  ][  ]      [  ][  ][  ][  ]", "[  ][ X][  ][  ]      [  ][  ][  ][  ]",
	    "[  ][  ][  ](16)      [  ][  ][  ][  ]", "hit at 10",
	};
	struct game_state *s = turn(game(2, "seats=join holes=16", "Ann"), orders);
	struct arena *arena = arena_new();
	struct doc doc;

	doc_init(&doc, arena);
	rules->view(s, SEAT_PUBLIC, &doc);
	expect_lines(board_of(&doc), lines, 6);
	arena_free(arena);
	rules->free_state(s);
}

static void expect_narrow(const struct game_state *s)
{
	struct arena *arena = arena_new();
	struct doc doc;

	doc_init(&doc, arena);
	rules->view(s, 1, &doc);
	for (size_t i = 0; i < board_of(&doc)->nlines; i++)
		cr_assert_leq(utf8_width(span_of(board_of(&doc)->lines[i])), 72);
	for (size_t i = 0; i < board_of(&doc)->nshapes; i++) {
		const struct doc_shape *shape = &board_of(&doc)->shapes[i];

		cr_assert(shape->x >= 0 && shape->x <= board_of(&doc)->width, "x %d", shape->x);
		cr_assert(shape->y >= 0 && shape->y <= board_of(&doc)->height, "y %d",
		          shape->y);
	}
	arena_free(arena);
}

Test(whakka_mole, boards_stay_within_72_columns_for_any_names_and_holes)
{
	static const char *const all[] = {"POPUP 1 2 3 4; WHACK 1", "POPUP 4; WHACK 4",
	                                  "POPUP 1; WHACK 2",       "POPUP NONE; WHACK NONE",
	                                  "POPUP 2; WHACK 3",       "POPUP 3; WHACK 1",
	                                  "POPUP 1 3; WHACK 4",     "POPUP 4; WHACK 4"};
	struct strbuf option = STRBUF_INIT;

	for (unsigned players = 2; players <= 8; players++) {
		for (unsigned holes = 4; holes <= 16; holes++) {
			struct game_state *s;

			strbuf_clear(&option);
			strbuf_addf(&option, "holes=%u", holes);
			s = game(players, option.ptr, "H\xc3\xa5kon the Twentieth");
			expect_narrow(s);
			s = turn(s, all);
			expect_narrow(s);
			rules->free_state(s);
		}
	}
	strbuf_release(&option);
}

/* Orders of a seat as its canonical text, read again; examples in diagnostics must be legal. */
static bool legal(const struct game_state *s, unsigned seat, const char *line)
{
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	bool ok = rules->read_orders(s, seat, SPAN_EMPTY, &no_tables, span_of(line), &canonical,
	                             &diags) &&
	          !diags_has_errors(&diags);

	strbuf_release(&canonical);
	diags_release(&diags);
	return ok;
}

Test(whakka_mole, every_example_shown_is_legal)
{
	static const char *const games[] = {"", "holes=4", "holes=4 maxtokens=1", "holes=16"};

	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct game_state *s = game(3, games[i], "Ann");
		struct arena *arena = arena_new();
		struct options options;
		struct strbuf why = STRBUF_INIT;
		struct doc doc;

		options_init(&options, rules);
		cr_assert(options_parse(&options, span_of(games[i]), arena, &why));
		doc_init(&doc, arena);
		bot_examples(rules, s, 2, &doc);
		rules->guide(&options, &doc);
		for (const struct doc_block *b = doc.first; b; b = b->next)
			if (b->kind == DOC_EXAMPLE)
				cr_expect(legal(s, 2, b->text), "%s with %s", b->text,
				          games[i]);
		strbuf_release(&why);
		arena_free(arena);
		rules->free_state(s);
	}
}

Test(whakka_mole, every_diagnostic_of_an_error_shows_a_legal_line)
{
	static const char *const mails[] = {
	    "popup 0",      "popup 17",   "popup x",         "popup",       "whack",
	    "whack 1 2",    "whack 99",   "pupop 3",         "wakc 2",      "popup 1..3",
	    "popup none 1", "popup 1; 2", "popup 3; resign", "popup 1 2 3",
	};
	struct game_state *s = game(2, "holes=4 maxtokens=2", "Ann");

	for (size_t i = 0; i < sizeof mails / sizeof *mails; i++) {
		struct strbuf canonical = STRBUF_INIT;
		struct diags diags = DIAGS_INIT;

		rules->read_orders(s, 1, SPAN_EMPTY, &no_tables, span_of(mails[i]), &canonical,
		                   &diags);
		cr_expect_gt(diags_count(&diags, DIAG_ERROR), 0, "%s", mails[i]);
		for (size_t d = 0; d < diags.count; d++)
			if (diags.items[d].level == DIAG_ERROR)
				cr_expect(legal(s, 1, diags.items[d].example), "%s: %s",
				          mails[i], diags.items[d].example);
		strbuf_release(&canonical);
		diags_release(&diags);
	}
	rules->free_state(s);
}

/* Whatever part of a report comes back in a mail, unquoted or not, it orders nothing. */
Test(whakka_mole, no_line_of_a_report_or_guide_is_an_order)
{
	static const char *const orders[] = {"POPUP 1 5; WHACK 4", "POPUP 2 4 6; WHACK 3",
	                                     "POPUP 9; WHACK 5"};
	struct game_state *s = turn(game(3, "seats=join", "Ann"), orders);
	struct arena *arena = arena_new();
	struct strbuf text = STRBUF_INIT;
	struct options options;
	struct span rest, line;
	struct doc doc;

	options_init(&options, rules);
	doc_init(&doc, arena);
	rules->view(s, 1, &doc);
	bot_examples(rules, s, 1, &doc);
	rules->guide(&options, &doc);
	report_text(&doc, &text);
	rest = strbuf_span(&text);
	while (span_next_line(&rest, &line)) {
		struct strbuf canonical = STRBUF_INIT;
		struct diags diags = DIAGS_INIT;

		cr_expect_not(
		    rules->read_orders(s, 1, SPAN_EMPTY, &no_tables, line, &canonical, &diags),
		    "\"%.*s\" is an order", SPAN_ARGS(line));
		strbuf_release(&canonical);
		diags_release(&diags);
	}
	strbuf_release(&text);
	arena_free(arena);
	rules->free_state(s);
}

Test(whakka_mole, orders_are_refused_when_the_game_is_over)
{
	static const char *const end[] = {"POPUP 1; WHACK NONE", "POPUP NONE; WHACK NONE"};
	struct game_state *s = turn(game(2, "target=1 seats=join", "Ann"), end);
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;

	cr_assert_eq(rules->owes(s).bits, 0);
	cr_assert_not(legal(s, 1, "POPUP 1"));
	cr_assert_not(rules->read_orders(s, 1, SPAN_EMPTY, &no_tables, SPAN_LIT("POPUP 1"),
	                                 &canonical, &diags));
	cr_assert_eq(canonical.len, 0);
	cr_assert(legal(s, 1, "RESIGN"));
	strbuf_release(&canonical);
	diags_release(&diags);
	rules->free_state(s);
}

Test(whakka_mole, the_best_number_of_moles_is_that_of_the_analysis)
{
	static const unsigned expected[] = {0, 0, 2, 3, 4, 4, 4, 4, 4};
	struct whakka_setup setup = {.holes = 9, .whackpts = 6, .maxtokens = 9};

	for (unsigned players = 2; players <= 8; players++)
		cr_expect_eq(whakka_best_moles(&setup, players), expected[players],
		             "%u players", players);
	setup.maxtokens = 2;
	cr_assert_eq(whakka_best_moles(&setup, 8), 2);
	setup.whackpts = 99;
	cr_assert_eq(whakka_best_moles(&setup, 2), 1);
}

/* One game; how far seat 1 is above the average of the three others, times three. */
static int match(uint64_t seed, unsigned level, unsigned level_of_others)
{
	struct game_state *s = game(4, "seats=join turns=20 target=999", "Ann");
	int lead;

	while (rules->owes(s).bits) {
		struct strbuf text[4] = {STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT};
		static const char *const labels[4] = {"a", "b", "c", "d"};
		const char *orders[4];

		for (unsigned i = 0; i < 4; i++) {
			struct chance *c =
			    chance_from_seed(seed * 100 + rules->phase(s), labels[i]);

			rules->sample_orders(s, i + 1, i == 0 ? level : level_of_others,
			                     &no_tables, c, &text[i]);
			chance_free(c);
			orders[i] = text[i].ptr;
		}
		s = turn(s, orders);
		for (unsigned i = 0; i < 4; i++)
			strbuf_release(&text[i]);
	}
	lead = 3 * (int)s->seats[1].total;
	for (unsigned seat = 2; seat <= 4; seat++)
		lead -= (int)s->seats[seat].total;
	rules->free_state(s);
	return lead;
}

static int matches(unsigned level, unsigned level_of_others)
{
	int lead = 0;

	for (uint64_t seed = 1; seed <= 200; seed++)
		lead += match(seed, level, level_of_others);
	return lead;
}

Test(whakka_mole, a_better_level_beats_the_average_of_the_others)
{
	seal_start();
	cr_expect_gt(matches(1, 0), 0);
	cr_expect_gt(matches(2, 1), 0);
	cr_expect_gt(matches(3, 1), 0);
	cr_expect_gt(matches(3, 2), 0);
}

/* However well they play: no order of theirs names more holes than the option allows. */
Test(whakka_mole, bots_keep_to_the_most_holes)
{
	static const char *const options[] = {"maxtokens=1", "maxtokens=2", "maxtokens=3"};

	for (unsigned i = 0; i < 3; i++) {
		struct game_state *s = game(3, options[i], "Ann");

		for (uint64_t seed = 0; seed < 120; seed++) {
			struct chance *chance = chance_from_seed(seed, "bot");
			struct strbuf order = STRBUF_INIT, canonical = STRBUF_INIT;
			struct diags diags = DIAGS_INIT;

			rules->sample_orders(s, 1, (unsigned)(seed % 4), &no_tables, chance,
			                     &order);
			cr_expect(rules->read_orders(s, 1, (struct span){NULL, 0}, &no_tables,
			                             strbuf_span(&order), &canonical, &diags) &&
			              !diags_has_errors(&diags),
			          "%s: %s", options[i], order.ptr);
			diags_release(&diags);
			strbuf_release(&order);
			strbuf_release(&canonical);
			chance_free(chance);
		}
		rules->free_state(s);
	}
}
