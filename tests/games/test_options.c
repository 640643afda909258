/*
 * test_options.c - options as a creator writes them.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/seal.h"
#include "processor/games/fields.h"
#include "processor/games/registry.h"
#include "tests/support/chosen.h"

static struct arena *arena;
static struct options options;
static struct strbuf why;

static void start(void)
{
	arena = arena_new();
	strbuf_init(&why);
	options_init(&options, &whakka_mole_1);
}

static void stop(void)
{
	arena_free(arena);
	strbuf_release(&why);
}

TestSuite(options, .init = start, .fini = stop);

static bool parse(const char *text)
{
	return options_parse(&options, span_of(text), arena, &why);
}

Test(options, start_as_their_defaults)
{
	struct strbuf text = STRBUF_INIT;

	options_format(&options, OPTIONS_ALL, &text);
	cr_assert_str_eq(text.ptr, "holes=9 whackpts=6 target=50 tokens=move maxtokens=all "
	                           "ties=shared seats=random turns=60");
	strbuf_clear(&text);
	options_format(&options, OPTIONS_CHANGED, &text);
	cr_assert_str_empty(text.ptr);
	strbuf_release(&text);
}

Test(options, are_read_in_any_order_and_written_in_the_rules_order)
{
	struct strbuf text = STRBUF_INIT;

	cr_assert(parse("TOKENS=Stay\ntarget=030  holes=12"), "%s", why.ptr);
	options_format(&options, OPTIONS_CHANGED, &text);
	cr_assert_str_eq(text.ptr, "holes=12 target=30 tokens=stay");
	cr_assert_eq(options_number(&options, "target"), 30);
	cr_assert(options_is(&options, "tokens", "stay"));
	cr_assert_not(options_is(&options, "tokens", "move"));
	strbuf_release(&text);
}

Test(options, may_take_a_word_or_a_number)
{
	cr_assert(parse("maxtokens=3"));
	cr_assert_eq(options_number(&options, "maxtokens"), 3);
	cr_assert(parse("maxtokens=ALL"));
	cr_assert_eq(options_number(&options, "maxtokens"), 0);
	cr_assert_not(parse("maxtokens=17"));
	cr_assert_str_eq(why.ptr,
	                 "The option maxtokens cannot be \"17\": it takes all or a number from "
	                 "1 to 16.");
}

Test(options, that_do_not_exist_are_refused_with_those_that_do)
{
	cr_assert_not(parse("hole=9"));
	cr_assert_str_eq(why.ptr,
	                 "Whakka Mole has no option \"hole\"; its options are holes, whackpts, "
	                 "target, tokens, maxtokens, ties, seats, turns.");
}

Test(options, out_of_range_or_without_a_value_are_refused)
{
	static const char *const bad[] = {
	    "holes=3",  "holes=17", "holes=",  "holes",     "=9",
	    "holes=9x", "holes=-9", "tokens=", "tokens=mo", "tokens=move|stay"};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		strbuf_clear(&why);
		cr_expect_not(parse(bad[i]), "%s", bad[i]);
		cr_expect_gt(why.len, 0);
	}
	cr_assert_eq(options_number(&options, "holes"), 9);
}

/* The longest there is, but for texts of several lines. */
static const char *longest_value(const struct game_option *g)
{
	struct span rest = span_of(g->choices ? g->choices : ""), choice, longest = SPAN_EMPTY;
	const char *most = arena_printf(arena, "%lld", (long long)g->max);

	while (span_next_field(&rest, '|', &choice))
		if (choice.len > longest.len)
			longest = choice;
	if (g->hash_of)
		return "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";
	return g->min < g->max && strlen(most) > longest.len ? most
	                                                     : arena_cstr(arena, longest);
}

Test(options, all_at_their_longest_have_room_in_the_state_of_every_game)
{
	seal_start();
	for (size_t i = 0; i < rules_count(); i++) {
		const struct rules *r = rules_at(i);
		struct seat_names names = {.count = r->min_seats,
		                           .names = {NULL, "Ann", "Bob", "Cid", "Dan"}};
		struct chance *chance = chance_from_seed(1, "room");
		struct game_state *s = NULL;

		if (!chosen_kind(r))
			continue;
		options_init(&options, r);
		for (size_t k = 0; k < r->noptions; k++)
			cr_assert(options_set(&options, span_of(r->options[k].name),
			                      span_of(longest_value(&r->options[k])), arena,
			                      &why),
			          "%s", why.ptr);
		cr_expect(r->new_game(&options, &names, chance, &s, &why), "%s", why.ptr);
		r->free_state(s);
		chance_free(chance);
	}
}

/* --- options that were added when games of the version had begun --------- */

/* The options of Whakka Mole with another between them. */
static struct game_option grown_list[32];
static struct rules grown;

static void start_grown(void)
{
	size_t before = 2, after = whakka_mole_1.noptions - before;

	start();
	memcpy(grown_list, whakka_mole_1.options, before * sizeof *grown_list);
	grown_list[before] = (struct game_option){.name = "weather",
	                                          .default_value = "dry",
	                                          .choices = "dry|wet",
	                                          .help = "of the garden",
	                                          .added_later = true};
	memcpy(grown_list + before + 1, whakka_mole_1.options + before,
	       after * sizeof *grown_list);
	grown = whakka_mole_1;
	grown.options = grown_list;
	grown.noptions++;
	options_init(&options, &grown);
}

TestSuite(added_options, .init = start_grown, .fini = stop);

static void expect_text(enum options_form form, const char *expected)
{
	struct strbuf text = STRBUF_INIT;

	options_format(&options, form, &text);
	cr_expect_str_eq(text.ptr, expected);
	strbuf_release(&text);
}

Test(added_options, are_their_default_where_a_text_lacks_them_and_then_not_written)
{
	const char *before = "holes=9 whackpts=10 target=50 tokens=move maxtokens=all "
			     "ties=shared seats=join turns=60";

	cr_assert(parse(before), "%s", why.ptr);
	cr_expect(options_is(&options, "weather", "dry"));
	expect_text(OPTIONS_ALL, before);
	cr_assert(parse("weather=dry"), "%s", why.ptr);
	expect_text(OPTIONS_ALL, before);
}

Test(added_options, stand_in_their_place_with_any_other_value)
{
	cr_assert(parse("weather=wet target=30"), "%s", why.ptr);
	expect_text(OPTIONS_ALL, "holes=9 whackpts=6 weather=wet target=30 tokens=move "
	                         "maxtokens=all ties=shared seats=random turns=60");
	expect_text(OPTIONS_CHANGED, "weather=wet target=30");
	cr_expect_not(parse("wether=wet"));
}

/* A state that is nothing but its options. */
struct game_state {
	char text[256];
};

static bool take_options(struct game_state *s, const struct options *o, struct strbuf *reason)
{
	(void)reason;
	options_keep(o, s->text, sizeof s->text);
	return true;
}

static bool only_options(struct fields *f, struct game_state *s)
{
	return field_options(f, s, s->text, &grown, take_options) && fields_end(f);
}

static bool is_state(const char *text)
{
	struct game_state *s = NULL;
	bool ok = fields_decode(span_of(text), sizeof *s, only_options, &s, &why);

	state_free(s);
	return ok;
}

Test(added_options, leave_the_states_of_games_that_began_without_them_as_they_are)
{
	cr_expect(is_state("options: holes=9 whackpts=6 target=50 tokens=move maxtokens=all "
	                   "ties=shared seats=join turns=60\n"),
	          "%s", why.ptr);
	cr_expect(is_state("options: holes=9 whackpts=6 weather=wet target=50 tokens=move "
	                   "maxtokens=all ties=shared seats=join turns=60\n"),
	          "%s", why.ptr);
}

Test(added_options, have_one_text_in_a_state_too)
{
	cr_expect_not(is_state("options: holes=9 whackpts=6 weather=dry target=50 tokens=move "
	                       "maxtokens=all ties=shared seats=join turns=60\n"));
	cr_expect_not(
	    is_state("options: holes=9 whackpts=6 target=50 tokens=move maxtokens=all "
	             "ties=shared seats=join turns=60 weather=wet\n"));
	cr_expect_not(is_state("options: holes=9 whackpts=6 wether=wet target=50 tokens=move "
	                       "maxtokens=all ties=shared seats=join turns=60\n"));
	cr_expect_not(is_state("options: whackpts=6 target=50 tokens=move maxtokens=all "
	                       "ties=shared seats=join turns=60\n"));
}

/* --- options that are digests of tables -------------------------------- */

static void start_with_tables(void)
{
	start();
	options_init(&options, &martian_boggle_1);
}

TestSuite(bound_options, .init = start_with_tables, .fini = stop);

Test(bound_options, are_the_digest_of_the_table_that_another_option_names)
{
	const struct table lists[] = {{"british", SPAN_LIT("b"), hash_of(SPAN_LIT("b"))},
	                              {"american", SPAN_LIT("a"), hash_of(SPAN_LIT("a"))}};
	const struct tables tables = {lists, 2};
	struct strbuf text = STRBUF_INIT;

	cr_assert(options_bind(&options, &tables, arena, &why), "%s", why.ptr);
	cr_assert_str_eq(options_word(&options, "list"),
	                 "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb");
	options_format(&options, OPTIONS_CHANGED, &text);
	cr_assert_str_empty(text.ptr, "people do not read digests");
	options_format(&options, OPTIONS_ALL, &text);
	cr_assert(options_parse(&options, strbuf_span(&text), arena, &why), "%s", why.ptr);
	strbuf_release(&text);
}

Test(bound_options, cannot_be_set_where_the_table_is_missing_or_empty)
{
	const struct table empty = {"american", SPAN_EMPTY, {{0}}};
	const struct tables tables = {&empty, 1};

	cr_assert_not(options_bind(&options, &tables, arena, &why));
	cr_assert(strstr(why.ptr, "wordlist=american"), "%s", why.ptr);
	cr_assert_not(options_bind(&options, NULL, arena, &why));
	cr_assert_str_eq(options_word(&options, "list"), "none");
}

Test(bound_options, are_no_business_of_games_without_tables)
{
	struct options o;

	options_init(&o, &whakka_mole_1);
	cr_assert_not(rules_use_tables(&whakka_mole_1));
	cr_assert(rules_use_tables(&martian_boggle_1));
	cr_assert(options_bind(&o, NULL, arena, &why));
}

Test(bound_options, take_a_digest_and_nothing_like_it)
{
	cr_expect_not(parse("list=abc"));
	cr_expect_not(
	    parse("list=ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bB0"));
	cr_expect_not(
	    parse("list=ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48zz"));
	cr_expect(
	    parse("list=ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"));
	cr_expect(parse("list=none"));
}

Test(options, an_option_that_a_game_does_not_have_has_no_value)
{
	struct options o;

	options_init(&o, rules_find(SPAN_LIT("mole majority")));
	cr_assert(options_has(&o, "commit", "at-once"));
	cr_assert_not(options_has(&o, "commit", "deadline"));
	options_init(&o, rules_find(SPAN_LIT("whakka mole")));
	cr_assert_not(options_has(&o, "commit", "deadline"));
}

static void expect_named(const struct rules *r)
{
	struct strbuf text = STRBUF_INIT;
	struct options o;
	struct doc doc;

	options_init(&o, r);
	doc_init(&doc, arena);
	r->guide(&o, &doc);
	doc_dump(&doc, &text);
	for (size_t i = 0; i < r->noptions; i++)
		if (!r->options[i].hash_of)
			cr_expect(strstr(text.ptr, r->options[i].name), "%s: %s", r->title,
			          r->options[i].name);
	strbuf_release(&text);
}

Test(options, the_guide_of_every_game_names_all_that_people_may_set)
{
	for (size_t i = 0; i < rules_count(); i++)
		if (chosen_kind(rules_at(i)))
			expect_named(rules_at(i));
}
