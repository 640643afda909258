/*
 * test_names.c - what a seat may be called.
 */
#include <criterion/criterion.h>

#include "processor/games/rules.h"

static bool ok(const char *name)
{
	struct strbuf why = STRBUF_INIT;
	bool answer = seat_name_ok(span_of(name), &why);

	cr_expect_eq(answer, why.len == 0, "\"%s\": %s", name, why.ptr);
	strbuf_release(&why);
	return answer;
}

Test(names, of_people_are_accepted)
{
	static const char *const good[] = {"Ann",
	                                   "A",
	                                   "Jo B",
	                                   "O'Neil",
	                                   "Anne-Marie",
	                                   "J. R.",
	                                   "x_1",
	                                   "H\xc3\xa5kon",
	                                   "\xe6\x9d\x8e\xe5\xb0\x8f\xe9\xbe\x99",
	                                   "abcdefghijklmnopqrst",
	                                   "R2D2"};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		cr_expect(ok(good[i]), "%s", good[i]);
}

Test(names, that_orders_could_mean_are_refused)
{
	static const char *const bad[] = {
	    "popup", "Whack",   "NONE",   "7",       "007", "seven", "Ann 7", "resign",
	    "any",   "King If", "server", "Actions", "yes", "WITH",  "all",   "seat"};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		cr_expect_not(ok(bad[i]), "%s", bad[i]);
}

Test(names, that_break_lines_or_cannot_be_typed_are_refused)
{
	static const char *const bad[] = {"",
	                                  " ",
	                                  " Ann",
	                                  "Ann ",
	                                  "A  B",
	                                  "A\nB",
	                                  "A\tB",
	                                  "A,B",
	                                  "A;B",
	                                  "A:B",
	                                  "A=B",
	                                  "a@b",
	                                  "<a>",
	                                  "-Ann",
	                                  ".a",
	                                  "\"Ann\"",
	                                  "Ann\xc2\xa0"
	                                  "B",
	                                  "A\xe2\x80\x8b"
	                                  "B",
	                                  "Ann\xff",
	                                  "A\xc2\x85",
	                                  "Ha\xcc\x8akon",
	                                  "\xe2\x80\x9c"
	                                  "Ann",
	                                  "O\xe2\x80\x99Neil"};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		cr_expect_not(ok(bad[i]), "%zu: %s", i, bad[i]);
}

Test(names, have_at_most_twenty_columns)
{
	struct strbuf name = STRBUF_INIT;

	cr_assert(ok("abcdefghijabcdefghij"));
	cr_assert_not(ok("abcdefghijabcdefghijk"));
	for (int i = 0; i < 11; i++)
		strbuf_adds(&name, "\xe6\x9d\x8e");
	cr_assert_not(ok(name.ptr));
	strbuf_clear(&name);
	strbuf_addc(&name, 'a');
	for (int i = 0; i < 50; i++)
		strbuf_adds(&name, "\xcc\xa7");
	cr_assert_not(ok(name.ptr), "combining marks without end");
	strbuf_release(&name);
}

Test(names, at_one_table_differ_by_more_than_case)
{
	struct strbuf why = STRBUF_INIT;
	struct seat_names names = {.count = 2, .names = {NULL, "Ann", "Bob"}};

	cr_assert(seat_names_ok(&names, &why));
	names.names[2] = "ANN";
	cr_assert_not(seat_names_ok(&names, &why));
	cr_assert_str_eq(why.ptr, "Two players cannot both be called \"ANN\".");
	strbuf_release(&why);
}

Test(origins, are_read_back_as_written)
{
	enum order_origin o;

	for (int i = ORDER_SENT; i <= ORDER_RESIGNED; i++) {
		cr_assert(
		    order_origin_parse(span_of(order_origin_name((enum order_origin)i)), &o));
		cr_assert_eq((int)o, i);
	}
	cr_assert_not(order_origin_parse(SPAN_LIT("Sent"), &o));
	cr_assert_not(order_origin_parse(SPAN_EMPTY, &o));
}

Test(registry, finds_a_kind_however_it_is_written)
{
	static const char *const ways[] = {"whakka-mole", "Whakka Mole", "WHAKKAMOLE",
	                                   "whakka_mole", " whakka  mole "};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		const struct rules *r = rules_find(span_of(ways[i]));

		cr_assert(r, "%s", ways[i]);
		cr_assert_str_eq(r->name, "whakka-mole");
	}
	cr_assert_null(rules_find(SPAN_LIT("whakka")));
	cr_assert_null(rules_find(SPAN_LIT("whakka mole x")));
	cr_assert_null(rules_find(SPAN_EMPTY));
	cr_assert_null(rules_find_version(SPAN_LIT("whakka mole"), 1));
	cr_assert_null(rules_find_version(SPAN_LIT("whakka-mole"), 2));
	cr_assert_str_eq(rules_by_letter('w')->name, "whakka-mole");
	cr_assert_null(rules_by_letter('?'));
}
