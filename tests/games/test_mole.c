/*
 * test_mole.c - Mole, the coin game: what scenarios do not show. Places of coins in rounds that
 * end, reports, samples, diagnostics.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/base/utf8.h"
#include "processor/bots/bots.h"
#include "processor/games/mole/lines.h"
#include "processor/games/mole/mole.h"
#include "processor/games/registry.h"
#include "reports/report.h"
#include "tests/support/chosen.h"
#include "tests/support/play.h"

SUITE_OF_KIND(mole, "mole");

static const struct rules *const rules = &mole_1;
static const struct tables no_tables = {NULL, 0};

/* --- positions --------------------------------------------------------- */

enum { OFF = -1 };

/* x, y in mm of M, 1, 2, 3; OFF: not on the board. */
struct lie {
	int at[MOLE_COINS][2];
};

static struct mole_position position(enum mole_side side, struct lie lie)
{
	struct mole_position p;

	memset(&p, 0, sizeof p);
	p.side = side;
	for (unsigned i = 0; i < MOLE_COINS; i++) {
		if (lie.at[i][0] == OFF)
			continue;
		p.coins.coin[i].on = true;
		p.coins.coin[i].x = (int64_t)lie.at[i][0] * MOLE_MM * MOLE_SCALE;
		p.coins.coin[i].y = (int64_t)lie.at[i][1] * MOLE_MM * MOLE_SCALE;
	}
	return p;
}

static struct game_state *game(const char *option_text)
{
	struct seat_names names = {.count = 2,
	                           .names = {NULL, "Ann", "H\xc3\xa5kon the Twentieth"}};
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

/* A game in the middle of a round, in this position. */
static struct game_state *game_at(enum mole_side side, struct lie lie, const char *options)
{
	struct game_state *s = game(options);

	s->phase = side == SIDE_MOLE ? 4 : 3;
	s->turn = 2;
	s->mole_seat = 1;
	s->now = position(side, lie);
	s->last.any = true;
	s->last.round = 1;
	s->last.turn = side == SIDE_MOLE ? 2 : 1;
	s->last.mole_seat = 1;
	s->last.before = s->now;
	s->last.before.side = side == SIDE_MOLE ? SIDE_MIGNETTES : SIDE_MOLE;
	return s;
}

static void carry_out(struct lie lie, enum mole_side side, const char *orders,
                      struct mole_played *p)
{
	struct game_state *s = game("");
	struct mole_position from = position(side, lie);
	struct mole_orders o;

	cr_assert(mole_parse_orders(span_of(orders), &s->setup.board, &from, &o), "%s", orders);
	mole_play(&s->setup, &from, &o, NULL, NULL, NULL, p);
	rules->free_state(s);
}

static void expect_at(const struct mole_coins *coins, unsigned coin, int64_t x, int64_t y)
{
	cr_expect(coins->coin[coin].on);
	cr_expect_eq(coins->coin[coin].x, x, "%lld", (long long)coins->coin[coin].x);
	cr_expect_eq(coins->coin[coin].y, y, "%lld", (long long)coins->coin[coin].y);
}

/* Golden scenario C4: 1 stays at x 62.411408. */
Test(mole, the_mignette_of_c4_rests_where_the_rules_say)
{
	static const struct lie lie = {{{30, 400}, {120, 400}, {250, 500}, {200, 100}}};
	struct mole_played p;

	carry_out(lie, SIDE_MIGNETTES, "FLICK 1 TO 30 400 RANGE 300; NASDAQ 2; NASDAQ 3", &p);
	expect_at(&p.after, 1, 255637128472, 400LL * MOLE_MM * MOLE_SCALE);
	cr_expect_eq(p.fell, EDGE_LEFT);
	cr_expect_eq(p.cause, 1);
	cr_expect_eq(p.end, END_KNOCKED_OFF);
}

/* Golden scenario C8: 2 pushes 1 to (41.065720, 236.530483). */
Test(mole, the_rescued_mignette_of_c8_rests_where_the_rules_say)
{
	static const struct lie lie = {{{15, 245}, {100, 245}, {60, 340}, {200, 100}}};
	struct mole_played p;

	carry_out(lie, SIDE_MIGNETTES,
	          "FLICK 1 TO 15 245 RANGE 300; FLICK 2 TO 60 245 RANGE 100; NASDAQ 3", &p);
	expect_at(&p.after, 1, 168205188060, 968828858042);
	cr_expect_eq(p.died[2], ZONE_ROSSERIE);
	cr_expect_eq(p.end, END_KNOCKED_OFF);
	carry_out(lie, SIDE_MIGNETTES,
	          "FLICK 1 TO 15 245 RANGE 300; FLICK 2 TO 60 245 RANGE 70; NASDAQ 3", &p);
	cr_expect_eq(p.died[1], ZONE_ROSSERIE);
	cr_expect_eq(p.died[2], ZONE_ROSSERIE);
	cr_expect_eq(p.end, END_CAUSE_DIED);
}

/* Golden scenario C15: 1 at y 526.398398. */
Test(mole, the_mignette_of_c15_rests_where_the_rules_say)
{
	static const struct lie lie = {{{150, 560}, {150, 500}, {250, 500}, {200, 100}}};
	struct mole_played p;

	carry_out(lie, SIDE_MIGNETTES, "FLICK 1 TO 150 590 RANGE 300; NASDAQ 2; NASDAQ 3", &p);
	cr_expect_eq(mole_nm(p.after.coin[1].y), 526398398, "%lld",
	             (long long)mole_nm(p.after.coin[1].y));
	cr_expect_eq(p.end, END_KNOCKED_OVER);
}

/* Open point 6: who touched the mole last counts, not who was flicked. */
Test(mole, the_mignette_that_touched_last_is_the_cause)
{
	static const struct lie lie = {{{20, 450}, {110, 450}, {60, 450}, {250, 100}}};
	struct mole_played p;

	carry_out(lie, SIDE_MIGNETTES, "FLICK 1 TO 20 450 RANGE 300; NASDAQ 2; NASDAQ 3", &p);
	cr_expect_eq(p.fell, EDGE_LEFT);
	cr_expect_eq(p.cause, 2);
}

/* Open point 10: over the winning line the round ends at once. */
Test(mole, flicks_after_a_crossing_are_not_carried_out)
{
	static const struct lie lie = {{{150, 560}, {150, 500}, {250, 500}, {200, 100}}};
	struct mole_played p;

	carry_out(lie, SIDE_MIGNETTES,
	          "FLICK 1 TO 150 590 RANGE 300; FLICK 2 TO 400 500 RANGE 300; NASDAQ 3", &p);
	cr_expect_eq(p.nflicks, 1);
	cr_expect(p.after.coin[2].on);
}

/* --- reports ----------------------------------------------------------- */

/* The state after these orders; frees the one before. */
static struct game_state *turn(struct game_state *now, const char *orders)
{
	struct seat_orders all[MAX_SEATS + 1];
	struct game_state *next = NULL;
	struct strbuf why = STRBUF_INIT;

	memset(all, 0, sizeof all);
	all[mole_seat_to_play(now)].canonical = span_of(orders);
	cr_assert(rules->resolve(now, all, NULL, &next, &why), "%s", why.ptr);
	strbuf_release(&why);
	rules->free_state(now);
	return next;
}

static void report(const struct game_state *s, unsigned viewer, struct strbuf *text)
{
	struct arena *arena = arena_new();
	struct doc doc;

	doc_init(&doc, arena);
	rules->view(s, viewer, &doc);
	report_text(&doc, text);
	report_text_for(&doc, (struct report_form){.words = true}, text);
	for (const struct doc_block *b = doc.first; b; b = b->next)
		if (b->part == DOC_NEWS)
			strbuf_adds(text, b->text);
	arena_free(arena);
}

static void expect_said(const struct game_state *s, unsigned viewer, const char *words)
{
	struct strbuf text = STRBUF_INIT;
	struct strbuf flat = STRBUF_INIT;

	report(s, viewer, &text);
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i] == '\n' ? ' ' : text.ptr[i];

		if (c != ' ' || flat.len == 0 || flat.ptr[flat.len - 1] != ' ')
			strbuf_addc(&flat, c);
	}
	cr_expect_not_null(strstr(flat.ptr, words), "\"%s\" is missing in\n%s", words,
	                   text.ptr);
	strbuf_release(&text);
	strbuf_release(&flat);
}

Test(mole, contacts_are_told_as_a_story)
{
	static const struct lie lie = {{{150, 300}, {110, 420}, {172, 420}, {200, 100}}};
	struct game_state *s = turn(game_at(SIDE_MIGNETTES, lie, ""),
	                            "FLICK 2 TO 172 200 RANGE 300; NASDAQ 1; NASDAQ 3");

	expect_said(s, SEAT_PUBLIC, "Mignette 2 is flicked towards (172, 200), 300 mm far.");
	expect_said(s, SEAT_PUBLIC, "Mignette 2 clips the mole and slides on ");
	expect_said(s, SEAT_PUBLIC, "Mignettes 1 and 3 stay where they are (NASDAQ).");
	rules->free_state(s);
}

Test(mole, an_annulled_flick_is_told_to_its_end)
{
	static const struct lie lie = {{{25, 245}, {100, 245}, {250, 500}, {200, 100}}};
	struct game_state *s = turn(game_at(SIDE_MIGNETTES, lie, ""),
	                            "FLICK 1 TO 15 245 RANGE 300; NASDAQ 2; NASDAQ 3");

	expect_said(s, 1, "The mole falls off the left side.");
	expect_said(s, 1, "the flick is annulled and every coin put back");
	expect_said(s, 1, "the mole M: x 25.000, y 245.000");
	rules->free_state(s);
}

Test(mole, a_round_that_ended_is_shown_as_it_ended_and_the_next_as_it_starts)
{
	static const struct lie lie = {{{30, 400}, {120, 400}, {250, 500}, {200, 100}}};
	struct game_state *s = turn(game_at(SIDE_MIGNETTES, lie, ""),
	                            "FLICK 1 TO 30 400 RANGE 300; NASDAQ 2; NASDAQ 3");

	expect_said(s, 1,
	            "The mignettes win round 1: no "
	            "point, but H\xc3\xa5kon the Twentieth has the mole from now on.");
	expect_said(s, 1, "== The end of round 1 ==");
	expect_said(s, 1, "mignette 1: x 62.411, y 400.000");
	expect_said(s, 1, "Mignette 1 brought the mole down and lives.");
	expect_said(
	    s, 1,
	    "Next round: M at 150.000 130.000, mole circle; 1 at 90.000 360.000, nichee;");
	rules->free_state(s);
}

Test(mole, open_lines_to_the_winning_line_are_shown_to_who_is_to_play)
{
	static const struct lie lie = {{{150, 500}, {150, 560}, {250, 300}, {200, 100}}};
	struct game_state *s = game_at(SIDE_MOLE, lie, "");
	struct mole_open open[LINES_MOST];

	cr_assert_eq(mole_open_lines(s, open, LINES_MOST), 2);
	cr_expect(open[0].to_mm < 120 && open[1].from_mm > 180, "%u, %u", open[0].to_mm,
	          open[1].from_mm);
	expect_said(s, 1, "Open lines: you could cross now with full force");
	rules->free_state(s);
}

Test(mole, paths_are_drawn_when_the_option_says_so)
{
	static const struct lie lie = {{{150, 300}, {110, 420}, {250, 420}, {200, 100}}};
	const char *orders = "FLICK 2 TO 250 200 RANGE 200; NASDAQ 1; NASDAQ 3";
	struct game_state *s = turn(game_at(SIDE_MIGNETTES, lie, "paths=on"), orders);

	expect_said(s, 1, "* path of a coin");
	expect_said(s, 1, "250 | | 22******************** |");
	rules->free_state(s);
}

static const struct doc_board *board_of(const struct doc *d)
{
	for (const struct doc_block *b = d->first; b; b = b->next)
		if (b->kind == DOC_BOARD)
			return &b->board;
	cr_assert_fail("no board");
	return NULL;
}

Test(mole, a_board_stays_within_72_columns_and_its_shapes_within_the_picture)
{
	static const char *const games[] = {"", "board=iracoubo", "board=ghana paths=on",
	                                    "board=rembobiner loup=off"};
	static const struct lie lie = {{{150, 300}, {110, 420}, {250, 420}, {300, 600}}};

	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct game_state *s =
		    turn(game_at(SIDE_MIGNETTES, lie, games[i]),
		         "FLICK 2 TO 150 300 RANGE 300; FLICK 3 TO 0 0 RANGE 300; NASDAQ 1");
		struct arena *arena = arena_new();
		const struct doc_board *b;
		struct doc doc;

		doc_init(&doc, arena);
		rules->view(s, 1, &doc);
		b = board_of(&doc);
		cr_assert_gt(b->nframes, 5);
		for (size_t k = 0; k < b->nlines; k++)
			cr_expect_leq(utf8_width(span_of(b->lines[k])), 72, "%s", b->lines[k]);
		for (size_t k = 0; k < b->nshapes; k++)
			cr_expect(b->shapes[k].x >= 0 && b->shapes[k].x <= b->width &&
			          b->shapes[k].y >= 0 && b->shapes[k].y <= b->height &&
			          b->shapes[k].frame <= b->nframes);
		arena_free(arena);
		rules->free_state(s);
	}
}

/* The mock-up of the rules: mole and mignettes in their cells. */
Test(mole, coins_are_drawn_in_the_cells_of_their_discs)
{
	static const struct lie lie = {{{150, 260}, {90, 360}, {150, 350}, {250, 120}}};
	static const char *const rows[][2] = {
	    {"    90 |", "       |               ::::::    ''11'''''                  |"},
	    {"   150 |", "       |  ......         MM      '22''''''                  |"},
	    {"   250 |", "       |   33          ::::::                               |"},
	};
	struct game_state *s = game_at(SIDE_MOLE, lie, "");
	struct arena *arena = arena_new();
	struct doc doc;
	unsigned found = 0;

	doc_init(&doc, arena);
	rules->view(s, 1, &doc);
	for (size_t i = 0; i < board_of(&doc)->nlines; i++)
		for (size_t k = 0; k < 3; k++) {
			const char *line = board_of(&doc)->lines[i];

			if (strncmp(line, rows[k][0], 8) != 0)
				continue;
			cr_expect_str_eq(line + 8, rows[k][1]);
			found++;
		}
	cr_expect_eq(found, 3);
	arena_free(arena);
	rules->free_state(s);
}

/* --- orders ------------------------------------------------------------ */

static bool legal(const struct game_state *s, const char *line)
{
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	bool ok = rules->read_orders(s, mole_seat_to_play(s), SPAN_EMPTY, &no_tables,
	                             span_of(line), &canonical, &diags) &&
	          !diags_has_errors(&diags);

	strbuf_release(&canonical);
	diags_release(&diags);
	return ok;
}

Test(mole, a_coin_is_called_as_people_call_it)
{
	static const struct lie lie = {{{150, 300}, {110, 420}, {250, 420}, {200, 100}}};
	struct game_state *s = game_at(SIDE_MOLE, lie, "");

	cr_expect(legal(s, "flick the mole to 150 400"));
	cr_expect(legal(s, "FLICK mole TO 150 640 AT MOST 130"));
	cr_expect_not(legal(s, "flick the mignette 2 to 150 400"));
	rules->free_state(s);
	s = game_at(SIDE_MIGNETTES, lie, "");
	cr_expect(legal(s, "flick the mignette 2 to 150 400"));
	rules->free_state(s);
}

/* The call loses the round unless two mignettes die: nothing to propose to everybody. */
static void expect_examples_legal(const struct game_state *s)
{
	struct arena *arena = arena_new();
	struct doc doc;
	unsigned n = 0;

	doc_init(&doc, arena);
	bot_examples(rules, s, mole_seat_to_play(s), &doc);
	for (const struct doc_block *b = doc.first; b; b = b->next, n++)
		cr_expect(legal(s, b->text) && !strstr(b->text, "TAUPINIERE"), "%s", b->text);
	cr_expect(n > 0);
	arena_free(arena);
}

Test(mole, every_example_shown_is_legal_and_makes_no_call)
{
	static const struct lie lies[] = {
	    {{{150, 300}, {110, 420}, {250, 420}, {200, 100}}},
	    {{{150, 595}, {150, 570}, {250, 420}, {200, 100}}}, /* a 25 mm gap */
	    {{{150, 300}, {150, 323}, {OFF, 0}, {OFF, 0}}},     /* Gad from above */
	    {{{150, 300}, {150, 323}, {150, 277}, {OFF, 0}}},   /* from above and below */
	    {{{150, 300}, {127, 300}, {173, 300}, {150, 323}}}, /* one way left */
	    {{{2, 2}, {20, 16}, {OFF, 0}, {OFF, 0}}},
	};
	struct game_state *s = game("");

	expect_examples_legal(s);
	rules->free_state(s);
	for (size_t i = 0; i < sizeof lies / sizeof *lies; i++)
		for (int side = 0; side < 2; side++) {
			s = game_at((enum mole_side)side, lies[i], "");
			expect_examples_legal(s);
			rules->free_state(s);
		}
}

Test(mole, the_examples_of_the_guide_are_legal_at_the_start_of_a_round)
{
	struct game_state *s = game("");
	struct arena *arena = arena_new();
	struct options options;
	struct doc doc;
	unsigned n = 0;

	options_init(&options, rules);
	doc_init(&doc, arena);
	rules->guide(&options, &doc);
	for (const struct doc_block *b = doc.first; b; b = b->next) {
		if (b->kind != DOC_EXAMPLE)
			continue;
		s->now.side = n++ == 0 ? SIDE_MIGNETTES : SIDE_MOLE;
		s->now.first_go = s->now.side == SIDE_MIGNETTES;
		cr_expect(legal(s, b->text), "%s", b->text);
	}
	cr_expect(n > 0);
	arena_free(arena);
	rules->free_state(s);
}

Test(mole, every_diagnostic_of_an_error_shows_a_legal_line)
{
	static const char *const mails[] = {
	    "flick",
	    "flick 1",
	    "flick 1 to 5",
	    "flick 9 to 1 1",
	    "flick m to 1 1",
	    "nasdaq",
	    "nasdaq 7",
	    "nasdaq 1 2",
	    "place 1 90 90",
	    "place",
	    "taupiniere",
	    "concede 3",
	    "flik 1 to 4 4",
	    "flick 1 to 1e5 4",
	    "flick 1 to 1.234 5",
	    "flick 1 to 5 5 range",
	    "flick 1 to 5 5 at most 0",
	    "flick 1 to 5 5 range x",
	    "concede; nasdaq 1",
	    "flick 1 to 5 5; flick 1 to 6 6",
	    "test",
	};
	static const struct lie lie = {{{150, 300}, {110, 420}, {250, 420}, {200, 100}}};
	struct game_state *s = game_at(SIDE_MIGNETTES, lie, "");

	for (size_t i = 0; i < sizeof mails / sizeof *mails; i++) {
		struct strbuf canonical = STRBUF_INIT;
		struct diags diags = DIAGS_INIT;

		cr_expect_not(rules->read_orders(s, mole_seat_to_play(s), SPAN_EMPTY,
		                                 &no_tables, span_of(mails[i]), &canonical,
		                                 &diags),
		              "%s", mails[i]);
		cr_expect_gt(diags_count(&diags, DIAG_ERROR), 0, "%s", mails[i]);
		for (size_t d = 0; d < diags.count; d++)
			if (diags.items[d].level == DIAG_ERROR)
				cr_expect(legal(s, diags.items[d].example), "%s: %s", mails[i],
				          diags.items[d].example);
		strbuf_release(&canonical);
		diags_release(&diags);
	}
	rules->free_state(s);
}

/* Whatever part of a report comes back in a mail, unquoted or not, it orders nothing. */
static void expect_no_orders(const struct game_state *s, const struct doc *doc)
{
	struct strbuf text = STRBUF_INIT;
	struct span rest, line;

	report_text(doc, &text);
	rest = strbuf_span(&text);
	while (span_next_line(&rest, &line)) {
		struct strbuf canonical = STRBUF_INIT;
		struct diags diags = DIAGS_INIT;

		cr_expect_not(rules->read_orders(s, mole_seat_to_play(s), SPAN_EMPTY,
		                                 &no_tables, line, &canonical, &diags),
		              "\"%.*s\" is an order", SPAN_ARGS(line));
		strbuf_release(&canonical);
		diags_release(&diags);
	}
	strbuf_release(&text);
}

Test(mole, no_line_of_a_report_or_guide_is_an_order)
{
	static const struct lie lie = {{{150, 300}, {110, 420}, {250, 420}, {200, 100}}};

	for (int side = 0; side < 2; side++) {
		struct game_state *s =
		    turn(game_at((enum mole_side)side, lie, "paths=on"),
		         side == SIDE_MOLE ? "TAUPINIERE; FLICK M TO 150 340"
		                           : "FLICK 2 TO 150 300 RANGE 80; NASDAQ 1; NASDAQ 3");
		struct arena *arena = arena_new();
		struct options options;
		struct doc doc;

		options_init(&options, rules);
		doc_init(&doc, arena);
		rules->view(s, mole_seat_to_play(s), &doc);
		bot_examples(rules, s, mole_seat_to_play(s), &doc);
		rules->guide(&options, &doc);
		expect_no_orders(s, &doc);
		arena_free(arena);
		rules->free_state(s);
	}
}

/* --- bots -------------------------------------------------------------- */

struct standings {
	unsigned rounds, mole;
};

/* One match of bots: `levels` by side. */
static struct standings match(uint64_t seed, const unsigned levels[2])
{
	struct game_state *s = game("");
	struct standings t = {0, 0};

	while (rules->owes(s).bits) {
		struct chance *c = chance_from_seed(seed * 10000 + rules->phase(s), "bots");
		struct strbuf orders = STRBUF_INIT;
		unsigned round = s->round, points = s->seats[1].points + s->seats[2].points;

		rules->sample_orders(s, mole_seat_to_play(s), levels[s->now.side], &no_tables,
		                     c, &orders);
		s = turn(s, orders.ptr);
		t.rounds += s->round != round;
		t.mole += s->seats[1].points + s->seats[2].points != points;
		strbuf_release(&orders);
		chance_free(c);
	}
	rules->free_state(s);
	return t;
}

/* Percent of the rounds that the mole wins. */
static unsigned mole_wins(unsigned mignettes, unsigned mole, unsigned matches)
{
	const unsigned levels[2] = {[SIDE_MIGNETTES] = mignettes, [SIDE_MOLE] = mole};
	struct standings all = {0, 0};

	for (uint64_t seed = 1; seed <= matches; seed++) {
		struct standings t = match(seed, levels);

		all.rounds += t.rounds;
		all.mole += t.mole;
	}
	return 100 * all.mole / all.rounds;
}

Test(mole, at_equal_level_the_mole_wins_40_to_60_percent_of_the_rounds)
{
	seal_start();
	for (unsigned level = 0; level <= 3; level++) {
		unsigned percent = mole_wins(level, level, 8);

		cr_expect(percent >= 40 && percent <= 60, "level %u: %u %%", level, percent);
	}
}

Test(mole, a_better_level_wins_more_rounds_on_either_side)
{
	seal_start();
	for (unsigned level = 1; level <= 3; level++) {
		unsigned even = mole_wins(level, level, 5);

		cr_expect_gt(even, mole_wins(level, level - 1, 5), "the mole of level %u",
		             level);
		cr_expect_lt(even, mole_wins(level - 1, level, 5), "the mignettes of level %u",
		             level);
	}
}
