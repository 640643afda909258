/*
 * test_mole_park.c - what scenarios do not show: cards, names, reports, bots, secrets.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/bots/bots.h"
#include "processor/games/mole_park/park.h"
#include "processor/games/registry.h"
#include "reports/report.h"
#include "tests/support/chosen.h"
#include "tests/support/play.h"

SUITE_OF_KIND(mole_park, "mole park");

static const struct rules *const rules = &mole_park_1;
static const struct tables no_tables = {NULL, 0};
static const struct seat_names eight = {
    .count = 8, .names = {NULL, "Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal"}};

static struct game_state *game_of(const struct seat_names *names, const char *option_text,
                                  uint64_t seed)
{
	struct chance *chance = chance_from_seed(seed, "set-up");
	struct arena *arena = arena_new();
	struct strbuf why = STRBUF_INIT;
	struct options options;
	struct game_state *s = NULL;

	options_init(&options, rules);
	cr_assert(options_parse(&options, span_of(option_text), arena, &why), "%s", why.ptr);
	cr_assert(rules->new_game(&options, names, chance, &s, &why), "%s", why.ptr);
	strbuf_release(&why);
	chance_free(chance);
	arena_free(arena);
	return s;
}

static struct game_state *game(unsigned players, const char *option_text, uint64_t seed)
{
	struct seat_names names = eight;

	names.count = players;
	return game_of(&names, option_text, seed);
}

/* One round of bots; frees the state it came from. Level of seat 1, of the others. */
static struct game_state *bots_play(struct game_state *now, uint64_t seed, unsigned level,
                                    unsigned level_of_others)
{
	struct seat_orders orders[MAX_SEATS + 1];
	struct strbuf texts[PARK_SEATS + 1];
	struct game_state *next = NULL;
	struct strbuf why = STRBUF_INIT;
	struct chance *chance;

	memset(orders, 0, sizeof orders);
	for (unsigned seat = 1; seat <= now->nseats; seat++) {
		chance = chance_from_seed(seed * 1000 + now->round * 10 + seat, "bot");
		strbuf_init(&texts[seat]);
		rules->sample_orders(now, seat, seat == 1 ? level : level_of_others, &no_tables,
		                     chance, &texts[seat]);
		orders[seat].canonical = strbuf_span(&texts[seat]);
		chance_free(chance);
	}
	chance = chance_from_seed(seed * 1000 + now->round, "round");
	cr_assert(rules->resolve(now, orders, chance, &next, &why), "%s", why.ptr);
	chance_free(chance);
	for (unsigned seat = 1; seat <= now->nseats; seat++)
		strbuf_release(&texts[seat]);
	strbuf_release(&why);
	rules->free_state(now);
	return next;
}

static struct game_state *bot_game(unsigned players, const char *options, uint64_t seed,
                                   unsigned level, unsigned level_of_others)
{
	struct game_state *s = game(players, options, seed);

	while (!park_over(s))
		s = bots_play(s, seed, level, level_of_others);
	return s;
}

/* --- cards ------------------------------------------------------------------ */

Test(mole_park, every_mole_and_prize_has_a_name_of_its_own)
{
	for (unsigned a = 1; a <= PARK_MOLES; a++)
		for (unsigned b = 1; b < a; b++)
			cr_assert_str_neq(park_mole_name(a), park_mole_name(b));
	for (unsigned a = 1; a <= PARK_PRIZES; a++)
		for (unsigned b = 1; b < a; b++)
			cr_assert_str_neq(park_prize_name(a), park_prize_name(b));
	cr_assert_str_eq(park_mole_name(41), "Percy Pinstripe");
}

Test(mole_park, both_decks_have_the_moles_they_should)
{
	static const unsigned expected[2][PARK_STARS] = {{25, 25, 25, 25, 25},
	                                                 {40, 35, 25, 15, 10}};
	struct park_setup setup = {.short_game = false};

	for (unsigned deck = 0; deck < 2; deck++) {
		unsigned counts[PARK_STARS + 1] = {0};

		setup.pyramid = deck == 1;
		for (unsigned mole = 1; mole <= PARK_MOLES; mole++)
			counts[park_mole_stars(&setup, mole)]++;
		for (unsigned stars = 1; stars <= PARK_STARS; stars++)
			cr_expect_eq(counts[stars], expected[deck][stars - 1]);
	}
}

Test(mole_park, each_hole_has_three_faces_and_each_whacking_die_one_miss)
{
	unsigned faces[PARK_HOLES + 1] = {0};

	for (enum park_die die = PARK_GLOVE; die < PARK_PRIZE_DIE; die++)
		for (unsigned side = 1; side <= PARK_FACES; side++)
			faces[park_face(die, side)]++;
	for (unsigned hole = 0; hole <= PARK_HOLES; hole++)
		cr_expect_eq(faces[hole], 3);
}

Test(mole_park, two_prizes_of_a_shop_are_a_star_below_and_two_above)
{
	static const unsigned base[PARK_SHOPS] = {3, 4, 5, 6, 7, 8};
	struct park_setup normal = {.powers = true};
	struct park_setup brief = {.short_game = true};

	for (unsigned shop = 0; shop < PARK_SHOPS; shop++) {
		unsigned below = 0, at = 0, above = 0, bags = 0, steady = 0;

		for (unsigned i = 1; i <= PARK_SHOP_CARDS; i++) {
			unsigned prize = shop * PARK_SHOP_CARDS + i;
			unsigned stars = park_prize_stars(&normal, prize);

			below += stars + 1 == base[shop];
			at += stars == base[shop];
			above += stars == base[shop] + 1;
			bags += park_is_bag(&normal, prize) && stars + 1 == base[shop];
			steady += park_is_steady(&normal, prize) && stars == base[shop];
			cr_expect_eq(park_prize_stars(&brief, prize), park_shops[shop].price);
			cr_expect_not(park_is_bag(&brief, prize));
		}
		cr_expect(below == 2 && at == 4 && above == 2 && bags == 2 && steady == 1);
	}
}

/* --- orders ------------------------------------------------------------------ */

/* Reads a mail; true when all of it was understood. */
static bool legal(const struct game_state *s, unsigned seat, const char *text,
                  struct strbuf *canonical)
{
	struct diags diags = DIAGS_INIT;
	bool ok = rules->read_orders(s, seat, SPAN_EMPTY, &no_tables, span_of(text), canonical,
	                             &diags) &&
	          !diags_has_errors(&diags);

	diags_release(&diags);
	return ok;
}

static void names_read_back(const struct seat_names *names)
{
	struct game_state *s = game_of(names, "king=1", 1);
	struct strbuf canonical = STRBUF_INIT;
	struct strbuf again = STRBUF_INIT;

	for (unsigned first = 2; first <= names->count; first++)
		for (unsigned second = 2; second <= names->count; second++) {
			struct order_set o;
			struct order_value *favour = &o.rows[PARK_FAVOUR];

			park_no_orders(s, 1, &o);
			o.rows[PARK_CLAIMS] =
			    (struct order_value){.count = 1, .items = {(unsigned char)first}};
			favour->count = first == second ? 1 : 2;
			favour->items[0] = (unsigned char)second;
			favour->items[1] = (unsigned char)first;
			strbuf_clear(&canonical);
			park_pile_put(&s->seats[1].hand, park_pile_take(&s->deck));
			park_write_orders(s, 1, &o, &canonical);
			cr_expect(legal(s, 1, canonical.ptr, &again), "%s", canonical.ptr);
			cr_expect_str_eq(again.ptr, canonical.ptr);
			park_pile_put(&s->deck, park_pile_take(&s->seats[1].hand));
		}
	strbuf_release(&canonical);
	strbuf_release(&again);
	rules->free_state(s);
}

Test(mole_park, any_names_that_may_sit_at_a_table_read_back_from_orders)
{
	static const struct seat_names sets[] = {
	    {5, {NULL, "King", "Ann", "B", "Ann B", "B Ann"}},
	    {6, {NULL, "King", "Pri", "zes", "Cro wn", "Roll2", "Fawour"}},
	    {6, {NULL, "King", "Ann.", "Ann", "O'", "Jo -", "x . y"}},
	    {5, {NULL, "King", "\xc3\x85sa", "asa", "Rolf if not", "Then"}},
	    {4, {NULL, "King", "Roll-", "Seat2", "Sty le"}},
	};
	struct strbuf why = STRBUF_INIT;

	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
		strbuf_clear(&why);
		if (seat_names_ok(&sets[i], &why))
			names_read_back(&sets[i]);
		else
			cr_expect_eq(i, 3, "%s", why.ptr); /* "if" is a keyword */
	}
	strbuf_release(&why);
}

Test(mole_park, a_bare_crown_counts_alone_only)
{
	static const char *const bold[] = {"crown",           "CROWN!",
	                                   "* crown.",        "roll pan; crown",
	                                   "roll pan, crown", "prizes toys and crown"};
	static const char *const prose[] = {"I shall try for the crown",
	                                    "the crown",
	                                    "crown of thorns",
	                                    "roll the pan, not the crown",
	                                    "roll glove unless somebody crown",
	                                    "discard nothing for the crown",
	                                    "favour bob for the crown",
	                                    "crowning glory",
	                                    "roll pan if somebody goes to crown",
	                                    "style the crown"};
	struct game_state *s = game(2, "king=2", 3);
	struct strbuf canonical = STRBUF_INIT;

	park_pile_put(&s->seats[1].hand, park_pile_take(&s->deck));
	for (size_t i = 0; i < sizeof bold / sizeof *bold; i++) {
		cr_expect(legal(s, 1, bold[i], &canonical), "%s", bold[i]);
		cr_expect(strstr(canonical.ptr, "CROWN;"), "%s: %s", bold[i], canonical.ptr);
	}
	for (size_t i = 0; i < sizeof prose / sizeof *prose; i++) {
		strbuf_clear(&canonical);
		if (legal(s, 1, prose[i], &canonical))
			cr_expect(strstr(canonical.ptr, "CROWN NONE"), "%s: %s", prose[i],
			          canonical.ptr);
		cr_expect_not(strstr(canonical.ptr, "CROWN;"), "%s: %s", prose[i],
		              canonical.ptr);
	}
	strbuf_release(&canonical);
	rules->free_state(s);
}

Test(mole_park, every_diagnostic_of_an_error_shows_a_legal_line)
{
	static const char *const mails[] = {
	    "roll",
	    "roll x",
	    "roll pan glove",
	    "roll pan if",
	    "rol pan",
	    "crown",
	    "crown if any",
	    "crown x",
	    "prizes",
	    "prizes none toys",
	    "prizes x",
	    "prises toys",
	    "discard",
	    "discard 6",
	    "discard low high",
	    "discart low",
	    "favour",
	    "favour zoe",
	    "style",
	    "style ;",
	    "style crown",
	    "resign; roll pan",
	    "favuor none",
	    "roll pan; favour",
	};
	struct game_state *s = game(3, "king=1", 5);

	for (size_t i = 0; i < sizeof mails / sizeof *mails; i++) {
		struct strbuf canonical = STRBUF_INIT;
		struct diags diags = DIAGS_INIT;

		rules->read_orders(s, 1, SPAN_EMPTY, &no_tables, span_of(mails[i]), &canonical,
		                   &diags);
		cr_expect_gt(diags_count(&diags, DIAG_ERROR), 0, "%s", mails[i]);
		for (size_t d = 0; d < diags.count; d++)
			if (diags.items[d].level == DIAG_ERROR)
				cr_expect(legal(s, 1, diags.items[d].example, &canonical),
				          "%s: %s", mails[i], diags.items[d].example);
		strbuf_release(&canonical);
		diags_release(&diags);
	}
	rules->free_state(s);
}

/* --- reports ------------------------------------------------------------------- */

static void expect_examples(const struct game_state *s, unsigned seat, const char *options)
{
	struct arena *arena = arena_new();
	struct strbuf canonical = STRBUF_INIT;
	struct options o;
	struct doc doc;

	options_init(&o, rules);
	cr_assert(options_parse(&o, span_of(options), arena, &canonical));
	doc_init(&doc, arena);
	bot_examples(rules, s, seat, &doc);
	rules->guide(&o, &doc);
	for (const struct doc_block *b = doc.first; b; b = b->next)
		if (b->kind == DOC_EXAMPLE)
			cr_expect(legal(s, seat, b->text, &canonical), "%s", b->text);
	strbuf_release(&canonical);
	arena_free(arena);
}

Test(mole_park, every_example_shown_is_legal)
{
	static const char *const games[] = {"", "length=short", "powers=on deck=pyramid"};

	seal_start();
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct game_state *s = game(4, games[i], i + 1);

		for (; !park_over(s); s = bots_play(s, i + 1, 3, 3))
			for (unsigned seat = 1; seat <= 4; seat++)
				expect_examples(s, seat, games[i]);
		rules->free_state(s);
	}
}

static void expect_narrow(const struct game_state *s)
{
	struct arena *arena = arena_new();
	struct doc doc;

	doc_init(&doc, arena);
	rules->view(s, 1, &doc);
	for (const struct doc_block *b = doc.first; b; b = b->next) {
		for (size_t i = 0; i < b->board.nlines; i++)
			cr_assert_leq(utf8_width(span_of(b->board.lines[i])), 72);
		for (size_t i = 0; i < b->board.nshapes; i++) {
			const struct doc_shape *shape = &b->board.shapes[i];

			cr_assert(shape->x >= 0 && shape->x + shape->w <= b->board.width);
			cr_assert(shape->y >= 0 && shape->y + shape->h <= b->board.height);
		}
	}
	arena_free(arena);
}

static void no_line_orders(const struct game_state *s, unsigned seat, struct span text)
{
	struct span line;

	while (span_next_line(&text, &line)) {
		struct strbuf canonical = STRBUF_INIT;
		struct diags diags = DIAGS_INIT;

		cr_expect_not(rules->read_orders(s, seat, SPAN_EMPTY, &no_tables, line,
		                                 &canonical, &diags),
		              "\"%.*s\" is an order", SPAN_ARGS(line));
		cr_expect_not(diags_has_errors(&diags), "\"%.*s\" is nearly an order",
		              SPAN_ARGS(line));
		strbuf_release(&canonical);
		diags_release(&diags);
	}
}

/* The lines of the text are joined. */
static void expect_one_star(struct strbuf *text)
{
	for (size_t i = 0; i < text->len; i++)
		if (text->ptr[i] == '\n')
			text->ptr[i] = ' ';
	cr_expect_null(strstr(text->ptr, " 1 stars"), "one star is not \"1 stars\"");
}

/* Whatever part of a report comes back in a mail, unquoted or not, it orders nothing. */
Test(mole_park, no_line_of_a_report_or_guide_is_an_order)
{
	static const char *const games[] = {"", "length=short", "powers=on deck=pyramid"};

	seal_start();
	for (uint64_t seed = 1; seed <= 30; seed++) {
		const char *options = games[seed % 3];
		struct game_state *fresh = game(2 + (unsigned)(seed % 7), options, seed);
		struct game_state *s = game(2 + (unsigned)(seed % 7), options, seed);

		for (;; s = bots_play(s, seed, (unsigned)(seed % 4), 3)) {
			struct arena *arena = arena_new();
			struct strbuf text = STRBUF_INIT;
			struct options o;
			struct doc doc;

			expect_narrow(s);
			options_init(&o, rules);
			doc_init(&doc, arena);
			rules->view(s, 1, &doc);
			bot_examples(rules, s, 1, &doc);
			rules->guide(&o, &doc);
			report_text(&doc, &text);
			no_line_orders(fresh, fresh->king, strbuf_span(&text));
			expect_one_star(&text);
			strbuf_release(&text);
			arena_free(arena);
			if (park_over(s))
				break;
		}
		rules->free_state(fresh);
		rules->free_state(s);
	}
}

/* --- secrets --------------------------------------------------------------------- */

static unsigned differences(const struct park_pile *a, const struct park_pile *b)
{
	unsigned n = 0;

	cr_assert_eq(a->count, b->count);
	for (unsigned i = 0; i < a->count; i++)
		n += a->cards[i] != b->cards[i];
	return n;
}

/* What is drawn anew really is, what a viewer knows is not, and the result is a sound state. */
Test(mole_park, resample_draws_anew_all_that_is_out_of_sight_and_nothing_else)
{
	struct game_state *s = game(4, "", 11);
	unsigned drawn = 0;

	seal_start();
	for (unsigned round = 0; round < 8; round++)
		s = bots_play(s, 11, 2, 2);
	for (unsigned viewer = SEAT_PUBLIC; viewer <= 4; viewer++) {
		struct chance *chance = chance_from_seed(viewer, "resample");
		struct game_state *other = rules->resample(s, viewer, chance);
		struct strbuf why = STRBUF_INIT;

		cr_expect_gt(differences(&s->deck, &other->deck), s->deck.count / 2);
		cr_expect_eq(differences(&s->hill, &other->hill), 0);
		for (unsigned seat = 1; seat <= 4; seat++) {
			unsigned n =
			    differences(&s->seats[seat].hand, &other->seats[seat].hand);

			cr_expect(seat != viewer || n == 0);
			drawn += seat != viewer && n > 0;
		}
		for (unsigned shop = 0; shop < PARK_SHOPS; shop++)
			cr_expect_eq(s->shops[shop].up, other->shops[shop].up);
		cr_expect(park_state_holds(other, &why), "%s", why.ptr);
		strbuf_release(&why);
		chance_free(chance);
		rules->free_state(other);
	}
	cr_expect_gt(drawn, 8);
	rules->free_state(s);
}

static void expect_same_draw(const struct game_state *s, const struct game_state *twin,
                             unsigned viewer, uint64_t seed)
{
	const struct game_state *sides[2] = {s, twin};
	struct strbuf texts[2] = {STRBUF_INIT, STRBUF_INIT};

	for (unsigned i = 0; i < 2; i++) {
		struct chance *chance = chance_from_seed(seed, "resample");
		struct game_state *other = rules->resample(sides[i], viewer, chance);

		rules->encode(other, &texts[i]);
		rules->free_state(other);
		chance_free(chance);
	}
	cr_expect_str_eq(texts[0].ptr, texts[1].ptr, "viewer %u", viewer);
	strbuf_release(&texts[0]);
	strbuf_release(&texts[1]);
}

/*
 * The chance of a preview can be guessed, so what is drawn anew must not come from where the
 * moles really are: two positions that look alike to a viewer give him the same.
 */
Test(mole_park, resample_depends_on_nothing_that_is_out_of_sight)
{
	seal_start();
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct game_state *s = game(2 + (unsigned)seed % 7, "", seed);

		for (; !park_over(s); s = bots_play(s, seed, 3, (unsigned)seed % 4))
			for (unsigned viewer = SEAT_PUBLIC; viewer <= 2; viewer++) {
				struct chance *chance = chance_from_seed(seed, "twin");
				struct game_state *twin = rules->resample(s, viewer, chance);

				expect_same_draw(s, twin, viewer, seed * 100 + s->round);
				rules->free_state(twin);
				chance_free(chance);
			}
		rules->free_state(s);
	}
}

/* --- bots -------------------------------------------------------------------------- */

static unsigned games_of_each(void)
{
	const char *text = env_get("GAMES_PER_KIND");
	unsigned n = 30;

	cr_assert(!text || num_parse_uint(span_of(text), 1, 100000, &n));
	return n < 100 ? 100 : n;
}

Test(mole_park, bot_games_end_by_a_crown_after_12_to_28_rounds)
{
	unsigned games = games_of_each();

	seal_start();
	for (unsigned level = 1; level <= 3; level++)
		for (unsigned players = 2; players <= PARK_SEATS; players++) {
			unsigned crowns = 0, rounds = 0, showdowns = 0;

			for (uint64_t seed = 1; seed <= games; seed++) {
				struct game_state *s =
				    bot_game(players, "", seed, level, level);

				crowns += s->winner != 0;
				showdowns += s->seats[s->winner].last.finalist;
				rounds += s->round - 1;
				rules->free_state(s);
			}
			cr_log_info("level %u, %u players: %u of %u games by a crown, %u.%u "
			            "rounds on average, %u Showdowns",
			            level, players, crowns, games, rounds / games,
			            10 * rounds / games % 10, showdowns);
			cr_expect_gt(crowns * 100, games * 95);
			cr_expect(rounds >= 12 * games && rounds <= 28 * games,
			          "%u players: %u", players, rounds);
		}
}

Test(mole_park, a_sensible_bot_beats_a_random_one_in_more_than_80_of_100_games)
{
	seal_start();
	for (unsigned level = 1; level <= 3; level++) {
		unsigned won = 0;

		for (uint64_t seed = 1; seed <= 100; seed++) {
			struct game_state *s = bot_game(2, "", seed, level, 0);
			struct game_result result;

			rules->result(s, &result);
			won += result.winners.bits == 1;
			rules->free_state(s);
		}
		cr_log_info("level %u beats a random bot in %u of 100 games", level, won);
		cr_expect_gt(won, 80);
	}
}

Test(mole_park, a_better_level_wins_more_games_for_two)
{
	unsigned won = 0;

	seal_start();
	for (uint64_t seed = 1; seed <= 400; seed++) {
		struct game_state *s = bot_game(2, "", seed, 3, 1);

		won += s->winner == 1;
		rules->free_state(s);
	}
	cr_log_info("level 3 beats level 1 in %u of 400 games", won);
	cr_expect_gt(won, 200);
}
