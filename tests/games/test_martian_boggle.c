/*
 * test_martian_boggle.c - what scenarios do not show: the word finder, bots, games to the end
 * under every option, reports, hints, previews.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/bots/bots.h"
#include "processor/games/registry.h"
#include "reports/report.h"
#include "tests/support/chosen.h"
#include "tests/support/play.h"
#include "tests/support/word_scan.h"

SUITE_OF_KIND(martian_boggle, "martian boggle");

static const struct rules *const rules = &martian_boggle_1;

enum { LIST_MAX = 1 << 20 };

/* The list of tests/support/words, read once a test. */
static struct tables small_list(struct strbuf *text, struct table *table)
{
	cr_assert_eq(file_read("tests/support/words/small", LIST_MAX, text, NULL), ERR_NONE);
	*table = (struct table){"american", strbuf_span(text), hash_of(strbuf_span(text))};
	return (struct tables){table, 1};
}

static uint64_t first_seed(void)
{
	const char *text = env_get("SEED");
	uint64_t seed = 1;

	cr_assert(!text || num_parse_u64(span_of(text), UINT64_MAX, &seed));
	return seed;
}

/* --- the finder ------------------------------------------------------------ */

Test(martian_boggle, the_finder_finds_what_trying_everything_finds)
{
	static const char *const options[] = {"", "diagonals=off", "scoring=craft",
	                                      "blanks=out", "unique=both"};
	struct strbuf text = STRBUF_INIT;
	struct table table;
	struct tables tables = small_list(&text, &table);
	uint64_t from = first_seed();

	for (uint64_t seed = from; seed < from + 20; seed++) {
		struct game_state *s =
		    word_scan_position(seed, options[seed % 5], tables.items[0].text);
		struct boggle_orders best;
		struct boggle_judgement j;
		struct word_scan plain;
		bool found;

		word_scan(s, table.text, &plain);
		found = boggle_find_best(s, table.text, NULL, &best);
		cr_assert_eq(found, plain.points > 0, "SEED=%llu", (unsigned long long)seed);
		cr_assert_eq(boggle_count_words(s, table.text, BOGGLE_HINTS), plain.count,
		             "SEED=%llu", (unsigned long long)seed);
		if (found) {
			boggle_judge(s, boggle_mover(s, s->turn), &best, &j);
			cr_assert_eq(j.verdict, BOGGLE_FINE, "SEED=%llu",
			             (unsigned long long)seed);
			cr_assert_eq(boggle_points(&s->setup, &j.word), plain.points,
			             "SEED=%llu", (unsigned long long)seed);
		}
		rules->free_state(s);
	}
	strbuf_release(&text);
}

/* Of the boards above hardly one has two blanks under the pieces. */
Test(martian_boggle, the_finder_knows_what_two_blanks_can_be)
{
	struct strbuf text = STRBUF_INIT;
	struct table table;
	uint64_t from = first_seed();

	small_list(&text, &table);
	for (uint64_t seed = from; seed < from + 6; seed++) {
		struct game_state *s = word_scan_position(seed, "", table.text);
		struct boggle_orders best;
		struct word_scan plain;

		squares own = s->seats[boggle_mover(s, s->turn)].pieces;

		for (char *tile = s->board; *tile; tile++)
			if (*tile == '?')
				*tile = 'E';
		s->board[boggle_first(own)] = '?';
		s->board[boggle_first(own & (own - 1))] = '?';
		word_scan(s, table.text, &plain);
		cr_assert_eq(boggle_count_words(s, table.text, BOGGLE_HINTS),
		             plain.count < BOGGLE_HINTS ? plain.count : BOGGLE_HINTS,
		             "SEED=%llu", (unsigned long long)seed);
		cr_assert_eq(boggle_find_best(s, table.text, NULL, &best), plain.points > 0,
		             "SEED=%llu", (unsigned long long)seed);
		rules->free_state(s);
	}
	strbuf_release(&text);
}

Test(martian_boggle, a_word_that_stands_twice_in_a_list_counts_once)
{
	struct game_state *s = word_scan_position(6, "", SPAN_EMPTY);
	struct strbuf text = STRBUF_INIT;
	struct table table;
	struct strbuf twice = STRBUF_INIT;
	unsigned once;

	small_list(&text, &table);
	strbuf_add_span(&twice, table.text);
	strbuf_add_span(&twice, table.text);
	once = boggle_count_words(s, table.text, BOGGLE_HINTS);
	cr_assert_gt(once, 0);
	cr_assert_eq(boggle_count_words(s, strbuf_span(&twice), BOGGLE_HINTS), once);
	strbuf_release(&text);
	strbuf_release(&twice);
	rules->free_state(s);
}

/* --- distances ------------------------------------------------------------- */

/* Steps by relaxing until nothing changes: slow, and nothing like the way of board.c. */
static unsigned plain_distance(squares open, unsigned from, unsigned to, bool diagonals)
{
	unsigned steps[BOGGLE_SQUARES];
	bool changed = true;

	for (unsigned i = 0; i < BOGGLE_SQUARES; i++)
		steps[i] = i == from ? 0 : 99;
	while (changed) {
		changed = false;
		for (unsigned a = 0; a < BOGGLE_SQUARES; a++) {
			for (unsigned b = 0; b < BOGGLE_SQUARES; b++) {
				int dx = abs((int)(a % 5) - (int)(b % 5));
				int dy = abs((int)(a / 5) - (int)(b / 5));
				bool near = diagonals ? dx <= 1 && dy <= 1 : dx + dy <= 1;

				if (near && (open & boggle_square(b)) &&
				    steps[a] + 1 < steps[b]) {
					steps[b] = steps[a] + 1;
					changed = true;
				}
			}
		}
	}
	return to == from || steps[to] == 99 ? 0 : steps[to];
}

Test(martian_boggle, distances_are_those_of_a_plain_search)
{
	uint64_t dice = first_seed();

	for (unsigned n = 0; n < 300; n++) {
		squares open = (squares)play_draw(&dice, 1u << 25) |
		               (squares)play_draw(&dice, 1u << 25);
		unsigned from = play_draw(&dice, BOGGLE_SQUARES);
		unsigned to = play_draw(&dice, BOGGLE_SQUARES);
		bool diagonals = n % 2;

		open &= ~boggle_square(from);
		cr_assert_eq(boggle_distance(open, from, to, diagonals),
		             plain_distance(open, from, to, diagonals), "SEED=%llu, try %u",
		             (unsigned long long)first_seed(), n);
	}
}

/* --- games to the end ------------------------------------------------------ */

struct match {
	struct tables tables;
	unsigned levels[BOGGLE_SEATS + 1];
	uint64_t seed;
};

/* What the mover's level plays; read again with the list as if a person had sent it. */
static void order(const struct match *m, const struct game_state *s, unsigned mover,
                  struct strbuf *out)
{
	struct strbuf again = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	struct chance *mind = chance_from_seed(m->seed * 1000 + s->turn, "mind");

	rules->sample_orders(s, mover, m->levels[mover], &m->tables, mind, out);
	cr_assert(rules->read_orders(s, mover, SPAN_EMPTY, &m->tables, strbuf_span(out), &again,
	                             &diags),
	          "SEED=%llu: %s: %s", (unsigned long long)m->seed, out->ptr,
	          diags.count ? diags.items[0].message : "");
	cr_assert_str_eq(again.ptr, out->ptr);
	cr_assert_eq(diags.count, 0);
	chance_free(mind);
	strbuf_release(&again);
	diags_release(&diags);
}

static struct game_state *step(const struct match *m, struct game_state *s)
{
	unsigned mover = boggle_mover(s, s->turn);
	struct seat_orders orders[MAX_SEATS + 1] = {{SPAN_EMPTY, ORDER_SENT}};
	struct chance *chance = chance_from_seed(m->seed * 1000 + s->turn, "turn");
	struct strbuf text = STRBUF_INIT, why = STRBUF_INIT;
	struct game_state *next = NULL;

	order(m, s, mover, &text);
	orders[mover].canonical = strbuf_span(&text);
	cr_assert(rules->resolve(s, orders, chance, &next, &why), "%s", why.ptr);
	rules->free_state(s);
	chance_free(chance);
	strbuf_release(&text);
	return next;
}

static struct game_state *play_match(const struct match *m, const char *options)
{
	struct game_state *s = word_scan_position(m->seed * 6, options, SPAN_EMPTY);

	while (!boggle_over(s))
		s = step(m, s);
	return s;
}

static unsigned times_in(const struct boggle_seat *p, const char *word)
{
	unsigned times = 0;

	for (unsigned i = 0; i < p->nwords; i++)
		times += strcmp(p->words[i].letters, word) == 0;
	return times;
}

/* Of the words on both lists: different in the own list, all in the list of words. */
static void check_words(const struct match *m, const struct game_state *s)
{
	for (unsigned seat = 1; seat <= BOGGLE_SEATS; seat++) {
		const struct boggle_seat *p = &s->seats[seat];

		for (unsigned i = 0; i < p->nwords; i++) {
			const char *word = p->words[i].letters;

			cr_expect_eq(boggle_look_up(s, &m->tables, word), BOGGLE_LISTED);
			cr_expect_eq(times_in(p, word), 1, "%s twice", word);
			cr_expect(!s->setup.unique_both ||
			              times_in(&s->seats[boggle_other(seat)], word) == 0,
			          "%s in both lists", word);
		}
	}
}

Test(martian_boggle, every_variant_is_played_to_its_end)
{
	static const char *const options[] = {
	    "",
	    "diagonals=off",
	    "scoring=craft",
	    "blanks=out",
	    "unique=both",
	    "words=2",
	    "words=9",
	    "maxturns=3",
	    "diagonals=off scoring=craft blanks=out unique=both words=9"};
	struct strbuf text = STRBUF_INIT;
	struct table table;
	struct match m = {.tables = small_list(&text, &table), .levels = {0, 3, 3}};

	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		unsigned closed = 0;

		for (m.seed = first_seed(); m.seed < first_seed() + 4; m.seed++) {
			struct game_state *s = play_match(&m, options[i]);
			unsigned first = s->seats[s->first].nwords;
			unsigned second = s->seats[boggle_other(s->first)].nwords;

			check_words(&m, s);
			closed += boggle_closer(s) != 0;
			cr_expect(first <= s->setup.words && second <= s->setup.words);
			cr_expect(boggle_closer(s) || s->turn == 2 * s->setup.maxturns + 1);
			rules->free_state(s);
		}
		cr_expect(closed > 0 || i == 7, "no game with \"%s\" was won by words",
		          options[i]);
	}
	strbuf_release(&text);
}

/* --- bots ------------------------------------------------------------------ */

/* How often the first of two levels has the higher score, in percent; a draw is a half. */
static unsigned wins_of(const struct tables *tables, unsigned a, unsigned b, unsigned games)
{
	unsigned halves = 0;

	for (uint64_t seed = 1; seed <= games; seed++) {
		struct match m = {.tables = *tables, .seed = seed};
		struct game_state *s;
		unsigned one, two;

		m.levels[1 + seed % 2] = a;
		m.levels[2 - seed % 2] = b;
		s = play_match(&m, "");
		one = boggle_score(s, 1 + (unsigned)(seed % 2));
		two = boggle_score(s, 2 - (unsigned)(seed % 2));
		halves += one > two ? 2 : one == two;
		rules->free_state(s);
	}
	return halves * 50 / games;
}

Test(martian_boggle, a_higher_level_wins_more_often)
{
	struct strbuf text = STRBUF_INIT;
	struct table table;
	struct tables tables = small_list(&text, &table);

	for (unsigned level = 1; level <= 3; level++)
		cr_expect_gt(wins_of(&tables, level, level - 1, 30), 60, "level %u", level);
	strbuf_release(&text);
}

/* --- reports --------------------------------------------------------------- */

static struct game_state *decode(const char *text)
{
	struct strbuf why = STRBUF_INIT;
	struct game_state *s = NULL;

	cr_assert(rules->decode(span_of(text), &s, &why), "%s", why.ptr);
	return s;
}

#define STATE(first_name, hints)                                                             \
	"martian-boggle: 1\noptions: diagonals=on scoring=scrabble blanks=in unique=own "    \
	"words=5 wordlist=american maxturns=40 hints=" hints " list=none\nfirst: 1\n"        \
	"turn: 2\nrow 5: STONE\nrow 4: RAILS\nrow 3: C?EDU\nrow 2: GHNAT\nrow 1: PLAIR\n"    \
	"roll: 2 4\nlast: MOVE e1 e2; MOVE d1 c3\nmissed: 0\nseat 1 name: " first_name "\n"  \
	"seat 1 left: 0\nseat 1 pieces: a1 b1 c1 e2 c3\nseat 1 words: 0\nseat 2 name: Bob\n" \
	"seat 2 left: 0\nseat 2 pieces: a5 b5 c5 d5 e5\nseat 2 words: 0\n"

static void show(const struct game_state *s, unsigned viewer, const struct tables *tables,
                 bool imagined, struct strbuf *out)
{
	struct arena *arena = arena_new();
	struct doc doc;

	doc_init(&doc, arena);
	doc.tables = tables;
	doc.draws_imagined = imagined;
	rules->view(s, viewer, &doc);
	bot_examples(rules, s, viewer, &doc);
	report_text(&doc, out);
	arena_free(arena);
}

Test(martian_boggle, the_board_is_drawn_with_brackets_round_the_pieces)
{
	static const char board[] = "     a    b    c    d    e\n"
				    "5   <S>  <T>  <O>  <N>  <E>\n"
				    "4    R    A    I    L    S\n"
				    "3    C    ?   [E]   D    U\n"
				    "2    G    H    N    A   [T]\n"
				    "1   [P]  [L]  [A]   I    R\n";
	struct game_state *s = decode(STATE("Ann", "0"));
	struct strbuf text = STRBUF_INIT;

	show(s, 2, NULL, false, &text);
	cr_expect(strstr(text.ptr, board), "%s", text.ptr);
	cr_expect(
	    strstr(text.ptr, "Under the pieces of Bob: S T O N E, worth 5; one group (x 3)."));
	cr_expect(
	    strstr(text.ptr, "Under the pieces of Ann: P L A T E, worth 7; groups of 3+1+1"));
	strbuf_release(&text);
	rules->free_state(s);
}

Test(martian_boggle, the_mover_is_told_once_how_far_pieces_walk)
{
	struct game_state *s = decode(STATE("Ann", "0"));
	struct strbuf text = STRBUF_INIT;

	show(s, 2, NULL, false, &text);
	cr_expect(strstr(text.ptr,
	                 "Walk one piece up to 6 steps, or one up to 2 and another up to 4."),
	          "%s", text.ptr);
	strbuf_clear(&text);
	show(s, 1, NULL, false, &text);
	cr_expect_null(strstr(text.ptr, "Walk one piece"), "only the mover needs it");
	strbuf_release(&text);
	rules->free_state(s);
}

Test(martian_boggle, no_line_is_wider_than_72_columns_however_long_the_names)
{
	struct game_state *s = decode(STATE("Wilhelmina Longnames", "0"));
	struct strbuf text = STRBUF_INIT;
	struct span rest, line;

	for (unsigned viewer = 0; viewer <= BOGGLE_SEATS; viewer++)
		show(s, viewer, NULL, false, &text);
	rest = strbuf_span(&text);
	while (span_next_line(&rest, &line))
		cr_expect_leq(utf8_width(line), 72, "%.*s", SPAN_ARGS(line));
	strbuf_release(&text);
	rules->free_state(s);
}

Test(martian_boggle, a_hint_tells_how_many_words_and_none_of_them)
{
	static const char list[] = "stone\nnotes\nonset\nquick\nzebra\n";
	const struct table table = {"american", SPAN_LIT(list), {{0}}};
	const struct tables tables = {&table, 1};
	static const char *const hints[] = {"0", "1", "99"};
	static const char *const told[] = {
	    NULL, "at least 1 word of the list can be reached",
	    "Hint: 3 words of the list can be reached with this roll."};

	for (unsigned i = 0; i < 3; i++) {
		const char *states[] = {STATE("Ann", "0"), STATE("Ann", "1"),
		                        STATE("Ann", "99")};
		struct game_state *s = decode(states[i]);
		struct strbuf text = STRBUF_INIT;

		show(s, 2, &tables, false, &text);
		if (told[i])
			cr_expect(strstr(text.ptr, told[i]), "hints=%s: %s", hints[i],
			          text.ptr);
		else
			cr_expect_null(strstr(text.ptr, "Hint"));
		cr_expect_null(strstr(text.ptr, "STONE"));
		strbuf_clear(&text);
		show(s, 2, NULL, false, &text);
		cr_expect_null(strstr(text.ptr, "Hint"), "nothing to look up in");
		strbuf_release(&text);
		rules->free_state(s);
	}
}

/* The same turn with other draws must look the same in a preview, and differ in a report. */
Test(martian_boggle, a_preview_shows_nothing_of_the_draws)
{
	struct game_state *s = decode(STATE("Ann", "0"));
	struct seat_orders orders[MAX_SEATS + 1] = {{SPAN_EMPTY, ORDER_SENT}};
	struct strbuf previews[2] = {STRBUF_INIT, STRBUF_INIT};
	struct strbuf reports[2] = {STRBUF_INIT, STRBUF_INIT};
	struct strbuf why = STRBUF_INIT;

	orders[2].canonical = SPAN_LIT("MOVE e5 e4; SPELL STONS");
	for (unsigned i = 0; i < 2; i++) {
		struct chance *dice = chance_from_seed(i, "dice");
		struct game_state *next = NULL;

		cr_assert(rules->resolve(s, orders, dice, &next, &why), "%s", why.ptr);
		show(next, 2, NULL, true, &previews[i]);
		show(next, 2, NULL, false, &reports[i]);
		rules->free_state(next);
		chance_free(dice);
	}
	cr_expect_str_eq(previews[0].ptr, previews[1].ptr);
	cr_expect_str_neq(reports[0].ptr, reports[1].ptr);
	cr_expect(strstr(previews[0].ptr, "spelled STONS"));
	for (unsigned i = 0; i < 2; i++) {
		strbuf_release(&previews[i]);
		strbuf_release(&reports[i]);
	}
	rules->free_state(s);
}

/* --- the list -------------------------------------------------------------- */

Test(martian_boggle, only_five_small_letters_are_a_word)
{
	struct span list =
	    SPAN_LIT("phial\nPhial\nphi'l\nphials\nphia\n\nna\xc3\xafve\r\nstone\r\n"
	             "\xff\xfe\x01\x02\x03\nzebra");
	char word[BOGGLE_LETTERS + 1];
	struct strbuf found = STRBUF_INIT;

	while (boggle_next_word(&list, word))
		strbuf_addf(&found, "%s ", word);
	cr_assert_str_eq(found.ptr, "PHIAL STONE ZEBRA ");
	strbuf_release(&found);
}

Test(martian_boggle, the_tiles_are_100_and_worth_187)
{
	struct boggle_setup setup = {.blanks = true};
	unsigned count = 0, value = 0;

	for (unsigned face = 0; face < BOGGLE_FACES; face++) {
		count += boggle_count(&setup, face);
		value += boggle_count(&setup, face) * boggle_value(boggle_tile(face));
	}
	cr_assert_eq(count, 100);
	cr_assert_eq(value, 187);
}
