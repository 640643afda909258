/*
 * test_chance.c - draws against a second derivation, their spread, and scripts.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/chance.h"

static void start(void)
{
	seal_start();
}

TestSuite(chance, .init = start);

/* The derivation once more, straight from the words of chance.h. */
struct reference {
	struct hash key;
	char label[64];
	unsigned words;
};

static uint64_t reference_word(struct reference *r)
{
	char name[128];
	struct hash block;
	uint64_t word = 0;

	snprintf(name, sizeof(name), "%s\n%u\n", r->label, r->words / 4);
	block = hash_keyed(&r->key, span_of(name));
	for (unsigned i = 0; i < 8; i++)
		word = word * 256 + block.bytes[r->words % 4 * 8 + i];
	r->words++;
	return word;
}

static unsigned reference_below(struct reference *r, unsigned n)
{
	__extension__ unsigned __int128 all = (__extension__(unsigned __int128) 1) << 64;
	uint64_t word;

	do
		word = reference_word(r);
	while (word >= all - all % n);
	return (unsigned)(word % n);
}

static struct reference reference_for(const struct hash *key, const char *label)
{
	struct reference r = {.key = *key, .words = 0};

	snprintf(r.label, sizeof(r.label), "%s", label);
	return r;
}

Test(chance, numbers_are_derived_as_written_down)
{
	static const unsigned sizes[] = {1,  2,  3,    6,           10,
	                                 52, 97, 1000, 0x80000000u, 0xFFFFFFFFu};
	struct hash key = hash_of(SPAN_LIT("turn key"));
	struct chance *c = chance_from_key(&key);

	for (unsigned i = 0; i < 300; i++) {
		unsigned n = sizes[i % 10];
		char label[32];
		struct reference pick, die;

		snprintf(label, sizeof(label), "pick %u", i);
		pick = reference_for(&key, label);
		cr_assert_eq(chance_pick(c, n, "pick %u", i), reference_below(&pick, n));
		snprintf(label, sizeof(label), "die %u", i);
		die = reference_for(&key, label);
		cr_assert_eq(chance_die(c, n, "die %u", i), reference_below(&die, n) + 1);
	}
	cr_assert_eq(chance_count(c), 600);
	cr_assert_null(chance_problem(c));
	chance_free(c);
}

Test(chance, a_shuffle_is_fisher_yates_from_the_last_place_down)
{
	struct hash key = hash_of(SPAN_LIT("turn key"));
	struct chance *c = chance_from_key(&key);

	for (unsigned n = 0; n <= 120; n++) {
		unsigned order[120], expected[120];
		struct reference r;
		char label[32];

		snprintf(label, sizeof(label), "deck of %u", n);
		r = reference_for(&key, label);
		for (unsigned i = 0; i < n; i++)
			expected[i] = i;
		for (unsigned k = n; k-- > 1;) {
			unsigned place = reference_below(&r, k + 1), held = expected[k];

			expected[k] = expected[place];
			expected[place] = held;
		}
		chance_shuffle(c, order, n, "deck of %u", n);
		cr_assert_eq(memcmp(order, expected, n * sizeof(order[0])), 0);
	}
	chance_free(c);
}

Test(chance, a_seed_and_a_label_make_the_key)
{
	struct hash key = hash_of(SPAN_LIT("molepost/1 seed\n18446744073709551615\nbots\n"));
	struct chance *a = chance_from_key(&key), *b = chance_from_seed(UINT64_MAX, "bots");
	struct chance *other = chance_from_seed(UINT64_MAX, "dice");

	cr_assert_eq(chance_pick(a, 0xFFFFFFFFu, "x"), chance_pick(b, 0xFFFFFFFFu, "x"));
	cr_assert_neq(chance_pick(a, 0xFFFFFFFFu, "y"), chance_pick(other, 0xFFFFFFFFu, "y"));
	chance_free(a);
	chance_free(b);
	chance_free(other);
	chance_free(NULL);
}

Test(chance, a_draw_does_not_depend_on_those_before_it)
{
	struct chance *a = chance_from_seed(1, "t"), *b = chance_from_seed(1, "t");
	unsigned order[9];

	chance_shuffle(a, order, 9, "first");
	chance_die(a, 6, "second");
	cr_assert_eq(chance_die(a, 1000, "third"), chance_die(b, 1000, "third"));
	chance_free(a);
	chance_free(b);
}

static double chi_square_of_die(uint64_t seed)
{
	struct chance *c = chance_from_seed(seed, "fair");
	double counts[6] = {0}, chi = 0;

	for (unsigned i = 0; i < 6000; i++)
		counts[chance_die(c, 6, "throw %u", i) - 1]++;
	for (unsigned face = 0; face < 6; face++)
		chi += (counts[face] - 1000) * (counts[face] - 1000) / 1000;
	chance_free(c);
	return chi;
}

/* Twenty seeds of 5 degrees of freedom each: 0.999 of all fair dice stay below 149.4. */
Test(chance, a_die_is_fair)
{
	double chi = 0;

	for (uint64_t seed = 1; seed <= 20; seed++)
		chi += chi_square_of_die(seed);
	cr_assert_lt(chi, 149.4);
	cr_assert_gt(chi, 61.9, "too even is not fair either");
}

Test(chance, every_order_of_four_comes_as_often)
{
	struct chance *c = chance_from_seed(8, "fair");
	double counts[256] = {0}, chi = 0;
	unsigned seen = 0;

	for (unsigned i = 0; i < 24000; i++) {
		unsigned o[4];

		chance_shuffle(c, o, 4, "deal %u", i);
		counts[o[0] << 6 | o[1] << 4 | o[2] << 2 | o[3]]++;
	}
	for (unsigned i = 0; i < 256; i++) {
		seen += counts[i] > 0;
		if (counts[i] > 0)
			chi += (counts[i] - 1000) * (counts[i] - 1000) / 1000;
	}
	cr_assert_eq(seen, 24);
	cr_assert_lt(chi, 49.7, "0.999 at 23 degrees of freedom");
	chance_free(c);
}

static void expect_record(const struct chance *c, const char *expected)
{
	struct strbuf record = STRBUF_INIT;

	chance_add_record(c, &record);
	cr_assert_str_eq(record.ptr, expected);
	strbuf_release(&record);
}

static struct chance *scripted(const char *script)
{
	struct failure e = ERR_INIT;
	struct chance *c = NULL;

	cr_assert_eq(chance_from_script(span_of(script), &c, &e), ERR_NONE, "%s", e.text.ptr);
	err_release(&e);
	return c;
}

Test(chance, the_record_of_a_derived_chance_is_a_script_that_gives_the_same)
{
	struct chance *c = chance_from_seed(9, "t"), *again;
	struct strbuf record = STRBUF_INIT, second = STRBUF_INIT;
	unsigned a[7], b[7], die = chance_die(c, 6, "die of seat %u", 2u);

	chance_shuffle(c, a, 7, "deck");
	chance_shuffle(c, a, 0, "empty deck");
	chance_shuffle(c, a + 6, 1, "single card");
	chance_shuffle(c, a, 7, "deck again");
	chance_add_record(c, &record);
	again = scripted(record.ptr);
	cr_assert_eq(chance_die(again, 6, "die of seat 2"), die);
	chance_shuffle(again, b, 7, "deck");
	chance_shuffle(again, b, 0, "empty deck");
	chance_shuffle(again, b + 6, 1, "single card");
	chance_shuffle(again, b, 7, "deck again");
	cr_assert_null(chance_problem(again));
	cr_assert_eq(memcmp(a, b, sizeof(a)), 0);
	chance_add_record(again, &second);
	cr_assert_str_eq(record.ptr, second.ptr);
	strbuf_release(&record);
	strbuf_release(&second);
	chance_free(c);
	chance_free(again);
}

Test(chance, a_script_serves_labels_first_and_the_rest_in_order)
{
	struct chance *c = scripted("4\r\n\n  pan of seat 2 = 1  \n2 3 1\n0\n");
	unsigned order[3];

	cr_assert_eq(chance_die(c, 6, "pan of seat 1"), 4);
	chance_shuffle(c, order, 3, "ring");
	cr_assert(order[0] == 1 && order[1] == 2 && order[2] == 0);
	cr_assert_not_null(chance_problem(c), "two lines are left");
	cr_assert_eq(chance_die(c, 6, "pan of seat 2"), 1);
	cr_assert_str_eq(chance_problem(c), "line 5, \"0\", was not asked for");
	cr_assert_eq(chance_pick(c, 2, "coin"), 0);
	cr_assert_null(chance_problem(c));
	expect_record(c, "pan of seat 1 = 4\nring = 2 3 1\npan of seat 2 = 1\ncoin = 0\n");
	chance_free(c);
}

Test(chance, a_labelled_line_serves_no_other_label)
{
	struct chance *c = scripted("pan = 3\n");

	cr_assert_eq(chance_die(c, 6, "pot"), 1);
	cr_assert_str_eq(chance_problem(c), "no outcome is given for \"pot\"");
	cr_assert_eq(chance_die(c, 6, "pan"), 3);
	cr_assert_str_eq(chance_problem(c), "no outcome is given for \"pot\"",
	                 "the first one stays");
	chance_free(c);
}

Test(chance, an_impossible_number_gives_the_lowest_and_a_problem)
{
	static const char *const wrong[] = {"0", "7", "1 2", "-", "4294967295"};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct chance *c = scripted(wrong[i]);

		cr_assert_eq(chance_die(c, 6, "d"), 1);
		cr_assert_str_eq(chance_problem(c), "an impossible outcome is given for \"d\"");
		expect_record(c, "d = 1\n");
		chance_free(c);
	}
}

Test(chance, an_impossible_order_gives_the_first_and_a_problem)
{
	static const char *const wrong[] = {"1 2", "1 2 2", "0 1 2", "1 2 3 4", "2 3 4", "-"};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct chance *c = scripted(wrong[i]);
		unsigned order[3] = {9, 9, 9};

		chance_shuffle(c, order, 3, "s");
		cr_assert(order[0] == 0 && order[1] == 1 && order[2] == 2, "%s", wrong[i]);
		cr_assert_not_null(chance_problem(c));
		chance_free(c);
	}
}

Test(chance, a_line_that_is_no_outcome_is_named)
{
	static const char *const wrong[] = {
	    "1\n\nhello\n", "1\n2\nx = y\n",      "1\n2\n = 3\n",     "1\n2\nx =\n",
	    "1\n2\n-1\n",   "1\n2\n4294967296\n", "1\n2\nx = 1 = 2\n"};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct failure e = ERR_INIT;
		struct chance *c = NULL;

		cr_assert_eq(chance_from_script(span_of(wrong[i]), &c, &e), ERR_INVALID);
		cr_assert_null(c);
		cr_assert(span_starts(strbuf_span(&e.text), "line 3 "), "%s", e.text.ptr);
		err_release(&e);
	}
}

Test(chance, the_second_of_two_lines_with_one_label_is_left_over)
{
	struct chance *c = scripted("d = 3\nd = 4\n");

	cr_assert_eq(chance_die(c, 6, "d"), 3);
	cr_assert_str_eq(chance_problem(c), "line 2, \"d = 4\", was not asked for");
	chance_free(c);
}

Test(chance, a_label_used_twice_is_a_bug, .signal = SIGABRT)
{
	struct chance *c = chance_from_seed(1, "t");

	chance_die(c, 6, "pan");
	chance_die(c, 6, "pan");
}

Test(chance, a_label_that_would_not_come_back_from_a_record_is_a_bug, .signal = SIGABRT)
{
	chance_die(chance_from_seed(1, "t"), 6, "a = b");
}

Test(chance, a_pick_among_nothing_is_a_bug, .signal = SIGABRT)
{
	chance_pick(chance_from_seed(1, "t"), 0, "x");
}
